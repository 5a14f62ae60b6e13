"""Expansive space trees."""

from typing import TYPE_CHECKING

from footwork.planning.planners.projected import ProjectedPlanner

if TYPE_CHECKING:
    from footwork.planning.planners.binding import BoundSystem
    from footwork.planning.planners.search import Search


class EST(ProjectedPlanner):
    """Grows from where the tree is thin, by random controls.

    A cell of the projection is drawn with a weight of one over the nodes in it. Probabilistically
    complete; nearly all its time goes into propagation, which makes it the first choice for a first
    path. OMPL's ``range`` and ``goal_bias`` are left out: with one random control a motion they
    have no effect there.

    Args:
        si: The system.
        seed: Decides every random number.
        projection: Indices, matrix or function of the state; the position when not given.
        cell_sizes: Size of a cell along each coordinate; a 20th of the extent when not given.

    Source: hsu2002randomized
    """

    def _make_search(self, bound: "BoundSystem", seed: int) -> "Search":
        from footwork.planning.planners.est_search import EstSearch

        return EstSearch(bound, seed)
