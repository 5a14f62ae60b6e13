"""Strict priorities and weighted sums, on the kernels of ``stack._kernels.hierarchy``."""

import numpy as np

from footwork.errors import InputError
from footwork.stack._kernels.hierarchy import solve_hierarchy
from footwork.stack._kernels.workspace import allocate
from footwork.stack.solvers.problem import Problem
from footwork.stack.solvers.solution import HEADER, Solution
from footwork.typing import IntVector, Vector


class StrictHierarchy:
    """Solve each level exactly within what the upper ones leave.

    Keeps the active set of each level for the next solve; a problem of another shape is a fresh
    start. Infeasible problems are a status, never an exception, and nothing is solved at
    construction.
    """

    def __init__(self, *, tolerance: float = 1e-10, max_iterations: int = 1000) -> None:
        """Make a solver without a problem.

        Args:
            tolerance: Accepted violation of a constraint, times max(1, |side|).
            max_iterations: Most active-set iterations of a solve, all levels together.

        Raises:
            InputError: If a number is not positive.
        """
        if not tolerance > 0.0 or max_iterations < 1:
            raise InputError(
                f"tolerance and max_iterations must be positive, got {tolerance}, {max_iterations}"
            )
        self._options = np.array([tolerance, float(max_iterations), 0.0])
        self._shape = (-1, -1, -1, -1, -1)
        self._floats: Vector = np.zeros(0)
        self._ints: IntVector = np.zeros(0, dtype=np.int64)

    def reset(self) -> None:
        """Forget the active sets: the next solve equals that of a new solver to the bit."""
        self._ints[:] = 0

    def solve(self, problem: Problem) -> Solution:
        """Solve a problem.

        Args:
            problem: Its shapes are trusted; ``problem.check()`` checks them.

        Returns:
            The solution, with a status.
        """
        n, rows, total = problem.lower.size, problem.b.size, problem.c_lower.size
        slacks = int(np.count_nonzero(problem.c_soft >= 0)) if total else 0
        shape = (n, rows, total, slacks, problem.level_count)
        if shape != self._shape:
            self._floats, self._ints = allocate(*shape)
            self._shape = shape
        numbers = np.empty(2 * n + rows + total)
        codes = np.empty(HEADER + n + total, dtype=np.int64)
        solve_hierarchy(
            problem.lower,
            problem.upper,
            problem.A,
            problem.b,
            problem.level_offset,
            problem.c,
            problem.C,
            problem.c_lower,
            problem.c_upper,
            problem.c_level,
            problem.c_soft,
            self._options,
            slacks,
            self._floats,
            self._ints,
            numbers,
            codes,
        )
        return Solution(problem, numbers, codes)
