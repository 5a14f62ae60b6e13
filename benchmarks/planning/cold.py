"""Processor time of a whole process that plans once: from its start to the path.

    python benchmarks/planning/cold.py [--runs 7]

Each process imports Footwork, makes a ready model in a world, plans with a planner whose machine
code is on the disk (`footwork warm-up`). Writes benchmarks/results/planning_cold.md.
"""

import argparse
import os
import platform
import statistics
import subprocess
import sys
from pathlib import Path

PLANNERS = ("RRT", "EST", "KPIECE1", "SST")
TARGET = 1.0
"""CPU time of the process [s]."""
NUMBA = "import time, numba; print(time.process_time())"
JOB = """
import sys
import time
import footwork.planning as fp

si = fp.models.unicycle([0.0, 0.0], [4.0, 4.0], is_valid=fp.worlds.Circles([[2.0, 2.0]], 0.5))
problem = fp.Problem([0.5, 0.5, 0.0], [3.5, 3.5, 0.0], goal_tolerance=0.4)
result = getattr(fp, sys.argv[1])(si, seed=1).solve(problem, time_limit=30.0, stop_at_path=True)
assert result.path is not None
print(time.process_time())
"""


def processor_time(code: str, *arguments: str) -> float:
    """Run Python code in a process of its own; give its CPU time when it printed it [s]."""
    command = [sys.executable, "-c", code, *arguments]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    runs = parser.parse_args().runs
    jobs = {"import numba": (NUMBA,)} | {name: (JOB, name) for name in PLANNERS}
    for job in jobs.values():
        processor_time(*job)  # compiles what is not on the disk yet
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(runs):
        for name, job in jobs.items():
            times[name].append(processor_time(*job))
    lines = [
        "# Cold start: process start to path\n",
        f"Python {platform.python_version()}, {os.cpu_count()} cores, load "
        f"{os.getloadavg()[0]:.1f}, {runs} runs of each in turn; CPU seconds of the process.\n",
        "| process | least | median | most | target |",
        "|---|---|---|---|---|",
    ]
    for name, values in times.items():
        target = f"{TARGET:g}" if name in PLANNERS else "–"
        numbers = f"{min(values):.2f} | {statistics.median(values):.2f} | {max(values):.2f}"
        lines.append(f"| {name} | {numbers} | {target} |")
    text = "\n".join(lines) + "\n"
    print(text)
    results = Path(__file__).parents[1] / "results"
    (results / "planning_cold.md").write_text(text)


if __name__ == "__main__":
    main()
