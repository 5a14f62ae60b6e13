"""Goals: a state within a tolerance, several of them, a box, or what a function says.

A goal is met where its excess, the distance that is missing, is 0 or less.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import CallbackTypeError, InputError, ShapeError
from footwork.planning.arguments import number, whole
from footwork.planning.callbacks import (
    argument_count,
    callback_name,
    checked_number,
    checked_truth,
)
from footwork.planning.goal_door import GoalDoor, GoalForm, make_goal_door
from footwork.planning.spaces.components import Kind
from footwork.planning.spaces.state_space import StateSpace
from footwork.typing import IntVector, Matrix, Vector, as_array, frozen

DEFAULT_TOLERANCE: Final = 0.01
"""Tolerance of a goal state for which none is given, as a part of the extent of the space."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CompiledGoal:
    """A goal as kernels read it.

    As data: the excess is the least, over the goal states, of the distance in the goal's own
    metric minus the tolerance. As a function: ``double goal(double *x, double *params)``.

    Attributes:
        components: Component table of the goal's metric, shape (g, 3).
        weights: Their weights, shape (g,).
        states: Goal states, also samples for a goal bias, shape (s, n); may be empty for functions.
        tolerances: How far each may be missed, shape (s,).
        address: C function, 0 if the goal is data.
        params: What the function is called with.
        keep_alive: Owner of the function.
    """

    components: IntVector
    weights: Vector
    states: Matrix
    tolerances: Vector
    address: int = 0
    params: Vector
    keep_alive: GoalDoor | None = None

    def raise_error(self) -> None:
        """Raise what the user's function raised, after an excess of NaN; nothing for data."""
        if self.keep_alive is not None:
            self.keep_alive.raise_error()


class Goal(ABC):
    """What a path shall end in."""

    @abstractmethod
    def compiled(self, space: StateSpace) -> CompiledGoal:
        """Put the goal into the form that kernels read.

        Args:
            space: Where states live.

        Returns:
            The compiled goal.
        """

    @abstractmethod
    def excess(self, space: StateSpace, state: ArrayLike) -> float:
        """Measure how far a state is outside of the goal.

        Args:
            space: Where states live.
            state: A state, shape (n,).

        Returns:
            The distance that is missing; 0 or less inside.
        """

    def is_satisfied(self, space: StateSpace, state: ArrayLike) -> bool:
        """Whether a state is in the goal.

        Args:
            space: Where states live.
            state: A state, shape (n,).

        Returns:
            Whether its excess is 0 or less.
        """
        return self.excess(space, state) <= 0.0

    def candidates(self, space: StateSpace, count: int) -> Matrix:
        """Draw states in the goal, to see whether it can be met at all.

        Args:
            space: Where states live.
            count: How many to try.

        Returns:
            States that are in the goal, perhaps none, shape (k, n).
        """
        table = self.compiled(space)
        rng = np.random.default_rng(0)
        counted = _counted_axes(table.components, space.dimension)
        found = [state for state in table.states if self.is_satisfied(space, state)]
        for i in range(count if len(table.states) else 0):
            g = i % len(table.states)
            near = space.sample_near(rng, table.states[g], float(table.tolerances[g]))
            drawn = np.where(counted, near, space.sample(rng))
            if self.is_satisfied(space, drawn):
                found.append(drawn)
        return np.array(found).reshape(-1, space.dimension)


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


class GoalFunction(Goal):
    """What a function says: how far is it, or is it there.

    Args:
        distance: ``f(x)`` or ``f(x, parameters)``, the distance to the goal.
        threshold: Largest distance that is in the goal.
        is_satisfied: Instead of a distance, ``f(x)`` or ``f(x, parameters)``, whether x is in it.
        samples: States in the goal, for planners with a goal bias, shape (s, n).
        parameters: Numbers for the function.
        compile: Whether the function is compiled if it can be.

    Raises:
        InputError: If not one of the two functions is given.
    """

    def __init__(
        self,
        distance: Callable[..., Any] | None = None,
        threshold: float = 0.0,
        *,
        is_satisfied: Callable[..., Any] | None = None,
        samples: ArrayLike | None = None,
        parameters: ArrayLike = (),
        compile: bool = True,
    ) -> None:
        if (distance is None) == (is_satisfied is None):
            raise InputError("a goal function needs either distance= or is_satisfied=")
        function = distance if distance is not None else is_satisfied
        assert function is not None
        self._function, self._is_distance = function, distance is not None
        role = "distance" if self._is_distance else "is_satisfied"
        count = argument_count(role, function, (1, 2), "f(x) or f(x, parameters)")
        self._takes_parameters = count > 1
        self._name = callback_name(f"goal {role}", function)
        if not math.isfinite(number("threshold", threshold)):
            raise InputError(f"threshold must be finite, got {threshold}")
        self._threshold = float(threshold)
        self._samples = None if samples is None else as_array("samples", samples, ("count", "n"))
        self._parameters = frozen(as_array("parameters", parameters, ("p",)))
        self._compile = compile

    def compiled(self, space: StateSpace) -> CompiledGoal:
        """Put the goal into the form that kernels read.

        Args:
            space: Where states live.

        Returns:
            The compiled goal, as a function.
        """
        samples = np.empty((0, space.dimension))
        if self._samples is not None:
            samples = as_array("samples", self._samples, ("count", space.dimension))
        params = np.array([self._threshold, *self._parameters])
        door = make_goal_door(
            self._function,
            self._value,
            GoalForm(
                dimension=space.dimension,
                is_distance=self._is_distance,
                takes_parameters=self._takes_parameters,
                parameter_count=len(self._parameters),
                name=self._name,
            ),
            native=self._compile,
            params=params,
            example=space.sample(np.random.default_rng(0)),
        )
        return CompiledGoal(
            components=space.components,
            weights=space.weights,
            states=samples,
            tolerances=np.zeros(len(samples)),
            address=door.address,
            params=params,
            keep_alive=door,
        )

    def excess(self, space: StateSpace, state: ArrayLike) -> float:
        """Ask the function.

        Args:
            space: Where states live.
            state: A state, shape (n,).

        Returns:
            Its distance minus the threshold; 0 or 1 if it only says whether.
        """
        return self._value(frozen(as_array("state", state, (space.dimension,))))

    def candidates(self, space: StateSpace, count: int) -> Matrix:
        """Give the samples; what else is in the goal is not known.

        Args:
            space: Where states live.
            count: Not used.

        Returns:
            The samples, shape (s, n).
        """
        return np.empty((0, space.dimension)) if self._samples is None else self._samples

    def _value(self, x: Vector) -> float:
        more = (self._parameters,) if self._takes_parameters else ()
        answer = self._function(x, *more)
        if self._is_distance:
            return checked_number(self._name, answer) - self._threshold
        return 0.0 if checked_truth(self._name, answer) else 1.0


class GoalBox(GoalFunction):
    """A box of states: some axes within bounds, the others free.

    The excess is the Euclidean distance to the box. Angles are compared as they are in [−π, π).

    Args:
        low: Lower bounds, shape (n,); −inf where an axis is free.
        high: Upper bounds, shape (n,); inf where an axis is free.

    Raises:
        InputError: If low is above high somewhere, or a bound is NaN.
    """

    def __init__(self, low: ArrayLike, high: ArrayLike) -> None:
        self._low = as_array("goal box: low", low, ("n",), finite=False)
        self._high = as_array("goal box: high", high, self._low.shape, finite=False)
        if not (self._low <= self._high).all():
            raise InputError(f"goal box: low must not be above high, got {self._low}, {self._high}")
        largest = np.finfo(np.float64).max
        numbers = np.clip(np.concatenate([self._low, self._high]), -largest, largest)
        super().__init__(_outside_box, parameters=numbers)

    @property
    def low(self) -> Vector:
        """Lower bounds, shape (n,)."""
        return self._low

    @property
    def high(self) -> Vector:
        """Upper bounds, shape (n,)."""
        return self._high

    def candidates(self, space: StateSpace, count: int) -> Matrix:
        """Draw states in the box.

        Args:
            space: Where states live.
            count: How many to try.

        Returns:
            States in the box, shape (count, n).

        Raises:
            ShapeError: If the box has another number of axes.
        """
        if len(self._low) != space.dimension:
            raise ShapeError("goal box: low", (space.dimension,), self._low.shape)
        rng = np.random.default_rng(0)
        drawn = [np.clip(space.sample(rng), self._low, self._high) for _ in range(count)]
        return np.array(drawn).reshape(-1, space.dimension)


def _outside_box(x: Vector, bounds: Vector) -> float:
    square = 0.0
    n = bounds.size // 2
    for i in range(n):
        missing = max(bounds[i] - x[i], x[i] - bounds[n + i], 0.0)
        square += missing * missing
    return math.sqrt(square)


def as_goal(goal: "Goal | ArrayLike", tolerance: float | None = None) -> Goal:
    """Take a goal, a state, or a function that says whether it is met.

    Args:
        goal: A goal, or a state, shape (n,), or several, shape (s, n).
        tolerance: For states.

    Returns:
        The goal.

    Raises:
        CallbackTypeError: If it is a bare function.
    """
    if isinstance(goal, Goal):
        return goal
    if callable(goal):
        raise CallbackTypeError("goal", "a state, or GoalFunction(distance=…)", goal)
    array = np.asarray(goal, dtype=object)
    return GoalStates(goal, tolerance) if array.ndim == 2 else GoalState(goal, tolerance)


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


def _counted_axes(components: IntVector, size: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    counted = np.zeros(size, dtype=np.bool_)
    for _, first, length in components.tolist():
        counted[first : first + length] = True
    return counted
