"""Joints stay within their limits, by velocities."""

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.robot import RobotModel
from footwork.stack._kernels.constraints_joints import POSITION_VELOCITY, VIABLE_VELOCITY
from footwork.stack.constraints.joints import JointBox
from footwork.stack.constraints.limits import as_limits
from footwork.stack.leaf import LeafConstraint
from footwork.stack.variables import Affine


class JointLimits(JointBox):
    """Position limits of joints: γ (q_min − q)/dt ≤ v ≤ γ (q_max − q)/dt.

    A joint outside of its limits comes back, at its speed limit at most, so that this constraint
    and `VelocityLimits` never contradict one another.

    Args:
        robot: The robot.
        dt: Time step [s].
        gain: γ in (0, 1]: which part of the way to the limit one step may take.
        lower: Lower limits, shape (nv,); the robot's if not given.
        upper: Upper limits, shape (nv,); the robot's if not given.
        velocity_limits: Largest speeds, which hold as well; the robot's if not given.
        name: Name of the constraint.
        variable: Where the joint velocity is in a larger x.

    Raises:
        InputError: If a limit, the gain or the time step makes no sense; says which.
    """

    def __init__(
        self,
        robot: RobotModel,
        *,
        dt: float,
        gain: float = 1.0,
        lower: ArrayLike | None = None,
        upper: ArrayLike | None = None,
        velocity_limits: ArrayLike | None = None,
        name: str = "joint_limits",
        variable: Affine | None = None,
    ) -> None:
        if not 0.0 < gain <= 1.0:
            raise InputError(f"gain of {name!r} must be in (0, 1], got {gain}")
        super().__init__(
            robot,
            name,
            POSITION_VELOCITY,
            dt=dt,
            factor=gain,
            lower=lower,
            upper=upper,
            speed=robot.velocity_limits if velocity_limits is None else velocity_limits,
            acceleration=None,
            variable=variable,
        )


class JointLimitsInvariance(JointBox):
    """Position, speed and acceleration limits by velocities, viable: who obeys it now can for ever.

    A joint whose speed changes by A dt a step at most must be slow enough near its limit:
    v ≤ √(2 A (q_max − q)) − A dt/2, and |v − v_now| ≤ A dt, with v_now the state's velocity.

    Args:
        robot: The robot.
        dt: Time step [s].
        acceleration_limits: A, shape (nv,) or a number.
        lower: Lower position limits, shape (nv,); the robot's if not given.
        upper: Upper position limits, shape (nv,); the robot's if not given.
        velocity_limits: Shape (nv,) or a number; the robot's if not given.
        name: Name of the constraint.
        variable: Where the joint velocity is in a larger x.

    Raises:
        InputError: If a limit or the time step makes no sense; says which.
    """

    def __init__(
        self,
        robot: RobotModel,
        *,
        dt: float,
        acceleration_limits: ArrayLike,
        lower: ArrayLike | None = None,
        upper: ArrayLike | None = None,
        velocity_limits: ArrayLike | None = None,
        name: str = "joint_limits_invariance",
        variable: Affine | None = None,
    ) -> None:
        most = as_limits(acceleration_limits, f"acceleration limits of {name!r}", robot.nv)
        free = most.copy()
        if robot.has_floating_base and np.ndim(acceleration_limits) == 0:
            free[:6] = np.inf  # one number is meant for the joints
        super().__init__(
            robot,
            name,
            VIABLE_VELOCITY,
            dt=dt,
            factor=1.0,
            lower=lower,
            upper=upper,
            speed=robot.velocity_limits if velocity_limits is None else velocity_limits,
            acceleration=free,
            variable=variable,
        )


class VelocityLimits(LeafConstraint):
    """Speed limits of joints: −v_max ≤ v ≤ v_max.

    Args:
        robot: The robot.
        limits: v_max, shape (nv,) or a number for every joint (not for the floating base); the
            robot's if not given.
        name: Name of the constraint.
        variable: Where the joint velocity is in a larger x.
    """

    def __init__(
        self,
        robot: RobotModel,
        limits: ArrayLike | None = None,
        *,
        name: str = "velocity_limits",
        variable: Affine | None = None,
    ) -> None:
        super().__init__(
            name,
            rows=robot.nv,
            x_size=robot.nv if variable is None else variable.input_size,
            is_box=True,
            row_names=robot.velocity_names,
            variable=variable,
        )
        self._needs_update = False
        most = as_limits(
            robot.velocity_limits if limits is None else limits, f"limits of {name!r}", robot.nv
        )
        if limits is not None and np.ndim(limits) == 0 and robot.has_floating_base:
            most[:6] = np.inf
        self.own_lower[:], self.own_upper[:] = -most, most
