"""A path as states only."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning.space_information import SpaceInformation
from footwork.planning.spaces.state_space import states_matrix
from footwork.typing import Matrix, Vector, frozen


class PathGeometric:
    """States one after the other, joined by straight lines of the state space. A value.

    Args:
        space_information: The system that the states are of.
        states: Shape (count, n), copied.

    Raises:
        InputError: If a state does not fit the space.
    """

    def __init__(self, space_information: SpaceInformation, states: ArrayLike) -> None:
        self._si = space_information
        self._states = frozen(states_matrix(space_information.state_space, "states", states))

    @property
    def space_information(self) -> SpaceInformation:
        """The system that the states are of."""
        return self._si

    @property
    def states(self) -> Matrix:
        """The states, read-only, shape (state_count, n)."""
        return self._states

    @property
    def state_count(self) -> int:
        """How many states it has."""
        return len(self._states)

    def __len__(self) -> int:
        return len(self._states)

    def __iter__(self) -> Iterator[Vector]:
        return iter(self._states)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PathGeometric):
            return NotImplemented
        return np.array_equal(self._states, other._states)

    def __hash__(self) -> int:
        return hash((self._states.shape, self._states.tobytes()))

    def __repr__(self) -> str:
        return f"PathGeometric({self.state_count} states, length {self.length():g})"

    def length(self) -> float:
        """Length in the metric of the space, a distance and not a time.

        Returns:
            Σ d(xᵢ, xᵢ₊₁).
        """
        return float(sum(self._si.state_space.successive_distances(self._states).tolist(), 0.0))

    def check(self, *, within_bounds: bool = False) -> bool:
        """Whether every state is valid.

        Args:
            within_bounds: Whether states outside of the bounds are invalid too.

        Returns:
            Whether all are; the lines between are not tested.
        """
        return all(
            self._si.is_state_valid(state, within_bounds=within_bounds) for state in self._states
        )

    def resampled(self, count: int) -> "PathGeometric":
        """Make a path of states at equal distances along this one.

        Args:
            count: How many states, at least 2; the first and the last are kept.

        Returns:
            The new path.

        Raises:
            InputError: If there are not two states at least, here and there.
        """
        if count < 2 or len(self) < 2:
            raise InputError(f"resampling needs two states, got {len(self)} and count={count}")
        space = self._si.state_space
        gaps = space.successive_distances(self._states).tolist()
        marks = np.concatenate([[0.0], np.cumsum(gaps)])
        rows = []
        for s in np.linspace(0.0, marks[-1], count)[1:-1].tolist():
            i = min(int(np.searchsorted(marks, s, side="right")) - 1, len(gaps) - 1)
            fraction = (s - marks[i]) / gaps[i] if gaps[i] > 0.0 else 0.0
            rows.append(space.interpolate(self._states[i], self._states[i + 1], fraction))
        return PathGeometric(self._si, np.vstack([self._states[:1], *rows, self._states[-1:]]))
