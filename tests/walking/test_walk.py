"""A short walk in the simulator: it arrives, and what it recorded obeys physics."""

import tomllib
from dataclasses import replace
from math import pi
from pathlib import Path

import numpy as np
import pytest

from footwork.cli.main import main
from footwork.cli.summary import speed_line, steps_line
from footwork.errors import BackendError, InputError
from footwork.recording import Run, open_run
from footwork.robot import load
from footwork.simulation import Push
from footwork.simulation.world import MujocoWorld
from footwork.typing import Vector
from footwork.viewer.figures import dcm_error, torque_shares
from footwork.viewer.report import figures_of, write_report
from footwork.walking import Verdict, WalkRequest, WalkResult, plan_walk, read_request, walk
from footwork.walking.obstacles import read_map

REQUEST = WalkRequest(goal=(0.5, 0.1, 0.3))


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> tuple[WalkResult, Run]:
    folder = tmp_path_factory.mktemp("walk") / "run"
    return walk(REQUEST, folder=folder), open_run(folder)


def test_arrives_without_a_fall(walked: tuple[WalkResult, Run]) -> None:
    result, _ = walked
    assert result.verdict is Verdict.ARRIVED
    assert result.has_arrived
    assert result.figures["final_error_m"] < 0.03
    assert abs(result.figures["final_yaw_error_rad"]) < 3.0 * pi / 180.0
    assert result.figures["solver_failures"] == 0
    assert result.message.startswith("Arrived after")


def test_summary_says_what_the_result_says(walked: tuple[WalkResult, Run]) -> None:
    result, run = walked
    assert run.summary["verdict"] == "arrived"
    assert run.summary["message"] == result.message
    for name in ("steps_taken", "final_error_m", "dcm_error_rms_m"):
        assert run.summary[name] == pytest.approx(result.figures[name])


def test_figures_are_those_of_the_recorded_states(walked: tuple[WalkResult, Run]) -> None:
    """Summary and report say what is in the file."""
    result, run = walked
    states = run.states
    error = np.linalg.norm(dcm_error(run), axis=1)
    ticks = states["tick_time"][50:, 0]
    feet = states["foot"][-1].reshape(2, 4)
    goal = np.array(REQUEST.goal)
    counted = {
        "simulated_time_s": states.time[-1],
        "dcm_error_rms_m": np.sqrt(np.mean(error**2)),
        "dcm_error_max_m": error.max(),
        "torque_of_limit_max": torque_shares(run).max(),
        "tick_median_s": np.median(ticks),
        "tick_p999_s": np.quantile(ticks, 0.999),
        "final_error_m": np.hypot(*(feet[:, :2].mean(axis=0) - goal[:2])),
        "final_yaw_error_rad": feet[:, 3].mean() - goal[2],
    }
    for name, value in counted.items():
        assert result.figures[name] == pytest.approx(float(value), abs=1e-12), name
    report = figures_of(run)
    assert report["DCM error"][0] == f"{1e3 * counted['dcm_error_rms_m']:.1f} mm"
    assert report["Largest torque"][0] == f"{100 * counted['torque_of_limit_max']:.0f} %"


def test_torques_stay_within_their_limits(walked: tuple[WalkResult, Run]) -> None:
    _, run = walked
    limits = np.asarray(run.states.attributes["effort_limits"])
    assert (np.abs(run.states["torque"]) <= limits + 1e-9).all()


def test_joints_stay_within_their_limits(walked: tuple[WalkResult, Run]) -> None:
    _, run = walked
    lower, upper = load("g1").position_limits
    q = run.states["q"][:, 7:]
    assert (q > lower[6:] - 0.02).all()
    assert (q < upper[6:] + 0.02).all()


def test_planned_forces_are_in_their_cones_and_their_pressure_in_the_soles(
    walked: tuple[WalkResult, Run],
) -> None:
    """Seen from the sole, which may be tilted by some hundredths of a degree."""
    _, run = walked
    robot, states = load("g1"), run.states
    planned = states["contact_planned"]
    forces = states["foot_wrench_planned"].reshape(-1, 2, 6)
    for i, foot in enumerate(("left_foot", "right_foot")):
        R = np.stack([robot.state(q).placement(foot)[0] for q in states["q"]])
        f, m = (np.einsum("tji,tj->ti", R, forces[:, i, k : k + 3]) for k in (0, 3))
        assert (f[:, 2] >= -1e-6).all()
        assert (np.hypot(f[:, 0], f[:, 1]) <= 0.6 * f[:, 2] + 1e-6).all()
        loaded = f[:, 2] > 20.0
        ahead, left = -m[loaded, 1] / f[loaded, 2], m[loaded, 0] / f[loaded, 2]
        assert np.abs(ahead).max() < 0.085
        assert np.abs(left).max() < 0.026
        assert (f[planned[:, i] == 0.0, 2] < 1e-6).mean() > 0.95


def test_momentum_changes_by_the_measured_forces_and_the_weight(
    walked: tuple[WalkResult, Run],
) -> None:
    """RMS error within 5 % of the weight; forces lag by a physics step and are smoothed alike."""
    _, run = walked
    states = run.states
    mass, dt = states.attributes["mass"], 0.002
    momentum = states["momentum"][:, :3]
    rate = (momentum[2:] - momentum[:-2]) / (2.0 * dt)
    force = states["foot_wrench"].reshape(-1, 2, 6)[:, :, :3].sum(axis=1)
    force[:, 2] -= 9.81 * mass
    window = np.ones(15) / 15.0
    smooth = [
        np.stack([np.convolve(a[:, k], window, "valid") for k in range(3)], axis=1)
        for a in (rate, force[1:-1])
    ]
    error = np.sqrt(np.mean(np.sum((smooth[0] - smooth[1]) ** 2, axis=1)))
    assert error < 0.05 * 9.81 * mass


def test_contacts_that_happened_are_near_the_planned_ones(walked: tuple[WalkResult, Run]) -> None:
    _, run = walked
    for name, planned in run.contacts.items():
        last, measured = planned.last_contact, run.measured_contacts[name].last_contact
        assert last is not None
        assert measured is not None
        assert measured.pose.is_close(last.pose, translation_tolerance=0.03, angle_tolerance=0.06)


def test_config_of_a_run_repeats_it(walked: tuple[WalkResult, Run]) -> None:
    _, run = walked
    assert read_request(run.folder / "config.toml") == REQUEST
    assert tomllib.loads((run.folder / "config.toml").read_text())["robot"] == "g1"


def test_same_seed_same_walk_to_the_bit() -> None:
    noisy = WalkRequest(goal=(0.1, 0.0, 0.0), velocity_noise=0.02, seed=5)
    first, second = walk(noisy), walk(noisy)
    assert first.figures["dcm_error_rms_m"] == second.figures["dcm_error_rms_m"]
    other = walk(replace(noisy, seed=6))
    assert first.figures["dcm_error_rms_m"] != other.figures["dcm_error_rms_m"]


def test_a_fall_is_called_a_fall_and_names_suspects(tmp_path: Path) -> None:
    push = Push(start=0.3, duration=0.2, force=(900.0, 300.0, 0.0))
    result = walk(replace(REQUEST, pushes=(push,)), folder=tmp_path / "run")
    assert result.verdict is Verdict.FELL
    assert "Fell after" in result.message
    assert "Joints at their torque limit just before: " in result.message
    figures, run = result.figures, open_run(tmp_path / "run")
    assert run.summary["arrived"] is False
    assert figures["steps_taken"] == 0
    assert speed_line(figures) == ""
    assert "Mean speed" not in write_report(run).read_text()


def test_interrupted_run_leaves_a_readable_folder(tmp_path: Path) -> None:
    def interrupt(part: float, words: str) -> None:
        del words
        if part > 0.2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        walk(REQUEST, folder=tmp_path / "run", progress=interrupt)
    run = open_run(tmp_path / "run")
    assert run.summary["verdict"] == "interrupted"
    assert run.states["q"].shape[0] > 100


def test_full_disk_does_not_stop_the_walk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: object) -> None:
        raise BackendError("disk full")

    monkeypatch.setattr("footwork.recording.states.StateWriter.commit", full)
    result = walk(WalkRequest(goal=(0.05, 0.0, 0.0)), folder=tmp_path / "run")
    assert result.has_arrived
    assert "disk full" in result.message


def test_controller_drives_whatever_reads_and_writes() -> None:
    """A driver of one's own: here a simulation behind a wall that counts."""
    request = WalkRequest(goal=(0.05, 0.0, 0.0))
    robot = load("g1")
    plan = plan_walk(robot, request.walking, request)

    class Counting:
        def __init__(self) -> None:
            self.world = MujocoWorld(robot, request.simulation(), plan.start)
            self.control_step = self.world.control_step
            self.writes = 0

        def read(self) -> object:
            return self.world.read()

        def write(self, torques: Vector) -> None:
            self.writes += 1
            self.world.write(torques)

    driver = Counting()
    assert walk(request, driver=driver).has_arrived  # type: ignore[arg-type]
    assert driver.writes > 100


@pytest.mark.parametrize("rate", [200.0, 100.0])
def test_other_control_rates_walk_or_are_refused(rate: float) -> None:
    result = walk(WalkRequest(goal=(0.3, 0.0, 0.0), control_step=1.0 / rate))
    assert result.has_arrived
    with pytest.raises(InputError, match="whole number of physics steps"):
        walk(WalkRequest(goal=(0.3, 0.0, 0.0), control_step=1.0 / 175.0))


def test_unknown_settings_are_named() -> None:
    with pytest.raises(InputError, match=r"settings\.gait: unknown setting 'wide'"):
        _ = WalkRequest(goal=(1.0, 0.0, 0.0), settings={"gait": {"wide": 1}}).walking
    with pytest.raises(InputError, match=r"settings\.gait\.width"):
        _ = WalkRequest(goal=(1.0, 0.0, 0.0), settings={"gait": {"width": "far"}}).walking
    with pytest.raises(InputError, match="one way only, got goal and velocity"):
        WalkRequest(goal=(1.0, 0.0, 0.0), velocity=(1.0, 0.0, 0.0))
    with pytest.raises(InputError, match="give one of goal"):
        WalkRequest()


@pytest.mark.parametrize("robot", ["go2"])
def test_a_quadruped_trots_through_the_same_pipeline(robot: str) -> None:
    result = walk(WalkRequest(robot=robot, goal=(0.3, 0.0, 0.0)))
    assert result.has_arrived
    assert result.figures["steps_taken"] >= 3


def test_command_walks_and_exits_zero(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["walk", "--goal", "0.1", "0", "5", "--out", str(tmp_path / "run"), "--quiet"]
    assert main(words) == 0
    assert "Arrived" in capsys.readouterr().out
    assert main(["walk", "--goal", "1", "0", "0", "--waypoints", "1", "2"]) == 1
    assert "three numbers each" in capsys.readouterr().err


def test_walks_by_its_own_estimate_of_the_base() -> None:
    """Odometry drifts by some per cent; the robot stays up and the figures say the truth."""
    result = walk(WalkRequest(goal=(0.4, 0.0, 0.0), estimator=True))
    assert result.verdict is not Verdict.FELL
    assert result.figures["final_error_m"] < 0.05


def test_regains_its_balance_when_pushed_while_standing_at_the_goal() -> None:
    push = Push(start=2.2, duration=0.1, force=(0.0, 110.0, 0.0))
    result = walk(WalkRequest(goal=(0.3, 0.0, 0.0), pushes=(push,)))
    assert result.has_arrived
    figures = result.figures
    assert figures["recoveries"] + figures["corrections"] >= 1
    assert figures["steps_taken"] > figures["steps_planned"]
    more = figures["steps_taken"] - figures["steps_planned"]
    assert steps_line(figures).startswith(f"{figures['steps_planned']} planned and {more} more; ")


def test_speed_of_a_curve_is_along_the_way_and_steps_that_a_push_moves_are_counted() -> None:
    request = WalkRequest(velocity=(0.4, 0.0, 0.6), duration=4.0)
    result = walk(request)
    assert "from the planned end" in result.message
    calm, way = result.figures, result.plan.motion.poses[:, :2]
    planned = float(np.linalg.norm(np.diff(way, axis=0), axis=1).sum())
    assert calm["distance_m"] == pytest.approx(planned, rel=0.05)
    assert calm["distance_m"] > 1.15 * np.linalg.norm(way[-1] - way[0])
    assert calm["mean_speed_m_s"] == pytest.approx(planned / result.plan.motion.duration, rel=0.1)
    assert calm["steps_adjusted"] == 0
    assert speed_line(calm).endswith("0.40 m/s asked for")
    push = Push(start=1.5, duration=0.1, force=(0.0, 120.0, 0.0))
    assert walk(replace(request, pushes=(push,))).figures["steps_adjusted"] >= 1


def test_a_walk_around_a_map_keeps_the_map(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The folder holds the obstacles themselves, and its configuration is good anywhere."""
    monkeypatch.chdir(tmp_path)
    Path("map.yaml").write_text("circles: [[0.3, 0.9, 0.3]]\nboxes: [[0.2, -1.0, 0.5, -0.6]]\n")
    result = walk(WalkRequest(goal=(0.1, 0.0, 0.0), map="map.yaml"), folder="run")
    assert result.has_arrived
    run = open_run("run")
    kept, given = read_map(run.map_file), read_map("map.yaml")
    assert np.array_equal(kept.circles, given.circles)
    assert np.array_equal(kept.boxes, given.boxes)
    assert run.config["map"] == str(tmp_path / "map.yaml")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--push", "1", "0.1", "nan", "90"], "push: the force must be finite"),
        (["--noise", "-1", "0"], "noise: joint_velocity must be finite and >= 0, got -1.0"),
        (["--seed", "-1"], "the seed must not be negative, got -1"),
        (["--friction", "inf"], "friction must be at least 0.0, got inf"),
        (["--duration", "3"], "--duration belongs to --velocity"),
        (["--slope", "80"], "at most 45 degrees"),
        (["--terrain", "bumps:-1"], "the height must be positive"),
        (["--terrain", "stairs:0"], "positive is up, negative down"),
        (["--terrain", "stairs:-0.3"], "limit 'up' is 0.072, the step needs 0.3"),
        (["--terrain", "stairs:0.05", "--goal", "1.3", "0", "0"], "for whole soles is x = 1."),
        (["--terrain", "bumps:0.03:nan"], "expected a finite number"),
        (["--set", "gait.swing_duration=0"], "gait.swing_duration must be positive, got 0"),
        (["--set", "feedback.height_stiffness=0"], "nothing else holds the height of the centre"),
        (["--set", "tasks.torso_damping=-1"], "tasks.torso_damping must not be negative, got -1"),
        (["--map", "no.yaml"], "walk: no.yaml: cannot be read: No such file or directory\n"),
        (["--path", "no.npz"], "walk: no.npz: cannot be read: No such file or directory\n"),
        (["--contacts", "no.json"], "walk: no.json: cannot be read: No such file or directory\n"),
        (["--config", "no.toml"], "walk: no.toml: cannot be read: No such file or directory\n"),
        (["--robot", "gg1"], "the zoo has no robot 'gg1'; did you mean 'g1'?"),
        (["--robot", "icub"], "'icub' has no walking configuration; there are g1, talos"),
        (["--set", "gait.swing_height=abc"], "gait.swing_height: abc is not a number, true"),
        (["--set", "gait.swing_height"], "expected NAME=VALUE"),
        (["--set", "gait swing_height=1"], "expected NAME=VALUE"),
        (["--wait", "-1"], "--wait must not be negative, got -1"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_line(
    words: list[str],
    says: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["walk", "--quiet", *words]) == 1
    printed = capsys.readouterr().err
    assert says in printed
    assert printed.strip().count("\n") == 0


@pytest.mark.parametrize("rise", [0.03, 0.05, -0.03, -0.05])
def test_climbs_stairs_up_and_down_with_whole_soles_on_the_steps(
    rise: float, tmp_path: Path
) -> None:
    request = WalkRequest(goal=(2.0, 0.0, 0.0), terrain=f"stairs:{rise}")
    result = walk(request, folder=tmp_path / "run")
    assert result.has_arrived
    stairs = request.ground
    for contacts in open_run(tmp_path / "run").contacts.values():
        for contact in contacts:
            ends = [contact.pose.act(np.array([[x, 0.0, 0.0]]))[0] for x in (-0.085, 0.085)]
            heights = [stairs.height(float(end[0]), float(end[1])) for end in ends]
            assert heights == pytest.approx([contact.pose.z] * 2)


def test_a_velocity_on_stairs_is_no_faster_than_their_treads_allow() -> None:
    request = WalkRequest(velocity=(0.6, 0.0, 0.0), duration=5.0, terrain="stairs:-0.05")
    most = request.walking.limits.command_speed
    assert most < 0.45
    motion = plan_walk(load("g1"), request.walking, request).motion
    fastest = np.abs(np.diff(motion.poses[:, 0]) / np.diff(motion.times)).max()
    assert fastest == pytest.approx(most, abs=0.01)  # the path's controls last whole steps
    assert walk(request).has_arrived


def test_walks_over_unknown_boxes_of_4_cm_and_frees_a_toe_that_they_hold() -> None:
    request = WalkRequest(velocity=(0.5, 0.0, 0.0), terrain="bumps:0.04:15", time_limit=5.0)
    assert walk(request).verdict is Verdict.TIMED_OUT
