"""Dense dual active-set method for strictly convex quadratic programs.

    minimise ½ xᵀH x + gᵀx   with   lo_i ≤ x_i ≤ hi_i   and   lo_{n+i} ≤ C_i x (+ slack) ≤ hi_{n+i}

H never appears: it lives in J, whose rows satisfy J H Jᵀ = 1 and span the free directions. Active
constraints with normals N (signed, one column each) satisfy J N = [R; 0], R upper triangular.
Any dual feasible subset of an old active set is a valid start, hence the warm start. Every full
step raises the dual cost strictly, so that the method cannot cycle.

Source: goldfarb1983dual.
"""

import math

import numpy as np

from footwork._numba import B1, F8, I8, VOID, kernel
from footwork.stack._kernels.active_set import (
    DEPENDENT,
    append,
    project_normal,
    remove,
    solve_upper,
)
from footwork.stack._kernels.products import add_transposed, dot, multiply
from footwork.stack._kernels.workspace import (
    BLOCKING,
    COUNT,
    DATA,
    FREE,
    IDENTITY,
    ITERATIONS,
    SLACKS,
    WORK,
    WORST,
    Data,
    Work,
)

SOLVED, INFEASIBLE, LIMIT, NOT_FINITE = 0, 1, 3, 5
FROZEN = 1e-20
"""Square of the sine below which a normal has no part in the free directions."""
LAST_DIGITS, DEPENDENT_DIGITS = 1e-4, 1e-2
"""Part of |C| |x| that a violation is measured by; with the tolerance 1e-10 of it is rounding, with
FORGIVEN what the combination that a dependent constraint is of the others may pile up."""
FORGIVEN = 1e-8
"""A dependent constraint that is violated by less is rounding, not a contradiction."""


@kernel(B1(DATA, WORK, I8), fast=True, counted=False)
def is_movable(p: Data, w: Work, index: int) -> bool:
    """Tell whether any free direction changes a constraint.

    Args:
        p: Problem.
        w: Workspace.
        index: Bounds first, then rows.

    Returns:
        Whether the normal has a part in the basis that is more than rounding.
    """
    n, basis = p.lower.size, w.basis
    if w.state[IDENTITY] != 0:
        return True
    if index >= n and w.slack[index - n] >= 0:
        return True
    inside, total = 0.0, 1.0
    if index < n:
        for j in range(w.state[FREE]):
            inside += basis[j, index] * basis[j, index]
    else:
        row = p.C[index - n]
        total = dot(row, row, n)
        for j in range(w.state[FREE]):
            part = dot(basis[j], row, n)
            inside += part * part
    return inside > FROZEN * total


@kernel(F8(DATA, WORK, I8), counted=False)
def value_of(p: Data, w: Work, index: int) -> float:
    """Evaluate a constraint at x.

    Args:
        p: Problem.
        w: Workspace.
        index: Bounds first, then rows.

    Returns:
        x_i, or C_i x plus the slack of the row.
    """
    n = p.lower.size
    if index < n:
        return float(w.x[index])
    value = dot(p.C[index - n], w.x, n)
    if w.slack[index - n] >= 0:
        value += w.x[n + w.slack[index - n]]
    return value


@kernel(VOID(DATA, WORK, F8), fast=True, counted=False)
def settle(p: Data, w: Work, least: float) -> None:
    """Minimise on the active set, dropping what only pulls.

    With d = J gradient at x: Rᵀz = sides − values, R u = d + z over the active set, and
    x ← x + Jᵀ [z; −d]. The most negative u of an inequality is dropped until there is none.
    Nothing large is added and taken away again, so that repeating it refines x.

    Args:
        p: Problem.
        w: Workspace with d filled.
        least: Multipliers down to this (negative) number are rounding.
    """
    R, u, z, r, d = w.R, w.u, w.z, w.r, w.d
    width, size = p.lower.size + w.state[SLACKS], w.state[FREE] + w.state[SLACKS]
    while w.state[COUNT] > 0:
        q = w.state[COUNT]
        for a in range(q):
            i, s = w.act[a], w.sign[a]
            side = w.lo[i] if s > 0.0 else w.hi[i]
            z[a] = s * (side - value_of(p, w, i))
        for a in range(q):
            z[a] /= R[a, a]
            row, total = R[a], z[a]
            for b in range(a + 1, q):
                z[b] -= row[b] * total
            r[a] = d[a] + z[a]
        solve_upper(R, r, u, q)
        lowest, out = least, -1
        for a in range(q):
            if u[a] < lowest and w.lo[w.act[a]] != w.hi[w.act[a]]:
                lowest, out = u[a], a
        if out < 0:
            break
        remove(w, out, width)
    q = w.state[COUNT]
    add_transposed(w.J[q:size], d[q:size], -1.0, size - q, width, w.x)
    add_transposed(w.J, z, 1.0, q, width, w.x)


@kernel(F8(DATA, WORK, I8, F8, F8), fast=True, counted=False)
def leeway(p: Data, w: Work, index: int, side: float, rounding: float) -> float:
    """Tell what a violation is measured by: rounding of a long x is none.

    Args:
        p: Problem.
        w: Workspace.
        index: Bounds first, then rows.
        side: The side that is violated.
        rounding: Part of |C| |x| that counts.

    Returns:
        The largest of 1, |side| and that part.
    """
    n, norm = p.lower.size, 1.0
    if index >= n:
        row = p.C[index - n]
        norm = dot(row, row, n)
    return max(1.0, abs(side), rounding * math.sqrt(norm * dot(w.x, w.x, n)))


@kernel(F8(DATA, WORK, F8), fast=True, counted=False)
def most_violated(p: Data, w: Work, tolerance: float) -> float:
    """Find the constraint that is violated most and is not in the active set.

    Args:
        p: Problem.
        w: Workspace; ``y`` and ``state[WORST]`` (±(index + 1), 0 when none) are written.
        tolerance: Violations up to this times max(1, |side|) are accepted.

    Returns:
        The violation, negative; 0 when none, NaN when a row is not finite.
    """
    n, x, y, lo, hi = p.lower.size, w.x, w.y, w.lo, w.hi
    multiply(p.C, x, y.size, n, y)
    worst, found, total = 0.0, 0, 0.0
    for i in range(y.size):
        total += y[i]
        if w.slack[i] >= 0:
            y[i] += x[n + w.slack[i]]
    if not math.isfinite(total):
        return np.nan
    for i in range(lo.size):
        if w.flag[i] != 0:
            continue
        value = x[i] if i < n else y[i - n]
        below, above = value - lo[i], hi[i] - value
        if below < worst and below < -tolerance * leeway(p, w, i, lo[i], LAST_DIGITS):
            worst, found = below, i + 1
        if above < worst and above < -tolerance * leeway(p, w, i, hi[i], LAST_DIGITS):
            worst, found = above, -(i + 1)
    w.state[WORST] = found
    return worst


@kernel(F8(WORK, I8), fast=True, counted=False)
def dual_step(w: Work, q: int) -> float:
    """Fill r = R⁻¹d, how fast the active multipliers fall, and say how far they may.

    Args:
        w: Workspace; ``state[BLOCKING]`` is written.
        q: Active constraints.

    Returns:
        The longest step that keeps every inequality's multiplier at least zero; inf when any does.
    """
    r, u = w.r, w.u
    solve_upper(w.R, w.d, r, q)
    largest = 0.0
    for a in range(q):
        largest = max(largest, abs(r[a]))
    step, out = np.inf, -1
    for a in range(q):
        if r[a] > 1e-12 * largest and w.lo[w.act[a]] != w.hi[w.act[a]]:
            t = max(u[a], 0.0) / r[a]
            if t < step:
                step, out = t, a
    w.state[BLOCKING] = out
    return step


@kernel(I8(DATA, WORK, F8), fast=True, counted=False)
def take_in(p: Data, w: Work, violation: float) -> int:
    """Satisfy one violated constraint, dropping others on the way.

    Args:
        p: Problem.
        w: Workspace; the constraint is ``state[WORST]``.
        violation: How far it is outside, negative.

    Returns:
        SOLVED or INFEASIBLE.
    """
    index = abs(w.state[WORST]) - 1
    sign = 1.0 if w.state[WORST] > 0 else -1.0
    side = w.lo[index] if sign > 0.0 else w.hi[index]
    d, u = w.d, w.u
    size, width = w.state[FREE] + w.state[SLACKS], p.lower.size + w.state[SLACKS]
    if not is_movable(p, w, index):
        w.flag[index] = 2
        return (
            SOLVED
            if -violation <= FORGIVEN * leeway(p, w, index, side, DEPENDENT_DIGITS)
            else INFEASIBLE
        )
    project_normal(p, w, index, sign)
    mine = 0.0
    while True:
        q = w.state[COUNT]
        longest = dual_step(w, q)
        inside, free = 0.0, 0.0
        for a in range(q):
            inside += d[a] * d[a]
        for a in range(q, size):
            free += d[a] * d[a]
        is_dependent = free <= DEPENDENT * (inside + free) or q >= size
        full = np.inf if is_dependent else -violation / free
        step = min(longest, full)
        if step == np.inf:
            if -violation <= FORGIVEN * leeway(p, w, index, side, DEPENDENT_DIGITS):
                w.flag[index] = 2
                return SOLVED
            return INFEASIBLE
        for a in range(q):
            u[a] -= step * w.r[a]
        mine += step
        if not is_dependent:
            add_transposed(w.J[q:size], d[q:size], step, size - q, width, w.x)
            violation += step * free
        if full <= longest:
            append(p, w, index, sign)
            u[q] = mine
            return SOLVED
        remove(w, w.state[BLOCKING], width)


@kernel(I8(DATA, WORK, F8, F8, I8), counted=False)
def solve_dual(p: Data, w: Work, tolerance: float, least: float, limit: int) -> int:
    """Solve from any point and an active set that may be empty.

    Args:
        p: Problem.
        w: Workspace with d = J gradient at x; x is the solution on return.
        tolerance: Violations up to this times max(1, |side|) are accepted.
        least: Multipliers down to this (negative) number count as zero.
        limit: Most iterations in ``state[ITERATIONS]``.

    Returns:
        SOLVED, INFEASIBLE (``state[WORST]`` and ``act`` tell why), LIMIT or NOT_FINITE.
    """
    settle(p, w, least)
    while True:
        violation = most_violated(p, w, tolerance)
        if math.isnan(violation):
            return NOT_FINITE
        if w.state[WORST] == 0:
            return SOLVED
        if w.state[ITERATIONS] >= limit:
            return LIMIT
        w.state[ITERATIONS] += 1
        code = take_in(p, w, violation)
        if code != SOLVED:
            return code
