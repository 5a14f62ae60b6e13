"""One call of solve: a search advanced in slices, with its clock, limits and callbacks."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from footwork.planning._kernels.tree import FAILED, IMPROVED
from footwork.planning.path_control import PathControl
from footwork.planning.planners.any_search import AnySearch
from footwork.planning.planners.interrupts import hold_interrupts
from footwork.planning.planners.search import OUT_OF_MEMORY, durations_of
from footwork.planning.problem import (
    PlanningResult,
    PlanningStatistics,
    StoppedBy,
    Termination,
)
from footwork.typing import IntVector, Matrix

SLICE: Final = 0.02
"""How long a slice should last [s]: so long do Ctrl-C, deadlines and progress wait."""
FIRST_WORK: Final = 4000
"""Work of the first slice of compiled code; plain Python begins with one iteration."""
MOST_ITERATIONS: Final = 2**62


@dataclass(frozen=True, kw_only=True)
class Progress:
    """What a planner has done so far.

    Attributes:
        elapsed_time: Wall time [s].
        iterations: Iterations, those of earlier calls too.
        nodes: Nodes in the tree.
        best_cost: Cost of the best path; infinity without one.
        remaining_distance: How far the closest node is outside of the goal.
    """

    elapsed_time: float
    iterations: int
    nodes: int
    best_cost: float
    remaining_distance: float


@dataclass(frozen=True, kw_only=True, eq=False)
class Callbacks:
    """Whom a run tells.

    Attributes:
        on_better: Called with each better path and its cost.
        on_progress: Called after each slice.
    """

    on_better: Callable[[PathControl, float], object] | None = None
    on_progress: Callable[[Progress], object] | None = None


class Run:
    """One call of solve.

    Args:
        search: The tree; it may have been advanced before.
        termination: When to stop.
        stops_at_path: Whether a better path ends the run.
        callbacks: Whom to tell.
        slice_seconds: How long a slice should last [s].

    Attributes:
        stopped_by: Why it stopped, None while it goes on.
    """

    def __init__(
        self,
        search: AnySearch,
        termination: Termination,
        *,
        stops_at_path: bool,
        callbacks: Callbacks,
        slice_seconds: float = SLICE,
    ) -> None:
        self.stopped_by: StoppedBy | None = None
        self._search, self._termination = search, termination
        self._stops_at_path, self._callbacks = stops_at_path, callbacks
        self._slice = slice_seconds
        self.start_clock()
        self._first_iteration = search.iterations
        limit = termination.iteration_limit
        self._iteration_limit = (
            MOST_ITERATIONS
            if limit is None
            else min(self._first_iteration + int(limit), MOST_ITERATIONS)
        )
        memory = termination.memory_limit
        self._memory_limit = math.inf if memory is None else float(memory)
        self._work = FIRST_WORK if search.bound.is_native else 1
        self._rate = 0.0
        self._time_to_first: float | None = None
        self._cpu_time = 0.0

    def start_clock(self) -> None:
        """Begin to count the time; what is compiled before does not count against the limit."""
        self._begun = time.perf_counter()

    @property
    def elapsed(self) -> float:
        """Wall time since the beginning [s]."""
        return time.perf_counter() - self._begun

    @property
    def is_native(self) -> bool:
        """Whether no Python is called in the loop."""
        return self._search.bound.is_native

    @property
    def merit(self) -> tuple[float, float]:
        """How good it is, less is better: cost of the best path, then distance to the goal."""
        return self._search.best_cost, self._search.closest_excess

    @property
    def cpu_time(self) -> float:
        """Processor time spent in the search [s]."""
        return self._cpu_time

    def solve(self) -> PlanningResult:
        """Advance until it stops; Ctrl-C ends it with what it has.

        Returns:
            The result.
        """
        try:
            while self.stopped_by is None:
                self.advance()
        except KeyboardInterrupt:
            self.stopped_by = StoppedBy.INTERRUPT
        return self.result()

    def advance(self) -> None:
        """Advance by one slice; Ctrl-C waits for its end, a second one does not."""
        with hold_interrupts(self.pause):
            self._advance()

    def _advance(self) -> None:
        self.stopped_by = self._limit_reached()
        if self.stopped_by is not None:
            return
        search, begun, cpu = self._search, time.perf_counter(), time.thread_time()
        before = search.work
        code = search.advance(
            work=self._work,
            iteration_limit=self._iteration_limit,
            memory_limit=self._memory_limit,
        )
        self._cpu_time += time.thread_time() - cpu
        self._adapt(search.work - before, time.perf_counter() - begun)
        if code == FAILED:
            search.bound.raise_error(search.take_trouble())
        search.bound.raise_projection_error()
        if code == OUT_OF_MEMORY:
            self.stopped_by = StoppedBy.MEMORY
        elif code == IMPROVED:
            self._improved()
        if self._callbacks.on_progress is not None:
            self._callbacks.on_progress(self._progress())

    def pause(self) -> None:
        """End the slice that another thread is at; the next one goes on."""
        self._search.pause()

    def result(self) -> PlanningResult:
        """Make the result of what has been found so far.

        Returns:
            The result.
        """
        search = self._search
        best = search.best_chain()
        path = None if best is None else self._path(best)
        closest = None if best is not None else search.closest_chain()
        approximate = None if closest is None else self._path(closest)
        return PlanningResult.of(
            self.stopped_by or StoppedBy.CONDITION,
            path=path,
            cost=search.best_cost,
            approximate_path=approximate,
            remaining_distance=search.closest_excess,
            statistics=self._statistics(),
            make_planner_data=search.planner_data,
        )

    def _limit_reached(self) -> StoppedBy | None:
        search = self._search
        if search.best_cost <= 0.0:
            return StoppedBy.GOAL
        return self._termination.reason(
            elapsed=self.elapsed,
            iterations=search.iterations - self._first_iteration,
            memory=0,
            cost=search.best_cost,
        )

    def _improved(self) -> None:
        if self._time_to_first is None:
            self._time_to_first = self.elapsed
        if self._callbacks.on_better is not None:
            chain = self._search.best_chain()
            assert chain is not None
            self._callbacks.on_better(self._path(chain), self._search.best_cost)
        if self._stops_at_path:
            self.stopped_by = StoppedBy.GOAL

    def _adapt(self, work: int, seconds: float) -> None:
        """Choose the work of the next slice, so that it lasts as long as it should."""
        wanted = self._slice
        if self._termination.time_limit is not None:
            wanted = min(wanted, max(self._termination.time_limit - self.elapsed, 0.0))
        rate = work / max(seconds, 1e-6)
        self._rate = rate if self._rate == 0.0 else min(rate, 0.5 * (rate + self._rate))
        self._work = int(min(max(1.0, self._rate * wanted), 4.0 * self._work))

    def _path(self, chain: tuple[Matrix, Matrix, IntVector]) -> PathControl:
        states, controls, steps = chain
        si = self._search.bound.problem.si
        durations = durations_of(steps, si.propagation_step_size)
        return PathControl.from_arrays(si, states, controls, durations)

    def _progress(self) -> Progress:
        search = self._search
        return Progress(
            elapsed_time=self.elapsed,
            iterations=search.iterations,
            nodes=search.node_count,
            best_cost=search.best_cost,
            remaining_distance=max(0.0, search.closest_excess),
        )

    def _statistics(self) -> PlanningStatistics:
        search = self._search
        return PlanningStatistics(
            iterations=search.iterations,
            nodes=len(search.live_nodes()),
            propagation_steps=search.propagation_steps,
            elapsed_time=self.elapsed,
            cpu_time=self._cpu_time,
            memory=search.memory,
            time_to_first=self._time_to_first,
            extra=search.extra,
        )
