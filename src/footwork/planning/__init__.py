"""Kinodynamic planning: from a start to a goal by motions that the dynamics allow.

Planners need Numba, whose import takes a while; they are imported when they are first asked for.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from footwork.planning.compiled_rollout import Compilation as Compilation
from footwork.planning.controls import CompoundControlSpace as CompoundControlSpace
from footwork.planning.controls import ControlSpace as ControlSpace
from footwork.planning.controls import DiscreteControlSpace as DiscreteControlSpace
from footwork.planning.controls import RealVectorControlSpace as RealVectorControlSpace
from footwork.planning.goals import Goal as Goal
from footwork.planning.goals import GoalBox as GoalBox
from footwork.planning.goals import GoalFunction as GoalFunction
from footwork.planning.goals import GoalState as GoalState
from footwork.planning.goals import GoalStates as GoalStates
from footwork.planning.objectives import Clearance as Clearance
from footwork.planning.objectives import ControlDuration as ControlDuration
from footwork.planning.objectives import ControlEffort as ControlEffort
from footwork.planning.objectives import MechanicalWork as MechanicalWork
from footwork.planning.objectives import Motion as Motion
from footwork.planning.objectives import Objective as Objective
from footwork.planning.objectives import PathLength as PathLength
from footwork.planning.objectives import StateCostIntegral as StateCostIntegral
from footwork.planning.objectives import WeightedSum as WeightedSum
from footwork.planning.path_check import FaultKind as FaultKind
from footwork.planning.path_check import PathDiagnosis as PathDiagnosis
from footwork.planning.path_check import PathFault as PathFault
from footwork.planning.path_control import PathControl as PathControl
from footwork.planning.path_geometric import PathGeometric as PathGeometric
from footwork.planning.planner_data import PlannerData as PlannerData
from footwork.planning.planner_data_parts import PlannerEdge as PlannerEdge
from footwork.planning.planner_data_parts import PlannerVertex as PlannerVertex
from footwork.planning.problem import PlanningResult as PlanningResult
from footwork.planning.problem import PlanningStatistics as PlanningStatistics
from footwork.planning.problem import Problem as Problem
from footwork.planning.problem import Status as Status
from footwork.planning.problem import StoppedBy as StoppedBy
from footwork.planning.problem import Termination as Termination
from footwork.planning.rollout_states import Rollout as Rollout
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

if TYPE_CHECKING:
    from footwork.planning import models as models
    from footwork.planning import worlds as worlds
    from footwork.planning._kernels.trigonometry import sincos as sincos
    from footwork.planning.goal_connection import connect_to_goal as connect_to_goal
    from footwork.planning.multiple_shooting import MultipleShooting as MultipleShooting
    from footwork.planning.planners import EST as EST
    from footwork.planning.planners import KPIECE1 as KPIECE1
    from footwork.planning.planners import PDST as PDST
    from footwork.planning.planners import RRT as RRT
    from footwork.planning.planners import SST as SST
    from footwork.planning.planners import Planner as Planner
    from footwork.planning.planners import Progress as Progress
    from footwork.planning.planners import Projection as Projection
    from footwork.planning.planners import SyclopEST as SyclopEST
    from footwork.planning.planners import SyclopRRT as SyclopRRT
    from footwork.planning.portfolio import Portfolio as Portfolio

_LATER = {
    "models": "models",
    "worlds": "worlds",
    "sincos": "_kernels.trigonometry",
    "EST": "planners",
    "KPIECE1": "planners",
    "PDST": "planners",
    "RRT": "planners",
    "SST": "planners",
    "Planner": "planners",
    "Progress": "planners",
    "Projection": "planners",
    "SyclopEST": "planners",
    "SyclopRRT": "planners",
    "Portfolio": "portfolio",
    "MultipleShooting": "multiple_shooting",
    "connect_to_goal": "goal_connection",
}


def __getattr__(name: str) -> object:
    module = _LATER.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = import_module(f"{__name__}.{module}")
    return found if module == name else getattr(found, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})
