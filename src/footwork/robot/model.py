"""A robot: its joints, limits and frames, and Pinocchio's model and data behind them."""

from collections.abc import Mapping
from os import PathLike
from typing import TYPE_CHECKING, Any, Final, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError, ModelError, NotFiniteError, ShapeError
from footwork.robot.configurations import Configurations
from footwork.robot.frame_index import FrameIndex
from footwork.robot.frames import Frame
from footwork.robot.mimic_order import restore_names
from footwork.robot.quantities import Calculator, Quantities
from footwork.robot.state import RobotState
from footwork.robot.urdf import read_urdf
from footwork.robot.views import Views
from footwork.typing import IntVector, Matrix, Vector, as_array, frozen

if TYPE_CHECKING:
    from footwork.robot.zoo import ZooEntry

_Array: Final = np.ndarray
_FLOAT64: Final = np.dtype(np.float64)
_CONTIGUOUS: Final = (8,)
"""Strides of a vector of float64."""


class RobotModel(Configurations):
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
        pin_model: Pinocchio's model. Limits, masses and placements are read once, when the robot is
            made: change it before.
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
        from footwork.robot._kernels.configuration import are_wrong

        super().__init__(pin_model, name=name, entry=entry, effort_limits=effort_limits or {})
        self.entry = entry
        self.source = source
        self.urdf_xml = urdf_xml
        # Inertia 0 is what is fixed to the world; the centre of mass leaves it out, too.
        self.mass = float(sum(i.mass for i in list(pin_model.inertias)[1:]))
        self.velocity_of_column = self._joints.velocity_of_column
        self.has_mimic = self._joints.has_mimic
        self.armature = frozen(np.array(pin_model.armature))
        self.pin_data = pin_model.createData()
        self.views = Views(pin_model, self.pin_data)
        self._check = are_wrong
        self._quaternion = 3 if self.has_floating_base else -1
        self._has_unit_parts = any(nq > nv for _, _, nq, nv in self._joint_slices.values())
        self._at_rest = bytes(8 * self.nv)
        self._stamp = 0
        self._v_seen = b""
        self._q_memory, self._v_memory = self.views.q_memory, self.views.qd_memory
        self._calculator = Calculator(
            pin_model, self.pin_data, self.views, has_mimic=self.has_mimic
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
            InputError: If a quaternion, or the cosine and sine of a joint without limits, do not
                have norm 1 (within 1e-6).
        """
        # The usual case first, for every tick counts.
        if not (type(q) is _Array and q.dtype is _FLOAT64 and q.strides == _CONTIGUOUS):
            q = as_array("q", q, (self.nq,), finite=False)
        if self._check(q, self.nq, self._quaternion):
            self._refuse("q", q, self.nq)
        if self._has_unit_parts:
            self._refuse_unnormalised(q)
        if v is None:
            return RobotState(self, q.tobytes(), self._at_rest)
        if not (type(v) is _Array and v.dtype is _FLOAT64 and v.strides == _CONTIGUOUS):
            v = as_array("v", v, (self.nv,), finite=False)
        if self._check(v, self.nv, -1):
            self._refuse("v", v, self.nv)
        return RobotState(self, q.tobytes(), v.tobytes())

    def _refuse(self, name: str, numbers: Vector, size: int) -> NoReturn:
        if numbers.shape != (size,):
            hint = f"robot {self.name!r} has n{name} = {size}"
            raise ShapeError(name, (size,), numbers.shape, hint)
        bad = np.flatnonzero(~np.isfinite(numbers))
        if bad.size:
            raise NotFiniteError(name, (int(bad[0]),), float(numbers[bad[0]]))
        raise InputError(
            f"q[3:7], the base's quaternion xyzw, must have norm 1, got {numbers[3:7].tolist()}"
        )

    def _refuse_unnormalised(self, q: Vector) -> None:
        """Refuse a cosine and sine, or a quaternion, that is none, as (0, 0) for a joint at 0."""
        from footwork.robot._kernels.configuration import LEEWAY

        pin, model = self._pin, self.pin_model
        if pin.isNormalized(model, q, LEEWAY):
            return
        for name, (iq, _, nq, _) in self._joint_slices.items():
            part, at_rest = slice(iq, iq + nq), pin.neutral(model)
            rest, at_rest[part] = at_rest[part].tolist(), q[part]
            if not pin.isNormalized(model, at_rest, LEEWAY):
                raise InputError(
                    f"q[{iq}:{iq + nq}] of joint {name!r}: cosine and sine, or the quaternion, "
                    f"must have norm 1, got {q[part].tolist()}; at rest they are {rest}"
                )

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
        self.refresh(state, need)
        return self

    def refresh(self, state: Any, needs: int) -> None:
        """Do what `compute` does; the name by which stacks know it.

        Args:
            state: A state of this robot.
            needs: Sum of `Quantities`.
        """
        calculator = self._calculator
        if state.stamp != self._stamp:
            if state.robot is not self:
                raise InputError(f"state of robot {state.robot.name!r} given to {self.name!r}")
            self._stamp = state.stamp
            calculator.have = 0
            self._q_memory[:] = state.q_bytes
            if state.v_bytes is not self._v_seen:
                self._v_memory[:] = self._v_seen = state.v_bytes
        missing = needs & ~calculator.have
        if missing:
            calculator.compute(missing)

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
