"""Strict priorities, on the kernels of ``stack._kernels.hierarchy``."""

import math
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from footwork.errors import InputError
from footwork.stack._kernels.hierarchy import solve_hierarchy, solve_step
from footwork.stack._kernels.table import ARRAYS, TABLE_SIZE, note_problem
from footwork.stack._kernels.workspace import allocate
from footwork.stack.solvers.problem import Problem
from footwork.stack.solvers.solution import HEADER, Solution, Status
from footwork.typing import IntVector, Vector, as_array

_note: Callable[..., bool] = note_problem

_INT = np.dtype(np.int64)

CHUNK = 20
"""Iterations between two looks at the clock."""


class Workspace:
    """Memory of the kernels for one problem object, and the table by which they find both.

    Another problem gets another workspace, which takes over the memory if the sizes are the same:
    what the table of a workspace points at is there as long as somebody holds the workspace.

    Attributes:
        table: See `footwork.stack._kernels.table`.
        problem: Whose arrays the table knows.
    """

    def __init__(self, problem: Problem, before: "Workspace | None") -> None:
        """Make memory for a problem; another shape is a fresh start.

        Raises:
            InputError: If levels or offsets are out of range, or an array is of another type.
            ShapeError: If the shapes do not fit one another.
        """
        problem.check_layout()
        n, rows, total = problem.lower.size, problem.b.size, problem.c_lower.size
        slacks = int(np.count_nonzero(problem.c_soft >= 0))
        self._shape = (n, rows, total, slacks, problem.level_count)
        self._memory: tuple[Vector, IntVector] = (
            before._memory
            if before is not None and before._shape == self._shape
            else allocate(*self._shape)
        )
        self._sizes = (2 * n + rows + total, HEADER + n + total)
        self.table: IntVector = np.zeros(TABLE_SIZE, dtype=np.int64)
        self.table[:ARRAYS] = (
            *(n, rows, total, problem.level_count, slacks),
            *(array.ctypes.data for array in self._memory),
        )
        self.problem: Problem | None = problem
        if not self._note(problem):
            raise InputError("problem: its arrays have changed while they were looked at")

    def for_problem(self, problem: Problem) -> "Workspace":
        """Note where the arrays of a problem are that is new, or may have moved.

        Returns:
            The same workspace, or another one if the problem or a shape is another.
        """
        if self.problem is problem and self._note(problem):
            return self
        return Workspace(problem, self)

    def _note(self, problem: Problem) -> bool:
        try:
            return _note(*problem.arrays, self.table)
        except TypeError:
            return False

    def reset(self) -> None:
        """Forget the warm start."""
        self._memory[1][:] = 0

    def outputs(self) -> tuple[Vector, IntVector]:
        """Make the two output arrays of one solve."""
        numbers, codes = self._sizes
        return np.empty(numbers), np.empty(codes, _INT)

    def __getstate__(self) -> dict[str, Any]:
        """Leave out the problem: a copy meets it again at its next solve."""
        return {**self.__dict__, "problem": None}


class StrictHierarchy:
    """Solve each level exactly within what the upper ones leave.

    Keeps the active set of each level for the next solve; a problem of another shape is a fresh
    start. Infeasible problems are a status, never an exception, and nothing is solved at
    construction. A problem object may be rewritten in place between solves.
    """

    def __init__(self, *, tolerance: float = 1e-10, max_iterations: int = 1000) -> None:
        """Make a solver without a problem.

        Args:
            tolerance: Accepted violation of a constraint, times max(1, |side|).
            max_iterations: Most active-set iterations of a solve, all levels together.

        Raises:
            InputError: If a number is not positive.
        """
        if not tolerance > 0.0 or max_iterations < 1:
            raise InputError(
                f"tolerance and max_iterations must be positive, got {tolerance}, {max_iterations}"
            )
        self._options = np.array([tolerance, float(max_iterations), 0.0])
        self._workspace: Workspace | None = None
        self._timed: dict[str, Workspace] = {}

    def reset(self) -> None:
        """Forget the active sets: the next solve equals that of a new solver to the bit."""
        for workspace in (self._workspace, *self._timed.values()):
            if workspace is not None:
                workspace.reset()

    def solve(self, problem: Problem, *, time_limit: float | None = None) -> Solution:
        """Solve a problem.

        Args:
            problem: May have been rewritten in place since the last solve; other sizes are a fresh
                start.
            time_limit: Seconds after which the best feasible point so far is returned with status
                DEADLINE: that of the last level that was solved. A point that obeys the stack-wide
                constraints is found first, whatever it takes.

        Returns:
            The solution, with a status.

        Raises:
            InputError: If levels or offsets are out of range, or an array is not of C-contiguous
                float64 (int64 for levels and offsets), or the time limit is no number.
            ShapeError: If the shapes do not fit one another.
        """
        if time_limit is not None:
            return self._solve_in_time(problem, time.perf_counter() + _seconds(time_limit))
        workspace = self._workspace
        if workspace is None:
            workspace = self._workspace = Workspace(problem, None)
        elif workspace.problem is not problem or not problem.is_fixed:
            workspace = self._workspace = workspace.for_problem(problem)
        numbers, codes = workspace.outputs()
        solve_hierarchy(workspace.table, self._options, numbers, codes)
        return Solution(problem, numbers, codes)

    def _solve_in_time(self, problem: Problem, deadline: float) -> Solution:
        problem.check_layout()
        # Between its steps a solve has the memory for itself, whoever else solves meanwhile.
        before = self._timed.pop("idle", None)
        workspace = Workspace(_with_feasibility_first(problem), before)
        numbers, codes = workspace.outputs()
        arguments = workspace.table, self._options, numbers, codes
        for level in range(problem.level_count + 2):
            more = CHUNK
            while solve_step(*arguments, level, more) == Status.ITERATION_LIMIT:
                more = -CHUNK
                if codes[3] >= self._options[1]:
                    break
                if level > 0 and time.perf_counter() > deadline:
                    codes[0] = Status.DEADLINE
                    break
            is_last = level > problem.level_count
            if codes[0] == Status.SOLVED and not is_last and time.perf_counter() > deadline:
                codes[0] = Status.DEADLINE
            if codes[0] != Status.SOLVED:
                break
        self._timed["idle"] = workspace
        _without_feasibility(codes)
        return Solution(problem, numbers, codes)


def _seconds(time_limit: float) -> float:
    seconds = float(as_array("time_limit", time_limit, (), finite=False))
    if math.isnan(seconds):
        raise InputError("time_limit: expected a number of seconds, got nan")
    return seconds


def _with_feasibility_first(problem: Problem) -> Problem:
    """Put an empty level on top, which does no more than obey the stack-wide constraints."""
    hard_first = np.where((problem.c_soft < 0) & (problem.c_level == 0), 0, problem.c_level + 1)
    return Problem(
        lower=problem.lower,
        upper=problem.upper,
        A=problem.A,
        b=problem.b,
        level_offset=np.concatenate([[0], problem.level_offset]),
        c=np.vstack([np.zeros((1, problem.variable_count)), problem.c]),
        C=problem.C,
        c_lower=problem.c_lower,
        c_upper=problem.c_upper,
        c_level=hard_first.astype(np.int64),
        c_soft=np.where(problem.c_soft >= 0, problem.c_soft + 1, problem.c_soft),
    )


def _without_feasibility(codes: IntVector) -> None:
    """Count levels as the caller does: one less, with the equations at level 0."""
    codes[1] = max(codes[1] - 1, 0)
    codes[4] = max(codes[4] - 1, 0)
    if codes[0] != Status.INFEASIBLE:
        active = codes[HEADER:]
        active[active > 1] -= 1
        active[active < -1] += 1
