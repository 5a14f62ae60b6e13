import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import footwork.planning as fp
from footwork.errors import BoundsError, InputError, NotFiniteError, ShapeError
from footwork.planning.spaces import Kind
from footwork.typing import Vector

ANGLES = st.floats(-50.0, 50.0)


def compound() -> fp.CompoundStateSpace:
    return fp.CompoundStateSpace(
        [
            fp.SE2StateSpace([-5, -5], [5, 5]),
            fp.CompoundStateSpace([fp.SO3StateSpace(), fp.TimeStateSpace(0.0, 9.0)], [0.25, 2.0]),
            fp.DiscreteStateSpace(-2, 3),
        ],
        weights=[1.0, 0.5, 3.0],
    )


SPACES: dict[str, fp.StateSpace] = {
    "real vector": fp.RealVectorStateSpace([-1, -2, -3], [1, 2, 3]),
    "SO2": fp.SO2StateSpace(),
    "SO3": fp.SO3StateSpace(),
    "SE2": fp.SE2StateSpace([-5, -5], [5, 5]),
    "SE3": fp.SE3StateSpace([-5, -5, 0], [5, 5, 3]),
    "time": fp.TimeStateSpace(0.0, 5.0),
    "discrete": fp.DiscreteStateSpace(-3, 8),
    "compound": compound(),
}


@pytest.fixture(params=SPACES)
def space(request: pytest.FixtureRequest) -> fp.StateSpace:
    return SPACES[request.param]


def naive_distance(space: fp.StateSpace, a: Vector, b: Vector) -> float:
    total = 0.0
    for part, (kind, first, size) in zip(space.parts, space.components.tolist(), strict=True):
        p, q = a[first : first + size], b[first : first + size]
        if kind == Kind.SO2:
            gap = abs(math.atan2(math.sin(p[0] - q[0]), math.cos(p[0] - q[0])))
        elif kind == Kind.SO3:
            gap = math.acos(min(1.0, abs(float(p @ q))))
        else:
            gap = float(np.linalg.norm(p - q))
        total += part.weight * gap
    return total


def test_distance_is_the_weighted_sum_of_the_components(space: fp.StateSpace) -> None:
    rng = np.random.default_rng(1)
    states = np.array([space.sample(rng) for _ in range(40)])
    for a, b in pairwise(states):
        assert space.distance(a, b) == pytest.approx(naive_distance(space, a, b), abs=1e-7)
        assert space.distance(a, b) == space.distance(b, a) >= 0.0
        assert space.distance(a, a) == pytest.approx(0.0, abs=1e-15)
    gaps = [space.distance(a, b) for a, b in pairwise(states)]
    assert space.successive_distances(states).tolist() == gaps
    assert space.successive_distances(states[:1]).tolist() == []
    many = space.distances(states, states[0])
    assert many.tolist() == [space.distance(x, states[0]) for x in states]


def test_samples_lie_within_the_bounds_and_follow_the_seed(space: fp.StateSpace) -> None:
    draws = [[space.sample(np.random.default_rng(7)) for _ in range(3)] for _ in range(2)]
    np.testing.assert_array_equal(draws[0], draws[1])
    rng = np.random.default_rng(2)
    for _ in range(50):
        x = space.sample(rng)
        assert space.satisfies_bounds(x)
        np.testing.assert_allclose(space.wrap(x), x, atol=1e-15)
        near = space.sample_near(rng, x, 0.3)
        assert space.satisfies_bounds(near)
        for part, (kind, first, size) in zip(space.parts, space.components.tolist(), strict=True):
            gap = np.abs(near[first : first + size] - x[first : first + size]).max()
            if kind in {Kind.REAL, Kind.TIME, Kind.DISCRETE}:
                assert gap <= 0.3 / part.weight + 1e-12


def test_interpolation_goes_from_one_to_the_other_evenly(space: fp.StateSpace) -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        a, b = space.sample(rng), space.sample(rng)
        assert space.distance(space.interpolate(a, b, 0.0), a) == pytest.approx(0.0, abs=1e-7)
        assert space.distance(space.interpolate(a, b, 1.0), b) == pytest.approx(0.0, abs=1e-7)
        if Kind.DISCRETE not in space.components[:, 0]:
            middle = space.interpolate(a, b, 0.5)
            half = 0.5 * space.distance(a, b)
            assert space.distance(a, middle) == pytest.approx(half, abs=1e-7)


@given(ANGLES, ANGLES)
@settings(max_examples=60, deadline=None)
def test_distances_of_unwrapped_angles_are_never_negative(a: float, b: float) -> None:
    expected = abs(math.atan2(math.sin(a - b), math.cos(a - b)))
    assert fp.SO2StateSpace().distance([a], [b]) == pytest.approx(expected, abs=1e-12)
    se2 = fp.SE2StateSpace([-5, -5], [5, 5])
    assert se2.distance([0, 0, a], [0, 0, b]) == pytest.approx(0.5 * expected, abs=1e-12)


@pytest.mark.parametrize(("a", "b"), [(0.0, 8.0), (0.0, 4 * math.pi), (3.0, -3.0)])
def test_angles_on_which_ompl_answers_less_than_nothing(a: float, b: float) -> None:
    distance = fp.SO2StateSpace().distance([a], [b])
    assert 0.0 <= distance <= math.pi


def test_a_wrapped_axis_goes_the_short_way_and_a_bounded_one_does_not() -> None:
    assert fp.SO2StateSpace().distance([3.0], [-3.0]) == pytest.approx(2 * math.pi - 6.0)
    assert fp.RealVectorStateSpace([-7], [7]).distance([3.0], [-3.0]) == 6.0


def test_wrapping_leads_to_the_half_open_interval() -> None:
    so2 = fp.SO2StateSpace()
    assert so2.wrap([3.5])[0] == pytest.approx(-2.783185307)
    assert so2.wrap([math.pi])[0] == -math.pi
    assert so2.wrap([-math.pi])[0] == -math.pi
    assert so2.interpolate([3.0], [-3.0], 0.5)[0] == pytest.approx(-math.pi)


def test_small_rotations_keep_their_distance() -> None:
    angle = 1e-9
    q = [math.sin(angle / 2), 0.0, 0.0, math.cos(angle / 2)]
    distance = fp.SO3StateSpace().distance([0, 0, 0, 1], q)
    assert distance == pytest.approx(angle / 2, rel=1e-6)
    assert fp.SO3StateSpace().distance([0, 0, 0, -1], q) == pytest.approx(angle / 2, rel=1e-6)


def test_a_compound_lists_its_components_flat() -> None:
    space = compound()
    assert space.components.tolist() == [
        [0, 0, 2],
        [1, 2, 1],
        [2, 3, 4],
        [3, 7, 1],
        [4, 8, 1],
    ]
    assert space.weights.tolist() == [1.0, 0.5, 0.125, 1.0, 3.0]
    assert space.position_indices == (0, 1)
    assert not space.low.flags.writeable


def test_default_projections_are_positions_or_the_first_two_numbers() -> None:
    assert fp.SE3StateSpace([0] * 3, [1] * 3).position_indices == (0, 1, 2)
    assert fp.RealVectorStateSpace([0] * 6, [1] * 6).position_indices == (0, 1)
    assert fp.RealVectorStateSpace([0], [1]).position_indices == (0,)
    behind = fp.CompoundStateSpace([fp.SO2StateSpace(), fp.SE2StateSpace([0, 0], [1, 1])])
    assert behind.position_indices == (1, 2)


@pytest.mark.parametrize("size", [2, 3, 6])
def test_infinite_bounds_are_refused_and_the_axis_is_named(size: int) -> None:
    high = np.ones(size)
    high[-1] = np.inf
    with pytest.raises(BoundsError, match=f"axis {size - 1}") as error:
        fp.RealVectorStateSpace(-np.ones(size), high)
    assert error.value.axis == f"axis {size - 1}"


def test_bounds_whose_distances_would_overflow_are_refused() -> None:
    for make in (fp.RealVectorStateSpace, fp.RealVectorControlSpace):
        with pytest.raises(BoundsError, match=r"axis 1.*1e\+100 apart"):
            make([0.0, -1e160], [1.0, 1e160])
    assert fp.RealVectorStateSpace([-1e99], [1e99]).distance([-1e99], [1e99]) == 2e99


@pytest.mark.parametrize(
    ("low", "high"), [([0, 1], [1, 1]), ([0, 2], [1, 1]), ([0, np.nan], [1, 1])]
)
def test_bounds_without_room_are_refused_and_the_axis_is_named(low: Any, high: Any) -> None:
    with pytest.raises(BoundsError, match="axis 1"):
        fp.RealVectorStateSpace(low, high)
    with pytest.raises(BoundsError, match="y has bounds"):
        fp.SE2StateSpace(low, high)


def test_other_ill_formed_spaces_are_refused() -> None:
    with pytest.raises(ShapeError):
        fp.RealVectorStateSpace([0, 0], [1])
    with pytest.raises(ShapeError):
        fp.RealVectorStateSpace([], [])
    with pytest.raises(BoundsError, match="whole"):
        fp.DiscreteStateSpace(0, 2.5)  # type: ignore[arg-type]
    with pytest.raises(BoundsError, match="time"):
        fp.TimeStateSpace(2.0, 1.0)
    with pytest.raises(InputError, match="empty"):
        fp.CompoundStateSpace([])
    with pytest.raises(InputError, match="negative"):
        fp.CompoundStateSpace([fp.SO2StateSpace()], [-1.0])


def test_states_that_cannot_be_are_refused_and_the_number_is_named() -> None:
    space = compound()
    good = space.sample(np.random.default_rng(0))
    with pytest.raises(NotFiniteError, match=r"state\[1\]"):
        space.as_state("state", [good[0], np.inf, *good[2:]])
    with pytest.raises(ShapeError, match="state"):
        space.as_state("state", good[:-1])
    with pytest.raises(InputError, match="whole"):
        space.as_state("state", [*good[:-1], 0.5])
    with pytest.raises(InputError, match="unit quaternion"):
        space.as_state("state", [*good[:3], 2.0, *good[4:]])


def test_bounds_of_a_state_are_checked_by_axis() -> None:
    space = fp.SE2StateSpace([-1, -1], [1, 1])
    assert space.satisfies_bounds([1, 1, 99.0])
    assert not space.satisfies_bounds([np.nan, 0, 0])
    assert not space.satisfies_bounds([0, 0, np.nan])
    with pytest.raises(BoundsError, match="y has bounds"):
        space.require_bounds("start", [0, 1.5, 0])
    assert space.enforce_bounds([3, -3, 4.0]).tolist() == [1, -1, 4.0 - 2 * math.pi]
