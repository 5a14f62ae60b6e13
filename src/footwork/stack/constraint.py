# ruff: noqa: N802 (the names of the field)
"""The abstract `Constraint`: bounds on x, rows lower ≤ C x ≤ upper, or equalities.

As with tasks, rows live in leaves (`footwork.stack.leaf.LeafConstraint`) or, for a task that is
used as a constraint, in the leaves of that task; every other constraint is a view of such rows.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from footwork._uncopied import Uncopied
from footwork.errors import InputError
from footwork.stack.rows import RowSelection
from footwork.stack.segment import Segment, State, stamp_of
from footwork.stack.task import Task
from footwork.typing import Logger, Matrix, Vector, frozen

if TYPE_CHECKING:
    from footwork.stack.leaf import LeafConstraint


@dataclass(frozen=True, kw_only=True, eq=False)
class ConstraintSegment:
    """Rows of one leaf constraint, or of a task that is used as a constraint.

    Attributes:
        leaf: Where the rows live; None if they are a task's.
        rows: Row numbers in the leaf.
        is_box: Whether each row bounds one entry of x, and the constraint says so.
        task: Rows of a task, used as b + slack_lower ≤ A x ≤ b + slack_upper.
        slack_lower: Shape (rows,), for a task's rows.
        slack_upper: Shape (rows,), for a task's rows.
    """

    leaf: "LeafConstraint | None" = None
    rows: tuple[int, ...] = ()
    is_box: bool = False
    task: Segment | None = None
    slack_lower: Vector | None = None
    slack_upper: Vector | None = None

    @property
    def size(self) -> int:
        """Number of rows."""
        return len(self.rows)

    @property
    def is_active(self) -> bool:
        """Whether the rows count."""
        if self.leaf is not None:
            return self.leaf.is_active
        return self.task is not None and self.task.is_active

    def part(self, positions: tuple[int, ...]) -> "ConstraintSegment":
        """Take some of the rows, as rows even where they bound single entries of x.

        Args:
            positions: Positions in ``self.rows``.

        Returns:
            The smaller segment.
        """
        chosen = list(positions)
        return ConstraintSegment(
            leaf=self.leaf,
            rows=tuple(self.rows[p] for p in positions),
            task=None if self.task is None else self.task.part(positions),
            slack_lower=None if self.slack_lower is None else self.slack_lower[chosen],
            slack_upper=None if self.slack_upper is None else self.slack_upper[chosen],
        )

    def values(self) -> tuple[Matrix, Vector, Vector]:
        """Compute the rows.

        Returns:
            C (rows, n), lower (rows,), upper (rows,).
        """
        if self.leaf is not None:
            chosen = list(self.rows)
            limits = self.leaf.own_limits[:, chosen]
            return self.leaf.own_C[chosen], limits[0], limits[1]
        return self._values_of_task()

    def _values_of_task(self) -> tuple[Matrix, Vector, Vector]:
        task, low, high = self.task, self.slack_lower, self.slack_upper
        if task is None or low is None or high is None:
            raise InputError("a segment of constraints has neither a leaf nor a task")
        b = task.target()
        return task.masked_rows(), b + low, b + high

    def tick(self, stamp: int, state: State | None) -> None:
        """Bring the rows to a tick, once.

        Args:
            stamp: Of the tick.
            state: Of the robot, if the tick has one.
        """
        if self.leaf is not None:
            self.leaf.tick(stamp, state)
        elif self.task is not None:
            self.task.tick(stamp, state)


class Constraint(Uncopied, ABC):
    """Bounds on x, inequality rows and equality rows; see the module's docstring.

    Attributes:
        id: Name of the constraint in messages, tables and logs.
        x_size: Number of unknowns n.
        row_names: Names of the rows; may be empty.
        has_equality_rows: Whether the rows are equalities, which `Aeq` and `beq` show.
    """

    __array_ufunc__ = None
    __iter__ = None
    __hash__ = object.__hash__

    id: str
    x_size: int
    row_names: tuple[str, ...] = ()
    has_equality_rows: bool = False
    _instead = (
        "make another constraint by its constructor; the same one may stand in several stacks"
    )

    @abstractmethod
    def segments(self) -> tuple[ConstraintSegment, ...]:
        """Say which rows the constraint means, in order."""

    @abstractmethod
    def tick(self, stamp: int, state: State | None) -> None:
        """Bring the rows to a tick, once."""

    @property
    def equality_of(self) -> Task | None:
        """Task whose A x = b the constraint is, nothing more; None for most constraints."""
        return None

    @property
    def is_active(self) -> bool:
        """Whether the constraint counts."""
        return all(segment.is_active for segment in self.segments())

    @property
    def size(self) -> int:
        """Number of rows, a bound on one entry of x being one."""
        return sum(segment.size for segment in self.segments())

    # Values

    @property
    def Aineq(self) -> Matrix:
        """Rows C of the inequalities, shape (k, n)."""
        return self._stack_rows(0, equality=False)

    @property
    def b_lower(self) -> Vector:
        """Lower limits of C x, shape (k,), −∞ where there is none."""
        return self._stack_rows(1, equality=False)

    @property
    def b_upper(self) -> Vector:
        """Upper limits of C x, shape (k,), +∞ where there is none."""
        return self._stack_rows(2, equality=False)

    @property
    def Aeq(self) -> Matrix:
        """Rows of the equalities, shape (k, n)."""
        return self._stack_rows(0, equality=True)

    @property
    def beq(self) -> Vector:
        """Right sides of the equalities, shape (k,)."""
        return self._stack_rows(1, equality=True)

    @property
    def lower(self) -> Vector:
        """Lower bounds of x, shape (n,), −∞ where there is none; empty without any bound."""
        return self._box()[0]

    @property
    def upper(self) -> Vector:
        """Upper bounds of x, shape (n,), +∞ where there is none; empty without any bound."""
        return self._box()[1]

    def _stack_rows(self, part: int, *, equality: bool) -> Matrix:
        parts = [segment.values()[part] for segment in self._row_segments(equality=equality)]
        if parts:
            return frozen(np.concatenate(parts))
        return frozen(np.zeros((0, self.x_size) if part == 0 else 0))

    def _row_segments(self, *, equality: bool) -> Iterator[ConstraintSegment]:
        for segment in self.segments():
            if not segment.is_box and self._is_equality_segment(segment) == equality:
                yield segment

    def _is_equality_segment(self, segment: ConstraintSegment) -> bool:
        if segment.leaf is not None:
            return segment.leaf.has_equality_rows
        return self.has_equality_rows

    def _box(self) -> tuple[Vector, Vector]:
        boxes = [segment for segment in self.segments() if segment.is_box]
        if not boxes:
            return frozen(np.zeros(0)), frozen(np.zeros(0))
        lower, upper = np.full(self.x_size, -np.inf), np.full(self.x_size, np.inf)
        for segment in boxes:
            C, low, high = segment.values()
            columns = np.argmax(C, axis=1)
            np.maximum.at(lower, columns, low)
            np.minimum.at(upper, columns, high)
        return frozen(lower), frozen(upper)

    # Kinds

    @property
    def is_equality(self) -> bool:
        """Whether there are equality rows."""
        return any(True for _ in self._row_segments(equality=True))

    @property
    def is_inequality(self) -> bool:
        """Whether there are inequality rows."""
        return any(True for _ in self._row_segments(equality=False))

    @property
    def is_unilateral(self) -> bool:
        """Whether the inequality rows have one side only."""
        if not self.is_inequality:
            return False
        return bool(np.isinf(self.b_lower).all() or np.isinf(self.b_upper).all())

    @property
    def is_bilateral(self) -> bool:
        """Whether the inequality rows have both sides."""
        return self.is_inequality and not self.is_unilateral

    @property
    def has_bounds(self) -> bool:
        """Whether entries of x are bounded."""
        return any(segment.is_box for segment in self.segments())

    @property
    def is_constraint(self) -> bool:
        """Whether there are rows, equalities or inequalities."""
        return self.is_equality or self.is_inequality

    @property
    def is_bound(self) -> bool:
        """Whether there is nothing but bounds of x."""
        return self.has_bounds and not self.is_constraint

    def check_consistency(self) -> bool:
        """Check sizes, finiteness and that no lower limit is above its upper one.

        Returns:
            Whether the constraint can be obeyed row by row; one without rows can.
        """
        for segment in self.segments():
            C, low, high = segment.values()
            right_sizes = C.shape == (segment.size, self.x_size)
            if not right_sizes or not np.isfinite(C).all() or not bool((low <= high).all()):
                return False
        return True

    def violation(self, x: Vector) -> Vector:
        """Measure how far each row is outside its limits.

        Args:
            x: Unknowns, shape (n,).

        Returns:
            Not negative, shape (size,).
        """
        parts = []
        for segment in self.segments():
            C, low, high = segment.values()
            y = C @ x
            parts.append(np.maximum(np.maximum(low - y, y - high), 0.0))
        return np.concatenate(parts) if parts else np.zeros(0)

    # Ticks

    def update(self, state: State | None = None) -> None:
        """Compute the rows for a state; does nothing for the state seen last.

        Args:
            state: Of the robot; without one a new tick starts.
        """
        self.tick(stamp_of(state), state)

    def log(self, logger: Logger) -> None:
        """Write what is not empty of Aeq, Aineq, beq, b_lower, b_upper, upper, lower.

        Args:
            logger: Gets OpenSoT's names.
        """
        from footwork.stack.logging import LogNames, log_constraint

        log_constraint(self, LogNames(logger))

    # Algebra

    def __mod__(self, rows: RowSelection) -> "Constraint":
        """Select rows: a `SubConstraint`."""
        from footwork.stack.sub_constraint import SubConstraint

        return SubConstraint(self, rows)

    def __getitem__(self, rows: RowSelection | tuple[object, ...]) -> "Constraint":
        """Select rows: a `SubConstraint`."""
        from footwork.stack.sub_constraint import SubConstraint

        return SubConstraint(self, rows)

    def __add__(self, other: "Constraint") -> "Constraint":
        """Join two constraints: both hold."""
        if not isinstance(other, Constraint):
            return NotImplemented
        from footwork.stack.aggregated import AggregatedConstraint

        return AggregatedConstraint([self, other])

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r}, rows={self.size})"
