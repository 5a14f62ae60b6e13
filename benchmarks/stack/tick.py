"""What a tick costs beside the solver: a user's task, changed gains, memory over a million ticks.

    OMP_NUM_THREADS=1 python -m benchmarks.stack.tick [--ticks 1000000]

Writes benchmarks/results/stack_tick.json.
"""

import argparse
import json
import os
import platform
import resource
import time
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import numpy as np

from footwork.robot import RobotModel, load
from footwork.stack import LeafTask, Stack
from footwork.stack.constraints import velocity as limits
from footwork.stack.segment import State
from footwork.stack.tasks import velocity

RESULT = Path(__file__).parents[1] / "results/stack_tick.json"
DT = 0.002


class Height(LeafTask):
    """A user's task: the pelvis stays at a height."""

    def __init__(self, robot: RobotModel) -> None:
        super().__init__("height", rows=1, x_size=robot.nv, model=robot, needs=1)
        self.J[0, 2] = 1.0

    def compute(self, state: State | None) -> None:
        self.own_error[0] = 0.9 - state.q[2]  # type: ignore[union-attr]


class Scene:
    """Talos, two feet, centre of mass, a hand, posture, joint limits."""

    def __init__(self, robot: str) -> None:
        self.robot = load(robot)
        self.feet = [velocity.Cartesian(self.robot, f) for f in ("left_foot", "right_foot")]
        self.com, self.hand = velocity.CoM(self.robot), velocity.Cartesian(self.robot, "right_hand")
        self.posture = velocity.Postural(self.robot)
        self.com.weight = self.hand.weight = 10.0
        for foot in self.feet:
            foot.weight = 100.0
        self.posture.weight = 0.01
        self.tasks = [*self.feet, self.com, self.hand, self.posture]
        for task in self.tasks:
            task.lambda_ = 10.0
        self.q = self.robot.standing_configuration.copy()
        self.v = np.zeros(self.robot.nv)
        self.home = self.robot.state(self.q).p_world_com

    def stack(self, *more: LeafTask) -> Stack:
        level = self.tasks[0]
        for task in (*self.tasks[1:], *more):
            level = level + task
        return Stack([level], bounds=limits.JointLimits(self.robot, dt=DT))

    def tick(self, stack: Stack, k: int) -> None:
        self.com.reference = self.home + np.array([0.0, 0.03 * np.sin(np.pi * k * DT), 0.0])
        solution = stack.solve(self.robot.state(self.q, self.v))
        self.v = solution.x
        self.q = self.robot.integrate(self.q, self.v * DT)


def median(call: Callable[[], object], repeats: int = 3000) -> float:
    times = np.empty(repeats)
    for i in range(repeats):
        start = time.perf_counter()
        call()
        times[i] = time.perf_counter() - start
    return float(np.median(times) * 1e6)


def user_task(scene: Scene) -> dict[str, float]:
    """Microseconds of a user's Python task beside its own code; rounds in turn."""
    plain, task = scene.stack(), Height(scene.robot)
    with_task = scene.stack(task)
    state = scene.robot.state(scene.q, scene.v)
    costs, own = [], []
    for _ in range(5):
        without = median(lambda: plain.solve(scene.robot.state(scene.q, scene.v)))
        with_it = median(lambda: with_task.solve(scene.robot.state(scene.q, scene.v)))
        alone = median(lambda: task.compute(state))
        costs.append(with_it - without - alone)
        own.append(alone)
    return {"beside_its_own_code_us": float(np.median(costs)), "own_code_us": float(np.median(own))}


def changes(scene: Scene) -> dict[str, float]:
    stack = scene.stack()
    state = scene.robot.state(scene.q, scene.v)
    stack.solve(state)
    plain = median(lambda: stack.solve(state))
    count = [0.0]

    def with_change(change: Callable[[float], None]) -> float:
        def call() -> None:
            count[0] += 1.0
            change(10.0 + count[0] % 7.0)
            stack.solve(state)

        return median(call, 1000) - plain

    def switch(value: float) -> None:
        scene.hand.is_active = value % 2.0 > 0.5

    return {
        "lambda_us": with_change(lambda value: setattr(scene.hand, "lambda_", value)),
        "weight_us": with_change(lambda value: setattr(scene.hand, "weight", value)),
        "switch_us": with_change(switch),
    }


def endurance(scene: Scene, ticks: int) -> dict[str, float]:
    """Memory after a tenth of the ticks and at the end; times in CPU time of the thread."""
    stack = scene.stack(Height(scene.robot))
    # Written once beforehand: pages that are touched late would look like growth.
    times = np.ones(min(ticks, 200_000))
    first = 0
    for k in range(ticks):
        if k == ticks // 10:
            first = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        start = time.thread_time()
        scene.tick(stack, k)
        times[k % len(times)] = time.thread_time() - start
    last = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    middle, high = np.percentile(times, [50, 99.9]) * 1e6
    return {
        "ticks": ticks,
        "grown_kilobytes": float(last - first),
        "median_cpu_us_with_integration": float(middle),
        "p99.9_over_median": float(high / middle),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument(
        "--ticks", type=int, default=1_000_000, help="ticks of the endurance run (%(default)s)"
    )
    parser.add_argument("--robot", default="talos", help="name of a humanoid (%(default)s)")
    arguments = parser.parse_args()
    scene = Scene(arguments.robot)
    result = {
        "machine": platform.processor() or platform.machine(),
        "python": platform.python_version(),
        "numba": version("numba"),
        "pin": version("pin"),
        "robot": arguments.robot,
        "load_before": os.getloadavg()[0],
        "user_task": user_task(scene),
        "changes": changes(scene),
        "endurance": endurance(scene, arguments.ticks),
    }
    RESULT.parent.mkdir(exist_ok=True)
    RESULT.write_text(json.dumps(result, indent=2) + "\n")
    print(json.dumps(result, indent=2))


if __name__ == "__main__":
    main()
