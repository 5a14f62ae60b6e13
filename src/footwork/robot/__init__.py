"""Robots: models from URDF, MJCF or the zoo, their states, frames and limits."""

from footwork.robot.frames import Frame as Frame
from footwork.robot.model import RobotModel as RobotModel
from footwork.robot.quantities import Quantities as Quantities
from footwork.robot.state import RobotState as RobotState
from footwork.robot.urdf import ModelWarning as ModelWarning
from footwork.robot.zoo import FootGeometry as FootGeometry
from footwork.robot.zoo import ZooEntry as ZooEntry
from footwork.robot.zoo import entry_of as entry_of
from footwork.robot.zoo import load as load
from footwork.robot.zoo import register as register
from footwork.robot.zoo import robot_names as robot_names
