import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footwork.contacts import ContactWrench, global_cop
from footwork.errors import InputError, NotFiniteError, ShapeError
from footwork.spatial import Pose

from .strategies import poses

number = st.floats(-1.0, 1.0)


def pressing(pose: Pose, wrench: list[float], name: str = "Contact") -> ContactWrench:
    return ContactWrench(pose=pose, wrench=np.array(wrench), name=name)


@st.composite
def wrenches(draw: st.DrawFn, pose: st.SearchStrategy[Pose]) -> ContactWrench:
    parts = [50 * draw(number), 50 * draw(number), draw(st.floats(2.0, 500.0))]
    return pressing(draw(pose), [*parts, *(20 * draw(number) for _ in range(3))])


level = st.builds(Pose.from_xy_yaw, number, number, st.floats(-3, 3))


def test_upstreams_own_cases() -> None:
    at = Pose.from_translation([2.1, 1.1, 0.9])
    assert global_cop([]).position is None
    weak = global_cop([pressing(at, [0, 0, 0.01, 0, 0, 0], "foot")])
    assert weak.position is None
    assert weak.skipped == {
        "foot": "it presses with 0.01 N, expected 1 N or more, and more than 0 N"
    }
    one = global_cop([pressing(at, [0, 0, 10, 0, 0, 0])]).position
    np.testing.assert_allclose(one, [2.1, 1.1, 0.9])  # type: ignore[arg-type]
    two = global_cop(
        [pressing(Pose.from_translation([2.1, y, 0.9]), [0, 0, 10, 0, 0, 0]) for y in (1.1, -1.1)]
    ).position
    np.testing.assert_allclose(two, [2.1, 0.0, 0.9], atol=1e-15)  # type: ignore[arg-type]


@given(st.lists(wrenches(level), min_size=1, max_size=4))
def test_on_level_ground_it_is_the_weighted_mean_whatever_the_friction(
    contacts: list[ContactWrench],
) -> None:
    points = [c.pose.act(c.local_cop()) for c in contacts]  # type: ignore[arg-type]
    mean = np.average(points, axis=0, weights=[c.wrench[2] for c in contacts])
    found = global_cop(contacts)
    np.testing.assert_allclose(found.position, mean, atol=1e-9)  # type: ignore[arg-type]
    assert found.normal_force == pytest.approx(sum(c.wrench[2] for c in contacts))


@given(st.lists(wrenches(level), min_size=1, max_size=4), poses())
def test_a_tilted_plane_is_as_good_as_a_level_one(contacts: list[ContactWrench], T: Pose) -> None:
    tilted = [pressing(T @ c.pose, c.wrench.tolist()) for c in contacts]
    found = global_cop(tilted, normal=T.rotate([0, 0, 3.0])).position
    expected = global_cop(contacts).position
    np.testing.assert_allclose(found, T.act(expected), atol=1e-7)  # type: ignore[arg-type]


@given(st.lists(wrenches(poses()), min_size=1, max_size=4), st.none() | st.floats(-1, 1))
def test_contacts_anywhere_have_no_moment_across_the_normal_there(
    contacts: list[ContactWrench], height: float | None
) -> None:
    found = global_cop(contacts, height=height)
    force, torque = found.wrench[:3], found.wrench[3:]
    total = sum((c.pose.rotate(c.force) for c in contacts), np.zeros(3))
    np.testing.assert_allclose(force, total, atol=1e-9)
    if found.position is None:
        assert force[2] <= 0.0
        return
    if height is not None:
        assert found.position[2] == pytest.approx(height, abs=1e-9)
    if force[2] > 1.0:
        moment = torque - np.cross(found.position, force)
        scale = 1.0 + np.abs(found.wrench).max() * (1.0 + np.abs(found.position).max())
        np.testing.assert_allclose(moment[:2] / scale, 0.0, atol=1e-10)


def test_two_slopes_that_lean_against_each_other() -> None:
    # feet at different heights on slopes of ±30°, pressed along their normals
    angle = math.radians(30)
    left = Pose.from_rpy([0, 0.2, 0.3], [angle, 0, 0])
    right = Pose.from_rpy([0, -0.2, 0.1], [-angle, 0, 0])
    force = [0, 0, 100.0, 0, 0, 0]
    found = global_cop([pressing(left, force), pressing(right, force)])
    assert found.normal_force == pytest.approx(200 * math.cos(angle))
    assert found.position is not None
    # the horizontal forces cancel but, at different heights, make a moment: 100 sin 30° · 0.2 m
    assert found.position[1] == pytest.approx(50 * 0.2 / found.normal_force)
    assert found.position[2] == pytest.approx(0.2)


def test_limits_and_their_reasons() -> None:
    far = pressing(Pose.identity(), [0, 0, 10, 0, -3, 0], "far")
    good = pressing(Pose.from_translation([1, 0, 0]), [0, 0, 10, 0, 0, 0], "good")
    pulling = pressing(Pose.identity(), [0, 0, -10, 0, 0, 0], "pulling")
    found = global_cop([far, good, pulling], cop_limits=[0.2, 0.2])
    assert found.used == ("good",)
    assert found.skipped["far"] == "its own centre of pressure, (0.3, 0) m, is out of its limits"
    assert "presses with -10 N" in found.skipped["pulling"]
    assert found.position is not None
    assert found.position.tolist() == [1, 0, 0]
    assert global_cop([far, good]).used == ("far", "good")


def test_bad_input_is_named() -> None:
    with pytest.raises(InputError, match="normal: expected a direction, got zero"):
        global_cop([], normal=[0, 0, 0])
    with pytest.raises(ShapeError, match="cop_limits"):
        global_cop([], cop_limits=[0.1])
    with pytest.raises(InputError, match="cop_limits: expected 0 m or more"):
        global_cop([], cop_limits=[0.1, -0.1])
    with pytest.raises(NotFiniteError, match="normal"):
        global_cop([], normal=[0, 0, math.nan])
    with pytest.raises(InputError, match=r"contacts\[0\]: expected a ContactWrench"):
        global_cop([3])  # type: ignore[list-item]
