"""What a state checks, in one compiled call: it is made at every tick."""

from typing import Final

from footwork._numba import B1, I8, VEC, kernel
from footwork.typing import Vector

LEEWAY: Final = 2e-6
"""How far a quaternion's squared norm may be off 1: its norm by half of that."""


@kernel(B1(VEC, I8, I8), counted=False)
def are_wrong(numbers: Vector, size: int, quaternion: int) -> bool:
    """Tell whether numbers cannot be a robot's.

    Args:
        numbers: Configuration or velocity.
        size: How many there must be.
        quaternion: Where its quaternion starts; −1 if it has none.

    Returns:
        True if they are too many or too few, one is not finite, or the quaternion's norm is not 1.
    """
    if numbers.size != size:
        return True
    nothing = 0.0
    for i in range(size):
        nothing += 0.0 * float(numbers[i])  # NaN of what is not finite
    if quaternion >= 0:
        norm = 0.0
        for i in range(quaternion, quaternion + 4):
            norm += float(numbers[i]) * float(numbers[i])
        return nothing != 0.0 or abs(norm - 1.0) > LEEWAY
    return nothing != 0.0
