"""Unit quaternions (x, y, z, w) as tuples of floats.

Plain floats, because a NumPy call costs more than all of this arithmetic. Functions take unit
quaternions and return unit quaternions; `Pose` is where input is checked.

Source: sola2017quaternion, with the scalar last.
"""

import math
from typing import TypeAlias

Quaternion: TypeAlias = tuple[float, float, float, float]
"""(x, y, z, w), |q| = 1."""
Vector3: TypeAlias = tuple[float, float, float]

IDENTITY: Quaternion = (0.0, 0.0, 0.0, 1.0)


def normalised(q: Quaternion) -> Quaternion:
    """Divide by the norm, unless that is 1 to the last bits already.

    Args:
        q: A quaternion close to the unit sphere.

    Returns:
        q / |q|; ``q`` itself when its norm is 1 within 1e-15, so that repeating changes nothing.
    """
    norm = math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if abs(norm - 1.0) <= 1e-15:
        return q
    return (q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm)


def multiply(a: Quaternion, b: Quaternion) -> Quaternion:
    """Compose two rotations: first b, then a.

    Args:
        a: Left factor.
        b: Right factor.

    Returns:
        The Hamilton product a ⊗ b.
    """
    ax, ay, az, aw = a
    bx, by, bz, bw = b
    return (
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    )


def conjugate(q: Quaternion) -> Quaternion:
    """Invert a rotation.

    Args:
        q: A unit quaternion.

    Returns:
        (−x, −y, −z, w).
    """
    return (-q[0], -q[1], -q[2], q[3])


def rotate(q: Quaternion, p: Vector3) -> Vector3:
    """Rotate a vector: R(q) p = p + 2 w (v × p) + 2 v × (v × p), v = (x, y, z).

    Args:
        q: A unit quaternion.
        p: The vector.

    Returns:
        The rotated vector.
    """
    x, y, z, w = q
    tx = 2.0 * (y * p[2] - z * p[1])
    ty = 2.0 * (z * p[0] - x * p[2])
    tz = 2.0 * (x * p[1] - y * p[0])
    return (
        p[0] + w * tx + y * tz - z * ty,
        p[1] + w * ty + z * tx - x * tz,
        p[2] + w * tz + x * ty - y * tx,
    )


def exp(phi: Vector3) -> Quaternion:
    """Turn a rotation vector into a quaternion: q = (sin(θ/2)/θ · φ, cos(θ/2)), θ = |φ|.

    Args:
        phi: Rotation vector [rad].

    Returns:
        The unit quaternion.
    """
    theta = math.sqrt(phi[0] * phi[0] + phi[1] * phi[1] + phi[2] * phi[2])
    scale = math.sin(0.5 * theta) / theta if theta > 1e-6 else 0.5 - theta * theta / 48.0
    return normalised((scale * phi[0], scale * phi[1], scale * phi[2], math.cos(0.5 * theta)))


def log(q: Quaternion) -> Vector3:
    """Rotation vector of a rotation, the inverse of `exp`, with norm in [0, π].

    θ = 2 atan2(|v|, |w|), φ = sign(w) θ v / |v|: well conditioned at 0 and at a half turn.

    Args:
        q: A unit quaternion.

    Returns:
        The rotation vector [rad].
    """
    x, y, z, w = q if q[3] >= 0.0 else (-q[0], -q[1], -q[2], -q[3])
    norm = math.sqrt(x * x + y * y + z * z)
    scale = 2.0 * math.atan2(norm, w) / norm if norm > 1e-9 else 2.0 / w
    return (scale * x, scale * y, scale * z)


def canonical(q: Quaternion) -> Quaternion:
    """Choose one of q and −q, which are one rotation.

    Args:
        q: A unit quaternion.

    Returns:
        The one whose last component that is not zero is positive.
    """
    for c in reversed(q):
        if c != 0.0:
            sign = math.copysign(1.0, c)
            # + 0.0 turns −0.0 into 0.0, which hash alike but keeps the tuple readable
            return (sign * q[0] + 0.0, sign * q[1] + 0.0, sign * q[2] + 0.0, sign * q[3] + 0.0)
    return q


def from_matrix(R: tuple[Vector3, Vector3, Vector3]) -> Quaternion:
    """Quaternion of a rotation matrix, dividing by its largest component.

    Args:
        R: Rows of a rotation matrix.

    Returns:
        The unit quaternion with w ≥ 0 where w is the largest.

    Source: shepperd1978quaternion
    """
    (a, b, c), (d, e, f), (g, h, i) = R
    candidates = (1.0 + a - e - i, 1.0 - a + e - i, 1.0 - a - e + i, 1.0 + a + e + i)
    largest = max(range(4), key=candidates.__getitem__)
    s = 2.0 * math.sqrt(max(candidates[largest], 0.0))
    match largest:
        case 0:
            q = (0.25 * s, (b + d) / s, (c + g) / s, (h - f) / s)
        case 1:
            q = ((b + d) / s, 0.25 * s, (f + h) / s, (c - g) / s)
        case 2:
            q = ((c + g) / s, (f + h) / s, 0.25 * s, (d - b) / s)
        case _:
            q = ((h - f) / s, (c - g) / s, (d - b) / s, 0.25 * s)
    return normalised(q)


def to_matrix(q: Quaternion) -> tuple[Vector3, Vector3, Vector3]:
    """Rotation matrix of a unit quaternion.

    Args:
        q: A unit quaternion.

    Returns:
        Rows of R = I + 2 w [v]× + 2 [v]×².
    """
    x, y, z, w = q
    return (
        (1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)),
        (2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)),
        (2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)),
    )


def from_rpy(roll: float, pitch: float, yaw: float) -> Quaternion:
    """Quaternion of R = Rz(yaw) Ry(pitch) Rx(roll).

    Args:
        roll: About x [rad].
        pitch: About y [rad].
        yaw: About z [rad].

    Returns:
        The unit quaternion.
    """
    cr, sr = math.cos(0.5 * roll), math.sin(0.5 * roll)
    cp, sp = math.cos(0.5 * pitch), math.sin(0.5 * pitch)
    cy, sy = math.cos(0.5 * yaw), math.sin(0.5 * yaw)
    return (
        sr * cp * cy - cr * sp * sy,
        cr * sp * cy + sr * cp * sy,
        cr * cp * sy - sr * sp * cy,
        cr * cp * cy + sr * sp * sy,
    )


def to_rpy(q: Quaternion) -> Vector3:
    """Roll, pitch, yaw of R = Rz(yaw) Ry(pitch) Rx(roll).

    Args:
        q: A unit quaternion.

    Returns:
        (roll, pitch, yaw) [rad], pitch in [−π/2, π/2]; at a pitch of ±π/2 the roll is 0.
    """
    (r00, r01, _), (r10, r11, _), (r20, r21, r22) = to_matrix(q)
    cos_pitch = math.hypot(r00, r10)
    pitch = math.atan2(-r20, cos_pitch)
    if cos_pitch < 1e-7:
        return (0.0, pitch, math.atan2(-r01, r11))
    return (math.atan2(r21, r22), pitch, math.atan2(r10, r00))
