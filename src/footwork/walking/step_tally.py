"""The steps of a walk, counted over all that it was planned anew, and the way that they make."""

from math import hypot
from typing import Any, Final

from footwork.typing import Matrix, Vector
from footwork.walking.gait import Gait
from footwork.walking.phase import Phase

MOVED: Final = 0.02
"""Shift of a landing place above which a step counts as adjusted [m]."""
MOVED_TIME: Final = 0.1
"""Part of its swing by which a landing is brought forward, above which it does too."""


class StepTally:
    """Counts landings, and measures the way of the middle of the feet from one to the next.

    Args:
        middle: Of the feet at the start, (x, y, …) [m].

    Attributes:
        taken: Steps that have ended.
        adjusted: Of these, steps whose place or time the feedback moved.
        way: Length of the way along the planned steps; those of corrections do not count [m].
        last_landing: Along the planned steps [s].
    """

    def __init__(self, middle: Vector) -> None:
        self.taken = self.adjusted = 0
        self.way = self.last_landing = 0.0
        self._middle = (float(middle[0]), float(middle[1]))
        self._shift = self._haste = 0.0

    def note(self, time: float, gait: Gait, feet: Matrix, *, is_planned: bool) -> None:
        """Take a control step.

        Args:
            time: Of the walk [s].
            gait: After its tick.
            feet: Measured, (x, y, z, yaw) [m, rad], shape (feet, 4).
            is_planned: Whether the steps are those of the plan, not of a correction.
        """
        if gait.phase is Phase.SWING:
            _, length, nominal = gait.state.clock[:3].tolist()
            self._shift = hypot(*gait.state.shift.tolist())
            self._haste = 1.0 - length / nominal
        if not gait.has_landed:
            return
        self.taken += 1
        self.adjusted += self._shift > MOVED or self._haste > MOVED_TIME
        if is_planned:
            x, y = feet[:, :2].mean(axis=0).tolist()
            self.way += hypot(x - self._middle[0], y - self._middle[1])
            self._middle, self.last_landing = (x, y), time

    def figures(self, begun: float) -> dict[str, Any]:
        """List the figures, with units in their names.

        Args:
            begun: When the first transfer began [s].
        """
        walked = max(self.last_landing - begun, 0.0)
        return {
            "steps_taken": self.taken,
            "steps_adjusted": self.adjusted,
            "distance_m": self.way,
            "walking_time_s": walked,
            "mean_speed_m_s": self.way / walked if walked > 0.0 else 0.0,
        }
