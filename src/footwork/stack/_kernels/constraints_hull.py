"""Evaluator that keeps the centre of mass above the hull of the contacts."""

import math

from footwork._numba import B1, F8, I8, OUT1, VEC, kernel
from footwork.stack._kernels.lie import place_frame
from footwork.stack._kernels.memory import evaluator, ints_at, matrix_at, vector_at
from footwork.typing import Vector


@kernel(B1(VEC, I8, I8, F8, F8))
def _turns_right(f: Vector, h: int, k: int, x: float, y: float) -> bool:
    """Whether the way from the last two corners to (x, y) bends right or goes straight on."""
    ax, ay = f[h + 2 * k - 4], f[h + 2 * k - 3]
    bx, by = f[h + 2 * k - 2], f[h + 2 * k - 1]
    return bool((bx - ax) * (y - ay) - (by - ay) * (x - ax) <= 0.0)


@kernel(I8(OUT1, I8))
def convex_hull(f: Vector, n: int) -> int:
    """Find the convex hull of n points of the plane, anticlockwise.

    Andrew's chain: sorted by x, then y; the lower chain left to right, the upper one back.

    Args:
        f: Points (x, y) in the first 2n entries, sorted on return; the hull is written behind them
            and may take as many entries again, and two more.
        n: Number of points.

    Returns:
        Number of corners: 1 or 2 when the points have no area.

    Source: andrew1979hull
    """
    for i in range(1, n):  # insertion sort: n is small
        x, y = f[2 * i], f[2 * i + 1]
        j = i - 1
        while j >= 0 and (f[2 * j] > x or (f[2 * j] == x and f[2 * j + 1] > y)):
            f[2 * j + 2], f[2 * j + 3] = f[2 * j], f[2 * j + 1]
            j -= 1
        f[2 * j + 2], f[2 * j + 3] = x, y
    h = 2 * n
    k = 0
    for sweep in range(2):
        floor = k + 1 if sweep == 1 else 2
        for step in range(n):
            i = step if sweep == 0 else n - 1 - step
            if sweep == 1 and step == 0:
                continue
            x, y = f[2 * i], f[2 * i + 1]
            while k >= floor and _turns_right(f, h, k, x, y):
                k -= 1
            f[h + 2 * k], f[h + 2 * k + 1] = x, y
            k += 1
    return max(k - 1, 1)


def com_in_hull(ints: int, floats: int, J: int, stride: int, out: int) -> None:
    """Keep c_xy in the hull: n·J_com v ≤ rate (h − margin − n·c), one row an edge, outward n.

    ints: addresses of Jcomᵀ and c, nv, number of rows, number of frames, then for each the address
    of its joint's placement and its number of points. floats: rate, margin, whether any contact is
    left, work (12), points of the plane (4 × rows + 2), then for each frame T_joint_frame (12),
    how much it counts (1 or 0) and its points (3 each).
    """
    p = ints_at(ints, 5)
    nv, rows, frames = p[2], p[3], p[4]
    p = ints_at(ints, 5 + 2 * frames)
    size = 15 + 4 * rows + 2
    for k in range(frames):
        size += 13 + 3 * p[6 + 2 * k]
    f = vector_at(floats, size)
    xy = f[15 : 15 + 4 * rows + 2]
    count = 0
    at = 15 + 4 * rows + 2
    for k in range(frames):
        place_frame(vector_at(p[5 + 2 * k], 12), f, at, 3)
        points = p[6 + 2 * k]
        if f[at + 12] != 0.0:
            for i in range(points):
                local = at + 13 + 3 * i
                x, y, z = f[local], f[local + 1], f[local + 2]
                xy[2 * count] = f[12] + f[3] * x + f[4] * y + f[5] * z
                xy[2 * count + 1] = f[13] + f[6] * x + f[7] * y + f[8] * z
                count += 1
        at += 13 + 3 * points
    A, sides = matrix_at(J, rows, stride), matrix_at(out, 2, rows)
    JT, c = matrix_at(p[0], nv, 3), vector_at(p[1], 3)
    corners = convex_hull(xy, count) if count > 0 else 0
    for r in range(rows):
        sides[0, r], sides[1, r] = -math.inf, math.inf
        nx, ny = 0.0, 0.0
        if r < corners and corners >= 3:
            h = 2 * count
            x, y = xy[h + 2 * r], xy[h + 2 * r + 1]
            nx, ny = xy[h + 2 * r + 3] - y, x - xy[h + 2 * r + 2]
            length = math.sqrt(nx * nx + ny * ny)
            nx, ny = nx / length, ny / length
            sides[1, r] = f[0] * (nx * (x - c[0]) + ny * (y - c[1]) - f[1])
        for j in range(nv):
            A[r, j] = nx * JT[j, 0] + ny * JT[j, 1]


COM_IN_HULL = evaluator(com_in_hull)
