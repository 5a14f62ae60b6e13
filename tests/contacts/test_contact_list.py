import copy
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footwork.contacts import FOREVER, ContactList, ContactType, PlannedContact, seconds
from footwork.errors import (
    ContactIndexError,
    ContactOverlapError,
    ContactTimeError,
    FootworkError,
    InputError,
    NoContactError,
    TimeTypeError,
)
from footwork.spatial import Pose

from . import naive
from .strategies import flat, lists, small_times


def make(*intervals: tuple[int, int], name: str = "foot") -> ContactList:
    return ContactList(
        [PlannedContact(activation_time=a, deactivation_time=b) for a, b in intervals],
        default_name=name,
    )


def spans(contacts: ContactList) -> list[tuple[int, int]]:
    return [(c.activation_time, c.deactivation_time) for c in contacts]


def test_a_new_list_has_upstreams_defaults_and_hands_them_on() -> None:
    contacts = ContactList()
    assert (contacts.default_name, contacts.default_index) == ("ContactList", -1)
    assert contacts.default_contact_type is ContactType.FULL
    contacts.default_name, contacts.default_index = "l_sole", 7
    contacts.default_contact_type = ContactType.POINT
    added = contacts.add_contact(Pose.from_translation([1, 2, 3]), 1, np.int64(5))
    assert added == contacts[0]
    assert (added.name, added.index, added.type) == ("l_sole", 7, ContactType.POINT)


def test_a_contact_and_a_pose_may_be_named() -> None:
    contacts = ContactList()
    contacts.add_contact(contact=PlannedContact(deactivation_time=1))
    contacts.add_contact(pose=Pose.identity(), activation_time=2, deactivation_time=3)
    assert spans(contacts) == [(0, 1), (2, 3)]
    assert contacts.active_index(time=2) == 1


def test_contacts_of_any_order_are_put_in_order() -> None:
    assert spans(make((5, 6), (-3, 0), (0, 5))) == [(-3, 0), (0, 5), (5, 6)]


@pytest.mark.parametrize(
    ("interval", "words"),
    [
        ((0, 4), r"has the activation time 0 s, as has contact 'Contact' \[0 s, 0.000000004 s\)"),
        ((2, 12), r"overlaps contact 'Contact' \[0 s, 0.000000004 s\)"),
        ((5, 11), r"overlaps contact 'Contact' \[0.00000001 s, 0.00000002 s\)"),
        ((12, 12), r"overlaps contact 'Contact' \[0.00000001 s, 0.00000002 s\)"),
        ((-1, 30), r"overlaps"),
    ],
)
def test_an_overlap_is_refused_and_names_both(interval: tuple[int, int], words: str) -> None:
    contacts = make((0, 4), (10, 20))
    before = contacts.copy()
    new = PlannedContact(name="new", activation_time=interval[0], deactivation_time=interval[1])
    with pytest.raises(ContactOverlapError, match=f"foot: contact 'new' .*{words}") as info:
        contacts.add_contact(new)
    assert info.value.contact is new
    assert info.value.other in before
    assert info.value.list_name == "foot"
    assert contacts == before


def test_touching_is_allowed_everywhere() -> None:
    contacts = make((0, 1), (2, 3))
    contacts.add_contact(Pose.identity(), 1, 2)
    contacts.edit_contact(1, PlannedContact(activation_time=1, deactivation_time=1))
    contacts.edit_contact(0, PlannedContact(activation_time=-4, deactivation_time=1))
    assert spans(contacts) == [(-4, 1), (1, 1), (2, 3)]
    assert contacts.get_active_contact(1) is None
    assert contacts.get_present_contact(1) is contacts[1]


def test_nothing_comes_after_a_contact_that_stays() -> None:
    contacts = make((0, FOREVER))
    with pytest.raises(ContactOverlapError, match="forever"):
        contacts.add_contact(Pose.identity(), seconds(1000), seconds(1001))
    assert contacts.get_active_contact(FOREVER - 1) is contacts[0]
    assert contacts.get_active_contact(FOREVER) is None


@pytest.mark.parametrize("use", ["add", "add_pose", "edit", "setitem", "construct"])
def test_a_contact_that_ends_before_it_begins_is_refused(use: str) -> None:
    contacts = make((0, 1))
    bad = PlannedContact(name="bad", activation_time=9, deactivation_time=8)
    uses: dict[str, Any] = {
        "add": lambda: contacts.add_contact(bad),
        "add_pose": lambda: contacts.add_contact(Pose.identity(), 9, 8),
        "edit": lambda: contacts.edit_contact(0, bad),
        "setitem": lambda: contacts.__setitem__(0, bad),
        "construct": lambda: ContactList([bad]),
    }
    with pytest.raises(ContactTimeError, match="after its deactivation"):
        uses[use]()
    assert spans(contacts) == [(0, 1)]


def test_an_edit_that_would_reorder_is_refused() -> None:
    contacts = make((0, 1), (2, 3), (4, 5))
    with pytest.raises(ContactOverlapError, match="moved to another place in the list, past"):
        contacts[1] = PlannedContact(activation_time=-5, deactivation_time=-4)
    with pytest.raises(ContactOverlapError, match="moved to another place in the list, past"):
        contacts[1] = PlannedContact(activation_time=9, deactivation_time=10)
    contacts[1] = PlannedContact(name="x", activation_time=1, deactivation_time=4)
    assert contacts[1].name == "x"


def test_erase_returns_the_index_that_follows() -> None:
    contacts = make((0, 1), (2, 3), (4, 5))
    assert contacts.erase(0) == 0
    assert contacts.erase(-1) is None
    assert spans(contacts) == [(2, 3)]


@pytest.mark.parametrize("index", [3, -4, 10**30])
def test_an_index_out_of_range_is_an_index_error(index: int) -> None:
    contacts = make((0, 1), (2, 3), (4, 5))
    before = contacts.copy()
    for use in (
        lambda: contacts[index],
        lambda: contacts.erase(index),
        lambda: contacts.edit_contact(index, contacts[0]),
        lambda: contacts.__delitem__(index),
        lambda: contacts.__setitem__(index, contacts[0]),
    ):
        with pytest.raises(IndexError, match=f"foot: no index {index}; expected -3 to 2") as info:
            use()
        assert isinstance(info.value, ContactIndexError)
    with pytest.raises(IndexError, match="it is empty"):
        ContactList()[0]
    assert contacts == before


@pytest.mark.parametrize("index", ["a", 1.0, None])
def test_an_index_that_is_no_integer_is_a_type_error(index: Any) -> None:
    with pytest.raises(TypeError, match="expected an integer or a slice") as info:
        make((0, 1))[index]
    assert isinstance(info.value, FootworkError)


def test_an_empty_list_says_so() -> None:
    contacts = ContactList(default_name="l_sole")
    assert contacts.first_contact is contacts.last_contact is None
    assert contacts.get_present_contact(0) is contacts.get_next_contact(0) is None
    assert contacts.active_index([0, 1]).tolist() == [-1, -1]
    assert contacts.next_index([0]).tolist() == [-1]
    assert contacts.are_contacts_sampled(3)
    contacts.force_sample_time(3)
    with pytest.raises(NoContactError, match="l_sole: no contact to remove"):
        contacts.remove_last_contact()
    with pytest.raises(LookupError, match="l_sole: no contact to keep, none has begun by 0 s"):
        contacts.keep_only_present_contact(0)


def test_the_look_ups_of_the_facts() -> None:
    # time: active, present, next, previous
    contacts = make((1, 2), (3, 4))
    expected = {
        0: (-1, -1, 0, -1),
        1: (0, 0, 1, -1),
        2: (-1, 0, 1, 0),
        3: (1, 1, -1, 0),
        4: (-1, 1, -1, 1),
        9: (-1, 1, -1, 1),
    }
    for time, indices in expected.items():
        found = tuple(
            getattr(contacts, f"{which}_index")(time)
            for which in ("active", "present", "next", "previous")
        )
        assert found == indices, time


def test_arrays_of_any_shape_and_integer_type_are_looked_up() -> None:
    contacts = make((1, 2), (3, 4))
    for dtype in (np.int8, np.int64, np.uint64, object):
        times = np.array([[0, 1], [2, 3]], dtype)
        assert contacts.active_index(times).tolist() == [[-1, 0], [-1, 1]]
    assert contacts.active_index([]).tolist() == []
    assert contacts.present_index(np.array(3)).tolist() == 1
    assert contacts.active_index(np.int64(3)) == 1


@pytest.mark.parametrize("which", ["active", "present", "next", "previous"])
@pytest.mark.parametrize("time", [0.5, "1", [0.5], np.array([1.0]), [[1], [1, 2]], None, True])
def test_a_float_time_is_a_type_error_everywhere(which: str, time: Any) -> None:
    contacts = make((1, 2))
    with pytest.raises(TimeTypeError, match="whole number of nanoseconds"):
        getattr(contacts, f"{which}_index")(time)
    if not isinstance(time, list | np.ndarray):
        with pytest.raises(TypeError, match="whole number of nanoseconds"):
            getattr(contacts, f"get_{which}_contact")(time)


def test_more_than_64_bits_are_refused_in_arrays_too() -> None:
    with pytest.raises(ContactTimeError, match="64 bits"):
        make((1, 2)).active_index([2**64])


def test_numpy_integers_are_times() -> None:
    contacts = make((1, 2))
    assert contacts.get_active_contact(np.int64(1)) is contacts[0]
    assert contacts.get_present_contact(np.uint8(9)) is contacts[0]
    assert contacts.get_next_contact(np.int32(-1)) is contacts[0]
    assert contacts.get_previous_contact(np.int16(2)) is contacts[0]


def test_slices_keep_the_defaults_and_are_independent() -> None:
    contacts = ContactList(make((0, 1), (2, 3), (4, 5)), default_name="x", default_index=3)
    part = contacts[1:]
    assert spans(part) == [(2, 3), (4, 5)]
    assert (part.default_name, part.default_index) == ("x", 3)
    assert spans(contacts[::2]) == [(0, 1), (4, 5)]
    assert contacts[:] == contacts
    part.clear()
    assert len(contacts) == 3
    with pytest.raises(InputError, match="goes forward"):
        contacts[::-1]
    del contacts[:2]
    assert spans(contacts) == [(4, 5)]


def test_it_is_a_sequence() -> None:
    contacts = make((0, 1), (2, 3))
    assert contacts[1] in contacts
    assert PlannedContact(activation_time=2, deactivation_time=4) not in contacts
    assert not contacts.__contains__("foot")
    assert contacts.index(contacts[1]) == 1
    assert contacts.count(contacts[1]) == 1
    assert list(reversed(contacts)) == [contacts[1], contacts[0]]
    assert bool(contacts)
    assert not ContactList()


def test_equality_needs_contacts_and_defaults() -> None:
    contacts = make((0, 1), (2, 3))
    assert contacts == contacts.copy() == copy.copy(contacts) == copy.deepcopy(contacts)
    assert contacts != contacts[:1] != contacts
    assert contacts != ContactList(contacts)
    assert contacts != ContactList(contacts, default_name="foot", default_index=1)
    assert contacts != list(contacts)
    with pytest.raises(TypeError, match="unhashable"):
        hash(contacts)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((Pose.identity(),), "expected a PlannedContact, or a Pose with two times"),
        ((Pose.identity(), 1), "a pose needs a deactivation time as well"),
        ((PlannedContact(), 1, 2), "give a contact alone, or a pose with both its times"),
        (([0.0, 0.1, 0.0], 1, 2), "a pose with both its times; got times with a list"),
        ((5,), "foot: expected a PlannedContact"),
        ((), "foot: expected a PlannedContact"),
    ],
)
def test_adding_half_a_contact_says_what_is_missing(arguments: Any, words: str) -> None:
    contacts = make()
    with pytest.raises(InputError, match=words):
        contacts.add_contact(*arguments)
    assert not contacts


def test_bad_defaults_are_refused() -> None:
    with pytest.raises(InputError, match="default_name: expected a string"):
        ContactList(default_name=3)  # type: ignore[arg-type]
    contacts = ContactList()
    with pytest.raises(InputError, match="default_index: expected an integer"):
        contacts.default_index = 1.5  # type: ignore[assignment]
    with pytest.raises(InputError, match="default_contact_type: expected a ContactType"):
        contacts.default_contact_type = "POINT"  # type: ignore[assignment]
    with pytest.raises(InputError, match="expected contacts, got 5"):
        ContactList(5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="expected a PlannedContact"):
        ContactList([5])  # type: ignore[list-item]


# Sample times


def test_r5_times_from_a_network_go_outward_to_the_grid() -> None:
    dt = seconds(0.05)
    alone = make((seconds(0.123), seconds(0.871)))
    alone.force_sample_time(dt)
    assert spans(alone) == [(seconds(0.1), seconds(0.9))]

    pair = make((seconds(0.123), seconds(0.871)), (seconds(0.893), seconds(1.5)))
    before = pair.copy()
    with pytest.raises(ContactOverlapError, match=r"\[0.85 s, 1.5 s\) overlaps .*\[0.1 s, 0.9 s\)"):
        pair.force_sample_time(dt)
    assert pair == before
    pair.force_sample_time(dt, "nearest")
    assert spans(pair) == [(seconds(0.1), seconds(0.85)), (seconds(0.9), seconds(1.5))]

    on_grid = make((seconds(0.15), seconds(0.3)))
    on_grid.force_sample_time(dt)
    assert spans(on_grid) == [(seconds(0.15), seconds(0.3))]


@pytest.mark.parametrize("end", [3.402823e38, math.inf, 9.3e9])
def test_r2_an_open_end_is_forever(end: float) -> None:
    left = make(
        (0, seconds(2.81)),
        (seconds(4.06), seconds(6.81)),
        (seconds(8.06), seconds(10.81)),
        (seconds(12.06), seconds(14.31)),
        (seconds(15), seconds(end)),
    )
    left.force_sample_time(seconds(0.01))
    last = left.last_contact
    assert left.get_present_contact(seconds(1e6)) is last
    assert left.get_active_contact(seconds(1e6)) is last
    assert last is not None
    assert last.deactivation_time == FOREVER
    assert left.are_contacts_sampled(seconds(0.01))


def test_upstreams_traps_of_forcing_a_sample_time() -> None:
    lost = make((0, 95), (100, 200), (300, 400))
    lost.force_sample_time(10)
    assert spans(lost) == [(0, 100), (100, 200), (300, 400)]
    already = make((5, 100))
    already.force_sample_time(10)
    assert spans(already) == [(0, 100)]
    negative = make((-15, -11))
    negative.force_sample_time(10)
    assert spans(negative) == [(-20, -10)]


@pytest.mark.parametrize("dt", [0, -1])
def test_a_sample_time_must_be_positive(dt: int) -> None:
    for contacts in (make(), make((0, 1))):
        with pytest.raises(ContactTimeError, match=f"dt: expected more than 0 ns, got {dt}"):
            contacts.force_sample_time(dt)
        with pytest.raises(ContactTimeError, match="dt"):
            contacts.are_contacts_sampled(dt)


def test_a_sample_time_or_rounding_of_the_wrong_kind_is_refused() -> None:
    with pytest.raises(TypeError, match="dt: expected a whole number"):
        make((0, 1)).force_sample_time(0.1)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="rounding: expected 'outward' or 'nearest', got 'up'"):
        make((0, 1)).force_sample_time(5, "up")  # type: ignore[arg-type]


def test_nothing_rounds_out_of_64_bits_or_into_forever() -> None:
    for interval, dt in [((0, FOREVER - 1), 7), ((0, FOREVER - 3), 7), ((-(2**63), 0), 7)]:
        contacts = make(interval)
        with pytest.raises(ContactTimeError, match="cannot be rounded"):
            contacts.force_sample_time(dt)
        assert spans(contacts) == [interval]


@given(lists(small_times, flat), st.integers(1, 6), st.sampled_from(["outward", "nearest"]))
def test_forcing_a_sample_time_is_all_or_nothing_and_idempotent(
    contacts: ContactList, dt: int, rounding: Any
) -> None:
    before = contacts.copy()
    twin = naive.List([naive.Contact(*span) for span in spans(contacts)])
    try:
        twin.force_sample_time(dt, rounding)
    except naive.Refused:
        with pytest.raises(FootworkError):
            contacts.force_sample_time(dt, rounding)
        assert contacts == before
        return
    contacts.force_sample_time(dt, rounding)
    assert spans(contacts) == [(c.activation, c.deactivation) for c in twin.contacts]
    assert contacts.are_contacts_sampled(dt)
    assert [c.name for c in contacts] == [c.name for c in before]
    once = contacts.copy()
    contacts.force_sample_time(dt, rounding)
    assert contacts == once


def test_text_shows_every_contact() -> None:
    contacts = ContactList(default_name="l_sole")
    assert str(contacts) == "l_sole: 0 contacts"
    contacts.add_contact(Pose.from_translation([0.3, 0.1, 0]), seconds(0.5), FOREVER)
    expected = "l_sole: 1 contact\n  0: l_sole [0.5 s, forever) at (0.300, 0.100, 0.000) m"
    assert str(contacts) == contacts.to_string() == expected
    assert repr(contacts) == "<ContactList 'l_sole' of 1 contact>"
