"""Shooting: guesses pulled into the dynamics, and the planner made of it."""

import math
from typing import Any

import numpy as np
import pytest

from footwork.errors import InputError
from footwork.planning import (
    RRT,
    DiscreteControlSpace,
    GoalFunction,
    GoalState,
    PathLength,
    Problem,
    RealVectorControlSpace,
    RealVectorStateSpace,
    SpaceInformation,
    Status,
    StoppedBy,
    models,
)
from footwork.planning.geometric_guess import GeometricGuess
from footwork.planning.goal_connection import connect_to_goal
from footwork.planning.multiple_shooting import MultipleShooting
from footwork.planning.shooting import Guess, finished
from footwork.planning.shooting_equations import NormalEquations
from footwork.planning.worlds import Boxes, Circles, Disc, Rectangle

REST = np.zeros(6)


def quadrotor(world: Boxes | None = None) -> SpaceInformation:
    return models.planar_quadrotor([-1.0, -1.0], [5.0, 3.0], is_valid=world)


def wall() -> Boxes:
    """Between x = 1.8 and 2.2, open above z = 2."""
    return Boxes([[1.8, -2.0]], [[2.2, 2.0]], footprint=Rectangle(0.6, 0.2))


def point_among_discs() -> SpaceInformation:
    world = Circles([[0.0, 0.0]], 0.5, footprint=Disc(0.1))
    return models.double_integrator([-2.0, -2.0], [2.0, 2.0], is_valid=world)


def test_a_robot_that_flies_comes_to_rest_behind_a_wall_within_a_hundredth() -> None:
    si = quadrotor(wall())
    goal = [4.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    result = MultipleShooting(si, seed=3).solve(
        Problem(REST, goal, goal_tolerance=0.01), iteration_limit=5000
    )
    assert result.status is Status.EXACT
    path = result.path
    assert path is not None
    assert path.check(within_bounds=True)
    assert np.array_equal(path.states[0], REST)
    assert si.state_space.distance(path.states[-1], goal) <= 0.01
    fine = path.copy()
    fine.interpolate()
    assert fine.states[:, 1].max() > 2.0
    assert wall().is_free(fine.states).all()
    assert result.planner_data().vertex_count == path.state_count


def test_better_paths_are_shorter_and_come_close_to_the_least_time() -> None:
    si = models.double_integrator([-2.0, -2.0], [2.0, 2.0], max_acceleration=1.0, max_speed=3.0)
    goal = [1.0, 0.0, 0.0, 0.0]
    costs: list[float] = []
    result = MultipleShooting(si, seed=1).solve(
        Problem([0.0, 0.0, 0.0, 0.0], goal, goal_tolerance=1e-3),
        iteration_limit=2500,
        stop_at_path=False,
        on_better=lambda path, cost: costs.append(cost),
    )
    assert result.stopped_by is StoppedBy.ITERATIONS
    assert costs == sorted(costs, reverse=True)
    assert result.cost == costs[-1]
    assert 2.0 - 0.05 <= result.cost <= 1.15 * 2.0  # bang-bang: 2 √(distance / acceleration)


def test_seed_and_iteration_limit_determine_the_result() -> None:
    si = point_among_discs()
    problem = Problem([-1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], goal_tolerance=0.01)
    paths = [
        MultipleShooting(si, seed=5).solve(problem, iteration_limit=3000).raise_if_failed().path
        for _ in range(2)
    ]
    assert paths[0] is not None
    assert paths[1] is not None
    assert np.array_equal(paths[0].states, paths[1].states)
    assert np.array_equal(paths[0].controls, paths[1].controls)


def test_numbers_of_the_goal_that_do_not_count_are_free() -> None:
    si = point_among_discs()
    goal = GoalState([1.0, 0.0, 0.0, 0.0], 0.01, axes=[0, 1])
    result = MultipleShooting(si, seed=2).solve(
        Problem([-1.0, 0.0, 0.0, 0.0], goal, objective=PathLength()), iteration_limit=3000
    )
    assert result
    assert result.path is not None
    assert np.hypot(*(result.path.states[-1, :2] - [1.0, 0.0])) <= 0.01
    assert result.cost == pytest.approx(result.path.cost(PathLength()))


def test_the_closest_path_of_a_tree_is_pulled_into_the_goal() -> None:
    si = quadrotor()
    problem = Problem(REST, [2.0, 1.0, 0.0, 0.0, 0.0, 0.0], goal_tolerance=0.01)
    result = RRT(si, seed=0).solve(problem, iteration_limit=5000)
    assert result.status is Status.APPROXIMATE
    assert result.approximate_path is not None
    before = result.approximate_path.states.copy()
    path = connect_to_goal(result.approximate_path, problem)
    assert path is not None
    assert path.check(within_bounds=True)
    assert problem.goal.is_satisfied(si.state_space, path.states[-1])
    assert np.array_equal(result.approximate_path.states, before)


def test_what_cannot_be_reached_ends_with_a_status_and_no_path() -> None:
    world = Boxes([[1.8, -9.0]], [[2.2, 9.0]])
    si = models.double_integrator([-1.0, -1.0], [5.0, 3.0], is_valid=world)
    problem = Problem([0.0, 0.0, 0.0, 0.0], [4.0, 0.0, 0.0, 0.0], goal_tolerance=0.1)
    result = MultipleShooting(si, seed=1).solve(problem, iteration_limit=600)
    assert result.status is Status.APPROXIMATE
    assert result.path is None
    assert result.approximate_path is not None
    assert result.approximate_path.check(within_bounds=True)
    end = result.approximate_path.states[-1]
    assert end[0] < 1.8
    assert result.remaining_distance == pytest.approx(
        si.state_space.distance(end, [4.0, 0.0, 0.0, 0.0]) - 0.1
    )
    assert MultipleShooting(si, seed=1).solve(problem, time_limit=0.0).status is Status.TIMEOUT
    inside = Problem([2.0, 0.0, 0.0, 0.0], [4.0, 0.0, 0.0, 0.0])
    assert MultipleShooting(si, seed=1).solve(inside, time_limit=1.0).status is Status.INVALID_START
    assert result.planner_data().vertex_count == result.approximate_path.state_count


def test_a_start_in_the_goal_is_a_path_without_motions() -> None:
    problem = Problem([-1.0, 0.0, 0.0, 0.0], [-1.0, 0.05, 0.0, 0.0], goal_tolerance=0.1)
    result = MultipleShooting(point_among_discs(), seed=1).solve(problem, iteration_limit=5)
    assert result.status is Status.EXACT
    assert result.cost == 0.0
    assert result.path is not None
    assert result.path.control_count == 0
    assert result.planner_data().vertex_count == 1


@pytest.mark.parametrize("dimension", [1, 24])
def test_plain_python_of_any_size_is_pulled_in_and_its_exceptions_reach_the_caller(
    dimension: int,
) -> None:
    calls = 0
    most = math.inf

    def velocity(x: Any, u: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls > most:
            raise ZeroDivisionError("in the dynamics")
        return tuple(u)

    si = SpaceInformation(
        RealVectorStateSpace([-1.0] * dimension, [1.0] * dimension),
        RealVectorControlSpace([-1.0] * dimension, [1.0] * dimension),
        dynamics=velocity,
        propagation_step_size=0.1,
        compile=False,
    )
    problem = Problem([-0.5] * dimension, [0.5] * dimension, goal_tolerance=0.01)
    result = MultipleShooting(si, seed=1).solve(problem, iteration_limit=300)
    assert result
    assert result.path is not None
    assert result.path.check(within_bounds=True)
    most = calls + 3
    with pytest.raises(ZeroDivisionError, match="in the dynamics"):
        MultipleShooting(si, seed=1).solve(problem, iteration_limit=300)


def explodes(x: Any, u: Any) -> Any:
    return 30.0 * x[0] ** 3 + u[0], x[0]


def has_no_sine_of_infinity(x: Any, u: Any) -> Any:
    return 30.0 * x[0] ** 3 - 20.0 * x[0] ** 2 + u[0], math.sin(x[0])


@pytest.mark.parametrize("dynamics", [explodes, has_no_sine_of_infinity])
@pytest.mark.parametrize("compiles", [True, False])
def test_dynamics_that_explode_beyond_the_bounds_are_not_to_blame(
    dynamics: Any, compiles: bool
) -> None:
    si = SpaceInformation(
        RealVectorStateSpace([-2, -2], [2, 2]),
        RealVectorControlSpace([-3], [3]),
        dynamics=dynamics,
        propagation_step_size=0.05,
        max_control_steps=10,
        compile=compiles,
    )
    problem = Problem([0.0, 0.0], [0.0, 0.9], goal_tolerance=1e-3)
    result = MultipleShooting(si, seed=1).solve(problem, iteration_limit=300)
    assert result.statistics.iterations == 300
    assert result.statistics.extra["guesses"] > 3
    assert result.approximate_path is not None
    assert result.approximate_path.check()


def test_what_shooting_cannot_do_is_said() -> None:
    si = SpaceInformation(
        RealVectorStateSpace([-1.0], [1.0]),
        DiscreteControlSpace(0, 3),
        dynamics=lambda x, u: (u[0],),
        propagation_step_size=0.1,
        compile=False,
    )
    with pytest.raises(InputError, match="whole numbers"):
        MultipleShooting(si)
    point = point_among_discs()
    nowhere = Problem([-1.0, 0.0, 0.0, 0.0], GoalFunction(lambda x: x[0], compile=False))
    with pytest.raises(InputError, match="samples="):
        MultipleShooting(point).solve(nowhere, iteration_limit=1)
    with pytest.raises(InputError, match="needs a limit"):
        MultipleShooting(point).solve(Problem([-1.0, 0.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]))


def test_the_banded_step_is_that_of_the_dense_normal_equations() -> None:
    rng = np.random.default_rng(0)
    count, z = 4, 3
    # rows of a chain: each couples one node to the next, as gaps do
    J = np.zeros(((count - 1) * z + count * z, count * z))
    for k in range(count - 1):
        J[k * z : (k + 1) * z, k * z : (k + 2) * z] = rng.normal(size=(z, 2 * z))
    J[(count - 1) * z :] = np.eye(count * z)
    gradient = rng.normal(size=(count, z))
    free = rng.random((count, z)) > 0.3
    damping = np.array([0.1, 0.2, 0.3])
    H = J.T @ J
    diagonal = np.array([H[k * z : (k + 1) * z, k * z : (k + 1) * z] for k in range(count)])
    below = np.array([H[(k + 1) * z : (k + 2) * z, k * z : (k + 1) * z] for k in range(count - 1)])
    equations = NormalEquations(diagonal, below, gradient, free)
    wide = np.full((count, z), np.inf)
    step = equations.solved(damping, -wide, wide)
    kept = np.flatnonzero(free.ravel())
    dense = H + np.diag(np.tile(damping, count))
    expected = np.zeros(count * z)
    expected[kept] = np.linalg.solve(dense[np.ix_(kept, kept)], -gradient.ravel()[kept])
    assert step.ravel() == pytest.approx(expected, abs=1e-12)

    low, high = -0.5 * np.abs(step), 0.5 * np.abs(step[::-1])
    inside = equations.solved(damping, low, high)
    assert (low <= inside).all()
    assert (inside <= high).all()
    moves = ((inside > low) & (inside < high) & free).ravel()
    assert 0 < moves.sum() < len(kept)
    rest = dense @ inside.ravel() + gradient.ravel()
    assert rest[moves] == pytest.approx(np.zeros(moves.sum()), abs=1e-12)


def test_a_robot_that_hangs_upside_down_turns_over_though_its_thrust_is_scarce() -> None:
    # most of the height that it may fall is needed, at full thrust for most of the time
    si = models.planar_quadrotor(
        [-1.0, -2.0],
        [2.0, 3.0],
        mass=0.034,
        inertia=1e-4,
        arm=0.1,
        integrator="euler",
        propagation_step_size=0.01,
    )
    start, goal = [0.0, 1.0, 3.14, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0, 0.0, 0.0]
    result = MultipleShooting(si, seed=4).solve(
        Problem(start, goal, goal_tolerance=0.2), iteration_limit=500
    )
    path = result.raise_if_failed().path
    assert path is not None
    assert path.check(within_bounds=True)


def test_a_stretched_guess_begins_and_ends_where_it_did() -> None:
    si = point_among_discs()
    states = np.linspace([-1.0, 0.0, 0.0, 0.0], [1.0, 1.0, 0.0, 0.0], 6)
    guess = Guess(states=states, controls=np.arange(10.0).reshape(5, 2), steps=5)
    for count in (2, 5, 9):
        other = guess.stretched(si, count)
        assert other.states.shape == (count + 1, 4)
        assert other.controls.shape == (count, 2)
        assert other.states[[0, -1]] == pytest.approx(states[[0, -1]])
    assert guess.stretched(si, 5).states == pytest.approx(states)


def test_ways_past_obstacles_touch_nothing() -> None:
    si = quadrotor(wall())
    ways = GeometricGuess(si, np.random.default_rng(4))
    start, goal = REST, np.array([4.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    way = finished(ways.way(start, goal, tries=400))
    assert way is not None
    assert len(way) > 2
    states = ways.along(way, start, goal, 100)
    assert np.array_equal(states[0], start)
    assert np.array_equal(states[-1], goal)
    assert wall().is_free(states).all()
    assert ways.length(way) > si.state_space.distance(start, goal)


def test_ways_with_a_margin_keep_off_the_obstacles_but_near_their_ends() -> None:
    world = Boxes([[1.8, -2.0], [1.8, 2.5]], [[2.2, 2.0], [2.2, 9.0]])  # a gap of half a metre
    si = models.double_integrator([-1.0, -1.0], [5.0, 3.0], is_valid=world)
    start, goal = np.array([1.7, 0.0, 0.0, 0.0]), np.array([4.0, 0.0, 0.0, 0.0])
    ways = GeometricGuess(si, np.random.default_rng(4))
    nearest = []
    for margin in (0.0, 0.04):
        way = finished(ways.way(start, goal, tries=2000, margin=margin))
        assert way is not None
        states = ways.along(way, start, goal, 200)
        assert world.is_free(states).all()
        nearest.append(
            world.clearance(states[np.hypot(*(states[:, :2] - start[:2]).T) > 0.5]).min()
        )
    assert nearest[0] < 0.05
    assert nearest[1] > 0.08
    assert finished(ways.way(start, goal, tries=100, margin=0.5)) is None


@pytest.mark.filterwarnings("error")
def test_a_control_may_be_fixed() -> None:
    si = SpaceInformation(
        RealVectorStateSpace([-1.0] * 4, [1.0] * 4),
        RealVectorControlSpace([-1.0, -1.0, 0.25], [1.0, 1.0, 0.25]),
        dynamics=lambda x, u: (x[2], x[3], u[0] + u[2], u[1]),
        propagation_step_size=0.05,
        max_control_steps=10,
    )
    problem = Problem([-0.5, -0.5, 0.0, 0.0], [0.5, 0.5, 0.0, 0.0])
    result = MultipleShooting(si, seed=1).solve(problem, iteration_limit=200)
    assert result.status is Status.EXACT
    assert result.path is not None
    assert result.path.check()
    assert (result.path.controls[:, 2] == 0.25).all()
