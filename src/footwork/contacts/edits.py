"""Changes of the times of whole contact lists: each returns new lists and keeps the given ones.

Those of one operand take a `ContactList`, or a dict of lists that are changed together. A foot that
stands for ever still does after any change of its times.
"""

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import wraps
from typing import Concatenate, ParamSpec, Protocol, overload

from footwork.contacts.contact import PlannedContact, check_kind, retimed
from footwork.contacts.contact_list import ContactList
from footwork.contacts.nanoseconds import FOREVER, Time, as_time, format_time
from footwork.errors import ContactTimeError, InputError, NoContactError
from footwork.typing import as_array

P = ParamSpec("P")


class ListEdit(Protocol[P]):
    """A change of one list that works on a dict of lists as well."""

    @overload
    def __call__(self, lists: ContactList, /, *args: P.args, **kwargs: P.kwargs) -> ContactList: ...
    @overload
    def __call__(
        self, lists: Mapping[str, ContactList], /, *args: P.args, **kwargs: P.kwargs
    ) -> dict[str, ContactList]: ...


def on_each(edit: Callable[Concatenate[ContactList, P], ContactList]) -> ListEdit[P]:
    """Let a change of one list work on a dict of lists as well.

    Args:
        edit: The change of one list.

    Returns:
        The change of either.
    """

    @wraps(edit)
    def changed(
        lists: ContactList | Mapping[str, ContactList], /, *args: P.args, **kwargs: P.kwargs
    ) -> ContactList | dict[str, ContactList]:
        if isinstance(lists, ContactList):
            return edit(lists, *args, **kwargs)
        return {k: edit(v, *args, **kwargs) for k, v in check_lists(lists).items()}

    return changed  # type: ignore[return-value]


def check_lists(lists: Mapping[str, ContactList]) -> Mapping[str, ContactList]:
    """Refuse what is no dict of contact lists.

    Args:
        lists: Key → list.

    Returns:
        The same.

    Raises:
        InputError: If it is something else.
    """
    check_kind("lists", lists, Mapping, "a ContactList or a dict of them")
    for key, contacts in lists.items():
        check_kind("key of a list", key, str, "a string")
        check_kind(f"list {key!r}", contacts, ContactList, "a ContactList")
    return lists


@on_each
def shift(lists: ContactList, by: Time) -> ContactList:
    """Move all times by a constant.

    Args:
        lists: One list, or a dict of lists.
        by: How much later [ns]; negative is earlier.

    Returns:
        New lists.

    Raises:
        ContactTimeError: If a time would leave 64 bits, or become `FOREVER`.

    Example:
        >>> later = shift(ContactList([PlannedContact(deactivation_time=5)]), 10)
        >>> later[0].activation_time, later[0].deactivation_time
        (10, 15)
    """
    step = as_time("by", by)
    return _mapped_times(lists, lambda time: time + step)


@on_each
def scale(lists: ContactList, factor: float, about: Time = 0) -> ContactList:
    """Stretch or squeeze time: t' = t₀ + factor (t − t₀), rounded to the nanosecond, half up.

    Contacts that touch still do.

    Args:
        lists: One list, or a dict of lists.
        factor: Above 0; 2 makes everything last twice as long.
        about: The time t₀ that stays [ns].

    Returns:
        New lists.

    Raises:
        InputError: If the factor is not above 0.
        ContactTimeError: If a time would leave 64 bits.
        ContactOverlapError: If two contacts come to begin in one nanosecond.
    """
    number = float(as_array("factor", factor, ()))
    if number <= 0.0:
        raise InputError(f"factor: expected more than 0, got {factor}")
    ratio, origin = Fraction(number), as_time("about", about)

    def stretched(time: int) -> int:
        return origin + (2 * (time - origin) * ratio + 1).__floor__() // 2

    return _mapped_times(lists, stretched)


def cut(lists: ContactList, time: Time) -> tuple[ContactList, ContactList]:
    """Part one list at a time; a contact across it is split.

    Args:
        lists: The list.
        time: Where [ns].

    Returns:
        What is before, and what is from then on; a contact of no duration at the time is in the
        second.

    Raises:
        TimeTypeError: If the time is no integer.
    """
    check_kind("lists", lists, ContactList, "a ContactList")
    at = as_time("time", time)
    before, after = [], []
    for contact in lists:
        begin, end = contact.activation_time, contact.deactivation_time
        if begin >= at:
            after.append(contact)
        elif end <= at:
            before.append(contact)
        else:
            before.append(retimed(contact, begin, at))
            after.append(retimed(contact, at, end))
    return with_defaults_of(lists, before), with_defaults_of(lists, after)


@on_each
def crop(lists: ContactList, begin: Time, end: Time) -> ContactList:
    """Keep what is in [begin, end); contacts across an end of it are cut.

    Args:
        lists: One list, or a dict of lists.
        begin: First instant [ns].
        end: First instant after it [ns].

    Returns:
        New lists.

    Raises:
        ContactTimeError: If it does not end after it begins.
    """
    if not as_time("begin", begin) < as_time("end", end):
        raise ContactTimeError(
            f"crop: expected an end after {format_time(int(begin))}, got {format_time(int(end))}",
            time=end,
        )
    return cut(cut(lists, begin)[1], end)[0]


@overload
def extend(lists: ContactList, until: Time) -> ContactList: ...
@overload
def extend(lists: Mapping[str, ContactList], until: Time) -> dict[str, ContactList]: ...
def extend(
    lists: ContactList | Mapping[str, ContactList], until: Time
) -> ContactList | dict[str, ContactList]:
    """Let last contacts last longer.

    Of a dict, those lists are extended that have a contact at the very end of the whole; a foot
    that is in the air there stays so.

    Args:
        lists: One list, or a dict of lists.
        until: New end [ns], often `FOREVER`.

    Returns:
        New lists.

    Raises:
        NoContactError: If there is no contact at all.
        ContactTimeError: If the contacts last longer already.
    """
    if isinstance(lists, ContactList):
        return extend({"": lists}, until)[""]
    end = end_time(lists)
    if as_time("until", until) < end:
        raise ContactTimeError(
            f"extend: the contacts last until {format_time(end)} already, which is after "
            f"{format_time(int(until))}; crop shortens them",
            time=until,
        )
    return {key: _extended(contacts, end, int(until)) for key, contacts in lists.items()}


def begin_time(lists: Mapping[str, ContactList]) -> int:
    """Tell when the first contact of any list begins.

    Args:
        lists: Key → list.

    Returns:
        Time [ns].

    Raises:
        NoContactError: If there is no contact.
    """
    firsts = [v.first_contact for v in check_lists(lists).values()]
    return min(c.activation_time for c in _existing(firsts))


def end_time(lists: Mapping[str, ContactList]) -> int:
    """Tell when the last contact of any list ends.

    Args:
        lists: Key → list.

    Returns:
        Time [ns]; `FOREVER` when one stays.

    Raises:
        NoContactError: If there is no contact.
    """
    lasts = [v.last_contact for v in check_lists(lists).values()]
    return max(c.deactivation_time for c in _existing(lasts))


def with_defaults_of(lists: ContactList, contacts: list[PlannedContact]) -> ContactList:
    """Make a list with the defaults of another.

    Args:
        lists: Whose defaults.
        contacts: Its contacts, in any order.

    Returns:
        The new list.
    """
    return ContactList(
        contacts,
        default_name=lists.default_name,
        default_index=lists.default_index,
        default_contact_type=lists.default_contact_type,
    )


# Inside


def _mapped_times(lists: ContactList, change: Callable[[int], int]) -> ContactList:
    def changed(time: int) -> int:
        if time == FOREVER:
            return FOREVER
        result = as_time(f"{lists.default_name}: changed time", change(time))
        if result == FOREVER:
            raise ContactTimeError(
                f"{lists.default_name}: {format_time(time)} would become for ever", time=time
            )
        return result

    moved = [retimed(c, changed(c.activation_time), changed(c.deactivation_time)) for c in lists]
    return with_defaults_of(lists, moved)


def _extended(contacts: ContactList, end: int, until: int) -> ContactList:
    last = contacts.last_contact
    if last is None or last.deactivation_time < end:
        return contacts.copy()
    return with_defaults_of(contacts, [*contacts[:-1], retimed(last, last.activation_time, until)])


def _existing(contacts: list[PlannedContact | None]) -> list[PlannedContact]:
    existing = [contact for contact in contacts if contact is not None]
    if not existing:
        raise NoContactError("the lists have no contact")
    return existing
