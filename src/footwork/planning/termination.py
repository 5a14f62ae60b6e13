"""When a planner stops."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from footwork.errors import InputError
from footwork.planning.arguments import not_nan, number, optional_function, whole
from footwork.planning.planning_result import StoppedBy


@dataclass(frozen=True, kw_only=True)
class Termination:
    """When a planner stops; whatever comes first.

    Attributes:
        time_limit: Wall time [s]; 0 stops at once, None never.
        iteration_limit: Iterations of the planner.
        memory_limit: Bytes of the planner's tree.
        cost_limit: Stops when a path costs no more than this.
        condition: Asked now and then without arguments; stops when it returns True.

    Raises:
        InputError: If a limit is negative, NaN or no number, or iterations are not whole.
    """

    time_limit: float | None = None
    iteration_limit: int | None = None
    memory_limit: float | None = None
    cost_limit: float | None = None
    condition: Callable[[], bool] | None = None

    def __post_init__(self) -> None:
        for name in ("time_limit", "memory_limit"):
            if getattr(self, name) is not None:
                not_nan(name, getattr(self, name))
        if self.iteration_limit is not None:
            whole("iteration_limit", self.iteration_limit, 0)
        if self.cost_limit is not None and math.isnan(number("cost_limit", self.cost_limit)):
            raise InputError("cost_limit must be a number, got NaN")
        optional_function("condition", self.condition)

    def raise_if_endless(self) -> "Termination":
        """Refuse to plan without a limit; a cost alone is none, for it may never be reached.

        Returns:
            Itself.

        Raises:
            InputError: If nothing but a cost would stop the planner.
        """
        if self == Termination(cost_limit=self.cost_limit):
            raise InputError(
                "solve needs a limit, because a goal may be out of reach: time_limit, "
                "iteration_limit, memory_limit or condition"
            )
        return self

    def reason(
        self, *, elapsed: float, iterations: int, memory: int, cost: float = math.inf
    ) -> StoppedBy | None:
        """Say whether it is time to stop.

        Args:
            elapsed: Wall time since the start [s].
            iterations: Iterations done.
            memory: Bytes in use.
            cost: Cost of the best path so far.

        Returns:
            Why to stop, or None to go on.
        """
        if self.cost_limit is not None and cost <= self.cost_limit:
            return StoppedBy.COST
        if self.time_limit is not None and elapsed >= self.time_limit:
            return StoppedBy.TIME
        if self.iteration_limit is not None and iterations >= self.iteration_limit:
            return StoppedBy.ITERATIONS
        if self.memory_limit is not None and memory >= self.memory_limit:
            return StoppedBy.MEMORY
        if self.condition is not None and self.condition():
            return StoppedBy.CONDITION
        return None
