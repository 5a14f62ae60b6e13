"""A walk in the browser while it is walked."""

import os
import time
from types import TracebackType
from typing import Final

from footwork.recording import open_run
from footwork.viewer.replay import FRAME_RATE, RunScene
from footwork.viewer.server import view_server
from footwork.walking import Measurement

WAIT: Final = 20.0
"""How long the first picture waits for somebody to look at it [s]."""


class LiveView:
    """Shows a walk as it goes on, at real time; ``walk(..., folder=folder, watch=view)``.

    It serves from the beginning to the end of its block. The plan is drawn from the run folder, the
    robot from what the controller is told.

    Args:
        folder: Run folder of the walk that will be watched.
        port: On 127.0.0.1; the next free one from there on is taken, any free one for 0.
        wait: For a browser, before the first step [s].
        pace: Simulated time over real time.

    Example:
        with LiveView("runs/mine") as view:
            print(view.address)
            walk(request, folder="runs/mine", watch=view)
    """

    def __init__(
        self,
        folder: str | os.PathLike[str],
        *,
        port: int = 8080,
        wait: float = WAIT,
        pace: float = 1.0,
    ) -> None:
        self._folder, self._wait, self._pace = folder, wait, pace
        self._serving = view_server(port)
        self._server = self._serving.__enter__()
        self._scene: RunScene | None = None
        self._begun = 0.0
        self._next = 0.0

    @property
    def address(self) -> str:
        """Where a browser finds it."""
        return f"http://127.0.0.1:{self._server.get_port()}"

    def __call__(self, measurement: Measurement) -> None:
        """Draw the robot if a picture is due, and wait for real time to come up.

        Args:
            measurement: Of a control step.
        """
        if self._scene is None:
            self._scene = RunScene(self._server, open_run(self._folder))
            self._scene.show(measurement.q, measurement.foot_wrenches)
            self._await_browser()
            self._begun = time.monotonic() - measurement.time / self._pace
        if measurement.time < self._next:
            return
        self._next = measurement.time + 1.0 / FRAME_RATE
        self._scene.show(measurement.q, measurement.foot_wrenches)
        time.sleep(max(0.0, self._begun + measurement.time / self._pace - time.monotonic()))

    def _await_browser(self) -> None:
        until = time.monotonic() + self._wait
        while not self._server.get_clients() and time.monotonic() < until:
            time.sleep(0.05)

    def close(self) -> None:
        """Stop serving."""
        self._serving.__exit__(None, None, None)

    def __enter__(self) -> "LiveView":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
