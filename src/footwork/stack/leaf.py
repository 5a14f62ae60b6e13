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

from collections.abc import Iterable, MutableSequence, Sequence

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError, NotUpdatedError, ShapeError, StackError
from footwork.stack.constraint import Constraint, ConstraintSegment
from footwork.stack.constraint_list import ConstraintList
from footwork.stack.epoch import EPOCH
from footwork.stack.fixed import fixed_copy
from footwork.stack.leaf_rows import NEVER, Clock, Rows
from footwork.stack.segment import Model, Segment, State
from footwork.stack.settings import HessianType, Settings
from footwork.stack.task import Task
from footwork.stack.variables import Affine
from footwork.stack.weights import diagonal_of
from footwork.typing import IntVector, Matrix, Vector, frozen


class _Leaf:
    """What leaf tasks and leaf constraints share: rows, parameters, and one update a tick."""

    id: str
    x_size: int
    _rows: Rows
    _stamp: int
    _model: Model | None
    _table: IntVector | None

    def _start(
        self, *, rows: int, variable: Affine | None, model: Model | None, needs: int, terms: int
    ) -> None:
        if rows < 0 or self.x_size <= 0:
            raise InputError(f"{self.id!r}: {rows} rows in {self.x_size} unknowns")
        if variable is not None and variable.input_size != self.x_size:
            raise ShapeError(
                f"variable of {self.id!r}", ("own size", self.x_size), variable.M.shape
            )
        self._rows = Rows(rows, self.x_size, variable, terms)
        self._model = model
        self.needs = needs
        self._stamp = NEVER
        self._state: State | None = None
        self._table = None
        self._clock: Clock | None = None
        self._is_shared = False
        self._count = 0
        self._needs_update = True

    @property
    def rows_data(self) -> Rows:
        """The numbers themselves, for a stack's tick; not for users."""
        return self._rows

    @property
    def J(self) -> Matrix:
        """Rows in the own variable, writable, shape (rows, own size)."""
        return self._rows.J

    @property
    def ints(self) -> IntVector:
        """Integer parameters of the evaluator, writable."""
        return self._rows.ints

    @property
    def floats(self) -> Vector:
        """Float parameters of the evaluator, writable."""
        return self._rows.floats

    @property
    def model(self) -> Model | None:
        """Robot that the rows depend on; None if there is none."""
        return self._model

    @property
    def variable(self) -> Affine | None:
        """Part of x that J multiplies; None when it is x itself."""
        return self._rows.variable

    def dependencies(self) -> Sequence["Task | Constraint"]:
        """Say which tasks and constraints must be updated before this one.

        Returns:
            None of them for most leaves.
        """
        return ()

    def bind(
        self,
        evaluator: int,
        *,
        ints: Iterable[int] = (),
        floats: ArrayLike = (),
        keep: Iterable[object] = (),
    ) -> None:
        """Fill the rows by compiled code from now on.

        Args:
            evaluator: Address of a function made by `footwork.stack._kernels.memory.evaluator`.
            ints: Integer parameters, copied into ``self.ints``.
            floats: Float parameters, copied into ``self.floats``.
            keep: Objects that own the memory behind addresses in ``ints``.
        """
        self._rows.evaluator = int(evaluator)
        self._rows.ints = fixed_copy(np.array(list(ints), dtype=np.int64))
        self._rows.floats = fixed_copy(np.array(floats, dtype=np.float64).ravel())
        self._rows.keep = tuple(keep)
        self._rows.forget_table_row()
        self._table = None
        EPOCH.structure_changed()

    def compute(self, state: State | None) -> None:
        """Fill the rows in Python; a leaf with a compiled evaluator has no need of it.

        Args:
            state: Of the robot, if the tick has one.
        """

    @property
    def is_compiled(self) -> bool:
        """Whether an evaluator fills the rows."""
        return self._rows.evaluator != 0

    def tick_rows(self, stamp: int, state: State | None) -> None:
        """Compute the rows of a tick, once.

        Args:
            stamp: Of the tick.
            state: Of the robot, if the tick has one.

        Raises:
            StackError: If a robot's first tick comes without a state.
        """
        if self.prepare(stamp, state) and self.is_compiled:
            self._evaluate()

    def prepare(self, stamp: int, state: State | None) -> bool:
        """Do what a tick needs before compiled code runs: dependencies, robot, Python rows.

        Args:
            stamp: Of the tick.
            state: Of the robot; that of the last tick if not given.

        Returns:
            False if the tick has been here before.

        Raises:
            StackError: If a robot's first tick comes without a state.
        """
        before = self.last_stamp
        if before == stamp:
            return False
        if state is None:
            state = self._last_state()
        self._set_stamp(stamp)
        self._state = state
        try:
            for other in self.dependencies():
                other.tick(stamp, state)
            if self._model is not None:
                if state is not None:
                    self._model.refresh(state, self.needs)
                else:
                    self._refuse_no_state()
            if not self.is_compiled:
                self.compute(state)
                self._rows.map()
        except BaseException:
            self._set_stamp(before)
            raise
        return True

    def _refuse_no_state(self) -> None:
        raise StackError(f"{self.id!r} depends on a robot: its first update needs a state")

    def _evaluate(self) -> None:
        from footwork.stack._kernels.memory import evaluate

        if self._table is None:
            self._table = np.array([self._rows.table_row()], dtype=np.int64)
        evaluate(self._table, self.x_size)

    def _resize(self, rows: int) -> None:
        """Change the number of rows; they become zero."""
        self._rows.resize(rows, self.x_size)
        self._table = None
        EPOCH.structure_changed()

    def _check_updated(self) -> None:
        if self._needs_update and self.last_stamp == NEVER:
            raise NotUpdatedError(self.id)

    @property
    def last_stamp(self) -> int:
        """Stamp of the last tick, whoever ticked the leaf."""
        clock = self._clock
        return self._stamp if clock is None or self._count >= clock.count else clock.stamp

    def _last_state(self) -> State | None:
        """State of the last tick: a tick without one goes on from there."""
        clock = self._clock
        return self._state if clock is None or self._count >= clock.count else clock.state

    def _set_stamp(self, stamp: int) -> None:
        clock = self._clock
        if clock is not None:
            clock.is_touched = True
            self._count = clock.count
        self._stamp = stamp

    def join(self, clock: "Clock") -> bool:
        """Put the leaf into a stack.

        Args:
            clock: Of the stack.

        Returns:
            Whether the leaf is that stack's alone, so that it need not be asked every tick.
        """
        other = self._clock
        if other is clock:
            return True
        self._stamp, self._state = self.last_stamp, self._last_state()
        self._clock = None
        if other is not None and other.is_alive:
            # From now on both stacks ask the leaf itself.
            self._is_shared = True
            EPOCH.structure_changed()
        if self._is_shared:
            return False
        self._clock, self._count = clock, clock.count
        return True


class LeafTask(_Leaf, Task):
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
        """Linear cost, shape (n,)."""
        return frozen(self._c.copy() if self.is_active else np.zeros(self.x_size))

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


class LeafConstraint(_Leaf, Constraint):
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
        if bool(value) != self._active:
            self._active = bool(value)
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
