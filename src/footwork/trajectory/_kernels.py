"""Compiled arithmetic of polynomials of degree five."""

# ruff: noqa: PLR0917 - kernels take plain numbers and arrays

from numba import types

from footwork._numba import F8, MAT, OUT2, VEC, VOID, kernel
from footwork.typing import Matrix, Vector

TRIPLE = types.UniTuple(F8, 3)


@kernel(TRIPLE(F8, F8, F8, F8, F8, F8, F8))
def quintic_step(
    p: float, v: float, a: float, p_end: float, v_end: float, duration: float, dt: float
) -> tuple[float, float, float]:
    """Advance by dt along the minimum-jerk curve from (p, v, a) to (p_end, v_end, 0).

    x(t) = p + v t + ½ a t² + c₃ t³ + c₄ t⁴ + c₅ t⁵ with x(T) = p_end, ẋ(T) = v_end, ẍ(T) = 0.
    """
    T = duration
    d = p_end - p
    c3 = (20.0 * d - (12.0 * v + 8.0 * v_end) * T - 3.0 * a * T * T) / (2.0 * T**3)
    c4 = (-30.0 * d + (16.0 * v + 14.0 * v_end) * T + 3.0 * a * T * T) / (2.0 * T**4)
    c5 = (12.0 * d - 6.0 * (v + v_end) * T - a * T * T) / (2.0 * T**5)
    x = p + dt * (v + dt * (0.5 * a + dt * (c3 + dt * (c4 + dt * c5))))
    dx = v + dt * (a + dt * (3.0 * c3 + dt * (4.0 * c4 + dt * 5.0 * c5)))
    ddx = a + dt * (6.0 * c3 + dt * (12.0 * c4 + dt * 20.0 * c5))
    return x, dx, ddx


@kernel(VOID(MAT, VEC, OUT2))
def evaluate_polynomials(coefficients: Matrix, times: Vector, out: Matrix) -> None:
    """Evaluate polynomials: out[i, j] = Σ_k coefficients[k, j] times[i]^k (Horner)."""
    degree = coefficients.shape[0] - 1
    for i in range(times.size):
        for j in range(coefficients.shape[1]):
            total = coefficients[degree, j]
            for k in range(degree - 1, -1, -1):
                total = total * times[i] + coefficients[k, j]
            out[i, j] = total
