"""Levels with fewer rows than free directions: one block reflection, or one reflection a row."""

from typing import Any

import numpy as np
import pytest

from footwork.stack._kernels.block_turn import CLEAR, factor_clear
from footwork.stack._kernels.hierarchy import begin
from footwork.stack._kernels.wide_factor import factor_pivoted
from footwork.stack._kernels.workspace import FREE, IDENTITY, Data, Work, allocate, carve
from footwork.stack.solvers import Level, Problem, StrictHierarchy
from footwork.typing import Matrix

EXACT = 1e-8
"""What is asked of every level, whatever its rows are."""
SINES = np.logspace(-6, -1, 21)
"""Squares of the sine between a row and those before it, on both sides of the threshold."""


def rows_at(
    rng: np.random.Generator, count: int, n: int, square: float, near: int, *, chained: bool
) -> Matrix:
    """Rows of different length, the last ``near`` almost within the rest, or those before."""
    L = np.tril(rng.normal(size=(count, count)), -1)
    if not chained:
        L[:, count - near :] = 0.0
    for i in range(count):
        norm = np.linalg.norm(L[i])
        if i == 0 or i < count - near:
            L[i, i] = 2.0 + norm
        else:
            L[i] *= np.sqrt(1.0 - square) / norm
            L[i, i] = np.sqrt(square)
    Q = np.linalg.qr(rng.normal(size=(n, count)))[0].T
    return np.asarray(rng.uniform(0.3, 3.0, (count, 1)) * (L @ Q))


def opened(A: Matrix) -> tuple[Data, Work]:
    """A problem of one level, and a workspace at its start."""
    count, n = A.shape
    p = Data(*Problem.from_levels([Level(A=A, b=np.ones(count))], size=n).arrays)
    in_python: Any = getattr(carve, "py_func", carve)  # compiled, it hands out no matrices
    w: Work = in_python(*allocate(n, count, 0, 0, 1), n, count, 0, 0, 1)
    begin(p, w)
    for i in range(count):
        w.single[i] = -1
    return p, w


def condition(A: Matrix) -> float:
    L = np.linalg.qr(A.T)[1].T
    return float(np.sum((np.linalg.inv(L) * np.linalg.norm(A, axis=1)) ** 2))


@pytest.mark.parametrize(("count", "n"), [(1, 2), (3, 8), (4, 9), (7, 8), (12, 16), (15, 35)])
def test_the_block_and_single_reflections_leave_the_same_directions(count: int, n: int) -> None:
    rng = np.random.default_rng(n)
    r = max(count + 1, n - 3)
    for free in (np.eye(n), np.linalg.qr(rng.normal(size=(n, r)))[0].T):
        for _ in range(10):
            A = rng.uniform(0.03, 30.0, (count, 1)) * rng.normal(size=(count, n))
            while condition(A @ free.T) > CLEAR:
                A = rng.normal(size=(count, n))
            found = []
            for is_block in (True, False):
                p, w = opened(A)
                w.state[FREE], w.state[IDENTITY] = free.shape[0], np.array_equal(free, np.eye(n))
                w.basis[: free.shape[0]] = free
                if is_block:
                    w.scratch[:], w.rows[:], w.J[:] = np.nan, np.nan, np.nan
                    assert factor_clear(p, w, 0, 1e-14 * np.sum(A**2)) > 0.0
                else:
                    factor_pivoted(p, w, 0)
                basis, J = w.basis[: free.shape[0]], w.J[:count, :n]
                assert np.allclose(basis @ basis.T, np.eye(free.shape[0]), atol=1e-11)
                assert np.allclose(basis.T @ basis, free.T @ free, atol=1e-11)
                assert np.allclose(A @ basis[count:].T, 0.0, atol=1e-10)
                found.append((basis[:count].T @ basis[:count], J.T @ J))
            for block, single in zip(*found, strict=True):
                assert np.allclose(block, single, rtol=0.0, atol=1e-9 * max(1.0, abs(single).max()))


@pytest.mark.parametrize("near", [1, 3, 8])
def test_rows_that_nearly_depend_on_others_are_left_to_single_reflections(near: int) -> None:
    rng = np.random.default_rng(near)
    taken = []
    for square in SINES:
        A = rows_at(rng, 9, 20, square, near, chained=near > 1)
        p, w = opened(A)
        is_clear = factor_clear(p, w, 0, 1e-14 * np.sum(A**2)) > 0.0
        assert is_clear == (condition(A) <= CLEAR)
        if is_clear:
            assert np.abs(w.basis @ w.basis.T - np.eye(20)).max() < 1e-11
        else:
            assert w.state[IDENTITY] == 1
        taken.append(is_clear)
    assert not taken[0]
    assert taken[-1] == (near < 8)


@pytest.mark.parametrize("near", [1, 2, 5])
def test_either_factor_gives_the_same_solution(near: int) -> None:
    rng = np.random.default_rng(near)
    for square in SINES:
        for count, n in ((6, 10), (8, 17), (11, 23)):
            upper = rows_at(rng, count, n, square, near, chained=False)
            lower = rows_at(rng, 6, n, square, near, chained=False)[: n - count - 1]
            b, a = upper @ rng.normal(size=n), rng.normal(size=lower.shape[0])
            found = []
            for zeros in (0, 1):  # a row of zeros depends on any: single reflections then
                levels = [
                    Level(A=np.vstack([A, np.zeros((zeros, n))]), b=np.append(t, np.zeros(zeros)))
                    for A, t in ((upper, b), (lower, a))
                ]
                problem = Problem.from_levels([*levels, Level(A=np.eye(n), b=np.ones(n))], size=n)
                solution = StrictHierarchy().solve(problem)
                assert solution.is_solved
                found.append(solution.x)
            assert np.abs(found[0] - found[1]).max() <= EXACT * max(1.0, np.abs(found[1]).max())
