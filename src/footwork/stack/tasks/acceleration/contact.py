"""A frame does not move, by accelerations."""

import numpy as np
from numpy.typing import ArrayLike

from footwork.robot import Quantities, RobotModel
from footwork.stack._kernels.tasks_acceleration import ACC_FLOATS, CONTACT, DAMPING
from footwork.stack._kernels.tasks_velocity import HAS_REF
from footwork.stack.frame_block import MODES, POSE, Axes, frame_ints, placement_floats
from footwork.stack.leaf import LeafTask
from footwork.stack.tasks.gains import as_gain
from footwork.stack.variables import Affine
from footwork.typing import as_array


class Contact(LeafTask):
    """Keep a frame from moving: K Rᵀ (J a + J̇ v) = −√λ D K Rᵀ J v, in the frame's own axes.

    With the damping D what has begun to slip is brought to rest.

    Args:
        robot: The robot.
        frame: Frame in contact.
        mode: "pose" (6 rows, a flat foot) or "position" (3 rows, a point foot).
        axes: "local" for the frame's own axes, "world" for those of the world.
        damping: D [1/s].
        K: Which motions are fixed and how they are mixed, shape (6, 6); the identity if not given.
        name: Name of the task.
        variable: Where the accelerations are in a larger x.
    """

    def __init__(
        self,
        robot: RobotModel,
        frame: str,
        *,
        mode: str = "pose",
        axes: Axes = "local",
        damping: float = 0.0,
        K: ArrayLike | None = None,
        name: str | None = None,
        variable: Affine | None = None,
    ) -> None:
        self.robot = robot
        self.frame = robot.frame(frame)
        mixed = np.eye(6) if K is None else as_array(f"K of the contact {frame!r}", K, (6, 6))
        ints = frame_ints(robot, self.frame, None, axes=axes, mode=mode)
        ints[8] = 0 if K is None else 1
        first, rows = MODES[mode]
        super().__init__(
            name or f"{frame}_contact",
            rows=rows,
            x_size=robot.nv if variable is None else variable.input_size,
            row_names=POSE[first : first + rows],
            variable=variable,
            model=robot,
            needs=Quantities.DYNAMICS,
        )
        floats = np.zeros(ACC_FLOATS + 36)
        floats[:12] = placement_floats(self.frame)
        floats[HAS_REF] = 1.0
        floats[DAMPING] = as_gain(damping, f"damping of the contact {frame!r}", 1)[0]
        floats[ACC_FLOATS:] = mixed.ravel()
        self.bind(CONTACT.address, ints=ints, floats=floats, keep=[robot])
