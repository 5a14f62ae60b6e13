"""Arrays on the stack and views of C arrays, for compiled rollouts."""

import math
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload
from numba.np.arrayobj import populate_array

DOUBLES = types.CPointer(types.float64)


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def stack_doubles(typing_context: Any, size: Any) -> Any:
    """Reserve room for a constant number of doubles until the function returns."""
    count = size.literal_value

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        room = cgutils.alloca_once(builder, ir.ArrayType(ir.DoubleType(), count))
        return builder.bitcast(room, ir.DoubleType().as_pointer())

    return DOUBLES(size), emit


@intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator]
def copied(typing_context: Any, source: Any, size: Any) -> Any:
    """Copy a constant number of doubles to the stack, until the function returns."""
    count = size.literal_value

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        room = cgutils.alloca_once(builder, ir.ArrayType(ir.DoubleType(), count))
        copy = builder.bitcast(room, ir.DoubleType().as_pointer())
        cgutils.raw_memcpy(builder, copy, values[0], ir.Constant(ir.IntType(64), count), 8)
        return copy

    return DOUBLES(source, size), emit


@intrinsic  # type: ignore[untyped-decorator]
def offset_by(typing_context: Any, pointer: Any, count: Any) -> Any:
    """Pointer to the double that many further on."""

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.gep(values[0], [values[1]])

    return DOUBLES(pointer, types.int64), emit


@intrinsic  # type: ignore[untyped-decorator]
def readonly_view(typing_context: Any, pointer: Any, size: Any) -> Any:
    """See doubles in memory as a vector that cannot be written to."""
    vector = types.Array(types.float64, 1, "C", readonly=True)

    def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        array = context.make_array(vector)(context, builder)
        itemsize = context.get_constant(types.intp, 8)
        populate_array(
            array,
            data=values[0],
            shape=[values[1]],
            strides=[itemsize],
            itemsize=itemsize,
            meminfo=None,
        )
        return array._getvalue()

    return vector(pointer, types.int64), emit


@overload(math.fmod)
def _fmod(a, b):  # type: ignore[no-untyped-def]
    """Teach Numba ``math.fmod``, with which many a callback wraps its angles."""

    def implementation(a, b):  # type: ignore[no-untyped-def]
        return np.fmod(float(a), float(b))

    return implementation
