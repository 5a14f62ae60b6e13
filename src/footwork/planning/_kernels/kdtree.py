"""Incremental bucket kd-tree: exact nearest neighbour in a weighted sum of norms, with wrapping.

Leaves are buckets of 64 points, stored component by component so that a scan is vector code;
every node keeps the exact box of its points, and the least of the prices that points may have.
`kdtree_insert` says how it grows.

The least distance from a point to a box, the bound that prunes, is Σ wᵢ × (norm of the excess over
the box for a real block; the smaller way round for an angle; for a rotation the chord to the box
of q or of −q, which is never longer than the angle).

Source: bentley1975multidimensional; the combination is ours
"""

import math
from typing import Any, NamedTuple

from numba import types

from footwork._numba import B1, F8, I8, IMAT, IOUT1, IOUT2, MAT, OUT1, OUT2, OUT3, VEC, kernel
from footwork.planning._kernels.metric import SO2, SO3, TWO_PI

BUCKET = 64
STACK = 512
PAIR = types.UniTuple(F8, 2)
NEARLY_PARALLEL = 0.99995
# Columns of `link`.
LEFT = 0
"""First of the two children (the second follows it), -1 in a leaf."""
BLOCK = 1
"""Bucket of a leaf."""
SIZE = 2
"""Points below."""
PARENT = 3
"""The node above, -1 at the root."""
# Entries of `used`.
NODES = 0
BLOCKS = 1
FREE_NODES = 2
FREE_BLOCKS = 3


class KdTree(NamedTuple):
    """Arrays of a kd-tree.

    Attributes:
        low: Lower corner of each node's box, those of two siblings side by side, shape
            (nodes / 2, n, 2): that of node i is ``low[i >> 1, :, i & 1]``.
        high: Upper corner, likewise.
        link: (left child, bucket, points below, parent) of each node, shape (nodes, 4).
        least: Least price of the points below each node, shape (nodes,).
        point: Points of each bucket, component by component, shape (buckets, n, 64).
        item: Number of each point, shape (buckets, 64).
        home: Leaf in which each item lies, shape (capacity,).
        price: Price of each point, shape (buckets, 64).
        fill: Points in each bucket, shape (buckets,).
        used: Nodes and buckets in use, and how many lie on the free lists, shape (4,).
        free_node: First node of each free pair, shape (nodes,).
        free_block: Free buckets, shape (buckets,).
        scale: Weight of each axis when the widest is looked for, shape (n,).
    """

    low: Any
    high: Any
    link: Any
    least: Any
    point: Any
    item: Any
    home: Any
    price: Any
    fill: Any
    used: Any
    free_node: Any
    free_block: Any
    scale: Any


KDTREE = types.BaseTuple.from_types(
    [OUT3, OUT3, IOUT2, OUT1, OUT3, IOUT2, IOUT1, OUT2, IOUT1, IOUT1, IOUT1, IOUT1, OUT1], KdTree
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


@kernel(F8(F8, F8, F8), counted=False, forced=True, fast=True)
def outside(q: float, low: float, high: float) -> float:
    """How far a number lies outside of an interval."""
    return max(0.0, max(low - q, q - high))


@kernel(F8(F8, F8, F8), counted=False, forced=True, fast=True)
def outside_round(q: float, low: float, high: float) -> float:
    """How far an angle lies outside of an interval, the smaller way round."""
    other = min(abs(low - q + TWO_PI), abs(q - high + TWO_PI))
    return min(outside(q, low, high), other)


@kernel(PAIR(IMAT, VEC, OUT3, OUT3, I8, MAT, I8), counted=False, forced=True, fast=True)
def box_distances(
    components: Any, weights: Any, low: Any, high: Any, left: int, query: Any, row: int
) -> tuple[float, float]:
    """Lower bounds of the distances from a row of ``query`` to points in two siblings' boxes."""
    pair = left >> 1
    a, b = 0.0, 0.0
    for c in range(components.shape[0]):
        kind, offset, weight = components[c, 0], components[c, 1], weights[c]
        if kind == SO2:
            q = query[row, offset]
            a += weight * outside_round(q, low[pair, offset, 0], high[pair, offset, 0])
            b += weight * outside_round(q, low[pair, offset, 1], high[pair, offset, 1])
            continue
        square_a, square_b, mirrored_a, mirrored_b = 0.0, 0.0, 0.0, 0.0
        for k in range(offset, offset + components[c, 2]):
            q = query[row, k]
            square_a += outside(q, low[pair, k, 0], high[pair, k, 0]) ** 2
            square_b += outside(q, low[pair, k, 1], high[pair, k, 1]) ** 2
            if kind == SO3:
                mirrored_a += outside(-q, low[pair, k, 0], high[pair, k, 0]) ** 2
                mirrored_b += outside(-q, low[pair, k, 1], high[pair, k, 1]) ** 2
        if kind == SO3:
            square_a, square_b = min(square_a, mirrored_a), min(square_b, mirrored_b)
        a += weight * math.sqrt(square_a)
        b += weight * math.sqrt(square_b)
    return a, b


@kernel(F8(OUT3, I8, I8, MAT, I8, I8), counted=False)
def chord_angle(point: Any, block: int, place: int, query: Any, row: int, offset: int) -> float:
    """Angle of two nearly equal rotations by their chord, 2 asin(½ |p ∓ q|), as `metric` has it."""
    plus, minus = 0.0, 0.0
    for k in range(offset, offset + 4):
        p, q = point[block, k, place], query[row, k]
        plus += (p + q) * (p + q)
        minus += (p - q) * (p - q)
    return 2.0 * math.asin(min(1.0, 0.5 * math.sqrt(min(plus, minus))))


@kernel(B1(OUT2, I8, F8), counted=False)
def any_within(distances: Any, count: int, reach: float) -> bool:
    """Whether some of the first numbers of row 0 are at most ``reach``; counting is vector code."""
    within = 0
    for j in range(count):
        within += 1 if distances[0, j] <= reach else 0
    return within > 0


@kernel(B1(IMAT, VEC, OUT3, I8, I8, MAT, I8, F8, OUT2), counted=False, fast=True)
def bucket_distances(
    components: Any,
    weights: Any,
    point: Any,
    block: int,
    count: int,
    query: Any,
    row: int,
    reach: float,
    out: Any,
) -> bool:
    """Distances from a row of ``query`` to the points of a bucket, into row 0 of ``out``.

    Returns:
        Whether one may be at most ``reach``; False as soon as a part of the sum says no.
    """
    for j in range(count):
        out[0, j] = 0.0
    for c in range(components.shape[0]):
        if c > 0 and not any_within(out, count, reach):
            return False
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
    return any_within(out, count, reach)


@kernel(I8(KDTREE, IMAT, VEC, MAT, I8, F8, OUT2), counted=False, fast=True)
def nearest(
    tree: Any, components: Any, weights: Any, query: Any, row: int, within: float, scratch: Any
) -> int:
    """Find the nearest point to a row of ``query``, if it is nearer than ``within``.

    Depth first, the nearer child first; a node whose box is no nearer than the best is left out.

    Args:
        tree: The tree, not empty.
        components: (kind, offset, size) of each component of the state.
        weights: Weight of each.
        query: States, angles within [-π, π].
        row: Which of them.
        within: How near it must be; infinity for any distance.
        scratch: Room, shape (4, 512).

    Returns:
        Number of the nearest point (the one found first among equals), -1 if none is near enough.
    """
    low, high, link = tree.low, tree.high, tree.link
    point, item, fill = tree.point, tree.item, tree.fill
    best, best_item = within, -1
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
            a, b = box_distances(components, weights, low, high, left, query, row)
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
        if not bucket_distances(
            components, weights, point, block, count, query, row, best, scratch
        ):
            continue
        for j in range(count):
            if scratch[0, j] < best:
                best = scratch[0, j]
                best_item = item[block, j]
    return best_item
