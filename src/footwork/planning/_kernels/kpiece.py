"""KPIECE1: grow from important cells, first from those on the border of what has been explored.

importance = score / ((neighbours + 1) · coverage · selections). A cell is interior when all its 2d
neighbours exist. The most important cell of the border, or of the interior, gives a node, rather
one of its newest; a motion is cut where it crosses cells.

Source: sucan2009kinodynamic; constants as in OMPL
"""

import math
from typing import Any, NamedTuple

from numba import types

from footwork._numba import F8, I8, IOUT1, IOUT2, OUT1, OUT2, VOID, kernel
from footwork.planning._kernels.grid import (
    CELLS,
    CELLS_TYPE,
    add_cell,
    add_to_cell,
    find_cell,
)
from footwork.planning._kernels.sampling import (
    RNG,
    random_integer,
    random_normal,
    random_uniform,
)
from footwork.planning._kernels.tree import (
    BEST_COST,
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
    cell_key,
    cost_through,
    goal_excess,
    goes_on,
    judge_excess,
    roll_out,
    sample_control_row,
)

BORDER = OWN
"""Cells in the heap of the border; the next counter is that of the interior."""
CLOSE = OWN + 2
"""How many close samples there are."""
GOAL_OFFSET = 1e-3
FOCUS = 3.0
"""Half-normal draw of a node: the standard deviation is a third of the list."""
SPARSE = 2.0 / 3.0
SMALL = 2.2e-16
CHANCE = 0.05
"""Probability of keeping a motion that enters no new or sparse cell."""
# Parameters.
GOAL_BIAS = 0
BORDER_FRACTION = 1
GOOD = 2
BAD = 3


class Kpiece(NamedTuple):
    """Arrays of KPIECE1.

    Attributes:
        cells: Cells of the projection with the nodes in them.
        score: Score of each cell, shape (capacity,).
        importance: Importance of each cell.
        coverage: Steps of the motions in it.
        selections: How often it was chosen, from 1.
        neighbours: How many of its neighbours exist.
        place: Its place in its heap.
        heap: Cells of the border and of the interior, most important first, shape (2, capacity).
        close: (goal distance, node) of the closest samples, nearest first, shape (·, 2).
        parameters: (goal bias, border fraction, good factor, bad factor), shape (4,).
    """

    cells: Any
    score: Any
    importance: Any
    coverage: Any
    selections: Any
    neighbours: Any
    place: Any
    heap: Any
    close: Any
    parameters: Any


KPIECE = types.BaseTuple.from_types(
    [CELLS_TYPE, OUT1, OUT1, IOUT1, IOUT1, IOUT1, IOUT1, IOUT2, OUT2, OUT1], Kpiece
)
"""Numba type of Kpiece."""


@kernel(I8(KPIECE, I8, I8), counted=False, forced=True)
def is_interior(own: Any, cell: int, dimension: int) -> int:
    """Give 1 when all neighbours of a cell exist."""
    return 1 if own.neighbours[cell] >= 2 * dimension else 0


@kernel(VOID(KPIECE, I8, I8, IOUT1), counted=False, forced=True)
def sift(own: Any, which: int, place: int, counters: Any) -> None:
    """Move the cell at a place of a heap up or down to where it belongs."""
    heap, importance = own.heap, own.importance
    cell, count = heap[which, place], counters[BORDER + which]
    value = importance[cell]
    while place > 0 and importance[heap[which, (place - 1) // 2]] < value:
        heap[which, place] = heap[which, (place - 1) // 2]
        own.place[heap[which, place]] = place
        place = (place - 1) // 2
    while 2 * place + 1 < count:
        child = 2 * place + 1
        if (
            child + 1 < count
            and importance[heap[which, child + 1]] > importance[heap[which, child]]
        ):
            child += 1
        if importance[heap[which, child]] <= value:
            break
        heap[which, place] = heap[which, child]
        own.place[heap[which, place]] = place
        place = child
    heap[which, place] = cell
    own.place[cell] = place


@kernel(VOID(KPIECE, I8, I8, IOUT1), counted=False)
def push(own: Any, which: int, cell: int, counters: Any) -> None:
    """Put a cell into a heap."""
    place = counters[BORDER + which]
    counters[BORDER + which] = place + 1
    own.heap[which, place] = cell
    own.place[cell] = place
    sift(own, which, place, counters)


@kernel(VOID(KPIECE, I8, I8, IOUT1), counted=False)
def take_out(own: Any, which: int, cell: int, counters: Any) -> None:
    """Take a cell out of a heap."""
    place = own.place[cell]
    counters[BORDER + which] -= 1
    last = own.heap[which, counters[BORDER + which]]
    if last != cell:
        own.heap[which, place] = last
        own.place[last] = place
        sift(own, which, place, counters)


@kernel(VOID(KPIECE, I8), counted=False, forced=True)
def weigh(own: Any, cell: int) -> None:
    """Compute the importance of a cell."""
    share = (own.neighbours[cell] + 1.0) * own.coverage[cell] * own.selections[cell]
    own.importance[cell] = own.score[cell] / share


@kernel(VOID(KPIECE, I8, I8, IOUT1), counted=False, forced=True)
def update(own: Any, cell: int, dimension: int, counters: Any) -> None:
    """Compute the importance of a cell and restore its heap."""
    weigh(own, cell)
    sift(own, is_interior(own, cell, dimension), own.place[cell], counters)


@kernel(I8(KPIECE, I8, F8, I8, IOUT1), counted=False)
def create(own: Any, key: int, excess: float, dimension: int, counters: Any) -> int:
    """Make a cell, tell its neighbours, and put it into its heap."""
    cell = add_cell(own.cells, key)
    own.score[cell] = (1.0 + math.log(max(1.0, float(counters[ITERATIONS])))) / (
        GOAL_OFFSET + max(0.0, excess)
    )
    own.coverage[cell], own.selections[cell], own.neighbours[cell] = 1, 1, 0
    bits = min(40, 63 // dimension)
    for side in range(2 * dimension):
        offset = 1 << (bits * (side // 2))
        beside = find_cell(
            own.cells.keys, own.cells.slots, key + offset if side % 2 == 0 else key - offset
        )
        if beside < 0:
            continue
        own.neighbours[cell] += 1
        was = is_interior(own, beside, dimension)
        own.neighbours[beside] += 1
        if is_interior(own, beside, dimension) == was:
            update(own, beside, dimension, counters)
        else:
            take_out(own, was, beside, counters)
            weigh(own, beside)
            push(own, 1 - was, beside, counters)
    weigh(own, cell)
    push(own, is_interior(own, cell, dimension), cell, counters)
    return cell


@kernel(VOID(KPIECE, I8, F8, IOUT1), counted=False, forced=True)
def consider(own: Any, node: int, excess: float, counters: Any) -> None:
    """Enter a node among the samples closest to the goal."""
    close, count = own.close, counters[CLOSE]
    if count == close.shape[0]:
        if count == 0 or close[count - 1, 0] <= excess:
            return
        count -= 1
    place = count
    while place > 0 and close[place - 1, 0] > excess:
        close[place, 0], close[place, 1] = close[place - 1, 0], close[place - 1, 1]
        place -= 1
    close[place, 0], close[place, 1] = excess, float(node)
    counters[CLOSE] = count + 1


@kernel(F8(SYSTEM, TREE, KPIECE, I8, I8, I8, IOUT1), counted=False, forced=True)
def register(
    system: Any, tree: Any, own: Any, node: int, key: int, length: int, counters: Any
) -> float:
    """Enter a node and the length of its last piece into its cell; give its goal excess."""
    excess = goal_excess(system, tree.state, node)
    dimension = system.project_cells.shape[0]
    cell = find_cell(own.cells.keys, own.cells.slots, key)
    if cell < 0:
        cell = create(own, key, excess, dimension, counters)
        own.coverage[cell] = max(1, length)
    else:
        own.coverage[cell] += length
    add_to_cell(own.cells, cell, node)
    update(own, cell, dimension, counters)
    consider(own, node, excess, counters)
    counters[REGISTERED] = node + 1
    return excess


@kernel(VOID(KPIECE, IOUT1), counted=False)
def lift(own: Any, counters: Any) -> None:
    """Raise all scores when the best has sunk to nothing, which finite precision brings about."""
    gain = 1.0 + math.log(max(1.0, float(counters[ITERATIONS])))
    for cell in range(own.cells.used[CELLS]):
        own.score[cell] += gain
        weigh(own, cell)
    for which in range(2):
        count = counters[BORDER + which]
        for place in range(count // 2, -1, -1):
            if place < count:
                sift(own, which, place, counters)


@kernel(I8(KPIECE, RNG, IOUT1), counted=False, forced=True)
def choose_cell(own: Any, rng: Any, counters: Any) -> int:
    """Choose the most important cell of the border or of the interior."""
    border, interior = counters[BORDER], counters[BORDER + 1]
    fraction = max(own.parameters[BORDER_FRACTION], border / (border + interior))
    which = 0 if random_uniform(rng) < fraction else 1
    if counters[BORDER + which] == 0:
        which = 1 - which
    if own.score[own.heap[which, 0]] < SMALL:
        lift(own, counters)
    return own.heap[which, 0]


@kernel(I8(KPIECE, I8, RNG), counted=False, forced=True)
def choose_node(own: Any, cell: int, rng: Any) -> int:
    """Draw a node of a cell, half-normally towards its newest."""
    last = own.cells.count[cell] - 1
    back = abs(random_normal(rng)) * last / FOCUS
    return own.cells.pool[own.cells.start[cell] + max(0, last - int(min(back, float(last))))]


@kernel(I8(KPIECE, IOUT1), counted=False, forced=True)
def choose_close(own: Any, counters: Any) -> int:
    """Take the sample closest to the goal and put it back half-way down the list."""
    distance, node = own.close[0, 0], int(own.close[0, 1])
    count = counters[CLOSE]
    for k in range(1, count):
        own.close[k - 1, 0], own.close[k - 1, 1] = own.close[k, 0], own.close[k, 1]
    counters[CLOSE] = count - 1
    worst = own.close[count - 2, 0] if count > 1 else distance
    consider(own, node, 0.5 * (distance + worst), counters)
    return node


@kernel(I8(SYSTEM, TREE, KPIECE, I8, I8, I8, IOUT1, OUT1), counted=False, forced=True)
def add_pieces(
    system: Any,
    tree: Any,
    own: Any,
    parent: int,
    new: int,
    valid: int,
    counters: Any,
    values: Any,
) -> int:
    """Add a node wherever a motion leaves a cell, and at its end.

    All are children of the node where the motion began, so that durations keep their limits.

    Returns:
        1 if the best solution was improved.
    """
    begin, improved, keys = 0, 0, tree.keys
    for count in range(1, valid + 1):
        if count < valid and keys[count] == keys[count - 1]:
            continue
        length, begin = count - begin, count
        if count < system.limits[0]:
            continue
        cost = cost_through(system, tree, parent, new, count, counters)
        if not cost < values[BEST_COST]:
            break
        node = counters[NODES]
        for i in range(tree.control.shape[1]):
            tree.control[node, i] = tree.control[new, i]
        add_node(tree, parent, node, count, cost, counters)
        excess = register(system, tree, own, node, keys[count - 1], length, counters)
        if judge_excess(excess, node, cost, counters, values):
            improved = 1
    return improved


@kernel(I8(SYSTEM, TREE, KPIECE, I8, IOUT1), counted=False, forced=True)
def is_interesting(system: Any, tree: Any, own: Any, valid: int, counters: Any) -> int:
    """Find the cells along a motion; give 1 if one is new or holds few nodes."""
    sparse = SPARSE * counters[NODES] / own.cells.used[CELLS]
    interesting = 0
    for k in range(valid):
        tree.keys[k] = cell_key(system, tree.motion, k, tree.projected)
        if interesting == 0:
            cell = find_cell(own.cells.keys, own.cells.slots, tree.keys[k])
            if cell < 0 or own.cells.count[cell] <= sparse:
                interesting = 1
    return interesting


@kernel(advance_signature(KPIECE), nogil=True, counted=False)
def advance(system: Any, tree: Any, own: Any, counters: Any, values: Any, rng: Any) -> int:
    """Grow the tree; see `tree` for the arguments and codes."""
    least, most, dimension = system.limits[0], system.limits[1], system.project_cells.shape[0]
    cells, parameters = own.cells, own.parameters
    while counters[REGISTERED] < counters[NODES]:
        if cells.used[CELLS] == cells.key.shape[0]:
            return FULL
        key = cell_key(system, tree.state, counters[REGISTERED], tree.projected)
        register(system, tree, own, counters[REGISTERED], key, 1, counters)
    while goes_on(counters):
        new = counters[NODES]
        if new + most > tree.parent.shape[0] or cells.used[CELLS] + most > cells.key.shape[0]:
            return FULL
        counters[ITERATIONS] += 1
        if counters[CLOSE] > 0 and random_uniform(rng) < parameters[GOAL_BIAS]:
            parent = choose_close(own, counters)
            key = cell_key(system, tree.state, parent, tree.projected)
            cell = find_cell(cells.keys, cells.slots, key)
        else:
            cell = choose_cell(own, rng, counters)
            own.selections[cell] += 1
            parent = choose_node(own, cell, rng)
        sample_control_row(
            rng, system.control_low, system.control_high, system.control_discrete, tree.control, new
        )
        valid = roll_out(system, tree, parent, new, random_integer(rng, least, most), counters)
        improved = 0
        if valid >= least:
            wanted = is_interesting(system, tree, own, valid, counters)
            if wanted == 1 or random_uniform(rng) < CHANCE:
                improved = add_pieces(system, tree, own, parent, new, valid, counters, values)
        own.score[cell] *= parameters[GOOD] if valid >= least else parameters[BAD]
        update(own, cell, dimension, counters)
        if improved == 1:
            return IMPROVED
    return FAILED if counters[TROUBLE] != 0 else WORKED
