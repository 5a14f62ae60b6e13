import pytest

from footwork.cli.main import main
from footwork.cli.warm_up import PARTS, kernel_jobs, make_jobs
from footwork.planning import scene_fields
from footwork.planning.scene import PLANNERS
from footwork.planning.warm_up import PLACES, planning_jobs


def test_every_model_and_planner_is_among_the_jobs() -> None:
    names = [name for name, _ in planning_jobs()]
    assert set(PLACES) == set(scene_fields.ModelName.__args__)  # type: ignore[attr-defined]
    assert {f"planner: {name}" for name in PLANNERS} <= set(names)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("part", PARTS)
def test_every_part_has_kernels(part: str) -> None:
    assert make_jobs(part)
    assert len(kernel_jobs(part)) <= len(kernel_jobs("all"))


@pytest.mark.parametrize("name", ["model: unicycle, world", "planner: EST", "way around obstacles"])
def test_a_job_compiles_and_says_nothing(name: str) -> None:
    assert dict(make_jobs("all"))[name]() == ""


def test_what_cannot_be_compiled_is_said_and_is_status_1(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from footwork.cli import warm_up

    jobs = [("good", lambda: ""), ("bad", lambda: "it is not a function")]
    monkeypatch.setattr(warm_up, "make_jobs", lambda _: jobs)
    assert main(["warm-up", "--quiet"]) == 1
    out = capsys.readouterr().out
    assert "not compiled: bad: it is not a function" in out
    assert "1 of 2 compiled" in out
