"""The pictures of a report, as SVG text: drawn by matplotlib without its global state."""

import io
from math import cos, sin
from typing import Any, Final

import numpy as np

from footwork.contacts import FOREVER, ContactList, to_seconds
from footwork.recording import Run
from footwork.robot import ZooEntry
from footwork.typing import Matrix
from footwork.viewer.figures import dcm_error, swing_errors, torque_shares
from footwork.viewer.marks import footprints_of
from footwork.viewer.palette import BAD, COM, COP, DCM, OBSTACLE, PATH, foot_color
from footwork.viewer.replay import base_path_of
from footwork.walking.obstacles import ObstacleMap, read_map

POINTS: Final = 1500
"""Points of a curve, at most: more cannot be seen."""


def footstep_map(run: Run, entry: ZooEntry | None) -> str:
    """Draw planned and measured footprints, path, CoM, DCM and CoP from above.

    Args:
        run: The run.
        entry: Knows the shape of the feet.

    Returns:
        SVG.
    """
    fig, (ax,) = _figure(1, height=5.2)
    for print_ in footprints_of(run.contacts, entry):
        ax.fill(*print_.outline[:, :2].T, fill=False, ec=print_.color, lw=0.9, ls=(0, (3, 2)))
    for print_ in footprints_of(run.measured_contacts, entry):
        ax.fill(*print_.outline[:, :2].T, fc=print_.color, alpha=0.25, ec="none")
    if run.map_file.is_file():
        _draw_obstacles(ax, read_map(run.map_file))
    path = base_path_of(run)
    if len(path):
        ax.plot(*path.T, color=PATH, lw=4, alpha=0.35, solid_capstyle="round", label="path")
    states = run.states
    ax.plot(*_thin(states["cop"]).T, color=COP, lw=0.5, alpha=0.8, label="CoP measured")
    ax.plot(*_thin(states["dcm_reference"]).T, color=DCM, lw=0.8, ls="--", label="DCM planned")
    ax.plot(*_thin(states["dcm"]).T, color=DCM, lw=0.9, label="DCM measured")
    ax.plot(*_thin(states["com"][:, :2]).T, color=COM, lw=1.4, label="CoM measured")
    goals = [run.config.get("goal"), *(c["goal"] for c in run.commands if not c["refusal"])]
    for goal in filter(None, goals):
        ax.annotate(
            "",
            (goal[0] + 0.2 * cos(goal[2]), goal[1] + 0.2 * sin(goal[2])),
            (goal[0], goal[1]),
            arrowprops={"arrowstyle": "-|>", "color": BAD, "lw": 2},
        )
    ax.set_aspect("equal", adjustable="datalim")
    ax.set_xlabel("x [m]")
    ax.set_ylabel("y [m]")
    ax.legend(ncols=5, loc="upper center", bbox_to_anchor=(0.5, 1.1))
    return _svg(fig)


def _draw_obstacles(ax: Any, obstacles: ObstacleMap) -> None:
    from matplotlib.patches import Circle, PathPatch
    from matplotlib.path import Path as Outline
    from matplotlib.transforms import Bbox, BboxTransformTo

    for x, y, radius in obstacles.circles.tolist():
        ax.add_patch(Circle((x, y), radius, fc=OBSTACLE, ec="none", alpha=0.8))
    square = Outline.unit_rectangle()  # boxes of a map touch: as one shape they have no seams
    boxes = [Bbox.from_extents(*box) for box in obstacles.boxes.tolist()]
    if boxes:
        outlines = (square.transformed(BboxTransformTo(box)) for box in boxes)
        walls = Outline.make_compound_path(*outlines)
        ax.add_patch(PathPatch(walls, fc=OBSTACLE, ec="none", alpha=0.8))


def contact_timeline(run: Run) -> str:
    """Draw when each foot was to stand, and when it did; a line for each command.

    Args:
        run: The run.

    Returns:
        SVG.
    """
    feet = list(run.contacts)
    fig, (ax,) = _figure(1, height=0.6 + 0.55 * len(feet))
    end = float(run.states.time[-1])
    for i, name in enumerate(feet):
        color = foot_color(name, i)
        planned = _bars(run.contacts[name], end)
        measured = _bars(run.measured_contacts.get(name, ContactList()), end)
        ax.broken_barh(planned, (i + 0.02, 0.4), fc="none", ec=color, lw=1.0, ls=(0, (3, 2)))
        ax.broken_barh(measured, (i - 0.42, 0.4), fc=color, alpha=0.7)
    for command in run.commands:
        ax.axvline(command["time_s"], color=BAD if command["refusal"] else COM, lw=0.8)
    ax.set_yticks(range(len(feet)), [name.replace("_", " ") for name in feet])
    ax.set_ylim(len(feet) - 0.4, -0.6)
    ax.set_xlim(0.0, end)
    ax.set_xlabel("time [s]      above: measured, below (dashed): planned")
    return _svg(fig)


def tracking(run: Run) -> str:
    """Draw the errors of the DCM and of the swinging feet, and the height of the CoM.

    Args:
        run: The run.

    Returns:
        SVG.
    """
    fig, (dcm, swing, height) = _figure(3, height=5.4)
    t = _thin(run.states.time)
    for i, axis in enumerate("xy"):
        error = _thin(1e3 * dcm_error(run)[:, i])
        dcm.plot(t, error, lw=0.9, color=(DCM, COM)[i], label=f"DCM {axis}")
    dcm.set_ylabel("[mm]")
    dcm.legend(ncols=2, loc="upper right")
    for i, (name, error) in enumerate(swing_errors(run).items()):
        swing.plot(t, _thin(1e3 * error), lw=0.9, color=foot_color(name, i), label=name)
    swing.set_ylabel("foot in swing [mm]")
    swing.legend(ncols=4, loc="upper right")
    height.plot(t, _thin(run.states["com"][:, 2]), color=COM, lw=1.0)
    height.set_ylabel("CoM height [m]")
    height.set_xlabel("time [s]")
    return _svg(fig)


def contact_forces(run: Run) -> str:
    """Draw the normal force of each foot, planned and measured.

    Args:
        run: The run.

    Returns:
        SVG.
    """
    names = list(run.contacts)
    fig, axes = _figure(1, height=2.6)
    t = _thin(run.states.time)
    for i, name in enumerate(names):
        measured = _thin(run.states["foot_wrench"][:, 6 * i + 2])
        planned = _thin(run.states["foot_wrench_planned"][:, 6 * i + 2])
        color = foot_color(name, i)
        axes[0].plot(t, measured, color=color, lw=0.6, alpha=0.6)
        axes[0].plot(t, planned, color=color, lw=1.1, label=name.replace("_", " "))
    weight = 9.81 * float(run.states.attributes["mass"])
    axes[0].axhline(weight, color=PATH, lw=0.8, ls="--", label="weight")
    axes[0].set_ylabel("normal force [N]")
    axes[0].set_xlabel("time [s]      bold: planned by the controller, thin: measured")
    axes[0].set_ylim(0.0, 2.5 * weight)
    axes[0].legend(ncols=5, loc="upper right")
    return _svg(fig)


def torques(run: Run) -> str:
    """Draw each joint's torque as a part of its limit: the largest, and over time.

    Args:
        run: The run.

    Returns:
        SVG.
    """
    shares = torque_shares(run)
    labels = [name.removesuffix("_joint") for name in run.states.columns["torque"].labels]
    fig, (bars, over_time) = _figure(2, height=0.8 + 0.17 * len(labels), columns=2)
    places = np.arange(len(labels))
    worst = shares.max(axis=0)
    bars.barh(places, 100 * worst, color=[BAD if w > 0.97 else PATH for w in worst])
    bars.plot(100 * np.sqrt(np.mean(shares**2, axis=0)), places, "k|", label="RMS")
    bars.axvline(100.0, color=BAD, lw=0.8)
    bars.set_yticks(places, labels)
    bars.set_ylim(len(labels) - 0.5, -0.5)
    bars.set_xlabel("largest torque [% of limit]")
    bars.legend(loc="lower right")
    picture = over_time.imshow(
        100 * _thin(shares, 500).T,
        aspect="auto",
        cmap="magma",
        vmin=0.0,
        vmax=100.0,
        extent=(0.0, float(run.states.time[-1]), len(labels) - 0.5, -0.5),
    )
    over_time.set_yticks([])
    over_time.set_xlabel("time [s]")
    fig.colorbar(picture, ax=over_time, label="% of limit")
    return _svg(fig)


def tick_times(run: Run) -> str:
    """Draw how long the control ticks took.

    Args:
        run: The run.

    Returns:
        SVG.
    """
    ticks = 1e6 * run.states["tick_time"][1:, 0]  # the first one loads kernels
    fig, (histogram, over_time) = _figure(2, height=2.4, columns=2)
    top = float(np.quantile(ticks, 0.995))
    histogram.hist(np.minimum(ticks, top), bins=60, color=PATH)
    median = float(np.median(ticks))
    histogram.axvline(median, color=COM, lw=1.2, label=f"median {median:.0f} µs")
    histogram.set_xlabel("tick [µs]")
    histogram.set_yticks([])
    histogram.legend()
    over_time.plot(_thin(run.states.time[1:]), _thin(ticks), ".", ms=1.5, color=COM)
    over_time.set_yscale("log")
    over_time.set_xlabel("time [s]")
    over_time.set_ylabel("[µs]")
    return _svg(fig)


def _figure(count: int, *, height: float, columns: int = 1) -> tuple[Any, tuple[Any, ...]]:
    from matplotlib.figure import Figure

    fig = Figure(figsize=(9.2, height), layout="constrained")
    shared = columns == 1
    axes = fig.subplots(count // columns, columns, squeeze=False, sharex="col" if shared else False)
    for ax in axes.flat:
        ax.spines[["top", "right"]].set_visible(False)
        ax.tick_params(labelsize=8)
        ax.grid(color="#e5e7eb", lw=0.6)
        ax.set_axisbelow(True)
    return fig, tuple(axes.flat)


def _svg(fig: Any) -> str:
    import matplotlib as mpl

    text = io.StringIO()
    for ax in fig.axes:
        for label in (ax.xaxis.label, ax.yaxis.label):
            label.set_fontsize(9)
        if ax.get_legend() is not None:
            ax.get_legend().set_frame_on(False)
            for entry in ax.get_legend().get_texts():
                entry.set_fontsize(8)
    with mpl.rc_context({"svg.fonttype": "none"}):
        fig.savefig(text, format="svg", metadata={"Date": None})
    svg = text.getvalue()
    return svg[svg.index("<svg") :]


def _thin(values: Matrix, points: int = POINTS) -> Matrix:
    """Keep every n-th row, so that at most ``points`` are left."""
    step = max(1, -(-len(values) // points))
    kept: Matrix = values[::step]
    return kept


def _bars(contacts: ContactList, end: float) -> list[tuple[float, float]]:
    bars = []
    for contact in contacts:
        begin = to_seconds(contact.activation_time)
        over = contact.deactivation_time
        until = end if over == FOREVER else min(end, to_seconds(over))
        if until > begin:
            bars.append((begin, until - begin))
    return bars
