"""Memory of the solver kernels: two flat arrays, carved into named parts.

A caller keeps one float and one integer array per solver; the kernels carve them at every call,
which costs little and keeps the interface to two arguments.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numba import types
from numpy.typing import NDArray

from footwork._numba import I8, IOUT1, IOUT2, OUT1, OUT2, kernel
from footwork.stack._kernels.tiles import padded
from footwork.typing import IntVector, Matrix, Vector

IntMatrix: TypeAlias = NDArray[np.int64]


class Data(NamedTuple):
    """The problem as kernels see it; ``stack.solvers.problem.Problem`` says what each part is."""

    lower: Vector
    upper: Vector
    A: Matrix
    b: Vector
    level_offset: IntVector
    c: Matrix
    C: Matrix
    c_lower: Vector
    c_upper: Vector
    c_level: IntVector
    c_soft: IntVector


class Work(NamedTuple):
    """Parts of the workspace; n unknowns, K rows, s slacks, N = n + s, L levels.

    ``J`` is padded to whole tiles.

    Attributes:
        basis: Orthonormal rows that span the free directions, (n, n), first ``state[FREE]``; not
            written while it is the identity, see ``write_identity``.
        J: Rows with J H Jᵀ = 1; the first ``state[COUNT]`` span the active set, (≥ N, ≥ N).
        R: Triangle of the active set, J Nᵀ = [R; 0], (N, N).
        gone: Eliminated unknowns by those kept, one row each: x_B = t + gone x_N, (n, ≥ n).
        rows: Scratch of one level's rows in the free directions, flat.
        scratch: Scratch of the factors, flat.
        turn: Scratch of the tiles, (14,).
        scale: Norm of each of those rows before projection.
        x: Point and slacks, (N,).
        best: Point of the last level solved, (n,).
        gradient: Of the level's cost, (N,).
        d: J times something, (N,).
        u: Multipliers of the active set, (N,).
        r: Scratch, (N,).
        z: Scratch, (N,).
        start: Point from which the level moves in the free directions, (N,).
        sign: +1 at the lower side, −1 at the upper side, of the active set, (N,).
        y: Values of the rows, (K,).
        lo: Lower sides now in force, bounds first, (n + K,).
        hi: Upper sides now in force, (n + K,).
        multiplier: By constraint, (n + K,).
        residual: Scratch of A x − b of one level, (M,).
        order: Scratch: where each row of one level came from.
        columns: Unknowns kept by elimination, then those eliminated, (n,).
        single: By cost row: the unknown of its only entry; negative if it has several, or has not
            been looked at: −2 − the unknown of the last solve, or −1, (M,).
        act: Active set in order, (N,).
        flag: By constraint: 0 free, 1 active, 2 left out, (n + K,).
        active: By constraint: 0 or ±(level + 1), (n + K,).
        slack: By row: its slack of this level, or −1, (K,).
        warm: Active set of each level at the last solve, ±(index + 1), (L + 1, N).
        warm_count: Their sizes, (L + 1,).
        state: Counters, see the constants below.
    """

    basis: Matrix
    J: Matrix
    R: Matrix
    gone: Matrix
    rows: Vector
    scratch: Vector
    turn: Vector
    scale: Vector
    x: Vector
    best: Vector
    gradient: Vector
    d: Vector
    u: Vector
    r: Vector
    z: Vector
    start: Vector
    sign: Vector
    y: Vector
    lo: Vector
    hi: Vector
    multiplier: Vector
    residual: Vector
    order: IntVector
    columns: IntVector
    single: IntVector
    act: IntVector
    flag: IntVector
    active: IntVector
    slack: IntVector
    warm: IntMatrix
    warm_count: IntVector
    state: IntVector


STATE_SIZE = 11
FREE, COUNT, SLACKS, ITERATIONS, WORST, RANK, IDENTITY, BLOCKING, OBLIQUE = range(9)
KNOWN, CARRIED = 9, 10
"""Entries of ``Work.state``: free directions, active set, slacks, iterations, culprit ±(index + 1),
rank of the level, whether the basis is the identity, active constraint that stops a dual step,
whether the basis is oblique, as elimination left it (see ``columns``), level + 1 whose A x − b
``residual`` holds (0: none), whether the last column of J is J times the gradient at the start."""
CACHE_LINE = 8
"""Floats in one: the matrices that are worked on by tiles start where one starts."""
HEADER = 8
"""Leading entries of the integer output, see ``Solution``."""

DATA = types.NamedTuple([OUT1, OUT1, OUT2, OUT1, IOUT1, OUT2, OUT2, OUT1, OUT1, IOUT1, IOUT1], Data)
WORK = types.NamedTuple([OUT2] * 4 + [OUT1] * 18 + [IOUT1] * 7 + [IOUT2, IOUT1, IOUT1], Work)


@kernel(I8(I8, I8, I8, I8))
def float_size(n: int, rows: int, constraints: int, slacks: int) -> int:
    """Count the floats of a workspace.

    Args:
        n: Unknowns.
        rows: Cost rows of all levels.
        constraints: Constraint rows.
        slacks: Rows that are inequality tasks.

    Returns:
        Length of the float array.
    """
    full, wide = padded(n + slacks), padded(n)
    most = max(rows + slacks, n + constraints) + 2
    packed = (2 * most + n + 8 + padded(rows)) * full
    matrices = padded(n * n) + padded((n + slacks) ** 2) + n * wide + 7 * full * full
    return matrices + packed + 14 + 5 * most + 8 * full + n + 4 * (n + constraints)


@kernel(I8(I8, I8, I8, I8, I8))
def int_size(n: int, rows: int, constraints: int, slacks: int, levels: int) -> int:
    """Count the integers of a workspace.

    Args:
        n: Unknowns.
        rows: Cost rows of all levels.
        constraints: Constraint rows.
        slacks: Rows that are inequality tasks.
        levels: Levels.

    Returns:
        Length of the integer array; zeros in it are a fresh start.
    """
    full = n + slacks
    most = max(rows + slacks, n + constraints) + 2
    start = (levels + 1) * full + levels + 1
    return start + full + 2 * n + 3 * constraints + STATE_SIZE + most + n + rows


@kernel(OUT2(OUT1, I8, I8, I8), inline=True)
def matrix_at(flat: Vector, start: int, rows: int, columns: int) -> Matrix:
    """View a part of a flat array as a matrix.

    Args:
        flat: The flat array.
        start: First entry.
        rows: Number of rows.
        columns: Number of columns.

    Returns:
        A contiguous view.
    """
    return flat[start : start + rows * columns].reshape((rows, columns))


@kernel(WORK(OUT1, IOUT1, I8, I8, I8, I8, I8), counted=False, forced=True)
def carve(
    floats: Vector, ints: IntVector, n: int, rows: int, constraints: int, slacks: int, levels: int
) -> Work:
    """Name the parts of a workspace.

    Args:
        floats: At least ``float_size`` long.
        ints: At least ``int_size`` long; the warm start lives here.
        n: Unknowns.
        rows: Cost rows of all levels.
        constraints: Constraint rows.
        slacks: Rows that are inequality tasks.
        levels: Levels.

    Returns:
        Views.
    """
    full, total = n + slacks, n + constraints
    most, high, wide = max(rows + slacks, total) + 2, padded(full), padded(n)
    basis = matrix_at(floats, 0, n, n)
    at = padded(n * n)
    J = matrix_at(floats, at, high, high)
    at += high * high
    R = matrix_at(floats, at, full, full)
    at += padded(full * full)
    gone = matrix_at(floats, at, n, wide)
    at += n * wide
    size = (2 * most + n + 8 + padded(rows)) * high
    flat = floats[at : at + size]
    at += size
    # Pivoting keeps three numbers for each row behind the reflections.
    scratch = floats[at : at + 6 * high * high + 3 * most]
    at += 6 * high * high + 3 * most
    turn = floats[at : at + 14]
    at += 14
    scale = floats[at : at + most]
    at += most
    residual = floats[at : at + most]
    at += most
    vectors = matrix_at(floats, at, 8, high)
    at += 8 * high
    best = floats[at : at + n]
    at += n
    sides = matrix_at(floats, at, 4, total)
    # The warm start comes first, so that its place does not move with the rest.
    warm = ints[: (levels + 1) * full].reshape((levels + 1, full))
    k = (levels + 1) * full
    warm_count = ints[k : k + levels + 1]
    k += levels + 1
    act = ints[k : k + full]
    k += full
    flags = ints[k : k + 2 * total].reshape((2, total))
    k += 2 * total
    slack = ints[k : k + constraints]
    k += constraints
    state = ints[k : k + STATE_SIZE]
    k += STATE_SIZE
    order = ints[k : k + most]
    k += most
    columns = ints[k : k + n]
    single = ints[k + n : k + n + rows]
    return Work(
        basis, J, R, gone, flat,
        scratch, turn, scale, vectors[0], best, vectors[1], vectors[2], vectors[3],
        vectors[4], vectors[5], vectors[7], vectors[6], sides[3][:constraints], sides[0], sides[1],
        sides[2], residual, order, columns, single, act, flags[0], flags[1], slack, warm,
        warm_count, state,
    )  # fmt: skip


def allocate(
    n: int, rows: int, constraints: int, slacks: int, levels: int
) -> tuple[Vector, IntVector]:
    """Make a workspace; zeros in the integer array are a fresh start.

    Args:
        n: Unknowns.
        rows: Cost rows of all levels.
        constraints: Constraint rows.
        slacks: Rows that are inequality tasks.
        levels: Levels.

    Returns:
        The float and the integer array.
    """
    size = float_size(n, rows, constraints, slacks)
    floats = np.zeros(size + CACHE_LINE)
    first = -(floats.ctypes.data // 8) % CACHE_LINE
    ints = np.zeros(int_size(n, rows, constraints, slacks, levels), dtype=np.int64)
    return floats[first : first + size], ints
