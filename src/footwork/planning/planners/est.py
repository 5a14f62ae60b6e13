"""Expansive space trees."""

from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from footwork.planning.planners.planner import Planner
from footwork.planning.planners.projection import Projection, ProjectionLike, make_projection
from footwork.planning.space_information import SpaceInformation

if TYPE_CHECKING:
    from footwork.planning.planners.binding import BoundSystem
    from footwork.planning.planners.search import Search


class EST(Planner):
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

    def __init__(
        self,
        si: SpaceInformation,
        *,
        seed: int | None = None,
        projection: ProjectionLike | None = None,
        cell_sizes: ArrayLike | None = None,
    ) -> None:
        super().__init__(si, seed=seed)
        self._projection = make_projection(si.state_space, projection, cell_sizes)

    @property
    def projection(self) -> Projection:
        """Where the cells are."""
        return self._projection

    def _make_search(self, bound: "BoundSystem", seed: int) -> "Search":
        from footwork.planning.planners.est_search import EstSearch

        return EstSearch(bound, seed)
