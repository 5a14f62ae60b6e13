"""A robot: its joints, limits and frames, and Pinocchio's model and data behind them."""

import math
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from footwork._uncopied import Uncopied
from footwork.errors import (
    InputError,
    ModelError,
    NotFiniteError,
    ShapeError,
)
from footwork.robot.frame_index import FrameIndex
from footwork.robot.frames import Frame, did_you_mean
from footwork.robot.joints import Joints
from footwork.robot.limits import apply_entry, read_limits
from footwork.robot.mimic_order import restore_names
from footwork.robot.quantities import Calculator, Quantities
from footwork.robot.state import RobotState
from footwork.robot.urdf import read_urdf
from footwork.robot.views import Views
from footwork.typing import IntVector, Matrix, Vector, as_array, frozen

if TYPE_CHECKING:
    from footwork.robot.zoo import ZooEntry


class RobotModel(Uncopied):
    """A robot, from a URDF, an MJCF, or the zoo (`footwork.robot.load`).

    Velocities have nv components: six of a floating base (linear, then angular, both in the base's
        axes),
    then one for every joint. The joints after the floating base are actuated; there are nu of them.

    Not for two threads at once: results live in the model's one `pin_data`.

    Attributes:
        name: Name of the robot.
        nq: Size of a configuration.
        nv: Size of a velocity.
        nu: Actuated velocity components, the last ones of a velocity.
        has_floating_base: Whether the first joint is free.
        mass: Mass of all that moves [kg]; links fixed to the world do not count.
        joint_names: Joints that move on their own, the floating base left out, in the order of v.
        velocity_names: One name for every component of v.
        position_limits: Lower and upper limits [rad, m], each of shape (nv,); ∓inf where there is
            none.
        velocity_limits: Largest speeds [rad/s, m/s], shape (nv,); inf where there is none.
        effort_limits: Largest torques or forces [N m, N], shape (nu,); inf where there is none.
        armature: Rotor inertias at the joint [kg m²], shape (nv,).
        entry: The zoo's entry; None for a model of the user's own.
        source: Path of the description; None when it came as text.
        urdf_xml: Checked URDF; None for MJCF.
        pin_model: Pinocchio's model; change it only if you know what depends on it.
        pin_data: Pinocchio's data that this object computes in.
        views: `pin_data`'s arrays without copies.
    """

    _instead = "load the robot again: by its name, its URDF or its MJCF"

    def __init__(
        self,
        pin_model: Any,
        *,
        name: str,
        entry: "ZooEntry | None" = None,
        source: str | None = None,
        urdf_xml: str | None = None,
        effort_limits: Mapping[str, float] | None = None,
    ) -> None:
        import pinocchio as pin

        self._pin = pin
        self.pin_model = pin_model
        self.name = name
        self.entry = entry
        self.source = source
        self.urdf_xml = urdf_xml
        self.has_floating_base = (
            pin_model.njoints > 1 and pin_model.joints[1].shortname() == "JointModelFreeFlyer"
        )
        self.nq: int = pin_model.nq
        self.nv: int = pin_model.nv
        self.nu = self.nv - 6 if self.has_floating_base else self.nv
        # Inertia 0 is what is fixed to the world; the centre of mass leaves it out, too.
        self.mass = float(sum(i.mass for i in list(pin_model.inertias)[1:]))
        self._joints = Joints(pin_model, has_floating_base=self.has_floating_base)
        self._joint_slices = self._joints.slices
        self.joint_names = self._joints.names
        self.velocity_names = self._joints.velocity_names
        self.velocity_of_column = self._joints.velocity_of_column
        self.has_mimic = self._joints.has_mimic
        if entry is not None:
            apply_entry(pin_model, self._joints, entry)
        limits = read_limits(pin_model, self._joints, effort_limits or {})
        self.position_limits = limits.position
        self.velocity_limits = limits.velocity
        self.effort_limits = frozen(limits.effort[self.nv - self.nu :].copy())
        self.armature = frozen(np.array(pin_model.armature))
        self.pin_data = pin_model.createData()
        self.views = Views(pin_model, self.pin_data)
        self._zero = frozen(np.zeros(self.nv))
        self._q_shape, self._v_shape = (self.nq,), (self.nv,)
        self._stamp = 0
        self._v_seen: Vector | None = None
        self._calculator = Calculator(
            pin_model, self.pin_data, has_mimic=self.has_mimic, zero=self._zero
        )
        self._frames = FrameIndex(name, pin_model, self._joints, entry)
        self._standing: Vector | None = None

    # Making one

    @classmethod
    def from_urdf(
        cls,
        source: str | PathLike[str],
        *,
        floating_base: bool = True,
        mimic: bool = True,
        entry: "ZooEntry | None" = None,
        warn: bool = True,
    ) -> "RobotModel":
        """Read a URDF. Meshes are not needed for it; `RobotModel` loads them only for collisions.

        Joints that mimic others follow them, and are no components of v then. A continuous joint
        takes two numbers of q (cosine, sine) and one of v, and has no position limits.

        Args:
            source: Path of a file, or the XML itself.
            floating_base: Whether the first link moves freely.
            mimic: Whether mimic joints follow their drivers; else they move on their own.
            entry: What the file lacks.
            warn: Whether masses and inertias that no body can have are warned of.

        Returns:
            The robot.

        Raises:
            ModelError: If the description is wrong; names what and where.
        """
        import pinocchio as pin

        urdf = read_urdf(source, mimic=mimic, warn=warn)
        root = (pin.JointModelFreeFlyer(),) if floating_base else ()
        try:
            model = pin.buildModelFromXML(urdf.xml, *root, urdf.has_mimic)
        except Exception as error:
            raise ModelError(
                f"{urdf.path or 'URDF text'}: Pinocchio refuses it: {error}"
            ) from error
        restore_names(model, urdf.original_names)
        return cls(
            model,
            name=entry.name if entry is not None else urdf.name,
            entry=entry,
            source=None if urdf.path is None else str(urdf.path),
            urdf_xml=urdf.xml,
        )

    @classmethod
    def from_mjcf(
        cls, source: str | PathLike[str], *, entry: "ZooEntry | None" = None
    ) -> "RobotModel":
        """Read an MJCF. Its free joint, if any, is the floating base.

        Torque limits are those of the joint, else of the actuator on it, as MuJoCo reads them.

        Args:
            source: Path of a file, or the XML itself.
            entry: What the file lacks.

        Returns:
            The robot.

        Raises:
            ModelError: If the description is wrong; names what and where.
        """
        from footwork.robot.mjcf import read_mjcf

        model, name, path, efforts = read_mjcf(source)
        return cls(
            model,
            name=entry.name if entry is not None else name,
            entry=entry,
            source=path,
            effort_limits=efforts,
        )

    # Configurations

    def state(self, q: ArrayLike, v: ArrayLike | None = None) -> RobotState:
        """Make a state of this robot.

        Args:
            q: Configuration, shape (nq,).
            v: Velocity, shape (nv,); zero when not given.

        Returns:
            The state, with a stamp of its own.

        Raises:
            ShapeError: If a size differs.
            NotFiniteError: If an entry is not finite.
            InputError: If the quaternion of the base is not a unit quaternion (within 1e-6).
        """
        q_ = np.array(q, dtype=np.float64)
        if q_.shape != self._q_shape:
            raise ShapeError("q", (self.nq,), q_.shape, f"robot {self.name!r} has nq = {self.nq}")
        # The sum of squares is finite when every entry is; it is the cheapest test.
        size = q_.dot(q_)
        if v is None:
            v_ = self._zero
        else:
            v_ = np.array(v, dtype=np.float64)
            if v_.shape != self._v_shape:
                hint = f"robot {self.name!r} has nv = {self.nv}"
                raise ShapeError("v", (self.nv,), v_.shape, hint)
            size += v_.dot(v_)
            v_.setflags(write=False)
        if not math.isfinite(size):
            self._refuse_infinite(q_, v_)
        if self.has_floating_base:
            x, y, z, w = q_[3:7].tolist()
            if abs(x * x + y * y + z * z + w * w - 1.0) > 2e-6:
                raise InputError(
                    f"q[3:7], the base's quaternion xyzw, must have norm 1, got {[x, y, z, w]}"
                )
        q_.setflags(write=False)
        return RobotState(self, q_, v_)

    @staticmethod
    def _refuse_infinite(q: Vector, v: Vector) -> None:
        for name, array in (("q", q), ("v", v)):
            bad = np.flatnonzero(~np.isfinite(array))
            if bad.size:
                raise NotFiniteError(name, (int(bad[0]),), float(array[bad[0]]))

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

    @property
    def standing_configuration(self) -> Vector:
        """The zoo's standing posture, shape (nq,): soles at z = 0, base above the origin.

        Without an entry it is `neutral_configuration`.
        """
        if self._standing is None:
            self._standing = self._stand()
        return self._standing.copy()

    def _stand(self) -> Vector:
        q = self.neutral_configuration
        if self.entry is None:
            return q
        q = self.with_joints(q, self.entry.posture)
        if not self.has_floating_base:
            return q
        q[3:7] = self.entry.base_quaternion_xyzw
        if self.entry.feet:
            state = self.state(q)
            bottoms = [state.placement(foot.name)[1][2] - foot.radius for foot in self.entry.feet]
            q[2] -= sum(bottoms) / len(bottoms)
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

    def joint_mask(self, names: Sequence[str]) -> "np.typing.NDArray[np.bool_]":
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

    # Frames

    @property
    def frame_names(self) -> tuple[str, ...]:
        """Every name that `frame` takes: aliases first, then those of the description."""
        return self._frames.names

    def frame(self, name: str, *, kind: str | None = None) -> Frame:
        """Find a frame by name.

        Args:
            name: Alias ("left_foot"), link, joint or site.
            kind: "alias", "body", "joint" or "site", for a name that more than one of them has.

        Returns:
            The frame.

        Raises:
            UnknownFrameError: If there is none; names the near ones.
            AmbiguousFrameError: If a link and a joint share the name and no kind was given.
        """
        return self._frames.find(name, kind)

    def support_of(self, joint: int) -> IntVector:
        """List the columns of the joint Jacobian that move what hangs on a joint.

        Args:
            joint: Index of the Pinocchio joint; 0 is the world.

        Returns:
            Columns, ascending; see `velocity_of_column` for what they belong to.
        """
        return self._joints.support_of(joint)

    # Computing

    def compute(self, state: RobotState, need: int = Quantities.KINEMATICS) -> "RobotModel":
        """Bring `views` up to date with a state; what is up to date is not computed again.

        Args:
            state: A state of this robot.
            need: Sum of `Quantities`.

        Returns:
            This robot.
        """
        if state.stamp != self._stamp:
            if state.robot is not self:
                raise InputError(f"state of robot {state.robot.name!r} given to {self.name!r}")
            self._stamp = state.stamp
            self._calculator.have = 0
            self.views.q[...] = state.q
            if state.v is not self._v_seen:
                self.views.qd[...] = self._v_seen = state.v
        missing = need & ~self._calculator.have
        if missing:
            self._calculator.compute(state, missing)
        return self

    def refresh(self, state: Any, needs: int) -> None:
        """Do what `compute` does; the name by which stacks know it.

        Args:
            state: A state of this robot.
            needs: Sum of `Quantities`.
        """
        self.compute(state, needs)

    def jacobian(self, state: RobotState, frame: str | Frame) -> Matrix:
        """Jacobian of a frame: its twist at its own origin, in world axes, is J v.

        Args:
            state: A state of this robot.
            frame: Name or frame.

        Returns:
            Linear rows, then angular, shape (6, nv).
        """
        f = self.frame(frame) if isinstance(frame, str) else frame
        _, p = state.placement(f)
        columns = self.views.JT[f.support]
        J = np.zeros((6, self.nv))
        linear = columns[:, :3] + np.cross(columns[:, 3:], p)
        to = self.velocity_of_column[f.support]
        for k, column in enumerate(to):
            J[:3, column] += linear[k]
            J[3:, column] += columns[k, 3:]
        return J

    def __repr__(self) -> str:
        base = "floating base" if self.has_floating_base else "fixed base"
        return f"RobotModel({self.name!r}, {base}, {self.nu} joints, {self.mass:.2f} kg)"
