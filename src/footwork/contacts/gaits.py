"""Periodic gaits: which foot touches in which part of a stride, and contact lists made of them.

A symmetrical gait is three numbers: how much of the stride a foot touches (the duty factor), by how
much of it the right foot is later than the left, and by how much a fore foot is later than the hind
foot of its side. So one formula gives them all, for two feet and for four.

Source: hildebrand1965symmetrical (the diagram of gaits); the duty factors are typical values, ours.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from footwork.contacts.contact import Contact, PlannedContact, check_kind
from footwork.contacts.contact_list import ContactList
from footwork.contacts.edits import check_lists
from footwork.contacts.gait import Gait, check_span, exactly
from footwork.contacts.nanoseconds import FOREVER, Time, as_time, format_time
from footwork.errors import GaitError, InputError
from footwork.spatial import Pose

BIPED: Final = ("left", "right")
"""Names of two feet."""
QUADRUPED: Final = ("LF", "RF", "LH", "RH")
"""Names of four feet: left and right fore, left and right hind."""

# name: (duty factor, right after left, fore after hind)
_NAMED: Final[Mapping[str, tuple[float, float, float]]] = MappingProxyType(
    {
        "stand": (1.0, 0.0, 0.0),
        "walk": (0.65, 0.5, 0.25),
        "trot": (0.5, 0.5, 0.5),
        "pace": (0.5, 0.5, 0.0),
        "bound": (0.4, 0.0, 0.5),
        "amble": (0.55, 0.5, 0.125),
        "crawl": (0.8, 0.5, 0.25),
        "run": (0.35, 0.5, 0.5),
        "hop": (0.4, 0.0, 0.0),
    }
)

NAMES: Final = tuple(_NAMED)
"""Gaits that `named` knows."""

Foothold: TypeAlias = Pose | Contact
"""Where a foot is put: a pose, or a contact that also has friction, a patch and so on."""
Footholds: TypeAlias = Mapping[str, Foothold] | Callable[[str, int, int], Foothold]
"""Foot → its place; or a function of foot, touch-down and lift-off [ns] that finds the place."""


def named(
    name: str, feet: Sequence[str] = QUADRUPED, *, duty: float | None = None, phase: float = 0.0
) -> Gait:
    """Make a gait by its name: stand, walk, trot, pace, bound, amble, crawl, run or hop.

    A biped does with its two feet what the hind pair of a quadruped does, so that its trot and its
    pace are one gait, a walk without double support.

    Args:
        name: One of `NAMES`.
        feet: Names of two feet, (left, right), or four, (left fore, right fore, left hind, right
            hind).
        duty: Part of the stride in which a foot touches, in (0, 1]; the usual one when not given.
        phase: Phase at which the left hind foot, or the left foot, touches down.

    Returns:
        The gait.

    Raises:
        GaitError: If there is no such gait, the feet are not two or four, or the duty is out of
            range.
    """
    if name not in _NAMED:
        raise GaitError(f"name: expected one of {', '.join(NAMES)}, got {name!r}")
    if isinstance(feet, str) or len(feet) not in {2, 4} or len(set(feet)) != len(feet):
        raise GaitError(f"feet: expected two or four different names, got {feet!r}")
    usual, side, fore = (exactly(number) for number in _NAMED[name])
    share = usual if duty is None else exactly(duty)
    if not 0 < share <= 1:
        raise GaitError(f"duty: expected a number above 0 and up to 1, got {duty}")
    lag = {2: (0, side), 4: (fore, side + fore, 0, side)}[len(feet)]
    stances = {}
    for foot, after in zip(feet, lag, strict=True):
        begin = (exactly(phase) + after) % 1
        stances[foot] = [(0.0, 1.0)] if share == 1 else [(begin, begin + share)]
    return Gait(name=name, stances=stances)  # type: ignore[arg-type]


def nominal_footholds(feet: Sequence[str] = QUADRUPED) -> dict[str, Pose]:
    """Places to stand on that a robot of middle size has under its hips, with x forward, y left.

    Args:
        feet: Two names, or four, in the order of `named`.

    Returns:
        Foot → place: a biped's feet 0.2 m apart, a quadruped's in a rectangle of 0.4 m by 0.3 m.

    Raises:
        GaitError: If they are neither two nor four.
    """
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
) -> Callable[[str, int, int], Foothold]:
    """Footholds of a body that moves at a constant speed and turns at a constant rate.

    A foot is put where its nominal place is in the middle of the time for which it touches. The
    body rests at the origin before the beginning, and where it then is after the end.

    Args:
        nominal: Foot → place with respect to the body.
        velocity: Forward [m/s], to the left [m/s], and about the vertical [rad/s], of the body.
        begin: When it begins to move [ns].
        end: When it stops [ns].

    Returns:
        The function of foot, touch-down and lift-off that `tile` and `insert` take.

    Raises:
        GaitError: If the end is not after the beginning.
    """
    first, last = check_span(begin, end, "moving_footholds")
    forward, left, turn = (float(v) for v in velocity)

    def foothold(foot: str, touch_down: int, lift_off: int) -> Foothold:
        middle = min(max((touch_down + lift_off) // 2, first), last)
        t = (middle - first) * 1e-9
        T_world_body = Pose.exp([forward * t, left * t, 0.0, 0.0, 0.0, turn * t])
        place = nominal[foot]
        if isinstance(place, Pose):
            return T_world_body @ place
        return replace(place, pose=T_world_body @ place.pose)

    return foothold


def standing(
    footholds: Mapping[str, Foothold], *, begin: Time = 0, end: Time = FOREVER
) -> dict[str, ContactList]:
    """Stand still.

    Args:
        footholds: Foot → place.
        begin: First instant [ns].
        end: First instant after it [ns].

    Returns:
        Foot → list of one contact.

    Raises:
        GaitError: If the end is not after the beginning.
    """
    first, last = check_span(begin, end, "standing")
    return {
        foot: _list_of(foot, [_contact(place, foot, first, last)])
        for foot, place in footholds.items()
    }


def tile(
    gait: Gait,
    *,
    begin: Time,
    period: Time,
    end: Time | None = None,
    duration: Time | None = None,
    footholds: Footholds | None = None,
    phase: float = 0.0,
) -> dict[str, ContactList]:
    """Repeat a gait from an absolute time on.

    Args:
        gait: The gait.
        begin: First instant [ns], an absolute time.
        period: Length of a stride [ns].
        end: First instant after it [ns], an absolute time; or else:
        duration: How long it lasts [ns].
        footholds: Where feet are put; the nominal places of two or four feet when not given.
        phase: Phase of the gait at the beginning.

    Returns:
        Foot → list; contacts are cut at both ends.

    Raises:
        GaitError: If the end is not after the beginning, or footholds are needed.
        InputError: If not exactly one of end and duration is given, or a foothold is missing.

    Example:
        >>> from footwork.contacts import seconds
        >>> lists = tile(named("trot"), begin=0, duration=seconds(1), period=seconds(0.5))
        >>> [len(contacts) for contacts in lists.values()]
        [2, 2, 2, 2]
    """
    if (end is None) == (duration is None):
        raise InputError("tile: give either the absolute end, or the duration")
    if end is None:
        end = as_time("begin", begin) + as_time("duration", duration or 0)
    first, last = check_span(begin, end, gait.name)
    places = nominal_footholds(gait.feet) if footholds is None else footholds
    return {
        foot: _list_of(
            foot,
            [
                _contact(_place_of(places, foot, a, b), foot, a, b)
                for a, b in gait.stances_within(foot, first, last, period, phase=phase)
            ],
        )
        for foot in gait.feet
    }


def insert(
    lists: Mapping[str, ContactList],
    gait: Gait,
    *,
    begin: Time,
    end: Time,
    period: Time,
    footholds: Footholds | None = None,
    transition: Time = 0,
    phase: float = 0.0,
    finish: Literal["stand", "cut"] = "stand",
) -> dict[str, ContactList]:
    """Go over into a gait while the schedule runs.

    What is before the beginning stays. Then all feet stand for the transition: one that stands
    already stays where it is, one in the air lands as it was going to. Then the gait is repeated
    until the end, and a foot that touches when the gait begins stays where it stands until it lifts
    off. At the end all feet stand for ever, or the lists end.

    Args:
        lists: The running schedule, foot → list; lists of other keys stay as they are.
        gait: The gait to go over into.
        begin: When [ns], an absolute time.
        end: End of the gait [ns], an absolute time.
        period: Length of a stride [ns].
        footholds: Where feet are put; the nominal places of two or four feet when not given.
        transition: How long all feet stand first [ns].
        phase: Phase of the gait when it begins.
        finish: ``"stand"``: all feet stand from the end on; ``"cut"``: the lists end there.

    Returns:
        New lists.

    Raises:
        GaitError: If the end is not after the beginning and the transition, a foot has no list, or
            a foot is in the air where it should stand.
    """
    first, last = check_span(begin, end, gait.name)
    start = first + as_time("transition", transition)
    if not first <= start < last:
        raise GaitError(
            f"{gait.name}: the transition, {format_time(start - first)}, must be 0 s or more and "
            f"end before the gait does, at {format_time(last)}"
        )
    if finish not in {"stand", "cut"}:
        raise InputError(f"finish: expected 'stand' or 'cut', got {finish!r}")
    missing = [foot for foot in gait.feet if foot not in check_lists(lists)]
    if missing:
        raise GaitError(f"{gait.name}: the lists have no foot {', '.join(missing)}")
    places = nominal_footholds(gait.feet) if footholds is None else footholds
    result = {key: contacts.copy() for key, contacts in lists.items()}
    for foot in gait.feet:
        spans = gait.stances_within(foot, start, last, period, phase=phase)
        if finish == "stand":
            spans = _standing_from(last, spans)
        opening = _opening(lists[foot], foot, first, start, spans)
        if opening is not None and spans and spans[0][0] == start:
            del spans[0]
        past = [c for c in lists[foot] if c.deactivation_time <= first]
        future = [_contact(_place_of(places, foot, a, b), foot, a, b) for a, b in spans]
        contacts = [*past, *([opening] if opening else []), *future]
        made = _list_of(foot, contacts)
        made.default_name = lists[foot].default_name
        made.default_index = lists[foot].default_index
        made.default_contact_type = lists[foot].default_contact_type
        result[foot] = made
    return result


def _opening(
    contacts: ContactList, foot: str, first: int, start: int, spans: Sequence[tuple[int, int]]
) -> PlannedContact | None:
    """The contact of the transition, and of the gait's first stance if it begins with one."""
    stands_at_start = bool(spans) and spans[0][0] == start
    end = spans[0][1] if stands_at_start else start
    stance = contacts.get_active_contact(first)
    if stance is not None:
        stays = end > stance.activation_time
        return replace(stance, deactivation_time=end) if stays else None
    if start == first and not stands_at_start:
        return None  # it flies on into the swing of the gait
    landing = contacts.get_next_contact(first)
    if landing is None or landing.activation_time > start or landing.activation_time == end:
        when = "never" if landing is None else f"at {format_time(landing.activation_time)}"
        raise GaitError(
            f"{foot} is in the air at {format_time(first)} and lands {when}, but is to stand by "
            f"{format_time(start)}; insert the gait at another time, or give it a longer transition"
        )
    return replace(landing, deactivation_time=end)


def _standing_from(last: int, spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    if spans and spans[-1][1] == last:
        return [*spans[:-1], (spans[-1][0], FOREVER)]
    return [*spans, (last, FOREVER)]


def _place_of(footholds: Footholds, foot: str, begin: int, end: int) -> Foothold:
    if isinstance(footholds, Mapping):
        if foot not in footholds:
            raise InputError(f"footholds: no place for {foot!r}")
        return footholds[foot]
    return footholds(foot, begin, end)


def _contact(place: Foothold, foot: str, begin: int, end: int) -> PlannedContact:
    check_kind(f"foothold of {foot}", place, (Pose, Contact), "a Pose or a Contact")
    times = {"activation_time": begin, "deactivation_time": end}
    if isinstance(place, Pose):
        return PlannedContact(pose=place, name=foot, **times)  # type: ignore[arg-type]
    return PlannedContact(
        pose=place.pose,
        name=place.name,
        index=place.index,
        type=place.type,
        friction=place.friction,
        patch=place.patch,
        link=place.link,
        activation_time=begin,
        deactivation_time=end,
    )


def _list_of(foot: str, contacts: Sequence[PlannedContact]) -> ContactList:
    return ContactList(contacts, default_name=foot)
