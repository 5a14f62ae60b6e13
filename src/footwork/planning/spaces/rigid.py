"""Poses in the plane and in space."""

from numpy.typing import ArrayLike

from footwork.planning.spaces.components import Component
from footwork.planning.spaces.elementary import (
    angle_component,
    real_component,
    rotation_component,
)
from footwork.planning.spaces.state_space import StateSpace, format_numbers
from footwork.typing import Vector


class SE2StateSpace(StateSpace):
    """Poses in the plane, (x [m], y [m], yaw [rad]); d = |Δp| + ½ |Δyaw|, the short way round.

    The yaw may be unwrapped.

    Args:
        low: Lower bounds of x and y [m], shape (2,).
        high: Upper bounds of x and y [m], shape (2,).

    Raises:
        BoundsError: If a bound is not finite, or low is not below high; the axis is named.

    Example:
        >>> space = SE2StateSpace(low=[-5, -5], high=[5, 5])
        >>> round(space.distance([0, 0, 3.0], [3, 4, -3.0]), 6)
        5.141593
    """

    def __init__(self, low: ArrayLike, high: ArrayLike) -> None:
        position = real_component("SE2StateSpace", low, high, ("x", "y"))
        super().__init__([position, angle_component("yaw", weight=0.5)])

    def _describe(self, state: Vector) -> str:
        position, yaw = format_numbers(state[:2]), format_numbers(state[2:])
        return f"Compound state [\nRealVectorState [{position}]\nSO2State [{yaw}]\n]"


class SE3StateSpace(StateSpace):
    """Poses in space, (x, y, z [m], quaternion x, y, z, w); d = |Δp| + acos |a·b|.

    Args:
        low: Lower bounds of the position [m], shape (3,).
        high: Upper bounds of the position [m], shape (3,).

    Raises:
        BoundsError: If a bound is not finite, or low is not below high; the axis is named.
    """

    def __init__(self, low: ArrayLike, high: ArrayLike) -> None:
        position: Component = real_component("SE3StateSpace", low, high, ("x", "y", "z"))
        super().__init__([position, rotation_component()])

    def _describe(self, state: Vector) -> str:
        position, q = format_numbers(state[:3]), format_numbers(state[3:])
        return f"Compound state [\nRealVectorState [{position}]\nSO3State [{q}]\n]"
