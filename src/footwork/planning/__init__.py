"""Kinodynamic planning: from a start to a goal by motions that the dynamics allow."""

from footwork.planning.controls import CompoundControlSpace as CompoundControlSpace
from footwork.planning.controls import ControlSpace as ControlSpace
from footwork.planning.controls import DiscreteControlSpace as DiscreteControlSpace
from footwork.planning.controls import RealVectorControlSpace as RealVectorControlSpace
from footwork.planning.space_information import Rollout as Rollout
from footwork.planning.space_information import SpaceInformation as SpaceInformation
from footwork.planning.spaces import CompoundStateSpace as CompoundStateSpace
from footwork.planning.spaces import DiscreteStateSpace as DiscreteStateSpace
from footwork.planning.spaces import RealVectorStateSpace as RealVectorStateSpace
from footwork.planning.spaces import SE2StateSpace as SE2StateSpace
from footwork.planning.spaces import SE3StateSpace as SE3StateSpace
from footwork.planning.spaces import SO2StateSpace as SO2StateSpace
from footwork.planning.spaces import SO3StateSpace as SO3StateSpace
from footwork.planning.spaces import StateSpace as StateSpace
from footwork.planning.spaces import TimeStateSpace as TimeStateSpace
