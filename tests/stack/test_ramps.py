"""Tasks that come and go without a jump of the solution."""

from itertools import pairwise

import numpy as np
import pytest

from footwork.errors import InputError
from footwork.stack import ConstraintToTask, GenericConstraint, GenericTask, Stack, Task
from footwork.typing import Vector


def run(stack: Stack, ticks: int) -> list[Vector]:
    out = []
    for _ in range(ticks):
        stack.update()
        out.append(stack.solve().x)
    return out


def largest_step(path: list[Vector]) -> float:
    return max(float(np.abs(b - a).max()) for a, b in pairwise(path))


def scenes() -> list[tuple[Stack, Task]]:
    def task(name: str, *rows: list[float], b: list[float]) -> GenericTask:
        return GenericTask(name, list(rows), b)

    top = task("top", [1.0, 0.0, 0.0], b=[2.0])
    mid = task("mid", [1.0, 1.0, 0.0], b=[0.5])
    rest = task("rest", [1, 0, 0], [0, 1, 0], [0, 0, 1], b=[1.0, 1.0, 1.0])
    box = GenericConstraint("box", lower=[-2.0, -2.0, -2.0], upper=[3.0, 3.0, 3.0])
    strict = Stack([top, mid, rest], bounds=box)
    low = task("low", [0.0, 0.0, 1.0], b=[2.5])
    weighted = Stack([2.0 * low + (task("a", [0, 1, 1], b=[1.0]) + rest)], bounds=box)
    wall = ConstraintToTask(GenericConstraint("wall", [[0.0, 1.0, 0.0]], upper=[-1.0]))
    soft = Stack([wall, rest], bounds=box)
    return [
        (strict, top),
        (strict, mid),
        (strict, mid[0]),
        (strict, rest),
        (weighted, low),
        (weighted, weighted[0]),
        (soft, wall),
    ]


@pytest.mark.parametrize("scene", range(7))
@pytest.mark.parametrize("on", [True, False])
def test_a_ramp_starts_and_ends_at_the_plain_solutions_and_never_jumps(
    scene: int, on: bool
) -> None:
    stack, task = scenes()[scene]
    if isinstance(task.id, str) and task.id == "mid_0":
        stack = Stack([stack[0], task, stack[2]], bounds=stack.bounds)
    task.is_active = not on
    before = stack.solve().x
    task.is_active = on
    after = stack.solve().x
    task.is_active = not on
    if on:
        task.activate(ticks=50)
    else:
        task.deactivate(ticks=50)
    path = [before, *run(stack, 55)]
    distance = float(np.abs(after - before).max())
    assert distance > 0.1
    assert largest_step(path) < 1.7 * distance / 50 + 1e-6
    np.testing.assert_allclose(path[-1], after, atol=1e-7)
    assert task.activation == float(on)
    assert task.is_active == on


def test_the_activation_is_smooth_and_takes_as_many_ticks_as_asked() -> None:
    task = GenericTask("t", [[1.0]], [1.0])
    stack = Stack([task])
    task.is_active = False
    task.activate(ticks=10)
    assert task.is_active
    seen = []
    for _ in range(12):
        stack.update()
        seen.append(task.activation)
    assert seen[9] == 1.0
    assert seen[8] < 1.0
    steps = np.diff([0.0, *seen[:10]])
    assert (steps > 0).all()
    assert steps[0] < 0.3 * steps.max()
    np.testing.assert_allclose(steps, steps[::-1], atol=1e-12)


def test_a_ramp_can_turn_round_half_way() -> None:
    stack, task = scenes()[1]
    path = run(stack, 3)
    task.deactivate(ticks=40)
    path += run(stack, 20)
    assert 0.4 < task.activation < 0.6
    task.activate(ticks=40)
    path += run(stack, 30)
    assert task.activation == 1.0
    assert largest_step(path) < 0.4
    np.testing.assert_allclose(path[-1], path[0], atol=1e-7)


def test_several_ramps_at_once_are_continuous() -> None:
    stack, _ = scenes()[0]
    top, mid, rest = stack
    top.is_active = mid.is_active = False
    path = run(stack, 2)
    mid.activate(ticks=60)
    path += run(stack, 15)
    top.activate(ticks=60)
    path += run(stack, 30)
    rest.deactivate(ticks=60)
    path += run(stack, 140)
    assert largest_step(path) < 0.35
    assert rest.activation == 0.0
    np.testing.assert_allclose(path[-1][:2], [2.0, -1.5], atol=1e-7)


def test_setting_is_active_ends_a_ramp() -> None:
    stack, task = scenes()[1]
    task.deactivate(ticks=10)
    run(stack, 3)
    task.is_active = True
    assert task.activation == 1.0
    assert run(stack, 1)[0][0] == pytest.approx(2.0)


def test_a_ramp_of_no_ticks_is_an_error_and_one_to_where_it_is_does_nothing() -> None:
    task = GenericTask("t", [[1.0]], [1.0])
    with pytest.raises(InputError, match="at least 1 tick, got 0"):
        task.activate(ticks=0)
    task.activate(ticks=5)
    Stack([task]).update()
    assert task.activation == 1.0
