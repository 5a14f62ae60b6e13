"""How the command line answers misuse: one short line of usage, and what is wrong."""

import argparse
from collections.abc import Sequence
from difflib import get_close_matches
from typing import Any


def port(text: str) -> int:
    """Read the number of a port, as the ``type`` of an argument.

    Args:
        text: What was typed.

    Returns:
        The port; 0 is any that is free.

    Raises:
        argparse.ArgumentTypeError: If it is no whole number from 0 to 65535.
    """
    if text.isdecimal() and int(text) < 2**16:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected a port from 0 to 65535, got {text!r}")


class CommandParser(argparse.ArgumentParser):
    """A parser that answers misuse in two lines, and leaves the long list to ``--help``."""

    def format_usage(self) -> str:
        """Say in a line how the command is called; shown with errors."""
        places = "".join(f" {_name(action)}" for action in self._get_positional_actions())
        return f"usage: {self.prog} [OPTION ...]{places}   ({self.prog} --help lists them)\n"

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as argparse does, but let the command that was asked for refuse what it lacks.

        Args:
            args: Words; those of the process when not given.
            namespace: To be filled.

        Returns:
            The namespace, and an empty list.
        """
        found, rest = super().parse_known_args(args, namespace)
        if rest:
            self.error(self._unknown(rest))
        return found, rest

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Refuse what is none of the choices, and name the one that may have been meant."""
        try:
            super()._check_value(action, value)
        except argparse.ArgumentError as error:
            near = get_close_matches(str(value), [str(choice) for choice in action.choices or ()])
            if not near:
                raise
            raise argparse.ArgumentError(
                action, f"{error.message}; did you mean {near[0]}?"
            ) from error

    def _unknown(self, words: Sequence[str]) -> str:
        known = list(self._option_string_actions)
        near = [m for w in words if w.startswith("-") for m in get_close_matches(w, known, n=1)]
        hint = f"; did you mean {near[0]}?" if near else ""
        return f"unrecognized arguments: {' '.join(words)}{hint}"


def _name(action: argparse.Action) -> str:
    metavar = action.metavar or action.dest.upper()
    name = metavar if isinstance(metavar, str) else " ".join(metavar)
    if action.nargs == "?":
        return f"[{name}]"
    return f"[{name} ...]" if action.nargs == "*" else name
