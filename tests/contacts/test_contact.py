import dataclasses
import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footwork.contacts import (
    FOREVER,
    Contact,
    ContactType,
    ContactWrench,
    Corner,
    DiscreteGeometryContact,
    EstimatedContact,
    PlannedContact,
    rectangle_patch,
    seconds,
    to_seconds,
)
from footwork.errors import (
    ContactTimeError,
    FootworkError,
    InputError,
    NotFiniteError,
    ShapeError,
    TimeTypeError,
)
from footwork.spatial import Pose

from .strategies import contacts, times


def test_defaults_are_upstreams() -> None:
    contact = PlannedContact()
    assert contact.pose == Pose.identity()
    assert (contact.name, contact.index, contact.type) == ("Contact", -1, ContactType.FULL)
    assert (contact.activation_time, contact.deactivation_time) == (0, 0)
    assert (contact.friction, contact.patch, contact.link) == (None, None, None)


@given(contacts())
def test_contacts_are_values(contact: PlannedContact) -> None:
    copy = pickle.loads(pickle.dumps(contact))
    assert copy == contact == dataclasses.replace(contact)
    assert hash(copy) == hash(contact)
    turned = Pose(contact.pose.translation, -contact.pose.quaternion_xyzw)
    assert dataclasses.replace(contact, pose=turned) == contact


@pytest.mark.parametrize(
    "change",
    [
        {"pose": Pose.from_translation([1, 0, 0])},
        {"name": "other"},
        {"index": 7},
        {"type": ContactType.POINT},
        {"activation_time": -1},
        {"deactivation_time": 8},
        {"friction": 0.7},
        {"patch": [[0, 0]]},
        {"link": "foot"},
    ],
)
def test_equality_compares_every_field(change: dict[str, Any]) -> None:
    assert PlannedContact(**change) != PlannedContact()
    assert PlannedContact() != Contact()


@given(times, times, times)
def test_active_is_half_open(a: int, b: int, time: int) -> None:
    begin, end = sorted([a, b])
    contact = PlannedContact(activation_time=begin, deactivation_time=end)
    assert contact.is_active(time) == (begin <= time < end)
    assert not contact.is_active(end)


def test_numpy_integers_are_times_and_become_pythons() -> None:
    three: Any = np.int64(3)
    last: Any = np.uint64(FOREVER)
    four: Any = np.int8(4)
    contact = PlannedContact(activation_time=three, deactivation_time=last, index=four)
    assert type(contact.activation_time) is type(contact.deactivation_time) is int
    assert type(contact.index) is int
    assert contact.is_active(np.int32(3))


@pytest.mark.parametrize("value", [1.0, 1.5, "1", None, True, np.float64(1), np.bool_(1)])
def test_a_time_that_is_no_integer_is_a_type_error_that_says_how_to_make_one(value: Any) -> None:
    for use in (
        lambda: PlannedContact(activation_time=value),
        lambda: PlannedContact(deactivation_time=value),
        lambda: PlannedContact().is_active(value),
        lambda: to_seconds(value),
    ):
        with pytest.raises(
            TypeError, match=r"whole number of nanoseconds.*seconds\(1\.5\)"
        ) as info:
            use()
        assert isinstance(info.value, TimeTypeError)
        assert isinstance(info.value, FootworkError)


def test_a_time_of_more_than_64_bits_is_refused() -> None:
    with pytest.raises(ContactTimeError, match=r"deactivation_time: .* does not fit into 64 bits"):
        PlannedContact(deactivation_time=FOREVER + 1)


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("pose", [0, 0, 0], "pose: expected a Pose"),
        ("name", 3, "name: expected a string"),
        ("index", 1.5, "index: expected an integer"),
        ("index", True, "index: expected an integer"),
        ("index", 2**70, "index: expected an integer of 64 bits"),
        ("type", "full", "type: expected ContactType.FULL"),
        ("type", 0, "type: expected ContactType.FULL"),
        ("friction", 0.0, "friction: expected a coefficient above 0"),
        ("friction", math.nan, "friction must be finite"),
        ("patch", [[0, 0, 0]], r"patch: expected shape \(k, 2\)"),
        ("patch", np.empty((0, 2)), "patch: expected one corner or more"),
        ("link", 3, "link: expected a string or None"),
    ],
)
def test_a_bad_field_is_named(field: str, value: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        PlannedContact(**{field: value})


def test_contacts_cannot_be_changed() -> None:
    contact = PlannedContact()
    with pytest.raises(dataclasses.FrozenInstanceError):
        contact.name = "x"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("value", "time"),
    [
        (0.8, 800_000_000),
        (1.001, 1_001_000_000),
        (0.15, 150_000_000),
        (-0.15, -150_000_000),
        (2, 2_000_000_000),
        (0.5e-9, 1),
        (0.49e-9, 0),
        (np.float32(0.5), 500_000_000),
        (math.inf, FOREVER),
        (3.402823e38, FOREVER),
        (9.2e9, FOREVER),
        (9223372036.854776, FOREVER),
    ],
)
def test_seconds_round_to_the_nearest_and_end_at_forever(value: float, time: int) -> None:
    assert seconds(value) == time


@given(st.integers(-(10**15), 10**15))
def test_seconds_come_back_exactly(time: int) -> None:
    assert seconds(to_seconds(time)) == time


def test_every_millisecond_of_a_long_walk_comes_back() -> None:
    for k in range(0, 100_000, 7):
        assert seconds(k / 1000) == k * 10**6


def test_forever_is_infinite_seconds() -> None:
    assert to_seconds(FOREVER) == math.inf
    assert seconds(to_seconds(FOREVER)) == FOREVER


@pytest.mark.parametrize("value", [math.nan, -math.inf, -9.3e9])
def test_seconds_that_are_no_time_are_refused(value: float) -> None:
    with pytest.raises(ContactTimeError, match="expected a time above"):
        seconds(value)


@pytest.mark.parametrize("value", ["abc", None, True, [1, 2], 1j])
def test_seconds_that_are_no_number_are_refused(value: Any) -> None:
    with pytest.raises(InputError, match="expected a real number"):
        seconds(value)


def test_an_estimated_contact_carries_its_state() -> None:
    contact = EstimatedContact(name="left")
    assert contact.contact_details == (False, 0)
    seen = contact.with_contact_state(True, 5, 9)
    assert (seen.contact_details, seen.last_update_time, seen.name) == ((True, 5), 9, "left")
    assert contact.with_contact_state(True, 5).last_update_time == 5
    with pytest.raises(InputError, match="is_active: expected True or False"):
        EstimatedContact(is_active=1)  # type: ignore[arg-type]


def test_the_local_centre_of_pressure_is_where_the_torque_vanishes() -> None:
    contact = ContactWrench(wrench=[1, 2, 10, 3, -4, 0.5])  # type: ignore[arg-type]
    cop = contact.local_cop()
    assert cop is not None
    moment = contact.torque - np.cross(cop, contact.force)
    np.testing.assert_allclose(moment[:2], 0.0, atol=1e-15)
    assert cop[2] == 0.0
    assert contact.local_cop(minimum_normal_force=10.0) is None
    for wrench in ([0.0] * 6, [0, 0, -1, 0, 0, 0]):
        assert ContactWrench(wrench=wrench).local_cop() is None  # type: ignore[arg-type]


def test_wrenches_are_values_too() -> None:
    a = ContactWrench(wrench=np.arange(6.0))
    assert a == pickle.loads(pickle.dumps(a)) == ContactWrench(wrench=np.arange(6.0))
    assert hash(a) == hash(ContactWrench(wrench=np.arange(6.0)))
    assert a != ContactWrench()
    with pytest.raises(ValueError, match="read-only"):
        a.wrench[0] = 1
    with pytest.raises(ShapeError, match="wrench"):
        ContactWrench(wrench=np.zeros(3))
    with pytest.raises(NotFiniteError, match=r"wrench\[2\]"):
        ContactWrench(wrench=np.array([0, 0, np.inf, 0, 0, 0]))


def test_corners_sum_to_a_wrench() -> None:
    rng = np.random.default_rng(0)
    points, forces = rng.normal(size=(4, 3)), rng.normal(size=(4, 3))
    corners = [Corner(position=p, force=f) for p, f in zip(points, forces, strict=True)]
    contact = DiscreteGeometryContact(corners=corners)  # type: ignore[arg-type]
    np.testing.assert_allclose(contact.wrench[:3], forces.sum(axis=0))
    np.testing.assert_allclose(contact.wrench[3:], np.cross(points, forces).sum(axis=0))
    assert contact == pickle.loads(pickle.dumps(contact))
    assert len({corners[0], Corner(position=points[0], force=forces[0])}) == 1
    with pytest.raises(AttributeError, match="frozen"):
        corners[0].force = points[0]  # type: ignore[misc]
    for wrong in (5, [3]):
        with pytest.raises(InputError, match="corners"):
            DiscreteGeometryContact(corners=wrong)  # type: ignore[arg-type]


def test_a_rectangular_patch_has_its_corners_about_the_frame() -> None:
    patch = rectangle_patch(0.12, 0.08, 0.04, 0.03)
    assert PlannedContact(patch=np.array(patch)).patch == patch  # type: ignore[arg-type]
    assert np.ptp(np.array(patch), axis=0) == pytest.approx([0.2, 0.07])
