"""Commands while a robot walks: other goals, velocities, stops; and what is refused."""

import re
from collections.abc import Callable, Mapping
from math import hypot, pi
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from footwork.cli.main import main
from footwork.contacts import ContactPhaseList
from footwork.errors import FootstepError, FootworkError, InputError, NotFiniteError
from footwork.recording import Run, open_run
from footwork.robot import load
from footwork.simulation.world import MujocoWorld
from footwork.spatial import Pose
from footwork.viewer.report import write_report
from footwork.walking import (
    BaseMotion,
    Command,
    Driver,
    WalkRequest,
    WalkResult,
    config_for,
    plan_footsteps,
    plan_walk,
    read_phases,
    read_request,
    schedule,
    walk,
)
from footwork.walking.controller import WalkingController
from footwork.walking.footsteps import sequence_of
from footwork.walking.phase import Phase
from footwork.walking.walker import Walker
from footwork.walking.whole_body import StackWholeBody

STAND = (0.0, 0.0, 0.0)
FORWARD = Command(time=0.1, velocity=(0.5, 0.0, 0.0))


def walk_by(*commands: Command, folder: Path | None = None, **more: object) -> WalkResult:
    return walk(WalkRequest(commands=commands, **more), folder=folder)  # type: ignore[arg-type]


def start_of(robot: str) -> Mapping[str, Pose]:
    request = WalkRequest(robot=robot, goal=STAND)
    plan = plan_walk(load(robot), request.walking, request)
    return {name: contacts[0].pose for name, contacts in plan.contacts.items()}


# planning


@pytest.mark.parametrize("robot", ["g1", "go2"])
@pytest.mark.parametrize("goal", [(1.0, 0.3, 0.5), (-0.4, 0.0, 3.0), STAND])
def test_steps_without_contacts_in_between_are_those_of_their_contacts(
    robot: str, goal: tuple[float, float, float]
) -> None:
    config, start = config_for(robot), start_of(robot)
    steps = plan_footsteps(BaseMotion.to_goal(STAND, goal, config.limits), start, config)
    phases = ContactPhaseList.from_lists(schedule(steps, start, config))
    slow = read_phases(phases, config)
    feet = np.array([(p.x, p.y, p.z, p.yaw) for p in start.values()])
    quick = sequence_of(steps, tuple(start), feet, config)
    assert quick.feet == slow.feet
    for name in ("swings", "footholds", "swing_times", "transfer_times", "hold_time"):
        assert getattr(quick, name) == pytest.approx(getattr(slow, name), abs=1e-8), name


@pytest.mark.parametrize("velocity", [(0.8, 0.0, 0.0), (-0.3, 0.2, -0.5), (0.0, 0.0, 0.0)])
def test_motion_to_a_goal_begins_with_the_velocity_there_is(velocity: tuple[float, ...]) -> None:
    limits, goal = config_for("g1").limits, (0.5, -0.6, 2.0)
    motion = BaseMotion.to_goal(STAND, goal, limits, velocity=velocity)
    rate = (motion.at(1e-4) - motion.at(0.0)) / 1e-4
    assert rate[:2] == pytest.approx(np.array(velocity[:2]), abs=0.02)
    assert rate[2] == pytest.approx(velocity[2], abs=0.16)  # the heading's first sample is far off
    assert motion.goal == pytest.approx(np.array(goal), abs=1e-9)
    change = np.diff(np.diff(motion.at(np.arange(0.0, motion.duration, 0.05)), axis=0), axis=0)
    assert np.hypot(*change[:, :2].T).max() < 2.1 * limits.acceleration * 0.05**2 + 2e-3


def test_velocity_goes_on_from_the_one_before() -> None:
    limits = config_for("g1").limits
    motion = BaseMotion.with_velocity(STAND, (0.0, 0.3, 0.0), 3.0, limits, before=(0.5, 0.0, 0.2))
    start, middle = ((motion.at(t + 0.01) - motion.at(t)) / 0.01 for t in (0.0, 1.5))
    assert start == pytest.approx([0.5, 0.0, 0.2], abs=0.03)
    assert hypot(middle[0], middle[1]) == pytest.approx(0.3, abs=1e-6)
    assert middle[2] == pytest.approx(0.0, abs=1e-9)


def test_feet_that_are_turned_out_are_squared_with_two_steps_and_no_more() -> None:
    """R47: five degrees each, and nowhere to go."""
    config = config_for("g1")
    start = {
        "left_foot": Pose.from_xy_yaw(0.0, 0.1185, 0.0873),
        "right_foot": Pose.from_xy_yaw(0.0, -0.1185, -0.0873),
    }
    rest = BaseMotion.to_goal(STAND, STAND, config.limits)
    offsets = {"left_foot": (0.0, 0.1185), "right_foot": (0.0, -0.1185)}
    steps = plan_footsteps(rest, start, config, offsets=offsets)
    assert len(steps) == 2
    squared = start | {step.foot: step.pose for step in steps}
    assert plan_footsteps(rest, squared, config, offsets=offsets) == ()


# walking


def jump_at_commands(run: Run) -> float:
    """How far the planned DCM is off its course one tick after a command, at most [m].

    A landing that feedback has moved lets it move by a millimetre or two.
    """
    reference, command = run.states["dcm_reference"], run.states["command"][:, 0]
    change = np.diff(reference, axis=0)
    ticks = np.flatnonzero(np.diff(command))
    assert ticks.size > 0
    return float(max(np.linalg.norm(change[k] - change[k - 1]) for k in ticks if k > 0))


@pytest.mark.parametrize("robot", ["g1", "go2"])
def test_velocities_change_from_forward_to_sideways_to_turning_to_none(
    robot: str, tmp_path: Path
) -> None:
    result = walk_by(
        FORWARD,
        Command(time=2.5, velocity=(0.0, 0.25, 0.0)),
        Command(time=5.0, velocity=(0.0, 0.0, 0.5)),
        Command(time=7.5, velocity=(0.0, 0.0, 0.0)),
        robot=robot,
        folder=tmp_path / "run",
    )
    assert result.has_arrived, result.message
    figures, run = result.figures, open_run(tmp_path / "run")
    assert figures["simulated_time_s"] < 10.0
    assert figures["dcm_error_rms_m"] < 0.008
    assert figures["steps_taken"] == figures["steps_planned"]
    assert jump_at_commands(run) < 0.003
    end = run.states["foot"][-1].reshape(-1, 4)[:, :2].mean(axis=0)
    assert end == pytest.approx([1.2, 0.6], abs=0.2)


@pytest.mark.parametrize("robot", ["g1", "go2"])
@pytest.mark.parametrize("waver", [0.0, 0.002])
def test_a_goal_that_is_sent_again_and_again_is_reached_and_no_more_steps_follow(
    robot: str, waver: float
) -> None:
    """R46: every half second, the same one or one that wavers by two millimetres."""
    commands = [
        Command(time=0.1 + 0.5 * k, goal=(0.3 + waver * (k % 2), 0.0, 0.0)) for k in range(9)
    ]
    result = walk_by(*commands, robot=robot)
    assert result.has_arrived, result.message
    assert 2 <= result.figures["steps_taken"] <= 6
    assert result.figures["simulated_time_s"] < 5.0
    assert not any(c["refusal"] for c in result.figures["commands"])


def test_a_goal_moves_during_the_walk_and_the_folder_shows_it(tmp_path: Path) -> None:
    moved = Command(time=1.3, goal=(0.4, 0.5, pi / 2.0))
    request = WalkRequest(goal=(1.5, 0.0, 0.0), commands=(moved,))
    result = walk(request, folder=tmp_path / "run")
    assert result.has_arrived, result.message
    run = open_run(tmp_path / "run")
    feet = run.states["foot"][-1].reshape(2, 4)
    assert feet[:, :2].mean(axis=0) == pytest.approx([0.4, 0.5], abs=0.03)
    assert feet[:, 3] == pytest.approx(pi / 2.0, abs=0.06)
    assert jump_at_commands(run) < 0.003
    # request, summary, states, and contacts as they were planned in the end
    assert read_request(run.folder / "config.toml") == request
    (told,) = run.commands
    assert told["command"] == "to (0.4 m, 0.5 m, 90°)"
    assert told["time_s"] == pytest.approx(1.3)
    assert 0.0 < told["planning_time_s"] < 0.3
    first = run.states.time[run.states["command"][:, 0] > 0][0]
    assert first == pytest.approx(1.302)
    for i, name in enumerate(("left_foot", "right_foot")):
        planned = run.contacts[name]
        spans = [(c.activation_time, c.deactivation_time) for c in planned]
        instants = [round(1e9 * t) for t in run.states.time]
        stands = np.array([any(a <= t < b for a, b in spans) for t in instants])
        assert (stands == run.states["contact_planned"][:, i]).mean() > 0.995
        last = planned.last_contact
        assert last is not None
        assert hypot(last.pose.x - feet[i, 0], last.pose.y - feet[i, 1]) < 0.02
    page = write_report(run).read_text()
    assert "<h2>Commands</h2>" in page
    assert "to (0.4 m, 0.5 m, 90°)" in page


@pytest.mark.parametrize("instant", [0.3, 0.45, 0.62, 0.8, 0.95, 1.3, 1.4, 1.5])
def test_a_stop_at_any_instant_ends_standing(instant: float) -> None:
    result = walk_by(FORWARD, Command(time=instant, stop=True))
    assert result.has_arrived, result.message
    figures = result.figures
    assert "from the planned end" in result.message
    assert figures["dcm_error_max_m"] < 0.03
    assert figures["steps_taken"] == figures["steps_planned"]
    assert figures["simulated_time_s"] < instant + 2.7
    assert figures["corrections"] == figures["recoveries"] == 0


def test_a_command_to_a_robot_that_comes_to_rest_waits_until_it_stands() -> None:
    waited: list[bool] = []

    def operator(walker: Walker) -> bool:
        gait = walker.controller.gait
        if gait.phase is Phase.FINAL and not waited and gait.landings:
            walker.go_to(0.1, 0.3, 0.0)
            waited.append(walker.is_waiting)
        return not waited

    result = walk(WalkRequest(goal=(0.1, 0.0, 0.0)), operator=operator)
    assert waited == [True]
    assert result.has_arrived, result.message
    assert result.figures["final_error_m"] < 0.03
    assert len(result.figures["commands"]) == 1


def test_the_same_velocity_again_and_again_is_one_command_and_steps_go_on() -> None:
    """As a joystick sends it; it is let go of in the end."""

    def joystick(walker: Walker) -> bool:
        if walker.time < 5.0:
            walker.walk(0.4, 0.0, 0.2)
        return walker.time < 5.0

    result = walk(WalkRequest(goal=STAND), operator=joystick)
    assert result.has_arrived, result.message
    assert [c["command"] for c in result.figures["commands"]] == [
        "at (0.4 m/s, 0 m/s, 11.4592°/s)",
        "stop",
    ]
    assert result.figures["distance_m"] == pytest.approx(2.0, abs=0.2)


def test_a_loop_of_ones_own_needs_a_driver_and_a_walker_only() -> None:
    request = WalkRequest(goal=STAND)
    robot, config = load("g1"), request.walking
    plan = plan_walk(robot, config, request)
    body = StackWholeBody(robot, config, plan.start)
    controller = WalkingController(robot, config, plan.sequence, body)
    driver: Driver = MujocoWorld(robot, request.simulation(), plan.start)
    walker = Walker(controller, plan, request)
    with pytest.raises(InputError, match="after the first tick"):
        walker.stop()
    while walker.time < 2.6:
        driver.write(walker.tick(driver.read()))
        walker.plan_on()
        if walker.time < 1.0:
            walker.go_to(0.2, 0.1, 0.2)
    assert controller.gait.is_standing
    assert walker.place() == pytest.approx([0.2, 0.1, 0.2], abs=0.02)
    assert 2 <= walker.taken == walker.planned
    assert len(walker.log) == 1


REFUSED: list[tuple[Callable[[Walker], None], type[FootworkError], str]] = [
    (lambda w: w.go_to(float("nan"), 0.0), NotFiniteError, "goal[0] must be finite"),
    (lambda w: w.go_to(2e3, 0.0), InputError, "farther away than 1000 m"),
    (lambda w: w.go_to(1.0, 0.9), InputError, "to an obstacle of the map"),
    (lambda w: w.walk(0.0, 0.0, float("inf")), NotFiniteError, "velocity[2] must be finite"),
    (lambda w: w.walk(3.0), FootstepError, "limit 'forward' is 0.45"),
    (lambda w: w.walk(0.0, 0.0, 4.0), FootstepError, "limit 'turn' is 1"),
    (lambda w: w.walk(0.0, 0.5), InputError, "leads into an obstacle of the map at"),
    (lambda w: w.walk(0.4, duration=-1.0), InputError, "duration must be positive"),
]


def test_what_cannot_be_done_is_refused_and_the_walk_goes_on_unchanged(tmp_path: Path) -> None:
    map_file = tmp_path / "map.yaml"
    map_file.write_text("circles: [[1.0, 0.9, 0.2]]\nboxes: [[-1.0, 0.8, 1.0, 1.0]]\n")
    request = WalkRequest(goal=(0.8, 0.0, 0.0), map=str(map_file))
    left = list(REFUSED)

    def operator(walker: Walker) -> bool:
        if walker.time > 1.0 and left:
            command, kind, says = left.pop()
            before = walker.controller.gait.plan
            with pytest.raises(kind) as raised:
                command(walker)
            assert says in str(raised.value)
            assert walker.controller.gait.plan is before
        return bool(left)

    undisturbed = walk(request).figures
    result = walk(request, operator=operator)
    assert left == []
    assert result.has_arrived, result.message
    assert re.search(
        r"Refused: 4 of 4 commands, the first at 1\.\d* s, at \(0 m/s, 0\.5 m/s", result.message
    )
    for name in ("dcm_error_rms_m", "final_error_m", "steps_taken", "steps_planned"):
        assert result.figures[name] == undisturbed[name]


def test_a_velocity_ends_standing_before_an_obstacle(tmp_path: Path) -> None:
    map_file = tmp_path / "map.yaml"
    map_file.write_text("boxes: [[2.6, -2.0, 2.8, 2.0]]\n")
    result = walk_by(
        Command(time=0.1, velocity=(0.4, 0.0, 0.0), duration=20.0),
        map=str(map_file),
        folder=tmp_path / "run",
    )
    assert result.has_arrived, result.message
    x = open_run(tmp_path / "run").states["com"][-1, 0]
    assert 1.0 < x < 2.6 - 0.3


def test_commands_that_say_nothing_or_two_things_are_refused() -> None:
    cases: tuple[tuple[dict[str, Any], str], ...] = (
        ({}, "one of goal, velocity and stop, got 0"),
        ({"goal": STAND, "stop": True}, "one of goal, velocity and stop, got 2"),
        ({"stop": True, "duration": 1.0}, "belongs to a velocity"),
        ({"stop": True, "time": -1.0}, "time must not be negative"),
        ({"stop": True, "time": 1e9}, "at most 3600 s, got 1e\\+09"),
        ({"stop": "no"}, "stop must be True or False, got 'no'"),
        ({"velocity": (1e308, 0.0, 0.0)}, "are these m/s and rad/s"),
    )
    for broken, says in cases:
        with pytest.raises(InputError, match=says):
            Command(**broken)
    for where, match in (
        ({"velocity": (0.0, 0.0, 1e308)}, "are these m/s and rad/s"),
        ({"velocity": "fast"}, "velocity: expected real numbers, got 'fast'"),
        ({"goal": (1.0, "far", 0.0)}, "goal or waypoint: expected real numbers"),
        ({"waypoints": ((1.0, 0.0),)}, r"goal or waypoint: expected shape \(3,\)"),
    ):
        with pytest.raises(InputError, match=match):
            WalkRequest(**where)
    with pytest.raises(InputError, match="never ends: give it a duration, or a stop"):
        WalkRequest(commands=(FORWARD,))
    with pytest.raises(InputError, match=r"commands\[0\] must be a Command"):
        WalkRequest(commands=({"stop": True},))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="not from both"):
        walk(WalkRequest(commands=(Command(stop=True),)), operator=lambda _: False)


def test_what_is_of_no_use_to_a_walk_is_one_error() -> None:
    request = WalkRequest(goal=STAND)
    for wrong in ({"operator": 3}, {"watch": 3}, {"progress": 3}, {"driver": 3}, {"folder": 3}):
        (name,) = wrong
        with pytest.raises(InputError, match=f"{name}: expected .*, got 3"):
            walk(request, **wrong)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="request: expected a WalkRequest, got None"):
        walk(None)  # type: ignore[arg-type]


def test_a_mistake_of_the_operator_is_said_and_the_walk_goes_on() -> None:
    nothing = [None]

    def operator(walker: Walker) -> bool:
        if nothing:
            walker.give(nothing.pop())  # type: ignore[arg-type]
        return False

    result = walk(WalkRequest(goal=STAND), operator=operator)
    assert result.has_arrived
    assert "The operator's mistake at 0.00 s: expected a Command, such as" in result.message


def test_a_walk_all_of_whose_commands_are_refused_is_no_success(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fast = ["--at", "0", "velocity", "3", "0", "0", "3"]
    assert main(["walk", "--quiet", "--no-report", "--out", str(tmp_path / "run"), *fast]) == 1
    line = capsys.readouterr().out
    assert line.count("\n") == 1
    assert "nothing that was asked can be done. Refused: command at 0.00 s, at (3 m/s" in line
    assert "limit 'forward' is 0.45" in line
    some = walk_by(Command(velocity=(3.0, 0.0, 0.0)), Command(time=0.1, goal=(0.1, 0.0, 0.0)))
    assert some.has_arrived
    assert "Refused: 1 of 2 commands at 0.00 s" in some.message


def test_a_command_keeps_tuples_whatever_its_numbers_come_as() -> None:
    same = [Command(goal=goal) for goal in ((1, 0, 2), [1.0, 0.0, 2.0], np.array([1, 0, 2]))]  # type: ignore[arg-type]
    assert same[0] == same[1] == same[2]
    assert same[2].goal == (1.0, 0.0, 2.0)


def test_commands_of_the_command_line_and_of_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = ["--out", str(tmp_path / "run"), "--no-report"]
    words = [
        "--at",
        "0.1",
        "velocity",
        "0.3",
        "0",
        "-10",
        "1.5",
        "--at",
        "1",
        "goal",
        "0.2",
        "0",
        "0",
    ]
    assert main(["walk", *words, *out]) == 0
    printed = capsys.readouterr().out
    assert "commands 2 given, planned in at most" in printed
    assert main(["walk", "--config", str(tmp_path / "run" / "config.toml"), "--quiet", *out]) == 0
    first, again = open_run(tmp_path / "run").commands
    assert first["command"] == "at (0.3 m/s, 0 m/s, -10°/s) for 1.5 s"
    assert again["command"] == "to (0.2 m, 0 m, 0°)"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["1", "dance"], "--at 1 dance: expected TIME and then goal, velocity or stop"),
        (["soon", "stop"], "--at soon stop: could not convert string to float: 'soon'"),
        (["1", "goal", "2"], "--at 1 goal 2: expected 3 numbers after goal, got 1"),
        (["1", "velocity", "nan", "0", "0"], "velocity[0] must be finite, got nan"),
        (["1", "velocity", "0.3", "0", "0"], "never ends"),
    ],
)
def test_commands_that_make_no_sense_are_refused_in_a_line(
    words: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["walk", "--quiet", "--at", *words]) == 1
    assert says in capsys.readouterr().err
