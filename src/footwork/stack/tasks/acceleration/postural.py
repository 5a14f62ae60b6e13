"""The joints go to a posture, by accelerations."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.robot import Quantities, RobotModel, RobotState
from footwork.stack._kernels.tasks_acceleration import POSTURAL
from footwork.stack.frame_block import address
from footwork.stack.leaf import LeafTask
from footwork.stack.tasks.gains import as_gain
from footwork.stack.tasks.joints import joint_rows
from footwork.stack.tasks.reference import as_vector, split_reference
from footwork.stack.variables import Affine
from footwork.typing import Vector, as_array


class Postural(LeafTask):
    """Accelerate joints to a posture: a_i = a_ref,i + λ Kp_i (q_ref ⊖ q)_i + √λ Kd_i (v_ref − v)_i.

    Rows and reference are those of `tasks.velocity.Postural`; velocity and acceleration are
    feed-forward for one tick.

    Args:
        robot: The robot.
        joints: Joints that count; every one if not given.
        base: Whether the floating base counts.
        lambda_: Gain λ [1/s²].
        name: Name of the task.
        variable: Where the accelerations are in a larger x.
    """

    def __init__(
        self,
        robot: RobotModel,
        *,
        joints: Sequence[str] | None = None,
        base: bool = False,
        lambda_: float = 10.0,
        name: str = "postural",
        variable: Affine | None = None,
    ) -> None:
        self.robot = robot
        components, places, names = joint_rows(robot, joints, base=base)
        rows = len(components)
        super().__init__(
            name,
            rows=rows,
            x_size=robot.nv if variable is None else variable.input_size,
            row_names=names,
            variable=variable,
            model=robot,
            needs=Quantities.KINEMATICS,
        )
        self.J[np.arange(rows), components] = 1.0
        places = [*([0, 1] * 6 if base else []), *places]
        triples = [
            n for r in range(rows) for n in (places[2 * r], places[2 * r + 1], int(components[r]))
        ]
        views, n = robot.views, 4 * rows
        floats = np.zeros(n + robot.nq + 37)
        floats[2 * rows : 3 * rows], floats[3 * rows : n] = 1.0, 2.0
        self.bind(
            POSTURAL.address,
            ints=[
                address(views.q),
                address(views.qd),
                robot.nq,
                robot.nv,
                rows,
                int(base),
                *triples,
            ],
            floats=floats,
            keep=[robot],
        )
        self.lambda_ = lambda_

    @property
    def reference(self) -> tuple[Vector, Vector, Vector]:
        """Configuration, shape (nq,), then velocity and acceleration of the rows, shape (rows,).

        Set by a configuration, or by a tuple that goes on with the others.
        """
        n, f = self.task_size, self.floats
        return f[4 * n : 4 * n + self.robot.nq].copy(), f[:n].copy(), f[n : 2 * n].copy()

    @reference.setter
    def reference(self, value: Any) -> None:
        parts = ("configuration", "velocity", "acceleration")
        q, v, a = split_reference(value, self.id, parts)
        n = self.task_size
        q_ref = as_array(f"configuration of {self.id!r}", q, (self.robot.nq,))
        v_ref = as_vector(v, f"velocity of {self.id!r}", n)
        a_ref = as_vector(a, f"acceleration of {self.id!r}", n)
        self.floats[4 * n : 4 * n + self.robot.nq] = q_ref
        self.floats[:n] = 0.0 if v_ref is None else v_ref
        self.floats[n : 2 * n] = 0.0 if a_ref is None else a_ref
        self.floats[-1] = 1.0

    @property
    def kp(self) -> Vector:
        """Gain of the error, shape (rows,)."""
        n = self.task_size
        return self.floats[2 * n : 3 * n].copy()

    @kp.setter
    def kp(self, value: ArrayLike) -> None:
        n = self.task_size
        self.floats[2 * n : 3 * n] = as_gain(value, f"kp of {self.id!r}", n)

    @property
    def kd(self) -> Vector:
        """Gain of the error's rate, shape (rows,)."""
        n = self.task_size
        return self.floats[3 * n : 4 * n].copy()

    @kd.setter
    def kd(self, value: ArrayLike) -> None:
        n = self.task_size
        self.floats[3 * n : 4 * n] = as_gain(value, f"kd of {self.id!r}", n)

    def reset(self, state: RobotState) -> None:
        """Make where the robot is the reference.

        Args:
            state: Of the robot.
        """
        self.reference = state.q


class MinJointVel(Postural):
    """Bring the joints to rest within one step: a = −v / dt.

    Args:
        robot: The robot.
        dt: Time step [s].
        joints: Joints that count; every one if not given.
        name: Name of the task.
        variable: Where the accelerations are in a larger x.

    Raises:
        InputError: If the time step is not positive.
    """

    def __init__(
        self,
        robot: RobotModel,
        *,
        dt: float,
        joints: Sequence[str] | None = None,
        name: str = "min_joint_vel",
        variable: Affine | None = None,
    ) -> None:
        if not (np.isfinite(dt) and dt > 0.0):
            raise InputError(f"dt must be positive, got {dt}")
        super().__init__(robot, joints=joints, lambda_=1.0, name=name, variable=variable)
        self.kp = 0.0
        self.kd = 1.0 / dt
