"""Times of contacts: whole nanoseconds in 64 bits, and the way from and to seconds."""

import math
import operator
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from footwork.errors import ContactTimeError, InputError, TimeTypeError
from footwork.typing import IntVector

Time: TypeAlias = int | np.integer[Any]
"""A time [ns]: a Python or NumPy integer."""
Times: TypeAlias = NDArray[np.integer[Any]] | Sequence[int]
"""Many times [ns]."""

FOREVER: Final = 2**63 - 1
"""A deactivation time that never comes [ns]."""
FIRST_INSTANT: Final = -(2**63)
"""The earliest time that can be written [ns]."""
FOREVER_SECONDS: Final = 9.2e9
"""From here on a number of seconds means for ever [s]; 64 bits of nanoseconds end at 9.22e9."""
_SECOND: Final = 10**9


def seconds(value: float) -> int:
    """Make a time of contacts from seconds, rounded exactly to the nearest nanosecond.

    Args:
        value: Time [s]; half a nanosecond rounds up, and 9.2e9 or more, infinity too, is `FOREVER`.

    Returns:
        Time [ns].

    Raises:
        ContactTimeError: If the time is NaN, or below −9.2e9.
        InputError: If the value is no real number.

    Example:
        >>> seconds(0.8)
        800000000
        >>> seconds(float("inf")) == FOREVER
        True
    """
    if isinstance(value, bool | np.bool_):
        raise InputError(f"seconds: expected a real number, got {value!r}")
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError) as error:
        raise InputError(f"seconds: expected a real number, got {value!r}") from error
    if number >= FOREVER_SECONDS:
        return FOREVER
    if not number > -FOREVER_SECONDS:
        raise ContactTimeError(
            f"seconds: expected a time above {-FOREVER_SECONDS:g} s, got {number:g}", time=number
        )
    numerator, denominator = number.as_integer_ratio()
    return (2 * numerator * _SECOND + denominator) // (2 * denominator)


def to_seconds(time: Time) -> float:
    """Turn a time of contacts into seconds.

    Args:
        time: Time [ns].

    Returns:
        Time [s], the nearest double; infinity for `FOREVER`. `seconds` brings back any time within
        52 days of zero, and every multiple of a microsecond within 100 years.

    Example:
        >>> to_seconds(1_001_000_000)
        1.001
        >>> to_seconds(FOREVER)
        inf
    """
    checked = as_time("time", time)
    return math.inf if checked == FOREVER else checked / _SECOND


def as_time(name: str, value: Time) -> int:
    """Check one time.

    Args:
        name: What the time is, for the error message.
        value: A Python or NumPy integer [ns].

    Returns:
        The time as a Python integer [ns].

    Raises:
        TimeTypeError: If it is no integer.
        ContactTimeError: If it does not fit into 64 bits.
    """
    if isinstance(value, bool | np.bool_):
        raise TimeTypeError(name, value)
    try:
        time = operator.index(value)
    except TypeError as error:
        raise TimeTypeError(name, value) from error
    if not FIRST_INSTANT <= time <= FOREVER:
        raise ContactTimeError(
            f"{name}: {time} ns does not fit into 64 bits; FOREVER is the largest time", time=time
        )
    return time


def as_times(name: str, values: ArrayLike) -> IntVector:
    """Check an array of times.

    Args:
        name: What the times are, for the error message.
        values: Integers [ns] of any shape.

    Returns:
        The times as int64, not copied where they are already.

    Raises:
        TimeTypeError: If they are no integers.
        ContactTimeError: If one does not fit into 64 bits.
    """
    try:
        array = np.asarray(values)
    except ValueError as error:
        raise TimeTypeError(name, values) from error
    if array.dtype.kind in {"u", "O"}:
        return np.array([as_time(name, v) for v in array.ravel()], np.int64).reshape(array.shape)
    if array.dtype.kind != "i" and array.size:
        raise TimeTypeError(name, values)
    return array.astype(np.int64, copy=False)


def as_period(name: str, value: Time) -> int:
    """Check a length of time that must be positive.

    Args:
        name: What the period is, for the error message.
        value: A Python or NumPy integer [ns].

    Returns:
        The period [ns], at least 1.

    Raises:
        ContactTimeError: If it is not positive.
    """
    period = as_time(name, value)
    if period <= 0:
        raise ContactTimeError(f"{name}: expected more than 0 ns, got {period}", time=period)
    return period


def format_time(time: int) -> str:
    """Write a time for people, exactly.

    Args:
        time: Time [ns].

    Returns:
        Seconds with as many digits as they need, or ``forever``.

    Example:
        >>> format_time(1_200_000_000), format_time(-1), format_time(FOREVER)
        ('1.2 s', '-0.000000001 s', 'forever')
    """
    if time == FOREVER:
        return "forever"
    whole, rest = divmod(abs(time), _SECOND)
    digits = f"{whole}.{rest:09d}".rstrip("0").rstrip(".")
    return f"{'-' if time < 0 else ''}{digits} s"


def format_interval(begin: int, end: int) -> str:
    """Write a half-open interval for people.

    Args:
        begin: First instant [ns].
        end: First instant after it [ns].

    Returns:
        Such as ``[0 s, 1.2 s)``.
    """
    return f"[{format_time(begin)}, {format_time(end)})"
