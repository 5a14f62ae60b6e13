"""Where the feet are, and how they are loaded."""

from math import atan2

from footwork._numba import IVEC, MAT, OUT1, OUT2, TEN, VEC, VOID, kernel
from footwork.typing import IntVector, Matrix, Tensor, Vector


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
    """Place the soles, and take the vertical parts of the forces on them.

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
        forces[i] = wrenches[i, 2]
