"""Footwork on the workload: `python footwork_side.py spec.json ik|ik3|id`."""

import sys

import numpy as np
from workload import Workload, measure

from footwork.robot import RobotModel
from footwork.spatial import Pose
from footwork.stack import Stack, tasks
from footwork.stack.constraints import velocity as limits
from footwork.stack.contact_forces import ContactForces
from footwork.stack.inverse_dynamics import InverseDynamics


def velocity_ik(work: Workload, levels: int) -> None:
    robot = RobotModel.from_urdf(work.urdf, warn=False)
    state = robot.state(work.q0)
    gain = 0.2 / work.dt
    feet = [tasks.velocity.Cartesian(robot, name) for name in work.feet]
    com, hand = tasks.velocity.CoM(robot), tasks.velocity.Cartesian(robot, work.hand)
    posture = tasks.velocity.Postural(robot)
    posture.reference = work.q0
    for task in (*feet, com, hand, posture):
        task.lambda_ = gain
    bounds = limits.JointLimits(robot, dt=work.dt, gain=0.5)
    if levels == 1:
        first = 100.0 * (feet[0] + feet[1]) + 10.0 * com + hand + 1e-3 * posture
        stack = Stack([first]) << bounds
    elif levels == 2:
        stack = ((feet[0] + feet[1] + com) / (hand + 1e-3 * posture)) << bounds
    else:
        stack = ((feet[0] + feet[1] + com) / hand / posture) << bounds
    T0, c0 = state.T_world_frame(work.hand), state.p_world_com
    now = {"q": work.q0}

    def prepare(k: int) -> tuple[Pose, np.ndarray]:
        return hand_goal(T0, work, k), c0 + work.com_offset(k)

    def tick(k: int, goals: tuple[Pose, np.ndarray]) -> np.ndarray:
        hand.reference, com.reference = goals
        return stack.solve(robot.state(now["q"])).x

    def after(k: int, x: np.ndarray) -> None:
        now["q"] = robot.integrate(now["q"], x * work.dt)
        if k == work.ticks - 1:
            check(robot, now["q"], work, T0, c0)

    measure(f"footwork, {levels} level{'s' * (levels > 1)}", work.ticks, prepare, tick, after)


def hand_goal(T0: Pose, work: Workload, k: int) -> Pose:
    return Pose(T0.translation + work.hand_offset(k), T0.quaternion_xyzw)


def check(robot, q, work, T0, c0) -> None:
    """What was timed did what it should."""
    state = robot.state(q)
    k = work.ticks - 1
    hand = np.linalg.norm(state.placement(work.hand)[1] - T0.translation - work.hand_offset(k))
    com = np.linalg.norm(state.p_world_com - c0 - work.com_offset(k))
    print(f"hand off by {1e3 * hand:.1f} mm, com by {1e3 * com:.1f} mm", file=sys.stderr)


def inverse_dynamics(work: Workload) -> None:
    robot = RobotModel.from_urdf(work.urdf, warn=False)
    points = np.array(work.spec["sole"])
    contacts = [ContactForces(frame=name, points=points, friction=0.6) for name in work.feet]
    dynamics = InverseDynamics(robot, contacts, inner_pyramid=False)
    where = dynamics.accelerations
    com = tasks.acceleration.CoM(robot, variable=where)
    hand = tasks.acceleration.Cartesian(robot, work.hand, lambda_=400.0, variable=where)
    posture = tasks.acceleration.Postural(robot, lambda_=25.0, variable=where)
    posture.reference = work.q0
    holding = [
        tasks.acceleration.Contact(robot, name, damping=20.0, variable=where) for name in work.feet
    ]
    motion = 1.0 * com + 0.1 * hand + 1e-3 * posture + dynamics.force_regularisation(1e-6)
    stack = (Stack([motion]) << dynamics.constraints) << holding
    state = robot.state(work.q0)
    T0, c0 = state.T_world_frame(work.hand), state.p_world_com
    now = {"q": work.q0, "v": np.zeros(robot.nv)}

    def prepare(k: int) -> tuple[Pose, np.ndarray]:
        return hand_goal(T0, work, k), c0 + work.com_offset(k)

    def tick(k: int, goals: tuple[Pose, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
        hand.reference, com.reference = goals
        x = stack.solve(robot.state(now["q"], now["v"])).x
        return x, dynamics.torques(x)

    def after(k: int, result: tuple[np.ndarray, np.ndarray]) -> None:
        a = result[0][: robot.nv]
        now["v"] = now["v"] + a * work.dt
        now["q"] = robot.integrate(now["q"], now["v"] * work.dt)
        if k == work.ticks - 1:
            check(robot, now["q"], work, T0, c0)

    measure("footwork", work.ticks, prepare, tick, after)


if __name__ == "__main__":
    what = sys.argv[2]
    if what == "id":
        inverse_dynamics(Workload())
    else:
        velocity_ik(Workload(), int(what.removeprefix("ik") or "1"))
