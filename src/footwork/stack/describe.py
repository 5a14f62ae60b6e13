"""A stack as a table for people: levels, rows, weights, gains, constraints, residuals."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from footwork.stack.constraint import Constraint
from footwork.stack.task import Task

if TYPE_CHECKING:
    from footwork.stack.solvers.solution import Solution
    from footwork.stack.stack import Stack

HEADER = ("level", "task", "rows", "λ", "weight", "state", "constraints")


def describe(stack: "Stack", solution: "Solution | None" = None) -> str:
    """Write a stack as a table, one line a task.

    Args:
        stack: The stack.
        solution: Adds how far each task is from what it asks for, and what holds x back.

    Returns:
        Several lines of text.
    """
    names = {id(part): name for name, part in stack.names().items()}
    header = HEADER if solution is None else (*HEADER, "|A x − b|")
    lines: list[tuple[str, ...]] = []
    for k, task in enumerate(stack.levels):
        lines += _lines_of(str(k), task, names, solution)
    if stack.regularisation is not None:
        lines += _lines_of("last", stack.regularisation, names, solution)
    bounds = [
        ("all", names[id(b)], str(b.size), "", "", "on" if b.is_active else "off", _kind(b))
        for b in stack.bounds
    ]
    width = len(header)
    table = [header, *lines, *[(*line, *[""] * (width - len(line))) for line in bounds]]
    text = _format(table)
    counts = (stack.x_size, "unknown"), (len(stack), "level"), (len(stack.bounds), "bound")
    head = ", ".join(_counted(count, what) for count, what in counts)
    return "\n".join([head, text, *_tail(solution)])


def _lines_of(
    level: str, task: Task, names: dict[int, str], solution: "Solution | None"
) -> list[tuple[str, ...]]:
    from footwork.stack.aggregated import Aggregated

    inner = undressed(task)
    if isinstance(inner, Aggregated):
        head = _line(level, task, names, solution)
        own = inner.own_constraints
        parts = [line for child in inner.tasks for line in _lines_of(level, child, names, solution)]
        shown = own or inner is not task or task.lambda_ != 1.0 or not task.is_active
        return [head, *parts] if shown else parts
    return [_line(level, task, names, solution)]


def _line(
    level: str, task: Task, names: dict[int, str], solution: "Solution | None"
) -> tuple[str, ...]:
    state = "on" if task.is_active else "off"
    if 0.0 < task.activation < 1.0:
        state = f"{100.0 * task.activation:.0f} %"
    constraints = ", ".join(names.get(id(c), c.id) for c in task.constraints)
    line = (
        level,
        names.get(id(undressed(task)), task.id),
        str(task.task_size),
        f"{task.lambda_:g}",
        _weight(task),
        state,
        constraints,
    )
    if solution is None:
        return line
    return (*line, f"{np.linalg.norm(task.residual(solution.x)):.3g}")


def undressed(task: Task) -> Task:
    """Take off what `w * t` and `t << c` put around a task.

    Args:
        task: Any task.

    Returns:
        The task inside.
    """
    from footwork.stack.views import DressedTask

    while isinstance(task, DressedTask):
        task = task.task
    return task


def _weight(task: Task) -> str:
    diagonal = task.weight_diagonal()
    if diagonal is None:
        return "matrix"
    if diagonal.size == 0:
        return ""
    low, high = float(diagonal.min()), float(diagonal.max())
    return f"{low:g}" if low == high else f"{low:g} … {high:g}"


def _kind(bound: Constraint) -> str:
    kinds = [
        name
        for name, holds in (
            ("bounds of x", bound.has_bounds),
            ("equalities", bound.is_equality),
            ("inequalities", bound.is_inequality),
        )
        if holds
    ]
    return ", ".join(kinds) or "empty"


def _counted(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def _format(table: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    lines = [
        "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip()
        for row in table
    ]
    lines.insert(1, "  ".join("─" * w for w in widths))
    return "\n".join(lines)


def _tail(solution: "Solution | None") -> list[str]:
    if solution is None:
        return []
    active = solution.active_set
    shown = ", ".join(a.name for a in active[:8]) + (" …" if len(active) > 8 else "")
    held = _counted(len(active), "active constraint")
    return [solution.message, f"{held}{': ' + shown if active else ''}"]
