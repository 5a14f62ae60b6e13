"""Evaluators of velocity tasks: rows A, feed-forward and error from Pinocchio's live arrays.

Parameters of each are listed where it is; the classes in `footwork.stack.tasks.velocity` fill them.
A *frame block* in ``ints`` is: address of the joint's placement, address of Jᵀ, then the number n
of columns and three lists of n: column of J, component of v, sign (−1 for those that move the
base).
"""

import math

from footwork._numba import F8, I8, IVEC, OUT1, OUT2, VEC, VOID, kernel
from footwork.stack._kernels.lie import (
    chain,
    chain_back,
    log_between,
    place_frame,
    place_given,
    turn,
    turn_back,
)
from footwork.stack._kernels.memory import evaluator, ints_at, matrix_at, vector_at
from footwork.typing import IntVector, Matrix, Vector

# Layout of a frame task's floats; the same in acceleration tasks. Four placements, of which REF is
# the reference's; what a setter writes at one go, and is taken at the next tick: translation and
# quaternion, twist, acceleration, and which of them is the reference.
LOCAL, BASE_LOCAL, REF, GAIN = 0, 12, 24, 36
GIVEN, TWIST, ACC, HAS_REF = 40, 47, 53, 59
WORLD, BASE_WORLD, GOAL, WORK = 60, 72, 84, 96
FRAME_FLOATS = 120

NO_REF, REF_TAKEN, REF_GIVEN = 0.0, 1.0, 2.0
"""Values of ``f[HAS_REF]``: none yet, the placement at REF, the pose at GIVEN."""

# Layout of a frame task's ints.
JOINT, BASE_JOINT, JT, COLUMNS, FIRST_ROW, AXES, COUNT, LISTS = 0, 1, 2, 3, 4, 5, 6, 14
"""Addresses of the two placements (base 0: the world) and of Jᵀ; its rows; first of the six rows
that are wanted, and how they are turned (0 world, 1 base, 2 the frame); number of listed
columns."""


@kernel(VOID(IVEC, OUT1))
def place_both(ints: IntVector, f: Vector) -> None:
    """Place the frame, its base, and the goal of the frame in the world.

    While there is no reference, where the frame is becomes it.
    """
    place_frame(vector_at(ints[JOINT], 12), f, LOCAL, WORLD)
    if ints[BASE_JOINT] != 0:
        place_frame(vector_at(ints[BASE_JOINT], 12), f, BASE_LOCAL, BASE_WORLD)
    if f[HAS_REF] == REF_GIVEN:
        place_given(f, GIVEN, REF)
    elif f[HAS_REF] == NO_REF:
        if ints[BASE_JOINT] != 0:
            chain_back(f, BASE_WORLD, WORLD, REF)
        else:
            for i in range(12):
                f[REF + i] = f[WORLD + i]
    f[HAS_REF] = REF_TAKEN
    if ints[BASE_JOINT] != 0:
        chain(f, BASE_WORLD, REF, GOAL)
    else:
        for i in range(12):
            f[GOAL + i] = f[REF + i]


@kernel(VOID(IVEC, OUT1, OUT2, I8))
def frame_rows(ints: IntVector, f: Vector, J: Matrix, rows: int) -> None:
    """Write the rows of a frame's Jacobian: its twist at its own origin, seen from the base.

    A = Qᵀ (J_frame(p) − J_base(p)) with the axes Q of the world, the base or the frame. Columns
    that move both cancel and are not listed.
    """
    JT_ = matrix_at(ints[JT], ints[COLUMNS], 6)
    n = ints[COUNT]
    first, axes = ints[FIRST_ROW], ints[AXES]
    Q = WORLD if axes == 2 else BASE_WORLD
    px, py, pz = f[WORLD + 9], f[WORLD + 10], f[WORLD + 11]
    for s in range(n):
        to = ints[LISTS + n + s]
        for r in range(rows):
            J[r, to] = 0.0
    for s in range(n):
        c, to, sign = ints[LISTS + s], ints[LISTS + n + s], float(ints[LISTS + 2 * n + s])
        wx, wy, wz = sign * JT_[c, 3], sign * JT_[c, 4], sign * JT_[c, 5]
        vx = sign * JT_[c, 0] + wy * pz - wz * py
        vy = sign * JT_[c, 1] + wz * px - wx * pz
        vz = sign * JT_[c, 2] + wx * py - wy * px
        if axes == 0:
            f[WORK], f[WORK + 1], f[WORK + 2] = vx, vy, vz
            f[WORK + 3], f[WORK + 4], f[WORK + 5] = wx, wy, wz
        else:
            for i in range(3):
                a, b, d = f[Q + i], f[Q + 3 + i], f[Q + 6 + i]
                f[WORK + i] = a * vx + b * vy + d * vz
                f[WORK + 3 + i] = a * wx + b * wy + d * wz
        for r in range(rows):
            J[r, to] += f[WORK + first + r]


@kernel(VOID(IVEC, OUT1))
def frame_error(ints: IntVector, f: Vector) -> None:
    """Write error (6 from WORK on) and turned reference twist (6 from WORK + 6 on).

    e = Qᵀ (p_goal − p; γ log(R_goal Rᵀ)), γ the orientation gain.
    """
    axes = ints[AXES]
    for i in range(3):
        f[WORK + i] = f[GOAL + 9 + i] - f[WORLD + 9 + i]
    log_between(f, WORLD, GOAL, WORK + 3)
    for i in range(3):
        f[WORK + 3 + i] *= f[GAIN]
    for i in range(6):
        f[WORK + 6 + i] = f[TWIST + i]
    if axes == 0:
        return
    Q = WORLD if axes == 2 else BASE_WORLD
    turn_back(f, Q, WORK)
    turn_back(f, Q, WORK + 3)
    if axes == 2:  # the twist is given in the base's axes
        if ints[BASE_JOINT] != 0:
            turn(f, BASE_WORLD, TWIST, WORK + 6)
            turn(f, BASE_WORLD, TWIST + 3, WORK + 9)
        turn_back(f, WORLD, WORK + 6)
        turn_back(f, WORLD, WORK + 9)


def cartesian(ints: int, floats: int, J: int, stride: int, out: int) -> None:
    """Frame task: A v = twist + λ e. ints: frame block; entry COUNT + 1 is the number of rows."""
    p = ints_at(ints, LISTS)
    p = ints_at(ints, LISTS + 3 * p[COUNT])
    f = vector_at(floats, FRAME_FLOATS)
    rows = p[COUNT + 1]
    place_both(p, f)
    frame_rows(p, f, matrix_at(J, rows, stride), rows)
    frame_error(p, f)
    terms = matrix_at(out, 3, rows)
    first = p[FIRST_ROW]
    for r in range(rows):
        terms[0, r] = f[WORK + 6 + first + r]
        terms[1, r] = f[WORK + first + r]
        f[TWIST + first + r] = 0.0


def contact(ints: int, floats: int, J: int, stride: int, out: int) -> None:
    """Frame that must not move: A = K Qᵀ J, b = 0. floats: as `cartesian`, then K by rows (36)."""
    p = ints_at(ints, LISTS)
    p = ints_at(ints, LISTS + 3 * p[COUNT])
    f = vector_at(floats, FRAME_FLOATS + 36)
    place_both(p, f)
    A = matrix_at(J, 6, stride)
    frame_rows(p, f, A, 6)
    if p[COUNT + 2] == 0:
        return
    for s in range(p[COUNT]):
        to = p[LISTS + p[COUNT] + s]
        for r in range(6):
            total = 0.0
            for k in range(6):
                total += f[FRAME_FLOATS + 6 * r + k] * A[k, to]
            f[WORK + r] = total
        for r in range(6):
            A[r, to] = f[WORK + r]


def com(ints: int, floats: int, J: int, stride: int, out: int) -> None:
    """Centre of mass: J_com v = v_ref + λ (c_ref − c).

    ints: addresses of Jcomᵀ and of c, nv. floats: c_ref (3), v_ref (3), whether c_ref is set.
    """
    p = ints_at(ints, 3)
    f = vector_at(floats, 7)
    nv = p[2]
    JT_ = matrix_at(p[0], nv, 3)
    c = vector_at(p[1], 3)
    A = matrix_at(J, 3, stride)
    terms = matrix_at(out, 3, 3)
    for j in range(nv):
        A[0, j], A[1, j], A[2, j] = JT_[j, 0], JT_[j, 1], JT_[j, 2]
    for r in range(3):
        if f[6] == 0.0:
            f[r] = c[r]
        terms[0, r] = f[3 + r]
        terms[1, r] = f[r] - c[r]
        f[3 + r] = 0.0
    f[6] = 1.0


@kernel(F8(VEC, VEC, I8, I8))
def angle_between(q: Vector, goal: Vector, i: int, size: int) -> float:
    """Displacement of one joint from q to goal; a continuous joint goes the short way round."""
    if size == 1:
        return float(goal[i] - q[i])
    sine = q[i] * goal[i + 1] - q[i + 1] * goal[i]
    cosine = q[i] * goal[i] + q[i + 1] * goal[i + 1]
    angle: float = math.atan2(sine, cosine)
    return angle


@kernel(VOID(VEC, OUT1, I8))
def _rotation(q: Vector, f: Vector, out: int) -> None:
    """Write the rotation matrix of the quaternion q[3:7], by rows."""
    x, y, z, w = q[3], q[4], q[5], q[6]
    f[out], f[out + 1], f[out + 2] = (
        1 - 2 * (y * y + z * z),
        2 * (x * y - w * z),
        2 * (x * z + w * y),
    )
    f[out + 3], f[out + 4], f[out + 5] = (
        2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)
    )  # fmt: skip
    f[out + 6], f[out + 7], f[out + 8] = (
        2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)
    )  # fmt: skip


@kernel(VOID(VEC, VEC, OUT1))
def base_difference(q: Vector, goal: Vector, f: Vector) -> None:
    """Write pin.difference of two free joints: log₆(T⁻¹ T_goal) in the base's axes, to f[24:30].

    v = t − ½ φ×t + β φ×(φ×t), β = (1 − (θ/2) cot(θ/2)) / θ².
    """
    _rotation(q, f, 0)
    _rotation(goal, f, 12)
    for i in range(3):
        f[9 + i] = q[i]
        f[30 + i] = goal[i] - q[i]
    log_between(f, 0, 12, 27)
    turn_back(f, 0, 27)
    turn_back(f, 0, 30)
    wx, wy, wz = f[27], f[28], f[29]
    tx, ty, tz = f[30], f[31], f[32]
    theta2 = wx * wx + wy * wy + wz * wz
    half = 0.5 * math.sqrt(theta2)
    if theta2 < 1e-6:
        beta = (1.0 + theta2 / 60.0) / 12.0
    else:
        beta = (1.0 - half * math.cos(half) / math.sin(half)) / theta2
    cx, cy, cz = wy * tz - wz * ty, wz * tx - wx * tz, wx * ty - wy * tx
    f[24] = tx - 0.5 * cx + beta * (wy * cz - wz * cy)
    f[25] = ty - 0.5 * cy + beta * (wz * cx - wx * cz)
    f[26] = tz - 0.5 * cz + beta * (wx * cy - wy * cx)


def postural(ints: int, floats: int, J: int, stride: int, out: int) -> None:
    """Posture: v_i = v_ref,i + λ (q_ref ⊖ q)_i. J is constant and was written once.

    ints: address of q, nq, rows, whether the first six rows are a free base, then for every other
    row its position in q and its size there. floats: v_ref (rows), q_ref (nq), work (36), whether
    q_ref is set.
    """
    p = ints_at(ints, 4)
    nq, rows, base = p[1], p[2], p[3]
    p = ints_at(ints, 4 + 2 * rows)
    f = vector_at(floats, rows + nq + 37)
    q = vector_at(p[0], nq)
    goal = f[rows : rows + nq]
    if f[rows + nq + 36] == 0.0:
        f[rows + nq + 36] = 1.0
        for i in range(nq):
            goal[i] = q[i]
    terms = matrix_at(out, 3, rows)
    first = 0
    if base != 0:
        work = f[rows + nq : rows + nq + 36]
        base_difference(q, goal, work)
        for r in range(6):
            terms[1, r] = work[24 + r]
        first = 6
    for r in range(first, rows):
        terms[1, r] = angle_between(q, goal, p[4 + 2 * r], p[5 + 2 * r])
    for r in range(rows):
        terms[0, r] = f[r]
        f[r] = 0.0


def momentum(ints: int, floats: int, J: int, stride: int, out: int) -> None:
    """Centroidal momentum: A v = h_ref, three rows of the centroidal momentum matrix.

    ints: address of Agᵀ, nv, first row. floats: h_ref (3), zeroed when consumed.
    """
    p = ints_at(ints, 3)
    f = vector_at(floats, 3)
    nv, first = p[1], p[2]
    AT = matrix_at(p[0], nv, 6)
    A = matrix_at(J, 3, stride)
    terms = matrix_at(out, 3, 3)
    for j in range(nv):
        for r in range(3):
            A[r, j] = AT[j, first + r]
    for r in range(3):
        terms[0, r] = f[r]
        f[r] = 0.0


CARTESIAN = evaluator(cartesian)
CONTACT = evaluator(contact)
COM = evaluator(com)
POSTURAL = evaluator(postural)
MOMENTUM = evaluator(momentum)
