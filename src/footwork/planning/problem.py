"""What is asked of a planner, when it stops, and what it answers."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import BoundsError, InputError, NoSolutionError
from footwork.planning.arguments import not_nan, number, whole
from footwork.planning.goals import CompiledGoal, Goal, as_goal
from footwork.planning.objectives import ControlDuration, Objective
from footwork.planning.path_control import PathControl
from footwork.planning.space_information import SpaceInformation
from footwork.typing import Matrix, as_array, frozen

if TYPE_CHECKING:
    from footwork.planning.planner_data import PlannerData

GOAL_TRIES = 200
"""States drawn in a goal before it is said that none of it is valid."""


class Status(Enum):
    """How a planner ended. Only `EXACT` means that the goal is reached."""

    EXACT = "exact"
    """A path ends in the goal."""
    APPROXIMATE = "approximate"
    """No path ends in the goal; the closest one is in `PlanningResult.approximate_path`."""
    TIMEOUT = "timeout"
    """The time ran out before anything was found."""
    ITERATION_LIMIT = "iteration limit"
    """The iterations were used up before anything was found."""
    MEMORY_LIMIT = "memory limit"
    """The memory was used up before anything was found."""
    STOPPED = "stopped"
    """The user's own condition stopped the planner before anything was found."""
    INTERRUPTED = "interrupted"
    """Ctrl-C stopped the planner before anything was found."""
    INVALID_START = "invalid start"
    """No start state is valid."""
    INVALID_GOAL = "invalid goal"
    """No state of the goal is valid."""
    EXHAUSTED = "exhausted"
    """Nothing more can be tried, and nothing was found."""


class StoppedBy(Enum):
    """Why a planner stopped; not the same as whether it found something."""

    GOAL = "goal"
    """A planner that stops at the first path found one."""
    TIME = "time"
    ITERATIONS = "iterations"
    MEMORY = "memory"
    COST = "cost"
    """The cost asked for was reached."""
    CONDITION = "condition"
    """The user's own condition."""
    INTERRUPT = "interrupt"
    """Ctrl-C."""
    INPUT = "input"
    """Start or goal cannot be used."""
    EXHAUSTION = "exhaustion"
    """Nothing more can be tried."""


_STATUS_WITHOUT_PATH = {
    StoppedBy.TIME: Status.TIMEOUT,
    StoppedBy.ITERATIONS: Status.ITERATION_LIMIT,
    StoppedBy.MEMORY: Status.MEMORY_LIMIT,
    StoppedBy.CONDITION: Status.STOPPED,
    StoppedBy.COST: Status.STOPPED,
    StoppedBy.GOAL: Status.EXHAUSTED,
    StoppedBy.INTERRUPT: Status.INTERRUPTED,
    StoppedBy.INPUT: Status.INVALID_START,
    StoppedBy.EXHAUSTION: Status.EXHAUSTED,
}


@dataclass(frozen=True, kw_only=True)
class Termination:
    """When a planner stops; whatever comes first.

    Attributes:
        time_limit: Wall time [s]; 0 stops at once, None never.
        iteration_limit: Iterations of the planner.
        memory_limit: Bytes of the planner's tree.
        cost_limit: Stops when a path costs no more than this.
        condition: Asked now and then without arguments; stops when it returns True.

    Raises:
        InputError: If a limit is negative, NaN or no number, or iterations are not whole.
    """

    time_limit: float | None = None
    iteration_limit: int | None = None
    memory_limit: int | None = None
    cost_limit: float | None = None
    condition: Callable[[], bool] | None = None

    def __post_init__(self) -> None:
        for name in ("time_limit", "memory_limit"):
            if getattr(self, name) is not None:
                not_nan(name, getattr(self, name))
        if self.iteration_limit is not None:
            whole("iteration_limit", self.iteration_limit, 0)
        if self.cost_limit is not None and math.isnan(number("cost_limit", self.cost_limit)):
            raise InputError("cost_limit must be a number, got NaN")
        if self.condition is not None and not callable(self.condition):
            raise InputError(f"condition must be a function, got {self.condition!r}")

    def reason(
        self, *, elapsed: float, iterations: int, memory: int, cost: float = math.inf
    ) -> StoppedBy | None:
        """Say whether it is time to stop.

        Args:
            elapsed: Wall time since the start [s].
            iterations: Iterations done.
            memory: Bytes in use.
            cost: Cost of the best path so far.

        Returns:
            Why to stop, or None to go on.
        """
        if self.cost_limit is not None and cost <= self.cost_limit:
            return StoppedBy.COST
        if self.time_limit is not None and elapsed >= self.time_limit:
            return StoppedBy.TIME
        if self.iteration_limit is not None and iterations >= self.iteration_limit:
            return StoppedBy.ITERATIONS
        if self.memory_limit is not None and memory >= self.memory_limit:
            return StoppedBy.MEMORY
        if self.condition is not None and self.condition():
            return StoppedBy.CONDITION
        return None


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
        self._starts = frozen(starts.reshape(-1, starts.shape[-1]))
        if len(self._starts) == 0:
            raise InputError("start: there must be one state at least")
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


@dataclass(frozen=True, kw_only=True)
class PlanningStatistics:
    """What a planner did.

    Attributes:
        iterations: Iterations.
        nodes: States in the tree at the end.
        propagation_steps: Propagation steps, those of rejected motions too.
        elapsed_time: Wall time [s].
        cpu_time: Processor time [s].
        memory: Bytes of the tree.
        time_to_first: Wall time until the first path into the goal [s], None without one.
        extra: Numbers that only this planner has, by name.
    """

    iterations: int = 0
    nodes: int = 0
    propagation_steps: int = 0
    elapsed_time: float = 0.0
    cpu_time: float = 0.0
    memory: int = 0
    time_to_first: float | None = None
    extra: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, eq=False)
class PlanningResult:
    """What a planner answers. It is true only if the goal is reached.

    Attributes:
        status: How it ended.
        stopped_by: Why it stopped.
        path: A path into the goal, or None.
        cost: Its cost by the problem's objective; infinity without a path.
        approximate_path: Without a path, the one that comes closest, or None.
        remaining_distance: How far the path, or the approximate one, ends outside of the goal;
            0 in the goal, infinity without any.
        statistics: What the planner did.
        message: What is wrong with the input, or empty.
        make_planner_data: Builds the tree on demand.
    """

    status: Status
    stopped_by: StoppedBy
    path: PathControl | None = None
    cost: float = math.inf
    approximate_path: PathControl | None = None
    remaining_distance: float = math.inf
    statistics: PlanningStatistics = field(default_factory=PlanningStatistics)
    message: str = ""
    make_planner_data: Callable[[], "PlannerData"] | None = field(default=None, repr=False)

    @classmethod
    def of(
        cls,
        stopped_by: StoppedBy,
        *,
        path: PathControl | None = None,
        cost: float = math.inf,
        approximate_path: PathControl | None = None,
        remaining_distance: float = math.inf,
        statistics: PlanningStatistics | None = None,
        make_planner_data: Callable[[], "PlannerData"] | None = None,
    ) -> "PlanningResult":
        """Make a result with the status that follows from what was found.

        Args:
            stopped_by: Why the planner stopped.
            path: A path into the goal, or None.
            cost: Its cost.
            approximate_path: Without a path, the closest.
            remaining_distance: How far that ends outside.
            statistics: What the planner did.
            make_planner_data: Builds the tree on demand.

        Returns:
            The result.
        """
        if path is not None:
            status, approximate_path, remaining_distance = Status.EXACT, None, 0.0
        elif approximate_path is not None:
            status = Status.APPROXIMATE
        else:
            status = _STATUS_WITHOUT_PATH[stopped_by]
        return cls(
            status=status,
            stopped_by=stopped_by,
            path=path,
            cost=cost if path is not None else math.inf,
            approximate_path=approximate_path,
            remaining_distance=remaining_distance,
            statistics=statistics or PlanningStatistics(),
            make_planner_data=make_planner_data,
        )

    @classmethod
    def of_failure(cls, problem: BoundProblem) -> "PlanningResult":
        """Make the answer to a problem whose start or goal is in collision.

        Args:
            problem: With a failure.

        Returns:
            The result, with the message that prints the state.
        """
        assert problem.failure is not None
        return cls(status=problem.failure, stopped_by=StoppedBy.INPUT, message=problem.message)

    def __bool__(self) -> bool:
        return self.status is Status.EXACT

    def raise_if_failed(self) -> "PlanningResult":
        """Insist on a path into the goal.

        Returns:
            Itself.

        Raises:
            NoSolutionError: If there is none; it carries this result.
        """
        if self:
            return self
        rest = f", {self.remaining_distance:g} short of the goal" if self.approximate_path else ""
        why = f": {self.message}" if self.message else ""
        raise NoSolutionError(
            f"no path into the goal: {self.status.value}{rest}, stopped by "
            f"{self.stopped_by.value} after {self.statistics.iterations} iterations{why}",
            self,
        )

    def planner_data(self) -> "PlannerData":
        """Build the tree that the planner grew.

        Returns:
            States, controls, durations and edges; empty if nothing was grown.
        """
        if self.make_planner_data is None:
            raise NoSolutionError("nothing was planned, so there is no tree", self)
        return self.make_planner_data()


def _why(si: SpaceInformation, what: str, state: Matrix) -> str:
    space = si.state_space
    try:
        space.require_bounds(what, state)
    except BoundsError as error:
        return f"{error}; the {what} state is {state.tolist()}"
    return f"the {what} state {state.tolist()} is not valid: is_valid says so"
