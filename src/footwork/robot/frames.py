"""Frames of a robot by name: where they hang, and what is said when a name is unknown."""

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

from footwork.spatial import Pose
from footwork.typing import IntVector, Matrix, Vector


@dataclass(frozen=True, kw_only=True, eq=False)
class Frame:
    """A frame fixed to one body of a robot.

    Attributes:
        name: As it was asked for; an alias of the zoo keeps the alias.
        kind: "body", "joint", "site" or "alias".
        joint: Index of the Pinocchio joint that moves it; 0 is the world.
        rotation: R_joint_frame, shape (3, 3), read-only.
        translation: t_joint_frame [m], shape (3,), read-only.
        support: Columns of the joint Jacobian that move it, ascending.
    """

    name: str
    kind: str
    joint: int
    rotation: Matrix
    translation: Vector
    support: IntVector

    @property
    def T_joint_frame(self) -> Pose:  # noqa: N802
        """Placement in the joint that moves the frame."""
        return Pose.from_rotation(self.translation, self.rotation)

    def __repr__(self) -> str:
        return f"Frame({self.name!r}, {self.kind}, joint {self.joint})"


def near_names(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """Find the names that somebody may have meant.

    Args:
        name: What was asked for.
        known: What there is.

    Returns:
        At most five, the nearest first.
    """
    names = list(dict.fromkeys(known))
    folded = {n.casefold(): n for n in reversed(names)}
    close = difflib.get_close_matches(name.casefold(), list(folded), n=5, cutoff=0.6)
    part = [n for n in names if name.casefold() in n.casefold()]
    return tuple(dict.fromkeys([folded[c] for c in close] + part))[:5]


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Say which names are near, for an error message.

    Args:
        name: What was asked for.
        known: What there is.

    Returns:
        "did you mean …?", or the first few names when none is near.
    """
    known = list(dict.fromkeys(known))
    near = near_names(name, known)
    if near:
        return f"did you mean {' or '.join(repr(n) for n in near)}?"
    shown = ", ".join(known[:8]) + (f", … ({len(known)} in all)" if len(known) > 8 else "")
    return f"known are {shown}" if known else "there are none"
