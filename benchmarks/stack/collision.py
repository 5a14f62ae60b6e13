"""Cost of collision avoidance and of the gradient tasks, beside the solver.

    OMP_NUM_THREADS=1 python -m benchmarks.stack.collision

Postures swing slowly around random ones, as they do under control; every pair of links that the
default watches counts. Medians and 99th percentiles of thread CPU time in µs, kinematics left out.

Writes benchmarks/results/stack_collision.json.
"""

import json
import platform
import time
from importlib.metadata import version
from pathlib import Path

import numpy as np

from footwork.robot import RobotModel, load
from footwork.stack.constraints.velocity import CollisionAvoidance
from footwork.stack.leaf import LeafConstraint, LeafTask
from footwork.stack.tasks.velocity import Manipulability, MinimumEffort

RESULT = Path(__file__).parents[1] / "results/stack_collision.json"
DT, TICKS, POSTURES = 0.005, 400, 3


def cost(robot: RobotModel, part: LeafConstraint | LeafTask) -> dict[str, float]:
    """Time of ``compute`` while the joints swing by 0.2 rad at 0.5 Hz."""
    rng, first = np.random.default_rng(0), robot.nv - robot.nu
    times = []
    for k in range(POSTURES):
        around, swing = np.zeros((2, robot.nv))
        around[first:] = 0.2 * k * rng.standard_normal(robot.nu)
        swing[first:] = 0.2 * rng.standard_normal(robot.nu)
        for i in range(TICKS):
            moved = around + np.sin(np.pi * i * DT) * swing
            state = robot.state(robot.integrate(robot.standing_configuration, moved))
            robot.compute(state)
            start = time.thread_time_ns()
            part.compute(state)
            times.append((time.thread_time_ns() - start) / 1e3)
    median, high = np.median(times), np.quantile(times, 0.99)
    return {"median_us": round(float(median), 1), "p99_us": round(float(high), 1)}


def main() -> None:
    """Measure and write."""
    result: dict[str, object] = {
        "machine": f"{platform.machine()}, Python {platform.python_version()}",
        "versions": {name: version(name) for name in ("numpy", "numba", "pin", "coal")},
    }
    for name in ("g1", "talos", "go2"):
        robot = load(name)
        avoid = CollisionAvoidance(robot, dt=DT)
        result[f"{name}, {len(avoid.pair_names)} pairs"] = cost(robot, avoid)
    for name, frame in (("panda", "hand"), ("g1", "left_hand")):
        robot = load(name)
        result[f"{name}, manipulability"] = cost(robot, Manipulability(robot, frame))
        result[f"{name}, minimum effort"] = cost(robot, MinimumEffort(robot))
    RESULT.write_text(json.dumps(result, indent=1) + "\n")
    print(json.dumps(result, indent=1))


if __name__ == "__main__":
    main()
