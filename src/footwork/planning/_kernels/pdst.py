"""PDST: grow from path segments, the least used in the largest cells first.

Every state of a motion is a node; a piece is a run of nodes of one motion within one cell. The
piece of least score = priority / volume of its cell is chosen, its priority p becomes 2p + 1, and a
motion starts from a random node of it; then its cell is halved, and the pieces in it are cut along
the new border. So every cell, however small, is visited at last.

Source: ladd2005motion
"""

from typing import Any, NamedTuple

from numba import types

from footwork._numba import F8, I8, IOUT1, OUT1, OUT2, VOID, kernel
from footwork.planning._kernels.sampling import random_integer
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
    cost_through,
    goes_on,
    judge,
    project,
    roll_out,
    sample_control_row,
)

PIECES = OWN
CELLS = OWN + 1
NONE = -1


class Pdst(NamedTuple):
    """Arrays of PDST.

    Attributes:
        first: First node of each piece, shape (nodes,).
        last: Its last node.
        priority: Its priority.
        cell: The cell it lies in.
        place: Its place in the heap.
        following: The next piece in the same cell, -1 at the end.
        heap: Pieces, least score first, shape (nodes,).
        head: First piece of each cell, -1 when there is none, shape (cells,).
        child: Lower half of each cell (the upper one follows it), -1 in a leaf.
        axis: Along which coordinate it is halved.
        volume: Share of the whole.
        low: Lower corner, shape (cells, d).
        high: Upper corner, shape (cells, d).
    """

    first: Any
    last: Any
    priority: Any
    cell: Any
    place: Any
    following: Any
    heap: Any
    head: Any
    child: Any
    axis: Any
    volume: Any
    low: Any
    high: Any


PDST = types.BaseTuple.from_types(
    [
        *(IOUT1, IOUT1, OUT1, IOUT1, IOUT1, IOUT1, IOUT1),
        *(IOUT1, IOUT1, IOUT1, OUT1, OUT2, OUT2),
    ],
    Pdst,
)
"""Numba type of Pdst."""


@kernel(F8(PDST, I8), counted=False, forced=True)
def score(own: Any, piece: int) -> float:
    """Compute priority / volume."""
    return own.priority[piece] / own.volume[own.cell[piece]]


@kernel(VOID(PDST, I8, IOUT1), counted=False, forced=True)
def sift(own: Any, place: int, counters: Any) -> None:
    """Move the piece at a place of the heap to where it belongs."""
    heap, count = own.heap, counters[PIECES]
    piece = heap[place]
    value = score(own, piece)
    while place > 0 and score(own, heap[(place - 1) // 2]) > value:
        heap[place] = heap[(place - 1) // 2]
        own.place[heap[place]] = place
        place = (place - 1) // 2
    while 2 * place + 1 < count:
        child = 2 * place + 1
        if child + 1 < count and score(own, heap[child + 1]) < score(own, heap[child]):
            child += 1
        if score(own, heap[child]) >= value:
            break
        heap[place] = heap[child]
        own.place[heap[place]] = place
        place = child
    heap[place] = piece
    own.place[piece] = place


@kernel(I8(SYSTEM, TREE, PDST, I8, I8), counted=False, forced=True)
def locate(system: Any, tree: Any, own: Any, node: int, cell: int) -> int:
    """Find the leaf in which a node lies, starting from a cell above it."""
    if own.child[cell] == NONE:
        return cell
    project(system, tree.state, node, tree.projected)
    while own.child[cell] != NONE:
        axis, lower = own.axis[cell], own.child[cell]
        middle = own.high[lower, axis]
        cell = lower if tree.projected[axis] < middle else lower + 1
    return cell


@kernel(I8(PDST, I8, I8, F8, I8, IOUT1), counted=False, forced=True)
def add_piece(own: Any, first: int, last: int, priority: float, cell: int, counters: Any) -> int:
    """Make a piece in a leaf and put it into the heap."""
    piece = counters[PIECES]
    counters[PIECES] = piece + 1
    own.first[piece], own.last[piece], own.priority[piece] = first, last, priority
    own.cell[piece], own.following[piece] = cell, own.head[cell]
    own.head[cell] = piece
    own.heap[piece] = piece
    own.place[piece] = piece
    sift(own, piece, counters)
    return piece


@kernel(VOID(SYSTEM, TREE, PDST, I8, I8, IOUT1), counted=False, forced=True)
def add_run(system: Any, tree: Any, own: Any, first: int, last: int, counters: Any) -> None:
    """Cut the nodes of a new motion into pieces by the leaves they lie in."""
    begin, inside = first, locate(system, tree, own, first, 0)
    for node in range(first + 1, last + 1):
        cell = locate(system, tree, own, node, 0)
        if cell != inside:
            add_piece(own, begin, node - 1, float(counters[ITERATIONS]), inside, counters)
            begin, inside = node, cell
    add_piece(own, begin, last, float(counters[ITERATIONS]), inside, counters)
    counters[REGISTERED] = last + 1


@kernel(VOID(PDST, I8, IOUT1), counted=False)
def halve(own: Any, cell: int, counters: Any) -> None:
    """Make two leaves of a leaf, along its own axis."""
    lower = counters[CELLS]
    counters[CELLS] = lower + 2
    axis, d = own.axis[cell], own.low.shape[1]
    for half in range(lower, lower + 2):
        own.head[half], own.child[half] = NONE, NONE
        own.axis[half] = (axis + 1) % d
        own.volume[half] = 0.5 * own.volume[cell]
        for i in range(d):
            own.low[half, i], own.high[half, i] = own.low[cell, i], own.high[cell, i]
    middle = 0.5 * (own.low[cell, axis] + own.high[cell, axis])
    own.high[lower, axis] = middle
    own.low[lower + 1, axis] = middle
    own.child[cell] = lower


@kernel(VOID(SYSTEM, TREE, PDST, I8, IOUT1), counted=False)
def subdivide(system: Any, tree: Any, own: Any, cell: int, counters: Any) -> None:
    """Halve a cell; cut its pieces at the new border and hand them to the halves."""
    halve(own, cell, counters)
    piece = own.head[cell]
    own.head[cell] = NONE
    while piece != NONE:
        following = own.following[piece]
        first, last = own.first[piece], own.last[piece]
        begin, inside, whole = first, NONE, True
        for node in range(first, last + 2):
            half = locate(system, tree, own, node, cell) if node <= last else NONE
            if half == inside and node <= last:
                continue
            if node > first and whole:
                own.last[piece], own.cell[piece] = node - 1, inside
                own.following[piece], own.head[inside] = own.head[inside], piece
                sift(own, own.place[piece], counters)
                whole = False
            elif node > first:
                add_piece(own, begin, node - 1, own.priority[piece], inside, counters)
            begin, inside = node, half
        piece = following


@kernel(I8(TREE, PDST, I8, I8, I8), counted=False, forced=True)
def allowed_node(tree: Any, own: Any, piece: int, place: int, least: int) -> int:
    """Take a node of a piece; one too early in its motion gives way to the first that is not."""
    node = own.first[piece] + place
    if tree.parent[node] >= 0 and tree.steps[node] < least:
        node += least - tree.steps[node]
    return node


@kernel(I8(SYSTEM, TREE, I8, I8, I8, IOUT1, OUT1), counted=False, forced=True)
def add_states(
    system: Any, tree: Any, parent: int, new: int, valid: int, counters: Any, values: Any
) -> int:
    """Add every state of a motion as a node, as far as it is cheaper than the best solution.

    Returns:
        1 if the best solution was improved.
    """
    improved, least = 0, system.limits[0]
    if not cost_through(system, tree, parent, new, least, counters) < values[BEST_COST]:
        return 0
    for steps in range(1, valid + 1):
        cost = cost_through(system, tree, parent, new, steps, counters)
        if not cost < values[BEST_COST]:
            break
        node = new + steps - 1
        for i in range(tree.control.shape[1]):
            tree.control[node, i] = tree.control[new, i]
        add_node(tree, parent, node, steps, cost, counters)
        if steps >= least and judge(system, tree.state, node, cost, counters, values):
            improved = 1
    return improved


@kernel(VOID(SYSTEM, TREE, PDST, IOUT1), counted=False)
def plant(system: Any, tree: Any, own: Any, counters: Any) -> None:
    """Enter the starts; the first cell has been made by the caller."""
    counters[CELLS] = max(1, counters[CELLS])
    while counters[REGISTERED] < counters[NODES]:
        add_run(system, tree, own, counters[REGISTERED], counters[REGISTERED], counters)


@kernel(advance_signature(PDST), nogil=True, counted=False)
def advance(system: Any, tree: Any, own: Any, counters: Any, values: Any, rng: Any) -> int:
    """Grow the tree; see `tree` for the arguments and codes."""
    least, most = system.limits[0], system.limits[1]
    plant(system, tree, own, counters)
    while goes_on(counters):
        new = counters[NODES]
        if new + most > tree.parent.shape[0] or counters[CELLS] + 2 > own.head.shape[0]:
            return FULL
        counters[ITERATIONS] += 1
        piece = own.heap[0]
        own.priority[piece] = 2.0 * own.priority[piece] + 1.0
        sift(own, 0, counters)
        place = random_integer(rng, 0, own.last[piece] - own.first[piece])
        parent = allowed_node(tree, own, piece, place, least)
        sample_control_row(
            rng, system.control_low, system.control_high, system.control_discrete, tree.control, new
        )
        valid = roll_out(system, tree, parent, new, random_integer(rng, least, most), counters)
        if valid < least:
            continue
        improved = add_states(system, tree, parent, new, valid, counters, values)
        if counters[NODES] == new:
            continue
        add_run(system, tree, own, new, counters[NODES] - 1, counters)
        subdivide(system, tree, own, own.cell[piece], counters)
        if improved == 1:
            return IMPROVED
    return FAILED if counters[TROUBLE] != 0 else WORKED
