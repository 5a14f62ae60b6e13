"""The centre of mass goes where it shall."""

from struct import Struct
from typing import Any, Final

from footwork.robot import Quantities, RobotModel, RobotState
from footwork.stack._kernels.tasks_velocity import COM
from footwork.stack.frame_block import address
from footwork.stack.leaf import LeafTask
from footwork.stack.tasks.reference import as_motion, as_point, split_reference
from footwork.stack.variables import Affine
from footwork.typing import Vector

_REFERENCE: Final = Struct("7d").pack_into
"""Writes c_ref, v_ref, and that c_ref is set."""

_AT_REST: Final = [0.0] * 3


class CoM(LeafTask):
    """Move the centre of mass: J_com v = v_ref + λ (c_ref − c), in the world.

    The reference is where it is at the first update, until it is set; its velocity is a
    feed-forward for one tick.

    Args:
        robot: The robot.
        name: Name of the task.
        variable: Where the joint velocity is in a larger x.
    """

    def __init__(
        self, robot: RobotModel, *, name: str = "com", variable: Affine | None = None
    ) -> None:
        self.robot = robot
        super().__init__(
            name,
            rows=3,
            x_size=robot.nv if variable is None else variable.input_size,
            row_names=("x", "y", "z"),
            variable=variable,
            model=robot,
            needs=Quantities.KINEMATICS,
        )
        views = robot.views
        self.bind(
            COM.address,
            ints=[address(views.JcomT), address(views.com), robot.nv],
            floats=[0.0] * 7,
            keep=[robot],
        )

    @property
    def reference(self) -> tuple[Vector, Vector]:
        """Position [m] and velocity [m/s] in the world; set by a position or a tuple of both."""
        return self.floats[:3].copy(), self.floats[3:6].copy()

    @reference.setter
    def reference(self, value: Any) -> None:
        v = _AT_REST
        if type(value) is tuple:
            value, velocity = split_reference(value, self.id, ("position", "velocity"))
            v = as_motion(velocity, 3, "velocity", self.id)
        x, y, z = as_point(value, "position", self.id)
        _REFERENCE(self._rows.memory, 0, x, y, z, v[0], v[1], v[2], 1.0)

    def reset(self, state: RobotState) -> None:
        """Make where the centre of mass is its reference.

        Args:
            state: Of the robot.
        """
        self.reference = state.p_world_com
