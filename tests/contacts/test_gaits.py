import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footwork.contacts import (
    FOREVER,
    Contact,
    ContactList,
    ContactPhaseList,
    ContactType,
    Gait,
    gaits,
    seconds,
)
from footwork.errors import GaitError, InputError
from footwork.spatial import Pose

names = st.sampled_from(gaits.NAMES)
all_feet = st.sampled_from([gaits.BIPED, gaits.QUADRUPED])
phases = st.integers(-300, 300).map(lambda k: k / 100)


@given(names, all_feet, phases, phases)
def test_a_gait_repeats_every_stride(
    name: str, feet: tuple[str, ...], at: float, by: float
) -> None:
    gait = gaits.named(name, feet)
    assert gait.support_at(at) == gait.support_at(round(at + math.floor(by), 6))
    turned = gaits.named(name, feet, phase=by)
    assert turned.support_at(round(at + by, 6)) == gait.support_at(at)


@given(names, all_feet, st.floats(0.01, 1.0))
def test_the_duty_is_the_share_of_the_stride(name: str, feet: tuple[str, ...], duty: float) -> None:
    gait = gaits.named(name, feet, duty=duty)
    assert [gait.duty(foot) for foot in gait.feet] == pytest.approx([duty] * len(feet))


def test_the_gaits_are_what_their_names_say() -> None:
    def supports(name: str, feet: tuple[str, ...] = gaits.QUADRUPED) -> list[set[str]]:
        gait = gaits.named(name, feet)
        return [set(gait.support_at(phase)) for phase in gait.switches or (0.0,)]

    assert supports("stand") == [{"LF", "RF", "LH", "RH"}]
    assert supports("trot") == [{"RF", "LH"}, {"LF", "RH"}]
    assert supports("pace") == [{"LF", "LH"}, {"RF", "RH"}]
    assert supports("bound") == [{"LH", "RH"}, set(), {"LF", "RF"}, set()]
    assert supports("hop") == [{"LF", "RF", "LH", "RH"}, set()]
    assert supports("run") == [{"RF", "LH"}, set(), {"LF", "RH"}, set()]
    assert {len(s) for s in supports("crawl")} == {3, 4}
    assert {len(s) for s in supports("walk")} == {2, 3}
    assert {len(s) for s in supports("amble")} == {2, 3}
    assert supports("walk", gaits.BIPED) == [
        {"left", "right"},
        {"left"},
        {"left", "right"},
        {"right"},
    ]
    assert supports("run", gaits.BIPED) == [{"left"}, set(), {"right"}, set()]
    assert supports("hop", gaits.BIPED) == [{"left", "right"}, set()]


def test_a_gait_of_ones_own_may_touch_twice_a_stride() -> None:
    gait = Gait(name="odd", stances={"a": [(0.1, 0.3), (0.8, 1.05)], "b": [(0.5, 1.5)]})
    assert gait.feet == ("a", "b")
    assert [gait.is_in_contact("a", p) for p in (0.0, 0.05, 0.1, 0.3, 0.8, 0.99)] == [
        True,
        False,
        True,
        False,
        True,
        True,
    ]
    assert gait.duty("a") == pytest.approx(0.45)
    assert gait.duty("b") == 1.0
    assert gait.switches == (0.05, 0.1, 0.3, 0.8)
    assert gait.stances_within("b", -7, 1000, 13) == [(-7, 1000)]
    assert gait == Gait(name="odd", stances=gait.stances)


@given(
    names,
    all_feet,
    st.integers(-(10**12), 10**12),
    st.integers(1, 4000),
    st.integers(7, 900),
    phases,
)
def test_tiled_contacts_are_the_gait_at_every_instant(
    name: str, feet: tuple[str, ...], begin: int, length: int, period: int, phase: float
) -> None:
    gait = gaits.named(name, feet)
    step = 1000  # of ns, so that rounding to a nanosecond is out of sight
    begin *= step
    lists = gaits.tile(gait, begin=begin, duration=length * step, period=period * step, phase=phase)
    for offset in np.linspace(0, length * step - 1, 23).astype(int).tolist():
        at = phase + offset / (period * step)
        if min(abs((at - s + 0.5) % 1 - 0.5) for s in (*gait.switches, 9.0)) < 2 / (period * step):
            continue  # within rounding of a switch
        touching = {f for f in feet if lists[f].get_active_contact(begin + offset)}
        assert touching == set(gait.support_at(at))
    for contacts in lists.values():
        assert all(
            begin <= c.activation_time < c.deactivation_time <= begin + length * step
            for c in contacts
        )
        assert all(a.deactivation_time < b.activation_time for a, b in pairwise(contacts))


def test_strides_do_not_drift() -> None:
    third = seconds(1) // 3
    gait = gaits.named("trot")
    spans = gait.stances_within("LH", 0, 10**5 * third, third)
    assert spans[-1][0] == (10**5 - 1) * third
    touching = gaits.named("trot", duty=0.5, phase=0.1)
    lists = gaits.tile(touching, begin=5, end=10**9 + 5, period=10**7 + 1)
    ends, starts = (
        {
            t
            for foot in ("LF", "RF")
            for c in lists[foot]
            for t in (getattr(c, f"{w}activation_time"),)
        }
        for w in ("de", "")
    )
    # a diagonal pair lifts off in the very nanosecond in which the other touches down
    assert ends - {10**9 + 5} == starts - {5}


def test_r7_a_gait_is_tiled_up_to_an_absolute_time() -> None:
    t = seconds(100)
    running = gaits.standing(gaits.nominal_footholds(), begin=t)
    trot = gaits.named("trot")
    lists = gaits.insert(
        running, trot, begin=seconds(101), end=seconds(102), period=seconds(0.6), finish="cut"
    )
    found = ContactPhaseList.from_lists(lists)
    events = [*found.begin_times.tolist(), int(found.end_times[-1])]
    assert all(a < b for a, b in pairwise(events))
    assert events == [seconds(x) for x in (100, 101, 101.3, 101.6, 101.9, 102)]
    assert len(found) == len(events) - 1
    for end in (1.0, 101.0):
        with pytest.raises(GaitError, match=r"is not after the beginning.*absolute times"):
            gaits.insert(running, trot, begin=seconds(101), end=seconds(end), period=seconds(0.6))
        with pytest.raises(GaitError, match=r"is not after the beginning.*absolute times"):
            gaits.tile(trot, begin=seconds(101), end=seconds(end), period=seconds(0.6))


def test_all_feet_stand_for_the_transition_and_do_not_move_in_it() -> None:
    running = gaits.standing(gaits.nominal_footholds())
    before = {key: contacts.copy() for key, contacts in running.items()}
    elsewhere = {f: Pose.from_translation([1.0, 0, 0]) for f in gaits.QUADRUPED}
    lists = gaits.insert(
        running,
        gaits.named("trot"),
        begin=seconds(3),
        end=seconds(4),
        period=seconds(0.5),
        transition=seconds(0.2),
        footholds=elsewhere,
    )
    assert running == before
    found = ContactPhaseList.from_lists(lists)
    assert found[0].end_time == seconds(3.2)
    assert len(found[0].active_contacts) == 4
    assert found.last_phase is not None
    assert len(found.last_phase.active_contacts) == 4
    assert found.last_phase.end_time == FOREVER
    for foot in gaits.QUADRUPED:
        stance = lists[foot][0]
        assert stance.pose == running[foot][0].pose
        # the pair that touches first in the trot stays where it stands until it lifts off
        assert stance.deactivation_time == seconds(3.45 if foot in {"RF", "LH"} else 3.2)
        # the pair that swings at the end lands as it was going to
        last = lists[foot].last_contact
        assert last is not None
        assert last.activation_time == seconds(4.2 if foot in {"RF", "LH"} else 3.95)


def test_no_swing_is_cut_short() -> None:
    for name in gaits.NAMES:
        for feet in (gaits.BIPED, gaits.QUADRUPED):
            for at in (0.0, 0.13, 0.5, 0.77):
                gait = gaits.named(name, feet, phase=0.4)
                lists = gaits.insert(
                    gaits.standing(gaits.nominal_footholds(feet)),
                    gait,
                    begin=1000,
                    end=5130,
                    period=1000,
                    phase=at,
                )
                swings = [
                    b.activation_time - a.deactivation_time
                    for contacts in lists.values()
                    for a, b in pairwise(contacts)
                ]
                assert all(abs(s - 1000 * (1 - gait.duty(feet[0]))) <= 1 for s in swings)
                assert len(swings) >= (0 if name == "stand" else 4 * len(feet))
                assert all(v[-1].deactivation_time == FOREVER for v in lists.values())


def test_a_foot_in_the_air_lands_as_planned_or_the_gait_is_refused() -> None:
    running = gaits.standing(gaits.nominal_footholds(gaits.BIPED))
    left = ContactList(default_name="left")
    left.add_contact(Pose.identity(), 0, seconds(1))
    left.add_contact(Pose.from_translation([0.3, 0.1, 0]), seconds(1.5), FOREVER)
    running["left"] = left
    walk = gaits.named("walk", gaits.BIPED)

    def inserted(begin: float, transition: float) -> dict[str, ContactList]:
        return gaits.insert(
            running,
            walk,
            begin=seconds(begin),
            end=seconds(5),
            period=seconds(1),
            transition=seconds(transition),
        )

    for transition in (0.0, 0.2):
        with pytest.raises(GaitError, match=r"left is in the air at 1.2 s and lands at 1.5 s, but"):
            inserted(1.2, transition)
    lists = inserted(1.2, 0.4)
    assert lists["left"][:1] == left[:1]
    assert lists["left"][1].pose == left[1].pose
    assert lists["left"][1].activation_time == seconds(1.5)
    assert lists["left"][1].deactivation_time == seconds(1.6 + 0.65)
    last = inserted(1.5, 0.0)["left"][1]
    assert (last.pose, last.deactivation_time) == (left[1].pose, seconds(1.5 + 0.65))


def test_a_foot_in_the_air_flies_on_into_a_swing() -> None:
    running = gaits.standing(gaits.nominal_footholds(gaits.BIPED))
    running["left"].clear()
    running["left"].add_contact(Pose.identity(), 0, seconds(1))
    lists = gaits.insert(
        running,
        gaits.named("walk", gaits.BIPED),
        begin=seconds(1.2),
        end=seconds(3.2),
        period=seconds(1),
        phase=0.7,
    )
    assert lists["left"][1].activation_time == seconds(1.5)


def test_other_limbs_and_defaults_are_kept() -> None:
    running = gaits.standing({**gaits.nominal_footholds(gaits.BIPED), "hand": Pose.identity()})
    running["left"].default_index = 9
    lists = gaits.insert(
        running, gaits.named("walk", gaits.BIPED), begin=5, end=100, period=10, transition=0
    )
    assert lists["hand"] == running["hand"]
    assert lists["hand"] is not running["hand"]
    assert lists["left"].default_index == 9
    assert list(lists) == ["left", "right", "hand"]


def test_footholds_carry_friction_patches_and_slopes() -> None:
    slope = Pose.from_rpy([0.2, 0.1, 0.15], [0, -0.3, 0])
    place = Contact(
        pose=slope, friction=0.6, patch=((0.1, 0.0),), link="foot", index=4, type=ContactType.POINT
    )
    lists = gaits.tile(
        gaits.named("walk", gaits.BIPED),
        begin=0,
        duration=20,
        period=10,
        footholds={"left": place, "right": Pose.identity()},
    )
    contact = lists["left"][0]
    assert (contact.pose, contact.friction, contact.link) == (slope, 0.6, "foot")
    assert (contact.patch, contact.index, contact.type) == (((0.1, 0.0),), 4, ContactType.POINT)
    moving = gaits.moving_footholds({"left": place}, (1.0, 0, 0), begin=0)
    moved = moving("left", 0, seconds(2))
    assert isinstance(moved, Contact)
    assert moved.pose.is_close(Pose.from_translation([1, 0, 0]) @ slope)
    assert moved.friction == 0.6


def test_moving_footholds_follow_the_body_on_its_arc() -> None:
    nominal = {"a": Pose.identity()}
    place = gaits.moving_footholds(
        nominal, (0.5, 0.0, math.pi / 4), begin=seconds(10), end=seconds(12)
    )

    def at(time: float) -> Pose:
        found = place("a", seconds(time), seconds(time))
        assert isinstance(found, Pose)
        return found

    radius = 0.5 / (math.pi / 4)
    assert at(12).is_close(Pose.from_xy_yaw(radius, radius, math.pi / 2))
    assert at(9) == at(10) == Pose.identity()
    assert place("a", seconds(11), FOREVER) == at(99) == at(12)
    start = Pose.from_xy_yaw(3.0, 1.0, 0.5)
    further = gaits.moving_footholds(nominal, (0.5, 0, 0), begin=0, T_world_body=start)
    found = further("a", seconds(1), seconds(3))
    assert isinstance(found, Pose)
    assert found.is_close(start @ Pose.from_translation([1.0, 0, 0]))
    with pytest.raises(InputError, match="no place for 'b'"):
        place("b", 0, 1)
    with pytest.raises(InputError, match="velocity: expected shape"):
        gaits.moving_footholds(nominal, (0.5, 0.0), begin=0)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: gaits.named("moonwalk"), "expected one of stand, walk, .*, got 'moonwalk'"),
        (lambda: gaits.named("walk", ("a", "b", "c")), "two or four different names"),
        (lambda: gaits.named("walk", ("a", "a")), "two or four different names"),
        (lambda: gaits.named("walk", "ab"), "two or four different names"),
        (lambda: gaits.named("walk", duty=0.0), "duty: expected a number above 0"),
        (lambda: gaits.named("walk", duty=1.1), "duty: expected a number above 0"),
        (lambda: Gait(name="x", stances={}), "x: expected one foot or more"),
        (lambda: Gait(name="x", stances={"a": [(1.0, 1.5)]}), r"x, a, part 0: .*got \(1, 1.5\)"),
        (lambda: Gait(name="x", stances={"a": [(0.5, 0.5)]}), "begin < end"),
        (lambda: Gait(name="x", stances={"a": [(0.5, 1.6)]}), r"end <= begin \+ 1"),
        (
            lambda: Gait(name="x", stances={"a": [(0.1, 0.5), (0.4, 0.6)]}),
            "part 0: it ends at 0.5, after the next one begins at 0.4",
        ),
        (
            lambda: Gait(name="x", stances={"a": [(0.1, 0.2), (0.4, 1.2)]}),
            "part 1: it ends at 1.2, after the next one begins at 1.1",
        ),
        (lambda: Gait(name="x", stances={"a": [3]}), "pairs of numbers"),  # type: ignore[list-item]
        (lambda: Gait(name="x", stances={"a": [(math.nan, 1)]}), "pairs of numbers"),
        (lambda: gaits.nominal_footholds(("a", "b", "c")), "3 feet have no nominal places"),
        (
            lambda: gaits.insert({}, gaits.named("walk"), begin=0, end=5, period=1),
            "the lists have no foot LF, RF, LH, RH",
        ),
        (
            lambda: gaits.insert(
                gaits.standing(gaits.nominal_footholds()),
                gaits.named("walk"),
                begin=0,
                end=5,
                period=1,
                transition=5,
            ),
            "the transition, .* must be 0 s or more and end before",
        ),
        (lambda: gaits.moving_footholds({}, (1, 0, 0), begin=3, end=3), "not after the beginning"),
    ],
)
def test_what_is_no_gait_is_refused_in_words(make: Any, words: str) -> None:
    with pytest.raises(GaitError, match=words):
        make()


def test_other_misuse_is_refused_too() -> None:
    walk = gaits.named("walk")
    for arguments, words in [
        ({}, "either the absolute end, or the duration"),
        ({"end": 5, "duration": 5}, "either the absolute end, or the duration"),
        ({"end": 5, "footholds": {"LF": Pose.identity()}}, "no place for 'RF'"),
        (
            {"end": 5, "footholds": dict.fromkeys(gaits.QUADRUPED, 3)},
            "expected a Pose or a Contact",
        ),
    ]:
        with pytest.raises(InputError, match=words):
            gaits.tile(walk, begin=0, period=10, **arguments)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="walk: no foot 'tail'; there are LF"):
        walk.duty("tail")
    with pytest.raises(InputError, match="period: expected more than 0"):
        gaits.tile(walk, begin=0, end=5, period=0)
    running = gaits.standing(gaits.nominal_footholds())
    with pytest.raises(InputError, match="finish: expected 'stand' or 'cut'"):
        gaits.insert(running, walk, begin=0, end=5, period=1, finish="fall")  # type: ignore[arg-type]
