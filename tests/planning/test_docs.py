"""The tables of names and deviations say what is there, and the examples of the pages run."""

import re
from pathlib import Path

import pytest

import footwork.planning as fp

ROOT = Path(__file__).parents[2]
NAMES = ROOT / "docs/reference/names_planning.md"
DEVIATIONS = ROOT / "docs/reference/deviations_planning.md"
SEED = (
    "append(const State*)",
    "append(const State*, const Control*, double)",
    "interpolate",
    "randomValid",
    "getStates",
    "getControls",
    "getControlDurations",
    "getState",
    "getControl",
    "getControlDuration",
    "getStateCount",
    "getControlCount",
    "cost",
    "length",
    "print",
    "printAsMatrix",
    "asGeometric",
    "copyFrom",
)


def rows(page: Path) -> list[list[str]]:
    lines = [line for line in page.read_text().splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return [row for row in cells if not row[0].startswith(("upstream", "---"))]


@pytest.mark.parametrize("row", rows(NAMES), ids=lambda row: row[0][:50])
def test_every_name_of_the_table_exists(row: list[str]) -> None:
    ours = re.findall(r"`([^`]+)`", row[1])
    assert ours
    for name in ours:
        thing: object = fp
        for part in name.split("."):
            thing = getattr(thing, part)
        assert thing is not None


@pytest.mark.parametrize("name", SEED)
def test_every_function_of_the_seed_is_in_the_table(name: str) -> None:
    assert any(row[0] == f"`PathControl::{name}`" for row in rows(NAMES))


def test_every_deviation_names_a_test_that_exists() -> None:
    tests = "\n".join(page.read_text() for page in (ROOT / "tests/planning").rglob("test_*.py"))
    assert len(rows(DEVIATIONS)) > 20
    for row in rows(DEVIATIONS):
        assert len(row) == 5, row
        names = re.findall(r"`(test_\w+)`", row[-1])
        assert names, row
        for name in names:
            assert f"def {name}(" in tests, name


@pytest.mark.parametrize("page", ["explanation/planning.md", "howto/planning_own_system.md"])
def test_the_examples_of_the_pages_run(page: str) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs" / page).read_text(), re.M | re.S)
    assert len(blocks) >= 5
    exec("\n".join(blocks), {"__name__": "example"})
