"""What is read off the feet before the gait sees it."""

import numpy as np
import pytest

from footwork.walking._kernels.measure import STEEPEST, measure_feet

UPRIGHT = np.array([[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.2, 0.1, 0.4]])
"""Of one joint: R by columns, then t."""
FRAME = np.array([[[1.0, 0.0, 0.0, 0.05], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, 1.0, -0.4]]])


def read(force: tuple[float, float, float], radius: float = 0.0) -> tuple[np.ndarray, float]:
    feet, forces = np.zeros((1, 4)), np.zeros(1)
    wrench = np.array([[*force, 0.0, 0.0, 0.0]])
    joints, radii = np.zeros(1, np.int64), np.array([radius])
    measure_feet(UPRIGHT, joints, FRAME, radii, wrench, feet, forces)
    return feet[0], float(forces[0])


def test_a_sole_is_placed_and_carries_the_vertical_force() -> None:
    foot, force = read((30.0, -40.0, 200.0))
    assert foot == pytest.approx([0.25, 0.1, 0.0, 0.0])
    assert force == 200.0
    assert read((0.0, 0.0, 0.0), radius=0.02)[0][2] == pytest.approx(-0.02)


@pytest.mark.parametrize("direction", [(1.0, 0.0), (0.0, -1.0), (-0.6, 0.8)])
def test_what_is_pushed_back_more_than_up_does_not_stand(direction: tuple[float, float]) -> None:
    x, y = direction
    steep, steeper = 0.99 * STEEPEST * 50.0, 1.01 * STEEPEST * 50.0
    assert read((steep * x, steep * y, 50.0))[1] == 50.0
    assert read((steeper * x, steeper * y, 50.0))[1] == 0.0
    assert read((x, y, -5.0))[1] == 0.0
