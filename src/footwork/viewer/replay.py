"""A run in three dimensions: one HTML file with everything in it, or served live."""

import time
from collections.abc import Generator
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any, Final

import numpy as np

from footwork.errors import BackendError, InputError
from footwork.recording import Run
from footwork.robot import RobotModel, load
from footwork.typing import Matrix, Vector
from footwork.viewer.ground import draw_ground
from footwork.viewer.marks import Footprint, footprints_of
from footwork.viewer.palette import FORCE, PATH, rgb
from footwork.viewer.robot_scene import RobotScene

NAME: Final = "replay.html"
FRAME_RATE: Final = 30.0
"""Pictures a second of simulated time."""
NEWTONS_A_METRE: Final = 800.0
"""A force of this size is drawn one metre long."""
NEEDLE_LENGTH: Final = 4.0
"""Of the needle that shows forces [m]; the largest that can be shown."""


class RunScene:
    """Draws a run into a viser scene: ground, footsteps, path, robot and contact forces.

    Args:
        server: A viser server.
        run: The run.
        robot: Its robot; loaded when not given.
    """

    def __init__(self, server: Any, run: Run, robot: RobotModel | None = None) -> None:
        self.run = run
        self.robot = robot or load(str(run.states.attributes["robot"]))
        scene = server.scene
        scene.set_up_direction("+z")
        draw_ground(scene, run)
        for i, footprint in enumerate(footprints_of(run.contacts, self.robot.entry)):
            _draw_footprint(scene, f"/footsteps/{i}", footprint)
        self._draw_path(scene)
        self._body = RobotScene(scene, self.robot)
        self._forces = [ForceArrow(scene, f"/forces/{i}") for i in range(len(self._feet(0)))]
        self._place_camera(server.initial_camera)

    def show(self, row: int) -> None:
        """Draw one instant.

        Args:
            row: Of the recorded states.
        """
        self._body.display(self._configuration(row))
        wrenches = self.run.states["foot_wrench"][row].reshape(-1, 6)
        for arrow, foot, wrench in zip(self._forces, self._feet(row), wrenches, strict=True):
            arrow.show(foot[:3], wrench[:3] / NEWTONS_A_METRE)

    def _configuration(self, row: int) -> Vector:
        q: Vector = self.run.states["q"][row]
        return q

    def _feet(self, row: int) -> Matrix:
        feet: Matrix = self.run.states["foot"][row].reshape(-1, 4)
        return feet

    def _place_camera(self, camera: Any) -> None:
        """Look at the middle of the way from its right side, from far enough to see it all."""
        way = self.run.states["q"][:, :3]
        middle = 0.5 * (way.min(axis=0) + way.max(axis=0))
        distance = 1.2 + 0.45 * float(np.ptp(way[:, :2], axis=0).max())
        camera.position = middle + distance * np.array([0.35, -1.0, 0.35])
        camera.look_at = middle

    def _draw_path(self, scene: Any) -> None:
        points = base_path_of(self.run)
        if len(points) > 1:
            lifted = np.column_stack([points, np.full(len(points), 0.004)])
            pairs = np.stack([lifted[:-1], lifted[1:]], axis=1)
            scene.add_line_segments("/path", points=pairs, colors=rgb(PATH), thickness=0.008)


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
    """
    if not run.path_file.is_file():
        return np.zeros((0, 2))
    with np.load(run.path_file, allow_pickle=False) as archive:
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
    with _server() as server:
        scene = RunScene(server, run, robot)
        scene.show(int(rows[0]))
        recording = server.get_scene_serializer()
        for row in rows:
            scene.show(int(row))
            recording.insert_sleep(1.0 / FRAME_RATE)
        page = recording.as_html()
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise BackendError(f"{path}: cannot be written ({error})") from error
    return path


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
    with _server(port) as server:
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
                scene.show(row)
                shown = row
            time.sleep(1.0 / FRAME_RATE)
            if playing.value:
                after = slider.value + pace.value / FRAME_RATE
                slider.value = after if after <= times[rows[-1]] else float(times[rows[0]])
            yield ""


class _server:  # noqa: N801 (a context manager, used as a function)
    """A viser server on 127.0.0.1 that stops at the end of the block."""

    def __init__(self, port: int = 0) -> None:
        self._port = port

    def __enter__(self) -> Any:
        import viser

        port = self._port or _free_port()
        try:
            with redirect_stdout(StringIO()):  # its banner
                self._running = viser.ViserServer(host="127.0.0.1", port=port, verbose=False)
        except OSError as error:
            raise BackendError(
                f"no server can be started on port {port} ({error}); choose another"
            ) from error
        return self._running

    def __exit__(self, *unused: object) -> None:
        with redirect_stdout(StringIO()):
            self._running.stop()


def _free_port() -> int:
    import socket

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
    return port


def _draw_footprint(scene: Any, name: str, footprint: Footprint) -> None:
    outline = footprint.outline
    closed = np.vstack([outline, outline[:1]])
    pairs = np.stack([closed[:-1], closed[1:]], axis=1) + np.array([0.0, 0.0, 0.003])
    scene.add_line_segments(name, points=pairs, colors=rgb(footprint.color), thickness=0.006)
