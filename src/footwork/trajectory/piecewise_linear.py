"""Curves made of straight pieces, such as the reference of a zero moment point."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.typing import Matrix, Vector, as_array, frozen


@dataclass(frozen=True, kw_only=True, eq=False)
class PiecewiseLinear:
    """A vector-valued curve through knots, straight between them and constant outside.

    Two knots at one time are a jump; at the jump itself the later value counts.

    Attributes:
        times: Knots, never descending [s], shape (k,), read-only.
        values: Values at the knots, shape (k, n), read-only.

    Example:
        >>> zmp = PiecewiseLinear(times=[0.0, 1.0, 1.0, 2.0], values=[[0.0], [1.0], [5.0], [7.0]])
        >>> zmp.position([0.5, 1.0, 1.5, 9.0]).ravel().tolist()
        [0.5, 5.0, 6.0, 7.0]
    """

    times: Vector
    values: Matrix

    def __post_init__(self) -> None:
        times = as_array("times", self.times, ("k",))
        values = as_array("values", self.values, (times.size, "n"))
        if times.size == 0:
            raise InputError("times: a piecewise linear curve needs at least one knot")
        if np.any(np.diff(times) < 0.0):
            index = int(np.argmax(np.diff(times) < 0.0)) + 1
            raise InputError(
                f"times[{index}] = {times[index]} comes before times[{index - 1}] = "
                f"{times[index - 1]}; knots must not descend"
            )
        object.__setattr__(self, "times", frozen(times))
        object.__setattr__(self, "values", frozen(values))

    @property
    def start(self) -> float:
        """First knot [s]."""
        return float(self.times[0])

    @property
    def end(self) -> float:
        """Last knot [s]."""
        return float(self.times[-1])

    def position(self, time: ArrayLike) -> Matrix:
        """Evaluate the curve.

        Args:
            time: One instant, or shape (m,) [s].

        Returns:
            Values, shape (n,) or (m, n).
        """
        t = np.asarray(time, dtype=np.float64)
        flat = np.atleast_1d(t)
        left, fraction = self._locate(flat)
        right = np.minimum(left + 1, self.times.size - 1)
        values: Matrix = self.values[left] + fraction[:, None] * (
            self.values[right] - self.values[left]
        )
        return values[0] if t.ndim == 0 else values

    def velocity(self, time: ArrayLike) -> Matrix:
        """Evaluate the slope; at a knot that of the piece that begins there.

        Args:
            time: One instant, or shape (m,) [s].

        Returns:
            Slopes [1/s], shape (n,) or (m, n); zero outside of the knots.
        """
        t = np.asarray(time, dtype=np.float64)
        flat = np.atleast_1d(t)
        left, _ = self._locate(flat)
        right = np.minimum(left + 1, self.times.size - 1)
        length = self.times[right] - self.times[left]
        inside = (flat >= self.times[0]) & (length > 0.0)
        step = np.where(inside, length, 1.0)[:, None]
        rise = np.where(inside[:, None], self.values[right] - self.values[left], 0.0)
        slopes: Matrix = rise / step
        return slopes[0] if t.ndim == 0 else slopes

    def _locate(self, times: Vector) -> tuple[np.ndarray, Vector]:
        """Find the piece of each time and how much of it has passed."""
        left = np.clip(np.searchsorted(self.times, times, side="right") - 1, 0, None)
        right = np.minimum(left + 1, self.times.size - 1)
        length = self.times[right] - self.times[left]
        passed = times - self.times[left]
        fraction = np.where(length > 0.0, passed / np.where(length > 0.0, length, 1.0), 0.0)
        return left, np.clip(fraction, 0.0, 1.0)
