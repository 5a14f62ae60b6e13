"""One level's rows in the free directions, and its factor J where they see all of them."""

import math

import numpy as np

from footwork._numba import B1, F8, I8, MAT, OUT1, OUT2, VOID, kernel
from footwork.stack._kernels.cholesky import cholesky
from footwork.stack._kernels.products import (
    copy_to,
    dot,
    multiply,
    set_zero,
)
from footwork.stack._kernels.tiles import gram, padded, set_turn, tile
from footwork.stack._kernels.workspace import (
    CARRIED,
    DATA,
    FREE,
    IDENTITY,
    OBLIQUE,
    SLACKS,
    WORK,
    Data,
    Work,
    matrix_at,
)
from footwork.typing import Matrix, Vector

HIDDEN = 1e-14
"""Part of the sum of squares of a level's rows that a direction must carry to be seen for sure."""


@kernel(F8(DATA, WORK, I8), fast=True, counted=False)
def inspect_rows(p: Data, w: Work, level: int) -> float:
    """Find the rows that have a single entry, as those of a posture; the others cost more.

    Args:
        p: Problem.
        w: Workspace; ``single`` is written.
        level: The level.

    Returns:
        The Frobenius norm of A; inf when A is not finite.
    """
    n, total = p.lower.size, 0.0
    for i in range(p.level_offset[level], p.level_offset[level + 1]):
        row, entries, guess = p.A[i], 0, -2 - w.single[i]
        for j in range(n):
            entries += 1 if row[j] != 0.0 else 0
        if entries > 1:
            w.single[i] = -1
            total += dot(row, row, n)
            continue
        if guess < 0 or row[guess] == 0.0:
            guess = 0
            while guess < n - 1 and row[guess] == 0.0:
                guess += 1
        w.single[i] = guess
        total += row[guess] * row[guess]
    return math.sqrt(total) if math.isfinite(total) else np.inf


@kernel(I8(DATA, WORK, I8, OUT2), fast=True, counted=False)
def pack_rows(p: Data, w: Work, level: int, M: Matrix) -> int:
    """Copy the rows with several entries, in the unknowns as they are.

    Args:
        p: Problem.
        w: Workspace with the identity as basis.
        level: The level.
        M: Written, padded with zeros; the residual in the last column of the padding.

    Returns:
        How many there are.
    """
    n, count, width = p.lower.size, 0, M.shape[1]
    first = p.level_offset[level]
    for i in range(first, p.level_offset[level + 1]):
        if w.single[i] < 0:
            out = M[count]
            copy_to(p.A[i], out, n)
            for j in range(n, width):
                out[j] = 0.0
            if n < width:
                out[width - 1] = w.residual[i - first]
            count += 1
    return count


@kernel(VOID(DATA, WORK, I8, OUT2), fast=True, counted=False)
def turn_rows(p: Data, w: Work, level: int, M: Matrix) -> None:
    """Write all rows in the free directions, A basisᵀ.

    Args:
        p: Problem.
        w: Workspace with an orthonormal basis that is written.
        level: The level.
        M: Written, padded with zeros; the residual in the last column of the padding.
    """
    n, r, width = p.lower.size, w.state[FREE], M.shape[1]
    first = p.level_offset[level]
    for i in range(first, p.level_offset[level + 1]):
        out, j = M[i - first], w.single[i]
        if j >= 0:
            entry = p.A[i, j]
            for k in range(r):
                out[k] = entry * w.basis[k, j]
        else:
            multiply(w.basis, p.A[i], r, n, out)
        for k in range(r, width):
            out[k] = 0.0
        if r < width:
            out[width - 1] = w.residual[i - first]


@kernel(VOID(OUT2, OUT2, I8, I8, OUT1, OUT2), counted=False)
def take_product(A: Matrix, B: Matrix, high: int, depth: int, t: Vector, C: Matrix) -> None:
    """Take Aᵀ B from C.

    Args:
        A: Shape (≥ depth, ≥ high).
        B: Shape (≥ depth, as wide as C).
        high: Rows of C, a multiple of 4.
        depth: Rows of A and B.
        t: Scratch of the tiles.
        C: Changed.
    """
    set_turn(t, 1)
    for k in range(0, high, 4):
        for j in range(0, C.shape[1], 8):
            tile(A, k, B, j, 0, depth, C, k, t)


@kernel(I8(DATA, WORK, I8, F8, OUT2, OUT2), fast=True, counted=False)
def substitute_rows(p: Data, w: Work, level: int, ridge: float, M: Matrix, B: Matrix) -> int:
    """Write the rows by the unknowns that elimination kept: A_N + A_B gone.

    Rows whose only unknown was kept are left to the diagonal; √ridge x_B is a row like others.

    Args:
        p: Problem.
        w: Workspace with an oblique basis; ``order`` becomes the inverse of ``columns``.
        level: The level.
        ridge: Weight of ½|x|².
        M: Written, padded with zeros.
        B: Scratch for −A_Bᵀ, (n − r, ≥ rows padded).

    Returns:
        How many rows there are.
    """
    n, r = p.lower.size, w.state[FREE]
    first, last = p.level_offset[level], p.level_offset[level + 1]
    count, width = 0, M.shape[1]
    for i in range(first, last):
        if w.single[i] < 0:
            row, out = p.A[i], M[count]
            for k in range(r):
                out[k] = row[w.columns[k]]
            for k in range(r, width):
                out[k] = 0.0
            for q in range(n - r):
                B[q, count] = -row[w.columns[r + q]]
            count += 1
    high = (count + 3) & -4
    for k in range(count, high):
        for q in range(n - r):
            B[q, k] = 0.0
    take_product(B, w.gone, high, n - r, w.turn, M)
    for k in range(n):
        w.order[w.columns[k]] = k
    for i in range(first, last):
        if w.single[i] >= 0 and w.order[w.single[i]] >= r:
            part, factor = w.gone[w.order[w.single[i]] - r], p.A[i, w.single[i]]
            for k in range(width):
                M[count, k] = factor * part[k]
            count += 1
    if ridge > 0.0:
        for q in range(n - r):
            for k in range(width):
                M[count, k] = math.sqrt(ridge) * w.gone[q, k]
            count += 1
    return count


@kernel(VOID(DATA, WORK, I8, F8, F8, OUT2), counted=False)
def fill_diagonal(p: Data, w: Work, level: int, ridge: float, pad: float, H: Matrix) -> None:
    """Add what comes beside the rows: single entries, ridge, padding, and to the gradient.

    Args:
        p: Problem.
        w: Workspace; of an oblique basis ``order`` is the inverse of ``columns``.
        level: The level.
        ridge: Weight of ½|x|².
        pad: Entry of the padding.
        H: Changed.
    """
    r, is_identity = w.state[FREE], w.state[IDENTITY] != 0
    last, first = H.shape[1] - 1, p.level_offset[level]
    for k in range(r, H.shape[1]):
        H[k, k] = pad
    if ridge > 0.0:
        for k in range(r):
            H[k, k] += ridge
    if not (is_identity or w.state[OBLIQUE] != 0):
        return
    for i in range(first, p.level_offset[level + 1]):
        j = w.single[i]
        if j >= 0:
            k = j if is_identity else w.order[j]
            if k < r:
                H[k, k] += p.A[i, j] * p.A[i, j]
                if r <= last:
                    H[k, last] += p.A[i, j] * w.residual[i - first]


@kernel(VOID(WORK, I8, OUT2), counted=False)
def start_right(w: Work, n: int, right: Matrix) -> None:
    """Fill the right side of a level's factor: the basis, kept unknowns first if it is oblique.

    Args:
        w: Workspace.
        n: Unknowns.
        right: Written, padded with zeros.
    """
    r = w.state[FREE]
    lower = padded(r)
    set_zero(right[:lower])
    for k in range(lower):
        out = right[k]
        if w.state[IDENTITY] != 0:
            out[k] = 1.0
        elif k >= r:
            continue
        elif w.state[OBLIQUE] != 0:
            out[k] = 1.0
            for q in range(n - r):
                out[lower + q] = w.gone[q, k]
        else:
            copy_to(w.basis[k], out, n)


@kernel(VOID(WORK, MAT, I8), counted=False)
def carry_gradient(w: Work, U: Matrix, r: int) -> None:
    """Put U⁻ᵀ times the gradient, which went through the factor as a column, behind J.

    Args:
        w: Workspace.
        U: Factor, the column is its last.
        r: Its size without padding.
    """
    last, at = U.shape[1] - 1, w.J.shape[1] - 1
    for k in range(r):
        w.J[k, at] = U[k, last]
    w.state[CARRIED] = 1


@kernel(B1(DATA, WORK, I8, F8, F8, F8), fast=True, counted=False)
def factor_tall(p: Data, w: Work, level: int, ridge: float, frobenius: float, total: float) -> bool:
    """Factor a level that sees every free direction: J = U⁻ᵀ basis with UᵀU = MᵀM + ridge.

    Where padding leaves a column, and the basis is not oblique, Mᵀ (A x − b) goes through the
    factor in it.

    Args:
        p: Problem.
        w: Workspace with the level's residual.
        level: The level.
        ridge: Added to the diagonal.
        frobenius: Norm of the level's rows.
        total: Sum of the squares of its residual.

    Returns:
        Whether it does see every direction.
    """
    n, r = p.lower.size, w.state[FREE]
    rows = p.level_offset[level + 1] - p.level_offset[level]
    size, wide = padded(r), padded(n)
    M = matrix_at(w.rows, 0, rows + n + 4, size)
    H = matrix_at(w.scratch, 0, size, size)
    is_identity, is_oblique = w.state[IDENTITY] != 0, w.state[OBLIQUE] != 0
    if is_identity:
        count = pack_rows(p, w, level, M)
    elif is_oblique:
        B = matrix_at(w.rows, w.rows.size - wide * padded(rows), n - r, padded(rows))
        count = substitute_rows(p, w, level, ridge, M, B)
    else:
        count = rows
        turn_rows(p, w, level, M)
    gram(M, count, size, w.turn, H)
    least = HIDDEN * frobenius * frobenius
    # The column takes up to ``total`` from the last pivot of the padding.
    fill_diagonal(p, w, level, ridge, 1.0 + 2.0 * (least + total), H)
    if not is_oblique:
        carries = r < size and n + w.state[SLACKS] < w.J.shape[1] and ridge == 0.0
        start_right(w, n, w.J)
        if not cholesky(H, w.J, r, wide if is_identity else 0, wide, least, w.turn):
            return False
        if carries:
            carry_gradient(w, H, r)
        return True
    width = size + padded(n - r)
    right = matrix_at(w.scratch, size * size, size, width)
    start_right(w, n, right)
    if not cholesky(H, right, r, size, width, least, w.turn):
        return False
    for k in range(r):
        row, out = right[k], w.J[k]
        for j in range(r):
            out[w.columns[j]] = row[j]
        for q in range(n - r):
            out[w.columns[r + q]] = row[size + q]
    return True


@kernel(VOID(DATA, WORK), fast=True, counted=False)
def extend_by_slacks(p: Data, w: Work) -> None:
    """Give every slack its own row and column of J; its cost is ½ slack².

    Args:
        p: Problem.
        w: Workspace.
    """
    n, r, slacks = p.lower.size, w.state[FREE], w.state[SLACKS]
    for k in range(r):
        for j in range(n, n + slacks):
            w.J[k, j] = 0.0
    for k in range(slacks):
        row = w.J[r + k]
        for j in range(w.J.shape[1]):
            row[j] = 0.0
        row[n + k] = 1.0
