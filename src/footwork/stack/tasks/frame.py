"""What tasks that move a frame have in common, whatever x is."""

from typing import Any

import numpy as np

from footwork.errors import InputError
from footwork.robot import RobotModel, RobotState
from footwork.spatial import Pose
from footwork.stack._kernels.tasks_velocity import GAIN, REF
from footwork.stack.frame_block import (
    MODES,
    POSE,
    Axes,
    frame_ints,
    placement_floats,
    pose_between,
)
from footwork.stack.leaf import LeafTask
from footwork.stack.tasks.reference import as_pose
from footwork.stack.variables import Affine
from footwork.typing import Vector


class FrameTask(LeafTask):
    """Rows of a frame's pose, position or orientation in the world or in another frame.

    A subclass has a settable ``reference``, to which a `Pose` can be given.
    """

    reference: Any

    def __init__(
        self,
        robot: RobotModel,
        frame: str,
        evaluator: Any,
        floats: Vector,
        *,
        base: str | None,
        mode: str,
        axes: Axes,
        name: str | None,
        variable: Affine | None,
        needs: int,
    ) -> None:
        """Make the task.

        Args:
            robot: The robot.
            frame: Frame that moves.
            evaluator: Fills the rows.
            floats: Its parameters; the frames, the reference and the orientation gain are written.
            base: Frame in which the reference is given; the world if not given.
            mode: "pose" (6 rows), "position" (3) or "orientation" (3).
            axes: "world" for the axes of the base, "local" for the frame's own.
            name: Name of the task; the frame's if not given.
            variable: Where the frame's motion is in a larger x.
            needs: Sum of `Quantities`.

        Raises:
            UnknownFrameError: If the robot has no such frame.
            InputError: If frame and base are the same.
        """
        self.robot = robot
        self.frame = robot.frame(frame)
        self.base = None if base in {None, "world"} else robot.frame(str(base))
        if self.base is not None and self.base.joint == self.frame.joint:
            raise InputError(f"{frame!r} and its base {base!r} are fixed to one another")
        ints = frame_ints(robot, self.frame, self.base, axes=axes, mode=mode)
        self._first, rows = MODES[mode]
        super().__init__(
            name or frame,
            rows=rows,
            x_size=robot.nv if variable is None else variable.input_size,
            row_names=POSE[self._first : self._first + rows],
            variable=variable,
            model=robot,
            needs=needs,
        )
        floats[:12] = placement_floats(self.frame)
        floats[12:24] = placement_floats(self.base)
        floats[REF : REF + 12] = placement_floats(None)
        floats[GAIN] = 1.0
        self.bind(evaluator.address, ints=ints, floats=floats, keep=[robot])

    def _read_pose(self, value: Any) -> Pose:
        if not isinstance(value, Pose):
            array = np.asarray(value)
            if self._first == 0 and self.task_size == 3 and array.shape == (3,):
                return Pose.from_translation(value)
            if self._first == 3 and array.shape == (3, 3):
                return Pose.from_rotation([0.0, 0.0, 0.0], value)
        return as_pose(value, self.id)

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
