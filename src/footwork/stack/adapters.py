"""A task as a constraint, and a constraint as a task."""

from collections.abc import MutableSequence

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError, WeightError
from footwork.stack.constraint import Constraint, ConstraintSegment
from footwork.stack.constraint_list import ConstraintList
from footwork.stack.segment import Segment, State
from footwork.stack.settings import HessianType, Settings, as_switch
from footwork.stack.task import Task
from footwork.stack.weights import diagonal_of
from footwork.typing import Matrix, Vector, as_array, frozen


class TaskToConstraint(Constraint):
    """A task that must hold: b + lower_error ≤ A x ≤ b + upper_error.

    Without errors it is the equality A x = b. The weight of the task plays no part, as a hard
    constraint has none; its λ, mask and activity do.
    """

    def __init__(
        self,
        task: Task,
        lower_error: ArrayLike | None = None,
        upper_error: ArrayLike | None = None,
    ) -> None:
        """Make the constraint.

        Args:
            task: The task.
            lower_error: Least A x − b, shape (task_size,) or a number; zero if only the other is
                given.
            upper_error: Largest A x − b.

        Raises:
            InputError: If a lower error is above its upper one.
            ShapeError: If an error has another size.
        """
        if not isinstance(task, Task):
            raise InputError(f"TaskToConstraint: expected a task, got {task!r}")
        self._task = task
        self._map: tuple[object, tuple[ConstraintSegment, ...]] | None = None
        self._lower = _errors("lower_error", lower_error, task)
        self._upper = _errors("upper_error", upper_error, task)
        low, high = np.broadcast_arrays(np.atleast_1d(self._lower), self._upper)
        wrong = np.flatnonzero(low > high)
        if wrong.size:
            row = int(wrong[0])
            raise InputError(
                f"TaskToConstraint of {task.id!r}: row {row} has lower error {low[row]:g} "
                f"above upper error {high[row]:g}"
            )
        self.id = task.id
        self.x_size = task.x_size
        self.row_names = task.row_names

    @property
    def task(self) -> Task:
        """The task."""
        return self._task

    @property
    def has_equality_rows(self) -> bool:  # type: ignore[override]
        """Whether no error is allowed."""
        return bool(np.all(self._lower == self._upper))

    @property
    def equality_of(self) -> Task | None:
        """The task, if no error is allowed."""
        return None if self._lower.any() or self._upper.any() else self._task

    def segments(self) -> tuple[ConstraintSegment, ...]:
        """See `Constraint.segments`."""
        father = self._task.segments()
        if self._map is None or self._map[0] is not father:
            self._map = (father, self._cut(father))
        return self._map[1]

    def _cut(self, father: tuple[Segment, ...]) -> tuple[ConstraintSegment, ...]:
        size = sum(len(segment.rows) for segment in father)
        lower, upper = (self._spread(errors, size) for errors in (self._lower, self._upper))
        made = []
        first = 0
        for segment in father:
            last = first + len(segment.rows)
            low, high = lower[first:last], upper[first:last]
            if segment.inequality is not None:
                made.append(segment.inequality)
            else:
                made.append(
                    ConstraintSegment(
                        rows=segment.rows, task=segment, slack_lower=low, slack_upper=high
                    )
                )
            first = last
        return tuple(made)

    def _spread(self, errors: Vector, size: int) -> Vector:
        if errors.ndim == 1 and errors.size != size:
            raise InputError(
                f"{self.id!r} has {size} rows now, and its errors were given for {errors.size}; "
                "make another TaskToConstraint"
            )
        return np.broadcast_to(errors, (size,))

    def tick(self, stamp: int, state: State | None) -> None:
        """Update the task, once a tick."""
        self._task.tick(stamp, state)


class ConstraintToTask(Task):
    """A constraint as an inequality task: its violation is minimised at its level.

    At the solution of its level the violation, weighted by W, is as small as the levels above
    allow; no lower level may make a row's violation larger.

    W must be diagonal. With a row inside of its sides, a negative entry of W between it and a
    violated one would make the cost wᵀ W w of the violations w = max(0, …) fall when the inner row
    moves out. The distance in the metric of W from C x to the box of the sides would be convex, but
    then rows that are obeyed give way to others, and no row counts by itself any more. Rows whose
    sides are equal have neither trouble: as a task A x = b they take any W.
    """

    def __init__(self, constraint: Constraint, id: str | None = None) -> None:
        """Make the task.

        Args:
            constraint: The constraint.
            id: Name of the task; that of the constraint if not given.
        """
        if not isinstance(constraint, Constraint):
            raise InputError(f"ConstraintToTask: expected a constraint, got {constraint!r}")
        self._constraint = constraint
        self.id = constraint.id if id is None else id
        self.x_size = constraint.x_size
        self.row_names = constraint.row_names
        self._settings = self._mask_settings = Settings(HessianType.SEMIDEF)
        self._list = ConstraintList()
        self._map: tuple[object, tuple[Segment, ...]] | None = None
        self._W: Matrix = np.eye(constraint.size)

    @property
    def is_active(self) -> bool:
        """Whether the task counts: its own switch, and the constraint's."""
        return self._settings.is_active and self._constraint.is_active

    @is_active.setter
    def is_active(self, value: bool) -> None:
        self._settings.set_active(as_switch(value, f"is_active of {self.id!r}"))

    @property
    def constraint(self) -> Constraint:
        """The constraint."""
        return self._constraint

    def segments(self) -> tuple[Segment, ...]:
        """See `Task.segments`."""
        father = self._constraint.segments()
        if self._map is None or self._map[0] is not father:
            own = (self._settings,)
            made = tuple(Segment(None, part.rows, own, own, part) for part in father)
            self._map = (father, made)
        return self._map[1]

    @property
    def constraints(self) -> MutableSequence[Constraint]:
        """What x must obey at this task's level and below; a list to append to."""
        return self._list

    @property
    def c(self) -> Vector:
        """Zero."""
        return frozen(np.zeros(self.x_size))

    def weight_matrix(self) -> Matrix:
        """See `Task.weight_matrix`."""
        if self._W.shape[0] != self.task_size:
            self._W = np.eye(self.task_size)
        return self._W.copy()

    def weight_diagonal(self) -> Vector | None:
        """See `Task.weight_diagonal`."""
        return diagonal_of(self.weight_matrix())

    def write_weight(self, W: Matrix) -> None:
        """Keep a weight; it must be diagonal."""
        if diagonal_of(W) is None:
            raise WeightError(
                self.id,
                "that of an inequality task must be diagonal: with a full one the cost of its "
                "violations is not convex; rows A x = b take any weight",
            )
        self._W = W.copy()


def _errors(name: str, value: ArrayLike | None, task: Task) -> Vector:
    """One number for all rows, whatever their number becomes, or one a row."""
    if value is None or np.ndim(value) == 0:
        return as_array(name, 0.0 if value is None else value, ())
    return as_array(f"{name} of {task.id!r}", value, (task.task_size,))
