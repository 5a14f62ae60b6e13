"""A pose: where a frame is, and how it is turned, as a frozen value."""

import math
import reprlib
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.spatial import quaternion as quat
from footwork.spatial import se3
from footwork.spatial.quaternion import Quaternion, Vector3
from footwork.spatial.reading import UNIT_TOLERANCE, as_quaternion, as_rows
from footwork.typing import Matrix, Vector, as_array, frozen


class Pose:
    """Placement T_a_b of a frame b in a frame a: p_a = R_a_b p_b + t_a_b.

    A value: frozen, hashable, equal when translation and rotation are equal; q and −q are one
    rotation. Equality is exact; `is_close` compares within tolerances.

    Args:
        translation: Position of the origin of b in a [m], shape (3,).
        quaternion_xyzw: Unit quaternion (x, y, z, w), shape (4,); off unit by at most 1e-6, which
            is then divided away.

    Raises:
        ShapeError: If a shape differs.
        NotFiniteError: If an entry is not finite.
        InputError: If the quaternion is not a unit quaternion.

    Example:
        >>> from math import pi
        >>> T_world_foot = Pose.from_xy_yaw(1.0, 2.0, pi / 2)
        >>> T_world_foot.act([1.0, 0.0, 0.0]).round(12).tolist()
        [1.0, 3.0, 0.0]
        >>> (T_world_foot @ T_world_foot.inverse()).is_close(Pose.identity())
        True
    """

    __slots__ = ("_q", "_t")

    _q: Quaternion
    _t: Vector3

    def __init__(
        self,
        translation: ArrayLike = (0.0, 0.0, 0.0),
        quaternion_xyzw: ArrayLike = quat.IDENTITY,
    ) -> None:
        t = as_array("translation", translation, (3,)).tolist()
        q = as_array("quaternion_xyzw", quaternion_xyzw, (4,)).tolist()
        norm = math.sqrt(sum(c * c for c in q))
        if abs(norm - 1.0) > UNIT_TOLERANCE:
            raise InputError(
                f"quaternion_xyzw must have norm 1 within {UNIT_TOLERANCE:g}, got {q} with norm "
                f"{norm:.9g}; divide it by its norm if it is meant as a rotation"
            )
        _set(self, (t[0], t[1], t[2]), quat.normalised((q[0], q[1], q[2], q[3])))

    # Making one

    @classmethod
    def identity(cls) -> "Pose":
        """Make the pose that changes nothing.

        Returns:
            Zero translation, no rotation.
        """
        return _IDENTITY

    @classmethod
    def from_translation(cls, translation: ArrayLike) -> "Pose":
        """Make a pose without rotation.

        Args:
            translation: Position [m], shape (3,).

        Returns:
            The pose.
        """
        return cls(translation)

    @classmethod
    def from_rpy(cls, translation: ArrayLike, rpy: ArrayLike) -> "Pose":
        """Make a pose from roll, pitch and yaw: R = Rz(yaw) Ry(pitch) Rx(roll).

        Args:
            translation: Position [m], shape (3,).
            rpy: Angles [rad], shape (3,).

        Returns:
            The pose.
        """
        roll, pitch, yaw = as_array("rpy", rpy, (3,)).tolist()
        return cls(translation, quat.from_rpy(roll, pitch, yaw))

    @classmethod
    def from_xy_yaw(cls, x: float, y: float, yaw: float, z: float = 0.0) -> "Pose":
        """Make a level pose, as of a foot on flat ground.

        Args:
            x: Forward [m].
            y: Left [m].
            yaw: About the vertical [rad].
            z: Height [m].

        Returns:
            The pose.
        """
        return cls.from_rpy([x, y, z], [0.0, 0.0, yaw])

    @classmethod
    def from_matrix(cls, matrix: ArrayLike) -> "Pose":
        """Make a pose from a homogeneous matrix.

        Args:
            matrix: [[R, t], [0, 1]], shape (4, 4), R a rotation within 1e-6.

        Returns:
            The pose.

        Raises:
            InputError: If the last row is not (0, 0, 0, 1) or R is not a rotation; says which.
        """
        T = as_array("matrix", matrix, (4, 4))
        if not np.array_equal(T[3], [0.0, 0.0, 0.0, 1.0]):
            raise InputError(f"matrix: expected a last row (0, 0, 0, 1), got {T[3].tolist()}")
        return cls(T[:3, 3], as_quaternion(T[:3, :3]))

    @classmethod
    def from_rotation(cls, translation: ArrayLike, rotation: ArrayLike) -> "Pose":
        """Make a pose from a position and a rotation matrix.

        Args:
            translation: Position [m], shape (3,).
            rotation: Rotation matrix, shape (3, 3), orthonormal within 1e-6.

        Returns:
            The pose.
        """
        return cls(translation, as_quaternion(as_array("rotation", rotation, (3, 3))))

    @classmethod
    def exp(cls, twist: ArrayLike) -> "Pose":
        """Exponential map of SE(3): the pose reached in one second of a constant body twist.

        exp(v, φ) = (V(φ) v, exp φ), V = I + (1−cos θ)/θ² [φ]× + (θ−sin θ)/θ³ [φ]×²

        Args:
            twist: Linear part [m], then rotation vector [rad], shape (6,).

        Returns:
            The pose.

        Source: sola2018lie, eq. 172
        """
        v = as_array("twist", twist, (6,)).tolist()
        return _make(*se3.exp((v[0], v[1], v[2]), (v[3], v[4], v[5])))

    # Looking at one

    @property
    def translation(self) -> Vector:
        """Position of the frame's origin [m], shape (3,), read-only."""
        return frozen(np.array(self._t))

    @property
    def quaternion_xyzw(self) -> Vector:
        """Unit quaternion (x, y, z, w), shape (4,), read-only; as given, either sign."""
        return frozen(np.array(self._q))

    @property
    def rotation(self) -> Matrix:
        """Rotation matrix R_a_b, shape (3, 3), read-only."""
        return frozen(np.array(quat.to_matrix(self._q)))

    @property
    def flat(self) -> tuple[float, ...]:
        """Translation [m], then unit quaternion xyzw: seven floats, as kernels take a pose."""
        return self._t + self._q

    @property
    def matrix(self) -> Matrix:
        """Homogeneous matrix [[R, t], [0, 1]], shape (4, 4), read-only."""
        T = np.eye(4)
        T[:3, :3] = quat.to_matrix(self._q)
        T[:3, 3] = self._t
        return frozen(T)

    @property
    def rpy(self) -> Vector:
        """Roll, pitch, yaw [rad] with R = Rz Ry Rx, shape (3,); roll is 0 at pitch ±π/2."""
        return frozen(np.array(quat.to_rpy(self._q)))

    @property
    def yaw(self) -> float:
        """Rotation about the vertical [rad], in [−π, π]: the last of `rpy`."""
        return quat.to_rpy(self._q)[2]

    @property
    def x(self) -> float:
        """Forward [m]."""
        return self._t[0]

    @property
    def y(self) -> float:
        """Left [m]."""
        return self._t[1]

    @property
    def z(self) -> float:
        """Up [m]."""
        return self._t[2]

    # Computing with it

    def compose(self, other: "Pose") -> "Pose":
        """Chain two placements: T_a_c = T_a_b T_b_c. Also written ``self @ other``.

        Args:
            other: T_b_c.

        Returns:
            T_a_c.

        Raises:
            InputError: If it is no pose, or the result is too far away for a double.
        """
        _check_pose(other)
        r = quat.rotate(self._q, other._t)
        t = (self._t[0] + r[0], self._t[1] + r[1], self._t[2] + r[2])
        return _make(t, quat.normalised(quat.multiply(self._q, other._q)))

    __matmul__ = compose

    def inverse(self) -> "Pose":
        """Exchange the two frames.

        Returns:
            T_b_a: rotation Rᵀ, translation −Rᵀ t.
        """
        q = quat.conjugate(self._q)
        r = quat.rotate(q, self._t)
        return _make((-r[0], -r[1], -r[2]), q)

    def act(self, points: ArrayLike) -> Matrix:
        """Express points given in b in the frame a: p_a = R p_b + t.

        Args:
            points: Points [m], shape (3,) or (n, 3).

        Returns:
            Points in a [m], the same shape.

        Raises:
            InputError: If the last axis is not three finite numbers.
        """
        p = as_rows("points", points)
        R = np.array(quat.to_matrix(self._q))
        moved: Matrix = p @ R.T + np.array(self._t)
        return moved

    def rotate(self, vectors: ArrayLike) -> Matrix:
        """Turn directions given in b into the frame a: v_a = R v_b.

        Args:
            vectors: Directions, shape (3,) or (n, 3).

        Returns:
            Directions in a, the same shape.

        Raises:
            InputError: If the last axis is not three finite numbers.
        """
        v = as_rows("vectors", vectors)
        turned: Matrix = v @ np.array(quat.to_matrix(self._q)).T
        return turned

    def log(self) -> Vector:
        """Logarithm of SE(3), the inverse of `exp`.

        v = V(φ)⁻¹ t, V⁻¹ = I − ½ [φ]× + (1/θ² − (1+cos θ)/(2 θ sin θ)) [φ]×²

        Returns:
            Linear part [m], then rotation vector [rad] with norm in [0, π], shape (6,).

        Source: sola2018lie, eq. 174
        """
        linear, angular = se3.log(self._t, self._q)
        return frozen(np.array(linear + angular))

    def interpolate(self, other: "Pose", fraction: float) -> "Pose":
        """Go part of the way: straight in position, the short way round in rotation.

        t = t₀ + s (t₁ − t₀), R = R₀ exp(s log(R₀ᵀ R₁))

        Args:
            other: Where fraction 1 arrives.
            fraction: s, 0 here, 1 there; outside of [0, 1] it extrapolates.

        Returns:
            The pose on the way.

        Raises:
            InputError: If the fraction is no finite number, or goes too far for a double.
        """
        _check_pose(other)
        fraction = float(as_array("fraction", fraction, ()))
        phi = quat.log(quat.multiply(quat.conjugate(self._q), other._q))
        turn = (fraction * phi[0], fraction * phi[1], fraction * phi[2])
        if not math.isfinite(se3.dot(turn, turn)):
            raise InputError(f"fraction: {fraction:g} turns too far to compute with")
        step = quat.exp(turn)
        t = tuple(
            a + fraction * (b - a) if fraction != 1.0 else b
            for a, b in zip(self._t, other._t, strict=True)
        )
        return _make((t[0], t[1], t[2]), quat.normalised(quat.multiply(self._q, step)))

    def is_close(
        self, other: "Pose", *, translation_tolerance: float = 1e-9, angle_tolerance: float = 1e-9
    ) -> bool:
        """Compare within tolerances.

        Args:
            other: The pose to compare with.
            translation_tolerance: Largest distance of the origins [m].
            angle_tolerance: Largest angle between the rotations [rad].

        Returns:
            Whether both hold.

        Raises:
            InputError: If the other is no pose, or a tolerance no number.
        """
        _check_pose(other)
        largest = float(as_array("translation_tolerance", translation_tolerance, (), finite=False))
        widest = float(as_array("angle_tolerance", angle_tolerance, (), finite=False))
        phi = quat.log(quat.multiply(quat.conjugate(self._q), other._q))
        distance = math.dist(self._t, other._t)
        return distance <= largest and math.hypot(*phi) <= widest

    # A value

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pose):
            return NotImplemented
        return self._t == other._t and (
            self._q == other._q or self._q == tuple(-c for c in other._q)
        )

    def __hash__(self) -> int:
        return hash((self._t, quat.canonical(self._q)))

    def __repr__(self) -> str:
        t = ", ".join(f"{c:.6g}" for c in self._t)
        q = ", ".join(f"{c:.6g}" for c in self._q)
        return f"Pose([{t}], quaternion_xyzw=[{q}])"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Pose is frozen; cannot set {name!r}, make a new one")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"Pose is frozen; cannot delete {name!r}")

    def __reduce__(self) -> tuple[object, tuple[Vector3, Quaternion]]:
        return _make, (self._t, self._q)

    def __copy__(self) -> "Pose":
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> "Pose":
        return self


def _set(pose: Pose, t: Vector3, q: Quaternion) -> None:
    object.__setattr__(pose, "_t", t)
    object.__setattr__(pose, "_q", q)


def _make(t: Vector3, q: Quaternion) -> Pose:
    """Make a pose from numbers known to be right, unless the position has overflowed."""
    if not math.isfinite(t[0] + t[1] + t[2]):
        raise InputError(f"translation: too far away to compute with, got {list(t)}")
    pose = object.__new__(Pose)
    _set(pose, t, q)
    return pose


def _check_pose(other: object) -> None:
    if not isinstance(other, Pose):
        raise InputError(f"other: expected a Pose, got {reprlib.repr(other)}; act() moves points")


_IDENTITY: Final = _make((0.0, 0.0, 0.0), quat.IDENTITY)
