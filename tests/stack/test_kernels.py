"""Factors and eliminations of the solver against NumPy, at every size of padding."""

import copy

import numpy as np
import pytest

from footwork.robot import load
from footwork.stack import GenericTask, Stack, tasks
from footwork.stack._kernels.cholesky import cholesky
from footwork.stack._kernels.elimination import gauss_jordan
from footwork.stack._kernels.tiles import gram, padded
from footwork.stack.solvers import Level, Problem, StrictHierarchy
from footwork.typing import Matrix

SIZES = [1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 16, 21, 38]


def spread(rows: Matrix, height: int, width: int) -> Matrix:
    wide = np.zeros((height, width))
    wide[: rows.shape[0], : rows.shape[1]] = rows
    return wide


@pytest.mark.parametrize("n", SIZES)
def test_a_symmetric_product_and_its_factor_are_those_of_numpy(n: int) -> None:
    rng = np.random.default_rng(n)
    size, count = int(padded(n)), n + 3
    rows = rng.normal(size=(count, n))
    H, turn = np.full((size, size), np.nan), np.zeros(14)
    gram(spread(rows, count, size), count, size, turn, H)
    expected = rows.T @ rows
    assert np.allclose(np.triu(H[:n, :n]), np.triu(expected), rtol=1e-13, atol=1e-13)
    for k in range(n, size):
        H[k, k] = 1.0
    more = rng.normal(size=(n, 5))
    right = np.hstack([np.eye(size), spread(more, size, 8)])
    assert cholesky(H, right, n, size, size + 8, 0.0, turn)
    L = np.linalg.cholesky(expected)
    assert np.allclose(np.triu(H[:n, :n]), L.T, rtol=1e-9, atol=1e-9)
    assert np.allclose(L @ right[:n, :n], np.eye(n), atol=1e-9)
    assert np.allclose(L @ right[:n, size : size + 5], more, atol=1e-9)


def test_a_factor_of_a_singular_matrix_is_refused() -> None:
    rows = np.array([[1.0, 2.0, 0.0], [0.0, 0.0, 1.0]])
    H, turn = np.zeros((8, 8)), np.zeros(14)
    gram(spread(rows, 2, 8), 2, 8, turn, H)
    for k in range(3, 8):
        H[k, k] = 1.0
    assert not cholesky(H, np.eye(8), 3, 8, 8, 0.0, turn)


@pytest.mark.parametrize("count", [1, 3, 4, 5, 8, 11, 18])
def test_elimination_solves_the_rows_and_finds_those_that_add_nothing(count: int) -> None:
    rng = np.random.default_rng(count)
    n, high = 23, (count + 3) // 4 * 4
    rows, right = rng.normal(size=(count, n)), rng.normal(size=count)
    redundant = count > 4
    if redundant:
        rows[4], right[4] = rows[0] - 2.0 * rows[1], right[0] - 2.0 * right[1]
    T = spread(np.column_stack([rows, right]), high, int(padded(n + 1)))
    pivot, F = np.zeros(high, dtype=np.int64), np.zeros((high, high))
    scale = np.linalg.norm(rows, axis=1)
    rank = gauss_jordan(T, scale, pivot, F, np.zeros(14), count, n)
    assert rank == count - redundant
    assert (pivot[:count] < 0).sum() == int(redundant)
    kept = np.flatnonzero(pivot[:count] >= 0)
    assert np.array_equal(T[np.ix_(kept, pivot[kept])], np.eye(rank))
    x = rng.normal(size=n)
    x[pivot[kept]] = 0.0
    x[pivot[kept]] = T[kept, n] - T[kept, :n] @ x
    assert np.allclose(rows @ x, right, atol=1e-9)


def test_rows_with_one_entry_count_as_much_as_the_same_rows_mixed() -> None:
    rng = np.random.default_rng(5)
    for n in (4, 11, 20):
        dense, diagonal = rng.normal(size=(n // 2, n)), rng.uniform(0.1, 2.0, n)
        A = np.vstack([np.diag(diagonal), dense, np.zeros((1, n))])
        b, C = rng.normal(size=A.shape[0]), rng.normal(size=(3, n))
        Q = np.linalg.qr(rng.normal(size=(A.shape[0], A.shape[0])))[0]
        lower, upper = np.full(n, -0.5), np.full(n, 0.4)
        found = []
        for rows, target in ((A, b), (Q @ A, Q @ b)):
            level = Level(A=rows, b=target, C=C, C_lower=np.zeros(3), C_upper=[0.0, 0.0, 1.0])
            problem = Problem.from_levels([level], size=n, lower=lower, upper=upper)
            solver = StrictHierarchy()
            found += [solver.solve(problem).x, solver.solve(problem).x]
        for x in found[1:]:
            assert np.allclose(x, found[0], atol=1e-9)


def test_a_row_may_have_one_entry_now_and_several_next_time() -> None:
    problem = Problem.from_levels([Level(A=np.eye(3), b=[1.0, 2.0, 3.0])], size=3)
    solver = StrictHierarchy()
    assert np.allclose(solver.solve(problem).x, [1.0, 2.0, 3.0])
    problem.A[0] = [0.0, 2.0, 0.0]
    problem.A[1] = [1.0, 1.0, 0.0]
    assert np.allclose(solver.solve(problem).x, [1.5, 0.5, 3.0])
    problem.A[0] = [1.0, 0.0, 0.0]
    assert np.allclose(solver.solve(problem).x, [1.0, 1.0, 3.0])


def test_no_array_that_kernels_read_by_address_can_be_resized() -> None:
    robot = load("panda")
    reach = tasks.velocity.Cartesian(robot, robot.frame_names[-1])
    stack = Stack([reach])
    problem = stack.solve(robot.state(robot.standing_configuration)).problem
    arrays = [reach.J, reach.ints, reach.floats, robot.views.q, robot.views.qd]
    arrays += [problem.A, problem.b, problem.C, problem.lower, problem.upper]
    arrays += [problem.c_lower, problem.c_upper]
    for array in arrays:
        with pytest.raises(ValueError, match="own"):
            array.resize(10_000, refcheck=False)


def test_a_ramp_copies_the_solver_once() -> None:
    class Counting(StrictHierarchy):
        copies = 0

        def __deepcopy__(self, memo: dict[int, object]) -> StrictHierarchy:
            Counting.copies += 1
            return copy.copy(StrictHierarchy())

    stays, goes = GenericTask("a", np.eye(2), [1.0, 2.0]), GenericTask("b", np.eye(2), [0.0, 0.0])
    stack = Stack([stays + goes], solver=Counting())
    stack.solve()
    goes.deactivate(ticks=10)
    for _ in range(8):
        stack.update()
        stack.solve()
    assert Counting.copies == 1
