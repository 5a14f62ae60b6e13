"""Control spaces: flat controls in the order of their components, discrete ones whole numbers."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

from footwork.errors import InputError, ShapeError
from footwork.planning.arguments import all_of
from footwork.planning.spaces.components import check_bounds
from footwork.planning.spaces.elementary import whole_bounds
from footwork.planning.spaces.state_space import format_numbers, one_number
from footwork.typing import BoolVector, IntVector, Vector, as_array, frozen


class ControlSpace(ABC):
    """A space of flat controls, float64 arrays of shape (dimension,).

    Args:
        low: Lower bounds, shape (m,).
        high: Upper bounds, shape (m,).
        is_discrete: Which numbers are whole, shape (m,).
    """

    def __init__(self, low: Vector, high: Vector, is_discrete: NDArray[np.bool_]) -> None:
        self._low, self._high = frozen(low), frozen(high)
        self._is_discrete = is_discrete
        self._is_discrete.setflags(write=False)

    @property
    def dimension(self) -> int:
        """How many numbers a flat control has."""
        return len(self._low)

    @property
    def low(self) -> Vector:
        """Lower bounds, shape (dimension,)."""
        return self._low

    @property
    def high(self) -> Vector:
        """Upper bounds, shape (dimension,)."""
        return self._high

    @property
    def is_discrete(self) -> BoolVector:
        """Which numbers are whole, shape (dimension,)."""
        return self._is_discrete

    @property
    def matrix_order(self) -> IntVector:
        """Columns in the order in which OMPL writes a control: discrete ones first, then real."""
        order: IntVector = np.argsort(~self._is_discrete, kind="stable").astype(np.int64)
        return order

    @property
    def null_control(self) -> Vector:
        """Zero where it lies within the bounds, else the lower bound."""
        zero = (self._low <= 0.0) & (self._high >= 0.0) & ~self._is_discrete
        return np.where(zero, 0.0, self._low)

    def as_control(self, name: str, control: ArrayLike) -> Vector:
        """Copy a control into a flat array, or say what is wrong with it.

        Args:
            name: What it is, for the message.
            control: The numbers, shape (dimension,); of a space with one, a number will do.

        Returns:
            A new array. Real numbers may lie outside of the bounds, discrete ones may not.

        Raises:
            ShapeError: If the number of numbers differs.
            NotFiniteError: If one is NaN or infinite.
            InputError: If a discrete one is not a value that the space has.
        """
        u = as_array(name, one_number(control, self.dimension), (self.dimension,))
        for i in np.flatnonzero(self._is_discrete).tolist():
            if u[i] != round(u[i]) or not self._low[i] <= u[i] <= self._high[i]:
                low, high = int(self._low[i]), int(self._high[i])
                raise InputError(
                    f"{name}[{i}] is discrete: expected a whole number from {low} to {high}, "
                    f"got {u[i]:g}"
                )
        return u

    def satisfies_bounds(self, control: ArrayLike) -> bool:
        """Whether a control lies within the bounds, discrete numbers whole.

        Args:
            control: A control, shape (dimension,).

        Returns:
            Whether it does; NaN does not.
        """
        u = as_array("control", control, (self.dimension,), finite=False)
        inside = (self._low <= u) & (u <= self._high)
        inside &= ~self._is_discrete | (u == np.round(u))
        return bool(inside.all())

    def sample(self, rng: np.random.Generator) -> Vector:
        """Draw a control uniformly within the bounds.

        Args:
            rng: NumPy's generator.

        Returns:
            A control, shape (dimension,).
        """
        u: Vector = rng.uniform(self._low, self._high)
        for i in np.flatnonzero(self._is_discrete).tolist():
            u[i] = rng.integers(int(self._low[i]), int(self._high[i]), endpoint=True)
        return u

    def describe(self, control: Vector) -> str:
        """Write a control as OMPL prints it, six digits, one line or several.

        Args:
            control: A control, shape (dimension,).

        Returns:
            The text, without a newline at its end.
        """
        return self._describe(control)

    @abstractmethod
    def _describe(self, control: Vector) -> str: ...


class RealVectorControlSpace(ControlSpace):
    """Real controls in a box.

    Args:
        low: Lower bounds, shape (m,).
        high: Upper bounds, shape (m,); equal bounds fix a control.

    Raises:
        BoundsError: If a bound is not finite, or low is above high; the axis is named.
        ShapeError: If the two have different lengths.
    """

    def __init__(self, low: ArrayLike, high: ArrayLike) -> None:
        what = "RealVectorControlSpace"
        lower = as_array(f"{what}: low", low, ("m",), finite=False)
        upper = as_array(f"{what}: high", high, (len(lower),), finite=False)
        if len(lower) == 0:
            raise ShapeError(f"{what}: low", ("m",), lower.shape, "a control has a number or more")
        names = [f"axis {i}" for i in range(len(lower))]
        check_bounds(what, lower, upper, names, allow_equal=True)
        super().__init__(lower, upper, np.zeros(len(lower), dtype=np.bool_))

    def _describe(self, control: Vector) -> str:
        return f"RealVectorControl [{format_numbers(control)}]"


class DiscreteControlSpace(ControlSpace):
    """A whole number from low to high, both included: a gear, a mode.

    Args:
        low: Smallest value.
        high: Largest value.

    Raises:
        BoundsError: If a bound is not a whole number, or low is above high.
    """

    def __init__(self, low: int, high: int) -> None:
        lower, upper = whole_bounds("DiscreteControlSpace", low, high)
        super().__init__(lower, upper, np.ones(1, dtype=np.bool_))

    def _describe(self, control: Vector) -> str:
        return f"DiscreteControl [{format_numbers(control)}]"


class CompoundControlSpace(ControlSpace):
    """The controls of several spaces one after the other.

    Args:
        subspaces: The spaces, nested ones too.

    Raises:
        InputError: If there is none.

    Example:
        >>> gear_and_steering = CompoundControlSpace(
        ...     [DiscreteControlSpace(-1, 2), RealVectorControlSpace([-0.5], [0.5])]
        ... )
        >>> gear_and_steering.is_discrete.tolist()
        [True, False]
    """

    def __init__(self, subspaces: Sequence[ControlSpace]) -> None:
        self._subspaces = all_of(ControlSpace, "CompoundControlSpace: subspaces", subspaces)
        if not self._subspaces:
            raise InputError("CompoundControlSpace: subspaces must not be empty")
        super().__init__(
            np.concatenate([space.low for space in self._subspaces]),
            np.concatenate([space.high for space in self._subspaces]),
            np.concatenate([space.is_discrete for space in self._subspaces]),
        )

    @property
    def subspaces(self) -> tuple[ControlSpace, ...]:
        """The spaces that it is made of."""
        return self._subspaces

    def _describe(self, control: Vector) -> str:
        lines = []
        first = 0
        for space in self._subspaces:
            lines.append(space.describe(control[first : first + space.dimension]))
            first += space.dimension
        return "Compound control [\n" + "\n".join(lines) + "\n]"
