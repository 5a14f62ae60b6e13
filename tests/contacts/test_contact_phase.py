import copy
import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footwork.contacts import (
    FOREVER,
    ContactList,
    ContactPhase,
    ContactPhaseList,
    PlannedContact,
    seconds,
)
from footwork.errors import ContactTimeError, InputError
from footwork.spatial import Pose

from . import naive
from .strategies import flat, lists, small_times, times


def spans(*intervals: tuple[float, float], x: float = 0.0) -> ContactList:
    """A list of contacts at x, x + 0.2, … over intervals in seconds."""
    made = ContactList()
    for i, (begin, end) in enumerate(intervals):
        made.add_contact(Pose.from_translation([x + 0.2 * i, 0, 0]), seconds(begin), seconds(end))
    return made


def twin_of(contacts: ContactList) -> list[naive.Contact]:
    return [naive.Contact(c.activation_time, c.deactivation_time) for c in contacts]


many_lists = st.dictionaries(
    st.sampled_from("abcd"), st.one_of(lists(small_times, flat), lists(times, flat)), max_size=4
)


@given(many_lists)
def test_phases_equal_the_naive_ones_for_any_coincidence(
    given_lists: dict[str, ContactList],
) -> None:
    phases = ContactPhaseList.from_lists(given_lists)
    expected = naive.phases({key: twin_of(contacts) for key, contacts in given_lists.items()})
    found = [
        (
            p.begin_time,
            p.end_time,
            {key: list(given_lists[key]).index(c) for key, c in p.active_contacts.items()},
        )
        for p in phases
    ]
    assert found == expected
    assert [list(p.active_contacts) for p in phases] == [
        [key for key in given_lists if key in active] for _, _, active in expected
    ]


@given(many_lists, st.lists(st.one_of(small_times, times), min_size=1, max_size=10))
def test_at_every_instant_the_phase_holds_what_the_lists_hold(
    given_lists: dict[str, ContactList], instants: list[int]
) -> None:
    phases = ContactPhaseList.from_lists(given_lists)
    for time in instants:
        active = {k: c for k, v in given_lists.items() if (c := v.get_active_contact(time))}
        phase = phases.phase_at(time)
        assert (phase.active_contacts if phase else {}) == active
        for key, contacts in given_lists.items():
            assert phases.active_indices(key, time) == contacts.active_index(time)


@given(many_lists)
def test_phases_touch_and_have_length_and_survive_pickling(
    given_lists: dict[str, ContactList],
) -> None:
    phases = ContactPhaseList.from_lists(given_lists)
    assert (phases.begin_times < phases.end_times).all()
    assert (phases.begin_times[1:] == phases.end_times[:-1]).all()
    assert list(reversed(phases)) == list(phases)[::-1] == list(phases[::-1])
    for other in (pickle.loads(pickle.dumps(phases)), copy.copy(phases), copy.deepcopy(phases)):
        assert other == phases
        assert list(other) == list(phases)


def test_the_phases_of_the_issue_that_upstream_gets_wrong() -> None:
    # R is put down at the very instant at which L is lifted
    phases = ContactPhaseList.from_lists(
        {"left": spans((0, 1), (2, 4)), "right": spans((0, 2), (3, 4))}
    )
    assert [list(p.active_contacts) for p in phases] == [
        ["left", "right"],
        ["right"],
        ["left"],
        ["left", "right"],
    ]
    trot = ContactPhaseList.from_lists({"LF": spans((0, 1), (2, 3)), "RF": spans((1, 2))})
    assert [list(p.active_contacts) for p in trot] == [["LF"], ["RF"], ["LF"]]


def test_a_snapshot_does_not_follow_its_lists() -> None:
    left = spans((0, 1))
    phases = ContactPhaseList.from_lists({"left": left})
    left.clear()
    phases.lists["left"].clear()
    phases[0].active_contacts.clear()
    assert list(phases[0].active_contacts) == ["left"]
    with pytest.raises(ValueError, match="read-only"):
        phases.membership[0, 0] = 3


def test_present_phase_goes_on_after_the_end_and_phase_at_does_not() -> None:
    phases = ContactPhaseList.from_lists({"left": spans((0, 1), (2, 4)), "right": spans((0, 3))})
    assert phases.get_present_phase(seconds(50)) == phases.last_phase
    assert phases.phase_at(seconds(50)) is None
    assert phases.get_present_phase(-1) is None
    assert phases.phase_at(seconds(1.5)) == phases[1]
    grid = np.arange(seconds(-1), seconds(5), seconds(0.5))
    assert phases.phase_index(grid).tolist() == [-1, -1, 0, 0, 1, 1, 2, 2, 3, 3, -1, -1]
    assert phases.present_index(grid).tolist() == [-1, -1, 0, 0, 1, 1, 2, 2, 3, 3, 3, 3]


def test_no_lists_and_empty_lists_have_no_phases() -> None:
    for empty in (ContactPhaseList(), ContactPhaseList.from_lists({"left": ContactList()})):
        assert len(empty) == 0
        assert empty.first_phase is empty.last_phase is empty.get_present_phase(0) is None
        assert empty.phase_at(0) is None
        assert empty.phase_index([0]).tolist() == empty.present_index([0]).tolist() == [-1]
        assert empty.changes() == ()
        assert not list(empty.force_sample_time(1))
        with pytest.raises(IndexError, match="it is empty"):
            empty[0]
    alone = ContactPhaseList.from_lists({"left": spans((1, 1))})
    assert len(alone) == 0


def test_keys_order_and_infinite_ends() -> None:
    phases = ContactPhaseList.from_lists({"z": spans((0, math.inf)), "a": spans((0, math.inf))})
    assert len(phases) == 1
    assert phases.keys == ("z", "a")
    assert phases[0].end_time == FOREVER
    assert list(phases[0].active_contacts) == ["z", "a"]
    assert phases.phase_at(FOREVER - 1) == phases[0]
    assert phases.phase_at(FOREVER) is None


def test_r6_a_contact_made_again_is_created_after_it_was_broken_or_moved_at_once() -> None:
    left = spans((0, 2.4))
    phases = ContactPhaseList.from_lists({"L": left, "R": spans((0, 1.0), (1.4, 2.4))})
    first, second = phases.changes()
    assert (first.broken, first.created, first.kept) == (("R",), (), ("L",))
    assert (second.broken, second.created, second.time) == ((), ("R",), seconds(1.4))
    at_once = ContactPhaseList.from_lists({"L": left, "R": spans((0, 1.0), (1.0, 2.4))})
    (change,) = at_once.changes()
    assert (change.moved, change.kept, change.created, change.broken) == (("R",), ("L",), (), ())
    assert len(at_once) == 2


def test_a_contact_cut_in_two_is_kept() -> None:
    right = ContactList()
    right.add_contact(Pose.identity(), 0, 1)
    right.add_contact(Pose.identity(), 1, 2)
    (change,) = ContactPhaseList.from_lists({"R": right}).changes()
    assert (change.kept, change.moved) == (("R",), ())


def test_forcing_a_sample_time_makes_new_phases_or_an_error_naming_the_list() -> None:
    right = ContactList(default_name="r_sole")
    right.add_contact(Pose.identity(), 0, seconds(1.01))
    right.add_contact(Pose.identity(), seconds(1.02), seconds(2))
    phases = ContactPhaseList.from_lists({"left": spans((0, 1.05)), "right": right})
    with pytest.raises(
        InputError, match=r"list 'right', r_sole: .*\[1 s, 2 s\) overlaps .*\[0 s, 1.1 s\)"
    ):
        phases.force_sample_time(seconds(0.1))
    late = ContactPhaseList.from_lists(
        {"a": ContactList([PlannedContact(deactivation_time=FOREVER - 1)])}
    )
    with pytest.raises(ContactTimeError, match=r"list 'a', dt: .* cannot be rounded"):
        late.force_sample_time(7)
    near = phases.force_sample_time(seconds(0.1), "nearest")
    assert near.begin_times.tolist() == [0, seconds(1), seconds(1.1)]
    assert near.are_contacts_sampled(seconds(0.1))
    assert not phases.are_contacts_sampled(seconds(0.1))


def test_texts_name_times_and_lists() -> None:
    phases = ContactPhaseList.from_lists({"left": spans((0, 1.5)), "right": spans((2, math.inf))})
    assert str(phases) == (
        "3 phases of left, right\n"
        "  0: [0 s, 1.5 s) left\n"
        "  1: [1.5 s, 2 s) flight\n"
        "  2: [2 s, forever) right"
    )


@pytest.mark.parametrize(
    ("lists", "words"),
    [
        (ContactList(), "got one ContactList"),
        ({"a": [1]}, "list 'a': expected a ContactList"),
        ({1: ContactList()}, "expected a string, got 1"),
        (5, "expected a dict of ContactList, got 5"),
        ([3], "expected ContactList objects, got 3"),
    ],
)
def test_what_is_no_list_is_named(lists: Any, words: str) -> None:
    with pytest.raises(InputError, match=words):
        ContactPhaseList.from_lists(lists)


def test_an_unknown_key_is_named_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="no list 'b'; there are 'a'"):
        ContactPhaseList.from_lists({"a": ContactList()}).active_indices("b", 0)


def test_a_phase_has_a_length() -> None:
    with pytest.raises(ContactTimeError, match=r"\[0 s, 0 s\)"):
        ContactPhase(begin_time=0, end_time=0, active_contacts={})
    with pytest.raises(InputError, match="expected a dict of contacts"):
        ContactPhase(begin_time=0, end_time=1, active_contacts=[])  # type: ignore[arg-type]
    contact = PlannedContact()
    phase = ContactPhase(begin_time=1, end_time=3, active_contacts={"a": contact})
    assert phase.duration == 2
    assert phase.is_list_included("a")
    assert not phase.is_list_included("b")


def test_indices_go_as_pythons() -> None:
    phases = ContactPhaseList.from_lists({"a": spans((0, 1), (1, 2))})
    assert phases[-1] == phases[1] == phases.last_phase
    assert phases[:1] == (phases[0],)
    with pytest.raises(IndexError, match="no index 2; expected -2 to 1"):
        phases[2]
    with pytest.raises(TypeError, match="expected an integer or a slice, got 'a'"):
        phases["a"]  # type: ignore[call-overload]
