"""Runs of several planners that take turns on some threads, until one or all have ended."""

import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final

from footwork.planning.path_control import PathControl
from footwork.planning.planners import Planner
from footwork.planning.planners.run import Run
from footwork.planning.problem import PlanningResult, StoppedBy

FIRST_JOIN: Final = 0.04
"""Processor time of each thread before one more member joins [s]."""
JOIN_GROWTH: Final = 1.5
"""How much later each further member joins."""
IDLE: Final = 0.0005
"""How long a thread without a run waits before it looks for one again [s]."""


class Race:
    """One call of a portfolio's solve.

    Args:
        stop_at_path: Whether the first path ends it.
        on_better: Whom to tell of better paths.

    Attributes:
        runs: The members with their runs.
        cost: Cost of the best path so far.
    """

    def __init__(
        self,
        *,
        stop_at_path: bool,
        on_better: Callable[[PathControl, float], object] | None,
    ) -> None:
        self.runs: list[tuple[Planner, Run]] = []
        self.cost = float("inf")
        self._stop_at_path, self._on_better = stop_at_path, on_better
        self._stop, self._lock = threading.Event(), threading.Lock()
        self._waiting: deque[Run] = deque()
        self._reserve: deque[Run] = deque()
        self._workers, self._join_at = 1, FIRST_JOIN
        self._unfinished = 0
        self._error: BaseException | None = None
        self._interrupted = False

    @property
    def cpu_time(self) -> float:
        """Processor time of all members [s]."""
        return sum(run.cpu_time for _, run in self.runs)

    def go(self, workers: int) -> None:
        """Let the runs take turns on some threads until one or all have ended.

        Args:
            workers: How many threads.
        """
        self._reserve.extend(run for _, run in self.runs)
        self._unfinished = len(self.runs)
        self._workers = min(workers, len(self.runs))
        threads = [
            threading.Thread(target=self._work, daemon=True) for _ in range(self._workers - 1)
        ]
        for thread in threads:
            thread.start()
        try:
            self._work()
        except KeyboardInterrupt:
            self._interrupted = True
        finally:
            self._halt()
            for thread in threads:
                thread.join()
        if isinstance(self._error, KeyboardInterrupt):
            self._interrupted = True
        elif self._error is not None:
            raise self._error

    def better(self, path: PathControl, cost: float) -> None:
        """Note a member's path; tell of it if it is better than all before.

        Args:
            path: The path.
            cost: Its cost.
        """
        with self._lock:
            if cost >= self.cost:
                return
            self.cost = cost
            if self._on_better is not None:
                self._on_better(path, cost)

    def best(self) -> tuple[Planner, PlanningResult]:
        """Give the best result, and who found it."""
        if self._interrupted:
            for _, run in self.runs:
                run.stopped_by = run.stopped_by or StoppedBy.INTERRUPT
        member, run = min(self.runs, key=lambda pair: pair[1].merit)
        return member, run.result()

    def _work(self) -> None:
        while not self._stop.is_set():
            run = self._next_in_turn()
            if run is None:
                if self._unfinished == 0:
                    return
                time.sleep(IDLE)
                continue
            try:
                run.advance()
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                self._error = error
                self._halt()
                return
            if run.stopped_by is None:
                self._waiting.append(run)
                continue
            with self._lock:
                self._unfinished -= 1
            ends_all = run.stopped_by in {StoppedBy.COST, StoppedBy.CONDITION}
            if ends_all or (self._stop_at_path and run.stopped_by is StoppedBy.GOAL):
                self._halt()

    def _next_in_turn(self) -> Run | None:
        """Give who waits longest; who has not begun joins when it is time, or nobody waits."""
        with self._lock:
            is_time = self.cpu_time >= self._workers * self._join_at
            if self._reserve and (is_time or not self._waiting):
                self._waiting.append(self._reserve.popleft())
                self._join_at *= JOIN_GROWTH if is_time else 1.0
            return self._waiting.popleft() if self._waiting else None

    def _halt(self) -> None:
        """End the race, and the slices under way."""
        self._stop.set()
        for _, run in self.runs:
            run.pause()
