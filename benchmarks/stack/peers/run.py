"""Footwork and its peers side by side.

python benchmarks/stack/peers/run.py [--rounds 5] [--ticks 2000]
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from statistics import median

HERE = Path(__file__).parent
RESULTS = HERE.parents[1] / "results"
HANDS = {"talos": "gripper_right_base_link", "g1": "right_wrist_yaw_link"}
FEET = {
    "talos": ("left_sole_link", "right_sole_link"),
    "g1": ("left_ankle_roll_link", "right_ankle_roll_link"),
}


def sides(v2: str, v3: str) -> dict[str, list[tuple[str, list[str]]]]:
    """Who runs what: (interpreter, script and arguments)."""
    own = sys.executable
    return {
        "velocity IK": [
            (own, ["footwork_side.py", "ik1"]),
            (own, ["footwork_side.py", "ik2"]),
            (own, ["footwork_side.py", "ik3"]),
            (v2, ["placo_side.py", "ik", "soft"]),
            (v2, ["placo_side.py", "ik", "hard"]),
            (v2, ["mink_side.py", "ik", "quadprog"]),
            (v2, ["mink_side.py", "ik", "daqp"]),
            (v2, ["pink_side.py", "ik", "quadprog"]),
            (v2, ["pink_side.py", "ik", "daqp"]),
        ],
        "inverse dynamics": [
            (own, ["footwork_side.py", "id"]),
            (v2, ["placo_side.py", "id"]),
            (v3, ["tsid_side.py", "id"]),
        ],
    }


def specification(name: str, ticks: int, folder: Path) -> Path:
    """Write the workload of a robot for every side."""
    from footwork.robot import load

    robot = load(name)
    entry = robot.entry
    assert entry is not None
    root = ET.parse(entry.path).getroot()
    for link in root.findall("link"):
        for shape in (*link.findall("visual"), *link.findall("collision")):
            link.remove(shape)
    for extension in root.findall("mujoco"):
        root.remove(extension)
    urdf = folder / f"{name}.urdf"
    urdf.write_text(ET.tostring(root, encoding="unicode"), encoding="utf-8")
    foot = entry.feet[0]
    state = robot.state(robot.standing_configuration)
    link, sole = state.T_world_frame(FEET[name][0]), state.T_world_frame(foot.name)
    spec = {
        "urdf": str(urdf),
        "q0": robot.standing_configuration.tolist(),
        "feet": FEET[name],
        "hand": HANDS[name],
        "sole": (link.inverse() @ sole).act(foot.corners).tolist(),
        "joints": robot.joint_names,
        "speeds": robot.velocity_limits[6:].tolist(),
        "torques": robot.effort_limits.tolist(),
        "ticks": ticks,
    }
    path = folder / f"{name}.json"
    path.write_text(json.dumps(spec), encoding="utf-8")
    return path


def run_one(interpreter: str, words: list[str], spec: Path) -> dict[str, object] | None:
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")
    script, *rest = words
    done = subprocess.run(
        [interpreter, str(HERE / script), str(spec), *rest],
        capture_output=True,
        text=True,
        env=environment,
        cwd=HERE,
        check=False,
        timeout=600,
    )
    if done.returncode != 0:
        print(f"  {' '.join(words)} failed: {done.stderr.strip().splitlines()[-1:]}")
        return None
    lines = [line for line in done.stdout.splitlines() if line.startswith("{")]
    note = done.stderr.strip().splitlines()
    result: dict[str, object] = json.loads(lines[-1])
    result["note"] = note[-1] if note and "off by" in note[-1] else ""
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--ticks", type=int, default=2000)
    parser.add_argument("--v2", type=os.path.abspath, default="build/peers/v2/bin/python")
    parser.add_argument("--v3", type=os.path.abspath, default="build/peers/v3/bin/python")
    parser.add_argument("--robots", nargs="+", default=["talos", "g1"])
    options = parser.parse_args()
    raw: dict[str, dict[str, dict[str, list[dict[str, object]]]]] = {}
    load_before = os.getloadavg()
    with tempfile.TemporaryDirectory() as folder:
        for robot in options.robots:
            spec = specification(robot, options.ticks, Path(folder))
            for workload, who in sides(options.v2, options.v3).items():
                table = raw.setdefault(robot, {}).setdefault(workload, {})
                for _ in range(options.rounds):
                    for interpreter, words in who:
                        result = run_one(interpreter, words, spec)
                        if result is not None:
                            table.setdefault(str(result["name"]), []).append(result)
    write(raw, options, load_before)


def write(raw, options, load_before) -> None:
    from footwork import __version__

    lines = [
        "# Stack against its peers",
        "",
        f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC, {cpu()}, {os.cpu_count()} cores, load "
        f"{load_before[0]:.1f} before and {os.getloadavg()[0]:.1f} after, Python "
        f"{platform.python_version()}, Footwork {__version__}; {options.rounds} rounds of "
        f"{options.ticks} ticks in turn, one thread. Medians in µs; × is the time of the peer over "
        "that of Footwork with one level (median over rounds of the ratio within a round, by CPU "
        "time). 99.9 % is the quantile of a round's ticks; the last column is that of each tick's "
        "least over the rounds: what is slow whenever the tick is run, not when the machine was "
        "busy.",
    ]
    for robot, workloads in raw.items():
        for workload, table in workloads.items():
            own = next(iter(table.values()))
            lines += ["", f"## {robot}, {workload}", ""]
            lines += [
                "| library | wall | CPU | × | CPU 99.9 % | of each tick's least |",
                "|---|---|---|---|---|---|",
            ]
            for name, runs in table.items():
                pairs = zip(runs, own, strict=False)
                ratio = median(float(a["cpu_us"]) / float(b["cpu_us"]) for a, b in pairs)
                columns = [
                    median(float(r[key]) for r in runs)
                    for key in ("wall_us", "cpu_us", "cpu_p999_us")
                ]
                wall, cpu_time, high = (f"{c:.1f}" for c in columns)
                least = quantile(map(min, zip(*(r.pop("each_us") for r in runs), strict=True)))
                lines.append(
                    f"| {name} | {wall} | {cpu_time} | {ratio:.2f} | {high} | {least:.1f} |"
                )
    text = "\n".join(lines) + "\n"
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "stack_peers.md").write_text(text, encoding="utf-8")
    (RESULTS / "stack_peers.json").write_text(json.dumps(raw, indent=1), encoding="utf-8")
    print(text)


def quantile(times: Iterable[float], part: float = 0.999) -> float:
    """Find the least of some times that so large a part does not exceed."""
    ordered = sorted(times)
    return ordered[min(int(part * len(ordered)), len(ordered) - 1)]


def cpu() -> str:
    for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.processor()


if __name__ == "__main__":
    main()
