"""Spaces with one component: real vectors, angles, rotations, time and whole numbers."""

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import BoundsError, ShapeError
from footwork.planning.spaces.components import Component, Kind, check_bounds
from footwork.planning.spaces.state_space import StateSpace, format_numbers
from footwork.typing import Vector, as_array, frozen

LARGEST_WHOLE: Final = 2.0**53
"""Up to here every whole number is a float64."""


class RealVectorStateSpace(StateSpace):
    """Real numbers in a box, with the Euclidean distance.

    Args:
        low: Lower bounds, shape (n,).
        high: Upper bounds, shape (n,).
        names: Names of the axes for messages and plots; "axis 0", "axis 1", … when not given.

    Raises:
        BoundsError: If a bound is not finite, or low is not below high; the axis is named.
        ShapeError: If the two have different lengths.

    Example:
        >>> space = RealVectorStateSpace(low=[-1.0, -1.0], high=[1.0, 1.0])
        >>> space.distance([0.0, 0.0], [0.3, 0.4])
        0.5
    """

    def __init__(
        self, low: ArrayLike, high: ArrayLike, *, names: Sequence[str] | None = None
    ) -> None:
        super().__init__([real_component("RealVectorStateSpace", low, high, names)])

    def _describe(self, state: Vector) -> str:
        return f"RealVectorState [{format_numbers(state)}]"


class SO2StateSpace(StateSpace):
    """One angle [rad]; unwrapped values are allowed, the distance is the short way round.

    Example:
        >>> round(SO2StateSpace().distance([3.0], [-3.0]), 6)
        0.283185
    """

    def __init__(self) -> None:
        super().__init__([angle_component("angle")])

    def _describe(self, state: Vector) -> str:
        return f"SO2State [{format_numbers(state)}]"


class SO3StateSpace(StateSpace):
    """Rotations in space as unit quaternions (x, y, z, w); d = acos |a·b|, at most π/2."""

    def __init__(self) -> None:
        super().__init__([rotation_component()])

    def _describe(self, state: Vector) -> str:
        return f"SO3State [{format_numbers(state)}]"


class TimeStateSpace(StateSpace):
    """An instant [s] between two bounds; d = |a − b|.

    Args:
        low: First instant [s].
        high: Last instant [s].

    Raises:
        BoundsError: If a bound is not finite, or low is not below high.
    """

    def __init__(self, low: float, high: float) -> None:
        bounds = (
            as_array("low", [low], (1,), finite=False),
            as_array("high", [high], (1,), finite=False),
        )
        check_bounds("TimeStateSpace", *bounds, ["time"], allow_equal=False)
        super().__init__(
            [
                Component(
                    kind=Kind.TIME,
                    low=frozen(bounds[0]),
                    high=frozen(bounds[1]),
                    names=("time",),
                )
            ]
        )

    def _describe(self, state: Vector) -> str:
        return f"TimeState [{format_numbers(state)}]"


class DiscreteStateSpace(StateSpace):
    """A whole number from low to high, both included; d = |i − j|.

    Args:
        low: Smallest value.
        high: Largest value.

    Raises:
        BoundsError: If a bound is not a whole number, or low is above high.
    """

    def __init__(self, low: int, high: int) -> None:
        super().__init__([discrete_component("DiscreteStateSpace", low, high)])

    def _describe(self, state: Vector) -> str:
        return f"DiscreteState [{format_numbers(state)}]"


def real_component(
    what: str, low: ArrayLike, high: ArrayLike, names: Sequence[str] | None
) -> Component:
    """Make a checked block of real numbers.

    Args:
        what: Which space asks, for messages.
        low: Lower bounds.
        high: Upper bounds.
        names: Names of the axes, or None.

    Returns:
        The component.

    Raises:
        ShapeError: If the lengths differ or are zero.
    """
    lower = as_array(f"{what}: low", low, ("n",), finite=False)
    upper = as_array(f"{what}: high", high, (len(lower),), finite=False)
    if len(lower) == 0:
        raise ShapeError(f"{what}: low", ("n",), lower.shape, "a space has at least one axis")
    labels = tuple(f"axis {i}" for i in range(len(lower))) if names is None else tuple(names)
    if len(labels) != len(lower):
        raise ShapeError(f"{what}: names", (len(lower),), (len(labels),))
    check_bounds(what, lower, upper, labels, allow_equal=False)
    return Component(kind=Kind.REAL, low=frozen(lower), high=frozen(upper), names=labels)


def angle_component(name: str, weight: float = 1.0) -> Component:
    """Make an angle.

    Args:
        name: Name of the axis.
        weight: Its factor in distances.

    Returns:
        The component, wrapped to [−π, π).
    """
    pi = np.array([np.pi])
    return Component(kind=Kind.SO2, low=frozen(-pi), high=frozen(pi), names=(name,), weight=weight)


def rotation_component(weight: float = 1.0) -> Component:
    """Make a rotation in space.

    Args:
        weight: Its factor in distances.

    Returns:
        The component, four numbers (x, y, z, w).
    """
    one = np.ones(4)
    return Component(
        kind=Kind.SO3,
        low=frozen(-one),
        high=frozen(one),
        names=("qx", "qy", "qz", "qw"),
        weight=weight,
    )


def discrete_component(what: str, low: int, high: int) -> Component:
    """Make a checked whole number.

    Args:
        what: Which space asks, for messages.
        low: Smallest value.
        high: Largest value.

    Returns:
        The component.
    """
    bounds = whole_bounds(what, low, high)
    return Component(kind=Kind.DISCRETE, low=bounds[0], high=bounds[1], names=("value",))


def whole_bounds(what: str, low: int, high: int) -> tuple[Vector, Vector]:
    """Check the bounds of a whole number.

    Args:
        what: Which space asks, for messages.
        low: Smallest value.
        high: Largest value.

    Returns:
        Read-only arrays of one number.

    Raises:
        BoundsError: If one is not whole or beyond 2^53, or low is above high.
    """
    lower = as_array(f"{what}: low", [low], (1,), finite=False)
    upper = as_array(f"{what}: high", [high], (1,), finite=False)
    check_bounds(what, lower, upper, ["value"], allow_equal=True)
    if lower[0] != round(lower[0]) or upper[0] != round(upper[0]):
        raise BoundsError(what, "value", low, high, "both must be whole numbers")
    if max(abs(lower[0]), abs(upper[0])) > LARGEST_WHOLE:
        raise BoundsError(what, "value", low, high, "floats hold no larger whole numbers than 2^53")
    return frozen(lower), frozen(upper)
