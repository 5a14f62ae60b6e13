"""Writing tasks and constraints to a `Logger` under OpenSoT's names, no name twice."""

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.stack.adapters import ConstraintToTask, TaskToConstraint
from footwork.stack.aggregated import Aggregated, AggregatedConstraint
from footwork.stack.constraint import Constraint
from footwork.stack.sub_constraint import SubConstraint
from footwork.stack.sub_task import SubTask
from footwork.stack.task import Task
from footwork.stack.views import ConstrainedTask, WeightedTask
from footwork.typing import Logger


class LogNames:
    """One tick's log: knows what has been written, and keeps names apart.

    Two objects of one id get the id and ``<id>_2``, in order of appearance; one object is written
    once, however often it is met.
    """

    def __init__(self, logger: Logger) -> None:
        if not callable(getattr(logger, "add", None)):
            raise InputError(f"log: expected a logger with add(name, value), got {logger!r}")
        self._logger = logger
        self._names: dict[int, str] = {}
        self._taken: set[str] = set()
        self._kept: list[object] = []

    def name_of(self, thing: Task | Constraint) -> str:
        """Name an object.

        Args:
            thing: Task or constraint.

        Returns:
            Its id, or the id with a number behind it if another object has taken that.
        """
        name = self._names.get(id(thing))
        if name is None:
            name = unique_name(thing.id, self._taken)
            self._names[id(thing)] = name
            self._kept.append(thing)
        return name

    def is_new(self, thing: Task | Constraint) -> bool:
        """Tell whether an object has not been met before.

        Args:
            thing: Task or constraint.

        Returns:
            Whether it is new; from now on it is not.
        """
        if id(thing) in self._names:
            return False
        self.name_of(thing)
        return True

    def write(self, thing: Task | Constraint, what: str, value: ArrayLike) -> None:
        """Write one variable, unless it is empty.

        Args:
            thing: Whose variable it is.
            what: What OpenSoT appends to the id, with its underscore.
            value: Number, vector or matrix.
        """
        if np.size(value):
            self._logger.add(self.name_of(thing) + what, value)


def unique_name(name: str, taken: set[str]) -> str:
    """Find a name that is free, and take it.

    Args:
        name: Wanted.
        taken: Names that are not free; the result is added.

    Returns:
        The name, or the name with ``_2``, ``_3`` … behind it.
    """
    free, number = name, 2
    while free in taken:
        free = f"{name}_{number}"
        number += 1
    taken.add(free)
    return free


def log_task(task: Task, log: LogNames) -> None:
    """Write a task, then what it is made of, then its constraints.

    Args:
        task: Any task.
        log: Of this tick.
    """
    if isinstance(task, ConstrainedTask):
        log_task(task.task, log)
    elif not log.is_new(task):
        return
    elif isinstance(task, Aggregated):
        for child in task.tasks:
            log_task(child, log)
    else:
        log.write(task, "_A", task.A)
        log.write(task, "_b", task.b)
        log.write(task, "_W", task.weight_matrix())
        log.write(task, "_c", task.c)
        log.write(task, "_lambda", task.lambda_)
    inner = task.task if isinstance(task, WeightedTask) else task
    if isinstance(inner, SubTask):
        log_task(inner.task, log)
    elif inner is not task and isinstance(inner, Aggregated):
        log_task(inner, log)
    if isinstance(task, ConstraintToTask):
        log_constraint(task.constraint, log)
    for constraint in task.constraints:
        log_constraint(constraint, log)


def log_constraint(constraint: Constraint, log: LogNames) -> None:
    """Write what is not empty of a constraint; of a joined one, its parts.

    Args:
        constraint: Any constraint.
        log: Of this tick.
    """
    if not log.is_new(constraint):
        return
    if isinstance(constraint, AggregatedConstraint):
        for part in constraint.parts:
            log_constraint(part, log)
        return
    log.write(constraint, "_Aeq", constraint.Aeq)
    log.write(constraint, "_Aineq", constraint.Aineq)
    log.write(constraint, "_beq", constraint.beq)
    log.write(constraint, "_bLowerBound", constraint.b_lower)
    log.write(constraint, "_bUpperBound", constraint.b_upper)
    log.write(constraint, "_upperBound", constraint.upper)
    log.write(constraint, "_lowerBound", constraint.lower)
    if isinstance(constraint, SubConstraint):
        log_constraint(constraint.constraint, log)
    if isinstance(constraint, TaskToConstraint):
        log_task(constraint.task, log)
