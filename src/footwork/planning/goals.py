"""Goals: a state within a tolerance, several of them, a box, or what a function says."""

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import CallbackTypeError
from footwork.planning.goal import CompiledGoal, Goal
from footwork.planning.goal_function import GoalBox, GoalFunction
from footwork.planning.goal_states import GoalState, GoalStates

__all__ = [
    "CompiledGoal",
    "Goal",
    "GoalBox",
    "GoalFunction",
    "GoalState",
    "GoalStates",
    "as_goal",
]


def as_goal(goal: "Goal | ArrayLike", tolerance: float | None = None) -> Goal:
    """Take a goal, a state, or a function that says whether it is met.

    Args:
        goal: A goal, or a state, shape (n,), or several, shape (s, n).
        tolerance: For states.

    Returns:
        The goal.

    Raises:
        CallbackTypeError: If it is a bare function.
    """
    if isinstance(goal, Goal):
        return goal
    if callable(goal):
        raise CallbackTypeError("goal", "a state, or GoalFunction(distance=…)", goal)
    array = np.asarray(goal, dtype=object)
    return GoalStates(goal, tolerance) if array.ndim == 2 else GoalState(goal, tolerance)
