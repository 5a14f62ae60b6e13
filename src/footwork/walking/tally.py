"""What is added up in each control step of a walk, for its figures and for the verdict."""

from math import hypot
from typing import Any, Final

import numpy as np

from footwork.robot import RobotModel
from footwork.typing import Vector
from footwork.walking._kernels.layout import GaitTargets

SMOOTHING: Final = 0.04
"""Time constant of the smoothed error of the DCM [s]; longer than the one by which the gait judges
a landing, because a robot that stands is judged in every tick, and noise has as many chances."""
WARM_UP: Final = 50
"""Ticks at the start whose times do not count."""
NEAR_LIMIT: Final = 0.97
"""A torque above this part of its limit saturates the joint."""


class Tally:
    """Adds up balance, torques and tick times.

    Args:
        robot: Its limits count.
        control_step: Between two ticks [s].

    Attributes:
        dcm_error: Measured less planned DCM, smoothed [m], shape (2,).
    """

    def __init__(self, robot: RobotModel, control_step: float) -> None:
        self._names = robot.joint_names
        self._limits = robot.effort_limits
        self._share = control_step / SMOOTHING
        self.dcm_error: Vector = np.zeros(2)
        self._errors: list[float] = []
        self._tick_times: list[float] = []
        self._worst = np.zeros(robot.nu)
        self._saturated = np.zeros(robot.nu)

    def note(self, targets: GaitTargets, torques: Vector, tick_time: float) -> None:
        """Add one control step.

        Args:
            targets: Of the gait.
            torques: [N m], shape (nu,).
            tick_time: From measurement to torques [s].
        """
        self._tick_times.append(tick_time)
        error = targets.dcm - targets.dcm_reference
        self._errors.append(hypot(error[0], error[1]))
        self.dcm_error += (error - self.dcm_error) * self._share
        share = np.abs(torques) / self._limits
        np.maximum(self._worst, share, out=self._worst)
        self._saturated *= 0.99
        self._saturated += 0.01 * (share > NEAR_LIMIT)

    def figures(self) -> dict[str, Any]:
        """List the figures, with units in their names."""
        ticks = np.array(self._tick_times[WARM_UP:] or self._tick_times or [0.0])
        errors = np.array(self._errors or [0.0])
        return {
            "dcm_error_rms_m": float(np.sqrt(np.mean(errors**2))),
            "dcm_error_max_m": float(errors.max()),
            "torque_of_limit_max": float(self._worst.max()),
            "tick_median_s": float(np.median(ticks)),
            "tick_p999_s": float(np.quantile(ticks, 0.999)),
        }

    def suspects(self) -> str:
        """Name the joints that were at their torque limits of late, in a sentence or none."""
        order = np.argsort(-self._saturated)
        names = [self._names[i] for i in order[:3] if self._saturated[i] > 0.1]
        return f" Joints at their torque limit just before: {', '.join(names)}." if names else ""
