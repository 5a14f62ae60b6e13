"""Links stay away from each other and from obstacles."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from footwork.errors import InputError
from footwork.robot import Quantities, RobotModel, RobotState
from footwork.spatial import Pose
from footwork.stack._kernels.collision import fill_rows
from footwork.stack.constraints.velocity.scene import Near, NearestPoints, Obstacle, Scene
from footwork.stack.leaf import LeafConstraint
from footwork.stack.segment import State
from footwork.stack.variables import Affine
from footwork.typing import as_array


class CollisionAvoidance(LeafConstraint):
    """Keep pairs of shapes at a distance: −nᵀ (J₂ − J₁) v ≤ γ (d − d_min)/dt.

    J₁ and J₂ move the nearest points, n points from the first shape to the second. The nearest
    ``max_pairs`` pairs within ``detection_distance`` have a row each; the other rows are empty.
    Pairs that are closer than d_min are pushed apart, at most as fast as ``push_out_speed``.

    Meshes are replaced by their convex hulls. Without ``pairs``, every pair of links counts that
    are not joined by one joint and do not touch in the standing (or neutral) posture.

    Args:
        robot: The robot.
        dt: Time step [s].
        pairs: Pairs of link names; see above.
        obstacles: Shapes in the world, each paired with every link that moves.
        smallest_distance: d_min [m].
        detection_distance: Pairs further apart have no row [m].
        gain: γ in (0, 1].
        push_out_speed: [m/s].
        max_pairs: Number of rows.
        geometry: A ``pinocchio.GeometryModel``; read from the robot's description if not given.
        name: Name of the constraint.
        variable: Where the joint velocity is in a larger x.

    Raises:
        InputError: If a number makes no sense, or a link of a pair has no shape.
        ModelError: If the shapes cannot be read.
    """

    def __init__(
        self,
        robot: RobotModel,
        *,
        dt: float,
        pairs: Iterable[tuple[str, str]] | None = None,
        obstacles: Sequence[Obstacle] = (),
        smallest_distance: float = 0.005,
        detection_distance: float = 0.1,
        gain: float = 0.5,
        push_out_speed: float = 0.1,
        max_pairs: int = 10,
        geometry: Any = None,
        name: str = "collision_avoidance",
        variable: Affine | None = None,
    ) -> None:
        _check_rates(dt, gain, push_out_speed, max_pairs)
        _check_distances(smallest_distance, detection_distance)
        self.robot = robot
        super().__init__(
            name,
            rows=max_pairs,
            x_size=robot.nv if variable is None else variable.input_size,
            row_names=tuple(f"pair{i}" for i in range(max_pairs)),
            variable=variable,
            model=robot,
            needs=Quantities.KINEMATICS,
        )
        self.smallest_distance = smallest_distance
        self.detection_distance = detection_distance
        self.push_out_speed = push_out_speed
        self._rate = gain / dt
        self._scene = Scene(robot, geometry, obstacles, pairs)
        self._found = Near.empty(max_pairs)

    @property
    def nearest(self) -> tuple[NearestPoints, ...]:
        """Pairs that have a row since the last update, the nearest first."""
        return self._scene.describe(self._found)

    @property
    def pair_names(self) -> tuple[tuple[str, str], ...]:
        """Names of the shapes of every pair that is watched."""
        return self._scene.pair_names

    def move_obstacle(self, name: str, T_world_obstacle: Pose) -> None:
        """Move an obstacle.

        Args:
            name: Its name.
            T_world_obstacle: Where it is now.

        Raises:
            InputError: If there is no such obstacle.
        """
        self._scene.move(name, T_world_obstacle)

    def compute(self, state: State | None) -> None:
        """See `LeafTask.compute`."""
        if not isinstance(state, RobotState):
            return
        near = self._found
        self._scene.find(state, self.detection_distance, near)
        count, views = near.count, self.robot.views
        self.own_upper[:] = np.inf
        gaps = near.distances[:count] - self.smallest_distance
        self.own_upper[:count] = np.maximum(self._rate * gaps, -self.push_out_speed)
        fill_rows(
            views.JT,
            self._scene.support,
            self.robot.velocity_of_column,
            near.joints,
            near.points,
            near.normals,
            count,
            self.J,
        )


def _check_rates(dt: float, gain: float, speed: float, max_pairs: int) -> None:
    as_array("dt, gain and push_out_speed", [dt, gain, speed], (3,))
    if not (dt > 0.0 and 0.0 < gain <= 1.0 and speed >= 0.0 and max_pairs >= 1):
        raise InputError(
            f"dt must be positive, gain in (0, 1], push_out_speed not negative and max_pairs 1 or "
            f"more; got {dt}, {gain}, {speed}, {max_pairs}"
        )


def _check_distances(smallest: float, detection: float) -> None:
    if not 0.0 <= smallest < detection < np.inf:
        raise InputError(
            f"expected 0 ≤ smallest_distance < detection_distance, got {smallest} and {detection}"
        )
