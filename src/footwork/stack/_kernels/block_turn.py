"""Fewer rows than free directions, well apart: their orthogonal factor in a few products of tiles.

M = L Q by Cholesky of M Mᵀ, which squares the condition: rows that nearly depend on others are left
to the reflections of `factor`, one row at a time. What Q leaves free is read off the one reflection
of a block, 1 − Yᵀ K Y with Y = Q − [S 0], K = (1 − S Q₁ᵀ)⁻¹, that takes Q to ± unit vectors S;
with the signs chosen on the way its elimination needs no pivots.

Source: ballard2015reconstructing for the signs and the block; the rest is ours.
"""

from footwork._numba import F8, I8, OUT1, OUT2, VOID, kernel
from footwork.stack._kernels.cholesky import cholesky
from footwork.stack._kernels.products import add_transposed, copy_to, multiply, set_zero
from footwork.stack._kernels.tiles import gram, padded, set_turn, tile
from footwork.stack._kernels.workspace import DATA, FREE, IDENTITY, WORK, Data, Work, matrix_at
from footwork.typing import Matrix, Vector

CLEAR = 5e3
"""Most that |D L⁻¹|² may be, D the norms of M's rows: what M Mᵀ loses is this much of rounding."""


@kernel(VOID(DATA, WORK, I8, I8, OUT2, OUT2), fast=True, counted=False)
def fill_rows(p: Data, w: Work, level: int, high: int, right: Matrix, across: Matrix) -> None:
    """Fill [1 M] with M = A basisᵀ, and Mᵀ.

    Args:
        p: Problem.
        w: Workspace.
        level: The level.
        high: Rows, padded; M starts at this column.
        right: Written, padded with zeros.
        across: Written, the same.
    """
    n, r = p.lower.size, w.state[FREE]
    first = p.level_offset[level]
    count = p.level_offset[level + 1] - first
    set_zero(right)
    for i in range(high):
        right[i, i] = 1.0
    for i in range(count):
        out, j = right[i][high:], w.single[first + i]
        if w.state[IDENTITY] != 0:
            copy_to(p.A[first + i], out, n)
        elif j >= 0:
            for k in range(r):
                out[k] = p.A[first + i, j] * w.basis[k, j]
        else:
            multiply(w.basis, p.A[first + i], r, n, out)
    for k in range(r):
        row = across[k]
        for i in range(count):
            row[i] = right[i, high + k]
        for i in range(count, high):
            row[i] = 0.0


@kernel(VOID(OUT2, I8, OUT1, I8, OUT1), fast=True, counted=False)
def eliminate_before(B: Matrix, i: int, pivots: Vector, width: int, factors: Vector) -> None:
    """Take from row i what the rows before it have in their pivots' columns.

    Args:
        B: Rows, those before i upper triangular.
        i: The row.
        pivots: Inverse pivots of the rows before.
        width: Columns.
        factors: Written: how much of each.
    """
    row = B[i]
    for j in range(i):
        above, factor = B[j], row[j] * pivots[j]
        factors[j] = factor
        for k in range(width):
            row[k] -= factor * above[k]


@kernel(VOID(WORK, OUT2, I8, I8, I8, OUT2, OUT2, OUT2), fast=True, counted=False)
def block_reflection(
    w: Work, right: Matrix, high: int, count: int, n: int, B: Matrix, seen: Matrix, V: Matrix
) -> None:
    """Fill V = K Y basis by elimination, the sign of each row chosen when its pivot comes up.

    Args:
        w: Workspace.
        right: Holds Q from column ``high`` on.
        high: Rows, padded.
        count: Rows.
        n: Unknowns.
        B: Scratch.
        seen: Q basis.
        V: Written.
    """
    is_identity, pivots = w.state[IDENTITY] != 0, w.r
    for i in range(count):
        for k in range(count):
            B[i, k] = right[k, high + i]
        for k in range(count, high):
            B[i, k] = 0.0
        eliminate_before(B, i, pivots, high, w.z)
        sign = -1.0 if B[i, i] > 0.0 else 1.0
        pivots[i] = 1.0 / (1.0 + abs(B[i, i]))
        for k in range(high):
            B[i, k] *= -sign
        out = V[i]
        copy_to(seen[i], out, V.shape[1])
        if is_identity:
            out[i] -= sign
        else:
            for j in range(n):
                out[j] -= sign * w.basis[i, j]
        add_transposed(V, w.z, sign, i, V.shape[1], out)
    for i in range(count - 1, -1, -1):
        out, below = V[i], count - i - 1
        add_transposed(V[i + 1 : count], B[i][i + 1 :], -1.0, below, V.shape[1], out)
        for j in range(V.shape[1]):
            out[j] *= pivots[i]


@kernel(VOID(WORK, OUT2, I8, I8, I8, OUT2), fast=True, counted=False)
def leave_seen(w: Work, right: Matrix, high: int, count: int, n: int, V: Matrix) -> None:
    """Turn the basis's last rows to what the rows do not see, basis − Yᵀ V; J holds them as well.

    Args:
        w: Workspace.
        right: Holds Q from column ``high`` on.
        high: Rows, padded.
        count: Rows.
        n: Unknowns.
        V: As `block_reflection` left it.
    """
    r, first = w.state[FREE], count & -4
    set_zero(w.J[first : (r + 3) & -4])
    for k in range(first, r):
        if w.state[IDENTITY] != 0:
            w.J[k, k] = 1.0
        else:
            copy_to(w.basis[k], w.J[k], n)
    set_turn(w.turn, 1)
    for k in range(first, r, 4):
        for j in range(0, V.shape[1], 8):
            tile(right, high + k, V, j, 0, count, w.J, k, w.turn)
    for k in range(count, r):
        copy_to(w.J[k], w.basis[k], n)


@kernel(F8(DATA, WORK, I8, F8), fast=True, counted=False)
def factor_clear(p: Data, w: Work, level: int, least: float) -> float:
    """Factor rows that stand well apart: J = L⁻ᵀ Q basis, and the basis is turned to [Q; rest].

    Args:
        p: Problem.
        w: Workspace with an orthonormal basis.
        level: The level.
        least: Squares of pivots up to this are zero.

    Returns:
        The largest pivot; negative when the rows are not well apart: only scratch has changed then.
    """
    n, r = p.lower.size, w.state[FREE]
    count = p.level_offset[level + 1] - p.level_offset[level]
    if not 0 < count < r:
        return -1.0
    high, size, wide = padded(count), padded(r), padded(n)
    right = matrix_at(w.scratch, 0, high, high + size)
    G = matrix_at(w.scratch, right.size, high, high)
    V = matrix_at(w.scratch, right.size + G.size, high, wide)
    seen = matrix_at(w.scratch, right.size + G.size + V.size, high, wide)
    across = matrix_at(w.rows, 0, r, high)
    fill_rows(p, w, level, high, right, across)
    gram(across, r, high, w.turn, G)
    for i in range(count):
        w.scale[i] = G[i, i]
    for i in range(count, high):
        G[i, i] = 1.0 + 2.0 * least
    if not cholesky(G, right, count, high, high + size, least, w.turn):
        return -1.0
    largest, condition = 0.0, 0.0
    for i in range(count):
        largest = max(largest, G[i, i])
        for k in range(i + 1):
            condition += right[i, k] * right[i, k] * w.scale[k]
    if not condition <= CLEAR:
        return -1.0
    set_zero(seen)
    for i in range(count):
        if w.state[IDENTITY] != 0:
            copy_to(right[i][high:], seen[i], n)
        else:
            add_transposed(w.basis, right[i][high:], 1.0, r, n, seen[i])
    block_reflection(w, right, high, count, n, G, seen, V)
    leave_seen(w, right, high, count, n, V)
    set_zero(V)
    set_turn(w.turn, -1)
    for k in range(0, count, 4):
        for j in range(0, wide, 8):
            tile(right, k, seen, j, k, count, V, k, w.turn)
    for k in range(count):
        copy_to(V[k], w.J[k], wide)
        copy_to(seen[k], w.basis[k], n)
    return largest
