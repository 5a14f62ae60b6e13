"""Where the ground presses on the robot as a whole."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from footwork.contacts.contact import check_kind
from footwork.contacts.measured import ContactWrench
from footwork.errors import InputError
from footwork.typing import Vector, as_array, frozen


@dataclass(frozen=True, kw_only=True, eq=False)
class GlobalCop:
    """The centre of pressure of all contacts, and what it was found from.

    Attributes:
        position: Where [m], in the world, shape (3,); None when nothing presses.
        normal_force: Sum of the forces along the normal [N].
        wrench: Sum of the wrenches about the world's origin, in the world [N, N m], shape (6,).
        used: Names of the contacts that count.
        skipped: Name → why, of those that do not.
    """

    position: Vector | None
    normal_force: float
    wrench: Vector
    used: tuple[str, ...]
    skipped: dict[str, str]


def global_cop(
    contacts: Iterable[ContactWrench],
    *,
    minimum_normal_force: float = 1.0,
    cop_limits: Sequence[float] | None = None,
    normal: ArrayLike = (0.0, 0.0, 1.0),
    height: float | None = None,
) -> GlobalCop:
    """Find the point at which the contacts press as a whole.

    It is the point c of a plane with normal n at which the moment of all contact forces is along n,
    m_c × n = 0, so that c = o + n × m_o / (n · f) for any point o of the plane, with f the sum of
    the forces and m_o their moment about o. Contacts may be anywhere and turned anyhow.

    When all contacts lie in such a plane, this is the mean of their own centres of pressure,
    weighted by their normal forces, whatever the friction. When they do not, the answer depends on
    the height of the plane; without one it goes through that weighted mean.

    Args:
        contacts: Contacts with their wrenches, each in its own frame.
        minimum_normal_force: A contact that presses less, along its own z, is skipped [N].
        cop_limits: Largest absolute x and y of a centre of pressure in its contact's frame [m],
            beyond which the measurement is not believed and the contact is skipped; None for none.
        normal: Normal n of the plane, in the world; its length does not matter.
        height: Where the plane is along n, from the world's origin [m].

    Returns:
        The point, and what it was found from.

    Raises:
        InputError: If the normal is zero, a limit is negative, or something is no contact or no
            finite number.

    Source: sardain2004forces, caron2017zmp

    Example:
        >>> from footwork.spatial import Pose
        >>> feet = [
        ...     ContactWrench(pose=Pose.from_translation([0, y, 0]), wrench=[0, 0, force, 0, 0, 0])
        ...     for y, force in [(0.1, 300), (-0.1, 100)]
        ... ]
        >>> global_cop(feet).position.round(3).tolist()
        [0.0, 0.05, 0.0]
    """
    check_kind("contacts", contacts, Iterable, "ContactWrench objects")
    n = _unit(normal)
    limits = None if cop_limits is None else as_array("cop_limits", cop_limits, (2,))
    if limits is not None and (limits < 0.0).any():
        raise InputError(f"cop_limits: expected 0 m or more, got {limits.tolist()}")
    least = float(as_array("minimum_normal_force", minimum_normal_force, ()))
    level = None if height is None else float(as_array("height", height, ()))
    total, points, weights = np.zeros(6), [np.zeros(3)], [0.0]
    used: list[str] = []
    skipped: dict[str, str] = {}
    for i, contact in enumerate(contacts):
        check_kind(f"contacts[{i}]", contact, ContactWrench, "a ContactWrench")
        reason = _reason_to_skip(contact, least, limits)
        if reason:
            skipped[contact.name] = reason
            continue
        used.append(contact.name)
        force, local = contact.pose.rotate(contact.force), contact.local_cop()
        assert local is not None
        torque = contact.pose.rotate(contact.torque) + np.cross(contact.pose.translation, force)
        total += np.concatenate([force, torque])
        points.append(contact.pose.act(local))
        weights.append(max(float(n @ force), 0.0))
    pressed, position = float(n @ total[:3]), None
    if pressed > 0.0:
        at = np.average(points, axis=0, weights=weights) if level is None else n * level
        position = frozen(at + np.cross(n, total[3:] - np.cross(at, total[:3])) / pressed)
    return GlobalCop(
        position=position,
        normal_force=pressed,
        wrench=frozen(total),
        used=tuple(used),
        skipped=skipped,
    )


def _unit(normal: ArrayLike) -> Vector:
    n = as_array("normal", normal, (3,))
    length = math.hypot(*n.tolist())
    if not 0.0 < length < math.inf:
        raise InputError(
            f"normal: expected a direction, got {'zero' if length == 0.0 else n.tolist()}"
        )
    unit: Vector = n / length
    return unit


def _reason_to_skip(contact: ContactWrench, minimum: float, limits: Vector | None) -> str:
    """Why a contact does not count; empty when it does."""
    pressed = float(contact.wrench[2])
    local = contact.local_cop()
    if local is None or pressed < minimum:
        return f"it presses with {pressed:.6g} N, expected {minimum:g} N or more, and more than 0 N"
    if limits is not None and (np.abs(local[:2]) > limits).any():
        at = ", ".join(f"{c:.6g}" for c in local[:2])
        return f"its own centre of pressure, ({at}) m, is out of its limits"
    return ""
