"""Where feet land: the plan's steps laid on the measured stance, and centres of pressure."""

from math import atan2, cos, pi, sin

from numba import types

from footwork._numba import F8, I8, OUT1, OUT2, VOID, kernel
from footwork.typing import Matrix, Vector
from footwork.walking._kernels.layout import PARAMETERS, PLAN, GaitParameters, GaitPlan

FRAME = types.UniTuple(F8, 4)
PAIR = types.UniTuple(F8, 2)


@kernel(F8(F8, F8, F8))
def clamp(value: float, low: float, high: float) -> float:
    """Limit a value to [low, high]."""
    return low if value < low else (high if value > high else value)


@kernel(F8(F8, F8))
def unwrap(angle: float, near: float) -> float:
    """Add full turns so that the angle is within π of another."""
    return near + (angle - near + pi) % (2.0 * pi) - pi


@kernel(PAIR(F8, F8, F8))
def turn(x: float, y: float, yaw: float) -> tuple[float, float]:
    """Rotate a plane vector."""
    c, s = cos(yaw), sin(yaw)
    return c * x - s * y, s * x + c * y


@kernel(FRAME(PLAN, OUT2, I8))
def support_frame(plan: GaitPlan, feet: Matrix, step: int) -> tuple[float, float, float, float]:
    """Frame of the feet that stand during a step: their mean, and how they are turned.

    One foot gives its own yaw, several the direction from the first to the last of them.
    """
    x = y = z = yaw = count = 0.0
    first = last = -1
    for i in range(feet.shape[0]):
        if plan.swings[step, i] == 0.0:
            x += feet[i, 0]
            y += feet[i, 1]
            z += feet[i, 2]
            yaw = feet[i, 3]
            count += 1.0
            last = i
            if first < 0:
                first = i
    if count > 1.0:
        yaw = atan2(feet[last, 1] - feet[first, 1], feet[last, 0] - feet[first, 0])
    return x / count, y / count, z / count, yaw


@kernel(VOID(PARAMETERS, F8, F8, F8, F8, OUT1))
def limit_foothold(
    parameters: GaitParameters, side: float, x: float, y: float, yaw: float, foothold: Vector
) -> None:
    """Keep a landing place within reach of the stance foot at (x, y, yaw)."""
    rx, ry = turn(foothold[0] - x, foothold[1] - y, -yaw)
    rx = clamp(rx, -parameters.max_forward, parameters.max_forward)
    ry = side * clamp(side * ry, parameters.min_lateral, parameters.max_lateral)
    rx, ry = turn(rx, ry, yaw)
    foothold[0] = x + rx
    foothold[1] = y + ry


@kernel(VOID(PARAMETERS, PLAN, I8, OUT2, OUT2))
def next_footholds(
    parameters: GaitParameters, plan: GaitPlan, step: int, feet: Matrix, out: Matrix
) -> None:
    """Lay a planned step on the feet as they stand, and lead it back to the plan's own place.

    The step relative to its stance is the plan's; the distance to the planned place is then made up
    within the limits of correction, so that a robot that was pushed away takes ordinary steps.
    """
    before = plan.footholds[step]
    after = plan.footholds[step + 1]
    px, py, pz, pyaw = support_frame(plan, before, step)
    ax, ay, az, ayaw = support_frame(plan, feet, step)
    dyaw = unwrap(ayaw - pyaw, 0.0)
    if parameters.is_biped == 1.0:
        dyaw = ayaw - pyaw
    for i in range(feet.shape[0]):
        for k in range(4):
            out[i, k] = feet[i, k]
        if plan.swings[step, i] == 0.0:
            continue
        rx, ry = turn(after[i, 0] - px, after[i, 1] - py, dyaw)
        ex, ey = turn(after[i, 0] - ax - rx, after[i, 1] - ay - ry, -after[i, 3] - dyaw)
        ex = clamp(ex, -parameters.correction_forward, parameters.correction_forward)
        ey = clamp(ey, -parameters.correction_lateral, parameters.correction_lateral)
        ex, ey = turn(ex, ey, after[i, 3] + dyaw)
        out[i, 0] = ax + rx + ex
        out[i, 1] = ay + ry + ey
        out[i, 2] = az + after[i, 2] - pz
        out[i, 3] = (
            after[i, 3] + dyaw + clamp(-dyaw, -parameters.correction_yaw, parameters.correction_yaw)
        )
        if parameters.is_biped == 1.0:
            limit_foothold(parameters, plan.sides[i], ax, ay, ayaw, out[i])


@kernel(PAIR(PARAMETERS, PLAN, OUT2, I8))
def support_point(
    parameters: GaitParameters, plan: GaitPlan, feet: Matrix, step: int
) -> tuple[float, float]:
    """Centre of pressure to aim at while the stance feet of a step carry the robot.

    The mean over these feet; step −1 stands for all feet.
    """
    x = y = count = 0.0
    for i in range(feet.shape[0]):
        if step < 0 or plan.swings[step, i] == 0.0:
            cx, cy = turn(
                parameters.cop_forward, -plan.sides[i] * parameters.cop_inward, feet[i, 3]
            )
            x += feet[i, 0] + cx
            y += feet[i, 1] + cy
            count += 1.0
    return x / count, y / count
