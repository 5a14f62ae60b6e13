"""Several contact lists made one: in a row, together, and without seams."""

from collections.abc import Mapping
from typing import overload

from footwork.contacts.contact import PlannedContact, retimed
from footwork.contacts.contact_list import ContactList
from footwork.contacts.edits import (
    begin_time,
    check_lists,
    cut,
    end_time,
    on_each,
    shift,
    with_defaults_of,
)
from footwork.contacts.nanoseconds import FOREVER, Time, as_time
from footwork.errors import ContactTimeError, InputError


@overload
def concatenate(
    first: ContactList, second: ContactList, *, at: Time | None = None
) -> ContactList: ...
@overload
def concatenate(
    first: Mapping[str, ContactList],
    second: Mapping[str, ContactList],
    *,
    at: Time | None = None,
) -> dict[str, ContactList]: ...
def concatenate(
    first: ContactList | Mapping[str, ContactList],
    second: ContactList | Mapping[str, ContactList],
    *,
    at: Time | None = None,
) -> ContactList | dict[str, ContactList]:
    """Let one schedule follow another.

    The second is shifted so that it begins where the first ends. A contact that goes on unchanged
    across the seam becomes one contact. Lists of a dict are shifted together, so that they stay in
    step; a key of only one of the two is taken as well.

    Args:
        first: What comes first; its defaults are kept.
        second: What follows.
        at: Where the seam is [ns], the first being cut there; its end when not given.

    Returns:
        New lists.

    Raises:
        ContactTimeError: If the first never ends and no seam is given.
        InputError: If one is a list and the other a dict.
    """
    if isinstance(first, ContactList) and isinstance(second, ContactList):
        return concatenate({"": first}, {"": second}, at=at)[""]
    if isinstance(first, ContactList) or isinstance(second, ContactList):
        raise InputError("concatenate: expected two lists, or two dicts of lists")
    check_lists(first)
    begin = begin_time(second) if any(map(len, check_lists(second).values())) else 0
    seam = _seam(first, begin, at)
    moved = shift(second, seam - begin)
    heads = {key: cut(contacts, seam)[0] for key, contacts in first.items()}
    return fuse(merge(heads, moved))


@overload
def merge(first: ContactList, second: ContactList) -> ContactList: ...
@overload
def merge(
    first: Mapping[str, ContactList], second: Mapping[str, ContactList]
) -> dict[str, ContactList]: ...
def merge(
    first: ContactList | Mapping[str, ContactList], second: ContactList | Mapping[str, ContactList]
) -> ContactList | dict[str, ContactList]:
    """Put the contacts of two schedules together, as they are in time.

    Args:
        first: One; its defaults are kept.
        second: The other.

    Returns:
        New lists, of every key of either.

    Raises:
        ContactOverlapError: If contacts of one list overlap.
        InputError: If one is a list and the other a dict.
    """
    if isinstance(first, ContactList) and isinstance(second, ContactList):
        return with_defaults_of(first, [*first, *second])
    if isinstance(first, ContactList) or isinstance(second, ContactList):
        raise InputError("merge: expected two lists, or two dicts of lists")
    check_lists(first)
    check_lists(second)
    result = {
        key: merge(contacts, second[key]) if key in second else contacts.copy()
        for key, contacts in first.items()
    }
    return result | {key: v.copy() for key, v in second.items() if key not in first}


@on_each
def fuse(lists: ContactList) -> ContactList:
    """Make one contact of those that touch and differ in their times only.

    Args:
        lists: One list, or a dict of lists.

    Returns:
        New lists.
    """
    fused: list[PlannedContact] = []
    for contact in lists:
        last = fused[-1] if fused else None
        if last is not None and last.deactivation_time == contact.activation_time:
            longer = retimed(last, last.activation_time, contact.deactivation_time)
            if retimed(contact, last.activation_time, contact.deactivation_time) == longer:
                fused[-1] = longer
                continue
        fused.append(contact)
    return with_defaults_of(lists, fused)


def _seam(first: Mapping[str, ContactList], begin: int, at: Time | None) -> int:
    if at is not None:
        return as_time("at", at)
    if not any(map(len, first.values())):
        return begin
    end = end_time(first)
    if end == FOREVER:
        raise ContactTimeError(
            "concatenate: the first never ends; say with at=… where it is to be cut", time=end
        )
    return end
