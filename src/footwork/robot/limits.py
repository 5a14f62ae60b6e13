"""Limits of joints: what the description says, and what the zoo's entry adds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from footwork.robot.joints import Joints
from footwork.robot.urdf import UNWOUND
from footwork.typing import Vector, frozen

if TYPE_CHECKING:
    from footwork.robot.zoo import ZooEntry

HUGE: Final = 1e20
"""Limits from here on are none."""


def apply_entry(model: Any, joints: Joints, entry: "ZooEntry") -> None:
    """Write what a zoo's entry adds into Pinocchio's model: armature, speeds, efforts.

    Args:
        model: Pinocchio's model.
        joints: Its joints.
        entry: What the description lacks.
    """
    for name in joints.names:
        iv = joints.slices[name][1]
        for array, patterns in (
            (model.armature, entry.armature),
            (model.upperVelocityLimit, entry.velocity_limits),
            (model.upperEffortLimit, entry.effort_limits),
        ):
            value = entry.match(patterns, name)
            if value is not None:
                array[iv] = value


@dataclass(frozen=True, kw_only=True, eq=False)
class JointLimits:
    """Limits by components of v; ∓inf where there is none.

    Attributes:
        position: Lower and upper limits [rad, m], each of shape (nv,).
        velocity: Largest speeds [rad/s, m/s], shape (nv,).
        effort: Largest torques or forces [N m, N], shape (nv,).
    """

    position: tuple[Vector, Vector]
    velocity: Vector
    effort: Vector


def read_limits(model: Any, joints: Joints, efforts: Mapping[str, float]) -> JointLimits:
    """Read the limits of a model.

    Args:
        model: Pinocchio's model.
        joints: Its joints.
        efforts: Torque limits by joint, for those that have none in the model.

    Returns:
        The limits, read-only.
    """
    nv = model.nv
    lower, upper = np.full(nv, -np.inf), np.full(nv, np.inf)
    speed, effort = np.full(nv, np.inf), np.full(nv, np.inf)
    for name in joints.names:
        iq, iv, nq, size = joints.slices[name]
        if nq == size == 1:
            lower[iv], upper[iv] = model.lowerPositionLimit[iq], model.upperPositionLimit[iq]
        speed[iv : iv + size] = np.abs(model.upperVelocityLimit[iv : iv + size])
        effort[iv : iv + size] = np.abs(model.upperEffortLimit[iv : iv + size])
        if name in efforts and not np.isfinite(effort[iv]):
            effort[iv] = efforts[name]
    lower[lower <= -UNWOUND], upper[upper >= UNWOUND] = -np.inf, np.inf
    # Zero is how a URDF without numbers comes out; it would forbid all motion.
    speed[(speed == 0.0) | (speed >= HUGE)] = np.inf
    effort[(effort == 0.0) | (effort >= HUGE)] = np.inf
    return JointLimits(
        position=(frozen(lower), frozen(upper)), velocity=frozen(speed), effort=frozen(effort)
    )
