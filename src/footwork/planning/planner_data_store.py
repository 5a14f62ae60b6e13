"""Where a planning graph lies: growing arrays, and tables that find their rows."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from footwork.errors import InputError, ShapeError
from footwork.planning.growing import GrowingRows
from footwork.planning.planner_data_parts import data_index, whole_numbers
from footwork.typing import IntVector, Matrix, Vector

TAG, START, GOAL = 0, 1, 2
"""Columns of the flags."""


class GraphStore:
    """Rows of vertices and rows of edges.

    Args:
        states: Shape (vertex_count, n).
        flags: Tag, whether a start, whether a goal, shape (vertex_count, 3).
        ends: Source and target, each pair at most once, shape (edge_count, 2).
        controls: Shape (edge_count, m).
        numbers: Duration [s] and cost, shape (edge_count, 2).
    """

    def __init__(
        self,
        *,
        states: Matrix,
        flags: IntVector,
        ends: IntVector,
        controls: Matrix,
        numbers: Matrix,
    ) -> None:
        self._states, self._flags = GrowingRows(states), GrowingRows(flags)
        self._ends, self._controls = GrowingRows(ends), GrowingRows(controls)
        self._numbers = GrowingRows(numbers)
        self._by_state: dict[bytes, int] | None = None
        self._by_ends: dict[tuple[int, int], int] | None = None

    @classmethod
    def empty(cls, n: int, m: int) -> "GraphStore":
        """Make one without vertices.

        Args:
            n: Numbers of a state.
            m: Numbers of a control.

        Returns:
            The store.
        """
        pairs = np.empty((0, 2), dtype=np.int64)
        return cls(
            states=np.empty((0, n)),
            flags=np.empty((0, 3), dtype=np.int64),
            ends=pairs,
            controls=np.empty((0, m)),
            numbers=np.empty((0, 2)),
        )

    @property
    def sizes(self) -> tuple[int, int]:
        """Numbers of a state and of a control."""
        return self.states.shape[1], self.controls.shape[1]

    @property
    def vertex_count(self) -> int:
        """How many vertices there are."""
        return self._states.count

    @property
    def edge_count(self) -> int:
        """How many edges there are."""
        return self._ends.count

    @property
    def states(self) -> Matrix:
        """States, read-only, shape (vertex_count, n)."""
        return self._states.readonly

    @property
    def flags(self) -> IntVector:
        """Flags, read-only, shape (vertex_count, 3)."""
        return self._flags.readonly

    @property
    def ends(self) -> IntVector:
        """Sources and targets, read-only, shape (edge_count, 2)."""
        return self._ends.readonly

    @property
    def controls(self) -> Matrix:
        """Controls, read-only, shape (edge_count, m)."""
        return self._controls.readonly

    @property
    def numbers(self) -> Matrix:
        """Durations and costs, read-only, shape (edge_count, 2)."""
        return self._numbers.readonly

    def vertex_of(self, state: Vector) -> int | None:
        """Find the first vertex with exactly this state."""
        return self._state_table().get(state.tobytes())

    def edge_of(self, source: int, target: int) -> int | None:
        """Find the row of an edge."""
        return self._edge_table().get((source, target))

    def add_vertex(self, state: Vector, tag: int) -> int:
        """Add a vertex, or find the one with this state, whose tag stays.

        Args:
            state: Copied.
            tag: Of the user.

        Returns:
            Its number.
        """
        count = self._states.count
        index = self._state_table().setdefault(state.tobytes(), count)
        if index == count:
            self._states.append(state)
            self._flags.append(np.array([tag, 0, 0]))
        return index

    def mark(self, index: int, *, start: bool, goal: bool) -> None:
        """Mark a vertex; marks that it has stay."""
        self._flags.used[index, START] |= start
        self._flags.used[index, GOAL] |= goal

    def set_tag(self, index: int, tag: int) -> None:
        """Tag a vertex."""
        self._flags.used[index, TAG] = tag

    def add_edge(
        self, ends: tuple[int, int], control: Vector, duration: float, cost: float
    ) -> bool:
        """Add an edge unless there is one.

        Args:
            ends: Source and target.
            control: Copied.
            duration: [s].
            cost: Of the edge.

        Returns:
            Whether it is new.
        """
        table = self._edge_table()
        if ends in table:
            return False
        table[ends] = self._ends.count
        self._ends.append(np.array(ends))
        self._controls.append(control)
        self._numbers.append(np.array([duration, cost]))
        return True

    def remove_edge(self, row: int) -> None:
        """Remove an edge by its row."""
        self._keep_edges(np.arange(self._ends.count) != row)

    def remove_vertex(self, index: int) -> None:
        """Remove a vertex and its edges; the numbers of those behind it go down by one."""
        self._keep_edges((self.ends != index).all(axis=1))
        ends = self._ends.used
        ends[ends > index] -= 1
        kept = np.arange(self._states.count) != index
        self._states, self._flags = self._states.where(kept), self._flags.where(kept)
        self._by_state = None

    def _keep_edges(self, kept: NDArray[Any]) -> None:
        self._ends, self._controls = self._ends.where(kept), self._controls.where(kept)
        self._numbers = self._numbers.where(kept)
        self._by_ends = None

    def _state_table(self) -> dict[bytes, int]:
        if self._by_state is None:
            self._by_state = {}
            for i, row in enumerate(self.states):
                self._by_state.setdefault(row.tobytes(), i)
        return self._by_state

    def _edge_table(self) -> dict[tuple[int, int], int]:
        if self._by_ends is None:
            pairs = self.ends.tolist()
            self._by_ends = {(source, target): row for row, (source, target) in enumerate(pairs)}
        return self._by_ends


def checked_ends(edges: ArrayLike, count: int) -> IntVector:
    """Check pairs of vertices.

    Args:
        edges: Pairs (source, target), shape (k, 2).
        count: How many vertices there are.

    Returns:
        The pairs.

    Raises:
        InputError: If they are no whole numbers, or there is no such vertex.
    """
    ends = whole_numbers("edges", edges).reshape(-1, 2)
    if len(ends) and not (ends.min() >= 0 and ends.max() < count):
        raise InputError(f"edges must join vertices 0 to {count - 1}, got {ends}")
    return ends


def make_flags(
    count: int,
    tags: ArrayLike | None,
    starts: Sequence[int] | IntVector,
    goals: Sequence[int] | IntVector,
) -> IntVector:
    """Make the flags of vertices.

    Args:
        count: How many vertices there are.
        tags: Shape (count,), or None for zeros.
        starts: Numbers of the start vertices.
        goals: Numbers of the vertices in the goal.

    Returns:
        Flags, shape (count, 3).

    Raises:
        ShapeError: If there is not one tag for each.
        IndexError: If there is no such vertex.
    """
    flags = np.zeros((count, 3), dtype=np.int64)
    if tags is not None:
        values = whole_numbers("tags", tags)
        if values.shape != (count,):
            raise ShapeError("tags", (count,), values.shape)
        flags[:, TAG] = values
    for column, indices in ((START, starts), (GOAL, goals)):
        for index in indices:
            flags[data_index("vertex", int(index), count), column] = 1
    return flags
