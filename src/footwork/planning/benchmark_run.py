"""One run of one planner, measured; and the runs of one planner."""

import math
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from footwork.planning.objectives import PathLength
from footwork.planning.path_control import PathControl
from footwork.planning.problem import PlanningResult, Problem, Status

if TYPE_CHECKING:
    from footwork.planning.planners import Planner

Value: TypeAlias = float | int | bool | None

STATUS_NAMES = (
    "Unknown status",
    "Invalid start",
    "Invalid goal",
    "Unrecognized goal type",
    "Timeout",
    "Approximate solution",
    "Exact solution",
    "Crash",
    "Abort",
    "Infeasible",
)
"""OMPL's, in its order: the numbers in the files."""

STATUS_NUMBERS = {
    Status.EXACT: 6,
    Status.APPROXIMATE: 5,
    Status.TIMEOUT: 4,
    Status.ITERATION_LIMIT: 4,
    Status.MEMORY_LIMIT: 4,
    Status.STOPPED: 8,
    Status.INTERRUPTED: 8,
    Status.INVALID_START: 1,
    Status.INVALID_GOAL: 2,
    Status.EXHAUSTED: 9,
}

PROPERTIES: Mapping[str, str] = {
    "time": "REAL",
    "cpu time": "REAL",
    "time to first solution": "REAL",
    "memory": "REAL",
    "status": "ENUM",
    "solved": "BOOLEAN",
    "approximate solution": "BOOLEAN",
    "correct solution": "BOOLEAN",
    "solution difference": "REAL",
    "solution cost": "REAL",
    "solution duration": "REAL",
    "solution length": "REAL",
    "solution segments": "INTEGER",
    "iterations": "INTEGER",
    "propagation steps": "INTEGER",
    "graph states": "INTEGER",
    "seed": "INTEGER",
}
"""What is measured of each run, with OMPL's types."""


@dataclass(frozen=True, kw_only=True)
class Run:
    """One run of one planner.

    Attributes:
        seed: Of the planner.
        values: By the names of `PROPERTIES`; None where there is nothing to say.
        progress: (time [s], cost) of each better path.
    """

    seed: int
    values: Mapping[str, Value]
    progress: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, kw_only=True)
class PlannerRuns:
    """The runs of one planner on one problem.

    Attributes:
        planner: Its name.
        settings: Its parameters, as text.
        runs: One for each seed.
    """

    planner: str
    settings: str
    runs: tuple[Run, ...]

    def quantile(self, name: str, q: float) -> float:
        """Quantile of a property, runs without a value counting as infinite.

        Args:
            name: Of the property.
            q: From 0 to 1.

        Returns:
            The least value such that at least a share q of the runs is not above it.
        """
        values = sorted(
            math.inf if (v := run.values[name]) is None else float(v) for run in self.runs
        )
        return values[min(len(values) - 1, max(0, math.ceil(q * len(values)) - 1))]

    @property
    def solved(self) -> int:
        """How many runs reached the goal."""
        return sum(bool(run.values["solved"]) for run in self.runs)


@dataclass(frozen=True)
class Limits:
    """When a run ends, and by which clock.

    Attributes:
        time_limit: Of a run [s].
        memory_limit: Of a run [bytes], None without.
        improve: Whether to plan until the limit rather than to the first path.
        cpu_time: Whether the time is processor time.
    """

    time_limit: float
    memory_limit: int | None
    improve: bool = field(kw_only=True)
    cpu_time: bool = field(kw_only=True)


def run_once(planner: "Planner", problem: Problem, seed: int, limits: Limits) -> Run:
    """Plan once and measure.

    Args:
        planner: Fresh.
        problem: What is planned.
        seed: Of the planner, for the record.
        limits: When it stops.

    Returns:
        What was measured.
    """
    better: list[tuple[float, float]] = []
    planner.prepare(problem)
    begin, cpu_begin = time.perf_counter(), time.process_time()

    def note(_: PathControl, cost: float) -> None:
        elapsed = (
            time.process_time() - cpu_begin if limits.cpu_time else time.perf_counter() - begin
        )
        better.append((elapsed, cost))

    def is_late() -> bool:
        return time.process_time() - cpu_begin >= limits.time_limit

    result = planner.solve(
        problem,
        time_limit=None if limits.cpu_time else limits.time_limit,
        condition=is_late if limits.cpu_time else None,
        memory_limit=limits.memory_limit,
        stop_at_path=not limits.improve,
        on_better=note,
    )
    elapsed, cpu = time.perf_counter() - begin, time.process_time() - cpu_begin
    values = _values(result, elapsed, cpu, better[0][0] if better else None)
    values["seed"] = seed
    return Run(seed=seed, values=values, progress=tuple(better))


def _values(
    result: PlanningResult, elapsed: float, cpu: float, first: float | None
) -> dict[str, Value]:
    path = result.path
    shown = path or result.approximate_path
    statistics = result.statistics
    rest = result.remaining_distance
    return {
        "time": elapsed,
        "cpu time": cpu,
        "time to first solution": first if path is not None else None,
        "memory": statistics.memory / 2**20,
        "status": STATUS_NUMBERS[result.status],
        "solved": path is not None,
        "approximate solution": result.status is Status.APPROXIMATE,
        "correct solution": None if path is None else path.check(),
        "solution difference": rest if math.isfinite(rest) else None,
        "solution cost": result.cost if path is not None else None,
        "solution duration": None if shown is None else shown.length(),
        "solution length": None if shown is None else shown.cost(PathLength()),
        "solution segments": None if shown is None else shown.control_count,
        "iterations": statistics.iterations,
        "propagation steps": statistics.propagation_steps,
        "graph states": statistics.nodes,
    }
