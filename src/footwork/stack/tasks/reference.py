"""Reading what a user assigns to ``task.reference``."""

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.spatial import Pose
from footwork.typing import Vector, as_array

_Array: Final = np.ndarray
_FLOAT64: Final = np.dtype(np.float64)
_POINT: Final = (3,)


def split_reference(value: Any, name: str, parts: Sequence[str]) -> list[Any]:
    """Take a reference apart: the value alone, or a tuple with its derivatives.

    Args:
        value: What was assigned.
        name: Of the task, for messages.
        parts: Names of the value and of the derivatives that may follow.

    Returns:
        As many entries as ``parts``; None where nothing was given.

    Raises:
        InputError: If there are too many.
    """
    if not isinstance(value, tuple):
        return [value] + [None] * (len(parts) - 1)
    given = list(value)
    if not 1 <= len(given) <= len(parts):
        shown = ", ".join(parts)
        raise InputError(f"reference of {name!r} is {parts[0]} or a tuple ({shown}); got {value!r}")
    return given + [None] * (len(parts) - len(given))


def as_pose(value: Any, name: str) -> Pose:
    """Read a pose: a `Pose`, or a homogeneous matrix.

    Args:
        value: What was given.
        name: Of the task, for messages.

    Returns:
        The pose.

    Raises:
        InputError: If it is neither.
    """
    if isinstance(value, Pose):
        return value
    try:
        return Pose.from_matrix(value)
    except (InputError, TypeError) as error:
        raise InputError(
            f"reference of {name!r}: expected a Pose or a homogeneous (4, 4) matrix; {error}"
        ) from error


def as_numbers(value: ArrayLike, size: int, what: str, owner: str) -> list[float]:
    """Read a vector that is set every tick.

    Args:
        value: What was given.
        size: How long it must be.
        what: What it is, for messages.
        owner: Name of the task, for messages.

    Returns:
        Its entries.
    """
    if type(value) is _Array and value.dtype is _FLOAT64 and value.shape == (size,):
        numbers: list[float] = value.tolist()
        if math.isfinite(sum(numbers)):
            return numbers
    return list(as_array(f"{what} of {owner!r}", value, (size,)).tolist())


def as_point(value: ArrayLike, what: str, owner: str) -> list[float]:
    """Read three numbers that are set every tick.

    Args:
        value: What was given.
        what: What it is, for messages.
        owner: Name of the task, for messages.

    Returns:
        Its entries.
    """
    if type(value) is _Array and value.dtype is _FLOAT64 and value.shape == _POINT:
        numbers: list[float] = value.tolist()
        x, y, z = numbers
        if math.isfinite(x + y + z):
            return numbers
    return as_numbers(value, 3, what, owner)


def as_motion(value: ArrayLike | None, size: int, what: str, owner: str) -> list[float]:
    """Read a feed-forward that is set every tick; zeros if there is none.

    Args:
        value: What was given.
        size: How long it must be.
        what: What it is, for messages.
        owner: Name of the task, for messages.

    Returns:
        Its entries.
    """
    return [0.0] * size if value is None else as_numbers(value, size, what, owner)


def as_vector(value: ArrayLike | None, name: str, size: int) -> Vector | None:
    """Read a vector, if there is one.

    Args:
        value: What was given.
        name: What it is, for messages.
        size: How long it must be.

    Returns:
        A new array, or None.
    """
    return None if value is None else as_array(name, value, (size,))
