"""The gait's kernel against slow twins, and its phases on a perfect pendulum."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from footwork.contacts import ContactPhaseList
from footwork.robot import load
from footwork.spatial import Pose
from footwork.typing import Vector
from footwork.walking import BaseMotion, config_for, plan_footsteps, read_phases, schedule
from footwork.walking._kernels.dcm import dcm_at
from footwork.walking._kernels.footholds import unwrap
from footwork.walking._kernels.measure import observe_push
from footwork.walking.footsteps import StepSequence
from footwork.walking.gait import Gait
from footwork.walking.phase import Phase

START = {
    "left_foot": Pose.from_xy_yaw(0.0, 0.1185, 0.0),
    "right_foot": Pose.from_xy_yaw(0.0, -0.1185, 0.0),
}


def sequence_to(x: float, y: float, yaw: float) -> StepSequence:
    limits = config_for("g1").limits
    return sequence_along(BaseMotion.to_goal((0.0, 0.0, 0.0), (x, y, yaw), limits))


def sequence_along(motion: BaseMotion) -> StepSequence:
    config = config_for("g1")
    lists = schedule(plan_footsteps(motion, START, config), START, config)
    return read_phases(ContactPhaseList.from_lists(lists), config)


def test_dcm_plan_solves_its_differential_equation() -> None:
    """ξ' = ω (ξ − p), integrated forwards from the plan's start, ends where p ends."""
    rng = np.random.default_rng(0)
    omega, count = 4.0, 6
    knots = rng.normal(size=(count + 1, 2))
    times = rng.uniform(0.1, 0.5, count)
    first, last = knots[:-1].copy(), knots[1:].copy()
    out = np.zeros(4)
    dcm_at(omega, first, last, times, count, 0.0, out)
    xi = out[:2].copy()
    for k in range(count):
        slope = (last[k] - first[k]) / times[k]

        def slope_of(t: float, x: Vector, p: Vector = first[k], b: Vector = slope) -> Vector:
            rate: Vector = omega * (x - p - b * t)
            return rate

        xi = solve_ivp(slope_of, (0.0, times[k]), xi, rtol=1e-11, atol=1e-12).y[:, -1]
    np.testing.assert_allclose(xi, last[-1], atol=1e-5)


def test_plan_inside_a_piece_continues_the_plan_at_its_start() -> None:
    omega = 4.0
    first, last = np.array([[0.0, 0.0], [0.2, 0.1]]), np.array([[0.2, 0.1], [0.2, 0.1]])
    times = np.array([0.3, 0.4])
    out = np.zeros(4)
    dcm_at(omega, first, last, times, 2, 0.0, out)
    start = out[:2].copy()
    dcm_at(omega, first, last, times, 2, 1e-6, out)
    slope = (out[:2] - start) / 1e-6
    np.testing.assert_allclose(slope, omega * (start - first[0]), atol=1e-4)


@pytest.mark.parametrize("near", [-9.0, 0.0, 3.1, 12.0])
def test_angles_are_unwrapped_to_the_nearest_turn(near: float) -> None:
    for angle in np.linspace(-7.0, 7.0, 29):
        found = unwrap(angle, near)
        assert abs(found - near) <= np.pi + 1e-12
        assert np.cos(found) == pytest.approx(np.cos(angle), abs=1e-9)


class Pendulum:
    """A point mass at a constant height, and feet that go where they are told."""

    def __init__(self, gait: Gait) -> None:
        self.gait = gait
        self.feet = gait.state.feet.copy()
        self.com = np.zeros((2, 3))
        self.push = np.zeros(2)
        self.edge = np.inf  # it holds back, and down, a toe that is pushed against it
        self.com[0, 2] = gait.parameters.com_height

    def tick(self) -> None:
        gait, dt = self.gait, self.gait.config.control_step
        contacts = gait.contacts
        forces = np.where(contacts, 150.0, 0.0)
        for i in np.flatnonzero(~contacts):
            self.feet[i] = gait.targets.feet[i, :, 0]
            if self.feet[i, 0] > self.edge:
                self.feet[i, 0], self.feet[i, 2] = self.edge, min(self.feet[i, 2], 0.02)
            forces[i] = 150.0 * (self.feet[i, 2] <= 0.0)
        targets = gait.tick(self.com, self.feet, forces, self.push)
        self.com[0] += dt * self.com[1] + 0.5 * dt * dt * targets.com_acceleration
        self.com[1] += dt * targets.com_acceleration


def walk(gait: Gait, limit: float = 20.0) -> Pendulum:
    pendulum = Pendulum(gait)
    for _ in range(round(limit / gait.config.control_step)):
        pendulum.tick()
        if gait.is_standing:
            break
    return pendulum


def test_pendulum_walks_to_the_goal_on_the_planned_footholds() -> None:
    sequence = sequence_to(1.2, 0.4, 0.8)
    robot = load("g1")
    assert robot.entry is not None
    gait = Gait(config_for("g1"), robot.entry, sequence)
    pendulum = walk(gait)
    assert gait.phase is Phase.FINAL
    assert gait.is_standing
    assert gait.landings == sequence.swing_times.size
    np.testing.assert_allclose(gait.state.feet[:, :2], sequence.footholds[-1][:, :2], atol=5e-3)
    middle = sequence.footholds[-1][:, :2].mean(axis=0)
    assert np.abs(pendulum.com[0, :2] - middle).max() < 0.03


def test_a_push_moves_the_next_foothold_to_its_side() -> None:
    robot = load("g1")
    assert robot.entry is not None
    gait = Gait(config_for("g1"), robot.entry, sequence_to(1.5, 0.0, 0.0))
    pendulum = Pendulum(gait)
    while gait.phase is not Phase.SWING or gait.step < 2:
        pendulum.tick()
    swinging = int(np.flatnonzero(~gait.contacts)[0])
    side = 1.0 if swinging == 0 else -1.0
    pendulum.com[1, 1] += 0.5 * side
    for _ in range(30):
        pendulum.tick()
    assert gait.state.shift[1] * side > 0.02
    walk_on = 0
    while not gait.is_standing and walk_on < 10_000:
        pendulum.tick()
        walk_on += 1
    assert gait.is_standing
    assert np.abs(pendulum.com[1, :2]).max() < 0.1


def test_swing_feet_lift_and_land_softly_without_a_jump() -> None:
    robot = load("g1")
    assert robot.entry is not None
    config = config_for("g1")
    gait = Gait(config, robot.entry, sequence_to(1.0, 0.0, 0.0))
    pendulum = Pendulum(gait)
    before, highest, landings = None, 0.0, []
    stride = np.abs(np.diff(gait.plan.footholds[:, :, 0], axis=0)).max()
    fastest = 1.875 * stride / config.gait.swing_duration  # of a minimum-jerk curve, in its middle
    while not gait.is_standing:
        pendulum.tick()
        if gait.phase is Phase.SWING:
            i = int(np.flatnonzero(~gait.contacts)[0])
            now = gait.targets.feet[i].copy()
            highest = max(highest, now[2, 0])
            if before is not None and before[0] == (i, gait.step):
                step = now[:, 0] - before[1][:, 0]
                assert np.abs(step).max() < 1.01 * fastest * config.control_step
            before = ((i, gait.step), now)
        elif before is not None and gait.has_landed:
            landings.append(before[1][2, 1])
    assert highest == pytest.approx(config.gait.swing_height, rel=0.02)
    assert min(landings) >= -config.gait.landing_velocity - 1e-9
    assert max(landings) < 0.0


def heights_of_a_swing(wobble: float) -> Vector:
    """Heights of the second swing, whose end moves to and fro in every tick."""
    robot = load("g1")
    assert robot.entry is not None
    config = config_for("g1")
    config = replace(config, feedback=replace(config.feedback, adjusts_steps=False))
    gait = Gait(config, robot.entry, sequence_to(1.0, 0.0, 0.0))
    pendulum = Pendulum(gait)
    heights = []
    while gait.step < 2:
        if gait.phase is Phase.SWING and gait.step == 1:
            swinging = int(np.flatnonzero(~gait.contacts)[0])
            heights.append(gait.targets.feet[swinging, 2, 0])
            gait.state.clock[1] = gait.state.clock[2] - wobble * (len(heights) % 3)
        pendulum.tick()
    return np.array(heights)


def test_a_landing_time_that_wavers_does_not_throw_the_foot() -> None:
    """Its height stays near that of a quiet swing."""
    quiet, wavering = heights_of_a_swing(0.0), heights_of_a_swing(0.006)
    count = min(quiet.size, wavering.size)
    assert count > 0.9 * quiet.size
    np.testing.assert_allclose(wavering[:count], quiet[:count], atol=0.01)


def test_a_foot_that_is_held_by_an_edge_steps_back_and_rises_over_it() -> None:
    robot = load("g1")
    assert robot.entry is not None
    gait = Gait(config_for("g1"), robot.entry, sequence_to(1.0, 0.0, 0.0))
    pendulum = Pendulum(gait)
    while gait.phase is not Phase.SWING or gait.step < 1:
        pendulum.tick()
    i = int(np.flatnonzero(~gait.contacts)[0])
    edge = pendulum.edge = pendulum.feet[i, 0] + 0.01
    farthest = 0.0
    while gait.phase is Phase.SWING:
        pendulum.tick()
        x, _, z, _ = gait.state.swing[i, :, 0]
        if pendulum.edge == edge:
            farthest = max(farthest, x - edge)
        if x < edge and z > 0.04:
            pendulum.edge = np.inf
    assert pendulum.edge > edge
    assert farthest < 0.02
    assert gait.state.feet[i, 0] == pytest.approx(gait.state.targets[i, 0], abs=0.02)


def test_standing_without_steps_stays() -> None:
    robot = load("g1")
    assert robot.entry is not None
    gait = Gait(config_for("g1"), robot.entry, sequence_to(0.0, 0.0, 0.0))
    pendulum = walk(gait, 3.0)
    assert gait.is_standing
    assert gait.landings == 0
    assert np.abs(pendulum.com[0, :2]).max() < 0.01


def test_a_push_is_told_from_the_forces_on_the_feet() -> None:
    """Of 2 m/s² the observer knows all but e^{−kt} after a time t; feet alone are no push."""
    dt, gain, mass = 0.002, 20.0, 30.0
    observer, com, wrenches = np.zeros((2, 2)), np.zeros((2, 3)), np.zeros((2, 6))
    wrenches[:, 0] = 15.0, -3.0
    velocity = np.zeros(2)
    for _ in range(100):
        velocity += dt * np.array([12.0 / mass, 2.0])
        com[1, :2] = velocity
        observe_push(dt, gain, mass, com, wrenches, observer)
    assert observer[0, 1] == pytest.approx(2.0 * (1.0 - np.exp(-gain * 100 * dt)), rel=0.03)
    assert abs(observer[0, 0]) < 1e-9


def test_a_push_that_lasts_moves_the_foothold_beyond_the_error_so_far() -> None:
    robot = load("g1")
    assert robot.entry is not None
    shifts = []
    for push in (0.0, 1.8):
        gait = Gait(config_for("g1"), robot.entry, sequence_to(1.5, 0.0, 0.0))
        pendulum = Pendulum(gait)
        while gait.phase is not Phase.SWING or gait.step < 2:
            pendulum.tick()
        side = 1.0 if gait.contacts[1] else -1.0
        pendulum.push[1] = push * side
        for _ in range(30):
            pendulum.tick()
        shifts.append(gait.state.shift[1] * side)
    assert shifts[1] > shifts[0] + 0.02


def test_steps_go_on_until_the_robot_is_steady() -> None:
    robot = load("g1")
    assert robot.entry is not None
    gait = Gait(config_for("g1"), robot.entry, sequence_to(0.6, 0.0, 0.0))
    count = gait.plan.swing_times.size
    pendulum = Pendulum(gait)
    while gait.landings < count - 1 or gait.phase is not Phase.SWING:
        pendulum.tick()
    side = 1.0 if gait.contacts[1] else -1.0
    while gait.state.clock[1] - gait.state.clock[0] > 0.04:
        pendulum.tick()
    pendulum.com[1, 1] -= 0.4 * side  # to where this foot cannot go
    while not gait.is_standing and gait.landings < 60:
        pendulum.tick()
    assert gait.extra_steps >= 2
    assert gait.landings == count + gait.extra_steps
    assert gait.is_standing
    assert np.abs(gait.state.feet[:, 0] - 0.6).max() < 0.03


def test_a_push_just_before_a_landing_has_the_step_taken_again_farther_out() -> None:
    """Landing on the planned place would leave an error that the next step cannot make up."""
    robot = load("g1")
    assert robot.entry is not None
    config = config_for("g1")
    motion = BaseMotion.with_velocity((0.0, 0.0, 0.0), (0.3, 0.0, 0.0), 5.0, config.limits)
    gait = Gait(config, robot.entry, sequence_along(motion))
    pendulum = Pendulum(gait)
    while gait.phase is not Phase.SWING or gait.step < 2:
        pendulum.tick()
    while gait.state.clock[1] - gait.state.clock[0] > 0.05:
        pendulum.tick()
    swinging = int(np.flatnonzero(~gait.contacts)[0])
    side = 1.0 if swinging == 0 else -1.0
    planned = gait.state.targets[swinging, 1]
    pendulum.com[1, 1] += 0.45 * side
    again = []
    while not gait.has_landed:
        pendulum.tick()
        again.append(gait.state.clock[7])
    assert again[-1] == 1.0
    assert len(again) * gait.config.control_step > 0.1
    assert (gait.state.feet[swinging, 1] - planned) * side > 0.1
    while not gait.is_standing and gait.landings < 60:
        pendulum.tick()
    assert gait.is_standing
    assert np.abs(pendulum.com[1, :2]).max() < 0.1


def test_an_early_landing_lengthens_the_transfer_unless_the_step_was_hurried() -> None:
    robot = load("g1")
    assert robot.entry is not None
    for hurry in (0.0, 0.1):
        gait = Gait(config_for("g1"), robot.entry, sequence_to(1.5, 0.0, 0.0))
        pendulum = Pendulum(gait)
        while gait.phase is not Phase.SWING or gait.step < 2:
            pendulum.tick()
        swinging = int(np.flatnonzero(~gait.contacts)[0])
        while gait.state.clock[0] < 0.17:
            pendulum.tick()
        gait.state.clock[1] -= hurry
        forces = np.full(2, 150.0)
        gait.tick(pendulum.com, pendulum.feet, forces, pendulum.push)
        while not gait.has_landed:
            pendulum.feet[swinging] = gait.targets.feet[swinging, :, 0]
            gait.tick(pendulum.com, pendulum.feet, forces, pendulum.push)
        assert gait.contacts[swinging]
        longer = gait.state.clock[1] - gait.plan.transfer_times[gait.step]
        assert (longer > 0.02) == (hurry == 0.0)


@pytest.mark.parametrize("robot", ["g1", "talos", "jvrc1"])
def test_steps_that_answer_a_push_reach_farther_than_planned_ones(robot: str) -> None:
    limits = config_for(robot).limits
    assert limits.recovery_width[0] <= limits.width[0]
    assert limits.recovery_width[1] > limits.width[1]


def test_a_robot_that_is_pushed_before_its_last_steps_does_not_stagger_sideways_for_ever() -> None:
    """A last step is planned to bring it to rest, so it is not taken while it has to catch it."""
    robot = load("g1")
    assert robot.entry is not None
    gait = Gait(config_for("g1"), robot.entry, sequence_to(0.4, 0.0, 0.0))
    pendulum = Pendulum(gait)
    while gait.phase is not Phase.SWING or gait.step < 2:
        pendulum.tick()
    while gait.state.clock[1] - gait.state.clock[0] > 0.05:
        pendulum.tick()
    pendulum.com[1, 1] += 0.45
    while not gait.is_standing and gait.landings < 60:
        pendulum.tick()
    assert gait.is_standing
    assert 2 <= gait.extra_steps <= 10
    assert np.abs(gait.targets.dcm - gait.targets.dcm_reference).max() < 0.02
