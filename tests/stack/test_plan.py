"""The packed problem that the kernel assembles, against what the tasks themselves answer."""

import numpy as np
import pytest
from numpy.typing import NDArray

from footwork.errors import WeightError
from footwork.stack import (
    Affine,
    Aggregated,
    Constraint,
    ConstraintToTask,
    GenericConstraint,
    GenericLPTask,
    GenericTask,
    LeafTask,
    Stack,
    Task,
    TaskToConstraint,
    Variables,
)
from footwork.stack.segment import State
from footwork.stack.solvers.problem import Problem

Array = NDArray[np.float64]
N = 6


class Full(LeafTask):
    """Random rows with feed-forward, error and error rate, new every tick."""

    def __init__(self, name: str, rows: int, variable: Affine | None, seed: int) -> None:
        super().__init__(name, rows=rows, x_size=N, variable=variable)
        self.rng = np.random.default_rng(seed)

    def compute(self, state: State | None) -> None:
        del state
        self.J[:] = self.rng.normal(size=self.J.shape)
        for part in (self.own_feedforward, self.own_error, self.own_error_rate):
            part[:] = self.rng.normal(size=part.shape)


def problem_of(stack: Stack) -> Problem:
    """Assemble as a tick does, and look at the problem before anybody solves it."""
    seen: list[Problem] = []

    class Spy:
        def solve(self, problem: Problem) -> object:
            seen.append(problem)
            return stack_solver.solve(problem)

        def reset(self) -> None:
            stack_solver.reset()

    stack_solver = stack.solver
    stack.solver = Spy()  # type: ignore[assignment]
    try:
        stack.solve()
    finally:
        stack.solver = stack_solver
    return seen[0]


def check(stack: Stack) -> None:
    p = problem_of(stack)
    rows = 0
    for k, task in enumerate(stack.levels):
        A, b = p.A[p.rows(k)], p.b[p.rows(k)]
        rows += len(b)
        on = [s.is_active and s.inequality is None for s in task.segments() for _ in s.rows]
        keep = np.flatnonzero(on)
        W = task.weight[np.ix_(keep, keep)]
        np.testing.assert_allclose(A.T @ A, task.A[keep].T @ W @ task.A[keep], atol=1e-9)
        np.testing.assert_allclose(A.T @ b, task.A[keep].T @ W @ task.b[keep], atol=1e-9)
        np.testing.assert_allclose(p.c[k], task.c)
    assert rows == len(p.b)


def random_task(rng: np.random.Generator, depth: int, name: str) -> Task:
    kind = rng.integers(0, 7 if depth else 2)
    if kind <= 1:
        return random_leaf(rng, name)
    inner = random_task(rng, depth - 1, name)
    if kind == 2:
        count = rng.integers(1, inner.task_size + 1)
        sub: Task = inner % rng.permutation(inner.task_size)[:count].tolist()
        sub.lambda_ = float(rng.uniform(0, 2))
        if rng.random() < 0.2:
            sub.is_active = False
        return sub
    if kind == 3:
        scale = float(rng.uniform(0, 3))
        return scale * inner
    if kind == 4:
        factors: Array = rng.uniform(0.1, 3, size=inner.task_size)
        return inner * factors
    both: Task = inner + random_task(rng, depth - 1, name + "'")
    both.lambda_ = float(rng.uniform(0, 2))
    if rng.random() < 0.3:
        both.active_joints_mask = rng.random(N) < 0.7
    if rng.random() < 0.3:
        F = rng.normal(size=(both.task_size, both.task_size))
        both.weight = F.T @ F
    return both


def random_leaf(rng: np.random.Generator, name: str) -> Task:
    variables = [
        None,
        Variables({"a": 2, "b": 3, "c": 1})["b"],
        Affine(rng.normal(size=(4, N)), rng.normal(size=4)),
    ]
    variable = variables[rng.integers(0, 3)]
    rows = int(rng.integers(1, 5))
    task: LeafTask = Full(name, rows, variable, int(rng.integers(0, 1 << 30)))
    if rng.random() < 0.4:
        columns = N if variable is None else variable.output_size
        A, b = rng.normal(size=(rows, columns)), rng.normal(size=rows)
        task = GenericTask(name, A, b, c=rng.normal(size=columns), variable=variable)
    task.lambda_ = float(rng.uniform(0, 2))
    if rng.random() < 0.3:
        task.weight = rng.uniform(0, 2, size=rows)
    elif rng.random() < 0.3:
        F = rng.normal(size=(rows, rows))
        task.weight = F.T @ F
    if rng.random() < 0.3:
        task.active_joints_mask = rng.random(N) < 0.7
    return task


@pytest.mark.parametrize("seed", range(40))
def test_the_packed_problem_equals_the_tasks(seed: int) -> None:
    rng = np.random.default_rng(seed)
    stack = Stack([random_task(rng, 3, f"t{k}") for k in range(2)])
    stack.update()
    check(stack)
    # Values and structure change between ticks; the plan follows.
    for _ in range(3):
        for task in stack.levels:
            leaf = task.leaves()[0]
            # Adding keeps what crosses the blocks of an aggregate positive semi-definite.
            leaf.weight = leaf.weight + float(rng.uniform(0.1, 2)) * np.eye(leaf.task_size)
            leaf.lambda_ = float(rng.uniform(0, 2))
            if rng.random() < 0.5:
                leaf.active_joints_mask = rng.random(N) < 0.7
            if rng.random() < 0.3:
                task.is_active = not task.is_active
        stack.update()
        check(stack)


def test_constraints_of_every_kind_land_in_the_problem() -> None:
    rng = np.random.default_rng(3)
    y = Affine(rng.normal(size=(3, N)), rng.normal(size=3))
    part = Variables({"a": 2, "b": 3, "c": 1})["b"]
    low, high = -np.ones(3), np.array([1.0, np.inf, 2.0])
    task = Full("t", 3, part, 5)
    task.lambda_ = 0.5
    task.active_joints_mask = [True, True, False, True, True, True]
    constraints: list[Constraint] = [
        GenericConstraint("rows", rng.normal(size=(2, N)), upper=[30.0, 40.0]),
        GenericConstraint("mapped_rows", rng.normal(size=(2, 3)), lower=[-90, -90], variable=y),
        GenericConstraint("mapped_box", lower=50 * low, upper=50 * high, variable=y),
        TaskToConstraint(task, -9.0, [8.0, 7.0, 6.0]),
        GenericConstraint("equal", np.ones((1, 3)), equal=[0.5], variable=part),
    ]
    box = GenericConstraint("box", lower=40 * low, upper=40 * high, variable=part)
    whole = GenericConstraint("whole", lower=np.full(N, -50.0))
    stack = Stack([GenericTask("go", np.eye(N), np.ones(N))], bounds=[box, *constraints, whole])
    for _ in range(2):
        stack.update()
        p = problem_of(stack)
        first = 0
        for constraint in constraints:
            span = slice(first, first + constraint.size)
            first = span.stop
            C = np.vstack([constraint.Aineq, constraint.Aeq])
            np.testing.assert_allclose(p.C[span], C, atol=1e-12)
            lower = np.concatenate([constraint.b_lower, constraint.beq])
            upper = np.concatenate([constraint.b_upper, constraint.beq])
            np.testing.assert_allclose(p.c_lower[span], lower)
            np.testing.assert_allclose(p.c_upper[span], upper)
        assert first == len(p.c_lower)
        np.testing.assert_array_equal(p.lower, np.maximum(box.lower, whole.lower))
        np.testing.assert_array_equal(p.upper, box.upper)
        assert (p.c_level == 0).all()
        assert (p.c_soft == -1).all()


def test_constraints_of_a_level_are_hard_from_it_on() -> None:
    first = GenericTask("first", np.eye(N)[:2], [1.0, 2.0])
    second = GenericTask("second", np.eye(N), np.full(N, 3.0))
    rows = GenericConstraint("rows", np.eye(N)[:1], upper=[0.5])
    box = GenericConstraint("box", upper=np.full(N, 2.5))
    soft = 4.0 * ConstraintToTask(GenericConstraint("soft", np.eye(N)[3:4], upper=[1.0]))
    stack = Stack([first, (second << [rows, box]) + soft, GenericLPTask("cheap", np.ones(N))])
    p = problem_of(stack)
    assert p.c_level.tolist() == [1] * (1 + N + 1)
    assert p.c_soft.tolist() == [-1] * (1 + N) + [1]
    np.testing.assert_allclose(p.C[-1], 2.0 * np.eye(N)[3])
    np.testing.assert_allclose(p.c_upper[-1], 2.0)
    assert p.row_names[0] == "rows[0]"
    assert p.row_names[N] == f"box[{N - 1}]"
    assert np.isinf(p.lower).all()
    # The same constraint on an earlier level counts there.
    stack = Stack([first << rows, second << rows])
    p = problem_of(stack)
    assert p.c_level.tolist() == [0]
    assert isinstance(Aggregated(first, second), Aggregated)


def test_a_weight_that_was_refused_leaves_no_trace() -> None:
    """Diagonal, full, indefinite as a whole, and the same diagonal again: each shows at once."""
    a, b = GenericTask("a", np.eye(N)[:2], [1.0, 2.0]), GenericTask("b", np.eye(N)[:2], [3.0, 4.0])
    a.weight, b.weight = [2.0, 3.0], [4.0, 5.0]
    both = a + b
    stack = Stack([both])
    check(stack)
    plain = both.weight.copy()
    coupled = plain.copy()
    coupled[0, 2] = coupled[2, 0] = 2.5
    both.weight = coupled
    check(stack)
    a.weight = [1.0, 3.0]
    with pytest.raises(WeightError, match="indefinite"):
        stack.solve()
    both.weight = plain
    check(stack)
    np.testing.assert_allclose(problem_of(stack).A[0, 0], np.sqrt(2.0))


def test_only_the_level_whose_weight_has_changed_is_written() -> None:
    tasks = [GenericTask(f"t{k}", np.eye(N)[k : k + 2], [1.0, 2.0]) for k in range(4)]
    top, low = 2.0 * tasks[0] + tasks[1][[1]], np.array([3.0, 4.0]) * tasks[2] + tasks[3]
    before = top.weight_diagonal(), low.weight_diagonal()
    tasks[2].weight = [5.0, 6.0]
    assert top.weight_diagonal() is before[0]
    assert low.weight_diagonal() is not before[1]
    stack = Stack([top, low])
    check(stack)
    for task in tasks:
        task.weight = task.weight * 2.0
        check(stack)
    tasks[1].c = np.arange(float(N))
    check(stack)
