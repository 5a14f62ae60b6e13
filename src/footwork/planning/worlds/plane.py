"""Circles, boxes, turned boxes and convex polygons, and what they make together."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning.worlds.footprints import Footprint
from footwork.planning.worlds.plane_world import PlaneWorld
from footwork.planning.worlds.shapes import (
    PlaneObstacles,
    convex_polygon,
    limits_of,
    radii_of,
    rectangle,
)
from footwork.typing import as_array, frozen


class Circles(PlaneWorld):
    """Round obstacles.

    Args:
        centres: Centres [m], shape (k, 2).
        radii: One for all or one each, positive [m].
        footprint: Outline of the robot; a point when not given.
        position: Indices of x and y in a state.
        heading: Index of the heading in a state; read only if the footprint turns.

    Raises:
        InputError: If a radius is not positive, or an argument is ill-formed.

    Example:
        >>> world = Circles([[2.0, 2.0]], 0.5)
        >>> bool(world.is_free([2.1, 2.0, 0.0]))
        False
    """

    def __init__(
        self,
        centres: ArrayLike,
        radii: ArrayLike,
        *,
        footprint: Footprint | None = None,
        position: tuple[int, int] = (0, 1),
        heading: int = 2,
    ) -> None:
        super().__init__(footprint=footprint, position=position, heading=heading)
        xy = as_array("centres", centres, ("circles", 2))
        rows = np.hstack([xy, radii_of("radii", radii, len(xy))[:, None]])
        self._obstacles = PlaneObstacles(circles=frozen(rows))

    @property
    def obstacles(self) -> PlaneObstacles:
        """The circles."""
        return self._obstacles


class Boxes(PlaneWorld):
    """Boxes along the axes.

    Args:
        low: Lower corners [m], shape (k, 2).
        high: Upper corners [m], shape (k, 2).
        footprint: Outline of the robot; a point when not given.
        position: Indices of x and y in a state.
        heading: Index of the heading in a state; read only if the footprint turns.

    Raises:
        InputError: If a box has no extent along an axis, or an argument is ill-formed.
    """

    def __init__(
        self,
        low: ArrayLike,
        high: ArrayLike,
        *,
        footprint: Footprint | None = None,
        position: tuple[int, int] = (0, 1),
        heading: int = 2,
    ) -> None:
        super().__init__(footprint=footprint, position=position, heading=heading)
        self._obstacles = PlaneObstacles(boxes=frozen(np.hstack(limits_of(low, high, 2))))

    @property
    def obstacles(self) -> PlaneObstacles:
        """The boxes."""
        return self._obstacles


class OrientedBoxes(PlaneWorld):
    """Boxes that are turned.

    Args:
        centres: Centres [m], shape (k, 2).
        sizes: Length and width, positive [m], shape (k, 2).
        angles: Direction of the length [rad], shape (k,).
        footprint: Outline of the robot; a point when not given.
        position: Indices of x and y in a state.
        heading: Index of the heading in a state; read only if the footprint turns.

    Raises:
        InputError: If a size is not positive, or an argument is ill-formed.
    """

    def __init__(
        self,
        centres: ArrayLike,
        sizes: ArrayLike,
        angles: ArrayLike,
        *,
        footprint: Footprint | None = None,
        position: tuple[int, int] = (0, 1),
        heading: int = 2,
    ) -> None:
        super().__init__(footprint=footprint, position=position, heading=heading)
        xy = as_array("centres", centres, ("boxes", 2))
        size = as_array("sizes", sizes, (len(xy), 2))
        yaw = as_array("angles", angles, (len(xy),))
        for i, axis in np.argwhere(size <= 0.0):
            raise InputError(f"sizes[{i}][{axis}] must be greater than 0 m, got {size[i, axis]:g}")
        polygons = []
        for c, (length, width), a in zip(xy, size, yaw, strict=True):
            R = np.array([[np.cos(a), -np.sin(a)], [np.sin(a), np.cos(a)]])
            polygons.append(frozen(rectangle(length, width) @ R.T + c))
        self._obstacles = PlaneObstacles(polygons=tuple(polygons))

    @property
    def obstacles(self) -> PlaneObstacles:
        """The boxes, as polygons."""
        return self._obstacles


class Polygons(PlaneWorld):
    """Convex polygons.

    Args:
        polygons: Each the corners in order, either way round [m], shape (n, 2).
        footprint: Outline of the robot; a point when not given.
        position: Indices of x and y in a state.
        heading: Index of the heading in a state; read only if the footprint turns.

    Raises:
        InputError: If one is not convex or has no area; the message says which.
    """

    def __init__(
        self,
        polygons: Sequence[ArrayLike],
        *,
        footprint: Footprint | None = None,
        position: tuple[int, int] = (0, 1),
        heading: int = 2,
    ) -> None:
        super().__init__(footprint=footprint, position=position, heading=heading)
        if not isinstance(polygons, Iterable):
            raise InputError(f"polygons must be a sequence of polygons, got {polygons!r}")
        self._obstacles = PlaneObstacles(
            polygons=tuple(convex_polygon(f"polygons[{i}]", v) for i, v in enumerate(polygons))
        )

    @property
    def obstacles(self) -> PlaneObstacles:
        """The polygons."""
        return self._obstacles


class UnionOfWorlds(PlaneWorld):
    """All obstacles of several worlds, for one robot. Also written ``a | b``.

    Args:
        worlds: At least one; their footprint, position and heading must agree.

    Raises:
        InputError: If there is none, or they are for different robots.
    """

    def __init__(self, worlds: Sequence[PlaneWorld]) -> None:
        if not worlds:
            raise InputError("a union needs at least one world")
        first = worlds[0]
        for i, world in enumerate(worlds):
            if _robot(world) != _robot(first):
                raise InputError(
                    "worlds of a union must have the same footprint, position and heading; world 0 "
                    f"has {_robot(first)}, world {i} has {_robot(world)}"
                )
        super().__init__(footprint=first.footprint, position=first.position, heading=first.heading)
        each = [world.obstacles for world in worlds]
        self._obstacles = PlaneObstacles(
            circles=frozen(np.vstack([o.circles for o in each])),
            boxes=frozen(np.vstack([o.boxes for o in each])),
            polygons=tuple(p for o in each for p in o.polygons),
            grids=tuple(g for o in each for g in o.grids),
        )

    @property
    def obstacles(self) -> PlaneObstacles:
        """The obstacles of all."""
        return self._obstacles


def _robot(world: PlaneWorld) -> tuple[Footprint, tuple[int, int], int]:
    return world.footprint, world.position, world.heading
