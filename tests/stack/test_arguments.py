"""What makes no sense is refused in our own words, and nothing has changed."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from footwork.errors import FootworkError, InputError
from footwork.stack import (
    Aggregated,
    ConstraintToTask,
    GenericConstraint,
    GenericTask,
    Indices,
    Journal,
    Stack,
    SubConstraint,
    SubTask,
    Task,
    TaskToConstraint,
    read_journal,
)
from footwork.stack.solvers import StrictHierarchy


def task(name: str = "t") -> GenericTask:
    return GenericTask(name, np.eye(3, 4), np.ones(3))


def box() -> GenericConstraint:
    return GenericConstraint("box", lower=np.zeros(4), upper=np.ones(4))


NO: Any = object()
NONSENSE: dict[str, Callable[[], object]] = {
    "hessian type of text": lambda: setattr(task(), "hessian_type", "x"),
    "hessian type of an array": lambda: setattr(task() + task("u"), "hessian_type", np.eye(3)),
    "hessian type of a truth value": lambda: setattr(task()[[0]], "hessian_type", True),
    "constraints of nothing": lambda: task() << NO,
    "bounds of nothing": lambda: Stack([task()]) << NO,
    "levels of nothing": lambda: Stack(NO),
    "parts of nothing": lambda: Aggregated(NO),
    "a constraint of no task": lambda: TaskToConstraint(NO),
    "a task of no constraint": lambda: ConstraintToTask(NO),
    "rows of no task": lambda: SubTask(NO, [0]),
    "rows of no constraint": lambda: SubConstraint(NO, [0]),
    "a slice of text": lambda: task()[slice("a", None)],
    "a slice that stands still": lambda: task()[slice(0, 3, 0)],
    "a slice of a constraint": lambda: box() % slice(0, 3, 0),
    "indices of nothing": lambda: Indices(NO),
    "a shift by a half": lambda: Indices([1]).shift(0.5),  # type: ignore[arg-type]
    "a range of text": lambda: Indices.range("a", 3),  # type: ignore[arg-type]
    "an update by nothing": lambda: task().update(NO),
    "a constraint updated by nothing": lambda: box().update(NO),
    "a stack updated by nothing": lambda: Stack([task()]).update(NO),
    "a solution for nothing": lambda: Stack([task()]).solve(NO),
    "a ramp of half a tick": lambda: task().activate(ticks=0.5),  # type: ignore[arg-type]
    "a ramp of no number": lambda: task().deactivate(ticks=float("nan")),  # type: ignore[arg-type]
    "a solver of nothing": lambda: Stack([task()], solver=NO),
    "another solver of nothing": lambda: setattr(Stack([task()]), "solver", NO),
    "a kind of solver": lambda: Stack([task()], solver=StrictHierarchy),  # type: ignore[arg-type]
    "a time limit of text": lambda: Stack([task()]).solve(time_limit="x"),  # type: ignore[arg-type]
    "a time limit of no number": lambda: Stack([task()]).solve(time_limit=float("nan")),
    "a level of no name": lambda: Stack([task()])[NO],
    "a regularisation of nothing": lambda: setattr(Stack([task()]), "regularisation", NO),
    "a log into nothing": lambda: task().log(NO),
    "a journal of nothing": lambda: Journal(NO),
    "a journal read from nothing": lambda: read_journal(NO),
}


@pytest.mark.parametrize("what", NONSENSE)
def test_what_makes_no_sense_is_refused_in_our_own_words(what: str) -> None:
    with pytest.raises(FootworkError) as caught:
        NONSENSE[what]()
    assert str(caught.value)


def test_a_ramp_that_is_refused_changes_nothing() -> None:
    t = task()
    for ticks in (0, -1, float("nan"), "a", None, True):
        with pytest.raises(InputError, match="ticks"):
            t.deactivate(ticks=ticks)  # type: ignore[arg-type]
    t.update()
    assert t.activation == 1.0


@pytest.mark.parametrize("read", ["A", "b", "weight", "WA", "task_size"])
def test_a_subtask_of_a_father_that_lost_its_rows_says_so(read: str) -> None:
    father = task()
    sub: Task = father[[2, 1]]
    father.set(np.ones((1, 4)), [1.0])
    with pytest.raises(InputError, match="only 1 rows left"):
        getattr(sub, read)
    with pytest.raises(InputError, match="only 1 rows left"):
        sub.weight = 2.0
    assert "rows=2" in repr(sub)
    assert father.weight.tolist() == [[1.0]]
