"""pink on the workload: `python pink_side.py spec.json ik quadprog|daqp`."""

import sys

import numpy as np
import pink
import pinocchio as pin
from pink.tasks import ComTask, FrameTask, PostureTask
from workload import Workload, measure


def main() -> None:
    work = Workload()
    model = pin.buildModelFromUrdf(work.urdf, pin.JointModelFreeFlyer())
    configuration = pink.Configuration(model, model.createData(), work.q0)
    feet = [FrameTask(n, position_cost=10.0, orientation_cost=10.0, gain=0.2) for n in work.feet]
    hand = FrameTask(work.hand, position_cost=1.0, orientation_cost=1.0, gain=0.2)
    com = ComTask(cost=3.0, gain=0.2)
    posture = PostureTask(cost=0.03, gain=0.2)
    tasks = [*feet, com, hand, posture]
    for task in tasks:
        task.set_target_from_configuration(configuration)
    T0 = configuration.get_transform_frame_to_world(work.hand).copy()
    c0 = pin.centerOfMass(model, configuration.data, work.q0).copy()
    now = {"q": work.q0}

    def prepare(k: int) -> tuple[pin.SE3, np.ndarray]:
        T = pin.SE3(T0.rotation, T0.translation + work.hand_offset(k))
        return T, c0 + work.com_offset(k)

    def tick(k: int, goals: tuple[pin.SE3, np.ndarray]) -> np.ndarray:
        hand.set_target(goals[0])
        com.set_target(goals[1])
        configuration.update(now["q"])
        return pink.solve_ik(configuration, tasks, work.dt, solver=sys.argv[3])

    def after(k: int, v: np.ndarray) -> None:
        now["q"] = pin.integrate(model, now["q"], v * work.dt)

    measure(f"pink, {sys.argv[3]}", work.ticks, prepare, tick, after)


if __name__ == "__main__":
    main()
