"""The search of PDST."""

from typing import Final

import numpy as np

from footwork.planning._kernels.pdst import CELLS, PIECES, Pdst, advance
from footwork.planning.planners.arrays import grown
from footwork.planning.planners.search import Search

OF_NODES: Final = ("first", "last", "priority", "cell", "place", "following", "heap")
"""Columns with one entry a node; the others have one a cell."""


class PdstSearch(Search):
    """Tree of PDST with the cells that halve its projection."""

    def _kernel(self) -> int:
        return int(
            advance(self.bound.system, self.tree, self.own, self.counters, self.values, self.rng)
        )

    @property
    def used_cells(self) -> int:
        """How many cells there are, halved ones too."""
        return int(self.counters[CELLS])

    @property
    def extra(self) -> dict[str, float]:
        """Cells and pieces."""
        return {"cells": self.used_cells, "pieces": int(self.counters[PIECES])}

    def _make_own(self, nodes: int, cells: int) -> Pdst:
        projection = self.bound.projection
        assert projection is not None
        d = projection.dimension
        own = Pdst(
            first=np.empty(nodes, np.int64),
            last=np.empty(nodes, np.int64),
            priority=np.empty(nodes),
            cell=np.empty(nodes, np.int64),
            place=np.empty(nodes, np.int64),
            following=np.empty(nodes, np.int64),
            heap=np.empty(nodes, np.int64),
            head=np.full(cells, -1, np.int64),
            child=np.full(cells, -1, np.int64),
            axis=np.zeros(cells, np.int64),
            volume=np.ones(cells),
            low=np.empty((cells, d)),
            high=np.empty((cells, d)),
        )
        own.low[0], own.high[0] = projection.low, projection.high
        return own

    def _grow_own(self, nodes: int, cells: int) -> Pdst:
        own: Pdst = self.own
        return Pdst(
            **{
                name: grown(array, nodes if name in OF_NODES else cells)
                for name, array in own._asdict().items()
            }
        )
