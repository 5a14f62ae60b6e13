"""The robot's momentum is what it shall be."""

from typing import Any

from footwork.robot import Quantities, RobotModel
from footwork.stack._kernels.tasks_velocity import MOMENTUM
from footwork.stack.frame_block import address
from footwork.stack.leaf import LeafTask
from footwork.stack.variables import Affine
from footwork.typing import Vector, as_array


class _Momentum(LeafTask):
    """Three rows of the centroidal momentum matrix."""

    def __init__(
        self,
        robot: RobotModel,
        first: int,
        name: str,
        row_names: tuple[str, ...],
        variable: Affine | None,
    ) -> None:
        self.robot = robot
        super().__init__(
            name,
            rows=3,
            x_size=robot.nv if variable is None else variable.input_size,
            row_names=row_names,
            variable=variable,
            model=robot,
            needs=Quantities.KINEMATICS | Quantities.MOMENTUM,
        )
        self.bind(
            MOMENTUM.address,
            ints=[address(robot.views.AgT), robot.nv, first],
            floats=[0.0] * 3,
            keep=[robot],
        )

    @property
    def reference(self) -> Vector:
        """Wanted momentum, for one tick, shape (3,); zero afterwards."""
        return self.floats.copy()

    @reference.setter
    def reference(self, value: Any) -> None:
        self.floats[:] = as_array(f"reference of {self.id!r}", value, (3,))


class AngularMomentum(_Momentum):
    """Set the angular momentum about the centre of mass: A_g,ang v = L_ref [kg m²/s], in the world.

    Args:
        robot: The robot.
        name: Name of the task.
        variable: Where the joint velocity is in a larger x.
    """

    def __init__(
        self, robot: RobotModel, *, name: str = "angular_momentum", variable: Affine | None = None
    ) -> None:
        super().__init__(robot, 3, name, ("rx", "ry", "rz"), variable)


class LinearMomentum(_Momentum):
    """Set the linear momentum: A_g,lin v = P_ref [kg m/s], in the world.

    Args:
        robot: The robot.
        name: Name of the task.
        variable: Where the joint velocity is in a larger x.
    """

    def __init__(
        self, robot: RobotModel, *, name: str = "linear_momentum", variable: Affine | None = None
    ) -> None:
        super().__init__(robot, 0, name, ("x", "y", "z"), variable)
