"""The one door into the user's problem, and the rule by which durations become steps.

A rollout is a C function, known by its address::

    int64 rollout(double *x0, double *u, double h, int64 n, double last_h,
                  double *params, double *out)

It integrates n steps of h and then, if ``last_h`` is not zero, one step of ``last_h``; it writes
the state after each step to the rows of ``out``, wraps it, and stops before the first state that
is out of bounds or invalid. It returns how many states are valid (their rows are right, the others
are scratch), or a negative code if a callback failed; see `footwork.planning.rollout_codes`.
"""

import math
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from footwork._numba import F8, I8, OUT2, VEC, kernel
from footwork.planning.rollout_codes import ROLLOUT_TYPE, STEP_TOLERANCE
from footwork.typing import Matrix, Vector


@kernel(types.Tuple((I8, F8))(F8, F8), nogil=True)
def steps_of(duration: float, step: float) -> tuple[int, float]:
    """Split a duration into whole steps and what is left.

    n = round(d/h) if |d/h − n| ≤ 1e-9 · max(1, n), and nothing is left; else n = floor(d/h) and
    the rest d − n h is one shorter step. A duration below one step is one shorter step, however
    short it is.

    Args:
        duration: d ≥ 0 [s].
        step: h > 0 [s].

    Returns:
        The number of whole steps, and the shorter step [s], 0 when there is none.
    """
    ratio = duration / step
    whole = math.floor(ratio + 0.5)
    if whole >= 1.0 and abs(ratio - whole) <= STEP_TOLERANCE * whole:
        return int(whole), 0.0
    whole = math.floor(ratio)
    return int(whole), duration - whole * step


if numba.config.DISABLE_JIT:

    def call_rollout(
        address: int,
        x0: Vector,
        u: Vector,
        h: float,
        n: int,
        last_h: float,
        params: Vector,
        out: Matrix,
    ) -> int:
        """Call a rollout by its address."""
        function: Any = ROLLOUT_TYPE(int(address))
        return int(
            function(
                x0.ctypes.data, u.ctypes.data, h, n, last_h, params.ctypes.data, out.ctypes.data
            )
        )

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def _call(
        typing_context: Any,
        address: Any,
        x0: Any,
        u: Any,
        h: Any,
        n: Any,
        last_h: Any,
        params: Any,
        out: Any,
    ) -> Any:
        """Emit the call of a C function whose address is only known at run time."""
        signature = types.int64(address, x0, u, h, n, last_h, params, out)

        def emit(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            double, integer = ir.DoubleType(), ir.IntType(64)
            pointer = double.as_pointer()
            function = ir.FunctionType(
                integer, [pointer, pointer, double, integer, double, pointer, pointer]
            )
            target = builder.inttoptr(values[0], function.as_pointer())

            def data(k: int) -> Any:
                return context.make_array(signature.args[k])(context, builder, values[k]).data

            return builder.call(
                target, [data(1), data(2), values[3], values[4], values[5], data(6), data(7)]
            )

        return signature, emit

    @kernel(I8(I8, VEC, VEC, F8, I8, F8, VEC, OUT2), nogil=True)
    def call_rollout(
        address: int,
        x0: Vector,
        u: Vector,
        h: float,
        n: int,
        last_h: float,
        params: Vector,
        out: Matrix,
    ) -> int:
        """Call a rollout by its address."""
        count: int = _call(address, x0, u, h, n, last_h, params, out)
        return count
