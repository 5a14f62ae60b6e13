"""Step adjustment: where and when the swinging feet are to land after a disturbance.

While a foot swings, only the centre of pressure under the stance can push the measured DCM back to
the planned one, and it reaches a few centimetres. What is left over grows by e^{ω T} until landing;
the landing place is shifted by that much, and landing may come earlier where shifts are too large.
"""

from math import exp, hypot

from numba import types

from footwork._numba import F8, OUT1, VOID, kernel
from footwork.typing import Vector
from footwork.walking._kernels.dcm import dcm_at, look_ahead
from footwork.walking._kernels.footholds import clamp, limit_foothold, support_frame, turn
from footwork.walking._kernels.layout import (
    PARAMETERS,
    PLAN,
    SEGMENTS,
    STATE,
    GaitParameters,
    GaitPlan,
    GaitState,
    Segments,
)

PAIR = types.UniTuple(F8, 2)
CANDIDATES = 12


@kernel(F8(F8, F8))
def beyond(value: float, margin: float) -> float:
    """Part of a value outside of ±margin."""
    return value - clamp(value, -margin, margin)


@kernel(PAIR(PARAMETERS, PLAN, STATE, F8, F8, OUT1))
def limit_shift(
    parameters: GaitParameters,
    plan: GaitPlan,
    state: GaitState,
    shift_x: float,
    shift_y: float,
    scratch: Vector,
) -> tuple[float, float]:
    """Shorten a shift so that the landing place stays within reach of the stance."""
    step = state.mode[1]
    x, y, _, yaw = support_frame(plan, state.feet, step)
    if parameters.is_biped == 1.0:
        for i in range(state.feet.shape[0]):
            if plan.swings[step, i] != 0.0:
                scratch[0] = state.targets[i, 0] + shift_x
                scratch[1] = state.targets[i, 1] + shift_y
                limit_foothold(parameters, plan.sides[i], x, y, yaw, scratch)
                return scratch[0] - state.targets[i, 0], scratch[1] - state.targets[i, 1]
    size = hypot(shift_x, shift_y)
    factor = min(1.0, parameters.max_shift / size) if size > 0.0 else 0.0
    return factor * shift_x, factor * shift_y


@kernel(F8(PLAN, STATE, F8, F8))
def _distance(plan: GaitPlan, state: GaitState, shift_x: float, shift_y: float) -> float:
    """How far the farthest swinging foot still has to go."""
    far = 0.0
    for i in range(state.feet.shape[0]):
        if plan.swings[state.mode[1], i] != 0.0:
            dx = state.targets[i, 0] + shift_x - state.swing[i, 0, 0]
            dy = state.targets[i, 1] + shift_y - state.swing[i, 1, 0]
            far = max(far, hypot(dx, dy))
    return far


@kernel(VOID(PARAMETERS, PLAN, STATE, OUT1, SEGMENTS, F8, F8, OUT1))
def _seen_from_stance(
    parameters: GaitParameters,
    plan: GaitPlan,
    state: GaitState,
    dcm: Vector,
    segments: Segments,
    yaw: float,
    nominal: float,
    out: Vector,
) -> None:
    """Part of the error that the centre of pressure cannot absorb, and ξₗ, in the stance's frame.

    The plan is that of landing after the nominal time on the planned place.
    """
    clock = state.clock
    length = clock[1]
    clock[1] = clock[0] + nominal
    count = look_ahead(parameters, plan, state, 0.0, 0.0, segments)
    dcm_at(parameters.omega, segments.first, segments.last, segments.times, count, clock[0], out)
    clock[1] = length
    ex, ey = turn(dcm[0] - out[0], dcm[1] - out[1], -yaw)
    lx, ly = turn(out[0] - out[2], out[1] - out[3], -yaw)
    out[0], out[1] = beyond(ex, parameters.forward_margin), beyond(ey, parameters.lateral_margin)
    out[2], out[3] = lx, ly


@kernel(types.UniTuple(F8, 4)(PARAMETERS, PLAN, STATE, F8, F8, F8, OUT1, OUT1))
def _landing_after(
    parameters: GaitParameters,
    plan: GaitPlan,
    state: GaitState,
    yaw: float,
    nominal: float,
    time: float,
    error: Vector,
    scratch: Vector,
) -> tuple[float, float, float, float]:
    """Shift of a landing after some time, and what is wanted beyond it, in the stance's frame."""
    growth0, growth = exp(parameters.omega * nominal), exp(parameters.omega * time)
    wanted_x = error[0] * growth + error[2] * (growth - growth0)
    wanted_y = error[1] * growth + error[3] * (growth - growth0)
    sx, sy = turn(wanted_x, wanted_y, yaw)
    sx, sy = limit_shift(parameters, plan, state, sx, sy, scratch)
    got_x, got_y = turn(sx, sy, -yaw)
    return sx, sy, wanted_x - got_x, wanted_y - got_y


@kernel(VOID(PARAMETERS, PLAN, STATE, OUT1, SEGMENTS, F8, OUT1, OUT1))
def _adjust_timing(
    parameters: GaitParameters,
    plan: GaitPlan,
    state: GaitState,
    dcm: Vector,
    segments: Segments,
    yaw: float,
    error: Vector,
    scratch: Vector,
) -> None:
    """Search the remaining time together with the shift.

    With r the part of the error that the centre of pressure cannot absorb and ξₗ the planned DCM
    relative to it, landing after T instead of T₀ needs the shift r e^{ωT} + ξₗ (e^{ωT} − e^{ωT₀}).
    The cost weighs what cannot be reached, what is shifted sideways, haste, and speed of the foot.
    """
    clock = state.clock
    nominal = max(clock[2] - clock[0], parameters.min_remaining)
    _seen_from_stance(parameters, plan, state, dcm, segments, yaw, nominal, error)
    best = 1e300
    best_time = nominal
    least = max(parameters.min_remaining, parameters.min_swing * clock[2] - clock[0])
    least = min(least, nominal)
    for k in range(CANDIDATES):
        time = least + (nominal - least) * k / (CANDIDATES - 1.0)
        sx, sy, missing_x, missing_y = _landing_after(
            parameters, plan, state, yaw, nominal, time, error, scratch
        )
        _, got = turn(sx, sy, -yaw)
        hurry = max(0.0, _distance(plan, state, sx, sy) / time - parameters.max_swing_speed)
        cost = (
            parameters.residual_weight * (missing_x**2 + missing_y**2)
            + got**2
            + parameters.time_weight * (nominal - time) ** 2
            + parameters.speed_weight * hurry**2
        )
        if cost < best:
            best, best_time = cost, time
            state.shift[0], state.shift[1] = sx, sy
    clock[1] = clock[0] + best_time


@kernel(VOID(PARAMETERS, PLAN, STATE, OUT1, SEGMENTS, F8, OUT1, OUT1))
def _step_again(
    parameters: GaitParameters,
    plan: GaitPlan,
    state: GaitState,
    dcm: Vector,
    segments: Segments,
    yaw: float,
    error: Vector,
    scratch: Vector,
) -> None:
    """Take a step once more, from where its foot is, rather than land in the wrong place.

    That is done when the landing would leave much of the error, and the quickest step half of it.
    """
    clock = state.clock
    remaining = max(clock[1] - clock[0], 0.0)
    _seen_from_stance(parameters, plan, state, dcm, segments, yaw, remaining, error)
    growth = exp(parameters.omega * remaining)
    shift_x, shift_y = turn(state.shift[0], state.shift[1], -yaw)
    left = hypot(error[0] * growth - shift_x, error[1] * growth - shift_y)
    time = parameters.min_swing * clock[2]
    _, _, missing_x, missing_y = _landing_after(
        parameters, plan, state, yaw, remaining, time, error, scratch
    )
    if left < parameters.late_error or hypot(missing_x, missing_y) > 0.5 * left:
        return
    clock[0], clock[1], clock[7] = 0.0, time, 1.0
    for i in range(state.feet.shape[0]):
        if plan.swings[state.mode[1], i] != 0.0:
            state.descending[i] = 0
            state.lift_height[i] = state.swing[i, 2, 0]


@kernel(VOID(PARAMETERS, PLAN, STATE, OUT1, SEGMENTS, OUT1, OUT1))
def adjust_step(
    parameters: GaitParameters,
    plan: GaitPlan,
    state: GaitState,
    dcm: Vector,
    segments: Segments,
    at: Vector,
    scratch: Vector,
) -> None:
    """Choose the shift of the landing places, and the time of landing, from the measured DCM.

    Args:
        parameters: Of the gait.
        plan: The steps.
        state: Phase SWING; its shift and duration are written.
        dcm: Measured [m], shape (2,).
        segments: Scratch.
        at: Planned DCM and centre of pressure without any shift [m], shape (4,); scratch after.
        scratch: Shape (4,).
    """
    clock = state.clock
    remaining = clock[1] - clock[0]
    yaw = support_frame(plan, state.feet, state.mode[1])[3]
    if remaining <= parameters.freeze_time:
        if parameters.adjusts_timing == 1.0 and clock[7] == 0.0:
            _step_again(parameters, plan, state, dcm, segments, yaw, at, scratch)
        return
    ex, ey = turn(dcm[0] - at[0], dcm[1] - at[1], -yaw)
    rx, ry = beyond(ex, parameters.forward_margin), beyond(ey, parameters.lateral_margin)
    if parameters.adjusts_timing == 1.0 and (rx != 0.0 or ry != 0.0 or clock[1] != clock[2]):
        _adjust_timing(parameters, plan, state, dcm, segments, yaw, at, scratch)
        return
    growth = exp(parameters.omega * remaining)
    sx, sy = turn(rx * growth, ry * growth, yaw)
    state.shift[0], state.shift[1] = limit_shift(parameters, plan, state, sx, sy, scratch)


@kernel(VOID(PARAMETERS, PLAN, STATE, OUT1))
def limit_cop(parameters: GaitParameters, plan: GaitPlan, state: GaitState, cop: Vector) -> None:
    """Bring a commanded centre of pressure into the support.

    In single support the sole; with two feet the strip along the line of their middles; with more
    the box along that of the first and last that holds the middles.
    """
    step = state.mode[1] if state.mode[0] == 2 else -1
    feet = state.feet
    first = last = -1
    for i in range(feet.shape[0]):
        if step < 0 or plan.swings[step, i] == 0.0:
            if first < 0:
                first = i
            last = i
    x, y, yaw = feet[first, 0], feet[first, 1], feet[first, 3]
    if first == last:
        lx, ly = turn(cop[0] - x, cop[1] - y, -yaw)
        lx = clamp(lx, -parameters.half_length, parameters.half_length)
        ly = clamp(ly, -parameters.half_width, parameters.half_width)
        lx, ly = turn(lx, ly, yaw)
        cop[0], cop[1] = x + lx, y + ly
        return
    dx, dy = feet[last, 0] - x, feet[last, 1] - y
    length = max(hypot(dx, dy), 1e-9)
    c, s = dx / length, dy / length
    low = high = 0.0
    for i in range(feet.shape[0]):
        if step < 0 or plan.swings[step, i] == 0.0:
            across = -s * (feet[i, 0] - x) + c * (feet[i, 1] - y)
            low, high = min(low, across), max(high, across)
    along = c * (cop[0] - x) + s * (cop[1] - y)
    across = -s * (cop[0] - x) + c * (cop[1] - y)
    along = clamp(along, -parameters.half_width, length + parameters.half_width)
    across = clamp(across, low - parameters.half_length, high + parameters.half_length)
    cop[0] = x + c * along - s * across
    cop[1] = y + s * along + c * across
