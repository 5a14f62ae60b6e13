"""The examples on the reference page run, and the page lists every solver."""

import re
from pathlib import Path

from footwork.stack import solvers

PAGE = (Path(__file__).parents[3] / "docs/reference/solvers.md").read_text(encoding="utf-8")


def test_the_examples_run() -> None:
    code = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
    assert len(code) == 2
    exec("\n".join(code), {})  # noqa: S102, RUF100


def test_every_solver_and_status_is_on_the_page() -> None:
    for name in ("StrictHierarchy", "WeightedQP", "SoftConstraints", "NullSpaceSolver", "DAQP"):
        assert hasattr(solvers, name)
        assert f"`{name}`" in PAGE
    for status in solvers.Status:
        assert f"`{status.name}`" in PAGE


def test_every_deviation_is_held_by_a_test() -> None:
    page = Path(__file__).parents[3] / "docs/reference/deviations_solvers.md"
    rows = [r for r in page.read_text(encoding="utf-8").splitlines() if r.startswith("| ")][1:]
    tests = "".join(p.read_text(encoding="utf-8") for p in Path(__file__).parent.glob("test_*.py"))
    for row in rows:
        name = row.split("|")[-2].strip().strip("`")
        assert f"def {name}(" in tests, name
