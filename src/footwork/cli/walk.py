"""``footwork walk``: plan a walk, walk it in simulation, write a run folder."""

import argparse
import re
import sys
from contextlib import ExitStack
from math import cos, pi, radians, sin
from pathlib import Path
from typing import TYPE_CHECKING, Any

from footwork.cli.parser import port
from footwork.errors import InputError

if TYPE_CHECKING:
    from footwork.simulation import Push
    from footwork.walking import Command, WalkRequest, WalkResult

NAME = re.compile(r"[A-Za-z_]\w*(\.[A-Za-z_]\w*)*")
"""Of a setting."""
UNITS = "Metres, seconds, newtons, kilograms; angles in degrees."
COMMANDS = {"goal": (3,), "velocity": (3, 4), "stop": (0,)}
"""Words of a command → how many numbers may follow."""
MAP_HELP = (
    "yaml file of obstacles to walk around, with --goal; such as circles: [[X, Y, RADIUS]], "
    "boxes: [[X_MIN, Y_MIN, X_MAX, Y_MAX]], height: 1.0, limits: [X_MIN, Y_MIN, X_MAX, Y_MAX] "
    "that the robot stays within; or a map of ROS's map_server"
)
EXAMPLES = """examples:
  footwork walk                                    G1 walks to 2.0 0.5 90
  footwork walk --robot talos --goal 3 0 0
  footwork walk --velocity 0.5 0 20 --duration 8   forward in a curve
  footwork walk --goal 4 0 0 --push 2.5 0.1 120 90 a push of 120 N to the left at 2.5 s
  footwork walk --at 0 velocity 0.5 0 0 --at 3 velocity 0 0.2 0 --at 6 goal 0 0 0
  footwork walk --config runs/latest/config.toml   the same again
"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments.

    Args:
        parser: Of this command.
    """
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.description = f"Plan a walk, walk it in MuJoCo, write a run folder. {UNITS}"
    parser.epilog = EXAMPLES
    parser.usage = "footwork walk [OPTION ...]"
    parser.add_argument("--robot", help="name in the zoo (default g1)")
    _add_ways(parser.add_argument_group("where to (one of these; default --goal 2 0.5 90)"))
    _add_world(parser.add_argument_group("world and disturbances"))
    run = parser.add_argument_group("run")
    run.add_argument("--config", metavar="FILE", help="toml file of a walk; options change it")
    run.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="change the walking configuration, such as gait.swing_height=0.06",
    )
    run.add_argument("--seed", type=int, help="of noise and random ground (default 0)")
    run.add_argument(
        "--control-rate", type=float, metavar="HZ", help="ticks a second (default 500)"
    )
    run.add_argument("--out", metavar="DIR", help="run folder (default runs/ROBOT-DATE-TIME)")
    run.add_argument("--no-report", action="store_true", help="write no report.html, replay.html")
    run.add_argument(
        "--live", action="store_true", help="show the walk in a browser while it goes on"
    )
    run.add_argument("--port", type=port, default=8080, help="of --live (default 8080)")
    run.add_argument(
        "--wait", type=float, default=20.0, metavar="S", help="of --live for a browser (default 20)"
    )
    run.add_argument("--headless", action="store_true", help="show nothing (this is the default)")
    run.add_argument("--quiet", action="store_true", help="no progress bar, one line at the end")


def _add_ways(group: Any) -> None:
    group.add_argument(
        "--goal", nargs=3, type=float, metavar=("X", "Y", "YAW"), help="pose to arrive at [m, °]"
    )
    group.add_argument(
        "--waypoints",
        nargs="+",
        type=float,
        metavar="X Y YAW",
        help="poses to walk through, three numbers each [m, °]",
    )
    group.add_argument(
        "--velocity",
        nargs=3,
        type=float,
        metavar=("VX", "VY", "WZ"),
        help="forward, left [m/s], turning [°/s], for --duration",
    )
    group.add_argument("--duration", type=float, metavar="S", help="of --velocity (default 10 s)")
    group.add_argument("--path", metavar="FILE", help="npz file of a planned path of the base")
    group.add_argument("--contacts", metavar="FILE", help="json file of planned contacts")
    group.add_argument(
        "--at",
        nargs="+",
        action="append",
        metavar=("TIME", "COMMAND"),
        help="command while it walks: TIME goal X Y YAW, TIME velocity VX VY WZ [DURATION] or "
        "TIME stop; repeatable; alone, the robot stands until the first",
    )
    group.add_argument("--map", metavar="FILE", help=MAP_HELP)


def _add_world(group: Any) -> None:
    group.add_argument("--slope", type=float, metavar="DEG", help="slope from 0.6 m on, + uphill")
    group.add_argument(
        "--terrain",
        metavar="KIND",
        help="flat, stairs:RISE (planned for; 0.05 up and -0.05 down are safe), bumps:HEIGHT, "
        "rough:HEIGHT or slope:DEG, which the controller does not know of [m, °]",
    )
    group.add_argument("--friction", type=float, help="of the ground (default 1.0)")
    group.add_argument("--payload", type=float, metavar="KG", help="unknown mass in the torso")
    group.add_argument("--mass-factor", type=float, metavar="F", help="true masses over known ones")
    group.add_argument("--delay", type=float, metavar="S", help="of the torques")
    group.add_argument(
        "--noise",
        nargs=2,
        type=float,
        metavar=("RAD/S", "RAD"),
        help="white noise of velocities [rad/s] and joint angles [rad]",
    )
    group.add_argument("--estimator", action="store_true", help="estimate the base's state")
    group.add_argument(
        "--push",
        nargs=4,
        type=float,
        action="append",
        metavar=("START", "DURATION", "FORCE", "DIRECTION"),
        help="push the base: seconds, seconds, newtons, degrees (0 forward, 90 left); repeatable",
    )


def run(arguments: argparse.Namespace) -> int:
    """Run the command.

    Args:
        arguments: As parsed.

    Returns:
        0 when the robot arrived and did not fall, else 1.
    """
    from footwork.cli.summary import print_summary
    from footwork.recording import new_run_folder, point_latest_to

    request = _request(arguments)
    folder = Path(arguments.out) if arguments.out else new_run_folder(Path("runs"), request.robot)
    try:
        result = _walk(request, folder, arguments)
    except KeyboardInterrupt:
        if folder.is_dir():
            print(f"what was recorded until now is in {folder}", file=sys.stderr)
        raise
    point_latest_to(folder)
    if arguments.quiet:
        print(result.message)
    else:
        print_summary(result)
    if not arguments.no_report:
        _export(folder, quiet=arguments.quiet)
    return 0 if result.has_arrived else 1


def _request(arguments: argparse.Namespace) -> "WalkRequest":
    """Join the file, if any, with what the command line says."""
    from dataclasses import replace

    from footwork.walking import WalkRequest, read_request

    changes = _changes(arguments)
    ways = {"goal", "waypoints", "velocity", "path", "contacts"}
    chosen = ways & changes.keys()
    if arguments.config:
        request = read_request(arguments.config)
        if chosen:
            blank = {"goal": None, "waypoints": (), "velocity": None, "path": "", "contacts": ""}
            changes = blank | changes
        settings = _merged(request.settings, changes.pop("settings", {}))
        return replace(request, settings=settings, **changes)
    if not chosen and "commands" not in changes:
        changes["goal"] = (2.0, 0.5, pi / 2.0)
    return WalkRequest(**changes)


def _changes(arguments: argparse.Namespace) -> dict[str, Any]:
    """What the command line asks for, in SI units."""
    a = arguments
    changes: dict[str, Any] = {
        name: getattr(a, name)
        for name in (
            "robot", "duration", "path", "contacts", "map", "terrain", "friction", "payload",
            "mass_factor", "delay", "seed",
        )
        if getattr(a, name) is not None
    }  # fmt: skip
    changes |= _ways(a)
    if a.duration is not None and not a.velocity and not a.config:
        raise InputError("--duration belongs to --velocity, which is missing")
    if a.slope is not None:
        if a.terrain is not None:
            raise InputError("give --slope or --terrain, not both")
        changes["terrain"] = f"slope:{a.slope:g}"
    if a.noise:
        changes["velocity_noise"], changes["position_noise"] = a.noise
    if a.estimator:
        changes["estimator"] = True
    if a.push:
        changes["pushes"] = tuple(_push(numbers) for numbers in a.push)
    if a.control_rate is not None:
        if not a.control_rate > 0.0:
            raise InputError(f"--control-rate must be positive, got {a.control_rate}")
        changes["control_step"] = 1.0 / a.control_rate
    if a.set:
        changes["settings"] = _settings(a.set)
    return changes


def _ways(a: argparse.Namespace) -> dict[str, Any]:
    """Where to walk, in SI units."""
    ways: dict[str, Any] = {}
    if a.goal:
        ways["goal"] = _pose(a.goal)
    if a.waypoints:
        numbers = a.waypoints
        if len(numbers) % 3:
            raise InputError(f"--waypoints wants three numbers each, got {len(numbers)}")
        ways["waypoints"] = tuple(_pose(numbers[i : i + 3]) for i in range(0, len(numbers), 3))
    if a.velocity:
        ways["velocity"] = _pose(a.velocity)
    if a.at:
        ways["commands"] = tuple(_command(words) for words in a.at)
    return ways


def _command(words: list[str]) -> "Command":
    """Read the words of one ``--at``."""
    from footwork.walking import Command

    said = f"--at {' '.join(words)}"
    kind = words[1] if len(words) > 1 else ""
    if kind not in COMMANDS:
        raise InputError(f"{said}: expected TIME and then goal, velocity or stop")
    try:
        time, *numbers = (float(word) for word in (words[0], *words[2:]))
    except ValueError as error:
        raise InputError(f"{said}: {error}") from error
    if len(numbers) not in COMMANDS[kind]:
        counts = " or ".join(str(count) for count in COMMANDS[kind])
        raise InputError(f"{said}: expected {counts} numbers after {kind}, got {len(numbers)}")
    if kind == "stop":
        return Command(time=time, stop=True)
    if kind == "goal":
        return Command(time=time, goal=_pose(numbers))
    duration = numbers[3] if len(numbers) > 3 else None
    return Command(time=time, velocity=_pose(numbers), duration=duration)


def _pose(numbers: list[float]) -> tuple[float, float, float]:
    return numbers[0], numbers[1], radians(numbers[2])


def _push(numbers: list[float]) -> "Push":
    from footwork.simulation import Push

    start, duration, force, direction = numbers
    x, y = force * cos(radians(direction)), force * sin(radians(direction))
    return Push(start=start, duration=duration, force=(x, y, 0.0))


def _settings(words: list[str]) -> dict[str, Any]:
    """Read ``gait.swing_height=0.06`` and the like into nested tables."""
    from tomllib import TOMLDecodeError, loads

    settings: dict[str, Any] = {}
    for word in words:
        name, equals, value = word.partition("=")
        try:
            table = loads(word)
        except TOMLDecodeError as error:
            if not (equals and NAME.fullmatch(name.strip())):
                says = f"--set {word}: expected NAME=VALUE, such as gait.swing_height=0.06"
            else:
                says = (
                    f"--set {name}: {value} is not a number, true, false or a list such as [1, 2]"
                )
            raise InputError(says) from error
        settings = _merged(settings, table)
    return settings


def _merged(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    merged = dict(old)
    for name, value in new.items():
        before = merged.get(name)
        both = isinstance(before, dict) and isinstance(value, dict)
        merged[name] = _merged(before, value) if both else value  # type: ignore[arg-type]
    return merged


def _walk(request: "WalkRequest", folder: Path, arguments: argparse.Namespace) -> "WalkResult":
    if not arguments.wait >= 0.0:
        raise InputError(f"--wait must not be negative, got {arguments.wait:g}")
    from footwork.cli.progress import compile_kernels, progress_bar
    from footwork.cli.warm_up import missing_kernels
    from footwork.planning.planners.progress import compiling
    from footwork.robot import load
    from footwork.walking import plan_walk, walk

    jobs = missing_kernels(("stack", "walking"))
    if jobs or request.map:  # a refusal comes at once, and the search of a way may be compiled
        with compiling(shown=not arguments.quiet):
            plan_walk(load(request.robot), request.walking, request)
    if jobs:
        compile_kernels(jobs, quiet=arguments.quiet)
    with ExitStack() as open_things:
        watch = None
        if arguments.live and not arguments.headless:
            from footwork.viewer.live import LiveView

            wait = arguments.wait
            view = LiveView(folder, port=arguments.port, wait=wait)
            watch = open_things.enter_context(view)
            print(f"live at {watch.address}  (waits {wait:g} s for a browser, ends with the walk)")
        title = f"{request.robot} {request.describe()}"
        progress = open_things.enter_context(progress_bar(title, quiet=arguments.quiet))
        return walk(request, folder=folder, progress=progress, watch=watch)


def _export(folder: Path, *, quiet: bool) -> None:
    """Write report and replay, which take some seconds that are none of the walk's."""
    from rich.console import Console

    from footwork.recording import open_run
    from footwork.viewer import write_replay, write_report

    recorded = open_run(folder)
    console = Console(stderr=True)
    console.quiet = quiet or not console.is_terminal
    with console.status("writing report.html and replay.html"):
        paths = (write_report(recorded), write_replay(recorded))
    if not quiet:
        for path in paths:
            print(f"  {path.stem:<8} {path}")
