"""The normal equations of shooting: a chain of nodes, solved in a band."""

from typing import Final

import numpy as np
from scipy.linalg import LinAlgError, solveh_banded

from footwork.typing import BoolVector, Matrix, Tensor, Vector

BLOCKS: Final = 7
"""Blocks of (n + m)² numbers that a step holds for each node: matrix, its free part, the band."""


ROUNDS: Final = 8
"""How often a step is solved again because it would leave its bounds."""


class NormalEquations:
    """JᵀJ of a chain of nodes, each with a block of its own and one with the node before.

    Args:
        diagonal: Blocks of the nodes, shape (nodes, z, z).
        below: Blocks of each node but the first with the one before, shape (nodes − 1, z, z).
        gradient: Jᵀr, shape (nodes, z).
        is_free: Which variables may move, shape (nodes, z).
    """

    def __init__(
        self, diagonal: Tensor, below: Tensor, gradient: Matrix, is_free: BoolVector
    ) -> None:
        self._diagonal, self._below = diagonal, below
        self._gradient, self._free = gradient, is_free

    @property
    def is_finite(self) -> bool:
        """Whether all numbers are; otherwise there is no step."""
        return bool(np.isfinite(self._diagonal).all() and np.isfinite(self._gradient).all())

    def solved(self, damping: Vector, low: Matrix, high: Matrix) -> Matrix:
        """Solve (JᵀJ + damping) step = −Jᵀr within bounds.

        What would leave its bounds stops there, and the rest is solved again, knowing that; merely
        clipped steps take a hundred times as many where many controls are at their limits.

        Args:
            damping: Added to the diagonal of each node, shape (z,).
            low: Least step of each variable, not above 0, shape (nodes, z).
            high: Largest, not below 0, shape (nodes, z).

        Returns:
            The step, shape (nodes, z); what is fixed does not move.

        Source: bertsekas1982projected
        """
        free, step = self._free, np.zeros(self._gradient.shape)
        for _ in range(ROUNDS):
            step = np.where(free, self._solved(damping, free, np.where(free, 0.0, step)), step)
            leaves = free & ((step < low) | (step > high))
            step = np.clip(step, low, high)
            if not leaves.any():
                break
            free = free & ~leaves
        return step

    def _solved(self, damping: Vector, free: BoolVector, moved: Matrix) -> Matrix:
        """Solve for what is free, where the rest has moved already."""
        count, z = free.shape
        right = np.where(free, -self._gradient - self._times(moved), 0.0)
        diagonal = np.where(free[:, :, None] & free[:, None, :], self._diagonal, 0.0)
        below = np.where(free[1:, :, None] & free[:-1, None, :], self._below, 0.0)
        i, j = np.tril_indices(z)
        band = np.zeros((2 * z, count, z))  # band[r, k, c] is row r below column (k, c)
        band[i - j, :, j] = diagonal[:, i, j].T
        band[0] += np.where(free, damping, 1.0)
        i, j = np.indices((z, z)).reshape(2, -1)
        band[z + i - j, :-1, j] = below[:, i, j].T
        try:
            step: Vector = solveh_banded(
                band.reshape(2 * z, -1), right.ravel(), lower=True, check_finite=False
            )
        except LinAlgError:
            return np.zeros((count, z))
        return step.reshape(count, z)

    def _times(self, step: Matrix) -> Matrix:
        """JᵀJ step."""
        column = step[:, :, None]
        product = self._diagonal @ column
        product[1:] += self._below @ column[:-1]
        product[:-1] += self._below.transpose(0, 2, 1) @ column[1:]
        return product[:, :, 0]


def working_bytes(count: int, size: int) -> int:
    """Estimate what a step of shooting needs.

    Args:
        count: Nodes.
        size: Variables of a node.

    Returns:
        Bytes.
    """
    return 8 * BLOCKS * count * size**2
