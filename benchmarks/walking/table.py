"""Success table of the walk: goals, velocities, pushes, disturbances; n of N a row, as it is.

    python benchmarks/walking/table.py                 everything, hours on one core
    python benchmarks/walking/table.py --runs 3        a reduced form
    python benchmarks/walking/table.py --rows goals-g1 velocities --runs 2

Writes benchmarks/results/walking.md and .json with the machine and the versions; rows that are
not measured again are kept.
"""

import argparse
import json
import platform
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from math import cos, pi, radians, sin
from pathlib import Path
from time import perf_counter, process_time

import numpy as np

from footwork.errors import FootworkError
from footwork.simulation import Push
from footwork.walking import WalkRequest, WalkResult, config_for, walk

RESULTS = Path(__file__).resolve().parents[1] / "results"


@dataclass(frozen=True)
class Row:
    """One line of the table: a name, and the requests of its runs by number."""

    name: str
    request: Callable[[int], WalkRequest]
    full: int = 20
    arrives: bool = True


def goal_of(seed: int) -> tuple[float, float, float]:
    rng = np.random.default_rng(seed)
    distance, direction, yaw = rng.uniform(1.0, 4.0), *rng.uniform(-pi, pi, 2)
    return distance * cos(direction), distance * sin(direction), yaw


def goals(robot: str) -> Row:
    return Row(f"goals-{robot}", lambda i: WalkRequest(robot=robot, goal=goal_of(i)))


def velocity(robot: str, name: str, *v: float) -> Row:
    return Row(
        f"velocity-{robot}-{name}",
        lambda i: WalkRequest(
            robot=robot, velocity=(v[0], v[1], v[2]), duration=30.0, seed=i, velocity_noise=1e-3 * i
        ),
    )


def push(name: str, speed: float, force: float, duration: float) -> Row:
    """Eight directions by eight instants of the gait's period."""
    period = 2.0 * config_for("g1").gait.step_duration

    def request(i: int) -> WalkRequest:
        angle, start = radians(45.0 * (i % 8)), 2.5 + period * (i // 8) / 8.0
        way = force * cos(angle), force * sin(angle), 0.0
        return WalkRequest(
            velocity=(speed, 0.0, 0.0),
            duration=5.0,
            pushes=(Push(start=start, duration=duration, force=way),),
        )

    return Row(f"push-{name}", request, full=64, arrives=False)


def disturbed(name: str, *, estimator: bool = False, **changes: object) -> Row:
    def request(i: int) -> WalkRequest:
        own = {
            key: value.format(seed=i) if isinstance(value, str) else value
            for key, value in changes.items()
        }
        base = {"velocity": (0.5, 0.0, 0.0), "duration": 10.0, "seed": i, "estimator": estimator}
        return WalkRequest(**(base | own))  # type: ignore[arg-type]

    suffix = "-estimator" if estimator else ""
    return Row(f"disturbed-{name}{suffix}", request, arrives=False)


DISTURBANCES: dict[str, dict[str, object]] = {
    "nothing": {},
    "boxes-4cm": {"terrain": "bumps:0.04:{seed}"},
    "slope-up-5": {"terrain": "slope:5"},
    "slope-down-5": {"terrain": "slope:-5"},
    "friction-0.5": {"friction": 0.5},
    "payload-4kg": {"payload": 4.0},
    "mass+10%": {"mass_factor": 1.1},
    "mass-10%": {"mass_factor": 0.9},
    "delay-6ms": {"delay": 0.006},
    "noise": {"velocity_noise": 0.05, "position_noise": 0.001},
}

ROWS = [
    *(goals(robot) for robot in ("g1", "talos", "jvrc1", "go2")),
    velocity("g1", "forward-1.0", 1.0, 0.0, 0.0),
    velocity("g1", "backward-0.5", -0.5, 0.0, 0.0),
    velocity("g1", "sideways-0.3", 0.0, 0.3, 0.0),
    velocity("g1", "turning-0.6", 0.0, 0.0, 0.6),
    velocity("g1", "curve-0.5-1.0", 0.5, 0.0, 1.0),
    velocity("talos", "forward-0.8", 0.8, 0.0, 0.0),
    velocity("jvrc1", "forward-0.5", 0.5, 0.0, 0.0),
    velocity("go2", "trot-0.5", 0.5, 0.0, 0.0),
    push("in-place-160N-0.1s", 0.0, 160.0, 0.1),
    push("in-place-60N-0.5s", 0.0, 60.0, 0.5),
    push("0.5m/s-160N-0.1s", 0.5, 160.0, 0.1),
    push("0.5m/s-60N-0.5s", 0.5, 60.0, 0.5),
    *(disturbed(name, **changes) for name, changes in DISTURBANCES.items()),
    *(disturbed(name, estimator=True, **changes) for name, changes in DISTURBANCES.items()),
]


def measure(row: Row, runs: int) -> dict[str, object]:
    """Make the runs of a row; failures are listed with what was said about them."""
    stride = max(1, row.full // runs)
    numbers = [i * stride for i in range(runs)]
    results: list[WalkResult] = []
    failures: list[str] = []
    begun, simulated = process_time(), 0.0
    for i in numbers:
        try:
            result = walk(row.request(i))
        except FootworkError as error:
            failures.append(f"run {i}: {error}")
            continue
        results.append(result)
        simulated += result.figures["simulated_time_s"]
        good = result.has_arrived if row.arrives else result.verdict.value != "fell"
        if not good:
            failures.append(f"run {i}: {result.message}")
    ticks = [r.figures["tick_median_s"] for r in results]
    return {
        "row": row.name,
        "good": runs - len(failures),
        "runs": runs,
        "of": row.full,
        "dcm_rms_mm": 1e3
        * float(np.median([r.figures["dcm_error_rms_m"] for r in results] or [0])),
        "worst_end_cm": 1e2 * max([r.figures["final_error_m"] for r in results], default=0.0),
        "tick_us": 1e6 * float(np.median(ticks or [0.0])),
        "times_real_time_cpu": simulated / max(process_time() - begun, 1e-9),
        "failures": failures,
    }


def write(records: list[dict[str, object]], seconds: float) -> None:
    machine = {
        "machine": platform.machine(),
        "cpu": _cpu(),
        "python": platform.python_version(),
        "versions": {p: version(p) for p in ("footwork", "numpy", "numba", "pin", "mujoco")},
        "wall_time_s": round(seconds, 1),
    }
    RESULTS.mkdir(exist_ok=True)
    records = _merged(records)
    document = {"machine": machine, "rows": records}
    (RESULTS / "walking.json").write_text(json.dumps(document, indent=2) + "\n")
    lines = [
        "# The walk: successes",
        "",
        "A goal or velocity counts when the robot arrived (3 cm, 3°) and did not fall; pushes and",
        "disturbances count when it did not fall. All collision geometry and joint limits active.",
        "",
        "| row | good | runs | full | DCM rms [mm] | worst end [cm] | tick [us] | x real time |",
        "|---|---|---|---|---|---|---|---|",
    ]
    lines += [
        f"| {r['row']} | {r['good']} | {r['runs']} | {r['of']} | {r['dcm_rms_mm']:.1f} | "
        f"{r['worst_end_cm']:.1f} | {r['tick_us']:.0f} | {r['times_real_time_cpu']:.1f} |"
        for r in records
    ]
    lines += ["", "Failures:", ""]
    for record in records:
        lines += [f"- {record['row']}, {text}" for text in record["failures"]]  # type: ignore[attr-defined]
    lines += ["", f"Machine: {machine}", ""]
    (RESULTS / "walking.md").write_text("\n".join(lines))


def _merged(records: list[dict[str, object]]) -> list[dict[str, object]]:
    """Keep rows of an earlier call that were not measured again, in the order of the table."""
    path = RESULTS / "walking.json"
    known = json.loads(path.read_text())["rows"] if path.is_file() else []
    by_name = {r["row"]: r for r in [*known, *records]}
    return [by_name[row.name] for row in ROWS if row.name in by_name]


def _cpu() -> str:
    info = Path("/proc/cpuinfo")
    if not info.is_file():
        return platform.processor()
    names = [
        line.split(":")[1].strip() for line in info.read_text().splitlines() if "model name" in line
    ]
    return names[0] if names else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, help="of each row; the full number when not given")
    parser.add_argument("--rows", nargs="*", help="beginnings of names; all when not given")
    arguments = parser.parse_args()
    chosen = [r for r in ROWS if not arguments.rows or r.name.startswith(tuple(arguments.rows))]
    records = []
    begun = perf_counter()
    for row in chosen:
        record = measure(row, min(arguments.runs or row.full, row.full))
        print(f"{record['row']:40s} {record['good']} of {record['runs']}", flush=True)
        records.append(record)
        write(records, perf_counter() - begun)


if __name__ == "__main__":
    main()
