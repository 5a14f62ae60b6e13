# ruff: noqa: N802 (the names of the field)
"""Tasks and constraints from plain arrays."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError, ShapeError
from footwork.stack.epoch import EPOCH
from footwork.stack.leaf import LeafConstraint, LeafTask
from footwork.stack.settings import HessianType
from footwork.stack.variables import Affine
from footwork.typing import Matrix, Vector, as_array


class GenericTask(LeafTask):
    """A y = b with arrays of the user's; y = x unless a variable is given.

    The error is b, so that λ scales it; there is no feed-forward. Setting ``A``, ``b`` or ``c``
    shows at once. In x the rows are A M and λ·b − A q.

    Example:
        >>> task = GenericTask("sum", A=[[1.0, 1.0]], b=[1.0])
        >>> task.lambda_ = 0.5
        >>> task.b.tolist()
        [0.5]
    """

    def __init__(
        self,
        id: str,
        A: ArrayLike,
        b: ArrayLike,
        *,
        c: ArrayLike | None = None,
        variable: Affine | None = None,
    ) -> None:
        """Make the task.

        Args:
            id: Name.
            A: Rows, shape (m, own size).
            b: Targets, shape (m,).
            c: Linear cost of the own variable, shape (own size,); zero if not given.
            variable: Part of x that A multiplies; x itself if not given.

        Raises:
            ShapeError: If the sizes do not fit.
        """
        columns: int | str = "n" if variable is None else variable.output_size
        rows = as_array(f"A of {id!r}", A, ("m", columns))
        target = as_array(f"b of {id!r}", b, (rows.shape[0],))
        x_size = rows.shape[1] if variable is None else variable.input_size
        super().__init__(id, rows=rows.shape[0], x_size=x_size, variable=variable)
        self._needs_update = False
        self._write(rows, target)
        if c is not None:
            self.c = c

    def _write(self, A: Matrix, b: Vector) -> None:
        self.J[:] = A
        self.own_error[:] = b
        self.rows_data.map()

    @property
    def A(self) -> Matrix:
        """Rows in x, shape (m, n); set in the own variable, at once."""
        value: Matrix = LeafTask.A.__get__(self)
        return value

    @A.setter
    def A(self, value: ArrayLike) -> None:
        self.J[:] = as_array(f"A of {self.id!r}", value, self.J.shape)
        self.rows_data.map()

    @property
    def b(self) -> Vector:
        """Targets, shape (m,), scaled by λ; set unscaled, at once."""
        value: Vector = LeafTask.b.__get__(self)
        return value

    @b.setter
    def b(self, value: ArrayLike) -> None:
        self.own_error[:] = as_array(f"b of {self.id!r}", value, (self.task_size,))

    @property
    def c(self) -> Vector:
        """Linear cost in x, shape (n,); set in the own variable, at once."""
        value: Vector = LeafTask.c.__get__(self)
        return value

    @c.setter
    def c(self, value: ArrayLike) -> None:
        own = as_array(f"c of {self.id!r}", value, (self.J.shape[1],))
        v = self.variable
        self._c = own if v is None else v.M.T @ own
        EPOCH.costs_changed()

    def set(self, A: ArrayLike, b: ArrayLike) -> None:
        """Set rows and targets together; their number may change, which makes W the identity.

        Args:
            A: Rows, shape (m, own size).
            b: Targets, shape (m,).

        Raises:
            ShapeError: If the sizes do not fit; nothing has changed.
        """
        rows = as_array(f"A of {self.id!r}", A, ("m", self.J.shape[1]))
        target = as_array(f"b of {self.id!r}", b, (rows.shape[0],))
        if rows.shape[0] != self.task_size:
            self._resize(rows.shape[0])
        self._write(rows, target)


class GenericLPTask(LeafTask):
    """A linear cost cᵀ y, without rows.

    Example:
        >>> GenericLPTask("cheap", [1.0, 2.0]).c.tolist()
        [1.0, 2.0]
    """

    def __init__(self, id: str, c: ArrayLike, *, variable: Affine | None = None) -> None:
        """Make the task.

        Args:
            id: Name.
            c: Cost of the own variable, shape (own size,).
            variable: Part of x that c multiplies; x itself if not given.

        Raises:
            ShapeError: If the sizes do not fit.
        """
        own: int | str = "n" if variable is None else variable.output_size
        cost = as_array(f"c of {id!r}", c, (own,))
        x_size = cost.size if variable is None else variable.input_size
        super().__init__(
            id, rows=0, x_size=x_size, variable=variable, hessian_type=HessianType.ZERO
        )
        self._needs_update = False
        self._own_size = cost.size
        self.c = cost

    @property
    def c(self) -> Vector:
        """Linear cost in x, shape (n,); set in the own variable, at once."""
        value: Vector = LeafTask.c.__get__(self)
        return value

    @c.setter
    def c(self, value: ArrayLike) -> None:
        own = as_array(f"c of {self.id!r}", value, (self._own_size,))
        v = self.variable
        self._c = own if v is None else v.M.T @ own
        EPOCH.costs_changed()


class MinimizeVariable(LeafTask):
    """Bring a variable y = M x + q to a reference: A = M, b = reference − q.

    No gain scales the reference: it is what y shall be.
    """

    def __init__(self, id: str, variable: Affine, reference: ArrayLike | None = None) -> None:
        """Make the task.

        Args:
            id: Name.
            variable: What to bring to the reference.
            reference: Shape (own size,); zero if not given.

        Raises:
            ShapeError: If the sizes do not fit.
        """
        size = variable.output_size
        super().__init__(id, rows=size, x_size=variable.input_size, variable=variable)
        self._needs_update = False
        np.fill_diagonal(self.J, 1.0)
        self.rows_data.map()
        self.reference = np.zeros(size) if reference is None else reference

    @property
    def reference(self) -> Vector:
        """What y shall be, shape (own size,); shows at once."""
        return self.own_feedforward.copy()

    @reference.setter
    def reference(self, value: ArrayLike) -> None:
        self.own_feedforward[:] = as_array(f"reference of {self.id!r}", value, (self.task_size,))


class GenericConstraint(LeafConstraint):
    """lower ≤ C y ≤ upper from plain arrays; without C, bounds on y. y = x without a variable.

    Example:
        >>> box = GenericConstraint("box", lower=[-1.0, -1.0], upper=[1.0, 2.0])
        >>> box.is_bound, box.upper.tolist()
        (True, [1.0, 2.0])
    """

    def __init__(
        self,
        id: str,
        C: ArrayLike | None = None,
        *,
        lower: ArrayLike | None = None,
        upper: ArrayLike | None = None,
        equal: ArrayLike | None = None,
        variable: Affine | None = None,
    ) -> None:
        """Make the constraint.

        Args:
            id: Name.
            C: Rows, shape (k, own size); bounds on the variable if not given.
            lower: Lower limits, shape (k,); −∞ if not given.
            upper: Upper limits, shape (k,); +∞ if not given.
            equal: What C y equals, instead of limits, shape (k,).
            variable: Part of x that C multiplies; x itself if not given.

        Raises:
            InputError: If no limit is given, both kinds are, or a lower limit is above the upper.
            ShapeError: If the sizes do not fit.
        """
        if (equal is None) == (lower is None and upper is None):
            raise InputError(f"{id!r}: give limits (lower, upper, or both) or equal")
        rows, size, x_size = _shape(id, C, (equal, lower, upper), variable)
        low, high = _limits(id, size, lower, upper, equal)
        super().__init__(
            id,
            rows=size,
            x_size=x_size,
            is_box=rows is None and equal is None,
            is_equality=equal is not None,
            variable=variable,
        )
        self._needs_update = False
        if rows is not None:
            self.J[:] = rows
        elif equal is not None:
            np.fill_diagonal(self.J, 1.0)
        self.rows_data.map()
        self.own_lower[:], self.own_upper[:] = low, high

    def set_limits(
        self,
        *,
        lower: ArrayLike | None = None,
        upper: ArrayLike | None = None,
        equal: ArrayLike | None = None,
    ) -> None:
        """Replace the limits; shows at once.

        Args:
            lower: Lower limits, shape (k,); −∞ if not given.
            upper: Upper limits, shape (k,); +∞ if not given.
            equal: What C y equals, of a constraint made with ``equal``.

        Raises:
            InputError: If a lower limit is above the upper one, or the kind is the other one.
            ShapeError: If the sizes do not fit; nothing has changed.
        """
        if self.has_equality_rows != (equal is not None):
            kind = "an equality" if self.has_equality_rows else "an inequality"
            raise InputError(f"{self.id!r} is {kind}; it stays one")
        low, high = _limits(self.id, self.own_lower.size, lower, upper, equal)
        self.own_lower[:], self.own_upper[:] = low, high

    def set_rows(self, C: ArrayLike) -> None:
        """Replace the rows; shows at once.

        Args:
            C: Shape (k, own size).

        Raises:
            InputError: If the constraint is a bound, which has no rows.
            ShapeError: If the sizes do not fit; nothing has changed.
        """
        if self._box_form:
            raise InputError(f"{self.id!r} bounds a variable; it has no rows to set")
        self.J[:] = as_array(f"C of {self.id!r}", C, self.J.shape)
        self.rows_data.map()


def _shape(
    name: str, C: ArrayLike | None, limits: tuple[Any, ...], variable: Affine | None
) -> tuple[Matrix | None, int, int]:
    """Find rows, their number, and the number of unknowns."""
    columns: int | str = "n" if variable is None else variable.output_size
    if C is None:
        given = next(limit for limit in limits if limit is not None)
        size = np.size(given) if variable is None else variable.output_size
        return None, size, size if variable is None else variable.input_size
    rows = as_array(f"C of {name!r}", C, ("k", columns))
    return rows, rows.shape[0], rows.shape[1] if variable is None else variable.input_size


def _limits(
    name: str,
    size: int,
    lower: ArrayLike | None,
    upper: ArrayLike | None,
    equal: ArrayLike | None,
) -> tuple[Vector, Vector]:
    if equal is not None:
        if lower is not None or upper is not None:
            raise InputError(f"{name!r}: give limits or equal, not both")
        value = as_array(f"equal of {name!r}", equal, (size,))
        return value, value
    low = _side(f"lower of {name!r}", lower, size, -np.inf)
    high = _side(f"upper of {name!r}", upper, size, np.inf)
    wrong = np.flatnonzero(~(low <= high))
    if wrong.size:
        row = int(wrong[0])
        raise InputError(
            f"{name!r}: row {row} has lower limit {low[row]:g} above upper limit {high[row]:g}"
        )
    return low, high


def _side(name: str, value: ArrayLike | None, size: int, default: float) -> Vector:
    if value is None:
        return np.full(size, default)
    array = as_array(name, value, (size,), finite=False)
    if array.shape != (size,):
        raise ShapeError(name, (size,), array.shape)
    return array
