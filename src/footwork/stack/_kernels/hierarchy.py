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

from footwork._numba import B1, F8, I8, IOUT1, IVEC, MAT, OUT1, VEC, VOID, kernel
from footwork.stack._kernels.dual import (
    FORGIVEN,
    INFEASIBLE,
    LIMIT,
    NOT_FINITE,
    SOLVED,
    append,
    project_normal,
    solve_dual,
    solve_upper,
    value_of,
)
from footwork.stack._kernels.elimination import gauss_jordan, oblique_basis, reduce_rows
from footwork.stack._kernels.factor import (
    cholesky,
    compress,
    divide_lower,
    divide_upper,
    identity,
    triangularise,
)
from footwork.stack._kernels.products import (
    add_transposed,
    clear,
    copy_to,
    dot,
    multiply,
)
from footwork.stack._kernels.workspace import (
    COUNT,
    DATA,
    FREE,
    IDENTITY,
    ITERATIONS,
    OBLIQUE,
    RANK,
    SLACKS,
    WORK,
    WORST,
    Data,
    Work,
    carve,
    matrix_at,
)
from footwork.typing import IntVector, Matrix, Vector

UNBOUNDED = 2
HIDDEN = 1e-14
"""Part of the sum of squares of a level's rows that a direction must carry to be seen for sure."""
ROUNDS = 60
"""Most proximal rounds of a level."""
LAST_ROUNDS = 3
"""Most rounds of refinement in the last null space."""
STATIONARY = 1e-11
"""Free gradient, relative to the level's residual, at which a level is solved."""
LAST_BITS = 2e-15
"""Rounding of x relative to |x|."""
STAGNANT = 1e-9
"""The same when rounding stops it from falling further."""
ROUNDING = 1e-13
"""Rounding of A x relative to |A| |x|."""
PULLING = 1e-12
"""A multiplier this far below zero, relative to the gradient, is rounding."""
NOISE = 1e-24
"""Square of the rounding in J n, relative to |J| |n|, of a normal that no direction changes."""
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
    identity(w.basis, n)
    clear(w.state)
    w.state[FREE], w.state[IDENTITY] = n, 1


@kernel(VOID(DATA, WORK, I8, I8, OUT1), fast=True, counted=False)
def normal_in_basis(p: Data, w: Work, index: int, first: int, out: Vector) -> None:
    """Express a constraint's normal in the free directions.

    Args:
        p: Problem.
        w: Workspace.
        index: Bounds first, then rows.
        first: First row of the basis that counts.
        out: One entry a free direction from ``first`` on.
    """
    n = p.lower.size
    for j in range(first, w.state[FREE]):
        if index < n:
            out[j - first] = w.basis[j, index]
        else:
            out[j - first] = dot(w.basis[j], p.C[index - n], n)


@kernel(VOID(DATA, WORK), fast=True)
def straighten(p: Data, w: Work) -> None:
    """Make an oblique basis orthonormal, L⁻¹ basis with L Lᵀ = basis basisᵀ; J is scratch.

    Args:
        p: Problem.
        w: Workspace.
    """
    n, r = p.lower.size, w.state[FREE]
    if w.state[OBLIQUE] == 0:
        return
    H = matrix_at(w.scratch, 0, r, r)
    np.dot(w.basis[:r], w.basis[:r].T, H)
    cholesky(H, w.basis, w.J, 0.0, is_identity=False)
    for k in range(r):
        row, out = w.J[k], w.basis[k]
        for j in range(n):
            out[j] = row[j]
    w.state[OBLIQUE] = 0


@kernel(F8(DATA, WORK), fast=True, counted=False)
def retract(p: Data, w: Work) -> float:
    """Take out of x what rounding has moved outside the free directions.

    x ← start + basisᵀ z with z the coordinates of x − start.

    Args:
        p: Problem.
        w: Workspace.

    Returns:
        The largest change of an entry.
    """
    n, r = p.lower.size, w.state[FREE]
    if w.state[IDENTITY] != 0:
        return 0.0
    if w.state[OBLIQUE] != 0:
        for k in range(r):
            w.r[k] = w.x[w.columns[k]] - w.start[w.columns[k]]
    else:
        for j in range(n):
            w.z[j] = w.x[j] - w.start[j]
        multiply(w.basis, w.z, r, n, w.r)
    for j in range(n):
        w.z[j] = w.start[j]
    add_transposed(w.basis, w.r, 1.0, r, n, w.z)
    largest = 0.0
    for j in range(n):
        largest = max(largest, abs(w.z[j] - w.x[j]))
        w.x[j] = w.z[j]
    return largest


@kernel(VOID(WORK, I8, I8), fast=True, counted=False)
def drop_directions(w: Work, first: int, n: int) -> None:
    """Keep only the free directions from ``first`` on.

    Args:
        w: Workspace.
        first: How many leading rows of the basis go.
        n: Unknowns.
    """
    if first == 0:
        return
    for j in range(first, w.state[FREE]):
        row, out = w.basis[j], w.basis[j - first]
        for m in range(n):
            out[m] = row[m]
    w.state[FREE] -= first
    w.state[IDENTITY] = 0


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


@kernel(I8(DATA, WORK), fast=True, counted=False)
def count_equations(p: Data, w: Work) -> int:
    """Count the equations in force.

    Args:
        p: Problem.
        w: Workspace.

    Returns:
        How many there are.
    """
    n, count = p.lower.size, 0
    for i in range(w.lo.size):
        if w.lo[i] == w.hi[i] and (i < n or w.slack[i - n] < 0):
            count += 1
    return count


@kernel(I8(DATA, WORK), fast=True, counted=False)
def gather_equations(p: Data, w: Work) -> int:
    """List the equations in force: normals in the basis, what is missing, norms, indices.

    Args:
        p: Problem.
        w: Workspace with y = C x; ``rows``, ``residual``, ``scale`` and ``order`` are written.

    Returns:
        How many there are.
    """
    n, r = p.lower.size, w.state[FREE]
    rows = matrix_at(w.rows, 0, w.order.size, r)
    count = 0
    for i in range(n + p.c_lower.size):
        if w.lo[i] != w.hi[i] or (i >= n and w.slack[i - n] >= 0):
            continue
        if i >= n and w.state[IDENTITY] != 0:
            row, out = p.C[i - n], rows[count]
            for j in range(n):
                out[j] = row[j]
        else:
            normal_in_basis(p, w, i, 0, rows[count])
        w.scale[count] = 1.0 if i < n else math.sqrt(dot(p.C[i - n], p.C[i - n], n))
        w.residual[count] = w.lo[i] - (w.x[i] if i < n else w.y[i - n])
        w.order[count] = i
        count += 1
    return count


@kernel(I8(DATA, WORK, I8), fast=True, counted=False)
def substitute(p: Data, w: Work, count: int) -> int:
    """Eliminate unknowns by the gathered equations; the basis becomes oblique.

    Args:
        p: Problem.
        w: Workspace with the identity as basis.
        count: Number of equations.

    Returns:
        SOLVED, INFEASIBLE with ``state[WORST]``, or −1 (only scratch has changed) when
        elimination would not be accurate.
    """
    n = p.lower.size
    T = matrix_at(w.rows, 0, w.order.size, n)
    pivot = w.flag
    rank = gauss_jordan(T, w.residual, w.scale, pivot, w.scratch, count)
    is_moderate = oblique_basis(T, pivot, w.basis, w.columns, count)
    if not is_moderate:
        identity(w.basis, n)
        clear(w.flag)
        return -1
    for k in range(count):
        i = w.order[k]
        if pivot[k] >= 0:
            w.x[pivot[k]] += w.residual[k]
        elif abs(w.residual[k]) > FORGIVEN * max(1.0, abs(w.lo[i]), w.scale[k]):
            w.state[WORST] = i + 1
            return INFEASIBLE
    clear(w.flag)
    w.state[FREE], w.state[IDENTITY], w.state[OBLIQUE] = n - rank, 0, 1
    return SOLVED


@kernel(I8(DATA, WORK, I8), fast=True, counted=False)
def project_out(p: Data, w: Work, count: int) -> int:
    """Turn the basis so that the gathered equations see only its first rows, and leave those.

    Args:
        p: Problem.
        w: Workspace.
        count: Number of equations.

    Returns:
        SOLVED, or INFEASIBLE with ``state[WORST]``.
    """
    n, r = p.lower.size, w.state[FREE]
    rows = matrix_at(w.rows, 0, w.order.size, r)
    rank = compress(
        rows, w.residual, w.scale, w.order, w.basis[:r], w.scratch, count, w.state[IDENTITY] != 0
    )
    w.state[IDENTITY] = 0
    for a in range(count):
        total = w.residual[a]
        for b in range(min(a, rank)):
            total -= rows[a, b] * w.r[b]
        i = w.order[a]
        if a < rank:
            w.r[a] = total / rows[a, a]
        elif abs(total) > FORGIVEN * max(1.0, abs(w.lo[i]), w.scale[a]):
            w.state[WORST] = i + 1
            return INFEASIBLE
    add_transposed(w.basis, w.r, 1.0, rank, n, w.x)
    drop_directions(w, rank, n)
    return SOLVED


@kernel(I8(DATA, WORK, I8), counted=False)
def eliminate_equations(p: Data, w: Work, level: int) -> int:
    """Move x onto the equations that start at a level, and leave their directions.

    Redundant rows are fine; a row that contradicts the others is infeasible.

    Args:
        p: Problem.
        w: Workspace.
        level: The level.

    Returns:
        SOLVED, or INFEASIBLE with ``state[WORST]``.
    """
    if count_equations(p, w) == 0:
        return SOLVED
    code = -1
    straighten(p, w)
    multiply(p.C, w.x, w.y.size, p.lower.size, w.y)
    count = gather_equations(p, w)
    if w.state[IDENTITY] != 0 and count > 2:
        code = substitute(p, w, count)
        if code < 0:
            gather_equations(p, w)
    if code < 0:
        code = project_out(p, w, count)
    n = p.lower.size
    if code == SOLVED:
        for i in range(w.lo.size):
            if w.lo[i] == w.hi[i] and (i < n or w.slack[i - n] < 0):
                w.active[i] = level + 1
                w.lo[i], w.hi[i] = -np.inf, np.inf
    return code


@kernel(F8(DATA, WORK, I8), fast=True)
def project_rows(p: Data, w: Work, level: int) -> float:
    """Fill the scratch with M = A basisᵀ, row by row, and the norms of A's rows.

    Args:
        p: Problem.
        w: Workspace.
        level: The level.

    Returns:
        The Frobenius norm of A; inf when A is not finite.
    """
    n, r = p.lower.size, w.state[FREE]
    first, last = p.level_offset[level], p.level_offset[level + 1]
    total = 0.0
    for i in range(last - first):
        w.scale[i] = math.sqrt(dot(p.A[first + i], p.A[first + i], n))
        w.order[i] = i
        total += w.scale[i] * w.scale[i]
    if not math.isfinite(total):
        return np.inf
    M = matrix_at(w.rows, 0, last - first, r)
    if w.state[IDENTITY] != 0:
        for i in range(first, last):
            out, row = M[i - first], p.A[i]
            for j in range(r):
                out[j] = row[j]
    elif w.state[OBLIQUE] != 0 and (last - first + r) * (n - r) <= w.scratch.size:
        reduce_rows(p.A[first:last], w.basis[:r], w.columns, w.scratch, M)
    elif last > first and r > 0:
        np.dot(p.A[first:last], w.basis[:r].T, M)
    return math.sqrt(total)


@kernel(B1(DATA, WORK, I8, F8), fast=True)
def factor_tall(p: Data, w: Work, level: int, ridge: float) -> bool:
    """Factor a level that sees every free direction: J = U⁻ᵀ basis with UᵀU = MᵀM + ridge.

    Args:
        p: Problem.
        w: Workspace with M in the scratch.
        level: The level.
        ridge: Added to the diagonal.

    Returns:
        Whether it does see every direction.
    """
    n, r = p.lower.size, w.state[FREE]
    count = p.level_offset[level + 1] - p.level_offset[level]
    M = matrix_at(w.rows, 0, count, r)
    H = matrix_at(w.scratch, 0, r, r)
    np.dot(M.T, M, H)
    if ridge > 0.0:
        for i in range(r):
            for j in range(r):
                H[i, j] += ridge * dot(w.basis[i], w.basis[j], n)
    total = 0.0
    for i in range(count):
        total += w.scale[i] * w.scale[i]
    return cholesky(H, w.basis, w.J, HIDDEN * total, w.state[IDENTITY] != 0)


@kernel(VOID(DATA, WORK, I8, F8), fast=True, counted=False)
def factor_wide(p: Data, w: Work, level: int, slope: float) -> None:
    """Factor a level that leaves directions unseen; those get the proximal weight.

    Args:
        p: Problem.
        w: Workspace with M in the scratch; basis is turned so that M sees its first ``rank`` rows.
        level: The level.
        slope: Norm of the level's linear cost.
    """
    n, r = p.lower.size, w.state[FREE]
    count = p.level_offset[level + 1] - p.level_offset[level]
    if w.state[OBLIQUE] != 0:
        straighten(p, w)
        project_rows(p, w, level)
    rows = matrix_at(w.rows, 0, count, r)
    rank = compress(
        rows, w.residual, w.scale, w.order, w.basis[:r], w.scratch, count, w.state[IDENTITY] != 0
    )
    w.state[IDENTITY] = 0
    if rank == count:
        largest = divide_lower(rows, w.basis, w.J, rank)
    else:
        triangularise(rows, w.z, count, rank)
        largest = divide_upper(rows, w.basis, w.J, rank)
    for i in range(p.c_lower.size):
        if w.slack[i] >= 0:
            largest = max(largest, math.sqrt(dot(p.C[i], p.C[i], n)))
    weight = max(1e-10 * largest * largest, 1e-6 * slope)
    factor = 1.0 / math.sqrt(weight) if weight > 0.0 else 1.0
    for i in range(rank, r):
        row, out = w.basis[i], w.J[i]
        for j in range(n):
            out[j] = factor * row[j]
    w.state[RANK] = rank


@kernel(F8(DATA, WORK, I8, F8), fast=True, counted=False)
def fill_gradient(p: Data, w: Work, level: int, ridge: float) -> float:
    """Fill the gradient of a level's cost at x, and d = J gradient.

    Args:
        p: Problem.
        w: Workspace.
        level: The level.
        ridge: Weight of ½|x|².

    Returns:
        |A x − b|² + |slack|² + ridge |x|².
    """
    n, slacks, g = p.lower.size, w.state[SLACKS], w.gradient
    total = 0.0
    c = p.c[level]
    for j in range(n):
        g[j] = c[j] + ridge * w.x[j]
        total += ridge * w.x[j] * w.x[j]
    first, last = p.level_offset[level], p.level_offset[level + 1]
    A = p.A[first:last]
    multiply(A, w.x, last - first, n, w.residual)
    for i in range(last - first):
        w.residual[i] -= p.b[first + i]
        total += w.residual[i] * w.residual[i]
    add_transposed(A, w.residual, 1.0, last - first, n, g)
    for j in range(n, n + slacks):
        g[j] = w.x[j]
        total += g[j] * g[j]
    multiply(w.J, g, w.state[FREE] + slacks, n + slacks, w.d)
    return total


@kernel(VOID(DATA, WORK), fast=True, counted=False)
def extend_by_slacks(p: Data, w: Work) -> None:
    """Give every slack its own row and column of J; its cost is ½ slack².

    Args:
        p: Problem.
        w: Workspace.
    """
    n, r, slacks = p.lower.size, w.state[FREE], w.state[SLACKS]
    for k in range(r):
        for j in range(n, n + slacks):
            w.J[k, j] = 0.0
    for k in range(slacks):
        row = w.J[r + k]
        for j in range(n + slacks):
            row[j] = 0.0
        row[n + k] = 1.0


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
        if (
            attempt >= 2
            and drift <= tolerance
            and free <= STAGNANT * bound + floor
            and free >= 0.5 * best
        ):
            return SOLVED
        best = min(best, free)
    return LIMIT


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
        part = w.basis[rank : w.state[FREE]]
        more = compress(
            rows, w.residual, w.scale[1:], w.order, part, w.scratch, count, is_identity=False
        )
    drop_directions(w, rank + more, n)
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
        code = eliminate_equations(p, w, level)
    if code != SOLVED:
        return code
    n, r = p.lower.size, w.state[FREE]
    copy_to(w.x, w.start, n)
    count = p.level_offset[level + 1] - p.level_offset[level]
    frobenius = project_rows(p, w, level)
    if frobenius == np.inf:
        return NOT_FINITE
    w.state[RANK] = r
    is_tall = count >= r or ridge > 0.0
    if not (is_tall and factor_tall(p, w, level, ridge)):
        if is_tall:
            project_rows(p, w, level)
        # A ridge too small to tell from rounding has the least norm as its limit.
        ridge = 0.0
        factor_wide(p, w, level, math.sqrt(dot(p.c[level], p.c[level], n)))
    frobenius = math.sqrt(frobenius * frobenius + ridge)
    extend_by_slacks(p, w)
    if w.state[SLACKS] > 0:
        frobenius = max(frobenius, 1.0)
    warm_start(p, w, level)
    code = descend(p, w, level, frobenius, ridge, tolerance, limit)
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
    w.state[SLACKS] = 0
    for i in range(p.c_lower.size):
        w.slack[i] = -1
    if r == 0:
        w.warm_count[level] = 0
        return SOLVED
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
        for a in range(w.state[COUNT]):
            i = w.act[a]
            if w.u[a] > PRESSING * size:
                w.active[i] = -(level + 1) if w.sign[a] > 0.0 else level + 1
                w.multiplier[i] = w.u[a]
        copy_to(w.x, w.best, n)
    return code


@kernel(VOID(DATA, WORK, I8, I8, I8, OUT1, IOUT1), fast=True, counted=False)
def report(
    p: Data, w: Work, code: int, level: int, solved: int, numbers: Vector, codes: IntVector
) -> None:
    """Write the outputs that ``Solution`` wraps.

    Args:
        p: Problem.
        w: Workspace.
        code: Status code.
        level: Level at which the solve ended.
        solved: Number of levels solved.
        numbers: x, residuals, multipliers.
        codes: Header and active set.
    """
    n, rows, total = p.lower.size, p.b.size, w.lo.size
    for j in range(n):
        numbers[j] = min(max(w.best[j], p.lower[j]), p.upper[j]) if solved > 0 else w.best[j]
    multiply(p.A, numbers, rows, n, numbers[n:])
    for i in range(rows):
        numbers[n + i] -= p.b[i]
    for i in range(total):
        numbers[n + rows + i] = w.multiplier[i]
        codes[8 + i] = w.active[i]
    codes[0], codes[1], codes[2] = code, level, w.state[WORST]
    codes[3], codes[4], codes[5] = w.state[ITERATIONS], solved, w.state[FREE]
    codes[6] = w.state[COUNT]
    if code == INFEASIBLE:
        for i in range(total):
            codes[8 + i] = 0
        for a in range(w.state[COUNT]):
            codes[8 + w.act[a]] = -1 if w.sign[a] > 0.0 else 1
        codes[8 + abs(w.state[WORST]) - 1] = -1 if w.state[WORST] > 0 else 1


SIGNATURE = I8(
    *(VEC, VEC, MAT, VEC, IVEC, MAT, MAT, VEC, VEC, IVEC, IVEC),
    *(VEC, I8, OUT1, IOUT1, OUT1, IOUT1),
)


@kernel(SIGNATURE)
def solve_hierarchy(
    lower: Vector,
    upper: Vector,
    A: Matrix,
    b: Vector,
    level_offset: IntVector,
    c: Matrix,
    C: Matrix,
    c_lower: Vector,
    c_upper: Vector,
    c_level: IntVector,
    c_soft: IntVector,
    options: Vector,
    slacks: int,
    floats: Vector,
    ints: IntVector,
    numbers: Vector,
    codes: IntVector,
) -> int:
    """Solve all levels; the door for callers in Python and for other kernels.

    Args:
        lower: See ``Problem``.
        upper: See ``Problem``.
        A: See ``Problem``.
        b: See ``Problem``.
        level_offset: See ``Problem``.
        c: See ``Problem``.
        C: See ``Problem``.
        c_lower: See ``Problem``.
        c_upper: See ``Problem``.
        c_level: See ``Problem``.
        c_soft: See ``Problem``.
        options: Tolerance, iteration limit, ridge.
        slacks: Rows that are inequality tasks; sizes the workspace.
        floats: Workspace of ``allocate``.
        ints: Workspace of ``allocate``; ``ints[:] = 0`` is a fresh start.
        numbers: x (n), residuals (M), multipliers (n + K).
        codes: 8 + n + K entries, see ``Solution``.

    Returns:
        The status code.
    """
    p = Data(lower, upper, A, b, level_offset, c, C, c_lower, c_upper, c_level, c_soft)
    levels = level_offset.size - 1
    w = carve(floats, ints, lower.size, b.size, c_lower.size, slacks, levels)
    tolerance, limit, ridge = options[0], int(options[1]), options[2]
    begin(p, w)
    code, level = SOLVED, 0
    while code == SOLVED and level < levels:
        code = solve_level(p, w, level, ridge, tolerance, limit)
        if code == SOLVED:
            level += 1
    if code == SOLVED:
        code = solve_last(p, w, tolerance, limit)
    report(p, w, code, level, level, numbers, codes)
    return code


@kernel(
    I8(
        *(VEC, VEC, MAT, VEC, IVEC, MAT, MAT, VEC, VEC, IVEC, IVEC),
        *(VEC, I8, OUT1, IOUT1, OUT1, IOUT1, I8, I8),
    )
)
def solve_step(
    lower: Vector,
    upper: Vector,
    A: Matrix,
    b: Vector,
    level_offset: IntVector,
    c: Matrix,
    C: Matrix,
    c_lower: Vector,
    c_upper: Vector,
    c_level: IntVector,
    c_soft: IntVector,
    options: Vector,
    slacks: int,
    floats: Vector,
    ints: IntVector,
    numbers: Vector,
    codes: IntVector,
    level: int,
    more: int,
) -> int:
    """Work on one level for some iterations, so that a caller can look at the clock between.

    A level that is cut short goes on from its active set when it is called again.

    Args:
        lower: See ``solve_hierarchy``, and so on.
        upper: The same.
        A: The same.
        b: The same.
        level_offset: The same.
        c: The same.
        C: The same.
        c_lower: The same.
        c_upper: The same.
        c_level: The same.
        c_soft: The same.
        options: The same.
        slacks: The same.
        floats: Workspace; between the steps of a solve it must not be touched.
        ints: Workspace.
        numbers: Output, right after every step.
        codes: Output.
        level: Level to work on; 0 starts the solve unless ``more`` is negative, L ends it.
        more: Iterations granted; negative: go on with as many.

    Returns:
        The status code; LIMIT: call again with ``more`` negative.
    """
    p = Data(lower, upper, A, b, level_offset, c, C, c_lower, c_upper, c_level, c_soft)
    levels = level_offset.size - 1
    w = carve(floats, ints, lower.size, b.size, c_lower.size, slacks, levels)
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
