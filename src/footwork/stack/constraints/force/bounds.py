"""How large forces may be: unilateral, limited, opening and closing with the contact."""

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.stack._kernels.constraints_dynamics import FORCE_BOUNDS
from footwork.stack.contact_forces import ContactForces
from footwork.stack.leaf import LeafConstraint
from footwork.stack.variables import Affine
from footwork.typing import Vector, as_array


class ForceBounds(LeafConstraint):
    """Bounds of a contact's forces that open and close without a jump.

    Open, the forces are within ``lower`` and ``upper``. Closed, they are zero. `open` and `close`
    go from one to the other over some ticks: the largest force rises from zero, or falls to zero,
    so that the torques that hold the robot are taken over by the other contacts little by little.

    Args:
        name: Name of the constraint.
        variable: The forces in x.
        lower: Of the open contact [N, N m], shape (k,).
        upper: Of the open contact, shape (k,).
        largest: Force [N, N m] that is certainly enough, from which the closing starts.
        row_names: Names of the rows.

    Raises:
        InputError: If a lower bound is above zero or an upper one below: zero is always allowed.
    """

    def __init__(
        self,
        name: str,
        variable: Affine,
        *,
        lower: ArrayLike,
        upper: ArrayLike,
        largest: float,
        row_names: tuple[str, ...] = (),
    ) -> None:
        k = variable.output_size
        low = as_array(f"lower of {name!r}", lower, (k,), finite=False)
        high = as_array(f"upper of {name!r}", upper, (k,), finite=False)
        if not ((low <= 0.0).all() and (high >= 0.0).all()):
            raise InputError(f"bounds of {name!r} must have 0 between them, got {low} … {high}")
        if not (np.isfinite(largest) and largest > 0.0):
            raise InputError(
                f"largest force of {name!r} must be positive and finite, got {largest}"
            )
        super().__init__(
            name,
            rows=k,
            x_size=variable.input_size,
            is_box=variable.offset is not None,
            row_names=row_names,
            variable=variable,
        )
        self._needs_update = False
        if variable.offset is None:
            self.J[:] = np.eye(k)
        self._k = k
        self.bind(FORCE_BOUNDS.address, ints=[k], floats=[*low, *high, largest, 1.0, 1.0, 1.0])

    @property
    def opening(self) -> float:
        """How far it is open at the last tick: 0 closed … 1 open."""
        return float(self.floats[2 * self._k + 1])

    @property
    def opening_address(self) -> int:
        """Where opening, its step and its goal are, for evaluators."""
        return int(self.floats[2 * self._k + 1 :].__array_interface__["data"][0])

    @property
    def is_open(self) -> bool:
        """Whether it is open or opening."""
        return bool(self.floats[2 * self._k + 3] == 1.0)

    def open(self, *, ticks: int = 1) -> None:
        """Let forces come.

        Args:
            ticks: How many ticks it takes.
        """
        self._go(1.0, ticks)

    def close(self, *, ticks: int = 1) -> None:
        """Let forces vanish.

        Args:
            ticks: How many ticks it takes.
        """
        self._go(0.0, ticks)

    def _go(self, goal: float, ticks: int) -> None:
        if ticks < 1:
            raise InputError(f"{self.id!r} opens or closes in 1 tick or more, got {ticks}")
        self.floats[2 * self._k + 2] = 1.0 / ticks
        self.floats[2 * self._k + 3] = goal

    def set_opening(self, value: float) -> None:
        """Set how far it is open, without a ramp.

        Args:
            value: 0 closed … 1 open.

        Raises:
            InputError: If it is outside of [0, 1].
        """
        if not 0.0 <= value <= 1.0:
            raise InputError(f"opening of {self.id!r} must be in [0, 1], got {value}")
        self.floats[2 * self._k + 1] = self.floats[2 * self._k + 3] = value


class Unilateral(LeafConstraint):
    """The ground does not pull: the normal component of every force is at least ``smallest``.

    Args:
        contact: The forces.
        variable: The forces in x.
        smallest: Smallest normal force [N].
        name: Name of the constraint.
    """

    def __init__(
        self,
        contact: ContactForces,
        variable: Affine,
        *,
        smallest: float = 0.0,
        name: str | None = None,
    ) -> None:
        normals = range(2, contact.size, 3) if contact.kind == "points" else [2]
        super().__init__(
            name or f"{contact.frame}_unilateral",
            rows=len(normals),
            x_size=variable.input_size,
            variable=variable,
        )
        self._needs_update = False
        for row, column in enumerate(normals):
            self.J[row, column] = 1.0
        self.own_lower[:] = float(as_array(f"smallest of {self.id!r}", smallest, ()))
        self.rows_data.map()


class WrenchLimits(LeafConstraint):
    """A wrench, or any force variable, within a box.

    Args:
        name: Name of the constraint.
        variable: The wrench in x.
        lower: Smallest [N, N m], shape (k,); −∞ is none.
        upper: Largest, shape (k,); +∞ is none.

    Raises:
        InputError: If a lower limit is above its upper one.
    """

    def __init__(self, name: str, variable: Affine, *, lower: ArrayLike, upper: ArrayLike) -> None:
        k = variable.output_size
        super().__init__(
            name,
            rows=k,
            x_size=variable.input_size,
            is_box=variable.offset is not None,
            variable=variable,
        )
        self._needs_update = False
        if variable.offset is None:
            self.J[:] = np.eye(k)
        self.set_limits(lower, upper)
        self.rows_data.map()

    def set_limits(self, lower: ArrayLike, upper: ArrayLike) -> None:
        """Change the limits; nothing changes on an error.

        Args:
            lower: Smallest [N, N m], shape (k,).
            upper: Largest, shape (k,).

        Raises:
            InputError: If a lower limit is above its upper one; names it.
        """
        k = self.J.shape[0]
        low = as_array(f"lower of {self.id!r}", lower, (k,), finite=False)
        high = as_array(f"upper of {self.id!r}", upper, (k,), finite=False)
        if not (low <= high).all():
            bad = int(np.argmax(~(low <= high)))
            raise InputError(
                f"{self.id!r}: lower limit {low[bad]:g} of row {bad} is above its upper one, "
                f"{high[bad]:g}"
            )
        self.own_lower[:], self.own_upper[:] = low, high

    def release(self) -> None:
        """Hold the wrench at zero: the contact is gone."""
        self.set_limits(np.zeros(self.J.shape[0]), np.zeros(self.J.shape[0]))

    @property
    def limits(self) -> tuple[Vector, Vector]:
        """Smallest and largest, each of shape (k,)."""
        return self.own_lower.copy(), self.own_upper.copy()
