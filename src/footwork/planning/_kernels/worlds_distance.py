"""Signed distances in the plane, from points and from robots, compiled."""

import math

from footwork._numba import F8, I8, VEC, kernel
from footwork.planning._kernels.trigonometry import sincos
from footwork.planning._kernels.worlds import grid_cell, polygon_distance
from footwork.typing import Vector


@kernel(F8(F8, F8, I8, VEC))
def obstacle_distance(px: float, py: float, o: int, p: Vector) -> float:
    """Signed distance from a point to the obstacle at offset ``o``."""
    if p[o] == 0.0:
        dx = px - p[o + 2]
        dy = py - p[o + 3]
        return math.sqrt(dx * dx + dy * dy) - p[o + 4]
    return polygon_distance(px, py, o + 6, p)


@kernel(F8(F8, F8, I8, VEC))
def grid_distance(px: float, py: float, g: int, p: Vector) -> float:
    """Signed distance from a point to the nearest occupied cell; inside, to the nearest free one.

    Rings of cells about the point are searched until a ring is farther than the best found.
    """
    dx = px - p[g + 3]
    dy = py - p[g + 4]
    u = (dx * p[g + 5] + dy * p[g + 6]) / p[g + 2]
    v = (dy * p[g + 5] - dx * p[g + 6]) / p[g + 2]
    i = math.floor(u)
    j = math.floor(v)
    value = grid_cell(i, j, g, p)
    inside = value < 0.0
    best = math.inf
    ring = int((-1.0 - value if inside else value) / p[g + 2])
    last = int(max(abs(u), abs(u - p[g + 7]), abs(v), abs(v - p[g + 8]))) + 2
    while ring <= last and ring - 1.0 <= best:
        for row in range(j - ring, j + ring + 1):
            step = 1 if abs(row - j) == ring or ring == 0 else 2 * ring
            for column in range(i - ring, i + ring + 1, step):
                if (grid_cell(column, row, g, p) < 0.0) != inside:
                    du = max(column - u, u - column - 1.0, 0.0)
                    dv = max(row - v, v - row - 1.0, 0.0)
                    best = min(best, math.sqrt(du * du + dv * dv))
        ring += 1
    return -best * p[g + 2] if inside else best * p[g + 2]


@kernel(F8(F8, F8, VEC))
def plane_distance(px: float, py: float, p: Vector) -> float:
    """Signed distance from a point to the nearest obstacle."""
    nearest = math.inf
    o = int(p[18])
    for _ in range(int(p[17])):
        nearest = min(nearest, obstacle_distance(px, py, o, p))
        o += int(p[o + 1])
    g = int(p[16])
    for _ in range(int(p[15])):
        nearest = min(nearest, grid_distance(px, py, g, p))
        g += int(p[g])
    return nearest


@kernel(F8(F8, F8, F8, F8, I8, I8, VEC))
def part_distance(px: float, py: float, s: float, c: float, part: int, o: int, p: Vector) -> float:
    """Signed distance between a convex part and an obstacle; the depth along an axis inside."""
    if p[o] == 0.0:
        dx = p[o + 2] - px
        dy = p[o + 3] - py
        return polygon_distance(c * dx + s * dy, c * dy - s * dx, part, p) - p[o + 4]
    n = int(p[part])
    m = int(p[o + 6])
    deepest = -math.inf
    nearest = math.inf
    for k in range(m):
        e = o + 7 + 4 * k
        ax = c * p[e + 2] + s * p[e + 3]
        ay = c * p[e + 3] - s * p[e + 2]
        limit = (p[e] - px) * p[e + 2] + (p[e + 1] - py) * p[e + 3]
        lowest = math.inf
        for i in range(n):
            v = part + 1 + 4 * i
            lowest = min(lowest, p[v] * ax + p[v + 1] * ay)
        deepest = max(deepest, lowest - limit)
        dx = p[e] - px
        dy = p[e + 1] - py
        nearest = min(nearest, polygon_distance(c * dx + s * dy, c * dy - s * dx, part, p))
    for i in range(n):
        v = part + 1 + 4 * i
        ax = c * p[v + 2] - s * p[v + 3]
        ay = s * p[v + 2] + c * p[v + 3]
        limit = px * ax + py * ay + p[v] * p[v + 2] + p[v + 1] * p[v + 3]
        lowest = math.inf
        for k in range(m):
            e = o + 7 + 4 * k
            lowest = min(lowest, p[e] * ax + p[e + 1] * ay)
        deepest = max(deepest, lowest - limit)
        wx = px + c * p[v] - s * p[v + 1]
        wy = py + s * p[v] + c * p[v + 1]
        nearest = min(nearest, polygon_distance(wx, wy, o + 6, p))
    return deepest if deepest < 0.0 else max(nearest, 0.0)


@kernel(F8(F8, F8, F8, I8, I8, VEC))
def parts_distance(
    px: float, py: float, heading: float, first: int, count: int, p: Vector
) -> float:
    """Signed distance from a robot of convex parts to the nearest obstacle; grids not counted."""
    s, c = sincos(heading)
    nearest = math.inf
    part = first
    for _ in range(count):
        o = int(p[18])
        for _ in range(int(p[17])):
            nearest = min(nearest, part_distance(px, py, s, c, part, o, p))
            o += int(p[o + 1])
        part += 2 + 4 * int(p[part])
    return nearest


@kernel(F8(VEC, VEC))
def plane_clearance(x: Vector, p: Vector) -> float:
    """Signed distance from a rigid robot at state ``x`` to the nearest obstacle."""
    px = x[int(p[1])]
    py = x[int(p[2])]
    if p[4] == 0.0:
        return plane_distance(px, py, p) - p[5]
    return parts_distance(px, py, x[int(p[3])], int(p[6]), int(p[7]), p)
