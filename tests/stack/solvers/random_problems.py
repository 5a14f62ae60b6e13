"""Random prioritised problems of every awkward kind, in short binary fractions."""

import numpy as np

from footwork.stack.solvers import Level, Problem
from footwork.typing import Matrix, Vector

LEAST_RATIO = 1e-3
"""Singular values are exactly zero or at least this part of the largest."""


def short(rng: np.random.Generator, shape: tuple[int, ...], most: int = 8) -> Matrix:
    return rng.integers(-most, most + 1, shape) / 4.0


def is_clear(A: Matrix) -> bool:
    if A.size == 0:
        return True
    s = np.linalg.svd(A, compute_uv=False)
    rest = s[s > 1e-12 * max(s[0], 1e-300)]
    return bool(rest.size == 0 or rest[-1] >= LEAST_RATIO * s[0])


def rows_of(rng: np.random.Generator, n: int, m: int, above: Matrix) -> Matrix:
    """Cost rows: plain, rank deficient, repeated, or partly those of an upper level."""
    while True:
        kind = rng.integers(5)
        if kind == 0 or m == 0:
            A = short(rng, (m, n))
        elif kind == 1:
            rank = int(rng.integers(1, max(2, min(m, n))))
            A = short(rng, (m, rank), 3) @ short(rng, (rank, n), 3)
        elif kind == 2:
            A = short(rng, (m, n))
            A[int(rng.integers(m))] = A[int(rng.integers(m))]
        elif kind == 3 and above.shape[0]:
            A = short(rng, (m, n))
            mix = rng.integers(-2, 3, (1, above.shape[0])) / 2.0
            A[int(rng.integers(m))] = (mix @ above)[0]
        else:
            A = short(rng, (m, n)) * (rng.random((m, n)) < 0.4)
        if is_clear(A) and is_clear(np.vstack([above, A])):
            return A


def sides_of(rng: np.random.Generator, value: Vector, *, feasible: bool) -> tuple[Vector, Vector]:
    """Sides around a value: one or two, some of them touching it, some equal."""
    low = value - rng.integers(0, 9, value.size) / 4.0
    high = value + rng.integers(0, 9, value.size) / 4.0
    if not feasible:
        shift = rng.integers(-12, 13, value.size) / 4.0
        low, high = low + shift, high + shift
    kind = rng.integers(6, size=value.size)
    low = np.where(kind == 0, -np.inf, low)
    high = np.where(kind == 1, np.inf, high)
    middle = value if feasible else high
    return np.where(kind == 2, middle, low), np.where(kind == 2, middle, high)


def random_problem(seed: int, *, linear: bool = False) -> Problem:
    """Make one problem; its stack-wide constraints can be met."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 8))
    point = short(rng, (n,), 6)
    lower = point - rng.integers(0, 13, n) / 4.0
    upper = point + rng.integers(0, 13, n) / 4.0
    if not linear:
        lower = np.where(rng.random(n) < 0.2, -np.inf, lower)
        upper = np.where(rng.random(n) < 0.2, np.inf, upper)
    levels = []
    above = np.zeros((0, n))
    for k in range(int(rng.integers(1, 5))):
        A = rows_of(rng, n, int(rng.integers(0, n + 3)), above)
        above = np.vstack([above, A])
        C, S = np.zeros((0, n)), np.zeros((0, n))
        if rng.random() < (0.7 if k == 0 else 0.1):
            C = short(rng, (int(rng.integers(1, 5)), n), 4)
            if rng.random() < 0.5:
                C = np.vstack([C, C[:1], -2.0 * C[-1:]])
        if rng.random() < 0.4:
            S = short(rng, (int(rng.integers(1, 4)), n), 4)
        C_lower, C_upper = sides_of(rng, C @ point, feasible=True)
        if k > 0:
            flat = C_lower == C_upper
            C_lower = np.where(flat, -np.inf, C_lower)
        S_lower, S_upper = sides_of(rng, S @ point, feasible=False)
        c = short(rng, (n,), 3) if linear and rng.random() < 0.5 else None
        levels.append(
            Level(
                A=A,
                b=short(rng, (A.shape[0],), 12),
                c=c,
                C=C,
                C_lower=C_lower,
                C_upper=C_upper,
                S=S,
                S_lower=S_lower,
                S_upper=S_upper,
            )
        )
    return Problem.from_levels(levels, size=n, lower=lower, upper=upper)
