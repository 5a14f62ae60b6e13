"""Random numbers and random states inside kernels: seeded, the same on every machine.

The generator is xorshift64* on one 64-bit word that the caller owns, so that every planner, and
every worker of a portfolio, has a stream of its own.

Source: vigna2016xorshift
"""

import math
from typing import Final

import numba
import numpy as np
from numba import types
from numpy.typing import NDArray

from footwork._numba import F8, I8, IMAT, OUT1, VEC, VOID, kernel
from footwork.planning._kernels.metric import DISCRETE, SO2, SO3, TWO_PI
from footwork.typing import IntVector, Vector

RNG: Final = types.Array(types.uint64, 1, "C")
"""Type of a generator's state: one word, never zero."""
UINT_MASK: Final = (1 << 64) - 1
TO_UNIT: Final = 1.0 / 9007199254740992.0


def seed_generator(seed: int, stream: int = 0) -> NDArray[np.uint64]:
    """Make the state of a generator from any integer, by two rounds of splitmix64.

    Args:
        seed: Any integer.
        stream: Number of an independent stream with the same seed.

    Returns:
        The state, shape (1,).
    """
    word = (seed + 0x632BE59BD9B4E019 * stream) & UINT_MASK
    for _ in range(2):
        word = (word + 0x9E3779B97F4A7C15) & UINT_MASK
        mixed = ((word ^ (word >> 30)) * 0xBF58476D1CE4E5B9) & UINT_MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & UINT_MASK
        word = mixed ^ (mixed >> 31)
    return np.array([word or 1], dtype=np.uint64)


if numba.config.DISABLE_JIT:  # plain integers, because NumPy's warn when they wrap around

    def random_uniform(rng: NDArray[np.uint64]) -> float:
        """Draw the next number of [0, 1)."""
        x = int(rng[0])
        x ^= x >> 12
        x ^= (x << 25) & UINT_MASK
        x ^= x >> 27
        rng[0] = x
        return (((x * 0x2545F4914F6CDD1D) & UINT_MASK) >> 11) * TO_UNIT

else:

    @kernel(F8(RNG), nogil=True)
    def random_uniform(rng: NDArray[np.uint64]) -> float:
        """Draw the next number of [0, 1)."""
        x = rng[0]
        x ^= x >> np.uint64(12)
        x ^= x << np.uint64(25)
        x ^= x >> np.uint64(27)
        rng[0] = x
        return ((x * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(11)) * TO_UNIT


@kernel(I8(RNG, I8, I8), nogil=True)
def random_integer(rng: NDArray[np.uint64], low: int, high: int) -> int:
    """Draw a whole number of [low, high], both included."""
    return low + math.floor(random_uniform(rng) * (high - low + 1))


@kernel(F8(RNG), nogil=True)
def random_normal(rng: NDArray[np.uint64]) -> float:
    """Draw from the standard normal distribution (Box and Muller's transform)."""
    radius = math.sqrt(-2.0 * math.log(1.0 - random_uniform(rng)))
    return radius * math.cos(TWO_PI * random_uniform(rng))


@kernel(VOID(RNG, I8, OUT1), nogil=True)
def sample_rotation(rng: NDArray[np.uint64], first: int, out: Vector) -> None:
    """Draw a unit quaternion uniformly.

    Source: shoemake1992uniform
    """
    s = random_uniform(rng)
    a = TWO_PI * random_uniform(rng)
    b = TWO_PI * random_uniform(rng)
    r1, r2 = math.sqrt(1.0 - s), math.sqrt(s)
    out[first] = r1 * math.sin(a)
    out[first + 1] = r1 * math.cos(a)
    out[first + 2] = r2 * math.sin(b)
    out[first + 3] = r2 * math.cos(b)


@kernel(VOID(IMAT, VEC, VEC, RNG, OUT1), nogil=True)
def sample_state(
    components: IntVector, low: Vector, high: Vector, rng: NDArray[np.uint64], out: Vector
) -> None:
    """Draw a state uniformly within the bounds; rotations uniformly over all rotations."""
    for c in range(components.shape[0]):
        kind, first, size = components[c, 0], components[c, 1], components[c, 2]
        if kind == SO2:
            out[first] = math.pi * (2.0 * random_uniform(rng) - 1.0)
        elif kind == SO3:
            sample_rotation(rng, first, out)
        elif kind == DISCRETE:
            out[first] = random_integer(rng, int(low[first]), int(high[first]))
        else:
            for i in range(first, first + size):
                out[i] = low[i] + (high[i] - low[i]) * random_uniform(rng)


@kernel(VOID(VEC, VEC, types.Array(types.boolean, 1, "C", readonly=True), RNG, OUT1), nogil=True)
def sample_control(
    low: Vector,
    high: Vector,
    is_discrete: NDArray[np.bool_],
    rng: NDArray[np.uint64],
    out: Vector,
) -> None:
    """Draw a control uniformly within the bounds, whole numbers where it is discrete."""
    for i in range(low.size):
        if is_discrete[i]:
            out[i] = random_integer(rng, int(low[i]), int(high[i]))
        else:
            out[i] = low[i] + (high[i] - low[i]) * random_uniform(rng)
