"""The factor J of a level that leaves directions unseen, which get the proximal weight."""

import math

import numpy as np

from footwork._numba import F8, I8, VOID, kernel
from footwork.stack._kernels.basis import straighten, write_identity
from footwork.stack._kernels.block_turn import factor_clear
from footwork.stack._kernels.factor import compress, divide_lower, divide_upper, triangularise
from footwork.stack._kernels.level_factor import HIDDEN
from footwork.stack._kernels.products import copy_to, dot
from footwork.stack._kernels.workspace import (
    CARRIED,
    DATA,
    FREE,
    IDENTITY,
    KNOWN,
    RANK,
    SLACKS,
    WORK,
    Data,
    Work,
    matrix_at,
)


@kernel(VOID(DATA, WORK, I8), fast=True)
def project_rows(p: Data, w: Work, level: int) -> None:
    """Fill the scratch with M = A basisᵀ, row by row, and the norms of A's rows.

    Args:
        p: Problem.
        w: Workspace; its basis is orthonormal.
        level: The level.
    """
    n, r = p.lower.size, w.state[FREE]
    first, last = p.level_offset[level], p.level_offset[level + 1]
    for i in range(last - first):
        w.scale[i] = math.sqrt(dot(p.A[first + i], p.A[first + i], n))
        w.order[i] = i
    M = matrix_at(w.rows, 0, last - first, r)
    if w.state[IDENTITY] != 0:
        for i in range(first, last):
            copy_to(p.A[i], M[i - first], n)
    elif last > first and r > 0:
        np.dot(p.A[first:last], w.basis[:r].T, M)


@kernel(VOID(WORK, I8), counted=False)
def carry_residual(w: Work, n: int) -> None:
    """Put J times the gradient behind J where J Aᵀ = [1; 0]: it is the residual.

    Args:
        w: Workspace after ``factor_clear``.
        n: Unknowns.
    """
    at = w.J.shape[1] - 1
    if n + w.state[SLACKS] > at:
        return
    for k in range(w.state[FREE]):
        w.J[k, at] = w.residual[k] if k < w.state[RANK] else 0.0
    w.state[CARRIED] = 1


@kernel(F8(DATA, WORK, I8), fast=True, counted=False)
def factor_pivoted(p: Data, w: Work, level: int) -> float:
    """Factor any rows, one reflection after the other.

    Args:
        p: Problem.
        w: Workspace; basis is turned so that the rows see its first ``rank`` rows.
        level: The level.

    Returns:
        The largest pivot.
    """
    n, r = p.lower.size, w.state[FREE]
    count = p.level_offset[level + 1] - p.level_offset[level]
    w.state[KNOWN] = 0
    write_identity(w, n)
    project_rows(p, w, level)
    rows = matrix_at(w.rows, 0, count, r)
    rank = compress(
        rows, w.residual, w.scale, w.order, w.basis[:r], w.scratch, count, w.state[IDENTITY] != 0
    )
    w.state[RANK] = rank
    if rank == count:
        return divide_lower(rows, w.basis, w.J, w.z, rank)
    triangularise(rows, w.z, count, rank)
    return divide_upper(rows, w.basis, w.J, w.z, rank)


@kernel(VOID(DATA, WORK, I8, F8, F8), fast=True, counted=False)
def factor_wide(p: Data, w: Work, level: int, frobenius: float, slope: float) -> None:
    """Factor a level that leaves directions unseen; those get the proximal weight.

    Args:
        p: Problem.
        w: Workspace; basis is turned so that the rows see its first ``rank`` rows.
        level: The level.
        frobenius: Norm of the level's rows.
        slope: Norm of the level's linear cost.
    """
    n, r = p.lower.size, w.state[FREE]
    straighten(p, w)
    largest = factor_clear(p, w, level, HIDDEN * frobenius * frobenius)
    if largest >= 0.0:
        w.state[RANK] = p.level_offset[level + 1] - p.level_offset[level]
        carry_residual(w, n)
    else:
        largest = factor_pivoted(p, w, level)
    w.state[IDENTITY], rank = 0, w.state[RANK]
    for i in range(p.c_lower.size):
        if w.slack[i] >= 0:
            largest = max(largest, math.sqrt(dot(p.C[i], p.C[i], n)))
    weight = max(1e-10 * largest * largest, 1e-6 * slope)
    factor = 1.0 / math.sqrt(weight) if weight > 0.0 else 1.0
    for i in range(rank, r):
        row, out = w.basis[i], w.J[i]
        for j in range(n):
            out[j] = factor * row[j]
