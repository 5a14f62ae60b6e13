"""Which rows of which leaves make up a stack's problem."""

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from footwork.errors import StackError
from footwork.stack.constraint import Constraint, ConstraintSegment
from footwork.stack.leaf import LeafConstraint, LeafTask
from footwork.stack.segment import Segment
from footwork.stack.settings import Settings
from footwork.stack.task import Task

Leaf: TypeAlias = LeafTask | LeafConstraint


@dataclass(frozen=True, kw_only=True, eq=False)
class CostRows:
    """Rows of one segment among the cost rows.

    Attributes:
        segment: Whose rows.
        positions: Positions of its rows in the level's task.
        level: The level.
        first: First row of the problem.
    """

    segment: Segment
    positions: tuple[int, ...]
    level: int
    first: int


@dataclass(frozen=True, kw_only=True, eq=False)
class ConstraintRows:
    """Rows of one segment among the constraint rows.

    Attributes:
        segment: Whose rows.
        owner: Constraint or inequality task, for messages.
        level: First level at which they are hard, or level of the inequality task.
        soft: The outer segment if they are an inequality task's, else None.
        positions: Positions of its rows in the level's task, if soft.
        first: First row of the problem.
    """

    segment: ConstraintSegment
    owner: Constraint | Task
    level: int
    soft: Segment | None
    positions: tuple[int, ...]
    first: int

    @property
    def settings(self) -> tuple[Settings, ...]:
        """Those of the inequality task, and of the task whose rows they are: λ and activity."""
        soft, task = self.soft, self.segment.task
        return (() if soft is None else soft.settings) + (() if task is None else task.settings)


class Layout:
    """Which rows make up the problem.

    Attributes:
        levels: Tasks, the most important first.
        costs: Segments of cost rows, level by level.
        constraints: Segments of constraint rows.
        boxes: Segments that bound single unknowns at every level, with their owners.
        leaves: Every leaf once, each behind what it depends on.
        ramping: Settings of tasks on their way in or out.
    """

    def __init__(self, levels: Sequence[Task], bounds: Iterable[Constraint], x_size: int) -> None:
        self._x_size = x_size
        self.levels = tuple(levels)
        self.costs: list[CostRows] = []
        self.constraints: list[ConstraintRows] = []
        self.boxes: list[tuple[ConstraintSegment, Constraint]] = []
        self._leaves: dict[Leaf, None] = {}
        self._seen: list[Constraint] = []
        self._settings: dict[Settings, None] = {}
        self.row_count = 0
        self.constraint_count = 0
        self.offsets = [0]
        for constraint in bounds:
            self._add_constraint(constraint, 0)
        for k, task in enumerate(self.levels):
            for constraint in task.constraints:
                self._add_constraint(constraint, k)
            self._add_level(task, k)
            self.offsets.append(self.row_count)
        self.leaves = tuple(self._leaves)
        self.ramping = tuple(s for s in self._settings if s.is_ramping)

    def _add_level(self, task: Task, level: int) -> None:
        position = 0
        for segment in task.segments():
            places = tuple(range(position, position + len(segment.rows)))
            position += len(places)
            self._add_segment_leaves(segment)
            # Ramps go on without rows, too: of a linear cost, or within what is switched off.
            self._add_settings(segment)
            if not segment.is_active or not places:
                continue
            if segment.inequality is not None:
                self._add_rows(segment.inequality, task, level, segment, places)
                continue
            rows = CostRows(segment=segment, positions=places, level=level, first=self.row_count)
            self.costs.append(rows)
            self.row_count += len(places)

    def _add_constraint(self, constraint: Constraint, level: int) -> None:
        if any(constraint is seen for seen in self._seen):
            return
        if constraint.x_size != self._x_size:
            raise StackError(
                f"constraint {constraint.id!r} has {constraint.x_size} unknowns, and the stack has "
                f"{self._x_size}"
            )
        self._seen.append(constraint)
        for segment in constraint.segments():
            if segment.leaf is not None:
                self._add_leaf(segment.leaf)
            elif segment.task is not None:
                self._add_segment_leaves(segment.task)
                self._add_settings(segment.task)
            if not segment.is_active or not segment.rows:
                continue
            is_box = segment.leaf is not None and segment.leaf.is_box_of_x
            if is_box and level == 0:
                self.boxes.append((segment, constraint))
            else:
                self._add_rows(segment, constraint, level, None, ())

    def _add_rows(
        self,
        segment: ConstraintSegment,
        owner: Constraint | Task,
        level: int,
        soft: Segment | None,
        positions: tuple[int, ...],
    ) -> None:
        self.constraints.append(
            ConstraintRows(
                segment=segment,
                owner=owner,
                level=level,
                soft=soft,
                positions=positions,
                first=self.constraint_count,
            )
        )
        self.constraint_count += segment.size

    def _add_settings(self, segment: Segment) -> None:
        self._settings |= dict.fromkeys(segment.settings)
        if segment.inequality is not None and segment.inequality.task is not None:
            self._add_settings(segment.inequality.task)

    def _add_segment_leaves(self, segment: Segment) -> None:
        if segment.leaf is not None:
            self._add_leaf(segment.leaf)
        elif segment.inequality is not None:
            if segment.inequality.leaf is not None:
                self._add_leaf(segment.inequality.leaf)
            elif segment.inequality.task is not None:
                self._add_segment_leaves(segment.inequality.task)

    def _add_leaf(self, leaf: Leaf, path: tuple[Leaf, ...] = ()) -> None:
        if leaf in path:
            names = " → ".join(repr(one.id) for one in (*path, leaf))
            raise StackError(f"tasks depend on each other in a circle: {names}")
        if leaf in self._leaves:
            return
        for other in leaf.dependencies():
            for inner in _leaves_of(other):
                self._add_leaf(inner, (*path, leaf))
        self._leaves[leaf] = None


def _leaves_of(thing: Task | Constraint) -> list[Leaf]:
    if isinstance(thing, Task):
        found: list[Leaf] = list(thing.leaves())
        parts = [s.inequality for s in thing.segments() if s.inequality is not None]
    else:
        found, parts = [], list(thing.segments())
    for part in parts:
        if part.leaf is not None:
            found.append(part.leaf)
        elif part.task is not None and part.task.leaf is not None:
            found.append(part.task.leaf)
    return found


class Names(Sequence[str]):
    """Names that are made when one is asked for; a copy of them is a plain tuple."""

    @abstractmethod
    def name(self, index: int) -> str:
        """Make the name at a place from 0."""

    def __getitem__(self, index: Any) -> Any:
        place = range(len(self))[index]
        return self.name(place) if isinstance(place, int) else tuple(map(self.name, place))

    def __reduce__(self) -> tuple[Any, ...]:
        return tuple, (tuple(self),)


class RowNames(Names):
    """Names of the constraint rows."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    def __len__(self) -> int:
        return self._layout.constraint_count

    def name(self, index: int) -> str:
        """Name a row by its constraint."""
        for rows in self._layout.constraints:
            if rows.first <= index < rows.first + rows.segment.size:
                local = rows.segment.rows[index - rows.first]
                source = rows.segment.leaf or (rows.segment.task and rows.segment.task.leaf)
                names = source.row_names if source else ()
                return f"{rows.owner.id}[{names[local] if names else local}]"
        raise IndexError(index)


class BoundNames(Names):
    """Names of the bounds of each unknown."""

    def __init__(self, layout: Layout, x_size: int) -> None:
        self._layout = layout
        self._x_size = x_size

    def __len__(self) -> int:
        return self._x_size

    def name(self, index: int) -> str:
        """Name an unknown by all that bounds it."""
        found = []
        for segment, owner in self._layout.boxes:
            leaf = segment.leaf
            if leaf is None:
                continue
            for row in segment.rows:
                if leaf.rows_data.A[row, index] != 0.0:
                    names = leaf.row_names
                    found.append(f"{owner.id}[{names[row] if names else row}]")
        return " and ".join(found) if found else f"x[{index}]"
