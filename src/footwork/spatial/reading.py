"""Reading rotations and points from what a user gives."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.spatial import quaternion as quat
from footwork.spatial.quaternion import Quaternion
from footwork.typing import Matrix, as_array

UNIT_TOLERANCE: Final = 1e-6
"""How far a quaternion's norm, or a matrix from orthonormal, may be off and is still taken."""


def as_rows(name: str, value: ArrayLike) -> Matrix:
    """Read one vector of three, or many as rows.

    Args:
        name: What it is, for the message.
        value: Shape (3,) or (n, 3).

    Returns:
        A new array of the same shape.

    Raises:
        InputError: If the last axis is not three finite numbers.
    """
    try:
        one = np.ndim(value) == 1
    except ValueError:  # rows of different lengths; the message is that of `as_array`
        one = True
    return as_array(name, value, (3,) if one else ("n", 3))


def as_quaternion(R: Matrix) -> Quaternion:
    """Read a rotation matrix.

    Args:
        R: Shape (3, 3), orthonormal within `UNIT_TOLERANCE`.

    Returns:
        The unit quaternion.

    Raises:
        InputError: If R is not a rotation; says in what way.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        error = float(np.abs(R @ R.T - np.eye(3)).max())
    # not ≤, so that NaN, from entries that overflow, is refused as well
    if not error <= UNIT_TOLERANCE or np.linalg.det(R) < 0.0:
        what = "det R = −1" if error <= UNIT_TOLERANCE else f"R Rᵀ is off identity by {error:.3g}"
        raise InputError(f"rotation must be orthonormal with determinant 1; {what}")
    rows: Sequence[Sequence[float]] = R.tolist()
    (a, b, c), (d, e, f), (g, h, i) = rows
    return quat.from_matrix(((a, b, c), (d, e, f), (g, h, i)))
