"""Syclop: synergistic combination of layers of planning."""

from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning.planners.planner import count, fraction
from footwork.planning.planners.projected import ProjectedPlanner
from footwork.planning.planners.projection import ProjectionLike
from footwork.planning.space_information import SpaceInformation

if TYPE_CHECKING:
    from footwork.planning.planners.binding import BoundSystem
    from footwork.planning.planners.search import Search

MOST_REGIONS = 1_000_000


class Syclop(ProjectedPlanner):
    """Follows leads through a grid of regions on the projection; see `SyclopRRT` and `SyclopEST`.

    A lead is a way through neighbouring regions from the start to the goal, cheap where little has
    been tried and much is free. The tree grows in the regions of the lead nearest to the goal that
    it has reached; what it covers changes the costs, and so the next lead.

    Args:
        si: The system.
        seed: Decides every random number.
        regions_per_axis: Regions along each coordinate of the projection.
        region_expansions: Expansions for a lead.
        shortest_path_probability: How often the lead is the cheapest way; else a random one.
        keep_adding_probability: How often one more region of the lead may be expanded.
        abandon_probability: How often a lead is left after an expansion that covered nothing new.
        free_volume_samples: States drawn to find how free the regions are, 20 for each region when
            not given; none where the callbacks are plain Python.
        projection: Indices, matrix or function of the state; the position when not given.
        cell_sizes: Not used; accepted so that planners can be exchanged.

    Raises:
        InputError: If there would be more than a million regions.

    Source: plaku2010motion
    """

    _grows_nearest: bool

    def __init__(
        self,
        si: SpaceInformation,
        *,
        seed: int | None = None,
        regions_per_axis: int = 10,
        region_expansions: int = 100,
        shortest_path_probability: float = 0.95,
        keep_adding_probability: float = 0.5,
        abandon_probability: float = 0.25,
        free_volume_samples: int | None = None,
        projection: ProjectionLike | None = None,
        cell_sizes: ArrayLike | None = None,
    ) -> None:
        super().__init__(si, seed=seed, projection=projection, cell_sizes=cell_sizes)
        self._per_axis = count("regions_per_axis", regions_per_axis, 1)
        regions = self._per_axis**self.projection.dimension
        if regions > MOST_REGIONS:
            raise InputError(
                f"regions_per_axis {self._per_axis} makes {regions} regions in "
                f"{self.projection.dimension} coordinates; at most {MOST_REGIONS} are possible"
            )
        self._expansions = count("region_expansions", region_expansions, 1)
        self._shortest = fraction("shortest_path_probability", shortest_path_probability)
        self._keep_adding = fraction("keep_adding_probability", keep_adding_probability)
        self._abandon = fraction("abandon_probability", abandon_probability)
        samples = min(20 * regions, 20_000) if free_volume_samples is None else free_volume_samples
        self._samples = count("free_volume_samples", samples, 0)

    def _make_search(self, bound: "BoundSystem", seed: int) -> "Search":
        from footwork.planning.planners.syclop_search import SyclopOptions, SyclopSearch

        options = SyclopOptions(
            grows_nearest=type(self)._grows_nearest,
            shortest_path_probability=self._shortest,
            keep_adding_probability=self._keep_adding,
            abandon_probability=self._abandon,
            region_expansions=self._expansions,
            regions_per_axis=self._per_axis,
            free_volume_samples=self._samples,
        )
        return SyclopSearch(bound, seed, options)


class SyclopRRT(Syclop):
    """Syclop whose tree grows the node nearest to a random state of the region.

    The nearest node is looked for in the whole tree, exactly; OMPL looks in the region and its
    neighbours. For the arguments see `Syclop`.

    Source: plaku2010motion
    """

    _grows_nearest = True


class SyclopEST(Syclop):
    """Syclop whose tree grows a random node of the region. For the arguments see `Syclop`.

    Source: plaku2010motion
    """

    _grows_nearest = False
