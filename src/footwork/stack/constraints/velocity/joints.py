"""Joints stay within their limits, by velocities."""

from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.robot import RobotModel
from footwork.stack._kernels.constraints_joints import POSITION_VELOCITY, VIABLE_VELOCITY
from footwork.stack.constraints.joints import JointBox, SymmetricBox
from footwork.stack.constraints.limits import as_joint_limits, as_limits
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
    v ≤ √(2 A d) − A dt/2 with d = q_max − q, or min(d/dt, A dt), and then it rests;
    and |v − v_now| ≤ A dt, with v_now the state's velocity.

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
        most = as_joint_limits(acceleration_limits, f"acceleration limits of {name!r}", robot)
        super().__init__(
            robot,
            name,
            VIABLE_VELOCITY,
            dt=dt,
            factor=1.0,
            lower=lower,
            upper=upper,
            speed=robot.velocity_limits if velocity_limits is None else velocity_limits,
            acceleration=most,
            variable=variable,
        )


class VelocityLimits(SymmetricBox):
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
        what = f"limits of {name!r}"
        if limits is None:
            most = as_limits(robot.velocity_limits, what, robot.nv)
        else:
            most = as_joint_limits(limits, what, robot)
        super().__init__(robot, name, most, variable=variable)
