"""Success table of the walk: goals, velocities, pushes, disturbances; n of N a row, as it is.

    python -m benchmarks.walking.table --jobs 2             everything
    python -m benchmarks.walking.table --runs 3             a reduced form
    python -m benchmarks.walking.table --rows goals-g1 velocities --runs 2
    python -m benchmarks.walking.table --jobs 2 --resume    only rows that lack runs

Writes benchmarks/results/walking.md and .json with the machine and the versions after each row;
rows that are not measured again are kept.
"""

import argparse
import json
from pathlib import Path
from time import perf_counter

import numpy as np
from benchmarks.walking.rows import ROWS, Row
from benchmarks.walking.runs import RESULTS, Outcome, machine, processes, run

Record = dict[str, object]

COLUMNS = (
    "row", "good", "runs", "full", "DCM rms [mm]", "worst end [cm]", "slowest [m/s]", "tick [us]",
    "99.9 % [us]", "worst run's [us]", "x real time",
)  # fmt: skip
HEAD = f"""# The walk: successes

A goal or velocity counts when the robot arrived (3 cm, 3°) and did not fall; pushes and
disturbances count when it did not fall. All collision geometry and joint limits active.

Slowest is the smallest mean speed of a row, from the first transfer to the last landing. A tick is
everything between measurement and torques, in CPU time of its thread: the median of the runs'
medians, and the median and the largest of their 99.9th percentiles. Real time is simulated time
over CPU time of simulation, control, and what is noted for the figures; loading, planning and
building the world come on top, about a second a run. Nothing is recorded, written or drawn. Rows
were measured two runs at a time on two cores, with other work; ticks of G1 with one run at a time
are in walking_alone.md.

| {" | ".join(COLUMNS)} |
|{"---|" * len(COLUMNS)}
"""


def summarise(row: Row, outcomes: dict[int, Outcome]) -> Record:
    """Join the runs of a row; failures are listed with what was said about them."""
    failures = [
        f"run {i}: {outcome['message']}"
        for i, outcome in sorted(outcomes.items())
        if (not outcome["arrived"] if row.arrives else outcome["fell"])
    ]
    walked = [outcome for outcome in outcomes.values() if "cpu_time_s" in outcome]

    def numbers(name: str) -> np.ndarray:
        return np.array([float(outcome[name]) for outcome in walked] or [0.0])

    return {
        "row": row.name,
        "good": len(outcomes) - len(failures),
        "runs": len(outcomes),
        "of": row.full,
        "dcm_rms_mm": 1e3 * float(np.median(numbers("dcm_error_rms_m"))),
        "worst_end_cm": 1e2 * float(numbers("final_error_m").max()),
        "slowest_m_s": float(numbers("mean_speed_m_s").min()),
        "tick_us": 1e6 * float(np.median(numbers("tick_median_s"))),
        "tick_p999_us": 1e6 * float(np.median(numbers("tick_p999_s"))),
        "tick_p999_worst_us": 1e6 * float(numbers("tick_p999_s").max()),
        "times_real_time_cpu": float(
            numbers("simulated_time_s").sum() / max(numbers("cpu_time_s").sum(), 1e-9)
        ),
        "cpu_s_a_run": float(numbers("whole_time_s").mean()),
        "failures": failures,
    }


def write(folder: Path, records: list[Record], seconds: float) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    where = machine() | {"wall_time_s": round(seconds, 1)}
    document = {"machine": where, "rows": records}
    (folder / "walking.json").write_text(json.dumps(document, indent=2) + "\n")
    lines = [
        f"| {r['row']} | {r['good']} | {r['runs']} | {r['of']} | {r['dcm_rms_mm']:.1f} | "
        f"{r['worst_end_cm']:.1f} | {r['slowest_m_s']:.2f} | {r['tick_us']:.0f} | "
        f"{r['tick_p999_us']:.0f} | {r['tick_p999_worst_us']:.0f} | "
        f"{r['times_real_time_cpu']:.1f} |"
        for r in records
    ]
    lines += ["", "Failures:", ""]
    for record in records:
        lines += [f"- {record['row']}, {text}" for text in record["failures"]]  # type: ignore[attr-defined]
    lines += ["", f"Machine: {where}", ""]
    (folder / "walking.md").write_text(HEAD + "\n".join(lines))


def known(folder: Path) -> dict[str, Record]:
    """Rows of earlier calls."""
    path = folder / "walking.json"
    rows = json.loads(path.read_text())["rows"] if path.is_file() else []
    return {r["row"]: r for r in rows if "tick_p999_worst_us" in r}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--runs", type=int, help="of each row; the full number when not given")
    parser.add_argument("--rows", nargs="*", help="beginnings of names; all when not given")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    parser.add_argument("--resume", action="store_true", help="skip rows that have all their runs")
    parser.add_argument("--out", type=Path, default=RESULTS, help="folder (default results)")
    arguments = parser.parse_args()
    records = known(arguments.out)
    begun = perf_counter()
    with processes(arguments.jobs) as pool:
        tasks = {}
        for row in ROWS:
            count = min(arguments.runs or row.full, row.full)
            done = arguments.resume and int(records.get(row.name, {}).get("runs", 0)) >= count  # type: ignore[call-overload]
            if done or (arguments.rows and not row.name.startswith(tuple(arguments.rows))):
                continue
            numbers = [i * (row.full // count) for i in range(count)]
            tasks[row.name] = row, {i: pool.submit(run, row.request(i)) for i in numbers}
        for name, (row, futures) in tasks.items():
            records[name] = summarise(row, {i: future.result() for i, future in futures.items()})
            seconds = perf_counter() - begun
            print(
                f"{name:40s} {records[name]['good']:>2} of {records[name]['runs']:>2}   "
                f"{seconds:6.0f} s",
                flush=True,
            )
            write(
                arguments.out, [records[row.name] for row in ROWS if row.name in records], seconds
            )


if __name__ == "__main__":
    main()
