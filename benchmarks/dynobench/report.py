"""Write benchmarks/results/dynobench.md from the measured files beside it.

python benchmarks/dynobench/report.py
"""

import json
import math
from pathlib import Path
from statistics import median
from typing import Any

RESULTS = Path(__file__).parents[1] / "results"


def cell(value: float | None, missing: str = "–") -> str:
    return missing if value is None or not math.isfinite(value) else f"{value:.3g}"


def methods(problem: dict[str, Any]) -> str:
    """Which planners found the first paths."""
    names = sorted({run["planner"] for run in problem["runs"] if run["planner"]})
    return ", ".join(names) or "–"


def row(problem: dict[str, Any], budget: float, seeds: int) -> str:
    first = sorted(math.inf if v is None else v for v in problem["first"])
    costs = [v for v in problem["cost"] if v is not None]
    ratio = None
    if costs and problem["shipped"]:
        ratio = min(costs) / problem["shipped"]
    cells = [
        problem["problem"],
        f"{problem['solved']}/{seeds}",
        f"{budget:g}",
        cell(median(first)),
        cell(median(costs) if costs else None, "unsolved"),
        cell(min(costs) if costs else None, "unsolved"),
        cell(problem["shipped"]),
        cell(ratio),
        methods(problem),
    ]
    return "| " + " | ".join(cells) + " |"


def required(data: dict[str, Any]) -> list[str]:
    lines = [
        "## Required: unicycle1, unicycle2, car1, first path, 10 seeds",
        "",
        "| problem | solved | first, median [s] | first, worst [s] |",
        "|---|---|---|---|",
    ]
    for problem in data["problems"]:
        first = sorted(math.inf if v is None else v for v in problem["first"])
        lines.append(
            f"| {problem['problem']} | {problem['solved']}/{data['seeds']} "
            f"| {cell(median(first))} | {cell(first[-1])} |"
        )
    return [*lines, ""]


def main() -> None:
    lines = [
        "# Dynobench's problems",
        "",
        "Processor time of one thread, on a machine busy with other work. A path counts if it",
        "passes `PathControl.check` with bounds, ends within 0.2 of the goal in its metric,",
        "and the package's own collision test finds nothing. Costs are durations. The solutions of",
        "iDb-A* that are shipped end nearer to the goal than 0.2, so a cost below theirs is not a",
        "better plan to the same point.",
        "",
    ]
    first = RESULTS / "dynobench_required.json"
    if first.exists():
        data = json.loads(first.read_text("utf-8"))
        lines += ["; ".join(data["machine"]), "", *required(data)]
    lines += [
        "## All problems: cost when the budget is spent",
        "",
        "| problem | solved | budget [s] | first, median [s] | cost, median [s] | cost, best [s] "
        "| iDb-A* shipped [s] | best / shipped | first path by |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    data = json.loads((RESULTS / "dynobench.json").read_text("utf-8"))
    lines += [row(problem, data["budget"], data["seeds"]) for problem in data["problems"]]
    (RESULTS / "dynobench.md").write_text("\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
