"""Planners × problems × seeds: measured, and written in the formats that OMPL's tools read.

`run` measures, with a bar in the terminal; `Benchmark.write_log` writes OMPL's log, one file a
problem, and `Benchmark.write_sqlite` the database that Planner Arena shows.
"""

import math
import platform
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from footwork.errors import InputError
from footwork.planning.files import written
from footwork.planning.objectives import PathLength
from footwork.planning.path_control import PathControl
from footwork.planning.problem import PlanningResult, Problem, Status
from footwork.planning.space_information import SpaceInformation

if TYPE_CHECKING:
    from footwork.planning.multiple_shooting import MultipleShooting
    from footwork.planning.planners import Planner

MakePlanner: TypeAlias = Callable[[SpaceInformation, int], "Planner | MultipleShooting"]
"""From a system and a seed to a planner."""
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


def describe_machine() -> str:
    """Say what the machine is.

    Returns:
        Processor, system, Python and versions that matter.
    """
    import numba

    from footwork import __version__

    processor = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                processor = line.partition(":")[2].strip()
                break
    return (
        f"{processor}\n{platform.platform()}\nPython {platform.python_version()}, "
        f"NumPy {np.__version__}, Numba {numba.__version__}, Footwork {__version__}\n"
    )


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


@dataclass(frozen=True, kw_only=True)
class Experiment:
    """One problem, planned by all planners.

    Attributes:
        name: Of the problem.
        setup: What it consists of, as text.
        planners: The runs.
        started: When.
        total_time: Of all runs [s].
    """

    name: str
    setup: str
    planners: tuple[PlannerRuns, ...]
    started: datetime
    total_time: float


@dataclass(frozen=True, kw_only=True)
class Benchmark:
    """What was measured.

    Attributes:
        experiments: One for each problem.
        time_limit: Of each run [s].
        memory_limit: Of each run [bytes], None without.
        seeds: Of the runs.
        host: Name of the machine.
        machine: Its processor and system.
    """

    experiments: tuple[Experiment, ...]
    time_limit: float
    memory_limit: int | None
    seeds: tuple[int, ...]
    host: str = field(default_factory=platform.node)
    machine: str = field(default_factory=describe_machine)

    def table(self) -> str:
        """Put the result into a Markdown table.

        Returns:
            One row for each problem and planner: solved, median and 90 % quantile of the time to
            the first path, median cost.
        """
        rows = [
            "| problem | planner | solved | first, median [s] | first, 90 % [s] | cost, median |",
            "|---|---|---|---|---|---|",
        ]
        for experiment in self.experiments:
            for each in experiment.planners:
                first = "time to first solution"
                rows.append(
                    f"| {experiment.name} | {each.planner} | {each.solved}/{len(each.runs)} "
                    f"| {_short(each.quantile(first, 0.5))} | {_short(each.quantile(first, 0.9))} "
                    f"| {_short(each.quantile('solution cost', 0.5))} |"
                )
        return "\n".join(rows) + "\n"

    def write_log(self, folder: str | Path) -> list[Path]:
        """Write OMPL's benchmark logs.

        Args:
            folder: Made if it does not exist.

        Returns:
            One file for each problem, ``<problem>.log``.

        Raises:
            InputError: If one cannot be written.
        """
        from footwork.planning.benchmark_files import log_text

        files = []
        for experiment in self.experiments:
            name = Path(folder) / f"{experiment.name.replace('/', '_')}.log"
            with written(name) as file:
                file.write_text(log_text(self, experiment), encoding="utf-8")
            files.append(file)
        return files

    def write_sqlite(self, file: str | Path) -> Path:
        """Write, or add to, the database that Planner Arena reads.

        Args:
            file: SQLite file; experiments are added to what is in it.

        Returns:
            The file.

        Raises:
            BackendError: If it is not such a database, or cannot be written.
        """
        from footwork.planning.benchmark_files import write_sqlite

        return write_sqlite(self, Path(file))


def run(
    problems: Mapping[str, tuple[SpaceInformation, Problem]],
    planners: Iterable[str] | Mapping[str, MakePlanner],
    *,
    seeds: Sequence[int] = tuple(range(1, 11)),
    time_limit: float = 5.0,
    memory_limit: int | None = None,
    improve: bool = False,
    cpu_time: bool = False,
    progress: bool = True,
) -> Benchmark:
    """Run every planner on every problem with every seed, one after the other.

    Args:
        problems: System and problem by name.
        planners: Names of planners with their defaults, or makers by name.
        seeds: Of the runs.
        time_limit: Of each run [s].
        memory_limit: Of each run's tree [bytes].
        improve: Whether a run goes on after the first path.
        cpu_time: Whether the limit counts processor time, which a busy machine does not distort.
        progress: Whether a bar is shown in the terminal.

    Returns:
        What was measured.

    Raises:
        InputError: If there is no problem, planner or seed, or a planner is not known.
    """
    makers = _makers(planners)
    if not problems or not makers or not seeds:
        raise InputError("a benchmark needs at least one problem, one planner and one seed")
    limits = _Limits(time_limit, memory_limit, improve=improve, cpu_time=cpu_time)
    experiments = []
    with _bar(len(problems) * len(makers) * len(seeds), shown=progress) as advance:
        for name, (si, problem) in problems.items():
            started, begin = datetime.now(UTC), time.perf_counter()
            measured = []
            for title, make in makers.items():
                runs, settings = [], ""
                for seed in seeds:
                    planner = make(si, int(seed))
                    settings = settings or repr(planner)
                    runs.append(_one(planner, problem, int(seed), limits))
                    advance(name, title)
                measured.append(PlannerRuns(planner=title, settings=settings, runs=tuple(runs)))
            experiments.append(
                Experiment(
                    name=name,
                    setup=describe_problem(si, problem),
                    planners=tuple(measured),
                    started=started,
                    total_time=time.perf_counter() - begin,
                )
            )
    return Benchmark(
        experiments=tuple(experiments),
        time_limit=time_limit,
        memory_limit=memory_limit,
        seeds=tuple(int(seed) for seed in seeds),
    )


def describe_problem(si: SpaceInformation, problem: Problem) -> str:
    """Put a problem into words, for the files.

    Args:
        si: The system.
        problem: Start and goal.

    Returns:
        A few lines.
    """
    starts = "\n".join(f"start {row.tolist()}" for row in problem.starts)
    return f"{si!r}\n{starts}\ngoal {problem.goal!r}\nobjective {problem.objective!r}\n"


@dataclass(frozen=True)
class _Limits:
    time_limit: float
    memory_limit: int | None
    improve: bool = field(kw_only=True)
    cpu_time: bool = field(kw_only=True)


def _makers(planners: Iterable[str] | Mapping[str, MakePlanner]) -> dict[str, MakePlanner]:
    from footwork.planning.scene import make_planner

    if isinstance(planners, Mapping):
        return dict(planners)

    def maker(name: str) -> MakePlanner:
        return lambda si, seed: make_planner(name, si, seed=seed, parameters={})

    return {name: maker(name) for name in planners}


def _one(
    planner: "Planner | MultipleShooting", problem: Problem, seed: int, limits: _Limits
) -> Run:
    better: list[tuple[float, float]] = []
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


class _bar:  # noqa: N801 - used as a context manager only
    """A bar in the terminal, or nothing."""

    def __init__(self, total: int, *, shown: bool) -> None:
        from rich.console import Console
        from rich.progress import Progress

        self._progress = Progress(console=Console(stderr=True), transient=True, disable=not shown)
        self._task = self._progress.add_task("planning", total=total)

    def __enter__(self) -> Callable[[str, str], None]:
        self._progress.start()

        def advance(problem: str, planner: str) -> None:
            self._progress.update(self._task, advance=1, description=f"{problem}: {planner}")

        return advance

    def __exit__(self, *_: object) -> None:
        self._progress.stop()


def _short(value: float) -> str:
    return f"{value:.3g}" if math.isfinite(value) else "–"
