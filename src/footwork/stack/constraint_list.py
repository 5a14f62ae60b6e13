"""The list of a task's constraints: a live list that knows each constraint once."""

from collections.abc import Callable, Iterable, MutableSequence
from typing import TYPE_CHECKING, Any

from footwork.errors import InputError, StackError
from footwork.stack.epoch import EPOCH

if TYPE_CHECKING:
    from footwork.stack.constraint import Constraint


class ConstraintList(MutableSequence["Constraint"]):
    """Own constraints behind those that are inherited; each appears once, by identity.

    Reading shows both. Appending adds to the own ones, and does nothing for a constraint that is
    already in the list; only own ones can be removed or replaced.
    """

    def __init__(self, inherited: Callable[[], Iterable["Constraint"]] | None = None) -> None:
        self._inherited = inherited
        self._own: list[Constraint] = []

    def _all(self) -> list["Constraint"]:
        if self._inherited is None:
            return self._own
        return list(dict.fromkeys((*self._inherited(), *self._own)))

    def own(self) -> tuple["Constraint", ...]:
        """List the constraints that were added here.

        Returns:
            Own constraints, in order.
        """
        return tuple(self._own)

    def __len__(self) -> int:
        return len(self._all())

    def __getitem__(self, index: Any) -> Any:
        return self._all()[index]

    def __setitem__(self, index: Any, value: Any) -> None:
        position = self._own_position(index)
        self._own[position] = as_constraint(value)
        EPOCH.structure_changed()

    def __delitem__(self, index: Any) -> None:
        if isinstance(index, slice):
            doomed = self._all()[index]
            positions = sorted((self._own_position_of(c) for c in doomed), reverse=True)
            for position in positions:
                del self._own[position]
        else:
            del self._own[self._own_position(index)]
        EPOCH.structure_changed()

    def insert(self, index: int, value: "Constraint") -> None:
        """Add a constraint; one that is already in the list stays where it is.

        Args:
            index: Position in the list.
            value: A constraint, or a task, which stands for its equality.
        """
        constraint = as_constraint(value)
        everything = self._all()
        if any(same_constraint(constraint, c) for c in everything):
            return
        size = len(everything)
        index = max(0, index + size) if index < 0 else index
        self._own.insert(max(0, index - (size - len(self._own))), constraint)
        EPOCH.structure_changed()

    def _own_position(self, index: int) -> int:
        return self._own_position_of(self._all()[index])

    def _own_position_of(self, constraint: "Constraint") -> int:
        for position, own in enumerate(self._own):
            if own is constraint:
                return position
        raise StackError(
            f"constraint {constraint.id!r} belongs to a part of this task; remove it from the list "
            "of that part"
        )

    def __eq__(self, other: object) -> bool:
        if isinstance(other, ConstraintList | list | tuple):
            return self._all() == list(other)
        return NotImplemented

    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return f"[{', '.join(repr(c) for c in self._all())}]"


def as_constraint(value: object) -> "Constraint":
    """Take a constraint as it is, and a task as the equality that it asks for.

    Args:
        value: A constraint or a task.

    Returns:
        A constraint.

    Raises:
        InputError: If it is neither.
    """
    from footwork.stack.adapters import TaskToConstraint
    from footwork.stack.constraint import Constraint
    from footwork.stack.task import Task

    if isinstance(value, Task):
        return TaskToConstraint(value)
    if not isinstance(value, Constraint):
        raise InputError(f"expected a constraint or a task, got {value!r}")
    return value


def same_constraint(a: "Constraint", b: "Constraint") -> bool:
    """Tell whether two constraints say the same: one object, or the equality of one task.

    Args:
        a: A constraint.
        b: Another one.

    Returns:
        Whether the second adds nothing.
    """
    return a is b or (a.equality_of is not None and a.equality_of is b.equality_of)
