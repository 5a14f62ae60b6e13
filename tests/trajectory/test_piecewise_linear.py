"""Straight pieces: values, slopes, jumps, ends."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footwork.errors import InputError, ShapeError
from footwork.trajectory import PiecewiseLinear


@given(st.lists(st.floats(0.01, 2.0), min_size=1, max_size=8), st.integers(0, 10_000))
def test_agrees_with_numpys_interpolation_without_jumps(gaps: list[float], seed: int) -> None:
    times = np.concatenate([[0.0], np.cumsum(gaps)])
    values = np.random.default_rng(seed).normal(size=(times.size, 2))
    curve = PiecewiseLinear(times=times, values=values)
    queries = np.linspace(-1.0, times[-1] + 1.0, 57)
    for axis in range(2):
        expected = np.interp(queries, times, values[:, axis])
        np.testing.assert_allclose(curve.position(queries)[:, axis], expected, atol=1e-12)


def test_jump_takes_the_later_value_and_slope_of_the_piece_that_begins() -> None:
    curve = PiecewiseLinear(
        times=np.array([0.0, 1.0, 1.0, 3.0]), values=np.array([[0.0], [1.0], [5.0], [1.0]])
    )
    assert curve.position(1.0).tolist() == [5.0]
    assert curve.velocity([0.5, 1.0, 2.0]).ravel().tolist() == [1.0, -2.0, -2.0]


def test_is_constant_outside_with_no_slope() -> None:
    curve = PiecewiseLinear(times=np.array([1.0, 2.0]), values=np.array([[3.0], [4.0]]))
    assert curve.position([0.0, 9.0]).ravel().tolist() == [3.0, 4.0]
    assert curve.velocity([0.0, 9.0]).ravel().tolist() == [0.0, 0.0]
    assert (curve.start, curve.end) == (1.0, 2.0)


def test_refuses_descending_times_by_name() -> None:
    with pytest.raises(InputError, match=r"times\[2\] = 0.5"):
        PiecewiseLinear(times=np.array([0.0, 1.0, 0.5]), values=np.array([[0.0], [0.0], [0.0]]))
    with pytest.raises(InputError, match="at least one knot"):
        PiecewiseLinear(times=np.array([]), values=np.zeros((0, 1)))
    with pytest.raises(ShapeError, match="values"):
        PiecewiseLinear(times=np.array([0.0, 1.0]), values=np.array([[0.0]]))
