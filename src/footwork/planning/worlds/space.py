"""Worlds of space: spheres and cuboids, for a robot that is a point or a ball."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning.worlds.packing import pack_space
from footwork.planning.worlds.plane_world import each, states_of
from footwork.planning.worlds.protocol import StateMeasure, StateTest
from footwork.planning.worlds.shapes import SpaceObstacles, limits_of, radii_of
from footwork.typing import BoolVector, Vector, as_array, frozen


class SpaceWorld(ABC):
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

    @property
    @abstractmethod
    def obstacles(self) -> SpaceObstacles:
        """What is in the way."""

    @cached_property
    def parameters(self) -> Vector:
        """The world as numbers, read-only; see `_kernels/worlds_space.py` for the layout."""
        return self._packed(self.obstacles)

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

    def is_free(self, states: ArrayLike) -> BoolVector:
        """Say for each state whether the robot touches nothing.

        Args:
            states: One state, shape (n,), or several, shape (k, n).

        Returns:
            One truth value per state, shape (k,); shape () for one state.

        Raises:
            InputError: If the states are too short for the position.
        """
        rows = states_of(states, max(self.position))
        return each(self.validity_kernel, rows, self.parameters, np.bool_)

    def touched(self, state: ArrayLike) -> str | None:
        """Say what the robot touches at a state.

        Args:
            state: Shape (n,).

        Returns:
            The first such obstacle in words, its kind and number among that kind; None for none.

        Raises:
            InputError: If the state is too short for the position.
        """
        x, is_free = states_of(state, max(self.position)), self.validity_kernel
        for words, obstacle in self.obstacles.one_by_one():
            if not is_free(x, self._packed(obstacle)):
                return words
        return None

    def clearance(self, states: ArrayLike) -> Vector:
        """Signed distance from the ball to the nearest obstacle [m], negative on overlap.

        Args:
            states: One state, shape (n,), or several, shape (k, n).

        Returns:
            One distance per state, shape (k,); shape () for one state; inf without obstacles.

        Raises:
            InputError: If the states are too short for the position.
        """
        rows = states_of(states, max(self.position))
        return each(self.clearance_kernel, rows, self.parameters, np.float64)

    def signed_distance(self, points: ArrayLike) -> Vector:
        """Signed distance from points to the nearest obstacle [m], negative inside.

        Where obstacles overlap, the distance inside is that of the deepest one.

        Args:
            points: One point or several, shape (3,) or (k, 3).

        Returns:
            One distance per point, shape (k,); shape () for one point; inf without obstacles.

        Raises:
            ShapeError: If the last axis is not 3.

        Example:
            >>> Spheres([[0.0, 0.0, 0.0]], 1.0).signed_distance([0.0, 3.0, 0.0]).tolist()
            2.0
        """
        from footwork.planning._kernels.worlds_space import space_distance

        p = np.asarray(points, dtype=np.float64)
        p = as_array("points", p, (3,) if p.ndim == 1 else ("points", 3))
        packed = self.parameters

        def measure(row: Vector, _: Vector) -> float:
            return space_distance(row[0], row[1], row[2], packed)

        return each(measure, p, packed, np.float64)

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
