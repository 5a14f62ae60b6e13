"""Limits that are the same on both sides."""

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.robot import RobotModel
from footwork.typing import Vector, as_array


def as_limits(value: ArrayLike, name: str, size: int) -> Vector:
    """Read limits that are the same on both sides: one number, or one for every row.

    Args:
        value: What was given; infinity is no limit.
        name: What it is, for messages.
        size: Number of rows.

    Returns:
        Shape (size,), not negative.

    Raises:
        InputError: If one is negative or NaN.
    """
    given = np.asarray(value, dtype=np.float64)
    full = np.full(size, given) if given.ndim == 0 else given
    limits = as_array(name, full, (size,), finite=False)
    if not (limits >= 0.0).all():
        bad = int(np.argmax(~(limits >= 0.0)))
        raise InputError(f"{name}[{bad}] must not be negative, got {limits[bad]}")
    return limits


def as_joint_limits(value: ArrayLike, what: str, robot: RobotModel) -> Vector:
    """Check symmetric limits, one a component of v; one number is meant for the joints only.

    Args:
        value: Shape (nv,) or a number.
        what: What it is, for the message.
        robot: The robot.

    Returns:
        Limits, shape (nv,); inf for the floating base if a number was given.
    """
    most = as_limits(value, what, robot.nv)
    if robot.has_floating_base and np.ndim(value) == 0:
        most[:6] = np.inf
    return most
