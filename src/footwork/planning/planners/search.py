"""A search: the tree of one planner on one problem, with everything that must survive a pause."""

import math
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from footwork.planning._kernels.kdtree import STACK
from footwork.planning._kernels.sampling import seed_generator
from footwork.planning._kernels.tree import (
    BEST,
    BEST_COST,
    CLOSEST,
    CLOSEST_EXCESS,
    COUNTERS,
    FULL,
    ITERATION_LIMIT,
    ITERATIONS,
    NODES,
    STEPS,
    TROUBLE,
    VALUES,
    WORK,
    WORK_LIMIT,
    Tree,
)
from footwork.planning.planners.arrays import bytes_of, grown
from footwork.planning.planners.binding import BoundSystem
from footwork.typing import IntVector, Matrix, Vector

if TYPE_CHECKING:
    from footwork.planning.planner_data import PlannerData

FIRST_NODES: Final = 1024
FIRST_CELLS: Final = 256
GROWTH: Final = (4.0, 2.0, 1.5, 1.2)
"""By how much arrays grow, tried in this order against the memory limit."""
SMALL: Final = 2**22
"""Only trees below so many bytes grow fourfold."""
OUT_OF_MEMORY: Final = 10
"""What `Search.advance` returns when it must not grow any more."""


class Search(ABC):
    """The tree of one planner on one problem; advanced in slices, whose lengths never show.

    Args:
        bound: The problem.
        seed: Decides every random number.

    Attributes:
        bound: The problem.
        tree: Nodes.
        own: The planner's own arrays.
        counters: See `footwork.planning._kernels.tree`.
        values: Likewise.
        rng: State of the generator.
    """

    def __init__(self, bound: BoundSystem, seed: int) -> None:
        self.bound = bound
        self.counters = np.zeros(COUNTERS, np.int64)
        self.values = np.zeros(VALUES)
        self.rng = seed_generator(seed)
        starts = bound.problem.starts
        self._nodes = max(FIRST_NODES, 2 * self.room, 2 * len(starts))
        self._cells = max(FIRST_CELLS, 2 * self.room, 2 * len(starts))
        self.tree = self._make_tree(starts)
        self.own: Any = self._make_own(self._nodes, self._cells)
        self.counters[NODES] = len(starts)
        self.counters[[BEST, CLOSEST]] = -1
        self.values[[BEST_COST, CLOSEST_EXCESS]] = math.inf
        self._try_starts()

    # What each planner brings

    @abstractmethod
    def _kernel(self) -> int:
        """Call the planner's kernel once."""

    @abstractmethod
    def _make_own(self, nodes: int, cells: int) -> Any:
        """Make the planner's own arrays for so many nodes and cells."""

    @abstractmethod
    def _grow_own(self, nodes: int, cells: int) -> Any:
        """Copy the planner's own arrays into larger ones."""

    @property
    def room(self) -> int:
        """Most nodes or cells that one iteration adds."""
        return int(self.bound.system.limits[1]) + 1

    @property
    def used_cells(self) -> int:
        """How many cells there are; 0 for planners without."""
        return 0

    @property
    def extra(self) -> dict[str, float]:
        """Numbers that only this planner has."""
        return {}

    # What it has done

    @property
    def iterations(self) -> int:
        """Iterations done."""
        return int(self.counters[ITERATIONS])

    @property
    def propagation_steps(self) -> int:
        """Propagation steps taken."""
        return int(self.counters[STEPS])

    @property
    def work(self) -> int:
        """Propagation steps and iterations together."""
        return int(self.counters[WORK])

    @property
    def node_count(self) -> int:
        """Nodes in the tree."""
        return int(self.counters[NODES])

    @property
    def best_cost(self) -> float:
        """Cost of the best solution; infinity without one."""
        return float(self.values[BEST_COST])

    @property
    def closest_excess(self) -> float:
        """How far the closest node is outside of the goal."""
        return float(self.values[CLOSEST_EXCESS])

    @property
    def memory(self) -> int:
        """Bytes reserved."""
        return bytes_of(self.tree) + bytes_of(self.own)

    def _try_starts(self) -> None:
        """Accept a start that lies in the goal already: a path without motions, of no cost."""
        problem = self.bound.problem
        for node, start in enumerate(problem.starts):
            if problem.goal.is_satisfied(problem.si.state_space, start):
                self.counters[BEST], self.values[BEST_COST] = node, 0.0
                self.values[CLOSEST_EXCESS] = 0.0
                return

    # Advancing

    def prepare(self) -> None:
        """Compile the kernel, or read it from the disk, by a slice of no length."""
        self.counters[WORK_LIMIT] = self.counters[WORK]
        self._kernel()

    def advance(self, *, work: int, iteration_limit: int, memory_limit: float) -> int:
        """Grow the tree.

        Args:
            work: Propagation steps and iterations to spend, about.
            iteration_limit: Iterations, counted from the very first.
            memory_limit: Bytes.

        Returns:
            A code of `footwork.planning._kernels.tree`, or `OUT_OF_MEMORY`.
        """
        self.counters[WORK_LIMIT] = self.counters[WORK] + work
        self.counters[ITERATION_LIMIT] = iteration_limit
        if self.memory > memory_limit:
            return OUT_OF_MEMORY
        while True:
            code = self._kernel()
            if code != FULL:
                return code
            if not self._grow(memory_limit):
                return OUT_OF_MEMORY

    def pause(self) -> None:
        """End the kernel that another thread is in, after the iteration under way."""
        self.counters[WORK_LIMIT] = 0

    def take_trouble(self) -> int:
        """Give the code of a failed callback, and forget it, so that the search can go on."""
        trouble = int(self.counters[TROUBLE])
        self.counters[TROUBLE] = 0
        return trouble

    def _grow(self, memory_limit: float) -> bool:
        for factor in GROWTH:
            if factor > 2.0 and self.memory > SMALL:
                continue
            if factor * self.memory + self._largest() > memory_limit:
                continue
            nodes, cells, tree = self._nodes, self._cells, self.tree
            if self.node_count + self.room > nodes:
                nodes = max(int(factor * nodes), nodes + self.room)
                tree = self._grow_tree(nodes)
            if self.used_cells + self.room > cells:
                cells = max(int(factor * cells), cells + self.room)
            own = self._grow_own(nodes, cells)
            assert bytes_of(own) > bytes_of(self.own), "a kernel says full, and nothing is"
            # All at once: Ctrl-C or a lack of memory before leaves everything as it was
            self._nodes, self._cells, self.tree, self.own = nodes, cells, tree, own
            return True
        return False

    def _largest(self) -> int:
        return max(bytes_of(array) for array in self.tree)

    def _make_tree(self, starts: Matrix) -> Tree:
        system, nodes = self.bound.system, self._nodes
        n, m, most = len(system.low), len(system.control_low), int(system.limits[1])
        tree = Tree(
            state=np.empty((nodes, n)),
            control=np.zeros((nodes, m)),
            parent=np.full(nodes, -1, np.int64),
            steps=np.zeros(nodes, np.int64),
            cost=np.zeros(nodes),
            motion=np.empty((most + 1, n)),
            target=np.empty((1, n)),
            spare=np.empty((1, m)),
            projected=np.empty(len(system.project_cells)),
            keys=np.empty(most + 1, np.int64),
            scratch=np.empty((4, STACK)),
        )
        tree.state[: len(starts)] = starts
        return tree

    def _grow_tree(self, nodes: int) -> Tree:
        tree = self.tree
        return tree._replace(
            state=grown(tree.state, nodes),
            control=grown(tree.control, nodes),
            parent=grown(tree.parent, nodes),
            steps=grown(tree.steps, nodes),
            cost=grown(tree.cost, nodes),
        )

    # Reading the tree

    def best_chain(self) -> tuple[Matrix, Matrix, IntVector] | None:
        """Give states, controls and steps of the best solution, None without one."""
        best = int(self.counters[BEST])
        return None if best < 0 else self.chain(best)

    def closest_chain(self) -> tuple[Matrix, Matrix, IntVector] | None:
        """Give states, controls and steps up to the node closest to the goal, None without one."""
        closest = int(self.counters[CLOSEST])
        return None if closest < 0 else self.chain(closest)

    def chain(self, node: int) -> tuple[Matrix, Matrix, IntVector]:
        """Walk back from a node to its root.

        Args:
            node: Where to end.

        Returns:
            States of shape (k + 1, n), controls of shape (k, m) and propagation steps, shape (k,).
        """
        tree, nodes = self.tree, [node]
        while tree.parent[nodes[-1]] >= 0:
            nodes.append(int(tree.parent[nodes[-1]]))
        order = np.array(nodes[::-1])
        return tree.state[order], tree.control[order[1:]], tree.steps[order[1:]]

    def planner_data(self) -> "PlannerData":
        """Give the tree as planner data."""
        from footwork.planning.planners.tree_data import make_planner_data

        return make_planner_data(self)

    def live_nodes(self) -> IntVector:
        """Rows of the tree that are nodes of it, parents before children not guaranteed."""
        return np.arange(self.node_count)

    def edges(self) -> tuple[Matrix, IntVector, Matrix, IntVector, IntVector]:
        """Give the tree as arrays.

        Returns:
            States of shape (k, n); parent of each, -1 at roots, shape (k,); control that led to
            each, shape (k, m); propagation steps that it lasted, shape (k,); row of each in the
            tree, shape (k,).
        """
        rows = self.live_nodes()
        place = np.full(self.node_count + 1, -1, np.int64)
        place[rows] = np.arange(len(rows))
        parents = place[self.tree.parent[rows]]
        parents[self.tree.parent[rows] < 0] = -1
        tree = self.tree
        return tree.state[rows], parents, tree.control[rows], tree.steps[rows], rows


def durations_of(steps: IntVector, step: float) -> Vector:
    """Turn propagation steps into seconds.

    Args:
        steps: Whole numbers.
        step: One propagation step [s].

    Returns:
        Durations [s].
    """
    return np.asarray(steps, np.float64) * step
