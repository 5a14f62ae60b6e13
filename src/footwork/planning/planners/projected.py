"""What planners share that divide a projection of the state into cells."""

from abc import ABC

from numpy.typing import ArrayLike

from footwork.planning.planners.planner import Planner
from footwork.planning.planners.projection import Projection, ProjectionLike, make_projection
from footwork.planning.space_information import SpaceInformation


class ProjectedPlanner(Planner, ABC):
    """A planner with cells.

    Args:
        si: The system.
        seed: Decides every random number.
        projection: Indices, matrix or function of the state; the position when not given.
        cell_sizes: Size of a cell along each coordinate; a 20th of the extent when not given.

    Raises:
        InputError: If the projection or the sizes do not fit the system.
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
