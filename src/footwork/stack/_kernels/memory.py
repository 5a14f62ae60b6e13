"""Numbers and functions by their address, so that one kernel reads every task where it lives.

A stack's tick reads rows that belong to many tasks, and Pinocchio's live data, without a Python
call a task. Each task therefore hands over the addresses of its arrays (and keeps them alive), and
the address of a compiled function that fills its rows: the *evaluator*. ::

    evaluate(ints, floats, J, stride, out)        five int64 addresses, ``stride`` a number

    ints    the task's own int64 parameters: addresses of live data, joint indices, counts …
    floats  the task's own float64 parameters: gains, references, placements …
    J       first entry of the task's rows; row i starts ``i·stride`` floats further
    out     a task: feedforward (m), error (m), error rate (m); a constraint: lower (k), upper (k)

With the JIT off the same names work as well.
"""

from collections.abc import Callable
from typing import Any, Final, TypeAlias

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from footwork._memory import IS_COMPILED, ints_at, matrix_at, vector_at
from footwork._numba import I8, IMAT, IVEC, VOID, callback, kernel
from footwork.typing import IntVector

__all__ = ["IS_COMPILED", "ints_at", "matrix_at", "vector_at"]

IntMatrix: TypeAlias = NDArray[np.int64]

EVALUATOR: Final = VOID(I8, I8, I8, I8, I8)
"""Signature of an evaluator."""

_PYTHON_EVALUATORS: Final[dict[int, Callable[..., None]]] = {}


class PythonEvaluator:
    """Stand-in for a compiled evaluator when the JIT is off: a number that finds the function."""

    def __init__(self, function: Callable[..., None]) -> None:
        self.address = len(_PYTHON_EVALUATORS) + 1
        _PYTHON_EVALUATORS[self.address] = function

    def __call__(self, ints: int, floats: int, J: int, stride: int, out: int) -> None:
        """Call the function itself."""
        _PYTHON_EVALUATORS[self.address](ints, floats, J, stride, out)


def evaluator(function: Callable[..., None]) -> Any:
    """Compile a function ``f(ints, floats, J, stride, out)`` that others call by its ``address``.

    Args:
        function: Reads its arguments with `vector_at`, `ints_at` and `matrix_at`.

    Returns:
        An object with ``address``; cached on disk.
    """
    if not IS_COMPILED:
        return PythonEvaluator(function)
    return callback(EVALUATOR)(function)


_intrinsic: Callable[[Any], Any] = intrinsic

if IS_COMPILED:

    @_intrinsic
    def _call(_c: Any, f: Any, i: Any, p: Any, J: Any, stride: Any, out: Any) -> Any:
        """Call the evaluator at an address."""
        signature = types.void(*[types.int64] * 6)

        def generate(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            kind = ir.FunctionType(ir.VoidType(), [ir.IntType(64)] * 5)
            builder.call(builder.inttoptr(args[0], kind.as_pointer()), args[1:])
            return context.get_dummy_value()

        return signature, generate

    call_evaluator: Callable[[int, int, int, int, int, int], None] = _call

else:

    def call_evaluator(f: int, ints: int, floats: int, J: int, stride: int, out: int) -> None:
        """Call the evaluator at an address."""
        _PYTHON_EVALUATORS[int(f)](int(ints), int(floats), int(J), int(stride), int(out))


LEAF_WIDTH: Final = 12
"""Columns of the leaf table: the evaluator and its five arguments, then where its rows are mapped
to (address of the mapped rows or 0; number of rows; size of the own variable; addresses of M, of q
and of the shift −J q)."""


@kernel(VOID(IVEC, I8))
def map_rows(t: IntVector, n: int) -> None:
    """Carry one leaf's rows over to x: A = J M, shift = −J q.

    Args:
        t: The leaf's line of the table.
        n: Number of unknowns.
    """
    rows = t[7]
    size = t[8]
    local = matrix_at(t[3], rows, t[4])
    M = matrix_at(t[9], size, n)
    q = vector_at(t[10], size)
    A = matrix_at(t[6], rows, n)
    shift = vector_at(t[11], rows)
    for i in range(rows):
        total = 0.0
        for j in range(n):
            A[i, j] = 0.0
        for k in range(size):
            f = local[i, k]
            if f != 0.0:
                total -= f * q[k]
                for j in range(n):
                    A[i, j] += f * M[k, j]
        shift[i] = total


@kernel(VOID(IMAT, I8))
def evaluate(table: IntMatrix, x_size: int) -> None:
    """Run the evaluator of every leaf that has one; map rows through the leaf's affine variable.

    With the leaf's own variable y = M x + q:  A = J M,  shift = −J q.

    Args:
        table: One row a leaf; evaluator 0 means that Python has filled the rows.
        x_size: Number of unknowns n.
    """
    for i in range(table.shape[0]):
        t = table[i]
        if t[0] != 0:
            call_evaluator(t[0], t[1], t[2], t[3], t[4], t[5])
        if t[6] != 0:
            map_rows(t, x_size)
