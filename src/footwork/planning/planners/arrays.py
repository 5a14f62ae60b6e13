"""Arrays that grow: kd-trees, cells and columns, made small and copied into larger ones."""

from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from footwork.planning._kernels.grid import EMPTY, Cells, put_cell
from footwork.planning._kernels.kdtree import BUCKET, KdTree, blocks_for
from footwork.typing import Vector

Scalar = TypeVar("Scalar", bound=np.generic)


def grown(array: NDArray[Scalar], rows: int, used: int | None = None) -> NDArray[Scalar]:
    """Copy an array into one with more rows; the new rows are not set.

    Args:
        array: Any shape.
        rows: Number of rows wanted, not fewer than now.
        used: How many rows are in use, all when not given; memory that was never touched is not
            touched here either.

    Returns:
        The larger array.
    """
    larger = np.empty((rows, *array.shape[1:]), array.dtype)
    count = len(array) if used is None else used
    larger[:count] = array[:count]
    return larger


def bytes_of(arrays: Any) -> int:
    """Count the bytes of arrays in nested tuples.

    Args:
        arrays: An array, or a tuple of such; numbers count nothing.

    Returns:
        Bytes that have been reserved.
    """
    if isinstance(arrays, tuple):
        return sum(bytes_of(item) for item in arrays)
    return int(arrays.nbytes) if isinstance(arrays, np.ndarray) else 0


def make_kdtree(capacity: int, scale: Vector) -> KdTree:
    """Make an empty kd-tree.

    Args:
        capacity: How many points it can hold.
        scale: Weight of each axis when the widest is looked for, shape (n,).

    Returns:
        The tree.
    """
    blocks, n = blocks_for(capacity), len(scale)
    return KdTree(
        low=np.empty((blocks, n, 2)),
        high=np.empty((blocks, n, 2)),
        link=np.empty((2 * blocks, 4), np.int64),
        least=np.empty(2 * blocks),
        point=np.empty((blocks, n, BUCKET)),
        item=np.empty((blocks, BUCKET), np.int64),
        home=np.empty(capacity, np.int64),
        price=np.empty((blocks, BUCKET)),
        fill=np.zeros(blocks, np.int64),
        used=np.zeros(4, np.int64),
        free_node=np.empty(2 * blocks, np.int64),
        free_block=np.empty(blocks, np.int64),
        scale=scale.copy(),
    )


def grow_kdtree(tree: KdTree, capacity: int) -> KdTree:
    """Copy a kd-tree into larger arrays.

    Args:
        tree: The tree.
        capacity: How many points it shall hold.

    Returns:
        The same tree with more room.
    """
    blocks = blocks_for(capacity)
    node_count, block_count = int(tree.used[0]), int(tree.used[1])
    return tree._replace(
        low=grown(tree.low, blocks, node_count // 2),
        high=grown(tree.high, blocks, node_count // 2),
        link=grown(tree.link, 2 * blocks, node_count),
        least=grown(tree.least, 2 * blocks, node_count),
        free_node=grown(tree.free_node, 2 * blocks, node_count),
        point=grown(tree.point, blocks, block_count),
        item=grown(tree.item, blocks, block_count),
        home=grown(tree.home, capacity),
        price=grown(tree.price, blocks, block_count),
        fill=grown(tree.fill, blocks, block_count),
        free_block=grown(tree.free_block, blocks, block_count),
    )


def make_cells(cells: int, nodes: int) -> Cells:
    """Make an empty grid.

    Args:
        cells: How many cells it can hold.
        nodes: How many nodes they can hold.

    Returns:
        The grid.
    """
    slots = slots_for(cells)
    return Cells(
        keys=np.full(slots, EMPTY, np.int64),
        slots=np.empty(slots, np.int64),
        key=np.empty(cells, np.int64),
        start=np.empty(cells, np.int64),
        count=np.empty(cells, np.int64),
        room=np.empty(cells, np.int64),
        pool=np.empty(4 * nodes + 8 * cells, np.int64),
        used=np.zeros(2, np.int64),
    )


def grow_cells(cells: Cells, count: int, nodes: int) -> Cells:
    """Copy a grid into larger arrays.

    Args:
        cells: The grid.
        count: How many cells it shall hold.
        nodes: How many nodes they shall hold.

    Returns:
        The same grid with more room.
    """
    keys, slots = cells.keys, cells.slots
    if slots_for(count) > len(keys):
        keys = np.full(slots_for(count), EMPTY, np.int64)
        slots = np.empty(len(keys), np.int64)
        for cell in range(int(cells.used[0])):
            put_cell(keys, slots, int(cells.key[cell]), cell)
    return Cells(
        keys=keys,
        slots=slots,
        key=grown(cells.key, count),
        start=grown(cells.start, count),
        count=grown(cells.count, count),
        room=grown(cells.room, count),
        pool=grown(cells.pool, 4 * nodes + 8 * count, int(cells.used[1])),
        used=cells.used,
    )


def slots_for(cells: int) -> int:
    """Number of slots that keep a hash table at most half full.

    Args:
        cells: How many cells.

    Returns:
        A power of two.
    """
    return 1 << (2 * cells - 1).bit_length()


def make_weights(cells: int) -> Vector:
    """Make a binary tree of sums.

    Args:
        cells: How many leaves are wanted.

    Returns:
        Zeros, shape (2 × the next power of two,).
    """
    return np.zeros(2 << (max(cells, 2) - 1).bit_length())


def grow_weights(weights: Vector, cells: int) -> Vector:
    """Copy a binary tree of sums into a larger one.

    Args:
        weights: The tree.
        cells: How many leaves are wanted.

    Returns:
        A new tree with the same leaves.
    """
    larger = make_weights(cells)
    if len(larger) <= len(weights):
        return weights
    leaves, half = weights[len(weights) // 2 :], len(larger) // 2
    larger[half : half + len(leaves)] = leaves
    while half > 1:
        pairs = larger[half : 2 * half].reshape(-1, 2)
        half //= 2
        larger[half : 2 * half] = pairs[:, 0] + pairs[:, 1]
    return larger
