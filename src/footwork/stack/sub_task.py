"""`SubTask`: some rows of another task, as a view."""

from collections.abc import MutableSequence
from typing import TYPE_CHECKING

import numpy as np

from footwork.errors import InputError
from footwork.stack.rows import RowSelection, rows_name, select_rows
from footwork.stack.segment import Segment
from footwork.stack.settings import HessianType, Settings, as_switch
from footwork.stack.task import Task
from footwork.stack.weights import diagonal_of
from footwork.typing import Matrix, Vector, frozen

if TYPE_CHECKING:
    from footwork.stack.constraint import Constraint


class SubTask(Task):
    """Rows of a father task, in the order given; a view.

    A, b and W are the father's rows; setting the weight writes the block of the father's W. λ and
    activity are the SubTask's own:

        b_sub = feedforward[rows] + λ_sub · λ_father · error[rows]

    Constraints and joint mask are the father's. Updating the SubTask updates the father, once a
    tick, however many SubTasks it has.

    Example:
        >>> from footwork.stack import GenericTask
        >>> father = GenericTask("hand", A=[[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], b=[1.0, 2.0, 3.0])
        >>> part = SubTask(father, [2, 0])
        >>> part.id, part.b.tolist()
        ('hand_2plus0', [3.0, 1.0])
        >>> part.weight = 4.0
        >>> father.weight.diagonal().tolist()
        [4.0, 1.0, 4.0]
    """

    def __init__(self, task: Task, rows: RowSelection | tuple[object, ...]) -> None:
        """Make the view.

        Args:
            task: The father.
            rows: Ints from 0, a slice, a boolean mask or names of rows (``"x"``, ``"rz"``).

        Raises:
            InputError: If the father is no task.
            RowsError: If a row is named twice, out of range, negative or unknown, or none is left.
        """
        if not isinstance(task, Task):
            raise InputError(f"SubTask: expected a task, got {task!r}")
        self._father = task
        self._chosen = select_rows(rows, task.task_size, task.row_names, task.id)
        self._map: tuple[object, tuple[Segment, ...]] | None = None
        self._diagonal: tuple[Vector, Vector] | None = None
        self.id = f"{task.id}_{rows_name(self._chosen)}"
        self.x_size = task.x_size
        if task.row_names:
            self.row_names = tuple(task.row_names[row] for row in self._chosen)
        self._settings = Settings()
        self._mask_settings = task._mask_settings

    @property
    def task(self) -> Task:
        """The father."""
        return self._father

    @property
    def rows(self) -> tuple[int, ...]:
        """Row numbers in the father, in order."""
        return self._chosen

    @staticmethod
    def is_subtask(task: Task) -> bool:
        """Tell whether a task is a SubTask.

        Args:
            task: Any task.

        Returns:
            Whether it is.
        """
        return isinstance(task, SubTask)

    @staticmethod
    def as_subtask(task: Task) -> "SubTask | None":
        """See a task as the SubTask that it is.

        Args:
            task: Any task.

        Returns:
            The same object, or None if it is no SubTask.
        """
        return task if isinstance(task, SubTask) else None

    def segments(self) -> tuple[Segment, ...]:
        """See `Task.segments`."""
        father = self._father.segments()
        if self._map is None or self._map[0] is not father:
            self._map = (father, self._select(father))
        return self._map[1]

    def _select(self, father: tuple[Segment, ...]) -> tuple[Segment, ...]:
        where = [(s, i) for s in father for i in range(len(s.rows))]
        if self._chosen and max(self._chosen) >= len(where):
            raise InputError(
                f"{self._father.id!r} has only {len(where)} rows left, and {self.id!r} needs row "
                f"{max(self._chosen)}"
            )
        parts: list[tuple[Segment, list[int]]] = []
        for row in self._chosen:
            segment, position = where[row]
            if parts and parts[-1][0] is segment:
                parts[-1][1].append(position)
            else:
                parts.append((segment, [position]))
        return tuple(s.part(rows).inside(self._settings, masked=False) for s, rows in parts)

    @property
    def is_active(self) -> bool:
        """Whether the task counts: its own switch, and the father's."""
        return self._settings.is_active and self._father.is_active

    @is_active.setter
    def is_active(self, value: bool) -> None:
        self._settings.set_active(as_switch(value, f"is_active of {self.id!r}"))

    @property
    def constraints(self) -> MutableSequence["Constraint"]:
        """The father's list itself."""
        return self._father.constraints

    @property
    def c(self) -> Vector:
        """Zero: a linear cost belongs to the father as a whole."""
        return frozen(np.zeros(self.x_size))

    @property
    def hessian_type(self) -> HessianType:
        """The father's; of an IDENTITY father SEMIDEF, since rows of I have a null space."""
        father = self._father.hessian_type
        return HessianType.SEMIDEF if father is HessianType.IDENTITY else father

    @hessian_type.setter
    def hessian_type(self, value: HessianType) -> None:
        self._father.hessian_type = value

    def weight_matrix(self) -> Matrix:
        """See `Task.weight_matrix`."""
        self.segments()  # says so when the father has lost rows
        chosen = list(self._chosen)
        return self._father.weight_matrix()[np.ix_(chosen, chosen)]

    def weight_diagonal(self) -> Vector | None:
        """See `Task.weight_diagonal`."""
        father = self._father.weight_diagonal()
        if self._diagonal is not None and self._diagonal[0] is father:
            return self._diagonal[1]
        self.segments()
        if father is None:
            return diagonal_of(self.weight_matrix())
        self._diagonal = father, father[list(self._chosen)]
        return self._diagonal[1]

    def write_weight(self, W: Matrix) -> None:
        """Write the block of the father's W that belongs to the rows."""
        self.segments()
        chosen = list(self._chosen)
        whole = self._father.weight_matrix()
        whole[np.ix_(chosen, chosen)] = W
        self._father.write_weight(whole)

    def __repr__(self) -> str:
        return f"SubTask({self.id!r}, rows={len(self._chosen)}, λ={self.lambda_:g})"
