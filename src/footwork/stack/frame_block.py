"""What tasks on a frame hand to their evaluators: where it hangs and which joints move it."""

from collections.abc import Sequence
from struct import Struct
from typing import Any, Final, Literal, TypeAlias

from footwork.errors import InputError
from footwork.robot import Frame, Quantities, RobotModel, RobotState
from footwork.spatial import Pose
from footwork.stack._kernels.tasks_velocity import (
    ACC,
    GIVEN,
    HAS_REF,
    REF,
    REF_GIVEN,
    TWIST,
)
from footwork.typing import Matrix, Vector

Axes: TypeAlias = Literal["world", "local"]
"""Axes of a frame's rows: those of the world (of the base, if there is one), or its own."""

POSE: Final = ("x", "y", "z", "rx", "ry", "rz")
MODES: Final = {"pose": (0, 6), "position": (0, 3), "orientation": (3, 3)}
"""First of the six rows, and how many."""

AT_REST: Final = (0.0,) * 6
"""No twist, no acceleration."""

_GIVEN: Final = Struct("20d")
"""Pose, twist, acceleration and REF_GIVEN, as they lie from GIVEN on."""

_AT: Final = 8 * GIVEN
_POSE: Final = Struct("7d104s").pack_into
_NO_MORE: Final = Struct("13d").pack(*AT_REST, *AT_REST, REF_GIVEN)
"""The same of a reference that is a pose alone: what follows the pose is always the same."""


def address(array: Any) -> int:
    """Find where an array's numbers are.

    Args:
        array: A NumPy array.

    Returns:
        The address of its first entry.
    """
    return int(array.__array_interface__["data"][0])


def joint_address(array: Matrix, joint: int) -> int:
    """Find one joint's row of a live view.

    Args:
        array: One of `Views.oMi`, `Views.v`, `Views.a`.
        joint: Index of the joint.

    Returns:
        The address of its first entry.
    """
    return address(array) + joint * array.strides[0]


def base_addresses(robot: RobotModel) -> list[int]:
    """Find where the placement of a floating base is, and the bias.

    Args:
        robot: The robot.

    Returns:
        Address of the placement, 0 without a floating base; address of the bias.
    """
    views = robot.views
    return [joint_address(views.oMi, 1) if robot.has_floating_base else 0, address(views.nle)]


def drift_needs(robot: RobotModel) -> int:
    """Say what a task needs that wants the drift of the whole robot.

    Args:
        robot: The robot.

    Returns:
        Sum of `Quantities`; a floating base's bias has it already.
    """
    more = 0 if robot.has_floating_base else Quantities.MOMENTUM_RATE
    return Quantities.DYNAMICS | more


def frame_ints(
    robot: RobotModel, frame: Frame, base: Frame | None, *, axes: Axes, mode: str
) -> list[int]:
    """Write the frame block that `footwork.stack._kernels.tasks_velocity` reads.

    Args:
        robot: The robot.
        frame: The frame.
        base: What it is seen from; None is the world.
        axes: Axes of the rows.
        mode: "pose", "position" or "orientation".

    Returns:
        Integers: addresses, choices, then the lists of columns.

    Raises:
        InputError: If the axes or the mode are unknown.
    """
    if mode not in MODES:
        raise InputError(f"mode must be one of {', '.join(MODES)}, got {mode!r}")
    if axes not in {"world", "local"}:
        raise InputError(f"axes must be 'world' or 'local', got {axes!r}")
    first, rows = MODES[mode]
    views = robot.views
    turned = 2 if axes == "local" else (1 if base is not None else 0)
    columns = signed_columns(frame, base)
    block = [
        joint_address(views.oMi, frame.joint),
        0 if base is None else joint_address(views.oMi, base.joint),
        address(views.JT),
        views.JT.shape[0],
        first,
        turned,
        len(columns),
        rows,
        0,
        joint_address(views.v, frame.joint),
        joint_address(views.a, frame.joint),
        0 if base is None else joint_address(views.v, base.joint),
        0 if base is None else joint_address(views.a, base.joint),
        0,
    ]
    to = robot.velocity_of_column
    block += [c for c, _ in columns]
    block += [int(to[c]) for c, _ in columns]
    block += [sign for _, sign in columns]
    return block


def signed_columns(frame: Frame, base: Frame | None) -> list[tuple[int, int]]:
    """List the columns of the joint Jacobian that move a frame against its base.

    Args:
        frame: The frame.
        base: What it is seen from; None is the world.

    Returns:
        Column and sign: +1 moves the frame, −1 the base; what moves both is left out.
    """
    mine = set(frame.support.tolist())
    others = set() if base is None else set(base.support.tolist())
    return sorted([(c, 1) for c in mine - others] + [(c, -1) for c in others - mine])


def placement_floats(frame: Frame | None) -> list[float]:
    """Flatten a frame's placement in its joint: R by rows, then t.

    Args:
        frame: The frame; None is the identity.

    Returns:
        Twelve floats.
    """
    if frame is None:
        return [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]
    return [*frame.rotation.ravel().tolist(), *frame.translation.tolist()]


def write_pose(memory: bytearray, T: Pose) -> None:
    """Write the reference of a frame task into its floats, all at one go: every tick counts.

    Args:
        memory: Of its floats; changed.
        T: Pose; the frame is at rest there.
    """
    # Seven names, because a list and a tuple that `*` would make cost as much as the writing.
    x, y, z, qx, qy, qz, qw = T.flat
    _POSE(memory, _AT, x, y, z, qx, qy, qz, qw, _NO_MORE)


def write_reference(
    memory: bytearray,
    T: Pose,
    twist: Sequence[float],
    acceleration: Sequence[float] = AT_REST,
) -> None:
    """Write the reference of a frame task, with its derivatives, into its floats.

    Args:
        memory: Of its floats; changed.
        T: Pose.
        twist: Feed-forward, six numbers.
        acceleration: Feed-forward, six numbers.
    """
    _GIVEN.pack_into(memory, _AT, *T.flat, *twist, *acceleration, REF_GIVEN)


def read_reference(floats: Vector) -> tuple[Pose, Vector, Vector]:
    """Read the reference of a frame task back from its floats.

    Args:
        floats: As `write_reference` or a tick left them.

    Returns:
        Pose, twist, acceleration.
    """
    if floats[HAS_REF] == REF_GIVEN:
        T = Pose(floats[GIVEN : GIVEN + 3], floats[GIVEN + 3 : GIVEN + 7])
    else:
        T = Pose.from_rotation(floats[REF + 9 : REF + 12], floats[REF : REF + 9].reshape(3, 3))
    return T, floats[TWIST : TWIST + 6].copy(), floats[ACC : ACC + 6].copy()


def pose_between(state: RobotState, frame: Frame, base: Frame | None) -> Pose:
    """Place a frame in its base.

    Args:
        state: Of the robot.
        frame: The frame.
        base: None is the world.

    Returns:
        T_base_frame.
    """
    T = state.T_world_frame(frame)
    return T if base is None else state.T_world_frame(base).inverse() @ T
