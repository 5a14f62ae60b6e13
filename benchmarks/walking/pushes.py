"""The largest push that G1 survives, by direction: bisection of the force, as a polar picture.

    python -m benchmarks.walking.pushes --jobs 2

A push of 0.1 s at the pelvis, in each direction at some instants of the gait's period, in place and
at 0.5 m/s. Each is bisected on its own between none and `LARGEST`; survival is not quite monotonic
in the force, so the boundary that is found is one of those there are. Writes
benchmarks/results/walking_pushes.json and docs/_static/walk_pushes.png.
"""

import argparse
import json
from time import perf_counter

import numpy as np
from benchmarks.walking.rows import pushed
from benchmarks.walking.runs import PICTURES, RESULTS, machine, processes, run

SPEEDS = (0.0, 0.5)
DURATION = 0.1
LARGEST = 480.0
"""Force at which the search begins [N]."""
FINEST = 15.0
"""Difference at which it ends [N]."""


def largest_survived(speed: float, direction: float, instant: float) -> float:
    """Bisect the force of one push."""
    low, high = 0.0, LARGEST
    while high - low > FINEST:
        middle = 0.5 * (low + high)
        if run(pushed(speed, middle, DURATION, direction, instant))["fell"]:
            high = middle
        else:
            low = middle
    return low


def draw(forces: dict[float, np.ndarray], directions: np.ndarray) -> None:
    """Draw the least of the instants as an area, their median as a line; forward is up."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8.0, 4.3), layout="constrained")
    around = np.deg2rad(np.append(directions, directions[0]))
    top = 20.0 * np.ceil(max(f.max() for f in forces.values()) / 20.0)
    for k, (speed, force) in enumerate(forces.items()):
        ax = figure.add_subplot(1, 2, k + 1, projection="polar")
        ax.set_theta_zero_location("N")
        for values, style in ((force.min(axis=1), "-"), (np.median(force, axis=1), "--")):
            closed = np.append(values, values[0])
            ax.plot(around, closed, style, color="#1d6fb8", lw=1.5)
            if style == "-":
                ax.fill(around, closed, color="#1d6fb8", alpha=0.2)
        ax.set_ylim(0.0, top)
        ax.set_rlabel_position(22.5)
        ax.tick_params(labelsize=8)
        ax.set_xticks(np.deg2rad(directions), _labels(directions))
        where = "in place" if speed == 0.0 else f"at {speed:g} m/s"
        ax.set_title(f"{where}: largest push of {DURATION:g} s [N]", fontsize=10)
    figure.supxlabel("full: at the worst instant of the step; dashed: median", fontsize=8)
    PICTURES.mkdir(exist_ok=True)
    figure.savefig(PICTURES / "walk_pushes.png", dpi=110)


def _labels(directions: np.ndarray) -> list[str]:
    names = {0.0: "front", 90.0: "left", 180.0: "back", 270.0: "right"}
    return [names.get(float(d), "") for d in directions]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--directions", type=int, default=8)
    parser.add_argument("--instants", type=int, default=4, help="of the gait's period")
    parser.add_argument("--jobs", type=int, default=1, help="processes (default 1)")
    arguments = parser.parse_args()
    directions = np.arange(arguments.directions) * 360.0 / arguments.directions
    instants = np.arange(arguments.instants) / arguments.instants
    begun = perf_counter()
    with processes(arguments.jobs) as pool:
        futures = {
            speed: [
                [pool.submit(largest_survived, speed, float(d), float(t)) for t in instants]
                for d in directions
            ]
            for speed in SPEEDS
        }
        forces = {
            speed: np.array([[future.result() for future in row] for row in rows])
            for speed, rows in futures.items()
        }
    document = {
        "machine": machine() | {"wall_time_s": round(perf_counter() - begun, 1)},
        "push_duration_s": DURATION,
        "directions_deg": directions.tolist(),
        "toward": "which way the force acts: 0 forward, 90 left",
        "instants_of_the_period": instants.tolist(),
        "largest_survived_N": {f"{speed:g} m/s": f.tolist() for speed, f in forces.items()},
    }
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "walking_pushes.json").write_text(json.dumps(document, indent=2) + "\n")
    draw(forces, directions)
    for speed, force in forces.items():
        print(f"{speed:g} m/s: worst {force.min():.0f} N, median {np.median(force):.0f} N")


if __name__ == "__main__":
    main()
