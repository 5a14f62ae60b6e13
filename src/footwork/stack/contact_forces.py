"""Where forces act between a robot and the world, and how they enter the equation of motion."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.robot import FootGeometry, RobotModel
from footwork.stack.frame_block import address, joint_address, placement_floats
from footwork.typing import Matrix, as_array, frozen

ForceKind: TypeAlias = Literal["points", "wrench"]
"""Forces at the corners of the sole (three numbers each), or one wrench at the frame's origin."""

IDENTITY: Final = np.eye(3)


@dataclass(frozen=True, kw_only=True, eq=False)
class ContactForces:
    """Unknown forces of the world on a frame of the robot.

    Attributes:
        frame: Frame of the robot in contact.
        kind: "points": one force at each point. "wrench": force and moment at the frame's origin.
        points: Points in the frame [m], shape (k, 3); of a wrench only the origin counts.
        friction: Coefficient of friction μ.
        R_world_ground: Axes of the forces: columns are two tangents and the normal of the ground.
        own_axes: Whether the axes are the frame's own instead, turning with it.
        half_length: Half the sole's length [m], which bounds the moments of a wrench.
        half_width: Half the sole's width [m].

    Raises:
        InputError: If the kind is unknown, or the friction is not positive.
    """

    frame: str
    kind: ForceKind = "points"
    points: Matrix = field(default_factory=lambda: frozen(np.zeros((1, 3))))
    friction: float = 0.6
    R_world_ground: Matrix = field(default_factory=lambda: frozen(IDENTITY.copy()))
    own_axes: bool = False
    half_length: float = 0.0
    half_width: float = 0.0

    def __post_init__(self) -> None:
        if self.kind not in {"points", "wrench"}:
            raise InputError(
                f"kind of {self.frame!r} must be 'points' or 'wrench', got {self.kind!r}"
            )
        if not (np.isfinite(self.friction) and self.friction > 0.0):
            raise InputError(f"friction of {self.frame!r} must be positive, got {self.friction}")

    @classmethod
    def of_foot(
        cls,
        foot: FootGeometry,
        *,
        kind: ForceKind = "points",
        friction: float = 0.6,
        R_world_ground: ArrayLike | None = None,
    ) -> "ContactForces":
        """Take the geometry of a foot of the zoo.

        Args:
            foot: The foot.
            kind: "points" for the corners (one point of a point foot), "wrench" for a flat foot.
            friction: Coefficient of friction μ, below the real one.
            R_world_ground: Axes of the ground; the world's if not given.

        Returns:
            The forces.

        Raises:
            InputError: If a point foot is asked for a wrench.
        """
        if kind == "wrench" and foot.is_point:
            raise InputError(f"{foot.name!r} is a point foot and transmits no wrench; use 'points'")
        R = IDENTITY if R_world_ground is None else R_world_ground
        return cls(
            frame=foot.name,
            kind=kind,
            points=foot.corners if kind == "points" else frozen(np.zeros((1, 3))),
            friction=friction,
            R_world_ground=frozen(as_array("R_world_ground", R, (3, 3))),
            own_axes=kind == "wrench",
            half_length=min(foot.length_front, foot.length_back),
            half_width=min(foot.width_left, foot.width_right),
        )

    @property
    def size(self) -> int:
        """How many numbers it adds to x."""
        return 6 if self.kind == "wrench" else 3 * self.points.shape[0]


def motion_parameters(
    robot: RobotModel, contacts: Sequence[ContactForces], *, first: int, rows: int, own_floats: int
) -> tuple[list[int], list[float]]:
    """Write what the evaluators of the equation of motion read.

    Args:
        robot: The robot.
        contacts: Forces, whose columns follow those of the accelerations in this order.
        first: First row of the equation of motion.
        rows: Number of rows.
        own_floats: Floats of the evaluator before those of the contacts.

    Returns:
        Integers, and the contacts' floats.
    """
    views = robot.views
    ints = [address(views.MT), address(views.nle), robot.nv, address(views.JT), views.JT.shape[0]]
    ints += [first, rows, len(contacts)]
    floats: list[float] = []
    column = robot.nv
    to = robot.velocity_of_column
    for contact in contacts:
        frame = robot.frame(contact.frame)
        support = frame.support.tolist()
        points = contact.points.shape[0]
        ints += [joint_address(views.oMi, frame.joint), int(contact.kind == "wrench"), points]
        ints += [column, own_floats + len(floats), int(contact.own_axes), len(support)]
        ints += support + [int(to[c]) for c in support]
        floats += [*placement_floats(frame), *[0.0] * 12, *contact.R_world_ground.ravel().tolist()]
        floats += [*contact.points.ravel().tolist(), *[0.0] * (3 * points)]
        column += contact.size
    return ints, floats
