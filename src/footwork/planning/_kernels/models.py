"""Equations of motion, f(x, u, p) → dx/dt or the next state, as plain functions.

They are plain so that a rollout compiles them into itself; `sincos` is compiled already. ``p``
holds the model's parameters in the order that its factory packs them.
"""

from footwork.planning._kernels.trigonometry import sincos
from footwork.typing import Vector

Rates = tuple[float, ...]


def unicycle(x: Vector, u: Vector) -> Rates:
    """ẋ = v cos θ, ẏ = v sin θ, θ̇ = ω."""
    s, c = sincos(x[2])
    return u[0] * c, u[0] * s, u[1]


def differential_drive(x: Vector, u: Vector, p: Vector) -> Rates:
    """Two driven wheels: v = r (ω_r + ω_l)/2, θ̇ = r (ω_r − ω_l)/b; p = (r, b)."""
    s, c = sincos(x[2])
    v = 0.5 * p[0] * (u[1] + u[0])
    return v * c, v * s, p[0] * (u[1] - u[0]) / p[1]


def kinematic_car(x: Vector, u: Vector, p: Vector) -> Rates:
    """ẋ = v cos θ, ẏ = v sin θ, θ̇ = v tan δ / L; p = (L,)."""
    s, c = sincos(x[2])
    sd, cd = sincos(u[1])
    return u[0] * c, u[0] * s, u[0] * sd / (cd * p[0])


def second_order_unicycle(x: Vector, u: Vector) -> Rates:
    """ẋ = v cos θ, ẏ = v sin θ, θ̇ = ω, v̇ = a, ω̇ = α."""
    s, c = sincos(x[2])
    return x[3] * c, x[3] * s, x[4], u[0], u[1]


def second_order_car(x: Vector, u: Vector, p: Vector) -> Rates:
    """ẋ = v cos θ, ẏ = v sin θ, θ̇ = v tan δ / L, v̇ = a, δ̇ = ψ; p = (L,)."""
    s, c = sincos(x[2])
    sd, cd = sincos(x[4])
    return x[3] * c, x[3] * s, x[3] * sd / (cd * p[0]), u[0], u[1]


def car_with_trailer(x: Vector, u: Vector, p: Vector) -> Rates:
    """As a kinematic car, and φ̇ = v sin(θ − φ)/d for the trailer; p = (L, d)."""
    s, c = sincos(x[2])
    sd, cd = sincos(u[1])
    sh, _ = sincos(x[2] - x[3])
    return u[0] * c, u[0] * s, u[0] * sd / (cd * p[0]), u[0] * sh / p[1]


def omnidirectional_base(x: Vector, u: Vector) -> Rates:
    """ṗ = R(θ) v, θ̇ = ω, v̇ = a, ω̇ = α, with v and a in the frame of the base."""
    s, c = sincos(x[2])
    return c * x[3] - s * x[4], s * x[3] + c * x[4], x[5], u[0], u[1], u[2]


def double_integrator_1(x: Vector, u: Vector) -> Rates:
    """p̈ = a along a line."""
    return x[1], u[0]


def double_integrator_2(x: Vector, u: Vector) -> Rates:
    """p̈ = a in the plane."""
    return x[2], x[3], u[0], u[1]


def double_integrator_3(x: Vector, u: Vector) -> Rates:
    """p̈ = a in space."""
    return x[3], x[4], x[5], u[0], u[1], u[2]


def planar_quadrotor(x: Vector, u: Vector, p: Vector) -> Rates:
    """ẍ = −F sin θ/m, z̈ = F cos θ/m − g, θ̈ = l (f₁ − f₂)/I; p = (m, I, l, g, unit)."""
    s, c = sincos(x[2])
    a = (u[0] + u[1]) * p[4] / p[0]
    return x[3], x[4], x[5], -a * s, a * c - p[3], p[2] * (u[0] - u[1]) * p[4] / p[1]


def planar_quadrotor_with_pole(x: Vector, u: Vector, p: Vector) -> Rates:
    """Lagrange's equations of a planar rotor with a point mass on a massless rod.

    The rod hangs from the centre of mass; its angle q counts from the rotor's down, a = θ + q from
    the world's. With e = (sin a, −cos a) along the rod and F the thrust, the tension is what keeps
    the mass at r: T = μ (m r ȧ² + F cos q)/(m + μ), where F cos q is thrust along −e;
    m p̈ = F n − m g + T e, and r ä = F sin q / m across the rod. p = (m, I, l, g, unit, μ, r).
    """
    s, c = sincos(x[2])
    sa, ca = sincos(x[2] + x[3])
    sq, cq = sincos(x[3])
    force = (u[0] + u[1]) * p[4]
    rate = x[6] + x[7]
    tension = p[5] * (p[0] * p[6] * rate * rate + force * cq) / (p[0] + p[5])
    spin = p[2] * (u[0] - u[1]) * p[4] / p[1]
    return (
        x[4],
        x[5],
        x[6],
        x[7],
        (-force * s + tension * sa) / p[0],
        (force * c - tension * ca) / p[0] - p[3],
        spin,
        -force * sq / (p[0] * p[6]) - spin,
    )


def quadrotor(x: Vector, u: Vector, p: Vector) -> Rates:
    """Rigid body with thrust along its z and torques, attitude as roll, pitch, yaw.

    p = (m, Jx, Jy, Jz, g).
    """
    sr, cr = sincos(x[3])
    sp, cp = sincos(x[4])
    sy, cy = sincos(x[5])
    wx, wy, wz = x[9], x[10], x[11]
    across = wy * sr + wz * cr
    a = u[0] / p[0]
    return (
        x[6],
        x[7],
        x[8],
        wx + across * sp / cp,
        wy * cr - wz * sr,
        across / cp,
        a * (cr * sp * cy + sr * sy),
        a * (cr * sp * sy - sr * cy),
        a * cr * cp - p[4],
        (u[1] - (p[3] - p[2]) * wy * wz) / p[1],
        (u[2] - (p[1] - p[3]) * wz * wx) / p[2],
        (u[3] - (p[2] - p[1]) * wx * wy) / p[3],
    )


def quadrotor_step(x: Vector, u: Vector, h: float, p: Vector) -> Rates:
    """One step of Euler of a quadrotor with a quaternion, q ← q exp(h ω/2), velocities as of x.

    p = (m, Jx, Jy, Jz, g, then the 4 × 4 matrix from u to thrust and torques, row by row).
    """
    qx, qy, qz, qw = x[3], x[4], x[5], x[6]
    wx, wy, wz = x[10], x[11], x[12]
    a = (p[5] * u[0] + p[6] * u[1] + p[7] * u[2] + p[8] * u[3]) / p[0]
    tx = p[9] * u[0] + p[10] * u[1] + p[11] * u[2] + p[12] * u[3]
    ty = p[13] * u[0] + p[14] * u[1] + p[15] * u[2] + p[16] * u[3]
    tz = p[17] * u[0] + p[18] * u[1] + p[19] * u[2] + p[20] * u[3]
    angle2 = 0.25 * h * h * (wx * wx + wy * wy + wz * wz)
    angle = angle2**0.5
    s, ew = sincos(angle)
    # sin(α)/α, by its series near 0
    k = 0.5 * h * (s / angle if angle > 1e-4 else 1.0 - angle2 / 6.0)
    ex, ey, ez = k * wx, k * wy, k * wz
    return (
        x[0] + h * x[7],
        x[1] + h * x[8],
        x[2] + h * x[9],
        qw * ex + qx * ew + qy * ez - qz * ey,
        qw * ey - qx * ez + qy * ew + qz * ex,
        qw * ez + qx * ey - qy * ex + qz * ew,
        qw * ew - qx * ex - qy * ey - qz * ez,
        x[7] + h * a * 2.0 * (qx * qz + qw * qy),
        x[8] + h * a * 2.0 * (qy * qz - qw * qx),
        x[9] + h * (a * (1.0 - 2.0 * (qx * qx + qy * qy)) - p[4]),
        wx + h * (tx - (p[3] - p[2]) * wy * wz) / p[1],
        wy + h * (ty - (p[1] - p[3]) * wz * wx) / p[2],
        wz + h * (tz - (p[2] - p[1]) * wx * wy) / p[3],
    )


def cart_pole(x: Vector, u: Vector, p: Vector) -> Rates:
    """Cart on a rail with a pole that hangs at θ = 0; p = (cart, pole mass, length, g)."""
    s, c = sincos(x[1])
    w2 = x[3] * x[3]
    heavy = p[0] + p[1] * s * s
    return (
        x[2],
        x[3],
        (u[0] + p[1] * s * (p[2] * w2 + p[3] * c)) / heavy,
        (-u[0] * c - p[1] * p[2] * w2 * c * s - (p[0] + p[1]) * p[3] * s) / (p[2] * heavy),
    )


def acrobot(x: Vector, u: Vector, p: Vector) -> Rates:
    """Two links that hang at 0, torque at the second joint only.

    p = (l₁, lc₁, lc₂, m₁, m₂, I₁, I₂, g); I about each link's own joint.
    """
    s1, _ = sincos(x[0])
    s2, c2 = sincos(x[1])
    s12, _ = sincos(x[0] + x[1])
    w1, w2 = x[2], x[3]
    k = p[4] * p[0] * p[2]
    m22 = p[6]
    m12 = m22 + k * c2
    m11 = p[5] + p[6] + p[4] * p[0] * p[0] + 2.0 * k * c2
    f1 = 2.0 * k * s2 * w1 * w2 + k * s2 * w2 * w2
    f1 -= p[7] * (p[3] * p[1] * s1 + p[4] * (p[0] * s1 + p[2] * s12))
    f2 = u[0] - k * s2 * w1 * w1 - p[7] * p[4] * p[2] * s12
    det = m11 * m22 - m12 * m12
    return w1, w2, (m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det
