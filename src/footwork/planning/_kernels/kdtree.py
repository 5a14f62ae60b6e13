"""Incremental bucket kd-tree: exact nearest neighbour in a weighted sum of norms, with wrapping.

Leaves are buckets of 32 points, stored component by component so that a scan is vector code;
every node keeps the exact box of its points. A full bucket is halved at the median of its widest
axis. Where a subtree has become lopsided (sorted insertions do that) it is rebuilt, as in a
scapegoat tree, so that the depth stays logarithmic.

The least distance from a point to a box, the bound that prunes, is Σ wᵢ × (norm of the excess over
the box for a real block; the smaller way round for an angle; for a rotation the chord to the box
of q or of −q, which is never longer than the angle).

Source: bentley1975multidimensional, galperin1993scapegoat; the combination is ours
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import types

from footwork._numba import F8, I8, IMAT, IOUT1, IOUT2, MAT, OUT1, OUT2, OUT3, VEC, VOID, kernel
from footwork.planning._kernels.metric import SO2, SO3, TWO_PI

BUCKET = 64
STACK = 512
NEARLY_PARALLEL = 0.99995
# Columns of `link`.
LEFT = 0
"""First of the two children (the second follows it), -1 in a leaf."""
BLOCK = 1
"""Bucket of a leaf."""
SIZE = 2
"""Points below."""
# Entries of `used`.
NODES = 0
BLOCKS = 1
FREE_NODES = 2
FREE_BLOCKS = 3
LOPSIDED = 0.75
"""A node is lopsided when one child holds more than this share."""
SLACK = 4
"""Levels above the ideal before a lopsided node is looked for."""


class KdTree(NamedTuple):
    """Arrays of a kd-tree.

    Attributes:
        low: Lower corner of each node's box, shape (nodes, n).
        high: Upper corner, shape (nodes, n).
        link: (left child, bucket, points below) of each node, shape (nodes, 3).
        point: Points of each bucket, component by component, shape (buckets, n, 32).
        item: Number of each point, shape (buckets, 32).
        fill: Points in each bucket, shape (buckets,).
        used: Nodes and buckets in use, and how many lie on the free lists, shape (4,).
        free_node: First node of each free pair, shape (nodes,).
        free_block: Free buckets, shape (buckets,).
        scale: Weight of each axis when the widest is looked for, shape (n,).
    """

    low: Any
    high: Any
    link: Any
    point: Any
    item: Any
    fill: Any
    used: Any
    free_node: Any
    free_block: Any
    scale: Any


KDTREE = types.BaseTuple.from_types(
    [OUT2, OUT2, IOUT2, OUT3, IOUT2, IOUT1, IOUT1, IOUT1, IOUT1, OUT1], KdTree
)
"""Numba type of a KdTree."""


def blocks_for(capacity: int) -> int:
    """Buckets that always suffice for a number of points: each but the first is at least half full.

    Args:
        capacity: Number of points.

    Returns:
        Number of buckets; twice as many nodes are needed.
    """
    return capacity // (BUCKET // 2) + 2


@kernel(F8(IMAT, VEC, MAT, MAT, I8, MAT, I8), counted=False, fast=True)
def box_distance(
    components: Any, weights: Any, low: Any, high: Any, node: int, query: Any, row: int
) -> float:
    """Lower bound of the distance from a row of ``query`` to any point in a node's box."""
    total = 0.0
    for c in range(components.shape[0]):
        kind = components[c, 0]
        offset = components[c, 1]
        if kind == SO2:
            q = query[row, offset]
            below = low[node, offset] - q
            above = q - high[node, offset]
            d = max(0.0, max(below, above))
            if d > 0.0:
                other = min(
                    abs(low[node, offset] + TWO_PI - q), abs(q + TWO_PI - high[node, offset])
                )
                d = min(d, other)
            total += weights[c] * d
            continue
        square = 0.0
        mirrored = 0.0
        for k in range(offset, offset + components[c, 2]):
            q = query[row, k]
            d = max(0.0, max(low[node, k] - q, q - high[node, k]))
            square += d * d
            if kind == SO3:
                d = max(0.0, max(low[node, k] + q, -q - high[node, k]))
                mirrored += d * d
        if kind == SO3:
            square = min(square, mirrored)
        total += weights[c] * math.sqrt(square)
    return total


@kernel(F8(OUT3, I8, I8, MAT, I8, I8), counted=False)
def chord_angle(point: Any, block: int, place: int, query: Any, row: int, offset: int) -> float:
    """Angle of two nearly equal rotations by their chord, 2 asin(½ |p ∓ q|), as `metric` has it."""
    plus, minus = 0.0, 0.0
    for k in range(offset, offset + 4):
        p, q = point[block, k, place], query[row, k]
        plus += (p + q) * (p + q)
        minus += (p - q) * (p - q)
    return 2.0 * math.asin(min(1.0, 0.5 * math.sqrt(min(plus, minus))))


@kernel(VOID(IMAT, VEC, OUT3, I8, I8, MAT, I8, OUT2), counted=False, fast=True)
def bucket_distances(
    components: Any,
    weights: Any,
    point: Any,
    block: int,
    count: int,
    query: Any,
    row: int,
    out: Any,
) -> None:
    """Distances from a row of ``query`` to the points of a bucket, into row 0 of ``out``."""
    for j in range(count):
        out[0, j] = 0.0
    for c in range(components.shape[0]):
        kind = components[c, 0]
        offset = components[c, 1]
        weight = weights[c]
        if kind == SO2:
            q = query[row, offset]
            for j in range(count):
                d = abs(q - point[block, offset, j])
                out[0, j] += weight * min(d, abs(TWO_PI - d))
            continue
        for j in range(count):
            out[1, j] = 0.0
        for k in range(offset, offset + components[c, 2]):
            q = query[row, k]
            if kind == SO3:
                for j in range(count):
                    out[1, j] += q * point[block, k, j]
            else:
                for j in range(count):
                    d = q - point[block, k, j]
                    out[1, j] += d * d
        if kind == SO3:
            for j in range(count):
                dot = abs(out[1, j])
                if dot > NEARLY_PARALLEL:
                    gap = chord_angle(point, block, j, query, row, offset)
                else:
                    gap = math.acos(dot)
                out[0, j] += weight * gap
        else:
            for j in range(count):
                out[0, j] += weight * math.sqrt(out[1, j])


@kernel(I8(KDTREE, IMAT, VEC, MAT, I8, OUT2, OUT1), counted=False, fast=True)
def nearest(
    tree: Any, components: Any, weights: Any, query: Any, row: int, scratch: Any, found: Any
) -> int:
    """Find the nearest point to a row of ``query``.

    Depth first, the nearer child first; a node whose box is no nearer than the best is left out.

    Args:
        tree: The tree, not empty.
        components: (kind, offset, size) of each component of the state.
        weights: Weight of each.
        query: States, angles within [-π, π].
        row: Which of them.
        scratch: Room, shape (4, 512).
        found: Receives the distance, shape (1,).

    Returns:
        Number of the nearest point (the one found first among equals).
    """
    low, high, link = tree.low, tree.high, tree.link
    point, item, fill = tree.point, tree.item, tree.fill
    best = math.inf
    best_item = -1
    depth = 1
    scratch[2, 0] = 0.0
    scratch[3, 0] = 0.0
    while depth > 0:
        depth -= 1
        if scratch[3, depth] >= best:
            continue
        node = int(scratch[2, depth])
        while link[node, LEFT] >= 0:
            left = link[node, LEFT]
            a = box_distance(components, weights, low, high, left, query, row)
            b = box_distance(components, weights, low, high, left + 1, query, row)
            node = left if a <= b else left + 1
            if max(a, b) < best:
                scratch[2, depth] = float(left + left + 1 - node)
                scratch[3, depth] = max(a, b)
                depth += 1
            if min(a, b) >= best:
                break
        if link[node, LEFT] >= 0:
            continue
        block = link[node, BLOCK]
        count = fill[block]
        bucket_distances(components, weights, point, block, count, query, row, scratch)
        for j in range(count):
            if scratch[0, j] < best:
                best = scratch[0, j]
                best_item = item[block, j]
    found[0] = best
    return best_item


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


@kernel(VOID(KDTREE, I8, I8, I8), counted=False)
def make_leaf(tree: Any, node: int, block: int, size: int) -> None:
    """Make a node an empty leaf with an empty box, in which ``size`` points will lie."""
    tree.link[node, LEFT] = -1
    tree.link[node, BLOCK] = block
    tree.link[node, SIZE] = size
    for i in range(tree.low.shape[1]):
        tree.low[node, i] = math.inf
        tree.high[node, i] = -math.inf


@kernel(VOID(KDTREE, I8, MAT, I8), counted=False)
def widen(tree: Any, node: int, states: Any, row: int) -> None:
    """Widen the box of a node to hold a row of ``states``."""
    for i in range(tree.low.shape[1]):
        x = states[row, i]
        tree.low[node, i] = min(tree.low[node, i], x)
        tree.high[node, i] = max(tree.high[node, i], x)


@kernel(I8(KDTREE, I8), counted=False)
def widest_axis(tree: Any, node: int) -> int:
    """Find the axis along which the box of a node is widest, in the metric."""
    best = -1.0
    axis = 0
    for i in range(tree.low.shape[1]):
        extent = (tree.high[node, i] - tree.low[node, i]) * tree.scale[i]
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
    make_leaf(tree, left, block, BUCKET // 2)
    make_leaf(tree, left + 1, other, BUCKET // 2)
    kept = 0
    for j in range(BUCKET):
        lower = scratch[0, j] < BUCKET // 2
        into = block if lower else other
        place = kept if lower else j - kept
        child = left if lower else left + 1
        for i in range(tree.low.shape[1]):
            x = tree.point[block, i, j]
            tree.point[into, i, place] = x
            tree.low[child, i] = min(tree.low[child, i], x)
            tree.high[child, i] = max(tree.high[child, i], x)
        tree.item[into, place] = tree.item[block, j]
        kept += 1 if lower else 0
    tree.fill[block] = BUCKET // 2
    tree.fill[other] = BUCKET // 2
    tree.link[node, LEFT] = left


@kernel(I8(KDTREE, I8, MAT, I8), counted=False)
def nearer_child(tree: Any, left: int, states: Any, row: int) -> int:
    """Choose the child whose box a point widens least, then the nearer centre, then the smaller."""
    outside, centre = 0.0, 0.0
    right = left + 1
    for i in range(tree.low.shape[1]):
        x, s = states[row, i], tree.scale[i]
        outside += s * max(0.0, max(tree.low[left, i] - x, x - tree.high[left, i]))
        outside -= s * max(0.0, max(tree.low[right, i] - x, x - tree.high[right, i]))
        centre += s * abs(2.0 * x - tree.low[left, i] - tree.high[left, i])
        centre -= s * abs(2.0 * x - tree.low[right, i] - tree.high[right, i])
    if outside != 0.0:
        return left if outside < 0.0 else right
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


@kernel(VOID(KDTREE, I8, OUT2, IOUT1, OUT2), counted=False)
def gather(tree: Any, root: int, points: Any, items: Any, scratch: Any) -> None:
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
            count += 1
        tree.free_block[used[FREE_BLOCKS]] = block
        used[FREE_BLOCKS] += 1


@kernel(VOID(KDTREE, I8, OUT2))
def rebuild(tree: Any, root: int, scratch: Any) -> None:
    """Build the subtree of a node anew, balanced."""
    size = tree.link[root, SIZE]
    dimension = tree.low.shape[1]
    points = np.empty((size, dimension))
    items = np.empty(size, np.int64)
    gather(tree, root, points, items, scratch)
    order = np.arange(size)
    todo = np.empty((STACK, 3), np.int64)
    todo[0, 0], todo[0, 1], todo[0, 2] = root, 0, size
    depth = 1
    while depth > 0:
        depth -= 1
        node, first, last = todo[depth, 0], todo[depth, 1], todo[depth, 2]
        make_leaf(tree, node, -1, last - first)
        for j in range(first, last):
            widen(tree, node, points, order[j])
        if last - first > BUCKET:
            halve(points, order, first, last, widest_axis(tree, node))
            left, middle = take_pair(tree), (first + last) // 2
            tree.link[node, LEFT] = left
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


@kernel(VOID(KDTREE, I8, OUT2), counted=False)
def balance(tree: Any, depth: int, scratch: Any) -> None:
    """Rebuild the lowest lopsided node on the path of nodes in row 3 of ``scratch``."""
    for level in range(depth - 2, -1, -1):
        node, child = int(scratch[3, level]), int(scratch[3, level + 1])
        if tree.link[child, SIZE] > LOPSIDED * tree.link[node, SIZE]:
            rebuild(tree, node, scratch)
            return


@kernel(VOID(KDTREE, MAT, I8, I8, OUT2), counted=False)
def insert(tree: Any, states: Any, row: int, item: int, scratch: Any) -> None:
    """Insert a row of ``states`` under a number.

    Args:
        tree: The tree, with room for one more point (see `blocks_for`).
        states: States, angles within [-π, π].
        row: Which of them.
        item: The number that `nearest` gives back.
        scratch: Room, shape (4, 512).
    """
    link = tree.link
    if tree.used[NODES] == 0:
        tree.used[NODES] = 2  # nodes come in pairs; the root is alone
        make_leaf(tree, 0, take_block(tree), 0)
    node = 0
    depth = 0
    while True:
        scratch[3, depth] = float(node)
        depth += 1
        if link[node, LEFT] < 0 and tree.fill[link[node, BLOCK]] == BUCKET:
            split(tree, node, scratch)
        widen(tree, node, states, row)
        link[node, SIZE] += 1
        if link[node, LEFT] < 0:
            break
        node = nearer_child(tree, link[node, LEFT], states, row)
    block = link[node, BLOCK]
    place = tree.fill[block]
    for i in range(tree.low.shape[1]):
        tree.point[block, i, place] = states[row, i]
    tree.item[block, place] = item
    tree.fill[block] = place + 1
    if depth > 12:
        ideal = math.log(link[0, SIZE] / (BUCKET // 2)) / -math.log(LOPSIDED)
        if depth > ideal + SLACK:
            balance(tree, depth, scratch)
