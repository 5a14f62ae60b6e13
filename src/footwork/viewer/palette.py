"""Colours of all pictures: one thing, one colour."""

from typing import Final

LEFT: Final = "#2f6db5"
RIGHT: Final = "#d9722a"
COM: Final = "#1f2933"
DCM: Final = "#8e44ad"
COP: Final = "#2e9e6b"
PATH: Final = "#8a94a3"
OBSTACLE: Final = "#965c54"
FORCE: Final = "#e0b000"
BAD: Final = "#c0392b"
GOOD: Final = "#2e9e6b"
OTHERS: Final = ("#2f6db5", "#d9722a", "#2e9e6b", "#8e44ad")


def foot_color(name: str, index: int) -> str:
    """Choose the colour of a foot: left blue, right orange, others by their number.

    Args:
        name: Of the foot.
        index: Its place among the feet.

    Returns:
        As "#rrggbb".
    """
    if name == "left_foot":
        return LEFT
    if name == "right_foot":
        return RIGHT
    return OTHERS[index % len(OTHERS)]


def rgb(color: str) -> tuple[int, int, int]:
    """Split a colour.

    Args:
        color: As "#rrggbb".

    Returns:
        Red, green and blue of 255.
    """
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)
