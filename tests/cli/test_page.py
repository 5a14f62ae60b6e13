"""docs/reference/command_line.md says what the commands take."""

import argparse
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from footwork.cli.main import COMMANDS
from footwork.cli.parser import CommandParser

PAGE = (Path(__file__).parents[2] / "docs/reference/command_line.md").read_text("utf-8")
SECTIONS = dict(re.findall(r"^## footwork (\S+)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))


def test_every_command_has_a_section() -> None:
    assert set(SECTIONS) == set(COMMANDS)


@pytest.mark.parametrize("command", sorted(COMMANDS.keys() - {"walk"}))
def test_its_section_names_all_options_and_no_others(command: str) -> None:
    parser = CommandParser(prog=f"footwork {command}")
    importlib.import_module(f"footwork.cli.{COMMANDS[command][0]}").configure(parser)
    section = SECTIONS[command]
    assert set(re.findall(r"`(--[a-z-]+)", section)) == set(_options(parser))
    for action in _actions(parser):
        assert f"`{action} " in section


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        yield from (name for name in action.option_strings if name not in {"-h", "--help"})
        if isinstance(action, argparse._SubParsersAction):
            for sub in action.choices.values():
                yield from _options(sub)


def _actions(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices
