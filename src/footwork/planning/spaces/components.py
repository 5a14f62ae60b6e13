"""What a flat state is made of: a table of components that kernels can read."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

import numpy as np

from footwork.errors import BoundsError
from footwork.typing import IntVector, Vector, frozen


class Kind(IntEnum):
    """How a component is measured, wrapped, sampled and bounded; kernels use the same numbers."""

    REAL = 0
    """A block of real numbers with the Euclidean distance."""
    SO2 = 1
    """One angle [rad], wrapped to [−π, π); the distance is the short way round."""
    SO3 = 2
    """A unit quaternion (x, y, z, w); the distance is acos |a·b|, at most π/2."""
    TIME = 3
    """One instant [s]; the distance is |Δt|."""
    DISCRETE = 4
    """One whole number; the distance is |i − j|."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Component:
    """One component of a state.

    Attributes:
        kind: How it is measured.
        low: Lower bounds, shape (size,).
        high: Upper bounds, shape (size,).
        names: Names of the axes, one for each number.
        weight: Factor of its distance in the distance of whole states.
    """

    kind: Kind
    low: Vector
    high: Vector
    names: tuple[str, ...]
    weight: float = 1.0

    @property
    def size(self) -> int:
        """How many numbers it has in a flat state."""
        return len(self.low)


@dataclass(frozen=True, kw_only=True, eq=False)
class ComponentTable:
    """The components of a space as arrays, the form that kernels read.

    Attributes:
        components: Rows (kind, offset, size), shape (k, 3).
        weights: Factor of each component in the distance, shape (k,).
        low: Lower bounds, shape (n,).
        high: Upper bounds, shape (n,).
        names: Names of the n axes.
    """

    components: IntVector
    weights: Vector
    low: Vector
    high: Vector
    names: tuple[str, ...] = field(repr=False)

    @classmethod
    def of(cls, parts: Sequence[Component]) -> "ComponentTable":
        """Lay components out one after the other.

        Args:
            parts: The components in the order of the flat state.

        Returns:
            The table, its arrays read-only.
        """
        sizes = [part.size for part in parts]
        offsets = np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(np.int64)
        rows = np.array(
            [(part.kind, offset, part.size) for part, offset in zip(parts, offsets, strict=True)],
            dtype=np.int64,
        )
        rows.setflags(write=False)
        return cls(
            components=rows,
            weights=frozen(np.array([part.weight for part in parts], dtype=np.float64)),
            low=frozen(np.concatenate([part.low for part in parts])),
            high=frozen(np.concatenate([part.high for part in parts])),
            names=tuple(name for part in parts for name in part.names),
        )


WIDEST: Final = 1e100
"""How far apart bounds may be: distances are squared."""


def check_bounds(
    what: str, low: Vector, high: Vector, names: Sequence[str], *, allow_equal: bool
) -> None:
    """Refuse bounds that nothing can be sampled from.

    Args:
        what: Which space it is, for the message.
        low: Lower bounds.
        high: Upper bounds.
        names: Names of the axes.
        allow_equal: Whether an axis may be fixed to one value.

    Raises:
        BoundsError: If a bound is not finite, low is above high (or equal to it), or they are so
            far apart that the square of a distance overflows.
    """
    for name, lower, upper in zip(names, low.tolist(), high.tolist(), strict=True):
        if not (np.isfinite(lower) and np.isfinite(upper)):
            raise BoundsError(what, name, lower, upper, "both must be finite numbers")
        if upper - lower > WIDEST:
            raise BoundsError(what, name, lower, upper, f"they may be {WIDEST:g} apart at most")
        if lower > upper:
            raise BoundsError(what, name, lower, upper, "low must not be above high")
        if lower == upper and not allow_equal:
            raise BoundsError(
                what, name, lower, upper, "low must be below high; leave a fixed axis out"
            )
