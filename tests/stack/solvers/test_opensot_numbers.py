"""Numbers that OpenSoT's own tests hold, without its robots (facts of TestQPOases, TestLP, …)."""

import numpy as np
import pytest

from footwork.stack.solvers import DAQP, Level, Problem, Solution, StrictHierarchy, WeightedQP
from footwork.typing import Vector

BOX = {"size": 3, "lower": [-10.0] * 3, "upper": [10.0] * 3}


def strict(*levels: Level, **options: object) -> Solution:
    solution = StrictHierarchy().solve(Problem.from_levels(levels, **options))  # type: ignore[arg-type]
    solution.raise_if_failed()
    return solution


@pytest.mark.parametrize(
    ("rows", "targets", "wanted"),
    [
        ([[1, 1, 1]], [10], [10 / 3] * 3),
        ([[1, 1, 1], [1, 0, 1]], [10, 20], [10, -10, 10]),
        ([[1, 1, 1], [0, 1, 1]], [6, 5], [1, 2.5, 2.5]),
        ([[1, 1, 1], [0, 1, 1], [1, 1, 0]], [6, 5, 3], [1, 2, 3]),
    ],
)
def test_qp_rows_one_after_the_other(
    rows: list[list[float]], targets: list[float], wanted: list[float]
) -> None:
    """Each row a level below: consistent rows, so strict and stacked agree."""
    below = strict(*(Level(A=[r], b=[t]) for r, t in zip(rows, targets, strict=True)), **BOX)
    stacked = WeightedQP().solve(Problem.from_levels([Level(A=rows, b=targets)], **BOX))  # type: ignore[arg-type]
    np.testing.assert_allclose(below.x, wanted, atol=1e-9)
    np.testing.assert_allclose(stacked.x, wanted, atol=1e-9)


def test_qp_with_a_contradicting_row_is_the_least_squares_solution() -> None:
    rows = [[1, 1, 1], [0, 1, 1], [1, 1, 0], [1, 0, 1]]
    problem = Problem.from_levels([Level(A=rows, b=[6, 5, 3, 3])], **BOX)  # type: ignore[arg-type]
    wanted = [4 / 7, 18 / 7, 18 / 7]
    np.testing.assert_allclose(WeightedQP().solve(problem).x, wanted, atol=1e-9)
    np.testing.assert_allclose(DAQP().solve(problem).x, wanted, atol=1e-6)


def test_lp_in_a_box() -> None:
    solution = strict(Level(c=[1, 1, 1]), size=3, lower=[-2] * 3, upper=[2] * 3)
    np.testing.assert_allclose(solution.x, -2.0, atol=1e-12)
    assert {a.name for a in solution.active_set} == {"x[0]", "x[1]", "x[2]"}


def test_lasso() -> None:
    """½([1 2 3 4] x − 10)² + 10 |x|₁ with x = p − m, both at least zero."""
    row = np.array([1.0, 2.0, 3.0, 4.0])
    level = Level(A=[np.concatenate([row, -row])], b=[10.0], c=np.full(8, 10.0))
    solution = strict(level, size=8, lower=np.zeros(8))
    np.testing.assert_allclose(solution.x[:4] - solution.x[4:], [0, 0, 0, 1.875], atol=1e-9)


def test_qp_above_lp() -> None:
    """The linear level moves along what the quadratic one leaves: [4 2 0] x = 12 stays."""
    levels = [
        Level(A=[[4, 2, 0]], b=[12], C=[[1, 1, 1]], C_lower=[-np.inf], C_upper=[7]),
        Level(c=[-3, -2, -1]),
    ]
    solution = strict(*levels, size=3, lower=[0] * 3, upper=[np.inf, np.inf, 1])
    np.testing.assert_allclose(solution.x, [0, 6, 1], atol=1e-9)


def test_lp_above_qp_is_passed_down() -> None:
    """OpenSoT's iHQP loses the linear level and answers (3, 3)."""
    levels = [Level(c=[1, 0]), Level(A=np.eye(2), b=[3, 3])]
    solution = strict(*levels, size=2, lower=[-1] * 2, upper=[5] * 2)
    np.testing.assert_allclose(solution.x, [-1, 3], atol=1e-12)


@pytest.mark.parametrize(("bound", "wanted"), [(0.5, 0.5), (1.0, 1.0)])
def test_box_around_the_identity(bound: float, wanted: float) -> None:
    level = Level(A=np.eye(4), b=np.ones(4))
    solution = strict(level, size=4, lower=[-bound] * 4, upper=[bound] * 4)
    np.testing.assert_allclose(solution.x, wanted, atol=1e-12)


def test_generic_task_sum_is_one() -> None:
    solution = strict(Level(A=[[1, 1]], b=[1]), size=2, lower=[-5] * 2, upper=[5] * 2)
    assert abs(solution.x.sum() - 1.0) < 1e-12


def test_rank_deficient_level_does_not_block_lower_ones() -> None:
    """OpenSoT's eHQP answers (1, 0, 6): it loses a direction with every repeated row."""
    levels = [Level(A=[[1, 0, 0], [1, 0, 0]], b=[1, 1]), Level(A=np.eye(3), b=[4, 5, 6])]
    np.testing.assert_allclose(strict(*levels, size=3).x, [1, 5, 6], atol=1e-12)


def test_tall_level() -> None:
    """More rows than unknowns abort OpenSoT's eHQP."""
    A: Vector = np.vstack([np.eye(2), np.eye(2), [[1.0, 1.0]]])
    x = strict(Level(A=A, b=[1, 2, 3, 4, 5]), size=2).x
    np.testing.assert_allclose(x, np.linalg.lstsq(A, [1, 2, 3, 4, 5], rcond=None)[0], atol=1e-12)


def test_twelve_levels() -> None:
    """OpenSoT's l1HQP pairs levels with slacks by name and aborts from eleven levels on."""
    levels = [Level(A=np.eye(12)[k : k + 1], b=[float(k)]) for k in range(12)]
    np.testing.assert_allclose(strict(*levels, size=12).x, np.arange(12.0), atol=1e-12)


def test_all_levels_empty_is_the_least_norm() -> None:
    """An inactive stack: OpenSoT crashes when all levels above an active one are off."""
    solution = strict(Level(), Level(), size=2, lower=[1, -2], upper=[3, 4])
    np.testing.assert_allclose(solution.x, [1, 0], atol=1e-12)


def test_saturated_level_leaves_nothing() -> None:
    """OpenSoT's nHQP throws when a level takes every direction and another follows."""
    levels = [Level(A=np.eye(2), b=[1, 2]), Level(A=np.eye(2), b=[5, 5])]
    solution = strict(*levels, size=2)
    np.testing.assert_allclose(solution.x, [1, 2], atol=1e-12)
    np.testing.assert_allclose(solution.levels[1].residual, [-4, -3], atol=1e-12)
