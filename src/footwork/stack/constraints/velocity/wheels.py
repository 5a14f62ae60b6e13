"""Four omnidirectional wheels drive a base."""

from collections.abc import Sequence

import numpy as np

from footwork.errors import InputError
from footwork.robot import Quantities, RobotModel, RobotState
from footwork.stack.leaf import LeafConstraint
from footwork.stack.segment import State
from footwork.stack.variables import Affine


class OmniWheels4X(LeafConstraint):
    """The base moves as four mecanum wheels turn: three equations, in the base's axes.

        v_x = r/4 (w_fl + w_fr + w_rl + w_rr)
        v_y = r/4 (−w_fl + w_fr + w_rl − w_rr)
        ω_z = r/(4 (l1 + l2)) (−w_fl + w_fr − w_rl + w_rr)

    Wheels turn forwards about the base's y axis, rollers lie at 45°, and the base's frame is in the
    middle of the wheels.

    Args:
        robot: The robot, with a floating base.
        wheels: Joints of the wheels: front left, front right, rear left, rear right.
        base: Frame in the middle of the wheels.
        l1: Half the distance of front and rear axle [m].
        l2: Half the distance of left and right wheels [m].
        wheel_radius: r [m].
        name: Name of the constraint.
        variable: Where the joint velocity is in a larger x.

    Raises:
        InputError: If there are not four wheels of one joint each, a length is not positive, or the
            base is fixed.

    Source: taheri2015mecanum
    """

    def __init__(
        self,
        robot: RobotModel,
        wheels: Sequence[str],
        *,
        base: str,
        l1: float,
        l2: float,
        wheel_radius: float,
        name: str = "omni_wheels",
        variable: Affine | None = None,
    ) -> None:
        sizes = np.array([l1, l2, wheel_radius])
        if not (np.isfinite(sizes).all() and (sizes > 0.0).all()):
            raise InputError(
                f"l1, l2 and wheel_radius of {name!r} must be positive, got {l1}, {l2} and "
                f"{wheel_radius}"
            )
        if not robot.has_floating_base:
            raise InputError(f"{name!r} moves the base, and that of {robot.name!r} is fixed")
        columns = [robot.joint_slices(wheel) for wheel in wheels]
        if len(set(wheels)) != 4 or len(wheels) != 4 or any(nv != 1 for *_, nv in columns):
            raise InputError(f"{name!r} takes four different wheels, got {', '.join(wheels)}")
        self.robot = robot
        self.frame = robot.frame(base)
        super().__init__(
            name,
            rows=3,
            x_size=robot.nv if variable is None else variable.input_size,
            is_equality=True,
            row_names=("x", "y", "rz"),
            variable=variable,
            model=robot,
            needs=Quantities.KINEMATICS,
        )
        self.own_lower[:] = self.own_upper[:] = 0.0
        arm = 1.0 / (l1 + l2)
        signs = np.array([[1, 1, 1, 1], [-1, 1, 1, -1], [-arm, arm, -arm, arm]])
        self._wheels = np.zeros((3, robot.nv))
        self._wheels[:, [first for _, first, *_ in columns]] = 0.25 * wheel_radius * signs

    def compute(self, state: State | None) -> None:
        """See `LeafTask.compute`."""
        if not isinstance(state, RobotState):
            return
        J = self.robot.jacobian(state, self.frame)
        R, _ = state.placement(self.frame)
        self.J[:2] = self._wheels[:2] - R.T[:2] @ J[:3]
        self.J[2] = self._wheels[2] - R.T[2] @ J[3:]
