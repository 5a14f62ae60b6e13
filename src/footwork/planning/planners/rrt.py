"""Rapidly exploring random tree."""

from typing import TYPE_CHECKING

from footwork.planning.planners.planner import Planner, count, fraction
from footwork.planning.space_information import SpaceInformation

if TYPE_CHECKING:
    from footwork.planning.planners.binding import BoundSystem
    from footwork.planning.planners.search import Search


class RRT(Planner):
    """Grows the node nearest to a random state by a random control.

    Probabilistically complete; explores in proportion to the empty space around each node. Spends
    its time on nearest neighbours, so it suits dynamics that are dear.

    Args:
        si: The system.
        seed: Decides every random number.
        goal_bias: How often a goal state is the random state.
        intermediate_states: Whether every state of a motion becomes a node, not the last only:
            denser trees that reach small goals sooner.
        control_candidates: How many controls are tried; the one that ends nearest is kept.

    Source: lavalle2001randomized
    """

    def __init__(
        self,
        si: SpaceInformation,
        *,
        seed: int | None = None,
        goal_bias: float = 0.05,
        intermediate_states: bool = False,
        control_candidates: int = 1,
    ) -> None:
        super().__init__(si, seed=seed)
        self._parameters = (
            fraction("goal_bias", goal_bias),
            float(bool(intermediate_states)),
            float(count("control_candidates", control_candidates, 1)),
        )

    def _make_search(self, bound: "BoundSystem", seed: int) -> "Search":
        from footwork.planning.planners.rrt_search import RrtSearch

        return RrtSearch(bound, seed, self._parameters)
