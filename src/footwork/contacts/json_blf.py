"""Files of bipedal-locomotion-framework: read as they are meant, written so that it takes them."""

import math
from collections.abc import Mapping
from typing import Any, Final

from footwork.contacts.contact import ContactType, PlannedContact
from footwork.contacts.contact_list import ContactList
from footwork.contacts.json_fields import JsonObject, Place
from footwork.contacts.json_footwork import check_activation, in_order
from footwork.contacts.nanoseconds import FOREVER, FOREVER_SECONDS, seconds
from footwork.spatial import Pose

_KEYS: Final = (
    "activation_time",
    "deactivation_time",
    "index",
    "name",
    "position",
    "quaternion",
)
_LAST_FINITE: Final = seconds(math.nextafter(FOREVER_SECONDS, 0.0))
"""The largest time that a double of seconds can hold and that does not mean for ever [ns]."""


def from_document(
    document: JsonObject | None, place: Place, *, repair: bool
) -> dict[str, ContactList]:
    """Turn what such a file says into lists.

    Seconds are rounded to the nanosecond; 9.2e9 s or more is `FOREVER`. Every contact is FULL,
    since the file does not say; the key of a list becomes its default name.

    Args:
        document: Its outermost object; None, as upstream writes no list at all.
        place: The file.
        repair: Whether a quaternion off unit is divided by its norm.

    Returns:
        Key → list.
    """
    lists = {}
    for key, value in (document or {}).items():
        inside = place.inside(list_name=key)
        entries = inside.check_array(value, "contacts")
        contacts = [
            _contact_from(entry, inside.inside(entry=i), repair=repair)
            for i, entry in enumerate(entries)
        ]
        lists[key] = in_order(contacts, inside, "activation_time", default_name=key)
    return lists


def to_document(lists: Mapping[str, ContactList]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Turn lists into what upstream's reader takes whole.

    It refuses contacts that touch, so the earlier one ends a nanosecond early; it truncates
    seconds, so they are written a bit larger where that loses one; and it overflows at its own
    infinity, so `FOREVER` is written as 9.2e9 s.

    Args:
        lists: Key → list.

    Returns:
        A tree of JSON values, and what it does not say, a line each.
    """
    document: dict[str, Any] = {}
    lost: list[str] = []
    for key, contacts in lists.items():
        lost += _lost_defaults(key, contacts)
        rows: list[dict[str, Any]] = []
        for i, contact in enumerate(contacts):
            if abs(contact.activation_time) > _LAST_FINITE:
                when = "after 9.2e9 s" if contact.activation_time > 0 else "before -9.2e9 s"
                lost.append(f"list {key!r}, contact {i}: it begins {when} and is left out")
                continue
            following = contacts[i + 1] if i + 1 < len(contacts) else None
            row, losses = _contact_to(contact, following)
            if rows and _read_back(row["activation_time"]) <= _read_back(
                rows[-1]["deactivation_time"]
            ):
                lost.append(
                    f"list {key!r}, contact {i}: as a double of seconds its activation is not "
                    "after the deactivation before, and it is left out"
                )
                continue
            rows.append(row)
            lost += [f"list {key!r}, contact {i}: {loss}" for loss in losses]
        document[key] = rows
    return document, tuple(lost)


def _contact_from(value: object, place: Place, *, repair: bool) -> PlannedContact:
    row = place.check_object(value, "the fields of a contact")
    place.check_keys(row, _KEYS, ())
    contact = PlannedContact(
        pose=Pose(
            place.vector(row, "position", 3), place.quaternion(row, "quaternion", repair=repair)
        ),
        name=place.string(row, "name"),
        index=place.integer(row, "index"),
        activation_time=_time_from(row, "activation_time", place),
        deactivation_time=_time_from(row, "deactivation_time", place),
    )
    check_activation(contact, place, "activation_time")
    return contact


def _time_from(row: JsonObject, key: str, place: Place) -> int:
    number = place.number(row[key], key, infinite=True)
    if number <= -FOREVER_SECONDS:
        place.fail(f"expected a time above {-FOREVER_SECONDS:g} s, got {number:g}", key)
    return seconds(number)


def _contact_to(
    contact: PlannedContact, following: PlannedContact | None
) -> tuple[dict[str, Any], list[str]]:
    lost = []
    end = contact.deactivation_time
    if following is not None and end == following.activation_time <= _LAST_FINITE:
        lost.append("it touches the next one, which upstream refuses: it ends 1 ns early")
        end -= 1
    lost += [
        f"its {what} is not a double of seconds: written {_seconds_to(time)!r} s, off by {off} ns"
        for what, time in (("activation", contact.activation_time), ("deactivation", end))
        if time <= _LAST_FINITE and (off := _error_of(time))
    ]
    if end == FOREVER:
        lost.append("it lasts for ever: written as 9.2e9 s")
    elif end > _LAST_FINITE:
        lost.append("it ends after 9.2e9 s, which reads as for ever")
    if contact.type is not ContactType.FULL:
        lost.append("its type is POINT: it reads as FULL")
    lost += [
        f"its {name} is not written"
        for name in ("friction", "patch", "link")
        if getattr(contact, name) is not None
    ]
    row = {
        "activation_time": _seconds_to(contact.activation_time),
        "deactivation_time": _seconds_to(end),
        "index": contact.index,
        "name": contact.name,
        "position": contact.pose.translation.tolist(),
        "quaternion": contact.pose.quaternion_xyzw.tolist(),
    }
    return row, lost


def _seconds_to(time: int) -> float:
    """Seconds from which upstream, multiplying and truncating, gets the time back."""
    if time > _LAST_FINITE:
        return FOREVER_SECONDS
    number = time / 10**9
    for candidate in (
        number,
        math.nextafter(number, math.inf),
        math.nextafter(number, -math.inf),
    ):
        if _read_back(candidate) == time and seconds(candidate) == time:
            return candidate
    return number


def _read_back(number: float) -> int:
    """The time that upstream reads: multiplied and truncated [ns]."""
    return int(number * 1e9)


def _error_of(time: int) -> int:
    """By how much upstream reads another time than was meant [ns]."""
    return _read_back(_seconds_to(time)) - time


def _lost_defaults(key: str, contacts: ContactList) -> list[str]:
    lost = []
    if contacts.default_name != key:
        lost.append(f"the default name {contacts.default_name!r}: it reads as the key")
    if contacts.default_index != -1:
        lost.append(f"the default index {contacts.default_index}: it reads as -1")
    if contacts.default_contact_type is not ContactType.FULL:
        lost.append("the default type POINT: it reads as FULL")
    return [f"list {key!r}: {loss}" for loss in lost]
