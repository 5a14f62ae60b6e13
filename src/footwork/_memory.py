"""Numbers at an address, seen as arrays by compiled code; with the JIT off through ctypes."""

import ctypes
from collections.abc import Callable
from typing import Any, Final, ParamSpec, TypeVar

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from footwork.typing import IntVector, Matrix, Vector

P = ParamSpec("P")
R = TypeVar("R")

IS_COMPILED: Final = not numba.config.DISABLE_JIT
"""Whether kernels are machine code in this process."""

_intrinsic: Callable[[Any], Any] = intrinsic
_inlined: Callable[[Callable[P, R]], Callable[P, R]] = numba.njit(inline="always")

if IS_COMPILED:

    @_intrinsic
    def _float_pointer(_context: Any, address: Any) -> Any:
        signature = types.CPointer(types.float64)(types.int64)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(sig.return_type))

        return signature, generate

    @_intrinsic
    def _int_pointer(_context: Any, address: Any) -> Any:
        signature = types.CPointer(types.int64)(types.int64)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(sig.return_type))

        return signature, generate

    @_inlined
    def vector_at(address: int, size: int) -> Vector:
        """See ``size`` floats at an address as an array, without a copy."""
        seen: Vector = numba.carray(_float_pointer(address), (size,))
        return seen

    @_inlined
    def ints_at(address: int, size: int) -> IntVector:
        """See ``size`` integers at an address as an array, without a copy."""
        seen: IntVector = numba.carray(_int_pointer(address), (size,))
        return seen

    @_inlined
    def matrix_at(address: int, rows: int, stride: int) -> Matrix:
        """See ``rows`` rows that lie ``stride`` floats apart as a (rows, stride) array."""
        seen: Matrix = numba.carray(_float_pointer(address), (rows, stride))
        return seen

else:

    def vector_at(address: int, size: int) -> Vector:
        """See ``size`` floats at an address as an array, without a copy."""
        if size == 0:
            return np.zeros(0)
        block = (ctypes.c_double * int(size)).from_address(int(address))
        return np.ctypeslib.as_array(block)

    def ints_at(address: int, size: int) -> IntVector:
        """See ``size`` integers at an address as an array, without a copy."""
        if size == 0:
            return np.zeros(0, dtype=np.int64)
        block = (ctypes.c_int64 * int(size)).from_address(int(address))
        return np.ctypeslib.as_array(block)

    def matrix_at(address: int, rows: int, stride: int) -> Matrix:
        """See ``rows`` rows that lie ``stride`` floats apart as a (rows, stride) array."""
        # The last row may end before a whole stride: see the floats that exist for certain.
        flat = vector_at(address, max(0, (rows - 1) * stride + 1))
        return np.lib.stride_tricks.as_strided(
            flat, (int(rows), int(stride)), (8 * int(stride), 8), writeable=True
        )
