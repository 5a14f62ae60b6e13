"""The abstract state space: everything that a flat state of given components can do."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import BoundsError, InputError
from footwork.planning.spaces.components import Component, ComponentTable, Kind
from footwork.typing import IntVector, Matrix, Vector, as_array


class StateSpace(ABC):
    """A space of flat states, float64 arrays of shape (dimension,).

    d(a, b) = Σᵢ wᵢ dᵢ(a, b) over the components; never negative, whatever the angles.

    A subclass says what it consists of and how its states are printed; everything else follows
    from the component table.

    Args:
        parts: The components in the order of the flat state.
    """

    def __init__(self, parts: Sequence[Component]) -> None:
        self._parts = tuple(parts)
        self._table = ComponentTable.of(self._parts)

    # What it is made of

    @property
    def parts(self) -> tuple[Component, ...]:
        """The components in the order of the flat state."""
        return self._parts

    @property
    def dimension(self) -> int:
        """How many numbers a flat state has (a rotation in space has four)."""
        return len(self._table.low)

    @property
    def components(self) -> IntVector:
        """Rows (kind, offset, size), shape (k, 3)."""
        return self._table.components

    @property
    def weights(self) -> Vector:
        """Factor of each component in the distance, shape (k,)."""
        return self._table.weights

    @property
    def low(self) -> Vector:
        """Lower bounds, shape (dimension,); −π for angles, −1 for quaternions."""
        return self._table.low

    @property
    def high(self) -> Vector:
        """Upper bounds, shape (dimension,); π for angles, 1 for quaternions."""
        return self._table.high

    @property
    def axis_names(self) -> tuple[str, ...]:
        """Names of the numbers of a flat state."""
        return self._table.names

    @property
    def extent(self) -> float:
        """Largest distance between two states within the bounds."""
        total = 0.0
        for part in self._parts:
            match part.kind:
                case Kind.SO2:
                    reach = np.pi
                case Kind.SO3:
                    reach = 0.5 * np.pi
                case _:
                    reach = float(np.linalg.norm(part.high - part.low))
            total += part.weight * reach
        return total

    @property
    def position_indices(self) -> tuple[int, ...]:
        """Where planners project to by default: the position, else the first three at most.

        The position is the part of an SE2 or SE3 space with that name; without one it is the
        first two numbers, or the first one of a one-dimensional space.
        """
        split = [name.rpartition(".") for name in self.axis_names]
        prefixes = [prefix for prefix, _, name in split if name == "x"]
        if not prefixes:
            return tuple(range(min(2, self.dimension)))
        return tuple(
            i
            for i, (prefix, _, name) in enumerate(split)
            if prefix == prefixes[0] and name in {"x", "y", "z"}
        )

    # Checking

    def as_state(self, name: str, state: ArrayLike) -> Vector:
        """Copy a state into a flat array, or say what is wrong with it.

        Args:
            name: What it is, for the message.
            state: The numbers of the state, shape (dimension,); of a space with one, a number will
                do.

        Returns:
            A new array; angles are kept as they are, wrapped or not.

        Raises:
            ShapeError: If the number of numbers differs.
            NotFiniteError: If one is NaN or infinite.
            InputError: If a quaternion is not a unit quaternion, or a discrete one not whole.
        """
        x = as_array(name, one_number(state, self.dimension), (self.dimension,))
        for kind, first, size in self.components.tolist():
            if kind == Kind.SO3:
                norm = float(np.linalg.norm(x[first : first + size]))
                if abs(norm - 1.0) > 1e-6:
                    raise InputError(
                        f"{name}: {self.axis_names[first]}… must be a unit quaternion "
                        f"(x, y, z, w), its norm is {norm:.9g}"
                    )
            elif kind == Kind.DISCRETE and x[first] != round(x[first]):
                raise InputError(
                    f"{name}: {self.axis_names[first]} must be a whole number, got {x[first]}"
                )
        return x

    def satisfies_bounds(self, state: ArrayLike) -> bool:
        """Whether a state lies within the bounds; angles and rotations have none.

        Args:
            state: A state, shape (dimension,).

        Returns:
            Whether it does; NaN does not.
        """
        return self._outside(self._flat(state)) is None

    def require_bounds(self, name: str, state: ArrayLike) -> None:
        """Refuse a state outside of the bounds, naming the axis.

        Args:
            name: What the state is, for the message.
            state: A state, shape (dimension,).

        Raises:
            BoundsError: If a number lies outside.
        """
        x = self._flat(state)
        axis = self._outside(x)
        if axis is not None:
            low, high = float(self.low[axis]), float(self.high[axis])
            raise BoundsError(
                name, self.axis_names[axis], low, high, f"the value is {float(x[axis])}"
            )

    def _outside(self, x: Vector) -> int | None:
        inside = (self.low <= x) & (x <= self.high)
        for kind, first, size in self.components.tolist():
            if kind in {Kind.SO2, Kind.SO3}:
                inside[first : first + size] = np.isfinite(x[first : first + size])
        return None if inside.all() else int(np.argmin(inside))

    # Geometry

    def distance(self, a: ArrayLike, b: ArrayLike) -> float:
        """Measure how far two states are apart.

        Args:
            a: A state, shape (dimension,).
            b: A state, shape (dimension,).

        Returns:
            Σᵢ wᵢ dᵢ(a, b), never negative.
        """
        from footwork.planning._kernels.metric import distance

        return float(distance(self.components, self.weights, self._flat(a), self._flat(b)))

    def distances(self, states: ArrayLike, b: ArrayLike) -> Vector:
        """Measure how far many states are from one.

        Args:
            states: States, shape (count, dimension).
            b: A state, shape (dimension,).

        Returns:
            Distances, shape (count,).
        """
        from footwork.planning._kernels.metric import distances

        points = as_array("states", states, ("count", self.dimension), finite=False)
        out = np.empty(len(points))
        distances(self.components, self.weights, points, self._flat(b), out)
        return out

    def successive_distances(self, states: ArrayLike) -> Vector:
        """Measure how far each state of a sequence is from the next.

        Args:
            states: States, shape (count, dimension).

        Returns:
            Distances, shape (count − 1,).
        """
        from footwork.planning._kernels.metric import successive_distances

        points = as_array("states", states, ("count", self.dimension), finite=False)
        out = np.empty(max(0, len(points) - 1))
        successive_distances(self.components, self.weights, points, out)
        return out

    def interpolate(self, a: ArrayLike, b: ArrayLike, fraction: float) -> Vector:
        """Go a part of the way in a straight line, the short way round for angles.

        Args:
            a: Where fraction 0 is, shape (dimension,).
            b: Where fraction 1 is, shape (dimension,).
            fraction: How far to go.

        Returns:
            The state on the way, its angles wrapped.
        """
        from footwork.planning._kernels.metric import interpolate

        out = np.empty(self.dimension)
        interpolate(self.components, self._flat(a), self._flat(b), float(fraction), out)
        return out

    def wrap(self, state: ArrayLike) -> Vector:
        """Bring angles into [−π, π) and quaternions to norm 1.

        Args:
            state: A state, shape (dimension,).

        Returns:
            A new array.
        """
        from footwork.planning._kernels.metric import wrap

        x = np.array(self._flat(state))
        wrap(self.components, x)
        return x

    def enforce_bounds(self, state: ArrayLike) -> Vector:
        """Bring a state to the nearest one within the bounds.

        Args:
            state: A state, shape (dimension,).

        Returns:
            A new array: real numbers clipped, angles wrapped.
        """
        x = self.wrap(state)
        for kind, first, size in self.components.tolist():
            if kind not in {Kind.SO2, Kind.SO3}:
                block = slice(first, first + size)
                x[block] = np.clip(x[block], self.low[block], self.high[block])
        return x

    # Sampling

    def sample(self, rng: np.random.Generator) -> Vector:
        """Draw a state uniformly within the bounds; rotations uniformly over all rotations.

        Args:
            rng: NumPy's generator; the same state of it gives the same sample.

        Returns:
            A state, shape (dimension,).
        """
        out = np.empty(self.dimension)
        for part, (kind, first, size) in zip(self._parts, self.components.tolist(), strict=True):
            block = slice(first, first + size)
            if kind == Kind.SO3:
                normal = rng.standard_normal(4)
                out[block] = normal / np.linalg.norm(normal)
            elif kind == Kind.DISCRETE:
                out[block] = rng.integers(int(part.low[0]), int(part.high[0]), endpoint=True)
            else:
                out[block] = rng.uniform(part.low, part.high)
        return out

    def sample_near(self, rng: np.random.Generator, state: ArrayLike, radius: float) -> Vector:
        """Draw a state near another, each component at most ``radius / weight`` away.

        Args:
            rng: NumPy's generator.
            state: The middle, shape (dimension,).
            radius: How far, in the metric of the space.

        Returns:
            A state within the bounds.
        """
        x = self.as_state("state", state)
        for part, (kind, first, size) in zip(self._parts, self.components.tolist(), strict=True):
            reach = radius / part.weight if part.weight > 0.0 else np.inf
            block = slice(first, first + size)
            if kind == Kind.SO2:
                x[first] += rng.uniform(-min(reach, np.pi), min(reach, np.pi))
            elif kind == Kind.SO3:
                x[block] = _turned(rng, x[block], min(reach, 0.5 * np.pi))
            elif kind == Kind.DISCRETE:
                low = max(part.low[0], np.ceil(x[first] - reach))
                high = min(part.high[0], np.floor(x[first] + reach))
                x[first] = rng.integers(int(low), int(high), endpoint=True)
            else:
                middle = np.clip(x[block], part.low, part.high)
                low, high = (
                    np.maximum(part.low, middle - reach),
                    np.minimum(part.high, middle + reach),
                )
                x[block] = rng.uniform(low, high)
        return self.wrap(x)

    # Text

    def describe(self, state: Vector) -> str:
        """Write a state as OMPL prints it, six digits, one line or several.

        Args:
            state: A state, shape (dimension,).

        Returns:
            The text, without a newline at its end.
        """
        return self._describe(state)

    @abstractmethod
    def _describe(self, state: Vector) -> str: ...

    def _flat(self, state: ArrayLike) -> Vector:
        return as_array("state", state, (self.dimension,), finite=False)


def _turned(rng: np.random.Generator, q: Vector, reach: float) -> Vector:
    """Turn a unit quaternion by at most ``reach`` on the sphere, in a random direction."""
    tangent = rng.standard_normal(4)
    tangent -= (tangent @ q) * q
    tangent /= np.linalg.norm(tangent)
    angle = rng.uniform(0.0, reach)
    turned: Vector = np.cos(angle) * q + np.sin(angle) * tangent
    return turned


def one_number(values: ArrayLike, dimension: int) -> ArrayLike:
    """Take a bare number where an array of one is wanted.

    Args:
        values: What was given.
        dimension: How many numbers are wanted.

    Returns:
        An array of the number, or what was given.
    """
    return np.atleast_1d(np.asarray(values)) if dimension == 1 and np.isscalar(values) else values


def format_numbers(values: Vector) -> str:
    """Write numbers as C++ streams do by default: six digits, separated by blanks.

    Args:
        values: The numbers.

    Returns:
        The text.
    """
    return " ".join(f"{value:.6g}" for value in values.tolist())


def states_matrix(space: StateSpace, name: str, states: ArrayLike) -> Matrix:
    """Copy a list of states into a matrix, checking each.

    Args:
        space: Where they live.
        name: What they are, for messages.
        states: Rows of states.

    Returns:
        A new matrix, shape (count, dimension).
    """
    rows = as_array(name, states, ("count", space.dimension))
    for i, row in enumerate(rows):
        space.as_state(f"{name}[{i}]", row)
    return rows
