"""Where swinging feet are to be: curves that begin anew in each tick."""

from math import hypot

from footwork._numba import F8, OUT1, OUT2, VOID, kernel
from footwork.trajectory._kernels import quintic_step
from footwork.typing import Matrix, Vector
from footwork.walking._kernels.layout import (
    PARAMETERS,
    PLAN,
    STATE,
    TARGETS,
    GaitParameters,
    GaitPlan,
    GaitState,
    GaitTargets,
)

LOWEST = 0.35
SHORTEST_RISE = 0.03  # [s]
CAUGHT = 0.015  # lead of a reference over its foot at which something holds the foot [m]
RETREAT = 0.01  # how far behind the foot the curve then begins anew [m]


@kernel(VOID(OUT2, OUT1))
def _step_back(swing: Matrix, foot: Vector) -> None:
    """Begin behind the foot, at rest, where the reference has run away from it in the plane.

    A toe that meets an edge hangs on it as long as it is pushed against it. While the curve comes
    forward again the foot goes on rising, and clears the edge.
    """
    x, y = swing[0, 0] - foot[0], swing[1, 0] - foot[1]
    lead = hypot(x, y)
    if lead > CAUGHT:
        swing[0, 0] = foot[0] - x * RETREAT / lead
        swing[1, 0] = foot[1] - y * RETREAT / lead
        swing[0, 1] = swing[0, 2] = swing[1, 1] = swing[1, 2] = 0.0


@kernel(VOID(PARAMETERS, PLAN, STATE, F8, OUT2, TARGETS))
def swing_feet(
    parameters: GaitParameters,
    plan: GaitPlan,
    state: GaitState,
    dt: float,
    measured: Matrix,
    targets: GaitTargets,
) -> None:
    """Advance the references of swinging feet along minimum-jerk curves to where they are to land.

    The curve starts anew in each tick from the last reference, so a moved target needs no special
    case. Height rises to the apex, comes down, and goes on down at the landing velocity. An apex
    that moves just before it is reached is not chased: the foot would be thrown up or down.
    """
    clock = state.clock
    remaining = max(clock[1] - clock[0], 0.0)
    apex = parameters.apex_fraction * min(clock[1], clock[2]) - clock[0]
    # a hasty swing stays low: thrown up and down at the same height, the leg would lift the robot
    haste = min(1.0, clock[1] / clock[2])
    rise = parameters.swing_height * max(LOWEST, haste * haste)
    for i in range(state.feet.shape[0]):
        if plan.swings[state.mode[1], i] == 0.0:
            continue
        swing = state.swing[i]
        _step_back(swing, measured[i])
        for k in (0, 1, 3):
            goal = state.targets[i, k] + (state.shift[k] if k < 2 else 0.0)
            if remaining > 0.03:
                swing[k, 0], swing[k, 1], swing[k, 2] = quintic_step(
                    swing[k, 0], swing[k, 1], swing[k, 2], goal, 0.0, remaining + dt, dt
                )
            else:
                swing[k, 1] = swing[k, 2] = 0.0
        ground, z = state.targets[i, 2], swing[2]
        if apex > 0.5 * dt and state.descending[i] == 0:
            top = max(state.lift_height[i], ground) + rise
            time = max(apex + dt, SHORTEST_RISE)
            z[0], z[1], z[2] = quintic_step(z[0], z[1], z[2], top, 0.0, time, dt)
        elif remaining > 0.02:
            state.descending[i] = 1
            z[0], z[1], z[2] = quintic_step(
                z[0], z[1], z[2], ground, -parameters.landing_velocity, remaining + dt, dt
            )
        else:
            z[0] -= parameters.landing_velocity * dt
            z[1] = -parameters.landing_velocity
            z[2] = 0.0
        targets.feet[i] = swing
