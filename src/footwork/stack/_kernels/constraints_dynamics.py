"""Evaluators of the equation of motion: M a + h − Σ Jᵀ f = (0 ; τ), with forces at contacts.

ints    addresses of Mᵀ and h, nv, address of Jᵀ and its rows, first row of the equation,
number of
rows, number of contacts; then a *contact block* for each
block   address of the joint's placement, 1 for a wrench or 0 for point forces, number of
points,
first column of its forces, index of its floats, 1 if its axes are the frame's own,
number n of columns, then the columns of J and the components of v (n each)
floats  what the evaluator says; then for each contact T_joint_frame (12), work (12), axes of
the
forces R_world_axes (9, by rows), its points in the frame (3 each) and work (3 each)
"""

from footwork._numba import I8, IVEC, OUT1, OUT2, VOID, kernel
from footwork.stack._kernels.lie import place_frame
from footwork.stack._kernels.memory import evaluator, ints_at, matrix_at, vector_at
from footwork.typing import IntVector, Matrix, Vector

HEADER = 8
BLOCK = 7
AXES_AT, POINTS_AT = 24, 33


@kernel(VOID(IVEC, I8, OUT1))
def place_contact(p: IntVector, at: int, f: Vector) -> None:
    """Place a contact's frame and points in the world, and its axes if they turn with it."""
    g, points = p[at + 4], p[at + 2]
    place_frame(vector_at(p[at], 12), f, g, g + 12)
    if p[at + 5] != 0:
        for i in range(9):
            f[g + AXES_AT + i] = f[g + 12 + i]
    local = g + POINTS_AT
    world = local + 3 * points
    for k in range(points):
        x, y, z = f[local + 3 * k], f[local + 3 * k + 1], f[local + 3 * k + 2]
        for i in range(3):
            R = g + 12 + 3 * i
            f[world + 3 * k + i] = f[g + 21 + i] + f[R] * x + f[R + 1] * y + f[R + 2] * z


@kernel(VOID(IVEC, I8, OUT1, OUT2))
def force_columns(p: IntVector, at: int, f: Vector, J: Matrix) -> None:
    """Write −Jᵀ of one contact into the rows of the equation that it reaches.

    A point force in axes G adds Gᵀ (v_c + ω_c × p) for column c; a wrench at the frame's origin
    adds Gᵀ ω_c as well.
    """
    JT = matrix_at(p[3], p[4], 6)
    first, rows = p[5], p[6]
    wrench, points, column, g, n = p[at + 1], p[at + 2], p[at + 3], p[at + 4], p[at + 6]
    world = g + POINTS_AT + 3 * points
    G = g + AXES_AT
    width = 6 if wrench != 0 else 3 * points
    for s in range(n):
        r = p[at + BLOCK + n + s] - first
        if r >= 0 and r < rows:
            for k in range(width):
                J[r, column + k] = 0.0
    for s in range(n):
        r = p[at + BLOCK + n + s] - first
        if r < 0 or r >= rows:
            continue
        c = p[at + BLOCK + s]
        wx, wy, wz = JT[c, 3], JT[c, 4], JT[c, 5]
        for k in range(points):
            x, y, z = f[world + 3 * k], f[world + 3 * k + 1], f[world + 3 * k + 2]
            vx = JT[c, 0] + wy * z - wz * y
            vy = JT[c, 1] + wz * x - wx * z
            vz = JT[c, 2] + wx * y - wy * x
            for i in range(3):
                J[r, column + 3 * k + i] -= f[G + i] * vx + f[G + 3 + i] * vy + f[G + 6 + i] * vz
        if wrench != 0:
            for i in range(3):
                J[r, column + 3 + i] -= f[G + i] * wx + f[G + 3 + i] * wy + f[G + 6 + i] * wz


@kernel(VOID(IVEC, OUT1, OUT2))
def motion_rows(p: IntVector, f: Vector, J: Matrix) -> None:
    """Write [M, −J₁ᵀ, −J₂ᵀ …] for the wanted rows of the equation of motion."""
    nv, first, rows = p[2], p[5], p[6]
    MT = matrix_at(p[0], nv, nv)
    for r in range(rows):
        i = first + r
        for j in range(i + 1):
            J[r, j] = MT[i, j]
        for j in range(i + 1, nv):
            J[r, j] = MT[j, i]
    at = HEADER
    for _ in range(p[7]):
        place_contact(p, at, f)
        force_columns(p, at, f, J)
        at += BLOCK + 2 * p[at + 6]


@kernel(I8(I8))
def ints_size(ints: int) -> int:
    """Count the integers that an equation's evaluator has."""
    count = ints_at(ints, HEADER)[7]
    size = HEADER
    for _ in range(count):
        size += BLOCK + 2 * ints_at(ints, size + BLOCK)[size + 6]
    return size


@kernel(I8(IVEC, I8))
def floats_size(p: IntVector, own: int) -> int:
    """Count the floats of an equation's evaluator, ``own`` before those of the contacts."""
    size = own
    at = HEADER
    for _ in range(p[7]):
        size += POINTS_AT + 6 * p[at + 2]
        at += BLOCK + 2 * p[at + 6]
    return size


def feasibility_task(ints: int, floats: int, J: int, stride: int, out: int) -> None:
    """Rows of the floating base as a task: M_b a − Σ J_bᵀ f = −h_b."""
    p = ints_at(ints, ints_size(ints))
    f = vector_at(floats, floats_size(p, 0))
    rows, first = p[6], p[5]
    motion_rows(p, f, matrix_at(J, rows, stride))
    h = vector_at(p[1], p[2])
    terms = matrix_at(out, 3, rows)
    for r in range(rows):
        terms[0, r] = -h[first + r]


def feasibility(ints: int, floats: int, J: int, stride: int, out: int) -> None:
    """Rows of the floating base as an equality: M_b a − Σ J_bᵀ f = −h_b."""
    p = ints_at(ints, ints_size(ints))
    f = vector_at(floats, floats_size(p, 0))
    rows, first = p[6], p[5]
    motion_rows(p, f, matrix_at(J, rows, stride))
    h = vector_at(p[1], p[2])
    sides = matrix_at(out, 2, rows)
    for r in range(rows):
        sides[0, r] = -h[first + r]
        sides[1, r] = -h[first + r]


def torque_limits(ints: int, floats: int, J: int, stride: int, out: int) -> None:
    """Rows of the joints: −τ_max − h ≤ M a − Σ Jᵀ f ≤ τ_max − h. floats: τ_max (rows) first."""
    p = ints_at(ints, ints_size(ints))
    rows, first = p[6], p[5]
    f = vector_at(floats, floats_size(p, rows))
    motion_rows(p, f, matrix_at(J, rows, stride))
    h = vector_at(p[1], p[2])
    sides = matrix_at(out, 2, rows)
    for r in range(rows):
        sides[0, r] = -f[r] - h[first + r]
        sides[1, r] = f[r] - h[first + r]


def force_bounds(ints: int, floats: int, J: int, stride: int, out: int) -> None:
    """Box of a contact's forces, which opens and closes smoothly.

    With s in [0, 1] how far it is open: s = 1 gives the plain limits, s = 0 all zero, between them
    the limits of the largest force times s², which starts gently. s moves one step a tick.

    ints: number k of forces. floats: lower (k), upper (k) of the open contact, largest force, s,
    its step, its goal.
    """
    k = ints_at(ints, 1)[0]
    f = vector_at(floats, 2 * k + 4)
    largest, s, step, goal = f[2 * k], f[2 * k + 1], f[2 * k + 2], f[2 * k + 3]
    if s < goal:
        s = min(goal, s + step)
    elif s > goal:
        s = max(goal, s - step)
    f[2 * k + 1] = s
    sides = matrix_at(out, 2, k)
    for i in range(k):
        if s >= 1.0:
            sides[0, i], sides[1, i] = f[i], f[k + i]
        else:
            sides[0, i] = max(f[i], -largest) * s * s
            sides[1, i] = min(f[k + i], largest) * s * s


FEASIBILITY_TASK = evaluator(feasibility_task)
FEASIBILITY = evaluator(feasibility)
TORQUE_LIMITS = evaluator(torque_limits)
FORCE_BOUNDS = evaluator(force_bounds)
