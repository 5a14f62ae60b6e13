"""What a solve hands back."""

from footwork._numba import B1, I8, IOUT1, OUT1, VEC, VOID, kernel
from footwork.stack._kernels.descent import LAST_BITS
from footwork.stack._kernels.dual import INFEASIBLE
from footwork.stack._kernels.products import copy_to, multiply_rows
from footwork.stack._kernels.workspace import (
    COUNT,
    DATA,
    FREE,
    ITERATIONS,
    KNOWN,
    WORK,
    WORST,
    Data,
    Work,
)
from footwork.typing import IntVector, Vector


@kernel(B1(DATA, WORK, I8, VEC), fast=True, counted=False)
def has_residual(p: Data, w: Work, solved: int, x: Vector) -> bool:
    """Tell whether the residual of the last level is known at the point that is returned.

    Args:
        p: Problem.
        w: Workspace.
        solved: Number of levels solved.
        x: The point, which was moved within its bounds.

    Returns:
        Whether ``residual`` holds it.
    """
    if w.state[KNOWN] != solved or solved != p.level_offset.size - 1 or solved == 0:
        return False
    moved, norm = 0.0, 0.0
    for j in range(p.lower.size):
        moved = max(moved, abs(x[j] - w.x[j]))
        norm = max(norm, abs(x[j]))
    return moved <= LAST_BITS * norm


@kernel(VOID(DATA, WORK, I8, I8, I8, OUT1, IOUT1), fast=True, counted=False)
def report(
    p: Data, w: Work, code: int, level: int, solved: int, numbers: Vector, codes: IntVector
) -> None:
    """Write the outputs that ``Solution`` wraps.

    Args:
        p: Problem.
        w: Workspace.
        code: Status code.
        level: Level at which the solve ended.
        solved: Number of levels solved.
        numbers: x, residuals, multipliers.
        codes: Header and active set.
    """
    n, rows, total = p.lower.size, p.b.size, w.lo.size
    for j in range(n):
        numbers[j] = min(max(w.best[j], p.lower[j]), p.upper[j]) if solved > 0 else w.best[j]
    last = p.level_offset[solved - 1] if has_residual(p, w, solved, numbers) else rows
    multiply_rows(p.A, w.single, numbers, 0, last, n, numbers[n:])
    for i in range(last):
        numbers[n + i] -= p.b[i]
    copy_to(w.residual, numbers[n + last :], rows - last)
    for i in range(total):
        numbers[n + rows + i] = w.multiplier[i]
        codes[8 + i] = w.active[i]
    codes[0], codes[1], codes[2] = code, level, w.state[WORST]
    codes[3], codes[4], codes[5] = w.state[ITERATIONS], solved, w.state[FREE]
    codes[6] = w.state[COUNT]
    if code == INFEASIBLE:
        for i in range(total):
            codes[8 + i] = 0
        for a in range(w.state[COUNT]):
            codes[8 + w.act[a]] = -1 if w.sign[a] > 0.0 else 1
        codes[8 + abs(w.state[WORST]) - 1] = -1 if w.state[WORST] > 0 else 1
