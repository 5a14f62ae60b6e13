"""Pictures of plans: world, tree and path; states and controls over time; animations.

Figures are Matplotlib's own objects, made without its global state: save them, or show them in a
notebook by naming them.
"""

import importlib
import math
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from footwork.errors import BackendError, InputError
from footwork.planning.arguments import file_name
from footwork.planning.files import written
from footwork.planning.path_control import PathControl
from footwork.planning.problem import PlanningResult, Problem
from footwork.planning.space_information import SpaceInformation
from footwork.planning.worlds import PlaneWorld, SpaceWorld
from footwork.typing import Matrix

if TYPE_CHECKING:
    from matplotlib.animation import AbstractMovieWriter
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


def plot_plan(
    plan: PlanningResult | PathControl,
    *,
    problem: Problem | None = None,
    data: "PlannerData | None" = None,
    title: str = "",
) -> "Figure":
    """Draw world, tree and path in one picture: from above, or in space for a world of space.

    Args:
        plan: A result, whose tree is drawn too, or a path.
        problem: For start and goal.
        data: A tree to draw instead of the result's.
        title: Above the picture.

    Returns:
        The figure; ``figure.savefig("plan.png")`` writes it.

    Raises:
        InputError: If there is nothing to draw: a result without a path and a tree.
    """
    from matplotlib.figure import Figure

    path = plan if isinstance(plan, PathControl) else plan.path or plan.approximate_path
    if data is None and isinstance(plan, PlanningResult) and plan.make_planner_data is not None:
        data = plan.planner_data()
    if path is None and data is None:
        raise InputError("there is neither a path nor a tree to draw")
    si = path.space_information if path is not None else data.space_information  # type: ignore[union-attr]
    in_space = isinstance(si.validity, SpaceWorld)
    figure = Figure(figsize=(7.0, 5.5 if in_space else 7.0), layout="constrained")
    draw = _draw_in_space if in_space else _draw_in_plane
    draw(figure, si, path, data, problem)
    figure.axes[0].set_title(title)
    return figure


def plot_trajectory(path: PathControl, *, title: str = "") -> "Figure":
    """Draw the components of state and control over time, with their bounds.

    Args:
        path: With at least one control.
        title: Above the picture.

    Returns:
        The figure.

    Raises:
        InputError: If the path has no control.
    """
    from matplotlib.figure import Figure

    if path.control_count == 0:
        raise InputError("a path without controls has nothing over time")
    si = path.space_information
    fine = path.copy()
    fine.interpolate()
    names = [name.rpartition(".")[2] for name in si.state_space.axis_names]
    n, m = si.state_space.dimension, si.control_space.dimension
    figure = Figure(figsize=(8.0, 1.1 * (n + m) + 0.8), layout="constrained")
    axes: list[Axes] = list(figure.subplots(n + m, 1, sharex=True, squeeze=False)[:, 0])
    bounded = np.abs(si.state_space.high) < math.inf
    for i, name in enumerate(names):
        values = fine.states[:, i].copy()
        if si.state_space.high[i] == math.pi and si.state_space.low[i] == -math.pi:
            jumps = np.abs(np.diff(values)) > math.pi
            values = np.insert(values, np.flatnonzero(jumps) + 1, math.nan)
            times = np.insert(fine.times, np.flatnonzero(jumps) + 1, math.nan)
        else:
            times = fine.times
        axes[i].plot(times, values, color=ROBOT, linewidth=1.4)
        axes[i].set_ylabel(name)
        if bounded[i]:
            _limits(axes[i], float(si.state_space.low[i]), float(si.state_space.high[i]))
    steps = np.append(path.controls, path.controls[-1:], axis=0)
    for j in range(m):
        axes[n + j].step(path.times, steps[:, j], where="post", color=PATH, linewidth=1.4)
        axes[n + j].set_ylabel(f"u{j}")
        low, high = float(si.control_space.low[j]), float(si.control_space.high[j])
        _limits(axes[n + j], low, high)
    for each in axes:
        each.spines[["top", "right"]].set_visible(False)
    axes[-1].set_xlabel("time [s]")
    figure.suptitle(title)
    return figure


def animate(
    path: PathControl,
    file: str | Path,
    *,
    problem: Problem | None = None,
    frame_rate: float = 15.0,
    speed: float = 1.0,
) -> Path:
    """Write the robot moving along its path, in a world of the plane, as GIF or MP4.

    Args:
        path: A path.
        file: Name of the file, .gif or .mp4; a folder that is missing is made. MP4 needs the
            program ffmpeg.
        problem: For start and goal.
        frame_rate: Pictures a second.
        speed: 2 plays twice as fast as it happens.

    Returns:
        The file.

    Raises:
        InputError: If the path has no duration, a number is not above 0, the name ends in neither
            .gif nor .mp4, or the file cannot be written.
        BackendError: If ffmpeg is missing, or fails.
    """
    from matplotlib.animation import FuncAnimation
    from matplotlib.figure import Figure

    if path.length() <= 0.0 or not (frame_rate > 0.0 and speed > 0.0):
        raise InputError("an animation needs a path that lasts, a frame rate and a speed above 0")
    writer = animation_writer(file, frame_rate)
    si = path.space_information
    figure = Figure(figsize=(5.0, 5.0), layout="constrained")
    _draw_in_plane(figure, si, path, None, problem, outlines=0)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # laid out once, not in every frame
    axes = figure.axes[0]
    times = np.arange(0.0, path.length() + speed / frame_rate, speed / frame_rate)
    world = si.validity
    clock = axes.text(0.02, 0.98, "", transform=axes.transAxes, va="top")
    i, j = _position(si)
    (dot,) = axes.plot([], [], "o", color=ROBOT, zorder=6)
    (shape,) = axes.plot([], [], color=ROBOT, linewidth=1.6, zorder=6)

    def show(time: float) -> tuple[Any, ...]:
        x = path.state_at(min(float(time), path.length()))
        dot.set_data([x[i]], [x[j]])
        if isinstance(world, PlaneWorld):
            shape.set_data(*_closed(world.outlines(x)).T)
        clock.set_text(f"{min(float(time), path.length()):.1f} s")
        return dot, shape, clock

    movie = FuncAnimation(figure, show, frames=times.tolist(), blit=False)
    with written(file) as name:
        try:
            movie.save(name, writer=writer)
        except subprocess.CalledProcessError as error:
            raise BackendError(f"{file}: ffmpeg failed: {error}") from error
    return name


def animation_writer(file: str | Path, frame_rate: float = 15.0) -> "AbstractMovieWriter":
    """Choose what writes an animation, before anything is drawn.

    Args:
        file: Name of the file, .gif or .mp4.
        frame_rate: Pictures a second.

    Returns:
        Matplotlib's writer.

    Raises:
        InputError: If the name ends in neither.
        BackendError: If ffmpeg is needed and missing.
    """
    from matplotlib.animation import FFMpegWriter, PillowWriter

    suffix = file_name(file).suffix
    match suffix.lower():
        case ".gif":
            return PillowWriter(fps=frame_rate)  # type: ignore[arg-type]
        case ".mp4" if FFMpegWriter.isAvailable():
            return FFMpegWriter(fps=frame_rate)  # type: ignore[arg-type]
        case ".mp4":
            raise BackendError(
                f"{file}: MP4 needs the program ffmpeg, which was not found: install it (apt "
                "install ffmpeg, brew install ffmpeg, conda install ffmpeg), or write a .gif"
            )
    raise InputError(f"{file}: an animation must end in .gif or .mp4, got {suffix!r}")


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


def _draw_in_plane(
    figure: "Figure",
    si: SpaceInformation,
    path: PathControl | None,
    data: "PlannerData | None",
    problem: Problem | None,
    *,
    outlines: int = OUTLINES,
) -> None:
    from matplotlib.collections import LineCollection

    axes = figure.subplots()
    i, j = _position(si)
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
                loop = _closed(world.outlines(path.state_at(float(time))))
                axes.plot(*loop.T, color=ROBOT, linewidth=0.7, zorder=3)
    _draw_ends(axes, problem, [i, j])
    low, high = si.state_space.low, si.state_space.high
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


def _draw_in_space(
    figure: "Figure",
    si: SpaceInformation,
    path: PathControl | None,
    data: "PlannerData | None",
    problem: Problem | None,
) -> None:
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


def _position(si: SpaceInformation) -> tuple[int, int]:
    if isinstance(si.validity, PlaneWorld) and max(si.validity.position) < si.state_space.dimension:
        return si.validity.position
    found = si.state_space.position_indices
    if len(found) >= 2:
        return found[0], found[1]
    return 0, min(1, si.state_space.dimension - 1)


def _is_place(si: SpaceInformation) -> bool:
    """Whether the two axes drawn are x and y, rather than angles or rates."""
    names = [name.rpartition(".")[2] for name in si.state_space.axis_names]
    return all(names[i] in {"x", "y", "z"} for i in _position(si))


def _closed(outlines: tuple[Matrix, ...]) -> Matrix:
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


def _limits(axes: "Axes", low: float, high: float) -> None:
    for limit in (low, high):
        axes.axhline(limit, color=OBSTACLE, linewidth=0.6, linestyle=":")
    margin = 0.08 * (high - low)
    axes.set_ylim(low - margin, high + margin)
