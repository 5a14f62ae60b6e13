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

    Args:
        si: The system.
        seed: Decides every random number.
        goal_bias: How often a goal state is the random state.
        selection_radius: Within this distance of a random state the cheapest node is grown, in the
            metric of the space.
        pruning_radius: Distance between witnesses.
        bound_bias: How often a number of a random control is one of its bounds; cheap motions often
            use them. 0 draws uniformly, as the paper does, and explores better where full controls
            soon lead out of the bounds of the state (a quadrotor's); any value below 1 leaves every
            control possible, which is all that the proof needs.

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
    ) -> None:
        super().__init__(si, seed=seed)
        self._parameters = (
            fraction("goal_bias", goal_bias),
            positive("selection_radius", selection_radius),
            positive("pruning_radius", pruning_radius),
            fraction("bound_bias", bound_bias),
        )

    def _make_search(self, bound: "BoundSystem", seed: int) -> "Search":
        from footwork.planning.planners.sst_search import SstSearch

        return SstSearch(bound, seed, self._parameters)
