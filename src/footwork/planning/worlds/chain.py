"""Robots of several bodies in the plane: a car with trailers, a pendulum of links."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning.worlds.footprints import Footprint
from footwork.typing import Matrix, Vector


@dataclass(frozen=True, kw_only=True)
class Body:
    """One body of a jointed robot.

    Attributes:
        outline: In its own frame; a rectangle or another outline that turns.
        angle: Index of its angle in a state.
        is_relative: Whether the angle counts from the body before, not from the world.
        offset: Added to the angle to give the direction of its x axis [rad].
        anchor: Its origin in the frame of the body before [m].
        limits: Lowest and highest angle between its x axis and that of the body before [rad].
    """

    outline: Footprint
    angle: int
    is_relative: bool = False
    offset: float = 0.0
    anchor: tuple[float, float] = (0.0, 0.0)
    limits: tuple[float, float] = (-math.inf, math.inf)

    def __post_init__(self) -> None:
        if not self.outline.turns:
            raise InputError("a body of a chain must have an outline that turns, not a disc")
        if self.angle != int(self.angle) or self.angle < 0:
            raise InputError(f"angle must be an index into the state from 0, got {self.angle}")
        if not self.limits[0] <= self.limits[1]:
            raise InputError(f"limits must be lowest, then highest angle, got {self.limits}")


@dataclass(frozen=True)
class Chain(Footprint):
    """Bodies that hang on one another, the first on the robot's position or on a fixed point.

    Attributes:
        bodies: From the base on; at least one.
        base: Fixed point of the first body [m]; None if it is at the position in the state.
    """

    bodies: tuple[Body, ...]
    base: tuple[float, float] | None = None

    def __init__(self, bodies: Sequence[Body], *, base: tuple[float, float] | None = None) -> None:
        if not bodies:
            raise InputError("a chain needs at least one body")
        object.__setattr__(self, "bodies", tuple(bodies))
        object.__setattr__(self, "base", base)

    @property
    def parts(self) -> tuple[Matrix, ...]:
        """The parts of all bodies, each in its own body's frame."""
        return tuple(part for body in self.bodies for part in body.outline.parts)

    @property
    def radius(self) -> float:
        """Farthest that any body reaches from its own origin [m]."""
        return max(body.outline.radius for body in self.bodies)

    @property
    def last_index(self) -> int:
        """Largest index into a state that is read for an angle."""
        return max(body.angle for body in self.bodies)

    def poses(self, state: ArrayLike, position: tuple[int, int]) -> Matrix:
        """Place the bodies.

        Args:
            state: State, shape (n,).
            position: Indices of x and y in it.

        Returns:
            Rows (x, y, direction of the x axis), shape (bodies, 3).
        """
        x = np.asarray(state, dtype=np.float64)
        point: Vector = np.array(self.base) if self.base is not None else x[list(position)]
        rows = []
        before = 0.0
        for k, body in enumerate(self.bodies):
            heading = float(x[body.angle]) + body.offset + (before if body.is_relative else 0.0)
            if k > 0:
                c, s = math.cos(before), math.sin(before)
                point = point + np.array([[c, -s], [s, c]]) @ np.array(body.anchor)
            rows.append([*point, heading])
            before = heading
        return np.array(rows)

    def packed(self) -> list[float]:
        """Numbers for the kernel; the offsets of the parts count from the first part.

        Returns:
            The block that `_kernels/worlds_chain.py` describes.
        """
        block = [float(len(self.bodies)), *(self.base or (0.0, 0.0))]
        first = 0.0
        for body in self.bodies:
            parts = body.outline.parts
            block += [body.angle, float(body.is_relative), body.offset, *body.anchor]
            block += [first, float(len(parts)), *body.limits]
            first += sum(2.0 + 4.0 * len(part) for part in parts)
        return block
