"""Report and replay of a run folder that is written here, so that every figure is known."""

import json
import re
import shutil
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from footwork.cli.main import main
from footwork.contacts import FOREVER, ContactList, seconds
from footwork.errors import InputError
from footwork.recording import Run, RunWriter, open_run
from footwork.robot import RobotModel, load
from footwork.spatial import Pose
from footwork.viewer import write_replay, write_report
from footwork.viewer.charts import footstep_map
from footwork.viewer.figures import dcm_error, friction_use, momentum_balance, torque_shares
from footwork.viewer.ground import draw_ground
from footwork.viewer.replay import base_path_of
from footwork.viewer.report import figures_of
from footwork.walking.recorder import columns_of

TICKS = 200
STEP = 0.002


@pytest.fixture(scope="module")
def robot() -> RobotModel:
    return load("jvrc1")


def write_run(
    folder: Path,
    robot: RobotModel,
    ticks: int = TICKS,
    obstacles: dict[str, object] | None = None,
) -> Run:
    """A robot that stands, then is accelerated forward by 1 m/s² through its left foot."""
    config = {"robot": robot.name, "goal": [1.0, 0.0, 0.0], "terrain": "flat"}
    writer = RunWriter(folder, config)
    if obstacles is not None:
        writer.write_map(obstacles)
    feet = {}
    for name, y in (("left_foot", 0.1), ("right_foot", -0.1)):
        feet[name] = ContactList(default_name=name)
        feet[name].add_contact(Pose.from_xy_yaw(0.0, y, 0.0), 0, seconds(0.2))
        feet[name].add_contact(Pose.from_xy_yaw(0.3, y, 0.1), seconds(0.25), FOREVER)
    writer.write_contacts(feet)
    writer.write_contacts(feet, measured=True)
    attributes = {
        "robot": robot.name,
        "joint_names": list(robot.joint_names),
        "foot_names": list(feet),
        "effort_limits": robot.effort_limits,
        "mass": robot.mass,
    }
    states = writer.open_states(columns_of(robot), attributes)
    for i in range(ticks):
        row, place = states.row(), states.slice_of
        row[:] = 0.0
        row[place("time")] = STEP * i
        row[place("q")] = robot.standing_configuration
        row[place("momentum")][0] = robot.mass * STEP * i
        wrench = [robot.mass, 0.0, 9.81 * robot.mass, 0.0, 0.0, 0.0]
        row[place("foot_wrench")] = [*wrench, *np.zeros(6)]
        row[place("foot_wrench_planned")] = [*wrench, *np.zeros(6)]
        row[place("dcm")] = [0.003, 0.004]
        row[place("torque")][3] = 0.5 * robot.effort_limits[3]
        row[place("contact_planned")] = [1.0, 0.0]
        row[place("tick_time")] = 1e-4
        states.commit()
    writer.write_summary(
        {"verdict": "arrived", "arrived": True, "message": "Arrived <soon>.", "walk": "to A & B"}
    )
    writer.close()
    return open_run(folder)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, robot: RobotModel) -> Run:
    return write_run(tmp_path_factory.mktemp("runs") / "run", robot)


class Tags(HTMLParser):
    """Collects what a page refers to outside of itself."""

    def __init__(self) -> None:
        super().__init__()
        self.addresses: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del tag
        self.addresses += [v for k, v in attrs if k in {"src", "href"} and v is not None]


def test_the_momentum_balance_of_a_motion_that_its_forces_explain_is_zero(run: Run) -> None:
    assert momentum_balance(run) == pytest.approx(0.0, abs=1e-12)


def test_a_force_that_is_missing_shows_in_the_momentum_balance(run: Run) -> None:
    wrench = run.states["foot_wrench"]
    wrench[:, 2] -= 0.1 * 9.81 * float(run.states.attributes["mass"])
    try:
        assert momentum_balance(run) == pytest.approx(0.1)
    finally:
        wrench[:, 2] += 0.1 * 9.81 * float(run.states.attributes["mass"])


def test_figures_are_those_of_the_recorded_states(run: Run) -> None:
    assert friction_use(run) == pytest.approx(1.0 / 9.81)
    assert torque_shares(run).max() == pytest.approx(0.5)
    np.testing.assert_allclose(np.linalg.norm(dcm_error(run), axis=1), 0.005)
    figures = figures_of(run)
    assert figures["DCM error"] == ("5.0 mm", "RMS; largest 5 mm")
    assert figures["Largest torque"][0] == "50 %"
    assert run.states.columns["torque"].labels[3] in figures["Largest torque"][1]
    assert figures["Control tick"][0] == "100 µs"


@pytest.mark.parametrize(
    ("goal", "refusal", "target"),
    [
        (None, "", "From the planned end"),  # after a stop or a velocity there is no goal
        (None, "too far", "From the goal"),  # that of the start
        ([1.0, 0.0, 0.0], "", "From the goal"),
    ],
)
def test_the_report_says_from_what_the_distance_is(
    run: Run, tmp_path: Path, goal: list[float] | None, refusal: str, target: str
) -> None:
    folder = Path(shutil.copytree(run.folder, tmp_path / "run"))
    command = {"time_s": 1.0, "command": "x", "goal": goal, "refusal": refusal}
    summary = json.loads((folder / "summary.json").read_text())
    summary |= {"final_error_m": 0.02, "final_yaw_error_rad": 0.0}
    summary["commands"] = [{**command, "planning_time_s": 0.0}]
    (folder / "summary.json").write_text(json.dumps(summary))
    assert f"<div>{target}<b>2.0 cm</b>" in write_report(open_run(folder)).read_text("utf-8")


def test_the_report_is_one_file_with_the_verdict_first(run: Run) -> None:
    page = write_report(run).read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(page)
    assert all(address.startswith(("#", "data:")) for address in tags.addresses)
    assert page.count("<svg") == 6
    assert "Arrived &lt;soon&gt;." in page
    assert "to A &amp; B" in page
    assert page.index("arrived") < page.index("<svg")
    assert "5.0 mm" in page


def test_the_replay_is_one_file_that_needs_no_network(run: Run, robot: RobotModel) -> None:
    page = write_replay(run, robot).read_text(encoding="utf-8")
    assert len(page) > 1e5
    assert not re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="https?:', page)


def test_a_path_that_is_damaged_is_one_error(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text("")
    (tmp_path / "path.npz").write_bytes(b"PK\x03\x04 cut")
    with pytest.raises(InputError, match=r"path\.npz: cannot be read"):
        base_path_of(open_run(tmp_path))


class ListedScene:
    """Stands for viser's scene, and lists what is added to it."""

    def __init__(self) -> None:
        self.added: dict[str, dict[str, object]] = {}

    def __getattr__(self, method: str) -> object:
        def add(name: str, **properties: object) -> None:
            self.added[name] = {"method": method, **properties}

        return add


def test_obstacles_of_the_map_are_drawn_where_they_stand(tmp_path: Path, robot: RobotModel) -> None:
    run = write_run(tmp_path / "run", robot, ticks=20)
    scene = ListedScene()
    way = np.zeros((1, 2))
    draw_ground(scene, run, way)
    assert not any(name.startswith("/obstacles") for name in scene.added)
    before = footstep_map(run, robot.entry)
    obstacles = {"circles": [[1.5, 0.5, 0.3]], "boxes": [[2.0, -1.0, 2.4, -0.2]], "height": 0.8}
    run = write_run(tmp_path / "with", robot, ticks=20, obstacles=obstacles)
    draw_ground(scene, run, way)
    circle, box = scene.added["/obstacles/circle_0"], scene.added["/obstacles/box_0"]
    assert circle["method"] == "add_cylinder"
    assert (circle["position"], circle["radius"]) == ((1.5, 0.5, 0.4), 0.3)
    assert box["position"] == pytest.approx((2.2, -0.6, 0.4))
    assert box["dimensions"] == pytest.approx((0.4, 0.8, 0.8))
    assert len(footstep_map(run, robot.entry)) > len(before)
    assert len(write_replay(run, robot).read_bytes()) > 1e5


def test_the_command_exports_both_files(run: Run, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("report.html", "replay.html"):
        (run.folder / name).unlink(missing_ok=True)
    assert main(["view", "--export", str(run.folder)]) == 0
    assert (run.folder / "report.html").is_file()
    assert (run.folder / "replay.html").is_file()
    assert "report.html" in capsys.readouterr().out


def test_a_run_that_recorded_nothing_says_so(tmp_path: Path, robot: RobotModel) -> None:
    empty = write_run(tmp_path / "run", robot, ticks=0)
    with pytest.raises(InputError, match="no states were recorded"):
        write_report(empty)
    with pytest.raises(InputError, match="nothing to replay"):
        write_replay(empty, robot)


def test_a_folder_that_is_no_run_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["view", "--export", str(tmp_path)]) == 1
    assert "not a run folder" in capsys.readouterr().err
