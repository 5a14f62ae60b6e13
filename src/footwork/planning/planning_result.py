"""What a planner answers, and how it ended."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from footwork.errors import NoSolutionError
from footwork.planning.path_control import PathControl

if TYPE_CHECKING:
    from footwork.planning.planner_data import PlannerData
    from footwork.planning.problem import BoundProblem


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
    def of_failure(cls, problem: "BoundProblem") -> "PlanningResult":
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
