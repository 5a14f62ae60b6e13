"""The tables of names and deviations say what is there."""

import importlib
import re
from pathlib import Path

import pytest

import footwork.contacts

ROOT = Path(__file__).parents[2]
NAMES = ROOT / "docs/reference/names_contacts.md"
DEVIATIONS = ROOT / "docs/reference/deviations_contacts.md"
ROWS = re.findall(r"^\| `([^`]+)` \| `([^`]+)`", NAMES.read_text(encoding="utf-8"), re.M)


@pytest.mark.parametrize(("upstream", "name"), ROWS)
def test_every_upstream_function_has_its_name_here(upstream: str, name: str) -> None:
    found: object = footwork.contacts
    for part in name.split("."):
        found = getattr(found, part)
    assert found is not None, upstream


SEED = [
    "const_iterator",
    "const_reverse_iterator",
    "setDefaultName",
    "defaultName",
    "setDefaultContactType",
    "setDefaultIndex",
    "defaultIndex",
    "defaultContactType",
    "addContact",
    "erase",
    "begin",
    "cbegin",
    "rbegin",
    "crbegin",
    "end",
    "cend",
    "rend",
    "crend",
    "operator[]",
    "size",
    "firstContact",
    "lastContact",
    "editContact",
    "getActiveContact",
    "getNextContact",
    "getPresentContact",
    "keepOnlyPresentContact",
    "clear",
    "removeLastContact",
    "toString",
    "forceSampleTime",
    "areContactsSampled",
]


def test_every_function_of_the_seed_is_in_the_table() -> None:
    named = {upstream.partition("(")[0] for upstream, _ in ROWS}
    assert {f"ContactList::{name}" for name in SEED} <= named
    both = [upstream for upstream, _ in ROWS if upstream.startswith("ContactList::addContact")]
    assert len(both) == 2


def test_every_deviation_names_a_test_that_exists() -> None:
    tests = {
        name
        for path in (ROOT / "tests/contacts").glob("test_*.py")
        for name in re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.M)
    }
    rows = [
        line
        for line in DEVIATIONS.read_text(encoding="utf-8").splitlines()
        if line.startswith("|") and not line.startswith(("| upstream", "|---"))
    ]
    assert len(rows) > 30
    for row in rows:
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert len(cells) == 5, row
        assert cells[4].strip("`") in tests, row


def test_the_deviations_counted_in_the_replay_are_in_the_table() -> None:
    text = DEVIATIONS.read_text(encoding="utf-8")
    source = (ROOT / "tests/contacts/test_traces.py").read_text(encoding="utf-8")
    function = source.partition("def may_differ")[2].partition("\n\n\n")[0]
    reasons = re.findall(r'return "([^"]+)"', function)
    assert len(reasons) >= 5
    for reason in reasons:
        assert f"*{reason}*" in text, reason


def test_everything_public_has_a_docstring() -> None:
    module = importlib.import_module("footwork.contacts")
    public = [name for name in vars(module) if not name.startswith("_")]
    assert all(getattr(module, name).__doc__ for name in public)
