"""However ill-scaled, redundant or large they are: levels have an answer, within bounds too."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from footwork.stack.solvers import Level, Problem, Status, StrictHierarchy
from footwork.typing import Matrix, Vector
from tests.stack.solvers.exact import solve_exactly
from tests.stack.solvers.random_problems import random_problem, short
from tests.stack.solvers.test_hierarchy import hard_violation, level_error

RECORDED = Path(__file__).parents[2] / "data/stack/ill_scaled_above_redundant.npz"


def recorded() -> Problem:
    with np.load(RECORDED) as data:
        A, b, middle = data["A"], data["b"], int(data["off"][1])
    return Problem.from_levels(
        [Level(A=A[:middle], b=b[:middle]), Level(A=A[middle:], b=b[middle:])], size=A.shape[1]
    )


def reference(problem: Problem, seen: tuple[Matrix, Matrix]) -> Vector:
    """Least norm by singular values; ``seen`` spans what the upper level sees, and the rest."""
    first, second = problem.rows(0), problem.rows(1)
    inside, outside = seen
    x = inside @ np.linalg.lstsq(problem.A[first] @ inside, problem.b[first], rcond=None)[0]
    left = problem.b[second] - problem.A[second] @ x
    return np.asarray(
        x + outside @ np.linalg.lstsq(problem.A[second] @ outside, left, rcond=1e-10)[0]
    )


def ill_scaled(seed: int, ratio: float, size: float) -> tuple[Problem, tuple[Matrix, Matrix]]:
    """Singular values from 1 to ``ratio`` above; below, rows of which some depend on those above.

    Returns:
        The problem, and bases of what the upper level sees and does not see, by construction.
    """
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 20))
    m = int(rng.integers(2, n // 2 + 1))
    turn, _ = np.linalg.qr(rng.standard_normal((m, m)))
    V, _ = np.linalg.qr(rng.standard_normal((n, n)))
    above = (turn * np.logspace(0.0, np.log10(ratio), m)) @ V[:, :m].T
    own, redundant = int(rng.integers(1, n - m + 1)), int(rng.integers(1, m + 1))
    rows = [rng.standard_normal((own, n)), rng.standard_normal((redundant, m)) @ V[:, :m].T]
    below = rng.standard_normal((own + redundant + 2, own + redundant)) @ np.vstack(rows)
    levels = [
        Level(A=above, b=above @ rng.standard_normal(n) * size),
        Level(A=below, b=rng.standard_normal(below.shape[0]) * size),
    ]
    return Problem.from_levels(levels, size=n), (V[:, :m], V[:, m:])


def test_the_tick_that_hit_the_limit_is_solved() -> None:
    problem = recorded()
    solution = StrictHierarchy().solve(problem)
    assert solution.status is Status.SOLVED
    vectors = np.linalg.svd(problem.A[problem.rows(0)])[2].T
    expected = reference(problem, (vectors[:, :6], vectors[:, 6:]))
    np.testing.assert_allclose(solution.x, expected, atol=1e-10)


@pytest.mark.parametrize("size", [1.0, 1e4, 1e8])
@pytest.mark.parametrize(
    ("ratio", "atol"), [(1e-1, 1e-9), (1e-3, 1e-8), (1e-5, 1e-6), (1e-6, 1e-6)]
)
def test_ill_scaled_above_and_redundant_below(ratio: float, atol: float, size: float) -> None:
    for seed in range(40):
        problem, seen = ill_scaled(seed, ratio, size)
        solution = StrictHierarchy().solve(problem)
        assert solution.status is Status.SOLVED, seed
        x = reference(problem, seen)
        assert np.abs(solution.x - x).max() <= atol * max(size, np.abs(x).max()), seed


@pytest.mark.parametrize("ratio", [1e-7, 1e-8, 1e-9, 1e-10, 1e-12])
def test_where_rounding_decides_the_rank_the_top_level_is_still_solved(ratio: float) -> None:
    """Which rows below depend on those above cannot be known; that is no failure of the solve.

    A row of the top level of which less than 1e-9 is new counts as dependent: hence the residual.
    """
    for seed in range(40):
        problem, _ = ill_scaled(seed, ratio, 1.0)
        solution = StrictHierarchy().solve(problem)
        assert solution.status is Status.SOLVED, seed
        rounding = 1e-8 + 1e-14 * np.abs(solution.x).max()
        assert np.linalg.norm(solution.levels[0].residual) <= rounding, seed


def test_short_fractions_agree_with_exact_arithmetic() -> None:
    """Powers of two from 1 to 2⁻¹⁶ above, whole mixtures of those rows below."""
    for seed in range(25):
        rng = np.random.default_rng(seed)
        n, m = 6, 3
        plain = rng.integers(-8, 9, (m, n)) / 4.0
        above = plain * 2.0 ** -np.array([[0], [8], [16]])
        mixed = rng.integers(-2, 3, (3, m)) @ plain
        below = np.vstack([mixed, rng.integers(-8, 9, (2, n)) / 4.0])
        levels = [
            Level(A=above, b=above @ (rng.integers(-8, 9, n) / 4.0)),
            Level(A=below, b=rng.integers(-8, 9, 5) / 4.0),
        ]
        problem = Problem.from_levels(levels, size=n)
        solution, exact = StrictHierarchy().solve(problem), solve_exactly(problem)
        assert solution.status is Status.SOLVED, seed
        np.testing.assert_allclose(solution.x, exact.point, atol=1e-7, err_msg=str(seed))


@pytest.mark.parametrize("bound", [1.5, 100.0])
@pytest.mark.parametrize("ratio", [1e-3, 1e-5, 1e-6, 1e-7])
def test_bounds_mix_what_a_level_sees_faintly_with_what_it_does_not(
    ratio: float, bound: float
) -> None:
    """The rounds alone would shrink the gradient by 1 % each: 14 of 150 ended at their limit."""
    for seed in range(150):
        problem, _ = ill_scaled(seed, ratio, 1.0)
        sides = np.full(problem.variable_count, bound)
        solution = StrictHierarchy().solve(replace(problem, lower=-sides, upper=sides))
        assert solution.status is Status.SOLVED, seed
        assert np.abs(solution.x).max() <= bound


def bounded_fractions(seed: int) -> Problem:
    """Levels whose rows are scaled by powers of two from 1 to 2⁻¹⁴, and depend on upper ones."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 9))
    levels: list[Level] = []
    above = np.zeros((0, n))
    for k in range(int(rng.integers(1, 4))):
        plain = short(rng, (int(rng.integers(1, max(2, n // 2) + 1)), n))
        A = plain * 2.0 ** -rng.integers(0, 15, (plain.shape[0], 1)).astype(np.float64)
        A = np.vstack([A, rng.integers(-2, 3, (min(above.shape[0], 1), above.shape[0])) @ above])
        above = np.vstack([above, plain])
        C = short(rng, (2 if k == 0 else 0, n), 4)
        S = short(rng, (int(rng.integers(0, 3)), n), 4)
        levels.append(
            Level(
                A=A,
                b=short(rng, (A.shape[0],), 12),
                C=C,
                C_lower=np.full(C.shape[0], -2.0),
                C_upper=np.full(C.shape[0], 1.0),
                S=S,
                S_lower=np.full(S.shape[0], -1.0),
                S_upper=np.full(S.shape[0], 0.5),
            )
        )
    bound = float(rng.choice([1.5, 8.0, 64.0]))
    return Problem.from_levels(levels, size=n, lower=np.full(n, -bound), upper=np.full(n, bound))


def test_ill_scaled_levels_within_bounds_agree_with_exact_arithmetic() -> None:
    for seed in range(60):
        problem = bounded_fractions(seed)
        solution, exact = StrictHierarchy().solve(problem), solve_exactly(problem)
        assert solution.status is Status.SOLVED, seed
        assert level_error(problem, solution, exact) < 1e-8, seed
        assert hard_violation(problem, solution.x) < 1e-9, seed


@pytest.mark.parametrize("linear", [False, True])
@pytest.mark.parametrize("size", [1e3, 1e6, 1e8])
def test_a_problem_a_million_times_as_large_has_a_solution_as_large(
    size: float, *, linear: bool
) -> None:
    """Also those that once ended at the limit, as infeasible, or wrong, by rounding of a long x."""
    for seed in (*range(100), 236, 261, 269, 381, 450, 677, 691, 981):
        problem = random_problem(seed, linear=linear)
        names = ("lower", "upper", "b", "c", "c_lower", "c_upper")
        large = replace(problem, **{name: size * getattr(problem, name) for name in names})
        small, solution = StrictHierarchy().solve(problem), StrictHierarchy().solve(large)
        assert solution.status is small.status, seed
        if small.status is Status.SOLVED:
            np.testing.assert_allclose(solution.x / size, small.x, atol=1e-7, err_msg=str(seed))


def test_redundant_equations_far_from_the_origin_are_no_contradiction() -> None:
    for seed in range(50):
        rng = np.random.default_rng(seed)
        A = short(rng, (2, 5))
        far = 1e8 * rng.standard_normal(5)
        same = rng.integers(-3, 4, (2, 2)) @ A / 4.0
        levels = [Level(A=A, b=A @ far), Level(C=same, C_lower=same @ far, C_upper=same @ far)]
        solution = StrictHierarchy().solve(Problem.from_levels(levels, size=5))
        assert solution.status is Status.SOLVED, seed
