"""The order of contacts: activations strictly increasing, intervals never overlapping."""

from collections.abc import Iterable, Sequence

import numpy as np

from footwork.contacts.contact import PlannedContact
from footwork.contacts.nanoseconds import format_interval, format_time
from footwork.errors import ContactOverlapError, ContactTimeError, InputError
from footwork.typing import IntVector


def as_contact(contact: object, list_name: str) -> PlannedContact:
    """Refuse what is no contact, or ends before it begins.

    Args:
        contact: The contact.
        list_name: Name of the list, for the error message.

    Returns:
        The contact.

    Raises:
        InputError: If it is no contact.
        ContactTimeError: If the activation is after the deactivation.
    """
    if not isinstance(contact, PlannedContact):
        raise InputError(
            f"{list_name}: expected a PlannedContact, or a Pose with two times, got {contact!r}"
        )
    if contact.activation_time > contact.deactivation_time:
        raise ContactTimeError(
            f"{list_name}: contact {contact.name!r} is activated at "
            f"{format_time(contact.activation_time)}, after its deactivation at "
            f"{format_time(contact.deactivation_time)}",
            time=contact.activation_time,
        )
    return contact


def check_gap(
    contact: PlannedContact,
    contacts: Sequence[PlannedContact],
    before: int,
    after: int,
    list_name: str,
) -> None:
    """Refuse a contact that does not fit between contacts[before − 1] and contacts[after].

    Args:
        contact: The contact, its own times in order.
        contacts: Contacts in order.
        before: Number of contacts that stay before it.
        after: Index of the contact that comes after it; the size when none does.
        list_name: Name of the list, for the error message.

    Raises:
        ContactOverlapError: If it overlaps one of the two, or passes it, or shares its activation.
    """
    if before > 0:
        check_pair(contacts[before - 1], contact, list_name, refused=contact)
    if after < len(contacts):
        check_pair(contact, contacts[after], list_name, refused=contact)


def check_order(contacts: Iterable[PlannedContact], list_name: str) -> list[PlannedContact]:
    """Put contacts in order.

    Args:
        contacts: Contacts in any order.
        list_name: Name of the list, for the error message.

    Returns:
        A new list of them.

    Raises:
        InputError: If they are no contacts.
        ContactTimeError: If one ends before it begins.
        ContactOverlapError: If two overlap or share an activation time.
    """
    try:
        result = list(contacts)
    except TypeError as error:
        raise InputError(f"{list_name}: expected contacts, got {contacts!r}") from error
    for contact in result:
        as_contact(contact, list_name)
    # equal activations are an error, but the shorter first gives the better message
    result.sort(key=lambda c: (c.activation_time, c.deactivation_time))
    previous: PlannedContact | None = None
    for contact in result:
        if previous is not None and (
            contact.activation_time < previous.deactivation_time
            or contact.activation_time == previous.activation_time
        ):
            check_pair(previous, contact, list_name, refused=contact)
        previous = contact
    return result


def first_conflict(activations: IntVector, deactivations: IntVector) -> int | None:
    """Find the first of contacts in order that gets in the way of the one after it.

    Args:
        activations: Activation times [ns], ascending but for conflicts, shape (n,).
        deactivations: Deactivation times [ns], shape (n,).

    Returns:
        Its index; None when there is no conflict.
    """
    following = activations[1:]
    conflicts = (following <= activations[:-1]) | (following < deactivations[:-1])
    return int(np.argmax(conflicts)) if conflicts.any() else None


def check_pair(
    first: PlannedContact, second: PlannedContact, list_name: str, *, refused: PlannedContact
) -> None:
    """Refuse two neighbours that overlap, are the wrong way round or share an activation time.

    Args:
        first: The contact that should come first.
        second: The contact that should follow.
        list_name: Name of the list, for the error message.
        refused: Which of the two is the new one.

    Raises:
        ContactOverlapError: If they do.
    """
    if first.activation_time < second.activation_time >= first.deactivation_time:
        return
    other = second if refused is first else first
    if first.activation_time == second.activation_time:
        problem = f"has the activation time {format_time(refused.activation_time)}, as has"
    elif first.activation_time > second.activation_time:
        problem = "would have to be moved to another place in the list, past"
    else:
        problem = "overlaps"
    raise ContactOverlapError(
        f"{list_name}: {_words(refused)} {problem} {_words(other)}; contacts may touch, "
        "[0 s, 1 s) and then [1 s, 2 s), but not overlap",
        list_name=list_name,
        contact=refused,
        other=other,
    )


def _words(contact: PlannedContact) -> str:
    interval = format_interval(contact.activation_time, contact.deactivation_time)
    return f"contact {contact.name!r} {interval}"
