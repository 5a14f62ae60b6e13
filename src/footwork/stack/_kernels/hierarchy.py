"""Strict priorities: one dual active-set solve a level, in the directions the upper levels leave.

After a level is solved, what it needs of x is its cost rows A x and the constraints that press
against it (positive multiplier): both are held from then on, exactly, by leaving the directions
that would change them out of the basis. Every other constraint stays an inequality that the
present x satisfies. So a lower level always starts from a feasible point, and no equation is ever
handed down that rounding could make contradictory.

A level with fewer rows than free directions has no strictly convex cost. The directions it does
not see get the cost ½ε|z − z₀|², and z₀ is moved to the solution until the gradient of the true
cost vanishes (proximal point), which it does in two or three cheap rounds.

Source: escande2014hierarchical for the parametrisation, rockafellar1976monotone for the rounds;
the rest is ours.
"""

import math

import numpy as np

from footwork._numba import F8, I8, IOUT1, IVEC, OUT1, VEC, VOID, kernel
from footwork.stack._kernels.basis import (
    drop_directions,
    normal_in_basis,
    retract,
    straighten,
    write_identity,
)
from footwork.stack._kernels.descent import (
    LAST_BITS,
    PULLING,
    active_residual,
    descend,
    norm_of,
)
from footwork.stack._kernels.dual import (
    FORGIVEN,
    INFEASIBLE,
    NOT_FINITE,
    SOLVED,
    solve_dual,
)
from footwork.stack._kernels.equations import count_equations, eliminate_equations
from footwork.stack._kernels.factor import compress
from footwork.stack._kernels.level_factor import (
    extend_by_slacks,
    factor_tall,
    inspect_rows,
)
from footwork.stack._kernels.products import (
    clear,
    copy_to,
    dot,
    multiply,
)
from footwork.stack._kernels.report import report
from footwork.stack._kernels.residual import fill_residual, start_gradient
from footwork.stack._kernels.table import problem_of, workspace_of
from footwork.stack._kernels.warm import keep_active_set, warm_start
from footwork.stack._kernels.wide_factor import factor_wide
from footwork.stack._kernels.workspace import (
    CARRIED,
    COUNT,
    DATA,
    FREE,
    IDENTITY,
    ITERATIONS,
    KNOWN,
    RANK,
    SLACKS,
    WORK,
    WORST,
    Data,
    Work,
    matrix_at,
)
from footwork.typing import IntVector, Vector

LAST_ROUNDS = 3
"""Most rounds of refinement in the last null space."""
PRESSING = 1e-9
"""A multiplier above this, relative to the gradient, holds its constraint for all lower levels."""


@kernel(VOID(DATA, WORK), fast=True, counted=False)
def begin(p: Data, w: Work) -> None:
    """Start a solve: x = 0, all directions free, bounds in force, rows not yet.

    Args:
        p: Problem.
        w: Workspace.
    """
    n, count = p.lower.size, p.c_lower.size
    for i in range(n):
        w.x[i] = w.best[i] = 0.0
        w.lo[i], w.hi[i] = p.lower[i], p.upper[i]
    for i in range(count):
        w.lo[n + i], w.hi[n + i] = -np.inf, np.inf
        w.slack[i] = -1
    for i in range(n + count):
        w.active[i], w.multiplier[i], w.flag[i] = 0, 0.0, 0
    for i in range(p.b.size):
        w.single[i] = w.single[i] if w.single[i] < 0 else -2 - w.single[i]
    clear(w.state)
    w.state[FREE], w.state[IDENTITY] = n, 1


@kernel(I8(DATA, WORK, I8), counted=False)
def open_rows(p: Data, w: Work, level: int) -> int:
    """Put the rows of a level in force; give its inequality tasks their slacks.

    Args:
        p: Problem.
        w: Workspace.
        level: The level.

    Returns:
        SOLVED, or INFEASIBLE with ``state[WORST]`` when a lower side is above its upper side.
    """
    n = p.lower.size
    w.state[SLACKS] = 0
    for i in range(p.c_lower.size):
        w.slack[i] = -1
        opens = p.c_soft[i] if p.c_soft[i] >= 0 else p.c_level[i]
        if opens != level:
            continue
        w.lo[n + i], w.hi[n + i] = p.c_lower[i], p.c_upper[i]
        if p.c_soft[i] == level:
            w.slack[i] = w.state[SLACKS]
            w.x[n + w.slack[i]] = 0.0
            w.state[SLACKS] += 1
    for i in range(0 if level == 0 else n, w.lo.size):
        low, high = w.lo[i], w.hi[i]
        if not low <= high or low == np.inf or high == -np.inf:
            if low - high <= FORGIVEN * max(1.0, abs(low)) and abs(low) < np.inf:
                w.lo[i] = w.hi[i] = 0.5 * (low + high)
            else:
                w.state[WORST] = i + 1
                return NOT_FINITE if math.isnan(low) or math.isnan(high) else INFEASIBLE
    return SOLVED


@kernel(VOID(WORK), fast=True, counted=False)
def turn_equations(w: Work) -> None:
    """Make multipliers positive: an equation may press against the side it was not taken in at.

    Args:
        w: Workspace.
    """
    for a in range(w.state[COUNT]):
        if w.u[a] < 0.0 and w.lo[w.act[a]] == w.hi[w.act[a]]:
            w.u[a], w.sign[a] = -w.u[a], -w.sign[a]


@kernel(VOID(DATA, WORK, I8), fast=True, counted=False)
def close_level(p: Data, w: Work, level: int) -> None:
    """Hold what the level needs: leave its directions, fix what presses, relax the rest to x.

    Args:
        p: Problem.
        w: Workspace.
        level: The level just solved.
    """
    n, rank = p.lower.size, w.state[RANK]
    unseen = w.state[FREE] - rank
    if unseen > 0:
        straighten(p, w)
    rows = matrix_at(w.rows, 0, w.order.size, unseen)
    pressing = PRESSING * w.scale[0]
    slope = math.sqrt(dot(p.c[level], p.c[level], n))
    count = 0
    turn_equations(w)
    for a in range(w.state[COUNT]):
        i = w.act[a]
        if w.u[a] <= pressing:
            continue
        w.active[i] = -(level + 1) if w.sign[a] > 0.0 else level + 1
        w.multiplier[i] = w.u[a]
        w.lo[i], w.hi[i] = -np.inf, np.inf
        if unseen > 0:
            normal_in_basis(p, w, i, rank, rows[count])
            w.scale[1 + count] = 1.0 if i < n else math.sqrt(dot(p.C[i - n], p.C[i - n], n))
            count += 1
    if slope > 0.0 and unseen > 0:
        for j in range(unseen):
            rows[count, j] = dot(w.basis[rank + j], p.c[level], n)
        w.scale[1 + count] = slope
        count += 1
    more = 0
    if count > 0:
        w.state[KNOWN] = 0
        part = w.basis[rank : w.state[FREE]]
        more = compress(
            rows, w.residual, w.scale[1:], w.order, part, w.scratch, count, is_identity=False
        )
    drop_directions(w, rank + more, n)
    if w.state[FREE] == 0 and level == p.level_offset.size - 2:
        return
    for i in range(n + p.c_lower.size):
        if w.lo[i] == -np.inf and w.hi[i] == np.inf:
            continue
        value = w.x[i] if i < n else dot(p.C[i - n], w.x, n)
        w.lo[i], w.hi[i] = min(w.lo[i], value), max(w.hi[i], value)


@kernel(I8(DATA, WORK, I8, F8, F8, I8), counted=False)
def solve_level(p: Data, w: Work, level: int, ridge: float, tolerance: float, limit: int) -> int:
    """Solve one level on top of those before it.

    Args:
        p: Problem.
        w: Workspace.
        level: The level.
        ridge: Weight of ½|x|² in its cost.
        tolerance: Accepted violation.
        limit: Most active-set iterations of the whole solve.

    Returns:
        A status code.
    """
    code = open_rows(p, w, level)
    if code == SOLVED:
        count = count_equations(p, w)
        if count > 0:
            code = eliminate_equations(p, w, level, count)
    if code != SOLVED:
        return code
    n, r = p.lower.size, w.state[FREE]
    copy_to(w.x, w.start, n)
    first = p.level_offset[level]
    count = p.level_offset[level + 1] - first
    slope = math.sqrt(dot(p.c[level], p.c[level], n))
    frobenius = inspect_rows(p, w, level)
    total = fill_residual(p, w, level, ridge)
    if not math.isfinite(total + frobenius):
        return NOT_FINITE
    w.state[RANK], w.state[CARRIED] = r, 0
    is_tall = count >= r or ridge > 0.0
    if not (is_tall and factor_tall(p, w, level, ridge, frobenius, total)):
        # A ridge too small to tell from rounding has the least norm as its limit.
        ridge = 0.0
        factor_wide(p, w, level, frobenius, slope)
    if slope > 0.0:
        w.state[CARRIED] = 0
    frobenius = math.sqrt(frobenius * frobenius + ridge)
    extend_by_slacks(p, w)
    if w.state[SLACKS] > 0:
        frobenius = max(frobenius, 1.0)
    warm_start(p, w, level)
    start_gradient(p, w, level, ridge)
    size = math.sqrt(total) + norm_of(p.b[first : first + count])
    code = descend(p, w, level, frobenius, size, ridge, tolerance, limit)
    keep_active_set(w, level)
    if code == SOLVED:
        close_level(p, w, level)
        copy_to(w.x, w.best, n)
    return code


@kernel(I8(DATA, WORK, F8, I8), fast=True, counted=False)
def solve_last(p: Data, w: Work, tolerance: float, limit: int) -> int:
    """Take the point of least norm in what all levels leave free.

    Args:
        p: Problem.
        w: Workspace.
        tolerance: Accepted violation.
        limit: Most active-set iterations of the whole solve.

    Returns:
        A status code.
    """
    n, r, level = p.lower.size, w.state[FREE], p.level_offset.size - 1
    w.state[SLACKS] = w.state[KNOWN] = 0
    for i in range(p.c_lower.size):
        w.slack[i] = -1
    if r == 0:
        w.warm_count[level] = 0
        return SOLVED
    write_identity(w, n)
    straighten(p, w)
    copy_to(w.x, w.start, n)
    for k in range(r):
        row, out = w.basis[k], w.J[k]
        for j in range(n):
            out[j] = row[j]
    warm_start(p, w, level)
    size = math.sqrt(dot(w.x, w.x, n))
    code = SOLVED
    for _ in range(LAST_ROUNDS):
        multiply(w.J, w.x, r, n, w.d)
        code = solve_dual(p, w, tolerance, -PULLING * size, limit)
        if code != SOLVED:
            break
        drift = max(retract(p, w), active_residual(p, w))
        if drift <= 0.1 * tolerance + LAST_BITS * size:
            break
    keep_active_set(w, level)
    if code == SOLVED:
        turn_equations(w)
        for a in range(w.state[COUNT]):
            i = w.act[a]
            if w.u[a] > PRESSING * size:
                w.active[i] = -(level + 1) if w.sign[a] > 0.0 else level + 1
                w.multiplier[i] = w.u[a]
        copy_to(w.x, w.best, n)
    return code


@kernel(I8(IVEC, VEC, OUT1, IOUT1), counted=False)
def solve_hierarchy(table: IntVector, options: Vector, numbers: Vector, codes: IntVector) -> int:
    """Solve all levels; the door for callers in Python and for other kernels.

    Args:
        table: Where problem and workspace are, see `footwork.stack._kernels.table`.
        options: Tolerance, iteration limit, ridge.
        numbers: x (n), residuals (M), multipliers (n + K).
        codes: 8 + n + K entries, see ``Solution``.

    Returns:
        The status code.
    """
    p, w = problem_of(table), workspace_of(table)
    levels = p.level_offset.size - 1
    tolerance, limit, ridge = options[0], int(options[1]), options[2]
    begin(p, w)
    code, level = SOLVED, 0
    while code == SOLVED and level < levels:
        code = solve_level(p, w, level, ridge, tolerance, limit)
        if code == SOLVED:
            level += 1
    if code == SOLVED and w.state[FREE] > 0:
        code = solve_last(p, w, tolerance, limit)
    report(p, w, code, level, level, numbers, codes)
    return code


@kernel(I8(IVEC, VEC, OUT1, IOUT1, I8, I8), counted=False)
def solve_step(
    table: IntVector, options: Vector, numbers: Vector, codes: IntVector, level: int, more: int
) -> int:
    """Work on one level for some iterations, so that a caller can look at the clock between.

    A level that is cut short goes on from its active set when it is called again.

    Args:
        table: See ``solve_hierarchy``; between the steps of a solve the workspace must not be
            touched.
        options: The same.
        numbers: The same, right after every step.
        codes: The same.
        level: Level to work on; 0 starts the solve unless ``more`` is negative, L ends it.
        more: Iterations granted; negative: go on with as many.

    Returns:
        The status code; LIMIT: call again with ``more`` negative.
    """
    p, w = problem_of(table), workspace_of(table)
    levels = p.level_offset.size - 1
    if level == 0 and more >= 0:
        begin(p, w)
    limit = w.state[ITERATIONS] + abs(more)
    if level == levels:
        code = solve_last(p, w, options[0], limit)
    else:
        code = solve_level(p, w, level, options[2], options[0], limit)
    solved = min(level + 1, levels) if code == SOLVED else level
    report(p, w, code, level, solved, numbers, codes)
    return code
