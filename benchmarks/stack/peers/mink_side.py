"""mink on the workload: `python mink_side.py spec.json ik quadprog|daqp`."""

import sys
import xml.etree.ElementTree as ET

import mink
import mujoco
import numpy as np
from workload import Workload, measure


def load(urdf: str) -> mujoco.MjModel:
    root = ET.parse(urdf).getroot()
    extension = ET.SubElement(root, "mujoco")
    ET.SubElement(
        extension,
        "compiler",
        {
            "fusestatic": "false",
            "inertiafromgeom": "false",
            "balanceinertia": "true",
            "boundmass": "1e-6",
            "boundinertia": "1e-9",
        },
    )
    spec = mujoco.MjSpec.from_string(ET.tostring(root, encoding="unicode"))
    base = spec.worldbody.bodies[0]
    if not any(j.type == mujoco.mjtJoint.mjJNT_FREE for j in base.joints):
        base.add_freejoint(name="root")
    return spec.compile()


def main() -> None:
    work = Workload()
    model = load(work.urdf)
    q0 = np.zeros(model.nq)
    q0[:3], q0[3:7] = work.q0[:3], work.q0[[6, 3, 4, 5]]
    names = work.spec["joints"]
    limits = {}
    for name, value, speed in zip(names, work.q0[7:], work.spec["speeds"], strict=True):
        q0[model.joint(name).qposadr[0]] = value
        limits[name] = speed
    configuration = mink.Configuration(model, q0)
    feet = [
        mink.FrameTask(n, "body", position_cost=10.0, orientation_cost=10.0, gain=0.2)
        for n in work.feet
    ]
    hand = mink.FrameTask(work.hand, "body", position_cost=1.0, orientation_cost=1.0, gain=0.2)
    com = mink.ComTask(cost=3.0, gain=0.2)
    posture = mink.PostureTask(model, cost=0.03, gain=0.2)
    tasks = [*feet, com, hand, posture]
    for task in tasks:
        task.set_target_from_configuration(configuration)
    bounds = [mink.ConfigurationLimit(model), mink.VelocityLimit(model, limits)]
    T0 = configuration.get_transform_frame_to_world(work.hand, "body")
    c0 = configuration.data.subtree_com[1].copy()
    now = {"q": q0}

    def prepare(k: int) -> tuple[mink.SE3, np.ndarray]:
        T = mink.SE3.from_rotation_and_translation(
            T0.rotation(), T0.translation() + work.hand_offset(k)
        )
        return T, c0 + work.com_offset(k)

    def tick(k: int, goals: tuple[mink.SE3, np.ndarray]) -> np.ndarray:
        hand.set_target(goals[0])
        com.set_target(goals[1])
        configuration.update(now["q"])
        return mink.solve_ik(configuration, tasks, work.dt, solver=sys.argv[3], limits=bounds)

    def after(k: int, v: np.ndarray) -> None:
        q = now["q"].copy()
        mujoco.mj_integratePos(model, q, v, work.dt)
        now["q"] = q

    measure(f"mink, {sys.argv[3]}", work.ticks, prepare, tick, after)


if __name__ == "__main__":
    main()
