"""Measured velocities without their noise: an observer that knows what was commanded."""

from math import exp

from footwork._numba import F8, OUT1, VEC, VOID, kernel
from footwork.typing import Vector
from footwork.walking._kernels.footholds import clamp

DEVIATIONS = 3.0
LEARNING = 10.0  # [1/s]
LEAST_NOISE = 1e-4


@kernel(VOID(F8, F8, VEC, VEC, OUT1, OUT1, OUT1), counted=False)
def smooth_velocity(
    dt: float,
    rate: float,
    measured: Vector,
    acceleration: Vector,
    before: Vector,
    noise: Vector,
    estimate: Vector,
) -> None:
    """Bring an estimate of the velocity one tick further.

    The estimate follows the commanded acceleration, so that it does not lag, and the measurement at
    a rate: v̂ ← v̂ + a dt + g e, e = v − v̂ − a dt, g = 1 − exp(−rate dt). It is never farther from
    the measurement than three deviations of the noise, so that an impact, which nobody commanded,
    shows at once. The deviation is learnt: it is near the median of what velocities change from one
    tick to the next beyond the command (√2 · 0.6745 = 0.954 deviations of white noise), and a
    median does not see the few impacts. Without noise the estimate is what is measured.

    Args:
        dt: Control step [s].
        rate: At which the estimate follows [1/s].
        measured: Velocities v, shape (nv,).
        acceleration: Commanded in the tick before, a, shape (nv,).
        before: Measured in the tick before; changed, shape (nv,).
        noise: Its deviation; changed, shape (nv,).
        estimate: v̂; changed, shape (nv,).
    """
    gain, growth = 1.0 - exp(-rate * dt), exp(LEARNING * dt)
    for i in range(measured.size):
        step = dt * acceleration[i]
        is_more = abs(measured[i] - before[i] - step) > noise[i]
        noise[i] = max(noise[i] * (growth if is_more else 1.0 / growth), LEAST_NOISE)
        before[i] = measured[i]
        away = (1.0 - gain) * (estimate[i] + step - measured[i])
        bound = DEVIATIONS * noise[i]
        estimate[i] = measured[i] + clamp(away, -bound, bound)
