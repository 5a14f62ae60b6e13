"""A frame goes where it shall, by accelerations."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.robot import Quantities, RobotModel
from footwork.spatial import Pose
from footwork.stack._kernels.tasks_acceleration import (
    ACC_FLOATS,
    CARTESIAN,
    DAMPING,
    HOLD,
    KD,
    KP,
    OPENING,
)
from footwork.stack.constraints.force.bounds import ForceBounds
from footwork.stack.frame_block import Axes, read_reference, write_pose, write_reference
from footwork.stack.tasks.frame import FrameTask
from footwork.stack.tasks.gains import as_gain
from footwork.stack.tasks.reference import as_motion, split_reference
from footwork.stack.variables import Affine
from footwork.typing import Vector


class Cartesian(FrameTask):
    """Accelerate a frame towards a pose: J a + J̇ v = a_ref + λ Kp e + √λ Kd (v_ref − J v).

    The error e is that of `tasks.velocity.Cartesian`. With a base, velocities and accelerations are
    those that an observer on the base sees. Twist and acceleration of the reference are
    feed-forward for one tick.

    `hold` makes a foot out of it that is on the ground or in the air without a change of the stack:
    at 1 the references do not count, and the frame is brought to rest with a_frame = −D v.

    Args:
        robot: The robot.
        frame: Frame that moves.
        base: Frame in which the reference is given; the world if not given.
        mode: "pose" (6 rows), "position" (3) or "orientation" (3).
        axes: "world" for the axes of the base, "local" for the frame's own.
        lambda_: Gain λ [1/s²].
        name: Name of the task; the frame's if not given.
        variable: Where the accelerations are in a larger x.
    """

    def __init__(
        self,
        robot: RobotModel,
        frame: str,
        *,
        base: str | None = None,
        mode: str = "pose",
        axes: Axes = "world",
        lambda_: float = 100.0,
        name: str | None = None,
        variable: Affine | None = None,
    ) -> None:
        floats = np.zeros(ACC_FLOATS)
        floats[KP : KP + 6] = 1.0
        floats[KD : KD + 6] = 2.0
        floats[DAMPING] = 20.0
        super().__init__(
            robot,
            frame,
            CARTESIAN,
            floats,
            base=base,
            mode=mode,
            axes=axes,
            name=name,
            variable=variable,
            needs=Quantities.DYNAMICS,
        )
        self.lambda_ = lambda_

    @property
    def reference(self) -> tuple[Pose, Vector, Vector]:
        """Pose T_base_frame, twist and its rate (linear, then angular, in the base's axes).

        Set by a pose, or by a tuple (pose, twist) or (pose, twist, acceleration).
        """
        return read_reference(self.floats)

    @reference.setter
    def reference(self, value: Any) -> None:
        if isinstance(value, Pose):  # the usual case, and every tick counts
            write_pose(self._rows.memory, value)
            return
        pose, twist, acceleration = split_reference(
            value, self.id, ("pose", "twist", "acceleration")
        )
        T = self._read_pose(pose)
        v = as_motion(twist, 6, "twist", self.id)
        a = as_motion(acceleration, 6, "acceleration", self.id)
        write_reference(self._rows.memory, T, v, a)

    @property
    def kp(self) -> Vector:
        """Gain of the error, one number a row of the pose, shape (6,)."""
        return self.floats[KP : KP + 6].copy()

    @kp.setter
    def kp(self, value: ArrayLike) -> None:
        self.floats[KP : KP + 6] = as_gain(value, f"kp of {self.id!r}", 6)

    @property
    def kd(self) -> Vector:
        """Gain of the error's rate, one number a row of the pose, shape (6,)."""
        return self.floats[KD : KD + 6].copy()

    @kd.setter
    def kd(self, value: ArrayLike) -> None:
        self.floats[KD : KD + 6] = as_gain(value, f"kd of {self.id!r}", 6)

    @property
    def hold(self) -> float:
        """How much the frame is in contact, 0 … 1; it may change every tick."""
        return float(self.floats[HOLD])

    @hold.setter
    def hold(self, value: float) -> None:
        if not 0.0 <= value <= 1.0:
            raise InputError(f"hold of {self.id!r} must be in [0, 1], got {value}")
        self.floats[HOLD] = value

    def follow(self, bounds: ForceBounds) -> None:
        """Let a contact's force bounds set `hold` from now on.

        A contact that comes holds as much as its forces may act; one that goes holds until they are
        zero.

        Args:
            bounds: Of the forces at this frame.
        """
        self._bounds = bounds  # keeps the memory alive
        self.ints[OPENING] = bounds.opening_address

    @property
    def contact_damping(self) -> float:
        """D of the frame in contact [1/s]."""
        return float(self.floats[DAMPING])

    @contact_damping.setter
    def contact_damping(self, value: float) -> None:
        self.floats[DAMPING] = as_gain(value, f"contact_damping of {self.id!r}", 1)[0]
