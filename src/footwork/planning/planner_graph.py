"""What a planning graph tells: its arrays, vertices and edges, and the paths in it."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning.path_control import PathControl
from footwork.planning.planner_data_parts import PlannerEdge, PlannerVertex, data_index
from footwork.planning.planner_data_store import GOAL, START, TAG, GraphStore
from footwork.planning.space_information import SpaceInformation
from footwork.typing import IntVector, Matrix, Vector


class PlannerGraph:
    """A directed graph of states with controls on its edges, as it is read.

    Args:
        space_information: The system that planning was for.
        store: Where it lies.
    """

    def __init__(self, space_information: SpaceInformation, store: GraphStore) -> None:
        self._si, self._store = space_information, store

    @property
    def space_information(self) -> SpaceInformation:
        """The system that planning was for."""
        return self._si

    @property
    def vertex_count(self) -> int:
        """How many vertices there are."""
        return self._store.vertex_count

    @property
    def edge_count(self) -> int:
        """How many edges there are."""
        return self._store.edge_count

    @property
    def states(self) -> Matrix:
        """All states, read-only, shape (vertex_count, n)."""
        return self._store.states

    @property
    def tags(self) -> IntVector:
        """Tags of the vertices, read-only, shape (vertex_count,)."""
        return self._store.flags[:, TAG]

    @property
    def edges(self) -> IntVector:
        """Pairs (source, target), read-only, shape (edge_count, 2)."""
        return self._store.ends

    @property
    def controls(self) -> Matrix:
        """Controls of the edges, read-only, shape (edge_count, m)."""
        return self._store.controls

    @property
    def durations(self) -> Vector:
        """Durations of the edges [s], read-only, shape (edge_count,)."""
        return self._store.numbers[:, 0]

    @property
    def weights(self) -> Vector:
        """Costs of the edges, read-only, shape (edge_count,)."""
        return self._store.numbers[:, 1]

    @property
    def start_indices(self) -> IntVector:
        """Numbers of the start vertices."""
        return np.flatnonzero(self._store.flags[:, START])

    @property
    def goal_indices(self) -> IntVector:
        """Numbers of the vertices in the goal."""
        return np.flatnonzero(self._store.flags[:, GOAL])

    def __len__(self) -> int:
        return self.vertex_count

    def __iter__(self) -> Iterator[PlannerVertex]:
        return (self.vertex(i) for i in range(self.vertex_count))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.vertex_count} vertices, {self.edge_count} edges)"

    def vertex(self, index: int) -> PlannerVertex:
        """Look at a vertex.

        Args:
            index: Its number.

        Returns:
            The vertex.

        Raises:
            IndexError: If there is none.
        """
        i = data_index("vertex", index, self.vertex_count)
        tag, start, goal = self._store.flags[i].tolist()
        return PlannerVertex(
            index=i,
            state=self._store.states[i].copy(),
            tag=tag,
            is_start=bool(start),
            is_goal=bool(goal),
        )

    def vertex_index(self, state: ArrayLike) -> int | None:
        """Find the vertex of a state, the first of several with the same one.

        Args:
            state: Shape (n,), exactly as it was added.

        Returns:
            Its number, or None.
        """
        x = self._si.state_space.as_state("state", state)
        return self._store.vertex_of(x)

    def edge(self, source: int, target: int) -> PlannerEdge | None:
        """Look at an edge.

        Args:
            source: Number of the vertex where it starts.
            target: Number of the vertex where it ends.

        Returns:
            The edge, or None.

        Raises:
            IndexError: If there is no such vertex.
        """
        key = (
            data_index("vertex", source, self.vertex_count),
            data_index("vertex", target, self.vertex_count),
        )
        row = self._store.edge_of(*key)
        if row is None:
            return None
        duration, weight = self._store.numbers[row].tolist()
        control = self._store.controls[row].copy()
        return PlannerEdge(
            source=key[0], target=key[1], control=control, duration=duration, weight=weight
        )

    def has_edge(self, source: int, target: int) -> bool:
        """Whether an edge is there.

        Args:
            source: Number of the vertex where it starts.
            target: Number of the vertex where it ends.

        Returns:
            Whether it is.
        """
        return self._store.edge_of(source, target) is not None

    def outgoing(self, index: int) -> IntVector:
        """Vertices that edges lead to from one, in the order in which they were added.

        Args:
            index: Number of the vertex.

        Returns:
            Their numbers.
        """
        i = data_index("vertex", index, self.vertex_count)
        targets: IntVector = self.edges[self.edges[:, 0] == i, 1]
        return targets

    def incoming(self, index: int) -> IntVector:
        """Vertices that edges lead from to one, in the order in which they were added.

        Args:
            index: Number of the vertex.

        Returns:
            Their numbers.
        """
        i = data_index("vertex", index, self.vertex_count)
        sources: IntVector = self.edges[self.edges[:, 1] == i, 0]
        return sources

    def path_to(self, index: int) -> PathControl:
        """Follow a tree from its root to a vertex.

        Args:
            index: Number of the vertex.

        Returns:
            The path.

        Raises:
            InputError: If a vertex on the way has several parents.
        """
        order = np.argsort(self.edges[:, 1], kind="stable")
        targets = self.edges[order, 1]
        rows: list[int] = []
        i = data_index("vertex", index, self.vertex_count)
        while True:
            first, last = np.searchsorted(targets, [i, i + 1]).tolist()
            if last - first > 1 or len(rows) > self.edge_count:
                raise InputError(f"vertex {i} has {last - first} parents; this is not a tree")
            if last == first:
                break
            rows.append(int(order[first]))
            i = int(self.edges[rows[-1], 0])
        rows.reverse()
        visited = [i, *self.edges[rows, 1].tolist()]
        return PathControl.from_arrays(
            self._si, self.states[visited], self.controls[rows], self.durations[rows]
        )
