import numpy as np
import pytest

import footwork.planning as fp
from footwork.errors import BoundsError, InputError, NotFiniteError, ShapeError


def nested() -> fp.CompoundControlSpace:
    inner = fp.CompoundControlSpace(
        [fp.RealVectorControlSpace([0.25], [2]), fp.DiscreteControlSpace(-1, 1)]
    )
    return fp.CompoundControlSpace([inner, fp.RealVectorControlSpace([-2, -3], [2, 3])])


def test_a_compound_is_flat_in_the_order_of_its_components() -> None:
    space = nested()
    assert space.dimension == 4
    assert space.low.tolist() == [0.25, -1, -2, -3]
    assert space.is_discrete.tolist() == [False, True, False, False]
    assert space.matrix_order.tolist() == [1, 0, 2, 3]
    assert not space.low.flags.writeable


def test_samples_lie_within_the_bounds_and_follow_the_seed() -> None:
    space = nested()
    rng = np.random.default_rng(1)
    draws = np.array([space.sample(rng) for _ in range(200)])
    assert all(space.satisfies_bounds(u) for u in draws)
    assert set(draws[:, 1]) == {-1.0, 0.0, 1.0}
    again = np.random.default_rng(1)
    np.testing.assert_array_equal(draws, [space.sample(again) for _ in range(200)])


def test_the_null_control_is_zero_where_that_is_allowed() -> None:
    assert nested().null_control.tolist() == [0.25, -1.0, 0.0, 0.0]


def test_unknown_discrete_values_are_refused() -> None:
    space = nested()
    for value in (0.5, 2.0):
        with pytest.raises(InputError, match=r"control\[1\] is discrete"):
            space.as_control("control", [1.0, value, 0.0, 0.0])
        assert not space.satisfies_bounds([1.0, value, 0.0, 0.0])
    assert space.as_control("control", [9.0, 1, 0, 0]).tolist() == [9.0, 1.0, 0.0, 0.0]


def test_ill_formed_controls_and_spaces_are_refused() -> None:
    with pytest.raises(ShapeError):
        nested().as_control("control", [1.0])
    with pytest.raises(NotFiniteError):
        nested().as_control("control", [np.nan, 0, 0, 0])
    with pytest.raises(BoundsError, match="axis 1"):
        fp.RealVectorControlSpace([0, 1], [1, 0])
    with pytest.raises(BoundsError, match="axis 0"):
        fp.RealVectorControlSpace([-np.inf], [1])
    with pytest.raises(BoundsError, match="value"):
        fp.DiscreteControlSpace(3, 2)
    with pytest.raises(InputError):
        fp.CompoundControlSpace([])
    assert fp.RealVectorControlSpace([1.0], [1.0]).sample(np.random.default_rng(0))[0] == 1.0
