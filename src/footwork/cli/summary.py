"""One screen of figures about a walk; the verdict first."""

from math import degrees
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from footwork.walking import WalkResult


def print_summary(result: "WalkResult") -> None:
    """Print verdict and figures.

    Args:
        result: Of a walk.
    """
    f = result.figures
    ratio = f["simulated_time_s"] / max(f["cpu_time_s"], 1e-9)
    degrees_off = degrees(f["final_yaw_error_rad"])
    median, worst = 1e6 * f["tick_median_s"], 1e6 * f["tick_p999_s"]
    rms, peak = 1e3 * f["dcm_error_rms_m"], 1e3 * f["dcm_error_max_m"]
    planned = 1e3 * f["planning_time_s"]
    rows = {
        "walk": f"{f['robot']} {f['walk']}",
        "commands": commands_line(f),
        "steps": steps_line(f),
        "speed": speed_line(f),
        "end": f"{100 * f['final_error_m']:.1f} cm, {degrees_off:+.1f}° off",
        "balance": f"DCM error {rms:.1f} mm rms, {peak:.0f} mm at most",
        "torques": f"{100 * f['torque_of_limit_max']:.0f} % of the limit at most",
        "tick": f"{median:.0f} us median, {worst:.0f} us at 99.9 %",
        "time": f"{f['simulated_time_s']:.1f} s simulated in {f['cpu_time_s']:.1f} s of CPU "
        f"({ratio:.1f} x real time), planned in {planned:.0f} ms",
        "folder": str(result.folder),
    }
    print(result.message)
    for name, text in rows.items():
        if text:
            print(f"  {name:8s} {text}")


def steps_line(figures: dict[str, Any]) -> str:
    """Say how many steps were taken, and why more than planned.

    Args:
        figures: Of a walk.

    Returns:
        Such as "10 planned and 2 more; 1 correction, 3 adjusted".
    """
    planned, more = figures["steps_planned"], figures["steps_taken"] - figures["steps_planned"]
    line = (
        f"{planned} planned and {more} more"
        if more > 0
        else f"{planned + more} of {planned} planned"
    )
    told = {
        "correction": figures["corrections"],
        "recovery": figures["recoveries"],
    }
    notes = [_count(number, what) for what, number in told.items() if number]
    if figures["steps_adjusted"]:
        notes.append(f"{figures['steps_adjusted']} adjusted")
    return f"{line}; {', '.join(notes)}" if notes else line


def commands_line(figures: dict[str, Any]) -> str:
    """Say how many commands were given during the walk, and why any were refused.

    Args:
        figures: Of a walk.

    Returns:
        Such as "3 given, planned in at most 2.1 ms"; empty without any.
    """
    given = figures["commands"]
    if not given:
        return ""
    slowest = 1e3 * max(command["planning_time_s"] for command in given)
    line = f"{len(given)} given, planned in at most {slowest:.1f} ms"
    for command in given:
        if command["refusal"]:
            line += f"\n           refused at {command['time_s']:.2f} s: {command['refusal']}"
    return line


def speed_line(figures: dict[str, Any]) -> str:
    """Say how fast the planned steps were, over what way; nothing of a robot that took none.

    Args:
        figures: Of a walk.

    Returns:
        Such as "0.47 m/s over 2.06 m".
    """
    if not figures["distance_m"] > 0.0:
        return ""
    line = f"{figures['mean_speed_m_s']:.2f} m/s over {figures['distance_m']:.2f} m"
    asked = figures["speed_asked_m_s"]
    return line if asked is None else f"{line}, {asked:.2f} m/s asked for"


def _count(number: int, what: str) -> str:
    if number == 1:
        return f"1 {what}"
    return f"{number} {what[:-1]}ies" if what.endswith("y") else f"{number} {what}s"
