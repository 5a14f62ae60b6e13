"""Multipliers: the gradient of every level's Lagrangian vanishes, whoever solved it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

import daqp
import numpy as np
import pytest

from footwork.errors import InputError
from footwork.stack.solvers import (
    DAQP,
    HARD,
    Level,
    NullSpaceSolver,
    Problem,
    SoftConstraints,
    Solution,
    Status,
    StrictHierarchy,
    WeightedQP,
)
from footwork.stack.solvers.solution import HEADER
from footwork.typing import BoolVector, IntVector, Matrix, Vector
from tests.stack.solvers.random_problems import random_problem, short
from tests.stack.solvers.test_other_solvers import convex_problem


class Solver(Protocol):
    def solve(self, problem: Problem) -> Solution: ...


class InTime:
    def solve(self, problem: Problem) -> Solution:
        return StrictHierarchy().solve(problem, time_limit=60.0)


SOLVERS: dict[str, Callable[[], Solver]] = {
    "strict": StrictHierarchy,
    "in time": InTime,
    "weighted": WeightedQP,
    "weighted with a ridge": lambda: WeightedQP(regularisation=0.01),
    "daqp": lambda: DAQP(regularisation=1e-6),
    "soft above all": SoftConstraints,
    "soft at a price": lambda: SoftConstraints(penalty=10.0),
    "soft bounds": lambda: SoftConstraints(penalty=10.0, soften_bounds=True),
}


def equations_of(problem: Problem) -> BoolVector:
    low = np.concatenate([problem.lower, problem.c_lower])
    equal: BoolVector = low == np.concatenate([problem.upper, problem.c_upper])
    return equal


def normals_of(problem: Problem) -> Matrix:
    return np.vstack([np.eye(problem.variable_count), problem.C])


def own_gradient(solution: Solution, level: int) -> Vector:
    problem, x = solution.problem, solution.x
    if level == problem.level_count:
        return x.copy()
    A, b = problem.A[problem.rows(level)], problem.b[problem.rows(level)]
    gradient: Vector = A.T @ (A @ x - b) + problem.c[level] + solution.regularisation * x
    return gradient


def check(solution: Solution) -> None:
    """Stationary at each level, and every multiplier where and as it may be."""
    problem = solution.problem
    active = solution.codes[HEADER:]
    level_of, normals = np.abs(active) - 1, normals_of(problem)
    for k in range(problem.level_count + 1):
        found = solution.stationarity(k)
        gradient = own_gradient(solution, k)
        scale = max(1.0, np.abs(gradient).max(), np.abs(found.constraints).max(initial=0.0))
        left = gradient + problem.A.T @ found.rows + normals.T @ found.constraints
        assert np.abs(left).max() < 1e-8 * scale
        assert found.gap == pytest.approx(np.abs(left).max(), abs=1e-8 * scale)
        assert not found.rows[problem.level_offset[k] :].any()
        assert not found.constraints[(active == 0) | (level_of > k)].any()
        here = (level_of == k) & ~equations_of(problem)
        price = np.sign(active) * found.constraints
        np.testing.assert_allclose(price[here], solution.multipliers[here], rtol=1e-12)
    assert not solution.multipliers[active == 0].any()


def with_rows(problem: Problem, rows: IntVector) -> Problem:
    return replace(
        problem,
        C=problem.C[rows],
        c_lower=problem.c_lower[rows],
        c_upper=problem.c_upper[rows],
        c_level=problem.c_level[rows],
        c_soft=problem.c_soft[rows],
    )


def with_repeated_equations(problem: Problem) -> Problem:
    """Say every hard equation again, times −2."""
    again = np.flatnonzero((problem.c_lower == problem.c_upper) & (problem.c_soft == HARD))
    twice = with_rows(problem, np.append(np.arange(problem.row_count), again))
    for array in (twice.C, twice.c_lower, twice.c_upper):
        array[problem.row_count :] *= -2.0
    return twice


@pytest.mark.parametrize("name", SOLVERS)
def test_every_level_is_stationary(name: str) -> None:
    levels = bounds = equations = redundant = 0
    for seed in range(150):
        problem = random_problem(seed, linear=name in {"strict", "in time"} and seed % 2 == 1)
        if seed % 3 == 0:
            problem = with_repeated_equations(problem)
        solution = SOLVERS[name]().solve(problem)
        if not solution.is_solved:
            continue
        check(solution)
        equal, active = equations_of(problem), solution.codes[HEADER:] != 0
        assert name == "soft above all" or solution.multipliers[~equal].min(initial=0.0) >= 0.0
        levels = max(levels, problem.level_count)
        bounds += int(np.count_nonzero((active & ~equal)[: problem.variable_count]))
        on = normals_of(problem)[active & equal]
        equations += on.shape[0]
        redundant += on.shape[0] - int(np.linalg.matrix_rank(on)) if on.size else 0
    assert levels == 4
    assert bounds > 50
    assert equations > 50
    assert redundant > 5


def test_the_null_space_solver_is_stationary_at_every_level() -> None:
    tasks = equations = 0
    for seed in range(90):
        problem = random_problem(seed)
        free = np.full(problem.variable_count, np.inf)
        problem = replace(problem, lower=-free, upper=free)
        problem = with_rows(problem, np.flatnonzero(problem.c_lower == problem.c_upper))
        solution = NullSpaceSolver().solve(problem)
        assert solution.is_solved
        check(solution)
        strict = StrictHierarchy().solve(problem)
        np.testing.assert_allclose(solution.x, strict.x, atol=1e-7)
        hard = np.concatenate([problem.lower, problem.c_soft]) == HARD
        np.testing.assert_allclose(solution.multipliers[hard], strict.multipliers[hard], atol=1e-6)
        tasks += int(np.count_nonzero(problem.c_soft != HARD))
        equations += int(hard.sum())
    assert tasks > 20
    assert equations > 20


def test_damping_leaves_a_gap_that_is_told() -> None:
    problem = Problem.from_levels([Level(A=[[2.0, 0.0]], b=[1.0])], size=2)
    assert NullSpaceSolver().solve(problem).stationarity(0).gap < 1e-12
    # x = 2 / (4 + 1), and the gradient 2 (2 x − 1) is what is left.
    assert NullSpaceSolver(damping=1.0).solve(problem).stationarity(0).gap == pytest.approx(0.4)


def with_redundant_equations(seed: int) -> Problem:
    """Two levels; four equations of rank three, and bounds of which some are active."""
    rng = np.random.default_rng(seed)
    n = 8
    point = short(rng, (n,))
    E = short(rng, (3, n))
    E = np.vstack([E, E[0] - 2.0 * E[1]])
    levels = [
        Level(
            A=short(rng, (5, n)), b=short(rng, (5,), 20), C=E, C_lower=E @ point, C_upper=E @ point
        ),
        Level(A=np.eye(n), b=short(rng, (n,), 20)),
    ]
    return Problem.from_levels(levels, size=n, lower=point - 0.5, upper=point + 0.5)


def test_of_redundant_equations_the_shortest_multipliers_are_given() -> None:
    for seed in range(20):
        problem = with_redundant_equations(seed)
        solution = StrictHierarchy().solve(problem)
        assert solution.is_solved
        assert any(a.side != 0 and a.index < 8 for a in solution.active_set)
        found = solution.multipliers[8:]
        assert np.abs(found).max() > 1e-3
        # Eᵀ λ stays what it is along (1, −2, 0, −1) alone.
        assert abs(found @ [1.0, -2.0, 0.0, -1.0]) < 1e-9 * np.abs(found).max()


def test_the_lengths_of_redundant_rows_count() -> None:
    normal = np.array([1.0, 2.0])
    E = np.array([100.0, 0.01, 3.0])[:, None] * normal
    level = Level(A=np.eye(2), b=[1.0, 1.0], C=E, C_lower=0.0 * E[:, 0], C_upper=0.0 * E[:, 0])
    solution = StrictHierarchy().solve(Problem.from_levels([level], size=2))
    # x − (1, 1) + normal · load = 0 along the normal: the load is 3/5, shared as the lengths are.
    lengths = E[:, 0]
    forces = lengths * solution.multipliers[2:]
    np.testing.assert_allclose(forces, 0.6 * lengths**2 / (lengths @ lengths), atol=1e-14)


@pytest.mark.parametrize("name", ["strict", "weighted", "daqp"])
def test_the_multiplier_of_an_equation_is_the_fall_of_the_cost_as_its_value_rises(
    name: str,
) -> None:
    solver, problem = SOLVERS[name](), convex_problem(5)
    solution = solver.solve(problem)
    equations = [a for a in solution.active_set if a.side == 0]
    assert len(equations) == 3
    assert min(a.multiplier for a in equations) < 0.0 < max(a.multiplier for a in equations)
    for equation in equations:
        assert equation.level == 0
        costs = []
        for step in (-1e-4, 1e-4):
            moved = problem.copy()
            row = equation.index - problem.variable_count
            moved.c_lower[row] += step
            moved.c_upper[row] += step
            costs.append(SOLVERS[name]().solve(moved).levels[0].cost)
        assert (costs[0] - costs[1]) / 2e-4 == pytest.approx(equation.multiplier, rel=1e-4)


def test_multipliers_are_those_of_daqp_where_they_are_unique() -> None:
    for seed in range(40):
        problem = convex_problem(seed)
        n = problem.variable_count
        sense = np.where(equations_of(problem), 5, 0).astype(np.int32)
        high = np.concatenate([problem.upper, problem.c_upper])
        low = np.concatenate([problem.lower, problem.c_lower])
        _, _, flag, info = daqp.solve(
            problem.A.T @ problem.A, -problem.A.T @ problem.b, problem.C, high, low, sense,
            primal_tol=1e-11, dual_tol=1e-11, eps_prox=0.0,
        )  # fmt: skip
        assert flag == 1
        wanted = np.asarray(info["lam"])
        for name in ("strict", "weighted", "daqp"):
            solution = SOLVERS[name]().solve(problem)
            active = solution.codes[HEADER:]
            on = normals_of(problem)[active != 0]
            assert np.linalg.matrix_rank(on) == on.shape[0]
            assert np.count_nonzero(active[:n])
            np.testing.assert_allclose(
                solution.stationarity(0).constraints, wanted, atol=1e-5 * np.abs(wanted).max()
            )


def test_lower_levels_press_against_what_the_upper_ones_hold() -> None:
    # x0 = 1 by an equation, x0 + x1 = 3 by level 0, x1 ≤ 2 holds there; level 1 wants both at 0.
    problem = Problem.from_levels(
        [
            Level(A=[[1.0, 1.0, 0.0]], b=[4.0], C=[[1.0, 0.0, 0.0]], C_lower=[1.0], C_upper=[1.0]),
            Level(A=np.eye(3), b=[0.0, 0.0, 5.0]),
        ],
        size=3,
        upper=[np.inf, 2.0, np.inf],
    )
    solution = StrictHierarchy().solve(problem)
    np.testing.assert_allclose(solution.x, [1.0, 2.0, 5.0])
    # Level 0 misses by 1: the bound and the equation both would help by 1 a unit.
    np.testing.assert_allclose(solution.multipliers, [0.0, 1.0, 0.0, 1.0], atol=1e-12)
    below = solution.stationarity(1)
    # Its gradient (1, 2, 0) lies on level 0's row, the bound and the equation: shortest of all.
    np.testing.assert_allclose(below.rows, [-1.0, 0.0, 0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(below.constraints, [0.0, -1.0, 0.0, 0.0], atol=1e-12)


def test_an_equation_that_is_a_task_presses_against_whichever_side_it_ends_at() -> None:
    # Taken in at one side, it is pulled to the other by what is taken in later.
    problem = random_problem(33)
    solution = StrictHierarchy().solve(problem)
    task = next(a for a in solution.active_set if a.index == problem.variable_count + 1)
    miss = problem.C[1] @ solution.x - problem.c_upper[1]
    assert problem.c_soft[1] == 0
    assert miss > 0.1
    assert task.multiplier == pytest.approx(solution.levels[0].violation[1])
    assert task.level == 0


def test_null_space_solver_takes_equations_that_are_tasks() -> None:
    level = Level(
        A=[[1.0, 0.0, 0.0]], b=[1.0], C=[[0.0, 1.0, 0.0]], C_lower=[2.0], C_upper=[2.0],
        S=[[0.0, 0.0, 1.0], [0.0, 0.0, 2.0]], S_lower=[3.0, 1.0], S_upper=[3.0, 1.0],
    )  # fmt: skip
    problem = Problem.from_levels([level], size=3)
    solution = NullSpaceSolver().solve(problem)
    np.testing.assert_allclose(solution.x, [1.0, 2.0, 1.0], atol=1e-12)
    np.testing.assert_allclose(solution.x, StrictHierarchy().solve(problem).x, atol=1e-10)
    assert [a.name for a in solution.active_set] == ["C[0]", "C[1]", "C[2]"]
    check(solution)


def test_equations_that_give_way_pay_the_penalty() -> None:
    C = [[1.0, 0.0], [1.0, 0.0]]
    level = Level(A=np.eye(2), b=[0.0, 0.0], C=C, C_lower=[2.0, 1.0], C_upper=[2.0, 1.0])
    problem = Problem.from_levels([level], size=2)
    solution = SoftConstraints(penalty=3.0).solve(problem)
    np.testing.assert_allclose(solution.x, [1.0, 0.0], atol=1e-9)
    np.testing.assert_allclose(solution.violation[2:], [1.0, 0.0], atol=1e-9)
    # The first pulls up with its price 3; the second holds x = 1 against 3 − 1.
    np.testing.assert_allclose(solution.multipliers[2:], [-3.0, 2.0], atol=1e-7)


def test_levels_that_are_not_solved_have_no_multipliers() -> None:
    C = [[1.0, 0.0], [1.0, 0.0]]
    clash = Level(C=C, C_lower=[0.0, 1.0], C_upper=[0.0, 1.0])
    infeasible = StrictHierarchy().solve(Problem.from_levels([clash], size=2))
    assert infeasible.status is Status.INFEASIBLE
    assert not infeasible.multipliers.any()
    with pytest.raises(InputError, match=r"stationarity: level 0 is not among the 0 solved"):
        infeasible.stationarity(0)
    solved = StrictHierarchy().solve(random_problem(3))
    for level in (-1, solved.problem.level_count + 1):
        with pytest.raises(InputError, match="stationarity: level"):
            solved.stationarity(level)
    for wrong in ("0", True, 0.0, None):
        with pytest.raises(InputError, match="level must be a whole number, got"):
            solved.stationarity(wrong)  # type: ignore[arg-type]


def test_sides_that_rounding_has_crossed_are_an_equation() -> None:
    level = Level(A=np.eye(2), b=[0.0, 0.0], C=[[1.0, 0.0]], C_lower=[1.0], C_upper=[1.0 - 1e-13])
    solution = StrictHierarchy().solve(Problem.from_levels([level], size=2))
    assert [(a.name, a.side) for a in solution.active_set] == [("C[0]", 0)]
    assert solution.active_set[0].multiplier == pytest.approx(-1.0)
    assert solution.problem.c_soft[0] == HARD
