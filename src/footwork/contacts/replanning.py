"""Exchanging a contact list while the robot moves: what may change, and what may not."""

import math

from footwork.contacts.contact import ContactType, PlannedContact, check_kind, retimed
from footwork.contacts.contact_list import ContactList
from footwork.contacts.edits import with_defaults_of
from footwork.contacts.nanoseconds import Time, as_time, format_time
from footwork.errors import ContactReplanError, ContactTimeError, InputError
from footwork.typing import as_array

_STANDS = "a foot that stands stays where it is"


def replan(
    current: ContactList,
    new: ContactList,
    time: Time,
    *,
    position_tolerance: float = 1e-6,
    angle_tolerance: float = 1e-6,
    shortest_swing_left: Time = 0,
) -> ContactList:
    """Take the future of a new list, where it follows from the present of the current one.

    Rules, so that a foot neither jumps nor is torn off:

    1. *A foot that stands stays where it is*: the new list has an active contact too, at the same
       pose and of the same type. When it lifts off may change.
    2. *A foot in the air stays in the air*: the new list has no contact at the time. Where and when
       it lands may change, since a swing trajectory goes on from the foot's present state.
    3. *There must be time to land*: the next landing is ``shortest_swing_left`` or more ahead.

    What began before the time is kept from the current list: the history of the foot, and the
    contact it stands on, which ends as the new list says.

    Args:
        current: The list that is being followed.
        new: The list to follow from now on; what it says of the past does not count.
        time: Now [ns].
        position_tolerance: Largest change of the position of a foot that stands [m].
        angle_tolerance: Largest change of its orientation [rad]; for `ContactType.FULL` only.
        shortest_swing_left: Least time from now to the next landing of a foot in the air [ns].

    Returns:
        The list to follow: a new object.

    Raises:
        ContactReplanError: If a rule is broken; names it, and nothing has changed.
        ContactTimeError: If the shortest swing is negative.
        InputError: If a tolerance is negative or no finite number, or a list no contact list.
    """
    check_kind("current", current, ContactList, "a ContactList")
    check_kind("new", new, ContactList, "a ContactList")
    now, left = as_time("time", time), as_time("shortest_swing_left", shortest_swing_left)
    if left < 0:
        raise ContactTimeError(f"shortest_swing_left: expected 0 or more, got {left}", time=left)
    position_tolerance = _tolerance("position_tolerance", position_tolerance)
    angle_tolerance = _tolerance("angle_tolerance", angle_tolerance)
    stance, planned = current.get_active_contact(now), new.get_active_contact(now)
    past = [c for c in current if c.activation_time <= now and c is not stance]
    future = [c for c in new if c.activation_time > now]
    if stance is not None:
        if planned is None:
            raise _broken(current, now, _STANDS, "it would be in the air at once")
        change = _change_of_place(stance, planned, position_tolerance, angle_tolerance)
        if change:
            raise _broken(current, now, _STANDS, change)
        past.append(retimed(stance, stance.activation_time, planned.deactivation_time))
    elif planned is not None:
        landing = f"it would stand at once, at {planned.pose}"
        raise _broken(current, now, "a foot in the air stays in the air", landing)
    elif future and future[0].activation_time - now < left:
        ahead = format_time(future[0].activation_time - now)
        wanted = f"the landing is {ahead} ahead, expected {format_time(left)} or more"
        raise _broken(current, now, "there must be time to land", wanted)
    return with_defaults_of(current, [*past, *future])


def _change_of_place(
    stance: PlannedContact,
    planned: PlannedContact,
    position_tolerance: float,
    angle_tolerance: float,
) -> str:
    """How a foot would be moved on the ground, in words; empty when it would not."""
    if planned.type is not stance.type:
        return f"its type would change to {planned.type.name}"
    offset = math.dist(stance.pose.translation.tolist(), planned.pose.translation.tolist())
    if offset > position_tolerance:
        return f"it would move by {offset:.6g} m, expected {position_tolerance:g} m or less"
    angle = math.hypot(*(stance.pose.inverse() @ planned.pose).log()[3:].tolist())
    if stance.type is ContactType.FULL and angle > angle_tolerance:
        return f"it would turn by {angle:.6g} rad, expected {angle_tolerance:g} rad or less"
    return ""


def _tolerance(name: str, value: float) -> float:
    tolerance = float(as_array(name, value, ()))
    if tolerance < 0.0:
        raise InputError(f"{name}: expected 0 or more, got {tolerance:g}")
    return tolerance


def _broken(current: ContactList, now: int, rule: str, detail: str) -> ContactReplanError:
    text = f"{current.default_name} at {format_time(now)}, {detail}"
    return ContactReplanError(rule, text, time=now)
