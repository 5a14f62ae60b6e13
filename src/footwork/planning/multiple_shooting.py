"""Planning by optimisation: guesses past the obstacles, pulled into the dynamics by shooting.

Where the goal is tight in many dimensions, as for robots that fly, trees of random motions seldom
hit it; least squares over whole trajectories do, if their first guess is not too bad.
"""

import math
import secrets
import time
from collections.abc import Callable
from typing import Final

import numpy as np

from footwork.errors import InputError
from footwork.planning.arguments import whole
from footwork.planning.geometric_guess import GeometricGuess, Way
from footwork.planning.goal_connection import MOST_PIECES, Target, piece_steps
from footwork.planning.path_control import PathControl
from footwork.planning.planner_data import PlannerData
from footwork.planning.planners.run import Progress
from footwork.planning.problem import (
    BoundProblem,
    PlanningResult,
    PlanningStatistics,
    Problem,
    StoppedBy,
    Termination,
)
from footwork.planning.shooting import Guess, Shooting
from footwork.planning.space_information import SpaceInformation
from footwork.typing import Vector

STRETCHES: Final = (0.5, 16.0)
"""Durations that are tried, as multiples of what a way takes at a typical speed."""
FIRST_CUT: Final = 0.85
"""Share of the duration that is tried after a success; closer to 1 after each failure."""


class MultipleShooting:
    """Plans by pulling guesses into the dynamics, quicker and quicker.

    A guess is a way past the obstacles that ignores the dynamics, straight or by a random pose, at
    a random duration; `Shooting` makes it obey. What was found is then done in less time, as long
    as that succeeds. Same questions and answers as a `Planner`; an iteration is one guess. There
    is no tree: memory is that of one path, and `PlanningResult.approximate_path` is never there.
    Seed and iteration limit determine the result.

    It needs real controls, and dynamics that are smooth; obstacles steer it only if the validity
    test is a world with a clearance, otherwise it merely sees which guesses hold. It finds local
    optima, proves nothing, and in a maze where only the dynamics say which way to go it is worse
    than trees.

    Args:
        si: The system.
        seed: Decides every random number; one is chosen, and can be read, when not given.

    Raises:
        InputError: If states or controls are whole numbers.

    Source: bock1984multiple, kuffner2000rrtconnect
    """

    def __init__(self, si: SpaceInformation, *, seed: int | None = None) -> None:
        if not isinstance(si, SpaceInformation):
            raise InputError(f"a planner needs a SpaceInformation, got {si!r}")
        self._si = si
        self._seed = secrets.randbits(32) if seed is None else whole("seed", seed)
        self._shooting = Shooting(si)

    @property
    def space_information(self) -> SpaceInformation:
        """The system."""
        return self._si

    @property
    def seed(self) -> int:
        """What decides the random numbers."""
        return self._seed

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
        progress: Callable[[Progress], object] | bool = False,
    ) -> PlanningResult:
        """Plan anew.

        Args:
            problem: Start, goal and objective; the goal must have states to aim at.
            time_limit: Wall time [s]; 0 returns at once. Compiling does not count.
            iteration_limit: Guesses.
            memory_limit: Bytes of the best path, which is all that is kept.
            cost_limit: Stop when a path costs no more than this.
            condition: Asked before each step; stops when it returns True.
            stop_at_path: Whether the first path ends the call; otherwise better ones are looked
                for until a limit.
            on_better: Called with each better path and its cost.
            progress: Called after each guess, or True for a line in the terminal.

        Returns:
            The result.

        Raises:
            InputError: If there is no limit at all, an argument is ill-formed, or no state of the
                goal is known.
        """
        from footwork.planning.planners.progress import compiling, progress_line

        termination = Termination(
            time_limit=time_limit,
            iteration_limit=iteration_limit,
            memory_limit=memory_limit,
            cost_limit=cost_limit,
            condition=condition,
        )
        termination.refuse_endless()
        with compiling(shown=progress is True):
            bound = self.prepare(problem)
        if bound.failure is not None:
            return PlanningResult.of_failure(bound)
        show = progress_line() if progress is True else (progress or None)
        call = _Call(self._shooting, bound, self._seed, termination, on_better)
        try:
            while call.stopped_by is None:
                call.attempt(stop_at_path=stop_at_path)
                if show is not None:
                    show(call.progress())
        except KeyboardInterrupt:
            call.stopped_by = StoppedBy.INTERRUPT
        return call.result()

    def prepare(self, problem: Problem) -> BoundProblem:
        """Compile all that planning calls, or read it from the disk, as `Planner.prepare` does.

        Args:
            problem: Start, goal and objective.

        Returns:
            The problem, checked: its ``failure`` tells whether it can be planned at all.

        Raises:
            InputError: If it does not fit the system.
        """
        if not isinstance(problem, Problem):
            raise InputError(f"solve needs a Problem(start, goal), got {problem!r}")
        bound = problem.bind(self._si)
        if bound.failure is None:
            self._shooting.prepare(bound.starts[0], bound.objective)
        return bound

    def __repr__(self) -> str:
        return f"MultipleShooting(seed={self._seed})"


class _Call:
    """One call of solve."""

    def __init__(
        self,
        shooting: Shooting,
        bound: BoundProblem,
        seed: int,
        termination: Termination,
        on_better: Callable[[PathControl, float], object] | None,
    ) -> None:
        self._shooting, self._bound, self._si = shooting, bound, bound.si
        self._termination, self._on_better = termination, on_better
        self._rng = np.random.default_rng(seed)
        self._target = Target(bound)
        self._ways = GeometricGuess(bound.si, self._rng)
        self._speed = self._ways.typical_speed()
        self._best: PathControl | None = None
        self._cost = math.inf
        self._attempts = 0
        self._first: float | None = None
        self._begun, self._cpu = time.perf_counter(), time.thread_time()
        self.stopped_by = self._limit_reached()

    def attempt(self, *, stop_at_path: bool) -> None:
        """Make one guess, pull it in, and do what it found in less time."""
        for start in self._bound.starts if self._attempts == 0 else ():
            if self._target.is_met(start):
                there = PathControl(self._si)
                there.append(start)
                self._keep(there)
                self.stopped_by = StoppedBy.GOAL
                return
        guess = self._guess()
        self._attempts += 1
        path = None if guess is None else self._pull(guess)
        if path is not None and guess is not None:
            self._keep(path)
            if stop_at_path:
                self.stopped_by = StoppedBy.GOAL
                return
            self._hurry(path, guess.steps)
        self.stopped_by = self.stopped_by or self._limit_reached()

    def progress(self) -> Progress:
        """Say what has been done."""
        return Progress(
            elapsed_time=self._elapsed,
            iterations=self._attempts,
            nodes=0 if self._best is None else self._best.state_count,
            best_cost=self._cost,
            remaining_distance=math.inf if self._best is None else 0.0,
        )

    def result(self) -> PlanningResult:
        """Make the result."""
        return PlanningResult.of(
            self.stopped_by or StoppedBy.CONDITION,
            path=self._best,
            cost=self._cost,
            statistics=PlanningStatistics(
                iterations=self._attempts,
                nodes=0 if self._best is None else self._best.state_count,
                elapsed_time=self._elapsed,
                cpu_time=time.thread_time() - self._cpu,
                memory=self._memory,
                time_to_first=self._first,
            ),
            make_planner_data=self._planner_data,
        )

    @property
    def _elapsed(self) -> float:
        return time.perf_counter() - self._begun

    def _limit_reached(self) -> StoppedBy | None:
        return self._termination.reason(
            elapsed=self._elapsed,
            iterations=self._attempts,
            memory=self._memory,
            cost=self._cost,
        )

    @property
    def _memory(self) -> int:
        best = self._best
        if best is None:
            return 0
        return best.states.nbytes + best.controls.nbytes + best.control_durations.nbytes

    def _must_stop(self) -> bool:
        """Whether a guess is given up half way; not for the number of guesses."""
        if self.stopped_by is None:
            reason = self._termination.reason(
                elapsed=self._elapsed, iterations=0, memory=0, cost=self._cost
            )
            self.stopped_by = None if reason is StoppedBy.ITERATIONS else reason
        return self.stopped_by is not None

    def _guess(self) -> Guess | None:
        rng, controls = self._rng, self._si.control_space
        starts, goals = self._bound.starts, self._target.states
        start = starts[rng.integers(len(starts))]
        goal = goals[rng.integers(len(goals)) if self._attempts else 0]
        way = self._way(start, goal)
        kinds = piece_steps(self._si)
        steps = kinds[self._attempts % len(kinds)]
        draw, noise = float(rng.random()), rng.normal(size=(MOST_PIECES, controls.dimension))
        if way is None:
            return None
        if self._best is None:
            least, most = STRETCHES
            typical = self._ways.length(way) / self._speed
            duration = typical * least * (most / least) ** draw
        else:
            duration = self._best.length() * (0.5 + 0.5 * draw)
        piece = steps * self._si.propagation_step_size
        count = int(np.clip(round(duration / piece), 2, MOST_PIECES))
        spread = 0.1 * (controls.high - controls.low) * (self._attempts % 2)
        middle = 0.5 * (controls.low + controls.high)
        return Guess(
            states=self._ways.along(way, start, goal, count),
            controls=middle + spread * noise[:count],
            steps=steps,
        )

    def _way(self, start: Vector, goal: Vector) -> Way | None:
        """Straight, in turn with by a random pose."""
        if self._attempts % 2 == 0:
            return self._ways.way(start, goal)
        via = self._ways.pose(start)
        if not self._si.is_state_valid(via):
            return self._ways.way(start, goal)
        there = self._ways.way(start, via)
        back = None if there is None else self._ways.way(via, goal)
        return None if there is None or back is None else there + back[1:]

    def _pull(self, guess: Guess) -> PathControl | None:
        return self._shooting.pull(
            guess,
            fixed_end=self._target.is_fixed,
            arrives=self._target.is_met,
            stop=self._must_stop,
        )

    def _keep(self, path: PathControl) -> bool:
        cost = path.cost(self._bound.objective)
        if cost >= self._cost:
            return False
        self._best, self._cost = path, cost
        if self._first is None:
            self._first = self._elapsed
        if self._on_better is not None:
            self._on_better(path, cost)
        return True

    def _hurry(self, path: PathControl, steps: int) -> None:
        """Do the same in less time, until that fails."""
        share = FIRST_CUT
        while not self._must_stop():
            count = int(share * path.control_count)
            if count < 2 or share > 0.995:
                return
            guess = Guess(states=path.states.copy(), controls=path.controls.copy(), steps=steps)
            found = self._pull(guess.stretched(self._si, count))
            if found is None or not self._keep(found):
                share = math.sqrt(share)
            else:
                path = found

    def _planner_data(self) -> PlannerData:
        path, si = self._best, self._si
        if path is None:
            return PlannerData.from_tree(
                si,
                states=self._bound.starts,
                parents=np.full(len(self._bound.starts), -1),
                controls=np.zeros((len(self._bound.starts), si.control_space.dimension)),
                durations=np.zeros(len(self._bound.starts)),
            )
        return PlannerData.from_tree(
            si,
            states=path.states,
            parents=np.arange(-1, path.control_count),
            controls=np.vstack([path.controls[:1], path.controls]),
            durations=np.concatenate([[0.0], path.control_durations]),
            goals=[path.control_count],
        )
