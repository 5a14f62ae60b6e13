"""The problems of dynobench: solved or not, time to the first path, cost at the end.

    python benchmarks/planning/dynobench_table.py [--seconds 30] [--seeds 3] [--only unicycle1]

A portfolio of SST with three pairs of radii, RRT with intermediate states, EST and KPIECE1 takes
turns on one thread; times are processor seconds. Beside it stands the cost of the iDb-A* solution
that the package ships. Writes benchmarks/results/dynobench.json and .md.
"""

import argparse
import json
import math
import time
from pathlib import Path
from typing import Any

import numpy as np

import footwork.planning as fp
from footwork.planning import dynobench


def members(si: fp.SpaceInformation, seed: int) -> list[fp.Planner]:
    """Planners that between them find tight goals and improve what was found."""
    radii = [(0.4, 0.2), (0.2, 0.1), (0.1, 0.05)]
    sparse = [
        fp.SST(si, seed=10 * seed + i, selection_radius=s, pruning_radius=p)
        for i, (s, p) in enumerate(radii)
    ]
    return [
        *sparse,
        fp.RRT(si, seed=10 * seed + 3, intermediate_states=True),
        fp.EST(si, seed=10 * seed + 4),
        fp.KPIECE1(si, seed=10 * seed + 5),
    ]


def run(file: Path, seed: int, seconds: float) -> dict[str, Any]:
    task = dynobench.read(file)
    portfolio = fp.Portfolio(task.si, members(task.si, seed), workers=1)
    portfolio.solve(task.problem, iteration_limit=1, stop_at_path=False)  # kernels loaded
    begun, first = time.process_time(), []
    result = portfolio.solve(
        task.problem,
        stop_at_path=False,
        memory_limit=4_000_000_000,
        condition=lambda: time.process_time() - begun > seconds,
        on_better=lambda path, cost: first.append(time.process_time() - begun),
    )
    checked = False
    if result.path is not None:
        path = result.path
        checked = path.check()
        assert task.problem.goal.is_satisfied(task.si.state_space, path.states[-1])
    return {
        "seed": seed,
        "solved": bool(result),
        "first": first[0] if first else math.inf,
        "cost": result.cost,
        "remaining": result.remaining_distance,
        "checked": checked,
        "winner": type(portfolio.winner).__name__ if result else "",
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    head = (
        f"| problem | solved | paths that pass check() | median s to first | median cost after "
        f"{options.seconds:g} s | iDb-A* | left to the goal, unsolved |"
    )
    lines, log = [head, "|---|---|---|---|---|---|---|"], []
    for name, file in dynobench.problem_files().items():
        if options.only not in name:
            continue
        runs = [run(file, seed, options.seconds) for seed in range(options.seeds)]
        log.append({"problem": name, "runs": runs, "shipped": dynobench.shipped_cost(file)})
        solved = [r for r in runs if r["solved"]]
        missing = [r["remaining"] for r in runs if not r["solved"]]
        first = f"{np.median([r['first'] for r in solved]):.3f}" if solved else "–"
        cost = f"{np.median([r['cost'] for r in solved]):.2f}" if solved else "unsolved"
        lines.append(
            f"| {name} | {len(solved)}/{len(runs)} | {sum(r['checked'] for r in solved)} | {first} "
            f"| {cost} | {log[-1]['shipped']} | {min(missing):.2f} |"
            if missing
            else f"| {name} | {len(solved)}/{len(runs)} | {sum(r['checked'] for r in solved)} "
            f"| {first} | {cost} | {log[-1]['shipped']} | |"
        )
        print(lines[-1], flush=True)
    results = Path(__file__).parents[1] / "results"
    results.mkdir(exist_ok=True)
    text = (
        f"# dynobench\n\n{options.seeds} seeds, {options.seconds:g} s of processor time each.\n\n"
    )
    (results / "dynobench.md").write_text(text + "\n".join(lines) + "\n")
    (results / "dynobench.json").write_text(json.dumps(log, indent=0))


if __name__ == "__main__":
    main()
