"""The minimum on a face: where the proximal rounds creep, one exact step takes their place.

The rounds shrink the gradient by ε / (ε + λ) each, λ the curvature along it. That is nothing as
long as every λ is zero or far above ε; but once constraints are active, what they leave free mixes
the directions that a level sees faintly with those that it does not see at all, and λ may be as
small as it likes. The rows J[q:] span that face, and in them the curvature is between 0 and 1.

Source: ours.
"""

import math

import numpy as np

from footwork._numba import B1, F8, I8, MAT, OUT2, VEC, VOID, kernel
from footwork.stack._kernels.factor import DEPENDENT_ROW, compress, triangularise
from footwork.stack._kernels.products import add_transposed, dot, multiply
from footwork.stack._kernels.workspace import (
    COUNT,
    DATA,
    FREE,
    RANK,
    SLACKS,
    WORK,
    Data,
    Work,
    matrix_at,
)
from footwork.typing import Matrix, Vector

LEAST, STOPPED, ENDLESS = range(3)
FLAT = 1e-9
"""A linear cost that falls by less along a direction, relative to its norm, does not fall."""
UNSEEN = 1e-11
"""A direction of a face that a row sees by less, relative to its norm, is not seen: rounding."""


@kernel(VOID(DATA, WORK, I8, MAT, OUT2), fast=True)
def fill_face(p: Data, w: Work, level: int, face: Matrix, M: Matrix) -> None:
    """Fill M, the level's rows on a face, blind to the same directions as its gradient.

    Args:
        p: Problem.
        w: Workspace.
        level: The level.
        face: Directions of x and the slacks, one a row.
        M: Shape (rows and slacks, directions).
    """
    n, slacks, rank = p.lower.size, w.state[SLACKS], w.state[RANK]
    first, last = p.level_offset[level], p.level_offset[level + 1]
    count, seen = last - first, w.z
    for k in range(face.shape[0]):
        row = face[k]
        multiply(w.basis, row, rank, n, w.r)
        for j in range(n):
            seen[j] = 0.0
        add_transposed(w.basis, w.r, 1.0, rank, n, seen)
        for i in range(count):
            M[i, k] = dot(p.A[first + i], seen, n)
        for i in range(slacks):
            M[count + i, k] = row[n + i]


@kernel(I8(DATA, WORK, I8), fast=True)
def see_face(p: Data, w: Work, level: int) -> int:
    """Factor MᵀM = TᵀT for the level's rows M on the face J[q:], which is turned on the way.

    Args:
        p: Problem.
        w: Workspace; ``rows`` holds T, and the first rows of J[q:] are what the level sees.
        level: The level.

    Returns:
        How many directions of the face the level sees.
    """
    n, slacks, q = p.lower.size, w.state[SLACKS], w.state[COUNT]
    first, last = p.level_offset[level], p.level_offset[level + 1]
    count, f = last - first, w.state[FREE] + slacks - q
    face, longest = w.J[q : q + f], 0.0
    for k in range(f):
        longest = max(longest, dot(face[k], face[k], n))
    longest = UNSEEN / DEPENDENT_ROW * math.sqrt(longest)
    scale = w.scale[1:]
    for i in range(count + slacks):
        scale[i] = longest
        if i < count:
            scale[i] *= math.sqrt(dot(p.A[first + i], p.A[first + i], n))
    M = matrix_at(w.rows, 0, count + slacks, f)
    fill_face(p, w, level, face, M)
    rank = compress(
        M, w.residual, scale, w.order, face, w.scratch, count + slacks, is_identity=False
    )
    triangularise(M, w.z, count + slacks, rank)
    return rank


@kernel(VOID(WORK, I8, I8, I8), fast=True, counted=False)
def point_down(w: Work, rank: int, f: int, width: int) -> None:
    """Fill ``z`` with the step to the minimum on the face, −Bᵀ (TᵀT)⁻¹ B gradient.

    Args:
        w: Workspace after ``see_face``, with the gradient.
        rank: Directions that the level sees; B is the first that many rows of J[q:].
        f: Directions of the face.
        width: Unknowns and slacks.
    """
    T = matrix_at(w.rows, 0, rank, f)
    B, y = w.J[w.state[COUNT] :], w.r
    multiply(B, w.gradient, rank, width, y)
    for a in range(rank):
        y[a] /= T[a, a]
        for b in range(a + 1, rank):
            y[b] -= T[a, b] * y[a]
    for a in range(rank - 1, -1, -1):
        for b in range(a + 1, rank):
            y[a] -= T[a, b] * y[b]
        y[a] /= T[a, a]
    for j in range(width):
        w.z[j] = 0.0
    add_transposed(B, y, -1.0, rank, width, w.z)


@kernel(B1(WORK, VEC, I8, I8, I8), fast=True, counted=False)
def point_along(w: Work, c: Vector, rank: int, f: int, width: int) -> bool:
    """Fill ``z`` with the direction of the face along which only the linear cost changes.

    Args:
        w: Workspace after ``see_face``.
        c: Linear cost.
        rank: Directions that the level sees.
        f: Directions of the face.
        width: Unknowns and slacks.

    Returns:
        Whether the cost falls along it, to more than rounding; else ``z`` is scratch.
    """
    n, B, y = c.size, w.J[w.state[COUNT] + rank :], w.r
    multiply(B, c, f - rank, n, y)
    for j in range(width):
        w.z[j] = 0.0
    add_transposed(B, y, -1.0, f - rank, width, w.z)
    size, slope = dot(w.z, w.z, width), dot(c, w.z, n)
    return slope < -FLAT * math.sqrt(size * dot(c, c, n))


@kernel(F8(DATA, WORK), fast=True, counted=False)
def room_along(p: Data, w: Work) -> float:
    """Tell how far x may move along ``z`` until a constraint that is not active stops it.

    Args:
        p: Problem.
        w: Workspace.

    Returns:
        The longest step; inf when nothing stops it.
    """
    n, longest = p.lower.size, np.inf
    least = 1e-12 * math.sqrt(dot(w.z, w.z, n + w.state[SLACKS]))
    for i in range(w.lo.size):
        if w.flag[i] != 0:
            continue
        if i < n:
            value, rise = w.x[i], w.z[i]
        else:
            row = p.C[i - n]
            value, rise = dot(row, w.x, n), dot(row, w.z, n)
            if w.slack[i - n] >= 0:
                value += w.x[n + w.slack[i - n]]
                rise += w.z[n + w.slack[i - n]]
        if rise > least:
            longest = min(longest, max(w.hi[i] - value, 0.0) / rise)
        elif rise < -least:
            longest = min(longest, max(value - w.lo[i], 0.0) / -rise)
    return longest


@kernel(F8(DATA, WORK, F8), fast=True, counted=False)
def move(p: Data, w: Work, longest: float) -> float:
    """Move x along ``z`` as far as the constraints allow.

    Args:
        p: Problem.
        w: Workspace.
        longest: Longest step.

    Returns:
        What is left of the step, times the largest entry of ``z``; inf when a step without end
        meets nothing, which leaves x as it was.
    """
    step, size = min(longest, room_along(p, w)), 0.0
    if step == np.inf:
        return np.inf
    for j in range(p.lower.size + w.state[SLACKS]):
        w.x[j] += step * w.z[j]
        size = max(size, abs(w.z[j]))
    return (min(longest, 1.0) - step) * size


@kernel(I8(DATA, WORK, I8, F8))
def step_on_face(p: Data, w: Work, level: int, rounding: float) -> int:
    """Move x to the level's minimum on the face of the active constraints, or as far as it may go.

    Neither the cost nor a violation grows: wherever it ends, the rounds go on from there.

    Args:
        p: Problem.
        w: Workspace with the gradient at x.
        level: The level.
        rounding: Of x.

    Returns:
        LEAST when it got there, to rounding; STOPPED by a constraint; or ENDLESS when a linear cost
        falls for ever.
    """
    slacks, c = w.state[SLACKS], p.c[level]
    f, width = w.state[FREE] + slacks - w.state[COUNT], p.lower.size + slacks
    rank = see_face(p, w, level)
    point_down(w, rank, f, width)
    if move(p, w, 1.0) > rounding:
        return STOPPED
    if not point_along(w, c, rank, f, width):
        return LEAST
    return ENDLESS if move(p, w, np.inf) == np.inf else STOPPED
