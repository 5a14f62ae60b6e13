"""Worlds of the plane: everything that obstacles and a footprint can be asked."""

from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning.worlds.chain import Chain
from footwork.planning.worlds.footprints import Disc, Footprint
from footwork.planning.worlds.obstacle_world import ObstacleWorld, states_of
from footwork.planning.worlds.packing import pack_plane
from footwork.planning.worlds.protocol import StateMeasure, StateTest
from footwork.planning.worlds.shapes import PlaneObstacles
from footwork.typing import Matrix, Vector

T = TypeVar("T", bound=np.generic)


class PlaneWorld(ObstacleWorld[PlaneObstacles]):
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

    @property
    def _distance_kernel(self) -> StateMeasure:
        from footwork.planning._kernels.worlds_distance import plane_distance

        return lambda point, packed: plane_distance(point[0], point[1], packed)

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
