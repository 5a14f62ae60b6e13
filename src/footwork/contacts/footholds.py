"""Where feet are put: nominal places, and those of a body on the move."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from footwork.contacts.contact import Contact, PlannedContact, check_kind
from footwork.contacts.contact_list import ContactList
from footwork.contacts.gait import QUADRUPED, check_span
from footwork.contacts.nanoseconds import FOREVER, Time
from footwork.errors import GaitError, InputError
from footwork.spatial import Pose
from footwork.typing import as_array

Foothold: TypeAlias = Pose | Contact
"""Where a foot is put: a pose, or a contact that also has friction, a patch and so on."""
Footholds: TypeAlias = Mapping[str, Foothold] | Callable[[str, int, int], Foothold]
"""Foot → its place; or a function of foot, touch-down and lift-off [ns] that finds the place."""


def nominal_footholds(feet: Sequence[str] = QUADRUPED) -> dict[str, Pose]:
    """Places to stand on that a robot of middle size has under its hips, with x forward, y left.

    Args:
        feet: Two names, or four, in the order of `BIPED` and `QUADRUPED`.

    Returns:
        Foot → place: a biped's feet 0.2 m apart, a quadruped's in a rectangle of 0.4 m by 0.3 m.

    Raises:
        GaitError: If they are neither two nor four.
    """
    check_feet(feet)
    places = {
        2: [(0.0, 0.1), (0.0, -0.1)],
        4: [(0.2, 0.15), (0.2, -0.15), (-0.2, 0.15), (-0.2, -0.15)],
    }
    if len(feet) not in places:
        raise GaitError(f"footholds: {len(feet)} feet have no nominal places; give footholds")
    return {
        foot: Pose.from_translation([x, y, 0.0])
        for foot, (x, y) in zip(feet, places[len(feet)], strict=True)
    }


def moving_footholds(
    nominal: Mapping[str, Foothold],
    velocity: Sequence[float],
    *,
    begin: Time,
    end: Time = FOREVER,
    T_world_body: Pose | None = None,
) -> Callable[[str, int, int], Foothold]:
    """Footholds of a body that moves at a constant speed and turns at a constant rate.

    A foot is put where its nominal place is in the middle of the time for which it touches. The
    body rests before the beginning, and after the end. A foot that stays for ever is put where the
    body is at the end; so for two gaits in a row make two of these, the second with the placement
    at which the first ended.

    Args:
        nominal: Foot → place with respect to the body.
        velocity: Forward [m/s], to the left [m/s], and about the vertical [rad/s], of the body.
        begin: When it begins to move [ns].
        end: When it stops [ns].
        T_world_body: Where the body is at the beginning; at the origin when not given.

    Returns:
        The function of foot, touch-down and lift-off that `tile` and `insert` take.

    Raises:
        GaitError: If the end is not after the beginning.
    """
    first, last = check_span(begin, end, "moving_footholds")
    forward, left, turn = as_array("velocity", velocity, (3,)).tolist()
    start = Pose.identity() if T_world_body is None else T_world_body
    check_kind("T_world_body", start, Pose, "a Pose")
    check_kind("nominal", nominal, Mapping, "a dict of foot and place")

    def foothold(foot: str, touch_down: int, lift_off: int) -> Foothold:
        middle = min(max((touch_down + lift_off) // 2, first), last)
        t = (middle - first) * 1e-9
        body = start @ Pose.exp([forward * t, left * t, 0.0, 0.0, 0.0, turn * t])
        place = place_of(nominal, foot, touch_down, lift_off)
        if isinstance(place, Pose):
            return body @ place
        return replace(place, pose=body @ place.pose)

    return foothold


def place_of(footholds: Footholds, foot: str, begin: int, end: int) -> Foothold:
    """Find where a foot is put.

    Args:
        footholds: Places, or the function that finds them.
        foot: Its name.
        begin: Touch-down [ns].
        end: Lift-off [ns].

    Returns:
        The place.

    Raises:
        InputError: If there is none.
    """
    if isinstance(footholds, Mapping):
        if foot not in footholds:
            raise InputError(f"footholds: no place for {foot!r}")
        return _as_foothold(foot, footholds[foot])
    if not callable(footholds):
        raise InputError(f"footholds: expected a dict or a function, got {footholds!r}")
    return _as_foothold(foot, footholds(foot, begin, end))


def check_feet(feet: Sequence[str]) -> None:
    """Refuse what is no list or tuple of names.

    Args:
        feet: Names of feet.

    Raises:
        GaitError: If it is something else.
    """
    if not isinstance(feet, list | tuple) or not all(isinstance(foot, str) for foot in feet):
        raise GaitError(f"feet: expected two or four different names, got {feet!r}")


def _as_foothold(foot: str, place: Foothold) -> Foothold:
    check_kind(f"foothold of {foot}", place, (Pose, Contact), "a Pose or a Contact")
    return place


def contact_at(place: Foothold, foot: str, begin: int, end: int) -> PlannedContact:
    """Make the contact of a foothold.

    Args:
        place: Where.
        foot: Name of the foot, and of the contact if the place has none of its own.
        begin: Touch-down [ns].
        end: Lift-off [ns].

    Returns:
        The contact.

    Raises:
        InputError: If the place is neither a pose nor a contact.
    """
    _as_foothold(foot, place)
    times = {"activation_time": begin, "deactivation_time": end}
    if isinstance(place, Pose):
        return PlannedContact(pose=place, name=foot, **times)  # type: ignore[arg-type]
    return PlannedContact(
        pose=place.pose,
        name=foot if place.name == Contact().name else place.name,
        index=place.index,
        type=place.type,
        friction=place.friction,
        patch=place.patch,
        link=place.link,
        activation_time=begin,
        deactivation_time=end,
    )


def list_of(foot: str, contacts: Sequence[PlannedContact]) -> ContactList:
    """Make the list of a foot.

    Args:
        foot: Its name, which becomes the default name.
        contacts: Its contacts.

    Returns:
        The list.
    """
    return ContactList(contacts, default_name=foot)
