"""One level's minimum: proximal rounds of the dual method, from the active set of the last tick."""

import math

import numpy as np

from footwork._numba import F8, I8, VEC, kernel
from footwork.stack._kernels.active_set import solve_upper
from footwork.stack._kernels.basis import retract
from footwork.stack._kernels.dual import (
    LIMIT,
    NOT_FINITE,
    SOLVED,
    solve_dual,
    value_of,
)
from footwork.stack._kernels.face import ENDLESS, LEAST, STOPPED, UNSEEN, step_on_face
from footwork.stack._kernels.products import (
    dot,
)
from footwork.stack._kernels.residual import fill_gradient, fill_residual
from footwork.stack._kernels.workspace import (
    COUNT,
    DATA,
    FREE,
    ITERATIONS,
    RANK,
    SLACKS,
    WORK,
    Data,
    Work,
)
from footwork.typing import Vector

UNBOUNDED = 2
ROUNDS = 60
"""Most proximal rounds of a level."""
CREEPING = 1e-3
"""Where a round leaves more than this of the free gradient, it is not rounding that keeps it up."""
STATIONARY = 1e-13
"""Free gradient, relative to the level's residual, at which a level is solved."""
LAST_BITS = 2e-15
"""Rounding of x, or of a gradient, relative to its size."""
STAGNANT = 1e-9
"""The same when rounding stops it from falling further."""
ROUNDING = 1e-13
"""Rounding of A x relative to |A| |x|."""
PULLING = 1e-12
"""A multiplier this far below zero, relative to the gradient, is rounding."""


@kernel(F8(DATA, WORK), fast=True, counted=False)
def active_residual(p: Data, w: Work) -> float:
    """Measure how far the active constraints are from their sides.

    Args:
        p: Problem.
        w: Workspace.

    Returns:
        The largest distance, relative to max(1, |side|).
    """
    worst = 0.0
    for a in range(w.state[COUNT]):
        i = w.act[a]
        side = w.lo[i] if w.sign[a] > 0.0 else w.hi[i]
        worst = max(worst, abs(value_of(p, w, i) - side) / max(1.0, abs(side)))
    return worst


@kernel(F8(VEC), fast=True, counted=False)
def norm_of(a: Vector) -> float:
    """Take the Euclidean norm.

    Args:
        a: Vector.

    Returns:
        |a|.
    """
    return math.sqrt(dot(a, a, a.size))


@kernel(F8(WORK, I8, F8), fast=True, counted=False)
def blown_up(w: Work, n: int, gradient: float) -> float:
    """Tell how much of d = J gradient an error of the gradient may be: J is large where A is faint.

    Args:
        w: Workspace.
        n: Unknowns.
        gradient: Error of the gradient.

    Returns:
        Error of the part of d that no constraint holds.
    """
    total, slacks = 0.0, w.state[SLACKS]
    for k in range(w.state[COUNT], w.state[FREE] + slacks):
        total += dot(w.J[k], w.J[k], n + slacks)
    return gradient * math.sqrt(total)


@kernel(I8(DATA, WORK, I8, F8, F8, F8, F8, I8), counted=False)
def descend(
    p: Data,
    w: Work,
    level: int,
    frobenius: float,
    size: float,
    ridge: float,
    tolerance: float,
    limit: int,
) -> int:
    """Solve a level whose J is ready: proximal rounds until the true gradient vanishes.

    Args:
        p: Problem.
        w: Workspace with d = J gradient at x; ``u`` becomes the multipliers of the true cost.
        level: The level.
        frobenius: Frobenius norm of the level's rows.
        size: Norm of the level's residual at x and of its targets, summed.
        ridge: Weight of ½|x|².
        tolerance: Accepted violation.
        limit: Most active-set iterations.

    Returns:
        SOLVED, INFEASIBLE, UNBOUNDED or LIMIT; ``state[WORST]`` tells more.
    """
    n = p.lower.size
    slope = norm_of(p.c[level])
    w.scale[0] = frobenius * size + slope
    if not math.isfinite(w.scale[0]):
        return NOT_FINITE
    best, least, attempt = np.inf, -1, 0
    while attempt < ROUNDS:
        code = solve_dual(p, w, tolerance, -1e-2 * PULLING * w.scale[0], limit)
        if code != SOLVED:
            return code
        drift = max(retract(p, w), active_residual(p, w))
        total = fill_residual(p, w, level, ridge)
        fill_gradient(p, w, level, ridge)
        if attempt == 0:
            size = max(size, math.sqrt(total))
            w.scale[0] = frobenius * size + slope
        q, lowest, pressed = w.state[COUNT], 0.0, slope
        solve_upper(w.R, w.d, w.u, q)
        for a in range(q):
            lowest = min(lowest, w.u[a])
            pressed = max(pressed, abs(w.d[a]))
        free = norm_of(w.d[q : w.state[FREE] + w.state[SLACKS]])
        bound = size + (pressed if slope > 0.0 else 0.0)
        norm = norm_of(w.x[:n])
        floor = ROUNDING * frobenius * norm
        is_still = drift <= 0.1 * tolerance + LAST_BITS * norm
        if is_still and free <= STATIONARY * bound + floor and lowest >= -PULLING * w.scale[0]:
            return SOLVED
        if attempt >= 2 and drift <= tolerance + ROUNDING * norm and free >= 0.5 * best:
            share = UNSEEN if least == q + w.state[ITERATIONS] else LAST_BITS
            noise = blown_up(w, n, share * (frobenius * math.sqrt(total) + slope))
            if free <= STAGNANT * bound + floor + noise:
                return SOLVED
        attempt += 1
        if free >= CREEPING * best and ridge == 0.0 and w.state[RANK] < w.state[FREE]:
            end = step_on_face(p, w, level, ROUNDING * norm)
            if end == ENDLESS or w.state[ITERATIONS] >= limit:
                return UNBOUNDED if end == ENDLESS else LIMIT
            fill_residual(p, w, level, ridge)
            fill_gradient(p, w, level, ridge)
            w.state[ITERATIONS] += 1
            least = q + w.state[ITERATIONS] if end == LEAST else -1
            attempt -= 1 if end == STOPPED else 0
        best = min(best, free)
    return LIMIT
