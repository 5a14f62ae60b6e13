"""One level's minimum: proximal rounds of the dual method, from the active set of the last tick."""

import math

import numpy as np

from footwork._numba import B1, F8, I8, VOID, kernel
from footwork.stack._kernels.basis import retract
from footwork.stack._kernels.dual import (
    LIMIT,
    NOT_FINITE,
    SOLVED,
    append,
    project_normal,
    solve_dual,
    solve_upper,
    value_of,
)
from footwork.stack._kernels.level_factor import fill_gradient
from footwork.stack._kernels.products import (
    clear,
    dot,
)
from footwork.stack._kernels.workspace import (
    COUNT,
    DATA,
    FREE,
    SLACKS,
    WORK,
    Data,
    Work,
)

UNBOUNDED = 2
ROUNDS = 60
"""Most proximal rounds of a level."""
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
NOISE = 1e-24
"""Square of the rounding in J n, relative to |J| |n|, of a normal that no direction changes."""


@kernel(VOID(DATA, WORK, I8), fast=True, counted=False)
def warm_start(p: Data, w: Work, level: int) -> None:
    """Make the active set that the level had at the last solve active again, where it can be.

    Args:
        p: Problem.
        w: Workspace.
        level: The level; L is the last null space.
    """
    n, count = p.lower.size, w.warm_count[level]
    size = w.state[FREE] + w.state[SLACKS]
    w.state[COUNT] = 0
    clear(w.flag)
    if count == 0:
        return
    total = 0.0
    for k in range(size):
        total += dot(w.J[k], w.J[k], n + w.state[SLACKS])
    for a in range(count):
        index = abs(w.warm[level, a]) - 1
        sign = 1.0 if w.warm[level, a] > 0 else -1.0
        if abs(w.lo[index] if sign > 0.0 else w.hi[index]) == np.inf:
            continue
        project_normal(p, w, index, sign)
        norm = 1.0 if index < n else dot(p.C[index - n], p.C[index - n], n)
        if dot(w.d, w.d, size) > NOISE * norm * total:
            append(p, w, index, sign)


@kernel(VOID(WORK, I8), counted=False)
def keep_active_set(w: Work, level: int) -> None:
    """Remember the active set for the next solve.

    Args:
        w: Workspace.
        level: The level; L is the last null space.
    """
    q = w.state[COUNT]
    for a in range(q):
        w.warm[level, a] = w.act[a] + 1 if w.sign[a] > 0.0 else -(w.act[a] + 1)
    w.warm_count[level] = q


@kernel(B1(DATA, WORK, I8), fast=True, counted=False)
def is_endless(p: Data, w: Work, level: int) -> bool:
    """Tell whether the level's linear cost falls for ever along the free descent direction.

    Args:
        p: Problem.
        w: Workspace with d = J gradient; ``z`` becomes the direction.
        level: The level.

    Returns:
        Whether no cost row and no constraint stops it.
    """
    n, slacks = p.lower.size, w.state[SLACKS]
    for j in range(n + slacks):
        w.z[j] = 0.0
    for k in range(w.state[COUNT], w.state[FREE] + slacks):
        for j in range(n + slacks):
            w.z[j] -= w.d[k] * w.J[k, j]
    size = math.sqrt(dot(w.z, w.z, n + slacks))
    slope = dot(p.c[level], w.z, n)
    if not slope < -1e-9 * size * math.sqrt(dot(p.c[level], p.c[level], n)):
        return False
    for i in range(p.level_offset[level], p.level_offset[level + 1]):
        if abs(dot(p.A[i], w.z, n)) > 1e-9 * size * math.sqrt(dot(p.A[i], p.A[i], n)):
            return False
    for j in range(n, n + slacks):
        if abs(w.z[j]) > 1e-9 * size:
            return False
    for i in range(w.lo.size):
        if w.flag[i] != 0:
            continue
        rise = w.z[i] if i < n else dot(p.C[i - n], w.z, n)
        if abs(rise) > 1e-12 * size and (w.hi[i] if rise > 0.0 else -w.lo[i]) < np.inf:
            return False
    return True


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


@kernel(F8(WORK, I8, F8), fast=True, counted=False)
def last_bits(w: Work, n: int, gradient: float) -> float:
    """Tell how much of d = J gradient may be rounding: directions seen faintly blow it up.

    Args:
        w: Workspace.
        n: Unknowns.
        gradient: Size of the terms that the gradient sums.

    Returns:
        Rounding of the part of d that no constraint holds.
    """
    total, slacks = 0.0, w.state[SLACKS]
    for k in range(w.state[COUNT], w.state[FREE] + slacks):
        total += dot(w.J[k], w.J[k], n + slacks)
    return LAST_BITS * gradient * math.sqrt(total)


@kernel(I8(DATA, WORK, I8, F8, F8, F8, I8), counted=False)
def descend(
    p: Data, w: Work, level: int, frobenius: float, ridge: float, tolerance: float, limit: int
) -> int:
    """Solve a level whose J is ready: proximal rounds until the true gradient vanishes.

    Args:
        p: Problem.
        w: Workspace; on return ``u`` holds the multipliers of the true cost.
        level: The level.
        frobenius: Frobenius norm of the level's rows.
        ridge: Weight of ½|x|².
        tolerance: Accepted violation.
        limit: Most active-set iterations.

    Returns:
        SOLVED, INFEASIBLE, UNBOUNDED or LIMIT; ``state[WORST]`` tells more.
    """
    n = p.lower.size
    first, last = p.level_offset[level], p.level_offset[level + 1]
    slope = math.sqrt(dot(p.c[level], p.c[level], n))
    total = fill_gradient(p, w, level, ridge)
    target = math.sqrt(dot(p.b[first:last], p.b[first:last], last - first))
    size = math.sqrt(total) + target
    w.scale[0] = frobenius * size + slope
    if not math.isfinite(w.scale[0]):
        return NOT_FINITE
    best = np.inf
    for attempt in range(ROUNDS):
        code = solve_dual(p, w, tolerance, -1e-2 * PULLING * w.scale[0], limit)
        if code != SOLVED:
            return code
        drift = max(retract(p, w), active_residual(p, w))
        total = fill_gradient(p, w, level, ridge)
        if attempt == 0:
            size = max(size, math.sqrt(total))
            w.scale[0] = frobenius * size + slope
        q = w.state[COUNT]
        solve_upper(w.R, w.d, w.r, q)
        lowest = 0.0
        for a in range(q):
            w.u[a] = w.r[a]
            lowest = min(lowest, w.r[a])
        free, pressed = 0.0, slope
        for k in range(q, w.state[FREE] + w.state[SLACKS]):
            free += w.d[k] * w.d[k]
        for k in range(q):
            pressed = max(pressed, abs(w.d[k]))
        free = math.sqrt(free)
        bound = size + (pressed if slope > 0.0 else 0.0)
        norm = math.sqrt(dot(w.x, w.x, n))
        floor = ROUNDING * frobenius * norm
        is_still = drift <= 0.1 * tolerance + LAST_BITS * norm
        if is_still and free <= STATIONARY * bound + floor and lowest >= -PULLING * w.scale[0]:
            return SOLVED
        if slope > 0.0 and attempt >= 1 and is_endless(p, w, level):
            return UNBOUNDED
        if attempt >= 2 and drift <= tolerance + ROUNDING * norm and free >= 0.5 * best:
            noise = last_bits(w, n, frobenius * math.sqrt(total) + slope)
            if free <= STAGNANT * bound + floor + noise:
                return SOLVED
        best = min(best, free)
    return LIMIT
