"""Phases of several contact lists: between two successive events nothing begins or ends."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import SupportsIndex, overload

import numpy as np

from footwork.contacts.contact import PlannedContact, as_position, check_kind, retimed
from footwork.contacts.contact_list import ContactList
from footwork.contacts.contact_phase import ContactPhase, PhaseChange
from footwork.contacts.nanoseconds import Time, Times, as_period, as_time, as_times
from footwork.contacts.phase_sweep import sweep
from footwork.contacts.sampling import Rounding
from footwork.errors import ContactOverlapError, ContactTimeError, InputError
from footwork.typing import IntVector


class ContactPhaseList(Sequence[ContactPhase]):
    """The phases of several lists: one between two successive event times, gaps are flight.

    An event is any activation or deactivation. The list is a snapshot: lists that change later do
    not change it. Times and membership are columns; a phase object is made when it is looked at.
    Make one with `from_lists`.

    Two are equal when their lists are, in whatever order.

    Example:
        >>> from footwork.contacts import FOREVER, PlannedContact
        >>> left, right = ContactList(default_name="l"), ContactList(default_name="r")
        >>> _ = left.add_contact(PlannedContact(activation_time=0, deactivation_time=2))
        >>> _ = right.add_contact(PlannedContact(activation_time=1, deactivation_time=FOREVER))
        >>> phases = ContactPhaseList.from_lists({"left": left, "right": right})
        >>> [list(phase.active_contacts) for phase in phases]
        [['left'], ['left', 'right'], ['right']]
        >>> phases.get_present_phase(5).begin_time
        2
    """

    __slots__ = (
        "_begins_list",
        "_columns",
        "_fixed_foot",
        "_lists",
        "_membership",
    )

    _begins_list: list[int] | None
    _fixed_foot: IntVector | None

    def __init__(self) -> None:
        self._take({})

    @classmethod
    def from_lists(
        cls, lists: Mapping[str, ContactList] | Iterable[ContactList]
    ) -> "ContactPhaseList":
        """Cut the time of several lists into phases; O(n log n) for n contacts in all.

        Args:
            lists: Key → list; or lists alone, whose keys are then their default names.

        Returns:
            The phases.

        Raises:
            InputError: If two lists alone have one default name, or something is no list.
        """
        made = cls()
        made._take(_by_key(lists))
        return made

    # Looking at it

    @property
    def keys(self) -> tuple[str, ...]:
        """Keys of the lists, in their order."""
        return tuple(self._lists)

    @property
    def lists(self) -> dict[str, ContactList]:
        """Copies of the lists that the phases are of."""
        return {key: contacts.copy() for key, contacts in self._lists.items()}

    @property
    def first_phase(self) -> ContactPhase | None:
        """The first phase; None when there is none."""
        return self._phase(0) if len(self) else None

    @property
    def last_phase(self) -> ContactPhase | None:
        """The last phase; None when there is none."""
        return self._phase(len(self) - 1) if len(self) else None

    @property
    def begin_times(self) -> IntVector:
        """First instants of the phases [ns], shape (n,), read-only."""
        return self._columns[0]

    @property
    def end_times(self) -> IntVector:
        """First instants after the phases [ns], shape (n,), read-only."""
        return self._columns[1]

    @property
    def membership(self) -> IntVector:
        """Index of the contact in its list, −1 in the air, shape (n, number of lists), read-only.

        Columns in the order of `keys`.
        """
        return self._membership

    def get_present_phase(self, time: Time) -> ContactPhase | None:
        """Last phase with begin ≤ time, also after its end; O(log n).

        Args:
            time: Time [ns].

        Returns:
            The phase; None before the first.

        Raises:
            TimeTypeError: If the time is no integer.
        """
        i = bisect_right(self._begins, as_time("time", time)) - 1
        return self._phase(i) if i >= 0 else None

    def phase_at(self, time: Time) -> ContactPhase | None:
        """Phase with begin ≤ time < end; O(log n).

        Args:
            time: Time [ns].

        Returns:
            The phase; None before the first and after the last.

        Raises:
            TimeTypeError: If the time is no integer.
        """
        i = self.phase_index(as_time("time", time))
        return self._phase(i) if i >= 0 else None

    @overload
    def present_index(self, time: Time) -> int: ...
    @overload
    def present_index(self, time: Times) -> IntVector: ...
    def present_index(self, time: Time | Times) -> int | IntVector:
        """Index of the last phase with begin ≤ time, for one time or many.

        Args:
            time: Time [ns], or an array of times of any shape.

        Returns:
            Index, or an array of the same shape; −1 before the first phase.

        Raises:
            TimeTypeError: If a time is no integer.
        """
        if not isinstance(time, np.ndarray | Sequence):
            return bisect_right(self._begins, as_time("time", time)) - 1
        found = np.searchsorted(self._columns[0], as_times("time", time), side="right")
        index = np.asarray(found, np.int64)
        index -= 1
        return index

    @overload
    def phase_index(self, time: Time) -> int: ...
    @overload
    def phase_index(self, time: Times) -> IntVector: ...
    def phase_index(self, time: Time | Times) -> int | IntVector:
        """Index of the phase with begin ≤ time < end, for one time or many.

        Args:
            time: Time [ns], or an array of times of any shape.

        Returns:
            Index, or an array of the same shape; −1 outside.

        Raises:
            TimeTypeError: If a time is no integer.
        """
        end = int(self._columns[1][-1]) if len(self) else 0
        if not isinstance(time, np.ndarray | Sequence):
            time = as_time("time", time)
            return bisect_right(self._begins, time) - 1 if time < end else -1
        times = as_times("time", time)
        index = self.present_index(times)
        index[times >= end] = -1  # phases touch, so only the end of the last one can be passed
        return index

    @overload
    def active_indices(self, key: str, time: Time) -> int: ...
    @overload
    def active_indices(self, key: str, time: Times) -> IntVector: ...
    def active_indices(self, key: str, time: Time | Times) -> int | IntVector:
        """Index, in one list, of the contact that holds, for one time or many.

        Args:
            key: Key of the list.
            time: Time [ns], or an array of times of any shape.

        Returns:
            Index, or an array of the same shape; −1 in the air and outside.

        Raises:
            InputError: If there is no such list.
            TimeTypeError: If a time is no integer.
        """
        return self._list(key).active_index(time)

    def changes(self) -> tuple[PhaseChange, ...]:
        """What happens between neighbouring phases.

        Returns:
            One fewer than phases: what begins, ends, moves and stays at each inner event.
        """
        return tuple(self._change(i) for i in range(1, len(self)))

    def force_sample_time(self, dt: Time, rounding: Rounding = "outward") -> "ContactPhaseList":
        """Make phases of the same lists with all times on a grid.

        Args:
            dt: Sample time [ns].
            rounding: As of `ContactList.force_sample_time`.

        Returns:
            New phases.

        Raises:
            ContactTimeError: If dt is not positive, or a time would leave 64 bits.
            ContactOverlapError: If two contacts of a list would overlap; names list and both.
        """
        period = as_period("dt", dt)
        lists = self.lists
        for key, contacts in lists.items():
            try:
                contacts.force_sample_time(period, rounding)
            except ContactOverlapError as error:
                raise ContactOverlapError(
                    f"list {key!r}, {error}",
                    list_name=key,
                    contact=error.contact,
                    other=error.other,
                ) from error
            except ContactTimeError as error:
                raise ContactTimeError(f"list {key!r}, {error}", time=error.time) from error
        return ContactPhaseList.from_lists(lists)

    def are_contacts_sampled(self, dt: Time) -> bool:
        """Tell whether all times of all lists are multiples of dt.

        Args:
            dt: Sample time [ns].

        Returns:
            Whether they are.

        Raises:
            ContactTimeError: If dt is not positive.
        """
        period = as_period("dt", dt)  # also without any list
        return all(contacts.are_contacts_sampled(period) for contacts in self._lists.values())

    def to_string(self) -> str:
        """Write the phases for people, one a line; also ``str(phases)``.

        Returns:
            Several lines.
        """
        count = len(self)
        head = f"{count} phase{'' if count == 1 else 's'} of {', '.join(self._lists) or 'no list'}"
        return "\n".join([head, *(f"  {i}: {phase}" for i, phase in enumerate(self))])

    # A container

    def __len__(self) -> int:
        return len(self._columns[0])

    @overload
    def __getitem__(self, index: SupportsIndex) -> ContactPhase: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[ContactPhase, ...]: ...
    def __getitem__(
        self, index: SupportsIndex | slice
    ) -> "ContactPhase | tuple[ContactPhase, ...]":
        size = len(self)
        if isinstance(index, slice):
            return tuple(self._phase(i) for i in range(*index.indices(size)))
        return self._phase(as_position("phases", index, size))

    def __iter__(self) -> Iterator[ContactPhase]:
        return (self._phase(i) for i in range(len(self)))

    def __reversed__(self) -> Iterator[ContactPhase]:
        return (self._phase(i) for i in reversed(range(len(self))))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ContactPhaseList):
            return NotImplemented
        return self._lists == other._lists

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return self.to_string()

    def __repr__(self) -> str:
        return f"<ContactPhaseList of {len(self)} phases of {', '.join(self._lists) or 'no list'}>"

    def __copy__(self) -> "ContactPhaseList":
        return self

    def __reduce__(self) -> tuple[object, tuple[dict[str, ContactList]]]:
        return ContactPhaseList.from_lists, (self._lists,)

    # Inside

    @property
    def _begins(self) -> list[int]:
        """Begin times as a list, which is quicker to bisect; made when first needed."""
        if self._begins_list is None:
            self._begins_list = self._columns[0].tolist()
        return self._begins_list

    def _take(self, lists: dict[str, ContactList]) -> None:
        self._lists = lists
        begins, ends, self._membership = sweep(list(lists.values()))
        self._columns = (begins, ends)
        self._begins_list = None
        self._fixed_foot = None  # found by `fixed_foot`

    def _phase(self, i: int) -> ContactPhase:
        held = zip(self._lists.items(), self._membership[i].tolist(), strict=True)
        return ContactPhase(
            begin_time=int(self._columns[0][i]),
            end_time=int(self._columns[1][i]),
            active_contacts={key: contacts[k] for (key, contacts), k in held if k >= 0},
        )

    def _change(self, i: int) -> PhaseChange:
        groups: dict[str, list[str]] = {"created": [], "broken": [], "moved": [], "kept": []}
        before, after = self._membership[i - 1].tolist(), self._membership[i].tolist()
        for (key, contacts), old, new in zip(self._lists.items(), before, after, strict=True):
            if old < 0 <= new:
                groups["created"].append(key)
            elif new < 0 <= old:
                groups["broken"].append(key)
            elif old >= 0:
                same = old == new or _are_alike(contacts[old], contacts[new])
                groups["kept" if same else "moved"].append(key)
        tuples = {name: tuple(keys) for name, keys in groups.items()}
        return PhaseChange(time=int(self._columns[0][i]), **tuples)

    def _list(self, key: str) -> ContactList:
        try:
            return self._lists[key]
        except (KeyError, TypeError) as error:  # the latter of what cannot be hashed
            known = ", ".join(map(repr, self._lists)) or "none"
            raise InputError(f"key: no list {key!r}; there are {known}") from error


def _by_key(lists: Mapping[str, ContactList] | Iterable[ContactList]) -> dict[str, ContactList]:
    """Copy the lists, so that they stay as they are now."""
    if isinstance(lists, ContactList):
        raise InputError("lists: expected a dict of lists, or several, got one ContactList")
    if isinstance(lists, Mapping):
        pairs = list(lists.items())
    else:
        try:
            values = list(lists)
        except TypeError as error:
            raise InputError(f"lists: expected a dict of ContactList, got {lists!r}") from error
        for value in values:
            check_kind("lists", value, ContactList, "ContactList objects")
        pairs = [(value.default_name, value) for value in values]
    result: dict[str, ContactList] = {}
    for key, contacts in pairs:
        check_kind("key of a list", key, str, "a string")
        check_kind(f"list {key!r}", contacts, ContactList, "a ContactList")
        if key in result:
            raise InputError(
                f"lists: two have the default name {key!r}; give a dict {{key: list}} instead"
            )
        result[key] = contacts.copy()
    return result


def _are_alike(a: PlannedContact, b: PlannedContact) -> bool:
    """Whether two contacts differ in nothing but their times."""
    return retimed(a, b.activation_time, b.deactivation_time) == b
