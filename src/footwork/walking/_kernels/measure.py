"""Where the feet are, how they are loaded, and what else pushes."""

from math import atan2, hypot

from footwork._numba import F8, IVEC, MAT, OUT1, OUT2, TEN, VEC, VOID, kernel
from footwork.typing import IntVector, Matrix, Tensor, Vector

STEEPEST = 1.5
"""Horizontal over vertical force above which a foot is held by an edge, and does not stand."""


@kernel(VOID(MAT, IVEC, TEN, VEC, MAT, OUT2, OUT1), counted=False)
def measure_feet(
    placements: Matrix,
    joints: IntVector,
    frames: Tensor,
    radii: Vector,
    wrenches: Matrix,
    feet: Matrix,
    forces: Vector,
) -> None:
    """Place the soles, and take the vertical parts of the forces that carry them.

    A toe that is caught on the side of an edge is pushed back more than up: no friction explains
    that, and it must not pass for a landing.

    Args:
        placements: Of joints in the world, R by columns, then t, shape (joints, 12).
        joints: That carry the feet, shape (feet,).
        frames: Of the feet in their joints, [R | t], shape (feet, 3, 4).
        radii: Of point feet [m], shape (feet,).
        wrenches: On the feet, world axes [N, Nm], shape (feet, 6).
        feet: Written: (x, y, z, yaw) [m, rad], z of the lowest point, shape (feet, 4).
        forces: Written: [N], shape (feet,).
    """
    for i in range(joints.size):
        oMi = placements[joints[i]]
        for k in range(3):
            feet[i, k] = oMi[9 + k]
            for j in range(3):
                feet[i, k] += oMi[3 * j + k] * frames[i, j, 3]
        feet[i, 2] -= radii[i]
        forward_x = forward_y = 0.0
        for j in range(3):
            forward_x += oMi[3 * j] * frames[i, j, 0]
            forward_y += oMi[3 * j + 1] * frames[i, j, 0]
        feet[i, 3] = atan2(forward_y, forward_x)
        sideways = hypot(wrenches[i, 0], wrenches[i, 1])
        forces[i] = wrenches[i, 2] if sideways <= STEEPEST * wrenches[i, 2] else 0.0


@kernel(VOID(F8, F8, F8, MAT, MAT, OUT2), counted=False)
def observe_push(
    dt: float, gain: float, mass: float, com: Matrix, wrenches: Matrix, observer: Matrix
) -> None:
    """Tell what accelerates the centre of mass sideways beyond the forces on the feet.

    A momentum observer, v̂' = Σ f / m + â with â = k (v − v̂): the true push, smoothed by 1/k.

    Args:
        dt: Control step [s].
        gain: k [1/s].
        mass: Of the robot [kg].
        com: Position and velocity of the centre of mass [m, m/s], shape (2, 3).
        wrenches: On the feet, world axes [N, Nm], shape (feet, 6).
        observer: â, then v̂, forward and left; changed [m/s², m/s], shape (2, 2).
    """
    for k in range(2):
        total = observer[0, k]
        for i in range(wrenches.shape[0]):
            total += wrenches[i, k] / mass
        observer[1, k] += dt * total
        observer[0, k] = gain * (com[1, k] - observer[1, k])
