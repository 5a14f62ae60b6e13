"""Goals that are states within a tolerance."""

from collections.abc import Iterable, Sequence
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning.arguments import whole
from footwork.planning.goal import CompiledGoal, Goal
from footwork.planning.spaces.components import Kind
from footwork.planning.spaces.state_space import StateSpace
from footwork.typing import IntVector, Matrix, Vector, as_array, frozen

DEFAULT_TOLERANCE: Final = 0.01
"""Tolerance of a goal state for which none is given, as a part of the extent of the space."""


class GoalStates(Goal):
    """One of several states, each within a tolerance.

    Args:
        states: The states, shape (s, n).
        tolerance: Largest distance that still counts, in the metric of the space restricted to
            ``axes``; one number or one for each state; 1 % of the extent of the space when not
            given.
        axes: Which numbers of the state count; the others are free. All when not given.

    Raises:
        InputError: If there is no state or a tolerance is not positive.
    """

    def __init__(
        self,
        states: ArrayLike,
        tolerance: ArrayLike | None = None,
        *,
        axes: Sequence[int] | None = None,
    ) -> None:
        self._states = frozen(as_array("goal states", states, ("count", "n")))
        if len(self._states) == 0:
            raise InputError("goal states: there must be one at least")
        self._tolerances = None if tolerance is None else _tolerances(tolerance, len(self._states))
        self._axes = None if axes is None else _whole_axes(axes)

    @property
    def states(self) -> Matrix:
        """The goal states, shape (s, n)."""
        return self._states

    def compiled(self, space: StateSpace) -> CompiledGoal:
        """Put the goal into the form that kernels read.

        Args:
            space: Where states live.

        Returns:
            The compiled goal, as data.

        Raises:
            ShapeError: If the states do not fit the space.
            InputError: If an axis does not exist, or is only a part of a rotation.
        """
        states = np.array(
            [space.as_state(f"goal state {i}", row) for i, row in enumerate(self._states)]
        )
        tolerances = self._tolerances
        if tolerances is None:
            tolerances = np.full(len(states), DEFAULT_TOLERANCE * space.extent)
        components, weights = _restricted(space, self._axes)
        return CompiledGoal(
            components=components,
            weights=weights,
            states=frozen(states),
            tolerances=tolerances,
            params=np.empty(0),
        )

    def excess(self, space: StateSpace, state: ArrayLike) -> float:
        """Measure how far a state is outside of the goal.

        Args:
            space: Where states live.
            state: A state, shape (n,).

        Returns:
            The least distance to a goal state minus its tolerance.
        """
        from footwork.planning._kernels.metric import distances

        table = self.compiled(space)
        out = np.empty(len(table.states))
        x = as_array("state", state, (space.dimension,))
        distances(table.components, table.weights, table.states, x, out)
        return float((out - table.tolerances).min())


class GoalState(GoalStates):
    """One state within a tolerance.

    Args:
        state: The state, shape (n,); numbers of free axes are only used to draw samples.
        tolerance: Largest distance that still counts; 1 % of the extent of the space when not
            given.
        axes: Which numbers of the state count; the others are free. All when not given.

    Example:
        >>> from footwork.planning import SE2StateSpace
        >>> goal = GoalState([5.0, 5.0, 0.0], 0.1, axes=[0, 1])  # any yaw
        >>> goal.is_satisfied(SE2StateSpace([-9, -9], [9, 9]), [5.05, 5.0, 3.0])
        True
    """

    def __init__(
        self,
        state: ArrayLike,
        tolerance: float | None = None,
        *,
        axes: Sequence[int] | None = None,
    ) -> None:
        row = as_array("goal state", state, ("n",))
        super().__init__(row[None, :], tolerance, axes=axes)


def _tolerances(tolerance: ArrayLike, count: int) -> Vector:
    given = np.asarray(tolerance)
    values = as_array("tolerance", np.full(count, given) if given.ndim == 0 else given, (count,))
    if not (values > 0.0).all():
        raise InputError(f"tolerance must be positive, got {values}")
    return frozen(values)


def _whole_axes(axes: object) -> tuple[int, ...]:
    if not isinstance(axes, Iterable):
        raise InputError(f"goal axes must be a sequence of whole numbers, got {axes!r}")
    return tuple(whole("goal axes", axis, 0) for axis in axes)


def _restricted(space: StateSpace, axes: tuple[int, ...] | None) -> tuple[IntVector, Vector]:
    """Component table of only some axes."""
    if axes is None:
        return space.components, space.weights
    wanted = set(axes)
    if not wanted or not wanted <= set(range(space.dimension)):
        raise InputError(f"goal axes must be among 0 to {space.dimension - 1}, got {axes}")
    rows, weights = [], []
    for (kind, first, size), weight in zip(
        space.components.tolist(), space.weights.tolist(), strict=True
    ):
        inside = [i for i in range(first, first + size) if i in wanted]
        if kind == Kind.SO3 and inside and len(inside) < size:
            raise InputError("goal axes must have all four numbers of a rotation, or none")
        if kind == Kind.REAL and inside and inside != list(range(inside[0], inside[-1] + 1)):
            raise InputError("goal axes within one real vector must follow each other")
        if inside:
            rows.append((kind, inside[0], len(inside)))
            weights.append(weight)
    return np.array(rows, dtype=np.int64), np.array(weights)
