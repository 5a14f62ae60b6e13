"""Products with the leading part of a matrix, four rows at a time.

For the sizes of a robot these beat a BLAS call for matrix times vector; for matrix times matrix see
`tiles`.
"""

# Four rows share one pass over the vector: that is what the unrolling is for.

from footwork._numba import F8, I8, IOUT1, IVEC, MAT, OUT1, OUT2, VEC, VOID, kernel
from footwork.typing import IntVector, Matrix, Vector


@kernel(F8(VEC, VEC, I8), fast=True, counted=False)
def dot(a: Vector, b: Vector, n: int) -> float:
    """Multiply the first entries of two vectors.

    Args:
        a: First vector.
        b: Second vector.
        n: Number of entries.

    Returns:
        Σ a_i b_i.
    """
    total = 0.0
    for i in range(n):
        total += a[i] * b[i]
    return total


@kernel(VOID(MAT, VEC, I8, I8, OUT1), fast=True, counted=False)
def multiply(A: Matrix, x: Vector, rows: int, width: int, out: Vector) -> None:
    """Fill out = A x over the leading block.

    Args:
        A: Matrix.
        x: Vector.
        rows: Rows of the block.
        width: Columns of the block.
        out: Written.
    """
    i = 0
    while i + 4 <= rows:
        a, b, c, d = A[i], A[i + 1], A[i + 2], A[i + 3]
        s, t, u, v = 0.0, 0.0, 0.0, 0.0
        for m in range(width):
            e = x[m]
            s += a[m] * e
            t += b[m] * e
            u += c[m] * e
            v += d[m] * e
        out[i], out[i + 1], out[i + 2], out[i + 3] = s, t, u, v
        i += 4
    while i < rows:
        out[i] = dot(A[i], x, width)
        i += 1


@kernel(VOID(MAT, VEC, F8, I8, I8, OUT1), fast=True, counted=False)
def add_transposed(A: Matrix, x: Vector, factor: float, rows: int, width: int, out: Vector) -> None:
    """Add factor · Aᵀ x over the leading block.

    Args:
        A: Matrix.
        x: Vector.
        factor: Number.
        rows: Rows of the block.
        width: Columns of the block.
        out: Added to.
    """
    i = 0
    while i + 4 <= rows:
        a, b, c, d = A[i], A[i + 1], A[i + 2], A[i + 3]
        s, t, u, v = factor * x[i], factor * x[i + 1], factor * x[i + 2], factor * x[i + 3]
        for m in range(width):
            out[m] += s * a[m] + t * b[m] + u * c[m] + v * d[m]
        i += 4
    while i < rows:
        a, s = A[i], factor * x[i]
        for m in range(width):
            out[m] += s * a[m]
        i += 1


@kernel(VOID(MAT, IVEC, VEC, I8, I8, I8, OUT1), fast=True, counted=False)
def multiply_rows(
    A: Matrix, single: IntVector, x: Vector, first: int, last: int, width: int, out: Vector
) -> None:
    """Fill out = A x over some rows, of which some have a single entry.

    Args:
        A: Matrix.
        single: By row: the column of its only entry, or −1 if it has several.
        x: Vector.
        first: First row.
        last: Row after the last.
        width: Columns.
        out: Written, from its start.
    """
    i = first
    while i < last:
        j = single[i]
        if j >= 0:
            out[i - first] = A[i, j] * x[j]
            i += 1
            continue
        stop = i + 1
        while stop < last and single[stop] < 0:
            stop += 1
        multiply(A[i:stop], x, stop - i, width, out[i - first :])
        i = stop


@kernel(VOID(MAT, IVEC, VEC, I8, I8, I8, OUT1), fast=True, counted=False)
def add_transposed_rows(
    A: Matrix, single: IntVector, x: Vector, first: int, last: int, width: int, out: Vector
) -> None:
    """Add Aᵀ x over some rows, of which some have a single entry.

    Args:
        A: Matrix.
        single: By row: the column of its only entry, or −1 if it has several.
        x: One entry a row, from its start.
        first: First row.
        last: Row after the last.
        width: Columns.
        out: Added to.
    """
    i = first
    while i < last:
        j = single[i]
        if j >= 0:
            out[j] += A[i, j] * x[i - first]
            i += 1
            continue
        stop = i + 1
        while stop < last and single[stop] < 0:
            stop += 1
        add_transposed(A[i:stop], x[i - first :], 1.0, stop - i, width, out)
        i = stop


@kernel(VOID(OUT2, VEC, F8, VEC, I8, I8, I8), fast=True, counted=False)
def add_outer(
    A: Matrix, x: Vector, factor: float, y: Vector, first: int, last: int, width: int
) -> None:
    """Add factor · x yᵀ to some rows.

    Args:
        A: Added to.
        x: One entry a row.
        factor: Number.
        y: One entry a column.
        first: First row.
        last: Row after the last.
        width: Number of columns.
    """
    i = first
    while i + 4 <= last:
        a, b, c, d = A[i], A[i + 1], A[i + 2], A[i + 3]
        s, t, u, v = factor * x[i], factor * x[i + 1], factor * x[i + 2], factor * x[i + 3]
        for m in range(width):
            e = y[m]
            a[m] += s * e
            b[m] += t * e
            c[m] += u * e
            d[m] += v * e
        i += 4
    while i < last:
        a, s = A[i], factor * x[i]
        for m in range(width):
            a[m] += s * y[m]
        i += 1


@kernel(VOID(VEC, OUT1, I8), counted=False)
def copy_to(source: Vector, out: Vector, n: int) -> None:
    """Copy the first entries of a vector.

    Args:
        source: Vector.
        out: Written.
        n: Number of entries.
    """
    for i in range(n):
        out[i] = source[i]


@kernel(VOID(IOUT1), counted=False)
def clear(out: IntVector) -> None:
    """Fill with zeros.

    Args:
        out: Written.
    """
    for i in range(out.size):
        out[i] = 0


@kernel(VOID(OUT2), counted=False)
def set_zero(out: Matrix) -> None:
    """Fill a matrix with zeros, in one go.

    Args:
        out: Written.
    """
    flat = out.reshape(out.size)
    for i in range(flat.size):
        flat[i] = 0.0
