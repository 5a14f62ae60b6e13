"""Where a problem and the memory of its solver are: one vector of sizes and addresses.

Handing a dozen arrays to a kernel costs a microsecond; handing over a *table* that was written once
costs a tenth of it. It stays right as long as the arrays stay where they are and keep their size:
those of a stack do (see `footwork.stack.fixed`), those of anybody else are noted at every solve.
"""

from typing import Final

from footwork._numba import B1, I8, IOUT1, IVEC, MAT, VEC, kernel
from footwork.stack._kernels.memory import ints_at, matrix_at, vector_at
from footwork.stack._kernels.workspace import DATA, WORK, Data, Work, carve, float_size, int_size
from footwork.typing import IntVector, Matrix, Vector

TABLE_SIZE: Final = 18
N, ROWS, CONSTRAINTS, LEVELS, SLACKS, FLOATS, INTS = range(7)
"""Entries: unknowns, cost rows, constraint rows, levels, rows that are inequality tasks; addresses
of the workspace's two arrays. The addresses of the problem's arrays follow, in their order."""
ARRAYS: Final = 7


@kernel(B1(I8, I8, IVEC, IVEC, IVEC), counted=False)
def have_levels(
    rows: int, slacks: int, offset: IntVector, c_level: IntVector, c_soft: IntVector
) -> bool:
    """Tell whether offsets ascend over all rows, and whether every level exists.

    Args:
        rows: Cost rows.
        slacks: Rows that are inequality tasks, as the workspace was made for.
        offset: See ``Problem.level_offset``.
        c_level: See ``Problem``.
        c_soft: See ``Problem``.

    Returns:
        Whether they do, and as many rows are inequality tasks.
    """
    levels = offset.size - 1
    good = offset[0] == 0 and offset[levels] == rows
    for k in range(levels):
        good = good and offset[k] <= offset[k + 1]
    lowest, highest, lowest_soft, highest_soft, tasks = 0, 0, 0, -1, 0
    for i in range(c_level.size):
        lowest, highest = min(lowest, c_level[i]), max(highest, c_level[i])
    for i in range(c_soft.size):
        lowest_soft, highest_soft = min(lowest_soft, c_soft[i]), max(highest_soft, c_soft[i])
        tasks += 1 if c_soft[i] >= 0 else 0
    last = max(levels, 1) - 1
    exist = lowest == 0 and highest <= last and lowest_soft >= -1 and highest_soft <= last
    return bool(good and exist and tasks == slacks)


@kernel(B1(VEC, VEC, MAT, VEC, IVEC, MAT, MAT, VEC, VEC, IVEC, IVEC, IOUT1))
def note_problem(
    lower: Vector,
    upper: Vector,
    A: Matrix,
    b: Vector,
    level_offset: IntVector,
    c: Matrix,
    C: Matrix,
    c_lower: Vector,
    c_upper: Vector,
    c_level: IntVector,
    c_soft: IntVector,
    table: IntVector,
) -> bool:
    """Note where the arrays of a problem are, if they are as the workspace was made for.

    A few dozen comparisons, so that no array is ever read or written outside.

    Args:
        lower: See ``Problem``, and so on.
        upper: The same.
        A: The same.
        b: The same.
        level_offset: The same.
        c: The same.
        C: The same.
        c_lower: The same.
        c_upper: The same.
        c_level: The same.
        c_soft: The same.
        table: With the sizes of the workspace; the addresses of the arrays are written.

    Returns:
        Whether every shape, offset and level is as the kernels take it to be.
    """
    n, rows, count, levels = table[N], table[ROWS], table[CONSTRAINTS], table[LEVELS]
    if not (
        level_offset.size == levels + 1
        and lower.size == upper.size == n
        and A.shape == (rows, n)
        and b.size == rows
        and c.shape == (levels, n)
        and C.shape == (count, n)
        and c_lower.size == c_upper.size == c_level.size == c_soft.size == count
        and have_levels(rows, table[SLACKS], level_offset, c_level, c_soft)
    ):
        return False
    table[ARRAYS], table[ARRAYS + 1] = lower.ctypes.data, upper.ctypes.data
    table[ARRAYS + 2], table[ARRAYS + 3] = A.ctypes.data, b.ctypes.data
    table[ARRAYS + 4], table[ARRAYS + 5] = level_offset.ctypes.data, c.ctypes.data
    table[ARRAYS + 6], table[ARRAYS + 7] = C.ctypes.data, c_lower.ctypes.data
    table[ARRAYS + 8], table[ARRAYS + 9] = c_upper.ctypes.data, c_level.ctypes.data
    table[ARRAYS + 10] = c_soft.ctypes.data
    return True


@kernel(DATA(IVEC), forced=True)
def problem_of(table: IntVector) -> Data:
    """See the problem of a table.

    Args:
        table: As `note_problem` left it.

    Returns:
        Views.
    """
    n, rows, count, levels = table[N], table[ROWS], table[CONSTRAINTS], table[LEVELS]
    return Data(
        vector_at(table[ARRAYS], n),
        vector_at(table[ARRAYS + 1], n),
        matrix_at(table[ARRAYS + 2], rows, n),
        vector_at(table[ARRAYS + 3], rows),
        ints_at(table[ARRAYS + 4], levels + 1),
        matrix_at(table[ARRAYS + 5], levels, n),
        matrix_at(table[ARRAYS + 6], count, n),
        vector_at(table[ARRAYS + 7], count),
        vector_at(table[ARRAYS + 8], count),
        ints_at(table[ARRAYS + 9], count),
        ints_at(table[ARRAYS + 10], count),
    )


@kernel(WORK(IVEC), forced=True)
def workspace_of(table: IntVector) -> Work:
    """See the workspace of a table.

    Args:
        table: With sizes and addresses.

    Returns:
        Views.
    """
    n, rows, count = table[N], table[ROWS], table[CONSTRAINTS]
    levels, slacks = table[LEVELS], table[SLACKS]
    floats = vector_at(table[FLOATS], float_size(n, rows, count, slacks))
    ints = ints_at(table[INTS], int_size(n, rows, count, slacks, levels))
    return carve(floats, ints, n, rows, count, slacks, levels)
