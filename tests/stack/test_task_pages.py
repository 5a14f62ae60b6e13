"""The pages on tasks, constraints and robots name what there is, and tests that exist."""

import importlib
import re
from pathlib import Path

import pytest

from footwork.robot import robot_names
from footwork.stack import constraints, tasks

ROOT = Path(__file__).parents[2]
REFERENCE = ROOT / "docs" / "reference"


def rows(page: str) -> list[list[str]]:
    lines = (REFERENCE / page).read_text(encoding="utf-8").splitlines()
    lines = [line for line in lines if line.startswith("| ")]
    cells = [[c.strip() for c in line.strip("|").split(" | ")] for line in lines]
    return [row for row in cells if not row[0].startswith(("upstream", "---"))]


@pytest.mark.parametrize("row", rows("names_tasks.md"), ids=lambda row: row[0][:40])
def test_every_name_exists(row: list[str]) -> None:
    thing: object = importlib.import_module("footwork.stack")
    importlib.import_module("footwork.stack.inverse_dynamics")
    for part in row[1].strip("`").split("."):
        thing = getattr(thing, part)
    assert callable(thing)


def test_every_deviation_names_a_test_that_exists() -> None:
    written = "\n".join(
        path.read_text(encoding="utf-8") for path in (ROOT / "tests/stack").rglob("test_*.py")
    )
    for row in rows("deviations_tasks.md"):
        assert len(row) == 5, row
        names = re.findall(r"`(test_\w+)`", row[-1])
        assert names, row
        for name in names:
            assert f"def {name}(" in written, name


@pytest.mark.parametrize(
    ("page", "package"), [("tasks.md", tasks), ("constraints.md", constraints)], ids=str
)
def test_every_task_and_constraint_is_on_its_page(page: str, package: object) -> None:
    text = (REFERENCE / page).read_text(encoding="utf-8")
    for part in ("velocity", "acceleration", "force"):
        module = getattr(package, part)
        public = [n for n, v in vars(module).items() if isinstance(v, type)]
        assert public
        for name in public:
            assert name in text, f"{part}.{name} is not on {page}"


def test_every_robot_is_on_its_page() -> None:
    text = (REFERENCE / "robots.md").read_text(encoding="utf-8")
    assert all(f"`{name}`" in text for name in robot_names())
