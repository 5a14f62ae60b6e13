"""One tick of the gait: the phase, the plan of the coming steps, feedback, and swinging feet."""

from math import exp, hypot
from typing import Final

from footwork._numba import F8, OUT1, OUT2, VOID, kernel
from footwork.typing import Matrix, Vector
from footwork.walking._kernels.adjust import adjust_step, beyond, limit_cop
from footwork.walking._kernels.dcm import dcm_at, look_ahead
from footwork.walking._kernels.footholds import (
    clamp,
    next_footholds,
    support_frame,
    support_point,
    unwrap,
)
from footwork.walking._kernels.layout import (
    FINAL,
    HOLD,
    PARAMETERS,
    PLAN,
    SEGMENTS,
    STATE,
    SWING,
    TARGETS,
    TRANSFER,
    GaitParameters,
    GaitPlan,
    GaitState,
    GaitTargets,
    Segments,
)
from footwork.walking._kernels.swing import swing_feet
from footwork.walking._kernels.touch import watch_feet

CARRY_GAIN: Final = 2.0
"""Metres of centre of pressure for a metre by which a plan that was given up is ahead."""


@kernel(VOID(PARAMETERS, PLAN, STATE, OUT2))
def _lift_off(
    parameters: GaitParameters, plan: GaitPlan, state: GaitState, measured: Matrix
) -> None:
    """Begin a step: the feet swing from where they are measured to be."""
    step = state.mode[1]
    state.mode[0] = SWING
    state.clock[0] = 0.0
    state.clock[1] = state.clock[2] = plan.swing_times[step]
    state.clock[7] = 0.0
    state.shift[:] = 0.0
    next_footholds(parameters, plan, step, state.feet, state.targets)
    for i in range(measured.shape[0]):
        if plan.swings[step, i] != 0.0:
            state.swing[i] = 0.0
            state.descending[i] = 0
            state.swing[i, 0, 0] = measured[i, 0]
            state.swing[i, 1, 0] = measured[i, 1]
            state.swing[i, 2, 0] = measured[i, 2]
            state.swing[i, 3, 0] = unwrap(measured[i, 3], state.feet[i, 3])
            state.lift_height[i] = measured[i, 2]
    total = count = 0.0
    for i in range(measured.shape[0]):
        if plan.swings[step, i] == 0.0:
            total += measured[i, 2]
            count += 1.0
    # heights of coming footholds are counted from the stance as it is measured
    rise = total / count - support_frame(plan, state.feet, step)[2]
    state.clock[5] = total / count
    for i in range(measured.shape[0]):
        if plan.swings[step, i] != 0.0:
            state.targets[i, 2] += rise


@kernel(VOID(PARAMETERS, PLAN, STATE, OUT2))
def _touch_down(
    parameters: GaitParameters, plan: GaitPlan, state: GaitState, measured: Matrix
) -> None:
    """End a step: measured feet are the new footholds; an early landing keeps the timeline."""
    mode, clock = state.mode, state.clock
    step = mode[1]
    hurried = clock[1] < clock[2] - 1e-6
    early = 0.0 if hurried else max(0.0, clock[1] - clock[0])
    state.cop_start[0], state.cop_start[1] = support_point(parameters, plan, state.feet, step)
    for i in range(measured.shape[0]):
        if plan.swings[step, i] != 0.0:
            yaw = state.targets[i, 3]
            state.feet[i, 0] = measured[i, 0]
            state.feet[i, 1] = measured[i, 1]
            state.feet[i, 2] = measured[i, 2]
            state.feet[i, 3] = unwrap(measured[i, 3], yaw) if parameters.is_biped == 1.0 else yaw
    mode[1] = step + 1
    mode[2] += 1
    mode[0] = TRANSFER if step + 1 < plan.swing_times.size else FINAL
    clock[0] = 0.0
    clock[1] = plan.transfer_times[step + 1] + early


@kernel(VOID(PARAMETERS, PLAN, STATE, F8, OUT2, TARGETS))
def advance_phase(
    parameters: GaitParameters,
    plan: GaitPlan,
    state: GaitState,
    dt: float,
    measured: Matrix,
    targets: GaitTargets,
) -> None:
    """Let time pass, and change the phase where its time has come or the feet have landed.

    Args:
        parameters: Of the gait.
        plan: The steps.
        state: Changed; which feet are loaded is known.
        dt: Control step [s].
        measured: Feet (x, y, z, yaw) [m, rad], shape (feet, 4).
        targets: Gets told whether a step ended.
    """
    mode, clock = state.mode, state.clock
    targets.has_landed[0] = 0
    clock[0] += dt
    # half a tick of slack: phases are whole numbers of ticks, up to rounding
    over = clock[0] >= clock[1] - 0.5 * dt
    if mode[0] == HOLD and over:
        mode[0] = TRANSFER if plan.swing_times.size > 0 else FINAL
        clock[0] = 0.0
        clock[1] = plan.transfer_times[0]
    elif mode[0] == TRANSFER and over:
        _lift_off(parameters, plan, state, measured)
    elif mode[0] == SWING:
        if clock[0] > parameters.early_fraction * clock[1] or over:
            landed = True
            for i in range(state.feet.shape[0]):
                if plan.swings[mode[1], i] != 0.0 and state.loaded[i] == 0:
                    landed = False
            if landed or clock[0] > clock[1] + parameters.late_time:
                _touch_down(parameters, plan, state, measured)
                targets.has_landed[0] = 1
    elif mode[0] == FINAL and over and mode[3] == 0:
        mode[3] = 1


@kernel(VOID(PARAMETERS, PLAN, STATE, F8, TARGETS))
def _head(
    parameters: GaitParameters, plan: GaitPlan, state: GaitState, dt: float, targets: GaitTargets
) -> None:
    """Contact flags, and the torso's heading: between the feet, at a limited rate."""
    swinging = state.mode[0] == SWING
    yaw = 0.0
    count = state.feet.shape[0]
    for i in range(count):
        swings = swinging and plan.swings[state.mode[1], i] != 0.0
        targets.contacts[i] = 0 if swings else 1
        yaw += (state.swing[i, 3, 0] if swings else state.feet[i, 3]) / count
    step = clamp(yaw - state.clock[6], -3.0 * dt, 3.0 * dt)
    state.clock[6] += step
    targets.torso_yaw[0] = state.clock[6]


@kernel(VOID(PARAMETERS, PLAN, STATE, SEGMENTS, F8, OUT2, OUT2, OUT1, OUT1, TARGETS))
def gait_tick(
    parameters: GaitParameters,
    plan: GaitPlan,
    state: GaitState,
    segments: Segments,
    dt: float,
    com: Matrix,
    measured: Matrix,
    forces: Vector,
    push: Vector,
    targets: GaitTargets,
) -> None:
    """From the measured state to the targets of the whole-body controller.

    The commanded centre of pressure is p = p_ref + k (ξ − ξ_ref), brought into the support, and the
    acceleration of the centre of mass follows from it: c̈ = ω² (c − p). A push a that dies away with
    a time constant τ is worth the same as a DCM that is off by a / (ω (ω + 1/τ)).

    When other steps are planned, the reference goes on where it was: it is ahead of the new plan by
    δ, and with the centre of pressure ahead by k δ, δ' = −(k − 1) ω δ.

    Args:
        parameters: Of the gait.
        plan: The steps.
        state: Changed.
        segments: Scratch.
        dt: Control step [s].
        com: Position and velocity of the centre of mass [m, m/s], shape (2, 3).
        measured: Feet (x, y, z, yaw) [m, rad], shape (feet, 4).
        forces: Normal force on each foot [N], shape (feet,).
        push: Acceleration by forces from elsewhere, forward and left [m/s²], shape (2,).
        targets: Written.
    """
    omega, clock = parameters.omega, state.clock
    clock[3] += dt
    watch_feet(parameters, state, forces)
    advance_phase(parameters, plan, state, dt, measured, targets)
    carry, left = state.carry, exp((1.0 - CARRY_GAIN) * omega * dt)
    for k in range(2):
        targets.dcm[k] = com[0, k] + com[1, k] / omega
        carry[k] *= left
    worth = 1.0 / (omega * (omega + 1.0 / parameters.push_memory))
    share = min(1.0, dt / max(parameters.smoothing, 1e-9))
    out, dcm, ahead = segments.at, segments.dcm, segments.push
    count = look_ahead(parameters, plan, state, state.shift[0], state.shift[1], segments)
    dcm_at(omega, segments.first, segments.last, segments.times, count, clock[0], out)
    for k in range(2):
        state.dcm_error[k] += share * (targets.dcm[k] - carry[k] - out[k] - state.dcm_error[k])
        ahead[k] = worth * beyond(push[k], parameters.least_push)
        dcm[k] = out[k] + state.dcm_error[k] + ahead[k]
    far = hypot(dcm[0] - out[0], dcm[1] - out[1]) > parameters.late_error
    if (
        state.mode[0] == SWING
        and parameters.adjusts_steps == 1.0
        and (far or clock[1] - clock[0] > parameters.freeze_time)
    ):
        if state.shift[0] != 0.0 or state.shift[1] != 0.0:
            count = look_ahead(parameters, plan, state, 0.0, 0.0, segments)
            dcm_at(omega, segments.first, segments.last, segments.times, count, clock[0], out)
        adjust_step(parameters, plan, state, dcm, segments, out, segments.scratch)
        count = look_ahead(parameters, plan, state, state.shift[0], state.shift[1], segments)
        dcm_at(omega, segments.first, segments.last, segments.times, count, clock[0], out)
        for k in range(2):
            state.dcm_error[k] = dcm[k] - ahead[k] - out[k]
    for k in range(2):
        targets.dcm_reference[k] = out[k] + carry[k]
        targets.cop_reference[k] = out[2 + k] + CARRY_GAIN * carry[k]
        targets.cop[k] = targets.cop_reference[k] + parameters.dcm_gain * state.dcm_error[k]
    limit_cop(parameters, plan, state, targets.cop)
    ground = clock[5]
    if state.mode[0] != SWING:
        ground = 0.0
        for i in range(state.feet.shape[0]):
            ground += state.feet[i, 2] / state.feet.shape[0]
    clock[4] += (ground - clock[4]) * min(1.0, dt / 0.1)
    for k in range(2):
        targets.com_acceleration[k] = omega * omega * (com[0, k] - targets.cop[k])
    targets.com_acceleration[2] = (
        parameters.height_stiffness * (parameters.com_height + clock[4] - com[0, 2])
        - parameters.height_damping * com[1, 2]
    )
    if state.mode[0] == SWING:
        swing_feet(parameters, plan, state, dt, measured, targets)
    _head(parameters, plan, state, dt, targets)
