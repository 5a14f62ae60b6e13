"""A wrench is what it shall be: near a reference, or what a spring and damper ask for."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import ShapeError
from footwork.robot import Quantities, RobotModel, RobotState
from footwork.spatial import Pose
from footwork.stack.frame_block import POSE
from footwork.stack.generic import MinimizeVariable
from footwork.stack.leaf import LeafTask
from footwork.stack.segment import State
from footwork.stack.tasks.gains import as_gain
from footwork.stack.tasks.reference import as_pose, as_vector, split_reference
from footwork.stack.variables import Affine
from footwork.typing import Vector


class Wrench(MinimizeVariable):
    """Keep a wrench, or any forces, near a reference: f = f_ref. It regularises force problems.

    Args:
        name: Name of the task.
        variable: The forces in x.
        reference: f_ref [N, N m], shape (own size,); zero if not given.
    """

    def __init__(self, name: str, variable: Affine, reference: ArrayLike | None = None) -> None:
        super().__init__(name, variable, reference)


class Cartesian(LeafTask):
    """Make a wrench that pulls a frame to a pose: f = f_ref + λ Kp e + √λ Kd (v_ref − v).

    In the world's axes, at the frame's origin; e is the error of `tasks.velocity.Cartesian`.

    Args:
        robot: The robot.
        frame: Frame at which the wrench acts.
        variable: The wrench in x, six numbers in the world's axes.
        stiffness: Kp [N/m, N m/rad]: a number, or one for every row.
        damping: Kd [N s/m, N m s/rad].
        name: Name of the task.

    Raises:
        ShapeError: If the variable has not six entries.
    """

    def __init__(
        self,
        robot: RobotModel,
        frame: str,
        variable: Affine,
        *,
        stiffness: ArrayLike,
        damping: ArrayLike,
        name: str | None = None,
    ) -> None:
        if variable.output_size != 6:
            raise ShapeError(f"wrench of {frame!r}", (6,), (variable.output_size,))
        self.robot = robot
        self.frame = robot.frame(frame)
        super().__init__(
            name or f"{frame}_wrench",
            rows=6,
            x_size=variable.input_size,
            row_names=POSE,
            variable=variable,
            model=robot,
            needs=Quantities.KINEMATICS,
        )
        self.J[:] = np.eye(6)
        self.stiffness = as_gain(stiffness, f"stiffness of {self.id!r}", 6)
        self.damping = as_gain(damping, f"damping of {self.id!r}", 6)
        self._pose: Pose | None = None
        self._twist, self._force = np.zeros(6), np.zeros(6)

    @property
    def reference(self) -> tuple[Pose | None, Vector, Vector]:
        """Pose, twist and wrench; twist and wrench count for one tick.

        Set by a pose, or by a tuple (pose, twist) or (pose, twist, wrench).
        """
        return self._pose, self._twist.copy(), self._force.copy()

    @reference.setter
    def reference(self, value: Any) -> None:
        pose, twist, force = split_reference(value, self.id, ("pose", "twist", "wrench"))
        T = as_pose(pose, self.id)
        v = as_vector(twist, f"twist of {self.id!r}", 6)
        f = as_vector(force, f"wrench of {self.id!r}", 6)
        self._pose = T
        self._twist = np.zeros(6) if v is None else v
        self._force = np.zeros(6) if f is None else f

    def compute(self, state: State | None) -> None:
        """See `LeafTask.compute`."""
        if not isinstance(state, RobotState):
            return
        T = state.T_world_frame(self.frame)
        if self._pose is None:
            self._pose = T
        turn = (
            Pose(quaternion_xyzw=self._pose.quaternion_xyzw)
            @ Pose(quaternion_xyzw=T.quaternion_xyzw).inverse()
        )
        error = np.concatenate([self._pose.translation - T.translation, turn.log()[3:]])
        twist = state.twist_world_frame(self.frame)
        self.own_feedforward[:] = self._force
        self.own_error[:] = self.stiffness * error
        self.own_error_rate[:] = self.damping * (self._twist - twist)
        self._twist[:] = 0.0
        self._force[:] = 0.0
