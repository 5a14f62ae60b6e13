"""Recorded problems of a humanoid, made with Pinocchio alone so that no part of the stack is timed.

Talos with free-flyer (38 velocities), step 2 ms, hand on a circle of 0.15 m at 1 Hz, centre of mass
swaying by 3 cm, closed kinematic loop. Levels: feet and centre of mass; hand; posture.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from footwork.robot import load
from footwork.stack.solvers import Level, Problem, Solution, StrictHierarchy

DT = 0.002
GAIN = 100.0
WEIGHTS = (10.0, 3.0, 1.0, 0.1)
"""Square roots of the weights of feet, centre of mass, hand and posture in the weighted problem."""


@dataclass(frozen=True)
class Tick:
    """Rows of one tick, unweighted."""

    feet: np.ndarray
    feet_b: np.ndarray
    com: np.ndarray
    com_b: np.ndarray
    hand: np.ndarray
    hand_b: np.ndarray
    posture: np.ndarray
    posture_b: np.ndarray
    lower: np.ndarray
    upper: np.ndarray

    def levels(self, count: int) -> Problem:
        """One weighted level, feet and centre of mass above the rest, or all three."""
        wf, wc, wh, wp = WEIGHTS
        top = (np.vstack([wf * self.feet, wc * self.com]), np.concatenate([wf * self.feet_b, wc * self.com_b]))
        hand, posture = (wh * self.hand, wh * self.hand_b), (wp * self.posture, wp * self.posture_b)
        groups = {
            1: [[top, hand, posture]],
            2: [[top], [hand, posture]],
            3: [[top], [hand], [posture]],
        }[count]
        levels = [
            Level(A=np.vstack([a for a, _ in g]), b=np.concatenate([b for _, b in g])) for g in groups
        ]
        return Problem.from_levels(levels, size=38, lower=self.lower, upper=self.upper)


def record(
    ticks: int, solve: Callable[[Tick], Solution], robot_name: str = "talos"
) -> list[Tick]:
    """Run the closed loop with a solver and keep every tick's rows."""
    robot = load(robot_name)
    model, data = robot.pin_model, robot.pin_model.createData()
    q = robot.standing_configuration.copy()
    q_rest = q.copy()
    lower, upper = robot.position_limits
    speed = 0.6 * np.asarray(robot.velocity_limits)
    ids = [model.getFrameId(name) for name in ("left_sole_link", "right_sole_link", "gripper_left_base_link")]
    pin.framesForwardKinematics(model, data, q)
    placements = [data.oMf[i].copy() for i in ids]
    com0 = pin.centerOfMass(model, data, q).copy()
    out = []
    posture = np.eye(model.nv)[6:]
    for t in range(ticks):
        time = t * DT
        pin.computeJointJacobians(model, data, q)
        pin.framesForwardKinematics(model, data, q)
        pin.jacobianCenterOfMass(model, data, q)
        targets = [p.copy() for p in placements]
        circle = 0.15 * np.array([np.cos(2 * np.pi * time) - 1.0, np.sin(2 * np.pi * time), 0.0])
        targets[2].translation = placements[2].translation + circle
        A, b = [], []
        for i, target in zip(ids, targets, strict=True):
            A.append(pin.getFrameJacobian(model, data, i, pin.LOCAL))
            b.append(GAIN * pin.log6(data.oMf[i].actInv(target)).vector)
        sway = com0 + np.array([0.0, 0.03 * np.sin(2 * np.pi * 0.5 * time), 0.0])
        bound_low, bound_up = np.full(model.nv, -np.inf), np.full(model.nv, np.inf)
        joint = q[7:]
        bound_low[6:] = np.maximum(-speed[6:], 0.5 / DT * (lower[6:] - joint))
        bound_up[6:] = np.minimum(speed[6:], 0.5 / DT * (upper[6:] - joint))
        tick = Tick(
            feet=np.vstack(A[:2]), feet_b=np.concatenate(b[:2]),
            com=data.Jcom.copy(), com_b=GAIN * (sway - data.com[0]),
            hand=A[2], hand_b=b[2],
            posture=posture, posture_b=GAIN * (q_rest[7:] - joint) * 0.1,
            lower=bound_low, upper=bound_up,
        )  # fmt: skip
        out.append(tick)
        solution = solve(tick)
        solution.raise_if_failed()
        q = pin.integrate(model, q, solution.x * DT)
    return out


def strict_ticks(ticks: int) -> list[Tick]:
    """Ticks of the loop driven by three strict levels."""
    solver = StrictHierarchy()
    return record(ticks, lambda tick: solver.solve(tick.levels(3)))
