"""Soft constraints: give way where there is no way out, with an exact (L1) penalty."""

import numpy as np

from footwork.errors import InputError
from footwork.stack.solvers.problem import HARD, Problem
from footwork.stack.solvers.solution import HEADER, Solution
from footwork.stack.solvers.strict import StrictHierarchy
from footwork.typing import IntVector, Matrix, Vector

_NEVER = np.iinfo(np.int64).max


class SoftConstraints:
    """Solve with every hard row allowed to give way at a price per unit.

    minimise the first level + penalty · Σ s   with   c_lower − s ≤ C x ≤ c_upper + s,   s ≥ 0

    The price is paid at the level from which the row is hard. With the L1 penalty, rows that can be
    met are met exactly once the price exceeds their multiplier, and few rows give way; with
    ``penalty=inf`` the sum of violations is a level of its own above all others, so that nothing is
    ever traded against it. Equations give way as well; bounds of x stay hard unless asked for.

    The multiplier of a row that gives way is the penalty. With ``penalty=inf`` the rows that the
    sum of violations holds count as equations at level 0: `Solution.stationarity` finds theirs, of
    either sign.
    """

    def __init__(
        self,
        *,
        penalty: float = np.inf,
        soften_bounds: bool = False,
        solver: StrictHierarchy | None = None,
    ) -> None:
        """Make a solver without a problem.

        Args:
            penalty: Price of a unit of violation, in units of the cost; inf: above all levels.
            soften_bounds: Whether bounds of x give way too.
            solver: Solves the softened problem; a strict hierarchy if not given.

        Raises:
            InputError: If the penalty is not positive.
        """
        if not penalty > 0.0:
            raise InputError(f"penalty must be positive, got {penalty}")
        self._penalty = penalty
        self._soften_bounds = soften_bounds
        self._solver = StrictHierarchy() if solver is None else solver

    def reset(self) -> None:
        """Forget the active set: the next solve equals that of a new solver to the bit."""
        self._solver.reset()

    def solve(self, problem: Problem) -> Solution:
        """Solve a problem.

        Args:
            problem: Its shapes are trusted.

        Returns:
            The solution; ``violation`` tells which constraints gave way, and by how much.
        """
        soft = self._giving_way(problem)
        inner = self._solver.solve(self._soften(problem, soft))
        return _shorten(problem, soft, inner, is_above=np.isinf(self._penalty))

    def _giving_way(self, problem: Problem) -> IntVector:
        n = problem.variable_count
        rows = np.flatnonzero(problem.c_soft == HARD) + n
        if not self._soften_bounds:
            return rows
        bounded = np.isfinite(problem.lower) | np.isfinite(problem.upper)
        return np.concatenate([np.flatnonzero(bounded), rows])

    def _soften(self, problem: Problem, soft: IntVector) -> Problem:
        n, count = problem.variable_count, soft.size
        normals = np.vstack([np.eye(n), problem.C])[soft]
        low = np.concatenate([problem.lower, problem.c_lower])[soft]
        high = np.concatenate([problem.upper, problem.c_upper])[soft]
        starts = np.concatenate([np.zeros(n, dtype=np.int64), problem.c_level])[soft]
        tasks = problem.c_soft >= 0
        free = np.full(n, np.inf)
        eye, wide = np.eye(count), np.zeros((problem.b.size, count))
        c = np.hstack([problem.c, np.zeros((problem.level_count, count))])
        offset, shift = problem.level_offset, 0
        if np.isinf(self._penalty):
            offset, shift = np.concatenate([[0], offset]), 1
            c = np.vstack([np.concatenate([np.zeros(n), np.ones(count)]), c])
            starts = np.zeros_like(starts)
        else:
            c[starts, n + np.arange(count)] = self._penalty
        task_rows = np.hstack([problem.C[tasks], np.zeros((int(tasks.sum()), count))])
        unbounded = np.full(count, np.inf)
        return Problem(
            lower=np.concatenate(
                [-free if self._soften_bounds else problem.lower, np.zeros(count)]
            ),
            upper=np.concatenate([free if self._soften_bounds else problem.upper, unbounded]),
            A=np.hstack([problem.A, wide]),
            b=problem.b,
            level_offset=offset,
            c=c,
            C=np.vstack([np.hstack([normals, eye]), np.hstack([normals, -eye]), task_rows]),
            c_lower=np.concatenate([low, -unbounded, problem.c_lower[tasks]]),
            c_upper=np.concatenate([unbounded, high, problem.c_upper[tasks]]),
            c_level=np.concatenate([starts, starts, problem.c_level[tasks] + shift]),
            c_soft=np.concatenate([np.full(2 * count, HARD), problem.c_soft[tasks] + shift]),
        )


def _shorten(problem: Problem, soft: IntVector, inner: Solution, *, is_above: bool) -> Solution:
    """Read the solution of the softened problem as one of the problem itself."""
    n, m = problem.variable_count, problem.variable_count + soft.size
    codes = inner.codes[HEADER:]
    pressing, active = np.zeros(n + problem.row_count), np.zeros(n + problem.row_count, np.int64)
    tasks = n + np.flatnonzero(problem.c_soft >= 0)
    for own, its in ((np.arange(n), slice(n)), (tasks, slice(m + 2 * soft.size, None))):
        pressing[own], active[own] = inner.pressing[its], codes[its]
    sides = slice(m, m + 2 * soft.size)
    pressing[soft], active[soft] = _join_sides(
        inner.pressing[sides].reshape(2, -1), codes[sides].reshape(2, -1)
    )
    header = inner.codes[:HEADER].copy()
    if is_above:
        pressing[np.abs(active) == 1] = 0.0
        active = np.sign(active) * np.maximum(np.abs(active) - 1, np.minimum(np.abs(active), 1))
        header[[1, 4]] = np.maximum(header[[1, 4]] - 1, 0)
    x = inner.x[:n]
    numbers = np.concatenate([x, problem.A @ x - problem.b, pressing])
    return Solution(problem, numbers, np.concatenate([header, active]), inner.regularisation)


def _join_sides(pressing: Matrix, codes: IntVector) -> tuple[Vector, IntVector]:
    """Read lower and upper sides, of which those of an equation may press both, as one row's."""
    level = np.where(codes != 0, np.abs(codes), _NEVER)
    first = level.min(axis=0)
    load = (np.sign(codes) * pressing * (level == first)).sum(axis=0)
    return np.abs(load), np.where(load < 0.0, -1, 1) * np.where(first < _NEVER, first, 0)
