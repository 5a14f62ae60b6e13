"""A wheel rolls and does not slip."""

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.robot import Quantities, RobotModel
from footwork.stack._kernels.tasks_pointing import ROLLING
from footwork.stack._kernels.tasks_velocity import FRAME_FLOATS, HAS_REF
from footwork.stack.frame_block import frame_ints, placement_floats
from footwork.stack.leaf import LeafTask
from footwork.stack.variables import Affine
from footwork.typing import as_array


class PureRolling(LeafTask):
    """Roll without slipping: the lowest point of the wheel is at rest and the wheel does not lean.

    Rows: velocity of the contact point p − r n forward, left and along the normal, then the wheel's
    angular velocity about the forward direction; all zero. ``task["x", "y", "z"]`` is the position
    part alone, ``task["rx"]`` the orientation part.

    Args:
        robot: The robot.
        wheel: Frame at the wheel's centre.
        radius: r [m].
        axle: Axis of the wheel in its frame; y if not given.
        normal: Outward normal n of the ground in the world; z if not given.
        name: Name of the task.
        variable: Where the joint velocity is in a larger x.

    Raises:
        InputError: If the radius is not positive, or a direction is zero.
    """

    def __init__(
        self,
        robot: RobotModel,
        wheel: str,
        *,
        radius: float,
        axle: ArrayLike = (0.0, 1.0, 0.0),
        normal: ArrayLike = (0.0, 0.0, 1.0),
        name: str | None = None,
        variable: Affine | None = None,
    ) -> None:
        if not (np.isfinite(radius) and radius > 0.0):
            raise InputError(f"radius of {wheel!r} must be positive, got {radius}")
        self.robot = robot
        self.frame = robot.frame(wheel)
        super().__init__(
            name or f"{wheel}_rolling",
            rows=4,
            x_size=robot.nv if variable is None else variable.input_size,
            row_names=("x", "y", "z", "rx"),
            variable=variable,
            model=robot,
            needs=Quantities.KINEMATICS,
        )
        floats = np.zeros(FRAME_FLOATS + 7)
        floats[:12] = placement_floats(self.frame)
        floats[HAS_REF] = 1.0
        floats[FRAME_FLOATS : FRAME_FLOATS + 3] = _unit("axle", axle)
        floats[FRAME_FLOATS + 3 : FRAME_FLOATS + 6] = _unit("normal", normal)
        floats[FRAME_FLOATS + 6] = radius
        ints = frame_ints(robot, self.frame, None, axes="world", mode="pose")
        self.bind(ROLLING.address, ints=ints, floats=floats, keep=[robot])

    def set_normal(self, normal: ArrayLike) -> None:
        """Change the outward normal of the ground.

        Args:
            normal: In the world; any length but zero.
        """
        self.floats[FRAME_FLOATS + 3 : FRAME_FLOATS + 6] = _unit("normal", normal)


def _unit(name: str, value: ArrayLike) -> "np.typing.NDArray[np.float64]":
    vector = as_array(name, value, (3,))
    length = float(np.linalg.norm(vector))
    if length == 0.0:
        raise InputError(f"{name} must not be zero")
    return vector / length
