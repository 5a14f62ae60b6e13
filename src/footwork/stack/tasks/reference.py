"""Reading what a user assigns to ``task.reference``."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.spatial import Pose
from footwork.typing import Vector, as_array


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
    given = list(value) if isinstance(value, tuple) else [value]
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


def fits(value: object, size: int) -> bool:
    """Whether a value is a finite float64 vector already, which needs no further look.

    Args:
        value: Anything.
        size: Wanted length.

    Returns:
        False if it has to be read by `as_vector`, or refused.
    """
    return (
        type(value) is np.ndarray
        and value.shape == (size,)
        and value.dtype == np.float64
        and math.isfinite(value.dot(value))
    )


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
