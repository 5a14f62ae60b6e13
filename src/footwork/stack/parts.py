"""What a task or constraint is made of."""

from footwork.stack.adapters import ConstraintToTask, TaskToConstraint
from footwork.stack.aggregated import Aggregated, AggregatedConstraint
from footwork.stack.constraint import Constraint
from footwork.stack.sub_constraint import SubConstraint
from footwork.stack.sub_task import SubTask
from footwork.stack.task import Task
from footwork.stack.views import DressedTask


def collect(part: Task | Constraint, found: dict[Task | Constraint, None]) -> None:
    """Find a task or constraint and everything that it is made of, each once, from outside in.

    Args:
        part: Where to begin.
        found: What was found before; grows.
    """
    if part in found:
        return
    # The same task in another dress has no name of its own.
    if not isinstance(part, DressedTask):
        found[part] = None
    inner = _inside_task(part) if isinstance(part, Task) else _inside_constraint(part)
    for one in inner:
        collect(one, found)


def _inside_task(task: Task) -> tuple[Task | Constraint, ...]:
    if isinstance(task, Aggregated):
        return (*task.tasks, *task.constraints)
    if isinstance(task, SubTask | DressedTask):
        return (task.task, *task.constraints)
    if isinstance(task, ConstraintToTask):
        return (task.constraint, *task.constraints)
    return tuple(task.constraints)


def _inside_constraint(constraint: Constraint) -> tuple[Task | Constraint, ...]:
    if isinstance(constraint, AggregatedConstraint):
        return constraint.parts
    if isinstance(constraint, SubConstraint):
        return (constraint.constraint,)
    if isinstance(constraint, TaskToConstraint):
        return (constraint.task,)
    return ()
