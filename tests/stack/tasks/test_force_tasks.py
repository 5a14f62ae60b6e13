"""Force tasks: Newton and Euler, springs, what holds the base."""

import numpy as np
import pytest

from footwork.errors import InputError, ShapeError
from footwork.robot import RobotModel, RobotState
from footwork.spatial import Pose
from footwork.stack import Affine, Variables
from footwork.stack.constraints import force as limits
from footwork.stack.contact_forces import ContactForces
from footwork.stack.tasks import force
from footwork.typing import Vector

from ..robots import random_state, robot
from .test_acceleration_tasks import naive_base_rows

G = np.array([0.0, 0.0, -9.81])


def contacts_of(model: RobotModel, kind: str) -> list[ContactForces]:
    assert model.entry is not None
    ground = np.array(Pose.from_rpy([0.0, 0.0, 0.0], [0.1, -0.2, 0.3]).rotation)
    return [
        ContactForces.of_foot(
            foot,
            kind="points" if foot.is_point else kind,  # type: ignore[arg-type]
            R_world_ground=ground,
            friction=2.0,
        )
        for foot in model.entry.feet
    ]


@pytest.mark.parametrize("name", ["g1", "go2"])
@pytest.mark.parametrize("kind", ["points", "wrench"])
def test_newton_and_euler_hold_for_the_forces(name: str, kind: str) -> None:
    """Rate of the linear momentum = Σ forces + m g, rate of the angular one = Σ moments."""
    model = robot(name)
    contacts = contacts_of(model, kind)
    task = force.CoM(model, contacts, lambda_=4.0)
    task.set_gains(kp=1.5, kd=0.5, k_momentum=3.0)
    for seed in range(2):
        state = random_state(model, seed)
        task.reference = [0.1, 0.2, 0.3], [1.0, 2.0, 3.0], [0.4, 0.5, 0.6]
        task.set_momentum([0.1, 0.2, 0.3], [1.0, 1.0, 1.0])
        task.update(state)
        f = np.random.default_rng(seed).normal(size=task.x_size)
        total, moment = sum_of(state, contacts, f)
        np.testing.assert_allclose(task.A @ f, [*total, *moment], atol=1e-9)
        error = np.array([0.1, 0.2, 0.3]) - state.p_world_com
        slip = np.array([1.0, 2.0, 3.0]) - state.v_world_com
        a = np.array([0.4, 0.5, 0.6]) + 4.0 * 1.5 * error + 2.0 * 0.5 * slip
        momentum = np.array([0.1, 0.2, 0.3]) - state.momentum[3:]
        expected = [*(model.mass * (a - G)), *(1.0 + 3.0 * momentum)]
        np.testing.assert_allclose(task.b, expected, rtol=1e-9)


def sum_of(state: RobotState, contacts: list[ContactForces], f: Vector) -> tuple[Vector, Vector]:
    total, moment, at = np.zeros(3), np.zeros(3), 0
    c = state.p_world_com
    for contact in contacts:
        R, p = state.placement(contact.frame)
        axes = R if contact.own_axes else contact.R_world_ground
        values = f[at : at + contact.size]
        at += contact.size
        if contact.kind == "wrench":
            total += axes @ values[:3]
            moment += axes @ values[3:] + np.cross(p - c, axes @ values[:3])
            continue
        for point, own in zip(contact.points, values.reshape(-1, 3), strict=True):
            total += axes @ own
            moment += np.cross(p + R @ point - c, axes @ own)
    return total, moment


def test_standing_forces_carry_the_weight_within_their_cones() -> None:
    model = robot("g1")
    contacts = [ContactForces.of_foot(f, friction=2.0) for f in model.entry.feet]  # type: ignore[union-attr]
    variables = Variables({c.frame: c.size for c in contacts})
    com = force.CoM(model, contacts)
    cones = [limits.FrictionCone(c, variables[c.frame]) for c in contacts]
    share = force.Wrench("share", variables.all())
    stack = (com / share) << cones
    solution = stack.solve(model.state(model.standing_configuration))
    assert solution.is_solved
    np.testing.assert_allclose(com.A @ solution.x, com.b, atol=1e-6)
    assert solution.x[2::3].sum() == pytest.approx(model.mass * 9.81, abs=1e-6)
    assert (solution.x[2::3] > 0.0).all()


@pytest.mark.parametrize("name", ["g1", "go2"])
def test_the_base_is_held_as_the_equation_of_motion_says(name: str) -> None:
    model = robot(name)
    contacts = contacts_of(model, "points")
    task = force.FloatingBase(model, contacts)
    rng = np.random.default_rng(3)
    for seed in range(2):
        state = random_state(model, seed)
        a, f = rng.normal(size=model.nv), rng.normal(size=task.x_size)
        task.reference = a
        task.update(state)
        missing = naive_base_rows(state, contacts, np.concatenate([a, f]))[:6]
        np.testing.assert_allclose(task.b - task.A @ f, missing, atol=1e-9)


def test_a_wrench_is_a_spring_and_a_damper() -> None:
    model = robot("panda")
    variables = Variables({"other": 2, "wrench": 6})
    task = force.Cartesian(
        model, "hand", variables["wrench"], stiffness=[100.0] * 3 + [10.0] * 3, damping=5.0
    )
    task.lambda_ = 4.0
    state = random_state(model, 0)
    T = state.T_world_frame("hand")
    goal = Pose.from_translation([0.1, 0.0, 0.0]) @ T
    turned = Pose(goal.translation, (Pose.exp([0, 0, 0, 0, 0.2, 0]) @ T).quaternion_xyzw)
    task.reference = turned, np.zeros(6), np.arange(6.0)
    task.update(state)
    twist = state.twist_world_frame("hand")
    expected = np.arange(6.0) + 4.0 * np.array([10, 0, 0, 0, 2, 0]) - 2.0 * 5.0 * twist
    np.testing.assert_allclose(task.b, expected, atol=1e-9)
    np.testing.assert_array_equal(task.A, np.eye(6, 8, 2))


def test_misuse_is_refused_and_named() -> None:
    model = robot("panda")
    with pytest.raises(ShapeError, match="wrench of 'hand'"):
        force.Cartesian(model, "hand", Affine.identity(3), stiffness=1.0, damping=1.0)
    with pytest.raises(InputError, match="no contacts"):
        force.CoM(robot("g1"), [])
    with pytest.raises(InputError, match="no floating base"):
        force.FloatingBase(model, [ContactForces(frame="hand")])
