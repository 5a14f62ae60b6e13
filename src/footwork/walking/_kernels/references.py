"""References of frame tasks, written where the stack's evaluators read them."""

from math import cos, sin

from footwork._numba import F8, OUT1, OUT2, VOID, kernel
from footwork.stack._kernels.tasks_velocity import ACC, HAS_REF, REF, TWIST
from footwork.typing import Matrix, Vector


@kernel(VOID(OUT2, F8, OUT1), counted=False)
def write_level_pose(curve: Matrix, lift: float, floats: Vector) -> None:
    """Write a level pose, its twist and its acceleration as the reference of a frame task.

    The same as setting ``task.reference`` to a pose, a twist and an acceleration, in a microsecond.

    Args:
        curve: (x, y, z, yaw) × (value, rate, second rate), shape (4, 3).
        lift: Added to z [m].
        floats: Of the task.
    """
    c, s = cos(curve[3, 0]), sin(curve[3, 0])
    floats[REF] = c
    floats[REF + 1] = -s
    floats[REF + 2] = 0.0
    floats[REF + 3] = s
    floats[REF + 4] = c
    for k in range(5, 8):
        floats[REF + k] = 0.0
    floats[REF + 8] = 1.0
    for k in range(3):
        floats[REF + 9 + k] = curve[k, 0]
        floats[TWIST + k] = curve[k, 1]
        floats[ACC + k] = curve[k, 2]
        floats[TWIST + 3 + k] = 0.0
        floats[ACC + 3 + k] = 0.0
    floats[REF + 11] += lift
    floats[TWIST + 5] = curve[3, 1]
    floats[ACC + 5] = curve[3, 2]
    floats[HAS_REF] = 1.0
