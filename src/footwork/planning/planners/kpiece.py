"""Kinodynamic planning by interior-exterior cell exploration."""

from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from footwork.planning.planners.planner import count, fraction
from footwork.planning.planners.projected import ProjectedPlanner
from footwork.planning.planners.projection import ProjectionLike
from footwork.planning.space_information import SpaceInformation

if TYPE_CHECKING:
    from footwork.planning.planners.binding import BoundSystem
    from footwork.planning.planners.search import Search


class KPIECE1(ProjectedPlanner):
    """Grows from the border of what has been explored, where a motion still tells something.

    Cells of the projection are ranked by how little is known about them; motions are cut where they
    cross cells. One level of cells. A start cell counts as covered once, so that the planner cannot
    lock on it as OMPL's does.

    Args:
        si: The system.
        seed: Decides every random number.
        goal_bias: How often one of the samples closest to the goal is grown.
        border_fraction: Least share of the choices that go to the border.
        max_close_samples: How many samples close to the goal are kept.
        good_score_factor: Factor of a cell's score after a motion was possible.
        bad_score_factor: Factor after it was not.
        projection: Indices, matrix or function of the state; the position when not given.
        cell_sizes: Size of a cell along each coordinate; a 20th of the extent when not given.

    Source: sucan2009kinodynamic
    """

    def __init__(
        self,
        si: SpaceInformation,
        *,
        seed: int | None = None,
        goal_bias: float = 0.05,
        border_fraction: float = 0.8,
        max_close_samples: int = 30,
        good_score_factor: float = 0.9,
        bad_score_factor: float = 0.45,
        projection: ProjectionLike | None = None,
        cell_sizes: ArrayLike | None = None,
    ) -> None:
        super().__init__(si, seed=seed, projection=projection, cell_sizes=cell_sizes)
        self._parameters = (
            fraction("goal_bias", goal_bias),
            fraction("border_fraction", border_fraction),
            fraction("good_score_factor", good_score_factor),
            fraction("bad_score_factor", bad_score_factor),
        )
        self._close_samples = count("max_close_samples", max_close_samples, 0)

    def _make_search(self, bound: "BoundSystem", seed: int) -> "Search":
        from footwork.planning.planners.kpiece_search import KpieceSearch

        return KpieceSearch(bound, seed, self._parameters, self._close_samples)
