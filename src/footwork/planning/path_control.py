"""A path as the controls that were applied, for how long, and the states in between."""

import math
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TextIO

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError, PathError
from footwork.planning import path_io
from footwork.planning.growing import GrowingRows
from footwork.planning.path_check import CHECK_TOLERANCE, PathDiagnosis, diagnose
from footwork.planning.path_geometric import PathGeometric
from footwork.planning.rollout_codes import CHECK_NOTHING
from footwork.planning.space_information import SpaceInformation
from footwork.typing import Matrix, Vector, as_array

SAME_DURATION: Final = 8.0 * sys.float_info.epsilon
"""Durations that differ less, relative, are the same one, rounded."""
Seed = np.random.Generator | int | None
"""A generator, the seed of one, or None for another path each time."""


class PathControl:
    """States, controls and durations: control i acts on state i for duration i.

    A finished path has one state more than controls; while it is being built, it need not have.

    Args:
        space_information: The system that it is a path of.

    Example:
        >>> from footwork.planning import RealVectorControlSpace, RealVectorStateSpace
        >>> si = SpaceInformation(
        ...     RealVectorStateSpace([-9], [9]), RealVectorControlSpace([-1], [1]),
        ...     dynamics=lambda x, u: (u[0],), propagation_step_size=0.1, compile=False,
        ... )
        >>> path = PathControl(si)
        >>> path.append([0.0])
        >>> path.append([0.26], [1.0], 0.26)
        >>> path.interpolate()
        >>> path.control_durations.round(6).tolist(), path.check()
        ([0.1, 0.1, 0.06], True)
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
    ) -> "PathControl":
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
        for i, row in enumerate(rows):
            space.as_state(f"states[{i}]", row)
        for i, row in enumerate(inputs):
            control_space.as_control(f"controls[{i}]", row)
        for i, time in enumerate(times.tolist()):
            _duration(f"control_durations[{i}]", time)
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
            time = _duration("duration", duration)
            self._control_rows.append(u)
            self._duration_rows.append(time)
        self._state_rows.append(x)

    def interpolate(self) -> None:
        """Split every control so that it is applied for one propagation step.

        The total time does not change: a duration that is no multiple of the step ends with one
        shorter sub-step. Inserted states are propagated; the stored end of each segment is kept.
        Views of the arrays from before are no longer those of the path.

        Raises:
            PathError: If there is not one state more than controls; the path is unchanged.
        """
        self._require_well_formed("interpolate")
        h = self._si.propagation_step_size
        pieces = [_split(self._si, d) for d in self.control_durations.tolist()]
        blocks = []
        for i, durations in enumerate(pieces):
            blocks.append(self.states[i : i + 1])
            if len(durations) > 1:
                inserted = len(durations) - 1
                roll = self._si.rollout(
                    self.states[i].copy(),
                    self.controls[i].copy(),
                    h,
                    inserted,
                    0.0,
                    check=CHECK_NOTHING,
                )
                blocks.append(roll.states)
        blocks.append(self.states[-1:])
        counts = [len(durations) for durations in pieces]
        controls = np.repeat(self.controls, counts, axis=0)
        self._hold(
            np.concatenate(blocks), controls, np.array([d for piece in pieces for d in piece])
        )

    def random(self, rng: Seed = None) -> None:
        """Become one random control applied to a random state, valid or not.

        Args:
            rng: NumPy's generator, or a seed.
        """
        generator = np.random.default_rng(rng)
        si = self._si
        x, u, steps = si.state_space.sample(generator), *self._random_control(generator)
        self._become(x, u, steps, si.propagate(x, u, steps=steps))

    def random_valid(self, attempts: int, rng: Seed = None) -> bool:
        """Become one random control applied to a random state, all of it valid.

        Args:
            attempts: How often to try, and how often to draw a valid state in each.
            rng: NumPy's generator, or a seed.

        Returns:
            Whether one was found; otherwise the path is unchanged.
        """
        generator = np.random.default_rng(rng)
        si = self._si
        for _ in range(attempts):
            draws = (si.state_space.sample(generator) for _ in range(attempts))
            x = next((x for x in draws if si.is_state_valid(x)), None)
            if x is None:
                continue
            u, steps = self._random_control(generator)
            roll = si.propagate_while_valid(x, u, steps=steps)
            if roll.is_complete:
                self._become(x, u, steps, roll.final_state)
                return True
        return False

    def _random_control(self, rng: np.random.Generator) -> tuple[Vector, int]:
        u = self._si.control_space.sample(rng)
        low, high = self._si.min_control_steps, self._si.max_control_steps
        return u, int(rng.integers(low, high, endpoint=True))

    def _become(self, x: Vector, u: Vector, steps: int, end: Vector) -> None:
        self._hold(
            np.array([x, end]),
            u[None, :].copy(),
            np.array([steps * self._si.propagation_step_size]),
        )

    def _hold(self, states: Matrix, controls: Matrix, durations: Vector) -> None:
        """Take arrays as the path's own."""
        self._state_rows = GrowingRows(states)
        self._control_rows = GrowingRows(controls)
        self._duration_rows = GrowingRows(durations)

    # Asking it

    def check(self, *, tolerance: float = CHECK_TOLERANCE, within_bounds: bool = False) -> bool:
        """Whether the path is right: every state valid, every control leads where it is said to.

        Args:
            tolerance: Largest distance between a state and the one that propagation reaches, in
                the metric of the space.
            within_bounds: Whether states outside of the bounds are invalid too.

        Returns:
            Whether it is; `diagnose` says what is not.
        """
        return not self.diagnose(
            tolerance=tolerance, within_bounds=within_bounds, first=True
        ).faults

    def diagnose(
        self,
        *,
        tolerance: float = CHECK_TOLERANCE,
        within_bounds: bool = False,
        first: bool = False,
    ) -> PathDiagnosis:
        """Find every segment that is wrong, with the reason and by how much.

        Args:
            tolerance: As in `check`.
            within_bounds: As in `check`.
            first: Whether to stop at the first fault.

        Returns:
            The faults; none if the path is right.
        """
        return diagnose(
            self._si,
            (self.states, self.controls, self.control_durations),
            tolerance=tolerance,
            within_bounds=within_bounds,
            first=first,
        )

    def cost(self, objective: Any) -> float:
        """Cost by an objective, along the true trajectory.

        Args:
            objective: An `Objective`.

        Returns:
            The sum of the costs of its motions.

        Raises:
            PathError: If there is not one state more than controls.
        """
        from footwork.planning.objectives import Motion

        self._require_well_formed("cost")
        h = self._si.propagation_step_size
        total = 0.0
        for i, d in enumerate(self.control_durations.tolist()):
            n, rest = self._si.steps_of(d)
            x, u = self.states[i].copy(), self.controls[i].copy()
            roll = self._si.rollout(x, u, h, n, rest, check=CHECK_NOTHING)
            states = np.vstack([x[None, :], roll.states])
            if len(states) > 1:
                motion = Motion(states=states, control=u, durations=roll.durations)
                total += objective.motion_cost(self._si, motion)
        return total

    def state_at(self, time: ArrayLike) -> Matrix:
        """Where the system is at a time, or at many.

        Args:
            time: Since the start [s], from 0 to the length of the path; a number or shape (k,).

        Returns:
            New states, shape (n,) or (k, n); stored ones at the instants where a control begins.

        Raises:
            PathError: If there is not one state more than controls.
            InputError: If a time is outside.
        """
        self._require_well_formed("state_at")
        times = np.asarray(time, dtype=np.float64)
        ends = np.cumsum(self.control_durations)
        rows = [self._state_at(t, ends) for t in times.ravel().tolist()]
        n = self._si.state_space.dimension
        states: Matrix = np.array(rows).reshape(*times.shape, n)
        return states

    def _state_at(self, time: float, ends: Vector) -> Vector:
        length = float(ends[-1]) if len(ends) else 0.0
        slack = 1e-9 * max(1.0, length)
        if not -slack <= time <= length + slack:
            raise InputError(f"time must be from 0 to {length:g} s, the length, got {time}")
        i = int(np.searchsorted(ends, time, side="right"))
        if i >= len(ends):
            return np.array(self.states[-1])
        since = max(0.0, time - (float(ends[i - 1]) if i else 0.0))
        return self._si.propagate(self.states[i], self.controls[i], since)

    @property
    def times(self) -> Vector:
        """When each state is passed [s], shape (state_count,).

        Raises:
            PathError: If there is not one state more than controls.
        """
        self._require_well_formed("times")
        return np.concatenate([[0.0], np.cumsum(self.control_durations)])

    def as_geometric(self) -> PathGeometric:
        """Give the states of the interpolated path, without the controls.

        Returns:
            A path of states; this one is unchanged.

        Raises:
            PathError: If there is not one state more than controls.
        """
        fine = self.__copy__()
        fine.interpolate()
        return PathGeometric(self._si, fine.states)

    # Text and files

    def __str__(self) -> str:
        return path_io.to_text(self)

    def __repr__(self) -> str:
        return (
            f"PathControl({self._state_rows.count} states, {self._control_rows.count} controls, "
            f"{self.length():g} s)"
        )

    def print(self, file: TextIO | Path | str | None = None) -> None:
        """Write the path as OMPL prints it, six digits.

        Args:
            file: An open file, the name of one, or None for the standard output.
        """
        path_io.write(path_io.to_text(self), file)

    def print_as_matrix(self, file: TextIO | Path | str | None = None, precision: int = 17) -> None:
        """Write one row for each state: state, discrete controls, real controls, duration.

        The control and duration are those that lead to the state; the first row has zeros. A path
        of one state is a row of the state alone. With 17 digits the numbers are exact.

        Args:
            file: An open file, the name of one, or None for the standard output.
            precision: Significant digits; OMPL writes 6.

        Raises:
            PathError: If there is not one state more than controls; an empty path writes nothing.
        """
        if self._state_rows.count or self._control_rows.count:
            self._require_well_formed("print_as_matrix")
        path_io.write(path_io.to_matrix(self, precision), file)

    @classmethod
    def from_matrix(
        cls, space_information: SpaceInformation, file: TextIO | Path | str
    ) -> "PathControl":
        """Read what `print_as_matrix` wrote.

        Args:
            space_information: The system.
            file: An open file, the name of one, or the text itself.

        Returns:
            The path.

        Raises:
            PathFileError: If it is not such a matrix for this system.
        """
        return cls.from_arrays(space_information, *path_io.from_matrix(space_information, file))

    def to_npz(self, file: Path | str) -> None:
        """Write the path to a NumPy archive, without pickles.

        Args:
            file: Name of the file.
        """
        path_io.to_npz(self, file)

    @classmethod
    def from_npz(cls, space_information: SpaceInformation, file: Path | str) -> "PathControl":
        """Read what `to_npz` wrote.

        Args:
            space_information: The system.
            file: Name of the file.

        Returns:
            The path.

        Raises:
            PathFileError: If it is not such an archive for this system.
        """
        return cls.from_arrays(space_information, *path_io.from_npz(space_information, file))

    # Copies

    def __copy__(self) -> "PathControl":
        copy = PathControl(self._si)
        copy._hold(self.states.copy(), self.controls.copy(), self.control_durations.copy())
        return copy

    def copy(self) -> "PathControl":
        """Copy the path; the system is shared.

        Returns:
            The copy.
        """
        return self.__copy__()

    def __deepcopy__(self, memo: dict[int, object]) -> "PathControl":
        return self.__copy__()

    def __reduce__(self) -> tuple[Callable[..., "PathControl"], tuple[object, ...]]:
        arrays = self.states.copy(), self.controls.copy(), self.control_durations.copy()
        return PathControl.from_arrays, (self._si, *arrays)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PathControl):
            return NotImplemented
        return (
            np.array_equal(self.states, other.states)
            and np.array_equal(self.controls, other.controls)
            and np.array_equal(self.control_durations, other.control_durations)
        )

    def _require_well_formed(self, what: str) -> None:
        if not self.is_well_formed:
            raise PathError(what, self._state_rows.count, self._control_rows.count)


def _split(si: SpaceInformation, duration: float) -> list[float]:
    """Durations of the steps that a control is split into; their sum is the duration."""
    h = si.propagation_step_size
    n, rest = si.steps_of(duration)
    if rest != 0.0:
        return [h] * n + [rest]
    if n <= 1:
        return [duration]
    last = h if abs(n * h - duration) <= SAME_DURATION * duration else duration - (n - 1) * h
    return [h] * (n - 1) + [last]


def _rows(name: str, values: ArrayLike, size: int) -> Matrix:
    if len(np.shape(np.asarray(values, dtype=object))) == 1 and (len(values) == 0 or size == 1):  # type: ignore[arg-type]
        return as_array(name, values, ("count",)).reshape(-1, size)
    return as_array(name, values, ("count", size))


def _duration(name: str, value: float) -> float:
    try:
        duration = float(value)
    except (TypeError, ValueError) as error:
        raise InputError(f"{name} must be a number of seconds, got {value!r}") from error
    if not (math.isfinite(duration) and duration >= 0.0):
        raise InputError(f"{name} must be finite and not negative [s], got {value}")
    return duration


def _index(what: str, index: int, count: int) -> int:
    if not -count <= index < count:
        raise IndexError(f"{what} {index} does not exist: the path has {count} {what}s")
    return index
