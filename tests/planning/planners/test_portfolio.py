"""Several planners side by side."""

import math
import threading
import time
from typing import Any

import numba
import numpy as np
import pytest

import footwork.planning as fp
from footwork.errors import InputError
from footwork.planning.planners.search import Search
from tests.planning.planners.systems import (
    box_system,
    unicycle_problem,
    unicycle_system,
)


def test_the_first_path_ends_it() -> None:
    si, problem = unicycle_system(), unicycle_problem()
    portfolio = fp.Portfolio(si, seed=1, workers=2)
    result = portfolio.solve(problem, time_limit=60.0)
    assert result
    assert result.path is not None
    assert result.path.check()
    assert portfolio.winner in portfolio.members


def test_the_best_by_the_limit_is_the_best_of_all_members() -> None:
    si, problem = unicycle_system(), unicycle_problem()

    def members() -> list[fp.Planner]:
        return [fp.EST(si, seed=1), fp.SST(si, seed=2), fp.RRT(si, seed=3)]

    told: list[float] = []
    result = fp.Portfolio(si, members()).solve(
        problem,
        iteration_limit=3000,
        stop_at_path=False,
        on_better=lambda path, cost: told.append(cost),
    )
    alone = [
        member.solve(problem, iteration_limit=3000, stop_at_path=False) for member in members()
    ]
    assert result.cost == min(r.cost for r in alone)
    assert told == sorted(told, reverse=True)
    assert told[-1] == result.cost


def test_members_join_one_after_another() -> None:
    si = unicycle_system()
    hard = fp.Problem([0.5, 0.5, 0], [4.5, 4.5, 3], goal_tolerance=1e-9)
    portfolio = fp.Portfolio(si, [fp.EST(si, seed=i) for i in range(3)], workers=1)
    portfolio.solve(hard, condition=lambda: iterations(portfolio)[0] > 100)
    first, *others = iterations(portfolio)
    assert first > 100
    assert others == [0, 0]
    portfolio.solve(hard, iteration_limit=50)
    assert iterations(portfolio) == [first + 50, 50, 50]


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="takes minutes as plain Python")
def test_shooting_wins_where_trees_do_not_come_to_rest() -> None:
    si = fp.models.planar_quadrotor([-1.0, -1.0], [5.0, 3.0])
    problem = fp.Problem([0.0] * 6, [2.0, 1.0, 0.0, 0.0, 0.0, 0.0], goal_tolerance=0.01)
    shooting = fp.MultipleShooting(si, seed=1)
    portfolio = fp.Portfolio(si, [fp.EST(si, seed=1), shooting], workers=2)
    result = portfolio.solve(problem, time_limit=60.0)
    assert result.raise_if_failed().path is not None
    assert portfolio.winner is shooting
    assert result.statistics.extra["members"] == 2.0


def test_from_six_numbers_on_shooting_is_a_member_and_sits_out_without_a_goal_state() -> None:
    assert not any(m.needs_goal_state for m in fp.Portfolio(unicycle_system(), seed=1).members)
    si = fp.models.planar_quadrotor([-1.0, -1.0], [5.0, 3.0])
    portfolio = fp.Portfolio(si, seed=1, workers=1)
    assert [type(m) for m in portfolio.members[:2]] == [fp.EST, fp.MultipleShooting]
    nowhere = fp.GoalFunction(lambda x: x[0] > 4.9, compile=False)
    result = portfolio.solve(fp.Problem([0.0] * 6, nowhere), iteration_limit=1)
    assert result.statistics.extra["members"] == len(portfolio.members) - 1
    alone = fp.Portfolio(si, [fp.MultipleShooting(si, seed=1)])
    with pytest.raises(InputError, match="samples="):
        alone.solve(fp.Problem([0.0] * 6, nowhere), iteration_limit=1)


def iterations(portfolio: fp.Portfolio) -> list[int]:
    searches = [member._search for member in portfolio.members]
    return [0 if search is None else search.iterations for search in searches]


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="a kernel gives way only compiled")
def test_a_pause_ends_a_slice_and_shows_in_nothing() -> None:
    si = unicycle_system()
    hard = fp.Problem([0.5, 0.5, 0], [4.5, 4.5, 3], goal_tolerance=1e-9)
    planner, calm = fp.EST(si, seed=1), fp.EST(si, seed=1)
    planner.solve(hard, iteration_limit=10)
    search = planner._search
    assert isinstance(search, Search)
    thread = threading.Thread(
        target=search.advance,
        kwargs={"work": 10**15, "iteration_limit": 10**6, "memory_limit": math.inf},
    )
    thread.start()
    while search.iterations < 20:
        time.sleep(0.001)
    search.pause()
    thread.join(timeout=60.0)
    assert not thread.is_alive()
    assert search.iterations < 10**6
    calm.solve(hard, iteration_limit=search.iterations)
    assert isinstance(calm._search, Search)
    assert np.array_equal(search.tree.state[:20], calm._search.tree.state[:20])
    assert search.node_count == calm._search.node_count


def test_nobody_finds_what_cannot_be_reached() -> None:
    si = box_system(2, is_valid=lambda x: x[0] < 0.5 or x[0] > 0.7)
    problem = fp.Problem([0.1, 0.1], [0.9, 0.9], goal_tolerance=0.1)
    portfolio = fp.Portfolio(si, [fp.EST(si, seed=1), fp.RRT(si, seed=2)])
    result = portfolio.solve(problem, iteration_limit=100)
    assert result.status is fp.Status.APPROXIMATE
    assert portfolio.winner is None
    assert math.isinf(result.cost)


def test_a_start_in_collision_is_said_at_once() -> None:
    si = unicycle_system()
    result = fp.Portfolio(si, seed=1).solve(
        fp.Problem([2.5, 2.5, 0], [4.5, 4.5, 0]), time_limit=10.0
    )
    assert result.status is fp.Status.INVALID_START


def test_exceptions_and_interrupts_of_callbacks() -> None:
    def free(x: Any) -> bool:
        if x[0] > 0.3 and x[0] < 0.8:
            raise ZeroDivisionError("inside")
        return True

    si = box_system(2, is_valid=free)
    problem = fp.Problem([0.1, 0.1], [0.9, 0.9])
    with pytest.raises(ZeroDivisionError, match="inside"):
        fp.Portfolio(si, [fp.EST(si, seed=1), fp.RRT(si, seed=2)]).solve(problem, time_limit=60)

    def interrupt() -> bool:
        raise KeyboardInterrupt

    calm = unicycle_system()
    hard = fp.Problem([0.5, 0.5, 0], [4.5, 4.5, 3], goal_tolerance=1e-9)
    result = fp.Portfolio(calm, [fp.EST(calm, seed=1)]).solve(hard, condition=interrupt)
    assert result.stopped_by is fp.StoppedBy.INTERRUPT


def test_it_goes_on_where_it_stopped() -> None:
    si, problem = unicycle_system(), unicycle_problem()
    portfolio = fp.Portfolio(si, [fp.SST(si, seed=1), fp.SST(si, seed=2)], workers=1)
    costs = [
        portfolio.solve(problem, iteration_limit=1500, stop_at_path=False).cost for _ in range(3)
    ]
    assert costs == sorted(costs, reverse=True)


def test_members_must_fit() -> None:
    si = unicycle_system()
    with pytest.raises(InputError, match="at least one"):
        fp.Portfolio(si, [])
    with pytest.raises(InputError, match="another SpaceInformation"):
        fp.Portfolio(si, [fp.EST(box_system(2))])
    with pytest.raises(InputError, match="workers"):
        fp.Portfolio(si, workers=0)
    with pytest.raises(InputError, match="limit"):
        fp.Portfolio(si).solve(unicycle_problem())


def test_what_it_is_told_is_checked_before_anything_runs() -> None:
    si, problem = unicycle_system(), unicycle_problem()
    one: Any = fp.EST(si, seed=1)
    with pytest.raises(InputError, match=r"members\[1\].* is there already"):
        fp.Portfolio(si, [one, one])
    wrong: Any
    for wrong in (5, [one, 3]):
        with pytest.raises(InputError, match="members"):
            fp.Portfolio(si, wrong)
    for wrong in (None, "x", 1.5):
        with pytest.raises(InputError, match="seed"):
            fp.Portfolio(si, seed=wrong)
    for wrong in ("x", [1], True, math.nan, -1):
        with pytest.raises(InputError, match="memory_limit"):
            fp.Portfolio(si, [one]).solve(problem, memory_limit=wrong)
    with pytest.raises(InputError, match="on_better"):
        fp.Portfolio(si, [one]).solve(problem, iteration_limit=1, on_better=wrong)
    unlimited: Any = math.inf
    result = fp.Portfolio(si, [one]).solve(problem, memory_limit=unlimited, iteration_limit=1)
    assert result.stopped_by is fp.StoppedBy.ITERATIONS
