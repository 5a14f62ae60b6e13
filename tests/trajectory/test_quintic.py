"""Minimum-jerk curves meet their ends, hold outside, and agree with the step-by-step kernel."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footwork.errors import InputError, ShapeError
from footwork.trajectory import Quintic
from footwork.trajectory._kernels import evaluate_polynomials, quintic_step

numbers = st.floats(-3.0, 3.0)


@given(
    p0=numbers, v0=numbers, a0=numbers, p1=numbers, v1=numbers, a1=numbers,
    duration=st.floats(0.05, 4.0),
)  # fmt: skip
def test_meets_values_and_derivatives_at_both_ends(
    p0: float, v0: float, a0: float, p1: float, v1: float, a1: float, duration: float
) -> None:
    curve = Quintic.between(
        [p0], [p1], start=1.0, end=1.0 + duration, first_velocity=[v0], last_velocity=[v1],
        first_acceleration=[a0], last_acceleration=[a1],
    )  # fmt: skip
    scale = 1.0 + max(map(abs, (p0, v0, a0, p1, v1, a1))) / duration**2
    for time, p, v, a in ((1.0, p0, v0, a0), (curve.end, p1, v1, a1)):
        assert curve.position(time)[0] == pytest.approx(p, abs=1e-9 * scale)
        assert curve.velocity(time)[0] == pytest.approx(v, abs=1e-8 * scale)
        assert curve.acceleration(time)[0] == pytest.approx(a, abs=1e-7 * scale)


def test_derivatives_agree_with_finite_differences() -> None:
    curve = Quintic.between([0.0, 1.0], [1.0, -1.0], start=0.0, end=0.8, last_velocity=[0.0, -0.2])
    times = np.linspace(0.05, 0.75, 40)
    h = 1e-5
    slope = (curve.position(times + h) - curve.position(times - h)) / (2.0 * h)
    bend = (curve.velocity(times + h) - curve.velocity(times - h)) / (2.0 * h)
    np.testing.assert_allclose(curve.velocity(times), slope, atol=1e-8)
    np.testing.assert_allclose(curve.acceleration(times), bend, atol=1e-7)


def test_is_constant_outside_of_its_interval() -> None:
    curve = Quintic.between([0.0], [2.0], start=0.0, end=1.0, last_velocity=[-0.2])
    assert curve.position([-1.0, 5.0]).ravel().tolist() == [0.0, pytest.approx(2.0)]
    assert curve.velocity([-1.0, 5.0]).ravel().tolist() == [0.0, 0.0]
    assert curve.acceleration([-1.0, 5.0]).ravel().tolist() == [0.0, 0.0]


def test_steps_of_the_kernel_follow_the_curve_exactly() -> None:
    curve = Quintic.between([0.1], [0.5], start=0.0, end=0.4, last_velocity=[-0.2])
    p, v, a, dt = 0.1, 0.0, 0.0, 0.4 / 50
    for k in range(50):
        p, v, a = quintic_step(p, v, a, 0.5, -0.2, 0.4 - k * dt, dt)
        assert p == pytest.approx(curve.position((k + 1) * dt)[0], abs=1e-9)
    assert p == pytest.approx(0.5)
    assert v == pytest.approx(-0.2)


def test_polynomial_kernel_agrees_with_powers() -> None:
    rng = np.random.default_rng(0)
    coefficients, times = rng.normal(size=(6, 3)), rng.uniform(-1.0, 1.0, 7)
    out = np.zeros((7, 3))
    evaluate_polynomials(coefficients, times, out)
    np.testing.assert_allclose(out, (times[:, None] ** np.arange(6)) @ coefficients, atol=1e-12)


def test_refuses_an_empty_interval_and_sizes_that_differ() -> None:
    with pytest.raises(InputError, match="end must come after start"):
        Quintic.between([0.0], [1.0], start=1.0, end=1.0)
    with pytest.raises(ShapeError, match="last_velocity"):
        Quintic.between([0.0], [1.0], start=0.0, end=1.0, last_velocity=[0.0, 0.0])


def test_does_not_keep_or_change_what_it_was_given() -> None:
    first = np.array([0.0])
    curve = Quintic.between(first, [1.0], start=0.0, end=1.0)
    first[0] = 9.0
    assert curve.position(0.0)[0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        curve.coefficients[0, 0] = 1.0
