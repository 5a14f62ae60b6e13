"""Shapes of a robot and obstacles: which pairs are watched, and which of them are near."""

from bisect import insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from footwork.errors import InputError
from footwork.robot import RobotModel, RobotState
from footwork.robot.geometry import load_geometry
from footwork.spatial import Pose
from footwork.stack._kernels.collision import find_near
from footwork.stack._kernels.workspace import IntMatrix
from footwork.typing import IntVector, Matrix, Tensor, Vector


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


@dataclass(kw_only=True, eq=False)
class Near:
    """The nearest pairs, the first ``count`` entries of each array.

    Attributes:
        count: How many there are.
        pairs: Index of each pair.
        distances: [m].
        joints: The two joints that move its shapes, shape (most, 2).
        points: Nearest points in the world [m], shape (most, 2, 3).
        normals: Unit vectors from the first to the second, shape (most, 3).
    """

    count: int
    pairs: IntVector
    distances: Vector
    joints: IntMatrix
    points: Tensor
    normals: Matrix

    @staticmethod
    def empty(most: int) -> "Near":
        """Make room.

        Args:
            most: For how many pairs.

        Returns:
            With none in it.
        """
        return Near(
            count=0,
            pairs=np.zeros(most, dtype=np.int64),
            distances=np.zeros(most),
            joints=np.zeros((most, 2), dtype=np.int64),
            points=np.zeros((most, 2, 3)),
            normals=np.zeros((most, 3)),
        )

    def fill(self, found: list[tuple[float, int, Any]], joints: IntMatrix) -> None:
        """Write pairs, without those of which coal cannot say where they are nearest.

        Args:
            found: Distance [m], index and ``coal.DistanceResult`` of each pair.
            joints: The two joints of every pair that is watched.
        """
        n = len(found)
        self.count = n
        if n == 0:
            return
        results = [entry[2] for entry in found]
        self.distances[:n] = [entry[0] for entry in found]
        self.pairs[:n] = [entry[1] for entry in found]
        self.points[:n, 0] = [result.getNearestPoint1() for result in results]
        self.points[:n, 1] = [result.getNearestPoint2() for result in results]
        self.normals[:n] = [result.normal for result in results]
        lengths = np.sqrt((self.normals[:n] ** 2).sum(axis=1))
        is_known = (lengths > 0.0) & np.isfinite(self.points[:n].sum(axis=(1, 2)) + lengths)
        if not is_known.all():
            self.fill([found[k] for k in np.flatnonzero(is_known)], joints)
            return
        self.normals[:n] /= lengths[:, None]
        self.joints[:n] = joints[self.pairs[:n]]


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
        self._pairs = np.array(
            [(p.first, p.second) for p in self._model.collisionPairs], dtype=np.int64
        ).reshape(-1, 2)
        self._bound_shapes()

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
        obstacle = self._obstacles[name]
        self._model.geometryObjects[obstacle].placement = T
        self._boxes[obstacle] = _box(self._model.geometryObjects[obstacle])

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

    def _bound_shapes(self) -> None:
        """Read where each shape's box is on its joint, and which columns move the joint."""
        objects, robot = self._model.geometryObjects, self._robot
        self._joints = np.array([int(o.parentJoint) for o in objects], dtype=np.int64)
        self._joints_of_pairs = self._joints[self._pairs]
        self._boxes = np.array([_box(o) for o in objects]).reshape(-1, 15)
        self._placed = np.zeros((len(objects), 25))
        self._gaps = np.zeros(len(self._pairs))
        self._order = np.zeros(len(self._pairs), dtype=np.int64)
        self.support = np.zeros((robot.pin_model.njoints, robot.views.JT.shape[0]), dtype=np.int64)
        for joint in set(self._joints.tolist()):
            self.support[joint, robot.support_of(joint)] = 1

    def find(self, state: RobotState, within: float, near: Near) -> None:
        """Find the nearest pairs.

        Boxes are looked at first, and pairs in the order of their gaps: when as many as are wanted
        are nearer than the next gap, the rest cannot be.

        Args:
            state: Of the robot.
            within: Largest distance [m].
            near: Written; its length is the largest number.
        """
        pin, model, data, robot = self._pin, self._model, self._data, self._robot
        robot.compute(state)
        candidates = find_near(
            *(robot.views.oMi, self._joints, self._boxes, self._pairs, within),
            *(self._placed, self._gaps, self._order),
        )
        most = near.distances.size
        pin.updateGeometryPlacements(robot.pin_model, robot.pin_data, model, data)
        found: list[tuple[float, int, Any]] = []
        for gap, pair in zip(self._gaps[:candidates].tolist(), self._order.tolist(), strict=False):
            if len(found) == most and gap >= found[-1][0]:
                break
            result = pin.computeDistance(model, data, pair)
            distance = result.min_distance
            if distance > within or (len(found) == most and distance >= found[-1][0]):
                continue
            insort(found, (distance, pair, result), key=_distance)
            del found[most:]
        near.fill(found, self._joints_of_pairs)

    def describe(self, near: Near) -> tuple[NearestPoints, ...]:
        """Name what was found.

        Args:
            near: Of the last `find`.

        Returns:
            One entry a pair, the nearest first.
        """
        names = self.pair_names
        return tuple(
            NearestPoints(
                first=names[near.pairs[k]][0],
                second=names[near.pairs[k]][1],
                distance=float(near.distances[k]),
                points=near.points[k].copy(),
                normal=near.normals[k].copy(),
            )
            for k in range(near.count)
        )


def _distance(entry: tuple[float, int, Any]) -> float:
    return entry[0]


def _convex(shape: Any) -> Any:
    """Replace a mesh by its convex hull; other shapes are convex as they are.

    coal's own ``buildConvexRepresentation`` takes a mesh as it is, as if it were convex, and its
    distances are then too large by centimetres.
    """
    copy = shape.copy()
    if not hasattr(copy.geometry, "buildConvexRepresentation"):
        return copy
    import coal
    from scipy.spatial import ConvexHull

    mesh = copy.geometry
    points = np.array([mesh.vertex(i) for i in range(mesh.num_vertices)])
    hull = ConvexHull(points)
    a, b, c = points[hull.simplices.T]
    faces = hull.simplices.copy()
    is_inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), hull.equations[:, :3]) < 0.0
    faces[is_inward] = faces[is_inward, ::-1]
    index = np.zeros(len(points), dtype=np.int64)
    index[hull.vertices] = np.arange(hull.vertices.size)
    corners, triangles = coal.StdVec_Vec3s(), coal.StdVec_Triangle()
    for point in points[hull.vertices]:
        corners.append(point)
    for face in index[faces].tolist():
        triangles.append(coal.Triangle(*face))
    copy.geometry = coal.Convex(corners, triangles)
    return copy


def _box(shape: Any) -> Vector:
    """Read a shape's box in the axes of its joint: R by rows, centre, half sides."""
    shape.geometry.computeLocalAABB()
    low, high = shape.geometry.aabb_local.min_, shape.geometry.aabb_local.max_
    T = shape.placement
    centre = T.rotation @ (0.5 * (low + high)) + T.translation
    return np.concatenate([T.rotation.ravel(), centre, 0.5 * (high - low)])
