"""Goals that a function measures, and boxes."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError, ShapeError
from footwork.planning.arguments import number
from footwork.planning.callbacks import (
    argument_count,
    callback_name,
    checked_number,
    checked_truth,
    note_call,
)
from footwork.planning.goal import CompiledGoal, Goal
from footwork.planning.goal_door import GoalForm, make_goal_door
from footwork.planning.spaces.state_space import StateSpace
from footwork.typing import Matrix, Vector, as_array, frozen


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
            params=door.params,
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
        try:
            answer = self._function(x, *more)
        except Exception as error:
            note_call(error, self._name, x, None, *more)
            raise
        if self._is_distance:
            return checked_number(self._name, answer, x) - self._threshold
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
