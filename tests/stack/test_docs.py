"""The tables of names and deviations say what is there."""

import importlib
import re
from pathlib import Path

import pytest

import footwork.stack

ROOT = Path(__file__).parents[2]
NAMES = ROOT / "docs/reference/names_stack.md"
DEVIATIONS = ROOT / "docs/reference/deviations_stack.md"
SEED = (
    "SubTask(",
    "~SubTask",
    "setWeight",
    "getConstraints",
    "getTaskSize",
    "getActiveJointsMask",
    "setActiveJointsMask",
    "getTask",
    "isSubTask",
    "asSubTask",
    "_log",
    "generateA",
    "generateHessianAtype",
    "generateb",
    "generateWeight",
    "_update",
)


def rows(page: Path) -> list[list[str]]:
    lines = [line for line in page.read_text().splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]
    return [row for row in cells if not row[0].startswith(("upstream", "---"))]


def resolve(name: str) -> object:
    importlib.import_module("footwork.stack.solvers")
    thing: object = footwork.stack
    for part in name.split("."):
        thing = getattr(thing, part)
    return thing


@pytest.mark.parametrize("row", rows(NAMES), ids=lambda row: row[0][:40])
def test_every_name_of_the_table_exists(row: list[str]) -> None:
    ours = [name for name in re.findall(r"`([^`]+)`", row[1]) if name not in {"x_size", "id"}]
    assert ours
    for name in ours:
        assert resolve(name) is not None


@pytest.mark.parametrize("name", SEED)
def test_every_function_of_the_seed_is_in_the_table(name: str) -> None:
    upstream = [row[0] for row in rows(NAMES)]
    assert any(name in cell and "SubTask" in cell for cell in upstream)


def test_every_deviation_names_a_test_that_exists() -> None:
    tests = "\n".join(p.read_text() for p in (ROOT / "tests/stack").rglob("test_*.py"))
    for row in rows(DEVIATIONS):
        assert len(row) == 5, row
        names = re.findall(r"`(test_\w+)`", row[-1])
        assert names, row
        for name in names:
            assert f"def {name}(" in tests, name


PAGES = [
    ROOT / "docs/explanation/stack.md",
    ROOT / "docs/reference/cartesio.md",
]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_examples_of_the_pages_run(page: Path) -> None:
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), flags=re.DOTALL)
    assert blocks
    # One page is one session, as a reader types it.
    exec(compile("\n".join(blocks), str(page), "exec"), {"__name__": "page"})
