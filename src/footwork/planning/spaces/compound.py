"""Several spaces as one, with a weight for each in the distance."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning.arguments import all_of
from footwork.planning.spaces.components import Component
from footwork.planning.spaces.state_space import StateSpace
from footwork.typing import Vector, as_array


class CompoundStateSpace(StateSpace):
    """The states of several spaces one after the other; d = Σᵢ wᵢ dᵢ.

    Args:
        subspaces: The spaces, nested ones too.
        weights: Factor of each in the distance, not negative; 1 when not given.

    Raises:
        InputError: If there is no subspace, or a weight is negative.
        ShapeError: If the number of weights differs.

    Example:
        >>> from footwork.planning import RealVectorStateSpace, SE2StateSpace
        >>> space = CompoundStateSpace(
        ...     [SE2StateSpace([-5, -5], [5, 5]), RealVectorStateSpace([-1], [1])], weights=[1, 0.3]
        ... )
        >>> space.dimension, space.components.tolist(), space.weights.tolist()
        (4, [[0, 0, 2], [1, 2, 1], [0, 3, 1]], [1.0, 0.5, 0.3])
    """

    def __init__(self, subspaces: Sequence[StateSpace], weights: ArrayLike | None = None) -> None:
        self._subspaces = all_of(StateSpace, "CompoundStateSpace: subspaces", subspaces)
        if not self._subspaces:
            raise InputError("CompoundStateSpace: subspaces must not be empty")
        factors = (
            np.ones(len(self._subspaces))
            if weights is None
            else as_array("CompoundStateSpace: weights", weights, (len(self._subspaces),))
        )
        if (factors < 0.0).any():
            raise InputError(f"CompoundStateSpace: weights must not be negative, got {factors}")
        parts: list[Component] = []
        for i, (space, factor) in enumerate(zip(self._subspaces, factors.tolist(), strict=True)):
            parts += [
                replace(
                    part,
                    weight=factor * part.weight,
                    names=tuple(f"{i}.{name}" for name in part.names),
                )
                for part in space.parts
            ]
        super().__init__(parts)

    @property
    def subspaces(self) -> tuple[StateSpace, ...]:
        """The spaces that it is made of."""
        return self._subspaces

    def _describe(self, state: Vector) -> str:
        lines = []
        first = 0
        for space in self._subspaces:
            lines.append(space.describe(state[first : first + space.dimension]))
            first += space.dimension
        return "Compound state [\n" + "\n".join(lines) + "\n]"
