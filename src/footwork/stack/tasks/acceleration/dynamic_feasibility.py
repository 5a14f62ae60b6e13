"""Nothing drives the floating base but forces from outside."""

from collections.abc import Sequence

from footwork.errors import InputError, ShapeError
from footwork.robot import Quantities, RobotModel
from footwork.stack._kernels.constraints_dynamics import FEASIBILITY_TASK
from footwork.stack.contact_forces import ContactForces, motion_parameters
from footwork.stack.leaf import LeafTask
from footwork.stack.variables import Affine


class DynamicFeasibility(LeafTask):
    """Obey the equation of motion of the floating base: M_b a + h_b − Σ J_bᵀ f = 0, six rows.

    Its variable is (accelerations, forces of the first contact, of the second, …).

    Args:
        robot: A robot with a floating base.
        contacts: Forces that act on it.
        name: Name of the task.
        variable: Where accelerations and forces are in a larger x; x itself if not given.

    Raises:
        InputError: If the robot has no floating base.
        ShapeError: If the variable has another size.
    """

    def __init__(
        self,
        robot: RobotModel,
        contacts: Sequence[ContactForces],
        *,
        name: str = "dynamic_feasibility",
        variable: Affine | None = None,
    ) -> None:
        if not robot.has_floating_base:
            raise InputError(
                f"robot {robot.name!r} has no floating base, its motion is always feasible"
            )
        self.robot = robot
        size = robot.nv + sum(contact.size for contact in contacts)
        if variable is not None and variable.output_size != size:
            raise ShapeError(f"variable of {name!r}", (size,), (variable.output_size,))
        super().__init__(
            name,
            rows=6,
            x_size=size if variable is None else variable.input_size,
            row_names=("x", "y", "z", "rx", "ry", "rz"),
            variable=variable,
            model=robot,
            needs=Quantities.DYNAMICS,
        )
        ints, floats = motion_parameters(robot, contacts, first=0, rows=6, own_floats=0)
        self.bind(FEASIBILITY_TASK.address, ints=ints, floats=floats, keep=[robot])
