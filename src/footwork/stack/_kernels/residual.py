"""A level's residual, and the gradient of its cost."""

from footwork._numba import F8, I8, VOID, kernel
from footwork.stack._kernels.products import (
    add_transposed,
    add_transposed_rows,
    dot,
    multiply,
    multiply_rows,
)
from footwork.stack._kernels.workspace import (
    CARRIED,
    DATA,
    FREE,
    KNOWN,
    RANK,
    SLACKS,
    WORK,
    Data,
    Work,
)


@kernel(F8(DATA, WORK, I8, F8), fast=True, counted=False)
def fill_residual(p: Data, w: Work, level: int, ridge: float) -> float:
    """Fill A x − b of a level.

    Args:
        p: Problem.
        w: Workspace.
        level: The level.
        ridge: Weight of ½|x|².

    Returns:
        |A x − b|² + |slack|² + ridge |x|².
    """
    n, slacks = p.lower.size, w.state[SLACKS]
    first, last = p.level_offset[level], p.level_offset[level + 1]
    square = dot(w.x, w.x, n)
    total = ridge * square
    for j in range(n, n + slacks):
        total += w.x[j] * w.x[j]
    if square > 0.0:
        multiply_rows(p.A, w.single, w.x, first, last, n, w.residual)
    else:
        for i in range(last - first):
            w.residual[i] = 0.0
    for i in range(last - first):
        w.residual[i] -= p.b[first + i]
        total += w.residual[i] * w.residual[i]
    w.state[KNOWN] = level + 1
    return total


@kernel(VOID(DATA, WORK, I8, F8), fast=True, counted=False)
def fill_gradient(p: Data, w: Work, level: int, ridge: float) -> None:
    """Fill the gradient of a level's cost at x, and d = J gradient.

    Only what the level sees is kept of AᵀA x − Aᵀb: the rest is rounding, and the proximal weight
    is so small that the rounds would follow it.

    Args:
        p: Problem.
        w: Workspace with the level's residual at x.
        level: The level.
        ridge: Weight of ½|x|².
    """
    n, slacks, g = p.lower.size, w.state[SLACKS], w.gradient
    c = p.c[level]
    for j in range(n):
        g[j] = 0.0
    first, last = p.level_offset[level], p.level_offset[level + 1]
    add_transposed_rows(p.A, w.single, w.residual, first, last, n, g)
    rank = w.state[RANK]
    if rank < w.state[FREE]:
        multiply(w.basis, g, rank, n, w.r)
        for j in range(n):
            g[j] = 0.0
        add_transposed(w.basis, w.r, 1.0, rank, n, g)
    for j in range(n):
        g[j] += c[j] + ridge * w.x[j]
    for j in range(n, n + slacks):
        g[j] = w.x[j]
    multiply(w.J, g, w.state[FREE] + slacks, n + slacks, w.d)


@kernel(VOID(DATA, WORK, I8, F8), fast=True, counted=False)
def start_gradient(p: Data, w: Work, level: int, ridge: float) -> None:
    """Fill d = J gradient for the first time: it may have come through the factor.

    Args:
        p: Problem.
        w: Workspace, its residual that of the level unless a factor has used it as scratch.
        level: The level.
        ridge: Weight of ½|x|².
    """
    if w.state[CARRIED] == 0:
        if w.state[KNOWN] != level + 1:
            fill_residual(p, w, level, ridge)
        fill_gradient(p, w, level, ridge)
        return
    at = w.J.shape[1] - 1
    for k in range(w.state[FREE] + w.state[SLACKS]):
        w.d[k] = w.J[k, at]
