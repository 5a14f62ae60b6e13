"""Runs both sides in turn on the same machine and writes the tables.

    python benchmarks/planning/compare.py [--seeds 50] [--cap 10] [--folder build/footwork-bench]
    python benchmarks/planning/compare.py --parts first wheel --problems unicycle

`setup.sh` must have been run with the same folder. Writes benchmarks/results/planning.json (every
run) and benchmarks/results/planning.md (the tables), unless only a part was asked for. Times are
processor seconds, except the portfolio's.
"""

import argparse
import json
import math
import os
import platform
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
import footwork_side
import problems
from footwork_side import Record

PLANNERS = ("RRT", "EST", "KPIECE1", "SST")
TARGETS = {"RRT": 2.0, "SST": 2.0, "EST": 1.3, "KPIECE1": 1.3}
PROBLEMS = ("car", "unicycle", "quadrotor")
PARTS = ("first", "limits", "cost", "portfolio", "wheel", "nearest", "memory")
ALL = (PARTS, PROBLEMS, PLANNERS)
CHUNK = 5
ROUNDS = 5


def ompl(folder: Path, *arguments: object) -> list[Record]:
    command = [str(folder / "ompl_side"), *map(str, arguments)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in output.splitlines()]


def wheel(folder: Path, name: str, first: int, last: int, cap: float) -> list[Record]:
    circles, boxes = problems.scene_of_the_plane()
    scene = folder / "scene.json"
    scene.write_text(json.dumps({"circles": circles.tolist(), "boxes": boxes.tolist()}))
    script = Path(__file__).with_name("wheel_side.py")
    command = [folder / "wheel/bin/python", script, scene, name, first, last, cap]
    output = subprocess.run(
        [str(part) for part in command], capture_output=True, text=True, check=False
    ).stdout
    return [json.loads(line) for line in output.splitlines() if line.startswith("{")]


def percentile(records: list[Record], q: float, key: str = "cpu") -> float:
    """Percentile in which an unsolved run counts as infinity."""
    values = sorted(r[key] if r["solved"] else math.inf for r in records)
    return values[min(len(values) - 1, int(q * len(values)))]


def rate(records: list[Record]) -> float:
    return sum(r["steps"] for r in records) / sum(r["cpu"] for r in records)


def number(value: float, digits: int = 4) -> str:
    return f"{value:.{digits}f}" if math.isfinite(value) else "–"


def first_paths(
    folder: Path, cases: Any, log: list[Record], options: argparse.Namespace
) -> list[str]:
    cap = options.cap
    lines = [
        "| problem | planner | OMPL solved | median s | p90 s | steps/s | ours solved | median s "
        "| p90 s | steps/s | OMPL / ours | target |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for problem, case in cases.items():
        footwork_side.warm_up(case)
        for name in options.planners:
            is_hard = problem == "quadrotor" and name in {"RRT", "SST"}
            seeds = options.hard_seeds if is_hard else options.seeds
            theirs: list[Record] = []
            ours: list[Record] = []
            for first in range(0, seeds, CHUNK):
                last = min(first + CHUNK, seeds)
                theirs += ompl(folder, problem, name, first, last, cap, "first")
                ours += [
                    footwork_side.first_path(case, name, seed, cap) for seed in range(first, last)
                ]
            log += [{**r, "what": "first path"} for r in theirs + ours]
            a, b = percentile(theirs, 0.5), percentile(ours, 0.5)
            ratio = f"{a / b:.2f}" if math.isfinite(a) and math.isfinite(b) else "–"
            lines.append(
                f"| {problem} | {name} | {sum(r['solved'] for r in theirs)}/{seeds} | {number(a)} "
                f"| {number(percentile(theirs, 0.9))} | {rate(theirs):.3g} "
                f"| {sum(r['solved'] for r in ours)}/{seeds} | {number(b)} "
                f"| {number(percentile(ours, 0.9))} | {rate(ours):.3g} | {ratio} "
                f"| {TARGETS[name]} |"
            )
            print(lines[-1], flush=True)
    return lines


def costs(folder: Path, cases: Any, seeds: int, seconds: float, log: list[Record]) -> list[str]:
    lines = [
        f"| problem | OMPL SST cost after {seconds:g} s | ours | ours / OMPL | target |",
        "|---|---|---|---|---|",
    ]
    for problem, case in cases.items():
        theirs = ompl(folder, problem, "SST", 0, seeds, seconds, "cost")
        ours = [footwork_side.cost_over_time(case, seed, seconds) for seed in range(seeds)]
        log += [{**r, "what": "cost"} for r in theirs + ours]
        solved = [sum(r["solved"] for r in side) for side in (theirs, ours)]
        a, b = (
            float(np.median([r["cost"] if r["solved"] else math.inf for r in side]))
            for side in (theirs, ours)
        )
        ratio = f"{b / a:.2f}" if math.isfinite(a) and math.isfinite(b) else "–"
        lines.append(
            f"| {problem} | {number(a, 2)} ({solved[0]}/{seeds} solved) "
            f"| {number(b, 2)} ({solved[1]}/{seeds}) | {ratio} | 0.8 |"
        )
        print(lines[-1], flush=True)
    return lines


def portfolios(
    cases: Any, planners: Sequence[str], seeds: int, cap: float, log: list[Record]
) -> list[str]:
    lines = [
        "| problem | best OMPL planner | its p90 s | portfolio median s | p90 s | ratio of p90 "
        "| winners |",
        "|---|---|---|---|---|---|---|",
    ]
    for problem, case in cases.items():
        runs = [footwork_side.portfolio(case, seed, cap) for seed in range(seeds)]
        best, least = "", math.inf
        for name in planners:
            theirs = [
                r
                for r in log
                if r.get("what") == "first path"
                and (r["side"], r["problem"], r["planner"]) == ("ompl", problem, name)
            ]
            p90 = percentile(theirs, 0.9)
            best, least = (name, p90) if p90 < least else (best, least)
        log += [{**r, "what": "portfolio"} for r in runs]
        p90 = percentile(runs, 0.9, "wall")
        winners = {w: sum(r["winner"] == w for r in runs) for w in {r["winner"] for r in runs}}
        lines.append(
            f"| {problem} | {best} | {number(least)} | {number(percentile(runs, 0.5, 'wall'))} "
            f"| {number(p90)} | {p90 / least:.2f} (target 0.5) | {winners} |"
        )
        print(lines[-1], flush=True)
    return lines


def limits(folder: Path, options: argparse.Namespace, log: list[Record]) -> list[str]:
    """Rounds of the bare loop and of EST in turn; a share is the median of those of the rounds."""
    kinds = {"EST": problems.cases(), "obstacles in turn": problems.cases(in_turn=True)}
    for cases in kinds.values():
        for problem in options.problems:
            footwork_side.warm_up(cases[problem], ("EST",))
    speeds: dict[tuple[str, str], list[float]] = {}
    for round_ in range(ROUNDS):
        for r in ompl(folder, "limit"):
            speeds.setdefault((r["problem"], "bare loop"), []).append(r["rate"])
        for kind, cases in kinds.items():
            for problem in options.problems:
                runs = [
                    footwork_side.first_path(cases[problem], "EST", seed, options.cap)
                    for seed in range(options.seeds)
                ]
                log += [{**r, "what": f"limit, {kind}", "round": round_} for r in runs]
                speeds.setdefault((problem, kind), []).append(rate(runs))
    log += [
        {"what": "limit", "problem": problem, "kind": kind, "rates": rates}
        for (problem, kind), rates in speeds.items()
    ]
    lines = [
        f"Medians of {ROUNDS} rounds, in which the bare loop and EST take turns.\n",
        "| problem | bare C++ loop, steps/s | EST, steps/s | share (least – most) "
        "| EST with the obstacles in turn, as the C++ | share (least – most) | target |",
        "|---|---|---|---|---|---|---|",
    ]
    for problem in options.problems:
        bare = speeds[problem, "bare loop"]
        line = f"| {problem} | {np.median(bare):.3g} "
        for kind in kinds:
            ours = speeds[problem, kind]
            shares = [a / b for a, b in zip(ours, bare, strict=True)]
            line += f"| {np.median(ours):.3g} | {np.median(shares):.0%} "
            line += f"({min(shares):.0%} – {max(shares):.0%}) "
        lines.append(line + "| 80% (not car) |")
        print(lines[-1], flush=True)
    return lines


def against_wheel(folder: Path, options: argparse.Namespace, log: list[Record]) -> list[str]:
    """The wheel and ours take turns, a few seeds at a time."""
    seeds, cap = {"RRT": options.seeds, "EST": options.wheel_seeds}, options.cap
    case = problems.cases()["unicycle"]
    plain = {
        "propagator and test of obstacles": footwork_side.plain_system("plain"),
        "propagator, test of obstacles compiled": footwork_side.plain_system("compiled"),
        "propagator, Footwork's world": footwork_side.plain_system("world"),
    }
    for si in plain.values():
        footwork_side.python_callbacks(case, si, 0, cap)  # compiles
    python: dict[str, list[Record]] = {what: [] for what in plain}
    theirs = {"RRT": list[Record](), "EST": wheel(folder, "EST", 0, seeds["EST"], cap)}
    for first in range(0, seeds["RRT"], CHUNK):
        last = min(first + CHUNK, seeds["RRT"])
        theirs["RRT"] += wheel(folder, "RRT", first, last, cap)
        for what, si in plain.items():
            python[what] += [
                footwork_side.python_callbacks(case, si, seed, cap) for seed in range(first, last)
            ]
    log += [{**r, "what": "wheel"} for runs in (python | theirs).values() for r in runs]
    lines = ["| what | wheel | ours | ratio | target |", "|---|---|---|---|---|"]
    for name in ("RRT", "EST"):
        ours = [
            r
            for r in log
            if r.get("what") == "first path"
            and (r["side"], r["problem"], r["planner"]) == ("footwork", "unicycle", name)
        ]
        if not ours:
            continue
        a, b = rate(theirs[name]), rate(ours)
        target = "50" if name == "EST" else "–"
        lines.append(f"| {name}, compiled: steps/s | {a:.3g} | {b:.3g} | {b / a:.1f} | {target} |")
    for what, runs in python.items():
        a, b = percentile(theirs["RRT"], 0.5), percentile(runs, 0.5)
        lines.append(
            f"| RRT, plain Python {what}: median s | {a:.3f} | {b:.3f} | {a / b:.1f} | 2 |"
        )
        a, b = rate(theirs["RRT"]), rate(runs)
        lines.append(f"| the same: steps/s | {a:.3g} | {b:.3g} | {b / a:.1f} | – |")
    print("\n".join(lines), flush=True)
    return lines


def machine() -> dict[str, Any]:
    import numba

    model = [
        line.split(":")[1].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    package = subprocess.run(
        ["dpkg-query", "-W", "-f=${Version}", "libompl-dev"],
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    return {
        "cpu": model[0],
        "cores": os.cpu_count(),
        "load": os.getloadavg(),
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "ompl": f"Debian {package}; wheel 2.0.1",
    }


def main() -> None:
    options = parse()
    folder, seeds, cap = options.folder, options.seeds, options.cap
    before, log = machine(), []
    cases = {name: problems.cases()[name] for name in options.problems}
    parts: dict[str, list[str]] = {}
    if "first" in options.parts:
        parts["First path"] = first_paths(folder, cases, log, options)
    if "limits" in options.parts:
        parts["Propagation against the bare loop"] = limits(folder, options, log)
    if "cost" in options.parts:
        parts["Cost"] = costs(folder, cases, options.cost_seeds, 3.0, log)
    if "portfolio" in options.parts:
        parts["Portfolio"] = portfolios(cases, options.planners, seeds, cap, log)
    if "wheel" in options.parts:
        title = "Against the wheel with Python callbacks"
        parts[title] = against_wheel(folder, options, log)
    if "nearest" in options.parts:
        title = "Nearest neighbour, 5-D, uniform points (target 6 µs at 100 000)"
        parts[title] = nearest(log)
    memory = memory_per_node(problems.cases()["unicycle"]) if "memory" in options.parts else {}
    parts["Memory of a node, 5-D"] = [
        "| planner | bytes a node |",
        "|---|---|",
        *(f"| {name} | {size:.0f} |" for name, size in memory.items()),
    ]
    if (tuple(options.parts), tuple(options.problems), tuple(options.planners)) != ALL:
        return
    asked = {key: str(value) for key, value in vars(options).items()}
    about = {"before": before, "after": machine(), "options": asked}
    results = Path(__file__).parents[1] / "results"
    results.mkdir(exist_ok=True)
    (results / "planning.json").write_text(
        json.dumps({"machine": about, "memory": memory, "runs": log}, indent=0)
    )
    text = [f"# Planning against OMPL\n\n{json.dumps(about)}\n"]
    text += [f"## {title}\n\n" + "\n".join(lines) + "\n" for title, lines in parts.items()]
    (results / "planning.md").write_text("\n".join(text))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--cap", type=float, default=10.0)
    parser.add_argument("--hard-seeds", type=int, default=50, help="quadrotor with RRT and SST")
    parser.add_argument("--wheel-seeds", type=int, default=20, help="the wheel with EST")
    parser.add_argument("--cost-seeds", type=int, default=10)
    parser.add_argument("--folder", type=Path, default=Path("build/footwork-bench"))
    parser.add_argument("--parts", nargs="+", choices=PARTS, default=PARTS)
    parser.add_argument("--problems", nargs="+", choices=PROBLEMS, default=PROBLEMS)
    parser.add_argument("--planners", nargs="+", choices=PLANNERS, default=PLANNERS)
    options = parser.parse_args()
    if "first" not in options.parts and "portfolio" in options.parts:
        parser.error("portfolio compares with the runs of first: ask for it too")
    return options


def nearest(log: list[Record]) -> list[str]:
    runs = [footwork_side.nearest_neighbours(n) for n in (1_000, 10_000, 100_000)]
    log += [{**r, "what": "nearest"} for r in runs]
    lines = [
        "| points | insert µs | query µs |",
        "|---|---|---|",
        *(f"| {r['points']} | {r['insert_us']:.2f} | {r['query_us']:.2f} |" for r in runs),
    ]
    print("\n".join(lines), flush=True)
    return lines


def memory_per_node(case: problems.Case) -> dict[str, float]:
    """Bytes that the arrays of a large tree take, for each node that it has room for."""
    hard = problems.fp.Problem([1, 1, 0, 0, 0], [9, 9, 0, 0, 0], goal_tolerance=1e-9)
    answer = {}
    for name in PLANNERS:
        planner = case.planner(name, 1)
        result = planner.solve(hard, iteration_limit=60_000)
        search = planner._search
        assert search is not None
        answer[name] = result.statistics.memory / len(search.tree.parent)
    return answer


if __name__ == "__main__":
    main()
