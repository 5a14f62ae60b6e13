"""Several tasks as one, several constraints as one."""

from collections.abc import Iterable, MutableSequence, Sequence
from typing import Any

import numpy as np

from footwork.errors import InputError, StackError, WeightError
from footwork.stack.constraint import Constraint, ConstraintSegment
from footwork.stack.constraint_list import ConstraintList
from footwork.stack.segment import Segment, State
from footwork.stack.settings import HessianType, Settings, as_hessian_type
from footwork.stack.task import Task
from footwork.stack.weights import diagonal_of
from footwork.typing import Matrix, Vector, frozen


class Aggregated(Task):
    """Tasks on one level, their rows one below the other; a view.

        A = [A_1; A_2; …],  feedforward and λ·error of the children likewise,  c = Σ c_i

    λ, activity and joint mask are its own, on top of those of the children. W is block diagonal of
    the children's weights; what is set across the blocks belongs to the aggregate. Of constraints
    it makes an `AggregatedConstraint`.
    """

    def __new__(cls, *parts: Any) -> Any:
        """Make the kind of aggregate that the parts want."""
        children = _flat(parts)
        if children and all(isinstance(child, Task) for child in children):
            return super().__new__(cls)
        if children and all(isinstance(child, Constraint) for child in children):
            return AggregatedConstraint(children)
        raise InputError(
            f"Aggregated: expected tasks only or constraints only, at least one, got {children!r}"
        )

    def __init__(self, *parts: Any) -> None:
        """Join tasks.

        Args:
            parts: Tasks, or constraints, one by one or in one iterable; all of the same unknowns.

        Raises:
            InputError: If there are none, or they are of both kinds.
            StackError: If their numbers of unknowns differ.
        """
        self._tasks: tuple[Task, ...] = tuple(_flat(parts))
        self.x_size = _common_size(self._tasks, "Aggregated")
        self.id = "+".join(task.id for task in self._tasks)
        self._settings = self._mask_settings = Settings()
        self._list = ConstraintList(lambda: (c for task in self._tasks for c in task.constraints))
        self._map: tuple[tuple[object, ...], tuple[Segment, ...]] | None = None
        self._diagonal: tuple[tuple[Vector, ...], Vector] | None = None
        self._across: Matrix | None = None
        # Sums of sums, a + b + c + …, are read as one: the aggregates within, and what they join.
        within = [task for task in self._tasks if isinstance(task, Aggregated)]
        self._within: tuple[Aggregated, ...] = (
            *within,
            *(inner for task in within for inner in task._within),
        )
        self._ends: tuple[Task, ...] = tuple(
            end
            for task in self._tasks
            for end in (task._ends if isinstance(task, Aggregated) else (task,))
        )
        self._hessian_type: HessianType | None = None

    @property
    def tasks(self) -> tuple[Task, ...]:
        """The children, in order."""
        return self._tasks

    @property
    def row_names(self) -> tuple[str, ...]:  # type: ignore[override]
        """Names of the rows; those of the only child, else none, since names repeat."""
        return self._tasks[0].row_names if len(self._tasks) == 1 else ()

    def segments(self) -> tuple[Segment, ...]:
        """See `Task.segments`."""
        inner = tuple(task.segments() for task in self._tasks)
        if self._map is None or not _same_objects(self._map[0], inner):
            own = self._settings
            made = tuple(s.inside(own, masked=True) for part in inner for s in part)
            self._map = (inner, made)
        return self._map[1]

    @property
    def constraints(self) -> MutableSequence[Constraint]:
        """Those of the children, each once, then its own, to which appending adds."""
        return self._list

    @property
    def own_constraints(self) -> tuple[Constraint, ...]:
        """Those that belong to the aggregate alone."""
        return self._list.own()

    @property
    def c(self) -> Vector:
        """Sum of the children's, shape (n,); in part during a ramp."""
        total = np.zeros(self.x_size)
        for task in self._tasks:
            total += task.c
        return frozen(self._settings.cost_share * total)

    @property
    def hessian_type(self) -> HessianType:
        """What the children's types say of their sum, in whatever order they stand."""
        if self._hessian_type is not None:
            return self._hessian_type
        kinds = {task.hessian_type for task in self._tasks}
        if len(kinds) == 1 and len(self._tasks) == 1:
            return next(iter(kinds))
        if kinds == {HessianType.ZERO}:
            return HessianType.ZERO
        if kinds & {HessianType.POSDEF, HessianType.IDENTITY}:
            return HessianType.POSDEF
        return HessianType.UNKNOWN if HessianType.UNKNOWN in kinds else HessianType.SEMIDEF

    @hessian_type.setter
    def hessian_type(self, value: HessianType) -> None:
        self._hessian_type = as_hessian_type(value, self.id)

    # Weight

    def _blocks(self) -> list[slice]:
        slices, first = [], 0
        for task in self._tasks:
            slices.append(slice(first, first + task.task_size))
            first += task.task_size
        return slices

    def weight_matrix(self) -> Matrix:
        """See `Task.weight_matrix`."""
        m = self.task_size
        if self._across is not None and self._across.shape[0] != m:
            self._across = None
        W = np.zeros((m, m)) if self._across is None else self._across.copy()
        for task, block in zip(self._tasks, self._blocks(), strict=True):
            W[block, block] = task.weight_matrix()
        return W

    def weight_diagonal(self) -> Vector | None:
        """See `Task.weight_diagonal`."""
        if self._across is not None:
            return diagonal_of(self.weight_matrix())
        is_plain = all(task._across is None for task in self._within)
        parts = []
        for task in self._ends if is_plain else self._tasks:
            part = task.weight_diagonal()
            if part is None:
                return None
            parts.append(part)
        # The same array as long as it holds the same: users of it see by that what has changed.
        if self._diagonal is None or not _same_objects(self._diagonal[0], parts):
            self._diagonal = tuple(parts), np.concatenate(parts)
        return self._diagonal[1]

    def write_weight(self, W: Matrix) -> None:
        """Hand the diagonal blocks to the children and keep what crosses them."""
        across = W.copy()
        changed = []
        for task, block in zip(self._tasks, self._blocks(), strict=True):
            across[block, block] = 0.0
            if not np.array_equal(task.weight_matrix(), W[block, block]):
                changed.append((task, W[block, block].copy(), task.weight_matrix()))
        done: list[tuple[Task, Matrix]] = []
        for task, new, old in changed:
            try:
                task.write_weight(new)
            except (WeightError, InputError):
                for written, before in done:
                    written.write_weight(before)
                raise
            done.append((task, old))
        self._across = across if across.any() else None


class AggregatedConstraint(Constraint):
    """Constraints that all hold; a view. Without any it holds for every x."""

    def __init__(self, constraints: Iterable[Constraint], *, x_size: int | None = None) -> None:
        """Join constraints.

        Args:
            constraints: All of the same unknowns; each counts once.
            x_size: Number of unknowns; needed when there are no constraints.

        Raises:
            StackError: If their numbers of unknowns differ.
        """
        self._constraints = tuple(dict.fromkeys(constraints))
        if self._constraints:
            self.x_size = _common_size(self._constraints, "Aggregated")
        elif x_size is None:
            raise InputError("AggregatedConstraint: without constraints, x_size must be given")
        else:
            self.x_size = x_size
        self.id = "+".join(constraint.id for constraint in self._constraints)
        self._map: tuple[tuple[object, ...], tuple[ConstraintSegment, ...]] | None = None

    @property
    def parts(self) -> tuple[Constraint, ...]:
        """The children, in order."""
        return self._constraints

    def segments(self) -> tuple[ConstraintSegment, ...]:
        """See `Constraint.segments`."""
        inner = tuple(constraint.segments() for constraint in self._constraints)
        if self._map is None or not _same_objects(self._map[0], inner):
            self._map = (inner, tuple(s for part in inner for s in part))
        return self._map[1]

    def _is_equality_segment(self, segment: ConstraintSegment) -> bool:
        for constraint in self._constraints:
            if any(s is segment for s in constraint.segments()):
                return constraint._is_equality_segment(segment)
        return False

    def tick(self, stamp: int, state: State | None) -> None:
        """Update the children, once a tick."""
        for constraint in self._constraints:
            constraint.tick(stamp, state)


def _flat(parts: tuple[Any, ...]) -> list[Any]:
    single = len(parts) == 1 and not isinstance(parts[0], Task | Constraint)
    if not single:
        return list(parts)
    if not isinstance(parts[0], Iterable):
        raise InputError(f"Aggregated: expected tasks or constraints, got {parts[0]!r}")
    return list(parts[0])


def _same_objects(a: Sequence[object], b: Sequence[object]) -> bool:
    return len(a) == len(b) and all(x is y for x, y in zip(a, b, strict=True))


def _common_size(parts: tuple[Task, ...] | tuple[Constraint, ...], what: str) -> int:
    if not parts:
        raise InputError(f"{what}: expected at least one task")
    size = parts[0].x_size
    for part in parts:
        if part.x_size != size:
            raise StackError(
                f"{what}: {parts[0].id!r} has {size} unknowns and {part.id!r} has {part.x_size}"
            )
    return size
