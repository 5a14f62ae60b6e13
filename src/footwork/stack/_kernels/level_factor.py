"""One level's rows in the free directions: its factor J, and the gradient of its cost."""

import math

import numpy as np

from footwork._numba import B1, F8, I8, VOID, kernel
from footwork.stack._kernels.basis import straighten
from footwork.stack._kernels.elimination import reduce_rows
from footwork.stack._kernels.factor import (
    cholesky,
    compress,
    divide_lower,
    divide_upper,
    triangularise,
)
from footwork.stack._kernels.products import (
    add_transposed,
    dot,
    multiply,
)
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

HIDDEN = 1e-14
"""Part of the sum of squares of a level's rows that a direction must carry to be seen for sure."""


@kernel(F8(DATA, WORK, I8), fast=True)
def project_rows(p: Data, w: Work, level: int) -> float:
    """Fill the scratch with M = A basisᵀ, row by row, and the norms of A's rows.

    Args:
        p: Problem.
        w: Workspace.
        level: The level.

    Returns:
        The Frobenius norm of A; inf when A is not finite.
    """
    n, r = p.lower.size, w.state[FREE]
    first, last = p.level_offset[level], p.level_offset[level + 1]
    total = 0.0
    for i in range(last - first):
        w.scale[i] = math.sqrt(dot(p.A[first + i], p.A[first + i], n))
        w.order[i] = i
        total += w.scale[i] * w.scale[i]
    if not math.isfinite(total):
        return np.inf
    M = matrix_at(w.rows, 0, last - first, r)
    if w.state[IDENTITY] != 0:
        for i in range(first, last):
            out, row = M[i - first], p.A[i]
            for j in range(r):
                out[j] = row[j]
    elif w.state[OBLIQUE] != 0 and (last - first + r) * (n - r) <= w.scratch.size:
        reduce_rows(p.A[first:last], w.basis[:r], w.columns, w.scratch, M)
    elif last > first and r > 0:
        np.dot(p.A[first:last], w.basis[:r].T, M)
    return math.sqrt(total)


@kernel(B1(DATA, WORK, I8, F8), fast=True)
def factor_tall(p: Data, w: Work, level: int, ridge: float) -> bool:
    """Factor a level that sees every free direction: J = U⁻ᵀ basis with UᵀU = MᵀM + ridge.

    Args:
        p: Problem.
        w: Workspace with M in the scratch.
        level: The level.
        ridge: Added to the diagonal.

    Returns:
        Whether it does see every direction.
    """
    n, r = p.lower.size, w.state[FREE]
    count = p.level_offset[level + 1] - p.level_offset[level]
    M = matrix_at(w.rows, 0, count, r)
    H = matrix_at(w.scratch, 0, r, r)
    np.dot(M.T, M, H)
    if ridge > 0.0:
        for i in range(r):
            for j in range(r):
                H[i, j] += ridge * dot(w.basis[i], w.basis[j], n)
    total = 0.0
    for i in range(count):
        total += w.scale[i] * w.scale[i]
    return cholesky(H, w.basis, w.J, HIDDEN * total, w.state[IDENTITY] != 0)


@kernel(VOID(DATA, WORK, I8, F8), fast=True, counted=False)
def factor_wide(p: Data, w: Work, level: int, slope: float) -> None:
    """Factor a level that leaves directions unseen; those get the proximal weight.

    Args:
        p: Problem.
        w: Workspace with M in the scratch; basis is turned so that M sees its first ``rank`` rows.
        level: The level.
        slope: Norm of the level's linear cost.
    """
    n, r = p.lower.size, w.state[FREE]
    count = p.level_offset[level + 1] - p.level_offset[level]
    if w.state[OBLIQUE] != 0:
        straighten(p, w)
        project_rows(p, w, level)
    rows = matrix_at(w.rows, 0, count, r)
    rank = compress(
        rows, w.residual, w.scale, w.order, w.basis[:r], w.scratch, count, w.state[IDENTITY] != 0
    )
    w.state[IDENTITY] = 0
    if rank == count:
        largest = divide_lower(rows, w.basis, w.J, rank)
    else:
        triangularise(rows, w.z, count, rank)
        largest = divide_upper(rows, w.basis, w.J, rank)
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


@kernel(F8(DATA, WORK, I8, F8), fast=True, counted=False)
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
    A = p.A[first:last]
    multiply(A, w.x, last - first, n, w.residual)
    for i in range(last - first):
        w.residual[i] -= p.b[first + i]
        total += w.residual[i] * w.residual[i]
    add_transposed(A, w.residual, 1.0, last - first, n, g)
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
