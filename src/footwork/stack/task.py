# ruff: noqa: N802 (A, WA, Wb are the names of the field)
"""The abstract `Task`: what every task exposes, whether it has rows of its own or is a view.

A task asks for A x = b in the least-squares sense of its weight W, with

    b = feedforward + λ · error + √λ · error_rate

so that references' derivatives and drift are never scaled, and acceleration tasks (whose error is
Kp·e and whose error rate is Kd·ė) keep their damping ratio when λ changes. Velocity tasks have no
error rate.

Rows live in *leaves* (`footwork.stack.leaf`); every other task is a view that says which rows of
which leaves it means (`Task.segments`) and keeps at most a λ, an activity and constraints of its
own. Whatever is read is computed from the leaves when it is read, so that nothing is ever stale.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterable, MutableSequence, Sequence
from typing import TYPE_CHECKING, Union

import numpy as np
from numpy.typing import ArrayLike

from footwork._uncopied import Uncopied
from footwork.errors import InputError, ShapeError
from footwork.stack.epoch import EPOCH
from footwork.stack.rows import RowSelection
from footwork.stack.segment import Segment, State, stamp_of
from footwork.stack.settings import HessianType, Settings, as_hessian_type, as_switch
from footwork.stack.weights import as_weight
from footwork.typing import BoolVector, Logger, Matrix, Vector, as_array, frozen

if TYPE_CHECKING:
    from footwork.stack.constraint import Constraint
    from footwork.stack.leaf import LeafTask
    from footwork.stack.logging import LogNames
    from footwork.stack.stack import Stack


class Task(Uncopied, ABC):
    """Rows A x = b with a weight, a gain and constraints; see the module's docstring.

    Attributes:
        id: Name of the task in messages, tables and logs.
        x_size: Number of unknowns n.
        row_names: Names of the rows that `SubTask` accepts (``"x"``, ``"rz"``); may be empty.
    """

    __array_ufunc__ = None
    __iter__ = None
    __hash__ = object.__hash__

    id: str
    x_size: int
    row_names: tuple[str, ...] = ()
    _instead = (
        "make another task by its constructor, or a view of the same rows: 1.0 * task, task[rows]"
    )
    _settings: Settings
    _mask_settings: Settings

    # What a concrete task says

    @abstractmethod
    def segments(self) -> tuple[Segment, ...]:
        """Say which rows of which leaves the task means, in order."""

    @abstractmethod
    def weight_matrix(self) -> Matrix:
        """Compute W, shape (task_size, task_size); a new array."""

    @abstractmethod
    def weight_diagonal(self) -> Vector | None:
        """Compute the diagonal of W if W is diagonal, else None; a changed one is a new array."""

    @abstractmethod
    def write_weight(self, W: Matrix) -> None:
        """Write a symmetric W to where it belongs."""

    @property
    @abstractmethod
    def constraints(self) -> MutableSequence["Constraint"]:
        """What x must obey at this task's level and below; a list to append to."""

    @property
    @abstractmethod
    def c(self) -> Vector:
        """Linear cost cᵀx beside the quadratic one, shape (n,)."""

    # Rows

    @property
    def task_size(self) -> int:
        """Number of rows."""
        return sum(len(segment.rows) for segment in self.segments())

    @property
    def A(self) -> Matrix:
        """Jacobian, shape (task_size, n): masked columns and inactive rows are zero."""
        parts = [segment.masked_rows() for segment in self.segments()]
        return frozen(np.concatenate(parts) if parts else np.zeros((0, self.x_size)))

    @property
    def b(self) -> Vector:
        """Target, shape (task_size,): b = feedforward + λ·error + √λ·error_rate."""
        parts = [segment.target() for segment in self.segments()]
        return frozen(np.concatenate(parts) if parts else np.zeros(0))

    @property
    def feedforward(self) -> Vector:
        """Part of b that no gain scales, shape (task_size,)."""
        return self._terms(0, 0.0)

    @property
    def error(self) -> Vector:
        """Part of b that λ scales, before this task's own λ, shape (task_size,)."""
        return self._terms(1, 1.0)

    @property
    def error_rate(self) -> Vector:
        """Part of b that √λ scales, before this task's own λ, shape (task_size,)."""
        return self._terms(2, 0.5)

    def _terms(self, term: int, power: float) -> Vector:
        parts = []
        for segment in self.segments():
            values = segment.own_terms()[term]
            inner = 1.0
            for s in segment.settings:
                inner *= 1.0 if s is self._settings else s.lambda_
            parts.append(values * inner**power)
        return frozen(np.concatenate(parts) if parts else np.zeros(0))

    # Settings

    @property
    def lambda_(self) -> float:
        """Gain λ of the error, from 0; see b."""
        return self._settings.lambda_

    @lambda_.setter
    def lambda_(self, value: float) -> None:
        gain = value if type(value) is float else float(as_array("lambda_", value, ()))
        if not 0.0 <= gain < np.inf:
            raise InputError(
                f"lambda_ of {self.id!r} must be finite and must not be negative, got {gain}"
            )
        if gain != self._settings.lambda_:
            self._settings.lambda_ = gain
            EPOCH.gains_changed()

    @property
    def weight(self) -> Matrix:
        """W, symmetric positive semi-definite, shape (task_size, task_size), read-only.

        It is set by a matrix, a diagonal or a scalar, which replaces what was there.
        """
        return frozen(self.weight_matrix())

    @weight.setter
    def weight(self, value: ArrayLike) -> None:
        self.write_weight(as_weight(value, self.task_size, self.id))
        EPOCH.weights_changed()

    @property
    def active_joints_mask(self) -> BoolVector:
        """False where a column of A is zeroed, shape (n,); a copy."""
        mask = self._mask_settings.mask
        return np.ones(self.x_size, dtype=np.bool_) if mask is None else mask.copy()

    @active_joints_mask.setter
    def active_joints_mask(self, value: Sequence[bool] | BoolVector) -> None:
        mask = np.array(value)
        if mask.shape != (self.x_size,):
            raise ShapeError(f"active_joints_mask of {self.id!r}", (self.x_size,), mask.shape)
        if mask.dtype != np.bool_ and not np.isin(mask, (0, 1)).all():
            raise InputError(
                f"active_joints_mask of {self.id!r}: expected truth values, got {value}"
            )
        mask = mask.astype(np.bool_)
        self._mask_settings.mask = None if mask.all() else mask
        EPOCH.structure_changed()

    @property
    def is_active(self) -> bool:
        """Whether the task counts; setting it acts at once, `activate` and `deactivate` ramp."""
        return self._settings.is_active

    @is_active.setter
    def is_active(self, value: bool) -> None:
        self._settings.set_active(as_switch(value, f"is_active of {self.id!r}"))

    @property
    def activation(self) -> float:
        """From 0 (off) to 1 (on); between them only during a ramp."""
        return self._settings.activation

    def activate(self, *, ticks: int) -> None:
        """Switch the task on smoothly.

        During the ramp, b = α·b + (1 − α)·A·x̄, with x̄ the solution without the task: the solution
        starts where it was and moves continuously, at any level.

        Args:
            ticks: Length of the ramp.

        Raises:
            InputError: If ``ticks`` is not positive.
        """
        self._settings.start_ramp(True, ticks)

    def deactivate(self, *, ticks: int) -> None:
        """Switch the task off smoothly, as `activate` the other way.

        Args:
            ticks: Length of the ramp.

        Raises:
            InputError: If ``ticks`` is not positive.
        """
        self._settings.start_ramp(False, ticks)

    @property
    def hessian_type(self) -> HessianType:
        """What is known about AᵀWA."""
        return self._settings.hessian_type

    @hessian_type.setter
    def hessian_type(self, value: HessianType) -> None:
        self._settings.hessian_type = as_hessian_type(value, self.id)

    # Derived

    @property
    def WA(self) -> Matrix:
        """W A, shape (task_size, n)."""
        return frozen(self.weight_matrix() @ self.A)

    @property
    def Wb(self) -> Vector:
        """W b, shape (task_size,)."""
        return frozen(self.weight_matrix() @ self.b)

    def compute_cost(self, x: ArrayLike) -> float:
        """Evaluate (A x − b)ᵀ W (A x − b); rows that are not active cost nothing.

        Args:
            x: Unknowns, shape (n,).

        Returns:
            The cost; c and regularisation are not in it.

        Raises:
            ShapeError: If x has another size.
        """
        residual = self.residual(as_array("x", x, (self.x_size,)))
        return float(residual @ self.weight_matrix() @ residual)

    def residual(self, x: Vector) -> Vector:
        """Compute A x − b, zero for rows that are not active.

        Args:
            x: Unknowns, shape (n,).

        Returns:
            Shape (task_size,).
        """
        parts = [segment.residual(x) for segment in self.segments()]
        return np.concatenate(parts) if parts else np.zeros(0)

    def check_consistency(self) -> bool:
        """Check sizes, finiteness, weight and the constraints.

        Returns:
            Whether the task can be solved for; a task without rows is consistent if c is not zero.
        """
        A, b, W = self.A, self.b, self.weight_matrix()
        m = self.task_size
        sizes = A.shape == (m, self.x_size) and b.shape == (m,) and W.shape == (m, m)
        finite = bool(np.isfinite(A).all() and np.isfinite(b).all() and np.isfinite(W).all())
        if not (sizes and finite and self.c.shape == (self.x_size,)):
            return False
        if self.hessian_type == HessianType.ZERO and m and (A.any() or b.any()):
            return False
        if m == 0 and not self.c.any():
            return False
        same = all(constraint.x_size == self.x_size for constraint in self.constraints)
        return same and all(constraint.check_consistency() for constraint in self.constraints)

    def leaves(self) -> tuple["LeafTask", ...]:
        """List the tasks whose rows these are, each once.

        Returns:
            Leaves in order of first appearance.
        """
        leaves = (segment.leaf for segment in self.segments())
        return tuple(dict.fromkeys(leaf for leaf in leaves if leaf is not None))

    # Ticks

    def update(self, state: State | None = None) -> None:
        """Compute the rows for a state; does nothing for the state seen last.

        Args:
            state: Of the robot; without one a new tick starts, in the state of the last one.
        """
        self.tick(stamp_of(state), state)

    def tick(self, stamp: int, state: State | None) -> None:
        """Bring rows and constraints to a tick, once.

        Args:
            stamp: Of the tick.
            state: Of the robot, if the tick has one.
        """
        for constraint in tuple(self.constraints):
            constraint.tick(stamp, state)
        for segment in self.segments():
            segment.tick(stamp, state)

    def log(self, logger: Logger) -> None:
        """Write A, b, W, c and λ under OpenSoT's names, then those of father and constraints.

        Args:
            logger: No name is written twice.
        """
        from footwork.stack.logging import LogNames

        self.log_into(LogNames(logger))

    def log_into(self, names: "LogNames") -> None:
        """Write into a log that already knows which objects it has seen.

        Args:
            names: A `footwork.stack.logging.LogNames`.
        """
        from footwork.stack.logging import log_task

        log_task(self, names)

    # Algebra: none of these changes an operand

    def __mod__(self, rows: RowSelection) -> "Task":
        """Select rows: a `SubTask`."""
        from footwork.stack.sub_task import SubTask

        return SubTask(self, rows)

    def __getitem__(self, rows: RowSelection | tuple[object, ...]) -> "Task":
        """Select rows: a `SubTask`."""
        from footwork.stack.sub_task import SubTask

        return SubTask(self, rows)

    def __rmul__(self, weight: ArrayLike) -> "Task":
        """Weigh: a view with W' = w·W, √D·W·√D or M·W."""
        from footwork.stack.views import WeightedTask

        return WeightedTask(self, weight)

    __mul__ = __rmul__

    def __add__(self, other: "Task") -> "Task":
        """Put two tasks on one level."""
        if not isinstance(other, Task):
            return NotImplemented
        from footwork.stack.aggregated import Aggregated

        return Aggregated([self, other])

    def __lshift__(
        self, constraints: Union["Constraint", "Task", Iterable[Union["Constraint", "Task"]]]
    ) -> "Task":
        """See the task under further constraints; a task stands for its equality."""
        from footwork.stack.views import ConstrainedTask

        return ConstrainedTask(self, constraints)

    def __truediv__(self, other: Union["Task", "Stack"]) -> "Stack":
        """Put this task above another one, or on top of a stack."""
        from footwork.stack.stack import Stack

        if not isinstance(other, Task | Stack):
            return NotImplemented
        return Stack([self]) / other

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.id!r}, rows={self.task_size}, λ={self.lambda_:g})"
