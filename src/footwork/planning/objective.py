"""What an objective is: a cost of each motion, summed along the true trajectory."""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.typing import Matrix, Vector, as_array, frozen

if TYPE_CHECKING:
    from footwork.planning.objective_door import CompiledObjective
    from footwork.planning.space_information import SpaceInformation


@dataclass(frozen=True, kw_only=True, eq=False)
class Motion:
    """One control applied for some steps.

    Attributes:
        states: The states that it passes through, the first and the last too, shape (k + 1, n).
        control: What is applied, shape (m,).
        durations: Duration of each step [s], shape (k,).
    """

    states: Matrix
    control: Vector
    durations: Vector


class Objective(ABC):
    """A cost that adds up over motions; planners look for the least.

    A subclass of your own needs `motion_cost` only.
    """

    @abstractmethod
    def motion_cost(self, si: "SpaceInformation", motion: Motion) -> float:
        """Cost of one motion.

        Args:
            si: The system.
            motion: The motion.

        Returns:
            Its cost, not negative.
        """

    def source_term(self, names: "TermNames") -> str | None:
        """Write the cost of a motion as source that can be compiled.

        Args:
            names: Gives out names for numbers and functions.

        Returns:
            An expression, or None if only Python can evaluate it.
        """
        return None

    def compiled(self, si: "SpaceInformation") -> "CompiledObjective":
        """Put the objective behind one C address.

        Args:
            si: The system.

        Returns:
            The compiled objective; its address is 0 for the plain duration.
        """
        from footwork.planning.objective_door import compile_objective

        return compile_objective(self, si)

    def __add__(self, other: "Objective") -> "WeightedSum":
        return WeightedSum([self, other], [1.0, 1.0])

    def __rmul__(self, weight: float) -> "WeightedSum":
        return WeightedSum([self], [weight])


class TermNames:
    """Collects what the source of an objective refers to.

    In an expression, ``count`` is the number of steps, ``h`` the duration of each, ``u`` the
    control, ``numbers`` the numbers kept here, and `along` makes calls that see every state.

    Args:
        control_dimension: How many numbers a control has.

    Attributes:
        control_dimension: How many numbers a control has.
        numbers: Values that the source reads as ``numbers[i]``.
        functions: Functions by their name in the source.
        loops: For each loop over the trajectory, the cost of a state x, and the line that adds one
            step to ``total``.
    """

    def __init__(self, control_dimension: int) -> None:
        self.control_dimension = control_dimension
        self.numbers: list[float] = []
        self.functions: dict[str, object] = {}
        self.loops: list[tuple[str, str]] = []

    def numbers_from(self, values: ArrayLike) -> int:
        """Keep numbers.

        Args:
            values: The numbers.

        Returns:
            Index of the first.
        """
        first = len(self.numbers)
        self.numbers += np.asarray(values, dtype=np.float64).ravel().tolist()
        return first

    def function(self, function: object) -> str:
        """Keep a function.

        Args:
            function: ``f(x)`` or ``f(x, numbers)``.

        Returns:
            Its name in the source.
        """
        name = f"_cost_{len(self.functions)}"
        self.functions[name] = function
        return name

    def along(self, state_cost: str, step: str) -> str:
        """Keep a loop over the trajectory.

        Args:
            state_cost: Expression of the cost of ``x``, known as ``before`` and ``after``.
            step: Expression added for each step; it may use these, ``length`` and ``h``.

        Returns:
            An expression, the sum over the motion.
        """
        self.loops.append((state_cost, step))
        return f"loop_{len(self.loops) - 1}(x0, states, count, h, numbers)"


class WeightedSum(Objective):
    """Σ wᵢ · costᵢ of several objectives; also written ``0.5 * a + b``.

    Args:
        objectives: The objectives.
        weights: Factor of each, not negative.

    Raises:
        InputError: If there is none, or a weight is negative.
    """

    def __init__(self, objectives: Sequence[Objective], weights: ArrayLike) -> None:
        self._objectives = tuple(objectives)
        factors = as_array("weights", weights, (len(self._objectives),))
        if not self._objectives or (factors < 0.0).any():
            raise InputError("a weighted sum needs objectives, and weights that are not negative")
        self._weights = frozen(factors)

    def motion_cost(self, si: "SpaceInformation", motion: Motion) -> float:
        """Weighted sum over a motion.

        Args:
            si: The system.
            motion: The motion.

        Returns:
            The sum.
        """
        return math.fsum(
            weight * objective.motion_cost(si, motion)
            for weight, objective in zip(self._weights.tolist(), self._objectives, strict=True)
        )

    def source_term(self, names: TermNames) -> str | None:
        """Write the cost as source.

        Args:
            names: Keeps what the terms need.

        Returns:
            An expression, or None if a term has none.
        """
        terms = []
        for weight, objective in zip(self._weights.tolist(), self._objectives, strict=True):
            term = objective.source_term(names)
            if term is None:
                return None
            terms.append(f"{weight!r} * ({term})")
        return " + ".join(terms)
