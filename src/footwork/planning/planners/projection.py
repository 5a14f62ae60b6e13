"""Where planners that count cells project states to, and how large the cells are."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import CallbackTypeError, CallbackValueError, InputError
from footwork.planning.callbacks import note_call
from footwork.planning.python_door import PythonDoor
from footwork.planning.spaces.components import Kind
from footwork.planning.spaces.state_space import StateSpace
from footwork.typing import IntVector, Matrix, Vector, as_array, frozen

CELLS_PER_EXTENT = 20
"""Cells along each axis by default."""
LARGEST_DIMENSION = 6
"""So many coordinates share the 63 bits of a cell's key."""
SAMPLES = 500
"""States drawn to find the extent of a user's function."""

ProjectionLike = str | Sequence[int] | Matrix | Callable[[Vector], ArrayLike]
"""A name, indices of the state, a matrix of rows, or a function of the state."""
NAMES = ("position", "pose")


@dataclass(frozen=True, kw_only=True, eq=False)
class Projection:
    """From a state to the few coordinates that cells are made of.

    Attributes:
        indices: Component of the state that each coordinate is, -1 for a row of the matrix.
        matrix: Rows, shape (d, n).
        function: The user's function, else None.
        low: Least value of each coordinate, shape (d,).
        high: Greatest value, shape (d,).
        cell_sizes: Size of a cell, shape (d,).
    """

    indices: IntVector
    matrix: Matrix
    function: Callable[[Vector], ArrayLike] | None
    low: Vector
    high: Vector
    cell_sizes: Vector

    @property
    def dimension(self) -> int:
        """How many coordinates."""
        return len(self.low)

    def door(self) -> PythonDoor | None:
        """Give the door to the user's function, None when there is none."""
        function, size = self.function, self.dimension
        if function is None:
            return None

        def project(x: Vector) -> tuple[float, ...]:
            return tuple(_coordinates(function, x, size).tolist())

        return PythonDoor("project", project, (self.matrix.shape[1], size))


def make_projection(
    space: StateSpace,
    projection: ProjectionLike | None = None,
    cell_sizes: ArrayLike | None = None,
) -> Projection:
    """Make a projection.

    Args:
        space: Where states live.
        projection: "position", that of an SE2 or SE3 state or else the first two components;
            "pose", the position and the angles (not quaternions), six numbers at most; indices of
            the state, a matrix of shape (d, n), or a function of a state. "position" when not
            given.
        cell_sizes: Size of a cell along each coordinate, shape (d,); a 20th of the extent when not
            given.

    Returns:
        The projection.

    Raises:
        InputError: If it does not fit the space.
    """
    n = space.dimension
    function = None
    if projection is None:
        projection = "position"
    if isinstance(projection, str):
        projection = _named(projection, space)
    if callable(projection):
        function = projection
        low, high = _sampled_bounds(space, function)
        indices, matrix = np.full(len(low), -1), np.zeros((len(low), n))
    else:
        indices, matrix = _linear(projection, n)
        low, high = _linear_bounds(space, indices, matrix)
    d = len(low)
    if not 1 <= d <= LARGEST_DIMENSION:
        raise InputError(f"projection: expected 1 to {LARGEST_DIMENSION} coordinates, got {d}")
    return Projection(
        indices=indices.astype(np.int64),
        matrix=frozen(matrix),
        function=function,
        low=frozen(low),
        high=frozen(high),
        cell_sizes=frozen(_cell_sizes(cell_sizes, low, high)),
    )


def _named(name: str, space: StateSpace) -> Sequence[int]:
    if name not in NAMES:
        raise InputError(f"projection: expected one of {', '.join(NAMES)}, got {name!r}")
    position = list(space.position_indices)
    if name == "position":
        return position
    angles = [i for kind, i, _ in space.components.tolist() if kind == Kind.SO2]
    return [*position, *(i for i in angles if i not in position)][:LARGEST_DIMENSION]


def _linear(projection: Any, n: int) -> tuple[IntVector, Matrix]:
    array = np.asarray(projection)
    if array.ndim == 1 and array.dtype.kind in "iu" and len(array):
        if len(set(array.tolist())) != len(array) or array.min() < 0 or array.max() >= n:
            raise InputError(
                f"projection: indices must differ and lie in 0 to {n - 1}, got {array.tolist()}"
            )
        return array.astype(np.int64), np.eye(n)[array]
    matrix = as_array("projection", projection, ("d", n))
    return np.full(len(matrix), -1, np.int64), matrix


def _linear_bounds(space: StateSpace, indices: IntVector, matrix: Matrix) -> tuple[Vector, Vector]:
    del indices
    below = np.where(matrix > 0.0, matrix * space.low, matrix * space.high)
    above = np.where(matrix > 0.0, matrix * space.high, matrix * space.low)
    return below.sum(axis=1), above.sum(axis=1)


def _sampled_bounds(
    space: StateSpace, function: Callable[[Vector], ArrayLike]
) -> tuple[Vector, Vector]:
    rng = np.random.default_rng(0)
    rows = [_coordinates(function, space.sample(rng)) for _ in range(SAMPLES)]
    points = np.array(rows)
    return points.min(axis=0), points.max(axis=0)


def _coordinates(
    function: Callable[[Vector], ArrayLike], x: Vector, size: int | None = None
) -> Vector:
    name = f"projection={getattr(function, '__qualname__', 'function')}"
    try:
        answer = function(frozen(x))
    except Exception as error:
        note_call(error, name, x)
        raise
    try:
        given = np.atleast_1d(np.asarray(answer))
        is_real = given.dtype.kind in "fiubO"  # NumPy would convert text and complex numbers too
        point = given.astype(np.float64) if is_real else None
    except (TypeError, ValueError, OverflowError) as error:
        raise CallbackTypeError(name, "numbers", answer) from error
    if point is None:
        raise CallbackTypeError(name, "numbers", answer)
    if point.ndim != 1 or size not in (None, len(point)):
        raise CallbackTypeError(name, f"a vector of {size or 'as many'} numbers", answer)
    if not np.isfinite(point).all():
        raise CallbackValueError(name, "returned a number that is not finite", answer)
    return point


def _cell_sizes(given: ArrayLike | None, low: Vector, high: Vector) -> Vector:
    if given is None:
        sizes = (high - low) / CELLS_PER_EXTENT
        return np.where(sizes > 0.0, sizes, 1.0)
    scalar = np.asarray(given)
    values = np.full(len(low), scalar) if scalar.ndim == 0 else given
    sizes = as_array("cell_sizes", values, (len(low),))
    if not (sizes > 0.0).all():
        raise InputError(f"cell_sizes must be positive, got {sizes.tolist()}")
    return sizes
