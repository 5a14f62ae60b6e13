"""Forces move the whole robot as they shall."""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError, ShapeError
from footwork.robot import Quantities, RobotModel, RobotState
from footwork.stack.contact_forces import ContactForces
from footwork.stack.frame_block import POSE
from footwork.stack.leaf import LeafTask
from footwork.stack.segment import State
from footwork.stack.tasks.gains import as_gain
from footwork.stack.tasks.reference import as_vector, split_reference
from footwork.stack.variables import Affine
from footwork.typing import Matrix, Vector, as_array

GRAVITY: Final = np.array([0.0, 0.0, -9.81])
"""[m/s²]"""


class CoM(LeafTask):
    """Newton and Euler about the centre of mass: Σ f_i = m (a − g), Σ (p_i − c) × f_i + m_i = L̇.

        a = a_ref + λ Kp (c_ref − c) + √λ Kd (v_ref − ċ),   L̇ = L̇_ref + K_L (L_ref − L)

    Three rows of forces, three of moments. Its variable is the forces of all contacts in their
    order.

    Args:
        robot: The robot.
        contacts: Forces that act on it.
        lambda_: Gain λ [1/s²].
        name: Name of the task.
        variable: Where the forces are in a larger x; x itself if not given.

    Raises:
        InputError: If there are no contacts.
        ShapeError: If the variable has another size than the forces.
    """

    def __init__(
        self,
        robot: RobotModel,
        contacts: Sequence[ContactForces],
        *,
        lambda_: float = 100.0,
        name: str = "com_forces",
        variable: Affine | None = None,
    ) -> None:
        self.robot = robot
        self.contacts = tuple(contacts)
        super().__init__(
            name,
            rows=6,
            x_size=_size_of(self.contacts, name, variable),
            row_names=POSE,
            variable=variable,
            model=robot,
            needs=Quantities.DYNAMICS,
        )
        self._position: Vector | None = None
        self._velocity, self._acceleration = np.zeros(3), np.zeros(3)
        self._momentum, self._momentum_rate = np.zeros(3), np.zeros(3)
        self._gains = np.array([[1.0] * 3, [2.0] * 3, [10.0] * 3])
        self.lambda_ = lambda_

    @property
    def reference(self) -> tuple[Vector | None, Vector, Vector]:
        """Position [m], velocity, acceleration; the latter two count for one tick.

        Set by a position, or by a tuple (position, velocity) or with the acceleration.
        """
        return self._position, self._velocity.copy(), self._acceleration.copy()

    @reference.setter
    def reference(self, value: Any) -> None:
        parts = ("position", "velocity", "acceleration")
        position, velocity, acceleration = split_reference(value, self.id, parts)
        p = as_array(f"position of {self.id!r}", position, (3,))
        v = as_vector(velocity, f"velocity of {self.id!r}", 3)
        a = as_vector(acceleration, f"acceleration of {self.id!r}", 3)
        self._position = p
        self._velocity = np.zeros(3) if v is None else v
        self._acceleration = np.zeros(3) if a is None else a

    def set_momentum(self, momentum: ArrayLike, rate: ArrayLike = (0.0, 0.0, 0.0)) -> None:
        """Set the wanted angular momentum about the centre of mass.

        Args:
            momentum: L_ref [kg m²/s]; it stays.
            rate: L̇_ref [N m]; counts for one tick.
        """
        L = as_array(f"momentum of {self.id!r}", momentum, (3,))
        self._momentum_rate = as_array(f"rate of {self.id!r}", rate, (3,))
        self._momentum = L

    def set_gains(
        self, *, kp: ArrayLike = 1.0, kd: ArrayLike = 2.0, k_momentum: ArrayLike = 10.0
    ) -> None:
        """Set the gains; a number, or one for every axis.

        Args:
            kp: Kp.
            kd: Kd.
            k_momentum: K_L [1/s].
        """
        given = (("kp", kp), ("kd", kd), ("k_momentum", k_momentum))
        self._gains = np.array([as_gain(g, f"{n} of {self.id!r}", 3) for n, g in given])

    def compute(self, state: State | None) -> None:
        """See `LeafTask.compute`."""
        if not isinstance(state, RobotState):
            return
        views, mass = self.robot.views, self.robot.mass
        c = views.com.copy()
        if self._position is None:
            self._position = c
        self.J[:] = centroidal_map(state, self.contacts, c)
        momentum = (views.AgT.T @ state.v)[3:]
        kp, kd, kl = self._gains
        self.own_feedforward[:3] = mass * (self._acceleration - GRAVITY)
        self.own_feedforward[3:] = self._momentum_rate + kl * (self._momentum - momentum)
        self.own_error[:3] = mass * kp * (self._position - c)
        self.own_error_rate[:3] = mass * kd * (self._velocity - views.vcom)
        self._velocity[:] = self._acceleration[:] = self._momentum_rate[:] = 0.0


class FloatingBase(LeafTask):
    """Forces that hold the floating base: Σ J_bᵀ f = τ_b, with τ_b what the base would need.

    τ_b is M_b a + h_b at the reference acceleration a (zero if not set). Its variable is the
    forces of all contacts in their order.

    Args:
        robot: A robot with a floating base.
        contacts: Forces that act on it.
        name: Name of the task.
        variable: Where the forces are in a larger x; x itself if not given.

    Raises:
        InputError: If the robot has no floating base, or there are no contacts.
        ShapeError: If the variable has another size than the forces.
    """

    def __init__(
        self,
        robot: RobotModel,
        contacts: Sequence[ContactForces],
        *,
        name: str = "floating_base_forces",
        variable: Affine | None = None,
    ) -> None:
        if not robot.has_floating_base:
            raise InputError(f"robot {robot.name!r} has no floating base")
        self.robot = robot
        self.contacts = tuple(contacts)
        super().__init__(
            name,
            rows=6,
            x_size=_size_of(self.contacts, name, variable),
            row_names=POSE,
            variable=variable,
            model=robot,
            needs=Quantities.DYNAMICS,
        )
        self._acceleration = np.zeros(robot.nv)

    @property
    def reference(self) -> Vector:
        """Accelerations of the robot, shape (nv,); they count for one tick."""
        return self._acceleration.copy()

    @reference.setter
    def reference(self, value: ArrayLike) -> None:
        self._acceleration = as_array(f"reference of {self.id!r}", value, (self.robot.nv,))

    def compute(self, state: State | None) -> None:
        """See `LeafTask.compute`."""
        if not isinstance(state, RobotState):
            return
        column = 0
        for contact in self.contacts:
            J = _contact_jacobian(state, contact)[:, :6]
            self.J[:, column : column + contact.size] = J.T
            column += contact.size
        lower = self.robot.views.MT
        M_base = lower[:, :6].T.copy()
        M_base[:, :6] = np.tril(M_base[:, :6].T) + np.tril(M_base[:, :6].T, -1).T
        self.own_feedforward[:] = self.robot.views.nle[:6] + M_base @ self._acceleration
        self._acceleration[:] = 0.0


def centroidal_map(state: RobotState, contacts: Sequence[ContactForces], c: Vector) -> Matrix:
    """Map the forces of contacts to force and moment about a point.

    Args:
        state: Of the robot.
        contacts: Forces.
        c: The point [m].

    Returns:
        Shape (6, number of force components).
    """
    blocks = []
    for contact in contacts:
        R, p = state.placement(contact.frame)
        axes = R if contact.own_axes else contact.R_world_ground
        for point in contact.points @ R.T + p:
            r = point - c
            blocks.append(np.vstack([axes, np.cross(r, axes, axisb=0, axisc=0)]))
        if contact.kind == "wrench":
            blocks.append(np.vstack([np.zeros((3, 3)), axes]))
    return np.hstack(blocks)


def _contact_jacobian(state: RobotState, contact: ContactForces) -> Matrix:
    """Velocities that a contact's forces do work with, shape (size, nv)."""
    R, _ = state.placement(contact.frame)
    axes = R if contact.own_axes else contact.R_world_ground
    J = state.robot.jacobian(state, contact.frame)
    rows = [
        axes.T @ (J[:3] - np.cross(R @ point, J[3:], axisb=0, axisc=0)) for point in contact.points
    ]
    if contact.kind == "wrench":
        rows.append(axes.T @ J[3:])
    return np.vstack(rows)


def _size_of(contacts: Sequence[ContactForces], name: str, variable: Affine | None) -> int:
    size = sum(contact.size for contact in contacts)
    if size == 0:
        raise InputError(f"{name!r} has no contacts")
    if variable is None:
        return size
    if variable.output_size != size:
        raise ShapeError(f"variable of {name!r}", (size,), (variable.output_size,))
    return variable.input_size
