"""The centre of mass goes where it shall, by accelerations."""

from struct import Struct
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from footwork.robot import RobotModel, RobotState
from footwork.stack._kernels.tasks_acceleration import COM
from footwork.stack.frame_block import address, base_addresses, drift_needs
from footwork.stack.leaf import LeafTask
from footwork.stack.tasks.gains import as_gain
from footwork.stack.tasks.reference import as_motion, as_point, split_reference
from footwork.stack.variables import Affine
from footwork.typing import Vector

_REFERENCE = Struct("10d")
"""c_ref, v_ref, a_ref, and that c_ref is set."""


class CoM(LeafTask):
    """Accelerate the centre of mass: J_com a + J̇_com v = a_ref + λ Kp e + √λ Kd ė, e = c_ref − c.

    In the world. The reference is where it is at the first update, until it is set; velocity and
    acceleration are feed-forward for one tick.

    Args:
        robot: The robot.
        lambda_: Gain λ [1/s²].
        name: Name of the task.
        variable: Where the accelerations are in a larger x.
    """

    def __init__(
        self,
        robot: RobotModel,
        *,
        lambda_: float = 100.0,
        name: str = "com",
        variable: Affine | None = None,
    ) -> None:
        self.robot = robot
        super().__init__(
            name,
            rows=3,
            x_size=robot.nv if variable is None else variable.input_size,
            row_names=("x", "y", "z"),
            variable=variable,
            model=robot,
            needs=drift_needs(robot),
        )
        views = robot.views
        live = [address(a) for a in (views.JcomT, views.com, views.vcom, views.acom)]
        floats = np.zeros(23)
        floats[10:13], floats[13:16], floats[16] = 1.0, 2.0, robot.mass
        ints = [*live, robot.nv, *base_addresses(robot)]
        self.bind(COM.address, ints=ints, floats=floats, keep=[robot])
        self.lambda_ = lambda_

    @property
    def reference(self) -> tuple[Vector, Vector, Vector]:
        """Position [m], velocity [m/s] and acceleration [m/s²] in the world.

        Set by a position, or by a tuple (position, velocity) or (position, velocity, acceleration).
        """
        return self.floats[:3].copy(), self.floats[3:6].copy(), self.floats[6:9].copy()

    @reference.setter
    def reference(self, value: Any) -> None:
        parts = ("position", "velocity", "acceleration")
        position, velocity, acceleration = split_reference(value, self.id, parts)
        p = as_point(position, "position", self.id)
        v = as_motion(velocity, 3, "velocity", self.id)
        a = as_motion(acceleration, 3, "acceleration", self.id)
        _REFERENCE.pack_into(self._rows.memory, 0, *p, *v, *a, 1.0)

    @property
    def kp(self) -> Vector:
        """Gain of the error, shape (3,)."""
        return self.floats[10:13].copy()

    @kp.setter
    def kp(self, value: ArrayLike) -> None:
        self.floats[10:13] = as_gain(value, f"kp of {self.id!r}", 3)

    @property
    def kd(self) -> Vector:
        """Gain of the error's rate, shape (3,)."""
        return self.floats[13:16].copy()

    @kd.setter
    def kd(self, value: ArrayLike) -> None:
        self.floats[13:16] = as_gain(value, f"kd of {self.id!r}", 3)

    def reset(self, state: RobotState) -> None:
        """Make where the centre of mass is its reference.

        Args:
            state: Of the robot.
        """
        self.reference = state.p_world_com
