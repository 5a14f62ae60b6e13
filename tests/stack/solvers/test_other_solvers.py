"""Weighted, soft, null-space and DAQP: each against another way to the same answer."""

import copy
import pickle
import time

import numpy as np
import pytest
import quadprog

from footwork.errors import InputError
from footwork.stack.solvers import (
    DAQP,
    HARD,
    Level,
    NullSpaceSolver,
    Problem,
    SoftConstraints,
    Status,
    StrictHierarchy,
    WeightedQP,
)
from tests.stack.solvers.random_problems import random_problem


def convex_problem(seed: int, n: int = 12) -> Problem:
    """One level that sees everything, with bounds, rows and equations around a point."""
    rng = np.random.default_rng(seed)
    point = rng.normal(size=n)
    C = rng.normal(size=(10, n))
    value = C @ point
    low, high = value - rng.uniform(0, 1, 10), value + rng.uniform(0, 1, 10)
    low[:3] = high[:3] = value[:3]
    level = Level(
        A=rng.normal(size=(n + 4, n)),
        b=4.0 * rng.normal(size=n + 4),
        C=C,
        C_lower=low,
        C_upper=high,
    )
    return Problem.from_levels([level], size=n, lower=point - 0.5, upper=point + 0.5)


def by_quadprog(problem: Problem) -> np.ndarray:
    n, equal = problem.variable_count, problem.c_lower == problem.c_upper
    eye = np.eye(n)
    normals = [problem.C[equal], problem.C[~equal], -problem.C[~equal], eye, -eye]
    sides = [problem.c_lower[equal], problem.c_lower[~equal], -problem.c_upper[~equal]]
    sides += [problem.lower, -problem.upper]
    H, f = problem.A.T @ problem.A, problem.A.T @ problem.b
    x = quadprog.solve_qp(H, f, np.vstack(normals).T, np.concatenate(sides), int(equal.sum()))[0]
    return np.asarray(x)


def test_weighted_and_strict_agree_with_quadprog() -> None:
    for seed in range(40):
        problem = convex_problem(seed)
        wanted = by_quadprog(problem)
        for solver in (WeightedQP(), StrictHierarchy()):
            solution = solver.solve(problem)
            assert solution.status is Status.SOLVED
            np.testing.assert_allclose(solution.x, wanted, atol=1e-8)


def test_weighted_agrees_with_daqp_on_summed_levels() -> None:
    compared = 0
    for seed in range(60):
        problem = random_problem(seed)
        mine = WeightedQP(regularisation=1e-6).solve(problem)
        other = DAQP(regularisation=1e-6).solve(problem)
        if other.status is not Status.SOLVED:
            continue
        assert mine.status is Status.SOLVED
        # DAQP stops at its own tolerance, hence the loose comparison of costs.
        mine_cost, other_cost = mine.levels[0].cost, other.levels[0].cost
        assert abs(mine_cost - other_cost) < 1e-5 * max(1.0, abs(other_cost))
        compared += 1
    assert compared > 30


def test_a_warm_start_over_a_slow_change_gives_what_a_cold_start_gives() -> None:
    rng = np.random.default_rng(7)
    problem = convex_problem(3)
    warm = WeightedQP()
    total = 0
    for _ in range(100):
        problem.b[:] += 0.05 * rng.normal(size=problem.b.size)
        problem.lower[:] += 0.002 * rng.normal(size=problem.lower.size)
        solution = warm.solve(problem)
        np.testing.assert_allclose(solution.x, by_quadprog(problem), atol=1e-8)
        total += solution.iterations
    assert total < 100 * WeightedQP().solve(problem).iterations


def test_multipliers_are_the_price_of_a_constraint() -> None:
    problem = convex_problem(5)
    solution = StrictHierarchy().solve(problem)
    sides = [a for a in solution.active_set if a.side != 0]
    assert sides
    for active in sides:
        assert active.multiplier > 0.0
        moved = problem.copy()
        arrays = {-1: (moved.lower, moved.c_lower), 1: (moved.upper, moved.c_upper)}[active.side]
        side = arrays[0] if active.index < 12 else arrays[1]
        side[active.index if active.index < 12 else active.index - 12] += 1e-6 * active.side
        relieved = StrictHierarchy().solve(moved)
        fall = (solution.levels[0].cost - relieved.levels[0].cost) / 1e-6
        assert fall == pytest.approx(active.multiplier, rel=1e-3)


def test_regularisation_is_absolute() -> None:
    problem = Problem.from_levels([Level(A=[[1.0, 0.0]], b=[1.0])], size=2)
    x = WeightedQP(regularisation=0.25).solve(problem).x
    np.testing.assert_allclose(x, [0.8, 0.0], atol=1e-12)


def test_null_space_solver_agrees_with_the_hierarchy_without_bounds() -> None:
    for seed in range(60):
        problem = random_problem(seed)
        keep = (problem.c_soft == HARD) & (problem.c_lower == problem.c_upper)
        free = np.full(problem.variable_count, np.inf)
        equations = Problem(
            lower=-free, upper=free, A=problem.A, b=problem.b, level_offset=problem.level_offset,
            c=problem.c, C=problem.C[keep], c_lower=problem.c_lower[keep],
            c_upper=problem.c_upper[keep], c_level=problem.c_level[keep],
            c_soft=problem.c_soft[keep],
        )  # fmt: skip
        mine, other = StrictHierarchy().solve(equations), NullSpaceSolver().solve(equations)
        assert mine.status is other.status, seed
        if mine.status is Status.SOLVED:
            np.testing.assert_allclose(mine.x, other.x, atol=1e-7, err_msg=str(seed))


def test_null_space_solver_refuses_what_it_cannot_obey() -> None:
    problem = Problem.from_levels([Level()], size=2, upper=[1, np.inf], variable_names=["a", "b"])
    with pytest.raises(InputError, match="a is an inequality"):
        NullSpaceSolver().solve(problem)
    assert NullSpaceSolver(ignore_inequalities=True).solve(problem).is_solved
    linear = Problem.from_levels([Level(c=[1, 0])], size=2, level_names=["arm"])
    with pytest.raises(InputError, match="linear cost of arm"):
        NullSpaceSolver().solve(linear)


def test_damping_bounds_the_motion_near_a_singularity() -> None:
    problem = Problem.from_levels([Level(A=[[1e-6, 0.0]], b=[1.0])], size=2)
    assert np.abs(NullSpaceSolver().solve(problem).x).max() > 1e5
    assert np.abs(NullSpaceSolver(damping=0.05).solve(problem).x).max() < 10.0


def test_soft_constraints_hold_where_they_can() -> None:
    for seed in range(20):
        problem = convex_problem(seed)
        for penalty in (np.inf, 1e4):
            soft = SoftConstraints(penalty=penalty).solve(problem)
            assert soft.is_solved
            np.testing.assert_allclose(soft.x, by_quadprog(problem), atol=1e-6)
            assert soft.violation.max() < 1e-9


@pytest.mark.parametrize("penalty", [np.inf, 100.0])
def test_soft_constraints_give_way_by_the_least_sum(penalty: float) -> None:
    """x ≥ 1, x ≥ 1, x ≤ −1: one row gives way by 2, not two rows by 1 each."""
    level = Level(
        A=[[1.0]], b=[0.0], C=[[1]] * 3, C_lower=[1, 1, -np.inf], C_upper=[np.inf, np.inf, -1]
    )
    problem = Problem.from_levels([level], size=1)
    assert StrictHierarchy().solve(problem).status is Status.INFEASIBLE
    solution = SoftConstraints(penalty=penalty).solve(problem)
    np.testing.assert_allclose(solution.x, [1.0], atol=1e-9)
    np.testing.assert_allclose(solution.violation, [0, 0, 0, 2], atol=1e-9)


def test_a_low_price_is_paid() -> None:
    level = Level(A=[[1.0]], b=[0.0], C=[[1]], C_lower=[1], C_upper=[np.inf])
    problem = Problem.from_levels([level], size=1)
    np.testing.assert_allclose(SoftConstraints(penalty=0.25).solve(problem).x, [0.25], atol=1e-9)


def test_soft_bounds() -> None:
    problem = Problem.from_levels(
        [Level(C=[[1.0, 0]], C_lower=[3], C_upper=[3])], size=2, lower=[0, 0], upper=[1, 1]
    )
    assert not SoftConstraints().solve(problem).violation[0] > 0
    solution = SoftConstraints(soften_bounds=True).solve(problem)
    assert solution.is_solved
    assert solution.violation.sum() == pytest.approx(2.0, abs=1e-9)


def test_time_limit_returns_a_feasible_point_and_says_how_far_it_came() -> None:
    n = 40
    rng = np.random.default_rng(0)
    C = rng.normal(size=(60, n))
    levels = [
        Level(A=rng.normal(size=(10, n)), b=30 * rng.normal(size=10), C=C, C_lower=-np.ones(60),
              C_upper=np.ones(60)),
        Level(A=rng.normal(size=(20, n)), b=30 * rng.normal(size=20)),
        Level(A=np.eye(n), b=np.full(n, 9.0)),
    ]  # fmt: skip
    problem = Problem.from_levels(levels, size=n, lower=np.full(n, 0.001), upper=np.full(n, 0.5))
    solver = StrictHierarchy()
    late = solver.solve(problem, time_limit=0.0)
    assert late.status is Status.DEADLINE
    assert late.solved_levels < 3
    assert late.violation.max() < 1e-9
    full = solver.solve(problem, time_limit=60.0)
    plain = StrictHierarchy().solve(problem)
    assert full.status is plain.status is Status.SOLVED
    np.testing.assert_allclose(full.x, plain.x, atol=1e-7)
    assert {a.index: a.level for a in full.active_set} == {
        a.index: a.level for a in plain.active_set
    }


def test_time_limit_passes_on_infeasibility() -> None:
    level = Level(C=[[1], [1]], C_lower=[1, -np.inf], C_upper=[np.inf, 0])
    problem = Problem.from_levels([level], size=1)
    start = time.perf_counter()
    solution = StrictHierarchy().solve(problem, time_limit=5.0)
    assert solution.status is Status.INFEASIBLE
    assert set(solution.clash) == {"C[0]", "C[1]"}
    assert time.perf_counter() >= start


def test_solvers_copy_and_pickle_with_their_warm_start() -> None:
    problem = random_problem(8)
    solver = StrictHierarchy()
    solver.solve(problem)
    for twin in (copy.deepcopy(solver), pickle.loads(pickle.dumps(solver))):
        assert twin.solve(problem).x.tobytes() == StrictHierarchy().solve(problem).x.tobytes() or (
            twin.solve(problem).iterations <= StrictHierarchy().solve(problem).iterations
        )
    first = copy.deepcopy(solver).solve(problem)
    assert first.x.tobytes() == solver.solve(problem).x.tobytes()
