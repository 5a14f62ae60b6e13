"""The configurations of a robot: where each joint is in them, and how to move between them."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from footwork._uncopied import Uncopied
from footwork.errors import ModelError
from footwork.robot.frames import did_you_mean
from footwork.robot.joints import Joints
from footwork.robot.limits import apply_entry, read_limits
from footwork.typing import BoolVector, Vector, as_array, frozen

if TYPE_CHECKING:
    from footwork.robot.zoo import ZooEntry


class Configurations(Uncopied):
    """What of a robot has nothing to do with a state that it is in.

    See `RobotModel`, which is one, for the attributes.
    """

    def __init__(
        self,
        pin_model: Any,
        *,
        name: str,
        entry: "ZooEntry | None",
        effort_limits: Mapping[str, float],
    ) -> None:
        """Read the joints and limits of Pinocchio's model.

        Args:
            pin_model: Pinocchio's model; what the entry adds is written into it.
            name: Name of the robot, for messages.
            entry: What the description lacks.
            effort_limits: Torque limits by joint, for those that have none in the model.
        """
        import pinocchio as pin

        self._pin = pin
        self.pin_model = pin_model
        self.name = name
        self.has_floating_base = (
            pin_model.njoints > 1 and pin_model.joints[1].shortname() == "JointModelFreeFlyer"
        )
        self.nq: int = pin_model.nq
        self.nv: int = pin_model.nv
        self.nu = self.nv - 6 if self.has_floating_base else self.nv
        self._joints = Joints(pin_model, has_floating_base=self.has_floating_base)
        self._joint_slices = self._joints.slices
        self.joint_names = self._joints.names
        self.velocity_names = self._joints.velocity_names
        if entry is not None:
            apply_entry(pin_model, self._joints, entry)
        limits = read_limits(pin_model, self._joints, effort_limits)
        self.position_limits = limits.position
        self.velocity_limits = limits.velocity
        self.effort_limits = frozen(limits.effort[self.nv - self.nu :].copy())

    # Configurations

    def integrate(self, q: ArrayLike, dq: ArrayLike) -> Vector:
        """Move from a configuration along a tangent vector: q ⊕ dq.

        Args:
            q: Configuration, shape (nq,).
            dq: Displacement, v times seconds, shape (nv,).

        Returns:
            The configuration that is reached; its quaternions are unit quaternions.
        """
        q_, dq_ = as_array("q", q, (self.nq,)), as_array("dq", dq, (self.nv,))
        moved: Vector = self._pin.integrate(self.pin_model, q_, dq_)
        if self.has_floating_base:
            moved[3:7] /= math.sqrt(moved[3:7].dot(moved[3:7]))
        return moved

    def difference(self, q_from: ArrayLike, q_to: ArrayLike) -> Vector:
        """Tangent vector from one configuration to another: integrate(q_from, d) = q_to.

        Args:
            q_from: Configuration, shape (nq,).
            q_to: Configuration, shape (nq,).

        Returns:
            d, shape (nv,).
        """
        a, b = as_array("q_from", q_from, (self.nq,)), as_array("q_to", q_to, (self.nq,))
        d: Vector = self._pin.difference(self.pin_model, a, b)
        return d

    @property
    def neutral_configuration(self) -> Vector:
        """Base at the origin, every joint at zero or its nearest limit, shape (nq,)."""
        q: Vector = self._pin.neutral(self.pin_model)
        lower, upper = self.position_limits
        for name in self.joint_names:
            iq, iv, nq, nv = self._joint_slices[name]
            if nq == nv == 1:
                q[iq] = min(max(q[iq], lower[iv]), upper[iv])
        return q

    def random_configuration(self, rng: np.random.Generator) -> Vector:
        """Draw a configuration: joints within their limits, or a half turn, the base within 1 m.

        Args:
            rng: Source of chance.

        Returns:
            A configuration, shape (nq,).
        """
        q: Vector = self._pin.neutral(self.pin_model)
        lower, upper = self.position_limits
        low, high = np.maximum(lower, -math.pi), np.minimum(upper, math.pi)
        step = np.where(low < high, rng.uniform(np.minimum(low, high), np.maximum(low, high)), low)
        for name in self.joint_names:
            iq, iv, nq, nv = self._joint_slices[name]
            if nq == nv == 1:
                q[iq], step[iv] = step[iv], 0.0
        if self.has_floating_base:
            q[:3] = rng.uniform(-1.0, 1.0, 3)
            step[:3] = 0.0
        return self.integrate(q, step)

    def with_joints(self, q: ArrayLike, positions: Mapping[str, float]) -> Vector:
        """Set joints of a configuration by name.

        Args:
            q: Configuration, shape (nq,).
            positions: Position of some joints [rad, m].

        Returns:
            A new configuration.

        Raises:
            ModelError: If a joint is unknown or has more than one degree of freedom.
        """
        new = as_array("q", q, (self.nq,))
        for name, value in positions.items():
            iq, _, nq, nv = self.joint_slices(name)
            if nv != 1:
                raise ModelError(f"joint {name!r} has {nv} degrees of freedom; set q itself")
            if nq == 1:
                new[iq] = value
            else:
                new[iq : iq + 2] = math.cos(value), math.sin(value)
        return new

    # Joints

    def joint_index(self, name: str) -> int:
        """First component of a velocity that belongs to a joint.

        Args:
            name: Name of the joint.

        Returns:
            Index into v.

        Raises:
            ModelError: If there is no such joint; names the near ones.
        """
        return self.joint_slices(name)[1]

    def position_index(self, name: str) -> int:
        """First component of a configuration that belongs to a joint.

        Args:
            name: Name of the joint.

        Returns:
            Index into q.
        """
        return self.joint_slices(name)[0]

    def is_sliding(self, name: str) -> bool:
        """Whether a joint slides [m] rather than turns [rad].

        Args:
            name: Name of the joint.

        Returns:
            True for a prismatic joint.
        """
        self.joint_slices(name)
        kind = self.pin_model.joints[self.pin_model.getJointId(name)].shortname()
        return "JointModelP" in kind and "Planar" not in kind

    def joint_mask(self, names: Sequence[str]) -> BoolVector:
        """Mask of the velocity components that belong to some joints.

        Args:
            names: Names of joints.

        Returns:
            Shape (nv,).
        """
        mask = np.zeros(self.nv, dtype=np.bool_)
        for name in names:
            _, iv, _, nv = self.joint_slices(name)
            mask[iv : iv + nv] = True
        return mask

    def joint_slices(self, name: str) -> tuple[int, int, int, int]:
        """Find where a joint is in q and v.

        Args:
            name: Name of the joint.

        Returns:
            First component of q, first of v, how many in q, how many in v.

        Raises:
            ModelError: If there is no such joint; names the near ones.
        """
        try:
            return self._joint_slices[name]
        except KeyError:
            raise ModelError(
                f"robot {self.name!r} has no joint {name!r}; {did_you_mean(name, self.joint_names)}"
            ) from None
