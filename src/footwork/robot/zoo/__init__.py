"""Known robots, with what their descriptions lack."""

from footwork.robot.zoo.entry import FootGeometry as FootGeometry
from footwork.robot.zoo.entry import ZooEntry as ZooEntry
from footwork.robot.zoo.registry import entry_of as entry_of
from footwork.robot.zoo.registry import load as load
from footwork.robot.zoo.registry import register as register
from footwork.robot.zoo.registry import robot_names as robot_names
