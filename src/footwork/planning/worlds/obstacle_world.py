"""What worlds of the plane and of space share: obstacles as numbers, asked by kernels."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Generic, Protocol, Self, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning.worlds.protocol import StateMeasure, StateTest
from footwork.typing import BoolVector, Matrix, Vector, as_array

T = TypeVar("T", bound=np.generic)


class Obstacles(Protocol):
    """Obstacles of several kinds."""

    def one_by_one(self) -> Iterator[tuple[str, Self]]:
        """Give each obstacle alone, with its kind and number among that kind in words."""


Kinds = TypeVar("Kinds", bound=Obstacles)


class ObstacleWorld(ABC, Generic[Kinds]):
    """Obstacles and the robot that must not touch them; they are open sets: touching is free."""

    dimension: int

    @property
    @abstractmethod
    def obstacles(self) -> Kinds:
        """What is in the way."""

    @property
    @abstractmethod
    def validity_kernel(self) -> StateTest:
        """Compiled ``f(x, parameters) -> bool``."""

    @property
    @abstractmethod
    def clearance_kernel(self) -> StateMeasure:
        """Compiled ``f(x, parameters) -> float`` [m]."""

    @property
    @abstractmethod
    def _distance_kernel(self) -> StateMeasure:
        """Signed distance of a point from the obstacles of packed parameters [m]."""

    @property
    @abstractmethod
    def _last_index(self) -> int:
        """Largest index of a state that is read."""

    @abstractmethod
    def _packed(self, obstacles: Kinds) -> Vector:
        """Some obstacles, and the robot, as numbers."""

    @cached_property
    def parameters(self) -> Vector:
        """The world as numbers, read-only; `_kernels/worlds….py` have the layouts."""
        return self._packed(self.obstacles)

    def is_free(self, states: ArrayLike) -> BoolVector:
        """Say for each state whether the robot touches nothing.

        Args:
            states: One state, shape (n,), or several, shape (k, n).

        Returns:
            One truth value per state, shape (k,); shape () for one state.

        Raises:
            InputError: If the states are too short for position and heading.

        Example:
            >>> from footwork.planning.worlds import Circles, Disc
            >>> world = Circles([[1.0, 0.0]], 0.5, footprint=Disc(0.2))
            >>> world.is_free([[0.0, 0.0], [0.4, 0.0]]).tolist()
            [True, False]
        """
        rows, kernel = states_of(states, self._last_index), self.validity_kernel
        return each(kernel, rows, self.parameters, np.bool_)

    def touched(self, state: ArrayLike) -> str | None:
        """Say what the robot touches at a state.

        Args:
            state: Shape (n,).

        Returns:
            The first such obstacle in words, its kind and number among that kind; None for none.

        Raises:
            InputError: If the state is too short for position and heading.
        """
        x, is_free = states_of(state, self._last_index), self.validity_kernel
        for words, obstacle in self.obstacles.one_by_one():
            if not is_free(x, self._packed(obstacle)):
                return words
        return None

    def clearance(self, states: ArrayLike) -> Vector:
        """Signed distance from the robot to the nearest obstacle [m], negative on overlap.

        For a footprint that turns and overlaps, minus the least depth along an edge's normal.

        Args:
            states: One state, shape (n,), or several, shape (k, n).

        Returns:
            One distance per state, shape (k,); shape () for one state; inf without obstacles.

        Raises:
            InputError: If the states are too short for position and heading.
            InputError: For a footprint that turns over an occupancy grid: not available.
        """
        rows, kernel = states_of(states, self._last_index), self.clearance_kernel
        return each(kernel, rows, self.parameters, np.float64)

    def signed_distance(self, points: ArrayLike) -> Vector:
        """Signed distance from points to the nearest obstacle [m], negative inside.

        Where obstacles overlap, the distance inside is that of the deepest one.

        Args:
            points: One point or several, shape (d,) or (k, d), d = `dimension`.

        Returns:
            One distance per point, shape (k,); shape () for one point; inf without obstacles.

        Raises:
            ShapeError: If the last axis is not d.

        Example:
            >>> from footwork.planning.worlds import Boxes, Spheres
            >>> Boxes([[0.0, 0.0]], [[2.0, 1.0]]).signed_distance([[3.0, 0.5], [1.0, 0.5]]).tolist()
            [1.0, -0.5]
            >>> Spheres([[0.0, 0.0, 0.0]], 1.0).signed_distance([0.0, 3.0, 0.0]).tolist()
            2.0
        """
        d, p = self.dimension, np.asarray(points, dtype=np.float64)
        p = as_array("points", p, (d,) if p.ndim == 1 else ("points", d))
        return each(self._distance_kernel, p, self.parameters, np.float64)


def states_of(states: ArrayLike, last_index: int) -> Matrix:
    """Read one state or several.

    Args:
        states: Shape (n,) or (k, n).
        last_index: Largest index that will be read.

    Returns:
        A copy.

    Raises:
        InputError: If the states have too few components.
    """
    x = np.asarray(states, dtype=np.float64)
    x = as_array("states", x, ("n",) if x.ndim == 1 else ("states", "n"), finite=False)
    if x.shape[-1] <= last_index:
        raise InputError(
            f"states must have at least {last_index + 1} components, so that position and heading "
            f"are among them, got {x.shape[-1]}"
        )
    return x


def each(
    function: Callable[[Vector, Vector], object], rows: Matrix, parameters: Vector, kind: type[T]
) -> "np.ndarray[tuple[int, ...], np.dtype[T]]":
    """Call a kernel on one row or on each of several.

    Args:
        function: ``f(row, parameters)``.
        rows: Shape (n,) or (k, n).
        parameters: Second argument.
        kind: Type of the answers.

    Returns:
        Shape () or (k,).
    """
    answers = [function(row, parameters) for row in np.atleast_2d(rows)]
    array = np.array(answers, dtype=kind)
    return array[0:1].reshape(()) if rows.ndim == 1 else array
