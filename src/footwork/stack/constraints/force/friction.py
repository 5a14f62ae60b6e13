"""Contacts that neither slip, nor tip, nor twist: friction, centre of pressure, normal torque."""

import math

import numpy as np

from footwork.errors import InputError
from footwork.stack.contact_forces import ContactForces
from footwork.stack.leaf import LeafConstraint
from footwork.stack.variables import Affine
from footwork.typing import Matrix


class FrictionCone(LeafConstraint):
    """Every force within its friction cone, by a pyramid: cos θ_i f_x + sin θ_i f_y ≤ r f_z.

    With ``inner`` (the default) the pyramid is inside the cone: r = μ cos(π / sides), for four
    sides μ / √2, and |f_t| ≤ μ f_z holds for sure. Without, it is around the cone: r = μ, which is
    what |f_x| ≤ μ f_z, |f_y| ≤ μ f_z says for four sides. Normal forces are not negative as a
    consequence.

    Args:
        contact: The forces; z is the ground's normal.
        variable: The forces in x.
        sides: Sides of the pyramid, from 3.
        inner: Whether the pyramid is inside the cone.
        name: Name of the constraint.

    Raises:
        InputError: If there are less than three sides.
    """

    def __init__(
        self,
        contact: ContactForces,
        variable: Affine,
        *,
        sides: int = 4,
        inner: bool = True,
        name: str | None = None,
    ) -> None:
        if sides < 3:
            raise InputError(f"a friction pyramid has at least 3 sides, got {sides}")
        forces = 1 if contact.kind == "wrench" else contact.points.shape[0]
        super().__init__(
            name or f"{contact.frame}_friction",
            rows=sides * forces,
            x_size=variable.input_size,
            row_names=tuple(f"point{k}_side{i}" for k in range(forces) for i in range(sides)),
            variable=variable,
        )
        self._needs_update = False
        slope = contact.friction * (math.cos(math.pi / sides) if inner else 1.0)
        side = pyramid(sides, slope)
        for k in range(forces):
            self.J[sides * k : sides * (k + 1), 3 * k : 3 * k + 3] = side
        self.own_upper[:] = 0.0
        self.rows_data.map()


def pyramid(sides: int, slope: float) -> Matrix:
    """Write the sides of a pyramid as rows a with a·f ≤ 0.

    Args:
        sides: How many.
        slope: Largest tangential force for a unit of normal force on each side.

    Returns:
        Shape (sides, 3).
    """
    rows = np.empty((sides, 3))
    for i in range(sides):
        angle = 2.0 * math.pi * i / sides
        rows[i] = math.cos(angle), math.sin(angle), -slope
    # cos(π/2) is not quite zero; four sides shall be the axes exactly.
    rows[np.abs(rows) < 1e-15] = 0.0
    return rows


class CoP(LeafConstraint):
    """The centre of pressure is in the sole: −X ≤ −m_y / f_z ≤ X and −Y ≤ m_x / f_z ≤ Y, four rows.

    Args:
        contact: A wrench at the centre of a sole 2 X long and 2 Y wide.
        variable: The wrench in x.
        margin: How much smaller the sole is taken on every side [m].
        name: Name of the constraint.

    Raises:
        InputError: If the contact is no wrench, or the margin leaves no sole.
    """

    def __init__(
        self,
        contact: ContactForces,
        variable: Affine,
        *,
        margin: float = 0.0,
        name: str | None = None,
    ) -> None:
        X, Y = sole_of(contact, margin)
        super().__init__(
            name or f"{contact.frame}_cop",
            rows=4,
            x_size=variable.input_size,
            row_names=("front", "back", "left", "right"),
            variable=variable,
        )
        self._needs_update = False
        #            fx   fy   fz  mx   my   mz
        self.J[0] = [0.0, 0.0, -X, 0.0, -1.0, 0.0]
        self.J[1] = [0.0, 0.0, -X, 0.0, 1.0, 0.0]
        self.J[2] = [0.0, 0.0, -Y, 1.0, 0.0, 0.0]
        self.J[3] = [0.0, 0.0, -Y, -1.0, 0.0, 0.0]
        self.own_upper[:] = 0.0
        self.rows_data.map()


class NormalTorque(LeafConstraint):
    """The sole does not twist: eight rows that bound the moment about the normal.

    They are the exact shadow of four corner forces with |f_x|, |f_y| ≤ μ f_z; for s, t = ±1:

        −μ (X+Y) f_z + s (Y f_x − μ m_x) + t (X f_y − μ m_y) ≤ m_z
        m_z ≤ μ (X+Y) f_z − s (Y f_x + μ m_x) − t (X f_y + μ m_y)

    Args:
        contact: A wrench at the centre of a sole 2 X long and 2 Y wide.
        variable: The wrench in x.
        name: Name of the constraint.

    Raises:
        InputError: If the contact is no wrench of a flat foot.

    Source: caron2015icra, eq. 16–17
    """

    def __init__(
        self, contact: ContactForces, variable: Affine, *, name: str | None = None
    ) -> None:
        X, Y = sole_of(contact, 0.0)
        mu = contact.friction
        super().__init__(
            name or f"{contact.frame}_normal_torque",
            rows=8,
            x_size=variable.input_size,
            variable=variable,
        )
        self._needs_update = False
        row = 0
        for s in (1.0, -1.0):
            for t in (1.0, -1.0):
                weight = -mu * (X + Y)
                self.J[row] = [s * Y, t * X, weight, -s * mu, -t * mu, -1.0]
                self.J[row + 1] = [s * Y, t * X, weight, s * mu, t * mu, 1.0]
                row += 2
        self.own_upper[:] = 0.0
        self.rows_data.map()


def sole_of(contact: ContactForces, margin: float) -> tuple[float, float]:
    """Find the half length and half width that are left of a sole.

    Args:
        contact: A wrench of a flat foot.
        margin: Taken off on every side [m].

    Returns:
        X and Y [m].

    Raises:
        InputError: If it is no wrench, or nothing is left.
    """
    if contact.kind != "wrench":
        raise InputError(f"{contact.frame!r} has point forces; this constraint is for a wrench")
    X, Y = contact.half_length - margin, contact.half_width - margin
    if not (X > 0.0 and Y > 0.0):
        raise InputError(
            f"{contact.frame!r} has a sole of {2 * contact.half_length:g} by "
            f"{2 * contact.half_width:g} m, which a margin of {margin:g} m uses up"
        )
    return X, Y
