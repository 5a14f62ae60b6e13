"""What only SST promises: it stays sparse, and its cost sinks towards the least."""

import math
from typing import Any

import numba
import numpy as np
import pytest

import footwork.planning as fp
from footwork.errors import InputError
from footwork.planning._kernels.sst import FREE
from footwork.planning.planners.sst_search import SstSearch
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
    witnesses = np.array(
        [
            own.kdtree.point[b, :, j]
            for b in range(int(own.kdtree.used[1]))
            for j in range(int(own.kdtree.fill[b]))
        ]
    )
    items = [
        int(own.kdtree.item[b, j])
        for b in range(int(own.kdtree.used[1]))
        for j in range(int(own.kdtree.fill[b]))
    ]
    for witness, item in zip(witnesses[:200], items, strict=False):
        node = representatives[item]
        assert space.distance(witness, tree.state[node]) <= search.own.parameters[2] + 1e-12


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


def double_integrator(x: Any, u: Any) -> Any:
    return x[1], u[0]


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="needs many iterations")
def test_the_double_integrator_comes_close_to_the_least_time() -> None:
    si = fp.SpaceInformation(
        fp.RealVectorStateSpace([-0.5, -1.5], [1.5, 1.5]),
        fp.RealVectorControlSpace([-1.0], [1.0]),
        dynamics=double_integrator,
        propagation_step_size=0.05,
        max_control_steps=20,
    )
    tolerance = 0.05
    problem = fp.Problem([0.0, 0.0], [1.0, 0.0], goal_tolerance=tolerance)
    # Bang-bang over a distance d from rest to rest takes 2 √d; within the tolerance a little less.
    least = 2.0 * math.sqrt(1.0)
    planner = fp.SST(si, seed=1, selection_radius=0.05, pruning_radius=0.025)
    result = planner.solve(problem, iteration_limit=400_000)
    assert result.path is not None
    assert result.path.check()
    assert result.cost <= 1.15 * least
    assert result.cost >= least - 4.0 * tolerance


def test_radii_must_be_positive() -> None:
    with pytest.raises(InputError, match="pruning_radius"):
        fp.SST(unicycle_system(), pruning_radius=0.0)
    with pytest.raises(InputError, match="selection_radius"):
        fp.SST(unicycle_system(), selection_radius=-1.0)
