"""A run in three dimensions: one HTML file with everything in it, or served live."""

import time
from collections.abc import Generator
from pathlib import Path
from typing import Any, Final

import numpy as np

from footwork.errors import InputError
from footwork.recording import Run, write_whole
from footwork.robot import RobotModel, load
from footwork.typing import Matrix, Vector
from footwork.viewer.ground import draw_ground
from footwork.viewer.marks import Footprint, footprints_of
from footwork.viewer.palette import FORCE, PATH, rgb
from footwork.viewer.robot_scene import RobotScene
from footwork.viewer.server import view_server

NAME: Final = "replay.html"
FRAME_RATE: Final = 30.0
"""Pictures a second of simulated time."""
GRAVITY: Final = 9.81
NEEDLE_LENGTH: Final = 4.0
"""Of the needle that shows forces [m]; the largest that can be shown."""


class RunScene:
    """Draws a run into a viser scene: ground, footsteps, path, robot and contact forces.

    Only what is known before the first step is read of the run, so that it may still be going on.

    Args:
        server: A viser server.
        run: The run.
        robot: Its robot; loaded when not given.
    """

    def __init__(self, server: Any, run: Run, robot: RobotModel | None = None) -> None:
        self.robot = robot or load(str(run.config["robot"]))
        scene = server.scene
        scene.set_up_direction("+z")
        footprints = footprints_of(run.contacts, self.robot.entry)
        path = base_path_of(run)
        way = np.vstack([path, *(footprint.outline[:, :2] for footprint in footprints)])
        draw_ground(scene, run, way)
        for i, footprint in enumerate(footprints):
            _draw_footprint(scene, f"/footsteps/{i}", footprint)
        _draw_path(scene, path)
        self._body = RobotScene(scene, self.robot)
        feet = self.robot.entry.feet if self.robot.entry is not None else ()
        self._forces = {foot.name: ForceArrow(scene, f"/forces/{foot.name}") for foot in feet}
        height = float(self.robot.standing_configuration[2])
        self._metres_a_newton = height / (GRAVITY * self.robot.mass)
        _place_camera(server.initial_camera, way, height)

    def show(self, q: Vector, wrenches: Matrix) -> None:
        """Draw one instant; the robot's weight is as long as its base is high.

        Args:
            q: Configuration, shape (nq,).
            wrenches: On the feet, about their frames, world axes [N, Nm], shape (feet, 6).
        """
        self._body.display(q)
        for (foot, arrow), wrench in zip(self._forces.items(), wrenches, strict=True):
            fx, fy, fz, mx, my, _ = wrench.tolist()
            pressure = np.array([-my, mx, 0.0]) / max(fz, 1.0)
            force = self._metres_a_newton * np.array([fx, fy, fz])
            arrow.show(self._body.place_of(foot) + pressure, force)


def _place_camera(camera: Any, way: Matrix, height: float) -> None:
    """Look at the middle of the way from its right side, from far enough to see it all."""
    low, high = way.min(axis=0), way.max(axis=0)
    middle = np.array([*(0.5 * (low + high)), 0.8 * height])
    distance = 1.2 + 0.45 * float((high - low).max())
    camera.position = middle + distance * np.array([0.35, -1.0, 0.35])
    camera.look_at = middle


def _draw_path(scene: Any, points: Matrix) -> None:
    if len(points) > 1:
        lifted = np.column_stack([points, np.full(len(points), 0.004)])
        pairs = np.stack([lifted[:-1], lifted[1:]], axis=1)
        scene.add_line_segments("/path", points=pairs, colors=rgb(PATH), thickness=0.008)


def _draw_footprint(scene: Any, name: str, footprint: Footprint) -> None:
    outline = footprint.outline
    closed = np.vstack([outline, outline[:1]])
    pairs = np.stack([closed[:-1], closed[1:]], axis=1) + np.array([0.0, 0.0, 0.003])
    scene.add_line_segments(name, points=pairs, colors=rgb(footprint.color), thickness=0.006)


class ForceArrow:
    """A force as a needle that comes out of the ground under a foot, as long as the force is large.

    The needle itself never changes: only its pose moves, its rest is hidden below the floor. In a
    slow browser, shapes that change lag behind poses.

    Args:
        scene: Of a viser server.
        name: Unique in the scene.
    """

    def __init__(self, scene: Any, name: str) -> None:
        vertices, faces = _needle()
        self._handle = scene.add_mesh_simple(name, vertices, faces, color=rgb(FORCE))

    def show(self, start: Vector, force: Vector) -> None:
        """Draw the force.

        Args:
            start: Where it acts [m], shape (3,).
            force: Its direction, and its length as drawn [m], shape (3,).
        """
        length = float(np.linalg.norm(force))
        self._handle.visible = length > 1e-3
        if length <= 1e-3:
            return
        x, y, z = force / length
        # the shortest turn from the needle's axis (0, 0, 1) to the force
        half = np.array([1.0 + z, -y, x, 0.0]) if z > -1.0 + 1e-9 else np.array([0.0, 1.0, 0, 0])
        self._handle.wxyz = half / np.linalg.norm(half)
        self._handle.position = start + (length - NEEDLE_LENGTH) * force / length


def _needle() -> tuple[Any, Any]:
    """A needle along z: a prism with a point."""
    angles = np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False)
    ring = 0.008 * np.column_stack([np.cos(angles), np.sin(angles)])
    low = np.column_stack([ring, np.zeros(8)])
    high = np.column_stack([ring, np.full(8, NEEDLE_LENGTH - 0.06)])
    vertices = np.vstack([low, high, [[0.0, 0.0, NEEDLE_LENGTH]]]).astype(np.float32)
    i, j = np.arange(8), (np.arange(8) + 1) % 8
    top = np.full(8, 16)
    faces = np.vstack(
        [np.column_stack(t) for t in ((i, j, j + 8), (i, j + 8, i + 8), (i + 8, j + 8, top))]
    )
    return vertices, faces.astype(np.uint32)


def base_path_of(run: Run) -> Matrix:
    """Read the planned path of the middle of the feet.

    Args:
        run: The run.

    Returns:
        Points (x, y) [m], shape (n, 2); none when the run has no path.

    Raises:
        PathFileError: If the file is damaged.
    """
    if not run.path_file.is_file():
        return np.zeros((0, 2))
    from footwork.planning.archive import read_archive
    from footwork.planning.path_io import FORMAT, VERSION

    archive = read_archive(run.path_file, ["states"], kind=FORMAT, version=VERSION)
    return np.array(archive["states"][:, :2])


def frames_of(run: Run, frame_rate: float = FRAME_RATE) -> "np.typing.NDArray[np.int64]":
    """Choose the rows that are drawn.

    Args:
        run: The run.
        frame_rate: Pictures a second.

    Returns:
        Rows of the recorded states.

    Raises:
        InputError: If nothing was recorded.
    """
    times = run.states.time
    if times.size == 0:
        raise InputError(f"{run.folder}: no state was recorded, so there is nothing to replay")
    wanted = np.arange(times[0], times[-1], 1.0 / frame_rate)
    return np.unique(np.append(np.searchsorted(times, wanted), times.size - 1))


def write_replay(run: Run, robot: RobotModel | None = None) -> Path:
    """Write ``replay.html`` into the run folder: opens from disk, without a network.

    Args:
        run: The run.
        robot: Its robot; loaded when not given.

    Returns:
        Path of the file.

    Raises:
        InputError: If nothing was recorded.
        BackendError: If the file cannot be written.
    """
    rows = frames_of(run)
    path = run.folder / NAME
    with view_server() as server:
        scene = RunScene(server, run, robot)
        show_row(scene, run, int(rows[0]))
        recording = server.get_scene_serializer()
        for row in rows:
            show_row(scene, run, int(row))
            recording.insert_sleep(1.0 / FRAME_RATE)
        page = recording.as_html()
    write_whole(path, page)
    return path


def show_row(scene: RunScene, run: Run, row: int) -> None:
    """Draw one recorded instant.

    Args:
        scene: Of the run.
        run: The run.
        row: Of its states.
    """
    states = run.states
    scene.show(states["q"][row], states["foot_wrench"][row].reshape(-1, 6))


def serve_replay(run: Run, *, port: int = 8080) -> Generator[str, None, None]:
    """Serve a run in the browser with a slider for time, until the iteration is ended.

    Args:
        run: The run.
        port: On 127.0.0.1.

    Yields:
        The address, once; then nothing, about thirty times a second.
    """
    rows = frames_of(run)
    times = run.states.time
    with view_server(port) as server:
        scene = RunScene(server, run)
        playing = server.gui.add_checkbox("Play", initial_value=True)
        pace = server.gui.add_slider("Pace", 0.1, 2.0, 0.1, 1.0)
        slider = server.gui.add_slider(
            "Time [s]", float(times[rows[0]]), float(times[rows[-1]]), 0.01, float(times[rows[0]])
        )
        shown = -1
        yield f"http://127.0.0.1:{server.get_port()}"
        while True:
            row = int(rows[min(np.searchsorted(times[rows], slider.value), rows.size - 1)])
            if row != shown:
                show_row(scene, run, row)
                shown = row
            time.sleep(1.0 / FRAME_RATE)
            if playing.value:
                after = slider.value + pace.value / FRAME_RATE
                slider.value = after if after <= times[rows[-1]] else float(times[rows[0]])
            yield ""
