"""Frames, the centre of mass and links stay where they may be."""

import numpy as np
import pytest

from footwork.errors import InputError
from footwork.robot import RobotModel, RobotState
from footwork.spatial import Pose
from footwork.stack import Stack
from footwork.stack.constraints import velocity
from footwork.stack.constraints.velocity import Obstacle
from footwork.stack.tasks import velocity as tasks
from footwork.typing import Vector

from ..robots import KINDS, OTHER, TIP, random_state, robot


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("relative", [False, True])
def test_frame_velocity_rows_are_those_of_the_task(kind: str, relative: bool) -> None:
    model = robot(kind)
    base = OTHER[kind] if relative else None
    state = random_state(model, 0)
    for mode, rows in (("pose", 6), ("position", 3), ("orientation", 3)):
        limit = velocity.CartesianVelocity(
            model, TIP[kind], np.arange(1.0, rows + 1), base=base, mode=mode, axes="local"
        )
        task = tasks.Cartesian(model, TIP[kind], base=base, mode=mode, axes="local")
        for part in (limit, task):
            part.update(state)
        np.testing.assert_allclose(limit.Aineq, task.A, atol=1e-12)
        np.testing.assert_array_equal(limit.b_upper, np.arange(1.0, rows + 1))
        np.testing.assert_array_equal(limit.b_lower, -np.arange(1.0, rows + 1))
    limit.limits = 0.5
    limit.update(model.state(state.q))
    np.testing.assert_array_equal(limit.b_upper, np.full(3, 0.5))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("relative", [False, True])
def test_frame_position_rows_are_normals_times_the_jacobian(kind: str, relative: bool) -> None:
    model = robot(kind)
    base = OTHER[kind] if relative else None
    rng = np.random.default_rng(0)
    A, b = rng.normal(size=(4, 3)), rng.normal(size=4)
    limit = velocity.CartesianPosition(model, TIP[kind], A=A, b=b, dt=0.1, gain=0.5, base=base)
    task = tasks.Cartesian(model, TIP[kind], base=base, mode="position")
    for seed in range(3):
        state = random_state(model, seed)
        limit.update(state)
        task.update(state)
        np.testing.assert_allclose(limit.Aineq, A @ task.A, atol=1e-10)
        inside = b - A @ task.pose(state).translation
        np.testing.assert_allclose(limit.b_upper, 5.0 * inside, atol=1e-9)


def test_a_hand_stops_at_a_wall() -> None:
    model = robot("panda")
    hand = tasks.Cartesian(model, "hand", mode="position")
    hand.lambda_ = 5.0
    q = model.standing_configuration
    start = model.state(q).T_world_frame("hand").translation
    hand.reference = start + np.array([0.4, 0.1, 0.0])
    wall = velocity.CartesianPosition(
        model, "hand", A=[[1.0, 0.0, 0.0]], b=[0.5], dt=0.02, gain=0.2
    )
    stack = (hand / tasks.Postural(model)) << (wall, velocity.JointLimits(model, dt=0.02))
    for _ in range(300):
        solution = stack.solve(model.state(q))
        assert solution.is_solved
        q = model.integrate(q, solution.x * 0.02)
        assert model.state(q).T_world_frame("hand").translation[0] <= 0.5 + 1e-4
    end = model.state(q).T_world_frame("hand").translation
    assert end[0] == pytest.approx(0.5, abs=1e-3)
    assert end[1] == pytest.approx(hand.reference[0].translation[1], abs=1e-3)


@pytest.mark.parametrize("kind", ["g1", "go2"])
def test_the_centre_of_mass_stays_above_the_feet(kind: str) -> None:
    """It is drawn far out, and stops a margin before the edge of the hull of all soles."""
    model = robot(kind)
    assert model.entry is not None
    hull = velocity.ConvexHull(model, dt=0.02, margin=0.01, gain=0.3)
    com = tasks.CoM(model)
    com.lambda_ = 3.0
    feet = [
        tasks.Cartesian(model, f.name, mode="position" if f.is_point else "pose")
        for f in model.entry.feet
    ]
    holding = feet[0]
    for foot in feet[1:]:
        holding = holding + foot  # type: ignore[assignment]
    q = model.standing_configuration
    stack = (holding / com["x", "y"] / tasks.Postural(model)) << (
        hull,
        velocity.JointLimits(model, dt=0.02),
    )
    start = model.state(q).p_world_com
    for direction in ([1.0, 0.0], [0.3, 1.0]):
        com.reference = start + np.array([direction[0], direction[1], 0.0])
        for _ in range(150):
            solution = stack.solve(model.state(q))
            assert solution.is_solved
            q = model.integrate(q, solution.x * 0.02)
            edge = distance_to_edge(model.state(q))
            assert edge >= 0.01 - 1e-3
        assert edge == pytest.approx(0.01, abs=2e-3)


def distance_to_edge(state: RobotState) -> float:
    """Distance of the centre of mass to the nearest edge of the hull, positive inside; by scipy."""
    from scipy.spatial import ConvexHull

    assert state.robot.entry is not None
    corners = []
    for foot in state.robot.entry.feet:
        R, p = state.placement(foot.name)
        corners += list(p + foot.corners @ R.T)
    equations = ConvexHull(np.array(corners)[:, :2]).equations
    return float(-np.max(equations[:, :2] @ state.p_world_com[:2] + equations[:, 2]))


def test_the_hull_follows_the_contacts() -> None:
    model = robot("go2")
    hull = velocity.ConvexHull(model, dt=0.1)
    state = model.state(model.standing_configuration)
    hull.update(state)
    assert np.isfinite(hull.b_upper).sum() == 4
    assert (hull.b_upper > 0.0).all()
    hull.set_contact("front_left_foot", False)
    hull.update(model.state(state.q))
    assert np.isfinite(hull.b_upper).sum() == 3
    hull.set_contact("front_right_foot", False)
    hull.update(model.state(state.q))
    assert np.isinf(hull.b_upper).all()
    with pytest.raises(InputError, match="no contact 'tail'"):
        hull.set_contact("tail", True)
    with pytest.raises(InputError, match="expected True or False"):
        hull.set_contact("front_left_foot", "no")  # type: ignore[arg-type]


ARM = """<robot name="arm"><link name="root"/>
<link name="a"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
</inertial><collision><origin xyz="0.5 0 0"/><geometry><sphere
radius="0.1"/></geometry></collision></link> <link name="b"><inertial><mass value="1"/><inertia
ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/> </inertial><collision><origin xyz="0.5 0
0"/><geometry><sphere radius="0.1"/></geometry></collision></link> <joint name="j1"
type="revolute"><parent link="root"/><child link="a"/><axis xyz="0 0 1"/> <limit lower="-3"
upper="3" velocity="2" effort="1"/></joint> <joint name="j2" type="revolute"><parent
link="root"/><child link="b"/><axis xyz="0 0 1"/> <limit lower="-3" upper="3" velocity="2"
effort="1"/></joint></robot>"""


def two_arms() -> RobotModel:
    return RobotModel.from_urdf(ARM, floating_base=False)


def test_distances_of_spheres_and_their_rates_are_exact() -> None:
    model = two_arms()
    ball = Obstacle(name="ball", T_world_obstacle=Pose.from_translation([0, 0.9, 0]), radius=0.2)
    avoid = velocity.CollisionAvoidance(
        model, dt=0.1, pairs=[("a", "b")], obstacles=[ball], detection_distance=2.0, gain=1.0
    )
    q = np.array([0.3, 1.1])
    avoid.update(model.state(q))
    tips = 0.5 * np.column_stack([np.cos(q), np.sin(q)])
    expected = {
        frozenset({"a_0", "b_0"}): np.linalg.norm(tips[0] - tips[1]) - 0.2,
        frozenset({"a_0", "ball"}): np.linalg.norm(tips[0] - [0, 0.9]) - 0.3,
        frozenset({"b_0", "ball"}): np.linalg.norm(tips[1] - [0, 0.9]) - 0.3,
    }
    assert len(avoid.nearest) == 3
    for row, near in enumerate(avoid.nearest):
        distance = expected[frozenset({near.first, near.second})]
        assert near.distance == pytest.approx(distance, abs=1e-6)
        assert avoid.b_upper[row] == pytest.approx(10.0 * (distance - 0.005), abs=1e-4)
    h = 1e-3
    rows = avoid.Aineq.copy()
    for k in range(2):
        step = np.zeros(2)
        step[k] = h
        before, after = distances(avoid, model, q - step), distances(avoid, model, q + step)
        avoid.update(model.state(q))
        for row, near in enumerate(avoid.nearest):
            pair = frozenset({near.first, near.second})
            rate = (after[pair] - before[pair]) / (2 * h)
            assert -rows[row, k] == pytest.approx(rate, abs=1e-3)


def distances(
    avoid: velocity.CollisionAvoidance, model: RobotModel, q: Vector
) -> dict[frozenset[str], float]:
    avoid.update(model.state(q))
    return {frozenset({near.first, near.second}): near.distance for near in avoid.nearest}


def test_links_and_obstacles_keep_their_distance() -> None:
    model = two_arms()
    avoid = velocity.CollisionAvoidance(
        model, dt=0.02, pairs=[("a", "b")], smallest_distance=0.02, detection_distance=0.5, gain=0.3
    )
    posture = tasks.Postural(model)
    posture.lambda_ = 3.0
    posture.reference = [1.0, 0.0]
    stack = Stack([posture]) << (avoid, velocity.VelocityLimits(model))
    q = np.array([0.0, 1.0])
    nearest = 1.0
    for _ in range(200):
        solution = stack.solve(model.state(q))
        assert solution.is_solved
        q = model.integrate(q, solution.x * 0.02)
        nearest = min(nearest, next(iter(distances(avoid, model, q).values()), 1.0))
    assert nearest == pytest.approx(0.02, abs=1e-3)
    assert q[0] < q[1]


def test_an_obstacle_that_moves_pushes() -> None:
    model = two_arms()
    ball = Obstacle(name="ball", T_world_obstacle=Pose.from_translation([0.5, 2.0, 0]), radius=0.1)
    avoid = velocity.CollisionAvoidance(model, dt=0.02, pairs=[], obstacles=[ball])
    stack = Stack([tasks.Postural(model)]) << avoid
    q = np.array([0.0, -1.5])
    for y in np.linspace(0.5, 0.15, 100):
        avoid.move_obstacle("ball", Pose.from_translation([0.5, y, 0.0]))
        q = model.integrate(q, stack.solve(model.state(q)).x * 0.02)
    assert q[0] < -0.05
    with pytest.raises(InputError, match="no obstacle is called 'cube'"):
        avoid.move_obstacle("cube", Pose.identity())


def test_pairs_of_a_zoo_robot_leave_out_what_always_touches() -> None:
    model = robot("go2")
    avoid = velocity.CollisionAvoidance(model, dt=0.01)
    names = avoid.pair_names
    assert names
    assert not any(a.split("_")[:2] == b.split("_")[:2] for a, b in names)
    avoid.update(model.state(model.standing_configuration))
    assert all(near.distance >= 0.0 for near in avoid.nearest)
    with pytest.raises(InputError, match="has no shape"):
        velocity.CollisionAvoidance(model, dt=0.01, pairs=[("tail", "base")])
    with pytest.raises(InputError, match="smallest_distance < detection_distance"):
        velocity.CollisionAvoidance(model, dt=0.01, detection_distance=0.001)


def wheeled_robot() -> RobotModel:
    """A base with four wheels that turn about its y axis."""
    inertia = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    body = f'<inertial><mass value="1"/>{inertia}</inertial>'
    parts = [f'<link name="base">{body}</link>']
    for name, x, y in (("fl", 0.3, 0.2), ("fr", 0.3, -0.2), ("rl", -0.3, 0.2), ("rr", -0.3, -0.2)):
        parts.append(
            f'<link name="w_{name}">{body}</link><joint name="{name}" type="continuous">'
            f'<parent link="base"/><child link="w_{name}"/><origin xyz="{x} {y} 0"/>'
            '<axis xyz="0 1 0"/></joint>'
        )
    return RobotModel.from_urdf(f'<robot name="wheels">{"".join(parts)}</robot>')


def test_omni_wheels_roll_without_slipping_along_their_rollers() -> None:
    """Where a mecanum wheel touches, the ground does not move along the roller's push, at 45°."""
    model, r, wheels = wheeled_robot(), 0.08, ("fl", "fr", "rl", "rr")
    limit = velocity.OmniWheels4X(model, wheels, base="base", l1=0.3, l2=0.2, wheel_radius=r)
    rng = np.random.default_rng(0)
    for seed in range(5):
        state = random_state(model, seed)
        limit.update(state)
        assert np.linalg.matrix_rank(limit.Aeq) == 3
        np.testing.assert_array_equal(limit.beq, np.zeros(3))
        vx, vy, wz = rng.standard_normal(3)
        v = np.zeros(model.nv)
        v[0], v[1], v[5] = vx, vy, wz
        for k, (x, y) in enumerate(((0.3, 0.2), (0.3, -0.2), (-0.3, 0.2), (-0.3, -0.2))):
            push = 1.0 if k in {0, 3} else -1.0
            # Rim against hub: r w backwards; only its part across the roller's axis holds.
            along = (vx - wz * y) - push * (vy + wz * x)
            v[model.joint_index(wheels[k])] = along / r
        np.testing.assert_allclose(limit.Aeq @ v, np.zeros(3), atol=1e-12)


def test_wheels_that_make_no_sense_are_named() -> None:
    model = wheeled_robot()
    for names in (("fl", "fr", "rl"), ("fl", "fl", "rl", "rr")):
        with pytest.raises(InputError, match="four different wheels"):
            velocity.OmniWheels4X(model, names, base="base", l1=0.3, l2=0.2, wheel_radius=0.1)
    with pytest.raises(InputError, match="is fixed"):
        velocity.OmniWheels4X(robot("panda"), (), base="hand", l1=0.3, l2=0.2, wheel_radius=0.1)
