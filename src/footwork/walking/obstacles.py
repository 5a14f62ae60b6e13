"""Maps of obstacles, and a way around them for the base."""

from dataclasses import dataclass
from math import ceil, hypot, inf
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError, NoSolutionError
from footwork.files import read_yaml
from footwork.planning import (
    RRT,
    GoalState,
    Problem,
    RealVectorControlSpace,
    RealVectorStateSpace,
    SpaceInformation,
)
from footwork.planning.worlds import Boxes, Circles, Disc, OccupancyGrid, PlaneWorld
from footwork.typing import Matrix, Vector, as_array

KEYS = ("circles", "boxes", "height", "limits")
CLEARANCE = 0.04
"""Kept between robot and obstacles beyond the robot's radius [m]."""
TIME_LIMIT = 2.0
"""For the search of a way [s]."""
SHORTCUTS = 200
SPACING = 0.05
ROUNDINGS = 4
CUT = 0.2
"""Longest piece cut off at a corner [m]."""
FAR = 1e6
"""How wide the walls beyond the limits of a map are [m]."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ObstacleMap:
    """Obstacles on the ground.

    Attributes:
        circles: (x, y, radius) [m], shape (k, 3).
        boxes: (x_min, y_min, x_max, y_max) [m], shape (m, 4).
        height: Of all of them [m].
        limits: x_min, y_min, x_max, y_max of what is known [m], shape (4,): the robot stays
            within. None where it may go anywhere.
    """

    circles: Matrix
    boxes: Matrix
    height: float = 1.0
    limits: Vector | None = None

    def to_table(self) -> dict[str, Any]:
        """List everything as a map file has it.

        Returns:
            Circles, boxes, height, and limits if there are any [m].
        """
        table = {
            "circles": self.circles.tolist(),
            "boxes": self.boxes.tolist(),
            "height": self.height,
        }
        return table if self.limits is None else {**table, "limits": self.limits.tolist()}

    def world(self, radius: float) -> PlaneWorld | None:
        """Make a world in which a disc of a radius may touch no obstacle and leave no limits.

        Args:
            radius: Of the robot [m].

        Returns:
            The world; None without obstacles and limits.
        """
        disc = Disc(radius)
        parts: list[PlaneWorld] = []
        if self.circles.size:
            parts.append(Circles(self.circles[:, :2], self.circles[:, 2], footprint=disc))
        if self.boxes.size:
            parts.append(Boxes(self.boxes[:, :2], self.boxes[:, 2:], footprint=disc))
        if self.limits is not None:
            walls = _walls_around(self.limits)
            parts.append(Boxes(walls[:, :2], walls[:, 2:], footprint=disc))
        if not parts:
            return None
        world = parts[0]
        for part in parts[1:]:
            world = world | part
        return world


def read_map(file: str | Path) -> ObstacleMap:
    """Read a map: circles and boxes, or an occupancy grid as ROS's map_server writes it.

    A file of our own has the keys ``circles`` (lists of x, y, radius), ``boxes`` (lists of x_min,
    y_min, x_max, y_max), ``height`` and ``limits`` (x_min, y_min, x_max, y_max, which the robot
    does not leave), all in metres and all optional.

    Args:
        file: YAML.

    Returns:
        The map. Occupied cells of a grid are joined to boxes, unknown ones are free, and its edge
        is the limits.

    Raises:
        InputError: If the file is not readable, or a key or a number of numbers is wrong.
    """
    path = Path(file)
    table = read_yaml(path)
    if not isinstance(table, dict):
        raise InputError(
            f"{path}: expected keys {', '.join(KEYS)} as in 'circles: [[1.5, 0.0, 0.3]]', got "
            f"{'an empty file' if table is None else repr(table)}"
        )
    if "image" in table:
        return _map_of(OccupancyGrid.from_ros(path, unknown="free"), path)
    for key in table:
        if key not in KEYS:
            raise InputError(f"{path}: unknown key {key!r}; there are {', '.join(KEYS)}")
    circles, boxes = _rows(table, "circles", 3, path), _rows(table, "boxes", 4, path)
    for i, (_, _, radius) in enumerate(circles.tolist()):
        if not radius > 0.0:
            raise InputError(f"{path}: circles[{i}]: radius must be greater than 0 m, got {radius}")
    for i, (x_min, y_min, x_max, y_max) in enumerate(boxes.tolist()):
        if not (x_min < x_max and y_min < y_max):
            raise InputError(
                f"{path}: boxes[{i}] is x_min, y_min, x_max, y_max: x_min must be less than x_max, "
                f"y_min less than y_max, got {x_min}, {y_min}, {x_max}, {y_max}"
            )
    return ObstacleMap(
        circles=circles,
        boxes=boxes,
        height=_height(table.get("height", 1.0), path),
        limits=_limits(table.get("limits"), path),
    )


def _height(value: Any, path: Path) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not (is_number and 0.0 < value < inf):
        raise InputError(f"{path}: height must be a positive number of metres, got {value!r}")
    return float(value)


def _limits(value: Any, path: Path) -> Vector | None:
    if value is None:
        return None
    limits: Vector = as_array(f"{path}: limits", value, (4,))
    if not (limits[0] < limits[2] and limits[1] < limits[3]):
        raise InputError(
            f"{path}: limits are x_min, y_min, x_max, y_max: x_min must be less than x_max, y_min "
            f"less than y_max, got {value!r}"
        )
    return limits


def _rows(table: dict[str, Any], key: str, width: int, path: Path) -> Matrix:
    rows = table.get(key) or []
    if not isinstance(rows, list) or any(len(np.atleast_1d(row)) != width for row in rows):
        raise InputError(f"{path}: {key} must be lists of {width} numbers, got {rows!r}")
    return as_array(f"{path}: {key}", rows or np.zeros((0, width)), ("k", width))


def _map_of(grid: OccupancyGrid, path: Path) -> ObstacleMap:
    """Join occupied cells of a row to boxes; the grid's yaw must be zero."""
    cells = grid.obstacles.grids[0]
    x0, y0, yaw = cells.origin
    if yaw != 0.0:
        raise InputError(f"{path}: origin: the map must not be turned, got a yaw of {yaw} rad")
    size = cells.resolution
    boxes = []
    for j, row in enumerate(np.asarray(cells.occupied)):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], row.astype(np.int8), [0]])))
        boxes += [
            (x0 + size * a, y0 + size * j, x0 + size * b, y0 + size * (j + 1))
            for a, b in edges.reshape(-1, 2)
        ]
    rows, columns = cells.occupied.shape
    return ObstacleMap(
        circles=np.zeros((0, 3)),
        boxes=np.array(boxes, dtype=np.float64).reshape(-1, 4),
        limits=np.array([x0, y0, x0 + size * columns, y0 + size * rows]),
    )


def _walls_around(limits: Vector) -> Matrix:
    """All that lies beyond the limits, as boxes (x_min, y_min, x_max, y_max) [m], shape (4, 4)."""
    x_min, y_min, x_max, y_max = limits
    return np.array(
        [
            (x_min - FAR, y_min - FAR, x_min, y_max + FAR),
            (x_max, y_min - FAR, x_max + FAR, y_max + FAR),
            (x_min - FAR, y_min - FAR, x_max + FAR, y_min),
            (x_min - FAR, y_max, x_max + FAR, y_max + FAR),
        ]
    )


def find_way(
    start: ArrayLike, goal: ArrayLike, obstacles: ObstacleMap, *, radius: float, seed: int = 0
) -> Matrix:
    """Find a way around obstacles for a disc, and shorten it.

    A planner looks for a path of a point that moves with any velocity; then random shortcuts that
    stay free replace its detours.

    Args:
        start: (x, y, …) [m].
        goal: (x, y, …) [m].
        obstacles: The map.
        radius: Of the disc [m].
        seed: Of planner and shortcuts.

    Returns:
        Corners of the way, from start to goal [m], shape (k, 2), k at least 2.

    Raises:
        InputError: If start or goal is too close to an obstacle or beyond the limits; says which.
        NoSolutionError: If no way was found in time.
    """
    a = np.asarray(start, dtype=np.float64)[:2]
    b = np.asarray(goal, dtype=np.float64)[:2]
    world = obstacles.world(radius + CLEARANCE)
    if world is None:
        return np.stack([a, b])
    for name, point in (("start", a), ("goal", b)):
        if not world.is_free(point[None])[0]:
            raise InputError(
                f"the {name} ({point[0]:g}, {point[1]:g}) is "
                f"{_near(point, obstacles, radius + CLEARANCE)}"
            )
    if _is_free_line(a, b, world):
        return np.stack([a, b])
    points = _search(a, b, world, obstacles, seed)
    return _shorten(points, world, np.random.default_rng(seed))


def _near(point: Vector, obstacles: ObstacleMap, margin: float) -> str:
    """What a point that is not free is too near to, in words."""
    off = off_map(point, obstacles, margin)
    return off or f"closer than {margin:.2f} m to an obstacle of the map"


def off_map(point: Vector, obstacles: ObstacleMap, margin: float) -> str:
    """Say whether a point is beyond the limits of a map, or too close to them.

    Args:
        point: (x, y) [m].
        obstacles: The map.
        margin: To keep from the limits [m].

    Returns:
        What is wrong with it; "" if it is well within, or there are no limits.
    """
    limits = obstacles.limits
    if limits is not None:
        inside = min(*(point - limits[:2]), *(limits[2:] - point))
        x_min, y_min, x_max, y_max = limits
        reach = f"which reaches from ({x_min:g}, {y_min:g}) to ({x_max:g}, {y_max:g})"
        if inside < 0.0:
            return f"outside the map, {reach}"
        if inside < margin:
            return f"closer than {margin:.2f} m to the edge of the map, {reach}"
    return ""


def _search(a: Vector, b: Vector, world: PlaneWorld, obstacles: ObstacleMap, seed: int) -> Matrix:
    corners = [a, b, *obstacles.circles[:, :2], *obstacles.boxes[:, :2], *obstacles.boxes[:, 2:]]
    low, high = np.min(corners, axis=0) - 1.5, np.max(corners, axis=0) + 1.5
    if obstacles.limits is not None:
        low, high = np.maximum(low, obstacles.limits[:2]), np.minimum(high, obstacles.limits[2:])
    system = SpaceInformation(
        RealVectorStateSpace(low, high),
        RealVectorControlSpace([-1.0, -1.0], [1.0, 1.0]),
        dynamics=_drift,
        is_valid=world,
        propagation_step_size=SPACING,
        min_control_steps=1,
        max_control_steps=20,
    )
    problem = Problem(a, GoalState(b, tolerance=0.1))
    result = RRT(system, seed=seed, goal_bias=0.1, control_candidates=8).solve(
        problem, time_limit=TIME_LIMIT
    )
    if result.path is None:
        raise NoSolutionError(
            f"no way from ({a[0]:g}, {a[1]:g}) to ({b[0]:g}, {b[1]:g}) around the obstacles was "
            f"found in {TIME_LIMIT:g} s",
            result,
        )
    return np.concatenate([result.path.states, b[None]])


def _drift(x: Vector, u: Vector) -> tuple[float, float]:
    """A point that moves with any velocity."""
    return u[0], u[1]


def _is_free_line(a: Vector, b: Vector, world: PlaneWorld) -> bool:
    count = max(2, ceil(hypot(*(b - a)) / 0.01))
    points = a + np.linspace(0.0, 1.0, count + 1)[:, None] * (b - a)
    return bool(np.all(world.is_free(points)))


def _shorten(points: Matrix, world: PlaneWorld, random: np.random.Generator) -> Matrix:
    """Replace stretches between random points of a polyline by straight lines that are free."""
    for _ in range(SHORTCUTS):
        lengths = np.hypot(*np.diff(points, axis=0).T)
        along = np.concatenate([[0.0], np.cumsum(lengths)])
        s, t = np.sort(random.uniform(0.0, along[-1], 2))
        i, j = np.searchsorted(along, [s, t], side="right") - 1
        i, j = min(i, len(lengths) - 1), min(j, len(lengths) - 1)
        if i == j:
            continue
        a = points[i] + (s - along[i]) / max(lengths[i], 1e-12) * (points[i + 1] - points[i])
        b = points[j] + (t - along[j]) / max(lengths[j], 1e-12) * (points[j + 1] - points[j])
        if _is_free_line(a, b, world):
            points = np.concatenate([points[: i + 1], a[None], b[None], points[j + 1 :]])
    return _without_short_pieces(points, world)


def _without_short_pieces(points: Matrix, world: PlaneWorld) -> Matrix:
    """Leave out corners whose neighbours see one another."""
    kept = [points[0]]
    i = 0
    while i < len(points) - 1:
        j = len(points) - 1
        while j > i + 1 and not _is_free_line(points[i], points[j], world):
            j -= 1
        kept.append(points[j])
        i = j
    return np.stack(kept)


def round_corners(points: Matrix, world: PlaneWorld | None) -> Matrix:
    """Cut corners, again and again, where the cut stays free.

    Args:
        points: A polyline [m], shape (k, 2).
        world: Where it has to stay free; anywhere when None.

    Returns:
        A smoother polyline with the same ends.
    """
    for _ in range(ROUNDINGS):
        rounded = [points[0]]
        for before, corner, after in zip(points, points[1:], points[2:], strict=False):
            cut = [
                corner + min(0.25, CUT / max(hypot(*(end - corner)), 1e-9)) * (end - corner)
                for end in (before, after)
            ]
            free = world is None or _is_free_line(cut[0], cut[1], world)
            rounded += cut if free else [corner]
        rounded.append(points[-1])
        points = np.stack(rounded)
    return points
