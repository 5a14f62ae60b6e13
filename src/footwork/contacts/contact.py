"""What a contact is: a frame of the robot that rests somewhere, and when."""

import operator
import reprlib
from dataclasses import dataclass, field
from enum import Enum
from typing import SupportsIndex, TypeAlias, TypeVar

from numpy.typing import ArrayLike

from footwork.contacts.nanoseconds import Time, as_time, format_interval
from footwork.errors import ContactIndexError, IndexTypeError, InputError
from footwork.spatial import Pose
from footwork.typing import as_array

Patch: TypeAlias = tuple[tuple[float, float], ...]
"""Corners (x, y) of the surface that touches, in the plane z = 0 of the contact frame [m]."""


class ContactType(Enum):
    """What a contact holds: its whole pose, or its position only."""

    FULL = "full"
    POINT = "point"

    def __repr__(self) -> str:
        return f"ContactType.{self.name}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Contact:
    """A frame that rests somewhere.

    Attributes:
        pose: Placement of the contact frame in the world; x forward, z along the normal.
        name: Label for people.
        index: Index of the frame in the robot's model; −1 when it has none.
        type: Whether the pose or only the position is held.
        friction: Coefficient of friction μ > 0; None when unknown.
        patch: Corners (x, y) of the surface that touches, in the contact frame [m]; None when
            unknown. Any array of shape (k, 2) is taken.
        link: Name of the robot's link that touches; None when unknown.

    Raises:
        InputError: If a field is of the wrong kind; says which.
    """

    pose: Pose = field(default_factory=Pose.identity)
    name: str = "Contact"
    index: int = -1
    type: ContactType = ContactType.FULL
    friction: float | None = None
    patch: Patch | None = None
    link: str | None = None

    def __post_init__(self) -> None:
        check_kind("pose", self.pose, Pose, "a Pose")
        check_kind("name", self.name, str, "a string")
        check_kind("type", self.type, ContactType, "ContactType.FULL or ContactType.POINT")
        object.__setattr__(self, "index", as_index(self.index))
        if self.friction is not None:
            object.__setattr__(self, "friction", _as_friction(self.friction))
        if self.patch is not None:
            object.__setattr__(self, "patch", _as_patch(self.patch))
        if self.link is not None:
            check_kind("link", self.link, str, "a string or None")


@dataclass(frozen=True, kw_only=True, slots=True)
class PlannedContact(Contact):
    """A contact with the time that it is meant to last, [activation, deactivation).

    Equality compares every field; q and −q are one rotation.

    Attributes:
        activation_time: First instant in contact [ns].
        deactivation_time: First instant after it [ns]; `FOREVER` when it stays. That it is not
            before the activation is checked where contacts are put in order, by `ContactList`.

    Raises:
        TimeTypeError: If a time is no integer.
        ContactTimeError: If a time does not fit into 64 bits.

    Example:
        >>> contact = PlannedContact(activation_time=0, deactivation_time=5)
        >>> contact.is_active(0), contact.is_active(5)
        (True, False)
    """

    activation_time: int = 0
    deactivation_time: int = 0

    def __post_init__(self) -> None:
        # slots make a new class, which the super() without arguments does not know
        Contact.__post_init__(self)
        for name in ("activation_time", "deactivation_time"):
            value = getattr(self, name)
            checked = as_time(name, value)
            if checked is not value:
                object.__setattr__(self, name, checked)

    def is_active(self, time: Time) -> bool:
        """Tell whether the contact holds at a time.

        Args:
            time: Time [ns].

        Returns:
            activation ≤ time < deactivation.

        Raises:
            TimeTypeError: If the time is no integer.
        """
        if time.__class__ is not int:  # the check costs more than the look-up
            time = as_time("time", time)
        return self.activation_time <= time < self.deactivation_time

    def __str__(self) -> str:
        p = self.pose
        interval = format_interval(self.activation_time, self.deactivation_time)
        kind = "" if self.type is ContactType.FULL else ", point"
        return f"{self.name} {interval} at ({p.x:.3f}, {p.y:.3f}, {p.z:.3f}) m{kind}"


C = TypeVar("C", bound=PlannedContact)


def retimed(contact: C, activation_time: int, deactivation_time: int) -> C:
    """Copy a contact with other times that are known to be good.

    Skips the checks of the fields that are not touched, which matters for lists of 10⁴ contacts.

    Args:
        contact: What to copy.
        activation_time: Python integer [ns].
        deactivation_time: Python integer [ns].

    Returns:
        The copy.
    """
    kind = type(contact)
    if kind is not PlannedContact:  # a subclass may have fields that this function does not know
        from dataclasses import replace

        return replace(
            contact, activation_time=activation_time, deactivation_time=deactivation_time
        )
    copy = object.__new__(kind)
    _set_pose(copy, contact.pose)
    _set_name(copy, contact.name)
    _set_index(copy, contact.index)
    _set_type(copy, contact.type)
    _set_friction(copy, contact.friction)
    _set_patch(copy, contact.patch)
    _set_link(copy, contact.link)
    _set_activation(copy, activation_time)
    _set_deactivation(copy, deactivation_time)
    return copy


# The slots themselves: a frozen class refuses attributes, and object.__setattr__ looks them up
_set_pose = Contact.__dict__["pose"].__set__
_set_name = Contact.__dict__["name"].__set__
_set_index = Contact.__dict__["index"].__set__
_set_type = Contact.__dict__["type"].__set__
_set_friction = Contact.__dict__["friction"].__set__
_set_patch = Contact.__dict__["patch"].__set__
_set_link = Contact.__dict__["link"].__set__
_set_activation = PlannedContact.__dict__["activation_time"].__set__
_set_deactivation = PlannedContact.__dict__["deactivation_time"].__set__


def rectangle_patch(
    length_front: float, length_back: float, width_left: float, width_right: float
) -> Patch:
    """Make the patch of a rectangular sole.

    Args:
        length_front: From the contact frame forward [m].
        length_back: From the contact frame backward [m].
        width_left: From the contact frame to the left [m].
        width_right: From the contact frame to the right [m].

    Returns:
        Four corners, counter-clockwise from the front left.

    Example:
        >>> rectangle_patch(0.1, 0.05, 0.03, 0.03)
        ((0.1, 0.03), (-0.05, 0.03), (-0.05, -0.03), (0.1, -0.03))
    """
    given = (length_front, length_back, width_left, width_right)
    front, back, left, right = as_array("lengths and widths", given, (4,)).tolist()
    back, right = -back, -right
    return _as_patch([(front, left), (back, left), (back, right), (front, right)])


_SHORT = reprlib.Repr()
_SHORT.maxother = _SHORT.maxstring = 120
"""Shows a value in a message, but no megabytes of it."""


def check_kind(name: str, value: object, kind: type | tuple[type, ...], expected: str) -> None:
    """Refuse a field of the wrong class.

    Args:
        name: Field, for the error message.
        value: Its value.
        kind: Class, or classes, that it must be of.
        expected: The class in words.

    Raises:
        InputError: If it is not.
    """
    if not isinstance(value, kind):
        raise InputError(f"{name}: expected {expected}, got {_SHORT.repr(value)}")


def as_index(value: SupportsIndex, name: str = "index") -> int:
    """Check the index of a frame.

    Args:
        value: Python or NumPy integer.
        name: Field, for the error message.

    Returns:
        A Python integer.

    Raises:
        InputError: If it is no integer of 64 bits.
    """
    try:
        index = operator.index(value)
    except TypeError as error:
        raise InputError(f"{name}: expected an integer, got {value!r}") from error
    if isinstance(value, bool) or not -(2**63) <= index < 2**63:
        raise InputError(f"{name}: expected an integer of 64 bits, got {value!r}")
    return index


def as_position(name: str, index: SupportsIndex, size: int) -> int:
    """Turn an index, as of Python's lists, into a position.

    Args:
        name: What is indexed, for the error message.
        index: Python or NumPy integer; negative counts from the end.
        size: How many there are.

    Returns:
        Position from 0.

    Raises:
        IndexTypeError: If it is no integer.
        ContactIndexError: If there is nothing there.
    """
    try:
        i = operator.index(index)
    except TypeError as error:
        raise IndexTypeError(name, index) from error
    if not -size <= i < size:
        raise ContactIndexError(name, i, size)
    return i + size if i < 0 else i


def _as_friction(value: float) -> float:
    friction = float(as_array("friction", value, ()))
    if friction <= 0.0:
        raise InputError(f"friction: expected a coefficient above 0, got {friction:g}")
    return friction


def _as_patch(value: ArrayLike) -> Patch:
    corners = as_array("patch", value, ("k", 2))
    if not len(corners):
        raise InputError("patch: expected one corner or more; None means that it is unknown")
    return tuple((x, y) for x, y in corners.tolist())
