"""The search of KPIECE1."""

import numpy as np

from footwork.planning._kernels.kpiece import Kpiece, advance
from footwork.planning.planners.arrays import grow_cells, grown, make_cells
from footwork.planning.planners.binding import BoundSystem
from footwork.planning.planners.search import Search


class KpieceSearch(Search):
    """Tree of KPIECE1 with the cells of its projection in two heaps.

    Args:
        bound: The problem.
        seed: Decides every random number.
        parameters: (goal bias, border fraction, good factor, bad factor).
        close_samples: How many samples close to the goal are kept.
    """

    def __init__(
        self,
        bound: BoundSystem,
        seed: int,
        parameters: tuple[float, ...],
        close_samples: int,
    ) -> None:
        self._parameters = np.array(parameters)
        self._close_samples = close_samples
        super().__init__(bound, seed)

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

    def _make_own(self, nodes: int, cells: int) -> Kpiece:
        return Kpiece(
            cells=make_cells(cells, nodes),
            score=np.empty(cells),
            importance=np.empty(cells),
            coverage=np.empty(cells, np.int64),
            selections=np.empty(cells, np.int64),
            neighbours=np.empty(cells, np.int64),
            place=np.empty(cells, np.int64),
            heap=np.empty((2, cells), np.int64),
            close=np.empty((self._close_samples, 2)),
            parameters=self._parameters,
        )

    def _grow_own(self, nodes: int, cells: int) -> Kpiece:
        own: Kpiece = self.own
        heap = np.empty((2, cells), np.int64)
        heap[:, : own.heap.shape[1]] = own.heap
        columns = ("score", "importance", "coverage", "selections", "neighbours", "place")
        return own._replace(
            cells=grow_cells(own.cells, cells, nodes),
            heap=heap,
            **{name: grown(getattr(own, name), cells) for name in columns},
        )
