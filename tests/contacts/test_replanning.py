"""R4: a list exchanged while the foot is in the air, or on the ground."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footwork.contacts import FOREVER, ContactList, ContactType, replan, seconds
from footwork.errors import ContactReplanError, ContactTimeError
from footwork.spatial import Pose

from .strategies import flat, lists, small_times

SWING, STANCE = seconds(1.3), seconds(0.5)


def walk(
    landing: float = 2.0, x: float = 0.2, yaw: float = 0.0, x0: float = 0.0, lift_off: float = 1.0
) -> ContactList:
    contacts = ContactList(default_name="l_sole")
    contacts.add_contact(Pose.from_xy_yaw(x0, 0, 0), 0, seconds(lift_off))
    contacts.add_contact(Pose.from_xy_yaw(x, 0, yaw), seconds(landing), seconds(3))
    return contacts


@pytest.mark.parametrize(
    "new",
    [walk(), walk(landing=2.1), walk(yaw=math.radians(10)), walk(x=0.25), walk(x0=0.7)],
    ids=["same", "later", "turned", "further", "other past"],
)
def test_a_foot_in_the_air_may_land_elsewhere_and_at_another_time(new: ContactList) -> None:
    current = walk()
    before = current.copy()
    followed = replan(current, new, SWING)
    assert followed[0] == current[0]
    assert followed[1] == new[1]
    assert followed.default_name == "l_sole"
    assert current == before


def test_a_foot_that_stands_may_not_move_but_may_lift_off_at_another_time() -> None:
    current = walk()
    with pytest.raises(
        ContactReplanError,
        match=r"stands stays where it is: l_sole at 0.5 s, it would move by 0.001 m",
    ) as info:
        replan(current, walk(x0=0.001), STANCE)
    assert info.value.rule == "a foot that stands stays where it is"
    assert info.value.time == STANCE
    assert current == walk()
    assert replan(current, walk(x0=0.001), STANCE, position_tolerance=0.002)[0] == current[0]
    later = replan(current, walk(lift_off=1.4), STANCE)
    assert later == walk(lift_off=1.4)


def test_a_foot_that_stands_may_not_turn_or_change_its_type() -> None:
    current, turned, point = walk(), ContactList(), ContactList()
    turned.add_contact(Pose.from_xy_yaw(0, 0, 0.1), 0, seconds(1))
    with pytest.raises(ContactReplanError, match=r"it would turn by 0\.1 rad"):
        replan(current, turned, STANCE)
    assert replan(current, turned, STANCE, angle_tolerance=0.2)[0].pose == current[0].pose
    point.default_contact_type = ContactType.POINT
    point.add_contact(Pose.identity(), 0, seconds(1))
    with pytest.raises(ContactReplanError, match="its type would change to POINT"):
        replan(current, point, STANCE)


def test_a_foot_is_neither_torn_off_nor_put_down_at_once() -> None:
    with pytest.raises(ContactReplanError, match="it would be in the air at once"):
        replan(walk(), walk(lift_off=0.4), STANCE)
    with pytest.raises(ContactReplanError, match="a foot in the air stays in the air"):
        replan(walk(), walk(lift_off=1.5), SWING)


def test_there_must_be_time_to_land() -> None:
    with pytest.raises(ContactReplanError, match=r"the landing is 0.05 s ahead, expected 0.1 s"):
        replan(walk(), walk(landing=1.35), SWING, shortest_swing_left=seconds(0.1))
    assert replan(walk(), walk(landing=1.35), SWING)[1].activation_time == seconds(1.35)
    with pytest.raises(ContactTimeError, match="shortest_swing_left"):
        replan(walk(), walk(), SWING, shortest_swing_left=-1)


@given(lists(small_times | st.just(FOREVER), flat), lists(small_times, flat), small_times)
def test_what_is_followed_has_the_old_past_and_the_new_future(
    current: ContactList, new: ContactList, now: int
) -> None:
    before = (current.copy(), new.copy())
    try:
        followed = replan(current, new, now)
    except ContactReplanError:
        assert (current, new) == before
        return
    for time in range(-5, 16):
        said = (current if time <= now else new).get_active_contact(time)
        assert (followed.get_active_contact(time) is None) == (said is None)
    assert followed.default_name == current.default_name
