"""What only SST promises: it stays sparse, and its cost sinks towards the least."""

import math
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

import footwork.planning as fp
from footwork.errors import InputError
from footwork.planning._kernels.kdtree import KdTree
from footwork.planning._kernels.sst import FREE, select
from footwork.planning.planners.sst_search import SstSearch
from tests.planning.planners.optima import (
    KnownOptimum,
    double_integrator,
    dubins_car,
    dubins_words,
)
from tests.planning.planners.systems import unicycle_problem, unicycle_system


def search_of(planner: fp.SST) -> SstSearch:
    search = planner._search
    assert isinstance(search, SstSearch)
    return search


def check_sparse(search: SstSearch) -> None:
    """One active node for each witness and near it; every other node has children or is kept."""
    live = set(search.live_nodes().tolist())
    own, tree, space = search.own, search.tree, search.bound.problem.si.state_space
    representatives = own.representative[: search.witness_count].tolist()
    assert search.active_count == search.witness_count == len(set(representatives))
    assert set(representatives) <= live
    children = np.zeros(search.node_count, np.int64)
    for node in live:
        parent = int(tree.parent[node])
        if parent >= 0:
            assert parent in live
            children[parent] += 1
            assert tree.cost[node] > tree.cost[parent]
    spared = 0
    for node in live:
        assert own.children[node] == children[node]
        if own.is_active[node] == 0 and children[node] == 0:
            spared += 1
    assert spared <= 2  # the best end and the closest node
    witnesses, active = points_of(own.witnesses), points_of(own.active)
    assert set(witnesses) == set(active) == set(range(search.witness_count))
    for item, witness in list(witnesses.items())[:200]:
        node = representatives[item]
        assert space.distance(witness, tree.state[node]) <= search._parameters[2] + 1e-12
        assert np.array_equal(active[item], tree.state[node])


def points_of(kdtree: KdTree) -> dict[int, Any]:
    return {
        int(kdtree.item[b, j]): kdtree.point[b, :, j]
        for b in range(int(kdtree.used[1]))
        for j in range(int(kdtree.fill[b]))
    }


@pytest.mark.parametrize("radius", [0.05, 0.4, 3.0])
def test_the_selected_node_is_the_cheapest_within_the_radius_or_the_nearest(radius: float) -> None:
    planner = fp.SST(unicycle_system(), seed=1, selection_radius=radius, pruning_radius=0.2)
    planner.solve(unicycle_problem(), iteration_limit=4000)
    search = search_of(planner)
    space, rng = search.bound.problem.si.state_space, np.random.default_rng(1)
    active = search.own.representative[: search.witness_count]
    for most in (math.inf, float(np.median(search.tree.cost[active])), 1e-9, 0.0):
        alive = active[search.tree.cost[active] < most]
        for _ in range(60):
            query = space.sample(rng)[None, :]
            node = select(search.bound.system, search.own, query, most, np.empty((4, 512)))
            if len(alive) == 0:
                assert node == -1
                continue
            distances = space.distances(search.tree.state[alive], query[0])
            near = alive[distances <= radius]
            if len(near):
                assert search.tree.cost[node] == search.tree.cost[near].min()
                assert node in near
            else:
                assert node == alive[np.argmin(distances)]


def test_the_tree_stays_sparse_and_the_cost_never_rises() -> None:
    planner = fp.SST(unicycle_system(), seed=1, selection_radius=0.4, pruning_radius=0.2)
    problem, costs = unicycle_problem(), []
    for _ in range(6):
        result = planner.solve(problem, iteration_limit=1500)
        costs.append(result.cost)
        check_sparse(search_of(planner))
    assert costs == sorted(costs, reverse=True)
    assert math.isfinite(costs[-1])
    extra = result.statistics.extra
    assert extra["active_nodes"] <= extra["witnesses"]
    assert extra["live_nodes"] == result.statistics.nodes


def test_pruned_rows_are_used_again() -> None:
    planner = fp.SST(unicycle_system(), seed=2, selection_radius=1.0, pruning_radius=0.5)
    planner.solve(unicycle_problem(), iteration_limit=6000)
    search = search_of(planner)
    assert search.node_count < 0.5 * search.iterations
    assert search.witness_count < 500
    assert len(search.live_nodes()) == search.node_count - search.counters[FREE]


@pytest.mark.parametrize("seed", range(50))
def test_the_words_of_dubins_end_at_the_goal(seed: int) -> None:
    rng = np.random.default_rng(seed)
    start, goal = (tuple(rng.uniform([-3, -3, -4], [3, 3, 4]).tolist()) for _ in range(2))
    words = list(dubins_words(start, goal))
    assert len(words) >= 4
    for word in words:
        x, y, yaw = start
        for letter, length in word:
            assert length >= 0.0
            side = {"L": 1.0, "S": 0.0, "R": -1.0}[letter]
            if side == 0.0:
                x, y = x + length * math.cos(yaw), y + length * math.sin(yaw)
            else:
                after = yaw + side * length
                x += side * (math.sin(after) - math.sin(yaw))
                y -= side * (math.cos(after) - math.cos(yaw))
                yaw = after
        assert (x, y) == pytest.approx(goal[:2], abs=1e-6)
        assert math.remainder(yaw - goal[2], 2.0 * math.pi) == pytest.approx(0.0, abs=1e-6)


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="needs many iterations")
@pytest.mark.parametrize("make", [double_integrator, dubins_car])
def test_the_cost_comes_close_to_a_known_optimum(make: Callable[[], KnownOptimum]) -> None:
    known = make()
    result = known.planner(1).solve(known.problem, iteration_limit=400_000)
    assert result.path is not None
    assert result.path.check()
    assert known.least_in_region - 1e-3 <= result.cost <= 1.15 * known.least


def test_numbers_of_a_control_are_bounds_as_often_as_asked() -> None:
    si = unicycle_system()
    for bias in (0.0, 0.3, 1.0):
        planner = fp.SST(
            si, seed=1, selection_radius=0.4, pruning_radius=0.05, goal_bias=0.0, bound_bias=bias
        )
        planner.solve(unicycle_problem(), iteration_limit=1500)
        tree = search_of(planner).tree
        controls = tree.control[1 : search_of(planner).node_count]
        low, high = si.control_space.low, si.control_space.high
        share = float(np.mean((controls == low) | (controls == high)))
        assert share == pytest.approx(bias, abs=0.0 if bias in {0.0, 1.0} else 0.1)
    with pytest.raises(InputError, match="bound_bias"):
        fp.SST(si, bound_bias=1.5)


def test_a_tree_that_is_stuck_is_made_finer() -> None:
    solved = {}
    for factor in (1.0, 0.8):
        planner = fp.SST(
            unicycle_system(),
            seed=1,
            selection_radius=6.0,
            pruning_radius=3.0,
            shrink_factor=factor,
        )
        result = planner.solve(unicycle_problem(), iteration_limit=5000)
        radii = search_of(planner).own.parameters[1:3]
        assert radii[0] == pytest.approx(2.0 * radii[1])
        assert (radii[1] < 3.0) == (factor < 1.0)
        assert result.statistics.extra["pruning_radius"] == radii[1]
        solved[factor] = result.path is not None
    assert solved == {1.0: False, 0.8: True}


def test_radii_shrink_by_a_factor_and_with_patience() -> None:
    for factor in (0.0, -0.5, 1.5):
        with pytest.raises(InputError, match="shrink_factor"):
            fp.SST(unicycle_system(), shrink_factor=factor)
    with pytest.raises(InputError, match="patience"):
        fp.SST(unicycle_system(), patience=0.0)


def test_radii_must_be_positive() -> None:
    with pytest.raises(InputError, match="pruning_radius"):
        fp.SST(unicycle_system(), pruning_radius=0.0)
    with pytest.raises(InputError, match="selection_radius"):
        fp.SST(unicycle_system(), selection_radius=-1.0)
