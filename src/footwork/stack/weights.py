"""Weights of tasks: reading, checking, taking their square root."""

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError, ShapeError, WeightError
from footwork.typing import Matrix, Vector, as_array

SYMMETRY_TOLERANCE = 1e-12
"""Largest difference of W and Wᵀ, relative to the largest entry."""
INDEFINITE_TOLERANCE = 1e-10
"""Smallest eigenvalue that is taken for zero, relative to the largest one, negated."""


def as_weight(value: ArrayLike, size: int, task: str) -> Matrix:
    """Read a weight: a matrix, a diagonal or a scalar.

    Args:
        value: Shape (size, size), (size,) or ().
        size: Number of rows of the task.
        task: Id, for the message.

    Returns:
        W, symmetric positive semi-definite, shape (size, size).

    Raises:
        ShapeError: If the shape is none of the three.
        WeightError: If W is not symmetric positive semi-definite.
    """
    ndim = np.ndim(value)
    if ndim == 0:
        return _non_negative(float(as_array("weight", value, ())), task) * np.eye(size)
    if ndim == 1:
        diagonal = as_array(f"weight of {task!r}", value, (size,))
        _non_negative(min(diagonal.tolist(), default=0.0), task)
        W = np.zeros((size, size))
        W.flat[:: size + 1] = diagonal
        return W
    if ndim != 2:
        raise ShapeError(f"weight of {task!r}", (size, size), np.shape(value))
    W = as_array(f"weight of {task!r}", value, (size, size))
    return as_symmetric(W, task)


def as_symmetric(W: Matrix, task: str) -> Matrix:
    """Check that a matrix is symmetric positive semi-definite, and make it exactly symmetric.

    Args:
        W: Square.
        task: Id, for the message.

    Returns:
        (W + Wᵀ)/2.

    Raises:
        WeightError: If it is not.
    """
    scale = float(np.abs(W).max(initial=0.0))
    gap = float(np.abs(W - W.T).max(initial=0.0))
    if gap > SYMMETRY_TOLERANCE * scale:
        raise WeightError(task, f"it must be symmetric; W and its transpose differ by {gap:.3g}")
    symmetric: Matrix = 0.5 * (W + W.T)
    lowest = smallest_eigenvalue(symmetric)
    if lowest < -INDEFINITE_TOLERANCE * scale:
        raise WeightError(
            task, f"it must be positive semi-definite; its smallest eigenvalue is {lowest:.3g}"
        )
    return symmetric


def smallest_eigenvalue(W: Matrix) -> float:
    """Compute the smallest eigenvalue of a symmetric matrix.

    Args:
        W: Symmetric.

    Returns:
        The eigenvalue, 0 for an empty matrix.
    """
    return float(np.linalg.eigvalsh(W)[0]) if W.size else 0.0


def diagonal_of(W: Matrix) -> Vector | None:
    """Take the diagonal of a matrix that has nothing else.

    Args:
        W: Square.

    Returns:
        The diagonal, or None if another entry is not zero.
    """
    diagonal: Vector = W.diagonal().copy()
    return diagonal if np.count_nonzero(W) == np.count_nonzero(diagonal) else None


def square_root(W: Matrix, task: str) -> Matrix:
    """Factor a weight, W = FᵀF.

    Args:
        W: Symmetric.
        task: Id, for the message.

    Returns:
        F, shape of W.

    Raises:
        WeightError: If W is indefinite.
    """
    values, vectors = np.linalg.eigh(W)
    if values.size and values[0] < -INDEFINITE_TOLERANCE * max(abs(values[-1]), abs(values[0])):
        raise WeightError(
            task,
            f"as a whole it is indefinite (smallest eigenvalue {values[0]:.3g}), though each block "
            "that was set is not: blocks of one task must fit its other entries",
        )
    F: Matrix = np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T
    return F


def _non_negative(entry: float, task: str) -> float:
    if entry < 0.0:
        raise WeightError(task, f"an entry of a diagonal must not be negative, got {entry:g}")
    return entry


def as_factor(weight: ArrayLike, size: int, task: str) -> Matrix | Vector | float:
    """Read the left factor of ``w * task``.

    Args:
        weight: A number, one factor a row, or a matrix.
        size: Number of rows.
        task: Id, for the message.

    Returns:
        A float, shape (size,), or shape (size, size).

    Raises:
        InputError: If it is none of them.
        WeightError: If a factor is negative.
    """
    ndim = np.ndim(weight)
    if ndim == 0:
        return _non_negative(float(as_array(f"weight of {task!r}", weight, ())), task)
    if ndim == 1:
        factors = as_array(f"weight of {task!r}", weight, (size,))
        _non_negative(float(factors.min(initial=0.0)), task)
        return factors
    if ndim == 2:
        return as_array(f"weight of {task!r}", weight, (size, size))
    raise InputError(f"weight of {task!r}: expected a number, a vector or a matrix")
