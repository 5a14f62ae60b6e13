"""Evaluators of limits on joints, and of what they have in common with frames and the CoM.

Joints: ints are addresses of q and v, nq, nv, then for every component of v its place in q (−1: it
has no position limit). floats are lower, upper, largest speed, largest acceleration (nv each), then
dt and the gain.
"""

import math

from footwork._numba import F8, kernel
from footwork.stack._kernels.lie import chain_back, turn
from footwork.stack._kernels.memory import evaluator, ints_at, matrix_at, vector_at
from footwork.stack._kernels.tasks_velocity import (
    BASE_WORLD,
    COLUMNS,
    COUNT,
    FIRST_ROW,
    FRAME_FLOATS,
    LISTS,
    REF,
    WORK,
    WORLD,
    frame_rows,
    place_both,
)
from footwork.stack._kernels.tasks_velocity import JT as JT_AT


@kernel(F8(F8, F8, F8))
def viable_speed(distance: float, braking: float, dt: float) -> float:
    """Largest speed towards a limit from which steps of constant speed can still stop before it.

    The speed may fall by A dt a step. After a step at v = x A dt the steps x − 1, x − 2 … cover at
    most A dt² (x − ½)²/2; with the step itself (A dt²/2)(x + ½)² ≤ d, so v = √(2 A d) − A dt/2.
    With x ≤ 1 the next step is at rest, so v = d/dt is as good: who is within never has to move.
    Whoever obeys it can obey it again in the next step.

    Source: ours
    """
    if not braking < math.inf:
        return distance / dt
    if not distance < math.inf:
        return math.inf
    several = math.sqrt(2.0 * braking * max(distance, 0.0)) - 0.5 * braking * dt
    return max(several, min(distance / dt, braking * dt))


@kernel(F8(F8, F8, F8, F8))
def viable_speed_exact(distance: float, v: float, braking: float, dt: float) -> float:
    """Largest speed at the end of a step of constant acceleration from which it can still stop.

    d − (v + v')/2 dt ≥ v'²/(2 A) gives v' = −A dt/2 + √((A dt/2)² + 2 A (d − v dt/2)).

    Source: ours; delprete2018joint has the same set with more cases
    """
    if not distance < math.inf:
        return math.inf
    if not braking < math.inf:
        return 2.0 * distance / dt - v
    half = 0.5 * braking * dt
    inside = half * half + 2.0 * braking * (distance - 0.5 * v * dt)
    return math.sqrt(max(inside, 0.0)) - half


def position_velocity(ints: int, floats: int, J: int, stride: int, out: int) -> None:
    """Box of v: γ (q_lim − q)/dt and the largest speed, at which it comes back from outside."""
    p = ints_at(ints, 4)
    nq, nv = p[2], p[3]
    p = ints_at(ints, 4 + nv)
    f = vector_at(floats, 4 * nv + 2)
    q = vector_at(p[0], nq)
    rate = f[4 * nv + 1] / f[4 * nv]
    sides = matrix_at(out, 2, nv)
    for i in range(nv):
        top = f[2 * nv + i]
        low, high = -top, top
        if p[4 + i] >= 0:
            at = q[p[4 + i]]
            low = min(max(low, rate * (f[i] - at)), top)
            high = max(min(high, rate * (f[nv + i] - at)), -top)
        sides[0, i], sides[1, i] = low, high


def viable_velocity(ints: int, floats: int, J: int, stride: int, out: int) -> None:
    """Box of v that is viable: position, speed and change of speed, for ever.

    From where it is not viable, the speed changes as fast as it may.
    """
    p = ints_at(ints, 4)
    nq, nv = p[2], p[3]
    p = ints_at(ints, 4 + nv)
    f = vector_at(floats, 4 * nv + 2)
    q, v = vector_at(p[0], nq), vector_at(p[1], nv)
    dt = f[4 * nv]
    sides = matrix_at(out, 2, nv)
    for i in range(nv):
        top, change = f[2 * nv + i], f[3 * nv + i] * dt
        low, high = -top, top
        if p[4 + i] >= 0:
            at = q[p[4 + i]]
            high = max(min(high, viable_speed(f[nv + i] - at, f[3 * nv + i], dt)), -top)
            low = min(max(low, -viable_speed(at - f[i], f[3 * nv + i], dt)), top)
        first, last = v[i] - change, v[i] + change
        high = min(max(high, first), last)
        low = max(min(low, last), first)
        sides[0, i], sides[1, i] = min(low, high), max(low, high)


def acceleration_limits(ints: int, floats: int, J: int, stride: int, out: int) -> None:
    """Box of accelerations that is viable: position, speed and acceleration, for ever.

    With the gain ≥ 0 steps are exact (q' = q + v dt + a dt²/2), else semi-implicit (q' = q + v'
    dt). From where it is not viable, it brakes as hard as it may.
    """
    p = ints_at(ints, 4)
    nq, nv = p[2], p[3]
    p = ints_at(ints, 4 + nv)
    f = vector_at(floats, 4 * nv + 2)
    q, v = vector_at(p[0], nq), vector_at(p[1], nv)
    dt, exact = f[4 * nv], f[4 * nv + 1] >= 0.0
    sides = matrix_at(out, 2, nv)
    for i in range(nv):
        top, most = f[2 * nv + i], f[3 * nv + i]
        low, high = -top, top
        if p[4 + i] >= 0:
            up, down = f[nv + i] - q[p[4 + i]], q[p[4 + i]] - f[i]
            if exact:
                high = min(high, viable_speed_exact(up, v[i], most, dt))
                low = max(low, -viable_speed_exact(down, -v[i], most, dt))
            else:
                high = min(high, viable_speed(up, most, dt))
                low = max(low, -viable_speed(down, most, dt))
        a_high = min(max((high - v[i]) / dt, -most), most)
        a_low = max(min((low - v[i]) / dt, most), -most)
        sides[0, i], sides[1, i] = min(a_low, a_high), max(a_low, a_high)


def frame_velocity(ints: int, floats: int, J: int, stride: int, out: int) -> None:
    """Rows of a frame's Jacobian with constant limits. floats: frame, lower, upper (6 each)."""
    p = ints_at(ints, LISTS)
    p = ints_at(ints, LISTS + 3 * p[COUNT])
    f = vector_at(floats, FRAME_FLOATS + 12)
    rows, first = p[COUNT + 1], p[FIRST_ROW]
    place_both(p, f)
    frame_rows(p, f, matrix_at(J, rows, stride), rows)
    sides = matrix_at(out, 2, rows)
    for r in range(rows):
        sides[0, r] = f[FRAME_FLOATS + first + r]
        sides[1, r] = f[FRAME_FLOATS + 6 + first + r]


def frame_position(ints: int, floats: int, J: int, stride: int, out: int) -> None:
    """Keep a frame's origin in half spaces n·p ≤ h: n J v ≤ rate (h − n·p), p in the base.

    ints: frame block in "position" mode; its number of rows is that of the planes. floats: frame,
    rate, then n (3) and h for every plane.
    """
    p = ints_at(ints, LISTS)
    n = p[COUNT]
    p = ints_at(ints, LISTS + 3 * n)
    k = p[COUNT + 1]
    f = vector_at(floats, FRAME_FLOATS + 1 + 4 * k)
    place_both(p, f)
    chain_back(f, BASE_WORLD, WORLD, REF)
    A = matrix_at(J, k, stride)
    JT = matrix_at(p[JT_AT], p[COLUMNS], 6)
    rate = f[FRAME_FLOATS]
    sides = matrix_at(out, 2, k)
    for r in range(k):
        plane = FRAME_FLOATS + 1 + 4 * r
        for s in range(n):
            A[r, p[LISTS + n + s]] = 0.0
        inside = f[plane + 3]
        for i in range(3):
            inside -= f[plane + i] * f[REF + 9 + i]
            f[WORK + i] = f[plane + i]
        turn(f, BASE_WORLD, WORK, WORK + 3)
        x, y, z = f[WORK + 3], f[WORK + 4], f[WORK + 5]
        px, py, pz = f[WORLD + 9], f[WORLD + 10], f[WORLD + 11]
        for s in range(n):
            c, to, sign = p[LISTS + s], p[LISTS + n + s], float(p[LISTS + 2 * n + s])
            vx = JT[c, 0] + JT[c, 4] * pz - JT[c, 5] * py
            vy = JT[c, 1] + JT[c, 5] * px - JT[c, 3] * pz
            vz = JT[c, 2] + JT[c, 3] * py - JT[c, 4] * px
            A[r, to] += sign * (x * vx + y * vy + z * vz)
        sides[0, r] = -math.inf
        sides[1, r] = rate * inside


POSITION_VELOCITY = evaluator(position_velocity)
VIABLE_VELOCITY = evaluator(viable_velocity)
ACCELERATION_LIMITS = evaluator(acceleration_limits)
FRAME_VELOCITY = evaluator(frame_velocity)
FRAME_POSITION = evaluator(frame_position)
