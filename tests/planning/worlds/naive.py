"""The plainest correct answers about worlds, to compare the kernels with."""

import math

import numpy as np

from footwork.planning.worlds.shapes import PlaneObstacles, rectangle
from footwork.typing import Matrix, Vector

UNIT_SQUARE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def clip(subject: Matrix, window: Matrix) -> Matrix:
    """Intersect two convex polygons, both counter-clockwise (Sutherland and Hodgman)."""
    points = [np.asarray(p) for p in subject]
    for a, b in zip(window, np.roll(window, -1, axis=0), strict=True):
        kept: list[Vector] = []
        for p, q in zip(points, [*points[1:], points[0]], strict=True):
            dp = (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])
            dq = (b[0] - a[0]) * (q[1] - a[1]) - (b[1] - a[1]) * (q[0] - a[0])
            if dp >= 0.0:
                kept.append(p)
            if (dp > 0.0 > dq) or (dp < 0.0 < dq):
                kept.append(p + dp / (dp - dq) * (q - p))
        points = kept
        if not points:
            break
    return np.array(points).reshape(-1, 2)


def area(polygon: Matrix) -> float:
    if len(polygon) < 3:
        return 0.0
    x, y = polygon.T
    return 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))


def placed(part: Matrix, x: float, y: float, heading: float) -> Matrix:
    c, s = math.cos(heading), math.sin(heading)
    moved: Matrix = part @ np.array([[c, s], [-s, c]]) + np.array([x, y])
    return moved


def polygons_of(obstacles: PlaneObstacles) -> list[Matrix]:
    boxes = [rectangle(b[2] - b[0], b[3] - b[1]) + 0.5 * (b[:2] + b[2:]) for b in obstacles.boxes]
    cells = []
    for grid in obstacles.grids:
        c, s = math.cos(grid.origin[2]), math.sin(grid.origin[2])
        for j, i in np.argwhere(grid.occupied):
            corners = (UNIT_SQUARE + np.array([i, j])) * grid.resolution
            cells.append(corners @ np.array([[c, s], [-s, c]]) + grid.origin[:2])
    return [*boxes, *obstacles.polygons, *cells]


def segment_distance(point: Vector, a: Vector, b: Vector) -> float:
    t = min(max(float((point - a) @ (b - a) / ((b - a) @ (b - a))), 0.0), 1.0)
    return float(np.linalg.norm(point - a - t * (b - a)))


def polygon_distance(point: Vector, polygon: Matrix) -> float:
    """Signed distance, by the winding of the polygon about the point."""
    edges = list(zip(polygon, np.roll(polygon, -1, axis=0), strict=True))
    nearest = min(segment_distance(point, a, b) for a, b in edges)
    inside = all((b - a)[0] * (point - a)[1] - (b - a)[1] * (point - a)[0] > 0.0 for a, b in edges)
    return -nearest if inside else nearest


def distance(point: Vector, obstacles: PlaneObstacles) -> float:
    circles = [float(np.linalg.norm(point - c[:2]) - c[2]) for c in obstacles.circles]
    others = [polygon_distance(point, p) for p in polygons_of(obstacles)]
    return min([*circles, *others], default=math.inf)


def overlap(part: Matrix, obstacles: PlaneObstacles) -> float:
    """A number above 0 when the part overlaps an obstacle: an area, or a depth for circles."""
    areas = [area(clip(part, p)) for p in polygons_of(obstacles)]
    depths = [c[2] - polygon_distance(c[:2], part) for c in obstacles.circles]
    return max([*areas, *depths], default=0.0)
