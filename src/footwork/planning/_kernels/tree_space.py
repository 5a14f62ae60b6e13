"""Rows of a tree: controls, motions, distance, goal, cost and cells, all driven by tables."""

import math
from typing import Any

import numpy as np

from footwork._numba import B1, F8, I8, IMAT, IOUT1, IVEC, MAT, OUT1, OUT2, VEC, VOID, kernel
from footwork.planning._kernels.metric import PI, SO2, SO3, TWO_PI, quaternion_distance
from footwork.planning._kernels.sampling import RNG, random_integer, random_uniform, sample_state
from footwork.planning._kernels.tree import (
    BEST,
    BEST_COST,
    CLOSEST,
    CLOSEST_EXCESS,
    COST_FAILED,
    GOAL_FAILED,
    ITERATION_LIMIT,
    ITERATIONS,
    NODES,
    STEPS,
    SYSTEM,
    TREE,
    TROUBLE,
    WORK,
    WORK_LIMIT,
)
from footwork.planning._kernels.tree_calls import (
    call_cost,
    call_goal,
    call_project,
    call_rollout,
)


@kernel(VOID(RNG, VEC, VEC, IVEC, OUT2, I8), counted=False, forced=True)
def sample_control_row(rng: Any, low: Any, high: Any, discrete: Any, out: Any, row: int) -> None:
    """Draw a control uniformly within its bounds into a row of ``out``."""
    for i in range(low.shape[0]):
        u = random_uniform(rng)
        if discrete[i] == 1:
            out[row, i] = min(high[i], low[i] + np.floor(u * (high[i] - low[i] + 1.0)))
        else:
            out[row, i] = low[i] + (high[i] - low[i]) * u


@kernel(F8(F8, F8), counted=False)
def angle_between(a: float, b: float) -> float:
    """Smaller angle between two angles, [0, π], whatever their turns."""
    d = abs(a - b)
    if d > PI:
        d = abs(d - TWO_PI * np.floor(d / TWO_PI + 0.5))
    return d


@kernel(F8(IMAT, VEC, MAT, I8, MAT, I8), counted=False)
def distance_of_rows(components: Any, weights: Any, a: Any, i: int, b: Any, j: int) -> float:
    """Distance between row i of ``a`` and row j of ``b``, as `metric.distance`, without views.

    Args:
        components: (kind, offset, size) of each component, shape (k, 3).
        weights: Shape (k,).
        a: States, shape (·, n).
        i: Row in ``a``.
        b: States, shape (·, n).
        j: Row in ``b``.

    Returns:
        The distance, never negative.
    """
    total = 0.0
    for c in range(components.shape[0]):
        kind = components[c, 0]
        offset = components[c, 1]
        if kind == SO2:
            total += weights[c] * angle_between(a[i, offset], b[j, offset])
        elif kind == SO3:
            p, q = a[i, offset : offset + 4], b[j, offset : offset + 4]
            dot = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3]
            total += weights[c] * quaternion_distance(p, q, dot)
        else:
            square = 0.0
            for k in range(offset, offset + components[c, 2]):
                d = a[i, k] - b[j, k]
                square += d * d
            total += weights[c] * math.sqrt(square)
    return total


@kernel(VOID(SYSTEM, F8, RNG, OUT2), counted=False, forced=True)
def sample_target(system: Any, goal_bias: float, rng: Any, target: Any) -> None:
    """Draw a state into row 0 of ``target``: a goal state with some probability, else any state."""
    goals = system.goal_states.shape[0]
    if goals > 0 and random_uniform(rng) < goal_bias:
        g = random_integer(rng, 0, goals - 1)
        for i in range(target.shape[1]):
            target[0, i] = system.goal_states[g, i]
        return
    sample_state(system.components, system.low, system.high, rng, target[0])


@kernel(F8(SYSTEM, MAT, I8), counted=False, forced=True)
def goal_excess(system: Any, states: Any, row: int) -> float:
    """How far a state is outside the goal: the least distance minus tolerance, <= 0 inside."""
    if system.goal != 0:
        return call_goal(system.goal, states, row, system.goal_parameters)
    best = math.inf
    for g in range(system.goal_states.shape[0]):
        d = distance_of_rows(
            system.goal_components, system.goal_weights, states, row, system.goal_states, g
        )
        best = min(best, d - system.goal_tolerances[g])
    return best


@kernel(B1(F8, I8, F8, IOUT1, OUT1), counted=False, forced=True)
def judge_excess(excess: float, node: int, cost: float, counters: Any, values: Any) -> bool:
    """Keep a new node if it is the closest to the goal or the best in it.

    Args:
        excess: How far it is outside the goal.
        node: The new node.
        cost: Its cost from the root.
        counters: Counters of the planner.
        values: Values of the planner.

    Returns:
        Whether it ends a better solution.
    """
    if np.isnan(excess):
        counters[TROUBLE] = GOAL_FAILED
        return False
    if excess < values[CLOSEST_EXCESS]:
        values[CLOSEST_EXCESS] = excess
        counters[CLOSEST] = node
    if excess <= 0.0 and cost < values[BEST_COST]:
        values[BEST_COST] = cost
        counters[BEST] = node
        return True
    return False


@kernel(B1(SYSTEM, MAT, I8, F8, IOUT1, OUT1), counted=False, forced=True)
def judge(system: Any, states: Any, node: int, cost: float, counters: Any, values: Any) -> bool:
    """Compare a new node with the goal; say whether it ends a better solution."""
    return judge_excess(goal_excess(system, states, node), node, cost, counters, values)


@kernel(F8(SYSTEM, TREE, I8, I8, I8, IOUT1), counted=False, forced=True)
def cost_through(system: Any, tree: Any, parent: int, new: int, count: int, counters: Any) -> float:
    """Cost from the root to the end of a motion: durations, or what the objective says.

    Args:
        system: The problem.
        tree: The tree; the motion's states are in ``tree.motion``.
        parent: Where the motion began.
        new: Row that holds its control.
        count: How many of its steps count.
        counters: Counters of the planner.

    Returns:
        The cost of the parent and the motion.
    """
    if system.cost == 0:
        return tree.cost[parent] + count * system.step
    cost = call_cost(
        system.cost,
        tree.state,
        parent,
        tree.motion,
        count,
        tree.control,
        new,
        system.step,
        system.cost_parameters,
    )
    if np.isnan(cost):
        counters[TROUBLE] = COST_FAILED
    return tree.cost[parent] + cost


@kernel(B1(IOUT1), counted=False, forced=True)
def goes_on(counters: Any) -> bool:
    """Whether work and iterations are left and no callback has failed."""
    return (
        counters[ITERATIONS] < counters[ITERATION_LIMIT]
        and counters[WORK] < counters[WORK_LIMIT]
        and counters[TROUBLE] == 0
    )


@kernel(VOID(SYSTEM, MAT, I8, OUT1), counted=False, forced=True)
def project(system: Any, states: Any, row: int, out: Any) -> None:
    """Project a row of ``states``: chosen components, rows of a matrix, or the user's function."""
    if system.project != 0:
        call_project(system.project, states, row, system.project_parameters, out)
        return
    for d in range(out.shape[0]):
        index = system.project_indices[d]
        if index >= 0:
            out[d] = states[row, index]
        else:
            total = 0.0
            for i in range(states.shape[1]):
                total += system.project_matrix[d, i] * states[row, i]
            out[d] = total


@kernel(I8(SYSTEM, MAT, I8, OUT1), counted=False, forced=True)
def cell_key(system: Any, states: Any, row: int, scratch: Any) -> int:
    """Number of the projection cell in which a state lies.

    Each of the d coordinates takes 63 // d bits, its cell counted from the origin; what is further
    away than the bits reach is put into the outermost cell.

    Args:
        system: The problem.
        states: States.
        row: Which one.
        scratch: Room for the projection, shape (d,).

    Returns:
        The key.
    """
    project(system, states, row, scratch)
    count = scratch.shape[0]
    bits = min(40, 63 // count)
    half = float(1 << (bits - 1))
    key = 0
    for d in range(count):
        t = np.floor((scratch[d] - system.project_origin[d]) / system.project_cells[d])
        t = min(half - 1.0, max(-half, t)) if not np.isnan(t) else 0.0
        key = (key << bits) | int(t + half)
    return key


@kernel(I8(SYSTEM, TREE, I8, I8, I8, IOUT1), counted=False, forced=True)
def roll_out(system: Any, tree: Any, parent: int, new: int, count: int, counters: Any) -> int:
    """Try the control of row ``new`` from node ``parent`` for ``count`` steps.

    Args:
        system: The problem.
        tree: The tree; ``tree.motion`` receives the states.
        parent: Where to start.
        new: Row that holds the control.
        count: Steps asked for.
        counters: Counters of the planner.

    Returns:
        Number of valid steps, 0 if a callback failed.
    """
    valid = call_rollout(
        system.rollout,
        tree.state,
        parent,
        tree.control,
        new,
        system.step,
        count,
        system.rollout_parameters,
        tree.motion,
    )
    if valid < 0:
        counters[TROUBLE] = valid
        return 0
    taken = min(count, valid + 1)
    counters[STEPS] += taken
    counters[WORK] += taken + 1
    return valid


@kernel(VOID(TREE, I8, I8, I8, F8, IOUT1), counted=False, forced=True)
def add_node(tree: Any, parent: int, new: int, steps: int, cost: float, counters: Any) -> None:
    """Enter row ``new``, whose control is already there, as the last node of the tree.

    Args:
        tree: The tree; the motion's states are in ``tree.motion``.
        parent: The node it grew from.
        new: Its row.
        steps: How many states of the motion lead to it.
        cost: Its cost from the root.
        counters: Counters of the planner.
    """
    for i in range(tree.state.shape[1]):
        tree.state[new, i] = tree.motion[steps - 1, i]
    tree.parent[new] = parent
    tree.steps[new] = steps
    tree.cost[new] = cost
    counters[NODES] = max(counters[NODES], new + 1)
