"""Solvers of the stack: strict priorities and weighted sums over one packed problem."""

from footwork.stack.solvers.daqp_backend import DAQP as DAQP
from footwork.stack.solvers.null_space import NullSpaceSolver as NullSpaceSolver
from footwork.stack.solvers.problem import HARD as HARD
from footwork.stack.solvers.problem import Level as Level
from footwork.stack.solvers.problem import Problem as Problem
from footwork.stack.solvers.soft import SoftConstraints as SoftConstraints
from footwork.stack.solvers.solution import ActiveConstraint as ActiveConstraint
from footwork.stack.solvers.solution import LevelResult as LevelResult
from footwork.stack.solvers.solution import Solution as Solution
from footwork.stack.solvers.solution import Status as Status
from footwork.stack.solvers.stationarity import Stationarity as Stationarity
from footwork.stack.solvers.strict import StrictHierarchy as StrictHierarchy
from footwork.stack.solvers.weighted import WeightedQP as WeightedQP
