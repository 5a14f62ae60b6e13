"""Every task reaches what it is asked for, on every robot that it applies to.

The table of tasks and robots is the parametrisation; docs/reference/tasks.md shows it.
"""

from collections.abc import Callable

import numpy as np
import pytest

from footwork.errors import InputError
from footwork.robot import RobotModel, RobotState
from footwork.spatial import Pose
from footwork.stack import Stack
from footwork.stack.task import Task
from footwork.stack.tasks import acceleration, velocity
from footwork.typing import Vector

from ..robots import KINDS, OTHER, TIP, robot

DT = 0.05


def near(model: RobotModel, size: float = 0.3) -> RobotState:
    """A reachable state near the standing one: what its task shows is the goal."""
    rng = np.random.default_rng(5)
    q = model.standing_configuration
    lower, upper = model.position_limits
    for name in model.joint_names:
        i, iq = model.joint_index(name), model.position_index(name)
        q[iq] = np.clip(q[iq] + size * rng.uniform(-1, 1), lower[i], upper[i])
    return model.state(q)


def cartesian(model: RobotModel, mode: str, base: bool) -> Task:
    frame = TIP[model.name]
    task = velocity.Cartesian(model, frame, mode=mode, base=OTHER[model.name] if base else None)
    task.reset(near(model))
    return task


def com(model: RobotModel) -> Task:
    task = velocity.CoM(model)
    task.reset(near(model))
    return task


def postural(model: RobotModel, base: bool) -> Task:
    task = velocity.Postural(model, base=base and model.has_floating_base)
    task.reset(near(model))
    return task


def gaze(model: RobotModel) -> Task:
    task = velocity.Gaze(model, TIP[model.name])
    state = model.state(model.standing_configuration)
    task.reference = state.T_world_frame(TIP[model.name]).act(np.array([0.6, 0.9, -0.8]))
    return task


def admittance(model: RobotModel) -> Task:
    task = velocity.CartesianAdmittance(
        model, TIP[model.name], stiffness=100.0, damping=100.0, lambda_=4.0, dt=DT
    )
    task.reset(near(model))
    return task


def joint_admittance(model: RobotModel) -> Task:
    task = velocity.JointAdmittance(model, stiffness=100.0, damping=100.0, lambda_=4.0, dt=DT)
    task.reset(near(model))
    return task


VELOCITY: dict[str, Callable[[RobotModel], Task]] = {
    "Cartesian pose": lambda m: cartesian(m, "pose", False),
    "Cartesian position": lambda m: cartesian(m, "position", False),
    "Cartesian orientation": lambda m: cartesian(m, "orientation", False),
    "Cartesian, relative": lambda m: cartesian(m, "pose", True),
    "CoM": com,
    "Postural": lambda m: postural(m, False),
    "Postural with base": lambda m: postural(m, True),
    "Gaze": gaze,
    "CartesianAdmittance": admittance,
    "JointAdmittance": joint_admittance,
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", VELOCITY)
def test_velocity_tasks_converge(kind: str, name: str) -> None:
    model = robot(kind)
    task = VELOCITY[name](model)
    task.lambda_ = 4.0
    stack = Stack([task, velocity.Postural(model, name="rest")])
    q = model.standing_configuration
    errors = []
    for _ in range(120):
        solution = stack.solve(model.state(q))
        assert solution.is_solved
        errors.append(float(np.linalg.norm(task.error)))
        q = model.integrate(q, solution.x * DT)
    assert errors[0] > 1e-3
    assert errors[-1] < 1e-6
    assert max(errors) <= errors[0] * 1.001


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("which", ["Manipulability", "MinimumEffort"])
def test_gradient_tasks_improve_their_measure_all_the_way(kind: str, which: str) -> None:
    model = robot(kind)
    task: velocity.Manipulability | velocity.MinimumEffort
    if which == "Manipulability":
        # A leg of a quadruped has three joints: its position is what it can be good at.
        mode = "position" if kind == "go2" else "pose"
        task = velocity.Manipulability(model, TIP[kind], mode=mode)
    else:
        task = velocity.MinimumEffort(model)
    stack = Stack([task])
    q = model.standing_configuration
    sign = 1.0 if which == "Manipulability" else -1.0
    measures = []
    for _ in range(25):
        state = model.state(q)
        measures.append(sign * task.measure(state))
        x = stack.solve(state).x
        q = model.integrate(q, x * 0.05 / max(1.0, float(np.abs(x).max())))
    assert (np.diff(measures) >= -1e-9).all()
    assert measures[-1] > measures[0] + 1e-6


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("task_name", ["Contact", "AngularMomentum", "LinearMomentum"])
def test_tasks_of_the_velocity_itself_are_met_at_once(kind: str, task_name: str) -> None:
    model = robot(kind)
    push = velocity.Postural(model, name="push")
    push.reference = near(model).q
    state = model.state(model.standing_configuration)
    if task_name == "Contact":
        task: Task = velocity.Contact(model, TIP[kind])
        goal = np.zeros(6)
    else:
        momentum = getattr(velocity, task_name)(model)
        goal = np.array([0.1, -0.05, 0.02])
        momentum.reference = goal
        task = momentum
    solution = Stack([task, push]).solve(state)
    np.testing.assert_allclose(task.A @ solution.x, goal, atol=1e-8)
    assert np.abs(solution.x).max() > 1e-3


def test_forces_push_an_admittance_to_where_its_spring_holds() -> None:
    """10 N on 100 N/m is 0.1 m, on the way of a damped mass, and back when the force is gone."""
    model = robot("panda")
    task = velocity.CartesianAdmittance(
        model, "hand", stiffness=100.0, damping=100.0, lambda_=4.0, dt=0.005
    )
    task.law.reset()
    stack = Stack([task, velocity.Postural(model)])
    q = model.standing_configuration
    start = model.state(q).placement("hand")[1].copy()
    task.reset(model.state(q))
    path = []
    for k in range(2400):
        task.apply_wrench([0.0, 10.0 if k < 1200 else 0.0, 0.0, 0.0, 0.0, 0.0])
        q = model.integrate(q, stack.solve(model.state(q)).x * 0.005)
        path.append(model.state(q).placement("hand")[1] - start)
    assert path[1199][1] == pytest.approx(0.1, abs=2e-3)
    assert np.linalg.norm(path[-1]) < 2e-3
    assert simulated(10.0, 100.0, 100.0, float(task.law.inertia[1]), 0.005, 1200) == pytest.approx(
        [p[1] for p in path[:1200]], abs=2e-3
    )


def simulated(f: float, k: float, d: float, m: float, dt: float, count: int) -> list[float]:
    x, v, xs = 0.0, 0.0, []
    for _ in range(count):
        for _ in range(10):
            v += (f - d * v - k * x) / m * dt / 10
            x += v * dt / 10
        xs.append(x)
    return xs


def test_admittance_parameters_are_those_of_the_mass() -> None:
    """OpenSoT's numbers, whose λ is per cycle: λ/dt here."""
    law = velocity.admittance.Admittance(1000.0, 200.0, lambda_=0.01 / 0.001, dt=0.001, rows=1)
    assert law.compliance[0] * 0.001 == pytest.approx(1e-5)
    assert law.inertia[0] == pytest.approx(10.0)
    assert law.cutoff[0] == pytest.approx(10.0)
    law = velocity.admittance.Admittance(1e4, 2796.0, lambda_=0.01 / 0.002, dt=0.002, rows=1)
    assert law.cutoff[0] == pytest.approx(4 * np.pi, abs=1e-2)


@pytest.mark.parametrize("kind", ["frame", "joints"])
def test_the_law_of_an_admittance_follows_the_gain_of_its_task(kind: str) -> None:
    """C = λ / K at any λ, and a wrench before the first update leaves the reference to it."""
    model = robot("panda")
    task: velocity.CartesianAdmittance | velocity.JointAdmittance
    apply: Callable[[Vector], None]
    if kind == "frame":
        task = velocity.CartesianAdmittance(
            model, "hand", stiffness=100.0, damping=100.0, lambda_=4.0, dt=DT
        )
        apply = task.apply_wrench
    else:
        task = velocity.JointAdmittance(model, stiffness=100.0, damping=100.0, lambda_=4.0, dt=DT)
        apply = task.apply_torques
    task.lambda_ = 8.0
    assert task.law.compliance[0] == pytest.approx(8.0 / 100.0)
    assert task.law.inertia[0] == pytest.approx((100.0 - 100.0 / 8.0) / 8.0)
    force = np.full(task.task_size, 10.0)
    for _ in range(4000):
        apply(force)
    task.update(model.state(model.standing_configuration))
    np.testing.assert_allclose(task.b, 8.0 / 100.0 * 10.0, rtol=1e-6)
    np.testing.assert_allclose(task.error, 0.0, atol=1e-9)
    task.lambda_ = 0.5
    with pytest.raises(InputError, match=r"damping\[0\] = 100 must be above"):
        apply(force)


ACCELERATION: dict[str, Callable[[RobotModel], Task]] = {
    "Cartesian pose": lambda m: reset(acceleration.Cartesian(m, TIP[m.name], lambda_=100.0), m),
    "Cartesian position": lambda m: reset(
        acceleration.Cartesian(m, TIP[m.name], mode="position"), m
    ),
    "Cartesian, relative": lambda m: reset(
        acceleration.Cartesian(m, TIP[m.name], base=OTHER[m.name], mode="pose"), m
    ),
    "CoM": lambda m: reset(acceleration.CoM(m), m),
    "Postural": lambda m: reset(acceleration.Postural(m, lambda_=100.0), m),
    "Postural with base": lambda m: reset(
        acceleration.Postural(m, base=m.has_floating_base, lambda_=100.0), m
    ),
}


def reset(
    task: acceleration.Cartesian | acceleration.CoM | acceleration.Postural, model: RobotModel
) -> Task:
    task.reset(near(model))
    return task


def step(model: RobotModel, q: Vector, v: Vector, a: Vector, dt: float) -> tuple[Vector, Vector]:
    return model.integrate(q, v * dt + 0.5 * a * dt * dt), v + a * dt


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", ACCELERATION)
def test_acceleration_tasks_converge(kind: str, name: str) -> None:
    model = robot(kind)
    task = ACCELERATION[name](model)
    stack = Stack([task, acceleration.MinJointVel(model, dt=0.1, name="rest")])
    q, v = model.standing_configuration, np.zeros(model.nv)
    errors = []
    for _ in range(300):
        solution = stack.solve(model.state(q, v))
        assert solution.is_solved
        errors.append(float(np.linalg.norm(task.error)))
        q, v = step(model, q, v, solution.x, 0.01)
    assert errors[0] > 1e-3
    assert errors[-1] < 1e-6
    assert max(errors) <= errors[0] * 1.01


@pytest.mark.parametrize("kind", KINDS)
def test_a_still_contact_and_momentum_hold_while_the_rest_moves(kind: str) -> None:
    model = robot(kind)
    holding = acceleration.Contact(model, TIP[kind], damping=20.0)
    push = acceleration.Postural(model, name="push")
    push.reset(near(model))
    stack = Stack([holding, push])
    q, v = model.standing_configuration, np.zeros(model.nv)
    start = model.state(q).T_world_frame(TIP[kind])
    for _ in range(200):
        q, v = step(model, q, v, stack.solve(model.state(q, v)).x, 0.005)
    end = model.state(q).T_world_frame(TIP[kind])
    assert end.is_close(start, translation_tolerance=2e-3, angle_tolerance=2e-3)
    assert np.abs(v).max() > 1e-3


@pytest.mark.parametrize("kind", ["g1", "go2"])
def test_angular_momentum_is_brought_to_its_reference(kind: str) -> None:
    model = robot(kind)
    task = acceleration.AngularMomentum(model, lambda_=5.0)
    goal = np.array([0.05, 0.1, -0.05])
    task.reference = goal
    stack = Stack([task, acceleration.MinJointVel(model, dt=0.2)])
    q, v = model.standing_configuration, np.zeros(model.nv)
    for _ in range(200):
        q, v = step(model, q, v, stack.solve(model.state(q, v)).x, 0.01)
    np.testing.assert_allclose(model.state(q, v).momentum[3:], goal, atol=1e-3)


WHEEL = """<robot name="cart"><link name="body"><inertial><mass value="1"/><inertia ixx="1" iyy="1"
izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link><link name="wheel"><inertial><mass value="1"/>
<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="spin" type="continuous"><parent link="body"/><child link="wheel"/><axis xyz="0 1 0"/>
</joint></robot>"""


def test_a_wheel_that_rolls_moves_its_body_by_the_way_it_turns() -> None:
    model = RobotModel.from_urdf(WHEEL)
    rolling = velocity.PureRolling(model, "wheel", radius=0.3)
    spin = velocity.Postural(model, joints=["spin"])
    q = model.neutral_configuration
    q[:7] = [0.0, 0.0, 0.3, *Pose.from_rpy([0, 0, 0], [0, 0, 0.7]).quaternion_xyzw]
    steady = velocity.Cartesian(model, "body", mode="orientation")
    steady.update(model.state(q))
    stack = Stack([rolling, spin, steady])
    for _ in range(100):
        spin.reference = model.with_joints(q, {}), [2.0]
        solution = stack.solve(model.state(q))
        np.testing.assert_allclose(rolling.A @ solution.x, np.zeros(4), atol=1e-9)
        q = model.integrate(q, solution.x * 0.01)
    np.testing.assert_allclose(q[:3], 0.6 * np.array([np.cos(0.7), np.sin(0.7), 0.5]), atol=1e-6)
    contact = rolling["x", "y", "z"]
    assert contact.task_size == 3
    assert rolling["rx"].task_size == 1


def test_a_singular_arm_says_what_is_left_and_a_nudge_frees_it() -> None:
    """Planar arm of links 1 and 1, straight at (2, 0), target (1, 0): Jᵀe = 0 at the start."""
    from ...robot.test_urdf import INERTIAL

    text = (
        f'<robot name="planar"><link name="l0"/><link name="l1">{INERTIAL}</link>'
        f'<link name="l2">{INERTIAL}</link><link name="tip"/>'
        + "".join(
            f'<joint name="j{k}" type="{"fixed" if k == 3 else "revolute"}"><parent link="{a}"/>'
            f'<child link="{b}"/><origin xyz="{0 if k == 1 else 1} 0 0"/><axis xyz="0 0 1"/>'
            '<limit lower="-3" upper="3" velocity="9" effort="9"/></joint>'
            for k, a, b in ((1, "l0", "l1"), (2, "l1", "l2"), (3, "l2", "tip"))
        )
        + "</robot>"
    )
    model = RobotModel.from_urdf(text, floating_base=False, warn=False)
    task = velocity.Cartesian(model, "tip", mode="position")
    task.reference = [1.0, 0.0, 0.0]
    stack = Stack([task["x", "y"]])
    q = np.zeros(2)
    solution = stack.solve(model.state(q))
    assert np.isfinite(solution.x).all()
    assert np.linalg.norm(solution.levels[0].residual) == pytest.approx(1.0, abs=1e-6)
    q = np.array([0.05, -0.1])
    for _ in range(300):
        q = model.integrate(q, np.clip(stack.solve(model.state(q)).x, -2, 2) * 0.05)
    np.testing.assert_allclose(np.degrees(q), [60.0, -120.0], atol=1e-3)
