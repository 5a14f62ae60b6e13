"""A frame goes where it shall: pose, position or orientation, in the world or in another frame."""

from typing import Any

import numpy as np

from footwork.errors import InputError
from footwork.robot import Quantities, RobotModel
from footwork.spatial import Pose
from footwork.stack._kernels.tasks_velocity import (
    CARTESIAN,
    FRAME_FLOATS,
    GAIN,
)
from footwork.stack.frame_block import Axes, read_reference, write_pose, write_reference
from footwork.stack.tasks.frame import FrameTask
from footwork.stack.tasks.reference import as_motion, split_reference
from footwork.stack.variables import Affine
from footwork.typing import Vector


class Cartesian(FrameTask):
    """Move a frame to a pose: J v = twist + λ e.

        e = (p_ref − p ; γ log(R_ref Rᵀ))

    The rotation part is the rotation vector of what is missing, so that with λ alone the frame goes
    there on the shortest arc and at an exponential rate, from anywhere. Rows are in the axes of the
    base (the world if there is none), or of the frame itself; A is the frame's geometric Jacobian.

    The reference is the pose where the robot is at the first update, until it is set. Its twist is
    a feed-forward for one tick.

    Args:
        robot: The robot.
        frame: Frame that moves.
        base: Frame in which the reference is given; the world if not given.
        mode: "pose" (6 rows), "position" (3) or "orientation" (3).
        axes: "world" for the axes of the base, "local" for the frame's own.
        name: Name of the task; the frame's if not given.
        variable: Where the joint velocity is in a larger x.

    Raises:
        UnknownFrameError: If the robot has no such frame.
        InputError: If frame and base are the same.
    """

    def __init__(
        self,
        robot: RobotModel,
        frame: str,
        *,
        base: str | None = None,
        mode: str = "pose",
        axes: Axes = "world",
        name: str | None = None,
        variable: Affine | None = None,
    ) -> None:
        super().__init__(
            robot,
            frame,
            CARTESIAN,
            np.zeros(FRAME_FLOATS),
            base=base,
            mode=mode,
            axes=axes,
            name=name,
            variable=variable,
            needs=Quantities.KINEMATICS,
        )

    @property
    def reference(self) -> tuple[Pose, Vector]:
        """Pose T_base_frame and twist (linear [m/s], angular [rad/s], in the base's axes).

        Set by a pose (a `Pose` or a homogeneous matrix), or by a tuple of both. In "position" mode
        a position of shape (3,) is enough; in "orientation" mode a rotation matrix.
        """
        return read_reference(self.floats)[:2]

    @reference.setter
    def reference(self, value: Any) -> None:
        if isinstance(value, Pose):  # the usual case, and every tick counts
            write_pose(self._rows.memory, value)
            return
        pose, twist = split_reference(value, self.id, ("pose", "twist"))
        T = self._read_pose(pose)
        write_reference(self._rows.memory, T, as_motion(twist, 6, "twist", self.id))

    @property
    def orientation_gain(self) -> float:
        """Factor γ of the rotation's error."""
        return float(self.floats[GAIN])

    @orientation_gain.setter
    def orientation_gain(self, value: float) -> None:
        if not (np.isfinite(value) and value >= 0.0):
            raise InputError(f"orientation_gain of {self.id!r} must not be negative, got {value}")
        self.floats[GAIN] = value
