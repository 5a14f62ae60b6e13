"""``footwork robots``: the robots that Footwork knows, or everything about one of them."""

import argparse
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments.

    Args:
        parser: Of this command.
    """
    parser.description = "List the robots of the zoo, or show one with its joints and their limits."
    parser.add_argument("robot", nargs="?", help="name of a robot, for everything about it")


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Args:
        arguments: As parsed.

    Returns:
        0.
    """
    from rich.console import Console

    console = Console()
    if arguments.robot is None:
        _list(console)
    else:
        _show(console, arguments.robot)
    return 0


def _list(console: "Console") -> None:
    from rich.markup import escape
    from rich.table import Table

    from footwork.robot import load, robot_names
    from footwork.walking.robots import CONFIGURATIONS

    table = Table(box=None, header_style="bold")
    for column in ("name", "robot", "kind", "walks", "joints", "mass [kg]", "feet"):
        table.add_column(
            escape(column),
            justify="right" if column in {"joints", "mass [kg]"} else "left",
            no_wrap=column != "robot",
        )
    for name in robot_names():
        robot = load(name)
        entry = robot.entry
        if entry is None:
            continue
        kind = "point" if entry.feet and entry.feet[0].is_point else "flat"
        feet = f"{len(entry.feet)} {kind}" if entry.feet else "–"
        numbers = str(len(robot.joint_names)), f"{robot.mass:.1f}"
        walks = "yes" if name in CONFIGURATIONS else "–"
        table.add_row(name, entry.title, entry.kind, walks, *numbers, feet)
    console.print(table)


def _show(console: "Console", name: str) -> None:
    import math

    import numpy as np
    from rich.markup import escape
    from rich.table import Table

    from footwork.robot import load

    robot = load(name)
    entry = robot.entry
    if entry is None:
        return
    base = "floating base" if robot.has_floating_base else "fixed base"
    console.print(
        f"[bold]{escape(entry.title)}[/bold]  {entry.kind}, {base}, nq {robot.nq}, nv {robot.nv}"
    )
    lines = {
        "description": entry.path,
        "licence": entry.licence,
        "aliases": ", ".join(sorted(entry.aliases())),
        **entry.sources,
    }
    for what, text in lines.items():
        console.print(f"{what:13} {text}", soft_wrap=True, markup=False)
    table = Table(box=None, header_style="bold")
    headers = ("joint", "from\n[°]", "to\n[°]", "speed\n[°/s]", "torque\n[N m]", "rotor\n[kg m²]")
    for column in headers:
        is_name = column == "joint"
        table.add_column(escape(column), justify="left" if is_name else "right", no_wrap=is_name)
    lower, upper = robot.position_limits
    for joint in robot.joint_names:
        i = robot.joint_index(joint)
        slides = robot.is_sliding(joint)
        limits = (lower[i], upper[i], robot.velocity_limits[i])
        angles = [x if slides else math.degrees(x) for x in limits]
        effort = float(robot.effort_limits[i - robot.nv + robot.nu])
        numbers = [f"{a:.4g}" if np.isfinite(a) else "–" for a in (*angles, effort)]
        table.add_row(
            f"{joint}\n  slides: m, m/s, N" if slides else joint,
            *numbers,
            f"{robot.armature[i]:.4g}",
        )
    console.print(table)
