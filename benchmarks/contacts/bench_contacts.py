"""How fast contact lists are, from 10² to 10⁶ contacts.

    python benchmarks/contacts/bench_contacts.py [--largest 6] [--repeats 7]

Writes benchmarks/results/contacts.md and contacts.json. Times are medians of the repeats, in CPU
time of the thread so that other work on the machine counts less, with the garbage collector off as
`timeit` does.

Upstream cannot be installed by pip. The peers in the same run are peer_std_set.cpp, our own C++ of
the way in which upstream stores and looks (an ordered set, walked from its beginning), compiled
with g++ -O2 where there is one, and a linear scan in Python. Upstream's own figures, measured apart
on bipedal-locomotion-framework 0.22.100, stand beside the targets.
"""

import argparse
import gc
import json
import os
import platform
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import footwork
from footwork.contacts import ContactList, ContactPhaseList, PlannedContact, gaits
from footwork.spatial import Pose

RESULTS = Path(__file__).parents[1] / "results"
STRIDE = 1_000_000
"""From one contact of a list to the next [ns]."""

TARGETS = {
    # row: (target at 10⁴ contacts, upstream's C++ at 10⁴, unit)
    "look-up by time": (1e-6, 122e-6, "µs"),
    "look-up by index": (0.2e-6, 45e-6, "µs"),
    "array look-up, random times, a query": (0.1e-6, None, "µs"),
    "array look-up, rising times, a query": (0.1e-6, None, "µs"),
    "force_sample_time": (50e-3, 1.55, "ms"),
    "phases of 4 lists": (100e-3, None, "ms"),
    "one phase, looked at": (None, None, "µs"),
    "add at a random place": (None, None, "µs"),
    "copy": (None, 5.6e-3, "ms"),
    "peer: linear scan by time": (None, None, "µs"),
}
SCALE = {"µs": 1e6, "ms": 1e3}


def make(count: int, offset: int, seed: int) -> ContactList:
    """Contacts of about 60 % of the time, off any grid."""
    rng = np.random.default_rng(seed)
    jitter = rng.integers(0, STRIDE // 8, (2, count)).tolist()
    pose = Pose.identity()
    return ContactList(
        PlannedContact(
            pose=pose,
            activation_time=offset + i * STRIDE + jitter[0][i],
            deactivation_time=offset + i * STRIDE + STRIDE // 2 + jitter[1][i],
        )
        for i in range(count)
    )


def median(work: Callable[[], object], repeats: int, prepare: Callable[[], object] | None) -> float:
    """Median CPU time of a call [s]; what is prepared before each is not counted."""
    times = []
    for _ in range(repeats):
        if prepare is not None:
            prepare()
        begin = time.thread_time()
        work()
        times.append(time.thread_time() - begin)
    return statistics.median(times)


def linear_scan(contacts: list[PlannedContact], at: int) -> PlannedContact | None:
    found = None
    for contact in contacts:
        if contact.activation_time > at:
            break
        found = contact
    return found if found is not None and at < found.deactivation_time else None


def measure(count: int, repeats: int) -> dict[str, float]:
    rng = np.random.default_rng(1)
    contacts = make(count, 0, 0)
    many = rng.integers(0, count * STRIDE, 200_000)
    rising = np.sort(many)
    times = many[:20_000].tolist()
    indices = rng.integers(0, count, 20_000).tolist()
    plain = list(contacts)
    few = times[: max(3, min(200, 2_000_000 // count))]
    lists = {f"foot {k}": make(count, k * STRIDE // 4, k) for k in range(4)}
    phases = ContactPhaseList.from_lists(lists)
    phase_indices = rng.integers(0, len(phases), 5_000).tolist()
    gaps = [int(i) * STRIDE + 7 * STRIDE // 8 for i in rng.choice(count, min(count, 1000), False)]
    fresh: dict[str, ContactList] = {}
    contacts.active_index(many[:1])  # the arrays are made once

    def copy() -> None:
        fresh["list"] = contacts.copy()

    def add() -> None:
        for gap in gaps:
            fresh["list"].add_contact(
                PlannedContact(activation_time=gap, deactivation_time=gap + 1)
            )

    def run(
        work: Callable[[], object], calls: int, prepare: Callable[[], object] | None = None
    ) -> float:
        return median(work, repeats, prepare) / calls

    by_time, by_index, by_phase = contacts.get_active_contact, contacts, phases
    return {
        "look-up by time": run(lambda: [by_time(t) for t in times], len(times)),
        "look-up by index": run(lambda: [by_index[i] for i in indices], len(indices)),
        "array look-up, random times, a query": run(lambda: contacts.active_index(many), len(many)),
        "array look-up, rising times, a query": run(
            lambda: contacts.active_index(rising), len(rising)
        ),
        "force_sample_time": run(lambda: fresh["list"].force_sample_time(1000), 1, copy),
        "phases of 4 lists": run(lambda: ContactPhaseList.from_lists(lists), 1),
        "one phase, looked at": run(
            lambda: [by_phase[i] for i in phase_indices], len(phase_indices)
        ),
        "add at a random place": run(add, len(gaps), copy),
        "copy": run(copy, 1),
        "peer: linear scan by time": run(lambda: [linear_scan(plain, t) for t in few], len(few)),
    }


def measure_peer(count: int, program: Path) -> dict[str, float]:
    """CPU times of the C++ peer [s], medians of three runs."""
    runs = []
    for _ in range(3):
        words = [str(program), str(count)]
        text = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        runs.append({row: float(t) for row, t in (line.split("\t") for line in text.splitlines())})
    return {row: statistics.median(run[row] for run in runs) for row in runs[0]}


def compile_peer(folder: Path) -> Path | None:
    compiler = shutil.which("g++")
    if compiler is None:
        return None
    program = folder / "peer_std_set"
    source = Path(__file__).with_name("peer_std_set.cpp")
    subprocess.run([compiler, "-O2", "-DNDEBUG", str(source), "-o", str(program)], check=True)
    return program


def peer_table(columns: dict[int, dict[str, float]], peers: dict[int, dict[str, float]]) -> str:
    lines = [
        "| contacts | | C++ peer | Footwork | ratio |",
        "|---:|---|---:|---:|---:|",
    ]
    for count, rows in peers.items():
        for row, theirs in rows.items():
            ours, unit = columns[count][row], TARGETS[row][2]
            cells = [f"{t * SCALE[unit]:.3g} {unit}" for t in (theirs, ours)]
            lines.append(f"| {count} | {row} | {' | '.join(cells)} | {theirs / ours:.3g} |")
    return "\n".join(lines)


def table(columns: dict[int, dict[str, float]]) -> str:
    counts = list(columns)
    heads = [f"10^{len(str(n)) - 1}" for n in counts]
    lines = [
        "| | unit | " + " | ".join(heads) + " | target at 10^4 | upstream C++ at 10^4 |",
        "|---|---|" + "---:|" * (len(heads) + 2),
    ]
    for row, (target, upstream, unit) in TARGETS.items():
        scale = SCALE[unit]
        cells = [f"{columns[n][row] * scale:.3g}" for n in counts]
        wanted = "" if target is None else f"≤ {target * scale:g} {verdict(row, target, columns)}"
        theirs = "" if upstream is None else f"{upstream * scale:g}"
        lines.append(f"| {row} | {unit} | {' | '.join(cells)} | {wanted} | {theirs} |")
    return "\n".join(lines)


def verdict(row: str, target: float, columns: dict[int, dict[str, float]]) -> str:
    if 10_000 not in columns:
        return ""
    return "met" if columns[10_000][row] <= target else "missed"


def machine() -> dict[str, str]:
    cpu = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        cpu = names[0].partition(":")[2].strip() if names else cpu
    return {
        "cpu": cpu,
        "python": platform.python_version(),
        "numpy": np.__version__,
        "footwork": footwork.__version__,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Speed of contact lists.")
    parser.add_argument("--largest", type=int, default=6, help="power of ten of contacts")
    parser.add_argument("--repeats", type=int, default=7)
    arguments = parser.parse_args()
    gc.disable()
    columns: dict[int, dict[str, float]] = {}
    for power in range(2, arguments.largest + 1):
        columns[10**power] = measure(10**power, arguments.repeats)
        gc.collect()
    peers: dict[int, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        program = compile_peer(Path(folder))
        for count in (100, 1000, 10_000) if program else ():
            peers[count] = measure_peer(count, program)
    trot = gaits.named("trot")
    tiling = median(
        lambda: gaits.tile(trot, begin=0, duration=10_000 * STRIDE, period=STRIDE), 5, None
    )
    about = machine()
    text = (
        "# Speed of contact lists\n\n"
        f"Medians of {arguments.repeats}, CPU time of one thread, garbage collector off. "
        + ", ".join(f"{key} {value}" for key, value in about.items())
        + f". Load meanwhile: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.\n\n"
        + table(columns)
        + "\n\n## Beside a C++ peer\n\npeer_std_set.cpp, g++ -O2, in the same run; "
        + "a ratio above 1 means that Footwork is quicker.\n\n"
        + (peer_table(columns, peers) if peers else "No g++ here.")
        + f"\n\nA trot of 10 000 strides is tiled, 4 lists, in {tiling * 1e3:.0f} ms.\n"
    )
    print(text)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "contacts.md").write_text(text)
    result: dict[str, Any] = {
        "machine": about,
        "repeats": arguments.repeats,
        "seconds": {str(n): rows for n, rows in columns.items()},
        "peer_seconds": {str(n): rows for n, rows in peers.items()},
        "tile_10000_strides_seconds": tiling,
    }
    (RESULTS / "contacts.json").write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
