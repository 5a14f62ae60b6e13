"""Pictures of plans: world, tree and path; states and controls over time; animations.

Figures are Matplotlib's own objects, made without its global state: save them, or show them in a
notebook by naming them.
"""

import math
from typing import TYPE_CHECKING, Final

import numpy as np

from footwork.errors import InputError
from footwork.planning.animation import animate
from footwork.planning.drawing import (
    OBSTACLE,
    PATH,
    ROBOT,
    draw_in_plane,
    draw_in_space,
    draw_world,
)
from footwork.planning.path_control import PathControl
from footwork.planning.problem import PlanningResult, Problem
from footwork.planning.worlds import SpaceWorld

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from footwork.planning.planner_data import PlannerData

__all__ = ["animate", "draw_world", "plot_plan", "plot_trajectory"]

ONE_COLUMN: Final = 8
"""More curves than these are drawn in two columns."""


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
    draw = draw_in_space if in_space else draw_in_plane
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
    columns = 1 if n + m <= ONE_COLUMN else 2
    rows = -(-(n + m) // columns)
    figure = Figure(figsize=(8.0, 1.1 * rows + 0.8), layout="constrained")
    grid = figure.subplots(rows, columns, sharex=True, squeeze=False).ravel(order="F")
    axes: list[Axes] = list(grid[: n + m])
    for unused in grid[n + m :]:
        unused.set_axis_off()
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
    for last in axes[rows - 1 :: rows] + axes[-1:]:
        last.set_xlabel("time [s]")
        last.tick_params(labelbottom=True)
    figure.suptitle(title)
    return figure


def _limits(axes: "Axes", low: float, high: float) -> None:
    for limit in (low, high):
        axes.axhline(limit, color=OBSTACLE, linewidth=0.6, linestyle=":")
    margin = 0.08 * (high - low)
    axes.set_ylim(low - margin, high + margin)
