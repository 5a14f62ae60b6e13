import math

import numpy as np
import pytest

from footwork.planning._kernels.trigonometry import sincos


@pytest.mark.parametrize("largest", [math.pi, 100.0, 9.9e5, 1e9])
def test_sine_and_cosine_are_right_to_4e_16(largest: float) -> None:
    angles = np.random.default_rng(0).uniform(-largest, largest, 4000)
    got = np.array([sincos(a) for a in angles])
    expected = np.stack([np.sin(angles), np.cos(angles)], axis=1)
    assert np.abs(got - expected).max() < 4e-16


def test_they_are_right_around_every_eighth_of_a_turn() -> None:
    for k in range(-40, 41):
        for nudge in (-1e-9, -1e-16, 0.0, 1e-16, 1e-9):
            angle = k * math.pi / 4 + nudge
            s, c = sincos(angle)
            assert s == pytest.approx(math.sin(angle), abs=4e-16)
            assert c == pytest.approx(math.cos(angle), abs=4e-16)


def test_what_is_not_a_number_stays_so() -> None:
    assert all(math.isnan(v) for v in sincos(math.nan))
