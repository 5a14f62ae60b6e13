"""Recorded problems of a humanoid, made with Pinocchio alone so that no part of the stack is timed.

Talos with free-flyer (38 velocities), step 2 ms, hand on a circle of 0.15 m at 1 Hz, centre of mass
swaying by 3 cm, closed kinematic loop. Levels: feet and centre of mass; hand; posture.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

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
        top = (
            np.vstack([wf * self.feet, wc * self.com]),
            np.concatenate([wf * self.feet_b, wc * self.com_b]),
        )
        hand, posture = (wh * self.hand, wh * self.hand_b), (wp * self.posture, wp * self.posture_b)
        groups = {
            1: [[top, hand, posture]],
            2: [[top], [hand, posture]],
            3: [[top], [hand], [posture]],
        }[count]
        levels = [
            Level(A=np.vstack([a for a, _ in g]), b=np.concatenate([b for _, b in g]))
            for g in groups
        ]
        return Problem.from_levels(levels, size=38, lower=self.lower, upper=self.upper)


def record(ticks: int, solve: Callable[[Tick], Solution], robot_name: str = "talos") -> list[Tick]:
    """Run the closed loop with a solver and keep every tick's rows."""
    robot = load(robot_name)
    model, data = robot.pin_model, robot.pin_model.createData()
    q = robot.standing_configuration.copy()
    q_rest = q.copy()
    lower, upper = robot.position_limits
    speed = 0.6 * np.asarray(robot.velocity_limits)
    ids = [
        model.getFrameId(name)
        for name in ("left_sole_link", "right_sole_link", "gripper_left_base_link")
    ]
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


SOLE = np.array([[0.1, 0.07], [0.1, -0.07], [-0.1, 0.07], [-0.1, -0.07]])
"""Corners of a sole in its frame, x and y [m]."""
FRICTION = 0.6


def inverse_dynamics_ticks(ticks: int) -> list[Problem]:
    """Record the inverse dynamics of the same motion: 62 unknowns, 18 equations, 66 rows.

    x = (38 accelerations, 3 force components at each of 8 corners). Equations: floating base (6),
    soles at rest (12). Rows: torques (32), friction pyramids (32), normal force of each foot (2).
    Cost: centre of mass, hand, posture, small forces.
    """
    robot = load("talos")
    model, data = robot.pin_model, robot.pin_model.createData()
    q, v = robot.standing_configuration.copy(), np.zeros(model.nv)
    q_rest = q.copy()
    feet = [model.getFrameId(name) for name in ("left_sole_link", "right_sole_link")]
    hand = model.getFrameId("gripper_left_base_link")
    pin.framesForwardKinematics(model, data, q)
    hand0, com0 = data.oMf[hand].copy(), pin.centerOfMass(model, data, q).copy()
    effort = 0.7 * np.asarray(robot.effort_limits)
    solver = StrictHierarchy()
    out = []
    for t in range(ticks):
        problem = _dynamics_tick(
            (model, data, q, v), (feet, hand), (hand0, com0, q_rest), (t * DT, effort)
        )
        out.append(problem)
        solution = solver.solve(problem)
        solution.raise_if_failed()
        a = solution.x[: model.nv]
        q = pin.integrate(model, q, v * DT + 0.5 * a * DT**2)
        v = v + a * DT
    return out


def _dynamics_tick(
    state: tuple[Any, ...], frames: tuple[Any, ...], rest: tuple[Any, ...], now: tuple[Any, ...]
) -> Problem:
    model, data, q, v = state
    (feet, hand), (hand0, com0, q_rest), (time, effort) = frames, rest, now
    nv = model.nv
    n = nv + 24
    pin.computeAllTerms(model, data, q, v)
    pin.forwardKinematics(model, data, q, v, np.zeros(nv))
    pin.updateFramePlacements(model, data)
    pin.centerOfMass(model, data, q, v, np.zeros(nv))
    lift = np.zeros((6, 12))
    for c, (x, y) in enumerate(SOLE):
        lift[:3, 3 * c : 3 * c + 3] = np.eye(3)
        lift[3:, 3 * c : 3 * c + 3] = pin.skew(np.array([x, y, 0.0]))
    jacobians = [pin.getFrameJacobian(model, data, i, pin.LOCAL).copy() for i in feet]
    dynamics = np.hstack([data.M, *[-J.T @ lift for J in jacobians]])
    C, low, high = [dynamics[:6]], [-data.nle[:6]], [-data.nle[:6]]
    for i, J in zip(feet, jacobians, strict=True):
        drift = pin.getFrameClassicalAcceleration(model, data, i, pin.LOCAL).vector
        speed = pin.getFrameVelocity(model, data, i, pin.LOCAL).vector
        C.append(np.hstack([J, np.zeros((6, 24))]))
        low.append(-drift - 20.0 * speed)
        high.append(-drift - 20.0 * speed)
    C.append(dynamics[6:])
    low.append(-effort - data.nle[6:])
    high.append(effort - data.nle[6:])
    for corner in range(8):
        for axis, sign in ((0, 1.0), (0, -1.0), (1, 1.0), (1, -1.0)):
            row = np.zeros((1, n))
            row[0, nv + 3 * corner + axis] = sign
            row[0, nv + 3 * corner + 2] = -FRICTION / np.sqrt(2.0)
            C.append(row)
            low.append(np.array([-np.inf]))
            high.append(np.zeros(1))
    for foot in range(2):
        row = np.zeros((1, n))
        row[0, nv + 12 * foot + 2 : nv + 12 * foot + 12 : 3] = 1.0
        C.append(row)
        low.append(np.array([10.0]))
        high.append(np.array([1500.0]))
    J_hand = pin.getFrameJacobian(model, data, hand, pin.LOCAL)
    target = hand0.copy()
    target.translation = hand0.translation + 0.15 * np.array(
        [np.cos(2 * np.pi * time) - 1.0, np.sin(2 * np.pi * time), 0.0]
    )
    e = pin.log6(data.oMf[hand].actInv(target)).vector
    hand_b = (
        400.0 * e
        - 40.0 * pin.getFrameVelocity(model, data, hand, pin.LOCAL).vector
        - pin.getFrameClassicalAcceleration(model, data, hand, pin.LOCAL).vector
    )
    sway = com0 + np.array([0.0, 0.03 * np.sin(np.pi * time), 0.0])
    com_b = 100.0 * (sway - data.com[0]) - 20.0 * data.vcom[0] - data.acom[0]
    posture_b = 25.0 * (q_rest[7:] - q[7:]) - 10.0 * v[6:]
    wide = np.zeros((nv + 24 - 6, n))
    wide[:32, 6:nv] = 0.1 * np.eye(32)
    wide[32:, nv:] = 1e-3 * np.eye(24)
    A = np.vstack(
        [np.hstack([data.Jcom, np.zeros((3, 24))]), np.hstack([J_hand, np.zeros((6, 24))]), wide]
    )
    b = np.concatenate([com_b, hand_b, 0.1 * posture_b, np.zeros(24)])
    level = Level(
        A=A, b=b, C=np.vstack(C), C_lower=np.concatenate(low), C_upper=np.concatenate(high)
    )
    return Problem.from_levels([level], size=n)
