"""What a goal is: it is met where its excess, the distance that is missing, is 0 or less."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from footwork.planning.goal_door import GoalDoor
from footwork.planning.spaces.state_space import StateSpace
from footwork.typing import IntVector, Matrix, Vector


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

    def raise_error(self, params: Vector) -> None:
        """Raise what the user's function raised, after an excess of NaN; nothing for data.

        Args:
            params: What the function was called with.
        """
        if self.keep_alive is not None:
            self.keep_alive.raise_error(params)


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


def _counted_axes(components: IntVector, size: int) -> np.ndarray[Any, np.dtype[np.bool_]]:
    counted = np.zeros(size, dtype=np.bool_)
    for _, first, length in components.tolist():
        counted[first : first + length] = True
    return counted
