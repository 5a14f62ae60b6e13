"""The basis of the directions that upper levels leave: straighten it, leave some, return to it."""

from footwork._numba import F8, I8, OUT1, VOID, kernel
from footwork.stack._kernels.cholesky import cholesky
from footwork.stack._kernels.factor import identity
from footwork.stack._kernels.products import (
    add_transposed,
    copy_to,
    dot,
    multiply,
)
from footwork.stack._kernels.tiles import gram, padded
from footwork.stack._kernels.workspace import (
    DATA,
    FREE,
    IDENTITY,
    OBLIQUE,
    WORK,
    Data,
    Work,
    matrix_at,
)
from footwork.typing import Vector


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


@kernel(VOID(WORK, I8), counted=False)
def write_identity(w: Work, n: int) -> None:
    """Write the basis out while it is the identity: only who reads it needs the numbers.

    Args:
        w: Workspace.
        n: Unknowns.
    """
    if w.state[IDENTITY] != 0:
        identity(w.basis, n)


@kernel(VOID(DATA, WORK), counted=False)
def straighten(p: Data, w: Work) -> None:
    """Make an oblique basis orthonormal, L⁻¹ basis with L Lᵀ = 1 + goneᵀ gone; J is scratch.

    Args:
        p: Problem.
        w: Workspace.
    """
    n, r = p.lower.size, w.state[FREE]
    if w.state[OBLIQUE] == 0:
        return
    size, wide = padded(r), padded(n)
    H = matrix_at(w.scratch, 0, size, size)
    gram(w.gone, n - r, size, w.turn, H)
    for k in range(size):
        H[k, k] += 1.0
        for j in range(wide):
            w.J[k, j] = w.basis[k, j] if k < r and j < n else 0.0
    cholesky(H, w.J, r, 0, wide, 0.0, w.turn)
    for k in range(r):
        copy_to(w.J[k], w.basis[k], n)
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
    if w.state[IDENTITY] != 0 or r == n:
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
