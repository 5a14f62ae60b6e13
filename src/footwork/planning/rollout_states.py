"""What one control did to a state."""

import math
from dataclasses import dataclass

from footwork.typing import Matrix, Vector


@dataclass(frozen=True, kw_only=True, eq=False)
class Rollout:
    """What one control did to a state.

    Attributes:
        states: The states after each step that are valid, shape (k, n); the start is not among
            them.
        durations: Duration of each of these steps [s], shape (k,).
        is_complete: Whether the whole duration was possible.
        final_state: Last valid state, or the start, shape (n,).
    """

    states: Matrix
    durations: Vector
    is_complete: bool
    final_state: Vector

    @property
    def duration(self) -> float:
        """How long it lasted [s]."""
        return math.fsum(self.durations.tolist())
