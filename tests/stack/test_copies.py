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
from footwork.stack.solvers import StrictHierarchy

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


@pytest.mark.parametrize("way", WAYS)
def test_a_solution_may_be_copied_and_sent_elsewhere(way: Callable[[Any], Any]) -> None:
    solution = solved().solve()
    copied = way(solution)
    assert copied.x.tolist() == [0.5, 2.0]
    assert copied.active_set == solution.active_set
    assert [level.cost for level in copied.levels] == [level.cost for level in solution.levels]
    assert copied.problem.level_names == ("t",)


@pytest.mark.parametrize("way", WAYS)
def test_the_arrays_of_a_copied_problem_are_ordinary_ones(way: Callable[[Any], Any]) -> None:
    problem = solved().solve().problem
    assert problem.is_fixed
    copied = way(problem)
    assert not copied.is_fixed
    assert StrictHierarchy().solve(copied).x.tolist() == [0.5, 2.0]


@pytest.mark.parametrize("bounds", [(), box()])
def test_the_names_of_a_problem_are_a_sequence(bounds: Any) -> None:
    rows = GenericConstraint("rows", np.eye(2), upper=[3.0, 3.0])
    problem = Stack([generic()], bounds=[rows, *([bounds] if bounds else [])]).solve().problem
    wanted = ("box[0]", "box[1]") if bounds else ("x[0]", "x[1]")
    for names, all_of_them in (
        (problem.variable_names, wanted),
        (problem.row_names, ("rows[0]", "rows[1]")),
    ):
        assert len(names) == 2
        assert (names[0], names[1]) == (names[-2], names[-1]) == tuple(names[:]) == all_of_them
        with pytest.raises(IndexError):
            _ = names[2]
        assert names.index(all_of_them[1]) == 1
