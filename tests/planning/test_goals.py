import math
from typing import Any

import numpy as np
import pytest

import footwork.planning as fp
from footwork.errors import (
    CallbackTypeError,
    CallbackValueError,
    InputError,
    NotFiniteError,
    ShapeError,
)
from footwork.planning.goal_door import GOAL_TYPE
from footwork.planning.goals import CompiledGoal

SPACE = fp.SE2StateSpace([-10, -10], [10, 10])


def by_address(goal: CompiledGoal, state: Any) -> float:
    x = np.array(state, dtype=np.float64)
    return float(GOAL_TYPE(goal.address)(x.ctypes.data, goal.params.ctypes.data))


def test_a_state_counts_within_its_tolerance_in_the_metric_of_the_space() -> None:
    goal = fp.GoalState([5, 5, 3.0], 0.5)
    assert goal.excess(SPACE, [5, 5, 3.0]) == -0.5
    assert goal.excess(SPACE, [5.3, 5.4, -3.0]) == pytest.approx(0.5 * (2 * math.pi - 6.0))
    assert goal.is_satisfied(SPACE, [5.4, 5, 3.0])
    assert not goal.is_satisfied(SPACE, [5.6, 5, 3.0])


def test_free_axes_do_not_count() -> None:
    goal = fp.GoalState([5, 5, 0.0], 0.1, axes=[0, 1])
    assert goal.is_satisfied(SPACE, [5.05, 5, 2.5])
    table = goal.compiled(SPACE)
    assert table.components.tolist() == [[0, 0, 2]]
    drawn = goal.candidates(SPACE, 30)
    assert len(drawn) > 10
    assert np.ptp(drawn[:, 2]) > 1.0
    assert all(goal.is_satisfied(SPACE, x) for x in drawn)


def test_several_states_each_have_their_tolerance() -> None:
    goal = fp.GoalStates([[0, 0, 0], [5, 0, 0]], [0.1, 1.0])
    assert goal.excess(SPACE, [4.5, 0, 0]) == pytest.approx(-0.5)
    assert goal.excess(SPACE, [0.5, 0, 0]) == pytest.approx(0.4)
    assert goal.states.shape == (2, 3)


def test_the_default_tolerance_is_a_hundredth_of_the_extent() -> None:
    table = fp.GoalState([0, 0, 0]).compiled(SPACE)
    assert table.tolerances[0] == pytest.approx(0.01 * SPACE.extent)
    assert SPACE.extent == pytest.approx(math.hypot(20, 20) + 0.5 * math.pi)


def test_a_box_bounds_some_axes() -> None:
    free = np.inf
    goal = fp.GoalBox([1, -free, -0.5], [2, free, 0.5])
    assert goal.excess(SPACE, [1.5, 9, 0.2]) == 0.0
    assert goal.excess(SPACE, [5, 9, 4.5]) == pytest.approx(5.0)
    assert all(goal.is_satisfied(SPACE, x) for x in goal.candidates(SPACE, 20))
    assert by_address(goal.compiled(SPACE), [5, 9, 4.5]) == pytest.approx(5.0)
    wrong: list[tuple[list[float], list[float]]] = [([1], [0]), ([math.nan], [0])]
    for low, high in wrong:
        with pytest.raises(InputError, match="goal box"):
            fp.GoalBox(low, high)
    with pytest.raises(ShapeError, match="goal box"):
        fp.GoalBox([0], [1]).candidates(SPACE, 1)


def near(x: Any) -> Any:
    return math.hypot(x[0] - 5.0, x[1] - 5.0)


def near_there(x: Any, p: Any) -> Any:
    return math.hypot(x[0] - p[0], x[1] - p[1])


def inside(x: Any) -> bool:
    return bool(x[0] > 5.0)


@pytest.mark.parametrize("compile", [True, False], ids=["compiled", "plain"])
def test_functions_say_how_far_or_whether(compile: bool) -> None:
    how_far = fp.GoalFunction(near, 0.5, compile=compile)
    assert by_address(how_far.compiled(SPACE), [5, 6, 0]) == pytest.approx(0.5)
    there = fp.GoalFunction(near_there, 0.5, parameters=[1.0, 2.0], compile=compile)
    assert by_address(there.compiled(SPACE), [1, 4, 0]) == pytest.approx(1.5)
    whether = fp.GoalFunction(is_satisfied=inside, compile=compile)
    assert by_address(whether.compiled(SPACE), [6, 0, 0]) == 0.0
    assert by_address(whether.compiled(SPACE), [4, 0, 0]) == 1.0
    assert whether.is_satisfied(SPACE, [6, 0, 0])
    assert len(whether.candidates(SPACE, 5)) == 0


def test_too_few_parameters_are_an_error_and_not_what_lies_behind_them() -> None:
    table = fp.GoalFunction(near_there, parameters=[1.0]).compiled(SPACE)
    assert math.isnan(by_address(table, [0, 0, 0]))
    with pytest.raises(IndexError):
        table.raise_error(table.params)


def within_five(x: Any) -> Any:
    if math.hypot(x[0], x[1]) <= 5.0:
        return True
    return None


@pytest.mark.parametrize(
    ("answer", "error"),
    [(None, CallbackTypeError), ("far", CallbackTypeError), (math.nan, CallbackValueError)],
)
def test_distances_that_are_none_are_refused_and_the_callback_is_named(
    answer: Any, error: type[Exception]
) -> None:
    for compile in (True, False):
        goal = fp.GoalFunction(lambda x: answer, compile=compile)
        with pytest.raises(error, match="goal distance=<lambda>"):
            goal.excess(SPACE, [0, 0, 0])
        table = goal.compiled(SPACE)
        assert math.isnan(by_address(table, [0, 0, 0]))
        with pytest.raises(error, match="goal distance=<lambda>"):
            table.raise_error(table.params)


def test_a_goal_that_forgets_to_say_no_is_refused_at_its_first_no() -> None:
    goal = fp.GoalFunction(is_satisfied=within_five)
    table = goal.compiled(SPACE)
    assert by_address(table, [1, 1, 0]) == 0.0
    assert math.isnan(by_address(table, [6, 6, 0]))
    with pytest.raises(CallbackTypeError, match="is_satisfied=within_five must return True or F"):
        table.raise_error(table.params)


@pytest.mark.parametrize("number", [np.float64(0.25), np.int64(2), np.float32(0.5), 3])
def test_numpy_numbers_are_fine(number: Any) -> None:
    goal = fp.GoalFunction(lambda x: number)
    assert goal.excess(SPACE, [0, 0, 0]) == float(number)


def test_an_exception_in_a_goal_reaches_the_caller() -> None:
    def moody(x: Any) -> float:
        raise ZeroDivisionError("not today")

    table = fp.GoalFunction(moody, compile=False).compiled(SPACE)
    assert math.isnan(by_address(table, [0, 0, 0]))
    with pytest.raises(ZeroDivisionError, match="not today"):
        table.raise_error(table.params)


def test_ill_formed_goals_are_refused() -> None:
    with pytest.raises(InputError, match="either distance"):
        fp.GoalFunction()
    with pytest.raises(InputError, match="either distance"):
        fp.GoalFunction(near, is_satisfied=inside)
    with pytest.raises(InputError, match="threshold"):
        fp.GoalFunction(near, math.inf)
    with pytest.raises(InputError, match=r"f\(x\)"):
        fp.GoalFunction(lambda: 0.0)
    with pytest.raises(InputError, match="tolerance must be positive"):
        fp.GoalState([0, 0, 0], 0.0)
    with pytest.raises(NotFiniteError, match="goal state"):
        fp.GoalState([0, math.inf, 0])
    with pytest.raises(InputError, match="one at least"):
        fp.GoalStates(np.empty((0, 3)))
    with pytest.raises(ShapeError):
        fp.GoalState([0, 0]).compiled(SPACE)
    for axes in ([3], [], [-1]):
        with pytest.raises(InputError, match="goal axes"):
            fp.GoalState([0, 0, 0], axes=axes).compiled(SPACE)
    rotation = fp.SE3StateSpace([0] * 3, [1] * 3)
    with pytest.raises(InputError, match="four numbers"):
        fp.GoalState([0, 0, 0, 0, 0, 0, 1], axes=[3]).compiled(rotation)
    line = fp.RealVectorStateSpace([0] * 3, [1] * 3)
    with pytest.raises(InputError, match="follow each other"):
        fp.GoalState([0, 0, 0], axes=[0, 2]).compiled(line)


def fails(x: Any) -> Any:
    raise KeyError("my own")


def test_what_a_goal_raises_has_a_note_of_its_name_and_state() -> None:
    space = fp.RealVectorStateSpace([-1, -1], [1, 1])
    with pytest.raises(KeyError) as raised:
        fp.GoalFunction(fails, 0.1, compile=False).excess(space, [0.25, 0.5])
    (note,) = raised.value.__notes__
    assert note.startswith("raised by ")
    assert note.endswith("=fails at state [0.25, 0.5]")
