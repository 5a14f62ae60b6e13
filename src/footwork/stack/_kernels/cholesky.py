"""Cholesky factor and what it divides, four rows at a time."""

import math

from footwork._numba import B1, F8, I8, OUT1, OUT2, kernel
from footwork.stack._kernels.tiles import padded, set_turn, tile
from footwork.typing import Matrix, Vector

THIN_PIVOT = 1e-10
"""Least pivot of a Cholesky factor relative to its diagonal entry; below, rank is in doubt."""


@kernel(B1(OUT2, I8, F8, OUT1), fast=True, counted=False)
def factor_block(H: Matrix, k: int, least: float, t: Vector) -> bool:
    """Factor the 4 × 4 block of H at k, and write the turn that divides by its factor.

    Args:
        H: Symmetric, upper triangle; not changed.
        k: First row and column.
        least: Pivots up to this are zero.
        t: Holds the diagonal as it was before anything was taken from it; the turn on return.

    Returns:
        Whether every pivot stands clear of zero.
    """
    for r in range(4):
        start = r * (r + 1) // 2
        floor, pivot = max(THIN_PIVOT * t[r + 10], least), H[k + r, k + r]
        for s in range(r):
            below = s * (s + 1) // 2
            total = H[k + s, k + r]
            for q in range(s):
                total -= t[below + q] * t[start + q]
            total *= t[below + s]
            t[start + s] = total
            pivot -= total * total
        if not pivot > floor:
            return False
        t[start + r] = 1.0 / math.sqrt(pivot)
    return True


@kernel(B1(OUT2, OUT2, I8, I8, I8, F8, OUT1), counted=False)
def cholesky(
    H: Matrix, right: Matrix, r: int, lower: int, width: int, least: float, t: Vector
) -> bool:
    """Factor H = UᵀU and replace the right side X by U⁻ᵀ X, both at once.

    Args:
        H: Symmetric, upper triangle, padded to whole tiles with a diagonal above ``least``; U in
            its upper triangle on return.
        right: X, as many rows.
        r: Size without padding.
        lower: So many leading columns of X are the identity, a multiple of 8.
        width: All columns of X, a multiple of 8.
        least: Pivots up to this are zero.
        t: Scratch, (14,).

    Returns:
        Whether every pivot stands clear of zero.
    """
    size = padded(r)
    for k in range(0, r, 4):
        near = k & -8
        set_turn(t, 1)
        for q in range(4):
            t[10 + q] = H[k + q, k + q]
        tile(H, k, H, near, 0, k, H, k, t)
        if not factor_block(H, k, least, t):
            return False
        tile(H, k, H, near, k, k, H, k, t)
        for j in range(near + 8, size, 8):
            tile(H, k, H, j, 0, k, H, k, t)
        for j in range(0, min(k + 4, lower), 8):
            tile(H, k, right, j, j, k, right, k, t)
        for j in range(lower, width, 8):
            tile(H, k, right, j, 0, k, right, k, t)
    return True
