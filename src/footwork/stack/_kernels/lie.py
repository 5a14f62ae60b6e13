"""Placements and rotation vectors inside one flat array, for evaluators.

An evaluator keeps everything it works on in its ``floats``: a *placement* is twelve entries from
some index on, R by rows, then t. Nothing is allocated, and every function here is small enough to
be inlined. Joints' placements come as Pinocchio stores them: R by columns, then t.
"""

import math

from numba import types

from footwork._numba import F8, I8, OUT1, VEC, VOID, kernel
from footwork.typing import Vector

NEAR_PI = 1e-4
"""Sine of the angle below which, at a half turn, the axis is read off the symmetric part of R."""


@kernel(VOID(VEC, OUT1, I8, I8))
def place_frame(oMi: Vector, f: Vector, local: int, out: int) -> None:
    """Place a frame that is fixed to a joint: T_world_frame = T_world_joint T_joint_frame.

    Args:
        oMi: Placement of the joint, R by columns, then t, shape (12,).
        f: Array of placements.
        local: Index of T_joint_frame.
        out: Index of T_world_frame, written.
    """
    for i in range(3):
        a, b, c = oMi[i], oMi[3 + i], oMi[6 + i]
        f[out + 9 + i] = oMi[9 + i] + a * f[local + 9] + b * f[local + 10] + c * f[local + 11]
        for j in range(3):
            f[out + 3 * i + j] = a * f[local + j] + b * f[local + 3 + j] + c * f[local + 6 + j]


@kernel(VOID(OUT1, I8, I8))
def place_given(f: Vector, given: int, out: int) -> None:
    """Write a pose as a placement: R = I + 2 w [v]× + 2 [v]×².

    Args:
        f: Array of placements.
        given: Index of translation and unit quaternion xyzw.
        out: Index of the placement, written.
    """
    x, y, z, w = f[given + 3], f[given + 4], f[given + 5], f[given + 6]
    f[out], f[out + 4] = 1.0 - 2.0 * (y * y + z * z), 1.0 - 2.0 * (x * x + z * z)
    f[out + 8] = 1.0 - 2.0 * (x * x + y * y)
    f[out + 1], f[out + 3] = 2.0 * (x * y - w * z), 2.0 * (x * y + w * z)
    f[out + 2], f[out + 6] = 2.0 * (x * z + w * y), 2.0 * (x * z - w * y)
    f[out + 5], f[out + 7] = 2.0 * (y * z - w * x), 2.0 * (y * z + w * x)
    for i in range(3):
        f[out + 9 + i] = f[given + i]


@kernel(VOID(OUT1, I8, I8, I8))
def chain(f: Vector, first: int, second: int, out: int) -> None:
    """Chain two placements: out = first · second.

    Args:
        f: Array of placements.
        first: Index of T_a_b.
        second: Index of T_b_c.
        out: Index of T_a_c, written; none of the others.
    """
    for i in range(3):
        a, b, c = f[first + 3 * i], f[first + 3 * i + 1], f[first + 3 * i + 2]
        f[out + 9 + i] = (
            f[first + 9 + i] + a * f[second + 9] + b * f[second + 10] + c * f[second + 11]
        )
        for j in range(3):
            f[out + 3 * i + j] = a * f[second + j] + b * f[second + 3 + j] + c * f[second + 6 + j]


@kernel(VOID(OUT1, I8, I8, I8))
def chain_back(f: Vector, first: int, second: int, out: int) -> None:
    """Place one frame in another: out = first⁻¹ · second.

    Args:
        f: Array of placements.
        first: Index of T_a_b.
        second: Index of T_a_c.
        out: Index of T_b_c, written; none of the others.
    """
    x = f[second + 9] - f[first + 9]
    y = f[second + 10] - f[first + 10]
    z = f[second + 11] - f[first + 11]
    for i in range(3):
        a, b, c = f[first + i], f[first + 3 + i], f[first + 6 + i]
        f[out + 9 + i] = a * x + b * y + c * z
        for j in range(3):
            f[out + 3 * i + j] = a * f[second + j] + b * f[second + 3 + j] + c * f[second + 6 + j]


@kernel(types.UniTuple(F8, 3)(VEC, I8, I8, I8))
def _product(f: Vector, a: int, b: int, i: int) -> tuple[float, float, float]:
    """Row i of R_a R_bᵀ."""
    p, q, r = f[a + 3 * i], f[a + 3 * i + 1], f[a + 3 * i + 2]
    return (
        p * f[b] + q * f[b + 1] + r * f[b + 2],
        p * f[b + 3] + q * f[b + 4] + r * f[b + 5],
        p * f[b + 6] + q * f[b + 7] + r * f[b + 8],
    )


@kernel(VOID(OUT1, I8, I8, I8))
def log_between(f: Vector, at: int, goal: int, out: int) -> None:
    """Rotation vector that turns one frame into another, in the common axes: log(R_goal R_atᵀ).

    θ = atan2(|s|, (tr D − 1)/2) with D = R_goal R_atᵀ and s = vee(D − Dᵀ)/2 = sin θ · axis. Near a
    half turn s vanishes; there the axis is the largest column of D + Dᵀ − 2 cos θ I, which is
    2 (1 − cos θ) axis axisᵀ, with the sign of s. Norm in [0, π], finite everywhere.

    Args:
        f: Array of placements.
        at: Index of the frame.
        goal: Index of the goal.
        out: Index of three entries, written.

    Source: ours
    """
    d00, d01, d02 = _product(f, goal, at, 0)
    d10, d11, d12 = _product(f, goal, at, 1)
    d20, d21, d22 = _product(f, goal, at, 2)
    sx, sy, sz = 0.5 * (d21 - d12), 0.5 * (d02 - d20), 0.5 * (d10 - d01)
    sine = math.sqrt(sx * sx + sy * sy + sz * sz)
    cosine = 0.5 * (d00 + d11 + d22 - 1.0)
    theta = math.atan2(sine, cosine)
    if cosine > 0.0 or sine > NEAR_PI:
        scale = theta / sine if sine > 1e-12 else 1.0
        f[out], f[out + 1], f[out + 2] = scale * sx, scale * sy, scale * sz
        return
    if d00 >= d11 and d00 >= d22:
        x, y, z = 2.0 * (d00 - cosine), d01 + d10, d02 + d20
    elif d11 >= d22:
        x, y, z = d01 + d10, 2.0 * (d11 - cosine), d12 + d21
    else:
        x, y, z = d02 + d20, d12 + d21, 2.0 * (d22 - cosine)
    scale = theta / math.sqrt(x * x + y * y + z * z)
    if x * sx + y * sy + z * sz < 0.0:
        scale = -scale
    f[out], f[out + 1], f[out + 2] = scale * x, scale * y, scale * z


@kernel(VOID(OUT1, I8, I8))
def turn_back(f: Vector, frame: int, vector: int) -> None:
    """Express a vector in a frame's axes: v ← Rᵀ v.

    Args:
        f: Array of placements.
        frame: Index of the placement.
        vector: Index of three entries, changed.
    """
    x, y, z = f[vector], f[vector + 1], f[vector + 2]
    for i in range(3):
        f[vector + i] = f[frame + i] * x + f[frame + 3 + i] * y + f[frame + 6 + i] * z


@kernel(VOID(OUT1, I8, I8, I8))
def turn(f: Vector, frame: int, vector: int, out: int) -> None:
    """Express a vector that is given in a frame's axes in those of its parent: out = R v.

    Args:
        f: Array of placements.
        frame: Index of the placement.
        vector: Index of three entries.
        out: Index of three entries, written; not the vector itself.
    """
    x, y, z = f[vector], f[vector + 1], f[vector + 2]
    for i in range(3):
        f[out + i] = f[frame + 3 * i] * x + f[frame + 3 * i + 1] * y + f[frame + 3 * i + 2] * z
