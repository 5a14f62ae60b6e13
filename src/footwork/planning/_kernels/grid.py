"""Hashed cells with lists of nodes, and drawing a cell by weight.

A cell is found by its key through open addressing. Each cell's nodes lie together in one pool, so
that any of them can be drawn; a full list moves to the end of the pool with twice the room, so that
four places a node and eight a cell always suffice.
"""

from typing import Any, NamedTuple

from numba import types

from footwork._numba import F8, I8, IOUT1, OUT1, VOID, kernel
from footwork.planning._kernels.sampling import RNG, random_uniform

EMPTY = -1
"""Key of a free slot."""
FIRST_ROOM = 4
"""Room of a new cell's list."""
_M = (1 << 20) - 1

# Entries of `used`.
CELLS = 0
POOL = 1


class Cells(NamedTuple):
    """Cells of a grid and the nodes in them.

    Attributes:
        keys: Keys by slot, `EMPTY` where free, shape (a power of two,).
        slots: Cell of each slot, same shape.
        key: Key of each cell, shape (capacity,).
        start: Where its list starts in the pool.
        count: Nodes in it.
        room: Room of its list.
        pool: Lists of nodes.
        used: Cells and pool entries in use, shape (2,).
    """

    keys: Any
    slots: Any
    key: Any
    start: Any
    count: Any
    room: Any
    pool: Any
    used: Any


CELLS_TYPE = types.BaseTuple.from_types([IOUT1] * 8, Cells)
"""Numba type of Cells."""


@kernel(I8(I8, I8), counted=False, forced=True)
def first_slot(key: int, slots: int) -> int:
    """Hash a key to a slot; no product exceeds 63 bits."""
    mixed = (key & _M) + ((key >> 20) & _M) * 40503 + ((key >> 40) & _M) * 60493
    return (mixed ^ (mixed >> 17)) & (slots - 1)


@kernel(I8(IOUT1, IOUT1, I8), counted=False, forced=True)
def find_cell(keys: Any, slots: Any, key: int) -> int:
    """Find the cell with a key, -1 when there is none."""
    slot = first_slot(key, keys.shape[0])
    while keys[slot] != EMPTY:
        if keys[slot] == key:
            return slots[slot]
        slot = (slot + 1) & (keys.shape[0] - 1)
    return -1


@kernel(VOID(IOUT1, IOUT1, I8, I8), counted=False)
def put_cell(keys: Any, slots: Any, key: int, cell: int) -> None:
    """Enter a cell under a key that is not yet there."""
    slot = first_slot(key, keys.shape[0])
    while keys[slot] != EMPTY:
        slot = (slot + 1) & (keys.shape[0] - 1)
    keys[slot] = key
    slots[slot] = cell


@kernel(I8(CELLS_TYPE, I8), counted=False)
def add_cell(cells: Any, key: int) -> int:
    """Make a new cell."""
    cell = cells.used[CELLS]
    cells.used[CELLS] = cell + 1
    put_cell(cells.keys, cells.slots, key, cell)
    cells.key[cell] = key
    cells.count[cell] = 0
    cells.start[cell] = cells.used[POOL]
    cells.room[cell] = FIRST_ROOM
    cells.used[POOL] += FIRST_ROOM
    return cell


@kernel(VOID(CELLS_TYPE, I8, I8), counted=False, forced=True)
def add_to_cell(cells: Any, cell: int, node: int) -> None:
    """Append a node to the list of a cell."""
    count = cells.count[cell]
    if count == cells.room[cell]:
        old, new = cells.start[cell], cells.used[POOL]
        for k in range(count):
            cells.pool[new + k] = cells.pool[old + k]
        cells.start[cell] = new
        cells.room[cell] = 2 * count
        cells.used[POOL] = new + 2 * count
    cells.pool[cells.start[cell] + count] = node
    cells.count[cell] = count + 1


@kernel(VOID(OUT1, I8, F8), counted=False, forced=True)
def set_weight(weights: Any, cell: int, weight: float) -> None:
    """Set a leaf of a binary tree of sums.

    Args:
        weights: Node k has children 2k and 2k + 1; leaves are the second half; root 1.
        cell: Which leaf.
        weight: Its new value.
    """
    k = cell + weights.shape[0] // 2
    weights[k] = weight
    while k > 1:
        weight += weights[k ^ 1]  # what its sibling holds; nothing stored is read again
        k >>= 1
        weights[k] = weight


@kernel(I8(OUT1, RNG), counted=False, forced=True)
def draw_weighted(weights: Any, rng: Any) -> int:
    """Draw a leaf with a probability in proportion to its weight."""
    half = weights.shape[0] // 2
    r = random_uniform(rng) * weights[1]
    k = 1
    while k < half:
        k *= 2
        if r >= weights[k] and weights[k + 1] > 0.0:
            r -= weights[k]
            k += 1
    return k - half
