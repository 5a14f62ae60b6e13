"""Evaluators of acceleration tasks: rows A, feed-forward, error and error rate.

The drift (acceleration at zero joint acceleration, J̇ v) comes from Pinocchio's joint accelerations
after computeAllTerms. b = a_ref − drift + λ Kp e + √λ Kd ė. Frame blocks are those of
`footwork.stack._kernels.tasks_velocity`.
"""

from footwork._numba import F8, I8, IVEC, OUT1, VEC, VOID, kernel
from footwork.stack._kernels.lie import turn, turn_back
from footwork.stack._kernels.memory import evaluator, ints_at, matrix_at, vector_at
from footwork.stack._kernels.tasks_velocity import (
    ACC,
    AXES,
    BASE_JOINT,
    BASE_LOCAL,
    BASE_WORLD,
    COUNT,
    FIRST_ROW,
    FRAME_FLOATS,
    JOINT,
    LISTS,
    LOCAL,
    TWIST,
    WORK,
    WORLD,
    angle_between,
    base_difference,
    frame_error,
    frame_rows,
    place_both,
)
from footwork.typing import IntVector, Vector

GRAVITY = 9.81
"""[m/s²], Pinocchio's default."""

# Layout of a frame task's further floats.
KP, KD = FRAME_FLOATS, FRAME_FLOATS + 6
HOLD, DAMPING, MOTION = FRAME_FLOATS + 12, FRAME_FLOATS + 13, FRAME_FLOATS + 14
BASE_MOTION = MOTION + 12
ACC_FLOATS = BASE_MOTION + 12

V, A, BASE_V, BASE_A, OPENING = 9, 10, 11, 12, 13
"""Entries of a frame block: addresses of velocity and drift of the joint and of the base's, and of
the opening of the frame's contact (0: none, hold is its own)."""


@kernel(VOID(VEC, VEC, VEC, OUT1, I8, I8))
def frame_motion(oMi: Vector, v: Vector, a: Vector, f: Vector, local: int, out: int) -> None:
    """Write velocity and drift of a frame at its own origin, in world axes.

    In the joint's axes, with t the frame's origin: v_p = v + ω × t, a_p = a + α × t + ω × v_p.

    Args:
        oMi: Placement of the joint.
        v: Spatial velocity of the joint in its own axes, linear first.
        a: Spatial drift acceleration of the joint in its own axes.
        f: Array of placements.
        local: Index of T_joint_frame.
        out: Index of twelve entries: v, ω, a, α.
    """
    tx, ty, tz = f[local + 9], f[local + 10], f[local + 11]
    wx, wy, wz = v[3], v[4], v[5]
    vx, vy, vz = v[0] + wy * tz - wz * ty, v[1] + wz * tx - wx * tz, v[2] + wx * ty - wy * tx
    ax = a[0] + a[4] * tz - a[5] * ty + wy * vz - wz * vy
    ay = a[1] + a[5] * tx - a[3] * tz + wz * vx - wx * vz
    az = a[2] + a[3] * ty - a[4] * tx + wx * vy - wy * vx
    for i in range(3):
        p, q, r = oMi[i], oMi[3 + i], oMi[6 + i]
        f[out + i] = p * vx + q * vy + r * vz
        f[out + 3 + i] = p * wx + q * wy + r * wz
        f[out + 6 + i] = p * ax + q * ay + r * az
        f[out + 9 + i] = p * a[3] + q * a[4] + r * a[5]


@kernel(VOID(OUT1))
def subtract_base(f: Vector) -> None:
    """Turn velocity and drift of the frame into those seen from the moving base.

    v' = v − v_b − ω_b × r,  a' = a − a_b − α_b × r − ω_b × (ω_b × r) − 2 ω_b × v',
    ω' = ω − ω_b,  α' = α − α_b − ω_b × ω',  r from base to frame.
    """
    m, b = MOTION, BASE_MOTION
    rx = f[WORLD + 9] - f[BASE_WORLD + 9]
    ry = f[WORLD + 10] - f[BASE_WORLD + 10]
    rz = f[WORLD + 11] - f[BASE_WORLD + 11]
    wx, wy, wz = f[b + 3], f[b + 4], f[b + 5]
    lx, ly, lz = f[b + 9], f[b + 10], f[b + 11]
    sx, sy, sz = wy * rz - wz * ry, wz * rx - wx * rz, wx * ry - wy * rx
    vx, vy, vz = f[m] - f[b] - sx, f[m + 1] - f[b + 1] - sy, f[m + 2] - f[b + 2] - sz
    ux, uy, uz = f[m + 3] - wx, f[m + 4] - wy, f[m + 5] - wz
    f[m + 6] -= f[b + 6] + ly * rz - lz * ry + wy * sz - wz * sy + 2.0 * (wy * vz - wz * vy)
    f[m + 7] -= f[b + 7] + lz * rx - lx * rz + wz * sx - wx * sz + 2.0 * (wz * vx - wx * vz)
    f[m + 8] -= f[b + 8] + lx * ry - ly * rx + wx * sy - wy * sx + 2.0 * (wx * vy - wy * vx)
    f[m + 9] -= lx + wy * uz - wz * uy
    f[m + 10] -= ly + wz * ux - wx * uz
    f[m + 11] -= lz + wx * uy - wy * ux
    f[m], f[m + 1], f[m + 2] = vx, vy, vz
    f[m + 3], f[m + 4], f[m + 5] = ux, uy, uz


@kernel(VOID(IVEC, OUT1))
def relative_motion(p: IntVector, f: Vector) -> None:
    """Write velocity and drift of the frame from MOTION on, in the axes of the rows."""
    frame_motion(vector_at(p[JOINT], 12), vector_at(p[V], 6), vector_at(p[A], 6), f, LOCAL, MOTION)
    if p[BASE_JOINT] != 0:
        oMb = vector_at(p[BASE_JOINT], 12)
        frame_motion(
            oMb, vector_at(p[BASE_V], 6), vector_at(p[BASE_A], 6), f, BASE_LOCAL, BASE_MOTION
        )
        subtract_base(f)
    if p[AXES] != 0:
        Q = WORLD if p[AXES] == 2 else BASE_WORLD
        for k in range(4):
            turn_back(f, Q, MOTION + 3 * k)


@kernel(VOID(IVEC, OUT1))
def take_hold(p: IntVector, f: Vector) -> None:
    """Set hold from the contact's force bounds, if the frame has them.

    A contact that comes holds as much as its forces may act; one that goes holds until they are
    zero.
    """
    if p[OPENING] == 0:
        return
    opening = vector_at(p[OPENING], 3)
    s, goal = opening[0], opening[2]
    f[HOLD] = s if goal > 0.0 else (1.0 if s > 0.0 else 0.0)


@kernel(VOID(IVEC, OUT1))
def turned_acceleration(p: IntVector, f: Vector) -> None:
    """Write the reference acceleration from WORK + 12 on, in the axes of the rows."""
    for i in range(6):
        f[WORK + 12 + i] = f[ACC + i]
    if p[AXES] != 2:
        return
    if p[BASE_JOINT] != 0:
        turn(f, BASE_WORLD, ACC, WORK + 12)
        turn(f, BASE_WORLD, ACC + 3, WORK + 15)
    turn_back(f, WORLD, WORK + 12)
    turn_back(f, WORLD, WORK + 15)


def cartesian(ints: int, floats: int, J: int, stride: int, out: int) -> None:
    """Frame task: J a = a_ref − drift + λ Kp e + √λ Kd (v_ref − v).

    With hold α in [0, 1] the frame is in contact: what it shall do counts 1 − α, and −α D v is
    added to the feed-forward, which brings it to rest.
    """
    p = ints_at(ints, LISTS)
    p = ints_at(ints, LISTS + 3 * p[COUNT])
    f = vector_at(floats, ACC_FLOATS)
    rows, first = p[COUNT + 1], p[FIRST_ROW]
    place_both(p, f)
    frame_rows(p, f, matrix_at(J, rows, stride), rows)
    frame_error(p, f)
    relative_motion(p, f)
    turned_acceleration(p, f)
    take_hold(p, f)
    terms = matrix_at(out, 3, rows)
    hold = f[HOLD]
    free = 1.0 - hold
    for r in range(rows):
        k = first + r
        v = f[MOTION + k]
        terms[0, r] = free * f[WORK + 12 + k] - f[MOTION + 6 + k] - hold * f[DAMPING] * v
        terms[1, r] = free * f[KP + k] * f[WORK + k]
        terms[2, r] = free * f[KD + k] * (f[WORK + 6 + k] - v)
        f[TWIST + k] = 0.0
        f[ACC + k] = 0.0


def contact(ints: int, floats: int, J: int, stride: int, out: int) -> None:
    """Frame that must not move: K Qᵀ (J a + drift) = −√λ K D v. K (36 floats) follows the rest."""
    p = ints_at(ints, LISTS)
    p = ints_at(ints, LISTS + 3 * p[COUNT])
    f = vector_at(floats, ACC_FLOATS + 36)
    rows, first = p[COUNT + 1], p[FIRST_ROW]
    place_both(p, f)
    A_ = matrix_at(J, rows, stride)
    frame_rows(p, f, A_, rows)
    relative_motion(p, f)
    terms = matrix_at(out, 3, rows)
    for r in range(rows):
        f[WORK + r] = -f[MOTION + 6 + first + r]
        f[WORK + 6 + r] = -f[DAMPING] * f[MOTION + first + r]
        terms[0, r] = f[WORK + r]
        terms[1, r] = 0.0
        terms[2, r] = f[WORK + 6 + r]
    if p[COUNT + 2] == 0:
        return
    for r in range(rows):
        terms[0, r] = 0.0
        terms[2, r] = 0.0
        for k in range(rows):
            mix = f[ACC_FLOATS + 6 * (first + r) + first + k]
            terms[0, r] += mix * f[WORK + k]
            terms[2, r] += mix * f[WORK + 6 + k]
    for s in range(p[COUNT]):
        to = p[LISTS + p[COUNT] + s]
        for r in range(rows):
            total = 0.0
            for k in range(rows):
                total += f[ACC_FLOATS + 6 * (first + r) + first + k] * A_[k, to]
            f[WORK + r] = total
        for r in range(rows):
            A_[r, to] = f[WORK + r]


@kernel(VOID(VEC, VEC, VEC, F8, OUT1, I8))
def base_drift(oMi: Vector, h: Vector, c: Vector, mass: float, f: Vector, out: int) -> None:
    """Write what the bias of a floating base says of the whole robot, all at zero acceleration.

    The bias wrench (f ; m) in the base's axes is all that acts from outside: turned into the world
    and moved to the centre of mass it is m (c̈ − g) and L̇.

    Args:
        oMi: Placement of the base's joint.
        h: Bias; its first six entries count.
        c: Centre of mass.
        mass: Total mass [kg].
        f: Written.
        out: Index of six entries: c̈, L̇.
    """
    for i in range(3):
        f[out + i] = oMi[i] * h[0] + oMi[3 + i] * h[1] + oMi[6 + i] * h[2]
        f[out + 3 + i] = oMi[i] * h[3] + oMi[3 + i] * h[4] + oMi[6 + i] * h[5]
    x, y, z = oMi[9] - c[0], oMi[10] - c[1], oMi[11] - c[2]
    fx, fy, fz = f[out], f[out + 1], f[out + 2]
    f[out + 3] += y * fz - z * fy
    f[out + 4] += z * fx - x * fz
    f[out + 5] += x * fy - y * fx
    for i in range(3):
        f[out + i] /= mass
    f[out + 2] -= GRAVITY


def com(ints: int, floats: int, J: int, stride: int, out: int) -> None:
    """Centre of mass: J_com a = a_ref − drift + λ Kp (c_ref − c) + √λ Kd (v_ref − ċ).

    ints: addresses of Jcomᵀ, c, ċ and drift, nv, addresses of the base's placement (0: none) and of
    the bias. floats: c_ref, v_ref, a_ref (3 each), whether c_ref is set, Kp, Kd (3 each), mass,
    work (6).
    """
    p = ints_at(ints, 7)
    f = vector_at(floats, 23)
    nv = p[4]
    JT_ = matrix_at(p[0], nv, 3)
    c, v, drift = vector_at(p[1], 3), vector_at(p[2], 3), vector_at(p[3], 3)
    if p[5] != 0:
        base_drift(vector_at(p[5], 12), vector_at(p[6], 6), c, f[16], f, 17)
        drift = f[17:20]
    A_ = matrix_at(J, 3, stride)
    terms = matrix_at(out, 3, 3)
    for j in range(nv):
        A_[0, j], A_[1, j], A_[2, j] = JT_[j, 0], JT_[j, 1], JT_[j, 2]
    for r in range(3):
        if f[9] == 0.0:
            f[r] = c[r]
        terms[0, r] = f[6 + r] - drift[r]
        terms[1, r] = f[10 + r] * (f[r] - c[r])
        terms[2, r] = f[13 + r] * (f[3 + r] - v[r])
        f[3 + r] = 0.0
        f[6 + r] = 0.0
    f[9] = 1.0


def postural(ints: int, floats: int, J: int, stride: int, out: int) -> None:
    """Posture: a_i = a_ref,i + λ Kp_i (q_ref ⊖ q)_i + √λ Kd_i (v_ref − v)_i. J was written once.

    ints: addresses of q and v, nq, nv, rows, whether the first six are a free base, then for every
    row its position in q, its size there and its component of v. floats: v_ref, a_ref, Kp, Kd
    (rows each), q_ref (nq), work (36), whether q_ref is set.
    """
    p = ints_at(ints, 6)
    nq, nv, rows, base = p[2], p[3], p[4], p[5]
    p = ints_at(ints, 6 + 3 * rows)
    f = vector_at(floats, 4 * rows + nq + 37)
    q, v = vector_at(p[0], nq), vector_at(p[1], nv)
    goal = f[4 * rows : 4 * rows + nq]
    if f[4 * rows + nq + 36] == 0.0:
        f[4 * rows + nq + 36] = 1.0
        for i in range(nq):
            goal[i] = q[i]
    terms = matrix_at(out, 3, rows)
    work = f[4 * rows + nq : 4 * rows + nq + 36]
    if base != 0:
        base_difference(q, goal, work)
    for r in range(rows):
        if base != 0 and r < 6:
            error = work[24 + r]
        else:
            error = angle_between(q, goal, p[6 + 3 * r], p[7 + 3 * r])
        terms[0, r] = f[rows + r]
        terms[1, r] = f[2 * rows + r] * error
        terms[2, r] = f[3 * rows + r] * (f[r] - v[p[8 + 3 * r]])
        f[r] = 0.0
        f[rows + r] = 0.0


def angular_momentum(ints: int, floats: int, J: int, stride: int, out: int) -> None:
    """Rate of the angular momentum: A_g,ang a = L̇_ref − drift + λ K (L_ref − L).

    ints: addresses of Agᵀ, v and ḣ at zero acceleration, nv, addresses of the base's placement (0:
    none), of the bias and of c. floats: L_ref, L̇_ref, K (3 each), mass, work (6).
    """
    p = ints_at(ints, 7)
    f = vector_at(floats, 16)
    nv = p[3]
    AT = matrix_at(p[0], nv, 6)
    v, drift = vector_at(p[1], nv), vector_at(p[2], 6)
    if p[4] != 0:
        base_drift(vector_at(p[4], 12), vector_at(p[5], 6), vector_at(p[6], 3), f[9], f, 10)
        drift = f[10:16]
    A_ = matrix_at(J, 3, stride)
    terms = matrix_at(out, 3, 3)
    for r in range(3):
        L = 0.0
        for j in range(nv):
            A_[r, j] = AT[j, 3 + r]
            L += AT[j, 3 + r] * v[j]
        terms[0, r] = f[3 + r] - drift[3 + r]
        terms[1, r] = f[6 + r] * (f[r] - L)
        terms[2, r] = 0.0
        f[3 + r] = 0.0


CARTESIAN = evaluator(cartesian)
CONTACT = evaluator(contact)
COM = evaluator(com)
POSTURAL = evaluator(postural)
ANGULAR_MOMENTUM = evaluator(angular_momentum)
