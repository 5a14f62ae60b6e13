"""The equation of motion as a constraint: feasibility of the base, limits of the torques."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError, ShapeError
from footwork.robot import Quantities, RobotModel
from footwork.stack._kernels.constraints_dynamics import FEASIBILITY, TORQUE_LIMITS
from footwork.stack.constraints.limits import as_limits
from footwork.stack.contact_forces import ContactForces, motion_parameters
from footwork.stack.leaf import LeafConstraint
from footwork.stack.variables import Affine
from footwork.typing import Vector


class DynamicFeasibility(LeafConstraint):
    """The equation of motion of the floating base: M_b a − Σ J_bᵀ f = −h_b, six equalities.

    Its variable is (accelerations, forces of the first contact, of the second, …).

    Args:
        robot: A robot with a floating base.
        contacts: Forces that act on it.
        name: Name of the constraint.
        variable: Where accelerations and forces are in a larger x; x itself if not given.

    Raises:
        InputError: If the robot has no floating base.
        ShapeError: If the variable has another size.
    """

    def __init__(
        self,
        robot: RobotModel,
        contacts: Sequence[ContactForces] = (),
        *,
        name: str = "dynamic_feasibility",
        variable: Affine | None = None,
    ) -> None:
        if not robot.has_floating_base:
            raise InputError(
                f"robot {robot.name!r} has no floating base, its motion is always feasible"
            )
        self.robot = robot
        super().__init__(
            name,
            rows=6,
            x_size=motion_size(robot, contacts, name, variable),
            is_equality=True,
            row_names=("x", "y", "z", "rx", "ry", "rz"),
            variable=variable,
            model=robot,
            needs=Quantities.DYNAMICS,
        )
        ints, floats = motion_parameters(robot, contacts, first=0, rows=6, own_floats=0)
        self.bind(FEASIBILITY.address, ints=ints, floats=floats, keep=[robot])


class TorqueLimits(LeafConstraint):
    """Torques within limits: −τ_max ≤ M_a a + h_a − Σ J_aᵀ f ≤ τ_max, one row a joint.

    Its variable is (accelerations, forces of the first contact, of the second, …).

    Args:
        robot: The robot.
        contacts: Forces that act on it.
        limits: τ_max [N m], shape (nu,), or one number; those of the robot if not given.
        name: Name of the constraint.
        variable: Where accelerations and forces are in a larger x; x itself if not given.

    Raises:
        InputError: If a limit is negative.
        ShapeError: If a size differs.
    """

    def __init__(
        self,
        robot: RobotModel,
        contacts: Sequence[ContactForces] = (),
        *,
        limits: ArrayLike | None = None,
        name: str = "torque_limits",
        variable: Affine | None = None,
    ) -> None:
        self.robot = robot
        first = robot.nv - robot.nu
        super().__init__(
            name,
            rows=robot.nu,
            x_size=motion_size(robot, contacts, name, variable),
            row_names=robot.velocity_names[first:],
            variable=variable,
            model=robot,
            needs=Quantities.DYNAMICS,
        )
        ints, floats = motion_parameters(
            robot, contacts, first=first, rows=robot.nu, own_floats=robot.nu
        )
        own = np.zeros(robot.nu)
        self.bind(TORQUE_LIMITS.address, ints=ints, floats=[*own, *floats], keep=[robot])
        self.limits = robot.effort_limits if limits is None else limits

    @property
    def limits(self) -> Vector:
        """τ_max [N m], shape (nu,); may be set, also by one number."""
        return self.floats[: self.robot.nu].copy()

    @limits.setter
    def limits(self, value: ArrayLike) -> None:
        self.floats[: self.robot.nu] = as_limits(value, f"limits of {self.id!r}", self.robot.nu)


def motion_size(
    robot: RobotModel, contacts: Sequence[ContactForces], name: str, variable: Affine | None
) -> int:
    """Size of x of a constraint on the equation of motion.

    Args:
        robot: The robot.
        contacts: Forces that act on it.
        name: Of the constraint, for messages.
        variable: Where accelerations and forces are in x.

    Returns:
        Size of x.

    Raises:
        ShapeError: If the variable has another size than accelerations and forces.
    """
    size = robot.nv + sum(contact.size for contact in contacts)
    if variable is None:
        return size
    if variable.output_size != size:
        raise ShapeError(f"variable of {name!r}", (size,), (variable.output_size,))
    return variable.input_size
