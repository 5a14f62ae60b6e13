"""Several planners and seeds on all cores: the first path, or the best by a deadline."""

import os
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from typing import Final

from footwork.errors import InputError
from footwork.planning.arguments import all_of, optional_function, whole
from footwork.planning.multiple_shooting import MultipleShooting
from footwork.planning.path_control import PathControl
from footwork.planning.planners import EST, KPIECE1, RRT, SST, Planner, SyclopEST
from footwork.planning.problem import (
    BoundProblem,
    PlanningResult,
    Problem,
    Termination,
    bind_problem,
)
from footwork.planning.race import Race
from footwork.planning.shooting_unknowns import is_real
from footwork.planning.space_information import SpaceInformation

SLICE: Final = 0.004
"""How long a member runs before the next one has its turn [s]."""

LEAST_FOR_SHOOTING: Final = 6
"""Dimension from which on trees may be weaker than shooting, so that it joins as the second."""

MOST_WORKERS: Final = 1024
"""Most threads that may be asked for."""


class Portfolio:
    """Runs several planners side by side and answers with the best that any of them found.

    Which planner suits a problem is not known beforehand, and the time each one takes has a long
    tail; a portfolio is seldom much slower than its best member and has no long tail. It begins
    with as many members as there are cores, the first of the list, and one more joins now and then,
    so that easy problems are not shared among many; members take turns. Their kernels leave
    Python's lock alone. With plain Python callbacks there is one thread.

    Members keep their trees, so solving again goes on. With an iteration limit as the only limit
    and ``stop_at_path=False`` seed and limit determine the result; else the clock has a say.

    Args:
        si: The system.
        members: Planners on the same system, in the order in which they join; when not given EST,
            MultipleShooting where states have six numbers or more, all of them real, KPIECE1, SST,
            again EST, SyclopEST, again SST and RRT with different seeds. Those that need a state
            of the goal sit out where none is known, unless there are no others.
        seed: Seeds the default members: s, s + 1, ….
        workers: Number of threads; as many as cores when not given.

    Raises:
        InputError: If there is no member, one is there twice, or one is on another system.
    """

    def __init__(
        self,
        si: SpaceInformation,
        members: Sequence[Planner] | None = None,
        *,
        seed: int = 0,
        workers: int | None = None,
    ) -> None:
        self._si = si
        chosen_members = default_members(si, whole("seed", seed)) if members is None else members
        self._members: tuple[Planner, ...] = all_of(Planner, "members", chosen_members)
        if not self._members:
            raise InputError("a portfolio needs at least one planner")
        for i, member in enumerate(self._members):
            if any(member is other for other in self._members[:i]):
                raise InputError(f"members[{i}], {member!r}, is there already; each has one tree")
            if member.space_information is not si:
                raise InputError(f"{member!r} is on another SpaceInformation than the portfolio")
        chosen = None if workers is None else whole("workers", workers, 1, MOST_WORKERS)
        self._workers = chosen or len(os.sched_getaffinity(0))
        self._winner: Planner | None = None

    @property
    def members(self) -> tuple[Planner, ...]:
        """The planners."""
        return self._members

    @property
    def winner(self) -> Planner | None:
        """Who found the path of the last call, None if nobody did."""
        return self._winner

    def solve(
        self,
        problem: Problem,
        *,
        time_limit: float | None = None,
        iteration_limit: int | None = None,
        memory_limit: int | None = None,
        cost_limit: float | None = None,
        condition: Callable[[], bool] | None = None,
        stop_at_path: bool = True,
        on_better: Callable[[PathControl, float], object] | None = None,
    ) -> PlanningResult:
        """Plan with all members.

        Args:
            problem: Start, goal and objective.
            time_limit: Wall time [s]; compiling does not count.
            iteration_limit: Iterations of each member.
            memory_limit: Bytes of all members together.
            cost_limit: Stop when a path costs no more than this.
            condition: Asked often, from any thread; stops when it returns True.
            stop_at_path: Whether the first path ends the call; else the best by the limit counts.
            on_better: Called with each path that is better than all before, and its cost.

        Returns:
            The best member's result, with the whole call's times.

        Raises:
            InputError: If there is no limit at all, an argument is ill-formed, or a member is at
                work already.
        """
        termination = Termination(
            time_limit=time_limit,
            iteration_limit=iteration_limit,
            memory_limit=memory_limit,
            cost_limit=cost_limit,
            condition=condition,
        ).raise_if_endless()
        optional_function("on_better", on_better)
        race = Race(stop_at_path=stop_at_path, on_better=on_better)
        bound = bind_problem(problem, self._si)
        if bound.failure is not None:
            return PlanningResult.of_failure(bound)
        members = self._suited(bound)
        if memory_limit is not None:
            termination = replace(termination, memory_limit=memory_limit / len(members))
        with ExitStack() as at_work:
            for member in members:
                at_work.enter_context(member.at_work())
                run = member.begin(
                    problem,
                    termination,
                    stop_at_path=stop_at_path,
                    on_better=race.better,
                    slice_seconds=SLICE,
                    bound=bound,
                )
                race.runs.append((member, run))
            begun = time.perf_counter()
            for _, run in race.runs:
                run.start_clock()
            native = all(run.is_native for _, run in race.runs)
            race.go(self._workers if native else 1)
            winner, result = race.best()
        self._winner = winner if result else None
        elapsed = time.perf_counter() - begun
        statistics = replace(
            result.statistics,
            elapsed_time=elapsed,
            cpu_time=race.cpu_time,
            extra={**result.statistics.extra, "members": float(len(members))},
        )
        return replace(result, statistics=statistics)

    def _suited(self, bound: BoundProblem) -> tuple[Planner, ...]:
        """The members that can plan towards the goal, or all if there are none."""
        anywhere = tuple(member for member in self._members if not member.needs_goal_state)
        if not anywhere or len(anywhere) == len(self._members):
            return self._members
        from footwork.planning.goal_connection import goal_states

        return self._members if len(goal_states(bound)) else anywhere


def default_members(si: SpaceInformation, seed: int) -> list[Planner]:
    """Make planners that fail on different problems.

    Args:
        si: The system.
        seed: Of the first; the others follow.

    Returns:
        The planners.
    """
    trees = [
        EST(si, seed=seed),
        KPIECE1(si, seed=seed + 1),
        SST(si, seed=seed + 2),
        EST(si, seed=seed + 3),
        SyclopEST(si, seed=seed + 4),
        SST(si, seed=seed + 5),
        RRT(si, seed=seed + 6),
    ]
    first, *others = trees
    if si.state_space.dimension < LEAST_FOR_SHOOTING or not is_real(si):
        return trees
    return [first, MultipleShooting(si, seed=seed + len(trees)), *others]
