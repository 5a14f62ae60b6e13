"""One solver in the hands of several threads: every solve is of its own problem, in live memory."""

import os
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter

import numpy as np
import pytest

from footwork.stack.solvers import Level, Problem, StrictHierarchy, WeightedQP
from footwork.stack.solvers.strict import Workspace
from footwork.typing import IntVector, Vector


def problem(n: int, seed: int) -> Problem:
    rng = np.random.default_rng(seed)
    top = Level(A=rng.normal(size=(n // 2, n)), b=rng.normal(size=n // 2))
    rest = Level(A=np.eye(n), b=rng.normal(size=n))
    return Problem.from_levels([top, rest], size=n, lower=-np.ones(n), upper=np.ones(n))


PROBLEMS = [problem(n, seed) for n, seed in ((3, 0), (40, 1), (3, 2), (60, 3))]
WANTED = [StrictHierarchy().solve(p).x for p in PROBLEMS]


@pytest.mark.parametrize("other", [1, 2])
def test_a_solve_in_the_middle_of_another_one_leaves_it_its_arrays(
    monkeypatch: pytest.MonkeyPatch, other: int
) -> None:
    solver = StrictHierarchy()
    make, between = Workspace.outputs, []

    def outputs(workspace: Workspace) -> tuple[Vector, IntVector]:
        arrays = make(workspace)
        monkeypatch.undo()
        between.append(solver.solve(PROBLEMS[other]).x)
        return arrays

    monkeypatch.setattr(Workspace, "outputs", outputs)
    np.testing.assert_allclose(solver.solve(PROBLEMS[0]).x, WANTED[0], atol=1e-9)
    np.testing.assert_allclose(between[0], WANTED[other], atol=1e-9)


@pytest.fixture
def hasty_threads() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.skipif(
    os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="only a compiled kernel keeps the lock"
)
@pytest.mark.usefixtures("hasty_threads")
@pytest.mark.parametrize("time_limit", [None, 60.0])
@pytest.mark.parametrize("kind", [StrictHierarchy, WeightedQP])
def test_threads_may_share_a_solver(
    kind: type[StrictHierarchy | WeightedQP], time_limit: float | None
) -> None:
    solver = kind()
    wanted = [kind().solve(p, time_limit=time_limit).x for p in PROBLEMS]
    end = perf_counter() + 0.3

    def work(i: int) -> float:
        worst, count = 0.0, 0
        while count < 2 or perf_counter() < end:
            x = solver.solve(PROBLEMS[i], time_limit=time_limit).x
            worst, count = max(worst, float(np.abs(x - wanted[i]).max())), count + 1
        return worst

    with ThreadPoolExecutor(len(PROBLEMS)) as threads:
        assert max(threads.map(work, range(len(PROBLEMS)))) < 1e-7
