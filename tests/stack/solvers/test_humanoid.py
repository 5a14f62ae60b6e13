"""Hundreds of consecutive ticks of a humanoid: exact bounds, three strict levels, no failure."""

import os

import numpy as np
import pytest
from benchmarks.stack.solvers.workloads import Tick, inverse_dynamics_ticks, strict_ticks

from footwork.stack.solvers import Level, Problem, Status, StrictHierarchy

PLAIN_PYTHON = os.environ.get("NUMBA_DISABLE_JIT") == "1"
TICKS = 3 if PLAIN_PYTHON else 500


@pytest.fixture(scope="module")
def ticks() -> list[Tick]:
    """A closed loop; `strict_ticks` raises at the first tick that is not solved."""
    return strict_ticks(TICKS)


def test_every_tick_is_solved_within_exact_bounds(ticks: list[Tick]) -> None:
    solver, pressing = StrictHierarchy(), 0
    for tick in ticks:
        problem = tick.levels(3)
        solution = solver.solve(problem)
        assert solution.status is Status.SOLVED
        assert (solution.x >= problem.lower).all()
        assert (solution.x <= problem.upper).all()
        # Feet and centre of mass can be met exactly all along, whatever hand and posture want.
        assert np.abs(solution.levels[0].residual).max() < 1e-9
        pressing = max(pressing, len(solution.active_set))
    assert pressing > 5 or PLAIN_PYTHON


def test_levels_below_cost_the_upper_ones_nothing(ticks: list[Tick]) -> None:
    solvers = {count: StrictHierarchy() for count in (1, 2, 3)}
    for tick in ticks[::10]:
        alone = Problem.from_levels([_top(tick)], size=38, lower=tick.lower, upper=tick.upper)
        wanted = float(np.linalg.norm(solvers[1].solve(alone).levels[0].residual))
        for count in (2, 3):
            got = float(np.linalg.norm(solvers[count].solve(tick.levels(count)).levels[0].residual))
            assert abs(got - wanted) < 1e-9


def _top(tick: Tick) -> Level:
    problem = tick.levels(3)
    rows = problem.rows(0)
    return Level(A=problem.A[rows], b=problem.b[rows])


def test_a_warm_tick_needs_few_iterations_and_agrees_with_a_cold_one(ticks: list[Tick]) -> None:
    solver, warm_total, cold_total = StrictHierarchy(), 0, 0
    for tick in ticks[:150]:
        problem = tick.levels(3)
        warm, cold = solver.solve(problem), StrictHierarchy().solve(problem)
        np.testing.assert_allclose(warm.x, cold.x, atol=1e-6)
        warm_total += warm.iterations
        cold_total += cold.iterations
    assert warm_total < cold_total or PLAIN_PYTHON


def test_inverse_dynamics_is_solved_and_obeys_the_dynamics() -> None:
    solver = StrictHierarchy()
    for problem in inverse_dynamics_ticks(2 if PLAIN_PYTHON else 100):
        solution = solver.solve(problem)
        assert solution.status is Status.SOLVED
        assert solution.violation.max() < 1e-8
        equal = problem.c_lower == problem.c_upper
        assert np.abs(problem.C[equal] @ solution.x - problem.c_lower[equal]).max() < 1e-8
