"""The normal equations of shooting: a chain of nodes, solved in a band."""

from typing import Final

import numpy as np
from scipy.linalg import LinAlgError, solveh_banded

from footwork.typing import BoolVector, Matrix, Tensor, Vector

BLOCKS: Final = 7
"""Blocks of (n + m)² numbers that a step holds for each node: matrix, its free part, the band."""


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
        self._free = is_free
        pairs = is_free[:, :, None] & is_free[:, None, :]
        self._diagonal = np.where(pairs, diagonal, 0.0)
        self._below = np.where(is_free[1:, :, None] & is_free[:-1, None, :], below, 0.0)
        self._gradient = np.where(is_free, gradient, 0.0)

    def solved(self, damping: Vector) -> Matrix:
        """Solve (JᵀJ + damping) step = −Jᵀr; what is fixed does not move.

        Args:
            damping: Added to the diagonal of each node, shape (z,).

        Returns:
            The step, shape (nodes, z); zeros if the matrix is singular.
        """
        count, z = self._gradient.shape
        i, j = np.tril_indices(z)
        band = np.zeros((2 * z, count, z))  # band[r, k, c] is row r below column (k, c)
        band[i - j, :, j] = self._diagonal[:, i, j].T
        band[0] += np.where(self._free, damping, 1.0)
        i, j = np.indices((z, z)).reshape(2, -1)
        band[z + i - j, :-1, j] = self._below[:, i, j].T
        try:
            step: Vector = solveh_banded(
                band.reshape(2 * z, -1), -self._gradient.ravel(), lower=True, check_finite=False
            )
        except LinAlgError:
            return np.zeros((count, z))
        return np.where(self._free, step.reshape(count, z), 0.0)


def working_bytes(count: int, size: int) -> int:
    """Estimate what a step of shooting needs.

    Args:
        count: Nodes.
        size: Variables of a node.

    Returns:
        Bytes.
    """
    return 8 * BLOCKS * count * size**2
