"""Joints that do not do as they are told: blocked, or without a motor."""

from typing import Any, Final

import numpy as np

from footwork.robot import RobotModel
from footwork.typing import BoolVector, Vector
from footwork.walking.controller import WholeBody
from footwork.walking.interface import Measurement

INTERVAL: Final = 0.01
"""Time over which motion and torques are compared [s]."""
MEMORY: Final = (0.2, 0.3)
"""Time constants: of the mean of what is amiss, in which impacts and noise cancel out, and of the
mean of its size, in which the faults of one step after the other add up [s]."""
ALARM: Final = 0.07
"""Part of its torque limit that must be amiss at a joint, in the mean, for it to be named. In walks
that arrive, over bumps and with pushes, noise, delay and loads too, it stays below 0.03; a robot
that stumbles over its own legs may exceed it at its hips."""
ALONE: Final = 0.7
"""Part of what is amiss at a joint [N m] that, amiss at one before or behind it, says that a link
is pushed. With a motor dead or a joint blocked it stays below 0.45; with a hand that strikes the
thigh it is above 1."""


class JointMonitor:
    """Compares the torques that explain the measured motion with those that were commanded.

    By the model, the measured accelerations and the forces on the feet take torques τ = M a + h −
    Jᵀ f. What lasts of the difference from the commanded ones acts at the joint itself: the stop or
    the jam of a blocked joint, the missing torque of a dead motor. What the joint's description
    says of its damping and dry friction is no fault: a wrist that is hardly moved sticks.

    What pushes the base, or a load on it, moves the base and the feet's forces and shows in no
    joint; what pushes an arm or a leg shows in the joints between it and the base, for there the
    model knows no contact. So a joint is named that is amiss alone, and not if one between it and
    the base, or beyond it, is amiss nearly as much. A push close behind a joint may still be taken
    for its fault, which is why it warns and does not end the walk.

    Args:
        robot: The robot.
        control_step: Between two ticks [s].

    Attributes:
        residual: Mean of what is amiss [N m], shape (nu,).
        shares: Mean of its size, of each joint's torque limit, shape (nu,).
        joint: The first that was found not to follow its torques; "" as long as all do.
        since: When it was found [s]; None as long as all follow.
    """

    def __init__(self, robot: RobotModel, control_step: float) -> None:
        self._names = robot.joint_names
        self._limits = robot.effort_limits
        model = robot.pin_model
        dry = model.lowerDryFrictionLimit, model.upperDryFrictionLimit
        self._damping: Vector = np.array(model.damping[6:])
        self._friction = np.array(dry)[:, 6:]
        self._every = max(1, round(INTERVAL / control_step))
        self._interval = self._every * control_step
        self._gains = [min(1.0, self._interval / memory) for memory in MEMORY]
        self._near = _one_behind_the_other(robot)
        feet = robot.entry.feet if robot.entry is not None else ()
        self._torques: Vector = np.zeros(robot.nu)
        self._wrenches = np.zeros((len(feet), 6))
        self._v: Vector = np.zeros(robot.nv)
        self._count = -1
        self.residual: Vector = np.zeros(robot.nu)
        self.shares: Vector = np.zeros(robot.nu)
        self.since: float | None = None
        self.joint = ""

    def note(self, measurement: Measurement, applied: Vector, whole_body: WholeBody) -> None:
        """Take a control step.

        Args:
            measurement: At its end.
            applied: Torques during it [N m], shape (nu,).
            whole_body: Knows the equation of motion, at its end.
        """
        self._count += 1
        if self._count == 0:  # the first measurement ends no step
            self._v[:] = measurement.v
            return
        self._torques += applied
        self._wrenches += measurement.foot_wrenches
        if self._count % self._every:
            return
        acceleration = (measurement.v - self._v) / self._interval
        taken = whole_body.torques_of(acceleration, self._wrenches / self._every)
        speed = 0.5 * (self._v[6:] + measurement.v[6:])
        amiss = taken + self._damping * speed - self._torques / self._every
        amiss -= np.clip(amiss, *self._friction)
        np.minimum(amiss, self._limits, out=amiss)  # an impact counts little
        np.maximum(amiss, -self._limits, out=amiss)
        self.residual += self._gains[0] * (amiss - self.residual)
        self.shares += self._gains[1] * (np.abs(self.residual) / self._limits - self.shares)
        self._v[:] = measurement.v
        self._torques[:] = 0.0
        self._wrenches[:] = 0.0
        if self.since is None and self.shares.max() > ALARM:
            self._name(measurement.time)

    def _name(self, time: float) -> None:
        """Name the joint at which most is amiss, of those that are amiss alone."""
        size = self.shares * self._limits
        is_alone = (self._near * size).max(axis=1) < ALONE * size
        worst = int(np.argmax(np.where(is_alone, self.shares, 0.0)))
        if is_alone[worst] and self.shares[worst] > ALARM:
            self.since, self.joint = time, self._names[worst]

    def figures(self) -> dict[str, Any]:
        """List what is known of joints that do not follow, for the summary."""
        return {"joint_not_following": self.joint, "joint_not_following_since_s": self.since}

    def warning(self) -> str:
        """Say which joint does not follow, in a sentence, or nothing."""
        if self.since is None:
            return ""
        return f" {self.joint} did not follow its torques, seen at {self.since:.2f} s."


def _one_behind_the_other(robot: RobotModel) -> BoolVector:
    """Tell of all pairs of joints whether one moves the other, shape (nu, nu)."""
    moved = np.zeros((robot.nu, robot.nv), dtype=np.bool_)
    for row, name in zip(moved, robot.joint_names, strict=True):
        row[robot.velocity_of_column[robot.frame(name, kind="joint").support]] = True
    by = moved[:, robot.nv - robot.nu :]
    near: BoolVector = (by | by.T) & ~np.eye(robot.nu, dtype=np.bool_)
    return near
