"""Syclop: leads through a graph of regions guide which part of the tree grows.

A lead is followed for some expansions; regions near its end that the tree has reached are expanded,
by a random node of the region (EST) or by the node nearest to a random state in it (RRT). What the
tree covers changes the costs, and so the next lead.

Source: plaku2010motion
"""

import math
from typing import Any

import numpy as np

from footwork._numba import B1, I8, IOUT1, MAT, OUT1, VOID, kernel
from footwork.planning._kernels.grid import EMPTY, add_cell, add_to_cell, find_cell, first_slot
from footwork.planning._kernels.kdtree import nearest
from footwork.planning._kernels.kdtree_insert import insert
from footwork.planning._kernels.sampling import (
    RNG,
    random_integer,
    random_uniform,
    sample_state,
)
from footwork.planning._kernels.syclop_lead import (
    ABANDON,
    AVAILABLE,
    EXPANSIONS,
    GROWS_NEAREST,
    KEEP_ADDING,
    LEAD,
    LEFT,
    SAMPLED,
    SAMPLES,
    SEEN,
    SYCLOP,
    beside,
    choose_region,
    find_lead,
    make_available,
)
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
    WORK,
    WORKED,
    advance_signature,
)
from footwork.planning._kernels.tree_calls import call_rollout
from footwork.planning._kernels.tree_space import (
    add_node,
    cost_through,
    goes_on,
    judge,
    project,
    roll_out,
    sample_control_row,
)

TRIES = 100
"""Draws of a state before one outside of the region is taken."""


@kernel(I8(SYSTEM, TREE, SYCLOP, MAT, I8), counted=False, forced=True)
def region_at(system: Any, tree: Any, own: Any, states: Any, row: int) -> int:
    """Find the region of a state, the outermost for one that lies outside of all."""
    project(system, states, row, tree.projected)
    per_axis = own.shape[0]
    region, stride = 0, 1
    for i in range(own.low.shape[0]):
        t = np.floor((tree.projected[i] - own.low[i]) / own.size[i])
        t = min(per_axis - 1.0, max(0.0, t)) if not np.isnan(t) else 0.0
        region += stride * int(t)
        stride *= per_axis
    return region


@kernel(I8(TREE, SYCLOP), counted=False, forced=True)
def fine_cell(tree: Any, own: Any) -> int:
    """Number the fine cell of the state that was projected last."""
    along = own.shape[0] * own.shape[1]
    cell = 0
    for i in range(own.low.shape[0]):
        t = np.floor((tree.projected[i] - own.low[i]) / own.size[i] * own.shape[1])
        t = min(along - 1.0, max(0.0, t)) if not np.isnan(t) else 0.0
        cell = cell * along + int(t)
    return cell


@kernel(B1(SYCLOP, I8, IOUT1), counted=False, forced=True)
def is_new(own: Any, key: int, counters: Any) -> bool:
    """Enter a key into the set of seen cells; say whether it was not there."""
    slot = first_slot(key, own.seen.shape[0])
    while own.seen[slot] != EMPTY:
        if own.seen[slot] == key:
            return False
        slot = (slot + 1) & (own.seen.shape[0] - 1)
    own.seen[slot] = key
    counters[SEEN] += 1
    return True


@kernel(B1(SYSTEM, TREE, SYCLOP, I8, I8, IOUT1), counted=False, forced=True)
def register(system: Any, tree: Any, own: Any, node: int, origin: int, counters: Any) -> bool:
    """Enter a node into its region; say whether the tree has covered more by it.

    Args:
        system: The problem.
        tree: The tree.
        own: Regions.
        node: The new node.
        origin: Region in which its motion began, -1 for a start.
        counters: Counters of the planner.

    Returns:
        Whether a fine cell is new, to the region or to the face it was entered by.
    """
    region = region_at(system, tree, own, tree.state, node)
    fine = fine_cell(tree, own)
    along = own.shape[0] * own.shape[1]
    all_fine = 1
    for _ in range(own.low.shape[0]):
        all_fine *= along
    own.region_of[node] = region
    cell = find_cell(own.regions.keys, own.regions.slots, region)
    if cell < 0:
        cell = add_cell(own.regions, region)
    add_to_cell(own.regions, cell, node)
    if own.parameters[GROWS_NEAREST] > 0.0:
        insert(own.kdtree, tree.state, node, node, 0.0, tree.scratch)
    counters[REGISTERED] = node + 1
    improved = is_new(own, fine, counters)
    if improved:
        own.coverage[region] += 1
    if origin in (-1, region):
        return improved
    make_available(own, region, counters)
    faces = 2 * own.low.shape[0]
    for face in range(faces):
        if beside(own, origin, face) == region:
            own.edge_tries[origin, face] += 1
            key = (1 + origin * faces + face) * all_fine + fine
            if is_new(own, key, counters):
                own.edge_coverage[origin, face] += 1
                improved = True
    return improved


@kernel(VOID(SYSTEM, TREE, SYCLOP, IOUT1, RNG), counted=False)
def draw_free(system: Any, tree: Any, own: Any, counters: Any, rng: Any) -> None:
    """Draw a state and see whether it is valid: one step that takes no time."""
    sample_state(system.components, system.low, system.high, rng, tree.target[0])
    for i in range(system.control_low.shape[0]):
        tree.spare[0, i] = system.control_low[i]
    region = region_at(system, tree, own, tree.target, 0)
    valid = call_rollout(
        system.rollout,
        tree.target,
        0,
        tree.spare,
        0,
        0.0,
        1,
        system.rollout_parameters,
        tree.motion,
    )
    if valid < 0:
        counters[TROUBLE] = valid
    own.drawn[region] += 1
    own.valid[region] += 1 if valid > 0 else 0
    counters[SAMPLED] += 1
    counters[WORK] += 1


@kernel(VOID(SYSTEM, TREE, SYCLOP, RNG, IOUT1), counted=False)
def new_lead(system: Any, tree: Any, own: Any, rng: Any, counters: Any) -> None:
    """Find a lead from a start to a goal, and the regions near its end that can be expanded."""
    root = 0
    while root + 1 < counters[NODES] and tree.parent[root + 1] < 0 and random_uniform(rng) < 0.5:
        root += 1
    goals = system.goal_states.shape[0]
    if goals > 0:
        g = random_integer(rng, 0, goals - 1)
        goal = region_at(system, tree, own, system.goal_states, g)
    else:
        goal = random_integer(rng, 0, own.selections.shape[0] - 1)
    find_lead(own, own.region_of[root], goal, rng, counters)
    for k in range(counters[AVAILABLE]):
        own.is_available[own.available[k]] = 0
    counters[AVAILABLE] = 0
    for k in range(counters[LEAD]):
        if find_cell(own.regions.keys, own.regions.slots, own.lead[k]) < 0:
            continue
        make_available(own, own.lead[k], counters)
        if random_uniform(rng) >= own.parameters[KEEP_ADDING]:
            break
    counters[LEFT] = int(own.parameters[EXPANSIONS])


@kernel(I8(SYSTEM, TREE, SYCLOP, I8, RNG), counted=False, forced=True)
def choose_node(system: Any, tree: Any, own: Any, region: int, rng: Any) -> int:
    """Choose the node to grow for a region: any of its own, or the nearest to a state in it."""
    if own.parameters[GROWS_NEAREST] == 0.0:
        cell = find_cell(own.regions.keys, own.regions.slots, region)
        place = random_integer(rng, 0, own.regions.count[cell] - 1)
        return own.regions.pool[own.regions.start[cell] + place]
    per_axis, stride = own.shape[0], 1
    sample_state(system.components, system.low, system.high, rng, tree.target[0])
    if system.project_indices[0] >= 0:
        for i in range(own.low.shape[0]):
            inside = (region // stride) % per_axis + random_uniform(rng)
            tree.target[0, system.project_indices[i]] = own.low[i] + inside * own.size[i]
            stride *= per_axis
    else:
        for _ in range(TRIES):
            if region_at(system, tree, own, tree.target, 0) == region:
                break
            sample_state(system.components, system.low, system.high, rng, tree.target[0])
    kd, components, weights = own.kdtree, system.components, system.weights
    return nearest(kd, components, weights, tree.target, 0, math.inf, tree.scratch)


@kernel(I8(SYSTEM, TREE, SYCLOP, I8, IOUT1, OUT1, RNG), counted=False, forced=True)
def expand(
    system: Any, tree: Any, own: Any, region: int, counters: Any, values: Any, rng: Any
) -> int:
    """Grow one motion for a region.

    Returns:
        Bit 0: the tree covers more; bit 1: the best solution was improved.
    """
    new = counters[NODES]
    parent = choose_node(system, tree, own, region, rng)
    sample_control_row(
        rng, system.control_low, system.control_high, system.control_discrete, tree.control, new
    )
    count = random_integer(rng, system.limits[0], system.limits[1])
    valid = roll_out(system, tree, parent, new, count, counters)
    if valid < system.limits[0]:
        return 0
    cost = cost_through(system, tree, parent, new, valid, counters)
    if not cost < values[BEST_COST]:
        return 0
    add_node(tree, parent, new, valid, cost, counters)
    answer = 1 if register(system, tree, own, new, own.region_of[parent], counters) else 0
    if judge(system, tree.state, new, cost, counters, values):
        answer += 2
    return answer


@kernel(advance_signature(SYCLOP), nogil=True, counted=False)
def advance(system: Any, tree: Any, own: Any, counters: Any, values: Any, rng: Any) -> int:
    """Grow the tree; see `tree` for the arguments and codes."""
    parameters = own.parameters
    while counters[REGISTERED] < counters[NODES]:
        if 2 * (counters[SEEN] + 3) > own.seen.shape[0]:
            return FULL
        register(system, tree, own, counters[REGISTERED], -1, counters)
    while counters[SAMPLED] < int(parameters[SAMPLES]) and goes_on(counters):
        draw_free(system, tree, own, counters, rng)
    while goes_on(counters):
        new = counters[NODES]
        if new == tree.parent.shape[0] or 2 * (counters[SEEN] + 3) > own.seen.shape[0]:
            return FULL
        if counters[LEFT] == 0:
            new_lead(system, tree, own, rng, counters)
        counters[ITERATIONS] += 1
        counters[LEFT] -= 1
        region = choose_region(own, rng, counters)
        answer = expand(system, tree, own, region, counters, values, rng)
        if answer % 2 == 0 and random_uniform(rng) < parameters[ABANDON]:
            counters[LEFT] = 0
        if answer >= 2:
            return IMPROVED
    return FAILED if counters[TROUBLE] != 0 else WORKED
