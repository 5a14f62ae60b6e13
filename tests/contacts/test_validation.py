from typing import Any

import pytest
from hypothesis import given

from footwork.contacts import (
    FOREVER,
    ContactList,
    ContactPhaseList,
    Oddity,
    gaits,
    seconds,
    validate,
)
from footwork.errors import InputError
from footwork.spatial import Pose

from .test_contact_phase import many_lists


def feet(y: float, *spans: tuple[float, float, float]) -> ContactList:
    contacts = ContactList()
    for begin, end, x in spans:
        contacts.add_contact(Pose.from_translation([x, y, 0]), seconds(begin), seconds(end))
    return contacts


def good() -> dict[str, ContactList]:
    return {
        "left": feet(0.1, (0, 1, 0), (1.5, 4, 0.3)),
        "right": feet(-0.1, (0, 2, 0), (2.5, 4, 0.3)),
    }


def texts(lists: dict[str, ContactList], **limits: Any) -> list[str]:
    return [str(finding) for finding in validate(lists, **limits)]


def test_an_ordinary_walk_is_not_odd() -> None:
    assert validate(good()) == ()
    assert validate(good(), smallest_distance=0.15, longest_step=0.4) == ()
    assert validate(ContactPhaseList.from_lists(good())) == ()


def test_a_gap_at_an_end_is_named() -> None:
    lists = good() | {"hand": feet(0.5, (1, 2, 0))}
    assert texts(lists) == [
        "hand: no contact at the beginning, [0 s, 1 s)",
        "hand: no contact at the end, [2 s, 4 s)",
    ]


def test_a_foot_put_back_where_it_was_is_a_gap() -> None:
    lists = good() | {"right": feet(-0.1, (0, 2, 0), (2.000000001, 4, 0))}
    (finding,) = validate(lists)
    assert finding.kind is Oddity.GAP
    assert finding.keys == ("right",)
    assert (finding.begin_time, finding.end_time) == (seconds(2), seconds(2) + 1)
    assert finding.text == (
        "right: between contacts 0 and 1, [2 s, 2.000000001 s), it is lifted and put back where "
        "it was"
    )


def test_flight_is_named_unless_it_is_meant() -> None:
    lists = {"left": feet(0.1, (0, 1, 0), (3, 4, 0.1)), "right": feet(-0.1, (0, 2, 0), (3, 4, 0.1))}
    assert texts(lists) == ["flight: no foot touches in [2 s, 3 s)"]
    assert texts(lists, allow_flight=True) == []


def test_short_swings_and_stances_are_named_with_the_limit() -> None:
    lists = good() | {"left": feet(0.1, (0, 1.95, 0), (2, 2, 0.3), (2.5, 4, 0.3))}
    assert texts(lists) == [
        "left: between contacts 0 and 1, [1.95 s, 2 s), it swings for 0.05 s, expected 0.1 s or "
        "more",
        "left: contact 1, [2 s, 2 s), lasts 0 s, expected 0.000000001 s or more",
        "flight: no foot touches in [2 s, 2.5 s)",
        "left: between contacts 1 and 2, [2 s, 2.5 s), it is lifted and put back where it was",
    ]
    assert texts(good(), shortest_swing=seconds(0.6))[0].endswith("0.5 s, expected 0.6 s or more")
    assert len(validate(good(), shortest_stance=seconds(1.2))) == 1


def test_a_slide_is_named() -> None:
    lists = good() | {"right": feet(-0.1, (0, 2, 0), (2, 4, 0.3))}
    assert texts(lists) == [
        "right: between contacts 0 and 1, [2 s, 2 s), it moves by 0.300 m without leaving the "
        "ground"
    ]


def test_close_feet_and_long_steps_are_named_once() -> None:
    assert texts(good(), smallest_distance=0.21) == [
        "left and right: 0.200 m apart in [0 s, 1 s), expected 0.21 m or more",
        "left and right: 0.200 m apart in [2.5 s, 4 s), expected 0.21 m or more",
    ]
    assert texts(good(), longest_step=0.2) == [
        "left: from contact 0 to 1 it goes 0.300 m, expected 0.2 m or less",
        "right: from contact 0 to 1 it goes 0.300 m, expected 0.2 m or less",
    ]


def test_an_empty_list_is_named() -> None:
    assert texts({"left": ContactList()}) == ["left: the list has no contact"]
    assert texts({}) == []


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        ({"shortest_swing": -1}, "shortest_swing: expected 0 ns or more"),
        ({"shortest_stance": FOREVER}, "shortest_stance: expected 0 ns or more"),
        ({"smallest_distance": -0.1}, "smallest_distance: expected 0 m or more"),
        ({"longest_step": float("nan")}, "longest_step: expected 0 m or more"),
    ],
)
def test_limits_that_make_no_sense_are_refused(limits: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        validate(good(), **limits)


@given(many_lists)
def test_no_schedule_breaks_it_and_flight_is_where_nothing_touches(
    lists: dict[str, ContactList],
) -> None:
    for finding in validate(lists, smallest_distance=1.0, longest_step=0.0, shortest_swing=0):
        assert finding.text
        if finding.kind is Oddity.FLIGHT:
            times = (finding.begin_time, finding.end_time - 1)
            assert all(v.get_active_contact(t) is None for v in lists.values() for t in times)


def test_every_walking_gait_is_fit_and_running_ones_fly() -> None:
    for name in gaits.NAMES:
        lists = gaits.standing(gaits.nominal_footholds())
        footholds = gaits.moving_footholds(
            gaits.nominal_footholds(), (0.5, 0, 0), begin=seconds(1), end=seconds(4)
        )
        lists = gaits.insert(
            lists,
            gaits.named(name),
            begin=seconds(1),
            end=seconds(4),
            period=seconds(0.5),
            footholds=footholds,
        )
        kinds = {finding.kind for finding in validate(lists)}
        assert kinds == ({Oddity.FLIGHT} if name in {"run", "hop", "bound"} else set()), name
