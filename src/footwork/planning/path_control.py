"""A path as the controls that were applied, for how long, and the states in between."""

import sys
from pathlib import Path
from typing import Any, Final, TextIO

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning import path_io
from footwork.planning.arguments import Seed, generator, not_nan, whole
from footwork.planning.control_arrays import ControlArrays
from footwork.planning.path_check import CHECK_TOLERANCE, PathDiagnosis, diagnose
from footwork.planning.path_geometric import PathGeometric
from footwork.planning.rollout_codes import CHECK_NOTHING
from footwork.planning.space_information import SpaceInformation
from footwork.typing import Matrix, Vector, as_array

SAME_DURATION: Final = 8.0 * sys.float_info.epsilon
"""Durations that differ less, relative, are the same one, rounded."""
TIME_SLACK: Final = 1e-9
"""How far beyond its ends a path is asked, relative to its length or 1 s, if sums are rounded."""
MOST_DIGITS: Final = 100
"""More significant digits than any number has."""


class PathControl(ControlArrays):
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
        draw = generator(rng)
        si = self._si
        x, u, steps = si.state_space.sample(draw), *self._random_control(draw)
        self._become(x, u, steps, si.propagate(x, u, steps=steps))

    def random_valid(self, attempts: int, rng: Seed = None) -> bool:
        """Become one random control applied to a random state, all of it valid.

        Args:
            attempts: How often to try, and how often to draw a valid state in each.
            rng: NumPy's generator, or a seed.

        Returns:
            Whether one was found; otherwise the path is unchanged.
        """
        draw, attempts = generator(rng), whole("attempts", attempts, 0)
        si = self._si
        for _ in range(attempts):
            draws = (si.state_space.sample(draw) for _ in range(attempts))
            x = next((x for x in draws if si.is_state_valid(x)), None)
            if x is None:
                continue
            u, steps = self._random_control(draw)
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
        not_nan("tolerance", tolerance)
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
            InputError: If that is no objective.
            PathError: If there is not one state more than controls.
        """
        from footwork.planning.objectives import Motion, Objective

        if not isinstance(objective, Objective):
            raise InputError(f"objective must be an Objective, got {objective!r}")
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
                Outside by no more than 1e-9 of the length, or 1e-9 s, is taken for the end.

        Returns:
            New states, shape (n,) or (k, n); stored ones at the instants where a control begins.

        Raises:
            PathError: If there is not one state more than controls.
            InputError: If a time is outside.
        """
        self._require_well_formed("state_at")
        shape = tuple("k" for _ in np.shape(np.asarray(time, dtype=object)))
        times = as_array("time", time, shape, finite=False)
        ends = np.cumsum(self.control_durations)
        rows = [self._state_at(t, ends) for t in times.ravel().tolist()]
        n = self._si.state_space.dimension
        states: Matrix = np.array(rows).reshape(*times.shape, n)
        return states

    def _state_at(self, time: float, ends: Vector) -> Vector:
        length = float(ends[-1]) if len(ends) else 0.0
        slack = TIME_SLACK * max(1.0, length)
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
        digits = whole("precision", precision, 1, MOST_DIGITS)
        path_io.write(path_io.to_matrix(self, digits), file)

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


def _split(si: SpaceInformation, duration: float) -> list[float]:
    """Durations of the steps that a control is split into; their sum is the duration."""
    h = si.propagation_step_size
    n, rest = si.steps_of(duration)
    if rest != 0.0:
        return [h] * n + [rest]
    if n <= 1:
        return [duration]
    if abs(n * h - duration) <= SAME_DURATION * duration:
        return [h] * n
    last = duration - (n - 1) * h
    if si.steps_of(last) == (1, 0.0):
        return [h] * (n - 1) + [last]
    return [duration / n] * n  # what is over is more than one step would take for rounding
