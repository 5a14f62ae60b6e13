"""`Stack`: tasks in order of priority under common constraints, solved once a tick."""

import copy
from collections.abc import Iterable, Iterator, MutableSequence, Sequence
from typing import TYPE_CHECKING, Protocol, Union, cast

from footwork._uncopied import Uncopied
from footwork.errors import InputError, StackError
from footwork.stack.aggregated import Aggregated
from footwork.stack.constraint import Constraint
from footwork.stack.constraint_list import ConstraintList
from footwork.stack.epoch import EPOCH
from footwork.stack.parts import collect
from footwork.stack.plan import Plan
from footwork.stack.segment import State
from footwork.stack.task import Task
from footwork.stack.ticker import Ticker
from footwork.stack.views import as_many
from footwork.typing import Logger

if TYPE_CHECKING:
    from footwork.stack.ramps import Ramp
    from footwork.stack.solvers import StrictHierarchy
    from footwork.stack.solvers.problem import Problem
    from footwork.stack.solvers.solution import Solution


class Solver(Protocol):
    """What a stack asks of a solver; it keeps its warm start from tick to tick."""

    def solve(self, problem: "Problem") -> "Solution":
        """Solve a problem whose arrays are rewritten between calls."""

    def reset(self) -> None:
        """Forget the warm start."""


class Stack(Uncopied):
    """Levels of tasks, constraints on all of them, and a solver.

    Bounds are hard at every level; constraints of a level's task are hard at that level and below.
    Each level is solved exactly within what the upper ones leave. What all of them leave free is
    decided by the regularisation task, and then by the least norm.

    A tick: ``solve(state)`` updates every task once and solves. Tasks, weights, gains, masks and
    constraint lists may change between ticks; the stack notices. The algebra makes new stacks:
    ``stack / task`` puts a level below, ``stack << constraint`` adds a bound.

    Example:
        >>> from footwork.stack import GenericConstraint, GenericTask
        >>> reach = GenericTask("reach", A=[[1.0, 1.0]], b=[3.0])
        >>> rest = GenericTask("rest", A=[[1.0, 0.0], [0.0, 1.0]], b=[0.0, 0.0])
        >>> box = GenericConstraint("box", upper=[1.0, 5.0])
        >>> stack = (reach / rest) << box
        >>> stack.solve().x.round(9).tolist()
        [1.0, 2.0]
    """

    _instead = (
        "Stack(stack.levels, bounds=stack.bounds) is another stack of the same tasks; for another "
        "robot make new tasks"
    )

    def __init__(
        self,
        levels: Iterable[Task] = (),
        *,
        bounds: "Constraint | Task | Iterable[Constraint | Task]" = (),
        regularisation: Task | None = None,
        solver: Solver | None = None,
        x_size: int | None = None,
    ) -> None:
        """Make a stack.

        Args:
            levels: Tasks, the most important first.
            bounds: Constraints on every level; a task stands for its equality.
            regularisation: Decides what the levels leave free; least norm if not given.
            solver: Strict priorities if not given; see `footwork.stack.solvers`.
            x_size: Number of unknowns; needed only when there is no task and no bound.

        Raises:
            InputError: If a level is no task, or the number of unknowns is unknown.
            StackError: If numbers of unknowns differ.
        """
        if not isinstance(levels, Iterable):
            raise InputError(f"Stack: expected tasks as levels, got {levels!r}")
        self._levels = tuple(levels)
        for task in (*self._levels, *(() if regularisation is None else (regularisation,))):
            if not isinstance(task, Task):
                raise InputError(f"Stack: expected tasks as levels, got {task!r}")
        self._bounds = ConstraintList()
        self._bounds.extend(as_many(bounds))
        self._regularisation = regularisation
        self._solver = _as_solver(solver)
        self.x_size = self._find_size(x_size)
        self._ticker = Ticker(self._all_levels, self._bounds, self.x_size)
        self._ramp: Ramp | None = None

    def _find_size(self, x_size: int | None) -> int:
        parts: list[Task | Constraint] = [*self._all_levels(), *self._bounds]
        if x_size is None and not parts:
            raise InputError("Stack: without tasks and bounds, x_size must be given")
        size = parts[0].x_size if x_size is None else x_size
        for part in parts:
            if part.x_size != size:
                raise StackError(
                    f"Stack: {part.id!r} has {part.x_size} unknowns, and the stack has {size}"
                )
        return size

    # Parts

    @property
    def levels(self) -> tuple[Task, ...]:
        """Tasks, the most important first; without the regularisation."""
        return self._levels

    @property
    def bounds(self) -> MutableSequence[Constraint]:
        """Constraints on every level; a list to append to."""
        return self._bounds

    @property
    def regularisation(self) -> Task | None:
        """Task that decides what the levels leave free."""
        return self._regularisation

    @regularisation.setter
    def regularisation(self, task: Task | None) -> None:
        if not (task is None or isinstance(task, Task)):
            raise InputError(f"regularisation: expected a task or None, got {task!r}")
        if task is not None and task.x_size != self.x_size:
            raise StackError(
                f"regularisation {task.id!r} has {task.x_size} unknowns, the stack {self.x_size}"
            )
        self._regularisation = task
        EPOCH.structure_changed()

    @property
    def solver(self) -> Solver:
        """The solver, with its warm start."""
        if self._solver is None:
            from footwork.stack.solvers import StrictHierarchy

            self._solver = StrictHierarchy()
        return self._solver

    @solver.setter
    def solver(self, solver: Solver | None) -> None:
        self._solver = _as_solver(solver)

    def _all_levels(self) -> tuple[Task, ...]:
        last = self._regularisation
        return self._levels if last is None else (*self._levels, last)

    def __len__(self) -> int:
        return len(self._levels)

    def __iter__(self) -> Iterator[Task]:
        return iter(self._levels)

    def __getitem__(self, key: int | str) -> Task:
        """Find a level by its number, or any task in the stack by its name (see `names`)."""
        if isinstance(key, int):
            return self._levels[key]
        if not isinstance(key, str):
            raise InputError(f"stack[…]: expected the number or the name of a task, got {key!r}")
        names = self.names()
        found = names.get(key)
        if not isinstance(found, Task):
            tasks = [name for name, thing in names.items() if isinstance(thing, Task)]
            raise StackError(f"no task is called {key!r}; there are {', '.join(tasks) or 'none'}")
        return found

    def names(self) -> dict[str, Task | Constraint]:
        """Name every task and constraint of the stack, fathers and parts too.

        Returns:
            By name: its id, or the id with ``_2``, ``_3`` … behind it if that is taken.
        """
        from footwork.stack.logging import unique_name

        taken: set[str] = set()
        return {unique_name(part.id, taken): part for part in self._parts()}

    def _parts(self) -> list[Task | Constraint]:
        found: dict[Task | Constraint, None] = {}
        for task in self._all_levels():
            collect(task, found)
        for constraint in self._bounds:
            collect(constraint, found)
        return list(found)

    def check_consistency(self) -> bool:
        """Check every task and constraint.

        Returns:
            Whether all are consistent; an empty stack is.
        """
        levels_fit = all(task.check_consistency() for task in self._all_levels())
        return levels_fit and all(bound.check_consistency() for bound in self._bounds)

    # Ticks

    def update(self, state: State | None = None) -> None:
        """Update every task and constraint once; does nothing for the state seen last.

        Args:
            state: Of the robot; without one a new tick starts.
        """
        self._ticker.update(state)

    def solve(self, state: State | None = None, *, time_limit: float | None = None) -> "Solution":
        """Update for a state, then solve.

        Args:
            state: Of the robot; without one the tasks are solved for as they are.
            time_limit: Seconds for the solver alone, after which the best feasible point is
                returned with status DEADLINE; of a solver that keeps one.

        Returns:
            The solution with its status; an infeasible problem is a status, not an exception.

        Raises:
            NotFiniteError: If a task or constraint holds NaN or infinity; it says which.
            WeightError: If a weight as a whole is indefinite; it names the task.
            InputError: If a time limit is no number, or the solver keeps none.
        """
        if time_limit is not None:
            self._check_keeps_time()
        plan = self._ticker.assemble(state)
        if plan.layout.ramping:
            return self._solve_ramps(plan, time_limit)
        if self._ramp is not None:
            self._ramp = None
        solver = self._solver or self.solver
        if time_limit is not None:
            return cast("StrictHierarchy", solver).solve(plan.problem, time_limit=time_limit)
        return solver.solve(plan.problem)

    def _check_keeps_time(self) -> None:
        from footwork.stack.solvers import StrictHierarchy

        solver = self.solver
        if not isinstance(solver, StrictHierarchy):
            raise InputError(f"{type(solver).__name__} keeps no time limit; StrictHierarchy does")

    def _solve_ramps(self, plan: Plan, time_limit: float | None) -> "Solution":
        from footwork.stack.ramps import Ramp

        ramp = self._ramp
        if ramp is None or ramp.plan is not plan or ramp.solver is not self.solver:
            self._ramp = ramp = Ramp(plan, self.solver)
        return ramp.solve(time_limit)

    def reset(self) -> None:
        """Forget the solver's warm start: what follows equals a fresh stack to the bit."""
        self.solver.reset()
        self._ramp = None

    # Looking

    def log(self, logger: Logger) -> None:
        """Write every task and constraint under OpenSoT's names, none twice.

        Args:
            logger: Where to.
        """
        from footwork.stack.logging import LogNames, log_constraint, log_task

        names = LogNames(logger)
        for task in self._all_levels():
            log_task(task, names)
        for constraint in self._bounds:
            log_constraint(constraint, names)

    def describe(self, solution: "Solution | None" = None) -> str:
        """Write the stack as a table.

        Args:
            solution: Adds each task's residual and what holds x back.

        Returns:
            Several lines of text.
        """
        from footwork.stack.describe import describe

        return describe(self, solution)

    # Algebra

    def __truediv__(self, other: Union[Task, "Stack"]) -> "Stack":
        """Put a task, or the levels of another stack, below; bounds and regularisation are kept."""
        if isinstance(other, Task):
            return self._with(levels=(*self._levels, other))
        if not isinstance(other, Stack):
            return NotImplemented
        mine, theirs = self._regularisation, other._regularisation
        both = mine if theirs is None or theirs is mine else theirs
        if mine is not None and theirs is not None and theirs is not mine:
            both = Aggregated(mine, theirs)
        return self._with(
            levels=(*self._levels, *other._levels),
            bounds=(*self._bounds, *other._bounds),
            regularisation=both,
        )

    def __lshift__(self, bounds: Constraint | Task | Iterable[Constraint | Task]) -> "Stack":
        """Add bounds: constraints, or tasks that must hold."""
        return self._with(bounds=(*self._bounds, *as_many(bounds)))

    def _with(
        self,
        *,
        levels: Sequence[Task] | None = None,
        bounds: Sequence[Constraint] | None = None,
        regularisation: Task | None = None,
    ) -> "Stack":
        solver = copy.deepcopy(self._solver)
        if solver is not None:
            solver.reset()
        return Stack(
            self._levels if levels is None else levels,
            bounds=tuple(self._bounds) if bounds is None else bounds,
            regularisation=regularisation or self._regularisation,
            solver=solver,
            x_size=self.x_size,
        )

    def __repr__(self) -> str:
        levels = " / ".join(task.id for task in self._levels)
        bounds = ", ".join(bound.id for bound in self._bounds)
        return f"Stack({levels or 'empty'}{' << ' + bounds if bounds else ''})"


def _as_solver(solver: Solver | None) -> Solver | None:
    is_one = callable(getattr(solver, "solve", None)) and callable(getattr(solver, "reset", None))
    if solver is not None and (isinstance(solver, type) or not is_one):
        raise InputError(f"Stack: expected a solver such as StrictHierarchy(), got {solver!r}")
    return solver
