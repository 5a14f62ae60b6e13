"""What a planner's graph consists of, and the checks of its indices."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.typing import IntVector, Vector


@dataclass(frozen=True, kw_only=True, eq=False)
class PlannerVertex:
    """A vertex.

    Attributes:
        index: Its number.
        state: A copy of its state, shape (n,).
        tag: A whole number that the user gave it.
        is_start: Whether planning started there.
        is_goal: Whether it is in the goal.
    """

    index: int
    state: Vector
    tag: int
    is_start: bool
    is_goal: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class PlannerEdge:
    """An edge: a control that leads from one vertex to another.

    Attributes:
        source: Where it starts.
        target: Where it ends.
        control: A copy of what is applied, shape (m,).
        duration: For how long [s].
        weight: Its cost.
    """

    source: int
    target: int
    control: Vector
    duration: float
    weight: float


def data_index(what: str, index: int, count: int) -> int:
    """Check an index.

    Args:
        what: Of what, for the message.
        index: From 0; negative ones are refused.
        count: How many there are.

    Returns:
        The index.

    Raises:
        IndexError: If there is no such one.
    """
    if not 0 <= index < count:
        raise IndexError(f"{what} {index} does not exist: there are {count}")
    return int(index)


def whole_numbers(name: str, values: ArrayLike) -> IntVector:
    """Take an array of whole numbers.

    Args:
        name: What they are.
        values: What came.

    Returns:
        The array.

    Raises:
        InputError: If they are no integers.
    """
    array = np.asarray(values)
    if array.size and array.dtype.kind not in "iu":
        raise InputError(f"{name} must be whole numbers, got {array.dtype}")
    return array.astype(np.int64)
