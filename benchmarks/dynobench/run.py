"""Dynobench's problems, planned by Footwork beside the solutions of iDb-A* that it ships.

    python benchmarks/dynobench/run.py --requirement            # unicycle1, unicycle2, car1
    python benchmarks/dynobench/run.py --budget 30 --seeds 3    # the table of all problems

Time is processor time, of one thread. One run is one loop: a planner of trees and shooting in turn,
with a time slice that grows, until its first path; `shortcut` and what it gains; then the next
seed; the best path counts. A tree without a path into the goal hands its closest one to
`connect_to_goal`; `MultipleShooting` uses its whole slice, to make the path quicker. Results are
written after each problem, and a run that was stopped goes on with what is missing. The goal is
reached within 0.2 in dynobench's metric, dynamics are its own Euler steps, and every path that
counts has passed `PathControl.check` with bounds and, once more, the package's own collision test
where it can be loaded.
"""

import argparse
import json
import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress

from footwork.planning import PathControl, Problem, dynobench
from footwork.planning.benchmark import describe_machine
from footwork.planning.goal_connection import connect_to_goal
from footwork.planning.multiple_shooting import MultipleShooting
from footwork.planning.planners import EST, KPIECE1, RRT, Planner
from footwork.planning.shortcut import shortcut

RESULTS = Path(__file__).parents[1] / "results"
REQUIRED = ("unicycle1", "unicycle2", "car1")
SHOOT = "MultipleShooting"
CYCLE = ("KPIECE1", SHOOT, "EST", SHOOT, "RRT", SHOOT)
FIRST_SLICE = 1.0
CONNECTION_SLICE = 1.0
SHORTCUT_SLICE = 1.5


@dataclass
class Outcome:
    """What one run found."""

    seed: int
    first: float | None = None
    planner: str = ""
    progress: list[tuple[float, float]] = field(default_factory=list)

    @property
    def cost(self) -> float | None:
        return self.progress[-1][1] if self.progress else None


def make(name: str, si: Any, seed: int) -> Planner:
    if name == SHOOT:
        return MultipleShooting(si, seed=seed)
    if name == "RRT":
        return RRT(si, seed=seed, intermediate_states=True)
    return {"KPIECE1": KPIECE1, "EST": EST}[name](si, seed=seed)


def plan(file: Path, seed: int, budget: float, *, first_only: bool) -> Outcome:
    read = dynobench.read(file)
    read.si.compiled()
    outcome = Outcome(seed)
    begin = time.process_time()

    def spent() -> float:
        return time.process_time() - begin

    def keep(path: PathControl, name: str) -> None:
        if outcome.first is None:
            outcome.first, outcome.planner = spent(), name
        record(read, file, path, outcome, spent())

    attempt = 0
    while spent() < budget and not (first_only and outcome.first is not None):
        name = CYCLE[attempt % len(CYCLE)]
        stop = min(spent() + FIRST_SLICE * 2 ** (attempt // len(CYCLE)), budget)
        path = attempt_with(
            make(name, read.si, 1000 * seed + attempt),
            read.problem,
            lambda end=stop: end - spent(),
            keep,
            improve=not first_only,
        )
        attempt += 1
        if path is None or first_only:
            continue
        for round_ in range(8):
            left = min(SHORTCUT_SLICE, budget - spent())
            if left <= 0.0:
                break
            shorter = shortcut(path, read.problem, seed=round_, trials=10**6, time_limit=left)
            gained = path.length() - shorter.length()
            path = shorter
            record(read, file, path, outcome, spent())
            if gained < 0.01 * path.length():
                break
    return outcome


def attempt_with(
    planner: Planner,
    problem: Problem,
    left: Callable[[], float],
    keep: Callable[[PathControl, str], None],
    *,
    improve: bool,
) -> PathControl | None:
    """Plan for one slice; who finds a path tells ``keep``."""
    name = type(planner).__name__
    if isinstance(planner, MultipleShooting):
        return planner.solve(
            problem,
            condition=lambda: left() <= 0.0,
            stop_at_path=not improve,
            on_better=lambda path, _: keep(path, name),
        ).path
    result = planner.solve(problem, condition=lambda: left() <= 0.0, memory_limit=2**30)
    path = result.path
    if path is None and result.approximate_path is not None:
        name = f"{name} + connection"
        path = connect_to_goal(result.approximate_path, problem, time_limit=CONNECTION_SLICE)
    if path is not None:
        keep(path, name)
    return path


def record(
    read: dynobench.DynobenchProblem,
    file: Path,
    path: PathControl,
    outcome: Outcome,
    now: float,
) -> None:
    if outcome.cost is not None and path.length() >= outcome.cost:
        return
    if not path.check(within_bounds=True):
        raise SystemExit(f"{read.name}: a path does not pass its check")
    if not read.problem.goal.is_satisfied(read.si.state_space, path.states[-1]):
        raise SystemExit(f"{read.name}: a path does not end in the goal")
    fine = path.copy()
    fine.interpolate()
    if their_collision(read.robot, file, fine.states) < -1e-3:
        raise SystemExit(f"{read.name}: dynobench sees a collision")
    outcome.progress.append((round(now, 3), round(path.length(), 6)))


ROBOTS: dict[str, Any] = {}


def their_collision(robot: str, file: Path, states: np.ndarray) -> float:
    """Least distance to an obstacle by the package's own collision test."""
    import dynobench as package

    if str(file) not in ROBOTS:
        model = f"{package.PKGDIR}models/{robot}.yaml"
        ROBOTS[str(file)] = package.robot_factory_with_env(model, str(file))
    answer = package.CollisionOut()
    least = math.inf
    for x in states:
        ROBOTS[str(file)].collision_distance(x, answer)
        least = min(least, answer.distance)
    return least


def run_all(
    names: dict[str, Path], seeds: int, budget: float, *, first_only: bool, file: Path
) -> list[Any]:
    head = {
        "machine": describe_machine().splitlines(),
        "budget": budget,
        "seeds": seeds,
        "first_only": first_only,
        "goal_tolerance": dynobench.GOAL_TOLERANCE,
    }
    rows = rows_of(file, head)
    done = {row["problem"] for row in rows}
    with Progress(console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=(len(names) - len(done)) * seeds)
        for name, problem in names.items():
            if name in done:
                continue
            runs = []
            for seed in range(1, seeds + 1):
                bar.update(task, description=name)
                runs.append(plan(problem, seed, budget, first_only=first_only))
                bar.advance(task)
            rows.append(
                {
                    "problem": name,
                    "shipped": dynobench.shipped_cost(problem),
                    "runs": [
                        {
                            "seed": r.seed,
                            "first": r.first,
                            "planner": r.planner,
                            "progress": r.progress,
                        }
                        for r in runs
                    ],
                    "solved": sum(r.first is not None for r in runs),
                    "first": [r.first for r in runs],
                    "cost": [r.cost for r in runs],
                }
            )
            print(line(rows[-1], seeds), flush=True)
            file.parent.mkdir(exist_ok=True)
            whole = file.with_suffix(".part")
            whole.write_text(json.dumps({**head, "problems": rows}, indent=1) + "\n", "utf-8")
            whole.replace(file)
    return rows


def rows_of(file: Path, head: dict[str, Any]) -> list[Any]:
    """What an earlier run with the same budget, seeds and versions has measured."""
    if not file.exists():
        return []
    found = json.loads(file.read_text("utf-8"))
    rows = found.pop("problems")
    return list(rows) if found == head else []


def line(row: dict[str, Any], seeds: int) -> str:
    first = sorted(math.inf if v is None else v for v in row["first"])
    costs = [v for v in row["cost"] if v is not None]
    shipped = row["shipped"]
    cells = [
        row["problem"],
        f"{row['solved']}/{seeds}",
        number(median(first)),
        number(first[-1]),
        number(median(costs)) if costs else "unsolved",
        number(min(costs)) if costs else "unsolved",
        "–" if shipped is None else number(shipped),
    ]
    return "| " + " | ".join(cells) + " |"


def number(value: float) -> str:
    return f"{value:.3g}" if math.isfinite(value) else "–"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--requirement", action="store_true", help="unicycle1, unicycle2, car1")
    parser.add_argument("--budget", type=float, default=30.0, help="processor time of a run [s]")
    parser.add_argument("--seeds", type=int, help="default 3, or 10 with --requirement")
    parser.add_argument("--only", default="", help="problems whose name begins so, by commas")
    parser.add_argument("--name", help="of the result files")
    options = parser.parse_args()
    seeds = options.seeds or (10 if options.requirement else 3)
    kinds = REQUIRED if options.requirement else tuple(options.only.split(","))
    names = {
        name: file for name, file in dynobench.problem_files().items() if name.startswith(kinds)
    }
    print("| problem | solved | first, median [s] | first, worst [s] | cost, median [s] ", end="")
    print("| cost, best [s] | iDb-A* shipped [s] |\n|---|---|---|---|---|---|---|")
    # their library prints what it loads to the standard output
    name = options.name or ("dynobench_required" if options.requirement else "dynobench")
    file = RESULTS / f"{name}.json"
    rows = run_all(names, seeds, options.budget, first_only=options.requirement, file=file)
    solved = sum(row["solved"] for row in rows)
    print(f"\nsolved {solved} of {len(rows) * seeds} runs", file=sys.stderr)


if __name__ == "__main__":
    main()
