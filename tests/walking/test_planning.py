"""Motions, footsteps and phases: limits hold, refusals say which one did not."""

from dataclasses import replace
from itertools import pairwise
from math import hypot, pi
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footwork.cli.walk import MAP_HELP
from footwork.contacts import FOREVER, ContactList, ContactPhaseList, seconds
from footwork.errors import FootstepError, InputError, UnknownRobotError
from footwork.spatial import Pose
from footwork.walking import (
    BaseMotion,
    WalkingConfig,
    WalkRequest,
    config_for,
    plan_footsteps,
    read_phases,
    schedule,
)
from footwork.walking.base_path import base_system, motion_of, path_of, read_path
from footwork.walking.obstacles import KEYS, ObstacleMap, find_way, read_map
from footwork.walking.planning import refuse_collision

START = {
    "left_foot": Pose.from_xy_yaw(0.0, 0.1185, 0.0),
    "right_foot": Pose.from_xy_yaw(0.0, -0.1185, 0.0),
}


@pytest.fixture(scope="module")
def g1() -> WalkingConfig:
    return config_for("g1")


goals = st.tuples(st.floats(-3.0, 3.0), st.floats(-3.0, 3.0), st.floats(-pi, pi))


@given(goals)
@settings(max_examples=30)
def test_motion_arrives_at_rest_within_its_limits(goal: tuple[float, float, float]) -> None:
    limits = config_for("g1").limits
    motion = BaseMotion.to_goal((0.0, 0.0, 0.0), goal, limits)
    assert motion.goal[:2] == pytest.approx(goal[:2], abs=1e-9)
    assert (motion.goal[2] - goal[2] + pi) % (2 * pi) - pi == pytest.approx(0.0, abs=1e-9)
    times = np.linspace(0.0, motion.duration, 400)
    if motion.duration > 0.1:
        rate = np.diff(motion.at(times), axis=0) / np.diff(times)[:, None]
        assert np.hypot(rate[:, 0], rate[:, 1]).max() <= max(limits.velocity[:2]) * 1.01
        assert np.abs(rate[:, 2]).max() <= limits.velocity[2] * 1.01
    assert motion.at(-1.0) == pytest.approx([0.0, 0.0, 0.0])
    assert motion.at(motion.duration + 1.0) == pytest.approx(motion.goal)


@given(goals)
@settings(max_examples=25)
def test_footsteps_end_square_at_the_goal_within_all_limits(
    goal: tuple[float, float, float],
) -> None:
    config = config_for("g1")
    motion = BaseMotion.to_goal((0.0, 0.0, 0.0), goal, config.limits)
    steps = plan_footsteps(motion, START, config)
    feet = dict(START)
    for step in steps:
        feet[step.foot] = step.pose
    middle = 0.5 * (feet["left_foot"].translation + feet["right_foot"].translation)
    assert middle[:2] == pytest.approx(motion.goal[:2], abs=1e-9)
    relative = feet["left_foot"].inverse() @ feet["right_foot"]
    assert relative.translation == pytest.approx([0.0, -0.237, 0.0], abs=1e-9)
    order = [step.foot for step in steps]
    assert all(a != b for a, b in pairwise(order))


def test_no_motion_no_steps(g1: WalkingConfig) -> None:
    motion = BaseMotion.to_goal((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), g1.limits)
    assert plan_footsteps(motion, START, g1) == ()
    sequence = read_phases(ContactPhaseList.from_lists(schedule((), START, g1)), g1)
    assert sequence.swing_times.size == 0


def test_goal_two_centimetres_ahead_takes_two_steps(g1: WalkingConfig) -> None:
    motion = BaseMotion.to_goal((0.0, 0.0, 0.0), (0.02, 0.0, 0.0), g1.limits)
    assert len(plan_footsteps(motion, START, g1)) == 2


def test_refusals_name_the_limit_and_the_step(g1: WalkingConfig) -> None:
    line = np.array([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0]])
    fast = BaseMotion(times=np.array([0.0, 1.0]), poses=line)
    with pytest.raises(FootstepError, match=r"limit 'forward' is 0\.45") as caught:
        plan_footsteps(fast, START, g1)
    assert (caught.value.step, caught.value.limit) == (0, "forward")
    aside = BaseMotion(times=np.array([0.0, 1.0]), poses=line[:, [1, 0, 2]])
    with pytest.raises(FootstepError, match=r"limit 'width\[1\]'"):
        plan_footsteps(aside, START, g1)
    spin = BaseMotion(times=np.array([0.0, 1.0]), poses=line[:, [1, 2, 0]])
    with pytest.raises(FootstepError, match="limit 'turn'"):
        plan_footsteps(spin, START, g1)
    ahead = BaseMotion.to_goal((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), g1.limits)
    with pytest.raises(FootstepError, match="limit 'up'"):
        plan_footsteps(ahead, START, g1, height=lambda x, y: 0.3 * (x > 0.2))
    assert plan_footsteps(fast, START, g1, strict=False)


def test_phases_alternate_and_carry_the_durations(g1: WalkingConfig) -> None:
    motion = BaseMotion.to_goal((0.0, 0.0, 0.0), (0.6, 0.0, 0.0), g1.limits)
    steps = plan_footsteps(motion, START, g1)
    lists = schedule(steps, START, g1)
    last = lists["left_foot"].last_contact
    assert last is not None
    assert last.deactivation_time == FOREVER
    sequence = read_phases(ContactPhaseList.from_lists(lists), g1)
    assert sequence.swings.sum(axis=1).tolist() == [1.0] * len(steps)
    assert sequence.swing_times == pytest.approx(g1.gait.swing_duration)
    assert sequence.transfer_times[1:-1] == pytest.approx(g1.gait.transfer_duration)
    assert sequence.transfer_times[0] == pytest.approx(g1.gait.start_duration)
    assert sequence.hold_time == pytest.approx(g1.gait.hold_duration)


def test_phases_that_cannot_be_walked_are_refused_by_number(g1: WalkingConfig) -> None:
    def lists(*times: tuple[str, float, float]) -> dict[str, ContactList]:
        found = {name: ContactList(default_name=name) for name in START}
        for name, begin, end in times:
            stop = FOREVER if end == np.inf else seconds(end)
            found[name].add_contact(START[name], seconds(begin), stop)
        return found

    jump = lists(
        ("left_foot", 0.0, 1.0),
        ("right_foot", 0.0, 1.0),
        ("left_foot", 1.3, np.inf),
        ("right_foot", 1.3, np.inf),
    )
    with pytest.raises(InputError, match=r"phase 1 .* all feet are in the air"):
        read_phases(ContactPhaseList.from_lists(jump), g1)
    up = lists(("left_foot", 0.0, 1.0), ("right_foot", 0.0, np.inf))
    with pytest.raises(InputError, match="left_foot"):
        read_phases(ContactPhaseList.from_lists(up), g1)
    late = lists(("left_foot", 0.0, np.inf), ("right_foot", 0.5, np.inf))
    with pytest.raises(InputError, match="'right_foot' has no contact yet"):
        read_phases(ContactPhaseList.from_lists(late), g1)


def test_trot_of_a_quadruped_swings_diagonal_pairs() -> None:
    config = config_for("go2")
    half = {"front_left": (0.2, 0.15), "front_right": (0.2, -0.15)}
    half |= {"hind_left": (-0.2, 0.15), "hind_right": (-0.2, -0.15)}
    start = {
        name: Pose.from_xy_yaw(*half[next(k for k in half if name.startswith(k))], 0.0)
        for group in config.groups
        for name in group
    }
    motion = BaseMotion.to_goal((0.0, 0.0, 0.0), (0.5, 0.0, 0.0), config.limits)
    steps = plan_footsteps(motion, start, config)
    lists = schedule(steps, start, config, point_feet=True)
    sequence = read_phases(ContactPhaseList.from_lists(lists), config)
    assert sequence.swings.sum(axis=1).tolist() == [2.0] * sequence.swing_times.size


def test_path_of_the_base_is_a_path_control_that_follows_the_motion(
    g1: WalkingConfig, tmp_path: Path
) -> None:
    motion = BaseMotion.to_goal((0.0, 0.0, 0.0), (1.5, 0.5, 1.0), g1.limits)
    path = path_of(motion, base_system(g1.limits, motion.poses))
    assert path.check()
    times = np.linspace(0.0, motion.duration, 100)
    again = motion_of(path, goal=motion.goal)
    assert np.abs(again.at(times)[:, :2] - motion.at(times)[:, :2]).max() < 0.03
    assert again.goal == pytest.approx(motion.goal)
    path.to_npz(tmp_path / "path.npz")
    assert read_path(tmp_path / "path.npz", g1.limits) == path
    with pytest.raises(InputError, match=r"nothing.npz: cannot be read: No such file"):
        read_path(tmp_path / "nothing.npz", g1.limits)


@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04 damaged", b"\x93NUMPY"])
def test_a_file_that_is_no_path_is_refused_in_one_line(
    content: bytes, g1: WalkingConfig, tmp_path: Path
) -> None:
    file = tmp_path / "path.npz"
    file.write_bytes(content)
    with pytest.raises(InputError, match=r"cannot be read: no archive that PathControl"):
        read_path(file, g1.limits)


def test_way_goes_around_obstacles(tmp_path: Path) -> None:
    file = tmp_path / "map.yaml"
    file.write_text("circles: [[1.5, 0.0, 0.3]]\nboxes: [[2.2, -1.2, 2.6, -0.4]]\n")
    obstacles = read_map(file)
    way = find_way((0.0, 0.0), (3.0, 0.0), obstacles, radius=0.3)
    for a, b in pairwise(way):
        for s in np.linspace(0.0, 1.0, 50):
            x, y = a + s * (b - a)
            assert hypot(x - 1.5, y) > 0.6
    with pytest.raises(InputError, match=r"the goal .* is closer than"):
        find_way((0.0, 0.0), (1.5, 0.2), obstacles, radius=0.3)
    for text, message in (
        ("walls: []", "unknown key 'walls'"),
        ("circles: [[1, 2]]", "lists of 3 numbers"),
        ("boxes: []\ncircles: [[1, 2", "map.yaml: cannot be read as YAML: line 2: expected"),
        ("circles: [[1, 1, 1], [1, 2, -0.5]]", r"map\.yaml: circles\[1\]: radius must be greater"),
        ("circles: [[1, 1, .nan]]", r"map\.yaml: circles"),
        ("boxes: [[1, 1, 2, 2], [1, 3, 1, 4]]", r"map\.yaml: boxes\[1\].* less than x_max"),
        ("limits: [0, 0, 0, 1]", r"map\.yaml: limits are x_min.*got \[0, 0, 0, 1\]"),
        ("limits: [0, 0, 1]", r"map\.yaml: limits: expected shape \(4,\)"),
    ):
        file.write_text(text)
        with pytest.raises(InputError, match=message):
            read_map(file)


def test_limits_may_be_as_wide_as_they_like(tmp_path: Path) -> None:
    file = tmp_path / "map.yaml"
    file.write_text("limits: [-1.0e+9, -1, 2, 1.0e+9]")
    way = find_way((0.0, 0.0), (1.5, 0.2), read_map(file), radius=0.3)
    assert np.allclose(way[[0, -1]], [(0.0, 0.0), (1.5, 0.2)])
    with pytest.raises(InputError, match="outside the map"):
        find_way((0.0, 0.0), (2.5, 0.2), read_map(file), radius=0.3)


def test_a_way_stays_within_a_map_of_ros(tmp_path: Path) -> None:
    """Beyond its edge nothing is known; unknown cells are walked on."""
    columns, rows = 40, 20  # a wall across the lower three quarters, the rest of the row unknown
    pixels = [
        [0 if i == 20 and j < 15 else 205 if i == 20 else 254 for i in range(columns)]
        for j in reversed(range(rows))
    ]
    body = "\n".join(" ".join(map(str, row)) for row in pixels)
    (tmp_path / "map.pgm").write_text(f"P2 {columns} {rows} 255\n{body}\n")
    file = tmp_path / "map.yaml"
    file.write_text(
        "image: map.pgm\nresolution: 0.1\norigin: [-0.5, -0.5, 0]\nnegate: 0\n"
        "occupied_thresh: 0.65\nfree_thresh: 0.196\n"
    )
    given_map = read_map(file)
    limits = np.array([-0.5, -0.5, 3.5, 1.5])
    assert given_map.limits == pytest.approx(limits)
    start, goal, radius = (0.0, 0.0), (3.0, 0.0), 0.15
    way = find_way(start, goal, given_map, radius=radius)
    assert way[:, 1].max() > 1.0  # past the end of the wall
    assert (way - radius >= limits[:2]).all()
    assert (way + radius <= limits[2:]).all()
    for beyond, message in (
        ((4.0, 0.0), r"goal \(4, 0\) is outside the map, which reaches from \(-0.5, -0.5\) to "),
        ((900.0, 0.0), "is outside the map"),
        ((3.45, 0.0), "is closer than 0.19 m to the edge of the map"),
        ((1.4, 0.0), "is closer than 0.19 m to an obstacle of the map"),
    ):
        with pytest.raises(InputError, match=message):
            find_way(start, beyond, given_map, radius=radius)
    kept = tmp_path / "kept.yaml"  # as a run folder keeps it
    kept.write_text("".join(f"{key}: {value}\n" for key, value in given_map.to_table().items()))
    assert read_map(kept).to_table() == given_map.to_table()


def test_configuration_is_frozen_and_derived_from_the_robot(g1: WalkingConfig) -> None:
    with pytest.raises(AttributeError):
        g1.gait.width = 1.0  # type: ignore[misc]
    slow = replace(g1, gait=replace(g1.gait, swing_duration=0.5))
    assert slow.gait.step_duration == pytest.approx(0.55)
    talos = config_for("talos")
    assert talos.gait.swing_duration > g1.gait.swing_duration
    assert talos.feedback.touchdown_force > g1.feedback.touchdown_force
    with pytest.raises(InputError, match="there are g1, talos"):
        config_for("icub")
    with pytest.raises(UnknownRobotError, match="did you mean 'go2'"):
        config_for("go3")


def test_walking_on_the_spot_takes_steps_for_its_whole_duration(g1: WalkingConfig) -> None:
    """A base that stays where it is has arrived from the beginning, and yet is to walk."""
    motion = BaseMotion.with_velocity(np.zeros(3), [0.0, 0.0, 0.0], 5.0, g1.limits)
    steps = plan_footsteps(motion, START, g1)
    assert len(steps) * g1.gait.step_duration == pytest.approx(5.0, abs=0.5)


def test_walks_beyond_all_measure_are_refused_before_they_are_planned() -> None:
    for where in ({"goal": (1e9, 0.0, 0.0)}, {"waypoints": ((1.0, 0.0, 0.0), (0.0, -1001.0, 0.0))}):
        with pytest.raises(InputError, match="farther away than 1000 m"):
            WalkRequest(**where)
    with pytest.raises(InputError, match="duration: at most 3600 s"):
        WalkRequest(velocity=(0.5, 0.0, 0.0), duration=1e9)
    assert WalkRequest(goal=(600.0, 800.0, 0.0)).goal == (600.0, 800.0, 0.0)


def test_a_way_off_the_map_is_not_said_to_meet_an_obstacle() -> None:
    hall = ObstacleMap(
        circles=np.array([[1.0, 0.0, 0.2]]),
        boxes=np.zeros((0, 4)),
        limits=np.array([-1.0, -1.0, 3.0, 1.0]),
    )
    for end, says in (
        (
            (0.0, 2.0),
            r"outside the map, which reaches from \(-1, -1\) to \(3, 1\), at \(0.00, 2.00\)",
        ),
        ((0.0, 0.9), r"closer than 0.30 m to the edge of the map, which .*, at \(0.00, 0.90\)"),
        ((0.9, 0.0), r"into an obstacle of the map at \(0.90, 0.00\)"),
    ):
        way = np.array([[0.0, 0.0, 0.0], [*end, 0.0]])
        with pytest.raises(InputError, match=f"^the way leads {says}; choose another one"):
            refuse_collision(way, hall, 0.3)
    refuse_collision(np.zeros((1, 3)), hall, 0.3)


def test_the_help_of_maps_names_every_key() -> None:
    assert [key for key in KEYS if f"{key}: " not in MAP_HELP] == []
