"""`SubConstraint`: some rows of another constraint, as a view."""

from footwork.errors import InputError
from footwork.stack.constraint import Constraint, ConstraintSegment
from footwork.stack.rows import RowSelection, rows_name, select_rows
from footwork.stack.segment import State


class SubConstraint(Constraint):
    """Rows of a father constraint, in the order given; a view.

    A bound on x becomes a row of the identity with its own limits, so that the order given is kept.

    Example:
        >>> from footwork.stack import GenericConstraint
        >>> box = GenericConstraint("box", lower=[-1.0, -2.0, -3.0], upper=[1.0, 2.0, 3.0])
        >>> part = box % [2, 0]
        >>> part.id, part.Aineq.tolist(), part.b_upper.tolist()
        ('box_2plus0', [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]], [3.0, 1.0])
    """

    def __init__(self, constraint: Constraint, rows: RowSelection | tuple[object, ...]) -> None:
        """Make the view.

        Args:
            constraint: The father.
            rows: Ints from 0, a slice, a boolean mask or names of rows.

        Raises:
            InputError: If the father is no constraint.
            RowsError: If a row is named twice, out of range, negative or unknown, or none is left.
        """
        if not isinstance(constraint, Constraint):
            raise InputError(f"SubConstraint: expected a constraint, got {constraint!r}")
        self._father = constraint
        names = constraint.row_names
        self._chosen = select_rows(rows, constraint.size, names, constraint.id)
        self._map: tuple[object, tuple[ConstraintSegment, ...]] | None = None
        self.id = f"{constraint.id}_{rows_name(self._chosen)}"
        self.x_size = constraint.x_size
        if names:
            self.row_names = tuple(names[row] for row in self._chosen)
        self.has_equality_rows = constraint.has_equality_rows

    @property
    def constraint(self) -> Constraint:
        """The father."""
        return self._father

    @property
    def rows(self) -> tuple[int, ...]:
        """Row numbers in the father, in order."""
        return self._chosen

    def segments(self) -> tuple[ConstraintSegment, ...]:
        """See `Constraint.segments`."""
        father = self._father.segments()
        if self._map is None or self._map[0] is not father:
            self._map = (father, self._select(father))
        return self._map[1]

    def _select(self, father: tuple[ConstraintSegment, ...]) -> tuple[ConstraintSegment, ...]:
        where = [(s, i) for s in father for i in range(s.size)]
        if max(self._chosen) >= len(where):
            raise InputError(
                f"{self._father.id!r} has only {len(where)} rows left, and {self.id!r} needs row "
                f"{max(self._chosen)}"
            )
        parts: list[tuple[ConstraintSegment, list[int]]] = []
        for row in self._chosen:
            segment, position = where[row]
            if parts and parts[-1][0] is segment:
                parts[-1][1].append(position)
            else:
                parts.append((segment, [position]))
        return tuple(segment.part(tuple(rows)) for segment, rows in parts)

    def tick(self, stamp: int, state: State | None) -> None:
        """Update the father, once a tick."""
        self._father.tick(stamp, state)
