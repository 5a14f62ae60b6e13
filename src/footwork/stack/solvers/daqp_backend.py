"""DAQP as a second, independent solver of the weighted problem."""

import numpy as np

from footwork.errors import BackendError, InputError
from footwork.stack.solvers.problem import Problem
from footwork.stack.solvers.solution import HEADER, Solution, Status
from footwork.stack.solvers.weighted import as_one_level

_STATUS = {
    1: Status.SOLVED,
    2: Status.SOLVED,
    -1: Status.INFEASIBLE,
    -3: Status.UNBOUNDED,
    -4: Status.ITERATION_LIMIT,
    -2: Status.ITERATION_LIMIT,
    -5: Status.NOT_CONVEX,
}
_EQUATION = 5
_LEAST = 1e-9
"""A multiplier below this is rounding."""


class DAQP:
    """Minimise the sum of all levels' costs with DAQP (https://github.com/darnstrom/daqp).

    A dual active-set solver in C by other hands: the cross-check of `WeightedQP`, and a second
    choice where ours fails. Cold at every call.
    """

    def __init__(self, *, regularisation: float = 1e-9, tolerance: float = 1e-9) -> None:
        """Make a solver without a problem.

        Args:
            regularisation: Weight of ½|x|², absolute; DAQP wants a positive definite Hessian.
            tolerance: Accepted violation of a constraint.

        Raises:
            InputError: If a number is not positive.
        """
        if not (0.0 < regularisation < np.inf and 0.0 < tolerance < np.inf):
            raise InputError(
                "regularisation and tolerance must be positive and finite, got "
                f"{regularisation} and {tolerance}"
            )
        self._regularisation = regularisation
        self._tolerance = tolerance

    def reset(self) -> None:
        """Do nothing: there is no warm start."""

    def solve(self, problem: Problem) -> Solution:
        """Solve a problem.

        Args:
            problem: Its shapes are trusted.

        Returns:
            The solution of the problem with one level, with a status.

        Raises:
            BackendError: If DAQP itself fails.
        """
        import daqp

        summed = as_one_level(problem)
        n, total = summed.variable_count, summed.variable_count + summed.row_count
        soft = np.flatnonzero(summed.c_soft >= 0)
        slacks = soft.size
        H = np.eye(n + slacks)
        H[:n, :n] = summed.A.T @ summed.A + self._regularisation * np.eye(n)
        f = np.zeros(n + slacks)
        f[:n] = summed.c[0] - summed.A.T @ summed.b
        rows = np.zeros((summed.row_count, n + slacks))
        rows[:, :n] = summed.C
        rows[soft, n + np.arange(slacks)] = 1.0
        free = np.full(slacks, np.inf)
        low = np.concatenate([summed.lower, -free, summed.c_lower])
        high = np.concatenate([summed.upper, free, summed.c_upper])
        sense = np.where(low == high, _EQUATION, 0).astype(np.int32)
        try:
            x, _, flag, info = daqp.solve(
                H, f, rows, high, low, sense, primal_tol=self._tolerance, eps_prox=0.0
            )
        except Exception as error:
            raise BackendError(f"DAQP failed: {error}") from error
        codes = np.zeros(HEADER + total, dtype=np.int64)
        status = _STATUS[int(flag)]
        codes[0], codes[3], codes[4] = status, int(info["iterations"]), status is Status.SOLVED
        lam = np.concatenate([info["lam"][:n], info["lam"][n + slacks :]])
        codes[HEADER:] = np.sign(np.where(np.abs(lam) > _LEAST, lam, 0.0))
        equations = np.concatenate([sense[:n], sense[n + slacks :]]) == _EQUATION
        equations[n + soft] = False
        # Redundant ones share a load as DAQP happens to share it: the solution finds the shortest.
        codes[HEADER:][equations], lam[equations] = 1, 0.0
        numbers = np.concatenate([x[:n], summed.A @ x[:n] - summed.b, np.abs(lam)])
        return Solution(summed, numbers, codes, self._regularisation)
