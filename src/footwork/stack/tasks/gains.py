"""Gains of acceleration tasks."""

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.typing import Vector, as_array


def as_gain(value: ArrayLike, name: str, size: int) -> Vector:
    """Read a gain: one number, or one for every row.

    Args:
        value: What was given.
        name: What it is, for messages.
        size: Number of rows.

    Returns:
        Shape (size,).

    Raises:
        InputError: If an entry is negative.
    """
    given = np.asarray(value, dtype=np.float64)
    gain = as_array(name, np.full(size, given) if given.ndim == 0 else given, (size,))
    if (gain < 0.0).any():
        raise InputError(f"{name} must not be negative, got {gain.tolist()}")
    return gain
