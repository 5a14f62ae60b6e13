"""What makes a path good: costs that add up along the true trajectory.

cost(path) = Σ over motions of motion cost, where a motion is one control applied for some steps,
with every state that it passes through. Planners and `PathControl.cost` use the same numbers.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning.callbacks import (
    argument_count,
    callback_name,
    checked_number,
)
from footwork.typing import Matrix, Vector, as_array, frozen

if TYPE_CHECKING:
    from footwork.planning.objective_door import CompiledObjective
    from footwork.planning.space_information import SpaceInformation

SMALLEST_CLEARANCE: Final = 1e-3
"""Clearances below this cost no more [m]."""


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


class ControlDuration(Objective):
    """How long the path takes [s]."""

    def motion_cost(self, si: "SpaceInformation", motion: Motion) -> float:
        """Duration of a motion.

        Args:
            si: Not used.
            motion: The motion.

        Returns:
            Its duration [s].
        """
        return math.fsum(motion.durations.tolist())

    def source_term(self, names: TermNames) -> str | None:
        """Write the cost as source.

        Args:
            names: Not used.

        Returns:
            An expression.
        """
        return "count * h"


class PathLength(Objective):
    """How long the trajectory is in the metric of the space: Σ d(xᵢ, xᵢ₊₁) over all steps."""

    def motion_cost(self, si: "SpaceInformation", motion: Motion) -> float:
        """Length of a motion.

        Args:
            si: Gives the metric.
            motion: The motion.

        Returns:
            Its length.
        """
        return math.fsum(_lengths(si, motion))

    def source_term(self, names: TermNames) -> str | None:
        """Write the cost as source.

        Args:
            names: Keeps the loop.

        Returns:
            An expression.
        """
        return names.along("0.0", "length")


class ControlEffort(Objective):
    """Effort of the controls: ∫ Σⱼ rⱼ uⱼ² dt.

    Args:
        weights: r, shape (m,); ones when not given.
    """

    def __init__(self, weights: ArrayLike | None = None) -> None:
        self._weights = None if weights is None else frozen(as_array("weights", weights, ("m",)))

    def motion_cost(self, si: "SpaceInformation", motion: Motion) -> float:
        """Effort of a motion.

        Args:
            si: Not used.
            motion: The motion.

        Returns:
            Its effort.
        """
        u = motion.control
        r = np.ones(len(u)) if self._weights is None else self._weights
        as_array("ControlEffort: weights", r, u.shape)
        return float(r @ (u * u)) * math.fsum(motion.durations.tolist())

    def source_term(self, names: TermNames) -> str | None:
        """Write the cost as source.

        Args:
            names: Keeps the weights.

        Returns:
            An expression.
        """
        m = names.control_dimension
        first = names.numbers_from(np.ones(m) if self._weights is None else self._weights)
        terms = [f"numbers[{first + j}] * u[{j}] * u[{j}]" for j in range(m)]
        return f"({' + '.join(terms)}) * (count * h)"


class StateCostIntegral(Objective):
    """Integral of a state's cost along the true trajectory, by the trapezoidal rule.

    ∫ c(x) ds over the length in the space's metric, or ∫ c(x) dt over time.

    Args:
        state_cost: ``c(x)``, or ``c(x, numbers)`` with ``parameters``; not negative.
        over: "length" or "time".
        parameters: Numbers for the cost.
    """

    def __init__(
        self,
        state_cost: Callable[..., Any],
        *,
        over: Literal["length", "time"] = "length",
        parameters: ArrayLike = (),
    ) -> None:
        if over not in {"length", "time"}:
            raise InputError(f'over must be "length" or "time", got {over!r}')
        self._over = over
        self._state_cost = _StateCost(state_cost, parameters)

    def motion_cost(self, si: "SpaceInformation", motion: Motion) -> float:
        """Integral over a motion.

        Args:
            si: Gives the metric.
            motion: The motion.

        Returns:
            The integral.
        """
        c = self._state_cost.along(motion.states)
        steps = _lengths(si, motion) if self._over == "length" else motion.durations.tolist()
        return math.fsum(0.5 * (a + b) * d for (a, b), d in zip(pairwise(c), steps, strict=True))

    def source_term(self, names: TermNames) -> str | None:
        """Write the cost as source.

        Args:
            names: Keeps the function and its numbers.

        Returns:
            An expression.
        """
        by = "length" if self._over == "length" else "h"
        return names.along(self._state_cost.source(names), f"0.5 * (before + after) * {by}")


class MechanicalWork(Objective):
    """Work against a potential: Σ max(0, c(xᵢ₊₁) − c(xᵢ)) + ε · length over the true trajectory.

    Args:
        state_cost: ``c(x)``, the potential, or ``c(x, numbers)`` with ``parameters``.
        length_weight: ε, which makes level ground cost something.
        parameters: Numbers for the cost.
    """

    def __init__(
        self,
        state_cost: Callable[..., Any],
        *,
        length_weight: float = 1e-5,
        parameters: ArrayLike = (),
    ) -> None:
        self._state_cost = _StateCost(state_cost, parameters)
        self._length_weight = float(length_weight)

    def motion_cost(self, si: "SpaceInformation", motion: Motion) -> float:
        """Work of a motion.

        Args:
            si: Gives the metric.
            motion: The motion.

        Returns:
            The work.
        """
        c = self._state_cost.along(motion.states)
        climbed = math.fsum(max(0.0, b - a) for a, b in pairwise(c))
        return climbed + self._length_weight * math.fsum(_lengths(si, motion))

    def source_term(self, names: TermNames) -> str | None:
        """Write the cost as source.

        Args:
            names: Keeps the function and its numbers.

        Returns:
            An expression.
        """
        step = f"max(0.0, after - before) + {self._length_weight!r} * length"
        return names.along(self._state_cost.source(names), step)


class Clearance(Objective):
    """Keep away from obstacles: ∫ ds / max(clearance(x), 1 mm) along the true trajectory.

    Args:
        world: A world, which knows its clearance.
    """

    def __init__(self, world: Any) -> None:
        kernel = getattr(world, "clearance_kernel", None)
        if kernel is None:
            raise InputError(f"Clearance needs a world with a clearance, got {world!r}")
        self._integral = StateCostIntegral(_reciprocal(kernel), parameters=world.parameters)

    def motion_cost(self, si: "SpaceInformation", motion: Motion) -> float:
        """Integral over a motion.

        Args:
            si: Gives the metric.
            motion: The motion.

        Returns:
            The integral.
        """
        return self._integral.motion_cost(si, motion)

    def source_term(self, names: TermNames) -> str | None:
        """Write the cost as source.

        Args:
            names: Keeps the function and its numbers.

        Returns:
            An expression.
        """
        return self._integral.source_term(names)


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


class _StateCost:
    """The user's cost of a state, checked when called."""

    def __init__(self, function: Callable[..., Any], parameters: ArrayLike) -> None:
        count = argument_count("state_cost", function, (1, 2), "c(x) or c(x, parameters)")
        self._function = function
        self._takes_parameters = count > 1
        self._parameters = frozen(as_array("parameters", parameters, ("p",)))
        self._name = callback_name("state_cost", function)

    def along(self, states: Matrix) -> list[float]:
        """Cost of each state."""
        more = (self._parameters,) if self._takes_parameters else ()
        return [checked_number(self._name, self._function(frozen(x), *more)) for x in states.copy()]

    def source(self, names: TermNames) -> str:
        """Write the cost of ``x`` as an expression."""
        first = names.numbers_from(self._parameters)
        name = names.function(self._function)
        more = f", numbers[{first}:{first + len(self._parameters)}]"
        return f"{name}(x{more if self._takes_parameters else ''})"


def _lengths(si: "SpaceInformation", motion: Motion) -> list[float]:
    lengths: list[float] = si.state_space.successive_distances(motion.states).tolist()
    return lengths


def _reciprocal(kernel: Callable[..., float]) -> Callable[[Vector, Vector], float]:
    def cost(x: Vector, parameters: Vector) -> float:
        return 1.0 / max(kernel(x, parameters), SMALLEST_CLEARANCE)

    return cost
