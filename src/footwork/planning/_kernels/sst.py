"""SST: a sparse tree that keeps, near each witness, only its cheapest node.

A node of small cost near a random state is propagated by a random control; the end is kept if it
founds a new witness or is cheaper than the representative of its witness. What is replaced becomes
inactive, and goes when no child is left. A tree that has ceased to change is made finer: its radii
shrink, as SST*'s do by a schedule.

Witnesses are only ever added, so their kd-tree only grows. Each has one representative, a point
that moves; the kd-tree of these knows their costs, and so where nothing is cheap enough to look.

Source: li2016asymptotically
"""

import math
from typing import Any, NamedTuple

from numba import types

from footwork._numba import B1, F8, I8, IOUT1, OUT1, OUT2, VOID, kernel
from footwork.planning._kernels.kdtree import (
    BLOCK,
    KDTREE,
    LEFT,
    box_distances,
    bucket_distances,
    nearest,
)
from footwork.planning._kernels.kdtree_insert import insert, move
from footwork.planning._kernels.sampling import RNG, random_integer, random_uniform
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
IDLE = OWN + 3
"""Iterations since a node was kept, or the radii shrank."""


class Sst(NamedTuple):
    """Arrays of SST.

    Attributes:
        witnesses: The witnesses.
        active: Their representatives, under the same numbers, priced with their costs.
        representative: Node that represents each witness, shape (capacity,).
        children: How many children each node has.
        is_active: 1 where a node represents a witness.
        free: Rows that may be used again.
        parameters: (goal bias, selection radius, pruning radius, bound bias, factor by which radii
            shrink, idle iterations for each active node before they do), shape (6,).
    """

    witnesses: Any
    active: Any
    representative: Any
    children: Any
    is_active: Any
    free: Any
    parameters: Any


SST = types.BaseTuple.from_types([KDTREE, KDTREE, IOUT1, IOUT1, IOUT1, IOUT1, OUT1], Sst)
"""Numba type of Sst."""


@kernel(B1(KDTREE, I8, OUT2, F8, F8), counted=False)
def has_candidate(kd: Any, block: int, distances: Any, reach: float, most: float) -> bool:
    """Whether a point of a bucket is near and cheap enough; counts, which is vector code."""
    candidates = 0
    for j in range(kd.fill[block]):
        candidates += 1 if distances[0, j] <= reach and kd.price[block, j] < most else 0
    return candidates > 0


@kernel(I8(SYSTEM, SST, OUT2, F8, OUT2), counted=False)
def select(system: Any, own: Any, query: Any, most: float, scratch: Any) -> int:
    """Find the cheapest representative within the selection radius of row 0 of ``query``.

    Where nothing is cheaper than the cheapest so far, or near enough, is left out; of two places
    within the radius the one with the cheaper nodes is looked at first.

    Args:
        system: The problem.
        own: The witnesses and their representatives.
        query: The state asked for.
        most: Only nodes that cost less can lead to a better path.
        scratch: Room, shape (4, 512).

    Returns:
        The node; the nearest when there is none within the radius, -1 when none costs less.
    """
    kd, components, weights = own.active, system.components, system.weights
    radius = own.parameters[1]
    cheapest, near, best_cost, reach = -1, -1, most, math.inf
    scratch[2, 0], scratch[3, 0] = 0.0, 0.0
    depth = 1
    while depth > 0:
        depth -= 1
        node = int(scratch[2, depth])
        if scratch[3, depth] > reach or kd.least[node] >= best_cost:
            continue
        while kd.link[node, LEFT] >= 0:
            node, other = kd.link[node, LEFT], kd.link[node, LEFT] + 1
            a, b = box_distances(components, weights, kd.low, kd.high, node, query, 0)
            if kd.least[other] < kd.least[node] if max(a, b) <= radius else b < a:
                node, other, a, b = other, node, b, a
            if b <= reach and kd.least[other] < best_cost:
                scratch[2, depth], scratch[3, depth] = float(other), b
                depth += 1
            if a > reach or kd.least[node] >= best_cost:
                break
        if kd.link[node, LEFT] >= 0:
            continue
        block = kd.link[node, BLOCK]
        count = kd.fill[block]
        if not bucket_distances(
            components, weights, kd.point, block, count, query, 0, reach, scratch
        ):
            continue
        if not has_candidate(kd, block, scratch, reach, best_cost):
            continue
        for j in range(count):
            d, price = scratch[0, j], kd.price[block, j]
            if d <= reach and price < best_cost:
                if d <= radius:
                    cheapest, best_cost, reach = kd.item[block, j], price, radius
                else:
                    near, reach = kd.item[block, j], d
    witness = cheapest if cheapest >= 0 else near
    return own.representative[witness] if witness >= 0 else -1


@kernel(VOID(SYSTEM, F8, OUT2, I8, RNG), counted=False)
def push_to_bounds(system: Any, bias: float, controls: Any, row: int, rng: Any) -> None:
    """Put each number of a control on its lower or upper bound, with some probability."""
    for i in range(controls.shape[1]):
        draw = random_uniform(rng)
        if draw < bias:
            bounds = system.control_low if draw < 0.5 * bias else system.control_high
            controls[row, i] = bounds[i]


@kernel(VOID(SST, IOUT1), counted=False)
def shrink_radii(own: Any, counters: Any) -> None:
    """Make room for more nodes once none has been kept for long, for the size of the tree."""
    counters[IDLE] += 1
    if counters[IDLE] > own.parameters[5] * (1 + counters[ACTIVE]):
        counters[IDLE] = 0
        own.parameters[1] *= own.parameters[4]
        own.parameters[2] *= own.parameters[4]


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
        insert(own.witnesses, tree.state, node, witness, 0.0, tree.scratch)
        insert(own.active, tree.state, node, witness, tree.cost[node], tree.scratch)
    else:
        move(own.active, witness, tree.state, node, tree.cost[node])
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
    components, weights, witnesses = system.components, system.weights, own.witnesses
    goal_bias = own.parameters[0]
    while counters[REGISTERED] < counters[NODES]:
        represent(tree, own, -1, counters[REGISTERED], counters)
        counters[REGISTERED] += 1
    while goes_on(counters):
        new = own.free[counters[FREE] - 1] if counters[FREE] > 0 else counters[NODES]
        if new == tree.parent.shape[0]:
            return FULL
        counters[ITERATIONS] += 1
        shrink_radii(own, counters)
        sample_target(system, goal_bias, rng, tree.target)
        parent = select(system, own, tree.target, values[BEST_COST], tree.scratch)
        if parent < 0:
            return WORKED
        sample_control_row(
            rng, system.control_low, system.control_high, system.control_discrete, tree.control, new
        )
        if own.parameters[3] > 0.0:
            push_to_bounds(system, own.parameters[3], tree.control, new, rng)
        count = random_integer(rng, least, most)
        if roll_out(system, tree, parent, new, count, counters) < count:
            continue
        cost = cost_through(system, tree, parent, new, count, counters)
        if not cost < values[BEST_COST]:
            continue
        radius = own.parameters[2]
        witness = nearest(
            witnesses, components, weights, tree.motion, count - 1, radius, tree.scratch
        )
        replaced = -1
        if witness >= 0:
            replaced = own.representative[witness]
            if tree.cost[replaced] <= cost:
                continue
        if counters[FREE] > 0:
            counters[FREE] -= 1
        add_node(tree, parent, new, count, cost, counters)
        best, closest = counters[BEST], counters[CLOSEST]
        represent(tree, own, witness, new, counters)
        counters[REGISTERED] = counters[NODES]
        counters[IDLE] = 0
        improved = judge(system, tree.state, new, cost, counters, values)
        prune(tree, own, replaced, counters)
        if best != counters[BEST]:
            prune(tree, own, best, counters)
        if closest != counters[CLOSEST]:
            prune(tree, own, closest, counters)
        if improved:
            return IMPROVED
    return FAILED if counters[TROUBLE] != 0 else WORKED
