"""One step of a Schmitt trigger.

Interpreted by this package's detectors, compiled by whoever watches feet in every control step.
"""

from typing import Final

NO_EDGE: Final = -(2**63)
"""Stands for: the signal does not ask for a switch [ns]."""


def schmitt_step(
    is_on: int,
    edge: int,
    value: float,
    now: int,
    on_threshold: float,
    off_threshold: float,
    switch_on_after: int,
    switch_off_after: int,
) -> tuple[int, int]:
    """Take one sample.

    Args:
        is_on: 1 when on, else 0.
        edge: Since when the signal has asked for a switch [ns]; `NO_EDGE` if it does not.
        value: The signal.
        now: When it was taken [ns].
        on_threshold: At or above, the signal asks for on.
        off_threshold: At or below, it asks for off.
        switch_on_after: How long it must ask without a break to go on [ns].
        switch_off_after: The same to go off [ns].

    Returns:
        ``is_on`` and ``edge`` from now on.
    """
    if is_on == 1:
        asks, delay = value <= off_threshold, switch_off_after
    else:
        asks, delay = value >= on_threshold, switch_on_after
    if not asks:
        return is_on, NO_EDGE
    if edge == NO_EDGE:
        edge = now
    if now - edge >= delay:
        return 1 - is_on, NO_EDGE
    return is_on, edge
