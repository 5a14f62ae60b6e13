"""Path-directed subdivision trees."""

from typing import TYPE_CHECKING

from footwork.planning.planners.projected import ProjectedPlanner

if TYPE_CHECKING:
    from footwork.planning.planners.binding import BoundSystem
    from footwork.planning.planners.search import Search


class PDST(ProjectedPlanner):
    """Grows from pieces of motions, the least used in the largest cells first.

    Cells are halved wherever a piece is used, so no resolution has to be chosen. Probabilistically
    complete, also with drift and few actuators. OMPL's ``goal_bias`` is left out: with one random
    control a motion it has no effect there. Every state is a node, so memory grows with the steps.

    Args:
        si: The system.
        seed: Decides every random number.
        projection: Indices, matrix or function of the state; the position when not given.
        cell_sizes: Not used by this planner's cells, which are halves of the whole; accepted so
            that planners can be exchanged.

    Source: ladd2005motion
    """

    def _make_search(self, bound: "BoundSystem", seed: int) -> "Search":
        from footwork.planning.planners.pdst_search import PdstSearch

        return PdstSearch(bound, seed)
