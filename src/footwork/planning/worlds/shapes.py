"""Convex polygons and what else obstacles and footprints are made of."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.typing import Matrix, Vector, as_array, frozen

FLAT = 1e-12
"""Relative size below which a corner is no corner and an area no area."""


@dataclass(frozen=True, kw_only=True, eq=False)
class PlaneObstacles:
    """Obstacles in the plane, by kind.

    Attributes:
        circles: Rows (x, y, radius) [m], shape (k, 3).
        boxes: Rows (x low, y low, x high, y high) [m], shape (k, 4).
        polygons: Convex, counter-clockwise, each of shape (n, 2) [m].
        grids: Occupancy grids.
    """

    circles: Matrix = field(default_factory=lambda: np.zeros((0, 3)))
    boxes: Matrix = field(default_factory=lambda: np.zeros((0, 4)))
    polygons: tuple[Matrix, ...] = ()
    grids: tuple["GridCells", ...] = ()

    def one_by_one(self) -> Iterator[tuple[str, "PlaneObstacles"]]:
        """Give each obstacle alone, with words that tell it from the others.

        Yields:
            Such as "circle 0 (centre (2, 1), radius 0.5 m)", and the obstacle.
        """
        for i, (x, y, radius) in enumerate(self.circles.tolist()):
            words = f"circle {i} (centre {_place(x, y)}, radius {radius:.4g} m)"
            yield words, PlaneObstacles(circles=self.circles[i : i + 1])
        for i, box in enumerate(self.boxes.tolist()):
            words = f"box {i} ({_place(*box[:2])} to {_place(*box[2:])} m)"
            yield words, PlaneObstacles(boxes=self.boxes[i : i + 1])
        for i, polygon in enumerate(self.polygons):
            words = f"polygon {i} (centre {_place(*polygon.mean(axis=0).tolist())} m)"
            yield words, PlaneObstacles(polygons=(polygon,))
        for i, grid in enumerate(self.grids):
            yield f"an occupied cell of grid {i}", PlaneObstacles(grids=(grid,))


@dataclass(frozen=True, kw_only=True, eq=False)
class GridCells:
    """A grid of free and occupied squares.

    Attributes:
        occupied: Row j, column i; (0, 0) is the square at the origin, shape (rows, columns).
        resolution: Side of a square [m].
        origin: Position of the corner of square (0, 0) [m], then yaw [rad], shape (3,).
        outside_is_occupied: Whether everything beyond the grid counts as occupied.
    """

    occupied: np.ndarray[tuple[int, int], np.dtype[np.bool_]]
    resolution: float
    origin: Vector
    outside_is_occupied: bool


@dataclass(frozen=True, kw_only=True, eq=False)
class SpaceObstacles:
    """Obstacles in space, by kind.

    Attributes:
        spheres: Rows (x, y, z, radius) [m], shape (k, 4).
        cuboids: Rows (low x, y, z, high x, y, z) [m], shape (k, 6).
    """

    spheres: Matrix = field(default_factory=lambda: np.zeros((0, 4)))
    cuboids: Matrix = field(default_factory=lambda: np.zeros((0, 6)))

    def one_by_one(self) -> Iterator[tuple[str, "SpaceObstacles"]]:
        """Give each obstacle alone, as `PlaneObstacles.one_by_one` does.

        Yields:
            Such as "sphere 0 (centre (2, 1, 1), radius 0.5 m)", and the obstacle.
        """
        for i, sphere in enumerate(self.spheres.tolist()):
            words = f"sphere {i} (centre {_place(*sphere[:3])}, radius {sphere[3]:.4g} m)"
            yield words, SpaceObstacles(spheres=self.spheres[i : i + 1])
        for i, cuboid in enumerate(self.cuboids.tolist()):
            words = f"cuboid {i} ({_place(*cuboid[:3])} to {_place(*cuboid[3:])} m)"
            yield words, SpaceObstacles(cuboids=self.cuboids[i : i + 1])


def _place(*numbers: float) -> str:
    return f"({', '.join(f'{number:.4g}' for number in numbers)})"


def radii_of(name: str, radii: ArrayLike, count: int) -> Vector:
    """Read one radius for all, or one for each.

    Args:
        name: What it is, for the message.
        radii: Positive [m], a scalar or shape (count,).
        count: How many there are.

    Returns:
        Radii, shape (count,).

    Raises:
        InputError: If one is not positive; the message says which.
    """
    array = np.asarray(radii, dtype=np.float64)
    array = as_array(name, np.full(count, array) if array.ndim == 0 else array, (count,))
    for i, radius in enumerate(array):
        if radius <= 0.0:
            raise InputError(f"{name}[{i}] must be greater than 0 m, got {radius:g}")
    return array


def limits_of(low: ArrayLike, high: ArrayLike, dimension: int) -> tuple[Matrix, Matrix]:
    """Read the corners of boxes.

    Args:
        low: Lower corners [m], shape (k, dimension).
        high: Upper corners [m], shape (k, dimension).
        dimension: Of the space.

    Returns:
        Both as arrays.

    Raises:
        InputError: If a box has no extent along an axis; the message says which.
    """
    lower = as_array("low", low, ("boxes", dimension))
    upper = as_array("high", high, (len(lower), dimension))
    for i, axis in np.argwhere(~(lower < upper)):
        raise InputError(
            f"box {i} must have low < high along {'xyz'[axis]}, got "
            f"low = {lower[i, axis]:g} m, high = {upper[i, axis]:g} m"
        )
    return lower, upper


def convex_polygon(name: str, vertices: ArrayLike) -> Matrix:
    """Read a convex polygon and turn it counter-clockwise.

    Args:
        name: What it is, for the message.
        vertices: Corners in order, either way round [m], shape (n, 2), n ≥ 3.

    Returns:
        Corners counter-clockwise, without corners of 180°, read-only.

    Raises:
        InputError: If it has fewer than three corners, no area, or is not convex.
    """
    points = simple_corners(name, vertices)
    ahead = np.roll(points, -1, axis=0) - points
    turn = _cross(np.roll(ahead, 1, axis=0), ahead)
    if (turn < 0.0).any() or abs(_turning(ahead)) > 7.0:
        corner = int(np.argmin(turn))
        raise InputError(
            f"{name} must be convex, but turns inwards at ({points[corner, 0]:g}, "
            f"{points[corner, 1]:g}); split it into convex parts"
        )
    return frozen(points)


def simple_corners(name: str, vertices: ArrayLike) -> Matrix:
    """Read the corners of a polygon, counter-clockwise, without repeated or straight ones.

    Args:
        name: What it is, for the message.
        vertices: Corners in order, either way round [m], shape (n, 2), n ≥ 3.

    Returns:
        The corners that matter, shape (m, 2).

    Raises:
        InputError: If fewer than three are left or they enclose no area.
    """
    points = as_array(name, vertices, ("corners", 2))
    size = float(np.ptp(points, axis=0).max()) if len(points) else 0.0
    changed = True
    while changed and len(points) >= 3:
        back, ahead = points - np.roll(points, 1, axis=0), np.roll(points, -1, axis=0) - points
        bent = np.abs(_cross(back, ahead)) > FLAT * size * size
        changed = not bent.all()
        points = points[bent] if changed else points
    area = 0.5 * float(_cross(points, np.roll(points, -1, axis=0)).sum()) if len(points) else 0.0
    if len(points) < 3 or abs(area) <= FLAT * size * size:
        raise InputError(f"{name} must have at least three corners that enclose an area")
    return points if area > 0.0 else points[::-1].copy()


def convex_parts(name: str, vertices: ArrayLike) -> tuple[Matrix, ...]:
    """Cut a simple polygon into convex parts: itself if convex, else triangles (ear clipping).

    Args:
        name: What it is, for the message.
        vertices: Corners in order [m], shape (n, 2).

    Returns:
        Convex polygons, counter-clockwise, that cover it without overlap.

    Raises:
        InputError: If it encloses no area or crosses itself.

    Source: meisters1975polygons
    """
    points = list(simple_corners(name, vertices))
    try:
        return (convex_polygon(name, points),)
    except InputError:
        pass
    parts: list[Matrix] = []
    while len(points) > 3:
        ear = next((i for i in range(len(points)) if _is_ear(points, i)), None)
        if ear is None:
            raise InputError(f"{name} must not cross itself")
        parts.append(
            frozen(np.array([points[ear - 1], points[ear], points[(ear + 1) % len(points)]]))
        )
        del points[ear]
    parts.append(frozen(np.array(points)))
    if any(_cross(p[1] - p[0], p[2] - p[1]) <= 0.0 for p in parts):
        raise InputError(f"{name} must not cross itself")
    return tuple(parts)


def edge_table(polygon: Matrix) -> Matrix:
    """Make the rows that kernels read: corner x, y, then the outward normal of the edge after it.

    Args:
        polygon: Convex, counter-clockwise, shape (n, 2).

    Returns:
        Shape (n, 4).
    """
    edge = np.roll(polygon, -1, axis=0) - polygon
    normal = np.stack([edge[:, 1], -edge[:, 0]], axis=1)
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    return np.hstack([polygon, normal])


def rectangle(length: float, width: float) -> Matrix:
    """Corners of a rectangle about the origin, counter-clockwise.

    Args:
        length: Along x [m].
        width: Along y [m].

    Returns:
        Shape (4, 2).
    """
    x, y = 0.5 * length, 0.5 * width
    return np.array([[-x, -y], [x, -y], [x, y], [-x, y]])


def _cross(a: Matrix, b: Matrix) -> Vector:
    return np.asarray(a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0])


def _turning(ahead: Matrix) -> float:
    """Sum the turns at the corners: 2π for a polygon that goes round once."""
    back = np.roll(ahead, 1, axis=0)
    return float(np.arctan2(_cross(back, ahead), (back * ahead).sum(axis=1)).sum())


def _is_ear(points: list[Vector], i: int) -> bool:
    a, b, c = points[i - 1], points[i], points[(i + 1) % len(points)]
    if _cross(b - a, c - b) <= 0.0:
        return False
    for k, q in enumerate(points):
        if k in {i, (i - 1) % len(points), (i + 1) % len(points)}:
            continue
        if (
            _cross(b - a, q - a) >= 0.0
            and _cross(c - b, q - b) >= 0.0
            and _cross(a - c, q - c) >= 0.0
        ):
            return False
    return True
