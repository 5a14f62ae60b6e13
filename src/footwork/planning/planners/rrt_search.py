"""The search of RRT."""

import numpy as np

from footwork.planning._kernels.rrt import Rrt, advance
from footwork.planning.planners.arrays import grow_kdtree, make_kdtree
from footwork.planning.planners.binding import BoundSystem, axis_scale
from footwork.planning.planners.search import Search


class RrtSearch(Search):
    """Tree of RRT with a kd-tree of its nodes.

    Args:
        bound: The problem.
        seed: Decides every random number.
        parameters: (goal bias, whether intermediate states are kept, controls tried).
    """

    def __init__(self, bound: BoundSystem, seed: int, parameters: tuple[float, ...]) -> None:
        self._parameters = np.array(parameters)
        super().__init__(bound, seed)

    def _kernel(self) -> int:
        return int(
            advance(self.bound.system, self.tree, self.own, self.counters, self.values, self.rng)
        )

    def _make_own(self, nodes: int, cells: int) -> Rrt:
        return Rrt(
            kdtree=make_kdtree(nodes, axis_scale(self.bound.system)),
            parameters=self._parameters,
        )

    def _grow_own(self, nodes: int, cells: int) -> Rrt:
        own: Rrt = self.own
        return own._replace(kdtree=grow_kdtree(own.kdtree, nodes))
