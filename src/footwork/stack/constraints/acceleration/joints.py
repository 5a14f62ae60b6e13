"""Joints stay within their limits, by accelerations."""

from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.robot import RobotModel
from footwork.stack._kernels.constraints_joints import ACCELERATION_LIMITS
from footwork.stack.constraints.joints import JointBox, SymmetricBox
from footwork.stack.constraints.limits import as_joint_limits, as_limits
from footwork.stack.variables import Affine


class JointLimits(JointBox):
    """Position, speed and acceleration limits of joints, viable: who obeys it now can for ever.

    A joint that may change its speed by A dt a step must be slow enough near its limit to stop
    before it. With "exact" steps (q' = q + v dt + a dt²/2) that is

        v' ≤ −A dt/2 + √((A dt/2)² + 2 A (q_max − q − v dt/2)),   v' = v + a dt

    and with "semi-implicit" ones (q' = q + v' dt, as simulators step) v' ≤ √(2 A (q_max − q)) − A
    dt/2. From a state that is not viable, the joint brakes as hard as A allows; what comes after
    it in time is then beyond any constraint. The floating base and continuous joints have no
    position limits.

    Args:
        robot: The robot.
        dt: Time step [s].
        acceleration_limits: A, shape (nv,) or a number; what the torques can give for sure.
        lower: Lower position limits, shape (nv,); the robot's if not given.
        upper: Upper position limits, shape (nv,); the robot's if not given.
        velocity_limits: Shape (nv,) or a number; the robot's if not given.
        steps: "exact" or "semi-implicit".
        name: Name of the constraint.
        variable: Where the accelerations are in a larger x.

    Raises:
        InputError: If a limit or the time step makes no sense; says which.

    Source: ours; see delprete2018joint
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
        steps: Literal["exact", "semi-implicit"] = "exact",
        name: str = "joint_limits",
        variable: Affine | None = None,
    ) -> None:
        if steps not in {"exact", "semi-implicit"}:
            raise InputError(f"steps must be 'exact' or 'semi-implicit', got {steps!r}")
        most = as_joint_limits(acceleration_limits, f"acceleration limits of {name!r}", robot)
        super().__init__(
            robot,
            name,
            ACCELERATION_LIMITS,
            dt=dt,
            factor=1.0 if steps == "exact" else -1.0,
            lower=lower,
            upper=upper,
            speed=robot.velocity_limits if velocity_limits is None else velocity_limits,
            acceleration=most,
            variable=variable,
        )


class VelocityLimits(JointBox):
    """Speed limits by accelerations: (−v_max − v)/dt ≤ a ≤ (v_max − v)/dt.

    Args:
        robot: The robot.
        dt: Time step [s].
        limits: v_max, shape (nv,) or a number; the robot's if not given.
        acceleration_limits: Largest accelerations, also of a joint that is too fast; none if not
            given.
        name: Name of the constraint.
        variable: Where the accelerations are in a larger x.
    """

    def __init__(
        self,
        robot: RobotModel,
        *,
        dt: float,
        limits: ArrayLike | None = None,
        acceleration_limits: ArrayLike | None = None,
        name: str = "velocity_limits",
        variable: Affine | None = None,
    ) -> None:
        super().__init__(
            robot,
            name,
            ACCELERATION_LIMITS,
            dt=dt,
            factor=1.0,
            lower=np.full(robot.nv, -np.inf),
            upper=np.full(robot.nv, np.inf),
            speed=robot.velocity_limits if limits is None else limits,
            acceleration=acceleration_limits,
            variable=variable,
        )


class AccelerationLimits(SymmetricBox):
    """Bounds of accelerations: −A ≤ a ≤ A.

    Args:
        robot: The robot.
        limits: A, shape (nv,) or a number.
        name: Name of the constraint.
        variable: Where the accelerations are in a larger x.
    """

    def __init__(
        self,
        robot: RobotModel,
        limits: ArrayLike,
        *,
        name: str = "acceleration_limits",
        variable: Affine | None = None,
    ) -> None:
        most = as_limits(limits, f"limits of {name!r}", robot.nv)
        super().__init__(robot, name, most, variable=variable)
