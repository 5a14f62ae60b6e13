"""Rounding of contact times to a sample grid, whole lists at once."""

from typing import Literal, TypeAlias

import numpy as np

from footwork.contacts.nanoseconds import FIRST_INSTANT, FOREVER
from footwork.errors import ContactTimeError, InputError
from footwork.typing import IntVector

Rounding: TypeAlias = Literal["outward", "nearest"]
"""Contacts grow to the grid, or every time goes to its nearest multiple (half up)."""


def rounded_times(
    activations: IntVector, deactivations: IntVector, dt: int, rounding: Rounding
) -> tuple[IntVector, IntVector]:
    """Round the times of contacts to multiples of dt.

    Outward: activation ⌊a/dt⌋ dt, deactivation ⌈d/dt⌉ dt. Nearest: ⌊t/dt + ½⌋ dt. The floor is the
    mathematical one, also below zero. A time on the grid stays, and so does a deactivation at
    `FOREVER`; an activation that never comes is rounded down.

    Args:
        activations: Activation times [ns], shape (n,).
        deactivations: Deactivation times [ns], shape (n,).
        dt: Sample time [ns], positive.
        rounding: How.

    Returns:
        New activation and deactivation times [ns].

    Raises:
        InputError: If the rounding has another name.
        ContactTimeError: If a time rounds out of 64 bits or to `FOREVER`.
    """
    if not isinstance(rounding, str) or rounding not in {"outward", "nearest"}:
        raise InputError(f"rounding: expected 'outward' or 'nearest', got {rounding!r}")
    finite = deactivations != FOREVER
    rounded = deactivations.copy()
    rounded[finite] = _moved(deactivations[finite], dt, "up" if rounding == "outward" else rounding)
    return _moved(activations, dt, "down" if rounding == "outward" else rounding), rounded


def are_on_grid(activations: IntVector, deactivations: IntVector, dt: int) -> bool:
    """Tell whether all times are multiples of dt; a deactivation at `FOREVER` always passes.

    Args:
        activations: Activation times [ns], shape (n,).
        deactivations: Deactivation times [ns], shape (n,).
        dt: Sample time [ns], positive.

    Returns:
        Whether they are.
    """
    finite = deactivations != FOREVER
    return not (np.mod(activations, dt).any() or np.mod(deactivations[finite], dt).any())


def _moved(times: IntVector, dt: int, way: Literal["down", "up", "nearest"]) -> IntVector:
    """Move times to multiples of dt; refuse what leaves 64 bits or becomes `FOREVER`."""
    after = np.mod(times, dt)
    match way:
        case "down":
            up = np.zeros(len(times), np.bool_)
        case "up":
            up = after > 0
        case _:  # the two sides are compared without doubling, so that nothing overflows
            up = (after >= dt - after) & (after > 0) & (times != FOREVER)
    bad = (up & (times > FOREVER - 1 - (dt - after))) | (~up & (times < FIRST_INSTANT + after))
    if bad.any():
        time = int(times[int(np.argmax(bad))])
        raise ContactTimeError(
            f"dt: {time} ns cannot be rounded to a multiple of {dt} ns within 64 bits", time=time
        )
    return np.where(up, times + np.where(up, dt - after, 0), times - after)
