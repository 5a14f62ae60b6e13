"""``footwork contacts``: look at files of contact lists, check, convert and make them."""

import argparse
import shutil
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from footwork.errors import InputError

if TYPE_CHECKING:
    from footwork.contacts import ContactList

_EXAMPLES = """examples:
  footwork contacts gait trot trot.json --speed 0.3
  footwork contacts show trot.json --gantt trot.png --top trot_top.png
  footwork contacts check trot.json --smallest-distance 0.1
  footwork contacts convert trot.json for_blf.json --format blf"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the actions and their arguments.

    Args:
        parser: Parser of this command.
    """
    parser.description = "Contact lists: which foot is where, and when. Times are in seconds."
    parser.epilog = _EXAMPLES
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    _configure_show(actions.add_parser("show", help="draw a file as text, or as pictures"))
    _configure_check(actions.add_parser("check", help="say what is odd about a file, in words"))
    _configure_convert(actions.add_parser("convert", help="write a file in another format"))
    _configure_gait(actions.add_parser("gait", help="make a file of a periodic gait"))


def run(arguments: argparse.Namespace) -> int:
    """Do the action that is asked for.

    Args:
        arguments: What the parser found.

    Returns:
        Exit status: 0; 1 when a check found something.
    """
    actions: dict[str, Callable[[argparse.Namespace], int]] = {
        "show": _show,
        "check": _check,
        "convert": _convert,
        "gait": _gait,
    }
    return actions[arguments.action](arguments)


def _configure_show(parser: argparse.ArgumentParser) -> None:
    _add_input(parser)
    parser.add_argument("--from", dest="begin", type=float, metavar="S", help="first instant [s]")
    parser.add_argument("--to", dest="end", type=float, metavar="S", help="last instant [s]")
    parser.add_argument("--phases", action="store_true", help="list the phases as well")
    parser.add_argument("--contacts", action="store_true", help="list the contacts as well")
    parser.add_argument("--gantt", metavar="PICTURE", help="write a Gantt chart (.png, .svg, .pdf)")
    parser.add_argument("--top", metavar="PICTURE", help="write the footsteps seen from above")
    parser.add_argument(
        "--width", type=int, metavar="N", help="columns (default those of the terminal)"
    )
    parser.add_argument("--ascii", action="store_true", help="draw with ASCII characters only")


def _configure_check(parser: argparse.ArgumentParser) -> None:
    _add_input(parser)
    parser.add_argument(
        "--shortest-swing", type=float, default=0.1, metavar="S", help="in the air (default 0.1 s)"
    )
    parser.add_argument(
        "--shortest-stance",
        type=float,
        default=1e-9,
        metavar="S",
        help="on the ground (default 1e-9 s)",
    )
    parser.add_argument(
        "--smallest-distance", type=float, metavar="M", help="between feet that stand [m]"
    )
    parser.add_argument("--longest-step", type=float, metavar="M", help="of one foot [m]")
    parser.add_argument("--sample-time", type=float, metavar="S", help="grid of all times [s]")
    parser.add_argument("--allow-flight", action="store_true", help="flight is meant")


def _configure_convert(parser: argparse.ArgumentParser) -> None:
    _add_input(parser)
    parser.add_argument("output", metavar="OUTPUT", help="file to write")
    parser.add_argument(
        "--format",
        choices=["footwork", "blf"],
        default="footwork",
        help="footwork loses nothing (default); blf is for bipedal-locomotion-framework",
    )
    parser.add_argument(
        "--sample-time", type=float, metavar="S", help="move times to this grid [s]"
    )
    parser.add_argument(
        "--rounding",
        choices=["outward", "nearest"],
        default="outward",
        help="how (default outward)",
    )
    parser.add_argument(
        "--shift", type=float, default=0.0, metavar="S", help="add to all times [s]"
    )
    parser.add_argument("--mirror", action="store_true", help="exchange left and right")


def _configure_gait(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "name", help="stand, walk, trot, pace, bound, amble, crawl, run or hop", metavar="NAME"
    )
    parser.add_argument("output", metavar="OUTPUT", help="file to write")
    parser.add_argument("--feet", type=int, choices=[2, 4], default=4, help="how many (default 4)")
    parser.add_argument(
        "--duration", type=float, default=3.0, metavar="S", help="of the gait (default 3 s)"
    )
    parser.add_argument(
        "--period", type=float, default=0.6, metavar="S", help="of a stride (default 0.6 s)"
    )
    parser.add_argument(
        "--duty", type=float, metavar="F", help="part of the stride on the ground, 0 to 1"
    )
    parser.add_argument(
        "--speed", type=float, default=0.0, metavar="V", help="forward [m/s] (default 0)"
    )
    parser.add_argument(
        "--turn", type=float, default=0.0, metavar="W", help="to the left [°/s] (default 0)"
    )
    parser.add_argument(
        "--stand", type=float, default=0.5, metavar="S", help="standing first (default 0.5 s)"
    )


def _add_input(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="file of contact lists, of either format")
    parser.add_argument(
        "--repair", action="store_true", help="normalise quaternions that are off unit"
    )


def _show(arguments: argparse.Namespace) -> int:
    from footwork.contacts import ContactPhaseList, text_gantt

    lists = _read(arguments)
    window = {
        name: None if value is None else _time(option, value)
        for name, option, value in (
            ("begin", "--from", arguments.begin),
            ("end", "--to", arguments.end),
        )
    }
    width = arguments.width or max(min(shutil.get_terminal_size((100, 24)).columns, 160), 30)
    plain = arguments.ascii or not _can_print("█▌▐▒·→│─┴")
    chart = text_gantt(lists, width=width, ascii_only=plain, **window)
    print(f"{_summary(arguments.file, lists)}\n{chart}")
    if arguments.contacts:
        print("\n" + "\n".join(str(contacts) for contacts in lists.values()))
    if arguments.phases:
        print(f"\n{ContactPhaseList.from_lists(lists)}")
    _draw(arguments, lists, window)
    return 0


def _draw(
    arguments: argparse.Namespace,
    lists: "dict[str, ContactList]",
    window: dict[str, int | None],
) -> None:
    for path, name in ((arguments.gantt, "plot_gantt"), (arguments.top, "plot_footsteps")):
        if path is None:
            continue
        from footwork.contacts import plots

        getattr(plots, name)(lists, path, **window, title=arguments.file)
        print(f"wrote {path}")


def _check(arguments: argparse.Namespace) -> int:
    from footwork.contacts import validate

    lists = _read(arguments)
    found = [
        str(finding)
        for finding in validate(
            lists,
            shortest_swing=_length("--shortest-swing", arguments.shortest_swing),
            shortest_stance=_length("--shortest-stance", arguments.shortest_stance),
            allow_flight=arguments.allow_flight,
            smallest_distance=arguments.smallest_distance,
            longest_step=arguments.longest_step,
        )
    ]
    if arguments.sample_time is not None:
        grid = _length("--sample-time", arguments.sample_time, least=1)
        found += [
            f"{key}: not all times are multiples of {arguments.sample_time:g} s"
            for key, contacts in lists.items()
            if not contacts.are_contacts_sampled(grid)
        ]
    print(_summary(arguments.file, lists))
    print("\n".join(f"  {text}" for text in found) if found else "  nothing is odd")
    return 1 if found else 0


def _convert(arguments: argparse.Namespace) -> int:
    from footwork.contacts import mirror, shift, write_contacts

    lists = shift(_read(arguments), _time("--shift", arguments.shift))
    if arguments.mirror:
        lists = mirror(lists)
    if arguments.sample_time is not None:
        grid = _length("--sample-time", arguments.sample_time, least=1)
        for contacts in lists.values():
            contacts.force_sample_time(grid, arguments.rounding)
    lost = write_contacts(arguments.output, lists, format=arguments.format)
    print(f"wrote {arguments.output}")
    for line in _grouped(lost):
        print(f"  lost: {line}")
    return 0


def _gait(arguments: argparse.Namespace) -> int:
    from math import isfinite, radians

    from footwork.contacts import Contact, ContactType, gaits, write_contacts

    feet = gaits.BIPED if arguments.feet == 2 else gaits.QUADRUPED
    # quadrupeds have ball feet as a rule
    kind = ContactType.FULL if arguments.feet == 2 else ContactType.POINT
    begin = _length("--stand", arguments.stand)
    end = begin + _length("--duration", arguments.duration, least=1)
    poses = gaits.nominal_footholds(feet)
    places = {foot: Contact(pose=pose, type=kind) for foot, pose in poses.items()}
    for option, value in (("--speed", arguments.speed), ("--turn", arguments.turn)):
        if not isfinite(value):
            raise InputError(f"{option}: expected a finite number, got {value:g}")
    velocity = (arguments.speed, 0.0, radians(arguments.turn))
    lists = gaits.insert(
        gaits.standing(places),
        gaits.named(arguments.name, feet, duty=arguments.duty),
        begin=begin,
        end=end,
        period=_length("--period", arguments.period, least=1),
        footholds=gaits.moving_footholds(places, velocity, begin=begin, end=end),
    )
    write_contacts(arguments.output, lists)
    print(f"wrote {arguments.output}; look at it with: footwork contacts show {arguments.output}")
    return 0


def _read(arguments: argparse.Namespace) -> "dict[str, ContactList]":
    from footwork.contacts import read_contacts

    return read_contacts(arguments.file, repair=arguments.repair)


def _summary(file: str, lists: "dict[str, ContactList]") -> str:
    """One line: the file, what is in it, and its time."""
    from footwork.contacts import begin_time, end_time
    from footwork.contacts.nanoseconds import format_time

    contacts = sum(map(len, lists.values()))
    counts = f"{file}: {_count(len(lists), 'list')}, {_count(contacts, 'contact')}"
    if not contacts:
        return counts
    return f"{counts}, from {format_time(begin_time(lists))} to {format_time(end_time(lists))}"


def _grouped(lost: tuple[str, ...]) -> list[str]:
    """What is lost, each kind of it once: where first, and how often."""
    places: dict[str, list[str]] = {}
    for line in lost:
        place, _, what = line.partition(": ")
        places.setdefault(what, []).append(place)
    return [
        f"{found[0]}: {what}" + (f" (and {len(found) - 1} more)" if found[1:] else "")
        for what, found in places.items()
    ]


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def _time(option: str, value: float) -> int:
    """Turn what was typed, in seconds, into a finite time [ns]."""
    from footwork.contacts.nanoseconds import FOREVER_SECONDS, seconds

    if not abs(value) < FOREVER_SECONDS:
        raise InputError(f"{option}: expected a time within {FOREVER_SECONDS:g} s, got {value:g} s")
    return seconds(value)


def _length(option: str, value: float, *, least: int = 0) -> int:
    """Turn what was typed, in seconds, into a length of time of some nanoseconds at least."""
    length = _time(option, value)
    if length < least:
        wanted = "1e-9 s (one nanosecond)" if least else "0 s"
        raise InputError(f"{option}: expected {wanted} or more, got {value:g} s")
    return length


def _can_print(text: str) -> bool:
    try:
        text.encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return False
    return True
