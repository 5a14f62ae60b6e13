import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footwork.contacts import (
    FOREVER,
    ContactList,
    ContactPhaseList,
    PlannedContact,
    begin_time,
    concatenate,
    crop,
    cut,
    end_time,
    extend,
    fuse,
    merge,
    mirror,
    move,
    scale,
    seconds,
    shift,
)
from footwork.errors import ContactOverlapError, ContactTimeError, InputError, NoContactError
from footwork.spatial import Pose

from .strategies import flat, lists, poses, small_times

small_lists = lists(small_times | st.just(FOREVER), flat)
dicts = st.dictionaries(st.sampled_from(["left", "right", "hand"]), small_lists, max_size=3)
steps = st.integers(-(10**6), 10**6)


def make(*intervals: tuple[int, int], name: str = "foot", x: float = 0.0) -> ContactList:
    pose = Pose.from_translation([x, 0, 0])
    return ContactList(
        [PlannedContact(pose=pose, activation_time=a, deactivation_time=b) for a, b in intervals],
        default_name=name,
        default_index=3,
    )


def spans(contacts: ContactList) -> list[tuple[int, int]]:
    return [(c.activation_time, c.deactivation_time) for c in contacts]


# Times


@given(dicts, steps)
def test_r3_everything_of_shifted_lists_is_shifted(
    given_lists: dict[str, ContactList], by: int
) -> None:
    shifted = shift(given_lists, by)
    assert list(shifted) == list(given_lists)
    assert shift(shifted, -by) == given_lists
    phases, moved = (ContactPhaseList.from_lists(x) for x in (given_lists, shifted))
    assert [list(p.active_contacts) for p in phases] == [list(p.active_contacts) for p in moved]
    assert (moved.begin_times == phases.begin_times + by).all()
    for key, contacts in given_lists.items():
        times = np.arange(-5, 16)
        assert (shifted[key].active_index(times + by) == contacts.active_index(times)).all()


def test_r3_a_list_that_starts_at_five_seconds_starts_there() -> None:
    lists = {
        "left": make((seconds(5), seconds(6)), (seconds(7), seconds(9))),
        "right": make((seconds(5), seconds(8))),
    }
    for by in (0.0, -5.0, 1e5):
        phases = ContactPhaseList.from_lists(shift(lists, seconds(by)))
        assert phases.begin_times[0] == seconds(5 + by)
        samples = np.arange(phases.begin_times[0], phases.end_times[-1], seconds(0.1))
        assert len(samples) == 40
        assert phases.phase_index(samples).tolist() == [0] * 10 + [1] * 10 + [2] * 10 + [3] * 10


def test_shifting_keeps_forever_and_refuses_to_leave_64_bits() -> None:
    contacts = make((0, 5), (6, FOREVER))
    assert spans(shift(contacts, 10)) == [(10, 15), (16, FOREVER)]
    for by, words in [(FOREVER - 1, "64 bits"), (FOREVER - 5, "would become for ever")]:
        with pytest.raises(ContactTimeError, match=words):
            shift(contacts, by)
    with pytest.raises(TypeError, match="by: expected a whole number"):
        shift(contacts, 0.5)  # type: ignore[call-overload]


@given(dicts, st.sampled_from([0.5, 1.0, 1.5, 2.0, 3.0]), st.integers(-5, 5))
def test_scaling_keeps_order_touching_and_forever(
    given_lists: dict[str, ContactList], factor: float, about: int
) -> None:
    thousand = {k: scale(v, 1000) for k, v in given_lists.items()}
    scaled = scale(thousand, factor, about * 1000)
    for key, contacts in thousand.items():
        expected = [
            tuple(
                t if t == FOREVER else math.floor(about * 1000 + factor * (t - about * 1000) + 0.5)
                for t in span
            )
            for span in spans(contacts)
        ]
        assert spans(scaled[key]) == expected


def test_scaling_is_exact_for_long_times_and_refuses_nonsense() -> None:
    long = 9 * 10**17 + 1
    assert spans(scale(make((long, long + 2)), 2)) == [(2 * long, 2 * long + 4)]
    assert spans(scale(make((-3, 5)), 0.5)) == [(-1, 3)]
    assert spans(scale(make((-3, 5)), 1.0, about=FOREVER - 1)) == [(-3, 5)]
    for factor in (0.0, -1.0):
        with pytest.raises(InputError, match="factor: expected more than 0"):
            scale(make((0, 1)), factor)
    with pytest.raises(InputError, match="factor must be finite"):
        scale(make((0, 1)), math.inf)
    with pytest.raises(ContactTimeError, match="64 bits"):
        scale(make((0, 10**18)), 100)
    with pytest.raises(ContactOverlapError, match="activation time"):
        scale(make((0, 1), (1, 2)), 0.1)


@given(small_lists, small_times)
def test_cut_parts_every_instant_and_joins_again(contacts: ContactList, at: int) -> None:
    before, after = cut(contacts, at)
    for time in range(-5, 16):
        part = before if time < at else after
        other = after if time < at else before
        assert other.get_active_contact(time) is None
        active, whole = part.get_active_contact(time), contacts.get_active_contact(time)
        assert (active is None) == (whole is None)
        assert active is None or (whole is not None and active.name == whole.name)
    assert all(c.deactivation_time <= at for c in before)
    assert all(c.activation_time >= at for c in after)
    assert fuse(merge(before, after)) == fuse(contacts)
    assert before.default_index == after.default_index == contacts.default_index


def test_crop_keeps_a_window() -> None:
    both = crop({"a": make((0, 4), (6, FOREVER)), "b": make((9, 10))}, 3, 8)
    assert {key: spans(v) for key, v in both.items()} == {"a": [(3, 4), (6, 8)], "b": []}
    with pytest.raises(ContactTimeError, match="expected an end after"):
        crop(make((0, 1)), 5, 5)


def test_extend_lengthens_what_stands_at_the_end() -> None:
    assert spans(extend(make((0, 1), (2, 3)), FOREVER)) == [(0, 1), (2, FOREVER)]
    both = extend({"a": make((0, 5)), "b": make((0, 4)), "c": make((2, 5))}, 9)
    assert {key: spans(v) for key, v in both.items()} == {
        "a": [(0, 9)],
        "b": [(0, 4)],
        "c": [(2, 9)],
    }
    with pytest.raises(ContactTimeError, match=r"the contacts last until 0\.000000003 s already"):
        extend(make((0, 1), (2, 3)), 2)
    with pytest.raises(NoContactError, match="no contact"):
        extend(ContactList(), 2)


def test_begin_and_end_of_the_whole() -> None:
    both = {"a": make((1, 5)), "b": make((0, 4), (5, 6)), "c": make()}
    assert (begin_time(both), end_time(both)) == (0, 6)
    with pytest.raises(NoContactError, match="no contact"):
        begin_time({"c": make()})


# Joining


def test_concatenation_keeps_lists_in_step_and_fuses_what_goes_on() -> None:
    first = {"left": make((0, 10)), "right": make((0, 6))}
    second = {"left": make((103, 105)), "right": make((100, 105)), "hand": make((101, 102))}
    joined = concatenate(first, second)
    assert {key: spans(v) for key, v in joined.items()} == {
        "left": [(0, 10), (13, 15)],
        "right": [(0, 6), (10, 15)],
        "hand": [(11, 12)],
    }
    assert spans(concatenate(make((0, 4)), make((7, 9)))) == [(0, 6)]
    elsewhere = concatenate(make((0, 4)), make((7, 9), x=1.0))
    assert spans(elsewhere) == [(0, 4), (4, 6)]


def test_concatenation_cuts_what_never_ends_where_it_is_told() -> None:
    forever = make((0, FOREVER))
    with pytest.raises(ContactTimeError, match=r"never ends; say with at="):
        concatenate(forever, make((0, 1)))
    assert spans(concatenate(forever, make((7, 9), x=1.0), at=20)) == [(0, 20), (20, 22)]
    assert spans(forever) == [(0, FOREVER)]
    assert spans(concatenate(make(), make((7, 9)))) == [(7, 9)]
    assert spans(concatenate(make((7, 9)), make())) == [(7, 9)]


@given(dicts, dicts)
def test_merging_is_the_union_or_an_error(
    a: dict[str, ContactList], b: dict[str, ContactList]
) -> None:
    try:
        both = merge(a, b)
    except ContactOverlapError:
        assert any(set(spans(a[key])) and set(spans(b[key])) for key in a.keys() & b.keys())
        return
    assert both.keys() == a.keys() | b.keys()
    for key, contacts in both.items():
        parts = [*a.get(key, []), *b.get(key, [])]
        assert sorted(spans(contacts)) == sorted(
            (c.activation_time, c.deactivation_time) for c in parts
        )


def test_merging_overlapping_contacts_is_refused() -> None:
    with pytest.raises(ContactOverlapError, match="overlaps"):
        merge(make((0, 4)), make((3, 5)))


@pytest.mark.parametrize("join", [concatenate, merge])
def test_a_list_and_a_dict_do_not_join(join: Any) -> None:
    for a, b in [(make(), {}), ({}, make())]:
        with pytest.raises(InputError, match="two lists, or two dicts"):
            join(a, b)
    with pytest.raises(InputError, match="lists: expected"):
        join(5, {})


def test_fusing_leaves_what_differs() -> None:
    contacts = ContactList(
        [
            PlannedContact(deactivation_time=1),
            PlannedContact(activation_time=1, deactivation_time=2),
            PlannedContact(activation_time=2, deactivation_time=3, friction=0.5),
            PlannedContact(activation_time=4, deactivation_time=5, friction=0.5),
        ]
    )
    assert spans(fuse(contacts)) == [(0, 2), (2, 3), (4, 5)]


# Places


@given(poses(), poses(), small_lists)
def test_moving_moves_every_pose(T: Pose, pose: Pose, contacts: ContactList) -> None:
    placed = move(contacts, pose)
    moved = move(placed, T)
    assert spans(moved) == spans(contacts)
    for before, after in zip(placed, moved, strict=True):
        assert after.pose.is_close(T @ before.pose, translation_tolerance=1e-9)


@given(poses(), st.tuples(*[st.floats(-1, 1)] * 3))
def test_a_mirrored_contact_puts_mirrored_points_at_mirrored_places(
    pose: Pose, point: tuple[float, float, float]
) -> None:
    contacts = ContactList([PlannedContact(pose=pose, deactivation_time=1)])
    (mirrored,) = mirror(contacts)
    flip = np.array([1.0, -1.0, 1.0])
    np.testing.assert_allclose(
        mirrored.pose.act(np.array(point) * flip), pose.act(point) * flip, atol=1e-9
    )
    assert mirror(mirror(contacts)) == contacts


def test_mirroring_swaps_names_everywhere() -> None:
    contact = PlannedContact(name="left_foot", link="l_ankle", patch=((0.1, 0.0), (0.0, 0.2)))
    lists = {"L": ContactList([contact], default_name="foot_l"), "R": ContactList()}
    mirrored = mirror(lists)
    assert list(mirrored) == ["R", "L"]
    (other,) = mirrored["R"]
    assert (other.name, other.link, mirrored["R"].default_name) == (
        "right_foot",
        "r_ankle",
        "foot_r",
    )
    assert other.patch == ((0.0, -0.2), (0.1, -0.0))
    assert mirror(mirrored) == lists


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("LF", "RF"),
        ("RH", "LH"),
        ("leftFoot", "rightFoot"),
        ("LEFT", "RIGHT"),
        ("arm_right_7", "arm_left_7"),
        ("r_sole", "l_sole"),
        ("foot.L", "foot.R"),
        ("hand", "hand"),
        ("lower", "lower"),
        ("rail", "rail"),
        ("l", "r"),
        ("", ""),
    ],
)
def test_the_other_side_of_names(name: str, other: str) -> None:
    assert list(mirror({name: ContactList()})) == [other]


def test_mirroring_takes_names_and_refuses_two_of_one() -> None:
    lists = {"a": ContactList(default_name="a"), "b": ContactList(default_name="left")}
    assert list(mirror(lists, {"a": "b"})) == ["b", "a"]
    assert mirror(lists, {"a": "b"})["a"].default_name == "left"
    with pytest.raises(InputError, match="two lists would have the key 'c'"):
        mirror({"b": ContactList(), "a": ContactList()}, {"a": "c", "b": "c"})


@pytest.mark.parametrize(
    "edit",
    [
        lambda x: shift(x, 3),
        lambda x: scale(x, 2),
        lambda x: crop(x, 0, 5),
        fuse,
        mirror,
        lambda x: move(x, Pose.identity()),
        lambda x: extend(x, FOREVER),
    ],
)
def test_no_edit_changes_what_it_is_given(edit: Any) -> None:
    lists = {"left": make((0, 4), (4, 5)), "right": make((1, 5))}
    before = {key: v.copy() for key, v in lists.items()}
    for key, contacts in edit(lists).items():
        contacts.clear()
        assert contacts.default_index == 3
        assert key in lists
    edit(lists["left"]).clear()
    assert lists == before
    with pytest.raises(InputError, match="expected a ContactList"):
        edit({"left": 3})
