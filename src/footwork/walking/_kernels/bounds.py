"""Limits of joint positions as limits of joint accelerations."""

from footwork._numba import F8, OUT1, VEC, VOID, kernel
from footwork.typing import Vector
from footwork.walking._kernels.footholds import clamp


@kernel(VOID(VEC, VEC, VEC, VEC, F8, F8, F8, OUT1, OUT1), counted=False)
def acceleration_bounds(
    q: Vector,
    v: Vector,
    low: Vector,
    high: Vector,
    rate: float,
    approach: float,
    largest: float,
    lower: Vector,
    upper: Vector,
) -> None:
    """Bound accelerations so that joints come to rest before their limits.

    The velocity towards a limit may be at most K (limit − q), and is brought there at rate k:
    k (K (low − q) − v) ≤ a ≤ k (K (high − q) − v), neither bound beyond ∓largest, so that a joint
    that is already too fast never asks for the impossible.

    Args:
        q: Joint positions [rad], shape (nu,).
        v: Joint velocities [rad/s], shape (nu,).
        low: Lower limits [rad], shape (nu,).
        high: Upper limits [rad], shape (nu,).
        rate: k [1/s].
        approach: K [1/s].
        largest: Most that a bound demands [rad/s²].
        lower: Written [rad/s²], shape (nu,).
        upper: Written [rad/s²], shape (nu,).
    """
    for i in range(q.size):
        to_low = rate * (approach * (low[i] - q[i]) - v[i])
        to_high = rate * (approach * (high[i] - q[i]) - v[i])
        lower[i] = clamp(to_low, -1e6, largest)
        upper[i] = clamp(to_high, -largest, 1e6)
