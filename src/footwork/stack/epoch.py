"""What has changed since a stack last looked, and the stamps that tell one tick from the next.

A stack packs its tasks into arrays once. Anything that would make the packed arrays wrong counts up
one of the numbers here: ``structure`` (rows, activity, masks, constraints), ``weights``, ``costs``
(linear ones) or ``gains`` (λ). A stack whose own copy of the number differs looks again.
"""

from collections.abc import Iterator
from itertools import count


class Epoch:
    """The counters of the process.

    Attributes:
        changes: Of any kind; what a stack compares at every tick.
        structure: Of rows, activity, masks, constraints.
        weights: Of weights.
        costs: Of linear costs.
        gains: Of λ.
    """

    def __init__(self) -> None:
        self.changes = 0
        self.structure = 0
        self.weights = 0
        self.costs = 0
        self.gains = 0

    def structure_changed(self) -> None:
        """Say that rows, activity, masks or constraints of some task have changed."""
        self.structure += 1
        self.changes += 1

    def weights_changed(self) -> None:
        """Say that a weight of some task has changed."""
        self.weights += 1
        self.changes += 1

    def costs_changed(self) -> None:
        """Say that a linear cost of some task has changed."""
        self.costs += 1
        self.changes += 1

    def gains_changed(self) -> None:
        """Say that a λ of some task has changed."""
        self.gains += 1
        self.changes += 1

    def look(self) -> tuple[int, int, int, int]:
        """Look at all counters.

        Returns:
            ``structure``, ``weights``, ``costs``, ``gains``.
        """
        return self.structure, self.weights, self.costs, self.gains


EPOCH = Epoch()

_ticks: Iterator[int] = count(-1, -1)


def new_stamp() -> int:
    """Start a tick that has no robot state.

    Returns:
        A negative number, never the same twice (stamps of states are positive).
    """
    return next(_ticks)
