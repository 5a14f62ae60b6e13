"""Worlds of the plane: everything that obstacles and a footprint can be asked."""

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning.worlds.chain import Chain
from footwork.planning.worlds.footprints import Disc, Footprint
from footwork.planning.worlds.packing import pack_plane
from footwork.planning.worlds.protocol import StateMeasure, StateTest
from footwork.planning.worlds.shapes import PlaneObstacles
from footwork.typing import BoolVector, Matrix, Vector, as_array

T = TypeVar("T", bound=np.generic)


class PlaneWorld(ABC):
    """Obstacles in the plane and the robot that must not touch them.

    Obstacles are open sets: touching is free. Where the robot is in a state is data: the two
    components of its position, and the one of its heading if its footprint turns.

    Attributes:
        footprint: Outline of the robot; a point when not given.
        position: Indices of x and y in a state.
        heading: Index of the heading in a state.
    """

    dimension = 2

    def __init__(
        self,
        *,
        footprint: Footprint | None = None,
        position: tuple[int, int] = (0, 1),
        heading: int = 2,
    ) -> None:
        indices = [*position, heading]
        if len(position) != 2 or any(i != int(i) or i < 0 for i in indices):
            raise InputError(
                "position must be two indices and heading one, whole numbers from 0, got "
                f"position = {position}, heading = {heading}"
            )
        self.footprint = Disc() if footprint is None else footprint
        self.position = (int(position[0]), int(position[1]))
        self.heading = int(heading)

    @property
    @abstractmethod
    def obstacles(self) -> PlaneObstacles:
        """What is in the way."""

    @cached_property
    def parameters(self) -> Vector:
        """The world as numbers, read-only; see `_kernels/worlds.py` for the layout."""
        return self._packed(self.obstacles)

    def _packed(self, obstacles: PlaneObstacles) -> Vector:
        robot = self.footprint
        x, y = self.position
        is_fixed = isinstance(robot, Chain) and robot.base is not None
        return pack_plane(
            obstacles,
            indices=[-1 if is_fixed else x, y, self.heading if robot.turns else -1],
            radius=robot.radius,
            parts=robot.parts,
            chain=robot.packed() if isinstance(robot, Chain) else (),
        )

    @property
    def validity_kernel(self) -> StateTest:
        """Compiled ``f(x, parameters) -> bool``."""
        if isinstance(self.footprint, Chain):
            from footwork.planning._kernels.worlds_chain import chain_is_free

            return chain_is_free
        from footwork.planning._kernels.worlds import plane_is_free

        return plane_is_free

    @property
    def clearance_kernel(self) -> StateMeasure:
        """Compiled ``f(x, parameters) -> float`` [m].

        Raises:
            InputError: For a footprint that turns over an occupancy grid: not available.
        """
        if self.footprint.turns and self.obstacles.grids:
            raise InputError(
                "the clearance of a footprint that turns is not available over an occupancy grid; "
                "use a Disc as footprint"
            )
        if isinstance(self.footprint, Chain):
            from footwork.planning._kernels.worlds_chain import chain_clearance

            return chain_clearance
        from footwork.planning._kernels.worlds_distance import plane_clearance

        return plane_clearance

    def is_free(self, states: ArrayLike) -> BoolVector:
        """Say for each state whether the robot touches nothing.

        Args:
            states: One state, shape (n,), or several, shape (k, n).

        Returns:
            One truth value per state, shape (k,); shape () for one state.

        Raises:
            ShapeError: If the states are too short for position and heading.

        Example:
            >>> from footwork.planning.worlds import Circles, Disc
            >>> world = Circles([[1.0, 0.0]], 0.5, footprint=Disc(0.2))
            >>> world.is_free([[0.0, 0.0], [0.4, 0.0]]).tolist()
            [True, False]
        """
        rows, kernel = states_of(states, self._last_index), self.validity_kernel
        return each(kernel, rows, self.parameters, np.bool_)

    def touched(self, state: ArrayLike) -> str | None:
        """Say what the robot touches at a state.

        Args:
            state: Shape (n,).

        Returns:
            The first such obstacle in words, its kind and number among that kind; None for none.

        Raises:
            InputError: If the state is too short for the position.
        """
        x, is_free = states_of(state, self._last_index), self.validity_kernel
        for words, obstacle in self.obstacles.one_by_one():
            if not is_free(x, self._packed(obstacle)):
                return words
        return None

    def clearance(self, states: ArrayLike) -> Vector:
        """Signed distance from the robot to the nearest obstacle [m].

        For a footprint that turns and overlaps, minus the least depth along an edge's normal.

        Args:
            states: One state, shape (n,), or several, shape (k, n).

        Returns:
            One distance per state, shape (k,); shape () for one state; inf without obstacles.

        Raises:
            ShapeError: If the states are too short for position and heading.
            InputError: For a footprint that turns over an occupancy grid: not available.
        """
        rows, kernel = states_of(states, self._last_index), self.clearance_kernel
        return each(kernel, rows, self.parameters, np.float64)

    def signed_distance(self, points: ArrayLike) -> Vector:
        """Signed distance from points to the nearest obstacle [m], negative inside.

        Where obstacles overlap, the distance inside is that of the deepest one.

        Args:
            points: One point or several, shape (2,) or (k, 2).

        Returns:
            One distance per point, shape (k,); shape () for one point; inf without obstacles.

        Raises:
            ShapeError: If the last axis is not 2.

        Example:
            >>> from footwork.planning.worlds import Boxes
            >>> Boxes([[0.0, 0.0]], [[2.0, 1.0]]).signed_distance([[3.0, 0.5], [1.0, 0.5]]).tolist()
            [1.0, -0.5]
        """
        from footwork.planning._kernels.worlds_distance import plane_distance

        p = np.asarray(points, dtype=np.float64)
        p = as_array("points", p, (2,) if p.ndim == 1 else ("points", 2))
        packed = self.parameters

        def measure(row: Vector, _: Vector) -> float:
            return plane_distance(row[0], row[1], packed)

        return each(measure, p, packed, np.float64)

    def __or__(self, other: "PlaneWorld") -> "PlaneWorld":
        """Make the world of both sets of obstacles, for the same robot."""
        if not isinstance(other, PlaneWorld):
            return NotImplemented
        from footwork.planning.worlds.plane import UnionOfWorlds

        return UnionOfWorlds([self, other])

    @property
    def _last_index(self) -> int:
        if isinstance(self.footprint, Chain):
            position = (0,) if self.footprint.base is not None else self.position
            return max(*position, self.footprint.last_index)
        return max(*self.position, self.heading if self.footprint.turns else 0)

    def outlines(self, state: ArrayLike) -> tuple[Matrix, ...]:
        """Outline of the robot at a state, as closed polygons, for pictures.

        Args:
            state: Shape (n,).

        Returns:
            Convex polygons [m], each of shape (k, 2); a circle for a disc, none for a point.

        Raises:
            InputError: If the state is too short.
        """
        x = states_of(state, self._last_index)
        robot = self.footprint
        if isinstance(robot, Chain):
            poses = robot.poses(x, self.position)
            pairs = zip(robot.bodies, poses, strict=True)
            return tuple(_placed(part, pose) for body, pose in pairs for part in body.outline.parts)
        point = x[list(self.position)]
        if robot.turns:
            pose = np.array([*point, x[self.heading]])
            return tuple(_placed(part, pose) for part in robot.parts)
        if robot.radius == 0.0:
            return ()
        angle = np.linspace(0.0, 2.0 * np.pi, 33)[:-1]
        return (point + robot.radius * np.stack([np.cos(angle), np.sin(angle)], axis=1),)


def _placed(part: Matrix, pose: Vector) -> Matrix:
    c, s = np.cos(pose[2]), np.sin(pose[2])
    moved: Matrix = part @ np.array([[c, s], [-s, c]]) + pose[:2]
    return moved


def states_of(states: ArrayLike, last_index: int) -> Matrix:
    """Read one state or several.

    Args:
        states: Shape (n,) or (k, n).
        last_index: Largest index that will be read.

    Returns:
        A copy.

    Raises:
        InputError: If the states have too few components.
    """
    x = np.asarray(states, dtype=np.float64)
    x = as_array("states", x, ("n",) if x.ndim == 1 else ("states", "n"), finite=False)
    if x.shape[-1] <= last_index:
        raise InputError(
            f"states must have at least {last_index + 1} components, so that position and heading "
            f"are among them, got {x.shape[-1]}"
        )
    return x


def each(
    function: Callable[[Vector, Vector], object], rows: Matrix, parameters: Vector, kind: type[T]
) -> "np.ndarray[tuple[int, ...], np.dtype[T]]":
    """Call a kernel on one row or on each of several.

    Args:
        function: ``f(row, parameters)``.
        rows: Shape (n,) or (k, n).
        parameters: Second argument.
        kind: Type of the answers.

    Returns:
        Shape () or (k,).
    """
    answers = [function(row, parameters) for row in np.atleast_2d(rows)]
    array = np.array(answers, dtype=kind)
    return array[0:1].reshape(()) if rows.ndim == 1 else array
