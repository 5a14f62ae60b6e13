"""The outline of a robot that moves in the plane, in the robot's own frame."""

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning.worlds.shapes import convex_parts, rectangle
from footwork.typing import Matrix


class Footprint(ABC):
    """Outline of a rigid robot: a disc about its reference point, or convex parts that turn."""

    @property
    @abstractmethod
    def parts(self) -> tuple[Matrix, ...]:
        """Convex polygons in the robot's frame [m]; empty for a disc."""

    @property
    @abstractmethod
    def radius(self) -> float:
        """Radius of the disc, or of the circle about the parts [m]."""

    @property
    def turns(self) -> bool:
        """Whether the heading matters."""
        return bool(self.parts)


@dataclass(frozen=True)
class Disc(Footprint):
    """A round robot.

    Attributes:
        radius: Not negative; 0 is a point [m].
    """

    radius: float = 0.0

    def __post_init__(self) -> None:
        if not 0.0 <= self.radius < math.inf:
            raise InputError(f"radius of a disc must be 0 m or more, got {self.radius}")

    @property
    def parts(self) -> tuple[Matrix, ...]:
        """Nothing: a disc does not turn."""
        return ()


@dataclass(frozen=True)
class Rectangle(Footprint):
    """A robot in the shape of a box that turns with it.

    Attributes:
        length: Along the robot's x [m].
        width: Along the robot's y [m].
        centre: Of the box, in the robot's frame [m].
    """

    length: float
    width: float
    centre: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        if not (0.0 < self.length < math.inf and 0.0 < self.width < math.inf):
            raise InputError(
                "a rectangle must have length and width above 0 m, got "
                f"{self.length} and {self.width}"
            )
        if len(self.centre) != 2 or not all(math.isfinite(c) for c in self.centre):
            raise InputError(f"centre must be two finite numbers, got {self.centre}")
        object.__setattr__(self, "centre", (float(self.centre[0]), float(self.centre[1])))

    @property
    def parts(self) -> tuple[Matrix, ...]:
        """The rectangle."""
        return (rectangle(self.length, self.width) + np.array(self.centre),)

    @property
    def radius(self) -> float:
        """Distance of the farthest corner from the robot's origin [m]."""
        x, y = self.centre
        return math.hypot(abs(x) + 0.5 * self.length, abs(y) + 0.5 * self.width)


@dataclass(frozen=True)
class Outline(Footprint):
    """A robot in the shape of any polygon that does not cross itself.

    Attributes:
        vertices: Corners in order, in the robot's frame [m].
    """

    vertices: tuple[tuple[float, float], ...]

    def __init__(self, vertices: ArrayLike) -> None:
        convex_parts("vertices of an outline", vertices)
        rows = np.asarray(vertices, dtype=np.float64)
        object.__setattr__(self, "vertices", tuple((float(x), float(y)) for x, y in rows))

    @property
    def parts(self) -> tuple[Matrix, ...]:
        """The polygon, or the triangles it is cut into."""
        return convex_parts("vertices of an outline", self.vertices)

    @property
    def radius(self) -> float:
        """Distance of the farthest corner from the robot's origin [m]."""
        return max(math.hypot(x, y) for x, y in self.vertices)
