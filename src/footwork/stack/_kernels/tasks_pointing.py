"""Evaluators of tasks that point a frame, and of a wheel that rolls."""

import math

from footwork.stack._kernels.lie import turn_back
from footwork.stack._kernels.memory import evaluator, ints_at, matrix_at, vector_at
from footwork.stack._kernels.tasks_velocity import (
    BASE_JOINT,
    BASE_WORLD,
    COLUMNS,
    COUNT,
    FRAME_FLOATS,
    JT,
    LISTS,
    REF,
    WORK,
    WORLD,
    place_both,
)


def gaze(ints: int, floats: int, J: int, stride: int, out: int) -> None:
    """Turn the frame's x axis to an object: rows y and z of ω + d × v / r, in the frame's axes.

    d and r are direction and distance of the object; e = θ (x × d) / |x × d|. ints: frame block
    with local axes. floats: frame (the object is REF's translation), then the smallest distance.
    """
    p = ints_at(ints, LISTS)
    p = ints_at(ints, LISTS + 3 * p[COUNT])
    f = vector_at(floats, FRAME_FLOATS + 1)
    place_both(p, f)
    for i in range(3):
        if p[BASE_JOINT] != 0:
            row = BASE_WORLD + 3 * i
            f[WORK + i] = f[BASE_WORLD + 9 + i] - f[WORLD + 9 + i]
            for k in range(3):
                f[WORK + i] += f[row + k] * f[REF + 9 + k]
        else:
            f[WORK + i] = f[REF + 9 + i] - f[WORLD + 9 + i]
    turn_back(f, WORLD, WORK)
    dx, dy, dz = f[WORK], f[WORK + 1], f[WORK + 2]
    r = math.sqrt(dx * dx + dy * dy + dz * dz)
    A = matrix_at(J, 2, stride)
    terms = matrix_at(out, 3, 2)
    near = r < f[FRAME_FLOATS]
    side = math.sqrt(dy * dy + dz * dz)
    angle = math.atan2(side, dx)
    scale = 0.0 if near else (angle / side if side > 1e-9 * r else 1.0 / r if dx > 0.0 else 0.0)
    terms[1, 0] = -scale * dz
    terms[1, 1] = scale * dy
    if not near and side <= 1e-9 * r and dx < 0.0:
        terms[1, 1] = math.pi  # right behind: any way round, so turn left
    JT_ = matrix_at(p[JT], p[COLUMNS], 6)
    n = p[COUNT]
    px, py, pz = f[WORLD + 9], f[WORLD + 10], f[WORLD + 11]
    # The line of sight turns by d × v / r; a near object is only turned to by ω.
    lever = 0.0 if near else 1.0 / (r * r)
    for s in range(n):
        A[0, p[LISTS + n + s]] = 0.0
        A[1, p[LISTS + n + s]] = 0.0
    for s in range(n):
        c, to, sign = p[LISTS + s], p[LISTS + n + s], float(p[LISTS + 2 * n + s])
        f[WORK + 3], f[WORK + 4], f[WORK + 5] = JT_[c, 3], JT_[c, 4], JT_[c, 5]
        f[WORK + 6] = JT_[c, 0] + f[WORK + 4] * pz - f[WORK + 5] * py
        f[WORK + 7] = JT_[c, 1] + f[WORK + 5] * px - f[WORK + 3] * pz
        f[WORK + 8] = JT_[c, 2] + f[WORK + 3] * py - f[WORK + 4] * px
        turn_back(f, WORLD, WORK + 3)
        turn_back(f, WORLD, WORK + 6)
        vx, vy, vz = f[WORK + 6], f[WORK + 7], f[WORK + 8]
        # Seen from the base, the frame's origin moves with v and the object stays.
        A[0, to] += sign * (f[WORK + 4] + lever * (dz * vx - dx * vz))
        A[1, to] += sign * (f[WORK + 5] + lever * (dx * vy - dy * vx))


def rolling(ints: int, floats: int, J: int, stride: int, out: int) -> None:
    """Wheel on the ground: its lowest point does not move, and it does not lean over.

    With axle a and normal n: forward t = a × n / |a × n|, left l = n × t, contact point p − r n.
    Rows t, l, n of its velocity, and ω along t. floats: frame, axle in the frame (3), normal (3),
    r.
    """
    p = ints_at(ints, LISTS)
    p = ints_at(ints, LISTS + 3 * p[COUNT])
    f = vector_at(floats, FRAME_FLOATS + 7)
    place_both(p, f)
    ax, ay, az = f[FRAME_FLOATS], f[FRAME_FLOATS + 1], f[FRAME_FLOATS + 2]
    for i in range(3):
        row = WORLD + 3 * i
        f[WORK + i] = f[row] * ax + f[row + 1] * ay + f[row + 2] * az
    nx, ny, nz = f[FRAME_FLOATS + 3], f[FRAME_FLOATS + 4], f[FRAME_FLOATS + 5]
    tx = f[WORK + 1] * nz - f[WORK + 2] * ny
    ty = f[WORK + 2] * nx - f[WORK] * nz
    tz = f[WORK] * ny - f[WORK + 1] * nx
    length = math.sqrt(tx * tx + ty * ty + tz * tz)
    if length < 1e-9:  # the wheel lies flat: no direction is forward
        tx, ty, tz, length = 1.0, 0.0, 0.0, 1.0
    tx, ty, tz = tx / length, ty / length, tz / length
    lx, ly, lz = ny * tz - nz * ty, nz * tx - nx * tz, nx * ty - ny * tx
    r = f[FRAME_FLOATS + 6]
    px, py, pz = f[WORLD + 9] - r * nx, f[WORLD + 10] - r * ny, f[WORLD + 11] - r * nz
    A = matrix_at(J, 4, stride)
    JT_ = matrix_at(p[JT], p[COLUMNS], 6)
    n = p[COUNT]
    for s in range(n):
        for k in range(4):
            A[k, p[LISTS + n + s]] = 0.0
    for s in range(n):
        c, to = p[LISTS + s], p[LISTS + n + s]
        wx, wy, wz = JT_[c, 3], JT_[c, 4], JT_[c, 5]
        vx = JT_[c, 0] + wy * pz - wz * py
        vy = JT_[c, 1] + wz * px - wx * pz
        vz = JT_[c, 2] + wx * py - wy * px
        A[0, to] += tx * vx + ty * vy + tz * vz
        A[1, to] += lx * vx + ly * vy + lz * vz
        A[2, to] += nx * vx + ny * vy + nz * vz
        A[3, to] += tx * wx + ty * wy + tz * wz


GAZE = evaluator(gaze)
ROLLING = evaluator(rolling)
