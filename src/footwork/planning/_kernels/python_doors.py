"""C functions through which kernels ask plain Python: goals, costs of motions, and projections.

What they call stands at the beginning of their numbers, which `footwork.planning.python_door`
writes. A function gets arrays of its own and answers with a tuple of floats; where it raises, the
exception is kept and the answer is NaN.
"""

import ctypes
import math
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numba
import numpy as np

from footwork._numba import F8, I8, IOUT1, OUT1, VEC, VOID, callback, kernel
from footwork.planning._kernels.python_calls import (
    array_object,
    call,
    doubles,
    drop,
    give_lock,
    keep_error,
    number_object,
    read_tuple,
    rows,
    take_lock,
)
from footwork.planning._kernels.tree_calls import COST, GOAL, PROJECT
from footwork.typing import IntVector, Vector

FUNCTION: Final = 0
ARRAY_READER: Final = 1
PLAIN: Final = 2
ERRORS: Final = 3
DIMENSION: Final = 4
SECOND_DIMENSION: Final = 5
"""Of controls for a cost, of what is answered for a projection."""
FORM_SIZE: Final = 6

ARGUMENTS: Final = 4
SCRATCH: Final = 3


@kernel(VOID(VEC, IOUT1, I8, OUT1))
def answer(form: Vector, arguments: IntVector, count: int, out: Vector) -> None:
    """Call the function with objects, which are given up, and read its numbers."""
    scratch = arguments[ARGUMENTS:]
    complete = True
    for i in range(count):
        complete = complete and arguments[i] != 0
    handle = call(int(form[FUNCTION]), arguments, count) if complete else 0
    if handle == 0:
        keep_error(int(form[ERRORS]), scratch)
        out[:] = math.nan
    else:
        read_tuple(handle, int(form[PLAIN]), out)
        drop(handle)
    for i in range(count):
        drop(arguments[i])


@kernel(VOID(I8, I8, OUT1))
def ask_about_state(x: int, params: int, out: Vector) -> None:
    """Call the function with a state."""
    form = doubles(params, FORM_SIZE)
    arguments = np.zeros(ARGUMENTS + SCRATCH, np.int64)
    lock = take_lock()
    state = doubles(x, int(form[DIMENSION]))
    arguments[0] = array_object(state, int(form[ARRAY_READER]), arguments[ARGUMENTS:])
    answer(form, arguments, 1, out)
    give_lock(lock)


@kernel(F8(I8, I8))
def goal(x: int, params: int) -> float:
    """Excess of a state."""
    out = np.empty(1)
    ask_about_state(x, params, out)
    return float(out[0])


@kernel(VOID(I8, I8, I8))
def project(x: int, params: int, out: int) -> None:
    """Coordinates of a state."""
    size = int(doubles(params, FORM_SIZE)[SECOND_DIMENSION])
    ask_about_state(x, params, rows(out, 1, size)[0])


@kernel(F8(I8, I8, I8, I8, F8, I8))
def cost(x0: int, states: int, count: int, u: int, h: float, params: int) -> float:
    """Cost of a motion: the function gets its start, its states, the control and the step."""
    form = doubles(params, FORM_SIZE)
    n, m, reader = int(form[DIMENSION]), int(form[SECOND_DIMENSION]), int(form[ARRAY_READER])
    arguments, out = np.zeros(ARGUMENTS + SCRATCH, np.int64), np.empty(1)
    scratch = arguments[ARGUMENTS:]
    lock = take_lock()
    arguments[0] = array_object(doubles(x0, n), reader, scratch)
    arguments[1] = array_object(doubles(states, count * n), reader, scratch)
    arguments[2] = array_object(doubles(u, m), reader, scratch)
    arguments[3] = number_object(h)
    answer(form, arguments, 4, out)
    give_lock(lock)
    return float(out[0])


def _goal(x: int, params: int) -> float:
    return goal(x, params)


def _project(x: int, params: int, out: int) -> None:
    project(x, params, out)


def _cost(x0: int, states: int, count: int, u: int, h: float, params: int) -> float:
    return cost(x0, states, count, u, h, params)


_ENTRIES: Final[dict[str, tuple[Callable[..., Any], Any, Any]]] = {
    "goal": (_goal, F8(I8, I8), GOAL),
    "project": (_project, VOID(I8, I8, I8), PROJECT),
    "cost": (_cost, F8(I8, I8, I8, I8, F8, I8), COST),
}


@cache
def _door(kind: str) -> Any:
    function, signature, c_type = _ENTRIES[kind]
    if not numba.config.DISABLE_JIT:
        return callback(signature)(function)

    def call_by_pointers(*arguments: Any) -> Any:
        return function(*(_address(argument) for argument in arguments))

    return c_type(call_by_pointers)


def _address(argument: Any) -> Any:
    if isinstance(argument, int | float):
        return argument
    return ctypes.cast(argument, ctypes.c_void_p).value


def door_address(kind: str) -> int:
    """Give the address of a door, compiled when it is first asked for.

    Args:
        kind: "goal", "project" or "cost".

    Returns:
        The address.
    """
    door = _door(kind)
    if numba.config.DISABLE_JIT:
        return ctypes.cast(door, ctypes.c_void_p).value or 0
    return int(door.address)
