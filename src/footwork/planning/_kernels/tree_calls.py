"""Calls by address: the doors through which a planner kernel reaches the user's problem.

A planner kernel is compiled once, for every problem there will ever be; the problem enters it as
addresses of C functions. All arrays are passed with a row, so that no view is made on the way.

    int64  rollout(double* x0, double* u, double h, int64 n, double last_h,
                   double* params, double* out)
    double goal(double* x, double* params)             how far x is outside the goal, <= 0 inside
    double cost(double* x0, double* trajectory, int64 k, double* u, double h, double* params)
    void   project(double* x, double* params, double* out)

With the compiler switched off (``NUMBA_DISABLE_JIT=1``) the same names are plain Python doors.
"""

import ctypes
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

_DOUBLES = ctypes.POINTER(ctypes.c_double)
ROLLOUT = ctypes.CFUNCTYPE(
    ctypes.c_int64,
    _DOUBLES,
    _DOUBLES,
    ctypes.c_double,
    ctypes.c_int64,
    ctypes.c_double,
    _DOUBLES,
    _DOUBLES,
)
"""C type of a rollout."""
GOAL = ctypes.CFUNCTYPE(ctypes.c_double, _DOUBLES, _DOUBLES)
"""C type of a goal."""
COST = ctypes.CFUNCTYPE(
    ctypes.c_double, _DOUBLES, _DOUBLES, ctypes.c_int64, _DOUBLES, ctypes.c_double, _DOUBLES
)
"""C type of the cost of a motion."""
PROJECT = ctypes.CFUNCTYPE(None, _DOUBLES, _DOUBLES, _DOUBLES)
"""C type of a projection."""

_PTR = ir.DoubleType().as_pointer()
_INT = ir.IntType(64)
_REAL = ir.DoubleType()


def _row_pointer(context: Any, builder: Any, kind: Any, array: Any, row: Any = None) -> Any:
    """Give the address of a row of a C-contiguous array (of its data without a row)."""
    view = context.make_array(kind)(context, builder, array)
    if row is None:
        return view.data
    columns = builder.extract_value(view.shape, 1)
    return builder.gep(view.data, [builder.mul(row, columns)])


def _callee(builder: Any, address: Any, result: Any, arguments: list[Any]) -> Any:
    """Turn an address into a function."""
    kind = ir.FunctionType(result, arguments)
    return builder.inttoptr(address, kind.as_pointer())


def _python_row(array: Any, row: int = 0) -> Any:
    """Give a ctypes pointer to a row."""
    view = np.atleast_2d(array)[row]
    return view.ctypes.data_as(_DOUBLES)


if numba.config.DISABLE_JIT:

    def call_rollout(
        address: int,
        states: Any,
        row: int,
        controls: Any,
        control_row: int,
        h: float,
        count: int,
        params: Any,
        out: Any,
    ) -> int:
        """Roll out ``count`` steps of ``h`` from a row of ``states``; count the valid ones."""
        u = _python_row(controls, control_row)
        x = _python_row(states, row)
        return int(ROLLOUT(address)(x, u, h, count, 0.0, _python_row(params), _python_row(out)))

    def call_goal(address: int, states: Any, row: int, params: Any) -> float:
        """Measure how far a row of ``states`` is outside the goal."""
        return float(GOAL(address)(_python_row(states, row), _python_row(params)))

    def call_cost(
        address: int,
        states: Any,
        row: int,
        out: Any,
        count: int,
        controls: Any,
        control_row: int,
        h: float,
        params: Any,
    ) -> float:
        """Cost of a motion of ``count`` steps from a row of ``states`` along ``out``."""
        u = _python_row(controls, control_row)
        x = _python_row(states, row)
        return float(COST(address)(x, _python_row(out), count, u, h, _python_row(params)))

    def call_project(address: int, states: Any, row: int, params: Any, out: Any) -> None:
        """Project a row of ``states``."""
        PROJECT(address)(_python_row(states, row), _python_row(params), _python_row(out))

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def call_rollout(
        typing: Any,
        address: Any,
        states: Any,
        row: Any,
        controls: Any,
        control_row: Any,
        h: Any,
        count: Any,
        params: Any,
        out: Any,
    ) -> Any:
        """Roll out ``count`` steps of ``h`` from a row of ``states``; count the valid ones."""
        signature = types.int64(address, states, row, controls, control_row, h, count, params, out)

        def generate(context: Any, builder: Any, sig: Any, a: Any) -> Any:
            kinds = sig.args
            door = _callee(builder, a[0], _INT, [_PTR, _PTR, _REAL, _INT, _REAL, _PTR, _PTR])
            x = _row_pointer(context, builder, kinds[1], a[1], a[2])
            u = _row_pointer(context, builder, kinds[3], a[3], a[4])
            parameters = _row_pointer(context, builder, kinds[7], a[7])
            trajectory = _row_pointer(context, builder, kinds[8], a[8])
            zero = ir.Constant(_REAL, 0.0)
            return builder.call(door, [x, u, a[5], a[6], zero, parameters, trajectory])

        return signature, generate

    @intrinsic  # type: ignore[untyped-decorator]
    def call_goal(typing: Any, address: Any, states: Any, row: Any, params: Any) -> Any:
        """Measure how far a row of ``states`` is outside the goal."""
        signature = types.float64(address, states, row, params)

        def generate(context: Any, builder: Any, sig: Any, a: Any) -> Any:
            door = _callee(builder, a[0], _REAL, [_PTR, _PTR])
            x = _row_pointer(context, builder, sig.args[1], a[1], a[2])
            return builder.call(door, [x, _row_pointer(context, builder, sig.args[3], a[3])])

        return signature, generate

    @intrinsic  # type: ignore[untyped-decorator]
    def call_cost(
        typing: Any,
        address: Any,
        states: Any,
        row: Any,
        out: Any,
        count: Any,
        controls: Any,
        control_row: Any,
        h: Any,
        params: Any,
    ) -> Any:
        """Cost of a motion of ``count`` steps from a row of ``states`` along ``out``."""
        signature = types.float64(
            address, states, row, out, count, controls, control_row, h, params
        )

        def generate(context: Any, builder: Any, sig: Any, a: Any) -> Any:
            kinds = sig.args
            door = _callee(builder, a[0], _REAL, [_PTR, _PTR, _INT, _PTR, _REAL, _PTR])
            x = _row_pointer(context, builder, kinds[1], a[1], a[2])
            trajectory = _row_pointer(context, builder, kinds[3], a[3])
            u = _row_pointer(context, builder, kinds[5], a[5], a[6])
            parameters = _row_pointer(context, builder, kinds[8], a[8])
            return builder.call(door, [x, trajectory, a[4], u, a[7], parameters])

        return signature, generate

    @intrinsic  # type: ignore[untyped-decorator]
    def call_project(
        typing: Any, address: Any, states: Any, row: Any, params: Any, out: Any
    ) -> Any:
        """Project a row of ``states``."""
        signature = types.void(address, states, row, params, out)

        def generate(context: Any, builder: Any, sig: Any, a: Any) -> Any:
            door = _callee(builder, a[0], ir.VoidType(), [_PTR, _PTR, _PTR])
            x = _row_pointer(context, builder, sig.args[1], a[1], a[2])
            parameters = _row_pointer(context, builder, sig.args[3], a[3])
            out = _row_pointer(context, builder, sig.args[4], a[4])
            builder.call(door, [x, parameters, out])
            return context.get_dummy_value()

        return signature, generate
