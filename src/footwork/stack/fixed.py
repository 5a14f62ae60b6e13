"""Arrays that compiled code reads by their address, and whose memory therefore never moves."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray


def fixed(shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Make zeros whose address stays right as long as anybody holds the array.

    NumPy resizes only arrays that own their memory, and these do not: not even
    ``resize(refcheck=False)`` can take it away from under a kernel that reads by address.

    Args:
        shape: Of the array.

    Returns:
        A C-contiguous array.
    """
    return np.ndarray(shape, np.float64, bytearray(8 * math.prod(shape)))


def fixed_copy(values: NDArray[Any]) -> Any:
    """Copy numbers of eight bytes to where they stay; see `fixed`.

    Args:
        values: Of float64 or int64.

    Returns:
        A C-contiguous array of the same type.
    """
    copy = np.ndarray(values.shape, values.dtype, bytearray(values.nbytes))
    copy[...] = values
    return copy
