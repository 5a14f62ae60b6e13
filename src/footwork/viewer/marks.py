"""Where feet stood, as outlines."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import pi
from typing import Final

import numpy as np

from footwork.contacts import ContactList, PlannedContact
from footwork.robot import FootGeometry, ZooEntry
from footwork.typing import Matrix
from footwork.viewer.palette import foot_color

POINT_RADIUS: Final = 0.02
"""Drawn for a point foot whose radius is not known [m]."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Footprint:
    """One contact of one foot.

    Attributes:
        foot: Name of the foot.
        contact: What it is the print of.
        outline: Corners in the world [m], shape (n, 3).
        color: Of the foot.
    """

    foot: str
    contact: PlannedContact
    outline: Matrix
    color: str


def footprints_of(
    contacts: Mapping[str, ContactList], entry: ZooEntry | None
) -> tuple[Footprint, ...]:
    """Outline every contact.

    Args:
        contacts: Foot → contacts.
        entry: Knows the shape of the feet; without it they are drawn as points.

    Returns:
        The prints, foot by foot.
    """
    shapes = {foot.name: foot for foot in entry.feet} if entry is not None else {}
    return tuple(
        Footprint(
            foot=name,
            contact=contact,
            outline=contact.pose.act(_corners(shapes.get(name))),
            color=foot_color(name, index),
        )
        for index, (name, list_) in enumerate(contacts.items())
        for contact in list_
    )


def _corners(shape: FootGeometry | None) -> Matrix:
    if shape is not None and not shape.is_point:
        return shape.corners
    radius = shape.radius if shape is not None and shape.radius > 0.0 else POINT_RADIUS
    angles = np.linspace(0.0, 2.0 * pi, 12, endpoint=False)
    return radius * np.column_stack([np.cos(angles), np.sin(angles), np.zeros(12)])
