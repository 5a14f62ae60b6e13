"""Puts a goal function behind one C address, compiled where it can be.

    double goal(double *x, double *params)

gives the excess of a state; ``params`` holds the threshold and the user's numbers.
"""

import ctypes
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from footwork.errors import CallbackValueError
from footwork.planning.rollout_native import NotCompilableError, compile_native
from footwork.typing import Vector, frozen

GOAL_TYPE: Final = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p)
"""C type of a goal: excess of a state."""


@dataclass(frozen=True, kw_only=True)
class GoalForm:
    """What decides the text of a goal.

    Attributes:
        dimension: How many numbers a state has.
        is_distance: Whether the function gives a distance; else whether the goal is met.
        takes_parameters: Whether it is called with the user's numbers too.
        parameter_count: How many numbers these are.
        name: Name of the callback, for messages.
    """

    dimension: int
    is_distance: bool
    takes_parameters: bool
    parameter_count: int
    name: str


class GoalDoor:
    """A goal behind a C address.

    Args:
        address: The C function.
        name: Name of the callback, for messages.
        keep_alive: Owner of the code.
        is_native: Whether it is machine code.
    """

    def __init__(self, address: int, name: str, keep_alive: object, *, is_native: bool) -> None:
        self.address = address
        self.is_native = is_native
        self.error: BaseException | None = None
        self._name = name
        self._keep_alive = keep_alive

    def raise_error(self) -> None:
        """Raise what the function raised, after an excess of NaN.

        Raises:
            CallbackValueError: If it did not raise anything.
        """
        error, self.error = self.error, None
        if error is not None:
            raise error
        raise CallbackValueError(self._name, "returned NaN", math.nan)


def make_goal_door(
    function: Callable[..., Any],
    value: Callable[[Vector], float],
    form: GoalForm,
    *,
    native: bool,
    params: Vector,
    example: Vector,
) -> GoalDoor:
    """Put a goal function behind one C address.

    Args:
        function: The user's function.
        value: The excess by plain Python, which checks what the function returns.
        form: What it looks like.
        native: Whether to compile it if it can be.
        params: The threshold and the user's numbers.
        example: A state with which compiled code is tried against plain Python.

    Returns:
        The door.
    """
    import numba

    if native and not numba.config.DISABLE_JIT:
        with suppress(NotCompilableError):
            return _compiled(function, form, lambda door: _compare(door, value, params, example))
    return _plain(value, form)


def _plain(value: Callable[[Vector], float], form: GoalForm) -> GoalDoor:
    def call(x: int, params: int) -> float:
        try:
            return value(frozen(np.array((ctypes.c_double * form.dimension).from_address(x))))
        except BaseException as error:
            door.error = error
            return math.nan

    callback = GOAL_TYPE(call)
    address = ctypes.cast(callback, ctypes.c_void_p).value or 0
    door = GoalDoor(address, form.name, callback, is_native=False)
    return door


def _compare(
    address: int, value: Callable[[Vector], float], params: Vector, example: Vector
) -> None:
    """Try a state both ways; compiled code that differs, or reads beyond an array, is not used."""
    x, numbers = example.copy(), params.copy()
    native = GOAL_TYPE(address)(x.ctypes.data, numbers.ctypes.data)
    try:
        plain = value(frozen(x))
    except Exception as error:
        raise NotCompilableError(f"called once in Python, it raised {error!r}") from error
    if not math.isclose(native, plain, rel_tol=1e-9, abs_tol=1e-12):
        raise NotCompilableError(f"compiled it gives {native} where Python gives {plain}")


def _compiled(
    function: Callable[..., Any], form: GoalForm, verify: Callable[[int], None]
) -> GoalDoor:
    text = _GOAL.format(
        n=form.dimension,
        p=form.parameter_count,
        more=", parameters" if form.takes_parameters else "",
        excess="float(answer) - params[0]" if form.is_distance else "0.0 if answer else 1.0",
    )

    def test(dispatcher: Any) -> None:
        from numba import types

        from footwork._numba import VEC

        signature = (VEC, VEC) if form.takes_parameters else (VEC,)
        dispatcher.compile(signature)
        returned = dispatcher.overloads[signature].signature.return_type
        truth = isinstance(returned, types.Boolean | types.BooleanLiteral)
        if not (isinstance(returned, types.Integer | types.Float) if form.is_distance else truth):
            raise NotCompilableError(f"{form.name} returns {returned}")

    native = compile_native(text, "goal", {"_goal": (function, test)}, verify)
    return GoalDoor(native.address, form.name, native, is_native=True)


_GOAL: Final = '''"""Generated by footwork.planning; safe to delete."""

import math

from numba import cfunc, float64, njit, types

from footwork.planning._kernels.pointers import offset_by, readonly_view

DOUBLES = types.CPointer(types.float64)
OPTIONS = {{"error_model": "numpy", "nogil": True}}


@njit(**OPTIONS)
def run(x_data, params):
    x = readonly_view(x_data, {n})
    parameters = readonly_view(offset_by(params, 1), {p})
    try:
        answer = _goal(x{more})
        excess = {excess}
    except Exception:
        excess = math.nan
    return excess


@cfunc(float64(DOUBLES, DOUBLES), cache=CACHE)
def goal(x, params):
    return run(x, params)
'''
