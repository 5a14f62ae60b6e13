"""Equations of a level: by substitution where that is accurate, by reflections where it is not."""

import math

import numpy as np

from footwork._numba import I8, OUT2, kernel
from footwork.stack._kernels.basis import (
    drop_directions,
    normal_in_basis,
    straighten,
    write_identity,
)
from footwork.stack._kernels.dual import (
    DEPENDENT_DIGITS,
    FORGIVEN,
    INFEASIBLE,
    SOLVED,
    leeway,
)
from footwork.stack._kernels.elimination import gauss_jordan, oblique_basis
from footwork.stack._kernels.factor import (
    compress,
    identity,
)
from footwork.stack._kernels.products import (
    add_transposed,
    clear,
    copy_to,
    dot,
)
from footwork.stack._kernels.tiles import padded
from footwork.stack._kernels.workspace import (
    DATA,
    FREE,
    IDENTITY,
    OBLIQUE,
    WORK,
    WORST,
    Data,
    Work,
    matrix_at,
)
from footwork.typing import Matrix


@kernel(I8(DATA, WORK), fast=True, counted=False, forced=True)
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


@kernel(I8(DATA, WORK, OUT2), fast=True, counted=False)
def gather_equations(p: Data, w: Work, rows: Matrix) -> int:
    """List the equations in force: normals in the basis, what is missing, norms, indices.

    Args:
        p: Problem.
        w: Workspace; ``residual``, ``scale`` and ``order`` are written.
        rows: Normals, written.

    Returns:
        How many there are.
    """
    n, count = p.lower.size, 0
    for i in range(n + p.c_lower.size):
        if w.lo[i] != w.hi[i] or (i >= n and w.slack[i - n] >= 0):
            continue
        if i >= n and w.state[IDENTITY] != 0:
            copy_to(p.C[i - n], rows[count], n)
        else:
            normal_in_basis(p, w, i, 0, rows[count])
        w.scale[count] = 1.0 if i < n else math.sqrt(dot(p.C[i - n], p.C[i - n], n))
        w.residual[count] = w.lo[i] - (w.x[i] if i < n else dot(p.C[i - n], w.x, n))
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
    n, pivot = p.lower.size, w.flag
    high, width = (count + 3) & -4, padded(n + 1)
    T = matrix_at(w.rows, 0, high, width)
    for k in range(high):
        for j in range(n, width):
            T[k, j] = 0.0
        if k < count:
            T[k, n] = w.residual[k]
        else:
            for j in range(n):
                T[k, j] = 0.0
    F = matrix_at(w.scratch, 0, high, high)
    rank = gauss_jordan(T, w.scale, pivot, F, w.turn, count, n)
    is_moderate = oblique_basis(T, pivot, w.basis, w.gone, w.columns, count, n)
    if not is_moderate:
        identity(w.basis, n)
        clear(w.flag)
        return -1
    for k in range(count):
        i = w.order[k]
        if pivot[k] >= 0:
            w.x[pivot[k]] += T[k, n]
        elif abs(T[k, n]) > FORGIVEN * max(1.0, abs(w.lo[i]), w.scale[k]):
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
        elif abs(total) > FORGIVEN * max(w.scale[a], leeway(p, w, i, w.lo[i], DEPENDENT_DIGITS)):
            w.state[WORST] = i + 1
            return INFEASIBLE
    add_transposed(w.basis, w.r, 1.0, rank, n, w.x)
    drop_directions(w, rank, n)
    return SOLVED


@kernel(I8(DATA, WORK, I8, I8), counted=False)
def eliminate_equations(p: Data, w: Work, level: int, count: int) -> int:
    """Move x onto the equations that start at a level, and leave their directions.

    Redundant rows are fine; a row that contradicts the others is infeasible.

    Args:
        p: Problem.
        w: Workspace.
        level: The level.
        count: How many there are, at least 1.

    Returns:
        SOLVED, or INFEASIBLE with ``state[WORST]``.
    """
    n, code = p.lower.size, -1
    write_identity(w, n)
    straighten(p, w)
    if w.state[IDENTITY] != 0 and 2 < count <= n:
        gather_equations(p, w, matrix_at(w.rows, 0, count, padded(n + 1)))
        code = substitute(p, w, count)
    if code < 0:
        gather_equations(p, w, matrix_at(w.rows, 0, w.order.size, w.state[FREE]))
        code = project_out(p, w, count)
    if code == SOLVED:
        for i in range(w.lo.size):
            if w.lo[i] == w.hi[i] and (i < n or w.slack[i - n] < 0):
                w.active[i] = level + 1
                w.lo[i], w.hi[i] = -np.inf, np.inf
    return code
