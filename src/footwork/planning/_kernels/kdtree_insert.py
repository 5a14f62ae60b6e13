"""How the kd-tree grows.

A full bucket is halved at the median of its widest axis. Where a subtree has become lopsided
(sorted insertions do that) it is rebuilt, as in a scapegoat tree, so that the depth stays
logarithmic.

Source: bentley1975multidimensional, galperin1993scapegoat; the combination is ours
"""

import math
from typing import Any

import numpy as np

from footwork._numba import F8, I8, IOUT1, MAT, OUT1, OUT2, VOID, kernel
from footwork.planning._kernels.kdtree import (
    BLOCK,
    BLOCKS,
    BUCKET,
    FREE_BLOCKS,
    FREE_NODES,
    KDTREE,
    LEFT,
    NODES,
    PARENT,
    SIZE,
    STACK,
    outside,
)

LOPSIDED = 0.75
"""A node is lopsided when one child holds more than this share."""
SLACK = 4
"""Levels above the ideal before a lopsided node is looked for."""


@kernel(I8(KDTREE), counted=False)
def take_pair(tree: Any) -> int:
    """Take two neighbouring nodes; give the first."""
    used = tree.used
    if used[FREE_NODES] > 0:
        used[FREE_NODES] -= 1
        return tree.free_node[used[FREE_NODES]]
    used[NODES] += 2
    return used[NODES] - 2


@kernel(I8(KDTREE), counted=False)
def take_block(tree: Any) -> int:
    """Take an empty bucket."""
    used = tree.used
    if used[FREE_BLOCKS] > 0:
        used[FREE_BLOCKS] -= 1
        block = tree.free_block[used[FREE_BLOCKS]]
    else:
        block = used[BLOCKS]
        used[BLOCKS] += 1
    tree.fill[block] = 0
    return block


@kernel(VOID(KDTREE, I8, I8, I8, I8), counted=False)
def make_leaf(tree: Any, node: int, parent: int, block: int, size: int) -> None:
    """Make a node an empty leaf with an empty box, in which ``size`` points will lie."""
    tree.link[node, LEFT] = -1
    tree.link[node, BLOCK] = block
    tree.link[node, SIZE] = size
    tree.link[node, PARENT] = parent
    tree.least[node] = math.inf
    for i in range(tree.low.shape[1]):
        tree.low[node >> 1, i, node & 1] = math.inf
        tree.high[node >> 1, i, node & 1] = -math.inf


@kernel(VOID(KDTREE, I8, MAT, I8, F8), counted=False, forced=True)
def widen(tree: Any, node: int, states: Any, row: int, price: float) -> None:
    """Widen the box of a node to hold a row of ``states``, at a price."""
    pair, side = node >> 1, node & 1
    tree.least[node] = min(tree.least[node], price)
    for i in range(tree.low.shape[1]):
        x = states[row, i]
        tree.low[pair, i, side] = min(tree.low[pair, i, side], x)
        tree.high[pair, i, side] = max(tree.high[pair, i, side], x)


@kernel(I8(KDTREE, I8), counted=False)
def widest_axis(tree: Any, node: int) -> int:
    """Find the axis along which the box of a node is widest, in the metric."""
    pair, side = node >> 1, node & 1
    best = -1.0
    axis = 0
    for i in range(tree.low.shape[1]):
        extent = (tree.high[pair, i, side] - tree.low[pair, i, side]) * tree.scale[i]
        if extent > best:
            best = extent
            axis = i
    return axis


@kernel(VOID(KDTREE, I8, OUT2), counted=False)
def split(tree: Any, node: int, scratch: Any) -> None:
    """Halve a full leaf at the median of its widest axis."""
    block = tree.link[node, BLOCK]
    axis = widest_axis(tree, node)
    for j in range(BUCKET):  # insertion sort: values in row 0, their places in row 1
        value = tree.point[block, axis, j]
        k = j
        while k > 0 and scratch[0, k - 1] > value:
            scratch[0, k] = scratch[0, k - 1]
            scratch[1, k] = scratch[1, k - 1]
            k -= 1
        scratch[0, k] = value
        scratch[1, k] = float(j)
    for j in range(BUCKET):
        scratch[0, int(scratch[1, j])] = float(j)
    left = take_pair(tree)
    other = take_block(tree)
    make_leaf(tree, left, node, block, BUCKET // 2)
    make_leaf(tree, left + 1, node, other, BUCKET // 2)
    kept = 0
    for j in range(BUCKET):
        lower = scratch[0, j] < BUCKET // 2
        into = block if lower else other
        place = kept if lower else j - kept
        side = 0 if lower else 1
        child = left + side
        for i in range(tree.low.shape[1]):
            x = tree.point[block, i, j]
            tree.point[into, i, place] = x
            tree.low[left >> 1, i, side] = min(tree.low[left >> 1, i, side], x)
            tree.high[left >> 1, i, side] = max(tree.high[left >> 1, i, side], x)
        tree.item[into, place] = tree.item[block, j]
        tree.price[into, place] = tree.price[block, j]
        tree.home[tree.item[into, place]] = child
        tree.least[child] = min(tree.least[child], tree.price[block, j])
        kept += 1 if lower else 0
    tree.fill[block] = BUCKET // 2
    tree.fill[other] = BUCKET // 2
    tree.link[node, LEFT] = left


@kernel(I8(KDTREE, I8, MAT, I8), counted=False, forced=True)
def nearer_child(tree: Any, left: int, states: Any, row: int) -> int:
    """Choose the child whose box a point widens least, then the nearer centre, then the smaller."""
    pair, right = left >> 1, left + 1
    wider, centre = 0.0, 0.0
    for i in range(tree.low.shape[1]):
        x, s = states[row, i], tree.scale[i]
        left_low, left_high = tree.low[pair, i, 0], tree.high[pair, i, 0]
        right_low, right_high = tree.low[pair, i, 1], tree.high[pair, i, 1]
        wider += s * (outside(x, left_low, left_high) - outside(x, right_low, right_high))
        centre += s * abs(2.0 * x - left_low - left_high)
        centre -= s * abs(2.0 * x - right_low - right_high)
    if wider != 0.0:
        return left if wider < 0.0 else right
    if centre != 0.0:
        return left if centre < 0.0 else right
    return left if tree.link[left, SIZE] <= tree.link[right, SIZE] else right


@kernel(VOID(MAT, IOUT1, I8, I8, I8), counted=False)
def halve(points: Any, order: Any, first: int, last: int, axis: int) -> None:
    """Order ``order[first:last]`` so that its lower half along an axis comes first.

    Source: hoare1961find
    """
    middle = (first + last) // 2
    last -= 1
    while first < last:
        pivot = points[order[(first + last) // 2], axis]
        i, j = first, last
        while i <= j:
            while points[order[i], axis] < pivot:
                i += 1
            while points[order[j], axis] > pivot:
                j -= 1
            if i <= j:
                order[i], order[j] = order[j], order[i]
                i += 1
                j -= 1
        if middle <= j:
            last = j
        elif middle >= i:
            first = i
        else:
            return


@kernel(VOID(KDTREE, I8, OUT2, IOUT1, OUT1, OUT2), counted=False)
def gather(tree: Any, root: int, points: Any, items: Any, prices: Any, scratch: Any) -> None:
    """Copy the points below a node and put its nodes and buckets on the free lists."""
    used = tree.used
    count = 0
    depth = 1
    scratch[2, 0] = float(root)
    while depth > 0:
        depth -= 1
        node = int(scratch[2, depth])
        left = tree.link[node, LEFT]
        if left >= 0:
            scratch[2, depth] = float(left)
            scratch[2, depth + 1] = float(left + 1)
            depth += 2
            tree.free_node[used[FREE_NODES]] = left
            used[FREE_NODES] += 1
            continue
        block = tree.link[node, BLOCK]
        for j in range(tree.fill[block]):
            for i in range(points.shape[1]):
                points[count, i] = tree.point[block, i, j]
            items[count] = tree.item[block, j]
            prices[count] = tree.price[block, j]
            count += 1
        tree.free_block[used[FREE_BLOCKS]] = block
        used[FREE_BLOCKS] += 1


@kernel(VOID(KDTREE, I8, OUT2))
def rebuild(tree: Any, root: int, scratch: Any) -> None:
    """Build the subtree of a node anew, balanced."""
    size = tree.link[root, SIZE]
    dimension = tree.low.shape[1]
    points = np.empty((size, dimension))
    items, prices = np.empty(size, np.int64), np.empty(size)
    gather(tree, root, points, items, prices, scratch)
    order = np.arange(size)
    todo = np.empty((STACK, 3), np.int64)
    todo[0, 0], todo[0, 1], todo[0, 2] = root, 0, size
    depth = 1
    while depth > 0:
        depth -= 1
        node, first, last = todo[depth, 0], todo[depth, 1], todo[depth, 2]
        make_leaf(tree, node, tree.link[node, PARENT], -1, last - first)
        for j in range(first, last):
            widen(tree, node, points, order[j], prices[order[j]])
        if last - first > BUCKET:
            halve(points, order, first, last, widest_axis(tree, node))
            left, middle = take_pair(tree), (first + last) // 2
            tree.link[node, LEFT] = left
            tree.link[left, PARENT], tree.link[left + 1, PARENT] = node, node
            todo[depth, 0], todo[depth, 1], todo[depth, 2] = left, first, middle
            todo[depth + 1, 0], todo[depth + 1, 1], todo[depth + 1, 2] = left + 1, middle, last
            depth += 2
            continue
        block = take_block(tree)
        tree.link[node, BLOCK] = block
        tree.fill[block] = last - first
        for j in range(first, last):
            for i in range(dimension):
                tree.point[block, i, j - first] = points[order[j], i]
            tree.item[block, j - first] = items[order[j]]
            tree.price[block, j - first] = prices[order[j]]
            tree.home[items[order[j]]] = node


@kernel(VOID(KDTREE, I8, OUT2), counted=False)
def balance(tree: Any, depth: int, scratch: Any) -> None:
    """Rebuild the lowest lopsided node on the path of nodes in row 3 of ``scratch``."""
    for level in range(depth - 2, -1, -1):
        node, child = int(scratch[3, level]), int(scratch[3, level + 1])
        if tree.link[child, SIZE] > LOPSIDED * tree.link[node, SIZE]:
            rebuild(tree, node, scratch)
            return


@kernel(VOID(KDTREE, MAT, I8, I8, F8, OUT2), counted=False)
def insert(tree: Any, states: Any, row: int, item: int, price: float, scratch: Any) -> None:
    """Insert a row of ``states`` under a number, at a price.

    Args:
        tree: The tree, with room for one more point (see `blocks_for`).
        states: States, angles within [-π, π].
        row: Which of them.
        item: The number that `nearest` gives back.
        price: Any number, for searches of the cheapest.
        scratch: Room, shape (4, 512).
    """
    link = tree.link
    if tree.used[NODES] == 0:
        tree.used[NODES] = 2  # nodes come in pairs; the root is alone
        make_leaf(tree, 0, -1, take_block(tree), 0)
    node = 0
    depth = 0
    while True:
        scratch[3, depth] = float(node)
        depth += 1
        if link[node, LEFT] < 0 and tree.fill[link[node, BLOCK]] == BUCKET:
            split(tree, node, scratch)
        widen(tree, node, states, row, price)
        link[node, SIZE] += 1
        if link[node, LEFT] < 0:
            break
        node = nearer_child(tree, link[node, LEFT], states, row)
    block = link[node, BLOCK]
    place = tree.fill[block]
    for i in range(tree.low.shape[1]):
        tree.point[block, i, place] = states[row, i]
    tree.item[block, place] = item
    tree.price[block, place] = price
    tree.home[item] = node
    tree.fill[block] = place + 1
    if depth > 12:
        ideal = math.log(link[0, SIZE] / (BUCKET // 2)) / -math.log(LOPSIDED)
        if depth > ideal + SLACK:
            balance(tree, depth, scratch)


@kernel(VOID(KDTREE, I8, MAT, I8, F8), counted=False)
def move(tree: Any, item: int, states: Any, row: int, price: float) -> None:
    """Put a point elsewhere, at a price; boxes grow to hold it, and never shrink again.

    Args:
        tree: The tree.
        item: Number of the point.
        states: States, angles within [-π, π].
        row: Where it is from now on.
        price: What it costs from now on, not more than before.
    """
    node = tree.home[item]
    block = tree.link[node, BLOCK]
    place = 0
    while tree.item[block, place] != item:
        place += 1
    for i in range(tree.low.shape[1]):
        tree.point[block, i, place] = states[row, i]
    tree.price[block, place] = price
    while node >= 0:
        widen(tree, node, states, row, price)
        node = tree.link[node, PARENT]
