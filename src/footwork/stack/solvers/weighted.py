"""One weighted problem: all levels summed, with the same constraints."""

import numpy as np

from footwork.errors import InputError
from footwork.stack.fixed import fixed_copy
from footwork.stack.solvers.problem import Problem
from footwork.stack.solvers.solution import Solution
from footwork.stack.solvers.strict import StrictHierarchy


class WeightedQP:
    """Minimise the sum of all levels' costs under all hard constraints.

    Inequality tasks of every level add ½ violation². What the costs leave free is taken with the
    least norm, or weighed by ``regularisation``.
    """

    def __init__(
        self,
        *,
        regularisation: float = 0.0,
        tolerance: float = 1e-10,
        max_iterations: int = 1000,
    ) -> None:
        """Make a solver without a problem.

        Args:
            regularisation: Weight of ½|x|², absolute.
            tolerance: Accepted violation of a constraint, times max(1, |side|).
            max_iterations: Most active-set iterations of a solve.

        Raises:
            InputError: If a number is out of range.
        """
        if not 0.0 <= regularisation < np.inf:
            raise InputError(f"regularisation must be at least 0, got {regularisation}")
        self._core = StrictHierarchy(tolerance=tolerance, max_iterations=max_iterations)
        self._core._options[2] = self._regularisation = regularisation
        self._known: tuple[Problem, Problem] | None = None

    def reset(self) -> None:
        """Forget the active set: the next solve equals that of a new solver to the bit."""
        self._core.reset()

    def solve(self, problem: Problem, *, time_limit: float | None = None) -> Solution:
        """Solve a problem.

        Args:
            problem: See ``StrictHierarchy.solve``.
            time_limit: See ``StrictHierarchy.solve``.

        Returns:
            The solution of the problem with one level, with a status.
        """
        known, summed = self._known or (None, problem)
        if problem is not known or _is_resized(problem, summed):
            summed = as_one_level(problem)
            self._known = problem, summed
        elif summed is not problem:
            problem.c.sum(axis=0, keepdims=True, out=summed.c)
            if not problem.is_fixed:
                np.minimum(problem.c_soft, 0, out=summed.c_soft)
        solution = self._core.solve(summed, time_limit=time_limit)
        solution.regularisation = self._regularisation
        return solution


def _is_resized(problem: Problem, summed: Problem) -> bool:
    return problem.c.shape[1:] != summed.c.shape[1:] or problem.c_soft.shape != summed.c_soft.shape


def as_one_level(problem: Problem) -> Problem:
    """Sum the levels of a problem.

    Args:
        problem: Any number of levels.

    Returns:
        One level with all cost rows, all linear costs and all constraints; it shares the arrays,
        but for the linear cost.
    """
    if problem.level_count == 1:
        return problem
    level_offset = fixed_copy(np.array([0, problem.b.size], dtype=np.int64))
    c_level = fixed_copy(np.zeros_like(problem.c_level))
    c_soft = fixed_copy(np.minimum(problem.c_soft, 0))
    if problem.is_fixed:
        for array in (level_offset, c_level, c_soft):
            array.setflags(write=False)
    return Problem(
        lower=problem.lower,
        upper=problem.upper,
        A=problem.A,
        b=problem.b,
        level_offset=level_offset,
        c=fixed_copy(problem.c.sum(axis=0, keepdims=True)),
        C=problem.C,
        c_lower=problem.c_lower,
        c_upper=problem.c_upper,
        c_level=c_level,
        c_soft=c_soft,
        variable_names=problem.variable_names,
        row_names=problem.row_names,
        is_fixed=problem.is_fixed,
    )
