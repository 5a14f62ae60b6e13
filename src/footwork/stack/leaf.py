# ruff: noqa: N802 (the names of the field)
"""Leaves: tasks and constraints that have rows of their own, and how to write one.

Every built-in task and every task of a user is a leaf. A leaf owns its rows as plain arrays, and a
stack's compiled tick reads them where they are. There are two ways to fill them.

**In Python.** Derive from `LeafTask` and write `compute`, which fills the slices in place::

    class Height(LeafTask):
        def __init__(self, robot, height):
            super().__init__("height", rows=1, x_size=robot.nv, model=robot, needs=...)
            self.robot, self.height = robot, height

        def compute(self, state):
            self.J[0] = ...                          # shape (rows, own size)
            self.own_error[0] = self.height - ...    # scaled by λ
            self.own_feedforward[0] = 0.0            # never scaled; own_error_rate is by √λ

``needs`` are bits of the model's making (`footwork.robot` calls them ``Quantities``): the stack
joins those of all its leaves and lets the model compute them once a tick, before any row is filled.

**Compiled.** The constructor ends with `bind`, which hands over the address of an evaluator and
the task's parameters, two arrays that belong to the task and are never replaced::

    self.bind(cartesian.address, ints=[address, joint], floats=[...], keep=[robot.pin_data])

Setters write into ``self.ints`` and ``self.floats`` in place; the evaluator (see
`footwork.stack._kernels.memory`) runs once a tick, for all leaves in one compiled call, and reads
Pinocchio's live arrays by address. It must write every entry of J that may differ from zero, and
all of ``out``: feedforward, error, error rate (a task); lower, upper (a constraint). A one-shot
reference is consumed by the evaluator itself: it uses the entries and zeroes them. J starts as
zeros, and columns that the evaluator never touches stay so.

A leaf whose own variable is a part of x says so by ``variable`` (an `Affine`): J has as many
columns as that variable. If it is a slice of x, the evaluator writes straight into the right
columns of the full rows (its ``stride`` is then n); any other affine variable is mapped behind it.
"""

from collections.abc import MutableSequence, Sequence

import numpy as np

from footwork.errors import ShapeError
from footwork.stack.common_leaf import CommonLeaf
from footwork.stack.constraint import Constraint, ConstraintSegment
from footwork.stack.constraint_list import ConstraintList
from footwork.stack.epoch import EPOCH
from footwork.stack.segment import Model, Segment, State
from footwork.stack.settings import HessianType, Settings, as_switch
from footwork.stack.task import Task
from footwork.stack.variables import Affine
from footwork.stack.weights import diagonal_of
from footwork.typing import Matrix, Vector, frozen


class LeafTask(CommonLeaf, Task):
    """A task with rows of its own; see the module's docstring for how to write one."""

    def __init__(
        self,
        id: str,
        *,
        rows: int,
        x_size: int,
        row_names: Sequence[str] = (),
        variable: Affine | None = None,
        model: Model | None = None,
        needs: int = 0,
        hessian_type: HessianType = HessianType.SEMIDEF,
    ) -> None:
        self.id = id
        self.x_size = x_size
        self.row_names = tuple(row_names)
        self._start(rows=rows, variable=variable, model=model, needs=needs, terms=3)
        self._settings = self._mask_settings = Settings(hessian_type)
        self._segments = self._cut()
        self._constraints = ConstraintList()
        self._W: Matrix = np.eye(rows)
        self._w: Vector | None = np.ones(rows)
        self._c: Vector = np.zeros(x_size)

    @property
    def own_feedforward(self) -> Vector:
        """Feed-forward of the rows, writable, shape (rows,)."""
        return self._rows.term(0)

    @property
    def own_error(self) -> Vector:
        """Error of the rows, writable, shape (rows,)."""
        return self._rows.term(1)

    @property
    def own_error_rate(self) -> Vector:
        """Error rate of the rows, writable, shape (rows,)."""
        return self._rows.term(2)

    @property
    def own_A(self) -> Matrix:
        """Rows in x without masks, shape (rows, n)."""
        self._check_updated()
        return self._rows.A

    @property
    def own_terms(self) -> Matrix:
        """Feed-forward, error and error rate, shape (3, rows)."""
        self._check_updated()
        terms = self._rows.terms
        if not self._rows.is_mapped:
            return terms[:3]
        return np.vstack([terms[0] + terms[3], terms[1:3]])

    def segments(self) -> tuple[Segment, ...]:
        """See `Task.segments`."""
        return self._segments

    def _cut(self) -> tuple[Segment, ...]:
        own = (self._settings,)
        return (Segment(self, tuple(range(self._rows.A.shape[0])), own, own),)

    @property
    def task_size(self) -> int:
        """Number of rows."""
        return int(self._rows.A.shape[0])

    @property
    def constraints(self) -> MutableSequence[Constraint]:
        """What x must obey at this task's level and below; a list to append to."""
        return self._constraints

    @property
    def c(self) -> Vector:
        """Linear cost, shape (n,); in part during a ramp."""
        return frozen(self._settings.cost_share * self._c)

    def weight_matrix(self) -> Matrix:
        """See `Task.weight_matrix`."""
        return self._W.copy()

    def weight_diagonal(self) -> Vector | None:
        """See `Task.weight_diagonal`."""
        return self._w

    def write_weight(self, W: Matrix) -> None:
        """See `Task.write_weight`."""
        self._W = W.copy()
        self._w = diagonal_of(self._W)

    def _resize(self, rows: int) -> None:
        super()._resize(rows)
        self._segments = self._cut()
        self._W, self._w = np.eye(rows), np.ones(rows)


class LeafConstraint(CommonLeaf, Constraint):
    """A constraint with rows of its own: lower ≤ C x ≤ upper, or bounds on x itself.

    An evaluator's ``out`` is lower (k) then upper (k). Of a box (``is_box``) ``J`` is the identity
    and is not written: the limits are those of the own variable.
    """

    def __init__(
        self,
        id: str,
        *,
        rows: int,
        x_size: int,
        is_box: bool = False,
        is_equality: bool = False,
        row_names: Sequence[str] = (),
        variable: Affine | None = None,
        model: Model | None = None,
        needs: int = 0,
    ) -> None:
        self.id = id
        self.x_size = x_size
        self.row_names = tuple(row_names)
        self._start(rows=rows, variable=variable, model=model, needs=needs, terms=2)
        self.has_equality_rows = is_equality
        self._box_form = is_box
        self._active = True
        self._rows.terms[0], self._rows.terms[1] = -np.inf, np.inf
        if is_box:
            self._fill_box()
        self._segments = self._cut()

    def _fill_box(self) -> None:
        own = self.x_size if self.variable is None else self.variable.output_size
        if self._rows.J.shape != (own, own):
            raise ShapeError(f"rows of the box {self.id!r}", (own,), (self._rows.J.shape[0],))
        np.fill_diagonal(self._rows.J, 1.0)
        self._rows.map()

    @property
    def own_lower(self) -> Vector:
        """Lower limits of the rows, writable, shape (rows,)."""
        return self._rows.term(0)

    @property
    def own_upper(self) -> Vector:
        """Upper limits of the rows, writable, shape (rows,)."""
        return self._rows.term(1)

    @property
    def own_C(self) -> Matrix:
        """Rows in x, shape (rows, n)."""
        self._check_updated()
        return self._rows.A

    def tick(self, stamp: int, state: State | None) -> None:
        """See `Constraint.tick`."""
        self.tick_rows(stamp, state)

    @property
    def own_limits(self) -> Matrix:
        """Lower and upper limits of C x, shape (2, rows)."""
        self._check_updated()
        terms = self._rows.terms
        return terms[:2] + terms[2] if self._rows.is_mapped else terms[:2]

    @property
    def is_box_of_x(self) -> bool:
        """Whether each row bounds one entry of x."""
        return self._box_form and not self._rows.is_mapped

    @property
    def is_active(self) -> bool:
        """Whether the constraint counts; setting it acts at once."""
        return self._active

    @is_active.setter
    def is_active(self, value: bool) -> None:
        active = as_switch(value, f"is_active of {self.id!r}")
        if active != self._active:
            self._active = active
            EPOCH.structure_changed()

    def segments(self) -> tuple[ConstraintSegment, ...]:
        """See `Constraint.segments`."""
        return self._segments

    def _cut(self) -> tuple[ConstraintSegment, ...]:
        rows = tuple(range(self._rows.A.shape[0]))
        return (ConstraintSegment(leaf=self, rows=rows, is_box=self.is_box_of_x),)

    def _resize(self, rows: int) -> None:
        super()._resize(rows)
        self._rows.terms[0], self._rows.terms[1] = -np.inf, np.inf
        self._segments = self._cut()
