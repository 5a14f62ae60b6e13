"""Inverse dynamics: forces hold the robot, torques are the motion's, contacts change smoothly."""

import numpy as np
import pytest

from footwork.errors import InputError
from footwork.robot import RobotModel, RobotState
from footwork.stack import Stack, tasks
from footwork.stack.contact_forces import ContactForces
from footwork.stack.inverse_dynamics import InverseDynamics
from footwork.typing import Vector

from .robots import random_state, robot
from .tasks.test_acceleration_tasks import naive_base_rows

G = 9.81


def standing(model: RobotModel, **options) -> tuple[InverseDynamics, Stack]:  # type: ignore[no-untyped-def]
    dynamics = InverseDynamics(model, **options)
    where = dynamics.accelerations
    motion = 1.0 * tasks.acceleration.CoM(model, variable=where)
    motion = motion + 0.1 * tasks.acceleration.Cartesian(
        model, "torso", mode="orientation", variable=where
    )
    motion = motion + 1e-3 * tasks.acceleration.Postural(model, variable=where)
    for name in dynamics.contacts:
        motion = motion + 10.0 * dynamics.foot(name)
    stack = Stack([motion + dynamics.force_regularisation(1e-6)]) << dynamics.constraints
    return dynamics, stack


def total_force(dynamics: InverseDynamics, x: Vector, state: RobotState) -> Vector:
    total = np.zeros(3)
    for name in dynamics.contacts:
        R = state.placement(name)[0]
        total += R @ dynamics.wrench(name, x, state)[:3]
    return total


@pytest.mark.parametrize("kind", ["g1", "talos", "jvrc1", "icub", "go2", "anymal_c", "solo12"])
@pytest.mark.parametrize("force_kind", ["points", "wrench"])
def test_forces_carry_the_weight_and_torques_are_those_of_rnea(kind: str, force_kind: str) -> None:
    model = robot(kind)
    dynamics, stack = standing(model, kind=force_kind)
    state = model.state(model.standing_configuration)
    solution = stack.solve(state)
    assert solution.is_solved
    x = solution.x
    com = tasks.acceleration.CoM(model)
    com.update(state)
    acceleration = com.A @ x[: model.nv]
    expected = model.mass * (acceleration + np.array([0.0, 0.0, G]))
    np.testing.assert_allclose(total_force(dynamics, x, state), expected, atol=1e-6)
    assert expected[2] == pytest.approx(model.mass * G, rel=1e-3)
    tau = naive_base_rows(state, list(dynamics.contacts.values()), x)
    np.testing.assert_allclose(tau[:6], np.zeros(6), atol=1e-6)
    np.testing.assert_allclose(dynamics.torques(x), tau[6:], atol=1e-8)
    assert (np.abs(tau[6:]) <= model.effort_limits + 1e-8).all()


def test_every_corner_pushes_and_a_foot_may_carry_nothing() -> None:
    """All weight asked on one foot: no corner of the other one pulls, the sum is the weight."""
    model = robot("g1")
    dynamics, stack = standing(model)
    state = model.state(model.standing_configuration)
    solution = stack.solve(state)
    corners = [dynamics.point_forces(name, solution.x)[:, 2] for name in dynamics.contacts]
    assert min(c.min() for c in corners) >= -1e-6
    assert sum(c.sum() for c in corners) == pytest.approx(model.mass * G, rel=1e-3)
    dynamics.bounds["right_foot"].set_opening(0.0)
    com = stack["com"]
    shifted = state.p_world_com
    shifted[:2] = state.placement("left_foot")[1][:2]
    com.reference = shifted  # type: ignore[attr-defined]
    solution = stack.solve(model.state(state.q))
    assert solution.is_solved
    np.testing.assert_allclose(dynamics.point_forces("right_foot", solution.x), 0.0, atol=1e-9)
    left = dynamics.point_forces("left_foot", solution.x)
    assert (left[:, 2] >= -1e-6).all()
    assert (np.hypot(left[:, 0], left[:, 1]) <= 0.6 * left[:, 2] + 1e-6).all()


def test_even_load_of_sixty_kilograms() -> None:
    """Soles 0.2 by 0.1 m below a 60 kg box: 147.15 N a corner on one foot, 73.575 N on two."""
    text = """<robot name="box"><link name="box"><inertial><mass value="60"/>
      <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>"""
    model = RobotModel.from_urdf(text)
    sole = np.array([[0.1, 0.05, 0], [-0.1, 0.05, 0], [-0.1, -0.05, 0], [0.1, -0.05, 0]])
    one = ContactForces(frame="box", points=sole)
    dynamics = InverseDynamics(model, [one])
    hold = tasks.acceleration.Contact(model, "box", variable=dynamics.accelerations)
    stack = Stack([hold + dynamics.force_regularisation(1e-6)]) << dynamics.constraints
    solution = stack.solve(model.state([0, 0, 0, 0, 0, 0, 1]))
    forces = dynamics.point_forces("box", solution.x)
    np.testing.assert_allclose(forces, np.tile([0, 0, 147.15], (4, 1)), atol=1e-5)


def test_redundant_contacts_are_normal() -> None:
    """Two feet of four points have 24 force rows of rank 12; a point twice is no different."""
    model = robot("g1")
    assert model.entry is not None
    state = model.state(model.standing_configuration)
    accelerations = []
    feet = {foot.name: foot for foot in model.entry.feet}
    for points in (1, 2):
        contacts = [
            ContactForces(frame=name, points=np.vstack([foot.corners] * points))
            for name, foot in feet.items()
        ]
        accelerations.append(accelerations_of(*standing(model, contacts=contacts), state))
    accelerations.append(accelerations_of(*standing(model, kind="wrench"), state))
    assert np.abs(accelerations[0]).max() > 1e-3
    for other in accelerations[1:]:
        np.testing.assert_allclose(other, accelerations[0], atol=1e-8)


def accelerations_of(dynamics: InverseDynamics, stack: Stack, state: RobotState) -> Vector:
    """Accelerations when the forces may take part only in what the motion leaves free."""
    motion = stack["com"] + 1e-3 * stack["postural"]
    for name in dynamics.contacts:
        motion = motion + 10.0 * dynamics.foot(name)
    com = stack["com"]
    com.reference = state.p_world_com + np.array([0.0, 0.02, -0.01])  # type: ignore[attr-defined]
    levels = motion / dynamics.force_regularisation(1.0)
    solution = (levels << dynamics.constraints).solve(state)
    assert solution.is_solved
    assert np.isfinite(solution.x).all()
    return solution.x[: dynamics.robot.nv]


def test_torques_do_not_jump_when_a_foot_leaves_and_comes() -> None:
    """Weight goes over to the left foot in 100 ticks; without the ramp torques jump."""
    model = robot("g1")
    jumps = {}
    for ticks in (1, 100):
        dynamics, stack = standing(model)
        com = stack["com"]
        q, v, dt = model.standing_configuration, np.zeros(model.nv), 0.002
        start = model.state(q).p_world_com
        over = model.state(q).placement("left_foot")[1]
        torques = []
        for k in range(700):
            way = min(1.0, k / 300)
            goal = start.copy()
            goal[:2] += 0.9 * (3 * way**2 - 2 * way**3) * (over[:2] - start[:2])
            com.reference = goal  # type: ignore[attr-defined]
            if k == 350:
                dynamics.set_contact("right_foot", False, ticks=ticks)
                assert not dynamics.is_on("right_foot")
            if k == 550:
                dynamics.set_contact("right_foot", True, ticks=ticks)
            solution = stack.solve(model.state(q, v))
            assert solution.is_solved
            torques.append(dynamics.torques(solution.x))
            v = v + solution.x[: model.nv] * dt
            q = model.integrate(q, v * dt)
        steps = np.abs(np.diff(torques, axis=0)).max(axis=1)
        jumps[ticks] = steps[345:].max()
        lifted = dynamics.point_forces("right_foot", solution.x)
        assert lifted[:, 2].sum() > 1.0  # it carries again
    assert jumps[100] < 1.0
    assert jumps[1] > 3.0 * jumps[100]


def test_a_fixed_robot_has_torques_only() -> None:
    model = robot("panda")
    dynamics = InverseDynamics(model)
    assert dynamics.feasibility is None
    assert dynamics.x_size == model.nv
    posture = tasks.acceleration.Postural(model, variable=dynamics.accelerations)
    posture.kp, posture.kd = 0.0, 0.0
    stack = Stack([posture]) << dynamics.constraints
    state = random_state(model, 0, speed=0.1)
    solution = stack.solve(state)
    np.testing.assert_allclose(solution.x, np.zeros(model.nv), atol=1e-9)
    np.testing.assert_allclose(dynamics.torques(solution.x), state.bias, atol=1e-9)
    with pytest.raises(InputError, match="no contacts"):
        dynamics.force_regularisation()


def test_torque_limits_bind() -> None:
    model = robot("g1")
    dynamics, stack = standing(model, torque_limits=11.0)
    state = model.state(model.standing_configuration)
    solution = stack.solve(state)
    assert solution.is_solved
    tau = dynamics.torques(solution.x)
    assert np.abs(tau).max() == pytest.approx(11.0, abs=1e-6)


def test_misuse_is_refused_and_named() -> None:
    model = robot("g1")
    with pytest.raises(InputError, match="given twice"):
        InverseDynamics(model, ["left_foot", "left_foot"])
    dynamics = InverseDynamics(model)
    with pytest.raises(InputError, match="no contact is called 'left_hand'"):
        dynamics.set_contact("left_hand", True)
    with pytest.raises(InputError, match="contact 'left_foot': expected True or False, got 'no'"):
        dynamics.set_contact("left_foot", "no")  # type: ignore[arg-type]
    assert dynamics.is_on("left_foot")
    with pytest.raises(InputError, match="is a wrench"):
        InverseDynamics(model, kind="wrench").point_forces("left_foot", np.zeros(47))
    walker = RobotModel.from_urdf(robot("solo12").entry.path)  # type: ignore[union-attr]
    with pytest.raises(InputError, match="no zoo entry that names its feet; give contacts"):
        InverseDynamics(walker)
    assert not InverseDynamics(walker, []).contacts
