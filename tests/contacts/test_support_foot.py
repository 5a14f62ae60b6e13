import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footwork.contacts import ContactList, ContactPhaseList, fixed_foot, gaits, seconds

from .strategies import flat, lists, small_times
from .test_contact_phase import spans


def key_at(phases: ContactPhaseList, time: float) -> str | None:
    found = fixed_foot(phases, seconds(time))
    return found.key if found else None


def test_the_walk_of_upstreams_own_test() -> None:
    phases = ContactPhaseList.from_lists(
        {
            "left": spans((0, 1), (2, 5), (6, 9), (10, 13), (14, 17)),
            "right": spans((0, 3), (4, 7), (8, 11), (12, 15), (16, 17)),
        }
    )
    # in each double support the foot that is about to lift off
    expected = "RRRLLRRLLRRLLRRLL"
    found = "".join((key_at(phases, t + 0.5) or "-")[0].upper() for t in range(17))
    assert found[0] == "L"
    assert found == "L" + expected[1:]


def test_it_holds_at_switches_and_in_any_order_of_asking() -> None:
    lists = {"left": spans((0, 1), (2, 4)), "right": spans((0, 3), (3.5, 4))}
    phases = ContactPhaseList.from_lists(lists)
    times = [3.2, 0.0, 2.0, 1.0, 3.0, 3.999, 0.5, 2.5]
    answers = [key_at(phases, t) for t in times]
    assert answers == ["left", "left", "right", "right", "left", "left", "left", "right"]
    for time, answer in zip(times, answers, strict=True):
        assert key_at(ContactPhaseList.from_lists(lists), time) == answer


def test_outside_and_in_flight_there_is_none() -> None:
    phases = ContactPhaseList.from_lists({"left": spans((0, 1)), "right": spans((2, math.inf))})
    assert [key_at(phases, t) for t in (-1, 0, 1, 1.5, 2, 1e9)] == [
        None,
        "left",
        None,
        None,
        "right",
        "right",
    ]
    assert fixed_foot(ContactPhaseList(), 0) is None
    with pytest.raises(TypeError, match="whole number"):
        fixed_foot(phases, 0.5)  # type: ignore[arg-type]


def test_a_double_support_alone_takes_the_foot_that_lifts_first_then_the_first_key() -> None:
    assert key_at(ContactPhaseList.from_lists({"a": spans((0, 3)), "b": spans((0, 2))}), 1) == "b"
    assert key_at(ContactPhaseList.from_lists({"b": spans((0, 2)), "a": spans((0, 2))}), 1) == "b"


def test_a_foot_put_elsewhere_without_a_swing_is_not_fixed() -> None:
    phases = ContactPhaseList.from_lists({"a": spans((0, 1), (1, 2)), "b": spans((0, 3))})
    assert [key_at(phases, t) for t in (0.5, 1.5)] == ["a", "b"]


@given(
    st.dictionaries(st.sampled_from("abcd"), lists(small_times, flat), min_size=1),
    st.integers(-5, 15),
)
def test_the_fixed_foot_touches_and_does_not_move_while_it_can_be_kept(
    given_lists: dict[str, ContactList], time: int
) -> None:
    phases = ContactPhaseList.from_lists(given_lists)
    found, phase = fixed_foot(phases, time), phases.phase_at(time)
    if phase is None or not phase.active_contacts:
        assert found is None
        return
    assert found is not None
    assert phase.active_contacts[found.key] is found.contact
    before = fixed_foot(phases, time - 1)
    if before is not None and before.contact.is_active(time):
        assert before == found


def test_a_quadruped_has_one_too() -> None:
    lists = gaits.tile(gaits.named("crawl"), begin=0, duration=400, period=100)
    phases = ContactPhaseList.from_lists(lists)
    keys = [found.key for t in range(400) if (found := fixed_foot(phases, t))]
    assert len(keys) == 400
    changes = sum(a != b for a, b in pairwise(keys))
    assert changes <= 6
