"""How close SST comes to optima that are known in closed form.

    python benchmarks/planning/optimum.py [--seeds 5] [--seconds 10]

A double integrator from rest to rest, and a Dubins car to three places, without obstacles; see
tests/planning/planners/optima.py for the formulas. Writes benchmarks/results/planning_optimum.md.
"""

import argparse
import math
import os
import platform
import statistics
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))
from tests.planning.planners.optima import KnownOptimum, double_integrator, dubins_car

GOALS = ((2.5, 2.0, math.pi / 2), (0.0, 3.0, math.pi), (-1.0, 2.5, math.pi / 2))
"""Where the Dubins car shall go: ahead, beside, and behind."""
TARGET = 1.15
"""Cost over the least cost."""


def costs(known: KnownOptimum, seed: int, seconds: float) -> tuple[float, float]:
    """Cost after a tenth of the processor time, and after all of it."""
    begun, early = time.process_time(), math.inf

    def note(path: object, cost: float) -> None:
        nonlocal early
        if time.process_time() - begun <= 0.1 * seconds:
            early = cost

    result = known.planner(seed).solve(
        known.problem,
        condition=lambda: time.process_time() - begun > seconds,
        on_better=note,
    )
    assert result.path is None or result.path.check()
    return early, result.cost


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=10.0)
    options = parser.parse_args()
    seconds, seeds = options.seconds, range(options.seeds)
    lines = [
        "# SST against known optima\n",
        f"Python {platform.python_version()}, {os.cpu_count()} cores, load "
        f"{os.getloadavg()[0]:.1f}; {len(seeds)} seeds, processor seconds. The least cost is that "
        "of the goal state itself; within the tolerance it may be undercut, down to the third "
        "column.\n",
        f"| problem | least [s] | within the tolerance [s] | median after {0.1 * seconds:g} s, "
        f"over the least | median after {seconds:g} s | worst | target |",
        "|---|---|---|---|---|---|---|",
    ]
    for known in (double_integrator(), *map(dubins_car, GOALS)):
        known.planner(0).solve(known.problem, iteration_limit=50)  # compiles
        pairs = [costs(known, seed, seconds) for seed in seeds]
        early, late = ([pair[i] / known.least for pair in pairs] for i in (0, 1))
        lines.append(
            f"| {known.name} | {known.least:.3f} | {known.least_in_region:.3f} "
            f"| {statistics.median(early):.3f} | {statistics.median(late):.3f} | {max(late):.3f} "
            f"| {TARGET} |"
        )
        print(lines[-1], flush=True)
    results = Path(__file__).parents[1] / "results"
    (results / "planning_optimum.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
