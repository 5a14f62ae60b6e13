"""What every planner kernel shares: the problem as data, the tree, and its counters.

A planner kernel is ``advance(system, tree, own, counters, values, rng) -> code``. It grows the
tree until its work is done, its arrays are full, or a better solution is found, and keeps
everything that must survive in its arguments, so that a pause never shows in the result.
"""

from typing import Any, NamedTuple

from numba import types

from footwork._numba import F8, I8, IOUT1, IOUT2, OUT1, OUT2
from footwork.planning._kernels.sampling import RNG

# What a kernel returns.
WORKED = 0
"""The work or the iterations allowed are used up."""
FULL = 1
"""An array is full and must grow before the next call."""
IMPROVED = 2
"""A solution better than the best so far was found."""
FAILED = 3
"""A callback of the user failed."""

GOAL_FAILED = 1
COST_FAILED = 2

# Where the counters are.
ITERATIONS = 0
NODES = 1
STEPS = 2
"""Propagation steps taken, the last and invalid one of a motion included."""
BEST = 3
"""Node that ends the best solution, -1 when there is none."""
CLOSEST = 4
"""Node closest to the goal, -1 when there is none."""
ITERATION_LIMIT = 5
WORK_LIMIT = 6
WORK = 7
"""Propagation steps and iterations together."""
REGISTERED = 8
"""Nodes that the planner has entered into its own arrays."""
TROUBLE = 9
"""Not 0 when a callback of the user failed: the rollout's code, `GOAL_FAILED` or `COST_FAILED`."""
OWN = 10
"""First counter that belongs to the planner itself."""
COUNTERS = 24

# Where the values are.
BEST_COST = 0
CLOSEST_EXCESS = 1
VALUES = 8


class System(NamedTuple):
    """The problem as data: doors, space, limits, goal and projection.

    Attributes:
        rollout: Address of the rollout.
        rollout_parameters: Its parameters.
        components: (kind, offset, size) of each component of the state, shape (k, 3).
        weights: Weight of each component in the metric, shape (k,).
        low: Lower bounds of the state, shape (n,).
        high: Upper bounds of the state, shape (n,).
        control_low: Lower bounds of the control, shape (m,).
        control_high: Upper bounds of the control, shape (m,).
        control_discrete: 1 where a control is a whole number, shape (m,).
        limits: (least, most) propagation steps of a motion, shape (2,).
        step: Propagation step [s].
        goal: Address of the goal, 0 when it is data.
        goal_parameters: Its parameters.
        goal_components: Components of the goal's metric, shape (g, 3).
        goal_weights: Their weights, shape (g,).
        goal_states: Goal states, also samples for the goal bias, shape (s, n).
        goal_tolerances: How far each may be missed, shape (s,).
        cost: Address of the cost of a motion, 0 for its duration.
        cost_parameters: Its parameters.
        project: Address of the projection, 0 when it is data.
        project_parameters: Its parameters.
        project_indices: Component of the state that each coordinate is, -1 for a matrix row.
        project_matrix: Rows of the projection, shape (d, n).
        project_origin: Corner of a cell, shape (d,).
        project_cells: Size of the cells, shape (d,).
    """

    rollout: int
    rollout_parameters: Any
    components: Any
    weights: Any
    low: Any
    high: Any
    control_low: Any
    control_high: Any
    control_discrete: Any
    limits: Any
    step: float
    goal: int
    goal_parameters: Any
    goal_components: Any
    goal_weights: Any
    goal_states: Any
    goal_tolerances: Any
    cost: int
    cost_parameters: Any
    project: int
    project_parameters: Any
    project_indices: Any
    project_matrix: Any
    project_origin: Any
    project_cells: Any


SYSTEM = types.BaseTuple.from_types(
    [
        *(I8, OUT1, IOUT2, OUT1, OUT1, OUT1, OUT1, OUT1, IOUT1, IOUT1, F8),
        *(I8, OUT1, IOUT2, OUT1, OUT2, OUT1),
        *(I8, OUT1),
        *(I8, OUT1, IOUT1, OUT2, OUT1, OUT1),
    ],
    System,
)
"""Numba type of a System."""


class Tree(NamedTuple):
    """Nodes of a tree: node i is reached from its parent by one control held for some steps.

    Attributes:
        state: States, shape (capacity, n).
        control: Controls, shape (capacity, m).
        parent: Node it grew from, -1 at a root, shape (capacity,).
        steps: Propagation steps from the parent, shape (capacity,).
        cost: Cost from the root, shape (capacity,).
        motion: Room for the states of one motion, shape (most steps + 1, n).
        target: Room for a state to grow towards, shape (1, n).
        spare: Room for a control, shape (1, m).
        projected: Room for a projected state, shape (d,).
        keys: Room for the cells along a motion, shape (most steps,).
        scratch: Room for a search of the kd-tree, shape (4, 512).
    """

    state: Any
    control: Any
    parent: Any
    steps: Any
    cost: Any
    motion: Any
    target: Any
    spare: Any
    projected: Any
    keys: Any
    scratch: Any


TREE = types.BaseTuple.from_types(
    [OUT2, OUT2, IOUT1, IOUT1, OUT1, OUT2, OUT2, OUT2, OUT1, IOUT1, OUT2], Tree
)
"""Numba type of a Tree."""


def advance_signature(own: object) -> object:
    """Give the signature of a planner kernel.

    Args:
        own: Numba type of the planner's own arrays.

    Returns:
        The signature.
    """
    return I8(SYSTEM, TREE, own, IOUT1, OUT1, RNG)
