"""A frame looks at something."""

from typing import Any

import numpy as np

from footwork.errors import InputError
from footwork.robot import Quantities, RobotModel
from footwork.stack._kernels.tasks_pointing import GAZE
from footwork.stack._kernels.tasks_velocity import FRAME_FLOATS, GAIN, HAS_REF, REF
from footwork.stack.frame_block import frame_ints, placement_floats
from footwork.stack.leaf import LeafTask
from footwork.stack.variables import Affine
from footwork.typing import Vector, as_array


class Gaze(LeafTask):
    """Turn a frame's x axis towards an object: (ω + d × v / r)_yz = λ e, in the frame's own axes.

    d and r are direction and distance of the object in the frame, e = θ (x × d)/|x × d| the
    rotation that is missing; the frame may turn about its x axis as it likes. The rows are the
    whole rate of the line of sight, that of the frame's own motion past the object too.

    An object nearer than ``smallest_distance`` asks for nothing.

    Args:
        robot: The robot.
        frame: Frame that looks along its x axis.
        base: Frame in which the object is given; the world if not given.
        smallest_distance: [m].
        name: Name of the task.
        variable: Where the joint velocity is in a larger x.

    Raises:
        InputError: If frame and base are the same, or the distance is not positive.
    """

    def __init__(
        self,
        robot: RobotModel,
        frame: str,
        *,
        base: str | None = None,
        smallest_distance: float = 0.2,
        name: str = "gaze",
        variable: Affine | None = None,
    ) -> None:
        if not (np.isfinite(smallest_distance) and smallest_distance > 0.0):
            raise InputError(
                f"smallest_distance of {name!r} must be positive, got {smallest_distance}"
            )
        self.robot = robot
        self.frame = robot.frame(frame)
        self.base = None if base in {None, "world"} else robot.frame(str(base))
        if self.base is not None and self.base.joint == self.frame.joint:
            raise InputError(f"{frame!r} and its base {base!r} are fixed to one another")
        super().__init__(
            name,
            rows=2,
            x_size=robot.nv if variable is None else variable.input_size,
            row_names=("ry", "rz"),
            variable=variable,
            model=robot,
            needs=Quantities.KINEMATICS,
        )
        floats = np.zeros(FRAME_FLOATS + 1)
        floats[:12] = placement_floats(self.frame)
        floats[12:24] = placement_floats(self.base)
        floats[REF : REF + 12] = placement_floats(None)
        floats[GAIN] = floats[HAS_REF] = 1.0
        floats[FRAME_FLOATS] = smallest_distance
        ints = frame_ints(robot, self.frame, self.base, axes="local", mode="pose")
        self.bind(GAZE.address, ints=ints, floats=floats, keep=[robot])

    @property
    def reference(self) -> Vector:
        """Position of the object in the base [m], shape (3,)."""
        return self.floats[REF + 9 : REF + 12].copy()

    @reference.setter
    def reference(self, value: Any) -> None:
        self.floats[REF + 9 : REF + 12] = as_array(f"reference of {self.id!r}", value, (3,))
