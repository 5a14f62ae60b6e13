"""What all planners share: a seed, solve, and a tree that is kept between calls."""

import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Final

from footwork.errors import InputError
from footwork.planning.arguments import number, optional_function, whole
from footwork.planning.path_control import PathControl
from footwork.planning.planners.projection import Projection
from footwork.planning.planners.run import SLICE, Callbacks, Progress, Run
from footwork.planning.problem import (
    BoundProblem,
    PlanningResult,
    Problem,
    Termination,
    bind_problem,
)
from footwork.planning.space_information import SpaceInformation

if TYPE_CHECKING:
    from footwork.planning.planners.any_search import AnySearch
    from footwork.planning.planners.binding import BoundSystem


MOST_COUNT: Final = 10**6
"""Largest number of things that a parameter of a planner may ask for."""


class Planner(ABC):
    """Grows a tree of motions from the start until one ends in the goal.

    A planner keeps its tree: solving the same problem again goes on where it stopped, and the
    answer is never worse. Seed and iteration limit determine the result, however often it paused.

    Args:
        si: The system.
        seed: Decides every random number; one is chosen, and can be read, when not given.
    """

    stops_at_path = True
    """Whether solve stops at the first path into the goal unless told otherwise."""

    needs_goal_state = False
    """Whether it can only plan towards a goal of which a state is known."""

    def __init__(self, si: SpaceInformation, *, seed: int | None) -> None:
        if not isinstance(si, SpaceInformation):
            raise InputError(f"a planner needs a SpaceInformation, got {si!r}")
        self._si = si
        self._seed = secrets.randbits(32) if seed is None else whole("seed", seed)
        self._problem: Problem | None = None
        self._search: AnySearch | None = None
        self._is_at_work = False

    @property
    def space_information(self) -> SpaceInformation:
        """The system."""
        return self._si

    @property
    def seed(self) -> int:
        """What decides the random numbers."""
        return self._seed

    @property
    def projection(self) -> Projection | None:
        """Where the cells are; None for planners without."""
        return None

    def solve(
        self,
        problem: Problem,
        *,
        time_limit: float | None = None,
        iteration_limit: int | None = None,
        memory_limit: int | None = None,
        cost_limit: float | None = None,
        condition: Callable[[], bool] | None = None,
        stop_at_path: bool | None = None,
        on_better: Callable[[PathControl, float], object] | None = None,
        progress: Callable[[Progress], object] | bool = False,
    ) -> PlanningResult:
        """Plan, or go on planning if the problem is the one of the last call.

        Args:
            problem: Start, goal and objective.
            time_limit: Wall time [s]; 0 returns at once. Compiling does not count.
            iteration_limit: Iterations of this call.
            memory_limit: Bytes that the planner's arrays may take.
            cost_limit: Stop when a path costs no more than this.
            condition: Asked about fifty times a second; stops when it returns True.
            stop_at_path: Whether a path into the goal, or a better one, ends the call; otherwise
                better ones are looked for until a limit. The planner's own habit when not given.
            on_better: Called with each better path and its cost.
            progress: Called now and then, or True for a line in the terminal.

        Returns:
            The result; a path that does not reach the goal is never called exact.

        Raises:
            InputError: If there is no limit at all, an argument is ill-formed, or the planner is
                at work already, in another thread or by a callback of its own.
        """
        from footwork.planning.planners.progress import compiling, progress_line

        termination = Termination(
            time_limit=time_limit,
            iteration_limit=iteration_limit,
            memory_limit=memory_limit,
            cost_limit=cost_limit,
            condition=condition,
        ).raise_if_endless()
        with self.at_work():
            with compiling(shown=progress is True):
                bound = self.prepare(problem)
            if bound.failure is not None:
                return PlanningResult.of_failure(bound)
            line = progress_line() if progress is True else nullcontext(progress or None)
            with line as on_progress:
                run = self.begin(
                    problem,
                    termination,
                    stop_at_path=stop_at_path,
                    on_better=on_better,
                    on_progress=on_progress,
                    bound=bound,
                )
                return run.solve()

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Keep everybody else from solving while the block runs: there is one tree.

        Raises:
            InputError: If the planner is at work already.
        """
        if self._is_at_work:
            raise InputError(
                f"{self!r} is at work already, in another thread or in the call whose callback "
                "this is; give each thread a planner of its own"
            )
        self._is_at_work = True  # nothing can come between this and the question above
        try:
            yield
        finally:
            self._is_at_work = False

    def prepare(self, problem: Problem) -> BoundProblem:
        """Compile all that planning calls, or read it from the disk.

        `solve` does so itself before its clock starts; this is for those who measure the time.

        Args:
            problem: Start, goal and objective.

        Returns:
            The problem, checked: its ``failure`` tells whether it can be planned at all.

        Raises:
            InputError: If it does not fit the system.
        """
        bound = bind_problem(problem, self._si)
        if bound.failure is None:
            self._search_for(problem, bound)
        return bound

    def begin(
        self,
        problem: Problem,
        termination: Termination,
        *,
        stop_at_path: bool | None = None,
        on_better: Callable[[PathControl, float], object] | None = None,
        on_progress: Callable[[Progress], object] | None = None,
        slice_seconds: float = SLICE,
        bound: BoundProblem,
    ) -> Run:
        """Prepare a call of solve that the caller advances slice by slice.

        Args:
            problem: Start, goal and objective.
            termination: When to stop.
            stop_at_path: As in `solve`.
            on_better: As in `solve`.
            on_progress: Called after each slice.
            slice_seconds: How long a slice should last [s].
            bound: The problem, checked, without a failure.

        Returns:
            The run.
        """
        optional_function("on_better", on_better)
        optional_function("progress", on_progress)
        search = self._search_for(problem, bound)
        stops = type(self).stops_at_path if stop_at_path is None else stop_at_path
        return Run(
            search,
            termination,
            stops_at_path=stops,
            callbacks=Callbacks(on_better=on_better, on_progress=on_progress),
            slice_seconds=slice_seconds,
        )

    def clear(self) -> None:
        """Forget the tree; the next call of solve begins anew."""
        self._problem, self._search = None, None

    def _search_for(self, problem: Problem, bound: BoundProblem) -> "AnySearch":
        from footwork.planning.planners.binding import bind_system

        rollout = self._si.compiled()
        search = self._search
        if search is None or problem is not self._problem or search.bound.rollout is not rollout:
            search = self._make_search(bind_system(bound, self.projection), self._seed)
            search.prepare()
            self._problem, self._search = problem, search
        return search

    @abstractmethod
    def _make_search(self, bound: "BoundSystem", seed: int) -> "AnySearch":
        """Make the planner's empty tree, or what it has instead of one."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(seed={self._seed})"


def fraction(name: str, value: float) -> float:
    """Check a probability or a share.

    Args:
        name: What it is.
        value: A number from 0 to 1.

    Returns:
        The number.

    Raises:
        InputError: If it is not between 0 and 1.
    """
    if not 0.0 <= number(name, value) <= 1.0:
        raise InputError(f"{name} must lie between 0 and 1, got {value!r}")
    return float(value)


def positive(name: str, value: float) -> float:
    """Check a length or a factor.

    Args:
        name: What it is.
        value: A number above 0.

    Returns:
        The number.

    Raises:
        InputError: If it is not positive and finite.
    """
    if not 0.0 < number(name, value) < float("inf"):
        raise InputError(f"{name} must be positive and finite, got {value!r}")
    return float(value)


def count(name: str, value: int, least: int) -> int:
    """Check a number of things.

    Args:
        name: What is counted.
        value: A whole number.
        least: Smallest that makes sense.

    Returns:
        The number.

    Raises:
        InputError: If it is no whole number, or too small.
    """
    return whole(name, value, least, MOST_COUNT)
