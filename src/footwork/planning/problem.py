"""What is asked of a planner."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import BoundsError, InputError
from footwork.planning.goals import CompiledGoal, Goal, as_goal
from footwork.planning.objectives import ControlDuration, Objective
from footwork.planning.planning_result import PlanningResult, PlanningStatistics, Status, StoppedBy
from footwork.planning.space_information import SpaceInformation
from footwork.planning.termination import Termination
from footwork.planning.worlds import PlaneWorld, SpaceWorld
from footwork.typing import Matrix, as_array, frozen

__all__ = [
    "BoundProblem",
    "PlanningResult",
    "PlanningStatistics",
    "Problem",
    "Status",
    "StoppedBy",
    "Termination",
]

GOAL_TRIES = 200
"""States drawn in a goal before it is said that none of it is valid."""


@dataclass(frozen=True, kw_only=True, eq=False)
class BoundProblem:
    """A problem checked against a system, in the form that planners read.

    Attributes:
        si: The system.
        starts: Valid start states, shape (k, n).
        goal: The goal.
        compiled_goal: The goal as kernels read it.
        objective: What is minimised.
        failure: Status of the answer if it cannot be planned at all, else None.
        message: What is wrong, with the state printed; empty otherwise.
    """

    si: SpaceInformation
    starts: Matrix
    goal: Goal
    compiled_goal: CompiledGoal
    objective: Objective
    failure: Status | None
    message: str


class Problem:
    """Where to start, where to go, and what is best.

    Args:
        start: A state, shape (n,), or several, shape (k, n).
        goal: A goal, a state, shape (n,), or several, shape (s, n).
        goal_tolerance: For goals given as states: largest distance that still counts, in the
            metric of the space; 1 % of the extent of the space when not given.
        objective: What is minimised; the duration when not given.

    Raises:
        InputError: If start or goal is ill-formed: NaN and infinity are refused here.
    """

    def __init__(
        self,
        start: ArrayLike,
        goal: Goal | ArrayLike,
        *,
        goal_tolerance: float | None = None,
        objective: Objective | None = None,
    ) -> None:
        rows = np.asarray(start)
        shape: tuple[int | str, ...] = ("n",) if rows.ndim < 2 else ("count", "n")
        starts = as_array("start", start, shape)
        if starts.size == 0:
            raise InputError("start: there must be one state at least")
        self._starts = frozen(starts.reshape(-1, starts.shape[-1]))
        if isinstance(goal, Goal) and goal_tolerance is not None:
            raise InputError("goal_tolerance is for goals given as states; this goal has its own")
        self._goal = as_goal(goal, goal_tolerance)
        if not (objective is None or isinstance(objective, Objective)):
            raise InputError(
                f"objective must be an Objective such as PathLength(), got {objective!r}"
            )
        self._objective = ControlDuration() if objective is None else objective

    @property
    def starts(self) -> Matrix:
        """The start states, shape (k, n)."""
        return self._starts

    @property
    def goal(self) -> Goal:
        """The goal."""
        return self._goal

    @property
    def objective(self) -> Objective:
        """What is minimised."""
        return self._objective

    def bind(self, si: SpaceInformation) -> BoundProblem:
        """Check the problem against a system.

        Args:
            si: The system.

        Returns:
            The checked problem; a start or goal in collision is a failure in it, not an error.

        Raises:
            InputError: If a state does not fit the space.
        """
        space = si.state_space
        starts = np.array(
            [space.wrap(space.as_state(f"start {i}", x)) for i, x in enumerate(self._starts)]
        )
        valid = np.array([si.is_state_valid(x) for x in starts])
        goal = self._goal.compiled(space)
        failure, message = None, ""
        if not valid.any():
            failure, message = Status.INVALID_START, _why(si, "start", starts[0])
        else:
            message = self._goal_trouble(si)
            failure = Status.INVALID_GOAL if message else None
        return BoundProblem(
            si=si,
            starts=frozen(starts[valid]),
            goal=self._goal,
            compiled_goal=goal,
            objective=self._objective,
            failure=failure,
            message=message,
        )

    def _goal_trouble(self, si: SpaceInformation) -> str:
        states = self._goal.compiled(si.state_space).states
        if any(si.is_state_valid(x) for x in states):
            return ""
        drawn = self._goal.candidates(si.state_space, GOAL_TRIES)
        if len(drawn) == 0 and len(states) == 0:
            return ""
        if any(si.is_state_valid(x) for x in drawn):
            return ""
        example = states[0] if len(states) else drawn[0]
        return _why(si, "goal", example)


def bind_problem(problem: object, si: SpaceInformation) -> BoundProblem:
    """Check what a planner is asked against its system.

    Args:
        problem: Of the user.
        si: The system.

    Returns:
        The checked problem.

    Raises:
        InputError: If it is no `Problem`, or does not fit the system.
    """
    if not isinstance(problem, Problem):
        raise InputError(f"planning needs a Problem(start, goal), got {problem!r}")
    return problem.bind(si)


def _why(si: SpaceInformation, what: str, state: Matrix) -> str:
    space = si.state_space
    try:
        space.require_bounds(what, state)
    except BoundsError as error:
        return f"{error}; the {what} state is {state.tolist()}"
    world = si.validity
    touched = world.touched(state) if isinstance(world, PlaneWorld | SpaceWorld) else None
    if touched is not None:
        return f"the {what} state {state.tolist()} touches {touched} of the world"
    return f"the {what} state {state.tolist()} is not valid: is_valid says so"
