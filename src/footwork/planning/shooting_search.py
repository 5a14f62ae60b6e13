"""Guess after guess, each pulled into the dynamics and then made quicker."""

import math
from typing import Final

import numpy as np

from footwork.planning._kernels.tree import IMPROVED, WORKED
from footwork.planning.geometric_guess import GeometricGuess, Way
from footwork.planning.goal_connection import MOST_PIECES, Target, piece_steps
from footwork.planning.path_control import PathControl
from footwork.planning.planner_data import PlannerData
from footwork.planning.planners.any_search import Chain
from footwork.planning.planners.binding import BoundSystem
from footwork.planning.planners.search import OUT_OF_MEMORY
from footwork.planning.shooting import Guess, Shooting, Steps
from footwork.typing import IntVector, Vector

STRETCHES: Final = (0.5, 16.0)
"""Durations that are tried, as multiples of what a way takes at a typical speed."""
MARGINS: Final = (0.0, 0.04, 0.02)
"""Margins of ways, in turn, where least squares see no obstacles and cut corners."""
TRIES: Final = (400, 1600, 6400)
"""Poses drawn before a way is given up, more after each failure."""
FIRST_CUT: Final = 0.85
"""Share of the duration that is tried after a success; closer to 1 after each failure."""
LAST_CUT: Final = 0.995
SEEDS: Final = 2**64


class ShootingSearch:
    """What `MultipleShooting` has found on one problem; advanced in slices.

    Args:
        bound: The problem.
        seed: Decides every random number.

    Attributes:
        bound: The problem.
        iterations: Steps of the least squares, and motions of ways.
        best_cost: Cost of the best path; infinity without one.
        closest_excess: How far the closest state is outside of the goal.

    Raises:
        InputError: If no valid state of the goal is known.
    """

    def __init__(self, bound: BoundSystem, seed: int) -> None:
        problem = bound.problem
        self.bound, self._si = bound, problem.si
        self._rng = np.random.default_rng(seed % SEEDS)
        self._shooting, self._target = Shooting(problem.si), Target(problem)
        self._ways = GeometricGuess(problem.si, self._rng)
        self._speed: float | None = None
        self._best: PathControl | None = None
        self._closest: PathControl | None = None
        self.best_cost = self.closest_excess = math.inf
        self.iterations = self._guesses = self._failures = 0
        self._work_limit = 0
        self._steps: Steps[None] | None = None
        for start in problem.starts:
            if self._target.is_met(start):
                self._keep(self._standing(start))

    # What it has done

    @property
    def propagation_steps(self) -> int:
        """Propagation steps taken."""
        return self._shooting.propagation_steps

    @property
    def work(self) -> int:
        """Propagation steps, tests and iterations together."""
        return self.propagation_steps + self._ways.tests + self.iterations

    @property
    def node_count(self) -> int:
        """States of the best path, or of the closest."""
        path = self._best or self._closest
        return len(self.bound.problem.starts) if path is None else path.state_count

    @property
    def memory(self) -> int:
        """Bytes of the paths, and of one step's equations."""
        arrays = [
            array
            for path in (self._best, self._closest)
            if path is not None
            for array in (path.states, path.controls, path.control_durations)
        ]
        return sum(a.nbytes for a in arrays) + self._shooting.working_bytes(MOST_PIECES)

    @property
    def extra(self) -> dict[str, float]:
        """How many guesses were made."""
        return {"guesses": float(self._guesses)}

    # Advancing

    def prepare(self) -> None:
        """Compile all that shooting and its guesses call, or read it from the disk."""
        self._ways.prepare(self.bound.problem.starts[0])
        self._shooting.prepare(self.bound.problem.starts[0], self.bound.problem.objective)

    def advance(self, *, work: int, iteration_limit: int, memory_limit: float) -> int:
        """Go on.

        Args:
            work: Propagation steps, tests and iterations to spend, about.
            iteration_limit: Iterations, counted from the very first.
            memory_limit: Bytes.

        Returns:
            ``WORKED``, ``IMPROVED`` or ``OUT_OF_MEMORY``.
        """
        if self.memory > memory_limit:
            return OUT_OF_MEMORY
        self._work_limit = self.work + work
        before = self.best_cost
        while self.iterations < iteration_limit and self.work < self._work_limit:
            if self._steps is None:
                self._steps = self._search()
            try:
                self.iterations += next(self._steps)
            except BaseException:  # the next call makes another guess
                self._steps = None
                raise
            if self.best_cost < before:
                return IMPROVED
        return WORKED

    def pause(self) -> None:
        """End what another thread advances, after the step under way."""
        self._work_limit = 0

    def take_trouble(self) -> int:
        """Nothing is left behind: what a callback raises is raised at once."""
        return 0

    # Reading it

    def best_chain(self) -> Chain | None:
        """Give the best path, None without one."""
        return None if self._best is None else self._chain(self._best)

    def closest_chain(self) -> Chain | None:
        """Give the path that ends closest to the goal, None without one."""
        return None if self._closest is None else self._chain(self._closest)

    def live_nodes(self) -> IntVector:
        """Numbers of the states in `planner_data`."""
        return np.arange(self.node_count)

    def planner_data(self) -> PlannerData:
        """Give the best path, or the closest, as planner data."""
        si, path = self._si, self._best or self._closest
        path = self._standing(self.bound.problem.starts[0]) if path is None else path
        return PlannerData.from_tree(
            si,
            states=path.states,
            parents=np.arange(-1, path.control_count),
            controls=np.vstack([np.zeros((1, si.control_space.dimension)), path.controls]),
            durations=np.concatenate([[0.0], path.control_durations]),
            goals=[] if self._best is None else [path.control_count],
        )

    def _chain(self, path: PathControl) -> Chain:
        steps = np.rint(path.control_durations / self._si.propagation_step_size)
        return path.states.copy(), path.controls.copy(), steps.astype(np.int64)

    # Guess after guess

    def _search(self) -> Steps[None]:
        if self._speed is None:
            self._speed = yield from self._ways.typical_speed()
        while True:
            guess = yield from self._guess(self._speed)
            self._guesses += 1
            if guess is None:
                yield True
                continue
            path = yield from self._pull(guess)
            if self._target.is_met(path.states[-1]):
                self._keep(path)
                yield False
                yield from self._hurry(path, guess.steps)

    def _guess(self, speed: float) -> Steps[Guess | None]:
        rng, controls = self._rng, self._si.control_space
        starts, goals = self.bound.problem.starts, self._target.states
        start = starts[rng.integers(len(starts))]
        goal = goals[rng.integers(len(goals)) if self._guesses else 0]
        if self._closest is None:
            self._note(self._standing(start))
        way = yield from self._way(start, goal)
        kinds = piece_steps(self._si)
        steps = kinds[self._guesses % len(kinds)]
        draw, noise = float(rng.random()), rng.normal(size=(MOST_PIECES, controls.dimension))
        if way is None:
            return None
        if self._best is None:
            least, most = STRETCHES
            duration = self._ways.length(way) / speed * least * (most / least) ** draw
        else:
            duration = self._best.length() * (0.5 + 0.5 * draw)
        piece = steps * self._si.propagation_step_size
        count = int(np.clip(round(duration / piece), 2, MOST_PIECES))
        spread = 0.1 * (controls.high - controls.low) * (self._guesses % 2)
        middle = 0.5 * (controls.low + controls.high)
        return Guess(
            states=self._ways.along(way, start, goal, count),
            controls=middle + spread * noise[:count],
            steps=steps,
        )

    def _way(self, start: Vector, goal: Vector) -> Steps[Way | None]:
        # Straight, in turn with by a random pose; through the obstacles if no way past was found
        turn = 0 if self._shooting.sees_obstacles else self._guesses // 2 % len(MARGINS)
        via = self._ways.pose(start) if self._guesses % 2 else None
        if via is None or not self._si.is_state_valid(via):
            way = yield from self._past(start, goal, MARGINS[turn])
            return [start, goal] if way is None and turn == 0 else way
        there = yield from self._past(start, via, MARGINS[turn])
        back = None if there is None else (yield from self._past(via, goal, MARGINS[turn]))
        return None if there is None or back is None else there + back[1:]

    def _past(self, start: Vector, goal: Vector, margin: float) -> Steps[Way | None]:
        # Each start has its turn with few tries before any has more
        failures = self._failures // len(self.bound.problem.starts)
        tries = TRIES[min(failures, len(TRIES) - 1)]
        way = yield from self._ways.way(start, goal, tries=tries, margin=margin)
        self._failures += way is None
        return way

    def _pull(self, guess: Guess) -> Steps[PathControl]:
        path = yield from self._shooting.pull(
            guess, fixed_end=self._target.is_fixed, arrives=self._target.is_met
        )
        self._note(path)
        return path

    def _hurry(self, path: PathControl, steps: int) -> Steps[None]:
        # Do the same in less time, until that fails
        share = FIRST_CUT
        while share <= LAST_CUT and (count := int(share * path.control_count)) >= 2:
            guess = Guess(states=path.states.copy(), controls=path.controls.copy(), steps=steps)
            found = yield from self._pull(guess.stretched(self._si, count))
            if self._target.is_met(found.states[-1]) and self._keep(found):
                yield False
                path = found
            else:
                share = math.sqrt(share)

    def _keep(self, path: PathControl) -> bool:
        """Keep a path into the goal if it is the best so far."""
        cost = path.cost(self.bound.problem.objective)
        is_better = cost < self.best_cost
        if is_better:
            self._best, self.best_cost, self.closest_excess = path, cost, 0.0
        return is_better

    def _note(self, path: PathControl) -> None:
        """Note a path if it ends closer to the goal than any before."""
        excess = self._target.excess(path.states[-1])
        if excess < self.closest_excess:
            self._closest, self.closest_excess = path, excess

    def _standing(self, start: Vector) -> PathControl:
        path = PathControl(self._si)
        path.append(start)
        return path
