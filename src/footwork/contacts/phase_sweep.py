"""Cutting the time of several lists into phases, on whole columns of times."""

from collections.abc import Sequence

import numpy as np

from footwork.contacts.contact_list import ContactList
from footwork.typing import IntVector


def sweep(lists: Sequence[ContactList]) -> tuple[IntVector, IntVector, IntVector]:
    """Find the phases of some lists: one between two successive event times.

    Args:
        lists: The lists.

    Returns:
        First instants [ns], shape (n,); first instants after [ns], shape (n,); and index of the
        contact in its list, −1 in the air, shape (n, number of lists). Read-only.
    """
    columns = [(c.activation_times, c.deactivation_times) for c in lists]
    events = _distinct([column for pair in columns for column in pair])
    begins, ends = events[:-1], events[1:]
    membership = np.empty((len(begins), len(lists)), np.int64, order="F")  # filled by columns
    for j, (activations, deactivations) in enumerate(columns):
        membership[:, j] = _members(events, activations, deactivations)
    for array in (begins, ends, membership):
        array.setflags(write=False)
    return begins, ends, membership


def _distinct(columns: list[IntVector]) -> IntVector:
    """All values of some ascending columns, in order and once."""
    if not columns:
        return np.empty(0, np.int64)
    events = np.concatenate(columns)
    events.sort(kind="stable")  # which merges runs that ascend
    first = np.ones(len(events), np.bool_)
    np.not_equal(events[1:], events[:-1], out=first[1:])
    return events[first]


def _members(events: IntVector, activations: IntVector, deactivations: IntVector) -> IntVector:
    """Index of the contact that holds from each event to the next, −1 when none does."""
    if not len(activations):
        return np.full(max(len(events) - 1, 0), -1, np.int64)
    begun = np.zeros(len(events), np.int8)
    begun[np.searchsorted(events, activations)] = 1
    index = np.cumsum(begun[:-1], dtype=np.int64)
    index -= 1
    index[deactivations[index] <= events[:-1]] = -1
    return index
