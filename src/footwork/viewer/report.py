"""The report of a run: one HTML file, verdict first, that opens from disk without a network."""

from collections.abc import Callable
from html import escape
from math import degrees
from pathlib import Path
from typing import Final

import numpy as np

from footwork.errors import InputError
from footwork.recording import Run, write_whole
from footwork.robot import ZooEntry, entry_of
from footwork.viewer import charts
from footwork.viewer.figures import dcm_error, friction_use, momentum_balance, torque_shares
from footwork.viewer.palette import BAD, GOOD

NAME: Final = "report.html"

MOST_COMMANDS: Final = 40
"""As many are listed."""

STYLE: Final = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1f2933; background: #f7f8fa; margin: 0; }
main { max-width: 62rem; margin: 0 auto; padding: 1.5rem; }
header { border-left: .5rem solid var(--verdict); background: #fff; padding: .8rem 1.2rem; }
h1 { margin: 0; font-size: 1.5rem; } h2 { font-size: 1.1rem; margin: 0 0 .4rem; }
header p { margin: .2rem 0 0; }
section { background: #fff; margin-top: 1rem; padding: .9rem 1.2rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr));
  gap: .7rem; }
.figures div { border-top: 1px solid #d8dde4; padding-top: .3rem; }
.figures b { display: block; font-size: 1.15rem; font-weight: 600; }
.figures span, figcaption { color: #616e7c; font-size: .85rem; }
svg { width: 100%; height: auto; } figure { margin: 0; }
td { padding: .1rem 1.2rem .1rem 0; vertical-align: top; }
td:first-child, td:last-child { white-space: nowrap; }
pre { font-size: .8rem; overflow-x: auto; } footer { color: #616e7c; padding: 1rem 0; }
"""


def write_report(run: Run) -> Path:
    """Write ``report.html`` into the run folder.

    Args:
        run: The run.

    Returns:
        Path of the file.

    Raises:
        InputError: If nothing was recorded.
        BackendError: If the file cannot be written.
    """
    if run.states.time.size < 2:
        raise InputError(f"{run.folder}: no states were recorded, so there is nothing to report")
    path = run.folder / NAME
    write_whole(path, _page(run))
    return path


def figures_of(run: Run) -> dict[str, tuple[str, str]]:
    """Compute the figures of the report from the recorded states.

    Args:
        run: The run.

    Returns:
        What → (number with unit, remark).
    """
    states = run.states
    walked = states["com"][:, :2]
    shares = torque_shares(run)
    worst = np.unravel_index(int(shares.argmax()), shares.shape)
    joint = states.columns["torque"].labels[worst[1]]
    error = np.linalg.norm(dcm_error(run), axis=1)
    ticks = states["tick_time"][1:, 0]  # the first one loads kernels
    steps = np.diff(walked[:: max(1, len(walked) // 200)], axis=0)
    rms, largest = np.sqrt(np.mean(error**2)), error.max()
    median, slowest = np.median(ticks), np.quantile(ticks, 0.999)
    return {
        "Simulated time": (f"{states.time[-1]:.2f} s", f"{states.time.size} control steps"),
        "Way of the CoM": (f"{np.linalg.norm(steps, axis=1).sum():.2f} m", "in the plane"),
        "DCM error": (f"{1e3 * rms:.1f} mm", f"RMS; largest {1e3 * largest:.0f} mm"),
        "Largest torque": (f"{100 * shares.max():.0f} %", f"of its limit: {joint}"),
        "Friction in the plan": (
            f"{friction_use(run):.2f}",
            "largest |f_xy| / f_z of a foot, in level axes",
        ),
        "Momentum balance": (
            f"{100 * momentum_balance(run):.1f} % of m g",
            "RMS of momentum rate less measured forces and weight",
        ),
        "Control tick": (f"{1e6 * median:.0f} µs", f"median; 99.9 % below {1e6 * slowest:.0f} µs"),
    }


def _page(run: Run) -> str:
    summary = run.summary
    arrived = bool(summary.get("arrived"))
    verdict = str(summary.get("verdict", "not finished"))
    name = str(run.states.attributes["robot"])
    entry = _entry(name)
    walk = summary.get("walk", "")
    body = _commands(run)
    body += "".join(_section(title, caption, draw(run, entry)) for title, caption, draw in SECTIONS)
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{escape(name)}: {escape(verdict)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><style>{STYLE}</style></head>
<body style="--verdict: {GOOD if arrived else BAD}"><main>
<header><h1>{escape(name)} {escape(walk)}: {escape(verdict)}</h1>
<p>{escape(str(summary.get("message", "The run did not get as far as a summary.")))}</p></header>
<section><div class="figures">{_tiles(_headline(run) | figures_of(run))}</div></section>
{body}
<section><h2>What was asked for</h2><pre>{escape(run.config_text)}</pre></section>
<footer>{escape(str(summary.get("written", "")))} · 3-D replay in replay.html · numbers in
states.h5</footer>
</main></body></html>
"""


def _headline(run: Run) -> dict[str, tuple[str, str]]:
    summary = run.summary
    tiles: dict[str, tuple[str, str]] = {}
    if "final_error_m" in summary:
        yaw = degrees(abs(summary["final_yaw_error_rad"]))
        asked = [run.config.get("goal")]
        asked += [c["goal"] for c in summary.get("commands", ()) if not c["refusal"]]
        target = "From the planned end" if asked[-1] is None else "From the goal"
        tiles[target] = (f"{100 * summary['final_error_m']:.1f} cm", f"and {yaw:.1f}°")
    if summary.get("distance_m", 0.0) > 0.0:
        way = f"over {summary['distance_m']:.2f} m of planned steps"
        tiles["Mean speed"] = (f"{summary['mean_speed_m_s']:.2f} m/s", way)
    if summary.get("cpu_time_s", 0.0) > 0.0:
        pace = summary["simulated_time_s"] / summary["cpu_time_s"]
        tiles["Pace"] = (f"{pace:.1f} × real time", "simulation and control, CPU time")
    return tiles


def _tiles(figures: dict[str, tuple[str, str]]) -> str:
    return "".join(
        f"<div>{escape(what)}<b>{escape(number)}</b><span>{escape(remark)}</span></div>"
        for what, (number, remark) in figures.items()
    )


def _section(title: str, caption: str, svg: str) -> str:
    return (
        f"<section><h2>{escape(title)}</h2><figure>{svg}"
        f"<figcaption>{escape(caption)}</figcaption></figure></section>\n"
    )


def _commands(run: Run) -> str:
    """What the walk was told while it was walked, and what came of it."""
    given = run.commands
    if not given:
        return ""
    rows = "".join(
        f"<tr><td>{c['time_s']:.2f} s</td><td>{escape(c['command'])}</td>"
        f"<td>{escape(c['refusal'] or 'taken')}</td>"
        f"<td>{1e3 * c['planning_time_s']:.1f} ms</td></tr>"
        for c in given[:MOST_COMMANDS]
    )
    more = len(given) - MOST_COMMANDS
    caption = f"and {more} more, in summary.json" if more > 0 else "Right: CPU time of planning."
    return _section("Commands", caption, f"<table>{rows}</table>")


def _entry(name: str) -> ZooEntry | None:
    try:
        return entry_of(name)
    except InputError:
        return None


SECTIONS: Final[tuple[tuple[str, str, Callable[[Run, ZooEntry | None], str]], ...]] = (
    (
        "Footsteps",
        "From above. Dashed outlines: planned footprints; filled: where feet touched down.",
        charts.footstep_map,
    ),
    (
        "Contacts",
        "When each foot was to stand and did. Upright lines: commands, those refused in red.",
        lambda run, _: charts.contact_timeline(run),
    ),
    (
        "Tracking",
        "DCM and swinging feet: measured less planned. Height: measured; it rises where an ankle "
        "reaches its range, for the stance stays flat.",
        lambda run, _: charts.tracking(run),
    ),
    ("Contact forces", "Normal forces.", lambda run, _: charts.contact_forces(run)),
    ("Torques", "Against the limits of the joints.", lambda run, _: charts.torques(run)),
    (
        "Control ticks",
        "CPU time from measurement to torques, without the first tick, which loads kernels.",
        lambda run, _: charts.tick_times(run),
    ),
)
