"""The same task in another dress: `w * t` with another weight, `t << c` with more constraints."""

from collections.abc import Iterable, MutableSequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError, WeightError
from footwork.stack.constraint_list import ConstraintList
from footwork.stack.segment import Segment
from footwork.stack.settings import HessianType
from footwork.stack.task import Task
from footwork.stack.weights import as_factor, as_symmetric, diagonal_of
from footwork.typing import Matrix, Vector, frozen

if TYPE_CHECKING:
    from footwork.stack.constraint import Constraint


class DressedTask(Task):
    """A task seen with one thing changed; λ, activity, mask and id are the task's own."""

    def __init__(self, task: Task) -> None:
        self._inner = task
        self.id = task.id
        self.x_size = task.x_size
        self.row_names = task.row_names
        self._settings = task._settings
        self._mask_settings = task._mask_settings

    @property
    def task(self) -> Task:
        """The task inside."""
        return self._inner

    def segments(self) -> tuple[Segment, ...]:
        """See `Task.segments`."""
        return self._inner.segments()

    @property
    def is_active(self) -> bool:
        """Whether the task inside counts; setting it switches that task."""
        return self._inner.is_active

    @is_active.setter
    def is_active(self, value: bool) -> None:
        self._inner.is_active = value

    @property
    def hessian_type(self) -> HessianType:
        """That of the task inside."""
        return self._inner.hessian_type

    @hessian_type.setter
    def hessian_type(self, value: HessianType) -> None:
        self._inner.hessian_type = value


class WeightedTask(DressedTask):
    """A task with a scaled weight: W' = w·W, √D·W·√D (a factor d a row), or M·W.

    The linear cost scales with a scalar w, since the whole cost does. Setting the weight un-scales
    it and writes to the task inside.
    """

    def __init__(self, task: Task, weight: ArrayLike) -> None:
        super().__init__(task)
        self._factor = as_factor(weight, task.task_size, task.id)
        self._diagonal: tuple[Vector, Vector] | None = None
        self.weight_matrix()

    @property
    def constraints(self) -> MutableSequence["Constraint"]:
        """The list of the task inside, itself."""
        return self._inner.constraints

    @property
    def c(self) -> Vector:
        """Linear cost, shape (n,)."""
        factor = self._factor
        return frozen(self._inner.c * factor) if isinstance(factor, float) else self._inner.c

    def _checked_factor(self) -> Matrix | Vector | float:
        factor = self._factor
        if not isinstance(factor, float) and len(factor) != self._inner.task_size:
            raise WeightError(
                self.id,
                f"it was multiplied by {len(factor)} factors, and has {self._inner.task_size} rows "
                "now; multiply it anew",
            )
        return factor

    def weight_matrix(self) -> Matrix:
        """See `Task.weight_matrix`."""
        W, factor = self._inner.weight_matrix(), self._checked_factor()
        if isinstance(factor, float):
            return W * factor
        if factor.ndim == 1:
            root = np.sqrt(factor)
            # The diagonal as d·W, so that it is exact
            scaled: Matrix = W * root[:, None] * root
            np.fill_diagonal(scaled, factor * np.diagonal(W))
            return scaled
        return as_symmetric(factor @ W, self.id)

    def weight_diagonal(self) -> Vector | None:
        """See `Task.weight_diagonal`."""
        inner = self._inner.weight_diagonal()
        if self._diagonal is not None and self._diagonal[0] is inner:
            return self._diagonal[1]
        factor = self._checked_factor()
        if not isinstance(factor, float) and factor.ndim == 2:
            return diagonal_of(self.weight_matrix())
        if inner is None:
            return None
        self._diagonal = inner, inner * factor
        return self._diagonal[1]

    def write_weight(self, W: Matrix) -> None:
        """Un-scale a weight and write it to the task inside.

        Raises:
            WeightError: If a factor is zero and the weight is not, or M has no inverse.
        """
        self._inner.write_weight(self._unscaled(W))

    def _unscaled(self, W: Matrix) -> Matrix:
        factor = self._checked_factor()
        if isinstance(factor, float):
            factor = np.full(W.shape[0], factor)
        if factor.ndim == 2:
            return as_symmetric(self._solve(factor, W), self.id)
        dead = factor == 0.0
        if W[dead].any():
            raise WeightError(
                self.id,
                f"rows {np.flatnonzero(dead).tolist()} are seen through a factor of 0, behind "
                "which no weight can be set; set that of the task inside",
            )
        # What lies behind a zero factor stays as it is.
        before = self._inner.weight_matrix()
        root = np.sqrt(np.where(dead, 1.0, factor))
        inside: Matrix = W / root[:, None] / root
        np.fill_diagonal(inside, np.diagonal(W) / np.where(dead, 1.0, factor))
        inside[dead], inside[:, dead] = before[dead], before[:, dead]
        return inside

    def _solve(self, M: Matrix, W: Matrix) -> Matrix:
        try:
            inside: Matrix = np.linalg.solve(M, W).astype(np.float64)
        except np.linalg.LinAlgError as error:
            raise WeightError(
                self.id, "it is seen through a matrix without inverse; set that of the task inside"
            ) from error
        return inside


class ConstrainedTask(DressedTask):
    """A task under further constraints than its own."""

    def __init__(
        self, task: Task, constraints: "Constraint | Task | Iterable[Constraint | Task]"
    ) -> None:
        super().__init__(task)
        self._list = ConstraintList(lambda: task.constraints)
        for constraint in as_many(constraints):
            self._list.append(constraint)

    @property
    def constraints(self) -> MutableSequence["Constraint"]:
        """Those of the task inside, then the ones of this view, to which appending adds."""
        return self._list

    @property
    def c(self) -> Vector:
        """Linear cost, shape (n,)."""
        return self._inner.c

    def weight_matrix(self) -> Matrix:
        """See `Task.weight_matrix`."""
        return self._inner.weight_matrix()

    def weight_diagonal(self) -> Vector | None:
        """See `Task.weight_diagonal`."""
        return self._inner.weight_diagonal()

    def write_weight(self, W: Matrix) -> None:
        """See `Task.write_weight`."""
        self._inner.write_weight(W)


def as_many(
    constraints: "Constraint | Task | Iterable[Constraint | Task]",
) -> "tuple[Constraint, ...]":
    """Take one or several constraints or tasks.

    Args:
        constraints: One, or an iterable; a task stands for its equality.

    Returns:
        Constraints.
    """
    from footwork.stack.constraint import Constraint
    from footwork.stack.constraint_list import as_constraint

    single = isinstance(constraints, Constraint | Task)
    if not (single or isinstance(constraints, Iterable)):
        raise InputError(f"expected constraints or tasks, got {constraints!r}")
    several = [constraints] if single else list(constraints)  # type: ignore[arg-type]
    return tuple(as_constraint(c) for c in several)
