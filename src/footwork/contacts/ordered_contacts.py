"""Contacts in order of time, to look at: which one holds, which came before, which comes next."""

from abc import ABC
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np

from footwork.contacts.contact import PlannedContact
from footwork.contacts.nanoseconds import Time, Times, as_period, as_time, as_times
from footwork.contacts.sampling import are_on_grid
from footwork.typing import IntVector


class OrderedContacts(Sequence[PlannedContact], ABC):
    """The part of a `ContactList` that looks and does not change; any look-up in O(log n).

    Contacts, activation times and deactivation times are three lists of one length: bisecting a
    list of integers is what makes a look-up quick. Arrays of the times are made when first needed.
    """

    _default_name: str
    _contacts: list[PlannedContact]
    _activations: list[int]
    _deactivations: list[int]
    _columns: tuple[IntVector, IntVector] | None

    @property
    def first_contact(self) -> PlannedContact | None:
        """The first contact; None when the list is empty."""
        return self._contacts[0] if self._contacts else None

    @property
    def last_contact(self) -> PlannedContact | None:
        """The last contact; None when the list is empty."""
        return self._contacts[-1] if self._contacts else None

    @property
    def activation_times(self) -> IntVector:
        """Activation times [ns], shape (n,), read-only."""
        return self._as_columns()[0]

    @property
    def deactivation_times(self) -> IntVector:
        """Deactivation times [ns], shape (n,), read-only."""
        return self._as_columns()[1]

    def get_active_contact(self, time: Time) -> PlannedContact | None:
        """Contact with activation ≤ time < deactivation; O(log n).

        Args:
            time: Time [ns].

        Returns:
            The contact; None in the air.

        Raises:
            TimeTypeError: If the time is no integer.
        """
        if time.__class__ is not int:  # the check costs more than the look-up
            time = as_time("time", time)
        i = bisect_right(self._activations, time) - 1
        return self._contacts[i] if i >= 0 and time < self._deactivations[i] else None

    def get_present_contact(self, time: Time) -> PlannedContact | None:
        """Last contact with activation ≤ time, over or not; O(log n).

        Args:
            time: Time [ns].

        Returns:
            The contact; None before the first.

        Raises:
            TimeTypeError: If the time is no integer.
        """
        if time.__class__ is not int:  # the check costs more than the look-up
            time = as_time("time", time)
        i = bisect_right(self._activations, time) - 1
        return self._contacts[i] if i >= 0 else None

    def get_next_contact(self, time: Time) -> PlannedContact | None:
        """First contact with activation > time; O(log n).

        Args:
            time: Time [ns].

        Returns:
            The contact; None when none begins later.

        Raises:
            TimeTypeError: If the time is no integer.
        """
        if time.__class__ is not int:  # the check costs more than the look-up
            time = as_time("time", time)
        i = bisect_right(self._activations, time)
        return self._contacts[i] if i < len(self._contacts) else None

    def get_previous_contact(self, time: Time) -> PlannedContact | None:
        """Last contact with deactivation ≤ time; O(log n).

        Args:
            time: Time [ns].

        Returns:
            The contact; None when none is over.

        Raises:
            TimeTypeError: If the time is no integer.
        """
        if time.__class__ is not int:  # the check costs more than the look-up
            time = as_time("time", time)
        i = bisect_right(self._deactivations, time) - 1
        return self._contacts[i] if i >= 0 else None

    @overload
    def active_index(self, time: Time) -> int: ...
    @overload
    def active_index(self, time: Times) -> IntVector: ...
    def active_index(self, time: Time | Times) -> int | IntVector:
        """Index of the active contact, for one time or many.

        Args:
            time: Time [ns], or an array of times of any shape.

        Returns:
            Index, or an array of the same shape; −1 when there is none.

        Raises:
            TimeTypeError: If a time is no integer.
        """
        if not isinstance(time, np.ndarray | Sequence):
            time = as_time("time", time)
            i = bisect_right(self._activations, time) - 1
            return i if i >= 0 and time < self._deactivations[i] else -1
        times = as_times("time", time)
        if not self._contacts:
            return np.full(times.shape, -1, np.int64)
        activations, deactivations = self._as_columns()
        index = _count_up_to(activations, times)
        index -= 1
        # at −1 the last deactivation is looked at; whichever way that goes, the answer is −1
        index[times >= deactivations[index]] = -1
        return index

    @overload
    def present_index(self, time: Time) -> int: ...
    @overload
    def present_index(self, time: Times) -> IntVector: ...
    def present_index(self, time: Time | Times) -> int | IntVector:
        """Index of the last contact with activation ≤ time, for one time or many.

        Args:
            time: Time [ns], or an array of times of any shape.

        Returns:
            Index, or an array of the same shape; −1 when there is none.

        Raises:
            TimeTypeError: If a time is no integer.
        """
        if not isinstance(time, np.ndarray | Sequence):
            return bisect_right(self._activations, as_time("time", time)) - 1
        index = _count_up_to(self._as_columns()[0], as_times("time", time))
        index -= 1
        return index

    @overload
    def next_index(self, time: Time) -> int: ...
    @overload
    def next_index(self, time: Times) -> IntVector: ...
    def next_index(self, time: Time | Times) -> int | IntVector:
        """Index of the first contact with activation > time, for one time or many.

        Args:
            time: Time [ns], or an array of times of any shape.

        Returns:
            Index, or an array of the same shape; −1 when there is none.

        Raises:
            TimeTypeError: If a time is no integer.
        """
        if not isinstance(time, np.ndarray | Sequence):
            i = bisect_right(self._activations, as_time("time", time))
            return i if i < len(self._contacts) else -1
        index = _count_up_to(self._as_columns()[0], as_times("time", time))
        index[index == len(self._contacts)] = -1
        return index

    @overload
    def previous_index(self, time: Time) -> int: ...
    @overload
    def previous_index(self, time: Times) -> IntVector: ...
    def previous_index(self, time: Time | Times) -> int | IntVector:
        """Index of the last contact with deactivation ≤ time, for one time or many.

        Args:
            time: Time [ns], or an array of times of any shape.

        Returns:
            Index, or an array of the same shape; −1 when there is none.

        Raises:
            TimeTypeError: If a time is no integer.
        """
        if not isinstance(time, np.ndarray | Sequence):
            return bisect_right(self._deactivations, as_time("time", time)) - 1
        index = _count_up_to(self._as_columns()[1], as_times("time", time))
        index -= 1
        return index

    def are_contacts_sampled(self, dt: Time) -> bool:
        """Tell whether all times are multiples of dt; a deactivation at `FOREVER` passes.

        Args:
            dt: Sample time [ns].

        Returns:
            Whether they are.

        Raises:
            ContactTimeError: If dt is not positive.
        """
        return are_on_grid(*self._as_columns(), as_period("dt", dt))

    def to_string(self) -> str:
        """Write the list for people, one contact a line; also ``str(list)``.

        Returns:
            Several lines.
        """
        count = len(self._contacts)
        head = f"{self._default_name}: {count} contact{'' if count == 1 else 's'}"
        return "\n".join([head, *(f"  {i}: {c}" for i, c in enumerate(self._contacts))])

    def __len__(self) -> int:
        return len(self._contacts)

    def __iter__(self) -> Iterator[PlannedContact]:
        return iter(self._contacts)

    def __reversed__(self) -> Iterator[PlannedContact]:
        return reversed(self._contacts)

    def __contains__(self, contact: object) -> bool:
        if not isinstance(contact, PlannedContact):
            return False
        i = bisect_left(self._activations, contact.activation_time)
        return i < len(self._contacts) and self._contacts[i] == contact

    def __str__(self) -> str:
        return self.to_string()

    def _as_columns(self) -> tuple[IntVector, IntVector]:
        """Both columns of times as arrays, made when they are first asked for."""
        if self._columns is None:
            columns = np.array([self._activations, self._deactivations], np.int64)
            columns.setflags(write=False)
            self._columns = (columns[0], columns[1])
        return self._columns


def _count_up_to(column: IntVector, times: IntVector) -> IntVector:
    """How many entries of an ascending column are ≤ each time."""
    return np.asarray(np.searchsorted(column, times, side="right"), np.int64)
