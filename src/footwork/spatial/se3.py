"""Exponential and logarithm of SE(3), on plain floats as `footwork.spatial.quaternion`.

Source: sola2018lie
"""

import math

from footwork.errors import InputError
from footwork.spatial import quaternion as quat
from footwork.spatial.quaternion import Quaternion, Vector3


def exp(rho: Vector3, phi: Vector3) -> tuple[Vector3, Quaternion]:
    """Map a twist to a placement: translation V(φ) v, rotation exp φ.

    V = I + (1−cos θ)/θ² [φ]× + (θ−sin θ)/θ³ [φ]×²

    Args:
        rho: Linear part v [m].
        phi: Rotation vector [rad], θ = |φ|.

    Returns:
        Translation [m], and unit quaternion.

    Raises:
        InputError: If θ is too large for a double.

    Source: sola2018lie, eq. 172
    """
    theta2 = dot(phi, phi)
    theta = math.sqrt(theta2)
    if not math.isfinite(theta):
        far = f"a rotation by {math.hypot(*phi):g} rad is too far"
        raise InputError(f"twist: {far}, got {[*rho, *phi]}")
    if theta < 1e-3:  # the series; its next terms are below 1e-16
        a, b = 0.5 - theta2 / 24.0, (1.0 - theta2 / 20.0) / 6.0
    else:
        a = 2.0 * math.sin(0.5 * theta) ** 2 / theta2
        b = (theta - math.sin(theta)) / (theta2 * theta)
    return _sum(rho, a, b, phi), quat.exp(phi)


def log(t: Vector3, q: Quaternion) -> tuple[Vector3, Vector3]:
    """Map a placement to a twist, the inverse of `exp`: v = V(φ)⁻¹ t.

    V⁻¹ = I − ½ [φ]× + (1/θ² − (1+cos θ)/(2 θ sin θ)) [φ]×²

    Args:
        t: Translation [m].
        q: Unit quaternion.

    Returns:
        Linear part [m], and rotation vector [rad] with norm in [0, π].

    Source: sola2018lie, eq. 174
    """
    phi = quat.log(q)
    theta2 = dot(phi, phi)
    theta = math.sqrt(theta2)
    half = 0.5 * theta
    # (1+cos θ)/sin θ = cot(θ/2), finite at a half turn
    b = (
        (1.0 + theta2 / 60.0) / 12.0
        if theta < 1e-3
        else (1.0 - half * math.cos(half) / math.sin(half)) / theta2
    )
    return _sum(t, -0.5, b, phi), phi


def dot(a: Vector3, b: Vector3) -> float:
    """Multiply two vectors.

    Args:
        a: One.
        b: The other.

    Returns:
        aᵀ b.
    """
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _sum(v: Vector3, a: float, b: float, phi: Vector3) -> Vector3:
    """Compute v + a φ × v + b φ × (φ × v)."""
    c1 = _cross(phi, v)
    c2 = _cross(phi, c1)
    return (
        v[0] + a * c1[0] + b * c2[0],
        v[1] + a * c1[1] + b * c2[1],
        v[2] + a * c1[2] + b * c2[2],
    )


def _cross(a: Vector3, b: Vector3) -> Vector3:
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )
