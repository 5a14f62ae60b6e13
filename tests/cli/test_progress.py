"""What long jobs show, where there is no terminal."""

import importlib
import sys
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from footwork._numba import compile_kernel, count_compilation, find_missing
from footwork.cli.main import main
from footwork.cli.progress import compile_kernels, run_jobs
from footwork.errors import InputError

SOURCE = """
from footwork._numba import F8, kernel

@kernel(F8(F8))
def twice(x):
    return 2.0 * x
"""


def test_jobs_are_announced_in_one_plain_line(capsys: pytest.CaptureFixture[str]) -> None:
    jobs = [("good", lambda: ""), ("bad", lambda: "broken")]
    assert run_jobs(jobs, "compiling", quiet=False) == ["bad: broken"]
    assert capsys.readouterr() == ("", "compiling\n")
    assert run_jobs([], "compiling", quiet=False) == []
    assert run_jobs(jobs, "compiling", quiet=True) == ["bad: broken"]
    assert capsys.readouterr() == ("", "")


def test_kernels_that_are_on_the_disk_are_not_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first process compiles; another, told by a fresh import, finds the machine code."""
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "kernels_of_a_test.py").write_text(SOURCE)

    def fresh() -> ModuleType:
        sys.modules.pop("kernels_of_a_test", None)
        return importlib.import_module("kernels_of_a_test")

    first = fresh()
    (kernel,) = find_missing(first)
    with count_compilation() as times:
        compile_kernel(kernel)
    assert len(times) == 1
    assert times[0] > 0.0
    assert find_missing(first) == []
    second = fresh()
    assert find_missing(second) == []
    with count_compilation() as times:
        assert second.twice(2.0) == 4.0
    assert times == []


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A machine on which one kernel is missing; what has been compiled."""
    done: list[str] = []

    def job() -> str:
        done.append("kernel")
        return ""

    jobs: list[tuple[str, Callable[[], str]]] = [("walking: kernel", job)]
    monkeypatch.setattr("footwork.cli.warm_up.missing_kernels", lambda _: jobs)
    return done


def test_a_first_walk_says_that_it_compiles_and_then_walks(
    compiled: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["walk", "--goal", "0.1", "0", "0", "--no-report", "--out", str(tmp_path / "run")]
    assert main(words) == 0
    out, err = capsys.readouterr()
    assert compiled == ["kernel"]
    assert err == "compiling 1 kernel, once\ncompiled in 0 s\n"
    assert out.startswith("Arrived after ")
    assert out.splitlines()[2].split(None, 1) == ["steps", "2 of 2 planned"]


@pytest.mark.parametrize(
    ("count", "line"),
    [
        (5, "5 kernels, once"),
        (17, "17 kernels, once; takes 17 to 34 s"),
        (145, "145 kernels, once; takes two to four minutes"),
    ],
)
def test_how_long_compiling_takes_is_said_before(
    count: int, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    compile_kernels([("kernel", lambda: "")] * count, quiet=False)
    assert capsys.readouterr().err.startswith(f"compiling {line}\n")


def test_a_refusal_does_not_wait_for_a_compilation(
    compiled: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "map.yaml").write_text("circles: [[1.0, 0.0, 0.3]]\n")
    words = ["walk", "--goal", "1", "0", "0", "--map", str(tmp_path / "map.yaml")]
    assert main(words) == 1
    assert capsys.readouterr().err.startswith("footwork walk: the goal (1, 0) is closer than")
    assert compiled == []


def test_compiling_the_search_of_a_way_is_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from footwork import walking
    from footwork.planning.planners import progress

    def slow(*_: object) -> None:
        time.sleep(0.1)
        raise InputError("enough")

    monkeypatch.setattr(walking, "plan_walk", slow)
    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    (tmp_path / "map.yaml").write_text("circles: [[1.0, 0.0, 0.3]]\n")
    words = ["walk", "--goal", "2", "0", "0", "--map", str(tmp_path / "map.yaml")]
    assert main(words) == 1
    assert capsys.readouterr().err == f"{progress.COMPILING}\nfootwork walk: enough\n"
    assert main([*words, "--quiet"]) == 1
    assert capsys.readouterr().err == "footwork walk: enough\n"


def test_misuse_is_answered_in_two_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["walk", "--goal", "1"])
    usage, message = capsys.readouterr().err.splitlines()
    assert "footwork walk --help" in usage
    assert message == "footwork walk: error: argument --goal: expected 3 arguments"
