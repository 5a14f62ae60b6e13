"""Is a state free of obstacles in space? Point and ball robots, compiled.

Header (name = position):  1, 2, 3 indices of x, y, z in the state; 4 radius of the ball;
5–7 corner of the index, 8–10 cells per metre, 11–13 numbers of cells, 14 offset of the cells;
15 number and 16 offset of the obstacles; 17 size of the header. Offsets count from the start of
the array; obstacles are open sets, touching is free.
"""

import math

from footwork._numba import B1, F8, I8, VEC, kernel
from footwork.planning._kernels.worlds import FAR
from footwork.typing import Vector

HEADER = 17


@kernel(B1(F8, F8, F8, F8, I8, VEC), forced=True)
def ball_touches(px: float, py: float, pz: float, radius: float, o: int, p: Vector) -> bool:
    """Say whether a ball and the obstacle at offset ``o`` overlap."""
    if p[o] == 0.0:
        dx = px - p[o + 2]
        dy = py - p[o + 3]
        dz = pz - p[o + 4]
        reach = radius + p[o + 5]
        return dx * dx + dy * dy + dz * dz < reach * reach
    dx = max(p[o + 2] - px, px - p[o + 5])
    dy = max(p[o + 3] - py, py - p[o + 6])
    dz = max(p[o + 4] - pz, pz - p[o + 7])
    if dx < 0.0 and dy < 0.0 and dz < 0.0:
        return True
    dx, dy, dz = max(dx, 0.0), max(dy, 0.0), max(dz, 0.0)
    return dx * dx + dy * dy + dz * dz < radius * radius


@kernel(F8(F8, F8, F8, I8, VEC))
def solid_distance(px: float, py: float, pz: float, o: int, p: Vector) -> float:
    """Signed distance from a point to the obstacle at offset ``o``, negative inside."""
    if p[o] == 0.0:
        dx = px - p[o + 2]
        dy = py - p[o + 3]
        dz = pz - p[o + 4]
        return math.sqrt(dx * dx + dy * dy + dz * dz) - p[o + 5]
    dx = max(p[o + 2] - px, px - p[o + 5])
    dy = max(p[o + 3] - py, py - p[o + 6])
    dz = max(p[o + 4] - pz, pz - p[o + 7])
    deepest = max(dx, dy, dz)
    if deepest <= 0.0:
        return deepest
    dx, dy, dz = max(dx, 0.0), max(dy, 0.0), max(dz, 0.0)
    return math.sqrt(dx * dx + dy * dy + dz * dz)


@kernel(F8(F8, F8, F8, VEC))
def space_distance(px: float, py: float, pz: float, p: Vector) -> float:
    """Signed distance from a point to the nearest obstacle."""
    nearest = math.inf
    o = int(p[16])
    for _ in range(int(p[15])):
        nearest = min(nearest, solid_distance(px, py, pz, o, p))
        o += int(p[o + 1])
    return nearest


@kernel(B1(VEC, VEC), forced=True)
def space_is_free(x: Vector, p: Vector) -> bool:
    """Say whether a ball (a point if its radius is 0) touches nothing at state ``x``."""
    px = x[int(p[1])]
    py = x[int(p[2])]
    pz = x[int(p[3])]
    if not (abs(px) < FAR and abs(py) < FAR and abs(pz) < FAR):
        return False
    i = (px - p[5]) * p[8]
    j = (py - p[6]) * p[9]
    k = (pz - p[7]) * p[10]
    if i >= 0.0 and i < p[11] and j >= 0.0 and j < p[12] and k >= 0.0 and k < p[13]:
        cell = (int(i) * int(p[12]) + int(j)) * int(p[13]) + int(k)
        near = int(p[int(p[14]) + cell])
        if near > 0:
            for n in range(int(p[near])):
                if ball_touches(px, py, pz, p[4], int(p[near + 1 + n]), p):
                    return False
    return True


@kernel(F8(VEC, VEC))
def space_clearance(x: Vector, p: Vector) -> float:
    """Signed distance from the ball at state ``x`` to the nearest obstacle."""
    return space_distance(x[int(p[1])], x[int(p[2])], x[int(p[3])], p) - p[4]
