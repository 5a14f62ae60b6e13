"""Starting a level from the active set of the last solve: all its constraints at once.

The normals are brought to R one by one, which costs little; J is rotated once for all of them.
"""

import math

from footwork._numba import F8, I8, OUT2, VOID, kernel
from footwork.stack._kernels.active_set import part_outside, project_normal
from footwork.stack._kernels.products import add_transposed, clear, dot
from footwork.stack._kernels.tiles import padded, set_turn, tile
from footwork.stack._kernels.workspace import (
    COUNT,
    DATA,
    FREE,
    SLACKS,
    WORK,
    Data,
    Work,
    matrix_at,
)
from footwork.typing import Matrix

NOISE = 1e-24
"""Square of the rounding in J n, relative to |J| |n|, of a normal that no direction changes."""


@kernel(VOID(WORK, OUT2, I8, F8), fast=True, counted=False)
def reflect_normal(w: Work, V: Matrix, index: int, sign: float) -> None:
    """Append a constraint, unless it depends on the others: one reflection more, 1 − β v vᵀ.

    Args:
        w: Workspace with d = J n; ``z`` holds the β, ``u`` becomes zero.
        V: The v, one a row.
        index: Bounds first, then rows.
        sign: +1 for the lower side, −1 for the upper.
    """
    q, d, size = w.state[COUNT], w.d, w.state[FREE] + w.state[SLACKS]
    for b in range(q):
        v, factor = V[b], w.z[b] * dot(V[b], d, size)
        for k in range(b, size):
            d[k] -= factor * v[k]
    outside = part_outside(d, q, size)
    if outside == 0.0:
        return
    norm, v = math.sqrt(outside), V[q]
    pivot = -norm if d[q] > 0.0 else norm
    for k in range(q):
        w.R[k, q], v[k] = d[k], 0.0
    for k in range(q, size):
        v[k] = d[k]
    for k in range(size, V.shape[1]):
        v[k] = 0.0
    v[q] -= pivot
    w.R[q, q], w.z[q] = pivot, 1.0 / (norm * (norm + abs(d[q])))
    w.act[q], w.sign[q], w.u[q] = index, sign, 0.0
    w.flag[index] = 1
    w.state[COUNT] = q + 1


@kernel(VOID(WORK, OUT2), fast=True, counted=False)
def rotate(w: Work, V: Matrix) -> None:
    """Apply all reflections to J: J ← J − Vᵀ Y with y_b = β_b (v_bᵀ J − Σ_{a<b} (v_aᵀv_b) y_a).

    Args:
        w: Workspace; ``z`` holds the β.
        V: The v, one a row, padded.
    """
    q, size, high = w.state[COUNT], w.state[FREE] + w.state[SLACKS], V.shape[1]
    wide = padded(q)
    Y = matrix_at(w.scratch, V.size, wide, high)
    columns = matrix_at(w.scratch, V.size + Y.size, size, wide)
    for k in range(size):
        for b in range(q):
            columns[k, b] = V[b, k]
        for b in range(q, wide):
            columns[k, b] = 0.0
    for b in range(wide):
        row = Y[b]
        for j in range(high):
            row[j] = 0.0
    set_turn(w.turn, -1)
    for b in range(0, q, 4):
        for j in range(0, high, 8):
            tile(columns, b, w.J, j, 0, size, Y, b, w.turn)
    for b in range(q):
        row = Y[b]
        for a in range(b):
            w.r[a] = dot(V[a], V[b], size)
        add_transposed(Y, w.r, -1.0, b, high, row)
        for j in range(high):
            row[j] *= w.z[b]
    set_turn(w.turn, 1)
    for k in range(0, size, 4):
        for j in range(0, high, 8):
            tile(V, k, Y, j, 0, q, w.J, k, w.turn)


@kernel(VOID(DATA, WORK, I8), fast=True, counted=False)
def warm_start(p: Data, w: Work, level: int) -> None:
    """Make the active set that the level had at the last solve active again, where it can be.

    Args:
        p: Problem.
        w: Workspace.
        level: The level; L is the last null space.
    """
    n, count = p.lower.size, w.warm_count[level]
    size = w.state[FREE] + w.state[SLACKS]
    w.state[COUNT] = 0
    clear(w.flag)
    if count == 0:
        return
    total = 0.0
    for k in range(size):
        total += dot(w.J[k], w.J[k], n + w.state[SLACKS])
    high = w.J.shape[1]
    V = matrix_at(w.scratch, 0, padded(count), high)
    for a in range(count):
        index = abs(w.warm[level, a]) - 1
        sign = 1.0 if w.warm[level, a] > 0 else -1.0
        if abs(w.lo[index] if sign > 0.0 else w.hi[index]) == math.inf:
            continue
        project_normal(p, w, index, sign)
        norm = 1.0 if index < n else dot(p.C[index - n], p.C[index - n], n)
        if dot(w.d, w.d, size) > NOISE * norm * total:
            reflect_normal(w, V, index, sign)
    if w.state[COUNT] > 0:
        rotate(w, V)


@kernel(VOID(WORK, I8), counted=False)
def keep_active_set(w: Work, level: int) -> None:
    """Remember the active set for the next solve.

    Args:
        w: Workspace.
        level: The level; L is the last null space.
    """
    q = w.state[COUNT]
    for a in range(q):
        w.warm[level, a] = w.act[a] + 1 if w.sign[a] > 0.0 else -(w.act[a] + 1)
    w.warm_count[level] = q
