"""Sine and cosine by polynomials: a fraction of the time of the C library's, to 4e-16.

The dynamics of most models are little more than sines and cosines, so they decide how fast a
planner is. There is no branch before the polynomials, so the compiler computes once what is asked
for twice (the same angle in two stages of Runge and Kutta), and before the loop what does not
change in it (the steering angle along a motion).
"""

import math

from numba import types

from footwork._numba import F8, kernel

TWO_OVER_PI = 0.6366197723675814
TO_WHOLE = 6755399441055744.0
"""1.5 · 2⁵²: a small number added to it, and it taken away again, is the nearest whole number."""
# π/2 = FIRST + SECOND; FIRST has 33 bits, so that k·FIRST is exact for |k| < 2²⁰
FIRST = 1.5707963267341256
SECOND = 6.077100506506192e-11
LARGEST = 1.0e6


@kernel(types.UniTuple(F8, 2)(F8), forced=True, fused=True)
def sincos(x: float) -> tuple[float, float]:
    """Compute (sin x, cos x) with an absolute error of at most 4e-16.

    x = k π/2 + r, |r| ≤ π/4; sin r and cos r are polynomials in r², interpolated at Chebyshev
    nodes, whose terms are summed in pairs rather than one after the other; beyond |x| = 1e6 (and
    for what is not finite) the C library answers.

    Args:
        x: Angle [rad].

    Returns:
        Sine, then cosine.

    Example:
        >>> [round(v, 9) for v in sincos(0.5)]
        [0.479425539, 0.877582562]

    Source: ours (splitting of π/2 after cody1980software)
    """
    is_small = abs(x) < LARGEST
    k = (x * TWO_OVER_PI + TO_WHOLE) - TO_WHOLE
    r = (x - k * FIRST) - k * SECOND
    z = r * r
    zz = z * z
    s = (-0.16666666666666666 + z * 0.008333333333330948) + zz * (
        (-0.0001984126983675857 + z * 2.755731610255057e-06)
        + zz * (-2.5051131844614108e-08 + z * 1.5918129266803394e-10)
    )
    c = (0.041666666666666664 + z * -0.0013888888888887398) + zz * (
        (2.4801587298765686e-05 + z * -2.7557317271728623e-07)
        + zz * (2.087614626815952e-09 + z * -1.1382632407965617e-11)
    )
    s = r + r * z * s
    c = (1.0 - 0.5 * z) + zz * c
    quarter = int(k) if is_small else 0
    if quarter & 1:
        s, c = c, -s
    if quarter & 2:
        s, c = -s, -c
    if is_small:
        return s, c
    return math.sin(x), math.cos(x)
