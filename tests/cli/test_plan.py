import json
from pathlib import Path

import numpy as np
import pytest

from footwork.cli.main import main
from footwork.planning import PathControl, plots
from footwork.planning.scene import read_scene

SCENE = """
name = "small"
[robot]
model = "unicycle"
low = [0.0, 0.0]
high = [4.0, 3.0]
footprint = { type = "rectangle", length = 0.3, width = 0.2 }
parameters = { speed = [-0.5, 1.0], turn_rate = [-1.5, 1.5] }
[[world]]
type = "circles"
centres = [[2.0, 1.0]]
radii = 0.5
[start]
state = [0.5, 0.5, 0.0]
[goal]
type = "state"
state = [3.5, 1.0, 0.0]
tolerance = 0.4
[planner]
type = "EST"
time_limit = 30.0
"""


@pytest.fixture
def scene(tmp_path: Path) -> Path:
    file = tmp_path / "small.toml"
    file.write_text(SCENE)
    return file


def test_a_planner_that_is_not_known_is_answered_with_all_that_are(
    scene: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["plan", str(scene), "--planner", "RTR"]) == 1
    err = capsys.readouterr().err
    assert err.startswith("footwork plan: planner: 'RTR' is not known; known: RRT, EST, ")
    assert err.endswith("did you mean 'RRT'?\n")


def test_a_scene_is_planned_and_written(
    scene: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert main(["plan", str(scene), "--out", str(out), "--quiet"]) == 0
    read = read_scene(scene)
    path = PathControl.from_npz(read.si, out / "path.npz")
    assert path.check(within_bounds=True)
    assert read.problem.goal.is_satisfied(read.si.state_space, path.states[-1])
    assert PathControl.from_matrix(read.si, out / "path.txt").check()
    summary = json.loads((out / "summary.json").read_text())
    assert summary["status"] == "exact"
    assert summary["written"]["check"] is True
    assert summary["written"]["duration"] <= summary["planned"]["duration"]
    assert summary["written"]["duration"] == pytest.approx(path.length())
    for picture in ("plan.png", "trajectory.png"):
        assert (out / picture).read_bytes().startswith(b"\x89PNG")
    assert "small: path of" in capsys.readouterr().out


def test_the_seed_decides_the_path(scene: Path, tmp_path: Path) -> None:
    for name in ("a", "b"):
        words = ["plan", str(scene), "--out", str(tmp_path / name), "--seed", "5"]
        assert main([*words, "--no-shortcut", "--no-tree", "--quiet"]) == 0
    one, two = (np.loadtxt(tmp_path / name / "path.txt") for name in ("a", "b"))
    np.testing.assert_array_equal(one, two)


def test_a_goal_in_an_obstacle_names_the_obstacle_and_writes_nothing(
    scene: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene.write_text(
        SCENE.replace("[3.5, 1.0, 0.0]\ntolerance = 0.4", "[2.0, 1.0, 0.0]\ntolerance = 0.1")
    )
    assert main(["plan", str(scene), "--out", str(tmp_path / "out"), "--quiet"]) == 1
    says = "the goal state [2.0, 1.0, 0.0] touches circle 0 (centre (2, 1), radius 0.5 m)"
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_no_time_gives_no_path_and_status_1(scene: Path, tmp_path: Path) -> None:
    words = ["plan", str(scene), "--out", str(tmp_path / "out"), "--time-limit", "0", "--quiet"]
    assert main(words) == 1
    assert not (tmp_path / "out" / "path.npz").exists()


def test_a_bad_scene_is_one_line_that_names_the_field(
    scene: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scene.write_text(SCENE.replace("radii = 0.5", "radii = -0.5"))
    assert main(["plan", str(scene)]) == 1
    error = capsys.readouterr().err
    assert error.count("\n") == 1
    assert "small.toml: world[0]: radii[0] must be greater than 0 m" in error


def test_a_film_goes_where_it_is_asked_for_or_is_refused_before_planning(
    scene: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    films: list[str] = []
    monkeypatch.setattr(plots, "animate", lambda path, file, **_: films.append(str(file)))
    words = ["plan", str(scene), "--quiet", "--no-tree", "--out", str(tmp_path / "out")]
    assert main([*words, "--animate", "films/small.gif", "--gif"]) == 0
    assert films == [str(tmp_path / "out" / "plan.gif"), "films/small.gif"]
    said = capsys.readouterr()
    assert said.out.endswith(f"wrote {tmp_path / 'out'} and {films[0]} and {films[1]}\n")
    assert not said.err
    words.remove("--quiet")
    assert main([*words, "--animate", "films/small.gif"]) == 0
    assert "drawing films/small.gif: a second or two for each of its " in capsys.readouterr().err
    assert main([*words[:-1], str(tmp_path / "other"), "--animate", "small.avi"]) == 1
    assert "must end in .gif or .mp4" in capsys.readouterr().err
    assert not (tmp_path / "other").exists()
