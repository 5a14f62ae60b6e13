"""Checks of single arguments that the public functions of planning share."""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final, TextIO

import numpy as np

from footwork.errors import IndexTypeError, InputError

MOST_CONTROL_STEPS: Final = 10**6
"""Most propagation steps that planners may be told to apply a control for."""
Seed = np.random.Generator | int | None
"""A generator, the seed of one, or None for other numbers each time."""


def number(name: str, value: object, unit: str = "") -> float:
    """Take a real number; infinity and NaN are for the caller to judge.

    Args:
        name: What it is.
        value: What came.
        unit: What it is a number of, for the message.

    Returns:
        The number.

    Raises:
        InputError: If it is none.
    """
    refusal = InputError(f"{name} must be a number{f' of {unit}' if unit else ''}, got {value!r}")
    if isinstance(value, bool | np.bool_ | str | bytes | bytearray):
        raise refusal
    try:
        return float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError) as error:
        raise refusal from error


def whole(name: str, value: object, least: int | None = None, most: int | None = None) -> int:
    """Take a whole number, which may come as a float.

    Args:
        name: What it is.
        value: What came.
        least: Smallest that makes sense.
        most: Largest that makes sense.

    Returns:
        The number.

    Raises:
        InputError: If it is no whole number, or out of range.
    """
    range_ = "" if least is None else f" of at least {least}"
    range_ += "" if most is None else f" and at most {most}" if range_ else f" of at most {most}"
    refusal = InputError(f"{name} must be a whole number{range_}, got {value!r}")
    if isinstance(value, bool | np.bool_ | str | bytes | bytearray):
        raise refusal
    try:
        count = int(value)  # type: ignore[call-overload]
        same = bool(count == value)
    except (TypeError, ValueError, OverflowError) as error:
        raise refusal from error
    if not same or (least is not None and count < least) or (most is not None and count > most):
        raise refusal
    return int(count)


def row_number(name: str, value: object) -> int:
    """Take an index, which may be NumPy's.

    Args:
        name: What it is an index of.
        value: What came.

    Returns:
        The index, perhaps out of range.

    Raises:
        IndexTypeError: If it is no whole number.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise IndexTypeError(name, value)
    return int(value)


def generator(rng: Seed) -> np.random.Generator:
    """Take a generator, or make one.

    Args:
        rng: A generator, a seed that is not negative, or None.

    Returns:
        The generator.

    Raises:
        InputError: If it is something else.
    """
    if rng is None or isinstance(rng, np.random.Generator):
        return np.random.default_rng(rng)
    return np.random.default_rng(whole("rng (a generator, a seed or None)", rng, 0))


def file_name(file: object) -> Path:
    """Take the name of a file.

    Args:
        file: Text or a path.

    Returns:
        The path.

    Raises:
        InputError: If it is something else.
    """
    if not isinstance(file, str | Path):
        raise InputError(f"file must be the name of a file, got {file!r}")
    return Path(file)


def open_file(file: object, method: str) -> TextIO:
    """Take an open text file.

    Args:
        file: What came.
        method: What it must be able to do: ``read`` or ``write``.

    Returns:
        The file.

    Raises:
        InputError: If it is something else.
    """
    if not callable(getattr(file, method, None)):
        raise InputError(f"file must be an open file or the name of one, got {file!r}")
    return file  # type: ignore[return-value]


def not_nan(name: str, value: object) -> float:
    """Take a limit, which may be infinite but not NaN or negative.

    Args:
        name: What it is.
        value: What came.

    Returns:
        The number.

    Raises:
        InputError: If it is none, or negative.
    """
    limit = number(name, value)
    if math.isnan(limit) or limit < 0.0:
        raise InputError(f"{name} must not be negative or NaN, got {value!r}")
    return limit


def optional_function(name: str, value: object) -> None:
    """Refuse what is neither a function nor None.

    Args:
        name: What it is.
        value: What came.

    Raises:
        InputError: If it cannot be called.
    """
    if not (value is None or callable(value)):
        raise InputError(f"{name} must be a function, got {value!r}")


def all_of(kind: type[Any], name: str, values: object) -> tuple[Any, ...]:
    """Take several objects of one class.

    Args:
        kind: The class.
        name: What they are.
        values: What came.

    Returns:
        The objects.

    Raises:
        InputError: If it is no sequence, or one of them is of another class.
    """
    if not isinstance(values, Iterable):
        raise InputError(f"{name} must be a sequence of {kind.__name__}s, got {values!r}")
    objects = tuple(values)
    for i, value in enumerate(objects):
        if not isinstance(value, kind):
            raise InputError(f"{name}[{i}] must be a {kind.__name__}, got {value!r}")
    return objects


def positive_seconds(name: str, value: float) -> float:
    """Take a duration above 0.

    Args:
        name: What it is.
        value: What came [s].

    Returns:
        The duration.

    Raises:
        InputError: If it is no number, or not positive and finite.
    """
    duration = number(name, value, "seconds")
    if not (math.isfinite(duration) and duration > 0.0):
        raise InputError(f"{name} must be positive and finite [s], got {value}")
    return duration


def control_steps(name: str, value: int) -> int:
    """Take how many propagation steps a control lasts.

    Args:
        name: What it is.
        value: What came.

    Returns:
        The number.

    Raises:
        InputError: If it is not whole, below 1, or more than any memory holds.
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise InputError(
            f"{name} counts propagation steps and must be a whole number, got {value!r}"
        )
    if not 1 <= value <= MOST_CONTROL_STEPS:
        raise InputError(
            f"{name} counts propagation steps and must be at least 1 and at most "
            f"{MOST_CONTROL_STEPS}, got {value}"
        )
    return int(value)
