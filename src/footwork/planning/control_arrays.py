"""States, controls and durations in arrays, while a path is built and after."""

import math
from collections.abc import Callable
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError, PathError
from footwork.planning.arguments import number, row_number
from footwork.planning.growing import GrowingRows
from footwork.planning.space_information import MOST_STEPS, SpaceInformation
from footwork.planning.spaces.components import Kind
from footwork.typing import Matrix, Vector, as_array


class ControlArrays:
    """What a control path is made of: checked when it is appended, and read through views.

    Args:
        space_information: The system that the states and controls are of.

    Raises:
        InputError: If that is none.
    """

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, space_information: SpaceInformation) -> None:
        if not isinstance(space_information, SpaceInformation):
            raise InputError(
                f"PathControl needs a SpaceInformation, which knows how controls act, got "
                f"{space_information!r}"
            )
        self._si = space_information
        n, m = space_information.state_space.dimension, space_information.control_space.dimension
        self._hold(np.empty((0, n)), np.empty((0, m)), np.empty(0))

    @classmethod
    def from_arrays(
        cls,
        space_information: SpaceInformation,
        states: ArrayLike,
        controls: ArrayLike,
        control_durations: ArrayLike,
    ) -> Self:
        """Make a path of arrays, which are copied.

        Args:
            space_information: The system.
            states: Shape (state_count, n).
            controls: Shape (control_count, m).
            control_durations: Shape (control_count,) [s].

        Returns:
            The path.

        Raises:
            InputError: If a shape or a value is wrong, as in `append`.
        """
        path = cls(space_information)
        space, control_space = space_information.state_space, space_information.control_space
        rows = _rows("states", states, space.dimension)
        inputs = _rows("controls", controls, control_space.dimension)
        times = as_array("control_durations", control_durations, (len(inputs),))
        # all are finite; what else could be wrong is looked at row by row
        if np.isin(space.components[:, 0], [Kind.SO3, Kind.DISCRETE]).any():
            for i, row in enumerate(rows):
                space.as_state(f"states[{i}]", row)
        if control_space.is_discrete.any():
            for i, row in enumerate(inputs):
                control_space.as_control(f"controls[{i}]", row)
        longest = MOST_STEPS * space_information.propagation_step_size
        for i in np.flatnonzero((times < 0.0) | (times > longest)).tolist():
            _duration(f"control_durations[{i}]", float(times[i]), space_information)
        path._hold(rows, inputs, times)
        return path

    # What it consists of

    @property
    def space_information(self) -> SpaceInformation:
        """The system that it is a path of."""
        return self._si

    @property
    def states(self) -> Matrix:
        """The states, shape (state_count, n): a writable view, until the next change of length."""
        return self._state_rows.used

    @property
    def controls(self) -> Matrix:
        """The controls, shape (control_count, m): a writable view, as `states`."""
        return self._control_rows.used

    @property
    def control_durations(self) -> Vector:
        """Their durations [s], shape (control_count,): a writable view, as `states`."""
        return self._duration_rows.used

    @property
    def state_count(self) -> int:
        """How many states it has."""
        return self._state_rows.count

    @property
    def control_count(self) -> int:
        """How many controls it has."""
        return self._control_rows.count

    def __len__(self) -> int:
        return self._state_rows.count

    def get_state(self, index: int) -> Vector:
        """See one state.

        Args:
            index: From 0; negative counts from the end.

        Returns:
            A writable view, shape (n,).

        Raises:
            IndexError: If there is no such state.
        """
        row: Vector = self.states[_index("state", index, self._state_rows.count)]
        return row

    def get_control(self, index: int) -> Vector:
        """See one control, which acts on the state of the same index.

        Args:
            index: From 0; negative counts from the end.

        Returns:
            A writable view, shape (m,).

        Raises:
            IndexError: If there is no such control; there is one fewer than states.
        """
        row: Vector = self.controls[_index("control", index, self._control_rows.count)]
        return row

    def get_control_duration(self, index: int) -> float:
        """Say for how long a control acts.

        Args:
            index: From 0; negative counts from the end.

        Returns:
            Its duration [s].

        Raises:
            IndexError: If there is no such control.
        """
        return float(self.control_durations[_index("control", index, self._control_rows.count)])

    def length(self) -> float:
        """Total time.

        Returns:
            The sum of the durations [s], added from the first to the last.
        """
        return float(sum(self.control_durations.tolist(), 0.0))

    @property
    def is_well_formed(self) -> bool:
        """Whether there is exactly one state more than controls."""
        return self._state_rows.count == self._control_rows.count + 1

    # Building it

    def append(
        self, state: ArrayLike, control: ArrayLike | None = None, duration: float | None = None
    ) -> None:
        """Append a state, and perhaps a control with its duration. All is copied.

        Both orders that planners use are right: (s₀), (s₁, u₀, d₀), …, where u₀ leads to s₁; and
        (s₀, u₀, d₀), …, (sₙ), where u₀ leads away from s₀.

        Args:
            state: Shape (n,); angles may be unwrapped.
            control: Shape (m,).
            duration: How long the control acts [s].

        Raises:
            InputError: If a size is wrong, a number is not finite, the duration is negative, or a
                discrete control has no such value; the path is unchanged.
        """
        x = self._si.state_space.as_state("state", state)
        if (control is None) != (duration is None):
            raise InputError("append takes a control and its duration, or neither")
        if control is not None and duration is not None:
            u = self._si.control_space.as_control("control", control)
            time = _duration("duration", duration, self._si)
            self._control_rows.append(u)
            self._duration_rows.append(time)
        self._state_rows.append(x)

    def _hold(self, states: Matrix, controls: Matrix, durations: Vector) -> None:
        """Take arrays as the path's own."""
        self._state_rows = GrowingRows(states)
        self._control_rows = GrowingRows(controls)
        self._duration_rows = GrowingRows(durations)

    # Copies

    def __copy__(self) -> Self:
        copy = type(self)(self._si)
        copy._hold(self.states.copy(), self.controls.copy(), self.control_durations.copy())
        return copy

    def copy(self) -> Self:
        """Copy the path; the system is shared.

        Returns:
            The copy.
        """
        return self.__copy__()

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        return self.__copy__()

    def __reduce__(self) -> tuple[Callable[..., "ControlArrays"], tuple[object, ...]]:
        arrays = self.states.copy(), self.controls.copy(), self.control_durations.copy()
        return type(self).from_arrays, (self._si, *arrays)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ControlArrays):
            return NotImplemented
        return (
            np.array_equal(self.states, other.states)
            and np.array_equal(self.controls, other.controls)
            and np.array_equal(self.control_durations, other.control_durations)
        )

    def _require_well_formed(self, what: str) -> None:
        if not self.is_well_formed:
            raise PathError(what, self._state_rows.count, self._control_rows.count)


def _rows(name: str, values: ArrayLike, size: int) -> Matrix:
    if isinstance(values, np.ndarray) and values.ndim == 2:
        return as_array(name, values, ("count", size))
    if len(np.shape(np.asarray(values, dtype=object))) == 1 and (len(values) == 0 or size == 1):  # type: ignore[arg-type]
        return as_array(name, values, ("count",)).reshape(-1, size)
    return as_array(name, values, ("count", size))


def _duration(name: str, value: float, si: SpaceInformation) -> float:
    duration = number(name, value, "seconds")
    if not (math.isfinite(duration) and duration >= 0.0):
        raise InputError(f"{name} must be finite and not negative [s], got {value}")
    step = si.propagation_step_size
    if duration > MOST_STEPS * step:
        raise InputError(f"{name}: {duration:g} s are more than {MOST_STEPS} steps of {step:g} s")
    return duration


def _index(what: str, index: int, count: int) -> int:
    index = row_number(f"{what} index", index)
    if not -count <= index < count:
        raise IndexError(f"{what} {index} does not exist: the path has {count} {what}s")
    return index
