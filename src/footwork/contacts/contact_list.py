"""The contacts of one foot in order of time: never two at once, any look-up in O(log n)."""

from bisect import bisect_left
from collections.abc import Iterable
from typing import SupportsIndex, overload

from footwork.contacts.contact import (
    ContactType,
    PlannedContact,
    as_index,
    as_position,
    check_kind,
    retimed,
)
from footwork.contacts.nanoseconds import Time, as_period, as_time, format_time
from footwork.contacts.order import as_contact, check_gap, check_order, check_pair, first_conflict
from footwork.contacts.ordered_contacts import OrderedContacts
from footwork.contacts.sampling import Rounding, rounded_times
from footwork.errors import InputError, NoContactError
from footwork.spatial import Pose
from footwork.typing import IntVector


class ContactList(OrderedContacts):
    """Contacts of one foot, activation times strictly increasing, intervals never overlapping.

    Intervals are half-open, [activation, deactivation): contacts may touch, one ending at the
    instant in which the next begins. A contact of no duration is legal and never active.
    Whatever is refused leaves the list as it was.

    Two lists are equal when their contacts and their three defaults are.

    Args:
        contacts: Contacts to start with, in any order.
        default_name: Name of contacts added by their pose, and of the list in messages.
        default_index: Frame index of contacts added by their pose.
        default_contact_type: Type of contacts added by their pose.

    Raises:
        ContactOverlapError: If two contacts overlap or have one activation time.
        ContactTimeError: If a contact ends before it begins.

    Example:
        >>> from footwork.contacts import FOREVER, seconds
        >>> left = ContactList(default_name="l_sole")
        >>> _ = left.add_contact(Pose.from_translation([0.0, 0.1, 0.0]), 0, seconds(1.2))
        >>> _ = left.add_contact(Pose.from_translation([0.3, 0.1, 0.0]), seconds(1.6), FOREVER)
        >>> left.get_active_contact(seconds(1.3)) is None
        True
        >>> left.get_next_contact(seconds(1.3)).pose.x
        0.3
        >>> left.active_index([0, seconds(1.3), seconds(99)]).tolist()
        [0, -1, 1]
    """

    def __init__(
        self,
        contacts: Iterable[PlannedContact] = (),
        *,
        default_name: str = "ContactList",
        default_index: int = -1,
        default_contact_type: ContactType = ContactType.FULL,
    ) -> None:
        self.default_name = default_name
        self.default_index = default_index
        self.default_contact_type = default_contact_type
        self._columns: tuple[IntVector, IntVector] | None = None
        self._set_contacts(check_order(contacts, default_name))

    # Defaults

    @property
    def default_name(self) -> str:
        """Name of contacts added by their pose, and of the list in messages."""
        return self._default_name

    @default_name.setter
    def default_name(self, name: str) -> None:
        check_kind("default_name", name, str, "a string")
        self._default_name = name

    @property
    def default_index(self) -> int:
        """Frame index of contacts added by their pose; −1 when there is none."""
        return self._default_index

    @default_index.setter
    def default_index(self, index: int) -> None:
        self._default_index = as_index(index, "default_index")

    @property
    def default_contact_type(self) -> ContactType:
        """Type of contacts added by their pose."""
        return self._default_contact_type

    @default_contact_type.setter
    def default_contact_type(self, contact_type: ContactType) -> None:
        check_kind("default_contact_type", contact_type, ContactType, "a ContactType")
        self._default_contact_type = contact_type

    # Changing it

    @overload
    def add_contact(self, contact: PlannedContact) -> PlannedContact: ...
    @overload
    def add_contact(
        self, pose: Pose, activation_time: Time, deactivation_time: Time
    ) -> PlannedContact: ...
    def add_contact(  # type: ignore[misc]  # the first argument has two names
        self,
        contact: PlannedContact | Pose | None = None,
        activation_time: Time | None = None,
        deactivation_time: Time | None = None,
        *,
        pose: Pose | None = None,
    ) -> PlannedContact:
        """Put a contact in its place; O(log n) and one move in memory.

        Args:
            contact: A contact; or a pose, for a contact of the list's default name, index and type.
            activation_time: First instant in contact [ns]; with a pose only.
            deactivation_time: First instant after it [ns]; with a pose only.
            pose: Another name of the first argument, for a pose.

        Returns:
            The contact that has been added.

        Raises:
            ContactTimeError: If it ends before it begins.
            ContactOverlapError: If it overlaps a contact, or its activation time is taken.
            InputError: If it is no contact, or a pose without times.
        """
        if contact is None:
            contact = pose
        elif pose is not None:
            raise InputError("add_contact: give a contact alone, or a pose with both its times")
        if isinstance(contact, Pose) and activation_time is not None:
            if deactivation_time is None:
                raise InputError("add_contact: a pose needs a deactivation time as well")
            contact = self._contact_at(
                contact,
                as_time("activation_time", activation_time),
                as_time("deactivation_time", deactivation_time),
            )
        elif activation_time is not None or deactivation_time is not None:
            raise InputError(
                "add_contact: give a contact alone, or a pose with both its times; "
                f"got times with a {type(contact).__name__}"
            )
        contact = as_contact(contact, self._default_name)
        i = bisect_left(self._activations, contact.activation_time)
        check_gap(contact, self._contacts, i, i, self._default_name)
        try:
            self._contacts.insert(i, contact)
            self._activations.insert(i, contact.activation_time)
            self._deactivations.insert(i, contact.deactivation_time)
            self._columns = None
        except BaseException:  # Ctrl-C in between
            self._set_contacts(self._contacts)
            raise
        return contact

    def edit_contact(self, index: int, contact: PlannedContact) -> None:
        """Replace a contact by one that has room in its place; also ``list[index] = contact``.

        Args:
            index: Which; negative counts from the end.
            contact: What comes instead.

        Raises:
            ContactIndexError: If there is no such contact.
            ContactTimeError: If the new one ends before it begins.
            ContactOverlapError: If it would overlap a neighbour or change the order.
        """
        i = self._position(index)
        contact = as_contact(contact, self._default_name)
        check_gap(contact, self._contacts, i, i + 1, self._default_name)
        try:
            self._contacts[i] = contact
            self._activations[i] = contact.activation_time
            self._deactivations[i] = contact.deactivation_time
            self._columns = None
        except BaseException:  # Ctrl-C in between
            self._set_contacts(self._contacts)
            raise

    def erase(self, index: int) -> int | None:
        """Remove a contact; also ``del list[index]``.

        Args:
            index: Which; negative counts from the end, as in Python, so that the −1 with which a
                look-up says that there is none would be the last contact: test for it first.

        Returns:
            Index of the contact that follows; None when it was the last.

        Raises:
            ContactIndexError: If there is no such contact.
        """
        i = self._position(index)
        self._delete(slice(i, i + 1))
        return i if i < len(self._contacts) else None

    def remove_last_contact(self) -> PlannedContact:
        """Remove the last contact.

        Returns:
            The contact that was removed.

        Raises:
            NoContactError: If the list is empty.
        """
        if not self._contacts:
            raise NoContactError(f"{self._default_name}: no contact to remove, the list is empty")
        last = self._contacts[-1]
        self._delete(slice(len(self._contacts) - 1, None))
        return last

    def keep_only_present_contact(self, time: Time) -> PlannedContact:
        """Remove all but the last contact with activation ≤ time, over or not.

        Args:
            time: Time [ns].

        Returns:
            The contact that was kept.

        Raises:
            NoContactError: If no contact has begun by then.
        """
        present = self.get_present_contact(time)
        if present is None:
            begun = f"none has begun by {format_time(int(time))}"
            raise NoContactError(f"{self._default_name}: no contact to keep, {begun}")
        self._set_contacts([present])
        return present

    def clear(self) -> None:
        """Remove all contacts; the defaults stay."""
        self._set_contacts([])

    def force_sample_time(self, dt: Time, rounding: Rounding = "outward") -> None:
        """Move all times to multiples of dt, or none; O(n).

        Args:
            dt: Sample time [ns].
            rounding: ``"outward"``: activations down and deactivations up; ``"nearest"``: all to
                the nearest multiple, half up. Floors are mathematical, also below zero. A
                deactivation at `FOREVER` stays, and so does every time that is on the grid; an
                activation there, of a contact that never comes, is rounded down.

        Raises:
            ContactTimeError: If dt is not positive, or a time would leave 64 bits.
            ContactOverlapError: If two contacts would overlap; names both.
        """
        rounded = rounded_times(*self._as_columns(), as_period("dt", dt), rounding)
        activations, deactivations = (column.tolist() for column in rounded)
        moved = [
            c if c.activation_time == a and c.deactivation_time == d else retimed(c, a, d)
            for c, a, d in zip(self._contacts, activations, deactivations, strict=True)
        ]
        i = first_conflict(*rounded)
        if i is not None:
            check_pair(moved[i], moved[i + 1], self._default_name, refused=moved[i + 1])
        self._set_columns(moved, activations, deactivations)

    # A container

    def copy(self) -> "ContactList":
        """Make an independent list; contacts are values and are shared.

        Returns:
            The copy.
        """
        made = self._with_contacts([])
        made._contacts = self._contacts[:]
        made._activations, made._deactivations = self._activations[:], self._deactivations[:]
        made._columns = self._columns  # which never change, but are made anew
        return made

    @overload
    def __getitem__(self, index: SupportsIndex) -> PlannedContact: ...
    @overload
    def __getitem__(self, index: slice) -> "ContactList": ...
    def __getitem__(self, index: SupportsIndex | slice) -> "PlannedContact | ContactList":
        if isinstance(index, slice):
            part = self._contacts[index]
            if len(part) > 1 and part[0].activation_time > part[-1].activation_time:
                raise InputError("a contact list goes forward; use reversed(list) to walk it back")
            return self._with_contacts(part)
        try:
            return self._contacts[index]
        except (IndexError, TypeError):
            return self._contacts[self._position(index)]

    def __setitem__(self, index: int, contact: PlannedContact) -> None:
        self.edit_contact(index, contact)

    def __delitem__(self, index: int | slice) -> None:
        if isinstance(index, slice):
            self._delete(index)
        else:
            self.erase(index)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ContactList):
            return NotImplemented
        return self._defaults() == other._defaults() and self._contacts == other._contacts

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        count = len(self._contacts)
        return f"<ContactList {self._default_name!r} of {count} contact{'' if count == 1 else 's'}>"

    __copy__ = copy

    def __getstate__(self) -> dict[str, object]:
        return {**self.__dict__, "_columns": None}

    # Inside

    def _set_contacts(self, contacts: list[PlannedContact]) -> None:
        """Take contacts that are known to be in order."""
        self._set_columns(
            contacts,
            [c.activation_time for c in contacts],
            [c.deactivation_time for c in contacts],
        )

    def _set_columns(
        self, contacts: list[PlannedContact], activations: list[int], deactivations: list[int]
    ) -> None:
        """Take all at once, so that Ctrl-C does not come in between."""
        self.__dict__.update(
            _contacts=contacts,
            _activations=activations,
            _deactivations=deactivations,
            _columns=None,
        )

    def _with_contacts(self, contacts: list[PlannedContact]) -> "ContactList":
        """Make a list of contacts that are known to be in order, with these defaults."""
        made = ContactList(
            default_name=self._default_name,
            default_index=self._default_index,
            default_contact_type=self._default_contact_type,
        )
        made._set_contacts(contacts)
        return made

    def _contact_at(self, pose: Pose, activation: int, deactivation: int) -> PlannedContact:
        return PlannedContact(
            pose=pose,
            name=self._default_name,
            index=self._default_index,
            type=self._default_contact_type,
            activation_time=activation,
            deactivation_time=deactivation,
        )

    def _delete(self, where: slice) -> None:
        try:
            del self._contacts[where], self._activations[where], self._deactivations[where]
            self._columns = None
        except BaseException:  # Ctrl-C in between
            self._set_contacts(self._contacts)
            raise

    def _position(self, index: SupportsIndex) -> int:
        return as_position(self._default_name, index, len(self._contacts))

    def _defaults(self) -> tuple[str, int, ContactType]:
        return self._default_name, self._default_index, self._default_contact_type
