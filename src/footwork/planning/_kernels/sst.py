"""SST: a sparse tree that keeps, near each witness, only its cheapest node.

A node of small cost near a random state is propagated by a random control; the end is kept if it
founds a new witness or is cheaper than the representative of its witness. What is replaced becomes
inactive, and goes when no child is left.

Witnesses are only ever added, so one kd-tree of them serves both questions: a representative lies
within the pruning radius δ of its witness, hence within δ_select + δ of the query's box distance.

Source: li2016asymptotically
"""

import math
from typing import Any, NamedTuple

from numba import types

from footwork._numba import I8, IOUT1, OUT1, OUT2, VOID, kernel
from footwork.planning._kernels.kdtree import (
    BLOCK,
    KDTREE,
    LEFT,
    box_distance,
    bucket_distances,
    insert,
    nearest,
)
from footwork.planning._kernels.sampling import random_integer
from footwork.planning._kernels.tree import (
    BEST,
    BEST_COST,
    CLOSEST,
    FAILED,
    FULL,
    IMPROVED,
    ITERATIONS,
    NODES,
    OWN,
    REGISTERED,
    SYSTEM,
    TREE,
    TROUBLE,
    WORKED,
    advance_signature,
)
from footwork.planning._kernels.tree_space import (
    add_node,
    cost_through,
    distance_of_rows,
    goes_on,
    judge,
    roll_out,
    sample_control_row,
    sample_target,
)

WITNESSES = OWN
FREE = OWN + 1
"""How many rows lie on the free list."""
ACTIVE = OWN + 2
"""How many nodes are active."""


class Sst(NamedTuple):
    """Arrays of SST.

    Attributes:
        kdtree: The witnesses.
        representative: Node that represents each witness, shape (capacity,).
        children: How many children each node has.
        is_active: 1 where a node represents a witness.
        free: Rows that may be used again.
        found: Room for a distance, shape (1,).
        parameters: (goal bias, selection radius, pruning radius), shape (3,).
    """

    kdtree: Any
    representative: Any
    children: Any
    is_active: Any
    free: Any
    found: Any
    parameters: Any


SST = types.BaseTuple.from_types([KDTREE, IOUT1, IOUT1, IOUT1, IOUT1, OUT1, OUT1], Sst)
"""Numba type of Sst."""


@kernel(I8(SYSTEM, TREE, SST, OUT2, OUT2), counted=False)
def select(system: Any, tree: Any, own: Any, query: Any, scratch: Any) -> int:
    """Find the cheapest representative within the selection radius of row 0 of ``query``.

    Args:
        system: The problem.
        tree: The tree.
        own: Its witnesses.
        query: The state asked for.
        scratch: Room, shape (4, 512).

    Returns:
        The node; the nearest when there is none so near.
    """
    kd, components, weights = own.kdtree, system.components, system.weights
    radius, margin = own.parameters[1], own.parameters[2]
    cheapest, near, best_cost, least = -1, -1, math.inf, math.inf
    scratch[2, 0], scratch[3, 0] = 0.0, 0.0
    depth = 1
    while depth > 0:
        depth -= 1
        limit = margin + (radius if cheapest >= 0 else max(radius, least))
        if scratch[3, depth] > limit:
            continue
        node = int(scratch[2, depth])
        while kd.link[node, LEFT] >= 0:
            left = kd.link[node, LEFT]
            a = box_distance(components, weights, kd.low, kd.high, left, query, 0)
            b = box_distance(components, weights, kd.low, kd.high, left + 1, query, 0)
            node = left if a <= b else left + 1
            if max(a, b) <= limit:
                scratch[2, depth] = float(left + left + 1 - node)
                scratch[3, depth] = max(a, b)
                depth += 1
            if min(a, b) > limit:
                break
        if kd.link[node, LEFT] >= 0:
            continue
        block = kd.link[node, BLOCK]
        count = kd.fill[block]
        bucket_distances(components, weights, kd.point, block, count, query, 0, scratch)
        for j in range(count):
            if scratch[0, j] > limit:
                continue
            candidate = own.representative[kd.item[block, j]]
            if tree.cost[candidate] >= best_cost:
                continue
            d = distance_of_rows(components, weights, tree.state, candidate, query, 0)
            if d <= radius:
                cheapest, best_cost = candidate, tree.cost[candidate]
            elif d < least:
                near, least = candidate, d
    return cheapest if cheapest >= 0 else near


@kernel(VOID(TREE, SST, I8, I8, IOUT1), counted=False)
def represent(tree: Any, own: Any, witness: int, node: int, counters: Any) -> None:
    """Make a node the representative of a witness, -1 for a new one, which it founds."""
    own.children[node] = 0
    own.is_active[node] = 1
    counters[ACTIVE] += 1
    if tree.parent[node] >= 0:
        own.children[tree.parent[node]] += 1
    if witness < 0:
        witness = counters[WITNESSES]
        counters[WITNESSES] += 1
        insert(own.kdtree, tree.state, node, witness, tree.scratch)
    else:
        own.is_active[own.representative[witness]] = 0
        counters[ACTIVE] -= 1
    own.representative[witness] = node


@kernel(VOID(TREE, SST, I8, IOUT1), counted=False)
def prune(tree: Any, own: Any, node: int, counters: Any) -> None:
    """Free an inactive node that has no child, and then its ancestors likewise."""
    while node >= 0 and own.is_active[node] == 0 and own.children[node] == 0:
        if node in (counters[BEST], counters[CLOSEST]):
            return
        own.free[counters[FREE]] = node
        counters[FREE] += 1
        own.is_active[node] = -1
        parent = tree.parent[node]
        if parent >= 0:
            own.children[parent] -= 1
        node = parent


@kernel(advance_signature(SST), nogil=True, counted=False)
def advance(system: Any, tree: Any, own: Any, counters: Any, values: Any, rng: Any) -> int:
    """Grow the tree; see `tree` for the arguments and codes."""
    least, most = system.limits[0], system.limits[1]
    components, weights, kd, out = system.components, system.weights, own.kdtree, tree.motion
    goal_bias, radius = own.parameters[0], own.parameters[2]
    while counters[REGISTERED] < counters[NODES]:
        represent(tree, own, -1, counters[REGISTERED], counters)
        counters[REGISTERED] += 1
    while goes_on(counters):
        new = own.free[counters[FREE] - 1] if counters[FREE] > 0 else counters[NODES]
        if new == tree.parent.shape[0]:
            return FULL
        counters[ITERATIONS] += 1
        sample_target(system, goal_bias, rng, tree.target)
        parent = select(system, tree, own, tree.target, tree.scratch)
        sample_control_row(
            rng, system.control_low, system.control_high, system.control_discrete, tree.control, new
        )
        count = random_integer(rng, least, most)
        if roll_out(system, tree, parent, new, count, counters) < count:
            continue
        cost = cost_through(system, tree, parent, new, count, counters)
        if not cost < values[BEST_COST]:
            continue
        witness = nearest(kd, components, weights, out, count - 1, tree.scratch, own.found)
        replaced = -1
        if own.found[0] > radius:
            witness = -1
        else:
            replaced = own.representative[witness]
            if tree.cost[replaced] <= cost:
                continue
        if counters[FREE] > 0:
            counters[FREE] -= 1
        add_node(tree, parent, new, count, cost, counters)
        best, closest = counters[BEST], counters[CLOSEST]
        represent(tree, own, witness, new, counters)
        counters[REGISTERED] = counters[NODES]
        improved = judge(system, tree.state, new, cost, counters, values)
        prune(tree, own, replaced, counters)
        if best != counters[BEST]:
            prune(tree, own, best, counters)
        if closest != counters[CLOSEST]:
            prune(tree, own, closest, counters)
        if improved:
            return IMPROVED
    return FAILED if counters[TROUBLE] != 0 else WORKED
