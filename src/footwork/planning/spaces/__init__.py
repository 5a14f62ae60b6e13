"""State spaces: what a state is, how far two are apart, and what bounds it."""

from footwork.planning.spaces.components import Component as Component
from footwork.planning.spaces.components import Kind as Kind
from footwork.planning.spaces.compound import CompoundStateSpace as CompoundStateSpace
from footwork.planning.spaces.elementary import DiscreteStateSpace as DiscreteStateSpace
from footwork.planning.spaces.elementary import RealVectorStateSpace as RealVectorStateSpace
from footwork.planning.spaces.elementary import SO2StateSpace as SO2StateSpace
from footwork.planning.spaces.elementary import SO3StateSpace as SO3StateSpace
from footwork.planning.spaces.elementary import TimeStateSpace as TimeStateSpace
from footwork.planning.spaces.rigid import SE2StateSpace as SE2StateSpace
from footwork.planning.spaces.rigid import SE3StateSpace as SE3StateSpace
from footwork.planning.spaces.state_space import StateSpace as StateSpace
