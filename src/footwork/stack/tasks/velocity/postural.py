"""The joints go to a posture."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from footwork.robot import Quantities, RobotModel, RobotState
from footwork.stack._kernels.tasks_velocity import POSTURAL
from footwork.stack.frame_block import address
from footwork.stack.leaf import LeafTask
from footwork.stack.settings import HessianType
from footwork.stack.tasks.joints import joint_rows
from footwork.stack.tasks.reference import as_vector, split_reference
from footwork.stack.variables import Affine
from footwork.typing import Vector, as_array


class Postural(LeafTask):
    """Move joints to a configuration: v_i = v_ref,i + λ (q_ref ⊖ q)_i.

    Joints that turn without end go the short way round. With ``base`` the floating base is moved to
    the reference's as well (its error is the logarithm of SE(3), in its own axes); without, the
    rows are the joints only.

    The reference is where the robot is at the first update, until it is set; its velocity is a
    feed-forward for one tick.

    Args:
        robot: The robot.
        joints: Joints that count; every one if not given.
        base: Whether the floating base counts.
        name: Name of the task.
        variable: Where the joint velocity is in a larger x.
    """

    def __init__(
        self,
        robot: RobotModel,
        *,
        joints: Sequence[str] | None = None,
        base: bool = False,
        name: str = "postural",
        variable: Affine | None = None,
    ) -> None:
        self.robot = robot
        components, places, names = joint_rows(robot, joints, base=base)
        rows = len(components)
        whole = rows == robot.nv and variable is None
        super().__init__(
            name,
            rows=rows,
            x_size=robot.nv if variable is None else variable.input_size,
            row_names=names,
            variable=variable,
            model=robot,
            needs=Quantities.KINEMATICS,
            hessian_type=HessianType.IDENTITY if whole else HessianType.SEMIDEF,
        )
        self.J[np.arange(rows), components] = 1.0
        self.bind(
            POSTURAL.address,
            ints=[
                address(robot.views.q),
                robot.nq,
                rows,
                int(base),
                *([0] * 12 if base else []),
                *places,
            ],
            floats=np.zeros(rows + robot.nq + 37),
            keep=[robot],
        )

    @property
    def reference(self) -> tuple[Vector, Vector]:
        """Configuration, shape (nq,), and velocity of the rows [rad/s], shape (rows,).

        Set by a configuration, or by a tuple of both.
        """
        n = self.task_size
        return self.floats[n : n + self.robot.nq].copy(), self.floats[:n].copy()

    @reference.setter
    def reference(self, value: Any) -> None:
        q, v = split_reference(value, self.id, ("configuration", "velocity"))
        n = self.task_size
        q_ref = as_array(f"configuration of {self.id!r}", q, (self.robot.nq,))
        v_ref = as_vector(v, f"velocity of {self.id!r}", n)
        self.floats[n : n + self.robot.nq] = q_ref
        self.floats[:n] = 0.0 if v_ref is None else v_ref
        self.floats[-1] = 1.0

    def reset(self, state: RobotState) -> None:
        """Make where the robot is the reference.

        Args:
            state: Of the robot.
        """
        self.reference = state.q
