"""Tasks, stacks and robots are read by address: a copy would compute in the original's arrays."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from footwork.errors import CopyError
from footwork.stack import (
    Aggregated,
    ConstraintToTask,
    GenericConstraint,
    GenericLPTask,
    GenericTask,
    Stack,
    TaskToConstraint,
    tasks,
)
from footwork.stack.inverse_dynamics import InverseDynamics

from .robots import random_state, robot


def pickled(thing: Any) -> Any:
    return pickle.loads(pickle.dumps(thing))


WAYS: tuple[Callable[[Any], Any], ...] = (copy.copy, copy.deepcopy, pickled)


def generic() -> GenericTask:
    return GenericTask("t", np.eye(2), [1.0, 2.0])


def box() -> GenericConstraint:
    return GenericConstraint("box", upper=[0.5, 5.0])


def solved() -> Stack:
    stack = Stack([generic()]) << box()
    stack.solve()
    return stack


THINGS: dict[str, Callable[[], Any]] = {
    "task": generic,
    "linear task": lambda: GenericLPTask("c", [1.0, 2.0]),
    "constraint": box,
    "weighted": lambda: 2.0 * generic(),
    "constrained": lambda: generic() << box(),
    "rows": lambda: generic()[[0]],
    "rows of a constraint": lambda: GenericConstraint("rows", np.eye(2), upper=[1.0, 1.0])[[0]],
    "aggregated": lambda: Aggregated(generic(), generic()),
    "aggregated constraints": lambda: Aggregated(box(), box()),
    "task as constraint": lambda: TaskToConstraint(generic()),
    "constraint as task": lambda: ConstraintToTask(box()),
    "stack": solved,
    "empty stack": lambda: Stack(x_size=2),
    "compiled task": lambda: tasks.velocity.CoM(robot("panda")),
    "robot": lambda: robot("panda"),
    "views of a robot": lambda: robot("panda").views,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", THINGS)
def test_what_is_read_by_address_is_not_copied(name: str, way: Callable[[Any], Any]) -> None:
    with pytest.raises(CopyError, match=r"cannot be copied or pickled.*address; "):
        way(THINGS[name]())


def test_a_whole_problem_is_not_copied() -> None:
    """The parts of an inverse dynamics refuse, so that no half of it is a copy."""
    with pytest.raises(CopyError):
        copy.deepcopy(InverseDynamics(robot("g1")))
    with pytest.raises(CopyError):
        copy.deepcopy({"level": [generic()]})


def test_the_error_says_how_to_make_another_stack() -> None:
    stack = solved()
    with pytest.raises(CopyError, match=r"Stack\(stack\.levels, bounds=stack\.bounds\)"):
        copy.deepcopy(stack)
    other = Stack(stack.levels, bounds=stack.bounds)
    np.testing.assert_allclose(other.solve().x, stack.solve().x)


def test_a_state_is_its_own_copy() -> None:
    state = random_state(robot("panda"), 1)
    assert copy.copy(state) is state
    assert copy.deepcopy(state) is state
    with pytest.raises(CopyError):
        pickle.dumps(state)
