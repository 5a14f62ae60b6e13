"""The divergent component of motion: a plan in closed form, looked at from any instant.

ξ = c + ċ/ω, ω = √(g/z). Over a piece in which the centre of pressure moves straight from p₀ to p₁
in T with slope b, ξ(0) = (ξ(T) − p₁ − b/ω) e^{−ωT} + p₀ + b/ω. The last piece ends with ξ = p.
"""

from math import exp

from footwork._numba import F8, I8, OUT1, OUT2, VOID, kernel
from footwork.typing import Matrix, Vector
from footwork.walking._kernels.footholds import next_footholds, support_point
from footwork.walking._kernels.layout import (
    HOLD,
    PARAMETERS,
    PLAN,
    PREVIEW_STEPS,
    SEGMENTS,
    STATE,
    SWING,
    TRANSFER,
    GaitParameters,
    GaitPlan,
    GaitState,
    Segments,
)


@kernel(VOID(F8, OUT2, OUT2, OUT1, I8, F8, OUT1))
def dcm_at(
    omega: float, first: Matrix, last: Matrix, times: Vector, count: int, time: float, out: Vector
) -> None:
    """Evaluate the plan at a time in its first piece.

    Args:
        omega: √(g/z) [1/s].
        first: Centre of pressure at the start of each piece [m], shape (k, 2).
        last: At its end [m], shape (k, 2).
        times: Durations [s], shape (k,).
        count: How many pieces count.
        time: In the first piece; later is its end [s].
        out: ξ, then the centre of pressure, at that time [m], shape (4,).
    """
    for axis in range(2):
        xi = last[count - 1, axis]
        for k in range(count - 1, 0, -1):
            slope = (last[k, axis] - first[k, axis]) / times[k] / omega
            xi = (xi - last[k, axis] - slope) * exp(-omega * times[k]) + first[k, axis] + slope
        passed = min(time, times[0])
        slope = (last[0, axis] - first[0, axis]) / times[0]
        cop = first[0, axis] + slope * passed
        slope /= omega
        out[axis] = (xi - last[0, axis] - slope) * exp(-omega * (times[0] - passed)) + cop + slope
        out[2 + axis] = cop


@kernel(I8(SEGMENTS, I8, F8, F8, F8, F8, F8))
def _put(
    segments: Segments, k: int, x0: float, y0: float, x1: float, y1: float, time: float
) -> int:
    segments.first[k, 0] = x0
    segments.first[k, 1] = y0
    segments.last[k, 0] = x1
    segments.last[k, 1] = y1
    segments.times[k] = max(time, 1e-4)
    return k + 1


@kernel(I8(PARAMETERS, PLAN, STATE, F8, F8, SEGMENTS))
def look_ahead(
    parameters: GaitParameters,
    plan: GaitPlan,
    state: GaitState,
    shift_x: float,
    shift_y: float,
    segments: Segments,
) -> int:
    """Lay out the centre of pressure from the present phase over the coming steps.

    Returns:
        How many pieces there are; the first one is the present phase.
    """
    phase, step = state.mode[0], state.mode[1]
    step_count = plan.swing_times.size
    x, y = state.cop_start[0], state.cop_start[1]
    feet = segments.feet
    feet[:] = state.feet
    k = 0
    if phase == HOLD:
        k = _put(segments, k, x, y, x, y, state.clock[1])
        if step_count == 0:
            sx, sy = support_point(parameters, plan, feet, -1)
            return _put(segments, k, x, y, sx, sy, plan.transfer_times[0])
    if phase in (HOLD, TRANSFER):
        sx, sy = support_point(parameters, plan, feet, step)
        time = plan.transfer_times[step] if phase == HOLD else state.clock[1]
        k = _put(segments, k, x, y, sx, sy, time)
        k = _put(segments, k, sx, sy, sx, sy, plan.swing_times[step])
        next_footholds(parameters, plan, step, feet, segments.landing)
    elif phase == SWING:
        sx, sy = support_point(parameters, plan, feet, step)
        k = _put(segments, k, sx, sy, sx, sy, state.clock[1])
        segments.landing[:] = state.targets
        for i in range(feet.shape[0]):
            if plan.swings[step, i] != 0.0:
                segments.landing[i, 0] += shift_x
                segments.landing[i, 1] += shift_y
    else:
        sx, sy = support_point(parameters, plan, feet, -1)
        return _put(segments, k, x, y, sx, sy, state.clock[1])
    feet[:] = segments.landing
    x, y = sx, sy
    for ahead in range(step + 1, min(step + 1 + PREVIEW_STEPS, step_count)):
        sx, sy = support_point(parameters, plan, feet, ahead)
        k = _put(segments, k, x, y, sx, sy, plan.transfer_times[ahead])
        k = _put(segments, k, sx, sy, sx, sy, plan.swing_times[ahead])
        next_footholds(parameters, plan, ahead, feet, segments.landing)
        feet[:] = segments.landing
        x, y = sx, sy
    sx, sy = support_point(parameters, plan, feet, -1)
    last = min(step + 1 + PREVIEW_STEPS, step_count)
    return _put(segments, k, x, y, sx, sy, plan.transfer_times[last])
