"""The `footwork` command: finds the sub-command, and turns deliberate errors into one line.

Sub-commands are modules of this package, imported only to run, so that ``footwork --help`` is
quick. Each module has ``configure(parser)``, which adds its arguments, and ``run(arguments)``,
which returns the exit status; neither module nor ``configure`` may import anything heavy.
"""

import argparse
import contextlib
import importlib
import io
import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Final

from footwork.cli.parser import CommandParser
from footwork.errors import FootworkError

COMMANDS: Final[dict[str, tuple[str, str]]] = {
    # name: (module of footwork.cli, one line of help)
    "contacts": ("contacts", "look at, check, convert and make files of contact lists"),
    "robots": ("robots", "list the robots that Footwork knows, or show one"),
    "ik": ("ik", "drag a robot's hands and feet in the browser"),
    "walk": ("walk", "plan a walk and walk it in simulation"),
    "plan": ("plan", "plan the motion of a scene, write path and pictures"),
    "warm-up": ("warm_up", "compile everything once, so that later runs start quickly"),
    "view": ("view", "look at a run in the browser, or export its report and replay"),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line.

    Args:
        arguments: Words after the program's name; those of the process when not given.

    Returns:
        Exit status: 0 done, 1 a deliberate error or a job that failed, 2 misuse, 130 Ctrl-C, 141
        when nobody reads the output any more.
    """
    if isinstance(sys.stdout, io.TextIOWrapper):  # what it cannot encode is no reason to stop
        with contextlib.suppress(OSError):
            sys.stdout.reconfigure(errors="backslashreplace")
    words = list(sys.argv[1:] if arguments is None else arguments)
    parser, modules = _build_parser(words)
    parsed = parser.parse_args(words)
    if parsed.command is None:
        parser.print_help()
        return 2
    try:
        return int(modules[parsed.command].run(parsed))
    except FootworkError as error:
        print(f"footwork {parsed.command}: {error}", file=sys.stderr)
        return 1
    except MemoryError as error:
        print(f"footwork {parsed.command}: out of memory: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(f"footwork {parsed.command}: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # who reads the output, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


def _build_parser(words: Sequence[str]) -> tuple[argparse.ArgumentParser, dict[str, ModuleType]]:
    """Give every command its name and help, and only the one asked for its arguments."""
    parser = CommandParser(
        prog="footwork",
        description="From a goal to joint torques for legged robots.",
        epilog="`footwork COMMAND --help` explains one command.",
    )
    parser.add_argument("--version", action="version", version=f"footwork {_version()}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    modules: dict[str, ModuleType] = {}
    for name, (module, help_line) in COMMANDS.items():
        sub = commands.add_parser(name, help=help_line, description=help_line)
        if name in words:
            modules[name] = importlib.import_module(f"footwork.cli.{module}")
            modules[name].configure(sub)
    return parser, modules


def _version() -> str:
    from footwork import __version__

    return __version__
