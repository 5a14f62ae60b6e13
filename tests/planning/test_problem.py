import math
from typing import Any

import numpy as np
import pytest

import footwork.planning as fp
from footwork.errors import (
    CallbackTypeError,
    InputError,
    NoSolutionError,
    NotFiniteError,
    ShapeError,
)
from footwork.planning.problem import Status, StoppedBy
from tests.planning.systems import line_system, unicycle_system


def outside_of_discs(x: Any, p: Any) -> bool:
    for i in range(0, p.size, 3):
        if (x[0] - p[i]) ** 2 + (x[1] - p[i + 1]) ** 2 <= p[i + 2] ** 2:
            return False
    return True


def with_discs(*discs: float) -> fp.SpaceInformation:
    return unicycle_system(is_valid=outside_of_discs, parameters=discs, compile=False)


def test_a_problem_takes_states_or_goals() -> None:
    si = unicycle_system(compile=False)
    one = fp.Problem([0, 0, 0], [1, 1, 0], goal_tolerance=0.2).bind(si)
    assert one.failure is None
    assert one.starts.tolist() == [[0, 0, 0]]
    assert one.compiled_goal.tolerances.tolist() == [0.2]
    starts: list[list[float]] = [[0, 0, 0], [1, 0, 7.0]]
    several = fp.Problem(starts, [[1, 1, 0], [2, 2, 0]]).bind(si)
    assert several.starts[1, 2] == pytest.approx(7.0 - 2 * math.pi)
    assert len(several.compiled_goal.states) == 2
    objective = fp.PathLength()
    assert fp.Problem([0, 0, 0], [1, 1, 0], objective=objective).bind(si).objective is objective


@pytest.mark.parametrize(
    ("start", "goal", "error"),
    [
        ([math.inf, 0, 0], [1, 1, 0], NotFiniteError),
        ([0, math.nan, 0], [1, 1, 0], NotFiniteError),
        ([0, 0, 0], [1, math.inf, 0], NotFiniteError),
        (np.empty((0, 3)), [1, 1, 0], InputError),
        ([], [1, 1, 0], InputError),
        ([[]], [1, 1, 0], InputError),
        ([0, 0, 0], lambda x: True, CallbackTypeError),
        ("here", [1, 1, 0], InputError),
    ],
)
def test_ill_formed_problems_are_refused_at_once(
    start: Any, goal: Any, error: type[Exception]
) -> None:
    with pytest.raises(error):
        fp.Problem(start, goal)


def test_states_of_another_space_are_refused() -> None:
    with pytest.raises(ShapeError, match="start 0"):
        fp.Problem([0, 0], [1, 1, 0]).bind(unicycle_system(compile=False))
    with pytest.raises(ShapeError, match="goal state 0"):
        fp.Problem([0, 0, 0], [1, 1]).bind(unicycle_system(compile=False))
    with pytest.raises(InputError, match="has its own"):
        fp.Problem([0], fp.GoalState([1]), goal_tolerance=0.1)


def test_a_start_in_an_obstacle_says_so_and_prints_the_state() -> None:
    bound = fp.Problem([1, 2, 0.5], [4, 4, 0]).bind(with_discs(1.0, 2.0, 1.0))
    assert bound.failure is Status.INVALID_START
    assert "[1.0, 2.0, 0.5]" in bound.message
    result = fp.PlanningResult.of_failure(bound)
    assert (result.status, result.stopped_by) == (Status.INVALID_START, StoppedBy.INPUT)
    with pytest.raises(NoSolutionError, match=r"invalid start.*\[1\.0, 2\.0, 0\.5\]"):
        result.raise_if_failed()


def test_valid_starts_are_enough_where_others_are_not() -> None:
    bound = fp.Problem([[1, 2, 0], [3, 3, 0]], [4, 4, 0]).bind(with_discs(1.0, 2.0, 1.0))
    assert bound.failure is None
    assert bound.starts.tolist() == [[3, 3, 0]]


def test_a_goal_in_an_obstacle_says_so_unless_a_part_of_it_is_free() -> None:
    si = with_discs(4.0, 4.0, 1.0)
    bound = fp.Problem([0, 0, 0], [4, 4, 0], goal_tolerance=0.1).bind(si)
    assert bound.failure is Status.INVALID_GOAL
    assert "[4.0, 4.0, 0.0]" in bound.message
    wide = fp.Problem([0, 0, 0], fp.GoalState([4, 4, 0], 1.5, axes=[0, 1])).bind(si)
    assert wide.failure is None
    box = fp.Problem([0, 0, 0], fp.GoalBox([3.9, 3.9, -4], [4.1, 4.1, 4])).bind(si)
    assert box.failure is Status.INVALID_GOAL
    unknown = fp.GoalFunction(is_satisfied=lambda x: bool(x[0] > 3))
    assert fp.Problem([0, 0, 0], unknown).bind(si).failure is None


def test_start_and_goal_outside_of_the_bounds_name_the_axis() -> None:
    si = unicycle_system(compile=False)
    start = fp.Problem([0, 9, 0], [1, 1, 0]).bind(si)
    assert (start.failure, "y has bounds [-5, 5]" in start.message) == (Status.INVALID_START, True)
    goal = fp.Problem([0, 0, 0], [9, 1, 0]).bind(si)
    assert (goal.failure, "x has bounds [-5, 5]" in goal.message) == (Status.INVALID_GOAL, True)


# Results


def test_only_an_exact_path_is_true() -> None:
    path = fp.PathControl.from_arrays(line_system(), [[0.0], [1.0]], [[1.0]], [1.0])
    exact = fp.PlanningResult.of(StoppedBy.GOAL, path=path, cost=1.0)
    assert exact
    assert exact.status is Status.EXACT
    assert exact.remaining_distance == 0.0
    assert exact.raise_if_failed() is exact
    near = fp.PlanningResult.of(
        StoppedBy.TIME, approximate_path=path, cost=1.0, remaining_distance=0.25
    )
    assert not near
    assert (near.status, near.path, near.cost) == (Status.APPROXIMATE, None, math.inf)
    assert near.approximate_path is path
    with pytest.raises(NoSolutionError, match=r"approximate, 0\.25 short") as error:
        near.raise_if_failed()
    assert error.value.result is near


@pytest.mark.parametrize(
    ("stopped_by", "status"),
    [
        (StoppedBy.TIME, Status.TIMEOUT),
        (StoppedBy.ITERATIONS, Status.ITERATION_LIMIT),
        (StoppedBy.MEMORY, Status.MEMORY_LIMIT),
        (StoppedBy.INTERRUPT, Status.INTERRUPTED),
        (StoppedBy.CONDITION, Status.STOPPED),
    ],
)
def test_a_result_without_a_path_says_what_ended_it(stopped_by: StoppedBy, status: Status) -> None:
    result = fp.PlanningResult.of(stopped_by)
    assert (result.status, bool(result), result.path) == (status, False, None)
    with pytest.raises(NoSolutionError):
        result.planner_data()


def test_results_build_their_tree_on_demand() -> None:
    data = fp.PlannerData(line_system())
    result = fp.PlanningResult.of(StoppedBy.TIME, make_planner_data=lambda: data)
    assert result.planner_data() is data


# Termination


def test_whatever_comes_first_stops() -> None:
    limits = fp.Termination(
        time_limit=2.0,
        iteration_limit=10,
        memory_limit=1000,
        cost_limit=5.0,
        condition=lambda: True,
    )
    free: dict[str, Any] = {"elapsed": 0.0, "iterations": 0, "memory": 0}
    assert limits.reason(**free, cost=5.0) is StoppedBy.COST
    assert limits.reason(**{**free, "elapsed": 2.0}) is StoppedBy.TIME
    assert limits.reason(**{**free, "iterations": 10}) is StoppedBy.ITERATIONS
    assert limits.reason(**{**free, "memory": 1000}) is StoppedBy.MEMORY
    assert limits.reason(**free) is StoppedBy.CONDITION
    assert fp.Termination().reason(**free) is None
    assert fp.Termination(time_limit=0.0).reason(**free) is StoppedBy.TIME


@pytest.mark.parametrize(
    "options",
    [
        {"time_limit": -1.0},
        {"time_limit": math.nan},
        {"iteration_limit": -1},
        {"memory_limit": -1},
        {"cost_limit": math.nan},
        {"condition": 3},
    ],
)
def test_limits_that_make_no_sense_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=next(iter(options))):
        fp.Termination(**options)
