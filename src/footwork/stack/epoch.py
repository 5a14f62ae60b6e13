"""What has changed since a stack last looked, and the stamps that tell one tick from the next.

A stack packs its tasks into arrays once. Anything that would make the packed arrays wrong counts up
one of the two numbers here: ``structure`` (rows, activity, masks, constraints) or ``values``
(weights, λ). A stack whose own copy of the number differs looks again.
"""

from collections.abc import Iterator
from itertools import count


class Epoch:
    """The two counters of the process."""

    def __init__(self) -> None:
        self.structure = 0
        self.values = 0

    def structure_changed(self) -> None:
        """Say that rows, activity, masks or constraints of some task have changed."""
        self.structure += 1

    def values_changed(self) -> None:
        """Say that a weight or a λ of some task has changed."""
        self.values += 1


EPOCH = Epoch()

_ticks: Iterator[int] = count(-1, -1)


def new_stamp() -> int:
    """Start a tick that has no robot state.

    Returns:
        A negative number, never the same twice (stamps of states are positive).
    """
    return next(_ticks)
