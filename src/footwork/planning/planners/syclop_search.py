"""The search of SyclopRRT and SyclopEST."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from footwork.planning._kernels.grid import EMPTY, first_slot
from footwork.planning._kernels.syclop import advance
from footwork.planning._kernels.syclop_lead import SEEN, Syclop
from footwork.planning.planners.arrays import (
    grow_cells,
    grow_kdtree,
    grown,
    make_cells,
    make_kdtree,
)
from footwork.planning.planners.binding import BoundSystem, axis_scale
from footwork.planning.planners.search import Search
from footwork.typing import IntVector

FINE_CELLS: Final = 128
"""Fine cells along an axis of the whole, about; what the tree covers is counted in them."""
FIRST_SEEN: Final = 1024


@dataclass(frozen=True, kw_only=True)
class SyclopOptions:
    """How Syclop works.

    Attributes:
        grows_nearest: Whether the node nearest to a random state grows (RRT), else any (EST).
        shortest_path_probability: How often the lead is the cheapest way.
        keep_adding_probability: How often one more region of a lead is made available.
        abandon_probability: How often a lead is left after an expansion that covered nothing new.
        region_expansions: Expansions for a lead.
        regions_per_axis: Regions along each coordinate.
        free_volume_samples: States drawn to find how free the regions are.
    """

    grows_nearest: bool
    shortest_path_probability: float
    keep_adding_probability: float
    abandon_probability: float
    region_expansions: int
    regions_per_axis: int
    free_volume_samples: int


class SyclopSearch(Search):
    """Tree of Syclop with its regions.

    Args:
        bound: The problem.
        seed: Decides every random number.
        options: How it works.
    """

    def __init__(self, bound: BoundSystem, seed: int, options: SyclopOptions) -> None:
        self._options = options
        super().__init__(bound, seed)

    def _kernel(self) -> int:
        return int(
            advance(self.bound.system, self.tree, self.own, self.counters, self.values, self.rng)
        )

    @property
    def extra(self) -> dict[str, float]:
        """Regions that the tree has reached, and fine cells that it covers."""
        own: Syclop = self.own
        return {
            "regions": int(own.regions.used[0]),
            "covered_cells": int(own.coverage.sum()),
        }

    def _make_own(self, nodes: int, cells: int) -> Syclop:
        options, projection = self._options, self.bound.projection
        assert projection is not None
        d, per_axis = projection.dimension, options.regions_per_axis
        k = per_axis**d
        samples = options.free_volume_samples if self.bound.is_native else 0
        extent = projection.high - projection.low
        return Syclop(
            kdtree=make_kdtree(
                nodes if options.grows_nearest else 1, axis_scale(self.bound.system)
            ),
            regions=make_cells(k, nodes),
            region_of=np.empty(nodes, np.int64),
            selections=np.zeros(k, np.int64),
            coverage=np.zeros(k, np.int64),
            drawn=np.zeros(k, np.int64),
            valid=np.zeros(k, np.int64),
            edge_tries=np.zeros((k, 2 * d), np.int64),
            edge_leads=np.zeros((k, 2 * d), np.int64),
            edge_coverage=np.zeros((k, 2 * d), np.int64),
            seen=np.full(FIRST_SEEN, EMPTY, np.int64),
            lead=np.empty(k, np.int64),
            available=np.empty(k, np.int64),
            is_available=np.zeros(k, np.int64),
            cost=np.empty(k),
            before=np.empty(k, np.int64),
            heap=np.empty((2 * d * k + 2, 2)),
            shape=np.array([per_axis, max(1, FINE_CELLS // per_axis)]),
            low=projection.low.copy(),
            size=np.where(extent > 0.0, extent, 1.0) / per_axis,
            parameters=np.array(
                [
                    float(options.grows_nearest),
                    options.shortest_path_probability,
                    options.keep_adding_probability,
                    options.abandon_probability,
                    float(options.region_expansions),
                    float(samples),
                ]
            ),
        )

    def _grow_own(self, nodes: int, cells: int) -> Syclop:
        own: Syclop = self.own
        return own._replace(
            kdtree=grow_kdtree(own.kdtree, nodes) if self._options.grows_nearest else own.kdtree,
            regions=grow_cells(own.regions, len(own.regions.key), nodes),
            region_of=grown(own.region_of, nodes),
            seen=grow_set(own.seen, int(self.counters[SEEN])),
        )


def grow_set(seen: IntVector, used: int) -> IntVector:
    """Copy a set of keys into a larger table if it is about to be half full.

    Args:
        seen: Keys by slot.
        used: How many there are.

    Returns:
        The same set.
    """
    if 2 * (used + 3) <= len(seen):
        return seen
    larger = np.full(2 * len(seen), EMPTY, np.int64)
    for key in seen[seen != EMPTY].tolist():
        slot = first_slot(key, len(larger))
        while larger[slot] != EMPTY:
            slot = (slot + 1) & (len(larger) - 1)
        larger[slot] = key
    return larger
