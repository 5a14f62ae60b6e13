"""Periodic gaits: which foot touches in which part of a stride, and contact lists made of them.

A symmetrical gait is three numbers: how much of the stride a foot touches (the duty factor), by how
much of it the right foot is later than the left, and by how much a fore foot is later than the hind
foot of its side. So one formula gives them all, for two feet and for four.

Source: hildebrand1965symmetrical (the diagram of gaits); the duty factors are typical values, ours.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from footwork.contacts.contact import check_kind
from footwork.contacts.contact_list import ContactList
from footwork.contacts.footholds import (
    Foothold,
    Footholds,
    check_feet,
    contact_at,
    list_of,
    moving_footholds,
    nominal_footholds,
    place_of,
)
from footwork.contacts.gait import BIPED, QUADRUPED, Gait, check_span, exactly
from footwork.contacts.gait_insertion import insert
from footwork.contacts.nanoseconds import FOREVER, Time, as_time
from footwork.errors import GaitError, InputError
from footwork.typing import as_array

__all__ = [
    "BIPED",
    "NAMES",
    "QUADRUPED",
    "Foothold",
    "Footholds",
    "Gait",
    "insert",
    "moving_footholds",
    "named",
    "nominal_footholds",
    "standing",
    "tile",
]

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
    if not isinstance(name, str) or name not in _NAMED:
        raise GaitError(f"name: expected one of {', '.join(NAMES)}, got {name!r}")
    check_feet(feet)
    if len(feet) not in {2, 4} or len({*feet}) != len(feet):
        raise GaitError(f"feet: expected two or four different names, got {feet!r}")
    usual, side, fore = (exactly(number) for number in _NAMED[name])
    share = usual if duty is None else exactly(float(as_array("duty", duty, ())))
    if not 0 < share <= 1:
        raise GaitError(f"duty: expected a number above 0 and up to 1, got {duty}")
    lag = {2: (0, side), 4: (fore, side + fore, 0, side)}[len(feet)]
    stances = {}
    for foot, after in zip(feet, lag, strict=True):
        begin = (exactly(phase) + after) % 1
        stances[foot] = [(0.0, 1.0)] if share == 1 else [(begin, begin + share)]
    return Gait(name=name, stances=stances)  # type: ignore[arg-type]


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
    check_kind("footholds", footholds, Mapping, "a dict of foot and place")
    return {
        foot: list_of(foot, [contact_at(place, foot, first, last)])
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
    check_kind("gait", gait, Gait, "a Gait")
    if duration is not None:
        if end is not None:
            raise InputError("tile: give either the absolute end, or the duration")
        end = as_time("begin", begin) + as_time("duration", duration)
    elif end is None:
        raise InputError("tile: give either the absolute end, or the duration")
    first, last = check_span(begin, end, gait.name)
    places = nominal_footholds(gait.feet) if footholds is None else footholds
    return {
        foot: list_of(
            foot,
            [
                contact_at(place_of(places, foot, a, b), foot, a, b)
                for a, b in gait.stances_within(foot, first, last, period, phase=phase)
            ],
        )
        for foot in gait.feet
    }
