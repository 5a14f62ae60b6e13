"""Puts a goal function behind one C address, compiled where it can be.

    double goal(double *x, double *params)

gives the excess of a state; ``params`` holds the threshold, the user's numbers, and room for a
state, where a compiled one leaves that at which it failed.
"""

import ctypes
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from footwork.errors import CallbackValueError
from footwork.planning.python_door import PythonDoor
from footwork.planning.rollout_native import NativeFunction, NotCompilableError, compile_native
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


@dataclass(frozen=True, kw_only=True, eq=False)
class GoalDoor:
    """A goal behind a C address.

    Attributes:
        address: The C function.
        params: What it is called with.
        name: Name of the callback, for messages.
        value: The excess by plain Python.
        owner: What owns the code: the plain door, or the compiled function.
        dimension: How many numbers a state has.
    """

    address: int
    params: Vector
    name: str
    value: Callable[[Vector], float]
    owner: PythonDoor | NativeFunction
    dimension: int

    @property
    def is_native(self) -> bool:
        """Whether it is machine code."""
        return isinstance(self.owner, NativeFunction)

    def raise_error(self, params: Vector) -> None:
        """Raise what the function raised, after an excess of NaN.

        Args:
            params: What it was called with.

        Raises:
            CallbackValueError: If it did not raise anything.
        """
        if isinstance(self.owner, PythonDoor):
            self.owner.raise_error()
            raise CallbackValueError(self.name, "returned NaN", math.nan)
        state = params[len(self.params) - self.dimension :]
        self.value(frozen(state.copy()))
        at = f"failed at state {state.tolist()}, and not when called again"
        raise CallbackValueError(self.name, at, math.nan)


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
            room = np.concatenate([params, np.zeros(form.dimension)])
            return _compiled(function, value, form, room, example)
    door = PythonDoor("goal", lambda x: (value(x),), (form.dimension, 0))
    return GoalDoor(
        address=door.address,
        params=door.params,
        name=form.name,
        value=value,
        owner=door,
        dimension=form.dimension,
    )


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
    function: Callable[..., Any],
    value: Callable[[Vector], float],
    form: GoalForm,
    params: Vector,
    example: Vector,
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

    native = compile_native(
        text,
        "goal",
        {"_goal": (function, test)},
        lambda address: _compare(address, value, params, example),
    )
    return GoalDoor(
        address=native.address,
        params=params,
        name=form.name,
        value=value,
        owner=native,
        dimension=form.dimension,
    )


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
    if excess != excess:
        for i in range({n}):
            params[1 + {p} + i] = x[i]
    return excess


@cfunc(float64(DOUBLES, DOUBLES), cache=CACHE)
def goal(x, params):
    return run(x, params)
'''
