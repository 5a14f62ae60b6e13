"""What makes a path good: costs that add up along the true trajectory.

cost(path) = Σ over motions of motion cost, where a motion is one control applied for some steps,
with every state that it passes through. Planners and `PathControl.cost` use the same numbers.
"""

import math
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning.callbacks import (
    argument_count,
    callback_name,
    checked_number,
    note_call,
)
from footwork.planning.objective import Motion, Objective, TermNames, WeightedSum
from footwork.typing import Matrix, Vector, as_array, frozen

if TYPE_CHECKING:
    from footwork.planning.space_information import SpaceInformation

__all__ = [
    "Clearance",
    "ControlDuration",
    "ControlEffort",
    "MechanicalWork",
    "Motion",
    "Objective",
    "PathLength",
    "StateCostIntegral",
    "TermNames",
    "WeightedSum",
]

SMALLEST_CLEARANCE: Final = 1e-3
"""Clearances below this cost no more [m]."""


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
        return [self._at(frozen(x)) for x in states.copy()]

    def _at(self, x: Vector) -> float:
        more = (self._parameters,) if self._takes_parameters else ()
        try:
            cost = self._function(x, *more)
        except Exception as error:
            note_call(error, self._name, x, None, *more)
            raise
        return checked_number(self._name, cost, x)

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
