"""The README and the pages of the documentation do what they say."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```python\n(.*?)^```", re.DOTALL | re.MULTILINE)
WITH_CODE = [page for page in PAGES if BLOCK.search(page.read_text(encoding="utf-8"))]


@pytest.mark.parametrize("page", WITH_CODE, ids=lambda page: str(page.relative_to(ROOT)))
def test_the_python_of_a_page_runs(page: Path, tmp_path: Path) -> None:
    """All ```python blocks of one page run in order, as one program, in an empty folder."""
    program = "\n".join(BLOCK.findall(page.read_text(encoding="utf-8")))
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env={**os.environ, "MPLBACKEND": "agg"},
    )
    assert done.returncode == 0, done.stderr


def test_every_source_that_a_docstring_names_is_in_the_bibliography() -> None:
    keys = set(
        re.findall(r"^@\w+\{([^,]+),", (ROOT / "docs/references.bib").read_text("utf-8"), re.M)
    )
    named = {
        (key, path.relative_to(ROOT).as_posix())
        for path in (ROOT / "src").rglob("*.py")
        for line in re.findall(r"^\s*Source: (.+)$", path.read_text("utf-8"), re.M)
        for key in re.findall(r"\b[a-z]+\d{4}[a-z]+\b", line)
    }
    assert not {(key, path) for key, path in named if key not in keys}
