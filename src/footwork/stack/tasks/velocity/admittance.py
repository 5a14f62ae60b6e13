"""Tasks that give way to forces."""

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.robot import RobotModel
from footwork.stack._kernels.tasks_velocity import TWIST
from footwork.stack.frame_block import Axes
from footwork.stack.tasks.velocity.cartesian import Cartesian
from footwork.stack.tasks.velocity.postural import Postural
from footwork.stack.variables import Affine
from footwork.typing import Vector, as_array


class Admittance:
    """The law v = C f_filtered, which with the task's own λ makes M ẍ + D ẋ + K x = f.

        C = λ / K,   M = (D − K/λ)/λ,   ω = 1/(C M)

    f is filtered by a first-order low-pass of cut-off ω. One number for every row.

    Attributes:
        stiffness: K [N/m, N m/rad].
        damping: D [N s/m, N m s/rad], above K/λ.
        compliance: C [m/(s N), rad/(s N m)].
        inertia: M [kg, kg m²].
        cutoff: ω [rad/s].
        dt: Time step [s].
        dead_zone: Force below which nothing happens [N, N m], for every row.

    Raises:
        InputError: If λ, K or dt is not positive, or D is not above K/λ (then M is not positive).
    """

    def __init__(
        self,
        stiffness: ArrayLike,
        damping: ArrayLike,
        *,
        lambda_: float,
        dt: float,
        rows: int,
        dead_zone: ArrayLike = 0.0,
    ) -> None:
        self.stiffness = _rows("stiffness", stiffness, rows)
        self.damping = _rows("damping", damping, rows)
        self.dead_zone = _rows("dead_zone", dead_zone, rows)
        self.dt = dt
        if not (np.isfinite(dt) and dt > 0.0):
            raise InputError(f"dt must be positive, got {dt}")
        if not ((self.stiffness > 0.0).all() and (self.dead_zone >= 0.0).all()):
            raise InputError("stiffness must be positive and the dead zone not negative")
        self._filtered = np.zeros(rows)
        self._lambda = math.nan
        self.lambda_ = lambda_

    @property
    def lambda_(self) -> float:
        """λ [1/s] of the task; compliance, inertia and cut-off follow it.

        Raises:
            InputError: If it is set to what is not positive, or would make an inertia not positive.
        """
        return self._lambda

    @lambda_.setter
    def lambda_(self, lambda_: float) -> None:
        if lambda_ == self._lambda:
            return
        if not (np.isfinite(lambda_) and lambda_ > 0.0):
            raise InputError(f"lambda_ of an admittance must be positive, got {lambda_}")
        if not (self.damping > self.stiffness / lambda_).all():
            bad = int(np.argmax(~(self.damping > self.stiffness / lambda_)))
            raise InputError(
                f"damping[{bad}] = {self.damping[bad]:g} must be above stiffness / lambda_ = "
                f"{self.stiffness[bad] / lambda_:g}, or the inertia is not positive"
            )
        self.compliance = lambda_ / self.stiffness
        self.inertia = (self.damping - self.stiffness / lambda_) / lambda_
        self.cutoff = 1.0 / (self.compliance * self.inertia)
        self._lambda = lambda_

    def step(self, force: Vector) -> Vector:
        """Take the force of one tick.

        Args:
            force: Shape (rows,).

        Returns:
            Velocity C f_filtered.
        """
        beyond = np.sign(force) * np.maximum(np.abs(force) - self.dead_zone, 0.0)
        share = 1.0 - np.exp(
            -self.cutoff * self.dt
        )  # exact for a force that is constant in the step
        self._filtered += share * (beyond - self._filtered)
        velocity: Vector = self.compliance * self._filtered
        return velocity

    def reset(self) -> None:
        """Forget the filtered force."""
        self._filtered[:] = 0.0


def _rows(name: str, value: ArrayLike, rows: int) -> Vector:
    given = np.asarray(value, dtype=np.float64)
    return as_array(name, np.full(rows, given) if given.ndim == 0 else given, (rows,))


class CartesianAdmittance(Cartesian):
    """A frame that gives way to a wrench: J v = v_ref + C f_filtered + λ e; see `Admittance`.

    Args:
        robot: The robot.
        frame: Frame that moves.
        stiffness: K for x, y, z [N/m], rx, ry, rz [N m/rad]; or a number.
        damping: D [N s/m, N m s/rad].
        lambda_: λ [1/s].
        dt: Time step [s].
        dead_zone: Wrench below which nothing happens [N, N m].
        base: Frame in which reference and wrench are given; the world if not given.
        axes: "world" for the axes of the base, "local" for the frame's own.
        name: Name of the task.
        variable: Where the joint velocity is in a larger x.
    """

    def __init__(
        self,
        robot: RobotModel,
        frame: str,
        *,
        stiffness: ArrayLike,
        damping: ArrayLike,
        lambda_: float,
        dt: float,
        dead_zone: ArrayLike = 0.0,
        base: str | None = None,
        axes: Axes = "world",
        name: str | None = None,
        variable: Affine | None = None,
    ) -> None:
        self._law = Admittance(
            stiffness, damping, lambda_=lambda_, dt=dt, rows=6, dead_zone=dead_zone
        )
        super().__init__(robot, frame, base=base, axes=axes, name=name, variable=variable)
        self.lambda_ = lambda_

    @property
    def law(self) -> Admittance:
        """The law, at the task's λ."""
        self._law.lambda_ = self.lambda_
        return self._law

    def apply_wrench(self, wrench: ArrayLike, twist: ArrayLike | None = None) -> None:
        """Take the wrench of the coming tick; call it once a tick.

        Args:
            wrench: Of the environment on the frame, less the wanted one [N, N m], in the base's
                axes.
            twist: Feed-forward of the reference, in the base's axes.
        """
        f = as_array(f"wrench of {self.id!r}", wrench, (6,))
        v = np.zeros(6) if twist is None else as_array(f"twist of {self.id!r}", twist, (6,))
        # The twist alone: the pose may be the one that the first update will find.
        self.floats[TWIST : TWIST + 6] = v + self.law.step(f)


class JointAdmittance(Postural):
    """Joints that give way to torques: v = v_ref + C τ_filtered + λ (q_ref ⊖ q); see `Admittance`.

    Args:
        robot: The robot.
        stiffness: K [N m/rad], one for every row, or a number.
        damping: D [N m s/rad].
        lambda_: λ [1/s].
        dt: Time step [s].
        dead_zone: Torque below which nothing happens [N m].
        joints: Joints that count; every one if not given.
        name: Name of the task.
        variable: Where the joint velocity is in a larger x.
    """

    def __init__(
        self,
        robot: RobotModel,
        *,
        stiffness: ArrayLike,
        damping: ArrayLike,
        lambda_: float,
        dt: float,
        dead_zone: ArrayLike = 0.0,
        joints: Sequence[str] | None = None,
        name: str = "joint_admittance",
        variable: Affine | None = None,
    ) -> None:
        super().__init__(robot, joints=joints, name=name, variable=variable)
        self._law = Admittance(
            stiffness, damping, lambda_=lambda_, dt=dt, rows=self.task_size, dead_zone=dead_zone
        )
        self.lambda_ = lambda_

    @property
    def law(self) -> Admittance:
        """The law, at the task's λ."""
        self._law.lambda_ = self.lambda_
        return self._law

    def apply_torques(self, torques: ArrayLike, velocity: ArrayLike | None = None) -> None:
        """Take the external torques of the coming tick; call it once a tick.

        Args:
            torques: Of the environment on the joints [N m], shape (rows,); for example what was
                measured less what the model says.
            velocity: Feed-forward of the reference [rad/s], shape (rows,).
        """
        n = self.task_size
        tau = as_array(f"torques of {self.id!r}", torques, (n,))
        v = np.zeros(n) if velocity is None else as_array("velocity", velocity, (n,))
        self.floats[:n] = v + self.law.step(tau)
