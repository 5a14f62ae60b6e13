"""The search of SST."""

import numpy as np

from footwork.planning._kernels.sst import ACTIVE, FREE, WITNESSES, Sst, advance
from footwork.planning.planners.arrays import grow_kdtree, grown, make_kdtree
from footwork.planning.planners.binding import BoundSystem, axis_scale
from footwork.planning.planners.search import Search
from footwork.typing import IntVector


class SstSearch(Search):
    """Tree of SST with a kd-tree of its witnesses.

    Args:
        bound: The problem.
        seed: Decides every random number.
        parameters: As of `Sst`.
    """

    def __init__(self, bound: BoundSystem, seed: int, parameters: tuple[float, ...]) -> None:
        self._parameters = np.array(parameters)
        super().__init__(bound, seed)

    def _kernel(self) -> int:
        return int(
            advance(self.bound.system, self.tree, self.own, self.counters, self.values, self.rng)
        )

    @property
    def witness_count(self) -> int:
        """How many witnesses there are."""
        return int(self.counters[WITNESSES])

    @property
    def active_count(self) -> int:
        """How many nodes represent a witness."""
        return int(self.counters[ACTIVE])

    @property
    def extra(self) -> dict[str, float]:
        """Witnesses, active nodes, nodes that live, and how far the radii have shrunk."""
        return {
            "witnesses": self.witness_count,
            "active_nodes": self.active_count,
            "live_nodes": len(self.live_nodes()),
            "pruning_radius": float(self.own.parameters[2]),
        }

    def live_nodes(self) -> IntVector:
        """Rows of the tree that are not free."""
        is_free = np.zeros(self.node_count, np.bool_)
        is_free[self.own.free[: int(self.counters[FREE])]] = True
        return np.flatnonzero(~is_free)

    def _make_own(self, nodes: int, cells: int) -> Sst:
        return Sst(
            witnesses=make_kdtree(nodes, axis_scale(self.bound.system)),
            active=make_kdtree(nodes, axis_scale(self.bound.system)),
            representative=np.empty(nodes, np.int64),
            children=np.zeros(nodes, np.int64),
            is_active=np.zeros(nodes, np.int64),
            free=np.empty(nodes, np.int64),
            parameters=self._parameters.copy(),
        )

    def _grow_own(self, nodes: int, cells: int) -> Sst:
        own: Sst = self.own
        columns = ("representative", "children", "is_active", "free")
        return own._replace(
            witnesses=grow_kdtree(own.witnesses, nodes),
            active=grow_kdtree(own.active, nodes),
            **{name: grown(getattr(own, name), nodes) for name in columns},
        )
