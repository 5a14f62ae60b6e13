"""The centre of mass goes where it shall."""

from typing import Any

from footwork.robot import Quantities, RobotModel, RobotState
from footwork.stack._kernels.tasks_velocity import COM
from footwork.stack.frame_block import address
from footwork.stack.leaf import LeafTask
from footwork.stack.tasks.reference import as_vector, fits, split_reference
from footwork.stack.variables import Affine
from footwork.typing import Vector, as_array


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
        if fits(value, 3):  # the usual case, and every tick counts
            f = self.floats
            f[:3] = value
            f[3:6] = 0.0
            f[6] = 1.0
            return
        position, velocity = split_reference(value, self.id, ("position", "velocity"))
        p = as_array(f"position of {self.id!r}", position, (3,))
        v = as_vector(velocity, f"velocity of {self.id!r}", 3)
        f = self.floats
        f[:3] = p
        f[3:6] = 0.0 if v is None else v
        f[6] = 1.0

    def reset(self, state: RobotState) -> None:
        """Make where the centre of mass is its reference.

        Args:
            state: Of the robot.
        """
        self.reference = state.p_world_com
