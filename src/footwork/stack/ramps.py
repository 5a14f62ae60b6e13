"""Solving while tasks are on their way in or out, so that the solution never jumps.

A task with activation α asks for b_α = α b + (1 − α) A x̄, with x̄ the solution without it: at α = 0
it asks for what happens anyway, at any level, and at α = 1 for what it wants. Several ramping tasks
are added one after the other, the furthest along first, so that one that ends its ramp leaves the
others where they were. Rows that must hold, or whose violation is minimised, are as far from their
limits as x̄ is at α = 0; a linear cost is α c.

Source: lee2012intermediate (the intermediate desired value), here for every kind of level
"""

import copy
import time
from typing import TYPE_CHECKING, cast

import numpy as np

from footwork.stack.layout import ConstraintRows, CostRows
from footwork.stack.plan import Plan
from footwork.stack.settings import Settings

if TYPE_CHECKING:
    from footwork.stack.solvers import Problem, StrictHierarchy
    from footwork.stack.solvers.solution import Solution
    from footwork.stack.stack import Solver


class Ramp:
    """Solves the problems of one plan while tasks are ramping in or out.

    Attributes:
        plan: With its problem assembled; its rows are changed at every solve.
        solver: Solves the last of the problems, so that its warm start stays right.
    """

    def __init__(self, plan: Plan, solver: "Solver") -> None:
        self.plan = plan
        self.solver = solver
        self._helper = copy.deepcopy(solver)
        self._helper.reset()

    def solve(self, time_limit: float | None = None) -> "Solution":
        """Solve a tick.

        Args:
            time_limit: Seconds for all of its problems, of a solver that keeps them.

        Returns:
            The solution with all tasks at their activations.
        """
        plan, problem = self.plan, self.plan.problem
        deadline = None if time_limit is None else time.perf_counter() + time_limit
        order = sorted(plan.layout.ramping, key=lambda settings: -settings.activation)
        arrays = (problem.A, problem.b, problem.c_lower, problem.c_upper)
        wanted = tuple(array.copy() for array in arrays)
        for settings in order:
            _mute(plan, settings)
        _write_costs(plan, without=order)
        solution = _solve(self._helper, problem, deadline)
        for i, settings in enumerate(order):
            if not solution.is_solved:
                return solution
            _blend(plan, settings, wanted, solution.x, order[i + 1 :])
            _write_costs(plan, without=order[i + 1 :])
            solver = self.solver if i == len(order) - 1 else self._helper
            solution = _solve(solver, problem, deadline)
        return solution


def _solve(solver: "Solver", problem: "Problem", deadline: float | None) -> "Solution":
    if deadline is None:
        return solver.solve(problem)
    left = max(0.0, deadline - time.perf_counter())
    return cast("StrictHierarchy", solver).solve(problem, time_limit=left)


Wanted = tuple[np.ndarray, ...]


def _mute(plan: Plan, settings: Settings) -> None:
    problem = plan.problem
    for rows in _costs_of(plan, settings):
        span = slice(rows.first, rows.first + len(rows.positions))
        problem.A[span] = 0.0
        problem.b[span] = 0.0
    for con in _constraints_of(plan, settings):
        span = slice(con.first, con.first + con.segment.size)
        problem.c_lower[span], problem.c_upper[span] = -np.inf, np.inf


def _write_costs(plan: Plan, *, without: list[Settings]) -> None:
    """Write the linear costs as they are without some tasks."""
    for settings in without:
        settings.is_mute = True
    try:
        plan.patch_costs()
    finally:
        for settings in without:
            settings.is_mute = False


def _blend(
    plan: Plan, settings: Settings, wanted: Wanted, x: np.ndarray, later: list[Settings]
) -> None:
    """Add a task's rows at its activation; rows that wait for a later ramp stay mute."""
    problem, alpha = plan.problem, settings.activation
    A, b, low, high = wanted
    for rows in _costs_of(plan, settings):
        if any(s in rows.segment.settings for s in later):
            continue
        span = slice(rows.first, rows.first + len(rows.positions))
        problem.A[span] = A[span]
        problem.b[span] = alpha * b[span] + (1.0 - alpha) * (A[span] @ x)
    for con in _constraints_of(plan, settings):
        if any(s in con.settings for s in later):
            continue
        span = slice(con.first, con.first + con.segment.size)
        value = problem.C[span] @ x
        problem.c_lower[span] = low[span] - (1.0 - alpha) * np.maximum(low[span] - value, 0.0)
        problem.c_upper[span] = high[span] + (1.0 - alpha) * np.maximum(value - high[span], 0.0)


def _costs_of(plan: Plan, settings: Settings) -> list[CostRows]:
    return [rows for rows in plan.layout.costs if settings in rows.segment.settings]


def _constraints_of(plan: Plan, settings: Settings) -> list[ConstraintRows]:
    return [rows for rows in plan.layout.constraints if settings in rows.settings]
