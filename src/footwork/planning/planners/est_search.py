"""The search of EST."""

from footwork.planning._kernels.est import Est, advance
from footwork.planning.planners.arrays import (
    grow_cells,
    grow_weights,
    make_cells,
    make_weights,
)
from footwork.planning.planners.search import Search


class EstSearch(Search):
    """Tree of EST with the cells of its projection."""

    def _kernel(self) -> int:
        return int(
            advance(self.bound.system, self.tree, self.own, self.counters, self.values, self.rng)
        )

    @property
    def used_cells(self) -> int:
        """How many cells there are."""
        return int(self.own.cells.used[0])

    @property
    def extra(self) -> dict[str, float]:
        """Cells in use."""
        return {"cells": self.used_cells}

    def _make_own(self, nodes: int, cells: int) -> Est:
        return Est(cells=make_cells(cells, nodes), weights=make_weights(cells))

    def _grow_own(self, nodes: int, cells: int) -> Est:
        own: Est = self.own
        return Est(
            cells=grow_cells(own.cells, cells, nodes), weights=grow_weights(own.weights, cells)
        )
