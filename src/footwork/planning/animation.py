"""Films of a robot that moves along its path."""

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from footwork.errors import BackendError, InputError
from footwork.planning.arguments import file_name
from footwork.planning.drawing import ROBOT, closed, draw_in_plane, drawn_axes
from footwork.planning.files import written
from footwork.planning.path_control import PathControl
from footwork.planning.problem import Problem
from footwork.planning.worlds import PlaneWorld

if TYPE_CHECKING:
    from matplotlib.animation import AbstractMovieWriter


def animate(
    path: PathControl,
    file: str | Path,
    *,
    problem: Problem | None = None,
    frame_rate: float = 15.0,
    speed: float = 1.0,
    progress: Callable[[int, int], object] | None = None,
) -> Path:
    """Write the robot moving along its path, in a world of the plane, as GIF or MP4.

    Args:
        path: A path.
        file: Name of the file, .gif or .mp4; a folder that is missing is made. MP4 needs the
            program ffmpeg, which ``footwork[animate]`` brings.
        problem: For start and goal.
        frame_rate: Pictures a second.
        speed: 2 plays twice as fast as it happens.
        progress: Called with the number of each picture, from 0, and how many there are: a second
            of film takes one or two to draw.

    Returns:
        The file.

    Raises:
        InputError: If the path has no duration, a number is not above 0, the name ends in neither
            .gif nor .mp4, or the file cannot be written.
        BackendError: If ffmpeg is missing, or fails.
    """
    from matplotlib import rc_context
    from matplotlib.animation import FuncAnimation
    from matplotlib.figure import Figure

    if path.length() <= 0.0 or not (frame_rate > 0.0 and speed > 0.0):
        raise InputError("an animation needs a path that lasts, a frame rate and a speed above 0")
    writer = animation_writer(file, frame_rate)
    si = path.space_information
    figure = Figure(figsize=(5.0, 5.0), layout="constrained")
    draw_in_plane(figure, si, path, None, problem, outlines=0)
    figure.draw_without_rendering()
    figure.set_layout_engine("none")  # laid out once, not in every frame
    axes = figure.axes[0]
    times = np.arange(0.0, path.length() + speed / frame_rate, speed / frame_rate)
    world = si.validity
    clock = axes.text(0.02, 0.98, "", transform=axes.transAxes, va="top")
    i, j = drawn_axes(si)
    (dot,) = axes.plot([], [], "o", color=ROBOT, zorder=6)
    (shape,) = axes.plot([], [], color=ROBOT, linewidth=1.6, zorder=6)

    def show(time: float) -> tuple[Any, ...]:
        x = path.state_at(min(float(time), path.length()))
        dot.set_data([x[i]], [x[j]])
        if isinstance(world, PlaneWorld):
            shape.set_data(*closed(world.outlines(x)).T)
        clock.set_text(f"{min(float(time), path.length()):.1f} s")
        return dot, shape, clock

    movie = FuncAnimation(figure, show, frames=times.tolist(), blit=False)
    with written(file) as name, rc_context({"animation.ffmpeg_path": _ffmpeg() or "ffmpeg"}):
        try:
            movie.save(name, writer=writer, progress_callback=progress)
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
        case ".mp4" if _ffmpeg() is not None:
            return FFMpegWriter(fps=frame_rate)  # type: ignore[arg-type]
        case ".mp4":
            raise BackendError(
                f"{file}: MP4 needs the program ffmpeg, which was not found: pip install "
                "'footwork[animate]' brings it (so do apt, brew, conda); or write a .gif"
            )
    raise InputError(f"{file}: an animation must end in .gif or .mp4, got {suffix!r}")


def _ffmpeg() -> str | None:
    """Find ffmpeg: the system's, else the one of the package imageio-ffmpeg."""
    from matplotlib.animation import FFMpegWriter

    if FFMpegWriter.isAvailable():
        return str(FFMpegWriter.bin_path())
    try:
        from imageio_ffmpeg import get_ffmpeg_exe
    except ImportError:
        return None
    try:
        return str(get_ffmpeg_exe())
    except RuntimeError:  # the package is there without its program
        return None
