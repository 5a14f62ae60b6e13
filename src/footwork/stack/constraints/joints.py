"""What constraints on all joints have in common."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.robot import Quantities, RobotModel
from footwork.stack.constraints.limits import as_limits
from footwork.stack.frame_block import address
from footwork.stack.leaf import LeafConstraint
from footwork.stack.variables import Affine
from footwork.typing import Vector, as_array


class JointBox(LeafConstraint):
    """Bounds of every component of v, from position, speed and acceleration limits.

    Parameters may change between ticks; an array that is set is checked and copied.
    """

    def __init__(
        self,
        robot: RobotModel,
        name: str,
        evaluator: Any,
        *,
        dt: float,
        factor: float,
        lower: ArrayLike | None,
        upper: ArrayLike | None,
        speed: ArrayLike | None,
        acceleration: ArrayLike | None,
        variable: Affine | None,
    ) -> None:
        """Make the box.

        Args:
            robot: The robot.
            name: Name of the constraint.
            evaluator: Fills it.
            dt: Time step [s].
            factor: Gain, or a choice that the evaluator makes by its sign.
            lower: Lower position limits, shape (nv,); the robot's if not given.
            upper: Upper position limits, shape (nv,); the robot's if not given.
            speed: Speed limits, shape (nv,) or a number; none if not given.
            acceleration: Acceleration limits, shape (nv,) or a number; none if not given.
            variable: Where v, or its rate, is in a larger x.

        Raises:
            InputError: If a limit or the time step makes no sense; says which.
        """
        if not (np.isfinite(dt) and dt > 0.0):
            raise InputError(f"dt of {name!r} must be positive [s], got {dt}")
        self.robot = robot
        nv = robot.nv
        super().__init__(
            name,
            rows=nv,
            x_size=nv if variable is None else variable.input_size,
            is_box=True,
            row_names=robot.velocity_names,
            variable=variable,
            model=robot,
            needs=Quantities.KINEMATICS,
        )
        views = robot.views
        floats = np.full(4 * nv + 2, np.inf)
        floats[4 * nv :] = dt, factor
        ints = [address(views.q), address(views.qd), robot.nq, nv, *position_indices(robot)]
        self.bind(evaluator.address, ints=ints, floats=floats, keep=[robot])
        self.set_position_limits(
            robot.position_limits[0] if lower is None else lower,
            robot.position_limits[1] if upper is None else upper,
        )
        if speed is not None:
            self.velocity_limits = speed
        if acceleration is not None:
            self.acceleration_limits = acceleration

    @property
    def position_limits(self) -> tuple[Vector, Vector]:
        """Lower and upper limits [rad, m], each of shape (nv,)."""
        nv = self.robot.nv
        return self.floats[:nv].copy(), self.floats[nv : 2 * nv].copy()

    def set_position_limits(self, lower: ArrayLike, upper: ArrayLike) -> None:
        """Change the position limits; nothing changes on an error.

        Args:
            lower: Shape (nv,) [rad, m]; −∞ is none.
            upper: Shape (nv,); +∞ is none.

        Raises:
            InputError: If a lower limit is above its upper one; names the joint.
        """
        nv = self.robot.nv
        low = as_array(f"lower of {self.id!r}", lower, (nv,), finite=False)
        high = as_array(f"upper of {self.id!r}", upper, (nv,), finite=False)
        if not (low <= high).all():
            bad = int(np.argmax(~(low <= high)))
            raise InputError(
                f"{self.id!r}: lower limit {low[bad]:g} of {self.robot.velocity_names[bad]!r} is "
                f"above its upper one, {high[bad]:g}"
            )
        self.floats[:nv], self.floats[nv : 2 * nv] = low, high

    @property
    def velocity_limits(self) -> Vector:
        """Speed limits [rad/s, m/s], shape (nv,)."""
        nv = self.robot.nv
        return self.floats[2 * nv : 3 * nv].copy()

    @velocity_limits.setter
    def velocity_limits(self, value: ArrayLike) -> None:
        nv = self.robot.nv
        self.floats[2 * nv : 3 * nv] = as_limits(value, f"velocity limits of {self.id!r}", nv)

    @property
    def acceleration_limits(self) -> Vector:
        """Acceleration limits [rad/s², m/s²], shape (nv,)."""
        nv = self.robot.nv
        return self.floats[3 * nv : 4 * nv].copy()

    @acceleration_limits.setter
    def acceleration_limits(self, value: ArrayLike) -> None:
        nv = self.robot.nv
        self.floats[3 * nv : 4 * nv] = as_limits(value, f"acceleration limits of {self.id!r}", nv)


class SymmetricBox(LeafConstraint):
    """−limits ≤ v ≤ limits, or the same of accelerations, that never change."""

    def __init__(
        self, robot: RobotModel, name: str, limits: Vector, *, variable: Affine | None
    ) -> None:
        """Make the box.

        Args:
            robot: The robot.
            name: Name of the constraint.
            limits: Shape (nv,).
            variable: Where v, or its rate, is in a larger x.
        """
        super().__init__(
            name,
            rows=robot.nv,
            x_size=robot.nv if variable is None else variable.input_size,
            is_box=True,
            row_names=robot.velocity_names,
            variable=variable,
        )
        self._needs_update = False
        self.own_lower[:], self.own_upper[:] = -limits, limits


def position_indices(robot: RobotModel) -> list[int]:
    """Find the place in q of every component of v that may have a position limit.

    Args:
        robot: The robot.

    Returns:
        As many entries as v has; −1 for a base, a continuous or a spherical joint.
    """
    places = [-1] * robot.nv
    for name in robot.joint_names:
        iq, iv, nq, nv = robot.joint_slices(name)
        if nq == nv == 1:
            places[iv] = iq
    return places
