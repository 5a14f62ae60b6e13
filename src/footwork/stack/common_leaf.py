# ruff: noqa: N802 (J is the name of the field)
"""What leaf tasks and leaf constraints share; `footwork.stack.leaf` says how one is written."""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError, NotUpdatedError, ShapeError, StackError
from footwork.stack.constraint import Constraint
from footwork.stack.epoch import EPOCH
from footwork.stack.leaf_rows import NEVER, Clock, Rows
from footwork.stack.segment import Model, State
from footwork.stack.task import Task
from footwork.stack.variables import Affine
from footwork.typing import IntVector, Matrix, Vector


class CommonLeaf:
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
        self._rows.keep_parameters(ints, floats)
        self._rows.keep = tuple(keep)
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
        self.mark(stamp, state)
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

    def mark(self, stamp: int, state: State | None) -> None:
        """Say that a tick has computed the rows.

        Args:
            stamp: Of the tick.
            state: Of the robot, if the tick has one.
        """
        self._set_stamp(stamp)
        self._state = state

    def leave(self, clock: "Clock") -> None:
        """Take the leaf out of a stack, whose ticks say no more of it.

        Args:
            clock: Of the stack.
        """
        if self._clock is clock:
            self._stamp, self._state = self.last_stamp, self._last_state()
            self._clock = None

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
