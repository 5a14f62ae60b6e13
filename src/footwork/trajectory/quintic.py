"""Minimum-jerk curves: polynomials of degree five between two sets of boundary values."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.typing import Matrix, Vector, as_array, frozen


@dataclass(frozen=True, kw_only=True, eq=False)
class Quintic:
    """A vector-valued polynomial of degree five in time, held constant outside of its interval.

    x(t) = Σ_k c_k (t − start)^k; before ``start`` and after ``end`` the value at that end with
    zero derivatives. Of all curves with the same ends it has the least ∫ |d³x/dt³|².

    Attributes:
        coefficients: c_k in rising powers, shape (6, n), read-only.
        start: First instant [s].
        end: Last instant [s].

    Source: flash1985coordination

    Example:
        >>> curve = Quintic.between([0.0], [1.0], start=0.0, end=2.0)
        >>> curve.position(1.0).tolist(), curve.velocity(2.0).tolist()
        ([0.5], [0.0])
    """

    coefficients: Matrix
    start: float
    end: float

    @classmethod
    def between(
        cls,
        first: ArrayLike,
        last: ArrayLike,
        *,
        start: float,
        end: float,
        first_velocity: ArrayLike | None = None,
        last_velocity: ArrayLike | None = None,
        first_acceleration: ArrayLike | None = None,
        last_acceleration: ArrayLike | None = None,
    ) -> "Quintic":
        """Make the curve with given values, velocities and accelerations at both ends.

        Args:
            first: Value at the start, shape (n,).
            last: Value at the end, shape (n,).
            start: First instant [s].
            end: Last instant [s], after the start.
            first_velocity: Derivative at the start [1/s], shape (n,); zero when not given.
            last_velocity: Derivative at the end [1/s], shape (n,); zero when not given.
            first_acceleration: Second derivative at the start [1/s²]; zero when not given.
            last_acceleration: Second derivative at the end [1/s²]; zero when not given.

        Returns:
            The curve.

        Raises:
            InputError: If the interval is empty.
        """
        if not end > start:
            raise InputError(f"quintic: end must come after start, got [{start}, {end}]")
        T = end - start
        p0 = as_array("first", first, ("n",))
        n = p0.size
        p1 = as_array("last", last, (n,))
        v0, v1, a0, a1 = (
            np.zeros(n) if value is None else as_array(name, value, (n,))
            for name, value in (
                ("first_velocity", first_velocity),
                ("last_velocity", last_velocity),
                ("first_acceleration", first_acceleration),
                ("last_acceleration", last_acceleration),
            )
        )
        d = p1 - p0
        c3 = (20.0 * d - (8.0 * v1 + 12.0 * v0) * T - (3.0 * a0 - a1) * T**2) / (2.0 * T**3)
        c4 = (-30.0 * d + (14.0 * v1 + 16.0 * v0) * T + (3.0 * a0 - 2.0 * a1) * T**2) / (2.0 * T**4)
        c5 = (12.0 * d - 6.0 * (v1 + v0) * T - (a0 - a1) * T**2) / (2.0 * T**5)
        coefficients = np.stack([p0, v0, 0.5 * a0, c3, c4, c5])
        return cls(coefficients=frozen(coefficients), start=float(start), end=float(end))

    @property
    def duration(self) -> float:
        """Length of the interval [s]."""
        return self.end - self.start

    def position(self, time: ArrayLike) -> Matrix:
        """Evaluate the curve.

        Args:
            time: One instant, or shape (k,) [s].

        Returns:
            Values, shape (n,) or (k, n).
        """
        return self._evaluate(time, self.coefficients, outside_is_zero=False)

    def velocity(self, time: ArrayLike) -> Matrix:
        """Evaluate the first derivative.

        Args:
            time: One instant, or shape (k,) [s].

        Returns:
            Derivatives [1/s], shape (n,) or (k, n).
        """
        return self._evaluate(time, _derivative(self.coefficients), outside_is_zero=True)

    def acceleration(self, time: ArrayLike) -> Matrix:
        """Evaluate the second derivative.

        Args:
            time: One instant, or shape (k,) [s].

        Returns:
            Second derivatives [1/s²], shape (n,) or (k, n).
        """
        twice = _derivative(_derivative(self.coefficients))
        return self._evaluate(time, twice, outside_is_zero=True)

    def _evaluate(self, time: ArrayLike, coefficients: Matrix, *, outside_is_zero: bool) -> Matrix:
        times = np.asarray(time, dtype=np.float64)
        flat: Vector = np.clip(np.atleast_1d(times), self.start, self.end) - self.start
        powers = flat[:, None] ** np.arange(coefficients.shape[0])
        values: Matrix = powers @ coefficients
        if outside_is_zero:
            inside = (np.atleast_1d(times) >= self.start) & (np.atleast_1d(times) <= self.end)
            values = values * inside[:, None]
        return values[0] if times.ndim == 0 else values


def _derivative(coefficients: Matrix) -> Matrix:
    powers = np.arange(1, coefficients.shape[0])[:, None]
    return coefficients[1:] * powers
