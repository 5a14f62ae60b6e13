"""The user's functions: how they are called, and what is said when they return nonsense."""

import inspect
import math
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final, Protocol, runtime_checkable

import numpy as np

from footwork.errors import (
    CallbackTypeError,
    CallbackValueError,
    FootworkError,
    InputError,
    ShapeError,
)
from footwork.typing import Vector

UNORDERED: Final = (str, bytes, bytearray, dict, set, frozenset)
"""What can be gone through like a state, and is none."""
NOT_REAL: Final = (str, bytes, bytearray, np.complexfloating)
"""What `float` takes, though it is no real number."""


@runtime_checkable
class World(Protocol):
    """Obstacles as numbers, and one kernel that tests a state against them.

    Attributes:
        parameters: All numbers of the world, packed, shape (w,).
        validity_kernel: ``f(x, parameters) -> bool``, plain or compiled, that reads only these.
    """

    @property
    def parameters(self) -> Vector:
        """All numbers of the world, packed, shape (w,)."""

    @property
    def validity_kernel(self) -> Callable[[Vector, Vector], bool]:
        """The test of one state; compiled, or of the kind that can be."""


def callback_name(role: str, function: object) -> str:
    """Name a callback for messages.

    Args:
        role: What it is for, as the argument is called.
        function: The function.

    Returns:
        Such as ``dynamics=unicycle``.
    """
    name = getattr(function, "__qualname__", None) or type(function).__qualname__
    return f"{role}={name.rpartition('<locals>.')[2]}"


def note_call(
    error: Exception,
    name: str,
    state: Iterable[float],
    control: Iterable[float] | None = None,
    parameters: Sequence[float] | Vector | None = None,
) -> None:
    """Add to what a callback raised which one it was and what it was called with.

    The exception stays the user's own; the note is printed below it.

    Args:
        error: What it raised; errors of Footwork say it themselves.
        name: Which callback.
        state: The state it was called with.
        control: The control, None for callbacks without.
        parameters: The parameters, None for callbacks without.
    """
    if isinstance(error, FootworkError):
        return
    called = {"state": state, "control": control, "parameters": parameters}
    at = ", ".join(
        f"{what} {[float(number) for number in numbers]}"
        for what, numbers in called.items()
        if numbers is not None
    )
    empty = parameters is not None and len(parameters) == 0
    hint = "; it takes parameters and there are none, give parameters=[…]" if empty else ""
    with suppress(Exception):  # of the user's: a frozen exception takes no notes
        error.add_note(f"raised by {name} at {at}{hint}")


def argument_count(role: str, function: object, allowed: tuple[int, ...], form: str) -> int:
    """Count the positional arguments that a callback takes, and refuse another number.

    Args:
        role: What it is for.
        function: The function.
        allowed: Numbers of arguments that fit, ascending.
        form: How it should look, for the message.

    Returns:
        The largest allowed number that it takes without defaults being overruled.

    Raises:
        InputError: If it cannot be called, or with another number of arguments only.
    """
    if not callable(function):
        raise InputError(f"{role} must be a function {form}, got {function!r}")
    try:
        parameters = inspect.signature(getattr(function, "py_func", function)).parameters.values()
    except (TypeError, ValueError):
        return allowed[0]
    kinds = {inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD}
    positional = [p for p in parameters if p.kind in kinds]
    needed = sum(p.default is inspect.Parameter.empty for p in positional)
    if any(p.kind is inspect.Parameter.VAR_POSITIONAL for p in parameters):
        return max(allowed[0], min(needed, allowed[-1]))
    for count in allowed:
        if needed <= count <= len(positional):
            return count
    raise InputError(f"{callback_name(role, function)} takes {needed} arguments; expected {form}")


def checked_state(name: str, value: Any, size: int) -> list[float]:
    """Read what dynamics or a propagator returned.

    Args:
        name: Which callback, for messages.
        value: What it returned.
        size: How many numbers are wanted.

    Returns:
        Plain floats.

    Raises:
        CallbackTypeError: If it is not a sequence of real numbers.
        ShapeError: If it has another length.
        CallbackValueError: If a number is NaN.
    """
    if value is None or isinstance(value, UNORDERED):
        raise CallbackTypeError(name, f"{size} numbers", value)
    try:
        numbers = [real(number) for number in value]
    except (TypeError, ValueError, OverflowError) as error:
        raise CallbackTypeError(name, f"{size} numbers", value) from error
    if len(numbers) != size:
        raise ShapeError(f"what {name} returned", (size,), (len(numbers),))
    if any(map(math.isnan, numbers)):
        raise CallbackValueError(name, "returned NaN", value)
    return numbers


def real(value: Any) -> float:
    """Read a real number.

    Args:
        value: Of a number's type.

    Returns:
        The number.

    Raises:
        TypeError: If it is text or complex, which `float` would read.
        OverflowError: If it is too large.
    """
    if isinstance(value, NOT_REAL):
        raise TypeError(f"{value!r} is not a real number")
    return float(value)


def checked_truth(name: str, value: Any) -> bool:
    """Read what a validity function returned.

    Args:
        name: Which callback, for messages.
        value: What it returned.

    Returns:
        The truth value.

    Raises:
        CallbackTypeError: If it is not one: None, a float, an array of several.
    """
    if isinstance(value, bool):
        return value
    if isinstance(value, np.bool_ | int | np.integer):
        return bool(value)
    if isinstance(value, np.ndarray) and value.size == 1 and value.dtype == np.bool_:
        return bool(value.item())
    raise CallbackTypeError(name, "True or False", value)


def checked_number(name: str, value: Any, state: Iterable[float]) -> float:
    """Read what a distance or a cost function returned.

    Args:
        name: Which callback, for messages.
        value: What it returned.
        state: The state it was asked about.

    Returns:
        The number; infinity is one.

    Raises:
        CallbackTypeError: If it is not a real number.
        CallbackValueError: If it is NaN.
    """
    try:
        number = real(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise CallbackTypeError(name, "a number", value) from error
    if math.isnan(number):
        at = [float(axis) for axis in state]
        raise CallbackValueError(name, f"returned NaN at state {at}", value)
    return number
