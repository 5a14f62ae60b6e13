"""The hierarchy against exact rational arithmetic."""

import numpy as np
import pytest

from footwork.stack import GenericConstraint, GenericTask, Stack
from footwork.stack.solvers import HARD, Problem, Solution, Status, StrictHierarchy
from tests.stack.solvers.exact import ExactSolution, solve_exactly
from tests.stack.solvers.random_problems import random_problem


def level_error(problem: Problem, solution: Solution, exact: ExactSolution) -> float:
    """Largest difference of a level's residual, relative to max(1, what it should be)."""
    worst = 0.0
    for k, level in enumerate(solution.levels):
        wanted = exact.residual(k)
        got = np.concatenate([level.residual, level.violation])
        scale = max(1.0, float(np.abs(wanted).max(initial=0.0)))
        difference = np.abs(np.abs(got) - np.abs(wanted)).max(initial=0.0)
        worst = max(worst, float(difference) / scale)
    return worst


def hard_violation(problem: Problem, x: np.ndarray) -> float:
    hard = problem.c_soft == HARD
    value = problem.C[hard] @ x
    sides = [
        problem.lower - x,
        x - problem.upper,
        problem.c_lower[hard] - value,
        value - problem.c_upper[hard],
    ]
    return float(np.concatenate(sides).max(initial=0.0))


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("block", range(5))
def test_every_level_is_as_good_as_in_exact_arithmetic(block: int, *, linear: bool) -> None:
    for seed in range(20 * block, 20 * block + 20):
        problem = random_problem(seed, linear=linear)
        exact = solve_exactly(problem)
        solution = StrictHierarchy().solve(problem)
        if exact.x is None:
            assert solution.status is Status.INFEASIBLE, seed
            assert solution.clash, seed
            continue
        assert solution.status is Status.SOLVED, (seed, solution)
        assert level_error(problem, solution, exact) < 1e-9, seed
        assert hard_violation(problem, solution.x) < 1e-9, seed
        np.testing.assert_allclose(solution.x, exact.point, atol=1e-7, err_msg=str(seed))


def test_a_warm_start_gives_the_same_point() -> None:
    solver = StrictHierarchy()
    for seed in range(40):
        problem = random_problem(seed)
        cold = StrictHierarchy().solve(problem)
        if cold.status is not Status.SOLVED:
            continue
        solver.solve(problem)
        warm = solver.solve(problem)
        assert warm.status is Status.SOLVED
        np.testing.assert_allclose(warm.x, cold.x, atol=1e-8)
        assert warm.iterations <= cold.iterations


def test_reset_equals_a_fresh_start_to_the_bit() -> None:
    used = StrictHierarchy()
    first, second = random_problem(8), random_problem(9)
    used.solve(second)
    used.solve(first)
    used.reset()
    again, fresh = used.solve(first), StrictHierarchy().solve(first)
    assert again.x.tobytes() == fresh.x.tobytes()
    assert again.multipliers.tobytes() == fresh.multipliers.tobytes()
    assert again.iterations == fresh.iterations


def test_the_same_sequence_gives_the_same_bits() -> None:
    runs = []
    for _ in range(2):
        solver = StrictHierarchy()
        runs.append(
            [solver.solve(random_problem(seed)).x.tobytes() for seed in (3, 3, 4, 3, 11, 11)]
        )
    assert runs[0] == runs[1]


def test_inputs_are_not_changed() -> None:
    problem = random_problem(5)
    before = problem.copy()
    StrictHierarchy().solve(problem)
    for name in ("lower", "upper", "A", "b", "c", "C", "c_lower", "c_upper"):
        assert getattr(problem, name).tobytes() == getattr(before, name).tobytes()


@pytest.mark.parametrize("as_equations", [False, True])
def test_a_thousand_rows_in_two_unknowns(as_equations: bool) -> None:
    """One direction, seen a thousand times by long rows, leaves the other to what comes below."""
    direction, goal, rest = np.array([0.6, 0.8]), np.array([1.0, 2.0]), np.array([3.0, -1.0])
    rows = np.outer(np.random.default_rng(0).uniform(1e6, 2e6, size=1000), direction)
    low = GenericTask("rest", np.eye(2), rest)
    if as_equations:
        stack = Stack([low]) << GenericConstraint("many", rows, equal=rows @ goal)
    else:
        stack = GenericTask("many", rows, rows @ goal) / low
    expected = rest + direction * (direction @ (goal - rest))
    np.testing.assert_allclose(stack.solve().x, expected, atol=1e-12)
