"""Names for arrays, and the checks that public functions share.

Shapes go in the docstrings; the last axis is the vector.
"""

import reprlib
from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from footwork.errors import InputError, NotFiniteError, ShapeError

Vector: TypeAlias = NDArray[np.float64]
"""Shape (n,)."""
Matrix: TypeAlias = NDArray[np.float64]
"""Shape (m, n)."""
Tensor: TypeAlias = NDArray[np.float64]
"""Three axes or more."""
IntVector: TypeAlias = NDArray[np.int64]
"""Shape (n,), integers."""
BoolVector: TypeAlias = NDArray[np.bool_]
"""Shape (n,), truth values."""


class Logger(Protocol):
    """Where tasks and constraints write their variables, one row a tick."""

    def add(self, name: str, value: ArrayLike) -> None:
        """Record one variable of this tick.

        Args:
            name: Unique in the tick.
            value: Scalar, vector or matrix of a fixed shape.
        """


def as_array(
    name: str, value: ArrayLike, shape: Sequence[int | str], *, finite: bool = True
) -> NDArray[np.float64]:
    """Copy a value into a new float64 array of the wanted shape.

    Args:
        name: What the array is, for the error message.
        value: Anything that NumPy reads as numbers.
        shape: Wanted shape; a string is a dimension of any size.
        finite: Whether NaN and infinity are refused.

    Returns:
        A new C-contiguous float64 array.

    Raises:
        InputError: If the value is not made of real numbers.
        ShapeError: If the shape differs.
        NotFiniteError: If an entry is NaN or infinite and ``finite`` is set.
    """
    try:
        given = np.array(value, order="C")
        if given.dtype.kind == "O":  # as of fractions; NumPy would make NaN of None
            given = np.array([float(v) for v in given.ravel()]).reshape(given.shape)
        if real := given.dtype.kind in "fiub":  # NumPy would convert text and complex numbers too
            array = given.astype(np.float64, copy=False)
    except (TypeError, ValueError, OverflowError) as error:
        raise _not_real(name, value) from error
    if not real:
        raise _not_real(name, value)
    if array.ndim != len(shape) or any(
        isinstance(want, int) and want != got for want, got in zip(shape, array.shape, strict=True)
    ):
        raise ShapeError(name, shape, array.shape)
    if finite and not np.isfinite(array).all():
        index = tuple(int(i) for i in np.argwhere(~np.isfinite(array))[0])
        raise NotFiniteError(name, index, float(array[index]))
    return array


def _not_real(name: str, value: object) -> InputError:
    return InputError(f"{name}: expected real numbers, got {reprlib.repr(value)}")


def frozen(array: NDArray[np.float64]) -> NDArray[np.float64]:
    """Make an array read-only and return it.

    Args:
        array: Owned by the caller.

    Returns:
        The same array.
    """
    array.setflags(write=False)
    return array
