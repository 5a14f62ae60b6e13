"""Packing the tasks and constraints of a stack into tables that one compiled kernel reads.

`Layout` says which rows of which leaves make up the problem; `Plan` holds the arrays of the
problem, the tables of addresses, and the gains, which are patched in place when only weights or λ
have changed.
"""

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from footwork.stack.constraint import ConstraintSegment
from footwork.stack.fixed import fixed, fixed_copy
from footwork.stack.layout import BoundNames, Layout, RowNames
from footwork.stack.leaf import LeafConstraint, LeafTask
from footwork.stack.level_weight import LevelWeight
from footwork.typing import BoolVector, IntVector, Matrix

if TYPE_CHECKING:
    from footwork.stack.solvers.problem import Problem


class Plan:
    """Arrays of the problem and the tables behind them, for one layout.

    Attributes:
        layout: What is packed.
        problem: The numeric problem, rewritten in place every tick.
        vector: The plan that the kernel takes.
    """

    def __init__(self, layout: Layout, x_size: int) -> None:
        from footwork.stack._kernels import assemble as a
        from footwork.stack._kernels.memory import LEAF_WIDTH

        self.layout = layout
        self._x_size = x_size
        rows, count = layout.row_count, layout.constraint_count
        boxes = [_box_rows(segment) for segment, _ in layout.boxes]
        self._masks = _Masks(x_size)
        self._table = _int_table([leaf.rows_data.table_row() for leaf in layout.leaves], LEAF_WIDTH)
        self._cost = _int_table(self._cost_table(), a.COST_WIDTH)
        self._con = _int_table(self._constraint_table(), a.CON_WIDTH)
        self._box = _int_table([row for part in boxes for row in part], a.BOX_WIDTH)
        self._mask_rows = self._masks.matrix()
        self._gains: Matrix = np.ones((rows, a.GAIN_WIDTH))
        self._con_gains: Matrix = np.zeros((count, a.CON_GAIN_WIDTH))
        # The arrays themselves: a leaf that changes its number of rows gets others.
        self._keep = tuple(leaf.rows_data.arrays() for leaf in layout.leaves)
        self._weights = [LevelWeight(layout, k) for k in range(len(layout.levels))]
        self.problem = self._new_problem()
        self.vector: IntVector = np.zeros(a.PLAN_SIZE, dtype=np.int64)
        self._write_vector()
        self._write_slacks()
        self.patch_gains()
        self.patch_costs()
        self.patch_weights()

    # Tables

    def _cost_table(self) -> list[list[int]]:
        table = []
        for part in self.layout.costs:
            leaf = part.segment.leaf
            if leaf is None:
                continue
            mask = self._masks.index(part.segment.mask())
            table += [[*_task_addresses(leaf, row), mask] for row in part.segment.rows]
        return table

    def _constraint_table(self) -> list[list[int]]:
        table = []
        for part in self.layout.constraints:
            segment = part.segment
            mask = None if part.soft is None else part.soft.mask()
            if segment.leaf is not None:
                index = self._masks.index(mask)
                table += [
                    [*_constraint_addresses(segment.leaf, row), 0, index] for row in segment.rows
                ]
            elif segment.task is not None and segment.task.leaf is not None:
                index = self._masks.index(_joined(mask, segment.task.mask()))
                for row in segment.task.rows:
                    A, feedforward, error, rate, s = _task_addresses(segment.task.leaf, row)
                    table.append([A, s, 1, feedforward, error, rate, index])
        return table

    def _new_problem(self) -> "Problem":
        from footwork.stack.solvers.problem import HARD, Problem

        layout, n = self.layout, self._x_size
        level_of = [p.level for p in layout.constraints for _ in p.segment.rows]
        soft = [
            HARD if p.soft is None else p.level for p in layout.constraints for _ in p.segment.rows
        ]
        return Problem(
            lower=fixed_copy(np.full(n, -np.inf)),
            upper=fixed_copy(np.full(n, np.inf)),
            A=fixed((layout.row_count, n)),
            b=fixed((layout.row_count,)),
            level_offset=_fixed_ints(layout.offsets),
            c=fixed((len(layout.levels), n)),
            C=fixed((layout.constraint_count, n)),
            c_lower=fixed((layout.constraint_count,)),
            c_upper=fixed((layout.constraint_count,)),
            c_level=_fixed_ints(level_of),
            c_soft=_fixed_ints(soft),
            variable_names=BoundNames(layout, n),
            row_names=RowNames(layout),
            level_names=tuple(task.id for task in layout.levels),
            is_fixed=True,
        )

    def _write_vector(self) -> None:
        from footwork.stack._kernels import assemble as a

        p, v = self.problem, self.vector
        v[a.PLAN_N] = self._x_size
        v[a.PLAN_LEAVES], v[a.PLAN_TABLE] = len(self._table), _address(self._table)
        v[a.PLAN_ROWS], v[a.PLAN_COST] = len(self._cost), _address(self._cost)
        v[a.PLAN_GAINS], v[a.PLAN_MASKS] = _address(self._gains), _address(self._mask_rows)
        v[a.PLAN_A], v[a.PLAN_B] = _address(p.A), _address(p.b)
        v[a.PLAN_CONSTRAINTS], v[a.PLAN_CON] = len(self._con), _address(self._con)
        v[a.PLAN_CON_GAINS], v[a.PLAN_C] = _address(self._con_gains), _address(p.C)
        v[a.PLAN_C_LOWER], v[a.PLAN_C_UPPER] = _address(p.c_lower), _address(p.c_upper)
        v[a.PLAN_BOXES], v[a.PLAN_BOX] = len(self._box), _address(self._box)
        v[a.PLAN_LOWER], v[a.PLAN_UPPER] = _address(p.lower), _address(p.upper)

    # Gains

    def patch_gains(self) -> None:
        """Write every λ as it is now."""
        for rows in self.layout.costs:
            gain = rows.segment.lambda_
            last = rows.first + len(rows.positions)
            self._gains[rows.first : last, 0] = gain
            self._gains[rows.first : last, 1] = math.sqrt(gain)
        for con in self.layout.constraints:
            if con.segment.task is not None:
                gain = con.segment.task.lambda_
                last = con.first + con.segment.size
                self._con_gains[con.first : last, 0] = gain
                self._con_gains[con.first : last, 1] = math.sqrt(gain)

    def patch_costs(self) -> None:
        """Write linear costs as they are now."""
        for k, task in enumerate(self.layout.levels):
            self.problem.c[k] = task.c

    def patch_weights(self) -> None:
        """Write the weights of the levels where one has changed.

        Raises:
            WeightError: If a weight as a whole is indefinite, or couples rows of an inequality task
                to others; it names the task.
        """
        from footwork.stack._kernels.assemble import PLAN_BLOCKS

        for weight in self._weights:
            weight.patch(self._gains[:, 2], self._con_gains[:, 4])
        if self.vector[PLAN_BLOCKS] > 0 or any(weight.blocks for weight in self._weights):
            self._write_blocks()

    def _write_slacks(self) -> None:
        self._con_gains[:, 4] = 1.0
        for rows in self.layout.constraints:
            segment = rows.segment
            if segment.task is not None:
                block = self._con_gains[rows.first : rows.first + segment.size]
                block[:, 2], block[:, 3] = segment.slack_lower, segment.slack_upper

    def _write_blocks(self) -> None:
        from footwork.stack._kernels import assemble as a

        blocks = [block for weight in self._weights for block in weight.blocks]
        table, at = [], 0
        for first, F in blocks:
            table.append([first, F.shape[0], at])
            at += F.size
        flat = [F.ravel() for _, F in blocks]
        factors = np.concatenate(flat) if flat else np.zeros(0)
        most = max((F.shape[0] for _, F in blocks), default=0)
        made = _int_table(table, a.BLOCK_WIDTH), factors, np.zeros(most * (self._x_size + 1))
        v = self.vector
        # None while they change: another thread may assemble meanwhile.
        v[a.PLAN_BLOCKS] = 0
        v[[a.PLAN_BLOCK, a.PLAN_FACTORS, a.PLAN_SCRATCH]] = [_address(array) for array in made]
        self._blocks: tuple[Any, ...] = made
        v[a.PLAN_BLOCKS] = len(table)


class _Masks:
    """Collects joint masks, each once."""

    def __init__(self, x_size: int) -> None:
        self._x_size = x_size
        self._rows: list[BoolVector] = []

    def index(self, mask: BoolVector | None) -> int:
        if mask is None:
            return -1
        for i, known in enumerate(self._rows):
            if np.array_equal(known, mask):
                return i
        self._rows.append(mask)
        return len(self._rows) - 1

    def matrix(self) -> Matrix:
        shape = len(self._rows), self._x_size
        matrix: Matrix = np.array(self._rows, dtype=np.float64).reshape(shape)
        return matrix


def _address(array: Any, entry: int = 0) -> int:
    return int(array.ctypes.data) + 8 * entry


def _task_addresses(leaf: LeafTask, row: int) -> list[int]:
    """Addresses of a task's row, its feed-forward, error, error rate, and shift or 0."""
    data = leaf.rows_data
    m, n = data.A.shape
    term = data.terms_address + 8 * row
    shift = term + 24 * m if data.is_mapped else 0
    return [data.A_address + 8 * n * row, term, term + 8 * m, term + 16 * m, shift]


def _constraint_addresses(leaf: LeafConstraint, row: int) -> list[int]:
    """Addresses of a constraint's row, its shift or 0, 0, lower and upper side."""
    data = leaf.rows_data
    m, n = data.A.shape
    side = data.terms_address + 8 * row
    shift = side + 16 * m if data.is_mapped else 0
    return [data.A_address + 8 * n * row, shift, 0, side, side + 8 * m]


def _box_rows(segment: ConstraintSegment) -> list[list[int]]:
    leaf = segment.leaf
    if leaf is None:
        return []
    data = leaf.rows_data
    m, v = data.A.shape[0], data.variable
    first = 0 if v is None or v.offset is None else v.offset
    at = data.terms_address
    return [[first + row, at + 8 * row, at + 8 * (m + row)] for row in segment.rows]


def _joined(a: BoolVector | None, b: BoolVector | None) -> BoolVector | None:
    if a is None or b is None:
        return b if a is None else a
    joined: BoolVector = a & b
    return joined


def _fixed_ints(values: Sequence[int]) -> IntVector:
    """Make integers that kernels rely on: they stay where and as they are."""
    array: IntVector = fixed_copy(np.array(values, dtype=np.int64))
    array.setflags(write=False)
    return array


def _int_table(rows: Sequence[Sequence[int]], width: int) -> Any:
    return np.array(rows, dtype=np.int64).reshape(len(rows), width)
