"""A phase: a stretch of time in which nothing begins or ends; and what happens between two."""

from collections.abc import Mapping
from dataclasses import dataclass

from footwork.contacts.contact import PlannedContact, check_kind
from footwork.contacts.nanoseconds import as_time, format_interval
from footwork.errors import ContactTimeError, InputError


@dataclass(frozen=True, kw_only=True, slots=True)
class ContactPhase:
    """A stretch of time in which the same contacts hold, [begin, end).

    Attributes:
        begin_time: First instant [ns].
        end_time: First instant after it [ns].
        active_contacts: Key of the list → its contact; empty in flight. A dict of this object's
            own: changing it changes nothing else.

    Raises:
        ContactTimeError: If it does not end after it begins.
    """

    begin_time: int
    end_time: int
    active_contacts: dict[str, PlannedContact]

    def __post_init__(self) -> None:
        begin, end = as_time("begin_time", self.begin_time), as_time("end_time", self.end_time)
        if not begin < end:
            raise ContactTimeError(
                f"a phase must end after it begins: {format_interval(begin, end)}", time=end
            )
        check_kind("active_contacts", self.active_contacts, Mapping, "a dict of contacts")
        for key, contact in self.active_contacts.items():
            if not (isinstance(key, str) and isinstance(contact, PlannedContact)):
                raise InputError(
                    "active_contacts: expected strings and a PlannedContact for each, got "
                    f"{key!r}: {contact!r}"
                )
        object.__setattr__(self, "begin_time", begin)
        object.__setattr__(self, "end_time", end)
        object.__setattr__(self, "active_contacts", dict(self.active_contacts))

    @property
    def duration(self) -> int:
        """Length [ns]; with an end at `FOREVER` a very long one."""
        return self.end_time - self.begin_time

    def is_list_included(self, key: str) -> bool:
        """Tell whether a list has a contact in this phase.

        Args:
            key: Key of the list.

        Returns:
            Whether its contact holds.

        Raises:
            InputError: If it is no string.
        """
        check_kind("key", key, str, "a string")
        return key in self.active_contacts

    def __str__(self) -> str:
        keys = ", ".join(self.active_contacts) or "flight"
        return f"{format_interval(self.begin_time, self.end_time)} {keys}"


@dataclass(frozen=True, kw_only=True, slots=True)
class PhaseChange:
    """What happens between two neighbouring phases; keys of lists, in the order of the lists.

    Attributes:
        time: When [ns].
        created: Lists whose contact begins.
        broken: Lists whose contact ends.
        moved: Lists whose contact is replaced, at this very instant, by one that differs in more
            than its times: put elsewhere without a swing, rolled from sole to toe.
        kept: Lists whose contact holds on, also as a new contact that differs in its times only.
    """

    time: int
    created: tuple[str, ...]
    broken: tuple[str, ...]
    moved: tuple[str, ...]
    kept: tuple[str, ...]
