"""A run in three dimensions: one HTML file with everything in it, or served live."""

import time
from collections.abc import Generator
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
        self._forces = [
            scene.add_line_segments(
                f"/forces/{i}", points=np.zeros((1, 2, 3)), colors=rgb(FORCE), thickness=0.012
            )
            for i in range(self._feet(0).shape[0])
        ]
        first = self._configuration(0)
        server.initial_camera.position = (first[0] - 1.5, first[1] - 2.6, 1.7 * first[2] + 0.3)
        server.initial_camera.look_at = (first[0] + 0.8, first[1], 0.7 * first[2])

    def show(self, row: int) -> None:
        """Draw one instant.

        Args:
            row: Of the recorded states.
        """
        self._body.display(self._configuration(row))
        wrenches = self.run.states["foot_wrench"][row].reshape(-1, 6)
        for handle, foot, wrench in zip(self._forces, self._feet(row), wrenches, strict=True):
            start = foot[:3]
            handle.points = np.array([[start, start + wrench[:3] / NEWTONS_A_METRE]])

    def _configuration(self, row: int) -> Vector:
        q: Vector = self.run.states["q"][row]
        return q

    def _feet(self, row: int) -> Matrix:
        feet: Matrix = self.run.states["foot"][row].reshape(-1, 4)
        return feet

    def _draw_path(self, scene: Any) -> None:
        points = base_path_of(self.run)
        if len(points) > 1:
            lifted = np.column_stack([points, np.full(len(points), 0.004)])
            pairs = np.stack([lifted[:-1], lifted[1:]], axis=1)
            scene.add_line_segments("/path", points=pairs, colors=rgb(PATH), thickness=0.008)


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

        try:
            self._running = viser.ViserServer(
                host="127.0.0.1", port=self._port or _free_port(), verbose=False
            )
        except OSError as error:
            raise BackendError(
                f"no server can be started on port {self._port} ({error}); choose another"
            ) from error
        return self._running

    def __exit__(self, *unused: object) -> None:
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
