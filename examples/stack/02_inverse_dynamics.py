"""A humanoid shifts its weight, lifts a foot and puts it down again; torques do not jump.

python examples/stack/02_inverse_dynamics.py
"""

import numpy as np

from footwork.robot import load
from footwork.spatial import Pose
from footwork.stack import Stack, tasks
from footwork.stack.inverse_dynamics import InverseDynamics

DT = 0.002


def main() -> None:
    robot = load("g1")
    dynamics = InverseDynamics(robot)
    where = dynamics.accelerations
    com = tasks.acceleration.CoM(robot, variable=where)
    torso = tasks.acceleration.Cartesian(robot, "torso", mode="orientation", variable=where)
    posture = tasks.acceleration.Postural(robot, variable=where)
    left, right = (dynamics.foot(name, lambda_=400.0) for name in ("left_foot", "right_foot"))
    motion = 100.0 * (left + right) + 10.0 * com + torso + 0.01 * posture
    stack = Stack([motion + dynamics.force_regularisation(1e-5)]) << dynamics.constraints

    q, v = robot.standing_configuration, np.zeros(robot.nv)
    start = robot.state(q).p_world_com
    over = robot.state(q).placement("left_foot")[1]
    ground = robot.state(q).T_world_frame("right_foot")
    torques = []
    for k in range(1800):
        t = k * DT
        shift = smooth(t / 0.8) - smooth((t - 2.3) / 0.8)
        com.reference = start + shift * np.array([*(over[:2] - start[:2]), 0.0])
        lift = 0.08 * (smooth((t - 1.2) / 0.3) - smooth((t - 1.5) / 0.3))
        right.reference = Pose.from_translation([0.0, 0.0, lift]) @ ground
        if k == round(0.9 / DT):
            dynamics.set_contact("right_foot", False, ticks=100)
        if k == round(2.1 / DT):
            dynamics.set_contact("right_foot", True, ticks=100)
        solution = stack.solve(robot.state(q, v))
        solution.raise_if_failed()
        torques.append(dynamics.torques(solution.x))
        v = v + solution.x[: robot.nv] * DT
        q = robot.integrate(q, v * DT)
        if k % 150 == 0:
            carried = [dynamics.point_forces(n, solution.x)[:, 2].sum() for n in dynamics.contacts]
            state = robot.state(q)
            foot, c = state.placement("right_foot")[1], state.p_world_com
            print(
                f"{t:4.1f} s  left {carried[0]:4.0f} N  right {carried[1]:4.0f} N  "
                f"foot at {foot[2]:.3f} m  com at y = {c[1]:+.3f} m"
            )
    jump = np.abs(np.diff(torques, axis=0)).max()
    print(f"largest change of a torque between two ticks: {jump:.2f} N m")


def smooth(s: float) -> float:
    """From 0 to 1 with zero slope at both ends."""
    s = min(max(s, 0.0), 1.0)
    return s * s * (3.0 - 2.0 * s)


if __name__ == "__main__":
    main()
