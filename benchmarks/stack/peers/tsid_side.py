"""tsid on the workload: `python tsid_side.py spec.json id`."""

import sys

import numpy as np
import pinocchio as pin
from tsid import tsid_pywrap as tsid
from workload import Workload, measure


def main() -> None:  # noqa: PLR0915
    work = Workload()
    robot = tsid.RobotWrapper(work.urdf, [""], pin.JointModelFreeFlyer(), False)
    model = robot.model()
    dynamics = tsid.InverseDynamicsFormulationAccForce("tsid", robot, False)
    q, v = work.q0.copy(), np.zeros(robot.nv)
    dynamics.computeProblemData(0.0, q, v)
    data = dynamics.data()
    points = np.array(work.spec["sole"]).T
    kept = []  # tsid does not keep its contacts alive
    for name in work.feet:
        contact = tsid.Contact6d(
            name, robot, name, points, np.array([0.0, 0.0, 1.0]), 0.6, 0.0, 2000.0
        )
        contact.setKp(np.zeros(6))
        contact.setKd(20.0 * np.ones(6))
        contact.setReference(robot.framePosition(data, model.getFrameId(name)))
        dynamics.addRigidContact(contact, 1e-6)
        kept.append(contact)
    com = tsid.TaskComEquality("com", robot)
    com.setKp(100.0 * np.ones(3))
    com.setKd(20.0 * np.ones(3))
    dynamics.addMotionTask(com, 1.0, 1, 0.0)
    hand = tsid.TaskSE3Equality("hand", robot, work.hand)
    hand.setKp(400.0 * np.ones(6))
    hand.setKd(40.0 * np.ones(6))
    dynamics.addMotionTask(hand, 0.1, 1, 0.0)
    posture = tsid.TaskJointPosture("posture", robot)
    posture.setKp(25.0 * np.ones(robot.nv - 6))
    posture.setKd(10.0 * np.ones(robot.nv - 6))
    dynamics.addMotionTask(posture, 1e-3, 1, 0.0)
    limits = tsid.TaskActuationBounds("torques", robot)
    most = np.array(work.spec["torques"])
    limits.setBounds(-most, most)
    dynamics.addActuationTask(limits, 1.0, 0, 0.0)
    T0 = robot.framePosition(data, model.getFrameId(work.hand))
    c0 = robot.com(data).copy()
    hand_path = tsid.TrajectorySE3Constant("hand", T0)
    com_path = tsid.TrajectoryEuclidianConstant("com", c0)
    posture.setReference(tsid.TrajectoryEuclidianConstant("posture", q[7:]).computeNext())
    solver = tsid.SolverHQuadProgFast("solver")
    solver.resize(dynamics.nVar, dynamics.nEq, dynamics.nIn)
    now = {"q": q, "v": v}

    def prepare(k: int) -> None:
        hand_path.setReference(pin.SE3(T0.rotation, T0.translation + work.hand_offset(k)))
        com_path.setReference(c0 + work.com_offset(k))

    def tick(k: int, _: None):
        # A sample does not outlive the statement that makes it.
        hand.setReference(hand_path.computeNext())
        com.setReference(com_path.computeNext())
        problem = dynamics.computeProblemData(k * work.dt, now["q"], now["v"])
        solution = solver.solve(problem)
        return (
            dynamics.getAccelerations(solution),
            dynamics.getActuatorForces(solution),
            solution.status,
        )

    def after(k: int, result) -> None:
        if result[2] != 0:
            print("tsid failed at", k, file=sys.stderr)
        now["v"] = now["v"] + np.array(result[0]) * work.dt
        now["q"] = pin.integrate(model, now["q"], now["v"] * work.dt)

    measure("tsid", work.ticks, prepare, tick, after)


if __name__ == "__main__":
    main()
