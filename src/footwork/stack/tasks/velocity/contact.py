"""A frame does not move."""

import numpy as np
from numpy.typing import ArrayLike

from footwork.robot import Quantities, RobotModel
from footwork.stack._kernels.tasks_velocity import CONTACT, FRAME_FLOATS
from footwork.stack.frame_block import POSE, frame_ints, placement_floats
from footwork.stack.leaf import LeafTask
from footwork.stack.variables import Affine
from footwork.typing import as_array


class Contact(LeafTask):
    """Keep a frame from moving: K Rᵀ J v = 0, in the frame's own axes.

    Args:
        robot: The robot.
        frame: Frame in contact.
        K: Which motions are fixed and how they are mixed, shape (6, 6); the identity if not given.
        name: Name of the task.
        variable: Where the joint velocity is in a larger x.
    """

    def __init__(
        self,
        robot: RobotModel,
        frame: str,
        *,
        K: ArrayLike | None = None,
        name: str | None = None,
        variable: Affine | None = None,
    ) -> None:
        self.robot = robot
        self.frame = robot.frame(frame)
        mixed = np.eye(6) if K is None else as_array(f"K of the contact {frame!r}", K, (6, 6))
        super().__init__(
            name or f"{frame}_contact",
            rows=6,
            x_size=robot.nv if variable is None else variable.input_size,
            row_names=POSE,
            variable=variable,
            model=robot,
            needs=Quantities.KINEMATICS,
        )
        ints = frame_ints(robot, self.frame, None, axes="local", mode="pose")
        ints[8] = 0 if K is None else 1
        floats = np.zeros(FRAME_FLOATS + 36)
        floats[:12] = placement_floats(self.frame)
        floats[FRAME_FLOATS:] = mixed.ravel()
        self.bind(CONTACT.address, ints=ints, floats=floats, keep=[robot])
