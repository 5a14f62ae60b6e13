"""Faults that users of other planning libraries reported, replayed: R9 to R21.

`ELSEWHERE` names the tests of those that are replayed where they belong.
"""

import io
import math
import re
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import footwork.planning as fp
from footwork.errors import BoundsError, CallbackTypeError, CallbackValueError, InputError
from tests.planning.systems import line_system, unicycle_system

ELSEWHERE = {
    "R9": "test_propagation.py::test_the_time_integrated_is_the_time_asked_for",
    "R10": "test_propagation.py::test_validity_is_tested_every_propagation_step_and_not_between",
    "R15": "test_path_control.py::test_a_path_of_another_integrator_fails_at_its_first_segment",
}


@pytest.mark.parametrize("report", ELSEWHERE)
def test_reports_are_replayed_where_they_are_said_to_be(report: str) -> None:
    file, _, name = ELSEWHERE[report].partition("::")
    assert f"def {name}(" in (Path(__file__).parent / file).read_text("utf-8")


def unicycle_around(world: Any = None) -> fp.SpaceInformation:
    return fp.models.unicycle([-1, -1], [7, 7], speed=(0.0, 1.0), turn_rate=(-2, 2), is_valid=world)


def test_r11_thirteen_states_have_twelve_controls_and_replay() -> None:
    si = unicycle_system(compile=False)
    path = fp.PathControl(si)
    path.append([0.0, 0.0, 0.0])
    for k in range(12):
        u = [0.5, 0.1 * k]
        path.append(si.propagate(path.get_state(-1), u, 0.25), u, 0.25)
    assert (path.state_count, path.control_count, len(path.control_durations)) == (13, 12, 12)
    with pytest.raises(IndexError):
        _ = [path.get_control(i) for i in range(13)]
    matrix = io.StringIO()
    path.print_as_matrix(matrix)
    rows = np.loadtxt(io.StringIO(matrix.getvalue()))
    assert rows.shape == (13, 3 + 2 + 1)
    assert not rows[0, 3:].any()
    x = path.states[0]
    for u, duration, expected in zip(
        path.controls, path.control_durations, path.states[1:], strict=True
    ):
        x = si.propagate(x, u, float(duration))
        assert x == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("limit", [5.0, 60.0])
def test_r12_a_disc_with_free_yaw_is_exact_and_ends_early(limit: float) -> None:
    si = unicycle_around()
    goal = fp.GoalState([5.0, 5.0, 0.0], 0.1, axes=[0, 1])
    result = fp.RRT(si, seed=1).solve(fp.Problem([0, 0, 0], goal), time_limit=limit)
    assert result.status is fp.Status.EXACT
    assert result.stopped_by is fp.StoppedBy.GOAL
    assert result.statistics.elapsed_time < limit
    assert result.path is not None
    assert math.dist(result.path.states[-1, :2], (5.0, 5.0)) <= 0.1


def test_r12_a_full_pose_within_a_millionth_is_only_approximate() -> None:
    si = unicycle_around()
    problem = fp.Problem([0, 0, 0], [5.0, 5.0, 0.0], goal_tolerance=1e-6)
    result = fp.RRT(si, seed=1).solve(problem, time_limit=1.0)
    assert result.status is fp.Status.APPROXIMATE
    assert not result
    assert result.path is None
    assert result.remaining_distance > 0.0


def within_five(x: Any) -> Any:
    if math.hypot(x[0] - 5.0, x[1] - 5.0) <= 1.0:
        return True
    return None


def as_numpy(x: Any) -> Any:
    return np.float64(math.hypot(x[0] - 5.0, x[1] - 5.0))


def rounded(x: Any) -> Any:
    return np.int64(round(math.hypot(x[0] - 5.0, x[1] - 5.0)))


def no_number(x: Any) -> Any:
    return math.nan


def unlucky(x: Any) -> Any:
    raise ZeroDivisionError("in the goal")


@pytest.mark.parametrize("distance", [as_numpy, rounded])
def test_r13_numbers_of_numpy_are_distances(distance: Any) -> None:
    goal = fp.GoalFunction(distance, 1.0, compile=False)
    assert fp.RRT(unicycle_around(), seed=1).solve(
        fp.Problem([0, 0, 0], goal), iteration_limit=20_000
    )


@pytest.mark.parametrize(
    ("goal", "error", "words"),
    [
        (fp.GoalFunction(is_satisfied=within_five), CallbackTypeError, "within_five"),
        (fp.GoalFunction(no_number), CallbackValueError, "no_number"),
        (fp.GoalFunction(unlucky), ZeroDivisionError, "in the goal"),
    ],
)
def test_r13_a_goal_that_answers_nonsense_is_named_at_its_first_use(
    goal: fp.Goal, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        fp.RRT(unicycle_around(), seed=1).solve(fp.Problem([0, 0, 0], goal), iteration_limit=10)


def test_r16_a_yaw_beyond_half_a_turn_is_wrapped_and_infinity_is_refused() -> None:
    si = unicycle_around()
    problem = fp.Problem([0, 0, 3.5], [0, 0, 3.5], goal_tolerance=0.1)
    path = fp.RRT(si, seed=1).solve(problem, iteration_limit=10).raise_if_failed().path
    assert path is not None
    assert path.states[0, 2] == pytest.approx(-2.783185, abs=1e-6)
    with pytest.raises(InputError, match=r"start\[0\]"):
        fp.Problem([math.inf, 0, 0], [5, 5, 0])


def turn(limit: float) -> fp.SpaceInformation:
    return fp.SpaceInformation(
        fp.RealVectorStateSpace([-limit], [limit]),
        fp.RealVectorControlSpace([-1], [1]),
        dynamics=lambda x, u: (u[0] + 0.0 * x[0],),
        propagation_step_size=0.1,
        compile=False,
    )


def test_r16_a_full_turn_needs_limits_that_hold_it() -> None:
    for limit, is_valid in ((math.pi, False), (7.0, True)):
        si = turn(limit)
        path = fp.PathControl.from_arrays(si, [[0.0], [2 * math.pi]], [[1.0]], [2 * math.pi])
        assert path.check(within_bounds=True) is is_valid
    assert si.state_space.distance([3.0], [-3.0]) == 6.0
    assert fp.SO2StateSpace().distance([3.0], [-3.0]) == pytest.approx(0.28319, abs=1e-5)


@pytest.mark.parametrize("size", [2, 3, 6])
def test_r17_unbounded_spaces_are_refused_with_the_axis(size: int) -> None:
    with pytest.raises(BoundsError, match="axis 0"):
        fp.RealVectorStateSpace([-math.inf] * size, [math.inf] * size)
    low, high = [0.0] * size, [1.0] * size
    for bad in (0.0, -1.0):
        with pytest.raises(BoundsError, match=f"axis {size - 1}"):
            fp.RealVectorStateSpace(low, [*high[:-1], bad])


def test_r17_no_nan_enters_a_tree() -> None:
    si = line_system(propagate=lambda x, u, dt: (x[0] + dt * u[0] if x[0] < 1.0 else math.nan,))
    with pytest.raises(CallbackValueError):
        fp.RRT(si, seed=1).solve(fp.Problem([0.0], [50.0]), iteration_limit=20_000)


@pytest.mark.parametrize("compiled", [True, False])
def test_r17_no_nan_enters_a_tree_as_an_angle(compiled: bool) -> None:
    def nan_where_it_is_late(x: Any, u: Any, dt: float) -> Any:
        return (x[0] + dt * u[0] if abs(x[0]) < 1.0 else math.nan,)

    si = fp.SpaceInformation(
        fp.SO2StateSpace(),
        fp.RealVectorControlSpace([-1.0], [1.0]),
        propagate=nan_where_it_is_late,
        propagation_step_size=0.1,
        min_control_steps=1,
        max_control_steps=1,
        compile=compiled,
    )
    with pytest.raises(CallbackValueError):
        fp.RRT(si, seed=1).solve(fp.Problem([0.0], [3.0]), iteration_limit=20_000)


@pytest.mark.parametrize(
    ("centre", "status", "words"),
    [
        ((5.0, 5.0), fp.Status.INVALID_GOAL, r"goal state \[5.0, 5.0, 0.0\]"),
        ((0.0, 0.0), fp.Status.INVALID_START, r"start state \[0.0, 0.0, 0.0\]"),
    ],
)
def test_r19_an_end_inside_an_obstacle_is_said_at_once(
    centre: tuple[float, float], status: fp.Status, words: str
) -> None:
    si = unicycle_around(fp.worlds.Circles([centre], 1.0))
    si.compiled()
    goal = fp.GoalState([5.0, 5.0, 0.0], 0.1, axes=[0, 1])
    planner = fp.RRT(si, seed=1)
    begun = time.thread_time()
    result = planner.solve(fp.Problem([0, 0, 0], goal), time_limit=10.0)
    assert time.thread_time() - begun < 0.1
    assert result.status is status
    assert re.search(words, result.message)


def test_r21_limits_of_time_and_memory_are_obeyed() -> None:
    calls = 0

    def slow(x: Any) -> bool:
        nonlocal calls
        calls += 1
        time.sleep(0.005)
        return True

    si = line_system(is_valid=slow)
    problem = fp.Problem([0.0], [99.0], goal_tolerance=0.1)
    planner = fp.RRT(si, seed=1)
    assert planner.solve(problem, time_limit=0.0).status is fp.Status.TIMEOUT
    calls = 0
    result = planner.solve(problem, time_limit=0.01)
    assert result.stopped_by is fp.StoppedBy.TIME
    assert calls < 2 + 4 * 10
    with pytest.raises(InputError, match="time_limit must not be negative"):
        planner.solve(problem, time_limit=-1.0)
    wide = fp.RRT(unicycle_around(), seed=1)
    result = wide.solve(fp.Problem([0, 0, 0], [5, 5, 0], goal_tolerance=1e-9), memory_limit=200_000)
    assert result.stopped_by is fp.StoppedBy.MEMORY
    assert result.statistics.memory <= 200_000
