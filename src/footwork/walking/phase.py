"""Phases of a gait."""

from enum import IntEnum


class Phase(IntEnum):
    """What the feet do."""

    HOLD = 0
    """All stand, before the first step."""
    TRANSFER = 1
    """All stand, the weight moves to the next stance."""
    SWING = 2
    """Some feet are in the air."""
    FINAL = 3
    """All stand, after the last step."""
