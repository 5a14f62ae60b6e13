"""Stable sparse RRT."""

from typing import TYPE_CHECKING

from footwork.planning.planners.planner import Planner, fraction, positive
from footwork.planning.space_information import SpaceInformation

if TYPE_CHECKING:
    from footwork.planning.planners.binding import BoundSystem
    from footwork.planning.planners.search import Search


class SST(Planner):
    """Keeps a sparse tree of cheap motions and improves its path until it is stopped.

    Near each witness only the cheapest node stays active; inactive ones without children are
    pruned, and nothing dearer than the best path is kept or grown. The cost never rises and comes
    within a bound of the least that depends on the radii (asymptotically near-optimal).

    Radii that are too coarse for a system leave a tree that no longer grows, for all that leads on
    lies near something cheaper. When a tree has been idle for long, its radii shrink: the SST* of
    the paper, which shrinks them by a schedule, and thereby comes as near to the least cost as one
    waits for.

    Args:
        si: The system.
        seed: Decides every random number.
        goal_bias: How often a goal state is the random state.
        selection_radius: Within this distance of a random state the cheapest node is grown, in the
            metric of the space.
        pruning_radius: Distance between witnesses.
        bound_bias: How often a number of a random control is one of its bounds; cheap motions often
            use them. 0 draws uniformly, as the paper does; any value below 1 leaves every control
            possible, which is all that the proof needs.
        shrink_factor: What both radii are multiplied by when the tree is idle; 1 keeps them, as
            SST does.
        patience: How many iterations in a row, for each active node, must add nothing before the
            radii shrink.

    Source: li2016asymptotically
    """

    stops_at_path = False

    def __init__(
        self,
        si: SpaceInformation,
        *,
        seed: int | None = None,
        goal_bias: float = 0.05,
        selection_radius: float = 0.2,
        pruning_radius: float = 0.1,
        bound_bias: float = 0.1,
        shrink_factor: float = 0.8,
        patience: float = 10.0,
    ) -> None:
        super().__init__(si, seed=seed)
        self._parameters = (
            fraction("goal_bias", goal_bias),
            positive("selection_radius", selection_radius),
            positive("pruning_radius", pruning_radius),
            fraction("bound_bias", bound_bias),
            positive("shrink_factor", fraction("shrink_factor", shrink_factor)),
            positive("patience", patience),
        )

    def _make_search(self, bound: "BoundSystem", seed: int) -> "Search":
        from footwork.planning.planners.sst_search import SstSearch

        return SstSearch(bound, seed, self._parameters)
