"""Distance, wrapping and bounds of flat states, driven by the component table of a space.

A table has one row (kind, offset, size) for each component; `footwork.planning.spaces` makes it.
The distance of two states is Σᵢ wᵢ dᵢ over the components, never negative whatever the angles.
"""

import math
from typing import Final

import numpy as np

from footwork._numba import B1, F8, I8, IMAT, MAT, OUT1, VEC, VOID, kernel
from footwork.typing import IntVector, Matrix, Vector

REAL: Final = 0
SO2: Final = 1
SO3: Final = 2
TIME: Final = 3
DISCRETE: Final = 4

PI: Final = math.pi
TWO_PI: Final = 2.0 * math.pi


@kernel(F8(F8), nogil=True, inline=True)
def wrap_angle(angle: float) -> float:
    """Bring an angle into [−π, π) [rad]; one that is there already is not touched."""
    wrapped = angle
    if not -PI <= wrapped < PI:
        wrapped = float(np.fmod(wrapped, TWO_PI))
        if wrapped < -PI:
            wrapped += TWO_PI
        elif wrapped >= PI:
            wrapped -= TWO_PI
    return wrapped


@kernel(F8(VEC, VEC, F8), nogil=True)
def quaternion_distance(a: Vector, b: Vector, dot: float) -> float:
    """Angle between two rotations over two, acos |a·b|, without loss near zero.

    Below 1e-2 the chord 2 asin(½ |a ∓ b|) is the same number and well conditioned.
    """
    cosine = abs(dot)
    if cosine > 0.99995:
        sign = 1.0 if dot >= 0.0 else -1.0
        chord2 = 0.0
        for i in range(4):
            chord2 += (a[i] - sign * b[i]) ** 2
        return 2.0 * math.asin(min(1.0, 0.5 * math.sqrt(chord2)))
    return math.acos(cosine)


@kernel(F8(IMAT, VEC, VEC, VEC), nogil=True)
def distance(components: IntVector, weights: Vector, a: Vector, b: Vector) -> float:
    """Distance of two states, Σᵢ wᵢ dᵢ."""
    total = 0.0
    for c in range(components.shape[0]):
        kind, first, size = components[c, 0], components[c, 1], components[c, 2]
        if kind == REAL:
            square = 0.0
            for i in range(first, first + size):
                square += (a[i] - b[i]) ** 2
            total += weights[c] * math.sqrt(square)
        elif kind == SO2:
            gap = abs(wrap_angle(a[first] - b[first]))
            total += weights[c] * gap
        elif kind == SO3:
            dot = 0.0
            for i in range(first, first + 4):
                dot += a[i] * b[i]
            gap = quaternion_distance(a[first : first + 4], b[first : first + 4], dot)
            total += weights[c] * gap
        else:
            total += weights[c] * abs(a[first] - b[first])
    return total


@kernel(VOID(IMAT, VEC, MAT, VEC, OUT1), nogil=True)
def distances(
    components: IntVector, weights: Vector, points: Matrix, b: Vector, out: Vector
) -> None:
    """Distance of every row of ``points`` to b."""
    for i in range(points.shape[0]):
        out[i] = distance(components, weights, points[i], b)


@kernel(VOID(IMAT, VEC, MAT, OUT1), nogil=True)
def successive_distances(
    components: IntVector, weights: Vector, points: Matrix, out: Vector
) -> None:
    """Distance of every row of ``points`` to the next one."""
    for i in range(points.shape[0] - 1):
        out[i] = distance(components, weights, points[i], points[i + 1])


@kernel(VOID(IMAT, OUT1), nogil=True)
def wrap(components: IntVector, x: Vector) -> None:
    """Wrap the angles of a state and make its quaternions unit, in place."""
    for c in range(components.shape[0]):
        kind, first = components[c, 0], components[c, 1]
        if kind == SO2:
            x[first] = wrap_angle(x[first])
        elif kind == SO3:
            square = 0.0
            for i in range(first, first + 4):
                square += x[i] * x[i]
            norm = math.sqrt(square)
            if norm > 0.0 and abs(norm - 1.0) > 1e-15:
                for i in range(first, first + 4):
                    x[i] /= norm


@kernel(B1(IMAT, VEC, VEC, VEC), nogil=True)
def satisfies_bounds(components: IntVector, low: Vector, high: Vector, x: Vector) -> bool:
    """Whether every component lies within its bounds; angles and rotations have none."""
    for c in range(components.shape[0]):
        kind, first, size = components[c, 0], components[c, 1], components[c, 2]
        if kind in (SO2, SO3):
            continue
        for i in range(first, first + size):
            if not low[i] <= x[i] <= high[i]:
                return False
    return True


@kernel(VOID(VEC, VEC, F8, I8, OUT1), nogil=True)
def _slerp(a: Vector, b: Vector, fraction: float, first: int, out: Vector) -> None:
    dot = 0.0
    for i in range(first, first + 4):
        dot += a[i] * b[i]
    sign = 1.0 if dot >= 0.0 else -1.0
    angle = quaternion_distance(a[first : first + 4], b[first : first + 4], dot)
    if angle > 1e-9:
        sine = math.sin(angle)
        wa = math.sin((1.0 - fraction) * angle) / sine
        wb = sign * math.sin(fraction * angle) / sine
    else:
        wa, wb = 1.0 - fraction, sign * fraction
    for i in range(first, first + 4):
        out[i] = wa * a[i] + wb * b[i]


@kernel(VOID(IMAT, VEC, VEC, F8, OUT1), nogil=True)
def interpolate(components: IntVector, a: Vector, b: Vector, fraction: float, out: Vector) -> None:
    """The state a fraction of the way from a to b, the short way round for angles."""
    for c in range(components.shape[0]):
        kind, first, size = components[c, 0], components[c, 1], components[c, 2]
        if kind == SO2:
            gap = wrap_angle(b[first] - a[first])
            out[first] = wrap_angle(a[first] + fraction * gap)
        elif kind == SO3:
            _slerp(a, b, fraction, first, out)
        elif kind == DISCRETE:
            out[first] = math.floor(a[first] + fraction * (b[first] - a[first]) + 0.5)
        else:
            for i in range(first, first + size):
                out[i] = a[i] + fraction * (b[i] - a[i]) if fraction != 1.0 else b[i]
