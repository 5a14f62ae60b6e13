"""Jointed robots in the plane: each body hangs on the one before it.

Block at p[19]: 0 number of bodies, 1, 2 fixed base (used when the index of x is −1), then nine
numbers a body: 0 index of its angle in the state, 1 whether that counts from the body before, 2 its
offset, 3, 4 anchor in the frame of the body before, 5, 6 offset and number of its parts, 7, 8
lowest and highest angle from the body before.
"""

import math

from footwork._numba import B1, F8, VEC, kernel
from footwork.planning._kernels.trigonometry import sincos
from footwork.planning._kernels.worlds import parts_are_free
from footwork.planning._kernels.worlds_distance import parts_distance
from footwork.typing import Vector

BODY = 9


@kernel(B1(VEC, VEC))
def chain_is_free(x: Vector, p: Vector) -> bool:
    """Say whether a jointed robot touches nothing at state ``x``, its joints within limits."""
    o = int(p[19])
    fixed = p[1] < 0.0
    px = p[o + 1] if fixed else x[int(p[1])]
    py = p[o + 2] if fixed else x[int(p[2])]
    before = 0.0
    for k in range(int(p[o])):
        b = o + 3 + BODY * k
        angle = x[int(p[b])] + p[b + 2]
        heading = before + angle if p[b + 1] == 1.0 else angle
        if k > 0:
            joint = heading - before
            joint -= 2.0 * math.pi * math.floor(joint / (2.0 * math.pi) + 0.5)
            if not (p[b + 7] <= joint <= p[b + 8]):
                return False
            s, c = sincos(before)
            px, py = px + c * p[b + 3] - s * p[b + 4], py + s * p[b + 3] + c * p[b + 4]
        if not parts_are_free(px, py, heading, int(p[b + 5]), int(p[b + 6]), p):
            return False
        before = heading
    return True


@kernel(F8(VEC, VEC))
def chain_clearance(x: Vector, p: Vector) -> float:
    """Signed distance from a jointed robot at state ``x`` to the nearest obstacle."""
    o = int(p[19])
    fixed = p[1] < 0.0
    px = p[o + 1] if fixed else x[int(p[1])]
    py = p[o + 2] if fixed else x[int(p[2])]
    before = 0.0
    nearest = math.inf
    for k in range(int(p[o])):
        b = o + 3 + BODY * k
        angle = x[int(p[b])] + p[b + 2]
        heading = before + angle if p[b + 1] == 1.0 else angle
        if k > 0:
            s, c = sincos(before)
            px, py = px + c * p[b + 3] - s * p[b + 4], py + s * p[b + 3] + c * p[b + 4]
        distance = parts_distance(px, py, heading, int(p[b + 5]), int(p[b + 6]), p)
        nearest = min(nearest, distance)
        before = heading
    return nearest
