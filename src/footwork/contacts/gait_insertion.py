"""Going over into a gait while a schedule runs."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from footwork.contacts.contact import PlannedContact, check_kind
from footwork.contacts.contact_list import ContactList
from footwork.contacts.edits import check_lists, with_defaults_of
from footwork.contacts.footholds import Footholds, contact_at, nominal_footholds, place_of
from footwork.contacts.gait import Gait, check_span, check_strides, exactly
from footwork.contacts.nanoseconds import FOREVER, Time, as_period, as_time, format_time
from footwork.errors import GaitError, InputError


def insert(
    lists: Mapping[str, ContactList],
    gait: Gait,
    *,
    begin: Time,
    end: Time,
    period: Time,
    footholds: Footholds | None = None,
    transition: Time = 0,
    phase: float = 0.0,
    finish: Literal["stand", "cut"] = "stand",
) -> dict[str, ContactList]:
    """Go over into a gait while the schedule runs.

    What is over at the beginning stays. Then all feet stand for the transition: one that stands
    already stays where it is, one in the air lands as it was going to. Then the gait is repeated
    until the end. No swing is cut short: a foot that touches when the gait begins, or would be in
    the middle of a swing, stays where it stands until it lifts off; and a foot that swings at the
    end lands as it was going to, or right then if it never touches in this gait. Then all feet
    stand for ever, or the lists end.

    Args:
        lists: The running schedule, foot → list; lists of other keys stay as they are.
        gait: The gait to go over into.
        begin: When [ns], an absolute time.
        end: End of the gait [ns], an absolute time.
        period: Length of a stride [ns].
        footholds: Where feet are put; the nominal places of two or four feet when not given.
        transition: How long all feet stand first [ns].
        phase: Phase of the gait when it begins.
        finish: ``"stand"``: feet stand when the gait is over; ``"cut"``: the lists end there.

    Returns:
        New lists.

    Raises:
        GaitError: If the end is not after the beginning and the transition, a foot has no list, or
            a foot is in the air where it should stand.
        InputError: If the finish has another name.
    """
    check_kind("gait", gait, Gait, "a Gait")
    first, last = check_span(begin, end, gait.name)
    start = first + as_time("transition", transition)
    if not first <= start < last:
        raise GaitError(
            f"{gait.name}: the transition, {format_time(start - first)}, must be 0 s or more and "
            f"end before the gait does, at {format_time(last)}"
        )
    if not isinstance(finish, str) or finish not in {"stand", "cut"}:
        raise InputError(f"finish: expected 'stand' or 'cut', got {finish!r}")
    missing = [foot for foot in gait.feet if foot not in check_lists(lists)]
    if missing:
        raise GaitError(f"{gait.name}: the lists have no foot {', '.join(missing)}")
    stride = as_period("period", period)
    check_strides(first, last, stride, gait.name)
    places = nominal_footholds(gait.feet) if footholds is None else footholds
    result = {key: contacts.copy() for key, contacts in lists.items()}
    for foot in gait.feet:
        around = gait.stances_within(
            foot, start - stride, last + 2 * stride, stride, phase=exactly(phase) - 1
        )
        opening = _opening(lists[foot], foot, first, start, around)
        spans = _from_start(around, first, start, grounded=opening is not None)
        spans = _finished(spans, last, stand=finish == "stand")
        contacts = [c for c in lists[foot] if c.deactivation_time <= first]
        if opening is not None:
            end_of_opening = spans.pop(0)[1]
            if end_of_opening > opening.activation_time:
                contacts.append(replace(opening, deactivation_time=end_of_opening))
        contacts += [contact_at(place_of(places, foot, a, b), foot, a, b) for a, b in spans]
        result[foot] = with_defaults_of(lists[foot], contacts)
    return result


def _opening(
    contacts: ContactList, foot: str, first: int, start: int, around: Sequence[tuple[int, int]]
) -> PlannedContact | None:
    """The contact on which a foot stands when the gait begins; None when it flies into a swing."""
    stance = contacts.get_active_contact(first)
    if stance is not None:
        return stance
    landing = contacts.get_next_contact(first)
    if landing is not None and landing.activation_time < start:
        return landing
    if start == first and not any(a <= start < b for a, b in around):
        return None
    lands = "never lands"
    if landing is not None:
        lands = f"lands at {format_time(landing.activation_time)}"
    raise GaitError(
        f"{foot} is in the air at {format_time(first)} and {lands}, but is to stand by "
        f"{format_time(start)}; insert the gait at another time, or give it a longer transition"
    )


def _from_start(
    around: Sequence[tuple[int, int]], first: int, start: int, *, grounded: bool
) -> list[tuple[int, int]]:
    """Stances from the start on; that of a foot on the ground begins where it stands."""
    if not grounded:
        return [(a, b) for a, b in around if a > start]
    # a stance that ends at the start lifts off there; a swing that has begun before is left out
    spans = [(a, b) for a, b in around if b >= start]
    if not spans:  # a foot that never touches in this gait lifts off at once
        return [(first, start)]
    return [(first, spans[0][1]), *spans[1:]]


def _finished(spans: Sequence[tuple[int, int]], last: int, *, stand: bool) -> list[tuple[int, int]]:
    """Stances until the end: cut there, or the one that is then or comes next lasts for ever."""
    kept = [(a, b) for a, b in spans if a < last]
    if not stand:
        return [(a, min(b, last)) for a, b in kept]
    if kept and kept[-1][1] >= last:
        return [*kept[:-1], (kept[-1][0], FOREVER)]
    landing = spans[len(kept)][0] if len(spans) > len(kept) else last
    return [*kept, (landing, FOREVER)]
