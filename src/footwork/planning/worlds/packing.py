"""Worlds as one float64 array, with a cell index that says what can matter where.

The layouts are written down in the kernels that read them: `_kernels/worlds.py` and
`_kernels/worlds_space.py`.
"""

import math
from collections.abc import Sequence

import numpy as np

from footwork.planning.worlds.shapes import (
    GridCells,
    PlaneObstacles,
    SpaceObstacles,
    edge_table,
    rectangle,
)
from footwork.typing import BoolVector, IntVector, Matrix, Vector, frozen

PLANE_HEADER = 20
SPACE_HEADER = 17
CIRCLE, BOX, POLYGON = 0.0, 1.0, 2.0
SLACK = 1e-9
"""Relative width by which reach is widened, so that rounding cannot lose a neighbour."""


def pack_plane(
    obstacles: PlaneObstacles,
    *,
    indices: Sequence[int],
    radius: float,
    parts: Sequence[Matrix],
    chain: Sequence[float] = (),
) -> Vector:
    """Pack a world of the plane.

    Args:
        obstacles: What is in the way.
        indices: Where x, y and the heading are in a state; −1 for no heading.
        radius: Of the disc, or of the circle about the parts [m].
        parts: Convex parts of the robot; none for a disc.
        chain: Block of a jointed robot; offsets of its parts count from the first part.

    Returns:
        Read-only array.
    """
    records = [_circle(row) for row in obstacles.circles]
    records += [_box(row) for row in obstacles.boxes]
    records += [_polygon(polygon) for polygon in obstacles.polygons]
    grids = [_grid(grid) for grid in obstacles.grids]
    robot = [_part(part) for part in parts]
    header = np.zeros(PLANE_HEADER)
    header[0:8] = [2.0, *indices, float(bool(parts)), radius, 0.0, len(parts)]
    header[15], header[17] = len(grids), len(records)
    corner, cells, sizes, lists = _plane_index(obstacles, radius, len(records))
    header[8:14] = [*corner, *cells, *sizes]
    blocks: list[Vector] = [header]
    header[6] = _add(blocks, robot)
    header[18] = first = _add(blocks, records)
    starts = first + np.cumsum([0, *[len(r) for r in records]])
    header[16] = _add(blocks, grids)
    joints = np.array(chain, dtype=np.float64)
    joints[8::9] += header[6]
    header[19] = _add(blocks, [joints])
    header[14] = _add_index(blocks, lists, starts)
    return frozen(np.concatenate(blocks))


def pack_space(obstacles: SpaceObstacles, *, indices: Sequence[int], radius: float) -> Vector:
    """Pack a world of space.

    Args:
        obstacles: What is in the way.
        indices: Where x, y and z are in a state.
        radius: Of the ball [m].

    Returns:
        Read-only array.
    """
    records = [np.array([CIRCLE, 6.0, *row]) for row in obstacles.spheres]
    records += [np.array([BOX, 8.0, *row]) for row in obstacles.cuboids]
    s, c = obstacles.spheres, obstacles.cuboids
    low = np.vstack([s[:, :3] - s[:, 3:], c[:, :3]])
    high = np.vstack([s[:, :3] + s[:, 3:], c[:, 3:]])
    header = np.zeros(SPACE_HEADER)
    header[0:5] = [3.0, *indices, radius]
    corner, cells, sizes, near = _cells_near(low, high, radius, _cells_along(len(records), 20))
    lists = [np.flatnonzero(column).astype(np.int64) for column in near.T]
    header[5:14] = [*corner, *cells, *sizes]
    header[15] = len(records)
    blocks: list[Vector] = [header]
    header[16] = first = _add(blocks, records)
    starts = first + np.cumsum([0, *[len(r) for r in records]])
    header[14] = _add_index(blocks, lists, starts)
    return frozen(np.concatenate(blocks))


def _circle(row: Vector) -> Vector:
    return np.array([CIRCLE, 5.0, *row])


def _box(row: Vector) -> Vector:
    corners = rectangle(row[2] - row[0], row[3] - row[1]) + 0.5 * (row[:2] + row[2:])
    # the corners exactly, not centre plus half the size
    corners[:, 0] = row[[0, 2, 2, 0]]
    corners[:, 1] = row[[1, 1, 3, 3]]
    return np.array([BOX, 23.0, *row, 4.0, *edge_table(corners).ravel()])


def _polygon(polygon: Matrix) -> Vector:
    low, high = polygon.min(axis=0), polygon.max(axis=0)
    n = len(polygon)
    return np.array([POLYGON, 7.0 + 4 * n, *low, *high, n, *edge_table(polygon).ravel()])


def _part(part: Matrix) -> Vector:
    reach = float(np.linalg.norm(part, axis=1).max())
    return np.array([len(part), *edge_table(part).ravel(), reach])


def _grid(grid: GridCells) -> Vector:
    from scipy.ndimage import distance_transform_edt

    rows, columns = grid.occupied.shape
    padded = np.full((rows + 2, columns + 2), grid.outside_is_occupied)
    padded[1:-1, 1:-1] = grid.occupied
    bounds = []
    for cells in (~padded, padded):
        far = float(sum(padded.shape)) if cells.all() else 0.0
        centres = (
            np.asarray(distance_transform_edt(cells)) if far == 0.0 else np.full(cells.shape, far)
        )
        # two squares are nearer than their centres by at most a diagonal
        bounds.append(np.maximum(centres - math.sqrt(2.0) - SLACK, 0.0) * grid.resolution)
    value = np.where(padded, -1.0 - bounds[1], bounds[0])[1:-1, 1:-1]
    x, y, yaw = grid.origin
    head = [float(grid.outside_is_occupied), grid.resolution, x, y, math.cos(yaw), math.sin(yaw)]
    return np.array([9.0 + rows * columns, *head, columns, rows, *value.ravel()])


def _plane_index(
    obstacles: PlaneObstacles, reach: float, count: int
) -> tuple[Vector, Vector, Vector, list[IntVector]]:
    circles, boxes = obstacles.circles, obstacles.boxes
    low = np.vstack(
        [
            circles[:, :2] - circles[:, 2:],
            boxes[:, :2],
            *[p.min(axis=0) for p in obstacles.polygons],
        ]
    )
    high = np.vstack(
        [
            circles[:, :2] + circles[:, 2:],
            boxes[:, 2:],
            *[p.max(axis=0) for p in obstacles.polygons],
        ]
    )
    corner, cells, sizes, near = _cells_near(low, high, reach, _cells_along(count, 64))
    if count:
        i, j = np.meshgrid(np.arange(sizes[0]), np.arange(sizes[1]), indexing="ij")
        centre = corner + (np.stack([i.ravel(), j.ravel()], axis=1) + 0.5) / cells
        half = 0.5 / cells
        for k, row in enumerate(circles):
            gap = np.maximum(np.abs(centre - row[:2]) - half, 0.0)
            near[k] &= np.hypot(gap[:, 0], gap[:, 1]) <= (row[2] + reach) * (1.0 + SLACK)
        for k, polygon in enumerate(obstacles.polygons, start=len(circles) + len(boxes)):
            near[k] &= _near_polygon(centre, half, polygon, reach * (1.0 + SLACK))
    return corner, cells, sizes, [np.flatnonzero(column).astype(np.int64) for column in near.T]


def _near_polygon(centre: Matrix, half: Vector, polygon: Matrix, reach: float) -> BoolVector:
    """Say which cells no edge of a polygon keeps farther away than the reach."""
    near = np.ones(len(centre), dtype=np.bool_)
    for x, y, nx, ny in edge_table(polygon):
        gap = (centre[:, 0] - x) * nx + (centre[:, 1] - y) * ny
        near &= gap - half[0] * abs(nx) - half[1] * abs(ny) <= reach + SLACK
    return near


def _cells_along(count: int, largest: int) -> int:
    return int(min(max(6.0 * math.sqrt(count), 4.0), largest))


def _cells_near(
    low: Matrix, high: Matrix, reach: float, along: int
) -> tuple[Vector, Vector, Vector, np.ndarray[tuple[int, int], np.dtype[np.bool_]]]:
    """Lay cells over all obstacles; say which obstacle's box is in reach of which cell."""
    dimension = low.shape[1]
    if len(low) == 0:
        none = np.zeros((0, 0), dtype=np.bool_)
        return np.zeros(dimension), np.zeros(dimension), np.zeros(dimension), none
    wide = reach + SLACK * (1.0 + reach + float(np.abs([low, high]).max()))
    corner = low.min(axis=0) - wide
    extent = high.max(axis=0) + wide - corner
    sizes = np.full(dimension, float(along))
    per_metre = sizes / extent
    masks = []
    for axis in range(dimension):
        left = corner[axis] + np.arange(along) / per_metre[axis]
        right = left + (1.0 + SLACK) / per_metre[axis]
        before = left[None, :] <= high[:, axis, None] + wide
        masks.append(before & (right[None, :] >= low[:, axis, None] - wide))
    near = masks[0]
    for mask in masks[1:]:
        near = (near[:, :, None] & mask[:, None, :]).reshape(len(low), -1)
    return corner, per_metre, sizes, near


def _add(blocks: list[Vector], records: Sequence[Vector]) -> float:
    """Put records behind one another and say where the first begins."""
    offset = float(sum(len(block) for block in blocks))
    blocks.extend(records)
    return offset


def _add_index(blocks: list[Vector], lists: Sequence[IntVector], starts: Vector) -> float:
    """Put the cells, then the lists that they point to; equal lists are stored once."""
    offset = sum(len(block) for block in blocks)
    cells = np.zeros(len(lists))
    known: dict[bytes, int] = {}
    stored: list[Vector] = []
    end = offset + len(lists)
    for cell, members in enumerate(lists):
        if len(members) == 0:
            continue
        key = members.tobytes()
        if key not in known:
            known[key] = end
            stored.append(np.array([len(members), *starts[members]], dtype=np.float64))
            end += len(stored[-1])
        cells[cell] = known[key]
    blocks.extend([cells, *stored])
    return float(offset)
