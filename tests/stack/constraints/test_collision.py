"""Which shapes are near: hulls of meshes, boxes that rule pairs out, and the rows that follow."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pinocchio as pin
import pytest

from footwork.robot import RobotModel, RobotState, load
from footwork.robot.geometry import load_geometry
from footwork.spatial import Pose
from footwork.stack._kernels.collision import box_gap
from footwork.stack.constraints.velocity import CollisionAvoidance, Obstacle
from footwork.typing import Matrix

BALL = Obstacle(name="ball", T_world_obstacle=Pose.from_translation([0.3, 0.2, 0.1]), radius=0.1)


@pytest.fixture(scope="module")
def g1() -> RobotModel:
    return load("g1")


@pytest.fixture(scope="module")
def avoid(g1: RobotModel) -> CollisionAvoidance:
    return CollisionAvoidance(g1, dt=0.002, max_pairs=12, obstacles=[BALL])


def states(robot: RobotModel, count: int) -> Iterator[RobotState]:
    rng = np.random.default_rng(0)
    for _ in range(count):
        v = np.zeros(robot.nv)
        v[6:] = 0.3 * rng.standard_normal(robot.nv - 6)
        yield robot.state(robot.integrate(robot.standing_configuration, v))


def all_distances(robot: RobotModel, avoid: CollisionAvoidance, state: RobotState) -> list[float]:
    """Ask coal about every pair."""
    model: Any = avoid._scene._model
    data = pin.GeometryData(model)
    pin.forwardKinematics(robot.pin_model, robot.pin_data, state.q)
    pin.updateGeometryPlacements(robot.pin_model, robot.pin_data, model, data)
    count = len(avoid.pair_names)
    return [float(pin.computeDistance(model, data, k).min_distance) for k in range(count)]


def test_no_pair_that_is_nearer_is_left_out(g1: RobotModel, avoid: CollisionAvoidance) -> None:
    """Boxes and the order of their gaps leave out 560 of 600 pairs, never a near one."""
    for state in states(g1, 20):
        avoid.update(state)
        wanted = sorted(d for d in all_distances(g1, avoid, state) if d <= 0.1)[:12]
        got = [near.distance for near in avoid.nearest]
        np.testing.assert_allclose(got, wanted, atol=1e-4)


def mesh_points(robot: RobotModel) -> dict[str, tuple[Any, Matrix]]:
    """Every vertex of every mesh of the description, in its joint's frame."""
    found = {}
    for shape in load_geometry(robot).geometryObjects:
        mesh, T = shape.geometry, shape.placement
        if hasattr(mesh, "num_vertices"):
            points = np.array([mesh.vertex(i) for i in range(mesh.num_vertices)])
            found[shape.name] = (shape.parentJoint, points @ T.rotation.T + T.translation)
    return found


def test_a_plane_between_two_hulls_proves_their_distance(
    g1: RobotModel, avoid: CollisionAvoidance
) -> None:
    """No vertex of either mesh, convex or not, is beyond the planes at the nearest points."""
    meshes, checked = mesh_points(g1), 0
    for state in states(g1, 10):
        avoid.update(state)
        for near in avoid.nearest:
            if near.distance <= 0.0 or not {near.first, near.second} <= set(meshes):
                continue
            ends = []
            for name in (near.first, near.second):
                joint, points = meshes[name]
                T = g1.pin_data.oMi[joint]
                ends.append((points @ T.rotation.T + T.translation) @ near.normal)
            assert ends[1].min() - ends[0].max() == pytest.approx(near.distance, abs=5e-4)
            checked += 1
    assert checked > 20


def test_the_row_is_the_rate_of_the_distance(g1: RobotModel, avoid: CollisionAvoidance) -> None:
    rng, h = np.random.default_rng(1), 1e-3
    for state in states(g1, 5):
        v = rng.standard_normal(g1.nv)
        avoid.update(state)
        rows, now = avoid.Aineq.copy(), avoid.nearest
        later: dict[tuple[str, str], float] = {}
        for step in (h, -h):
            avoid.update(g1.state(g1.integrate(state.q, step * v)))
            for near in avoid.nearest:
                key = (near.first, near.second)
                later[key] = later.get(key, 0.0) + np.sign(step) * near.distance / (2.0 * h)
        for row, near in zip(rows, now, strict=False):
            if near.distance > 0.005 and (near.first, near.second) in later:
                rate = later[near.first, near.second]
                assert -row @ v == pytest.approx(rate, abs=0.02)


def test_gaps_of_boxes_are_lower_bounds() -> None:
    rng = np.random.default_rng(0)
    sharp = 0
    for _ in range(300):
        boxes, corners = [], []
        for _ in range(2):
            R, _ = np.linalg.qr(rng.standard_normal((3, 3)))
            sides, centre = rng.uniform(0.0, 0.5, 3), rng.standard_normal(3)
            boxes.append(np.concatenate([centre, (R * sides).T.ravel()]))
            signs = np.array(np.meshgrid(*[[-1.0, 1.0]] * 3)).reshape(3, -1)
            corners.append(centre + (R @ (sides[:, None] * signs)).T)
        inside = rng.dirichlet(np.ones(8) * 0.2, (2, 400))
        a, b = (inside[k] @ corners[k] for k in range(2))
        nearest = float(np.linalg.norm(a[:, None] - b[None], axis=2).min())
        gap = box_gap(boxes[0], boxes[1], np.inf)
        assert gap <= nearest + 1e-12
        sharp += gap > 0.7 * nearest
    assert sharp > 150


def test_a_moved_obstacle_is_looked_for_where_it_is(
    g1: RobotModel, avoid: CollisionAvoidance
) -> None:
    state = g1.state(g1.standing_configuration)
    hand = state.T_world_frame("right_hand")
    avoid.move_obstacle("ball", hand)
    avoid.update(state)
    assert "ball" in {near.second for near in avoid.nearest}
    avoid.move_obstacle("ball", Pose.from_translation([3.0, 0.0, 0.0]))
    avoid.update(g1.state(g1.standing_configuration))
    assert "ball" not in {near.second for near in avoid.nearest}
