"""A robot: its joints, limits and frames, and Pinocchio's model and data behind them."""

import math
from collections.abc import Mapping, Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import (
    AmbiguousFrameError,
    InputError,
    ModelError,
    NotFiniteError,
    ShapeError,
    UnknownFrameError,
)
from footwork.robot.frames import Frame, did_you_mean, near_names
from footwork.robot.mimic_order import restore_names
from footwork.robot.state import RobotState
from footwork.robot.urdf import UNWOUND, read_urdf
from footwork.robot.views import Views
from footwork.typing import IntVector, Matrix, Vector, as_array, frozen

if TYPE_CHECKING:
    from footwork.robot.zoo import ZooEntry


HUGE: Final = 1e20
"""Limits from here on are none."""


class Quantities:
    """What `RobotModel.compute` can be asked for; bits, so that a tick adds up its wishes."""

    KINEMATICS: Final = 1
    """Placements of joints, joint Jacobian, centre of mass and its Jacobian."""
    MOMENTUM: Final = 2
    """Centroidal momentum matrix."""
    DYNAMICS: Final = 4
    """Mass matrix, bias, velocities and drift accelerations, with the two above."""
    MOMENTUM_RATE: Final = 8
    """Rate of the centroidal momentum and acceleration of the centre of mass, both at zero joint
    acceleration; a floating base has them from its six rows of the bias as well."""


class RobotModel:
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
        self._read_joints()
        if entry is not None:
            self._apply(entry)
        self._read_limits(effort_limits or {})
        self.armature = frozen(np.array(pin_model.armature))
        self.pin_data = pin_model.createData()
        self.views = Views(pin_model, self.pin_data)
        self._zero = frozen(np.zeros(self.nv))
        self._q_shape, self._v_shape = (self.nq,), (self.nv,)
        self._stamp = 0
        self._have = 0
        self._index_frames()
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
        return tuple(dict.fromkeys((*self._aliases, *self._by_name)))

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
        found = self._frames.get((name, kind))
        if found is None:
            found = self._find_frame(name, kind)
            self._frames[name, kind] = found
        return found

    def _find_frame(self, name: str, kind: str | None) -> Frame:
        if name in self._aliases and kind in {None, "alias"}:
            parent, T = self._aliases[name]
            body = self._find_frame(*parent)
            R, t = np.array(T.rotation), np.array(T.translation)
            return self._make_frame(
                name, "alias", body.joint, body.rotation @ R, body.rotation @ t + body.translation
            )
        candidates = self._by_name.get(name, ())
        chosen = [c for c in candidates if kind in {None, c[1]}]
        if not chosen:
            raise UnknownFrameError(
                f"robot {self.name!r} has no frame {name!r}"
                + (f" of kind {kind!r}" if kind else "")
                + f"; {did_you_mean(name, self.frame_names)}",
                name=name,
                near=near_names(name, self.frame_names),
            )
        if len(chosen) > 1:
            kinds = " and a ".join(sorted({c[1] for c in chosen}))
            raise AmbiguousFrameError(
                f"robot {self.name!r}: {name!r} is a {kinds}; say which with kind=…",
                name=name,
                near=tuple(c[1] for c in chosen),
            )
        index, found_kind = chosen[0]
        pin_frame = self.pin_model.frames[index]
        M = pin_frame.placement
        return self._make_frame(
            name, found_kind, int(pin_frame.parentJoint), M.rotation, M.translation
        )

    def _make_frame(self, name: str, kind: str, joint: int, R: Matrix, t: Vector) -> Frame:
        return Frame(
            name=name,
            kind=kind,
            joint=joint,
            rotation=frozen(np.array(R, dtype=np.float64, order="C")),
            translation=frozen(np.array(t, dtype=np.float64)),
            support=self.support_of(joint),
        )

    def support_of(self, joint: int) -> IntVector:
        """List the columns of the joint Jacobian that move what hangs on a joint.

        Args:
            joint: Index of the Pinocchio joint; 0 is the world.

        Returns:
            Columns, ascending; see `velocity_of_column` for what they belong to.
        """
        columns: list[int] = []
        at = joint
        while at != 0:
            first = self._extended[at]
            columns += range(first, first + self._extended_size[at])
            at = int(self.pin_model.parents[at])
        support = np.array(sorted(columns), dtype=np.int64)
        support.setflags(write=False)
        return support

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
            self._have = 0
            self.views.q[:] = state.q
            self.views.qd[:] = state.v
        missing = need & ~self._have
        if missing:
            self._compute(state, missing)
        return self

    def refresh(self, state: Any, needs: int) -> None:
        """Do what `compute` does; the name by which stacks know it.

        Args:
            state: A state of this robot.
            needs: Sum of `Quantities`.
        """
        if state.stamp != self._stamp or needs & ~self._have:
            self.compute(state, needs)

    def _compute(self, state: RobotState, missing: int) -> None:
        pin, model, data = self._pin, self.pin_model, self.pin_data
        if missing & (Quantities.DYNAMICS | Quantities.MOMENTUM_RATE):
            if self.has_mimic:
                self._compute_piecewise(state)
            else:
                pin.computeAllTerms(model, data, state.q, state.v)
            self._have |= 7
        elif missing & Quantities.KINEMATICS:
            pin.computeJointJacobians(model, data, state.q)
            pin.jacobianCenterOfMass(model, data, False)
            self._have |= Quantities.KINEMATICS
        if missing & Quantities.MOMENTUM and not self._have & Quantities.MOMENTUM:
            pin.ccrba(model, data, state.q, state.v)
            self._have |= Quantities.MOMENTUM
        if missing & Quantities.MOMENTUM_RATE:
            pin.computeCentroidalMomentumTimeVariation(model, data, state.q, state.v, self._zero)
            # computeAllTerms leaves this one out.
            pin.centerOfMass(model, data, pin.ACCELERATION, False)
            self._have |= Quantities.MOMENTUM_RATE

    def _compute_piecewise(self, state: RobotState) -> None:
        """The same as computeAllTerms, which refuses mimic joints."""
        pin, model, data = self._pin, self.pin_model, self.pin_data
        pin.crba(model, data, state.q)
        pin.ccrba(model, data, state.q, state.v)
        pin.nonLinearEffects(model, data, state.q, state.v)
        pin.forwardKinematics(model, data, state.q, state.v, self._zero)
        pin.centerOfMass(model, data, pin.VELOCITY, False)
        pin.computeJointJacobians(model, data, state.q)
        pin.jacobianCenterOfMass(model, data, state.q, False)

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

    # Reading the model

    def _read_joints(self) -> None:
        model = self.pin_model
        self._joint_slices: dict[str, tuple[int, int, int, int]] = {}
        names: list[str] = []
        self._extended: dict[int, int] = {}
        self._extended_size: dict[int, int] = {}
        column_to_v = np.zeros(int(model.nvExtended), dtype=np.int64)
        self.has_mimic = False
        for i in range(1, model.njoints):
            joint = model.joints[i]
            mimic = "Mimic" in joint.shortname()
            self.has_mimic |= mimic
            self._extended[i] = int(joint.idx_vExtended)
            self._extended_size[i] = int(joint.nvExtended)
            for k in range(int(joint.nvExtended)):
                column_to_v[int(joint.idx_vExtended) + k] = int(joint.idx_v) + k
            if mimic or (i == 1 and self.has_floating_base):
                continue
            name = model.names[i]
            names.append(name)
            self._joint_slices[name] = (joint.idx_q, joint.idx_v, joint.nq, joint.nv)
        column_to_v.setflags(write=False)
        self.velocity_of_column: IntVector = column_to_v
        self.joint_names = tuple(names)
        components = [f"base@v{k}" for k in range(6)] if self.has_floating_base else []
        for name in names:
            size = self._joint_slices[name][3]
            components += [name] if size == 1 else [f"{name}@v{k}" for k in range(size)]
        self.velocity_names = tuple(components)

    def _apply(self, entry: "ZooEntry") -> None:
        """Write what the entry adds into Pinocchio's model."""
        model = self.pin_model
        for name in self.joint_names:
            iv = self._joint_slices[name][1]
            for array, patterns in (
                (model.armature, entry.armature),
                (model.upperVelocityLimit, entry.velocity_limits),
                (model.upperEffortLimit, entry.effort_limits),
            ):
                value = entry.match(patterns, name)
                if value is not None:
                    array[iv] = value

    def _read_limits(self, efforts: Mapping[str, float]) -> None:
        model = self.pin_model
        lower, upper = np.full(self.nv, -np.inf), np.full(self.nv, np.inf)
        speed, effort = np.full(self.nv, np.inf), np.full(self.nv, np.inf)
        for name in self.joint_names:
            iq, iv, nq, nv = self._joint_slices[name]
            if nq == nv == 1:
                lower[iv], upper[iv] = model.lowerPositionLimit[iq], model.upperPositionLimit[iq]
            speed[iv : iv + nv] = np.abs(model.upperVelocityLimit[iv : iv + nv])
            effort[iv : iv + nv] = np.abs(model.upperEffortLimit[iv : iv + nv])
            if name in efforts and not np.isfinite(effort[iv]):
                effort[iv] = efforts[name]
        lower[lower <= -UNWOUND], upper[upper >= UNWOUND] = -np.inf, np.inf
        # Zero is how a URDF without numbers comes out; it would forbid all motion.
        speed[(speed == 0.0) | (speed >= HUGE)] = np.inf
        effort[(effort == 0.0) | (effort >= HUGE)] = np.inf
        self.position_limits = (frozen(lower), frozen(upper))
        self.velocity_limits = frozen(speed)
        self.effort_limits = frozen(effort[self.nv - self.nu :].copy())

    def _index_frames(self) -> None:
        kinds = {"BODY": "body", "JOINT": "joint", "FIXED_JOINT": "joint"}
        self._by_name: dict[str, list[tuple[int, str]]] = {}
        for index, frame in enumerate(self.pin_model.frames):
            kind = kinds.get(str(frame.type).rsplit(".", maxsplit=1)[-1], "site")
            self._by_name.setdefault(frame.name, []).append((index, kind))
        if "world" not in self._by_name:
            self._by_name["world"] = [(0, "body")]
        self._aliases: dict[str, tuple[tuple[str, str | None], Any]] = {}
        if self.entry is not None:
            self._aliases = self.entry.aliases()
        self._frames: dict[tuple[str, str | None], Frame] = {}

    def __repr__(self) -> str:
        base = "floating base" if self.has_floating_base else "fixed base"
        return f"RobotModel({self.name!r}, {base}, {self.nu} joints, {self.mass:.2f} kg)"
