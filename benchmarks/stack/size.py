"""Cost of a tick against size: 10 to 120 joints, 1 to 8 strict levels, within bounds.

    OMP_NUM_THREADS=1 python -m benchmarks.stack.size [--ticks 300]

Robots are random trees of limbs with six joints each. Position tasks of frames all over the tree
have half as many rows as there are joints, dealt out evenly to all levels but the last, which is
the posture; one level holds all. The frames follow ellipses wide enough that joint limits become
active. A tick is everything between a configuration and its joint velocities: kinematics, tasks,
limits, levels. Medians of thread CPU time, the configurations in turn, the best of three rounds.

Writes benchmarks/results/stack_size.json and docs/_static/stack_size.png.
"""

import argparse
import json
import platform
import time
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from footwork.robot import RobotModel
from footwork.spatial import Pose
from footwork.stack import Aggregated, Stack
from footwork.stack.constraints import velocity as limits
from footwork.stack.solvers import Solution
from footwork.stack.tasks import velocity

ROOT = Path(__file__).parents[2]
RESULT = ROOT / "benchmarks/results/stack_size.json"
PICTURE = ROOT / "docs/_static/stack_size.png"
JOINTS = (10, 20, 30, 45, 60, 80, 100, 120)
LEVELS = (1, 2, 3, 4, 6, 8)
LIMB, DT, ROUNDS = 6, 0.002, 3


def random_tree(joints: int, seed: int = 0) -> RobotModel:
    """Make a fixed-base tree: each limb hangs on a random link of an earlier one."""
    rng = np.random.default_rng(seed)
    inertia = '<inertia ixx="1e-3" iyy="1e-3" izz="1e-3" ixy="0" ixz="0" iyz="0"/>'
    body = f'<inertial><mass value="1"/>{inertia}</inertial>'
    parts = [f'<link name="link0">{body}</link>']
    for i in range(joints):
        is_root = i % LIMB == 0
        parent = int(rng.integers(max(i - 2 * LIMB, 0), i + 1)) if is_root else i
        axis = np.eye(3)[int(rng.integers(3))]
        xyz = rng.uniform(-0.1, 0.1, 3) + np.array([0.0, 0.0, 0.15])
        parts.append(
            f'<link name="link{i + 1}">{body}</link><joint name="joint{i}" type="revolute">'
            f'<parent link="link{parent}"/><child link="link{i + 1}"/>'
            f'<origin xyz="{xyz[0]} {xyz[1]} {xyz[2]}"/><axis xyz="{axis[0]} {axis[1]} {axis[2]}"/>'
            '<limit lower="-1.2" upper="1.2" velocity="2" effort="100"/></joint>'
        )
    return RobotModel.from_urdf(f'<robot name="tree">{"".join(parts)}</robot>', floating_base=False)


class Run:
    """One robot with one number of levels, in closed loop."""

    def __init__(self, joints: int, levels: int) -> None:
        self.robot = random_tree(joints)
        self.q, self.v = np.full(joints, 0.1), np.zeros(joints)
        rows = joints // 2
        links = np.linspace(joints, LIMB // 2, -(-rows // 3)).round().astype(int)
        self.frames = [velocity.Cartesian(self.robot, f"link{i}") for i in links]
        state = self.robot.state(self.q)
        self.home = [state.placement(f"link{i}")[1].copy() for i in links]
        for frame in self.frames:
            frame.lambda_ = 10.0
        posture = velocity.Postural(self.robot)
        positions = Aggregated(*(frame["x", "y", "z"] for frame in self.frames))
        if levels == 1:
            stacked: list[Any] = [positions[: joints // 2] + 0.01 * posture]
        else:
            ends = np.linspace(0, rows, levels).round().astype(int)
            stacked = [positions[i:j] for i, j in pairwise(ends) if i < j]
            stacked.append(posture)
        self.stack = Stack(stacked, bounds=limits.JointLimits(self.robot, dt=DT))

    def aim(self, k: int) -> None:
        """Move the references along their ellipses."""
        for i, (frame, home) in enumerate(zip(self.frames, self.home, strict=True)):
            at = np.pi * k * DT + i
            ellipse = np.array([np.sin(at), np.cos(at) - 1.0, 0.5 * np.sin(at)])
            frame.reference = Pose.from_translation(home + 0.25 * ellipse)

    def tick(self) -> Solution:
        """Solve at the present state and move on."""
        solution = self.stack.solve(self.robot.state(self.q, self.v))
        self.v = solution.x
        self.q = self.robot.integrate(self.q, self.v * DT)
        return solution


def measure(joints: int, levels: int, ticks: int) -> dict[str, float]:
    """Median and 99th percentile [µs], failures, and mean number of active limits."""
    medians, highs, failures, active = [], [], 0, 0
    for _ in range(ROUNDS):
        run = Run(joints, levels)
        times = np.empty(ticks)
        for k in range(ticks):
            run.aim(k)
            start = time.thread_time_ns()
            solution = run.tick()
            times[k] = (time.thread_time_ns() - start) / 1e3
            failures += not solution.is_solved
            active += len(solution.active_set)
        medians.append(float(np.median(times)))
        highs.append(float(np.quantile(times, 0.99)))
    return {
        "joints": joints,
        "levels": levels,
        "median_us": round(min(medians), 1),
        "p99_us": round(min(highs), 1),
        "failures": failures,
        "active_limits": round(active / (ROUNDS * ticks), 1),
    }


def draw(entries: list[dict[str, float]]) -> None:
    """Cost over joints and over levels."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"font.size": 9}):
        figure = Figure(figsize=(8.0, 3.4), layout="constrained")
        left, right = figure.subplots(1, 2, sharey=True)
        table = {(e["joints"], e["levels"]): e["median_us"] for e in entries}
        for colour, count in enumerate(LEVELS):
            if any((n, count) in table for n in JOINTS):
                times = [table[n, count] for n in JOINTS if (n, count) in table]
                left.loglog(
                    JOINTS[: len(times)], times, "o-", ms=3, c=f"C{colour}", label=f"{count}"
                )
        for colour, n in enumerate(JOINTS[1::2]):
            times = [table[n, count] for count in LEVELS if (n, count) in table]
            right.semilogy(
                LEVELS[: len(times)], times, "s-", ms=3, c=f"C{colour + 6}", label=f"{n}"
            )
        left.set(xlabel="joints", ylabel="tick [µs], thread CPU time, median")
        shown = [n for n in JOINTS if n != 100]
        left.set_xticks(shown, [str(n) for n in shown])
        left.minorticks_off()
        right.set(xlabel="levels", ylim=(20.0, 4000.0))
        left.legend(title="levels", fontsize=8)
        right.legend(title="joints", fontsize=8, ncols=4, loc="upper left")
        for axes in (left, right):
            axes.grid(which="both", alpha=0.3)
        figure.savefig(PICTURE, dpi=110, metadata={"Software": None})


def main() -> None:
    """Measure every size, write the result and the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ticks", type=int, default=300)
    parser.add_argument("--draw", action="store_true", help="only draw what was measured")
    arguments = parser.parse_args()
    if not arguments.draw:
        entries = []
        for joints in JOINTS:
            for levels in LEVELS:
                entries.append(measure(joints, levels, arguments.ticks))
                print(entries[-1], flush=True)
        names = ("numpy", "numba", "pin")
        result = {
            "machine": f"{platform.machine()}, Python {platform.python_version()}",
            "versions": {name: version(name) for name in names},
            "ticks": arguments.ticks,
            "entries": entries,
        }
        RESULT.write_text(json.dumps(result, indent=1) + "\n")
    draw(json.loads(RESULT.read_text())["entries"])


if __name__ == "__main__":
    main()
