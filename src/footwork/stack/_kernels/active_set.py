"""The active set of the dual method: its constraints come and go, and J N = [R; 0] stays right.

Source: goldfarb1983dual.
"""

import math

from footwork._numba import B1, F8, I8, OUT1, OUT2, VOID, kernel
from footwork.stack._kernels.products import add_outer, add_transposed, multiply
from footwork.stack._kernels.workspace import COUNT, DATA, FREE, SLACKS, WORK, Data, Work
from footwork.typing import Matrix, Vector

DEPENDENT = 1e-18
"""Square of the sine below which a normal counts as a combination of the active ones."""


@kernel(VOID(DATA, WORK, I8, F8), fast=True, counted=False)
def project_normal(p: Data, w: Work, index: int, sign: float) -> None:
    """Fill d = J n for the signed normal n of a constraint.

    Args:
        p: Problem.
        w: Workspace; ``d`` is written.
        index: Bounds first, then rows.
        sign: +1 for the lower side, −1 for the upper.
    """
    n, J, d = p.lower.size, w.J, w.d
    size = w.state[FREE] + w.state[SLACKS]
    if index < n:
        for k in range(size):
            d[k] = sign * J[k, index]
        return
    slack = w.slack[index - n]
    multiply(J, p.C[index - n], size, n, d)
    for k in range(size):
        d[k] *= sign
        if slack >= 0:
            d[k] += sign * J[k, n + slack]


@kernel(F8(OUT1, I8, I8), fast=True, counted=False, forced=True)
def part_outside(d: Vector, q: int, size: int) -> float:
    """Measure what a normal has beside the active ones.

    Args:
        d: J n.
        q: Active constraints.
        size: Rows of J.

    Returns:
        The square of its norm; zero if the normal counts as a combination of the active ones.
    """
    inside, outside = 0.0, 0.0
    for k in range(q):
        inside += d[k] * d[k]
    for k in range(q, size):
        outside += d[k] * d[k]
    return outside if outside > DEPENDENT * (inside + outside) else 0.0


@kernel(VOID(OUT2, OUT2, OUT1, OUT1, I8, I8, I8), fast=True, counted=False)
def reflect(J: Matrix, R: Matrix, d: Vector, z: Vector, q: int, size: int, width: int) -> None:
    """Append a constraint: one reflection of the rows q … of J makes d[q + 1:] zero.

    Args:
        J: Rotated in place.
        R: Column q is written.
        d: J n of the new constraint.
        z: Scratch.
        q: Active constraints before.
        size: Rows of J.
        width: Columns of J.
    """
    total = 0.0
    for i in range(q, size):
        total += d[i] * d[i]
    norm = math.sqrt(total)
    pivot = -norm if d[q] > 0.0 else norm
    head = d[q] - pivot
    beta = 1.0 / (norm * (norm + abs(d[q])))
    d[q] = head
    for j in range(width):
        z[j] = 0.0
    part, entries = J[q:size], d[q:size]
    add_transposed(part, entries, 1.0, size - q, width, z)
    add_outer(part, entries, -beta, z, 0, size - q, width)
    for i in range(q):
        R[i, q] = d[i]
    R[q, q] = pivot
    d[q] = pivot
    for i in range(q + 1, size):
        d[i] = 0.0


@kernel(VOID(WORK, I8, I8), fast=True, counted=False)
def remove(w: Work, k: int, width: int) -> None:
    """Take constraint k out of the active set; ``d`` is rotated along with J.

    Args:
        w: Workspace.
        k: Position in the active set.
        width: Columns of J.
    """
    J, R, d, q = w.J, w.R, w.d, w.state[COUNT]
    w.flag[w.act[k]] = 0
    for j in range(k, q - 1):
        w.act[j], w.sign[j], w.u[j] = w.act[j + 1], w.sign[j + 1], w.u[j + 1]
        for i in range(j + 2):
            R[i, j] = R[i, j + 1]
    for j in range(k, q - 1):
        a, b = R[j, j], R[j + 1, j]
        h = math.sqrt(a * a + b * b)
        if h == 0.0:
            continue
        c, s = a / h, b / h
        R[j, j], R[j + 1, j] = h, 0.0
        for m in range(j + 1, q - 1):
            a, b = R[j, m], R[j + 1, m]
            R[j, m], R[j + 1, m] = c * a + s * b, c * b - s * a
        first, second = J[j], J[j + 1]
        for m in range(width):
            a, b = first[m], second[m]
            first[m], second[m] = c * a + s * b, c * b - s * a
        d[j], d[j + 1] = c * d[j] + s * d[j + 1], c * d[j + 1] - s * d[j]
    w.state[COUNT] = q - 1


@kernel(B1(DATA, WORK, I8, F8), fast=True, counted=False)
def append(p: Data, w: Work, index: int, sign: float) -> bool:
    """Add a constraint to the active set, with ``d`` already filled, unless it depends on it.

    Args:
        p: Problem.
        w: Workspace.
        index: Bounds first, then rows.
        sign: +1 for the lower side, −1 for the upper.

    Returns:
        Whether it was added.
    """
    q, d = w.state[COUNT], w.d
    size = w.state[FREE] + w.state[SLACKS]
    if part_outside(d, q, size) == 0.0:
        return False
    reflect(w.J, w.R, d, w.z, q, size, p.lower.size + w.state[SLACKS])
    w.act[q], w.sign[q], w.u[q] = index, sign, 0.0
    w.flag[index] = 1
    w.state[COUNT] = q + 1
    return True


@kernel(VOID(OUT2, OUT1, OUT1, I8), fast=True, counted=False)
def solve_upper(R: Matrix, right: Vector, out: Vector, q: int) -> None:
    """Solve R out = right for the leading triangle.

    Args:
        R: Upper triangular.
        right: Right-hand side.
        out: Solution.
        q: Size.
    """
    for a in range(q - 1, -1, -1):
        row, total = R[a], right[a]
        for b in range(a + 1, q):
            total -= row[b] * out[b]
        out[a] = total / row[a]
