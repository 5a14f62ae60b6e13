"""Equations only: pseudo-inverses in successive null spaces."""

import numpy as np

from footwork.errors import InputError
from footwork.stack.solvers.problem import HARD, Problem
from footwork.stack.solvers.solution import HEADER, Solution, Status
from footwork.typing import BoolVector, IntVector, Matrix, Vector

RANK_RATIO = 1e-9
"""Singular values below this part of the largest of the level's rows are zero."""


class NullSpaceSolver:
    """Solve levels without inequalities by pseudo-inverses.

    x ← x + N (A N)⁺ (b − A x),   N ← N null(A N)

    Rank-deficient and tall levels are fine: only the directions that a level sees are taken from
    the lower ones. With damping, (A N)⁺ is V diag(σ / (σ² + damping²)) Uᵀ: near singularities the
    motion stays small instead of exact.

    Source: siciliano1991general; damping: nakamura1986inverse
    """

    def __init__(self, *, damping: float = 0.0, ignore_inequalities: bool = False) -> None:
        """Make a solver without a problem.

        Args:
            damping: In units of A.
            ignore_inequalities: Solve as if there were none, instead of refusing.

        Raises:
            InputError: If the damping is negative.
        """
        if not 0.0 <= damping < np.inf:
            raise InputError(f"damping must be at least 0, got {damping}")
        self._damping = damping
        self._ignore = ignore_inequalities

    def reset(self) -> None:
        """Do nothing: there is no warm start."""

    def solve(self, problem: Problem) -> Solution:
        """Solve a problem.

        Args:
            problem: Its shapes are trusted.

        Returns:
            The solution; INFEASIBLE when equations contradict each other.

        Raises:
            InputError: If there is an inequality or a linear cost; it names the first.
        """
        self._refuse(problem)
        n = problem.variable_count
        x, N = np.zeros(n), np.eye(n)
        status, solved = Status.SOLVED, problem.level_count
        equal = problem.c_lower == problem.c_upper
        for k in range(problem.level_count):
            starts = equal & (problem.c_soft == HARD) & (problem.c_level == k)
            E, e = problem.C[starts], problem.c_lower[starts]
            x_new, N = _take(E, e, x, N, 0.0)
            if E.shape[0] and np.abs(E @ x_new - e).max() > 1e-8 * max(1.0, np.abs(e).max()):
                status, solved = Status.INFEASIBLE, k
                break
            rows, soft = problem.rows(k), equal & (problem.c_soft == k)
            A = np.vstack([problem.A[rows], problem.C[soft]])
            b = np.concatenate([problem.b[rows], problem.c_lower[soft]])
            x, N = _take(A, b, x_new, N, self._damping)
        codes = np.zeros(HEADER + n + problem.row_count, dtype=np.int64)
        codes[0], codes[1], codes[4] = status, min(solved, problem.level_count - 1), solved
        pressing = np.zeros(n + problem.row_count)
        if status is Status.SOLVED:
            codes[HEADER + n :], pressing[n:] = _active(problem, equal, x)
        numbers = np.concatenate([x, problem.A @ x - problem.b, pressing])
        return Solution(problem, numbers, codes)

    def _refuse(self, problem: Problem) -> None:
        if problem.c.any():
            level = problem.level_name(int(np.flatnonzero(problem.c.any(axis=1))[0]))
            raise InputError(f"linear cost of {level}: a null-space solver cannot minimise it")
        low = np.concatenate([problem.lower, problem.c_lower])
        high = np.concatenate([problem.upper, problem.c_upper])
        unequal = (np.isfinite(low) | np.isfinite(high)) & (low != high)
        bounded = unequal | (np.arange(low.size) < problem.variable_count) & np.isfinite(low)
        if bounded.any() and not self._ignore:
            name = problem.name_of(int(np.flatnonzero(bounded)[0]))
            raise InputError(
                f"{name} is an inequality or a bound: a null-space solver cannot obey it; "
                "use StrictHierarchy, or ignore_inequalities=True"
            )


def _active(problem: Problem, equal: BoolVector, x: Vector) -> tuple[IntVector, Vector]:
    """Tell the level that each equation is active at, and the multipliers of those of tasks."""
    task = equal & (problem.c_soft != HARD)
    # A violation of nothing is known as well, and not to be found, as 0 would say.
    known = np.where(task, problem.C @ x - problem.c_lower, 0.0)
    pressing = np.where(task, np.maximum(np.abs(known), np.finfo(np.float64).tiny), 0.0)
    level = np.where(task, problem.c_soft, problem.c_level)
    return np.where(equal, np.where(known < 0.0, -1, 1) * (level + 1), 0), pressing


def _take(A: Matrix, b: Vector, x: Vector, N: Matrix, damping: float) -> tuple[Vector, Matrix]:
    """Solve one level in the span of N; return the point and what is left of N."""
    if A.shape[0] == 0 or N.shape[1] == 0:
        return x, N
    U, s, Vt = np.linalg.svd(A @ N, full_matrices=True)
    rank = int(np.count_nonzero(s > RANK_RATIO * np.linalg.norm(A, 2)))
    s, V = s[:rank], Vt[:rank].T
    factors = s / (s * s + damping * damping)
    return x + N @ (V @ (factors * (U[:, :rank].T @ (b - A @ x)))), N @ Vt[rank:].T
