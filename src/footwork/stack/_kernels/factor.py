"""Orthogonal and triangular factors of one level's rows in the directions that are still free."""

import math

import numpy as np

from footwork._numba import B1, F8, I8, IOUT1, OUT1, OUT2, VOID, kernel
from footwork.stack._kernels.products import add_outer, add_transposed, copy_to, multiply
from footwork.typing import IntVector, Matrix, Vector

DEPENDENT_ROW = 1e-9
"""A row whose part outside the others is smaller than this, relative to itself, adds no rank."""


@kernel(VOID(OUT2, OUT1, OUT1, IOUT1, I8, I8), counted=False)
def swap_rows(rows: Matrix, right: Vector, scale: Vector, order: IntVector, a: int, b: int) -> None:
    """Exchange two rows and what belongs to them.

    Args:
        rows: Matrix.
        right: One number a row.
        scale: One number a row.
        order: One index a row.
        a: First row.
        b: Second row.
    """
    if a == b:
        return
    for m in range(rows.shape[1]):
        rows[a, m], rows[b, m] = rows[b, m], rows[a, m]
    right[a], right[b] = right[b], right[a]
    scale[a], scale[b] = scale[b], scale[a]
    order[a], order[b] = order[b], order[a]


@kernel(I8(OUT2, OUT1, OUT1, I8, I8), fast=True, counted=False)
def largest_row(rows: Matrix, scale: Vector, tail: Vector, first: int, count: int) -> int:
    """Find the row that has most left; what is left is followed by downdating, safely.

    Args:
        rows: Rows from column ``first`` on are what is left.
        scale: Norm that each row had before it was projected.
        tail: Squared norms of what is left, then as many of when each was last summed.
        first: First row and column.
        count: Number of rows.

    Returns:
        The row, or −1 when nothing but rounding is left of any.
    """
    best, pivot, r = 0.0, -1, rows.shape[1]
    for i in range(first, count):
        if tail[i] < 1e-4 * tail[count + i]:
            total, row = 0.0, rows[i]
            for m in range(first, r):
                total += row[m] * row[m]
            tail[i] = tail[count + i] = total
        if tail[i] > best and tail[i] > (DEPENDENT_ROW * scale[i]) ** 2:
            best, pivot = tail[i], i
    return pivot


@kernel(I8(OUT2, OUT1, OUT1, IOUT1, OUT1, OUT2, OUT1, I8), fast=True, counted=False)
def reflect_rows(
    rows: Matrix,
    right: Vector,
    scale: Vector,
    order: IntVector,
    tail: Vector,
    V: Matrix,
    beta: Vector,
    count: int,
) -> int:
    """Make rows lower trapezoidal by reflections from the right, H_j = 1 − β_j v_j v_jᵀ.

    Args:
        rows: M, shape (≥ count, r); L on return, pivots chosen by what is left of each row.
        right: Permuted with the rows.
        scale: Norm that each row had before it was projected; permuted with the rows.
        order: Permuted with the rows.
        tail: Scratch, (≥ 3 count,).
        V: The v_j, one a row.
        beta: The β_j.
        count: Number of rows.

    Returns:
        The rank.
    """
    r = rows.shape[1]
    for i in range(count):
        tail[i], tail[count + i] = 0.0, 1.0
    for j in range(min(count, r)):
        pivot = largest_row(rows, scale, tail, j, count)
        if pivot < 0:
            return j
        swap_rows(rows, right, scale, order, j, pivot)
        tail[pivot], tail[count + pivot] = tail[j], tail[count + j]
        row, v, total = rows[j], V[j], 0.0
        for m in range(j, r):
            total += row[m] * row[m]
        norm = math.sqrt(total)
        target = -norm if row[j] > 0.0 else norm
        beta[j] = 1.0 / (norm * (norm + abs(row[j])))
        for m in range(j):
            v[m] = 0.0
        for m in range(j, r):
            v[m] = row[m]
            row[m] = 0.0
        v[j] -= target
        row[j] = target
        # The leading zeros of v are taken along: four whole rows at a time are quicker than parts.
        below, part = count - j - 1, tail[2 * count :]
        multiply(rows[j + 1 : count], v, below, r, part)
        add_outer(rows[j + 1 : count], part, -beta[j], v, 0, below, r)
        for i in range(j + 1, count):
            tail[i] -= rows[i, j] * rows[i, j]
    return int(min(count, r))


@kernel(VOID(OUT2, OUT1, OUT2, OUT1, I8, B1), fast=True)
def turn_basis(
    V: Matrix, beta: Vector, basis: Matrix, scratch: Vector, rank: int, is_identity: bool
) -> None:
    """Apply reflections to a basis at once: basis ← (1 − Vᵀ Tᵀ V) basis.

    Args:
        V: Reflections, one a row, (≥ rank, r).
        beta: Their factors.
        basis: Shape (r, n).
        scratch: At least rank (2 n + rank) + r n long.
        rank: Number of reflections.
        is_identity: Whether the basis is the identity.
    """
    r, n = basis.shape
    G = scratch[: rank * rank].reshape((rank, rank))
    at = rank * rank
    Y = scratch[at : at + rank * n].reshape((rank, n))
    at += rank * n
    change = scratch[at : at + r * n].reshape((r, n))
    part = V[:rank]
    np.dot(part, part.T, G)
    if is_identity:
        for j in range(rank):
            for m in range(n):
                Y[j, m] = V[j, m]
    else:
        np.dot(part, basis, Y)
    # Rows of TᵀY one by one: y_j ← β_j (y_j − Σ_{i<j} (v_iᵀv_j) y_i), H_{rank−1} … H_0 as one.
    for j in range(rank):
        row = Y[j]
        add_transposed(Y, G[j], -1.0, j, n, row)
        for m in range(n):
            row[m] *= beta[j]
    np.dot(part.T, Y, change)
    for i in range(r):
        row, out = change[i], basis[i]
        for m in range(n):
            out[m] -= row[m]


@kernel(I8(OUT2, OUT1, OUT1, IOUT1, OUT2, OUT1, I8, B1), counted=False)
def compress(
    rows: Matrix,
    right: Vector,
    scale: Vector,
    order: IntVector,
    basis: Matrix,
    scratch: Vector,
    count: int,
    is_identity: bool,
) -> int:
    """Make rows lower trapezoidal by reflections from the right, and turn the basis with them.

    M Q = [L 0] with the rows permuted so that each pivot is the largest left; basis ← Qᵀ basis.

    Args:
        rows: M, shape (≥ count, r); L on return.
        right: Permuted with the rows.
        scale: Norm that each row had before it was projected; permuted with the rows.
        order: Permuted with the rows.
        basis: Shape (r, n); on return its first ``rank`` rows are what M sees.
        scratch: Scratch, (4 n² + 2 n + 3 count,).
        count: Number of rows.
        is_identity: Whether the basis is the identity.

    Returns:
        The rank.
    """
    r = rows.shape[1]
    most = min(count, r)
    V = scratch[: most * r].reshape((most, r))
    beta = scratch[most * r : most * r + most]
    rest = scratch[most * r + most :]
    rank = reflect_rows(rows, right, scale, order, rest, V, beta, count)
    if rank > 0:
        turn_basis(V, beta, basis, rest, rank, is_identity)
    return rank


@kernel(VOID(OUT2, OUT1, I8, I8), fast=True, counted=False)
def triangularise(rows: Matrix, z: Vector, count: int, rank: int) -> None:
    """Make tall rows of full column rank upper triangular by reflections from the left.

    Args:
        rows: Shape (≥ count, ≥ rank); the triangle is left in the leading block.
        z: Scratch, (≥ rank,).
        count: Number of rows.
        rank: Number of columns.
    """
    for j in range(rank):
        total = 0.0
        for i in range(j, count):
            total += rows[i, j] * rows[i, j]
        norm = math.sqrt(total)
        if norm == 0.0:
            continue
        head = rows[j, j]
        target = -norm if head > 0.0 else norm
        beta = 1.0 / (norm * (norm + abs(head)))
        rows[j, j] = head - target
        for m in range(j + 1, rank):
            z[m] = 0.0
        for i in range(j, count):
            row, factor = rows[i], beta * rows[i, j]
            for m in range(j + 1, rank):
                z[m] += factor * row[m]
        for i in range(j, count):
            row, factor = rows[i], rows[i, j]
            for m in range(j + 1, rank):
                row[m] -= factor * z[m]
        rows[j, j] = target


@kernel(F8(OUT2, OUT2, OUT2, OUT1, I8), fast=True, counted=False)
def divide_lower(rows: Matrix, basis: Matrix, J: Matrix, z: Vector, rank: int) -> float:
    """Fill J = L⁻ᵀ basis for the leading lower triangle L.

    Args:
        rows: Holds L.
        basis: Shape (≥ rank, n).
        J: First ``rank`` rows are written.
        z: Scratch, (≥ rank,).
        rank: Size of L.

    Returns:
        The largest pivot.
    """
    largest, n = 0.0, basis.shape[1]
    for a in range(rank - 1, -1, -1):
        out = J[a]
        copy_to(basis[a], out, n)
        for b in range(a + 1, rank):
            z[b] = rows[b, a]
        add_transposed(J[a + 1 : rank], z[a + 1 :], -1.0, rank - a - 1, n, out)
        factor = 1.0 / rows[a, a]
        largest = max(largest, abs(rows[a, a]))
        for m in range(n):
            out[m] *= factor
    return largest


@kernel(F8(OUT2, OUT2, OUT2, OUT1, I8), fast=True, counted=False)
def divide_upper(rows: Matrix, basis: Matrix, J: Matrix, z: Vector, rank: int) -> float:
    """Fill J = T⁻ᵀ basis for the leading upper triangle T.

    Args:
        rows: Holds T.
        basis: Shape (≥ rank, n).
        J: First ``rank`` rows are written.
        z: Scratch, (≥ rank,).
        rank: Size of T.

    Returns:
        The largest pivot.
    """
    largest, n = 0.0, basis.shape[1]
    for a in range(rank):
        out = J[a]
        copy_to(basis[a], out, n)
        for b in range(a):
            z[b] = rows[b, a]
        add_transposed(J, z, -1.0, a, n, out)
        factor = 1.0 / rows[a, a]
        largest = max(largest, abs(rows[a, a]))
        for m in range(n):
            out[m] *= factor
    return largest


@kernel(VOID(OUT2, I8), fast=True, counted=False)
def identity(basis: Matrix, n: int) -> None:
    """Fill a matrix with the identity.

    Args:
        basis: Written.
        n: Size.
    """
    for i in range(n):
        row = basis[i]
        for j in range(n):
            row[j] = 0.0
        row[i] = 1.0
