"""Equations by elimination: fewer unknowns at the price of a basis that is not orthogonal.

For the equations of inverse dynamics this costs a third of an orthogonal factor, and keeps the
basis mostly a selection of unknowns: x_B = t − Z x_N, one row of the basis an unknown of N.
"""

from footwork._numba import B1, I8, IOUT1, IVEC, MAT, OUT1, OUT2, VEC, VOID, kernel
from footwork.stack._kernels.tiles import set_turn, tile
from footwork.typing import IntVector, Matrix, Vector

ZERO_ROW = 1e-9
"""A row whose largest entry left is smaller than this, relative to its norm, adds no rank."""
STEEP = 1e3
"""Entries of Z above this call for the orthogonal way."""


@kernel(VOID(MAT, IVEC, OUT2, I8, I8, I8, I8), counted=False)
def take_entries(
    T: Matrix, pivot: IntVector, F: Matrix, first: int, last: int, row: int, stop: int
) -> None:
    """Take the entries of some rows in the columns of some pivots, F[p, i] = T[i, pivot_p].

    Pivots are 1 and alone in their columns, so that the tiles that follow leave exact zeros there.

    Args:
        T: Rows.
        pivot: Pivot columns; −1 is none.
        F: Written.
        first: First pivot.
        last: Pivot after the last.
        row: First row.
        stop: Row after the last.
    """
    for p in range(first, last):
        for i in range(row, stop):
            F[p, i] = T[i, pivot[p]] if pivot[p] >= 0 else 0.0


@kernel(I8(OUT2, VEC, IOUT1, I8, I8, I8), fast=True, counted=False)
def pivot_rows(T: Matrix, scale: Vector, pivot: IntVector, first: int, last: int, n: int) -> int:
    """Bring a few rows to pivots of 1, each its row's largest entry left, alone in its column.

    Args:
        T: Rows with their right sides.
        scale: Norm of each row as it came.
        pivot: Written: column of each row's pivot; −1 of a row that adds nothing.
        first: First row.
        last: Row after the last.
        n: Columns that may be pivots.

    Returns:
        How many of them have a pivot.
    """
    rank = 0
    for k in range(first, last):
        row, at, largest = T[k], -1, ZERO_ROW * scale[k]
        for j in range(n):
            if abs(row[j]) > largest:
                largest, at = abs(row[j]), j
        pivot[k] = at
        if at < 0:
            continue
        rank += 1
        factor = 1.0 / row[at]
        for j in range(row.size):
            row[j] *= factor
        row[at] = 1.0
        for i in range(first, last):
            out, factor = T[i], T[i, at]
            if i != k and factor != 0.0:
                for j in range(row.size):
                    out[j] -= factor * row[j]
                out[at] = 0.0
    return rank


@kernel(I8(OUT2, VEC, IOUT1, OUT2, OUT1, I8, I8), counted=False)
def gauss_jordan(
    T: Matrix, scale: Vector, pivot: IntVector, F: Matrix, turn: Vector, count: int, n: int
) -> int:
    """Bring rows [T | right] to x_B + Z x_N = t, each row's pivot its largest entry left.

    Args:
        T: Rows, right sides in column n, padded to whole tiles with zeros.
        scale: Norm of each row as it came.
        pivot: Column of each row's pivot; −1 of a row that adds nothing. At least as long as T.
        F: Scratch, as many rows and columns as T has rows.
        turn: Scratch of the tiles.
        count: Number of rows.
        n: Number of unknowns.

    Returns:
        The rank.
    """
    rank, width = 0, T.shape[1]
    set_turn(turn, 1)
    for k in range(0, count, 4):
        take_entries(T, pivot, F, 0, k, k, k + 4)
        for j in range(0, width, 8):
            tile(F, k, T, j, 0, k, T, k, turn)
        stop = min(k + 4, count)
        rank += pivot_rows(T, scale, pivot, k, stop, n)
        take_entries(T, pivot, F, k, stop, 0, k)
        for i in range(0, k, 4):
            for j in range(0, width, 8):
                tile(F, i, T, j, k, stop, T, i, turn)
    return rank


@kernel(B1(OUT2, IOUT1, OUT2, OUT2, IOUT1, I8, I8), fast=True, counted=False)
def oblique_basis(
    T: Matrix,
    pivot: IntVector,
    basis: Matrix,
    gone: Matrix,
    columns: IntVector,
    count: int,
    n: int,
) -> bool:
    """Fill the basis of what the rows leave free: e_j − Σ_k Z[k, j] e_{B_k} for each j of N.

    Args:
        T: Rows after ``gauss_jordan``.
        pivot: Pivot columns.
        basis: First n − rank rows are written.
        gone: First rank rows are written: −Z, padded with zeros.
        columns: The unknowns kept, then those eliminated, (n,).
        count: Number of rows.
        n: Number of unknowns.

    Returns:
        Whether Z is moderate; everything is written all the same.
    """
    for j in range(n):
        columns[j] = 0
    for k in range(count):
        if pivot[k] >= 0:
            columns[pivot[k]] = 1
    r = 0
    for j in range(n):
        if columns[j] == 0:
            row = basis[r]
            for m in range(n):
                row[m] = 0.0
            row[j] = 1.0
            columns[r] = j
            r += 1
    at, steepest = 0, 0.0
    for k in range(count):
        column = pivot[k]
        if column < 0:
            continue
        row, out = T[k], gone[at]
        for j in range(r):
            out[j] = -row[columns[j]]
            basis[j, column] = out[j]
            steepest = max(steepest, abs(out[j]))
        for j in range(r, gone.shape[1]):
            out[j] = 0.0
        columns[r + at] = column
        at += 1
    return steepest <= STEEP
