"""What is odd about a schedule of contacts, in words."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from itertools import combinations, pairwise
from typing import Final

import numpy as np

from footwork.contacts.contact import PlannedContact
from footwork.contacts.contact_list import ContactList
from footwork.contacts.contact_phase_list import ContactPhaseList
from footwork.contacts.nanoseconds import FOREVER, Time, as_time, format_interval, format_time
from footwork.errors import ContactTimeError, InputError
from footwork.typing import as_array

_ROUNDING: Final = 1e-9
"""Distances are compared with limits up to this [m], so that 0.3 m of sums of doubles is 0.3 m."""


class Oddity(Enum):
    """What kind of thing is odd."""

    EMPTY = "empty"
    GAP = "gap"
    FLIGHT = "flight"
    SHORT_SWING = "short swing"
    SHORT_STANCE = "short stance"
    SLIDE = "slide"
    LONG_STEP = "long step"
    TOO_CLOSE = "too close"


@dataclass(frozen=True, kw_only=True, slots=True)
class Finding:
    """One odd thing in a schedule.

    Attributes:
        kind: What kind.
        keys: Lists that it is about; empty when it is about all.
        begin_time: When it begins [ns].
        end_time: When it ends [ns].
        text: The same in words.
    """

    kind: Oddity
    keys: tuple[str, ...]
    begin_time: int
    end_time: int
    text: str

    def __str__(self) -> str:
        return self.text


def validate(
    lists: Mapping[str, ContactList] | ContactPhaseList,
    *,
    shortest_swing: Time = 100_000_000,
    shortest_stance: Time = 1,
    allow_flight: bool = False,
    smallest_distance: float | None = None,
    longest_step: float | None = None,
) -> tuple[Finding, ...]:
    """Look for what is odd about a schedule.

    - empty: a list has no contact.
    - gap: a foot is lifted and put back where it was; or, at the beginning or the end, it has no
      contact while another foot has.
    - flight: no foot touches, between the first and the last contact.
    - short swing, short stance: a foot is in the air, or on the ground, for less than given.
    - slide: a contact is followed at once by one elsewhere, without a swing.
    - long step: two contacts of a foot in a row are further apart than given.
    - too close: two feet stand at once, closer to each other than given.

    Args:
        lists: Key → list, or phases.
        shortest_swing: Least time in the air [ns].
        shortest_stance: Least time on the ground [ns]; by default contacts of no duration are odd.
        allow_flight: Whether flight is meant.
        smallest_distance: Least distance between the frames of two feet that stand [m].
        longest_step: Largest distance between two contacts of a foot in a row [m].

    Returns:
        What was found, in order of time; empty when nothing is odd.

    Raises:
        InputError: If a limit is negative or NaN, or something is no list.
        ContactTimeError: If a limit of time is negative or `FOREVER`.
    """
    phases = lists if isinstance(lists, ContactPhaseList) else ContactPhaseList.from_lists(lists)
    swing, stance = (
        _limit("shortest_swing", shortest_swing),
        _limit("shortest_stance", shortest_stance),
    )
    found: list[Finding] = []
    for key, contacts in phases.lists.items():
        found += _ends(key, contacts, phases)
        found += _stances(key, contacts, stance)
        found += _swings(key, contacts, swing)
        found += _steps(key, contacts, _length("longest_step", longest_step))
    if not allow_flight:
        found += _flights(phases)
    found += _close_feet(phases, _length("smallest_distance", smallest_distance, 0.0))
    return tuple(sorted(found, key=lambda f: (f.begin_time, f.end_time, f.kind.value, f.keys)))


def _ends(key: str, contacts: ContactList, phases: ContactPhaseList) -> Iterator[Finding]:
    # an empty list, or one that has no contact at the beginning or the end of the whole
    first, last = contacts.first_contact, contacts.last_contact
    whole = (int(phases.begin_times[0]), int(phases.end_times[-1])) if len(phases) else (0, 0)
    if first is None or last is None:
        text = f"{key}: the list has no contact"
        yield Finding(
            kind=Oddity.EMPTY, keys=(key,), begin_time=whole[0], end_time=whole[1], text=text
        )
        return
    for begin, end, where in (
        (whole[0], first.activation_time, "beginning"),
        (last.deactivation_time, whole[1], "end"),
    ):
        if begin < end:
            text = f"{key}: no contact at the {where}, {format_interval(begin, end)}"
            yield Finding(kind=Oddity.GAP, keys=(key,), begin_time=begin, end_time=end, text=text)


def _stances(key: str, contacts: ContactList, shortest: int) -> Iterator[Finding]:
    for i, contact in enumerate(contacts):
        begin, end = contact.activation_time, contact.deactivation_time
        if end - begin < shortest:
            text = (
                f"{key}: contact {i}, {format_interval(begin, end)}, lasts "
                f"{format_time(end - begin)}, expected {format_time(shortest)} or more"
            )
            yield Finding(
                kind=Oddity.SHORT_STANCE, keys=(key,), begin_time=begin, end_time=end, text=text
            )


def _swings(key: str, contacts: ContactList, shortest: int) -> Iterator[Finding]:
    for i, (before, after) in enumerate(pairwise(contacts)):
        begin, end = before.deactivation_time, after.activation_time
        same = before.pose == after.pose
        where = f"{key}: between contacts {i} and {i + 1}, {format_interval(begin, end)},"
        if begin == end and not same:
            distance = _distance(before, after)
            yield Finding(
                kind=Oddity.SLIDE,
                keys=(key,),
                begin_time=begin,
                end_time=end,
                text=f"{where} it moves by {distance:.3f} m without leaving the ground",
            )
        elif begin < end and same:
            yield Finding(
                kind=Oddity.GAP,
                keys=(key,),
                begin_time=begin,
                end_time=end,
                text=f"{where} it is lifted and put back where it was",
            )
        elif begin < end and end - begin < shortest:
            text = (
                f"{where} it swings for {format_time(end - begin)}, "
                f"expected {format_time(shortest)} or more"
            )
            yield Finding(
                kind=Oddity.SHORT_SWING, keys=(key,), begin_time=begin, end_time=end, text=text
            )


def _steps(key: str, contacts: ContactList, longest: float) -> Iterator[Finding]:
    for i, (before, after) in enumerate(pairwise(contacts)):
        distance = _distance(before, after)
        if distance > longest + _ROUNDING:
            yield Finding(
                kind=Oddity.LONG_STEP,
                keys=(key,),
                begin_time=before.deactivation_time,
                end_time=after.activation_time,
                text=f"{key}: from contact {i} to {i + 1} it goes {distance:.3f} m, "
                f"expected {longest:g} m or less",
            )


def _flights(phases: ContactPhaseList) -> Iterator[Finding]:
    for i in np.flatnonzero((phases.membership < 0).all(axis=1)).tolist():
        begin, end = int(phases.begin_times[i]), int(phases.end_times[i])
        text = f"flight: no foot touches in {format_interval(begin, end)}"
        yield Finding(kind=Oddity.FLIGHT, keys=(), begin_time=begin, end_time=end, text=text)


def _close_feet(phases: ContactPhaseList, smallest: float) -> Iterator[Finding]:
    # every pair of contacts once, from when both stand
    if smallest == 0.0:
        return
    seen: set[tuple[str, str, int, int]] = set()
    for phase, row in zip(phases, phases.membership.tolist(), strict=True):
        index = dict(zip(phases.keys, row, strict=True))
        for (a, first), (b, second) in combinations(phase.active_contacts.items(), 2):
            pair = (a, b, index[a], index[b])
            distance = _distance(first, second)
            if distance >= smallest - _ROUNDING or pair in seen:
                continue
            seen.add(pair)
            end = min(first.deactivation_time, second.deactivation_time)
            yield Finding(
                kind=Oddity.TOO_CLOSE,
                keys=(a, b),
                begin_time=phase.begin_time,
                end_time=end,
                text=f"{a} and {b}: {distance:.3f} m apart in "
                f"{format_interval(phase.begin_time, end)}, expected {smallest:g} m or more",
            )


def _distance(a: PlannedContact, b: PlannedContact) -> float:
    return math.dist(a.pose.translation.tolist(), b.pose.translation.tolist())


def _limit(name: str, value: Time) -> int:
    limit = as_time(name, value)
    if limit < 0 or limit == FOREVER:
        raise ContactTimeError(f"{name}: expected 0 ns or more, got {limit}", time=limit)
    return limit


def _length(name: str, value: float | None, nothing: float = math.inf) -> float:
    if value is None:
        return nothing
    length = float(as_array(name, value, (), finite=False))
    if not length >= 0.0:
        raise InputError(f"{name}: expected 0 m or more, got {length:g}")
    return length
