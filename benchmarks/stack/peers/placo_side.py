"""placo on the workload: `python placo_side.py spec.json ik|id`."""

import sys

import numpy as np
import pinocchio as pin
import placo
from workload import Workload, measure


def moved(T0: np.ndarray, offset: np.ndarray) -> np.ndarray:
    T = T0.copy()
    T[:3, 3] += offset
    return T


def load(work: Workload) -> placo.RobotWrapper:
    robot = placo.RobotWrapper(work.urdf, placo.Flags.ignore_collisions)
    robot.state.q = work.q0
    robot.update_kinematics()
    return robot


def velocity_ik(work: Workload, feet: str) -> None:
    robot = load(work)
    solver = placo.KinematicsSolver(robot)
    solver.dt = work.dt
    for name in work.feet:
        task = solver.add_frame_task(name, robot.get_T_world_frame(name))
        task.configure(name, feet, 100.0, 100.0)
    com = solver.add_com_task(robot.com_world())
    com.configure("com", "soft", 10.0)
    T0, c0 = robot.get_T_world_frame(work.hand), robot.com_world()
    hand = solver.add_frame_task(work.hand, T0)
    hand.configure("hand", "soft", 1.0, 1.0)
    posture = solver.add_joints_task()
    names = list(robot.joint_names())
    posture.set_joints({name: robot.get_joint(name) for name in names})
    posture.configure("posture", "soft", 1e-3)
    solver.enable_joint_limits(True)
    solver.enable_velocity_limits(True)
    solver.add_regularization_task(1e-6)
    now = {"q": robot.state.q.copy()}

    def prepare(k: int) -> tuple[np.ndarray, np.ndarray]:
        return moved(T0, work.hand_offset(k)), c0 + work.com_offset(k)

    def tick(k: int, goals: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
        hand.T_world_frame, com.target_world = goals
        robot.state.q = now["q"]
        robot.update_kinematics()
        return solver.solve(False)

    def after(k: int, dq: np.ndarray) -> None:
        # solve returns the displacement of a step
        now["q"] = pin.integrate(robot.model, now["q"], dq)

    measure(f"placo, {feet} feet", work.ticks, prepare, tick, after)


def inverse_dynamics(work: Workload) -> None:
    robot = load(work)
    solver = placo.DynamicsSolver(robot)
    solver.dt = work.dt
    for name in work.feet:
        task = solver.add_frame_task(name, robot.get_T_world_frame(name))
        task.configure(name, "hard", 1.0, 1.0)
        contact = solver.add_planar_contact(task)
        sole = np.array(work.spec["sole"])
        contact.length = float(np.ptp(sole[:, 0]))
        contact.width = float(np.ptp(sole[:, 1]))
        contact.mu = 0.6
        contact.weight_forces = 1e-6
        contact.weight_moments = 1e-6
    com = solver.add_com_task(robot.com_world())
    com.configure("com", "soft", 1.0)
    com.kp, com.kd = 100.0, 20.0
    T0, c0 = robot.get_T_world_frame(work.hand), robot.com_world()
    hand = solver.add_frame_task(work.hand, T0)
    hand.configure("hand", "soft", 0.1, 0.1)
    posture = solver.add_joints_task()
    posture.set_joints({name: robot.get_joint(name) for name in robot.joint_names()})
    posture.configure("posture", "soft", 1e-3)
    posture.kp, posture.kd = 25.0, 10.0
    solver.enable_torque_limits(True)
    now = {"q": robot.state.q.copy(), "v": np.zeros(robot.model.nv)}

    def prepare(k: int) -> tuple[np.ndarray, np.ndarray]:
        return moved(T0, work.hand_offset(k)), c0 + work.com_offset(k)

    def tick(k: int, goals: tuple[np.ndarray, np.ndarray]):
        hand.T_world_frame, com.target_world = goals
        robot.state.q, robot.state.qd = now["q"], now["v"]
        robot.update_kinematics()
        return solver.solve(False)

    def after(k: int, result) -> None:
        if not result.success:
            print("placo failed at", k, file=sys.stderr)
        now["v"] = now["v"] + np.array(result.qdd) * work.dt
        now["q"] = pin.integrate(robot.model, now["q"], now["v"] * work.dt)

    measure("placo", work.ticks, prepare, tick, after)


if __name__ == "__main__":
    if sys.argv[2] == "id":
        inverse_dynamics(Workload())
    else:
        velocity_ik(Workload(), sys.argv[3])
