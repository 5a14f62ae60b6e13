"""What a run of a planner advances, whether it grows a tree or not."""

from typing import TYPE_CHECKING, Protocol

from footwork.planning.planners.binding import BoundSystem
from footwork.typing import IntVector, Matrix

if TYPE_CHECKING:
    from footwork.planning.planner_data import PlannerData

Chain = tuple[Matrix, Matrix, IntVector]
"""States of shape (k + 1, n), controls of shape (k, m) and propagation steps, shape (k,)."""


class AnySearch(Protocol):
    """What a planner has done on one problem; advanced in slices, whose lengths never show."""

    @property
    def bound(self) -> BoundSystem:
        """The problem."""

    @property
    def iterations(self) -> int:
        """Iterations done."""

    @property
    def propagation_steps(self) -> int:
        """Propagation steps taken."""

    @property
    def work(self) -> int:
        """Propagation steps and iterations together."""

    @property
    def node_count(self) -> int:
        """States kept."""

    @property
    def best_cost(self) -> float:
        """Cost of the best solution; infinity without one."""

    @property
    def closest_excess(self) -> float:
        """How far the closest state is outside of the goal."""

    @property
    def memory(self) -> int:
        """Bytes reserved."""

    @property
    def extra(self) -> dict[str, float]:
        """Numbers that only this planner has."""

    def prepare(self) -> None:
        """Compile all that `advance` calls, or read it from the disk."""

    def advance(self, *, work: int, iteration_limit: int, memory_limit: float) -> int:
        """Go on.

        Args:
            work: Propagation steps and iterations to spend, about.
            iteration_limit: Iterations, counted from the very first.
            memory_limit: Bytes.

        Returns:
            A code of `footwork.planning._kernels.tree`, or ``OUT_OF_MEMORY``.
        """

    def pause(self) -> None:
        """End what another thread advances, after the iteration under way."""

    def take_trouble(self) -> int:
        """Give the code of a failed callback, and forget it, so that the search can go on."""

    def best_chain(self) -> Chain | None:
        """Give the best solution, None without one."""

    def closest_chain(self) -> Chain | None:
        """Give the motions up to the state closest to the goal, None without one."""

    def live_nodes(self) -> IntVector:
        """Numbers of the states in `planner_data`."""

    def planner_data(self) -> "PlannerData":
        """Give the states and motions as planner data."""
