"""The slow twin: lexicographic least squares in exact rational arithmetic.

A primal active-set method with Bland's rule on fractions. It shares no idea with the kernels (they
are dual, orthogonal and in floating point) and knows no tolerance: what it returns is the solution
of the numbers that it was given, to the last digit.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from footwork.stack.solvers import HARD, Problem
from footwork.typing import Matrix, Vector

Row = list[Fraction]
ZERO, ONE = Fraction(0), Fraction(1)


def dot(a: Row, b: Row) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True) if x and y), ZERO)


def reduce(rows: list[Row], columns: int) -> list[int]:
    """Bring rows to reduced echelon form over the first columns; return the pivot columns."""
    pivots: list[int] = []
    at = 0
    for j in range(columns):
        k = next((i for i in range(at, len(rows)) if rows[i][j]), None)
        if k is None:
            continue
        rows[at], rows[k] = rows[k], rows[at]
        inverse = ONE / rows[at][j]
        rows[at] = [v * inverse if v else v for v in rows[at]]
        head = rows[at]
        for i, row in enumerate(rows):
            if i != at and row[j]:
                f = row[j]
                rows[i] = [v - f * h if h else v for v, h in zip(row, head, strict=True)]
        pivots.append(j)
        at += 1
    return pivots


def solve(rows: list[Row], columns: int) -> Row | None:
    """Solve rows [A | b]; free unknowns are zero, None when there is no solution."""
    work = [list(r) for r in rows]
    pivots = reduce(work, columns)
    if any(r[columns] for r in work[len(pivots) :]):
        return None
    out = [ZERO] * columns
    for i, j in enumerate(pivots):
        out[j] = work[i][columns]
    return out


def null_space(rows: list[Row], columns: int) -> list[Row]:
    """Basis of the vectors that all rows send to zero."""
    work = [list(r) for r in rows]
    pivots = reduce(work, columns)
    basis = []
    for j in range(columns):
        if j in pivots:
            continue
        v = [ZERO] * columns
        v[j] = ONE
        for i, p in enumerate(pivots):
            v[p] = -work[i][j]
        basis.append(v)
    return basis


class UnboundedError(Exception):
    """The cost has no least value."""


def minimise(  # noqa: C901
    x: Row,
    cost: tuple[list[Row], Row, Row],
    equations: list[Row],
    sides: list[tuple[Row, Fraction]],
) -> tuple[Row, dict[int, Fraction]]:
    """Minimise ½|A x − b|² + cᵀx with E x held and g x ≤ h, from a feasible x."""
    A, b, c = cost
    n = len(x)
    H = [[sum((r[i] * r[j] for r in A), ZERO) for j in range(n)] for i in range(n)]
    working: list[int] = []
    while True:
        gradient = [
            dot(H[i], x) - sum((r[i] * t for r, t in zip(A, b, strict=True)), ZERO) + c[i]
            for i in range(n)
        ]
        held = equations + [sides[i][0] for i in working]
        multipliers = solve([[h[i] for h in held] + [-gradient[i]] for i in range(n)], len(held))
        if multipliers is not None:
            mine = dict(zip(working, multipliers[len(equations) :], strict=True))
            out = min((i for i, m in mine.items() if m < 0), default=None)
            if out is None:
                return x, mine
            working.remove(out)
            continue
        size = n + len(held)
        kkt = [H[i] + [h[i] for h in held] + [-gradient[i]] for i in range(n)]
        kkt += [h + [ZERO] * (len(held) + 1) for h in held]
        full = solve(kkt, size)
        if full is not None:
            p, longest = full[:n], ONE
        else:
            p = [ZERO] * n
            for v in null_space(H + held, n):
                slope = dot(gradient, v)
                p = [a - slope * e for a, e in zip(p, v, strict=True)]
            longest = None
        step, blocking = longest, None
        for i, (g, h) in enumerate(sides):
            rise = dot(g, p)
            if i not in working and rise > 0:
                t = (h - dot(g, x)) / rise
                if step is None or t < step:
                    step, blocking = t, i
        if step is None:
            raise UnboundedError
        x = [a + step * e for a, e in zip(x, p, strict=True)]
        if blocking is not None:
            working.append(blocking)


@dataclass(frozen=True)
class ExactSolution:
    """x is None when infeasible; ``level`` is where."""

    x: Row | None
    level: int
    residuals: tuple[Row, ...] = ()

    @property
    def point(self) -> Vector:
        assert self.x is not None
        return np.array([float(v) for v in self.x])

    def residual(self, level: int) -> Vector:
        return np.array([float(v) for v in self.residuals[level]])


def as_rows(array: Matrix) -> list[Row]:
    return [[Fraction(float(v)) for v in row] for row in array]


def one_sided(row: Row, low: float, high: float) -> list[tuple[Row, Fraction]]:
    sides = []
    if high < np.inf:
        sides.append((row, Fraction(high)))
    if low > -np.inf:
        sides.append(([-v for v in row], -Fraction(low)))
    return sides


def with_slacks(row: Row, slack: int, slacks: int) -> Row:
    tail = [ZERO] * slacks
    if slack >= 0:
        tail[slack] = ONE
    return row + tail


def soften(
    x: Row,
    cost: tuple[list[Row], Row, Row],
    held: tuple[list[Row], list[tuple[Row, Fraction]]],
    soft: list[tuple[Row, float, float]],
) -> tuple[Row, list[Fraction]]:
    """Minimise a cost plus ½ violation² of soft rows; return x and the violations."""
    n, s = len(x), len(soft)
    A, b, c = cost
    start, sides = list(x), [(with_slacks(g, -1, s), h) for g, h in held[1]]
    for k, (row, low, high) in enumerate(soft):
        value = dot(row, x)
        slack = ZERO
        if high < np.inf and value > Fraction(high):
            slack = Fraction(high) - value
        if low > -np.inf and value < Fraction(low):
            slack = Fraction(low) - value
        start.append(slack)
        sides += one_sided(with_slacks(row, k, s), low, high)
    rows = [with_slacks(r, -1, s) for r in A] + [
        [ZERO] * n + [ONE if j == k else ZERO for j in range(s)] for k in range(s)
    ]
    full = (rows, b + [ZERO] * s, c + [ZERO] * s)
    found, _ = minimise(start, full, [with_slacks(e, -1, s) for e in held[0]], sides)
    return found[:n], [-v for v in found[n:]]


def independent(rows: list[Row], n: int) -> list[Row]:
    work = [list(r) for r in rows]
    return work[: len(reduce(work, n))]


def solve_exactly(problem: Problem) -> ExactSolution:  # noqa: C901, PLR0912
    """Solve a problem level by level, without rounding.

    Raises:
        UnboundedError: If a linear cost has no least value.
    """
    n = problem.variable_count
    x: Row = [ZERO] * n
    equations: list[Row] = []
    sides: list[tuple[Row, Fraction]] = []
    residuals: list[Row] = []
    C = as_rows(problem.C)
    for k in range(problem.level_count):
        fresh: list[tuple[Row, float, float]] = []
        if k == 0:
            for i in range(n):
                unit = [ONE if j == i else ZERO for j in range(n)]
                fresh.append((unit, float(problem.lower[i]), float(problem.upper[i])))
        soft: list[tuple[Row, float, float]] = []
        for i in range(problem.row_count):
            entry = (C[i], float(problem.c_lower[i]), float(problem.c_upper[i]))
            if problem.c_soft[i] == k:
                soft.append(entry)
            elif problem.c_soft[i] == HARD and problem.c_level[i] == k:
                fresh.append(entry)
        if fresh:
            nothing: tuple[list[Row], Row, Row] = ([], [], [ZERO] * n)
            x, violation = soften(x, nothing, (equations, sides), fresh)
            if any(violation):
                return ExactSolution(None, k, tuple(residuals))
            for row, low, high in fresh:
                if low == high:
                    equations = independent([*equations, row], n)
                else:
                    sides += one_sided(row, low, high)
        part = problem.rows(k)
        A, b = as_rows(problem.A[part]), [Fraction(float(v)) for v in problem.b[part]]
        c = [Fraction(float(v)) for v in problem.c[k]]
        x, violation = soften(x, (A, b, c), (equations, sides), soft)
        residuals.append([dot(r, x) - t for r, t in zip(A, b, strict=True)] + violation)
        keep = [*equations, *A]
        if any(c):
            keep.append(c)
        for (row, low, high), v in zip(soft, violation, strict=True):
            if v:
                keep.append(row)
            else:
                sides += one_sided(row, low, high)
        equations = independent(keep, n)
    eye = [[ONE if j == i else ZERO for j in range(n)] for i in range(n)]
    x, _ = minimise(x, (eye, [ZERO] * n, [ZERO] * n), equations, sides)
    return ExactSolution(x, problem.level_count, tuple(residuals))
