"""Errors of tasks, constraints and the stacks made of them."""

from footwork.errors.general import InputError


class CartesioError(InputError):
    """A CartesI/O problem description is wrong.

    Attributes:
        source: File, or ``problem description``.
        label: Entry of the file; empty for the file as a whole.
        key: Key in that entry; empty for the entry as a whole.
    """

    def __init__(self, source: str, label: str, key: str, problem: str) -> None:
        where = "".join(
            f", {kind} {name!r}" for kind, name in (("entry", label), ("key", key)) if name
        )
        super().__init__(f"{source}{where}: {problem}")
        self.source = source
        self.label = label
        self.key = key


class NotUpdatedError(InputError):
    """The rows of a task or constraint were read before its first update.

    Attributes:
        task: Id of the task or constraint.
    """

    def __init__(self, task: str) -> None:
        super().__init__(
            f"{task!r} has no rows yet: call its update(state), or that of a stack that holds it"
        )
        self.task = task


class RowsError(InputError):
    """Rows of a task or constraint are chosen wrongly: twice, out of range, unknown, or none.

    Attributes:
        owner: Id of the task or constraint.
        rows: What was asked for.
    """

    def __init__(self, owner: str, rows: object, problem: str) -> None:
        super().__init__(f"rows {rows!r} of {owner!r}: {problem}")
        self.owner = owner
        self.rows = rows


class StackError(InputError):
    """Tasks or constraints do not go together: other unknowns, or an order that cannot be."""


class WeightError(InputError):
    """A weight is not symmetric positive semi-definite, or cannot be written where it belongs.

    Attributes:
        task: Id of the task.
    """

    def __init__(self, task: str, problem: str) -> None:
        super().__init__(f"weight of {task!r}: {problem}")
        self.task = task
