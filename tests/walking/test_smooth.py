"""Velocities without their noise: what is known of the motion does not lag behind it."""

import numpy as np
import pytest

from footwork.typing import Vector
from footwork.walking import Verdict, WalkRequest, walk
from footwork.walking._kernels.smooth import smooth_velocity

DT, RATE = 0.002, 100.0
TIMES = DT * np.arange(3000)
VELOCITY = 1.5 * np.sin(7.0 * TIMES)
ACCELERATION = np.append(0.0, np.diff(VELOCITY) / DT)


def smoothed(measured: Vector, acceleration: Vector) -> tuple[Vector, float]:
    """What becomes of one velocity, and the deviation of its noise as learnt in the end."""
    before, noise, estimate = measured[:1].copy(), np.array([0.02]), measured[:1].copy()
    out = np.zeros(measured.size)
    for k in range(measured.size):
        smooth_velocity(
            DT, RATE, measured[k : k + 1], acceleration[k : k + 1], before, noise, estimate
        )
        out[k] = estimate[0]
    return out, float(noise[0])


@pytest.mark.parametrize("deviation", [0.01, 0.05, 0.3])
def test_noise_is_learnt_and_most_of_it_taken_out_without_a_lag(deviation: float) -> None:
    noise = deviation * np.random.default_rng(1).normal(size=TIMES.size)
    found, learnt = smoothed(VELOCITY + noise, ACCELERATION)
    assert learnt == pytest.approx(deviation, rel=0.25)
    error = (found - VELOCITY)[500:]
    # of white noise a first-order filter of gain g leaves √(g / (2 − g)) deviations
    gain = 1.0 - np.exp(-RATE * DT)
    assert np.sqrt(np.mean(error**2)) == pytest.approx(
        deviation * np.sqrt(gain / (2.0 - gain)), rel=0.15
    )
    lag = np.dot(error, ACCELERATION[500:]) / np.dot(ACCELERATION[500:], ACCELERATION[500:])
    assert abs(lag) < 0.1 * deviation * DT / gain


def test_without_noise_the_measurement_is_believed_whatever_was_commanded() -> None:
    found, _ = smoothed(VELOCITY, ACCELERATION + 0.02 * np.cos(30.0 * TIMES))
    np.testing.assert_allclose(found[1000:], VELOCITY[1000:], atol=1e-3)


def test_an_impact_that_nobody_commanded_shows_at_once() -> None:
    noise = 0.05 * np.random.default_rng(2).normal(size=TIMES.size)
    jump = np.where(TIMES > 3.0, 1.0, 0.0)
    found, learnt = smoothed(VELOCITY + jump + noise, ACCELERATION)
    at = int(np.argmax(jump))
    assert abs(found[at] - VELOCITY[at] - 1.0) < 3.0 * learnt + abs(noise[at])


def test_a_robot_with_noisy_velocities_arrives_and_its_steps_stay_as_planned() -> None:
    request = WalkRequest(
        velocity=(0.5, 0.0, 0.0), duration=3.0, velocity_noise=0.05, position_noise=0.001, seed=12
    )
    result = walk(request)
    assert result.verdict is Verdict.ARRIVED
    assert result.figures["steps_adjusted"] <= 0.2 * result.figures["steps_taken"]
