"""Equations by elimination: fewer unknowns at the price of a basis that is not orthogonal.

For the equations of inverse dynamics this costs a third of an orthogonal factor, and keeps the
basis mostly a selection of unknowns: x_B = t − Z x_N, one row of the basis an unknown of N.
"""

import numpy as np

from footwork._numba import B1, I8, IOUT1, IVEC, MAT, OUT1, OUT2, VOID, kernel
from footwork.stack._kernels.products import add_outer
from footwork.typing import IntVector, Matrix, Vector

ZERO_ROW = 1e-9
"""A row whose largest entry left is smaller than this, relative to its norm, adds no rank."""
STEEP = 1e3
"""Entries of Z above this call for the orthogonal way."""


@kernel(I8(OUT2, OUT1, OUT1, IOUT1, OUT1, I8), fast=True, counted=False)
def gauss_jordan(
    T: Matrix, right: Vector, scale: Vector, pivot: IntVector, column: Vector, count: int
) -> int:
    """Bring rows [T | right] to x_B + Z x_N = t, each row's pivot its largest entry left.

    Args:
        T: Rows, shape (≥ count, n).
        right: Right-hand sides.
        scale: Norm of each row as it came.
        pivot: Column of each row's pivot; −1 of a row that adds nothing.
        column: Scratch, (≥ count,).
        count: Number of rows.

    Returns:
        The rank.
    """
    n, rank = T.shape[1], 0
    for k in range(count):
        row, at, largest = T[k], -1, ZERO_ROW * scale[k]
        for j in range(n):
            if abs(row[j]) > largest:
                largest, at = abs(row[j]), j
        pivot[k] = at
        if at < 0:
            continue
        rank += 1
        factor = 1.0 / row[at]
        for j in range(n):
            row[j] *= factor
        row[at] = 1.0
        right[k] *= factor
        for i in range(count):
            column[i] = T[i, at]
        column[k] = 0.0
        add_outer(T, column, -1.0, row, 0, count, n)
        for i in range(count):
            right[i] -= column[i] * right[k]
            if i != k:
                T[i, at] = 0.0
    return rank


@kernel(B1(OUT2, IOUT1, OUT2, IOUT1, I8), fast=True, counted=False)
def oblique_basis(
    T: Matrix, pivot: IntVector, basis: Matrix, columns: IntVector, count: int
) -> bool:
    """Fill the basis of what the rows leave free: e_j − Σ_k Z[k, j] e_{B_k} for each j of N.

    Args:
        T: Rows after ``gauss_jordan``.
        pivot: Pivot columns.
        basis: First n − rank rows are written.
        columns: The unknowns kept, then those eliminated, (n,).
        count: Number of rows.

    Returns:
        Whether Z is moderate; the basis is written all the same.
    """
    n = T.shape[1]
    for j in range(n):
        columns[j] = 0
    for k in range(count):
        if pivot[k] >= 0:
            columns[pivot[k]] = 1
    at, steepest = 0, 0.0
    for j in range(n):
        if columns[j] != 0:
            continue
        columns[at] = j
        row = basis[at]
        for m in range(n):
            row[m] = 0.0
        row[j] = 1.0
        for k in range(count):
            if pivot[k] >= 0:
                row[pivot[k]] = -T[k, j]
                steepest = max(steepest, abs(T[k, j]))
        at += 1
    for k in range(count):
        if pivot[k] >= 0:
            columns[at] = pivot[k]
            at += 1
    return steepest <= STEEP


@kernel(VOID(MAT, OUT2, IVEC, OUT1, OUT2), fast=True)
def reduce_rows(A: Matrix, basis: Matrix, columns: IntVector, scratch: Vector, M: Matrix) -> None:
    """Fill M = A basisᵀ for a basis of elimination: A_N − A_B Z.

    Args:
        A: Rows, (m, n).
        basis: As ``oblique_basis`` left it, (r, n).
        columns: Of ``oblique_basis``.
        scratch: Scratch, (≥ (m + r) (n − r),).
        M: Shape (m, r).
    """
    m, n = A.shape
    r = basis.shape[0]
    gone = n - r
    G = scratch[: gone * r].reshape((gone, r))
    A_gone = scratch[gone * r : gone * (r + m)].reshape((m, gone))
    for k in range(gone):
        column = columns[r + k]
        for j in range(r):
            G[k, j] = basis[j, column]
        for i in range(m):
            A_gone[i, k] = A[i, column]
    np.dot(A_gone, G, M)
    for i in range(m):
        row, out = A[i], M[i]
        for j in range(r):
            out[j] += row[columns[j]]
