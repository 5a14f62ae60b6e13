"""One level's rows in the free directions: its factor J, and the gradient of its cost."""

import math

import numpy as np

from footwork._numba import B1, F8, I8, MAT, OUT2, VOID, kernel
from footwork.stack._kernels.basis import straighten, write_identity
from footwork.stack._kernels.cholesky import cholesky
from footwork.stack._kernels.factor import (
    compress,
    divide_lower,
    divide_upper,
    triangularise,
)
from footwork.stack._kernels.products import (
    add_transposed,
    add_transposed_rows,
    copy_to,
    dot,
    multiply,
    multiply_rows,
)
from footwork.stack._kernels.tiles import gram, padded, set_turn, tile
from footwork.stack._kernels.workspace import (
    DATA,
    FREE,
    IDENTITY,
    OBLIQUE,
    RANK,
    SLACKS,
    WORK,
    Data,
    Work,
    matrix_at,
)
from footwork.typing import Matrix

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


@kernel(VOID(DATA, WORK, I8), fast=True)
def project_rows(p: Data, w: Work, level: int) -> None:
    """Fill the scratch with M = A basisᵀ, row by row, and the norms of A's rows.

    Args:
        p: Problem.
        w: Workspace; its basis is orthonormal.
        level: The level.
    """
    n, r = p.lower.size, w.state[FREE]
    first, last = p.level_offset[level], p.level_offset[level + 1]
    for i in range(last - first):
        w.scale[i] = math.sqrt(dot(p.A[first + i], p.A[first + i], n))
        w.order[i] = i
    M = matrix_at(w.rows, 0, last - first, r)
    if w.state[IDENTITY] != 0:
        for i in range(first, last):
            copy_to(p.A[i], M[i - first], n)
    elif last > first and r > 0:
        np.dot(p.A[first:last], w.basis[:r].T, M)


@kernel(I8(DATA, WORK, I8, OUT2), fast=True, counted=False)
def pack_rows(p: Data, w: Work, level: int, M: Matrix) -> int:
    """Copy the rows with several entries, in the unknowns as they are.

    Args:
        p: Problem.
        w: Workspace with the identity as basis.
        level: The level.
        M: Written, padded with zeros.

    Returns:
        How many there are.
    """
    n, count = p.lower.size, 0
    for i in range(p.level_offset[level], p.level_offset[level + 1]):
        if w.single[i] < 0:
            out = M[count]
            copy_to(p.A[i], out, n)
            for j in range(n, M.shape[1]):
                out[j] = 0.0
            count += 1
    return count


@kernel(VOID(MAT, OUT2), counted=False)
def spread(rows: Matrix, M: Matrix) -> None:
    """Copy rows into wider ones, padded with zeros.

    Args:
        rows: Any.
        M: Written, as many rows and at least as many columns.
    """
    width = rows.shape[1]
    for i in range(rows.shape[0]):
        out = M[i]
        copy_to(rows[i], out, width)
        for j in range(width, M.shape[1]):
            out[j] = 0.0


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
    set_turn(w.turn, 1)
    for k in range(0, high, 4):
        for j in range(0, width, 8):
            tile(B, k, w.gone, j, 0, n - r, M, k, w.turn)
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
    """Add to the diagonal what it gets beside the rows: single entries, ridge, padding.

    Args:
        p: Problem.
        w: Workspace; of an oblique basis ``order`` is the inverse of ``columns``.
        level: The level.
        ridge: Weight of ½|x|².
        pad: Entry of the padding.
        H: Changed.
    """
    r, is_identity = w.state[FREE], w.state[IDENTITY] != 0
    for k in range(r):
        H[k, k] += ridge
    for k in range(r, H.shape[1]):
        H[k, k] = pad
    if not (is_identity or w.state[OBLIQUE] != 0):
        return
    for i in range(p.level_offset[level], p.level_offset[level + 1]):
        j = w.single[i]
        if j >= 0:
            k = j if is_identity else w.order[j]
            if k < r:
                H[k, k] += p.A[i, j] * p.A[i, j]


@kernel(VOID(WORK, I8, I8, OUT2), counted=False)
def start_right(w: Work, n: int, width: int, right: Matrix) -> None:
    """Fill the right side of a level's factor: the basis, kept unknowns first if it is oblique.

    Args:
        w: Workspace.
        n: Unknowns.
        width: Columns to fill.
        right: Written, padded with zeros.
    """
    r = w.state[FREE]
    lower = padded(r)
    for k in range(lower):
        out = right[k]
        for j in range(width):
            out[j] = 0.0
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


@kernel(B1(DATA, WORK, I8, F8, F8), fast=True, counted=False)
def factor_tall(p: Data, w: Work, level: int, ridge: float, frobenius: float) -> bool:
    """Factor a level that sees every free direction: J = U⁻ᵀ basis with UᵀU = MᵀM + ridge.

    Args:
        p: Problem.
        w: Workspace.
        level: The level.
        ridge: Added to the diagonal.
        frobenius: Norm of the level's rows.

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
        project_rows(p, w, level)
        count, M = rows, matrix_at(w.rows, rows * r, rows, size)
        spread(matrix_at(w.rows, 0, rows, r), M)
    gram(M, count, size, w.turn, H)
    least = HIDDEN * frobenius * frobenius
    fill_diagonal(p, w, level, ridge, 1.0 + 2.0 * least, H)
    if not is_oblique:
        start_right(w, n, wide, w.J)
        return cholesky(H, w.J, r, wide if is_identity else 0, wide, least, w.turn)
    width = size + padded(n - r)
    right = matrix_at(w.scratch, size * size, size, width)
    start_right(w, n, width, right)
    if not cholesky(H, right, r, size, width, least, w.turn):
        return False
    for k in range(r):
        row, out = right[k], w.J[k]
        for j in range(r):
            out[w.columns[j]] = row[j]
        for q in range(n - r):
            out[w.columns[r + q]] = row[size + q]
    return True


@kernel(VOID(DATA, WORK, I8, F8), fast=True, counted=False)
def factor_wide(p: Data, w: Work, level: int, slope: float) -> None:
    """Factor a level that leaves directions unseen; those get the proximal weight.

    Args:
        p: Problem.
        w: Workspace; basis is turned so that the rows see its first ``rank`` rows.
        level: The level.
        slope: Norm of the level's linear cost.
    """
    n, r = p.lower.size, w.state[FREE]
    count = p.level_offset[level + 1] - p.level_offset[level]
    write_identity(w, n)
    straighten(p, w)
    project_rows(p, w, level)
    rows = matrix_at(w.rows, 0, count, r)
    rank = compress(
        rows, w.residual, w.scale, w.order, w.basis[:r], w.scratch, count, w.state[IDENTITY] != 0
    )
    w.state[IDENTITY] = 0
    if rank == count:
        largest = divide_lower(rows, w.basis, w.J, w.z, rank)
    else:
        triangularise(rows, w.z, count, rank)
        largest = divide_upper(rows, w.basis, w.J, w.z, rank)
    for i in range(p.c_lower.size):
        if w.slack[i] >= 0:
            largest = max(largest, math.sqrt(dot(p.C[i], p.C[i], n)))
    weight = max(1e-10 * largest * largest, 1e-6 * slope)
    factor = 1.0 / math.sqrt(weight) if weight > 0.0 else 1.0
    for i in range(rank, r):
        row, out = w.basis[i], w.J[i]
        for j in range(n):
            out[j] = factor * row[j]
    w.state[RANK] = rank


@kernel(F8(DATA, WORK, I8, F8), fast=True, counted=False, forced=True)
def fill_gradient(p: Data, w: Work, level: int, ridge: float) -> float:
    """Fill the gradient of a level's cost at x, and d = J gradient.

    Only what the level sees is kept of AᵀA x − Aᵀb: the rest is rounding, and the proximal weight
    is so small that the rounds would follow it.

    Args:
        p: Problem.
        w: Workspace.
        level: The level.
        ridge: Weight of ½|x|².

    Returns:
        |A x − b|² + |slack|² + ridge |x|².
    """
    n, slacks, g = p.lower.size, w.state[SLACKS], w.gradient
    total = 0.0
    c = p.c[level]
    for j in range(n):
        g[j] = 0.0
    first, last = p.level_offset[level], p.level_offset[level + 1]
    multiply_rows(p.A, w.single, w.x, first, last, n, w.residual)
    for i in range(last - first):
        w.residual[i] -= p.b[first + i]
        total += w.residual[i] * w.residual[i]
    add_transposed_rows(p.A, w.single, w.residual, first, last, n, g)
    rank = w.state[RANK]
    if rank < w.state[FREE]:
        multiply(w.basis, g, rank, n, w.r)
        for j in range(n):
            g[j] = 0.0
        add_transposed(w.basis, w.r, 1.0, rank, n, g)
    for j in range(n):
        g[j] += c[j] + ridge * w.x[j]
        total += ridge * w.x[j] * w.x[j]
    for j in range(n, n + slacks):
        g[j] = w.x[j]
        total += g[j] * g[j]
    multiply(w.J, g, w.state[FREE] + slacks, n + slacks, w.d)
    return total


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
        for j in range(n + slacks):
            row[j] = 0.0
        row[n + k] = 1.0
