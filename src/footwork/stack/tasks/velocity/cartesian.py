"""A frame goes where it shall: pose, position or orientation, in the world or in another frame."""

from typing import Any

import numpy as np

from footwork.errors import InputError
from footwork.robot import Quantities, RobotModel, RobotState
from footwork.spatial import Pose
from footwork.stack._kernels.tasks_velocity import (
    CARTESIAN,
    FRAME_FLOATS,
    GAIN,
    HAS_REF,
    REF,
    TWIST,
)
from footwork.stack.frame_block import (
    MODES,
    POSE,
    Axes,
    frame_ints,
    placement_floats,
    pose_between,
    read_placement,
    write_placement,
)
from footwork.stack.leaf import LeafTask
from footwork.stack.tasks.reference import as_pose, as_vector, split_reference
from footwork.stack.variables import Affine
from footwork.typing import Vector


class Cartesian(LeafTask):
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
        self.robot = robot
        self.frame = robot.frame(frame)
        self.base = None if base in {None, "world"} else robot.frame(str(base))
        if self.base is not None and self.base.joint == self.frame.joint:
            raise InputError(f"{frame!r} and its base {base!r} are fixed to one another")
        ints = frame_ints(robot, self.frame, self.base, axes=axes, mode=mode)
        first, rows = MODES[mode]
        super().__init__(
            name or frame,
            rows=rows,
            x_size=robot.nv if variable is None else variable.input_size,
            row_names=POSE[first : first + rows],
            variable=variable,
            model=robot,
            needs=Quantities.KINEMATICS,
        )
        self._first = first
        floats = np.zeros(FRAME_FLOATS)
        floats[:12] = placement_floats(self.frame)
        floats[12:24] = placement_floats(self.base)
        floats[REF : REF + 12] = placement_floats(None)
        floats[GAIN] = 1.0
        self.bind(CARTESIAN.address, ints=ints, floats=floats, keep=[robot])

    @property
    def reference(self) -> tuple[Pose, Vector]:
        """Pose T_base_frame and twist (linear [m/s], angular [rad/s], in the base's axes).

        Set by a pose (a `Pose` or a homogeneous matrix), or by a tuple of both. In "position" mode
        a position of shape (3,) is enough; in "orientation" mode a rotation matrix.
        """
        return read_placement(self.floats, REF), self.floats[TWIST : TWIST + 6].copy()

    @reference.setter
    def reference(self, value: Any) -> None:
        if isinstance(value, Pose):  # the usual case, and every tick counts
            T, v = value, None
        else:
            pose, twist = split_reference(value, self.id, ("pose", "twist"))
            T = self._read_pose(pose)
            v = as_vector(twist, f"twist of {self.id!r}", 6)
        f = self.floats
        write_placement(f, REF, T)
        f[TWIST : TWIST + 6] = 0.0 if v is None else v
        f[HAS_REF] = 1.0

    def _read_pose(self, value: Any) -> Pose:
        if not isinstance(value, Pose):
            array = np.asarray(value)
            if self._first == 0 and self.task_size == 3 and array.shape == (3,):
                return Pose.from_translation(value)
            if self._first == 3 and array.shape == (3, 3):
                return Pose.from_rotation([0.0, 0.0, 0.0], value)
        return as_pose(value, self.id)

    @property
    def orientation_gain(self) -> float:
        """Factor γ of the rotation's error."""
        return float(self.floats[GAIN])

    @orientation_gain.setter
    def orientation_gain(self, value: float) -> None:
        if not (np.isfinite(value) and value >= 0.0):
            raise InputError(f"orientation_gain of {self.id!r} must not be negative, got {value}")
        self.floats[GAIN] = value

    def pose(self, state: RobotState) -> Pose:
        """Where the frame is.

        Args:
            state: Of the robot.

        Returns:
            T_base_frame.
        """
        return pose_between(state, self.frame, self.base)

    def reset(self, state: RobotState) -> None:
        """Make where the frame is its reference.

        Args:
            state: Of the robot.
        """
        self.reference = self.pose(state)
