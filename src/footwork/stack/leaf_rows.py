"""The numbers of a leaf, and the clock of the stack that ticks it."""

from collections.abc import Iterable
from typing import Any
from weakref import ref

import numpy as np
from numpy.typing import ArrayLike

from footwork.stack.fixed import fixed, fixed_copy
from footwork.stack.segment import State
from footwork.stack.variables import Affine
from footwork.typing import IntVector, Matrix, Vector

NEVER = 0
"""Stamp of a leaf that has not been updated; no tick has it."""


class Clock:
    """Stamp of a stack's last tick, for the leaves that it ticks all at once.

    Attributes:
        stamp: Of the last tick of all leaves at once.
        state: Of the last tick that had one.
        count: Number of such ticks; a leaf that was ticked alone remembers it.
        is_touched: Whether a leaf has been ticked alone since.
    """

    __slots__ = ("_owner", "count", "is_touched", "stamp", "state")

    def __init__(self, owner: object) -> None:
        self._owner = ref(owner)
        self.stamp = NEVER
        self.state: State | None = None
        self.count = 0
        self.is_touched = False

    @property
    def is_alive(self) -> bool:
        """Whether the stack still exists."""
        return self._owner() is not None

    def tick(self, stamp: int, state: State | None) -> None:
        """Say that all leaves have been ticked.

        Args:
            stamp: Of the tick.
            state: Of the robot, if the tick has one.
        """
        self.stamp = stamp
        self.state = state
        self.count += 1
        self.is_touched = False


class Rows:
    """The numbers of one leaf: its rows, the terms beside them, and what the evaluator reads.

    Attributes:
        A: Rows in x, shape (rows, n).
        J: Rows in the own variable, shape (rows, own size); a view of ``A`` when that is a slice.
        terms: What stands beside the rows, shape (term count + 1, rows); the last row is the shift
            −J q of an affine variable that is no slice of x.
        ints: Integer parameters of the evaluator.
        floats: Float parameters of the evaluator.
        memory: The same as plain bytes, into which `struct` writes many at one go.
        A_address: Where ``A`` starts.
        terms_address: Where ``terms`` starts.
    """

    def __init__(self, rows: int, x_size: int, variable: Affine | None, terms: int) -> None:
        self.variable = variable
        self.evaluator = 0
        self.ints: IntVector = np.zeros(0, dtype=np.int64)
        self.memory = bytearray()
        self.floats: Vector = np.zeros(0)
        self.keep: tuple[Any, ...] = ()
        self._term_count = terms
        self.resize(rows, x_size)

    def resize(self, rows: int, x_size: int) -> None:
        """Make new arrays of zeros.

        Args:
            rows: Number of rows.
            x_size: Number of unknowns.
        """
        v = self.variable
        self.A: Matrix = fixed((rows, x_size))
        self.terms: Matrix = fixed((self._term_count + 1, rows))
        self.is_mapped = v is not None and v.offset is None
        if v is None:
            self.J: Matrix = self.A
        elif v.offset is not None:
            self.J = self.A[:, v.offset : v.offset + v.output_size]
        else:
            self.J = fixed((rows, v.output_size))
            self._map = fixed_copy(v.M), fixed_copy(v.q)
        self.A_address = int(self.A.ctypes.data)
        self.terms_address = int(self.terms.ctypes.data)
        self._table_row: list[int] | None = None

    def keep_parameters(self, ints: Iterable[int], floats: ArrayLike) -> None:
        """Copy the evaluator's parameters to where they stay.

        Args:
            ints: Integers.
            floats: Floats.
        """
        self.ints = fixed_copy(np.array(list(ints), dtype=np.int64))
        numbers = np.array(floats, dtype=np.float64).ravel()
        self.memory = bytearray(numbers.tobytes())
        self.floats = np.ndarray(numbers.shape, np.float64, self.memory)
        self._table_row = None

    def term(self, index: int) -> Vector:
        """See one of the terms.

        Args:
            index: Which one.

        Returns:
            A writable view, shape (rows,).
        """
        row: Vector = self.terms[index]
        return row

    def map(self) -> None:
        """Carry J over to x where it is not a view of the rows."""
        if self.is_mapped and self.variable is not None:
            np.matmul(self.J, self.variable.M, out=self.A)
            self.terms[-1] = -(self.J @ self.variable.q)

    def arrays(self) -> tuple[Any, ...]:
        """List what the line of the leaf table points at.

        Returns:
            Whoever keeps them may read by the addresses.
        """
        mapped = self._map if self.is_mapped else ()
        return (self.A, self.J, self.terms, self.ints, self.floats, self.keep, *mapped)

    def table_row(self) -> list[int]:
        """Write the line of the leaf table; see `footwork.stack._kernels.memory`.

        Returns:
            Addresses and sizes.
        """
        if self._table_row is None:
            self._table_row = self._make_table_row()
        return self._table_row

    def _make_table_row(self) -> list[int]:
        rows, stride = self.J.shape[0], self.J.strides[0] // 8 if self.J.shape[0] > 1 else 0
        stride = stride or self.A.shape[1] if not self.is_mapped else self.J.shape[1]
        call = [
            self.evaluator,
            self.ints.ctypes.data,
            self.floats.ctypes.data,
            self.J.ctypes.data,
            stride,
            self.terms_address,
        ]
        if not self.is_mapped or self.variable is None:
            return [*call, 0, rows, 0, 0, 0, 0]
        v = self.variable
        shift = self.terms[-1].ctypes.data
        M, q = self._map
        where = [self.A_address, rows, v.output_size, M.ctypes.data, q.ctypes.data, shift]
        return [*call, *where]
