"""RRT: grow the nearest node towards a random state, by a random control.

Source: lavalle2001randomized
"""

import math
from typing import Any, NamedTuple

from numba import types

from footwork._numba import I8, IOUT1, OUT1, kernel
from footwork.planning._kernels.kdtree import KDTREE, nearest
from footwork.planning._kernels.kdtree_insert import insert
from footwork.planning._kernels.sampling import RNG, random_integer
from footwork.planning._kernels.tree import (
    BEST_COST,
    FAILED,
    FULL,
    IMPROVED,
    ITERATIONS,
    NODES,
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


class Rrt(NamedTuple):
    """Arrays of RRT.

    Attributes:
        kdtree: The nodes.
        parameters: (goal bias, whether intermediate states are kept, controls tried), shape (3,).
    """

    kdtree: Any
    parameters: Any


RRT = types.BaseTuple.from_types([KDTREE, OUT1], Rrt)
"""Numba type of Rrt."""


@kernel(I8(SYSTEM, TREE, I8, I8, I8, IOUT1, RNG), counted=False, forced=True)
def steer(
    system: Any, tree: Any, parent: int, new: int, tries: int, counters: Any, rng: Any
) -> int:
    """Try some random controls from a node; keep what ends nearest to ``tree.target``.

    Args:
        system: The problem.
        tree: The tree; row ``new`` receives the control.
        parent: Where to start.
        new: The next row.
        tries: How many controls are tried.
        counters: Counters of the planner.
        rng: The generator.

    Returns:
        Number of valid steps.
    """
    low, high, discrete = system.control_low, system.control_high, system.control_discrete
    least, most = system.limits[0], system.limits[1]
    best, best_count = math.inf, 0
    for _ in range(tries):
        sample_control_row(rng, low, high, discrete, tree.control, new)
        valid = roll_out(system, tree, parent, new, random_integer(rng, least, most), counters)
        if tries == 1 or counters[TROUBLE] != 0:
            return valid
        if valid < least:
            continue
        d = distance_of_rows(
            system.components, system.weights, tree.motion, valid - 1, tree.target, 0
        )
        if d < best:
            best, best_count = d, valid
            for i in range(low.shape[0]):
                tree.spare[0, i] = tree.control[new, i]
    if best_count == 0:
        return 0
    for i in range(low.shape[0]):
        tree.control[new, i] = tree.spare[0, i]
    return roll_out(system, tree, parent, new, best_count, counters)


@kernel(I8(SYSTEM, TREE, RRT, I8, I8, I8, I8, IOUT1, OUT1), counted=False, forced=True)
def add_states(
    system: Any,
    tree: Any,
    own: Any,
    parent: int,
    new: int,
    first: int,
    valid: int,
    counters: Any,
    values: Any,
) -> int:
    """Add the states of a motion from the first wanted on; all are children of its start.

    So the durations of what is kept stay within the limits.

    Returns:
        1 if the best solution was improved.
    """
    improved = 0
    for steps in range(first, valid + 1):
        cost = cost_through(system, tree, parent, new, steps, counters)
        if not cost < values[BEST_COST]:
            break
        node = counters[NODES]
        for i in range(tree.control.shape[1]):
            tree.control[node, i] = tree.control[new, i]
        add_node(tree, parent, node, steps, cost, counters)
        insert(own.kdtree, tree.state, node, node, 0.0, tree.scratch)
        counters[REGISTERED] = node + 1
        if judge(system, tree.state, node, cost, counters, values):
            improved = 1
    return improved


@kernel(advance_signature(RRT), nogil=True, counted=False)
def advance(system: Any, tree: Any, own: Any, counters: Any, values: Any, rng: Any) -> int:
    """Grow the tree; see `tree` for the arguments and codes."""
    least, most = system.limits[0], system.limits[1]
    components, weights, kd = system.components, system.weights, own.kdtree
    goal_bias, tries = own.parameters[0], int(own.parameters[2])
    keeps_all = own.parameters[1] > 0.0
    room = most - least + 1 if keeps_all else 1
    while counters[REGISTERED] < counters[NODES]:
        insert(kd, tree.state, counters[REGISTERED], counters[REGISTERED], 0.0, tree.scratch)
        counters[REGISTERED] += 1
    while goes_on(counters):
        new = counters[NODES]
        if new + room > tree.parent.shape[0]:
            return FULL
        counters[ITERATIONS] += 1
        sample_target(system, goal_bias, rng, tree.target)
        parent = nearest(kd, components, weights, tree.target, 0, math.inf, tree.scratch)
        valid = steer(system, tree, parent, new, tries, counters, rng)
        if valid < least:
            continue
        first = least if keeps_all else valid
        if add_states(system, tree, own, parent, new, first, valid, counters, values) == 1:
            return IMPROVED
    return FAILED if counters[TROUBLE] != 0 else WORKED
