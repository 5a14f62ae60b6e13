"""EST: grow from where the tree is thin.

A cell of the projection is drawn with weight 1 / (nodes in it), a node uniformly among its nodes, a
control and a duration at random.

Source: hsu2002randomized; cells and weights as in OMPL
"""

from typing import Any, NamedTuple

from numba import types

from footwork._numba import I8, IOUT1, OUT1, VOID, kernel
from footwork.planning._kernels.grid import (
    CELLS,
    CELLS_TYPE,
    add_cell,
    add_to_cell,
    draw_weighted,
    find_cell,
    set_weight,
)
from footwork.planning._kernels.sampling import random_integer
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
    cell_key,
    cost_through,
    goes_on,
    judge,
    roll_out,
    sample_control_row,
)


class Est(NamedTuple):
    """Arrays of EST.

    Attributes:
        cells: Cells of the projection with the nodes in them.
        weights: Binary tree of sums over the cells, shape (2 × a power of two,).
    """

    cells: Any
    weights: Any


EST = types.BaseTuple.from_types([CELLS_TYPE, OUT1], Est)
"""Numba type of Est."""


@kernel(VOID(SYSTEM, TREE, EST, I8, IOUT1), counted=False, forced=True)
def register(system: Any, tree: Any, own: Any, node: int, counters: Any) -> None:
    """Enter a node into its cell."""
    cells = own.cells
    key = cell_key(system, tree.state, node, tree.projected)
    cell = find_cell(cells.keys, cells.slots, key)
    if cell < 0:
        cell = add_cell(cells, key)
    add_to_cell(cells, cell, node)
    set_weight(own.weights, cell, 1.0 / cells.count[cell])
    counters[REGISTERED] = node + 1


@kernel(advance_signature(EST), nogil=True, counted=False)
def advance(system: Any, tree: Any, own: Any, counters: Any, values: Any, rng: Any) -> int:
    """Grow the tree; see `tree` for the arguments and codes."""
    cells = own.cells
    least, most = system.limits[0], system.limits[1]
    while counters[REGISTERED] < counters[NODES]:
        if cells.used[CELLS] == cells.key.shape[0]:
            return FULL
        register(system, tree, own, counters[REGISTERED], counters)
    while goes_on(counters):
        new = counters[NODES]
        if new == tree.parent.shape[0] or cells.used[CELLS] == cells.key.shape[0]:
            return FULL
        counters[ITERATIONS] += 1
        cell = draw_weighted(own.weights, rng)
        parent = cells.pool[cells.start[cell] + random_integer(rng, 0, cells.count[cell] - 1)]
        sample_control_row(
            rng, system.control_low, system.control_high, system.control_discrete, tree.control, new
        )
        valid = roll_out(system, tree, parent, new, random_integer(rng, least, most), counters)
        if valid < least:
            continue
        cost = cost_through(system, tree, parent, new, valid, counters)
        if not cost < values[BEST_COST]:
            continue
        add_node(tree, parent, new, valid, cost, counters)
        register(system, tree, own, new, counters)
        if judge(system, tree.state, new, cost, counters, values):
            return IMPROVED
    return FAILED if counters[TROUBLE] != 0 else WORKED
