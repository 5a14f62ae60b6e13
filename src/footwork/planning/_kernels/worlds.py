"""Is a state free of obstacles in the plane? Point, disc and polygon robots, compiled.

A world is one float64 array, laid out by `footwork.planning.worlds.packing`; every offset in it
counts from its own start. Obstacles are open sets: touching is free. A cell index says which
obstacles can matter at a position, so that far from all of them one look-up answers.

Header (name = position):  1, 2 indices of x and y in the state, 3 index of the heading;
4 shape (0 disc or point, 1 convex parts), 5 radius (of the disc; of the circle about the parts),
6 offset and 7 number of the parts; 8, 9 corner of the index, 10, 11 cells per metre, 12, 13 cells
along x and y, 14 offset of the cells; 15 number and 16 offset of the grids; 17 number and
18 offset of the obstacles; 19 offset of what a jointed robot needs; 20 size of the header.
"""

import math

from footwork._numba import B1, F8, I8, VEC, kernel
from footwork.planning._kernels.trigonometry import sincos
from footwork.typing import Vector

HEADER = 20
FAR = 1.0e9


@kernel(I8(F8, F8, VEC), forced=True)
def candidates(px: float, py: float, p: Vector) -> int:
    """Find the list of obstacles near a position: its offset, 0 for none, −1 for nowhere."""
    if not (abs(px) < FAR and abs(py) < FAR):
        return -1
    i = (px - p[8]) * p[10]
    j = (py - p[9]) * p[11]
    if i >= 0.0 and i < p[12] and j >= 0.0 and j < p[13]:
        return int(p[int(p[14]) + int(i) * int(p[13]) + int(j)])
    return 0


@kernel(F8(F8, F8, I8, VEC))
def polygon_distance(px: float, py: float, o: int, p: Vector) -> float:
    """Signed distance from a point to a convex polygon, negative inside."""
    n = int(p[o])
    deepest = -math.inf
    nearest = math.inf
    for k in range(n):
        a = o + 1 + 4 * k
        b = o + 1 + 4 * ((k + 1) % n)
        ax = px - p[a]
        ay = py - p[a + 1]
        deepest = max(deepest, ax * p[a + 2] + ay * p[a + 3])
        ex = p[b] - p[a]
        ey = p[b + 1] - p[a + 1]
        t = min(max((ax * ex + ay * ey) / (ex * ex + ey * ey), 0.0), 1.0)
        dx = ax - t * ex
        dy = ay - t * ey
        nearest = min(nearest, dx * dx + dy * dy)
    return deepest if deepest <= 0.0 else math.sqrt(nearest)


@kernel(B1(F8, F8, F8, I8, VEC), forced=True)
def disc_touches(px: float, py: float, radius: float, o: int, p: Vector) -> bool:
    """Say whether a disc and the obstacle at offset ``o`` overlap."""
    if p[o] == 0.0:
        dx = px - p[o + 2]
        dy = py - p[o + 3]
        reach = radius + p[o + 4]
        return dx * dx + dy * dy < reach * reach
    if p[o] == 1.0:
        dx = max(p[o + 2] - px, px - p[o + 4])
        dy = max(p[o + 3] - py, py - p[o + 5])
        if dx < 0.0 and dy < 0.0:
            return True
        dx = max(dx, 0.0)
        dy = max(dy, 0.0)
        return dx * dx + dy * dy < radius * radius
    return polygon_distance(px, py, o + 6, p) < radius


@kernel(B1(F8, F8, F8, F8, I8, I8, VEC))
def part_touches(px: float, py: float, s: float, c: float, part: int, o: int, p: Vector) -> bool:
    """Say whether a convex part and the obstacle at offset ``o`` overlap: separating axes."""
    if p[o] == 0.0:
        dx = p[o + 2] - px
        dy = p[o + 3] - py
        return polygon_distance(c * dx + s * dy, c * dy - s * dx, part, p) < p[o + 4]
    # axes of the obstacle: its edges expressed in the frame of the part
    n = int(p[part])
    m = int(p[o + 6])
    for k in range(m):
        e = o + 7 + 4 * k
        ax = c * p[e + 2] + s * p[e + 3]
        ay = c * p[e + 3] - s * p[e + 2]
        limit = (p[e] - px) * p[e + 2] + (p[e + 1] - py) * p[e + 3]
        lowest = math.inf
        for i in range(n):
            v = part + 1 + 4 * i
            lowest = min(lowest, p[v] * ax + p[v + 1] * ay)
        if lowest >= limit:
            return False
    for i in range(n):
        v = part + 1 + 4 * i
        ax = c * p[v + 2] - s * p[v + 3]
        ay = s * p[v + 2] + c * p[v + 3]
        limit = px * ax + py * ay + p[v] * p[v + 2] + p[v + 1] * p[v + 3]
        lowest = math.inf
        for k in range(m):
            e = o + 7 + 4 * k
            lowest = min(lowest, p[e] * ax + p[e + 1] * ay)
        if lowest >= limit:
            return False
    return True


# Occupancy grids. Record: 0 its size, 1 outside is occupied, 2 metres a cell, 3, 4 origin,
# 5, 6 cosine and sine of its yaw, 7 columns, 8 rows, 9... one number a cell, row by row from the
# origin: d ≥ 0 free, no occupied cell is nearer than d [m]; −1 − d occupied, no free one nearer.


@kernel(F8(I8, I8, I8, VEC))
def grid_cell(i: int, j: int, g: int, p: Vector) -> float:
    """Read the number of the cell in column i, row j; outside is one free or occupied cell."""
    if i >= 0 and i < p[g + 7] and j >= 0 and j < p[g + 8]:
        return p[g + 9 + j * int(p[g + 7]) + i]
    return -1.0 if p[g + 1] == 1.0 else 0.0


@kernel(B1(F8, F8, F8, I8, VEC))
def grid_free_disc(px: float, py: float, radius: float, g: int, p: Vector) -> bool:
    """Say whether a disc touches no occupied cell."""
    dx = px - p[g + 3]
    dy = py - p[g + 4]
    u = (dx * p[g + 5] + dy * p[g + 6]) / p[g + 2]
    v = (dy * p[g + 5] - dx * p[g + 6]) / p[g + 2]
    i = math.floor(u)
    j = math.floor(v)
    value = grid_cell(i, j, g, p)
    if value < 0.0:
        return False
    if radius <= 0.0 or value >= radius:
        return True
    r = radius / p[g + 2]
    for row in range(math.floor(v - r), math.floor(v + r) + 1):
        for column in range(math.floor(u - r), math.floor(u + r) + 1):
            if grid_cell(column, row, g, p) < 0.0:
                du = max(column - u, u - column - 1.0, 0.0)
                dv = max(row - v, v - row - 1.0, 0.0)
                if du * du + dv * dv < r * r:
                    return False
    return True


@kernel(B1(F8, F8, F8, F8, I8, VEC))
def cell_touches(du: float, dv: float, cc: float, ss: float, part: int, p: Vector) -> bool:
    """Say whether a part's edges fail to separate it from the unit cell with corner (du, dv)."""
    for i in range(int(p[part])):
        a = part + 1 + 4 * i
        au = cc * p[a + 2] - ss * p[a + 3]
        av = ss * p[a + 2] + cc * p[a + 3]
        # cc, ss carry 1/resolution, so distances along the axis carry its square
        limit = (cc * cc + ss * ss) * (p[a] * p[a + 2] + p[a + 1] * p[a + 3])
        if du * au + dv * av + min(au, 0.0) + min(av, 0.0) >= limit:
            return False
    return True


@kernel(B1(F8, F8, F8, F8, I8, I8, VEC))
def grid_free_part(px: float, py: float, s: float, c: float, part: int, g: int, p: Vector) -> bool:
    """Say whether a convex part touches no occupied cell."""
    dx = px - p[g + 3]
    dy = py - p[g + 4]
    u = (dx * p[g + 5] + dy * p[g + 6]) / p[g + 2]
    v = (dy * p[g + 5] - dx * p[g + 6]) / p[g + 2]
    n = int(p[part])
    reach = p[part + 1 + 4 * n]
    if grid_cell(math.floor(u), math.floor(v), g, p) >= reach:
        return True
    # the part in cells, turned into the frame of the grid
    cc = (c * p[g + 5] + s * p[g + 6]) / p[g + 2]
    ss = (s * p[g + 5] - c * p[g + 6]) / p[g + 2]
    u0, u1, v0, v1 = math.inf, -math.inf, math.inf, -math.inf
    for i in range(n):
        a = part + 1 + 4 * i
        vu = u + cc * p[a] - ss * p[a + 1]
        vv = v + ss * p[a] + cc * p[a + 1]
        u0, u1 = min(u0, vu), max(u1, vu)
        v0, v1 = min(v0, vv), max(v1, vv)
    for row in range(math.floor(v0), math.ceil(v1)):
        for column in range(math.floor(u0), math.ceil(u1)):
            if grid_cell(column, row, g, p) < 0.0 and cell_touches(
                column - u, row - v, cc, ss, part, p
            ):
                return False
    return True


@kernel(B1(F8, F8, F8, VEC), forced=True)
def disc_is_free(px: float, py: float, radius: float, p: Vector) -> bool:
    """Say whether a disc (a point if the radius is 0) touches nothing."""
    near = candidates(px, py, p)
    if near < 0:
        return False
    if near > 0:
        for k in range(int(p[near])):
            if disc_touches(px, py, radius, int(p[near + 1 + k]), p):
                return False
    offset = int(p[16])
    for _ in range(int(p[15])):
        if not grid_free_disc(px, py, radius, offset, p):
            return False
        offset += int(p[offset])
    return True


@kernel(B1(F8, F8, F8, I8, I8, VEC))
def parts_are_free(px: float, py: float, heading: float, first: int, count: int, p: Vector) -> bool:
    """Say whether a robot of convex parts, placed at (px, py, heading), touches nothing."""
    near = candidates(px, py, p)
    if near < 0:
        return False
    if near == 0 and p[15] == 0.0:
        return True
    s, c = sincos(heading)
    part = first
    for _ in range(count):
        if near > 0:
            for k in range(int(p[near])):
                if part_touches(px, py, s, c, part, int(p[near + 1 + k]), p):
                    return False
        offset = int(p[16])
        for _ in range(int(p[15])):
            if not grid_free_part(px, py, s, c, part, offset, p):
                return False
            offset += int(p[offset])
        part += 2 + 4 * int(p[part])
    return True


@kernel(B1(VEC, VEC), forced=True)
def plane_is_free(x: Vector, p: Vector) -> bool:
    """Say whether a rigid robot in the plane touches nothing at state ``x``."""
    px = x[int(p[1])]
    py = x[int(p[2])]
    if p[4] == 0.0:
        return disc_is_free(px, py, p[5], p)
    return parts_are_free(px, py, x[int(p[3])], int(p[6]), int(p[7]), p)
