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
from footwork.planning.benchmark_run import (
    PROPERTIES,
    STATUS_NAMES,
    Limits,
    PlannerRuns,
    Run,
    Value,
    run_once,
)
from footwork.planning.files import written
from footwork.planning.problem import Problem
from footwork.planning.space_information import SpaceInformation

if TYPE_CHECKING:
    from footwork.planning.planners import Planner

__all__ = [
    "PROPERTIES",
    "STATUS_NAMES",
    "Benchmark",
    "Experiment",
    "PlannerRuns",
    "Run",
    "Value",
    "run",
]

MakePlanner: TypeAlias = Callable[[SpaceInformation, int], "Planner"]
"""From a system and a seed to a planner."""


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
    limits = Limits(time_limit, memory_limit, improve=improve, cpu_time=cpu_time)
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
                    runs.append(run_once(planner, problem, int(seed), limits))
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


def _makers(planners: Iterable[str] | Mapping[str, MakePlanner]) -> dict[str, MakePlanner]:
    from footwork.planning.scene import make_planner

    if isinstance(planners, Mapping):
        return dict(planners)

    def maker(name: str) -> MakePlanner:
        return lambda si, seed: make_planner(name, si, seed=seed, parameters={})

    return {name: maker(name) for name in planners}


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
