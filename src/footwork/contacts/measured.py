"""Contacts as they are estimated and as they press: state, wrench, forces at corners."""

from dataclasses import dataclass, field, fields, replace

import numpy as np
from numpy.typing import ArrayLike

from footwork.contacts.contact import Contact, check_kind
from footwork.contacts.nanoseconds import as_time
from footwork.errors import InputError
from footwork.typing import Vector, as_array, frozen


@dataclass(frozen=True, kw_only=True, slots=True)
class EstimatedContact(Contact):
    """A contact as a detector sees it.

    Attributes:
        is_active: Whether it holds.
        switch_time: When it last changed [ns].
        last_update_time: When it was last looked at [ns].
    """

    is_active: bool = False
    switch_time: int = 0
    last_update_time: int = 0

    def __post_init__(self) -> None:
        Contact.__post_init__(self)
        check_kind("is_active", self.is_active, bool, "True or False")
        for name in ("switch_time", "last_update_time"):
            object.__setattr__(self, name, as_time(name, getattr(self, name)))

    @property
    def contact_details(self) -> tuple[bool, int]:
        """Whether it holds, and since when [ns]."""
        return self.is_active, self.switch_time

    def with_contact_state(
        self, is_active: bool, switch_time: int, last_update_time: int | None = None
    ) -> "EstimatedContact":
        """Copy it with another state.

        Args:
            is_active: Whether it holds.
            switch_time: When it changed [ns].
            last_update_time: When it was looked at [ns]; the switch time when not given.

        Returns:
            The copy.
        """
        return replace(
            self,
            is_active=is_active,
            switch_time=switch_time,
            last_update_time=switch_time if last_update_time is None else last_update_time,
        )


@dataclass(frozen=True, kw_only=True, slots=True, eq=False)
class ContactWrench(Contact):
    """A contact and the wrench that the ground exerts through it.

    Attributes:
        wrench: Force [N], then torque about the contact frame's origin [N m], in the contact
            frame, shape (6,), read-only.
    """

    wrench: Vector = field(default_factory=lambda: np.zeros(6))

    def __post_init__(self) -> None:
        Contact.__post_init__(self)
        object.__setattr__(self, "wrench", frozen(as_array("wrench", self.wrench, (6,))))

    @property
    def force(self) -> Vector:
        """Force in the contact frame [N], shape (3,)."""
        return self.wrench[:3]

    @property
    def torque(self) -> Vector:
        """Torque about the origin of the contact frame [N m], shape (3,)."""
        return self.wrench[3:]

    def local_cop(self, minimum_normal_force: float = 0.0) -> Vector | None:
        """Centre of pressure in the contact frame: (−τy / fz, τx / fz, 0).

        Args:
            minimum_normal_force: Normal force at or below which there is no such point [N].

        Returns:
            The point [m], shape (3,); None where the contact does not press.
        """
        least = float(as_array("minimum_normal_force", minimum_normal_force, (), finite=False))
        _, _, fz, tx, ty, _ = self.wrench.tolist()
        if not fz > max(least, 0.0):
            return None
        return frozen(as_array("local_cop", [-ty / fz, tx / fz, 0.0], (3,)))

    def _value(self) -> tuple[object, ...]:
        common = (self.pose, self.name, self.index, self.type, self.friction, self.patch, self.link)
        return (*common, *self.wrench.tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ContactWrench) and self._value() == other._value()

    def __hash__(self) -> int:
        return hash(self._value())

    def __setstate__(self, state: list[object]) -> None:
        # an array that has been pickled or copied can be written to again
        for one, value in zip(fields(self), state, strict=True):
            object.__setattr__(self, one.name, value)
        self.wrench.setflags(write=False)


class Corner:
    """One point of a contact and the force there; a frozen value.

    Args:
        position: In the contact frame [m], shape (3,).
        force: In the contact frame [N], shape (3,).
    """

    __slots__ = ("_force", "_position")

    _position: Vector
    _force: Vector

    def __init__(self, *, position: ArrayLike = (0, 0, 0), force: ArrayLike = (0, 0, 0)) -> None:
        object.__setattr__(self, "_position", frozen(as_array("position", position, (3,))))
        object.__setattr__(self, "_force", frozen(as_array("force", force, (3,))))

    @property
    def position(self) -> Vector:
        """Where, in the contact frame [m], shape (3,), read-only."""
        return self._position

    @property
    def force(self) -> Vector:
        """How hard, in the contact frame [N], shape (3,), read-only."""
        return self._force

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Corner is frozen; cannot set {name!r}, make a new one")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Corner) and self._value() == other._value()

    def __hash__(self) -> int:
        return hash(self._value())

    def __repr__(self) -> str:
        return f"Corner(position={self.position.tolist()}, force={self.force.tolist()})"

    def __reduce__(self) -> tuple[object, tuple[Vector, Vector]]:
        return _corner, (self._position, self._force)

    def _value(self) -> tuple[float, ...]:
        return (*self._position.tolist(), *self._force.tolist())


def _corner(position: Vector, force: Vector) -> Corner:
    return Corner(position=position, force=force)


@dataclass(frozen=True, kw_only=True, slots=True)
class DiscreteGeometryContact(Contact):
    """A contact whose surface is a set of corners, each with its force.

    Attributes:
        corners: The corners; any iterable is taken.
    """

    corners: tuple[Corner, ...] = ()

    def __post_init__(self) -> None:
        Contact.__post_init__(self)
        try:
            object.__setattr__(self, "corners", tuple(self.corners))
        except TypeError as error:
            raise InputError(f"corners: expected Corner objects, got {self.corners!r}") from error
        for i, corner in enumerate(self.corners):
            check_kind(f"corners[{i}]", corner, Corner, "a Corner")

    @property
    def wrench(self) -> Vector:
        """Sum of the forces and of their torques about the frame's origin [N, N m], shape (6,)."""
        total = [0.0] * 6
        for corner in self.corners:
            px, py, pz = corner.position.tolist()
            fx, fy, fz = corner.force.tolist()
            parts = (fx, fy, fz, py * fz - pz * fy, pz * fx - px * fz, px * fy - py * fx)
            total = [a + b for a, b in zip(total, parts, strict=True)]
        return frozen(as_array("wrench", total, (6,)))
