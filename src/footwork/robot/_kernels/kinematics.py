"""Placements of joints, joint Jacobian, centre of mass and its Jacobian, in Pinocchio's own arrays.

The same as `pinocchio.jacobianCenterOfMass`, for joints that turn, slide or are free, in half of
its time: a tick of velocity IK needs no more of a robot than this. Arrays are found by a *table*.
"""

import math
from typing import Final

from footwork._memory import ints_at, vector_at
from footwork._numba import F8, I8, IVEC, OUT1, VEC, VOID, kernel
from footwork.typing import IntVector, Vector

TABLE_SIZE: Final = 11
JOINTS, SIZE_Q, SIZE_V, KINDS, NUMBERS, MASSES, Q, PLACEMENTS, JACOBIAN, COM, COM_JACOBIAN = range(
    11
)
"""Entries of the table: joints with the world, sizes of q and v; addresses of the kinds, the
numbers and room for masses (see below), and of `Views` q, oMi, JT, com and JcomT."""

KIND_WIDTH: Final = 4
"""What a joint is, its parent, its first component of q, and its first of v."""
TURNS_X, TURNS_Y, TURNS_Z, TURNS, SLIDES, IS_FREE = range(6)

NUMBER_WIDTH: Final = 19
AXIS, MASS, LEVER = 12, 15, 16
"""Numbers of a joint: its placement in its parent at q = 0 (R by columns, then t), its axis, the
mass [kg] that hangs on it and where its centre is [m]."""

MASS_WIDTH: Final = 4
"""Room of a joint: mass of all behind it, and that times its centre in the world."""


@kernel(VOID(OUT1, I8, I8, F8, F8), forced=True, fused=True)
def turn_about(P: Vector, first: int, second: int, cosine: float, sine: float) -> None:
    """Turn two of a placement's columns in their plane."""
    for r in range(3):
        u, v = P[first + r], P[second + r]
        P[first + r] = cosine * u + sine * v
        P[second + r] = cosine * v - sine * u


@kernel(VOID(VEC, I8, I8, VEC, OUT1, I8), fused=True)
def move_joint(f: Vector, kind: int, iq: int, q: Vector, P: Vector, o: int) -> None:
    """Move a joint from its placement at q = 0 to where it is.

    Args:
        f: Numbers of the joint.
        kind: What it is.
        iq: Its first component of q.
        q: Configuration.
        P: Placements, R by columns, then t; changed.
        o: Where the joint's is.
    """
    if kind == SLIDES:
        for r in range(3):
            along = P[o + r] * f[AXIS] + P[o + 3 + r] * f[AXIS + 1] + P[o + 6 + r] * f[AXIS + 2]
            P[o + 9 + r] += q[iq] * along
    elif kind == TURNS:  # each row ρ of R to c ρ + s ρ×a + (1 − c)(ρ·a) a
        c, s = math.cos(q[iq]), math.sin(q[iq])
        x, y, z = f[AXIS], f[AXIS + 1], f[AXIS + 2]
        for r in range(o, o + 3):
            a, b, d = P[r], P[r + 3], P[r + 6]
            along = (1.0 - c) * (a * x + b * y + d * z)
            P[r] = c * a + s * (b * z - d * y) + along * x
            P[r + 3] = c * b + s * (d * x - a * z) + along * y
            P[r + 6] = c * d + s * (a * y - b * x) + along * z
    elif kind == IS_FREE:
        x, y, z, w = q[iq + 3], q[iq + 4], q[iq + 5], q[iq + 6]
        xx, yy, zz = 2.0 * x * x, 2.0 * y * y, 2.0 * z * z
        xy, xz, yz = 2.0 * x * y, 2.0 * x * z, 2.0 * y * z
        wx, wy, wz = 2.0 * w * x, 2.0 * w * y, 2.0 * w * z
        for r in range(o, o + 3):
            a, b, d = P[r], P[r + 3], P[r + 6]
            P[r + 9] += a * q[iq] + b * q[iq + 1] + d * q[iq + 2]
            P[r] = a * (1.0 - yy - zz) + b * (xy + wz) + d * (xz - wy)
            P[r + 3] = a * (xy - wz) + b * (1.0 - xx - zz) + d * (yz + wx)
            P[r + 6] = a * (xz + wy) + b * (yz - wx) + d * (1.0 - xx - yy)


@kernel(VOID(OUT1, I8, F8, F8, F8, F8, F8, F8), forced=True, fused=True)
def write_turning(
    J: Vector, j: int, px: float, py: float, pz: float, wx: float, wy: float, wz: float
) -> None:
    """Write a column: the twist at the world's origin of turning about an axis w through p."""
    J[j], J[j + 1], J[j + 2] = py * wz - pz * wy, pz * wx - px * wz, px * wy - py * wx
    J[j + 3], J[j + 4], J[j + 5] = wx, wy, wz


@kernel(VOID(OUT1, I8, F8, F8, F8), forced=True)
def write_sliding(J: Vector, j: int, x: float, y: float, z: float) -> None:
    """Write a column: the twist of sliding along an axis."""
    J[j], J[j + 1], J[j + 2] = x, y, z
    J[j + 3] = J[j + 4] = J[j + 5] = 0.0


@kernel(VOID(VEC, I8, I8, VEC, I8, OUT1), forced=True, fused=True)
def write_columns(f: Vector, kind: int, iv: int, P: Vector, o: int, J: Vector) -> None:
    """Write a joint's columns of the Jacobian.

    Args:
        f: Numbers of the joint.
        kind: What it is.
        iv: Its first component of v.
        P: Placements.
        o: Where the joint's is.
        J: Jacobian by columns, written.
    """
    px, py, pz = P[o + 9], P[o + 10], P[o + 11]
    if kind <= TURNS_Z:
        a = o + 3 * kind
        write_turning(J, 6 * iv, px, py, pz, P[a], P[a + 1], P[a + 2])
    elif kind == IS_FREE:
        for k in range(3):
            a = o + 3 * k
            write_sliding(J, 6 * (iv + k), P[a], P[a + 1], P[a + 2])
            write_turning(J, 6 * (iv + 3 + k), px, py, pz, P[a], P[a + 1], P[a + 2])
    else:
        a, b, d = f[AXIS], f[AXIS + 1], f[AXIS + 2]
        x = P[o] * a + P[o + 3] * b + P[o + 6] * d
        y = P[o + 1] * a + P[o + 4] * b + P[o + 7] * d
        z = P[o + 2] * a + P[o + 5] * b + P[o + 8] * d
        if kind == TURNS:
            write_turning(J, 6 * iv, px, py, pz, x, y, z)
        else:
            write_sliding(J, 6 * iv, x, y, z)


@kernel(VOID(IVEC), fused=True)
def place_joints(t: IntVector) -> None:
    """Place every joint in the world, and write the joint Jacobian and the masses of the links.

    Args:
        t: See the module's docstring.
    """
    n = t[JOINTS]
    kinds = ints_at(t[KINDS], KIND_WIDTH * n)
    q, P = vector_at(t[Q], t[SIZE_Q]), vector_at(t[PLACEMENTS], 12 * n)
    J, masses = vector_at(t[JACOBIAN], 6 * t[SIZE_V]), vector_at(t[MASSES], MASS_WIDTH * n)
    for i in range(1, n):
        f = vector_at(t[NUMBERS] + 8 * NUMBER_WIDTH * i, NUMBER_WIDTH)
        kind, up, iq, iv = kinds[4 * i], 12 * kinds[4 * i + 1], kinds[4 * i + 2], kinds[4 * i + 3]
        o = 12 * i
        for c in range(0, 12, 3):
            x, y, z = f[c], f[c + 1], f[c + 2]
            for r in range(3):
                P[o + c + r] = P[up + r] * x + P[up + 3 + r] * y + P[up + 6 + r] * z
        for r in range(9, 12):
            P[o + r] += P[up + r]
        if kind <= TURNS_Z:
            first, second = o + 3 * ((kind + 1) % 3), o + 3 * ((kind + 2) % 3)
            turn_about(P, first, second, math.cos(q[iq]), math.sin(q[iq]))
        else:
            move_joint(f, kind, iq, q, P, o)
        write_columns(f, kind, iv, P, o, J)
        m, x, y, z = f[MASS], f[LEVER], f[LEVER + 1], f[LEVER + 2]
        masses[4 * i] = m
        for r in range(3):
            at = P[o + r] * x + P[o + 3 + r] * y + P[o + 6 + r] * z + P[o + 9 + r]
            masses[4 * i + 1 + r] = m * at


@kernel(VOID(IVEC), fused=True)
def compute_kinematics(t: IntVector) -> None:
    """Write placements, joint Jacobian, centre of mass c and its Jacobian.

    Column of a joint with the twist (v, ω) at the world's origin, m the mass behind it with its
    centre at s, M the mass of the robot:  (m / M)(v + ω × s).

    Args:
        t: See the module's docstring.
    """
    place_joints(t)
    n = t[JOINTS]
    kinds = ints_at(t[KINDS], KIND_WIDTH * n)
    J, masses = vector_at(t[JACOBIAN], 6 * t[SIZE_V]), vector_at(t[MASSES], MASS_WIDTH * n)
    com, C = vector_at(t[COM], 3), vector_at(t[COM_JACOBIAN], 3 * t[SIZE_V])
    for r in range(MASS_WIDTH):
        masses[r] = 0.0
    for i in range(n - 1, 0, -1):
        up = MASS_WIDTH * kinds[4 * i + 1]
        for r in range(MASS_WIDTH):
            masses[up + r] += masses[4 * i + r]
    share = 1.0 / masses[0]
    for r in range(3):
        com[r] = share * masses[1 + r]
    for i in range(1, n):
        m, first = share * masses[4 * i], kinds[4 * i + 3]
        x, y, z = share * masses[4 * i + 1], share * masses[4 * i + 2], share * masses[4 * i + 3]
        for k in range(first, first + (6 if kinds[4 * i] == IS_FREE else 1)):
            wx, wy, wz = J[6 * k + 3], J[6 * k + 4], J[6 * k + 5]
            C[3 * k] = m * J[6 * k] + wy * z - wz * y
            C[3 * k + 1] = m * J[6 * k + 1] + wz * x - wx * z
            C[3 * k + 2] = m * J[6 * k + 2] + wx * y - wy * x
