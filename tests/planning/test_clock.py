"""What is compiled, or read from the disk, does not count as planning.

Each case runs in a process of its own, where nothing has been read yet, and lists the kernels that
were read after the clock had started.
"""

import os
import subprocess
import sys
import time

import pytest

from footwork.planning.planners import progress

SETUP = """
import sys
import time

from numba.core.dispatcher import Dispatcher

import footwork.planning as fp
from footwork.planning.benchmark_run import Limits, run_once
from footwork.planning.goal_connection import connect_to_goal
from footwork.planning.shortcut import shortcut, smooth

def read():
    modules = [m for name, m in sys.modules.items() if name.startswith("footwork")]
    kernels = [v for m in modules for v in vars(m).values() if isinstance(v, Dispatcher)]
    return {f"{k.__module__}.{k.__name__}" for k in kernels if k.overloads}

before = []

def begins():
    if not before:
        before.append(read())
    return False

def clock():
    begins()
    return monotonic()

monotonic = time.monotonic
world = fp.worlds.Circles([[2.0, 2.0]], 0.4)
si = fp.models.unicycle([0.0, 0.0], [4.0, 4.0], is_valid=world)
problem = fp.Problem([0.5, 0.5, 0.0], [3.5, 3.5, 0.0], goal_tolerance=0.5)
u = [0.5, 0.3]
states = [[0.5, 0.5, 0.0]]
for _ in range(4):
    states.append(si.propagate(states[-1], u, steps=10))
way = fp.PathControl.from_arrays(si, states, [u] * 4, [10 * si.propagation_step_size] * 4)
to_its_end = fp.Problem(states[0], states[-1], goal_tolerance=0.1)
"""
PLANNERS = ["RRT", "EST", "KPIECE1", "PDST", "SST", "SyclopRRT", "SyclopEST", "MultipleShooting"]
CASES = {
    name: f"fp.{name}(si, seed=1).solve(problem, iteration_limit=300, condition=begins)"
    for name in PLANNERS
} | {
    "Portfolio": "fp.Portfolio(si, seed=1, workers=1).solve(problem, iteration_limit=50,"
    " condition=begins)",
    "benchmark": "seen = []; time.process_time = lambda: seen.append(read()) or 0.0;"
    " run_once(fp.SST(si, seed=1), problem, 1, Limits(9.0, None, improve=False, cpu_time=False));"
    " before[:], read = seen[:1], seen.pop",
    "shortcut": "time.monotonic = clock; shortcut(way, to_its_end, trials=50, time_limit=9.0)",
    "smooth": "time.monotonic = clock; smooth(way, to_its_end, trials=50, time_limit=9.0)",
    "connect_to_goal": "time.monotonic = clock; connect_to_goal(way, to_its_end, time_limit=9.0)",
}


@pytest.mark.parametrize("name", CASES)
def test_no_kernel_is_read_while_the_clock_runs(name: str) -> None:
    code = f"{SETUP}\n{CASES[name]}\nprint(sorted(read() - before[0]), len(before[0]))"
    words = [sys.executable, "-c", code]
    environment = {k: v for k, v in os.environ.items() if k != "NUMBA_DISABLE_JIT"}
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    late, _, count = done.stdout.rpartition(" ")
    assert late == "[]"
    assert int(count) > 0


def test_compiling_that_takes_long_is_said_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with progress.compiling(shown=True):
        pass
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    for shown in (False, True):
        with progress.compiling(shown=shown):
            time.sleep(0.1)
    assert capsys.readouterr().err == progress.COMPILING + "\n"


def test_progress_without_a_terminal_is_a_line_every_few_seconds(
    capsys: pytest.CaptureFixture[str],
) -> None:
    from footwork.planning.planners.run import Progress

    with progress.progress_line() as show:
        for k in range(120):
            show(
                Progress(
                    elapsed_time=0.1 * k,
                    iterations=k,
                    nodes=k,
                    best_cost=1.0,
                    remaining_distance=0.0,
                )
            )
    assert capsys.readouterr().err.splitlines() == [
        "  5.0 s  50 iterations  50 nodes  cost 1",
        " 10.0 s  100 iterations  100 nodes  cost 1",
    ]
