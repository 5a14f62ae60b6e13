"""A configuration and velocity of a robot, with a stamp that says whether it has been seen."""

import itertools
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from footwork.spatial import Pose
from footwork.typing import Matrix, Vector

if TYPE_CHECKING:
    from footwork.robot.frames import Frame
    from footwork.robot.model import RobotModel

_stamps: Final = itertools.count(1)


class RobotState:
    """Where a robot is and how it moves: an immutable value with a stamp.

    Made by `RobotModel.state`. What is derived from it (placements, Jacobians, mass matrix) is
    computed in the model's data when first asked for, and once only.

    Attributes:
        robot: The model that it belongs to.
        q_bytes: Configuration as plain bytes, which nobody can change; a tick needs no more of it.
        v_bytes: Velocity likewise.
        stamp: Differs between any two states.
    """

    __slots__ = ("_q", "_v", "q_bytes", "robot", "stamp", "v_bytes")

    def __init__(self, robot: "RobotModel", q_bytes: bytes, v_bytes: bytes) -> None:
        self.robot = robot
        self.q_bytes = q_bytes
        self.v_bytes = v_bytes
        self.stamp = next(_stamps)

    @property
    def q(self) -> Vector:
        """Configuration, shape (nq,), read-only.

        A floating base is position [m], quaternion xyzw.
        """
        try:
            return self._q
        except AttributeError:
            self._q: Vector = np.frombuffer(self.q_bytes)
            return self._q

    @property
    def v(self) -> Vector:
        """Velocity, shape (nv,), read-only.

        A floating base is linear [m/s], then angular [rad/s], both in its own axes.
        """
        try:
            return self._v
        except AttributeError:
            self._v: Vector = np.frombuffer(self.v_bytes)
            return self._v

    def __copy__(self) -> Self:
        """Return the state itself: it never changes."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        """Return the state itself: it never changes, and its robot cannot be copied."""
        return self

    def T_world_frame(self, frame: "str | Frame") -> Pose:  # noqa: N802
        """Place a frame in the world.

        Args:
            frame: Name or frame.

        Returns:
            T_world_frame.
        """
        R, p = self.placement(frame)
        return Pose.from_rotation(p, R)

    def placement(self, frame: "str | Frame") -> tuple[Matrix, Vector]:
        """Place a frame in the world, as plain arrays.

        Args:
            frame: Name or frame.

        Returns:
            R_world_frame, shape (3, 3), and p_world_frame [m], shape (3,).
        """
        f = self.robot.frame(frame) if isinstance(frame, str) else frame
        views = self.robot.compute(self).views
        oMi = views.oMi[f.joint]
        R = oMi[:9].reshape(3, 3).T
        return R @ f.rotation, R @ f.translation + oMi[9:]

    def J_world_frame(self, frame: "str | Frame") -> Matrix:  # noqa: N802
        """Jacobian of a frame: its twist at its own origin, in world axes, is J v.

        Args:
            frame: Name or frame.

        Returns:
            Linear rows, then angular, shape (6, nv).
        """
        return self.robot.jacobian(self, frame)

    def twist_world_frame(self, frame: "str | Frame") -> Vector:
        """Velocity of a frame at its own origin, in world axes.

        Args:
            frame: Name or frame.

        Returns:
            Linear [m/s], then angular [rad/s], shape (6,).
        """
        twist: Vector = self.robot.jacobian(self, frame) @ self.v
        return twist

    @property
    def p_world_com(self) -> Vector:
        """Centre of mass in the world [m], shape (3,)."""
        return self.robot.compute(self).views.com.copy()

    @property
    def v_world_com(self) -> Vector:
        """Velocity of the centre of mass [m/s], shape (3,)."""
        v: Vector = self.robot.compute(self).views.JcomT.T @ self.v
        return v

    @property
    def mass_matrix(self) -> Matrix:
        """Mass matrix with rotor inertias [kg, kg m, kg m²], symmetric, shape (nv, nv)."""
        from footwork.robot.quantities import Quantities

        lower = self.robot.compute(self, Quantities.DYNAMICS).views.MT
        full = lower.copy()
        upper = lower.T
        n = full.shape[0]
        for i in range(n):
            full[i, i + 1 :] = upper[i, i + 1 :]
        return full

    @property
    def bias(self) -> Vector:
        """Coriolis, centrifugal and gravity terms: M v̇ + bias = Sᵀ τ + Jᵀ f, shape (nv,)."""
        from footwork.robot.quantities import Quantities

        return self.robot.compute(self, Quantities.DYNAMICS).views.nle.copy()

    @property
    def momentum(self) -> Vector:
        """Linear [kg m/s] and angular momentum about the centre of mass [kg m²/s], shape (6,)."""
        from footwork.robot.quantities import Quantities

        h: Vector = self.robot.compute(self, Quantities.MOMENTUM).views.AgT.T @ self.v
        return h

    def __repr__(self) -> str:
        return f"RobotState({self.robot.name!r}, stamp {self.stamp})"
