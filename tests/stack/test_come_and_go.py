"""Tasks and constraints that are added, removed, resized or switched, between ticks or in one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from footwork.errors import InputError, NotFiniteError, NotUpdatedError, WeightError
from footwork.stack import (
    ConstraintToTask,
    GenericConstraint,
    GenericLPTask,
    GenericTask,
    LeafConstraint,
    LeafTask,
    Stack,
    Task,
    TaskToConstraint,
)
from footwork.stack.plan import Plan
from footwork.stack.segment import State
from footwork.typing import Vector


@dataclass
class FakeState:
    stamp: int


class Ceiling(LeafConstraint):
    """x is at most the stamp of the state."""

    def __init__(self) -> None:
        super().__init__("ceiling", rows=2, x_size=2, is_box=True)
        self.count = 0

    def compute(self, state: State | None) -> None:
        self.count += 1
        self.own_upper[:] = 0.0 if state is None else state.stamp


class Doing(LeafTask):
    """A task of a user's that does something else while it is computed."""

    def __init__(self, action: Callable[[State | None], object]) -> None:
        super().__init__("doing", rows=2, x_size=2)
        self.action = action
        self.count = 0

    def compute(self, state: State | None) -> None:
        self.count += 1
        self.action(state)
        self.J[:], self.own_error[:] = np.eye(2), 100.0


def far() -> GenericTask:
    return GenericTask("far", np.eye(2), [100.0, 100.0])


def test_a_constraint_that_was_out_for_a_while_is_computed_when_it_is_back() -> None:
    limit, stack = Ceiling(), Stack([far()])
    stack.bounds.append(limit)
    assert stack.solve(FakeState(1)).x.tolist() == [1.0, 1.0]
    del stack.bounds[0]
    assert stack.solve(FakeState(2)).x.tolist() == [100.0, 100.0]
    stack.bounds.append(limit)
    assert stack.solve(FakeState(2)).x.tolist() == [2.0, 2.0]


@pytest.mark.parametrize("in_another_stack", [False, True])
def test_a_constraint_that_was_removed_is_updated_for_the_state_of_the_stack(
    in_another_stack: bool,
) -> None:
    limit, stack = Ceiling(), Stack([far()])
    stack.bounds.append(limit)
    stack.solve(FakeState(1))
    stack.bounds.clear()
    stack.solve(FakeState(2))
    if in_another_stack:
        assert Stack([far()], bounds=limit).solve(FakeState(2)).x.tolist() == [2.0, 2.0]
    else:
        limit.update(FakeState(2))
        assert limit.upper.tolist() == [2.0, 2.0]
    assert limit.count == 2


def test_solving_without_a_state_updates_a_constraint_that_is_new() -> None:
    limit, late, stack = Ceiling(), Ceiling(), Stack([far()])
    stack.bounds.append(limit)
    stack.solve(FakeState(3))
    stack.bounds[0] = late
    with pytest.raises(NotUpdatedError):
        _ = late.upper
    assert stack.solve().x.tolist() == [3.0, 3.0]
    assert stack.solve().x.tolist() == [3.0, 3.0]
    assert (limit.count, late.count) == (1, 1)


@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("first", [1, 4])
def test_a_constraint_added_during_a_tick_holds_in_that_tick(shared: bool, first: int) -> None:
    limit = Ceiling()

    def act(state: State | None) -> None:
        if state is not None and state.stamp == 4:
            stack.bounds.append(limit)

    task = Doing(act)
    stack = Stack([task])
    others = [Stack([task])] if shared else []
    for k in range(first, 7):
        for other in others:
            other.update(FakeState(k - 1))
        count = task.count
        x = stack.solve(FakeState(k)).x
        assert x.tolist() == ([k, k] if k >= 4 else [100.0, 100.0])
        assert task.count == count + 1
        assert limit.count == max(0, k - 3)


def test_rows_that_change_in_a_tick_behind_the_back_of_the_stack_are_followed() -> None:
    other = GenericTask("other", [[1.0, 0.0]], [1.0])

    def act(state: State | None) -> None:
        rows = 1 + (0 if state is None else state.stamp % 7)
        other.set(np.tile([1.0, 0.0], (rows, 1)), np.full(rows, float(rows)))
        # Somebody else makes the stack look at its tasks, so that its own look sees no change.
        stack._ticker.plan()

    stack = other / Doing(act)
    for k in range(1, 30):
        np.testing.assert_allclose(stack.solve(FakeState(k)).x, [1 + k % 7, 100.0])


def test_what_changes_while_a_stack_looks_is_seen_at_the_next_look(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    task = far()
    stack = Stack([task])
    stack.solve()
    patch = Plan.patch_gains

    def patch_and_be_interrupted(plan: Plan) -> None:
        patch(plan)
        monkeypatch.undo()
        task.lambda_ = 0.25  # as another thread may

    monkeypatch.setattr(Plan, "patch_gains", patch_and_be_interrupted)
    task.lambda_ = 0.5
    stack.solve()
    np.testing.assert_allclose(stack.solve().x, [25.0, 25.0])


def test_a_compute_that_is_set_on_one_task_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    task = LeafTask("plain", rows=2, x_size=2)

    def compute(state: State | None) -> None:
        task.J[:], task.own_error[:] = np.eye(2), 7.0

    monkeypatch.setattr(task, "compute", compute)
    np.testing.assert_allclose(Stack([task]).solve(FakeState(1)).x, [7.0, 7.0])


@pytest.mark.parametrize("term", ["own_error", "own_feedforward", "own_error_rate"])
@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_a_target_that_is_not_finite_is_an_error_that_names_the_task(
    term: str, value: float
) -> None:
    task, limit = LeafTask("broken", rows=2, x_size=2), Ceiling()
    stack = Stack([far() + task], bounds=limit)
    stack.solve(FakeState(1))
    getattr(task, term)[1] = value
    for _ in range(2):
        with pytest.raises(NotFiniteError, match="broken"):
            stack.solve(FakeState(2))
    getattr(task, term)[1] = 0.0
    assert stack.solve(FakeState(2)).is_solved


def test_a_stack_without_unknowns_is_solved() -> None:
    solution = Stack(x_size=0).solve()
    assert solution.is_solved
    assert solution.x.shape == (0,)


# Numbers of rows


def test_a_task_that_must_hold_may_change_its_number_of_rows() -> None:
    task = GenericTask("t", np.eye(2), [1.0, 1.0])
    equal, near = Stack([far()], bounds=task), Stack([far()], bounds=TaskToConstraint(task, -1, 2))
    for rows in (2, 1, 3, 0, 2):
        task.set(np.tile([1.0, 1.0], (rows, 1)), np.full(rows, 1.0))
        x, y = equal.solve().x, near.solve().x
        assert x.sum() == pytest.approx(1.0 if rows else 200.0)
        assert y.sum() == pytest.approx(3.0 if rows else 200.0)


@pytest.mark.parametrize("rows", [0, 1, 3])
def test_errors_or_factors_of_each_row_do_not_outlive_the_rows(rows: int) -> None:
    task = GenericTask("t", np.eye(2), [1.0, 1.0])
    bound = Stack([far()], bounds=TaskToConstraint(task, [-1.0, -2.0], [1.0, 2.0]))
    weighted = Stack([np.array([1.0, 2.0]) * task])
    mixed = Stack([np.diag([1.0, 2.0]) * task])
    for stack in (bound, weighted, mixed):
        stack.solve()
    task.set(np.ones((rows, 2)), np.ones(rows))
    with pytest.raises(InputError, match=f"'t' has {rows} rows now"):
        bound.solve()
    for stack in (weighted, mixed):
        with pytest.raises(WeightError, match=f"has {rows} rows now"):
            stack.solve()
    task.set(np.eye(2), [1.0, 1.0])
    for stack in (bound, weighted, mixed):
        assert stack.solve().is_solved


# Switches


def run(stack: Stack, ticks: int) -> list[Vector]:
    path = []
    for _ in range(ticks):
        stack.update()
        solution = stack.solve()
        assert solution.is_solved
        path.append(solution.x)
    return path


def scenes() -> dict[str, tuple[Stack, Task]]:
    rest = GenericTask("rest", np.eye(2), [0.0, 0.0])

    def line() -> GenericTask:
        return GenericTask("line", [[1.0, 1.0]], [4.0])

    cost, both, hard = GenericLPTask("cost", [1.0, 0.0]), GenericLPTask("part", [1.0, 0.0]), line()
    below, soft, band = line(), line(), line()
    partly = GenericTask("partly", [[0.0, 1.0]], [1.0], c=[1.0, 0.0])
    whole = both + rest
    inequality = ConstraintToTask(TaskToConstraint(soft))
    top = GenericTask("top", [[1.0, 0.0]], [1.0])
    return {
        "linear cost": (Stack([cost + rest]), cost),
        "level with a linear cost": (Stack([whole]), whole),
        "rows with a linear cost": (Stack([partly + rest]), partly),
        "equality": (Stack([rest], bounds=hard), hard),
        "equality of a level": (Stack([top, rest << below]), below),
        "limits of a task": (Stack([rest], bounds=TaskToConstraint(band, -1.0, 2.0)), band),
        "task of an inequality task": (Stack([inequality, rest]), soft),
    }


@pytest.mark.parametrize("name", list(scenes()))
@pytest.mark.parametrize("on", [True, False])
def test_whatever_a_task_is_used_for_it_comes_and_goes_without_a_jump(name: str, on: bool) -> None:
    stack, task = scenes()[name]
    task.is_active = not on
    before = stack.solve().x
    task.is_active = on
    after = stack.solve().x
    task.is_active = not on
    (task.activate if on else task.deactivate)(ticks=40)
    path = [before, *run(stack, 44)]
    distance = float(np.abs(after - before).max())
    assert distance > 0.3
    assert float(np.abs(np.diff(path, axis=0)).max()) < 1.7 * distance / 40 + 1e-6
    np.testing.assert_allclose(path[-1], after, atol=1e-7)
    assert (task.activation, task.is_active) == (float(on), on)


def test_a_ramp_goes_on_within_what_is_switched_off() -> None:
    first, second = (GenericTask(name, np.eye(2), [4.0, 4.0]) for name in ("first", "second"))
    both, rest = first + second, GenericTask("rest", np.eye(2), [0.0, 0.0])
    stack = both / rest
    first.deactivate(ticks=5)
    run(stack, 2)
    both.is_active = False
    run(stack, 3)
    assert (first.activation, first.is_active) == (0.0, False)


def test_a_constraint_that_is_switched_off_is_no_inequality_task_either() -> None:
    wall = GenericConstraint("wall", [[1.0, 1.0]], lower=[4.0])
    soft = ConstraintToTask(wall)
    stack = soft / GenericTask("rest", np.eye(2), [0.0, 0.0])
    for active in (True, False, True):
        wall.is_active = active
        np.testing.assert_allclose(stack.solve().x, [2.0, 2.0] if active else [0.0, 0.0], atol=1e-9)
        assert soft.is_active == active
        assert soft.A.any() == active


@pytest.mark.parametrize("weight", [[0.0, 1.0], [0.0, 0.0], [1.0, 0.0], [1.0, 4.0]])
def test_a_row_of_no_weight_has_no_limits(weight: list[float]) -> None:
    soft = ConstraintToTask(GenericConstraint("one-sided", np.eye(2), lower=[1.0, 2.0]))
    stack = soft / GenericTask("rest", np.eye(2), [0.0, 0.0])
    soft.weight = weight
    solution = stack.solve()
    assert solution.is_solved
    np.testing.assert_allclose(solution.x, [1.0, 2.0] * (np.array(weight) > 0.0), atol=1e-9)


def test_a_time_limit_counts_while_tasks_come_and_go() -> None:
    line, rest = GenericTask("line", [[1.0, 1.0]], [4.0]), GenericTask("rest", np.eye(2), [0, 0])
    stack = line / rest
    line.deactivate(ticks=5)
    stack.update()
    solution: Any = stack.solve(time_limit=60.0)
    np.testing.assert_allclose(solution.x, stack.solve().x, atol=1e-9)
    assert stack.solve(time_limit=0.0).status.name == "DEADLINE"
