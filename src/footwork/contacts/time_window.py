"""Which stretch of time of a schedule is worth drawing."""

from collections.abc import Mapping

import numpy as np

from footwork.contacts.contact_list import ContactList
from footwork.contacts.edits import check_lists
from footwork.contacts.nanoseconds import FOREVER, Time, as_time, format_time
from footwork.errors import ContactTimeError


def time_window(
    lists: Mapping[str, ContactList], begin: Time | None, end: Time | None
) -> tuple[int, int]:
    """Choose the stretch of time to draw: what is asked for, else all events that are finite.

    A little is added after the last event when a contact then stays for ever, so that it shows.

    Args:
        lists: Key → list.
        begin: First instant [ns]; chosen when None.
        end: First instant after it [ns]; chosen when None.

    Returns:
        Both [ns].

    Raises:
        ContactTimeError: If the end is not after the beginning, or the beginning is for ever.
    """
    columns = [
        column
        for contacts in check_lists(lists).values()
        for column in (contacts.activation_times, contacts.deactivation_times)
    ]
    events = np.concatenate([np.empty(0, np.int64), *columns])
    finite = events[events != FOREVER]
    first = int(finite.min()) if len(finite) else 0
    last = int(finite.max()) if len(finite) else first
    chosen_begin = first if begin is None else as_time("begin", begin)
    if len(finite) < len(events):
        last = min(last + max((last - chosen_begin) // 8, 10**8), FOREVER - 1)
    if chosen_begin == FOREVER:
        raise ContactTimeError("begin: expected a finite time, got forever", time=chosen_begin)
    if last <= chosen_begin:  # nothing to see, or all of it before
        last = min(chosen_begin + 10**9, FOREVER)
    chosen_end = last if end is None else as_time("end", end)
    if not chosen_begin < chosen_end:
        raise ContactTimeError(
            f"end: expected a time after the beginning, {format_time(chosen_begin)}, "
            f"got {format_time(chosen_end)}",
            time=chosen_end,
        )
    return chosen_begin, chosen_end
