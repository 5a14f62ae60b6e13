"""How fast contact lists are, from 10² to 10⁶ contacts.

    python benchmarks/contacts/bench_contacts.py [--largest 6] [--repeats 7]

Writes benchmarks/results/contacts.md and contacts.json. Times are medians of the repeats, in CPU
time of the thread so that other work on the machine counts less, with the garbage collector off as
`timeit` does. The peer in the same run is a linear scan over the same list
in Python, which is what upstream does in C++; its own figures, measured apart with g++ -O2 on
bipedal-locomotion-framework 0.22.100, stand beside the targets.
"""

import argparse
import gc
import json
import os
import platform
import statistics
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
        + f"\n\nA trot of 10 000 strides is tiled, 4 lists, in {tiling * 1e3:.0f} ms.\n"
    )
    print(text)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "contacts.md").write_text(text)
    result: dict[str, Any] = {
        "machine": about,
        "repeats": arguments.repeats,
        "seconds": {str(n): rows for n, rows in columns.items()},
        "tile_10000_strides_seconds": tiling,
    }
    (RESULTS / "contacts.json").write_text(json.dumps(result, indent=1) + "\n")


if __name__ == "__main__":
    main()
