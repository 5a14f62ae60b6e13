"""Worlds of space: spheres and cuboids, for a robot that is a point or a ball."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning.worlds.obstacle_world import ObstacleWorld
from footwork.planning.worlds.packing import pack_space
from footwork.planning.worlds.protocol import StateMeasure, StateTest
from footwork.planning.worlds.shapes import SpaceObstacles, limits_of, radii_of
from footwork.typing import Vector, as_array, frozen


class SpaceWorld(ObstacleWorld[SpaceObstacles]):
    """Obstacles in space and the ball that must not touch them.

    Obstacles are open sets: touching is free.

    Attributes:
        radius: Of the ball about the robot; 0 is a point [m].
        position: Indices of x, y and z in a state.
    """

    dimension = 3

    def __init__(self, *, radius: float = 0.0, position: tuple[int, int, int] = (0, 1, 2)) -> None:
        if not (np.isfinite(radius) and radius >= 0.0):
            raise InputError(f"radius of the robot must be 0 m or more, got {radius}")
        if len(position) != 3 or any(i != int(i) or i < 0 for i in position):
            raise InputError(f"position must be three whole numbers from 0, got {position}")
        self.radius = float(radius)
        self.position = (int(position[0]), int(position[1]), int(position[2]))

    def _packed(self, obstacles: SpaceObstacles) -> Vector:
        return pack_space(obstacles, indices=self.position, radius=self.radius)

    @property
    def validity_kernel(self) -> StateTest:
        """Compiled ``f(x, parameters) -> bool``."""
        from footwork.planning._kernels.worlds_space import space_is_free

        return space_is_free

    @property
    def clearance_kernel(self) -> StateMeasure:
        """Compiled ``f(x, parameters) -> float`` [m]."""
        from footwork.planning._kernels.worlds_space import space_clearance

        return space_clearance

    @property
    def _distance_kernel(self) -> StateMeasure:
        from footwork.planning._kernels.worlds_space import space_distance

        return lambda point, packed: space_distance(point[0], point[1], point[2], packed)

    @property
    def _last_index(self) -> int:
        return max(self.position)

    def __or__(self, other: "SpaceWorld") -> "SpaceWorld":
        """Make the world of both sets of obstacles, for the same robot."""
        if not isinstance(other, SpaceWorld):
            return NotImplemented
        return UnionOfSpaceWorlds([self, other])


class Spheres(SpaceWorld):
    """Balls that are in the way.

    Args:
        centres: Centres [m], shape (k, 3).
        radii: One for all or one each, positive [m].
        radius: Of the ball about the robot [m].
        position: Indices of x, y and z in a state.

    Raises:
        InputError: If a radius is not positive, or an argument is ill-formed.
    """

    def __init__(
        self,
        centres: ArrayLike,
        radii: ArrayLike,
        *,
        radius: float = 0.0,
        position: tuple[int, int, int] = (0, 1, 2),
    ) -> None:
        super().__init__(radius=radius, position=position)
        xyz = as_array("centres", centres, ("spheres", 3))
        rows = np.hstack([xyz, radii_of("radii", radii, len(xyz))[:, None]])
        self._obstacles = SpaceObstacles(spheres=frozen(rows))

    @property
    def obstacles(self) -> SpaceObstacles:
        """The spheres."""
        return self._obstacles


class Cuboids(SpaceWorld):
    """Boxes along the axes of space.

    Args:
        low: Lower corners [m], shape (k, 3).
        high: Upper corners [m], shape (k, 3).
        radius: Of the ball about the robot [m].
        position: Indices of x, y and z in a state.

    Raises:
        InputError: If a box has no extent along an axis, or an argument is ill-formed.
    """

    def __init__(
        self,
        low: ArrayLike,
        high: ArrayLike,
        *,
        radius: float = 0.0,
        position: tuple[int, int, int] = (0, 1, 2),
    ) -> None:
        super().__init__(radius=radius, position=position)
        self._obstacles = SpaceObstacles(cuboids=frozen(np.hstack(limits_of(low, high, 3))))

    @property
    def obstacles(self) -> SpaceObstacles:
        """The cuboids."""
        return self._obstacles


class UnionOfSpaceWorlds(SpaceWorld):
    """All obstacles of several worlds of space, for one robot. Also written ``a | b``.

    Args:
        worlds: At least one; their radius and position must agree.

    Raises:
        InputError: If there is none, or they are for different robots.
    """

    def __init__(self, worlds: Sequence[SpaceWorld]) -> None:
        if not worlds:
            raise InputError("a union needs at least one world")
        first = worlds[0]
        for i, world in enumerate(worlds):
            if (world.radius, world.position) != (first.radius, first.position):
                raise InputError(
                    "worlds of a union must have the same radius and position; world 0 has "
                    f"{first.radius:g} m at {first.position}, world {i} has {world.radius:g} m "
                    f"at {world.position}"
                )
        super().__init__(radius=first.radius, position=first.position)
        each_one = [world.obstacles for world in worlds]
        self._obstacles = SpaceObstacles(
            spheres=frozen(np.vstack([o.spheres for o in each_one])),
            cuboids=frozen(np.vstack([o.cuboids for o in each_one])),
        )

    @property
    def obstacles(self) -> SpaceObstacles:
        """The obstacles of all."""
        return self._obstacles
