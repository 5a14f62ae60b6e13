"""Whatever ends a call of solve at whatever moment: the planner goes on as if nothing had been."""

import signal
import threading
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

import footwork.planning as fp
from footwork.errors import InputError
from footwork.planning.planners.search import Search
from tests.planning.planners.systems import PLANNERS, Maker, box_system, shift

FAR = fp.Problem([0.1, 0.1], [0.9, 0.9], goal_tolerance=1e-9)
MANY = 10**9


@pytest.fixture(params=list(PLANNERS))
def make(request: pytest.FixtureRequest) -> Maker:
    return PLANNERS[request.param]


def tree_after(planner: Any, iterations: int, **options: Any) -> list[Any]:
    result = planner.solve(FAR, iteration_limit=iterations, stop_at_path=False, **options)
    data = result.planner_data()
    return [data.states.tolist(), result.statistics.iterations, result.remaining_distance]


def test_ctrl_c_in_a_callback_changes_nothing_but_the_pause(make: Maker) -> None:
    calls = -MANY

    def interrupted(x: Any, u: Any, dt: float) -> Any:
        nonlocal calls
        calls += 1
        if calls == 20:
            signal.raise_signal(signal.SIGINT)
        return shift(x, u, dt)

    handler = signal.getsignal(signal.SIGINT)
    planner = make(box_system(2, propagate=interrupted), seed=3)
    planner.prepare(FAR)
    done = pauses = 0
    while done < 60:
        calls = 0
        result = planner.solve(FAR, iteration_limit=60 - done, stop_at_path=False)
        pauses += result.stopped_by is fp.StoppedBy.INTERRUPT
        done = result.statistics.iterations
    assert pauses > 3
    assert signal.getsignal(signal.SIGINT) is handler
    assert tree_after(planner, 0) == tree_after(make(box_system(2), seed=3), 60)


def test_a_second_ctrl_c_does_not_wait(make: Maker) -> None:
    came_so_far: list[int] = []
    is_prepared = False

    def hangs(x: Any, u: Any, dt: float) -> Any:
        if not is_prepared:
            return shift(x, u, dt)
        came_so_far.append(0)
        signal.raise_signal(signal.SIGINT)
        came_so_far.append(1)
        signal.raise_signal(signal.SIGINT)
        came_so_far.append(2)
        return shift(x, u, dt)

    planner = make(box_system(2, propagate=hangs), seed=3)
    planner.prepare(FAR)
    is_prepared = True
    result = planner.solve(FAR, time_limit=60.0)
    assert result.stopped_by is fp.StoppedBy.INTERRUPT
    assert came_so_far == [0, 1]


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_a_tree_that_could_not_grow_goes_on_as_it_was(
    make: Maker, error: type[BaseException], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("footwork.planning.planners.search.FIRST_NODES", 1)
    planner, count = make(box_system(2), seed=3), 200
    if isinstance(planner, fp.MultipleShooting):
        pytest.skip("has no arrays that grow")

    def fails(*_: Any) -> None:
        raise error

    planner.solve(FAR, iteration_limit=1)
    search: Any = planner._search
    assert isinstance(search, Search)
    room = len(search.tree.parent)
    with monkeypatch.context() as patched:
        patched.setattr(search, "_grow_own", fails)
        with suppress(error):  # of Ctrl-C the result tells
            planner.solve(FAR, iteration_limit=count - 1, stop_at_path=False)
    assert len(search.tree.parent) == room
    done = search.iterations
    assert done < count, "no array was full"
    assert tree_after(planner, count - done) == tree_after(make(box_system(2), seed=3), count)


def test_one_planner_is_not_solving_twice_at_a_time(make: Maker) -> None:
    answers: list[Any] = []

    def again(*_: Any) -> bool:
        for solve in (planner.solve, fp.Portfolio(si, [planner]).solve):
            try:
                answers.append(solve(FAR, iteration_limit=1))
            except InputError as error:
                answers.append(str(error))
        return True

    def from_another_thread() -> bool:
        thread = threading.Thread(target=again)
        thread.start()
        thread.join()
        return True

    si = box_system(2)
    planner = make(si, seed=3)
    for condition in (again, from_another_thread):
        planner.solve(FAR, condition=condition)
    assert len(answers) == 4
    assert all("is at work already" in str(answer) for answer in answers)
    assert np.isfinite(planner.solve(FAR, iteration_limit=3).remaining_distance)
