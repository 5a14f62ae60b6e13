"""What planning writes goes into folders that need not be there, or fails in our words."""

from collections.abc import Callable
from pathlib import Path

import pytest

from footwork.errors import InputError
from footwork.planning import PathControl, PlannerData
from footwork.planning.benchmark import Benchmark
from footwork.planning.files import written
from tests.planning.systems import line_system

Write = Callable[[Path], object]


def writers() -> dict[str, Write]:
    """Everything of planning that writes a file, by name; pictures are in test_plots."""
    si = line_system()
    path = PathControl.from_arrays(si, [[0.0], [0.1]], [[1.0]], [0.1])
    data = PlannerData(si)
    data.add_vertex([0.0])
    benchmark = Benchmark(experiments=(), time_limit=1.0, memory_limit=None, seeds=())
    return {
        "PathControl.print": path.print,
        "PathControl.print_as_matrix": path.print_as_matrix,
        "PathControl.to_npz": path.to_npz,
        "PlannerData.to_npz": data.to_npz,
        "PlannerData.to_graphml": data.to_graphml,
        "Benchmark.write_sqlite": benchmark.write_sqlite,
    }


@pytest.mark.parametrize("name", writers())
def test_missing_folders_are_made(name: str, tmp_path: Path) -> None:
    file = tmp_path / "a" / "b" / "file"
    writers()[name](file)
    assert file.stat().st_size > 0


@pytest.mark.parametrize("name", writers())
def test_a_folder_that_is_a_file_is_said(name: str, tmp_path: Path) -> None:
    (tmp_path / "a").write_text("", encoding="ascii")
    with pytest.raises(InputError, match="a/file: cannot be written"):
        writers()[name](tmp_path / "a" / "file")


def test_a_file_that_is_a_folder_is_said(tmp_path: Path) -> None:
    for name in ("PathControl.print", "PathControl.to_npz", "PlannerData.to_graphml"):
        with pytest.raises(InputError, match="cannot be written: Is a directory"):
            writers()[name](tmp_path)


def test_a_name_that_is_none_is_refused() -> None:
    with pytest.raises(InputError, match="name of a file, got 3"), written(3):
        pass
