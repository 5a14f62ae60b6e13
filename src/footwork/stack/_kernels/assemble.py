"""The tick: fill the rows of every leaf, then gather, scale and mask them into one problem.

Everything is found through one integer vector, the *plan* (see `PLAN_…`), which a stack makes anew
when its structure changes. Rows are read at the addresses where their leaves keep them.
"""

from typing import Final

import numpy as np

from footwork._numba import F8, I8, IVEC, VOID, kernel
from footwork.stack._kernels.memory import (
    LEAF_WIDTH,
    call_evaluator,
    ints_at,
    map_rows,
    matrix_at,
    vector_at,
)
from footwork.typing import IntVector

PLAN_SIZE: Final = 24
(
    PLAN_N,
    PLAN_LEAVES,
    PLAN_TABLE,
    PLAN_ROWS,
    PLAN_COST,
    PLAN_GAINS,
    PLAN_A,
    PLAN_B,
    PLAN_MASKS,
    PLAN_BLOCKS,
    PLAN_BLOCK,
    PLAN_FACTORS,
    PLAN_SCRATCH,
    PLAN_CONSTRAINTS,
    PLAN_CON,
    PLAN_CON_GAINS,
    PLAN_C,
    PLAN_C_LOWER,
    PLAN_C_UPPER,
    PLAN_BOXES,
    PLAN_BOX,
    PLAN_LOWER,
    PLAN_UPPER,
) = range(23)
"""Entries of the plan: counts (``N``, ``LEAVES``, ``ROWS``, ``BLOCKS``, ``CONSTRAINTS``, ``BOXES``)
and addresses of tables and of the problem's arrays."""

COST_WIDTH: Final = 6
"""A cost row: addresses of its row, feed-forward, error, error rate, shift (or 0); mask or −1."""
GAIN_WIDTH: Final = 3
"""Gains of a cost row: λ, √λ, and the square root of its weight (1 inside a block)."""
BLOCK_WIDTH: Final = 3
"""Rows whose weight is not diagonal: first, number, first entry of the factor F of W = FᵀF."""
CON_WIDTH: Final = 7
"""A constraint row: addresses of its row and shift (or 0), whether it is a task's; then of lower
and upper, or of feed-forward, error and error rate; mask or −1."""
CON_GAIN_WIDTH: Final = 5
"""Gains of a constraint row: λ, √λ, what is added to each side, square root of its weight."""
BOX_WIDTH: Final = 3
"""A bound: unknown, addresses of the lower and the upper limit."""


@kernel(VOID(IVEC))
def evaluate_plan(plan: IntVector) -> None:
    """Run every evaluator, and map rows through affine variables.

    Args:
        plan: See the module's docstring.
    """
    count = plan[PLAN_LEAVES]
    table = ints_at(plan[PLAN_TABLE], count * LEAF_WIDTH)
    for i in range(count):
        t = table[i * LEAF_WIDTH : (i + 1) * LEAF_WIDTH]
        if t[0] != 0:
            call_evaluator(t[0], t[1], t[2], t[3], t[4], t[5])
        if t[6] != 0:
            map_rows(t, plan[PLAN_N])


@kernel(VOID(IVEC))
def _gather_costs(plan: IntVector) -> None:
    """Write A and b: scale·(masked row), scale·(feedforward + λ error + √λ rate + shift)."""
    n, rows = plan[PLAN_N], plan[PLAN_ROWS]
    cost = ints_at(plan[PLAN_COST], rows * COST_WIDTH)
    gains = vector_at(plan[PLAN_GAINS], rows * GAIN_WIDTH)
    A, b = matrix_at(plan[PLAN_A], rows, n), vector_at(plan[PLAN_B], rows)
    for r in range(rows):
        k, g = r * COST_WIDTH, r * GAIN_WIDTH
        scale = gains[g + 2]
        row = vector_at(cost[k], n)
        value = (
            vector_at(cost[k + 1], 1)[0]
            + gains[g] * vector_at(cost[k + 2], 1)[0]
            + gains[g + 1] * vector_at(cost[k + 3], 1)[0]
        )
        if cost[k + 4] != 0:
            value += vector_at(cost[k + 4], 1)[0]
        b[r] = scale * value
        if cost[k + 5] < 0:
            for j in range(n):
                A[r, j] = scale * row[j]
        else:
            mask = vector_at(plan[PLAN_MASKS] + 8 * n * cost[k + 5], n)
            for j in range(n):
                A[r, j] = scale * row[j] * mask[j]


@kernel(VOID(IVEC))
def _weigh_blocks(plan: IntVector) -> None:
    """Replace the rows of each block by F times them."""
    n, rows = plan[PLAN_N], plan[PLAN_ROWS]
    A, b = matrix_at(plan[PLAN_A], rows, n), vector_at(plan[PLAN_B], rows)
    block = ints_at(plan[PLAN_BLOCK], plan[PLAN_BLOCKS] * BLOCK_WIDTH)
    for i in range(plan[PLAN_BLOCKS]):
        first, m = block[i * BLOCK_WIDTH], block[i * BLOCK_WIDTH + 1]
        F = matrix_at(plan[PLAN_FACTORS] + 8 * block[i * BLOCK_WIDTH + 2], m, m)
        old = matrix_at(plan[PLAN_SCRATCH], m, n + 1)
        for r in range(m):
            for j in range(n):
                old[r, j] = A[first + r, j]
                A[first + r, j] = 0.0
            old[r, n] = b[first + r]
            b[first + r] = 0.0
        for r in range(m):
            for k in range(m):
                f = F[r, k]
                if f != 0.0:
                    for j in range(n):
                        A[first + r, j] += f * old[k, j]
                    b[first + r] += f * old[k, n]


@kernel(VOID(IVEC))
def _gather_constraints(plan: IntVector) -> None:
    """Write C and its limits."""
    n, count = plan[PLAN_N], plan[PLAN_CONSTRAINTS]
    con = ints_at(plan[PLAN_CON], count * CON_WIDTH)
    gains = vector_at(plan[PLAN_CON_GAINS], count * CON_GAIN_WIDTH)
    C = matrix_at(plan[PLAN_C], count, n)
    lower, upper = vector_at(plan[PLAN_C_LOWER], count), vector_at(plan[PLAN_C_UPPER], count)
    for r in range(count):
        k, g = r * CON_WIDTH, r * CON_GAIN_WIDTH
        scale = gains[g + 4]
        low = vector_at(con[k + 3], 1)[0]
        if con[k + 2] != 0:
            low += gains[g] * vector_at(con[k + 4], 1)[0]
            low += gains[g + 1] * vector_at(con[k + 5], 1)[0]
            high = low
        else:
            high = vector_at(con[k + 4], 1)[0]
        if con[k + 1] != 0:
            shift = vector_at(con[k + 1], 1)[0]
            low += shift
            high += shift
        # Of no weight there is no limit: zero times infinity is none.
        lower[r] = scale * (low + gains[g + 2]) if scale > 0.0 else -np.inf
        upper[r] = scale * (high + gains[g + 3]) if scale > 0.0 else np.inf
        row = vector_at(con[k], n)
        if con[k + 6] < 0:
            for j in range(n):
                C[r, j] = scale * row[j]
        else:
            mask = vector_at(plan[PLAN_MASKS] + 8 * n * con[k + 6], n)
            for j in range(n):
                C[r, j] = scale * row[j] * mask[j]


@kernel(VOID(IVEC))
def _gather_bounds(plan: IntVector) -> None:
    """Write the bounds of x: the tightest of all."""
    n, count = plan[PLAN_N], plan[PLAN_BOXES]
    box = ints_at(plan[PLAN_BOX], count * BOX_WIDTH)
    lower, upper = vector_at(plan[PLAN_LOWER], n), vector_at(plan[PLAN_UPPER], n)
    for j in range(n):
        lower[j] = -np.inf
        upper[j] = np.inf
    for i in range(count):
        j = box[i * BOX_WIDTH]
        low = vector_at(box[i * BOX_WIDTH + 1], 1)[0]
        high = vector_at(box[i * BOX_WIDTH + 2], 1)[0]
        # A comparison with NaN is false, so that NaN would vanish here.
        if low > lower[j] or np.isnan(low):
            lower[j] = low
        if high < upper[j] or np.isnan(high):
            upper[j] = high


@kernel(F8(I8, I8), fast=True)
def _size_of(address: int, count: int) -> float:
    """Sum the sizes of numbers: finite if all of them are."""
    numbers = vector_at(address, count)
    total = 0.0
    for i in range(count):
        total += abs(numbers[i])
    return total


@kernel(I8(IVEC))
def _is_finite(plan: IntVector) -> int:
    """Tell whether rows and targets are finite, and no limit is NaN."""
    n, rows, count = plan[PLAN_N], plan[PLAN_ROWS], plan[PLAN_CONSTRAINTS]
    total = _size_of(plan[PLAN_A], rows * n) + _size_of(plan[PLAN_B], rows)
    total += _size_of(plan[PLAN_C], count * n)
    if not total < np.inf:
        return 0
    sides = vector_at(plan[PLAN_C_LOWER], count), vector_at(plan[PLAN_C_UPPER], count)
    bounds = vector_at(plan[PLAN_LOWER], n), vector_at(plan[PLAN_UPPER], n)
    for i in range(count):
        if np.isnan(sides[0][i]) or np.isnan(sides[1][i]):
            return 0
    for j in range(n):
        if np.isnan(bounds[0][j]) or np.isnan(bounds[1][j]):
            return 0
    return 1


@kernel(I8(IVEC, I8))
def assemble(plan: IntVector, with_evaluators: int) -> int:
    """Make the numeric problem of a tick.

    Args:
        plan: See the module's docstring.
        with_evaluators: Whether the leaves' rows are of an earlier tick.

    Returns:
        1, or 0 if a row or target is not finite, or a limit is NaN.
    """
    if with_evaluators != 0:
        evaluate_plan(plan)
    _gather_costs(plan)
    if plan[PLAN_BLOCKS] > 0:
        _weigh_blocks(plan)
    _gather_constraints(plan)
    _gather_bounds(plan)
    return _is_finite(plan)
