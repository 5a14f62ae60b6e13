"""The tree or graph that a planner grew: states, and edges with controls and durations.

Everything lies in arrays, so that a million vertices are quickly made, searched and saved. Vertices
are numbered from 0; removing one shifts the numbers of those behind it.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from footwork.planning import planner_data_io
from footwork.planning.planner_data_parts import data_index, whole_numbers
from footwork.planning.planner_data_store import GraphStore, checked_ends, make_flags
from footwork.planning.planner_graph import PlannerGraph
from footwork.planning.space_information import SpaceInformation
from footwork.typing import IntVector, as_array


class PlannerData(PlannerGraph):
    """A directed graph of states with controls on its edges, to be changed and saved.

    Args:
        space_information: The system that planning was for.
    """

    def __init__(self, space_information: SpaceInformation) -> None:
        n = space_information.state_space.dimension
        m = space_information.control_space.dimension
        super().__init__(space_information, GraphStore.empty(n, m))

    @classmethod
    def from_arrays(
        cls,
        space_information: SpaceInformation,
        *,
        states: ArrayLike,
        edges: ArrayLike,
        controls: ArrayLike,
        durations: ArrayLike,
        weights: ArrayLike | None = None,
        tags: ArrayLike | None = None,
        starts: Sequence[int] | IntVector = (),
        goals: Sequence[int] | IntVector = (),
    ) -> "PlannerData":
        """Make a graph of arrays at once.

        Args:
            space_information: The system.
            states: Shape (vertex_count, n).
            edges: Pairs (source, target), shape (edge_count, 2), each at most once.
            controls: Shape (edge_count, m).
            durations: Shape (edge_count,) [s].
            weights: Shape (edge_count,); the durations when not given.
            tags: Shape (vertex_count,); zeros when not given.
            starts: Numbers of the start vertices.
            goals: Numbers of the vertices in the goal.

        Returns:
            The graph.

        Raises:
            InputError: If a shape is wrong or an edge has no such vertex.
        """
        data = cls(space_information)
        n, m = data._store.sizes
        rows = as_array("states", states, ("count", n))
        ends = checked_ends(edges, len(rows))
        time = as_array("durations", durations, (len(ends),))
        cost = time if weights is None else as_array("weights", weights, (len(ends),))
        data._store = GraphStore(
            states=rows,
            flags=make_flags(len(rows), tags, starts, goals),
            ends=ends,
            controls=as_array("controls", controls, (len(ends), m)),
            numbers=np.column_stack([time, cost]),
        )
        return data

    @classmethod
    def from_tree(
        cls,
        space_information: SpaceInformation,
        *,
        states: ArrayLike,
        parents: ArrayLike,
        controls: ArrayLike,
        durations: ArrayLike,
        costs: ArrayLike | None = None,
        goals: Sequence[int] | IntVector = (),
    ) -> "PlannerData":
        """Make a graph of a planner's tree.

        Args:
            space_information: The system.
            states: Shape (vertex_count, n).
            parents: Number of each one's parent, −1 for roots, shape (vertex_count,).
            controls: Control that leads to each, shape (vertex_count, m); those of roots are not
                read.
            durations: And for how long [s], shape (vertex_count,).
            costs: Cost of the edge to each, shape (vertex_count,); the duration when not given.
            goals: Numbers of the vertices in the goal.

        Returns:
            The graph.
        """
        above = whole_numbers("parents", parents)
        inner = np.flatnonzero(above >= 0)
        time = np.asarray(durations, dtype=np.float64)[inner]
        return cls.from_arrays(
            space_information,
            states=states,
            edges=np.column_stack([above[inner], inner]),
            controls=np.asarray(controls, dtype=np.float64)[inner],
            durations=time,
            weights=time if costs is None else np.asarray(costs, dtype=np.float64)[inner],
            starts=np.flatnonzero(above < 0),
            goals=goals,
        )

    # Changing it

    def add_vertex(
        self, state: ArrayLike, *, tag: int = 0, start: bool = False, goal: bool = False
    ) -> int:
        """Add a vertex, or find the one with this state.

        Args:
            state: Shape (n,), copied.
            tag: A whole number of the user's; kept as it was if the vertex is there already.
            start: Whether planning started there.
            goal: Whether it is in the goal.

        Returns:
            Its number.
        """
        x = self._si.state_space.as_state("state", state)
        index = self._store.add_vertex(x, int(tag))
        self._store.mark(index, start=start, goal=goal)
        return index

    def add_edge(
        self,
        source: int,
        target: int,
        control: ArrayLike | None = None,
        duration: float = 0.0,
        weight: float | None = None,
    ) -> bool:
        """Add an edge unless there is one.

        Args:
            source: Number of the vertex where it starts.
            target: Number of the vertex where it ends.
            control: What is applied, shape (m,); the null control when not given.
            duration: For how long [s].
            weight: Its cost; the duration when not given.

        Returns:
            Whether it is new; nothing has changed otherwise.

        Raises:
            IndexError: If there is no such vertex.
        """
        space = self._si.control_space
        u = space.null_control if control is None else space.as_control("control", control)
        key = (
            data_index("vertex", source, self.vertex_count),
            data_index("vertex", target, self.vertex_count),
        )
        return self._store.add_edge(key, u, duration, duration if weight is None else weight)

    def remove_edge(self, source: int, target: int) -> bool:
        """Remove an edge.

        Args:
            source: Number of the vertex where it starts.
            target: Number of the vertex where it ends.

        Returns:
            Whether there was one.
        """
        row = self._store.edge_of(source, target)
        if row is None:
            return False
        self._store.remove_edge(row)
        return True

    def remove_vertex(self, index: int) -> bool:
        """Remove a vertex and its edges; the numbers of those behind it go down by one.

        Args:
            index: Its number.

        Returns:
            Whether there was one.
        """
        if not 0 <= index < self.vertex_count:
            return False
        self._store.remove_vertex(index)
        return True

    def set_tag(self, index: int, tag: int) -> None:
        """Tag a vertex.

        Args:
            index: Its number.
            tag: A whole number of the user's.

        Raises:
            IndexError: If there is no such vertex.
        """
        self._store.set_tag(data_index("vertex", index, self.vertex_count), int(tag))

    def clear(self) -> None:
        """Remove everything."""
        self._store = GraphStore.empty(*self._store.sizes)

    # Files

    def to_npz(self, file: Path | str) -> None:
        """Write the graph to a NumPy archive, without pickles.

        Args:
            file: Name of the file.
        """
        planner_data_io.to_npz(self, file)

    @classmethod
    def from_npz(cls, space_information: SpaceInformation, file: Path | str) -> "PlannerData":
        """Read what `to_npz` wrote.

        Args:
            space_information: The system.
            file: Name of the file.

        Returns:
            The graph.

        Raises:
            PathFileError: If it is not such an archive for this system.
        """
        return cls.from_arrays(space_information, **planner_data_io.from_npz(file))

    def to_graphml(self, file: Path | str) -> None:
        """Write the graph as GraphML, the controls too; numbers are exact.

        Args:
            file: Name of the file.
        """
        planner_data_io.to_graphml(self, file)

    @classmethod
    def from_graphml(cls, space_information: SpaceInformation, file: Path | str) -> "PlannerData":
        """Read what `to_graphml` wrote.

        Args:
            space_information: The system.
            file: Name of the file.

        Returns:
            The graph.

        Raises:
            PathFileError: If it is not such a file.
        """
        return cls.from_arrays(
            space_information, **planner_data_io.from_graphml(file, space_information)
        )
