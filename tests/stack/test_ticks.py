"""Stamps: who updates what, how often, and in which order."""

import gc
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from footwork.errors import InputError, NotFiniteError, NotUpdatedError, StackError
from footwork.stack import Constraint, GenericTask, LeafConstraint, LeafTask, Stack, Task
from footwork.stack._kernels.memory import evaluator, ints_at, matrix_at, vector_at
from footwork.stack.segment import State


@evaluator
def shifted_identity(ints: Any, floats: Any, J: Any, stride: Any, out: Any) -> None:
    """J = 1, feed-forward used once, error = a target; counts its calls."""
    count = ints_at(ints, 1)
    numbers = vector_at(floats, 4)
    rows = matrix_at(J, 2, stride)
    terms = vector_at(out, 6)
    for i in range(2):
        rows[i, i] = 1.0
        terms[i] = numbers[i]
        terms[2 + i] = numbers[2 + i]
        terms[4 + i] = 0.0
        numbers[i] = 0.0
    count[0] += 1


class Compiled(LeafTask):
    def __init__(self, name: str = "compiled", model: Any = None, needs: int = 0) -> None:
        super().__init__(name, rows=2, x_size=2, model=model, needs=needs)
        self.bind(shifted_identity.address, ints=[0], floats=[0, 0, 1, 2], keep=[shifted_identity])

    @property
    def count(self) -> int:
        return int(self.ints[0])

    def feed(self, *velocity: float) -> None:
        self.floats[:2] = velocity


class Python(LeafTask):
    def __init__(self, name: str = "python", waits_for: Sequence[Task] = ()) -> None:
        super().__init__(name, rows=2, x_size=2)
        self.waits_for = waits_for
        self.count = 0
        self.seen: int | None = None
        self.fails = False

    def dependencies(self) -> Sequence[Task | Constraint]:
        return self.waits_for

    def compute(self, state: State | None) -> None:
        self.count += 1
        self.seen = None if state is None else state.stamp
        if self.fails:
            raise ZeroDivisionError("in the task of a user")
        self.J[:] = np.eye(2)
        self.own_error[:] = self.waits_for[0].b if self.waits_for else 5.0


class Limit(LeafConstraint):
    def __init__(self) -> None:
        super().__init__("limit", rows=2, x_size=2, is_box=True)
        self.count = 0

    def compute(self, state: State | None) -> None:
        self.count += 1
        self.own_upper[:] = 1.5


@dataclass
class FakeState:
    stamp: int


class FakeModel:
    def __init__(self) -> None:
        self.calls: list[tuple[int, int]] = []

    def refresh(self, state: State, needs: int) -> None:
        self.calls.append((state.stamp, needs))


def test_a_state_is_seen_once_and_a_tick_without_state_is_new() -> None:
    a, b, limit = Compiled(), Python(), Limit()
    stack = Stack([a + a[0], b], bounds=limit)
    state = FakeState(1)
    for _ in range(3):
        stack.update(state)
        a.update(state)
        b[1].update(state)
        limit.update(state)
        stack.solve(state)
    assert (a.count, b.count, limit.count) == (1, 1, 1)
    stack.update(FakeState(2))
    stack.update()
    stack.update()
    assert (a.count, b.count, limit.count) == (4, 4, 4)
    stack.solve()
    stack.solve()
    assert a.count == 4


def test_solving_without_a_state_updates_only_what_never_was() -> None:
    a = Compiled()
    stack = Stack([a])
    np.testing.assert_allclose(stack.solve().x, [1.0, 2.0])
    assert a.count == 1
    a.feed(3.0, 4.0)
    np.testing.assert_allclose(stack.solve().x, [1.0, 2.0])
    stack.update()
    np.testing.assert_allclose(stack.solve().x, [4.0, 6.0])
    np.testing.assert_allclose(stack.solve().x, [4.0, 6.0])
    stack.update()
    np.testing.assert_allclose(stack.solve().x, [1.0, 2.0])


def test_a_task_updated_alone_is_not_updated_again_for_that_state() -> None:
    a, b = Compiled("a"), Compiled("b")
    stack = a / b
    stack.update(FakeState(1))
    a.update(FakeState(2))
    assert (a.count, b.count) == (2, 1)
    a.feed(1.0, 1.0)
    stack.solve(FakeState(2))
    # The reference waits for the next tick.
    assert (a.count, b.count) == (2, 2)
    assert a.feedforward.tolist() == [0.0, 0.0]
    stack.solve(FakeState(3))
    assert (a.count, b.count) == (3, 3)
    assert a.feedforward.tolist() == [1.0, 1.0]
    a.update(FakeState(2))
    stack.update(FakeState(3))
    assert (a.count, b.count) == (5, 3)


def test_two_stacks_share_a_task_and_a_tick() -> None:
    a, b = Compiled("a"), Compiled("b")
    first, second = Stack([a]), Stack([a, b])
    for stamp in range(1, 5):
        state = FakeState(stamp)
        a.feed(float(stamp), 0.0)
        one = first.solve(state).x
        two = second.solve(state).x
        np.testing.assert_allclose(one, two, atol=1e-8)
        assert one[0] == pytest.approx(stamp + 1.0)
        assert (a.count, b.count) == (stamp, stamp)
    del first, one
    gc.collect()
    second.solve(FakeState(9))
    assert (a.count, b.count) == (5, 5)


def test_a_stack_that_is_gone_leaves_its_tasks_usable() -> None:
    a = Compiled()
    Stack([a]).solve(FakeState(1))
    gc.collect()
    assert a.b.tolist() == [1.0, 2.0]
    stack = Stack([a])
    stack.solve(FakeState(2))
    assert a.count == 2


def test_a_task_that_depends_on_another_sees_its_rows_of_this_tick() -> None:
    first = Compiled()
    second = Python(waits_for=[first[1, 0]])
    stack = Stack([second])
    first.floats[2:] = [7.0, 8.0]
    stack.update()
    assert second.b.tolist() == [8.0, 7.0]
    assert (first.count, second.count) == (1, 1)
    first.floats[2:] = [1.0, 2.0]
    second.update()
    assert second.b.tolist() == [2.0, 1.0]


def test_tasks_that_wait_for_each_other_are_an_error() -> None:
    a, b = Python("a"), Python("b")
    a.waits_for, b.waits_for = [b], [a]
    with pytest.raises(StackError, match="circle: 'a' → 'b' → 'a'"):
        Stack([a]).update()


def test_an_error_in_a_user_s_task_reaches_the_caller_and_the_tick_can_be_repeated() -> None:
    good, bad = Compiled(), Python()
    stack = good / bad
    bad.fails = True
    for call in (stack.solve, stack.update, bad.update, bad[0].update):
        with pytest.raises(ZeroDivisionError, match="task of a user"):
            call(FakeState(5))
    bad.fails = False
    np.testing.assert_allclose(stack.solve(FakeState(5)).x, [1.0, 2.0], atol=1e-8)
    assert bad.b.tolist() == [5.0, 5.0]


def test_needs_are_joined_and_the_robot_is_refreshed_once_a_tick() -> None:
    robot = FakeModel()
    tasks = [Compiled("a", robot, 1), Compiled("b", robot, 4), Compiled("c", robot, 1)]
    stack = Stack(tasks)
    stack.update(FakeState(1))
    stack.update(FakeState(1))
    stack.solve(FakeState(2))
    assert robot.calls == [(1, 5), (2, 5)]
    # A tick without a state goes on from the last one, whatever the robot has computed since.
    stack.update()
    assert robot.calls == [(1, 5), (2, 5), (2, 5)]
    assert tasks[0].count == 3
    tasks[1].update()
    assert robot.calls[3:] == [(2, 4)]


def test_a_robot_s_task_needs_a_state_first_and_rows_need_an_update() -> None:
    task = Compiled("hand", FakeModel(), 1)
    reads: list[Callable[[], object]] = [
        lambda: task.A,
        lambda: task.b,
        lambda: task[0].A,
        lambda: task.error,
    ]
    for read in reads:
        with pytest.raises(NotUpdatedError, match="'hand' has no rows yet"):
            read()
    with pytest.raises(StackError, match="needs a state"):
        task.update()
    with pytest.raises(StackError, match="needs a state"):
        Stack([task]).solve()
    task.update(FakeState(1))
    assert task.b.tolist() == [1.0, 2.0]
    task.update()
    assert task.count == 2


def test_a_tick_without_a_state_is_in_the_state_of_the_last_one() -> None:
    task = Python()
    stack = Stack([task])
    stack.update()
    assert task.seen is None
    stack.update(FakeState(3))
    stack.update()
    assert task.seen == 3
    task.update()
    assert task.seen == 3
    task.update(FakeState(4))
    task.update()
    assert task.seen == 4
    assert task.count == 6
    stack.update()
    assert task.seen in {3, 4}


def test_a_task_added_to_a_bound_later_is_updated_for_the_state_already_seen() -> None:
    a, late = Compiled("a"), Compiled("late")
    stack = Stack([a])
    state = FakeState(1)
    stack.solve(state)
    stack.bounds.append(late[0] << ())  # type: ignore[arg-type]
    late.floats[2] = 9.0
    np.testing.assert_allclose(stack.solve(state).x, [9.0, 2.0], atol=1e-8)
    assert (a.count, late.count) == (1, 1)


def test_nan_in_a_task_is_an_error_that_names_it() -> None:
    task = Python("broken")
    other = GenericTask("fine", np.eye(2), np.ones(2))
    stack = Stack([other + task])
    stack.solve(FakeState(1))
    task.own_error[1] = np.nan
    with pytest.raises(NotFiniteError, match="broken"):
        stack.solve()
    task.own_error[1] = 0.0
    task.J[0, 1] = np.inf
    with pytest.raises(NotFiniteError, match="broken"):
        stack.solve()


def test_nan_in_a_limit_is_an_error_that_names_it() -> None:
    limit = Limit()
    stack = Stack([GenericTask("fine", np.eye(2), np.ones(2))], bounds=limit)
    stack.solve()
    limit.own_upper[0] = np.nan
    with pytest.raises(NotFiniteError, match="limit"):
        stack.solve()


def test_ticks_do_not_let_memory_grow() -> None:
    import tracemalloc

    stack = (Compiled() / Python()) << Limit()
    for stamp in range(1, 50):
        stack.solve(FakeState(stamp))
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        for stamp in range(50, 450):
            stack.solve(FakeState(stamp))
        gc.collect()
        grown = tracemalloc.get_traced_memory()[0] - before
    finally:
        tracemalloc.stop()
    assert grown < 20_000


def test_the_same_ticks_give_the_same_bits_after_a_reset() -> None:
    rng = np.random.default_rng(0)
    A, b = rng.normal(size=(2, 2)), rng.normal(size=(20, 2))
    task = GenericTask("t", A, b[0])
    stack = (task / GenericTask("u", np.eye(2), [1.0, 1.0])) << Limit()

    def run() -> list[bytes]:
        out = []
        for row in b:
            task.b = row
            out.append(stack.solve().x.tobytes())
        return out

    first = run()
    stack.reset()
    assert run() == first


def test_a_time_limit_gives_the_best_feasible_point_by_then() -> None:
    stack = (Compiled() / Python()) << Limit()
    state = FakeState(1)
    solution = stack.solve(state, time_limit=10.0)
    assert solution.is_solved
    np.testing.assert_allclose(solution.x, stack.solve(state).x, atol=1e-8)
    hurried = stack.solve(state, time_limit=0.0)
    assert (hurried.x <= 1.5 + 1e-9).all()
    from footwork.stack.solvers import WeightedQP

    stack.solver = WeightedQP()
    with pytest.raises(InputError, match="WeightedQP keeps no time limit"):
        stack.solve(time_limit=1.0)


class Grower(Python):
    """A user's task that gives another task a new number of rows while it is computed."""

    def __init__(self, other: GenericTask) -> None:
        super().__init__("grower")
        self.other = other

    def compute(self, state: State | None) -> None:
        super().compute(state)
        rows = 1 + self.count % 5
        self.other.set(np.tile([1.0, 0.0], (rows, 1)), np.full(rows, float(rows)))


@pytest.mark.parametrize("shared", [False, True])
def test_rows_that_change_during_a_tick_are_followed(shared: bool) -> None:
    other = GenericTask("other", [[1.0, 0.0]], [1.0])
    grower = Grower(other)
    stack = other / grower
    second = Stack([grower]) if shared else None
    for stamp in range(1, 12):
        x = stack.solve(FakeState(stamp)).x
        if second is not None:
            second.update(FakeState(stamp))
        assert grower.count == stamp
        assert x[0] == pytest.approx(other.task_size)
        assert x[1] == pytest.approx(5.0)
