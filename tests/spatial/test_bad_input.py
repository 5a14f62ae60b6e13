"""What is no pose, no point and no number is refused in words, by every function of `Pose`."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from footwork.errors import InputError
from footwork.spatial import Pose

POSE = Pose.from_rpy([1, 2, 3], [0.1, 0.2, 0.3])
NO_NUMBERS = [
    "abc",
    ["1", "2", "3"],
    [1j, 0, 0],
    np.array([1j, 0, 0]),
    [10**400, 0, 0],
    [[1, 2], [3]],
    None,
    {},
    object(),
    b"abc",
]


@pytest.mark.parametrize("value", NO_NUMBERS, ids=[type(v).__name__ for v in NO_NUMBERS])
@pytest.mark.parametrize(
    ("take", "name"),
    [
        (Pose, "translation"),
        (lambda v: Pose([0, 0, 0], v), "quaternion_xyzw"),
        (lambda v: Pose.from_rpy([0, 0, 0], v), "rpy"),
        (Pose.from_matrix, "matrix"),
        (lambda v: Pose.from_rotation([0, 0, 0], v), "rotation"),
        (Pose.exp, "twist"),
        (POSE.act, "points"),
        (POSE.rotate, "vectors"),
        (lambda v: POSE.interpolate(POSE, v), "fraction"),
        (lambda v: POSE.is_close(POSE, translation_tolerance=v), "translation_tolerance"),
        (lambda v: POSE.is_close(POSE, angle_tolerance=v), "angle_tolerance"),
    ],
)
def test_what_is_not_made_of_real_numbers_is_refused(
    take: Callable[[Any], object], name: str, value: Any
) -> None:
    with pytest.raises(InputError, match=f"{name}: expected real numbers"):
        take(value)


@pytest.mark.parametrize("other", [None, 3, "pose", np.eye(4), [0.0, 0.0, 0.0]])
def test_what_is_no_pose_is_refused(other: Any) -> None:
    for use in (POSE.compose, POSE.is_close, POSE.__matmul__, lambda o: POSE.interpolate(o, 0.5)):
        with pytest.raises(InputError, match="other: expected a Pose, got"):
            use(other)


@pytest.mark.parametrize(
    "R", [np.eye(3) * 1e200, [[1e200, -1e200, 1e200]] * 3, -np.eye(3) * 1e200, np.zeros((3, 3))]
)
def test_a_matrix_whose_square_overflows_is_no_rotation(R: Any) -> None:
    with pytest.raises(InputError, match="off identity by"):
        Pose.from_rotation([0, 0, 0], R)


def test_no_pose_is_so_far_away_that_it_is_not_finite() -> None:
    far = Pose.from_translation([1.7e308, 0, 0])
    overflows: list[Callable[[], object]] = [
        lambda: far @ far,
        lambda: far.inverse().interpolate(far, 0.5),
        lambda: POSE.interpolate(POSE.inverse(), 1e308),
        lambda: Pose.exp([0, 0, 0, 1e200, 0, 0]),
        lambda: Pose.exp([1e308, 1e308, 0, 0, 0, 1e3]),
    ]
    for overflow in overflows:
        with pytest.raises(InputError, match="too far"):
            overflow()
    assert (far @ far.inverse()).x == 0.0


def test_a_message_shows_no_megabytes() -> None:
    with pytest.raises(InputError) as caught:
        Pose(["x" * 10**6] * 10**3)
    assert len(str(caught.value)) < 300


def test_numbers_of_any_kind_are_taken() -> None:
    from decimal import Decimal
    from fractions import Fraction

    numbers: Any = [np.int8(1), Fraction(1, 2), Decimal("0.25")]
    assert Pose(numbers).translation.tolist() == [1, 0.5, 0.25]
    assert POSE.is_close(POSE.inverse(), translation_tolerance=math.inf, angle_tolerance=math.inf)
