"""Which foot can serve as the frame that does not move, as a plain function of time."""

from typing import NamedTuple

import numpy as np

from footwork.contacts.contact import PlannedContact, check_kind
from footwork.contacts.contact_phase_list import ContactPhaseList
from footwork.contacts.nanoseconds import Time, as_time
from footwork.typing import IntVector


class FixedFoot(NamedTuple):
    """A foot that stands.

    Attributes:
        key: Key of its list.
        contact: Where it stands.
    """

    key: str
    contact: PlannedContact


def fixed_foot(phases: ContactPhaseList, time: Time) -> FixedFoot | None:
    """Find the foot whose frame is fixed at a time.

    In single support it is the foot that stands. While several stand it is the one that was it
    before, as long as its contact lasts; so in a double support between two steps it is the foot
    that is about to lift off, and the answer changes only when it has to: then it is, of those
    that stand, the one that stays longest. When there is none from before, at the beginning or
    after flight, it is the one that lifts off first.

    It depends on the phases and the time only: asked at any time, in any order, it says the same.

    Args:
        phases: The phases; found once for all of them, O(n), then looked up, O(log n).
        time: Time [ns].

    Returns:
        Foot and contact; None in flight, before the first phase and after the last.

    Raises:
        TimeTypeError: If the time is no integer.

    Example:
        >>> from footwork.contacts import gaits, seconds
        >>> walk = gaits.tile(gaits.named("walk", gaits.BIPED), begin=0, duration=10, period=10)
        >>> phases = ContactPhaseList.from_lists(walk)
        >>> [(t, fixed_foot(phases, t).key) for t in (0, 3, 5, 7)]
        [(0, 'right'), (3, 'left'), (5, 'left'), (7, 'right')]
    """
    check_kind("phases", phases, ContactPhaseList, "a ContactPhaseList")
    i = phases.phase_index(as_time("time", time))
    column = int(_columns(phases)[i]) if i >= 0 else -1
    if column < 0:
        return None
    key = phases.keys[column]
    return FixedFoot(key, phases[i].active_contacts[key])


def _columns(phases: ContactPhaseList) -> IntVector:
    """Column of the fixed foot in each phase, −1 in flight; kept with the phases."""
    if phases._fixed_foot is None:
        phases._fixed_foot = _find_columns(phases)
    return phases._fixed_foot


def _find_columns(phases: ContactPhaseList) -> IntVector:
    ends = [contacts.deactivation_times.tolist() for contacts in phases.lists.values()]
    columns = np.full(len(phases), -1, np.int64)
    column, contact = -1, -1
    for i, row in enumerate(phases.membership.tolist()):
        if column < 0 or row[column] != contact:
            lift_off = {j: ends[j][k] for j, k in enumerate(row) if k >= 0}
            choose = min if column < 0 else max
            column = choose(lift_off, key=lift_off.__getitem__, default=-1)
            contact = row[column] if column >= 0 else -1
        columns[i] = column
    return columns
