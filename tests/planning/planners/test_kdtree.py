"""The kd-tree answers exactly as a scan of all points does."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import footwork.planning as fp
from footwork.planning._kernels.kdtree import (
    BLOCK,
    BUCKET,
    LEFT,
    PARENT,
    SIZE,
    KdTree,
    nearest,
)
from footwork.planning._kernels.kdtree_insert import insert, move
from footwork.planning._kernels.metric import distance
from footwork.planning._kernels.tree_space import distance_of_rows
from footwork.planning.planners.arrays import grow_kdtree, make_kdtree
from footwork.typing import Matrix

SPACES: dict[str, fp.StateSpace] = {
    "line": fp.RealVectorStateSpace([0], [1]),
    "24 axes": fp.RealVectorStateSpace([-1] * 24, [2] * 24),
    "SE2": fp.SE2StateSpace([0, 0], [3, 3]),
    "SE3": fp.SE3StateSpace([0, 0, 0], [1, 1, 1]),
    "SO3": fp.SO3StateSpace(),
    "second-order unicycle": fp.CompoundStateSpace(
        [fp.SE2StateSpace([0, 0], [9, 9]), fp.RealVectorStateSpace([-1, -2], [1, 2])], [1.0, 0.3]
    ),
    "time and number": fp.CompoundStateSpace(
        [fp.TimeStateSpace(0, 5), fp.DiscreteStateSpace(-2, 7), fp.SO2StateSpace()], [1, 0.2, 2]
    ),
}


def scale_of(space: fp.StateSpace) -> Any:
    scale = np.zeros(space.dimension)
    for (_, first, size), weight in zip(space.components, space.weights, strict=True):
        scale[first : first + size] = weight
    return scale


def price_of(i: int) -> float:
    return float((7 * i) % 31)


def grow_tree(space: fp.StateSpace, points: Matrix) -> KdTree:
    tree, scratch = make_kdtree(64, scale_of(space)), np.empty((4, 512))
    capacity = 64
    for i in range(len(points)):
        if i == capacity:
            capacity *= 2
            tree = grow_kdtree(tree, capacity)
        insert(tree, points, i, i, price_of(i), scratch)
    return tree


def find(
    space: fp.StateSpace, tree: KdTree, query: Matrix, row: int, within: float = math.inf
) -> int:
    scratch = np.empty((4, 512))
    return int(nearest(tree, space.components, space.weights, query, row, within, scratch))


def ask(
    space: fp.StateSpace, tree: KdTree, points: Matrix, query: Matrix, row: int
) -> tuple[int, float]:
    item = find(space, tree, query, row)
    return item, float(space.distances(points[item : item + 1], query[row])[0])


def check_invariants(
    tree: KdTree, points: Matrix, prices: list[float] | None = None, *, has_moved: bool = False
) -> int:
    """Boxes are exact until points move, sizes add up, least prices are so, every point is in one
    bucket, its home; gives the depth."""
    prices = [price_of(i) for i in range(len(points))] if prices is None else prices
    seen: list[int] = []
    deepest = 0
    todo = [(0, 1, -1)]
    while todo:
        node, depth, parent = todo.pop()
        deepest = max(deepest, depth)
        assert tree.link[node, PARENT] == parent
        left = int(tree.link[node, LEFT])
        if left >= 0:
            low, high = tree.low[left // 2].min(axis=1), tree.high[left // 2].max(axis=1)
            assert tree.link[node, SIZE] == tree.link[left, SIZE] + tree.link[left + 1, SIZE]
            assert tree.least[node] == min(tree.least[left], tree.least[left + 1])
            todo += [(left, depth + 1, node), (left + 1, depth + 1, node)]
        else:
            block = int(tree.link[node, BLOCK])
            items = tree.item[block, : tree.fill[block]].tolist()
            assert len(items) == tree.link[node, SIZE] <= BUCKET
            assert np.array_equal(tree.point[block, :, : len(items)].T, points[items])
            assert tree.price[block, : len(items)].tolist() == [prices[i] for i in items]
            assert tree.least[node] == min(prices[i] for i in items)
            assert (tree.home[items] == node).all()
            low, high = points[items].min(axis=0), points[items].max(axis=0)
            seen += items
        pair, side = divmod(node, 2)
        assert (tree.low[pair, :, side] <= low).all()
        assert (tree.high[pair, :, side] >= high).all()
        if not has_moved:
            assert (tree.low[pair, :, side] == low).all()
            assert (tree.high[pair, :, side] == high).all()
    assert sorted(seen) == list(range(len(points)))
    return deepest


@pytest.mark.parametrize("name", list(SPACES))
def test_nearest_is_exact_in_every_metric(name: str) -> None:
    space, rng = SPACES[name], np.random.default_rng(1)
    points = np.array([space.sample(rng) for _ in range(900)])
    tree = grow_tree(space, points)
    check_invariants(tree, points)
    queries = np.array([space.sample(rng) for _ in range(60)] + list(points[:20]))
    for row, query in enumerate(queries):
        distances = space.distances(points, query)
        item, d = ask(space, tree, points, queries, row)
        assert d == pytest.approx(distances.min(), abs=1e-7)
        assert distances[item] == pytest.approx(distances.min(), abs=1e-7)
        assert find(space, tree, queries, row, d * (1.0 - 1e-6)) == -1
        assert find(space, tree, queries, row, d * (1.0 + 1e-6) + 1e-7) == item


@pytest.mark.parametrize("name", list(SPACES))
def test_points_that_move_and_become_cheaper_are_found(name: str) -> None:
    space, rng = SPACES[name], np.random.default_rng(5)
    points = np.array([space.sample(rng) for _ in range(700)])
    tree, prices = grow_tree(space, points), [price_of(i) for i in range(700)]
    for i in rng.integers(0, 700, 400).tolist():
        points[i], prices[i] = space.sample_near(rng, points[i], 0.1), 0.9 * prices[i]
        move(tree, i, points, i, prices[i])
    check_invariants(tree, points, prices, has_moved=True)
    more = np.array([space.sample(rng) for _ in range(700)])
    points, prices = np.vstack([points, more]), prices + [price_of(i) for i in range(700, 1400)]
    tree = grow_kdtree(tree, 1400)
    for i in range(700, 1400):
        insert(tree, points, i, i, prices[i], np.empty((4, 512)))
    check_invariants(tree, points, prices, has_moved=True)
    queries = np.array([space.sample(rng) for _ in range(40)])
    for row, query in enumerate(queries):
        best = space.distances(points, query).min()
        assert ask(space, tree, points, queries, row)[1] == pytest.approx(best, abs=1e-7)


@pytest.mark.parametrize("name", list(SPACES))
def test_the_distance_of_rows_is_the_metric(name: str) -> None:
    space, rng = SPACES[name], np.random.default_rng(2)
    points = np.array([space.sample(rng) for _ in range(30)])
    for i in range(29):
        d = distance_of_rows(space.components, space.weights, points, i, points, i + 1)
        assert d == pytest.approx(
            distance(space.components, space.weights, points[i], points[i + 1]), abs=1e-15
        )
        assert d >= 0.0


@given(st.integers(0, 10_000), st.integers(1, 300), st.sampled_from(["SE2", "SE3"]))
def test_clustered_points_are_found_too(seed: int, count: int, name: str) -> None:
    space, rng = SPACES[name], np.random.default_rng(seed)
    centres = np.array([space.sample(rng) for _ in range(3)])
    points = np.array([space.sample_near(rng, centres[i % 3], 0.02) for i in range(count)])
    tree = grow_tree(space, points)
    queries = np.array([space.sample(rng) for _ in range(3)])
    for row, query in enumerate(queries):
        best = space.distances(points, query).min()
        assert ask(space, tree, points, queries, row)[1] == pytest.approx(best, abs=1e-7)


@pytest.mark.parametrize("order", ["sorted", "all the same", "two heaps"])
def test_no_order_of_insertion_makes_it_deep(order: str) -> None:
    space = SPACES["second-order unicycle"]
    count = 3000
    if order == "sorted":
        points = np.linspace(0, 1, count)[:, None] * np.ones(5)
    elif order == "all the same":
        points = np.full((count, 5), 0.5)
    else:
        points = np.repeat(np.arange(2.0), count // 2)[:, None] * np.ones(5)
        points[:, 0] += np.linspace(0, 0.1, count)
    tree = grow_tree(space, points)
    depth = check_invariants(tree, points)
    assert depth <= math.log(count / 16) / -math.log(0.75) + 6
    queries = np.random.default_rng(1).uniform(0, 1, (20, 5))
    for row, query in enumerate(queries):
        best = space.distances(points, query).min()
        assert ask(space, tree, points, queries, row)[1] == pytest.approx(best, abs=1e-12)


def test_angles_are_near_across_the_seam() -> None:
    space = fp.SO2StateSpace()
    points = np.linspace(-3.0, 3.0, 200)[:, None].copy()
    tree = grow_tree(space, points)
    query = np.array([[3.14], [-3.14]])
    assert ask(space, tree, points, query, 0)[1] == pytest.approx(0.14, abs=1e-12)
    assert ask(space, tree, points, query, 1)[1] == pytest.approx(0.14, abs=1e-12)
    two = np.array([[-3.1], [0.0]])
    item, d = ask(space, grow_tree(space, two), two, np.array([[3.1]]), 0)
    assert item == 0
    assert d == pytest.approx(2 * math.pi - 6.2)
