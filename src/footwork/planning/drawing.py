"""Worlds, trees, paths and goals drawn into axes, of the plane or of space."""

import importlib
import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from footwork.planning.goals import Goal, GoalBox, GoalStates
from footwork.planning.path_control import PathControl
from footwork.planning.problem import Problem
from footwork.planning.space_information import SpaceInformation
from footwork.planning.spaces import StateSpace
from footwork.planning.worlds import PlaneWorld, SpaceWorld
from footwork.typing import Matrix

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from footwork.planning.planner_data import PlannerData

OBSTACLE: Final = "#5b6570"
TREE: Final = "#9db4cf"
PATH: Final = "#d9722a"
ROBOT: Final = "#2f6db5"
START: Final = "#2e9e6b"
GOAL: Final = "#c0392b"
MOST_EDGES: Final = 20_000
"""More edges than these are thinned out: the picture would be full anyway."""
OUTLINES: Final = 24
"""How often the robot is drawn along its path."""


def draw_world(axes: "Axes", world: PlaneWorld) -> None:
    """Draw the obstacles of a world of the plane.

    Args:
        axes: Where to.
        world: What to draw.
    """
    from matplotlib.collections import PolyCollection
    from matplotlib.patches import Circle

    obstacles = world.obstacles
    for x, y, radius in obstacles.circles:
        axes.add_patch(Circle((x, y), radius, color=OBSTACLE, linewidth=0))
    corners = [b[[0, 1, 2, 1, 2, 3, 0, 3]].reshape(4, 2) for b in obstacles.boxes]
    polygons = [*corners, *obstacles.polygons]
    axes.add_collection(PolyCollection(polygons, facecolor=OBSTACLE, linewidth=0))
    for grid in obstacles.grids:
        from matplotlib.transforms import Affine2D

        rows, columns = grid.occupied.shape
        extent = (0.0, columns * grid.resolution, 0.0, rows * grid.resolution)
        picture = np.where(grid.occupied[..., None], _rgba(OBSTACLE), (1.0, 1.0, 1.0, 0.0))
        x, y, yaw = (float(v) for v in grid.origin)
        place = Affine2D().rotate(yaw).translate(x, y) + axes.transData
        axes.imshow(picture, origin="lower", extent=extent, transform=place, zorder=0)


def draw_in_plane(
    figure: "Figure",
    si: SpaceInformation,
    path: PathControl | None,
    data: "PlannerData | None",
    problem: Problem | None,
    *,
    outlines: int = OUTLINES,
) -> None:
    """Draw a plan from above.

    Args:
        figure: Where to; one axes is added.
        si: The system.
        path: What to draw, or None.
        data: A tree, or None.
        problem: For start and goal, or None.
        outlines: How often the robot is drawn along its path.
    """
    from matplotlib.collections import LineCollection

    axes = figure.subplots()
    i, j = drawn_axes(si)
    world = si.validity
    if isinstance(world, PlaneWorld):
        draw_world(axes, world)
    if data is not None and data.edge_count:
        edges = data.edges[:: max(1, data.edge_count // MOST_EDGES)]
        lines = data.states[edges][:, :, [i, j]]
        wrapped = np.abs(np.diff(lines, axis=1)).max(axis=(1, 2)) > math.pi
        kept = lines if _is_place(si) else lines[~wrapped]
        axes.add_collection(LineCollection(list(kept), colors=TREE, linewidths=0.3, zorder=1))
    if path is not None:
        points = _fine_points(path, [i, j])
        axes.plot(*points.T, color=PATH, linewidth=2.0, zorder=4)
        if isinstance(world, PlaneWorld) and outlines:
            for time in np.linspace(0.0, path.length(), outlines):
                loop = closed(world.outlines(path.state_at(float(time))))
                axes.plot(*loop.T, color=ROBOT, linewidth=0.7, zorder=3)
    _draw_ends(axes, problem, [i, j])
    low, high = si.state_space.low, si.state_space.high
    if problem is not None:
        _draw_goal_region(axes, problem.goal, si.state_space, [i, j])
    axes.set_xlim(float(low[i]), float(high[i]))
    axes.set_ylim(float(low[j]), float(high[j]))
    if _is_place(si):
        axes.set_aspect("equal")
        tall = float((high[j] - low[j]) / (high[i] - low[i]))
        figure.set_figheight(float(np.clip(0.6 + figure.get_figwidth() * tall, 3.0, 10.0)))
    names = [name.rpartition(".")[2] for name in si.state_space.axis_names]
    unit = " [m]" if _is_place(si) else ""
    axes.set_xlabel(names[i] + unit)
    axes.set_ylabel(names[j] + unit)


def draw_in_space(
    figure: "Figure",
    si: SpaceInformation,
    path: PathControl | None,
    data: "PlannerData | None",
    problem: Problem | None,
) -> None:
    """Draw a plan in a world of space.

    Args:
        figure: Where to; one axes is added.
        si: The system.
        path: What to draw, or None.
        data: A tree, or None.
        problem: For start and goal, or None.
    """
    art: Any = importlib.import_module("mpl_toolkits.mplot3d.art3d")

    axes: Any = figure.add_subplot(projection="3d")
    world = si.validity
    assert isinstance(world, SpaceWorld)
    index = list(world.position)
    for box in world.obstacles.cuboids:
        faces = art.Poly3DCollection(_faces(box[:3], box[3:]), alpha=0.25, facecolor=OBSTACLE)
        faces.set_edgecolor("white")
        axes.add_collection3d(faces)
    angle, height = np.meshgrid(np.linspace(0, 2 * np.pi, 25), np.linspace(0, np.pi, 13))
    unit = np.array(
        [np.cos(angle) * np.sin(height), np.sin(angle) * np.sin(height), np.cos(height)]
    )
    for x, y, z, radius in world.obstacles.spheres:
        axes.plot_surface(
            *(radius * unit + np.array([x, y, z])[:, None, None]), color=OBSTACLE, alpha=0.3
        )
    if data is not None and data.edge_count:
        edges = data.edges[:: max(1, data.edge_count // (MOST_EDGES // 4))]
        lines = data.states[edges][:, :, index]
        axes.add_collection3d(art.Line3DCollection(list(lines), colors=TREE, linewidths=0.3))
    if path is not None:
        axes.plot(*_fine_points(path, index).T, color=PATH, linewidth=2.5)
    _draw_ends(axes, problem, index)
    low, high = si.state_space.low[index], si.state_space.high[index]
    axes.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]))
    axes.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]")
    axes.set_box_aspect(high - low)


def _draw_goal_region(axes: "Axes", goal: Goal, space: StateSpace, index: list[int]) -> None:
    """Where in the plane the goal can be met: as far as its tolerance goes, or its box."""
    from matplotlib.patches import Circle, Rectangle

    style: dict[str, Any] = {"fill": False, "edgecolor": GOAL, "linestyle": "--", "zorder": 5}
    if isinstance(goal, GoalBox):
        low = np.maximum(goal.low, space.low)[index]
        width, height = np.minimum(goal.high, space.high)[index] - low
        axes.add_patch(Rectangle((float(low[0]), float(low[1])), width, height, **style))
    elif isinstance(goal, GoalStates):
        table = goal.compiled(space)
        for (_, first, size), weight in zip(
            table.components.tolist(), table.weights.tolist(), strict=True
        ):
            if {*index} <= {*range(first, first + size)} and weight > 0.0:
                for state, tolerance in zip(table.states, table.tolerances, strict=True):
                    x, y = state[index].tolist()
                    axes.add_patch(Circle((x, y), tolerance / weight, **style))


def _draw_ends(axes: Any, problem: Problem | None, index: list[int]) -> None:
    if problem is None:
        return
    for start in problem.starts:
        axes.plot(*start[index][:, None], "o", color=START, markersize=8, zorder=5)
    for goal in getattr(problem.goal, "states", ()):
        axes.plot(*goal[index][:, None], "*", color=GOAL, markersize=14, zorder=5)


def _fine_points(path: PathControl, index: list[int]) -> Matrix:
    fine = path.copy()
    if fine.control_count:
        fine.interpolate()
    points: Matrix = fine.states[:, index]
    space = path.space_information.state_space
    angles = [a for a, i in enumerate(index) if space.high[i] == math.pi]
    jumps = np.abs(np.diff(points[:, angles], axis=0)).max(axis=1, initial=0.0) > math.pi
    return np.insert(points, np.flatnonzero(jumps) + 1, math.nan, axis=0)


def drawn_axes(si: SpaceInformation) -> tuple[int, int]:
    """Say which two numbers of a state a picture of the plane shows.

    Args:
        si: The system.

    Returns:
        Their indices.
    """
    if isinstance(si.validity, PlaneWorld) and max(si.validity.position) < si.state_space.dimension:
        return si.validity.position
    found = si.state_space.position_indices
    if len(found) >= 2:
        return found[0], found[1]
    return 0, min(1, si.state_space.dimension - 1)


def _is_place(si: SpaceInformation) -> bool:
    """Whether the two axes drawn are x and y, rather than angles or rates."""
    names = [name.rpartition(".")[2] for name in si.state_space.axis_names]
    return all(names[i] in {"x", "y", "z"} for i in drawn_axes(si))


def closed(outlines: tuple[Matrix, ...]) -> Matrix:
    """Join outlines to one curve with gaps.

    Args:
        outlines: Corners of each, shape (k, 2).

    Returns:
        Corners, the first ones again at the end of each outline, NaN between; shape (j, 2).
    """
    loops = [np.vstack([line, line[:1], np.full((1, 2), math.nan)]) for line in outlines]
    return np.vstack(loops) if loops else np.zeros((0, 2))


def _faces(low: Matrix, high: Matrix) -> list[Matrix]:
    faces = []
    for axis in range(3):
        for side in (low, high):
            a, b = (k for k in range(3) if k != axis)
            corners = np.tile(side, (4, 1))
            corners[:, a] = [low[a], high[a], high[a], low[a]]
            corners[:, b] = [low[b], low[b], high[b], high[b]]
            corners[:, axis] = side[axis]
            faces.append(corners)
    return faces


def _rgba(color: str) -> tuple[float, float, float, float]:
    r, g, b = (int(color[k : k + 2], 16) / 255.0 for k in (1, 3, 5))
    return r, g, b, 1.0
