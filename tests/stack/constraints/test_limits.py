"""Limits of joints hold over random steps, from anywhere, at any time step."""

import numpy as np
import pytest

from footwork.errors import InputError
from footwork.robot import RobotModel
from footwork.stack import Stack
from footwork.stack.constraints import acceleration, velocity
from footwork.stack.inverse_dynamics import InverseDynamics
from footwork.stack.tasks import acceleration as acceleration_tasks
from footwork.stack.tasks import velocity as velocity_tasks
from footwork.typing import Vector

from ..robots import KINDS, random_state, robot

JOINT = (
    '<robot name="one"><link name="base"/><link name="tip"><inertial><mass value="1"/>'
    '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
    '<joint name="j" type="revolute"><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/>'
    '<limit lower="-1" upper="1" velocity="1" effort="10"/></joint></robot>'
)


def clip(x: Vector, low: Vector, high: Vector) -> Vector:
    assert (low <= high).all()
    clipped: Vector = np.clip(x, low, high)
    return clipped


@pytest.mark.parametrize("kind", KINDS)
def test_velocity_box_keeps_positions_and_speeds_over_random_steps(kind: str) -> None:
    model = robot(kind)
    rng = np.random.default_rng(0)
    for dt in (0.001, 0.01, 0.1):
        box = velocity.JointLimits(model, dt=dt)
        q = model.random_configuration(rng)
        for _ in range(300):
            box.update(model.state(q))
            v = clip(rng.normal(scale=20.0, size=model.nv), box.lower, box.upper)
            assert (np.abs(v) <= model.velocity_limits).all()
            q = model.integrate(q, v * dt)
            check_positions(model, q)


def check_positions(model: RobotModel, q: Vector) -> None:
    lower, upper = model.position_limits
    for name in model.joint_names:
        i, iq = model.joint_index(name), model.position_index(name)
        assert lower[i] - 1e-10 <= q[iq] <= upper[i] + 1e-10, name


@pytest.mark.parametrize("dt", [0.001, 0.005, 0.02, 0.05])
@pytest.mark.parametrize("steps", ["exact", "semi-implicit", "velocity"])
def test_viable_limits_never_leave_the_range_in_10000_random_steps(dt: float, steps: str) -> None:
    """Position, speed and acceleration hold together, whatever is asked for, for ever."""
    model = robot("panda")
    most = 20.0
    box: velocity.JointLimitsInvariance | acceleration.JointLimits
    if steps == "velocity":
        box = velocity.JointLimitsInvariance(model, dt=dt, acceleration_limits=most)
    else:
        box = acceleration.JointLimits(
            model,
            dt=dt,
            acceleration_limits=most,
            steps=steps,  # type: ignore[arg-type]
        )
    rng = np.random.default_rng(1)
    q, v = model.standing_configuration, np.zeros(model.nv)
    wish = np.zeros(model.nv)
    for k in range(2500):
        if k % 50 == 0:  # push for a while: that is what reaches the limits
            wish = rng.choice([-1.0, 0.0, 1.0], size=model.nv) * 1e3
        box.update(model.state(q, v))
        x = clip(wish + rng.normal(size=model.nv), box.lower, box.upper)
        if steps == "velocity":
            assert (np.abs(x - v) <= most * dt * (1 + 1e-12)).all()
            v = x
            q = model.integrate(q, v * dt)
        else:
            assert (np.abs(x) <= most * (1 + 1e-12)).all()
            step = v * dt + 0.5 * x * dt * dt if steps == "exact" else (v + x * dt) * dt
            v = v + x * dt
            q = model.integrate(q, step)
        assert (np.abs(v) <= model.velocity_limits * (1 + 1e-12)).all()
        check_positions(model, q)


@pytest.mark.parametrize("most", [1.0, 20.0, 1e3, 1e6])
@pytest.mark.parametrize("distance", [0.0, 1e-9, 1e-5, 1e-3, 0.1])
def test_who_rests_inside_may_go_on_resting(most: float, distance: float) -> None:
    """However near the limit and whatever the brakes: sides stay in order and within the speed."""
    model = RobotModel.from_urdf(JOINT, floating_base=False)
    for side in (1.0, -1.0):
        box = velocity.JointLimitsInvariance(model, dt=0.01, acceleration_limits=most)
        box.update(model.state(np.array([side * (1.0 - distance)])))
        assert -1.0 <= box.lower[0] <= 0.0 <= box.upper[0] <= 1.0
        towards = box.upper[0] if side > 0.0 else -box.lower[0]
        assert towards * 0.01 <= distance * (1.0 + 1e-12)


def test_viable_limits_touch_what_they_allow() -> None:
    """Not only safe: a joint that is pushed comes close to its limit, and at full speed."""
    model = RobotModel.from_urdf(JOINT, floating_base=False)
    for steps in ("exact", "semi-implicit"):
        box = acceleration.JointLimits(
            model,
            dt=0.01,
            acceleration_limits=5.0,
            steps=steps,
        )
        q, v, fastest = np.zeros(1), np.zeros(1), 0.0
        for _ in range(400):
            box.update(model.state(q, v))
            a = box.upper
            step = v * 0.01 + 0.5e-4 * a if steps == "exact" else (v + 0.01 * a) * 0.01
            v, q = v + 0.01 * a, q + step
            fastest = max(fastest, float(v[0]))
        assert fastest == pytest.approx(1.0)
        assert 0.999 < q[0] <= 1.0


def test_a_joint_outside_comes_back_at_its_largest_speed_while_others_go_on() -> None:
    """One joint in [−1, 1] at 1.5, at most 1 rad/s, dt 0.01: 50 steps back to the limit."""
    model = RobotModel.from_urdf(JOINT, floating_base=False)
    stack = Stack([velocity_tasks.Postural(model)]) << (
        velocity.JointLimits(model, dt=0.01, gain=0.5),
        velocity.VelocityLimits(model),
    )
    q = np.array([1.5])
    steps = 0
    while q[0] > 1.0 + 1e-9 and steps < 60:
        solution = stack.solve(model.state(q))
        assert solution.is_solved
        assert abs(solution.x[0]) <= 1.0 + 1e-9
        q = model.integrate(q, solution.x * 0.01)
        steps += 1
    assert 50 <= steps <= 60


@pytest.mark.parametrize("kind", ["g1", "go2"])
def test_a_humanoid_with_a_joint_outside_is_still_solved(kind: str) -> None:
    model = robot(kind)
    q = model.standing_configuration
    name = model.joint_names[3]
    i, iq = model.joint_index(name), model.position_index(name)
    q[iq] = model.position_limits[1][i] + 0.5
    stack = Stack([velocity_tasks.CoM(model) + velocity_tasks.Postural(model)]) << (
        velocity.JointLimits(model, dt=0.01),
        velocity.VelocityLimits(model),
    )
    solution = stack.solve(model.state(q))
    assert solution.is_solved
    assert solution.x[i] == pytest.approx(-model.velocity_limits[i], rel=1e-9)


def test_a_gripper_a_hair_outside_goes_on() -> None:
    """q = −0.000128515 of a joint in [0, 0.05]: not refused, inside to 1e-6 in the end."""
    model = robot("panda")
    q = model.standing_configuration
    iq = model.position_index("panda_finger_joint1")
    q[iq] = -0.000128515
    stack = Stack([velocity_tasks.Postural(model)]) << velocity.JointLimits(model, dt=0.01)
    for _ in range(530):
        solution = stack.solve(model.state(q))
        assert solution.is_solved
        q = model.integrate(q, solution.x * 0.01)
        assert q[iq] >= -0.000128515
    assert q[iq] >= -1e-6


@pytest.mark.parametrize("dt", [0.001, 0.01, 0.1])
def test_a_joint_near_its_limit_stays_inside_at_every_time_step(dt: float) -> None:
    model = RobotModel.from_urdf(JOINT, floating_base=False)
    task = velocity_tasks.Postural(model)
    task.reference = [3.0]
    task.lambda_ = 100.0
    stack = Stack([task]) << velocity.JointLimits(model, dt=dt)
    q = np.array([0.99])
    for _ in range(20):
        q = model.integrate(q, stack.solve(model.state(q)).x * dt)
        assert q[0] <= 1.0


def test_speeds_of_an_unreachable_target_stay_within_the_limit() -> None:
    """6 + 29 degrees of freedom, a hand target out of reach, 5 rad/s at most, 15 steps."""
    model = robot("g1")
    hand = velocity_tasks.Cartesian(model, "left_hand")
    hand.lambda_ = 50.0
    hand.reference = [[1, 0, 0, 3.0], [0, 1, 0, 3.0], [0, 0, 1, 3.0], [0, 0, 0, 1]]
    stack = Stack([hand]) << velocity.VelocityLimits(model, 5.0)
    q = model.standing_configuration
    for _ in range(15):
        solution = stack.solve(model.state(q))
        assert solution.is_solved
        assert (np.abs(solution.x[6:]) <= 5.0 * (1 + 1e-6)).all()
        q = model.integrate(q, solution.x * 0.02)


def test_limits_without_numbers_do_not_bind() -> None:
    model = robot("panda")
    free = np.full(model.nv, np.inf)
    box = acceleration.VelocityLimits(model, dt=0.02, limits=free)
    box.update(random_state(model, 0))
    assert np.isinf(box.lower).all()
    assert np.isinf(box.upper).all()
    only_speed = acceleration.VelocityLimits(model, dt=0.02)
    state = random_state(model, 0, speed=0.1)
    only_speed.update(state)
    np.testing.assert_allclose(only_speed.upper, (model.velocity_limits - state.v) / 0.02)


def test_the_floating_base_is_free() -> None:
    model = robot("go2")
    for box in (
        velocity.JointLimits(model, dt=0.01),
        velocity.VelocityLimits(model, 3.0),
        velocity.JointLimitsInvariance(model, dt=0.01, acceleration_limits=10.0),
        acceleration.JointLimits(model, dt=0.01, acceleration_limits=10.0),
    ):
        box.update(random_state(model, 0))
        assert np.isinf(box.lower[:6]).all()
        assert np.isinf(box.upper[:6]).all()
        assert np.isfinite(box.upper[6:]).all()


def test_wrong_limits_are_refused_with_the_joint_s_name() -> None:
    model = robot("g1")
    lower, upper = (limit.copy() for limit in model.position_limits)
    i = model.joint_index("left_knee_joint")
    lower[i] = upper[i] + 1.0
    with pytest.raises(InputError, match="left_knee_joint"):
        velocity.JointLimits(model, dt=0.01, lower=lower)
    with pytest.raises(InputError, match="dt of 'joint_limits' must be positive"):
        velocity.JointLimits(model, dt=0.0)
    with pytest.raises(InputError, match="must not be negative"):
        velocity.VelocityLimits(model, -1.0)
    box = velocity.JointLimits(model, dt=0.01)
    with pytest.raises(InputError, match="left_knee_joint"):
        box.set_position_limits(lower, upper)
    np.testing.assert_array_equal(box.position_limits[0], model.position_limits[0])


@pytest.mark.parametrize("dt", [0.001, 0.005, 0.02, 0.05])
def test_torque_speed_and_position_limits_are_feasible_together_at_every_time_step(
    dt: float,
) -> None:
    """A fixed arm with posture and hand tasks, drawn out of its range."""
    model = robot("panda")
    dynamics = InverseDynamics(model)
    hand = acceleration_tasks.Cartesian(model, "hand", mode="position")
    hand.reference = [1.5, 0.5, 0.2]
    posture = acceleration_tasks.Postural(model)
    limits = acceleration.JointLimits(model, dt=dt, acceleration_limits=15.0)
    stack = Stack([hand + 0.01 * posture]) << (limits, dynamics.torque_limits)
    q, v = model.standing_configuration, np.zeros(model.nv)
    for _ in range(round(1.0 / dt) if dt > 0.002 else 400):
        solution = stack.solve(model.state(q, v))
        assert solution.is_solved, solution.message
        a = solution.x
        tau = dynamics.torques(a)
        assert (np.abs(tau) <= model.effort_limits + 1e-6).all()
        q, v = model.integrate(q, v * dt + 0.5 * a * dt * dt), v + a * dt
        assert (np.abs(v) <= model.velocity_limits + 1e-9).all()
        check_positions(model, q)
