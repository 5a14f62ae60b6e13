"""What every planner must do."""

import math
import time
from typing import Any

import numpy as np
import pytest

import footwork.planning as fp
from footwork.errors import CallbackTypeError, InputError
from tests.planning.planners.systems import (
    IS_SLOW,
    PLANNERS,
    Maker,
    box_system,
    iterations,
    unicycle,
    unicycle_problem,
    unicycle_system,
)

MANY = 200_000
SOME = 600 if IS_SLOW else 5_000


@pytest.fixture(params=list(PLANNERS))
def make(request: pytest.FixtureRequest) -> Maker:
    return PLANNERS[request.param]


def test_a_path_leads_from_the_start_into_the_goal_within_all_limits(make: Maker) -> None:
    si, problem = unicycle_system(), unicycle_problem()
    result = make(si, seed=1).solve(problem, iteration_limit=MANY, stop_at_path=True)
    path = result.raise_if_failed().path
    assert path is not None
    assert result.status is fp.Status.EXACT
    assert path.states[0].tolist() == [0.5, 0.5, 0.0]
    assert problem.goal.is_satisfied(si.state_space, path.states[-1])
    assert path.check()
    steps = path.control_durations / 0.1
    assert np.allclose(steps, steps.round())
    assert steps.min() > 1.9
    assert steps.max() < 15.1
    assert (path.controls >= [-0.5, -1.0]).all()
    assert (path.controls <= [1.0, 1.0]).all()
    assert result.cost == pytest.approx(path.length())
    assert result.cost == pytest.approx(path.cost(problem.objective))
    path.interpolate()
    assert path.check()


def test_seed_and_iteration_limit_determine_the_result(make: Maker) -> None:
    si, problem = unicycle_system(), unicycle_problem()
    options: dict[str, Any] = {"stop_at_path": False}
    at_once = make(si, seed=5)
    a = at_once.solve(problem, iteration_limit=900, **options)
    in_parts = make(si, seed=5)
    for part in (1, 299, 600):
        b = in_parts.solve(problem, iteration_limit=part, **options)
    assert a.statistics.iterations == b.statistics.iterations == 900
    assert a.statistics.propagation_steps == b.statistics.propagation_steps
    assert a.cost == b.cost
    assert np.array_equal(a.planner_data().states, b.planner_data().states)
    other = make(si, seed=6).solve(problem, iteration_limit=900, **options)
    assert not np.array_equal(a.planner_data().states, other.planner_data().states)


def test_a_goal_out_of_reach_ends_with_a_status_and_no_path(make: Maker) -> None:
    si = box_system(2, is_valid=lambda x: x[0] < 0.5 or x[0] > 0.7)
    result = make(si, seed=1).solve(
        fp.Problem([0.1, 0.1], [0.9, 0.9], goal_tolerance=0.1), iteration_limit=400
    )
    assert not result
    assert result.path is None
    assert result.status is fp.Status.APPROXIMATE
    assert result.stopped_by is fp.StoppedBy.ITERATIONS
    assert result.approximate_path is not None
    assert result.approximate_path.check()
    end = result.approximate_path.states[-1]
    assert result.remaining_distance == pytest.approx(math.dist(end, (0.9, 0.9)) - 0.1)


def test_start_and_goal_in_collision_are_named_at_once(make: Maker) -> None:
    calls = 0

    def free(x: Any) -> bool:
        nonlocal calls
        calls += 1
        return math.dist(x, (0.5, 0.5)) > 0.2

    si = box_system(2, is_valid=free)
    start = make(si, seed=1).solve(fp.Problem([0.5, 0.55], [0.9, 0.9]), time_limit=10.0)
    assert start.status is fp.Status.INVALID_START
    assert "[0.5, 0.55]" in start.message
    problem = fp.Problem([0.1, 0.1], [0.5, 0.5], goal_tolerance=0.05)
    goal = make(si, seed=1).solve(problem, time_limit=10.0)
    assert goal.status is fp.Status.INVALID_GOAL
    assert "[0.5, 0.5]" in goal.message
    assert calls < 1000
    assert goal.path is None


@pytest.mark.parametrize("dimension", [1, 2, 3, 7, 24])
def test_no_state_space_is_too_small_or_too_large(make: Maker, dimension: int) -> None:
    si = box_system(dimension)
    problem = fp.Problem([0.3] * dimension, [0.6] * dimension, goal_tolerance=0.15)
    result = make(si, seed=2).solve(problem, iteration_limit=150, stop_at_path=True)
    path = result.path or result.approximate_path
    assert path is not None
    assert path.check()
    if dimension == 1:
        assert result


def test_memory_stays_below_its_limit(make: Maker) -> None:
    si = unicycle_system()
    problem = fp.Problem([0.5, 0.5, 0], [4.5, 4.5, 3.0], goal_tolerance=1e-6)
    limit = 800_000 if IS_SLOW else 1_500_000
    planner = make(si, seed=1)
    result = planner.solve(problem, memory_limit=limit, iteration_limit=20 * SOME)
    assert result.statistics.memory <= limit
    # sparse trees may never get there, and shooting keeps one path
    if isinstance(planner, fp.SST | fp.MultipleShooting) or IS_SLOW:
        return
    assert result.stopped_by is fp.StoppedBy.MEMORY
    again = planner.solve(problem, memory_limit=limit, iteration_limit=10)
    assert again.stopped_by is fp.StoppedBy.MEMORY
    assert planner.solve(problem, iteration_limit=10).stopped_by is fp.StoppedBy.ITERATIONS


def test_better_paths_are_told_and_solving_again_is_never_worse(make: Maker) -> None:
    si, problem = unicycle_system(), unicycle_problem()
    told: list[tuple[float, float]] = []
    planner = make(si, seed=3)
    cost = math.inf
    for _ in range(4):
        result = planner.solve(
            problem,
            iteration_limit=iterations(make, SOME),
            stop_at_path=False,
            on_better=lambda path, cost: told.append((cost, path.length())),
        )
        assert result.cost <= cost
        cost = result.cost
    assert math.isfinite(cost)
    costs = [c for c, _ in told]
    assert costs == sorted(set(costs), reverse=True)
    assert costs[-1] == cost
    assert all(c == pytest.approx(length) for c, length in told)


def test_a_start_in_the_goal_is_a_path_without_motions(make: Maker) -> None:
    problem = fp.Problem([4.5, 4.4, 1.0], fp.GoalState([4.5, 4.5, 0], 0.5, axes=[0, 1]))
    result = make(unicycle_system(), seed=1).solve(problem, time_limit=5.0)
    assert result
    assert result.cost == 0.0
    assert result.path is not None
    assert len(result.path.states) == 1
    assert result.path.check()


def test_several_starts_are_tried(make: Maker) -> None:
    si = box_system(2, is_valid=lambda x: not 0.45 < x[0] < 0.6)
    problem = fp.Problem([[0.1, 0.1], [0.5, 0.5], [0.9, 0.1]], [0.9, 0.4], goal_tolerance=0.1)
    result = make(si, seed=1).solve(problem, iteration_limit=2_000, stop_at_path=True)
    assert result
    assert result.path is not None
    assert result.path.states[0].tolist() == [0.9, 0.1]


def test_the_tree_is_readable(make: Maker) -> None:
    si, problem = unicycle_system(), unicycle_problem()
    result = make(si, seed=1).solve(problem, iteration_limit=300, stop_at_path=False)
    data = result.planner_data()
    assert data.vertex_count == result.statistics.nodes
    assert data.edge_count == data.vertex_count - 1
    assert data.start_indices.tolist() == [0]
    for i in range(0, data.edge_count, 37):
        source, target = data.edges[i]
        reached = si.propagate(data.states[source], data.controls[i], data.durations[i])
        assert si.state_space.distance(reached, data.states[target]) < 1e-9


def test_time_limits_hold_with_slow_callbacks(make: Maker) -> None:
    calls = 0

    def slow(x: Any) -> bool:
        nonlocal calls
        calls += 1
        time.sleep(0.005)
        return bool(x[0] < 2.0)

    si = box_system(2, is_valid=slow)
    planner = make(si, seed=1)
    problem = fp.Problem([0.1, 0.1], [0.9, 0.9], goal_tolerance=1e-9)
    assert planner.solve(problem, time_limit=0.0).statistics.iterations == 0
    calls = 0
    result = planner.solve(problem, time_limit=0.01)
    assert result.stopped_by is fp.StoppedBy.TIME
    assert calls < 2 + 4 * 5


def test_exceptions_of_callbacks_reach_the_caller(make: Maker) -> None:
    armed = False

    def free(x: Any) -> bool:
        if armed and 0.2 < x[0] < 0.8:
            raise ZeroDivisionError("from the callback")
        return True

    si = box_system(2, is_valid=free)
    planner = make(si, seed=1)
    problem = fp.Problem([0.1, 0.1], [0.9, 0.9], goal_tolerance=1e-9)
    armed = True
    with pytest.raises(ZeroDivisionError, match="from the callback"):
        planner.solve(problem, iteration_limit=1000)
    armed = False
    again = planner.solve(problem, iteration_limit=50)
    assert again or again.statistics.iterations > 50


def test_a_goal_that_answers_nonsense_is_named(make: Maker) -> None:
    def nowhere(x: Any) -> Any:
        if x[0] == 0.9:
            return 0.0
        return 1.0 if x[0] < 0.3 else None

    si = box_system(2)
    problem = fp.Problem([0.1, 0.1], fp.GoalFunction(nowhere, 0.1, samples=[[0.9, 0.9]]))
    with pytest.raises(CallbackTypeError, match="nowhere"):
        make(si, seed=1).solve(problem, iteration_limit=5000)


def test_ctrl_c_ends_with_what_has_been_found(make: Maker) -> None:
    def condition() -> bool:
        raise KeyboardInterrupt

    problem = fp.Problem([0.5, 0.5, 0], [4.5, 4.5, 3.0], goal_tolerance=1e-9)
    result = make(unicycle_system(), seed=1).solve(problem, condition=condition)
    assert result.status is fp.Status.INTERRUPTED


def test_the_users_condition_and_cost_stop_it(make: Maker) -> None:
    si, problem = unicycle_system(), unicycle_problem()
    asked, patience = 0, 0 if make is fp.MultipleShooting else 3  # shooting gets there in a moment

    def enough() -> bool:
        nonlocal asked
        asked += 1
        return asked > patience

    hard = fp.Problem([0.5, 0.5, 0], [4.5, 4.5, 3.0], goal_tolerance=1e-9)
    assert make(si, seed=1).solve(hard, condition=enough).stopped_by is fp.StoppedBy.CONDITION
    cheap = make(si, seed=1).solve(
        problem, cost_limit=1e6, iteration_limit=MANY, stop_at_path=False
    )
    assert cheap.stopped_by is fp.StoppedBy.COST


def test_other_objectives_agree_with_the_path(make: Maker) -> None:
    si = unicycle_system()
    objective = fp.PathLength() + 0.5 * fp.ControlEffort()
    problem = fp.Problem(
        [0.5, 0.5, 0], fp.GoalState([3.0, 0.5, 0], 0.5, axes=[0, 1]), objective=objective
    )
    result = make(si, seed=1).solve(problem, iteration_limit=5000, stop_at_path=True)
    assert result
    assert result.path is not None
    assert result.cost == pytest.approx(result.path.cost(objective), rel=1e-9)


@pytest.mark.parametrize("kind", ["SE3", "SO3", "discrete", "time"])
def test_spaces_of_every_kind(make: Maker, kind: str) -> None:
    si, problem = _special(kind)
    if kind == "discrete" and make is fp.MultipleShooting:
        with pytest.raises(InputError, match="whole numbers"):
            make(si, seed=1)
        return
    limit = iterations(make, 400)
    result = make(si, seed=1).solve(problem, iteration_limit=limit, stop_at_path=True)
    path = result.path or result.approximate_path
    assert path is not None
    assert path.check()


def _special(kind: str) -> tuple[fp.SpaceInformation, fp.Problem]:
    turn = fp.RealVectorControlSpace([-1.0] * 3, [1.0] * 3)
    options: dict[str, Any] = {
        "propagation_step_size": 0.1,
        "max_control_steps": 5,
        "compile": False,
    }
    if kind == "SO3":
        si = fp.SpaceInformation(fp.SO3StateSpace(), turn, dynamics=_spin, **options)
        return si, fp.Problem([0, 0, 0, 1], [1, 0, 0, 0], goal_tolerance=0.3)
    if kind == "SE3":
        space = fp.SE3StateSpace([0.0] * 3, [1.0] * 3)
        si = fp.SpaceInformation(space, turn, dynamics=_float, **options)
        start, goal = [0.2, 0.2, 0.2, 0, 0, 0, 1], [0.8, 0.8, 0.8, 0, 0, 1, 0]
        return si, fp.Problem(start, goal, goal_tolerance=0.5)
    if kind == "time":
        timed = fp.CompoundStateSpace(
            [fp.RealVectorStateSpace([0], [1]), fp.TimeStateSpace(0.0, 10.0)]
        )
        si = fp.SpaceInformation(
            timed,
            fp.RealVectorControlSpace([-1], [1]),
            dynamics=lambda x, u: (u[0], 1.0),
            **options,
        )
        return si, fp.Problem([0.1, 0.0], fp.GoalState([0.9, 5.0], 0.1, axes=[0]))
    geared = fp.CompoundControlSpace(
        [fp.RealVectorControlSpace([-1.0], [1.0]), fp.DiscreteControlSpace(-1, 2)]
    )
    si = fp.SpaceInformation(
        fp.RealVectorStateSpace([0.0], [1.0]),
        geared,
        dynamics=lambda x, u: (u[0] * u[1],),
        **options,
    )
    return si, fp.Problem([0.1], [0.9], goal_tolerance=0.05)


def _spin(x: Any, u: Any) -> Any:
    a, b, c, w = x
    p, q, r = u
    return (
        0.5 * (w * p + b * r - c * q),
        0.5 * (w * q + c * p - a * r),
        0.5 * (w * r + a * q - b * p),
        -0.5 * (a * p + b * q + c * r),
    )


def _float(x: Any, u: Any) -> Any:
    return (u[0], u[1], u[2], *_spin(x[3:], u))


def test_a_limit_is_asked_for_and_arguments_are_checked(make: Maker) -> None:
    si, problem = unicycle_system(), unicycle_problem()
    with pytest.raises(InputError, match="needs a limit"):
        make(si, seed=1).solve(problem)
    with pytest.raises(InputError, match="time_limit must not be negative"):
        make(si, seed=1).solve(problem, time_limit=-1.0)
    with pytest.raises(InputError, match="seed"):
        make(si, seed=1.5)
    assert make(si).seed != make(si).seed
    planner, answers = make(si, seed=1), iter([False, True] * 2)
    for limit in (2**70, 2**63 - 1):
        result = planner.solve(problem, iteration_limit=limit, condition=answers.__next__)
        assert result.stopped_by in {fp.StoppedBy.CONDITION, fp.StoppedBy.GOAL}


def test_another_problem_starts_a_new_tree(make: Maker) -> None:
    si = unicycle_system()
    planner = make(si, seed=1)
    first = planner.solve(unicycle_problem(), iteration_limit=200, stop_at_path=False)
    second = planner.solve(unicycle_problem(), iteration_limit=200, stop_at_path=False)
    assert second.statistics.iterations == 200
    assert first.cost == second.cost
    problem = unicycle_problem()
    planner.solve(problem, iteration_limit=200, stop_at_path=False)
    planner.clear()
    third = planner.solve(problem, iteration_limit=200, stop_at_path=False)
    assert third.statistics.iterations == 200


def test_plain_python_gives_the_tree_that_compiled_code_gives(make: Maker) -> None:
    def far(x: Any) -> bool:
        return bool((x[0] - 2.0) ** 2 + (x[1] - 2.0) ** 2 > 0.5)

    spaces = (
        fp.SE2StateSpace([0, 0], [4, 4]),
        fp.RealVectorControlSpace([-0.5, -1.0], [1.0, 1.0]),
    )
    options: dict[str, Any] = {
        "dynamics": unicycle,
        "is_valid": far,
        "propagation_step_size": 0.1,
        "max_control_steps": 8,
    }
    problem = fp.Problem([0.5, 0.5, 0], [3.5, 3.5, 0], goal_tolerance=0.5)
    trees = []
    for compiles in (True, False):
        si = fp.SpaceInformation(*spaces, **options, compile=compiles)
        planner = make(si, seed=4)
        if isinstance(planner, fp.SyclopRRT | fp.SyclopEST):
            planner = type(planner)(si, seed=4, free_volume_samples=0)
        result = planner.solve(problem, iteration_limit=120, stop_at_path=False)
        trees.append(result.planner_data().states)
    assert trees[0].shape == trees[1].shape
    assert np.abs(trees[0] - trees[1]).max() < 1e-9
