"""Links stay away from each other and from obstacles."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from footwork.errors import InputError
from footwork.robot import Quantities, RobotModel, RobotState
from footwork.robot.geometry import load_geometry
from footwork.spatial import Pose
from footwork.stack.leaf import LeafConstraint
from footwork.stack.segment import State
from footwork.stack.variables import Affine
from footwork.typing import Matrix, Vector, as_array


@dataclass(frozen=True, kw_only=True)
class Obstacle:
    """A shape that stands in the world.

    Attributes:
        name: Its name.
        T_world_obstacle: Where it is.
        radius: Radius of a sphere, or of an upright cylinder [m].
        height: Height of the cylinder [m]; 0 for a sphere.
        box: Sides of a box [m], which is then what the obstacle is.
    """

    name: str
    T_world_obstacle: Pose
    radius: float = 0.0
    height: float = 0.0
    box: tuple[float, float, float] | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class NearestPoints:
    """The nearest points of two shapes.

    Attributes:
        first: Name of the first shape.
        second: Name of the second shape.
        distance: Between them [m]; negative when they intersect.
        points: One on each, in the world [m], shape (2, 3).
        normal: Unit vector from the first to the second, shape (3,).
    """

    first: str
    second: str
    distance: float
    points: Matrix
    normal: Vector


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
        self.nearest: tuple[NearestPoints, ...] = ()
        """Pairs that have a row since the last update, the nearest first."""

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
        found = self._scene.nearest(state, self.detection_distance, self.J.shape[0])
        self.J[:] = 0.0
        self.own_upper[:] = np.inf
        for row, (near, joints) in enumerate(found):
            gap = near.distance - self.smallest_distance
            self.own_upper[row] = max(self._rate * gap, -self.push_out_speed)
            for sign, joint, point in zip((1.0, -1.0), joints, near.points, strict=True):
                self._add_row(row, sign * near.normal, joint, point)
        self.nearest = tuple(near for near, _ in found)

    def _add_row(self, row: int, direction: Vector, joint: int, point: Vector) -> None:
        """Add directionᵀ J_point of a point that a joint moves."""
        support = self.robot.support_of(joint)
        if support.size == 0:
            return
        columns = self.robot.views.JT[support]
        linear = columns[:, :3] + np.cross(columns[:, 3:], point)
        np.add.at(self.J[row], self.robot.velocity_of_column[support], linear @ direction)


class Scene:
    """Shapes of a robot and obstacles, and the pairs of them that are watched."""

    def __init__(
        self,
        robot: RobotModel,
        geometry: Any,
        obstacles: Sequence[Obstacle],
        pairs: Iterable[tuple[str, str]] | None,
    ) -> None:
        import pinocchio as pin

        self._pin = pin
        self._robot = robot
        shapes = load_geometry(robot) if geometry is None else geometry
        self._model = pin.GeometryModel()
        for shape in shapes.geometryObjects:
            self._model.addGeometryObject(_convex(shape))
        self._links = self._model.ngeoms
        self._obstacles = {o.name: self._add_obstacle(o) for o in obstacles}
        self._add_pairs(pairs)
        self._data = pin.GeometryData(self._model)
        objects = self._model.geometryObjects
        self._radii = np.array([_radius(o) for o in objects])
        self._centres = np.array([_centre(o) for o in objects])
        self._pairs = np.array(
            [(p.first, p.second) for p in self._model.collisionPairs], dtype=np.int64
        ).reshape(-1, 2)

    @property
    def pair_names(self) -> tuple[tuple[str, str], ...]:
        """Names of the shapes of every pair."""
        objects = self._model.geometryObjects
        return tuple((objects[int(a)].name, objects[int(b)].name) for a, b in self._pairs)

    def _add_obstacle(self, obstacle: Obstacle) -> int:
        import coal

        if obstacle.box is not None:
            shape = coal.Box(*obstacle.box)
        elif obstacle.height > 0.0:
            shape = coal.Cylinder(obstacle.radius, obstacle.height)
        else:
            shape = coal.Sphere(obstacle.radius)
        pose = obstacle.T_world_obstacle
        T = self._pin.SE3(np.array(pose.rotation), np.array(pose.translation))
        return int(
            self._model.addGeometryObject(self._pin.GeometryObject(obstacle.name, 0, 0, T, shape))
        )

    def move(self, name: str, T_world_obstacle: Pose) -> None:
        """Move an obstacle.

        Args:
            name: Its name.
            T_world_obstacle: Where it is now.

        Raises:
            InputError: If there is no such obstacle.
        """
        if name not in self._obstacles:
            known = ", ".join(self._obstacles) or "none"
            raise InputError(f"no obstacle is called {name!r}; there are {known}")
        T = self._pin.SE3(
            np.array(T_world_obstacle.rotation), np.array(T_world_obstacle.translation)
        )
        self._model.geometryObjects[self._obstacles[name]].placement = T

    def _add_pairs(self, pairs: Iterable[tuple[str, str]] | None) -> None:
        objects = self._model.geometryObjects
        chosen = self._default_pairs() if pairs is None else self._named_pairs(pairs)
        for obstacle in self._obstacles.values():
            chosen += [(i, obstacle) for i in range(self._links) if objects[i].parentJoint != 0]
        for a, b in dict.fromkeys(chosen):
            self._model.addCollisionPair(self._pin.CollisionPair(a, b))

    def _named_pairs(self, pairs: Iterable[tuple[str, str]]) -> list[tuple[int, int]]:
        by_link: dict[str, list[int]] = {}
        for i, shape in enumerate(self._model.geometryObjects):
            link = self._robot.pin_model.frames[shape.parentFrame].name
            by_link.setdefault(link, []).append(i)
        chosen: list[tuple[int, int]] = []
        for first, second in pairs:
            for link in (first, second):
                if link not in by_link:
                    raise InputError(f"link {link!r} of robot {self._robot.name!r} has no shape")
            chosen += [(a, b) for a in by_link[first] for b in by_link[second]]
        return chosen

    def _default_pairs(self) -> list[tuple[int, int]]:
        pin, robot = self._pin, self._robot
        parents = [int(p) for p in robot.pin_model.parents]
        joints = [int(o.parentJoint) for o in self._model.geometryObjects]
        data = robot.pin_model.createData()
        pin.forwardKinematics(robot.pin_model, data, robot.standing_configuration)
        geometry_data = pin.GeometryData(self._model)
        pin.updateGeometryPlacements(robot.pin_model, data, self._model, geometry_data)
        chosen = []
        for a in range(self._links):
            for b in range(a + 1, self._links):
                i, j = joints[a], joints[b]
                if i == j or parents[i] == j or parents[j] == i:
                    continue
                if not self._touch(geometry_data, a, b):
                    chosen.append((a, b))
        return chosen

    def _touch(self, data: Any, a: int, b: int) -> bool:
        import coal

        objects = self._model.geometryObjects
        transforms = [
            coal.Transform3s(M.rotation, M.translation) for M in (data.oMg[a], data.oMg[b])
        ]
        request, result = coal.CollisionRequest(), coal.CollisionResult()
        return bool(
            coal.collide(
                objects[a].geometry,
                transforms[0],
                objects[b].geometry,
                transforms[1],
                request,
                result,
            )
        )

    def nearest(
        self, state: RobotState, within: float, most: int
    ) -> list[tuple[NearestPoints, tuple[int, int]]]:
        """Find the nearest pairs.

        Args:
            state: Of the robot; its kinematics have been computed.
            within: Largest distance [m].
            most: Largest number.

        Returns:
            Nearest points and the two joints that move them, the nearest first.
        """
        pin, model, data = self._pin, self._model, self._data
        self._robot.compute(state)
        pin.updateGeometryPlacements(self._robot.pin_model, self._robot.pin_data, model, data)
        objects = model.geometryObjects
        centres = np.array([M.act(c) for M, c in zip(data.oMg, self._centres, strict=True)])
        if not self._pairs.size:
            return []
        a, b = self._pairs[:, 0], self._pairs[:, 1]
        gap = np.linalg.norm(centres[a] - centres[b], axis=1) - self._radii[a] - self._radii[b]
        found = []
        for k in np.flatnonzero(gap <= within):
            result = pin.computeDistance(model, data, int(k))
            distance = float(result.min_distance)
            if distance > within:
                continue
            points = np.array([result.getNearestPoint1(), result.getNearestPoint2()])
            normal = np.array(result.normal)
            length = float(np.linalg.norm(normal))
            if not np.isfinite(points).all() or length == 0.0:
                continue
            first, second = objects[int(a[k])], objects[int(b[k])]
            near = NearestPoints(
                first=first.name,
                second=second.name,
                distance=distance,
                points=points,
                normal=normal / length,
            )
            found.append((near, (int(first.parentJoint), int(second.parentJoint))))
        found.sort(key=lambda item: item[0].distance)
        return found[:most]


def _convex(shape: Any) -> Any:
    """Replace a mesh by its convex hull; other shapes are convex as they are."""
    copy = shape.copy()
    if hasattr(copy.geometry, "buildConvexRepresentation"):
        copy.geometry.buildConvexRepresentation(True)
        copy.geometry = copy.geometry.convex
    return copy


def _radius(shape: Any) -> float:
    shape.geometry.computeLocalAABB()
    return float(shape.geometry.aabb_radius)


def _centre(shape: Any) -> Vector:
    return np.array(shape.geometry.aabb_center, dtype=np.float64)


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
