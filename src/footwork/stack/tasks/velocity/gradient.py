"""Joints move up or down a gradient: more manipulability, less effort."""

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.robot import Quantities, RobotModel, RobotState
from footwork.stack._kernels.gradients import manipulability_gradient
from footwork.stack.leaf import LeafTask
from footwork.stack.segment import State
from footwork.stack.settings import HessianType
from footwork.stack.variables import Affine
from footwork.typing import IntVector, Matrix, Vector, as_array


class _Gradient(LeafTask):
    """v = λ · step · gradient, on every component of v but the floating base."""

    def __init__(
        self, robot: RobotModel, name: str, step: float, needs: int, variable: Affine | None
    ) -> None:
        if not (np.isfinite(step) and step >= 0.0):
            raise InputError(f"step of {name!r} must not be negative, got {step}")
        self.robot = robot
        self.step = step
        first = robot.nv - robot.nu
        super().__init__(
            name,
            rows=robot.nu,
            x_size=robot.nv if variable is None else variable.input_size,
            row_names=robot.velocity_names[first:],
            variable=variable,
            model=robot,
            needs=needs,
            hessian_type=HessianType.SEMIDEF if first or variable else HessianType.IDENTITY,
        )
        self.J[np.arange(robot.nu), np.arange(first, robot.nv)] = 1.0


class Manipulability(_Gradient):
    """Move towards better manipulability: v = λ · step · ∇w, w = √det(J W Jᵀ).

    The gradient is exact: ∂w/∂q_k = w · tr((J W Jᵀ)⁻¹ ∂J/∂q_k W Jᵀ), with ∂J/∂q_k from the joints'
    axes. In a singular posture (w = 0) there is no gradient and the task asks for nothing.

    Args:
        robot: The robot.
        frame: Frame whose Jacobian counts.
        mode: "pose" (6 rows), "position" (3) or "orientation" (3).
        weight: W, one positive number for every component of v, or a number.
        step: Factor of the gradient.
        name: Name of the task.
        variable: Where the joint velocity is in a larger x.

    Raises:
        InputError: If the frame is moved by fewer joints than it has rows, or a weight is negative.
    """

    def __init__(
        self,
        robot: RobotModel,
        frame: str,
        *,
        mode: str = "pose",
        weight: ArrayLike = 1.0,
        step: float = 1.0,
        name: str | None = None,
        variable: Affine | None = None,
    ) -> None:
        rows = {"pose": slice(0, 6), "position": slice(0, 3), "orientation": slice(3, 6)}
        if mode not in rows:
            raise InputError(f"mode must be one of {', '.join(rows)}, got {mode!r}")
        self.frame = robot.frame(frame)
        self._rows_of_J = rows[mode]
        given = np.asarray(weight, dtype=np.float64)
        full = np.full(robot.nv, given) if given.ndim == 0 else given
        self._weights = as_array(f"weight of the manipulability of {frame!r}", full, (robot.nv,))
        if (self._weights < 0.0).any():
            raise InputError(f"weight of the manipulability of {frame!r} must not be negative")
        name = name or f"{frame}_manipulability"
        super().__init__(robot, name, step, Quantities.KINEMATICS, variable)
        self._components = robot.velocity_of_column[self.frame.support]
        self._starts = _joint_starts(robot, self.frame.support)
        size = self._rows_of_J.stop - self._rows_of_J.start
        if self.frame.support.size < size:
            raise InputError(
                f"{frame!r} is moved by {self.frame.support.size} joints, {mode!r} has {size} rows"
            )

    def measure(self, state: RobotState) -> float:
        """Manipulability of a state.

        Args:
            state: Of the robot.

        Returns:
            w = √det(J W Jᵀ).
        """
        J = self.robot.jacobian(state, self.frame)[self._rows_of_J]
        return float(np.sqrt(max(np.linalg.det((J * self._weights) @ J.T), 0.0)))

    def compute(self, state: State | None) -> None:
        """See `LeafTask.compute`."""
        if isinstance(state, RobotState):
            first = self.robot.nv - self.robot.nu
            self.own_error[:] = self.step * self.gradient(state)[first:]

    def gradient(self, state: RobotState) -> Vector:
        """Gradient of the manipulability along every component of v.

        Args:
            state: Of the robot.

        Returns:
            Shape (nv,).
        """
        views, part = self.robot.compute(state).views, self._rows_of_J
        gradient = np.empty(self.robot.nv)
        manipulability_gradient(
            views.oMi[self.frame.joint],
            self.frame.translation,
            views.JT,
            self.frame.support,
            self._starts,
            self._components,
            self._weights,
            part.start,
            part.stop - part.start,
            gradient,
        )
        return gradient


def _joint_starts(robot: RobotModel, support: IntVector) -> IntVector:
    """Place in a support of the first column of each column's joint."""
    model = robot.pin_model
    joint_of = np.zeros(int(model.nvExtended), dtype=np.int64)
    for i in range(1, model.njoints):
        first = int(model.joints[i].idx_vExtended)
        joint_of[first : first + int(model.joints[i].nvExtended)] = i
    joints = joint_of[support]
    return np.array([int(np.argmax(joints == joint)) for joint in joints], dtype=np.int64)


class MinimumEffort(_Gradient):
    """Move towards less gravity torque: v = −λ · step · ∇(gᵀ W g), g what holds the robot.

    ∇ = 2 (∂g/∂q)ᵀ W g, exact (of a robot with mimic joints by differences).

    Args:
        robot: The robot.
        weight: W, one number for every joint; 1/τ_max² if not given, 1 where a joint has no limit.
        step: Factor of the gradient.
        name: Name of the task.
        variable: Where the joint velocity is in a larger x.
    """

    def __init__(
        self,
        robot: RobotModel,
        *,
        weight: ArrayLike | None = None,
        step: float = 1.0,
        name: str = "minimum_effort",
        variable: Affine | None = None,
    ) -> None:
        limits = np.where(np.isfinite(robot.effort_limits), robot.effort_limits, 1.0)
        given = 1.0 / limits**2 if weight is None else weight
        self._weights = as_array(f"weight of {name!r}", given, (robot.nu,))
        super().__init__(robot, name, step, Quantities.KINEMATICS, variable)

    def measure(self, state: RobotState) -> float:
        """Effort of a state.

        Args:
            state: Of the robot.

        Returns:
            gᵀ W g.
        """
        g = self._gravity(state)
        return float(g @ (self._weights * g))

    def _gravity(self, state: RobotState) -> Vector:
        import pinocchio as pin

        robot = self.robot
        g: Vector = pin.computeGeneralizedGravity(robot.pin_model, self._data(), state.q)
        return g[robot.nv - robot.nu :].copy()

    def compute(self, state: State | None) -> None:
        """See `LeafTask.compute`."""
        if not isinstance(state, RobotState):
            return
        g, D = self._gravity(state), self._gravity_derivatives(state)
        self.own_error[:] = -2.0 * self.step * (D.T @ (self._weights * g))

    def _gravity_derivatives(self, state: RobotState) -> Matrix:
        """∂g/∂q of the joints, shape (nu, nu)."""
        import pinocchio as pin

        robot, first = self.robot, self.robot.nv - self.robot.nu
        if not robot.has_mimic:
            D: Matrix = pin.computeGeneralizedGravityDerivatives(
                robot.pin_model, self._data(), state.q
            )
            return D[first:, first:]
        # Pinocchio has no derivatives with mimic joints: central differences.
        columns = []
        for k in range(robot.nu):
            step = np.zeros(robot.nv)
            step[first + k] = 1e-6
            sides = [robot.state(robot.integrate(state.q, sign * step)) for sign in (1.0, -1.0)]
            columns.append((self._gravity(sides[0]) - self._gravity(sides[1])) / 2e-6)
        return np.column_stack(columns)

    def _data(self) -> object:
        # Data of its own, so that the robot's is not disturbed.
        if self._own_data is None:
            self._own_data = self.robot.pin_model.createData()
        return self._own_data

    _own_data: object = None
