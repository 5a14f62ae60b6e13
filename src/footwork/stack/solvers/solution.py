"""What a solver returns: the point, what became of each level, and why it failed if it did."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple

import numpy as np

from footwork.errors import InputError, NoSolutionError
from footwork.stack.solvers.problem import Problem
from footwork.stack.solvers.stationarity import Stationarity, find_stationarity
from footwork.typing import IntVector, Vector

HEADER = 8
"""Leading entries of the integer output: status, level, row, iterations, levels solved, spare."""


class Status(IntEnum):
    """How a solve ended."""

    SOLVED = 0
    """Every level is solved."""
    INFEASIBLE = 1
    """Hard constraints of a level contradict each other or what upper levels need."""
    UNBOUNDED = 2
    """A linear cost has no least value."""
    ITERATION_LIMIT = 3
    """The limit on iterations was reached."""
    DEADLINE = 4
    """Time was up; x is feasible and the first levels are solved."""
    NOT_FINITE = 5
    """The problem has a NaN or an infinite entry where it may not."""
    NOT_CONVEX = 6
    """The Hessian is not positive semi-definite."""


_INFEASIBLE: Final = int(Status.INFEASIBLE)


@dataclass(frozen=True, slots=True)
class ActiveConstraint:
    """One constraint that holds x back.

    Attributes:
        index: 0 … n − 1 a bound of x, then the constraint rows.
        name: Its name.
        side: −1 at the lower side, +1 at the upper side, 0 an equation.
        level: Level that presses against it; of an equation, the one at which it starts.
        multiplier: How much that level's cost would fall per unit of relief, at least 0; of an
            equation, per unit that its value is raised, of either sign.
    """

    index: int
    name: str
    side: int
    level: int
    multiplier: float


class LevelResult(NamedTuple):
    """What became of one level.

    Attributes:
        residual: A x − b of its rows, shape (m,).
        violation: How far its inequality tasks are outside, shape (s,), at least 0.
        cost: ½|residual|² + cᵀx + ½|violation|².
        is_solved: Whether the level was reached and solved.
    """

    residual: Vector
    violation: Vector
    cost: float
    is_solved: bool


class Solution:
    """Result of one solve; everything but ``x`` is computed when asked for.

    A stack rewrites the arrays of its problem at the next tick, so ask before.

    Attributes:
        problem: The problem, whose arrays may have moved on since.
        x: The point, shape (n,), owned by the solution. Not a solution unless ``status`` says so.
        status: How the solve ended.
        iterations: Active-set iterations of all levels.
        solved_levels: Number of leading levels that are solved.
        regularisation: The solver's weight of ½|x|² in each level's cost.
    """

    __slots__ = ("_code", "_numbers", "problem", "regularisation", "x")

    def __init__(
        self, problem: Problem, numbers: Vector, codes: IntVector, regularisation: float = 0.0
    ) -> None:
        """Wrap the two packed outputs of a kernel.

        Args:
            problem: What was solved.
            numbers: x (n), residual A x − b of all rows (M), multipliers (n + K), which are at
                least 0, and 0 of an active constraint that was eliminated.
            codes: HEADER entries, then per constraint 0 or ±(level + 1); + at the upper side.
            regularisation: Weight of ½|x|² in the cost.
        """
        self.problem = problem
        self.regularisation = regularisation
        self._numbers = numbers
        self._code = codes
        self.x = numbers[: problem.lower.size]
        if codes.item(0) == _INFEASIBLE:
            # The arrays may be rewritten for the next tick before somebody asks which rows clash.
            self.problem = problem.copy()

    @property
    def iterations(self) -> int:
        """Active-set iterations of all levels."""
        return int(self._code.item(3))

    @property
    def solved_levels(self) -> int:
        """Number of leading levels that are solved."""
        return int(self._code.item(4))

    @property
    def _residual(self) -> Vector:
        return self._numbers[self.x.size : self.x.size + self.problem.b.size]

    @property
    def pressing(self) -> Vector:
        """Multipliers that the solver itself knows, 0 of what it eliminates, shape (n + K,)."""
        return self._numbers[self.x.size + self.problem.b.size :]

    @property
    def _active(self) -> IntVector:
        return self._code[HEADER:]

    @property
    def status(self) -> Status:
        """How the solve ended."""
        return Status(self._code.item(0))

    @property
    def is_solved(self) -> bool:
        """Whether every level is solved."""
        return self._code.item(0) == 0

    @property
    def multipliers(self) -> Vector:
        """Multiplier of each bound and row at its level (see `ActiveConstraint`), shape (n + K,).

        Those of equations are found by `stationarity`, the shortest where equations are redundant.
        0 where nothing is active, and of equations of a level that is not solved.
        """
        found, since = self.pressing.copy(), np.abs(self._active) - 1
        is_open = (since >= 0) & (found == 0.0)
        for level in self._solved(since[is_open]):
            here = is_open & (since == level)
            found[here] = self.stationarity(level).constraints[here]
        low = np.concatenate([self.problem.lower, self.problem.c_lower])
        high = np.concatenate([self.problem.upper, self.problem.c_upper])
        # What was found has a sign already, as has an equation: at a lower side it is turned back.
        is_turned = (self._active < 0) & (is_open != (low >= high))
        return np.where(is_turned, -found, found)

    def stationarity(self, level: int) -> Stationarity:
        """Find the multipliers of everything that holds a level back.

        Those of inequalities that press at the level are the solver's. The rest is what a solver
        eliminates: the equations, and what the levels above hold – A_j x of their cost rows and
        the constraints that press there – which may bear the same load in many ways. Given are the
        multipliers of least norm, in the units of the problem's rows.

        Args:
            level: 0 … L − 1; L is the least norm in what all levels leave free.

        Returns:
            The multipliers, and how well they do.

        Raises:
            InputError: If it is no whole number, there is no such level, or it was not solved.
        """
        problem = self.problem
        if isinstance(level, bool) or not isinstance(level, int | np.integer):
            raise InputError(f"stationarity: level must be a whole number, got {level!r}")
        if level not in self._solved([level]):
            raise InputError(
                f"stationarity: level {level} is not among the {self.solved_levels} solved ones "
                f"({self.status.name})"
            )
        if level == problem.level_count:
            gradient = self.x.copy()
        else:
            rows = problem.rows(level)
            gradient = problem.A[rows].T @ self._residual[rows] + problem.c[level]
            gradient += self.regularisation * self.x
        return find_stationarity(problem, level, gradient, self._active, self.pressing)

    def _solved(self, levels: Sequence[int] | IntVector) -> list[int]:
        """Choose the levels that are solved, each once; the least norm is one behind the last."""
        last = self.solved_levels + int(self.is_solved)
        return [int(k) for k in np.unique(levels) if 0 <= k < last and self._code[0] != _INFEASIBLE]

    @property
    def codes(self) -> IntVector:
        """What the kernel said: HEADER entries, then ±(level + 1) of each active constraint."""
        return self._code

    @property
    def violation(self) -> Vector:
        """How far x is outside each bound and row, at least 0, shape (n + K,)."""
        problem = self.problem
        value = np.concatenate([self.x, problem.C @ self.x])
        low = np.concatenate([problem.lower, problem.c_lower])
        high = np.concatenate([problem.upper, problem.c_upper])
        outside: Vector = np.maximum(np.maximum(low - value, value - high), 0.0)
        return outside

    @property
    def active_set(self) -> tuple[ActiveConstraint, ...]:
        """Constraints that hold x back, bounds first."""
        multipliers = self.multipliers
        return tuple(
            self._active_one(int(i), float(multipliers[i])) for i in np.flatnonzero(self._active)
        )

    @property
    def levels(self) -> tuple[LevelResult, ...]:
        """What became of each level."""
        return tuple(self._level(k) for k in range(self.problem.level_count))

    @property
    def clash(self) -> tuple[str, ...]:
        """Names of the hard constraints that contradict each other; empty unless infeasible."""
        if self.status is not Status.INFEASIBLE:
            return ()
        from footwork.stack.solvers.clash import find_clash

        constraints, levels = find_clash(self.problem, int(self._code[1]))
        names = [self.problem.name_of(i) for i in constraints]
        return (*names, *(f"optimum of {self.problem.level_name(k)}" for k in levels))

    @property
    def message(self) -> str:
        """One sentence on how the solve ended, and what to do about it."""
        status, level = self.status, self.problem.level_name(int(self._code[1]))
        if status is Status.SOLVED:
            return f"solved in {self.iterations} iterations"
        if status is Status.INFEASIBLE:
            names = ", ".join(self.clash)
            return (
                f"infeasible at {level}: these hard constraints contradict each other: {names}; "
                "widen one of them or make it an inequality task (ConstraintToTask)"
            )
        return {
            Status.UNBOUNDED: f"the linear cost of {level} has no least value: bound x along it",
            Status.ITERATION_LIMIT: f"iteration limit reached at {level}: raise max_iterations",
            Status.DEADLINE: f"time was up at {level}: x is feasible, "
            f"{self.solved_levels} levels are solved",
            Status.NOT_FINITE: f"the rows of {level} hold a NaN or an infinite entry",
            Status.NOT_CONVEX: f"the weight of {level} is not positive semi-definite",
        }[status]

    def raise_if_failed(self) -> None:
        """Do nothing when every level is solved.

        Raises:
            NoSolutionError: If not; its message is ``message`` and it carries this solution.
        """
        if self._code[0] != 0:
            raise NoSolutionError(self.message, self)

    def _active_one(self, i: int, multiplier: float) -> ActiveConstraint:
        code = int(self._active[i])
        low, high = _sides(self.problem, i)
        # Sides that rounding has crossed are one, too.
        side = 0 if low >= high else (1 if code > 0 else -1)
        return ActiveConstraint(i, self.problem.name_of(i), side, abs(code) - 1, multiplier)

    def _level(self, k: int) -> LevelResult:
        problem = self.problem
        residual = self._residual[problem.rows(k)]
        soft = problem.c_soft == k
        value = problem.C[soft] @ self.x
        violation = np.maximum(
            np.maximum(problem.c_lower[soft] - value, value - problem.c_upper[soft]), 0.0
        )
        cost = 0.5 * float(residual @ residual + violation @ violation) + float(
            problem.c[k] @ self.x
        )
        return LevelResult(residual, violation, cost, k < self.solved_levels)

    def __repr__(self) -> str:
        return f"Solution({self.status.name}, {self.message!r})"


def _sides(problem: Problem, index: int) -> tuple[float, float]:
    n = problem.variable_count
    if index < n:
        return float(problem.lower[index]), float(problem.upper[index])
    return float(problem.c_lower[index - n]), float(problem.c_upper[index - n])
