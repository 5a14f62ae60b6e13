"""Every acceleration task's A a + drift is the rate of the velocity that it commands."""

import numpy as np
import pytest

from footwork.errors import InputError, ShapeError
from footwork.robot import RobotState
from footwork.spatial import Pose
from footwork.stack import Affine
from footwork.stack.contact_forces import ContactForces
from footwork.stack.tasks import acceleration, velocity
from footwork.typing import Vector

from ..robots import KINDS, OTHER, TIP, ahead, random_state, robot, skew
from .test_velocity_tasks import naive_angular_momentum

H = 1e-5


def random_acceleration(state: RobotState, seed: int) -> Vector:
    return np.random.default_rng(100 + seed).normal(size=state.robot.nv)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("relative", [False, True])
@pytest.mark.parametrize("axes", ["world", "local"])
def test_cartesian_is_the_rate_of_the_frames_twist(kind: str, relative: bool, axes: str) -> None:
    model = robot(kind)
    base = OTHER[kind] if relative else None
    task = acceleration.Cartesian(model, TIP[kind], base=base, axes=axes)  # type: ignore[arg-type]
    task.kp = task.kd = 0.0
    twist_of = velocity.Cartesian(model, TIP[kind], base=base)
    for seed in range(3):
        state = random_state(model, seed)
        a = random_acceleration(state, seed)
        task.update(state)
        got = task.A @ a - task.b
        sides = []
        for h in (H, -H):
            at = ahead(state, h, a)
            twist_of.update(at)
            sides.append(twist_of.A @ at.v)
        rate = (sides[0] - sides[1]) / (2 * H)
        if axes == "local":
            R = np.array(twist_of.pose(state).rotation)
            rate = np.concatenate([R.T @ rate[:3], R.T @ rate[3:]])
        np.testing.assert_allclose(got, rate, atol=1e-6 * (1.0 + np.abs(rate).max()))


@pytest.mark.parametrize("kind", KINDS)
def test_cartesian_target_is_spring_damper_and_feed_forward(kind: str) -> None:
    model = robot(kind)
    state = random_state(model, 1)
    task = acceleration.Cartesian(model, TIP[kind], lambda_=9.0)
    task.kp, task.kd = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], 0.5
    T, v_ref, a_ref = Pose.exp([0.1] * 6), np.arange(6.0), np.arange(6.0) * 0.1
    task.reference = T, v_ref, a_ref
    task.update(state)
    same = velocity.Cartesian(model, TIP[kind])
    same.reference = T
    same.update(state)
    free = acceleration.Cartesian(model, TIP[kind])
    free.kp = free.kd = 0.0
    free.update(state)
    expected = a_ref + free.b + 9.0 * task.kp * same.error
    expected = expected + 3.0 * 0.5 * (v_ref - same.A @ state.v)
    np.testing.assert_allclose(task.b, expected, atol=1e-9)
    task.update(model.state(state.q, state.v))
    assert not task.reference[1].any()
    assert not task.reference[2].any()


def test_hold_blends_from_tracking_to_rest() -> None:
    model = robot("g1")
    state = random_state(model, 2)
    results = []
    for hold in (0.0, 0.25, 1.0):
        task = acceleration.Cartesian(model, "left_foot")
        task.reference = Pose.identity(), np.ones(6), np.ones(6)
        task.hold = hold
        task.update(state)
        results.append(task.b)
    np.testing.assert_allclose(results[1], 0.75 * results[0] + 0.25 * results[2], atol=1e-9)
    rest = acceleration.Contact(model, "left_foot", damping=20.0, axes="world")
    rest.update(state)
    np.testing.assert_allclose(results[2], rest.b, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_com_is_the_rate_of_its_velocity(kind: str) -> None:
    model = robot(kind)
    task = acceleration.CoM(model)
    task.kp = task.kd = 0.0
    for seed in range(3):
        state = random_state(model, seed)
        a = random_acceleration(state, seed)
        task.update(state)
        got = task.A @ a - task.b
        rate = (ahead(state, H, a).v_world_com - ahead(state, -H, a).v_world_com) / (2 * H)
        np.testing.assert_allclose(got, rate, atol=1e-6)
    task = acceleration.CoM(model, lambda_=4.0)
    task.reference = [0.1, 0.2, 0.3], [1.0, 2.0, 3.0], [4.0, 5.0, 6.0]
    task.update(state)
    error = np.array([0.1, 0.2, 0.3]) - state.p_world_com
    slip = np.array([1.0, 2.0, 3.0]) - state.v_world_com
    np.testing.assert_allclose(task.error, error, atol=1e-12)
    np.testing.assert_allclose(task.error_rate, 2.0 * slip, atol=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_angular_momentum_is_the_rate_of_the_momentum(kind: str) -> None:
    model = robot(kind)
    task = acceleration.AngularMomentum(model)
    task.k = 0.0
    for seed in range(3):
        state = random_state(model, seed)
        a = random_acceleration(state, seed)
        task.update(state)
        got = task.A @ a - task.b
        plus, minus = (naive_angular_momentum(ahead(state, h, a)) for h in (H, -H))
        np.testing.assert_allclose(got, (plus - minus) / (2 * H), atol=1e-5)
    task.k, task.lambda_ = [1.0, 2.0, 3.0], 5.0
    task.reference = [1.0, 1.0, 1.0], [0.1, 0.2, 0.3]
    task.update(model.state(state.q, state.v))
    momentum = naive_angular_momentum(state)
    np.testing.assert_allclose(task.error, np.array([1.0, 2.0, 3.0]) * (1.0 - momentum), atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_contact_is_the_rate_of_the_twist(kind: str) -> None:
    model = robot(kind)
    K = np.random.default_rng(0).normal(size=(6, 6))
    for mode, rows in (("pose", 6), ("position", 3)):
        plain = acceleration.Contact(model, TIP[kind], mode=mode)
        same = acceleration.Cartesian(model, TIP[kind], mode=mode, axes="local")
        same.kp = same.kd = 0.0
        damped = acceleration.Contact(model, TIP[kind], mode=mode, damping=7.0)
        mixed = acceleration.Contact(model, TIP[kind], mode=mode, damping=7.0, K=K)
        state = random_state(model, 3)
        for task in (plain, same, damped, mixed):
            task.update(state)
        np.testing.assert_allclose(plain.A, same.A, atol=1e-12)
        np.testing.assert_allclose(plain.b, same.b, atol=1e-9)
        np.testing.assert_allclose(damped.b, plain.b - 7.0 * plain.A @ state.v, atol=1e-9)
        block = K[:rows, :rows]
        np.testing.assert_allclose(mixed.A, block @ damped.A, atol=1e-9)
        np.testing.assert_allclose(mixed.b, block @ damped.b, atol=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_postural_is_spring_damper_on_the_joints(kind: str) -> None:
    model = robot(kind)
    goal = model.random_configuration(np.random.default_rng(8))
    for base in {False, model.has_floating_base}:
        task = acceleration.Postural(model, base=base, lambda_=16.0)
        n = task.task_size
        task.kp, task.kd = np.linspace(1.0, 2.0, n), 0.5
        v_ref, a_ref = np.linspace(-1.0, 1.0, n), np.linspace(0.0, 3.0, n)
        task.reference = goal, v_ref, a_ref
        state = random_state(model, 4)
        task.update(state)
        error = model.difference(state.q, goal)[-n:]
        expected = a_ref + 16.0 * task.kp * error + 4.0 * 0.5 * (v_ref - state.v[-n:])
        np.testing.assert_allclose(task.b, expected, atol=1e-8)


@pytest.mark.parametrize("kind", KINDS)
def test_min_joint_vel_stops_in_one_step(kind: str) -> None:
    model = robot(kind)
    state = random_state(model, 5)
    task = acceleration.MinJointVel(model, dt=0.01)
    task.update(state)
    np.testing.assert_allclose(state.v[-model.nu :] + 0.01 * task.b, np.zeros(model.nu), atol=1e-12)
    with pytest.raises(InputError, match="dt must be positive"):
        acceleration.MinJointVel(model, dt=0.0)


def naive_base_rows(state: RobotState, contacts: list[ContactForces], x: Vector) -> Vector:
    """Inverse dynamics by Pinocchio with the forces put on the joints: what the base would need."""
    import pinocchio as pin

    model = state.robot.pin_model
    nv = state.robot.nv
    tau: Vector = pin.rnea(model, model.createData(), state.q, state.v, x[:nv])
    column = nv
    for contact in contacts:
        J = state.robot.jacobian(state, contact.frame)
        R = state.placement(contact.frame)[0]
        axes = R if contact.own_axes else contact.R_world_ground
        forces = x[column : column + contact.size]
        if contact.kind == "wrench":
            tau = tau - J[:3].T @ (axes @ forces[:3]) - J[3:].T @ (axes @ forces[3:])
        else:
            for point, f in zip(contact.points, forces.reshape(-1, 3), strict=True):
                tau = tau - (J[:3] - skew(R @ point) @ J[3:]).T @ (axes @ f)
        column += contact.size
    return tau


@pytest.mark.parametrize("kind", ["g1", "go2"])
@pytest.mark.parametrize("force_kind", ["points", "wrench"])
def test_dynamic_feasibility_is_the_equation_of_motion_of_the_base(
    kind: str, force_kind: str
) -> None:
    model = robot(kind)
    assert model.entry is not None
    ground = np.array(Pose.from_rpy([0.0, 0.0, 0.0], [0.2, -0.1, 0.5]).rotation)
    contacts = [
        ContactForces.of_foot(
            foot,
            kind="points" if foot.is_point else force_kind,  # type: ignore[arg-type]
            R_world_ground=ground,
        )
        for foot in model.entry.feet
    ]
    task = acceleration.DynamicFeasibility(model, contacts)
    for seed in range(3):
        state = random_state(model, seed)
        x = np.random.default_rng(seed).normal(size=task.x_size)
        task.update(state)
        np.testing.assert_allclose(
            task.A @ x - task.b, naive_base_rows(state, contacts, x)[:6], atol=1e-9
        )


def test_a_task_in_a_larger_unknown_has_its_columns_there() -> None:
    model = robot("panda")
    n = model.nv + 5
    M = np.zeros((model.nv, n))
    M[:, 3 : 3 + model.nv] = np.eye(model.nv)
    slice_of_x = Affine(M)
    mapped = Affine(2.0 * M, np.ones(model.nv))
    state = random_state(model, 0)
    own = acceleration.CoM(model)
    there = acceleration.CoM(model, variable=slice_of_x)
    bent = acceleration.CoM(model, variable=mapped)
    for task in (own, there, bent):
        task.update(state)
    np.testing.assert_allclose(there.A, own.A @ M, atol=0.0)
    np.testing.assert_allclose(bent.A, own.A @ (2.0 * M), atol=1e-12)
    np.testing.assert_allclose(bent.b, own.b - own.A @ np.ones(model.nv), atol=1e-12)


def test_gains_are_checked_and_nothing_changes() -> None:
    task = acceleration.Cartesian(robot("panda"), "hand")
    with pytest.raises(InputError, match="kp of 'hand' must not be negative"):
        task.kp = -1.0
    with pytest.raises(ShapeError, match="kd of 'hand'"):
        task.kd = [1.0, 2.0]
    with pytest.raises(InputError, match=r"hold of 'hand' must be in \[0, 1\]"):
        task.hold = 1.5
    np.testing.assert_array_equal(task.kp, np.ones(6))
    np.testing.assert_array_equal(task.kd, np.full(6, 2.0))
