"""What goes wrong on a robot: joints that do not follow, ticks without a solution, Ctrl-C."""

import os
import signal
from dataclasses import replace
from pathlib import Path
from threading import Timer
from time import process_time
from typing import Any

import numpy as np
import pytest

from footwork.contacts import FOREVER, seconds
from footwork.recording import open_run
from footwork.robot import RobotModel, RobotState, load
from footwork.simulation import Push
from footwork.simulation.world import MujocoWorld, Reading
from footwork.spatial import Pose
from footwork.stack.solvers import Status
from footwork.typing import Vector
from footwork.walking import Verdict, WalkRequest, plan_walk, walk
from footwork.walking.controller import WalkingController
from footwork.walking.recorder import Recorder
from footwork.walking.whole_body import FALL_BACK_DAMPING, StackWholeBody

REQUEST = WalkRequest(goal=(1.2, 0.2, 0.3))
FAULT_TIME = 0.8


class Faulty:
    """A simulated robot one joint of which fails.

    Args:
        joint: Its name.
        fault: "dead": no torque; "blocked": it stays where it is; "glitch": its encoder reads 5 rad
            too much, once.
        request: The walk.
    """

    def __init__(self, joint: str, fault: str, request: WalkRequest = REQUEST) -> None:
        robot = load(request.robot)
        plan = plan_walk(robot, request.walking, request)
        self.world: Any = MujocoWorld(robot, request.simulation(), plan.start)
        self.control_step = self.world.control_step
        self.number = robot.joint_names.index(joint)
        self.joint = self.world.model.joint(joint).id
        self.address = self.world.model.joint(joint).qposadr[0]
        self.fault = fault
        self.has_failed = False

    def read(self) -> Reading:
        reading: Reading = self.world.read()
        if self.fault == "glitch" and not self.has_failed and self.world.time >= FAULT_TIME:
            self.has_failed = True
            reading.q[7 + self.number] += 5.0
        return reading

    def write(self, torques: Vector) -> None:
        model, data = self.world.model, self.world.data
        if self.world.time >= FAULT_TIME:
            if self.fault == "blocked" and not self.has_failed:
                self.has_failed = True
                model.jnt_limited[self.joint] = 1
                model.jnt_range[self.joint] = data.qpos[self.address] + np.array([-1e-3, 1e-3])
                model.jnt_solref[self.joint] = 0.004, 1.0
                model.jnt_solimp[self.joint, :2] = 0.99, 0.999
            if self.fault == "dead":
                torques = torques.copy()
                torques[self.number] = 0.0
        self.world.write(torques)


# R46: a joint that does not follow


@pytest.mark.parametrize(
    ("joint", "fault"),
    [
        ("left_knee_joint", "dead"),
        ("left_knee_joint", "blocked"),
        ("right_hip_roll_joint", "dead"),
        ("left_ankle_pitch_joint", "blocked"),
    ],
)
def test_a_joint_that_does_not_follow_is_named(joint: str, fault: str) -> None:
    said: list[str] = []
    driver = Faulty(joint, fault)
    result = walk(REQUEST, driver=driver, progress=lambda _, words: said.append(words))
    assert result.figures["joint_not_following"] == joint, result.message
    since = result.figures["joint_not_following_since_s"]
    assert FAULT_TIME < since < result.figures["simulated_time_s"]
    assert f"{joint} did not follow its torques" in result.message
    assert any(f"{joint} does not follow" in words for words in said)


@pytest.mark.parametrize(
    "disturbed",
    [
        {},
        {"pushes": (Push(start=2.0, duration=0.1, force=(-160.0, 0.0, 0.0)),)},
        {"terrain": "bumps:0.04:1"},
        {"velocity_noise": 0.02, "position_noise": 5e-4},
        {"delay": 0.006},
        {"payload": 4.0},
    ],
)
def test_a_walk_with_sound_joints_names_none(disturbed: dict[str, Any]) -> None:
    result = walk(replace(REQUEST, **disturbed))
    assert result.has_arrived, result.message
    assert result.figures["joint_not_following"] == "", result.message
    assert result.figures["joint_not_following_since_s"] is None


def test_dry_friction_and_a_hand_on_the_thigh_are_no_faults_of_joints() -> None:
    """A wrist of Talos that is hardly moved sticks, and its left hand strikes the thigh."""
    result = walk(WalkRequest(robot="talos", goal=(2.0, 0.5, 1.5)))
    assert result.has_arrived, result.message
    assert result.figures["joint_not_following"] == ""


@pytest.mark.parametrize("joint", ["leg_left_4_joint", "arm_right_4_joint"])
def test_a_blocked_joint_of_a_robot_with_dry_friction_is_named(joint: str) -> None:
    request = WalkRequest(robot="talos", goal=(1.2, 0.0, 0.0))
    result = walk(request, driver=Faulty(joint, "blocked", request))
    assert result.figures["joint_not_following"] == joint, result.message


def test_long_walk_keeps_its_height(tmp_path: Path) -> None:
    """20 m: the centre of mass is as high in the end as in the beginning, within 1 cm."""
    result = walk(replace(REQUEST, goal=(20.0, 0.0, 0.0)), folder=tmp_path / "run")
    assert result.has_arrived, result.message
    assert result.figures["joint_not_following"] == ""
    states = open_run(tmp_path / "run").states
    heights = [
        states["com"][(states.time >= t) & (states.time < t + 2.0), 2].mean() for t in (2.0, 18.0)
    ]
    assert abs(heights[1] - heights[0]) < 0.01


def test_torques_that_explain_the_planned_motion_are_the_commanded_ones(
    controller: WalkingController,
) -> None:
    body = controller.whole_body
    assert isinstance(body, StackWholeBody)
    robot = controller.robot
    state = robot.state(robot.standing_configuration, np.full(robot.nv, 0.01))
    torques = body.solve(state, controller.gait.targets)
    assert body.torques_of(body._x[: robot.nv], body.forces()) == pytest.approx(torques, abs=1e-9)


# R49: a tick without a solution


@pytest.fixture
def controller() -> WalkingController:
    robot = load("g1")
    config = REQUEST.walking
    plan = plan_walk(robot, config, REQUEST)
    return WalkingController(
        robot, config, plan.sequence, StackWholeBody(robot, config, plan.start)
    )


def beyond(robot: RobotModel) -> RobotState:
    """Find a state from which no torques within limits bring the joints back in time."""
    q = robot.standing_configuration.copy()
    q[7:] += 5.0
    return robot.state(q, np.full(robot.nv, 0.5))


def test_joints_are_braked_in_the_tick_that_has_no_solution(controller: WalkingController) -> None:
    """At a switch of the feet too: the one that has left the ground bears nothing any more."""
    body, robot, targets = controller.whole_body, controller.robot, controller.gait.targets
    assert isinstance(body, StackWholeBody)
    body.solve(robot.state(robot.standing_configuration), targets)
    assert body.status is Status.SOLVED
    before = body.forces()
    assert (before[:, 2] > 100.0).all()
    targets.contacts[1] = 0
    state = beyond(robot)
    torques = body.solve(state, targets)
    assert body.status is not Status.SOLVED
    assert body.failures == 1
    assert np.linalg.norm(body.forces()[0]) == pytest.approx(np.linalg.norm(before[0]))
    assert not body.forces()[1].any()
    acceleration = np.zeros(robot.nv)
    acceleration[6:] = -FALL_BACK_DAMPING * state.v[6:]
    wanted = body.torques_of(acceleration, body.forces())
    limits = REQUEST.walking.tasks.torque_fraction * robot.effort_limits
    assert torques == pytest.approx(np.clip(wanted, -limits, limits), abs=1e-9)


def test_reset_after_a_failure_equals_a_fresh_start_to_the_bit(
    controller: WalkingController,
) -> None:
    body, robot, targets = controller.whole_body, controller.robot, controller.gait.targets
    states = [
        robot.state(robot.standing_configuration, np.full(robot.nv, 0.01 * k)) for k in range(4)
    ]
    fresh = [body.solve(state, targets).copy() for state in states]
    targets.contacts[1] = 0
    body.solve(beyond(robot), targets)
    assert body.failures == 1
    targets.contacts[1] = 1
    body.reset()
    assert body.failures == 0
    again = [body.solve(state, targets).copy() for state in states]
    assert np.array_equal(fresh, again)


def test_a_walk_outlives_a_tick_without_a_solution_and_says_so() -> None:
    result = walk(REQUEST, driver=Faulty("left_shoulder_pitch_joint", "glitch"))
    assert result.has_arrived, result.message
    assert result.figures["solver_failures"] >= 1
    assert f"Ticks without a solution: {result.figures['solver_failures']}." in result.message


# R48: Ctrl-C


def test_ctrl_c_ends_a_walk_at_once_and_leaves_everything_usable(tmp_path: Path) -> None:
    handler = signal.getsignal(signal.SIGINT)
    pressed: list[float] = []

    def press() -> None:
        pressed.append(process_time())
        os.kill(os.getpid(), signal.SIGINT)

    short = replace(REQUEST, goal=(0.1, 0.0, 0.0))
    before = walk(short)
    timer = Timer(0.3, press)

    def start(part: float, words: str) -> None:
        del words
        if part == 0.0 and not timer.is_alive() and not pressed:
            timer.start()

    with pytest.raises(KeyboardInterrupt):
        walk(replace(REQUEST, goal=(8.0, 0.0, 0.0)), folder=tmp_path / "run", progress=start)
    assert process_time() - pressed[0] < 0.5
    timer.join()
    assert signal.getsignal(signal.SIGINT) is handler
    run = open_run(tmp_path / "run")
    assert run.summary["verdict"] == Verdict.INTERRUPTED.value
    assert run.states["q"].shape[0] > 0
    assert walk(short).figures["dcm_error_rms_m"] == before.figures["dcm_error_rms_m"]


# Contacts are recorded as the gait detects them


def test_recorder_lists_the_contacts_that_the_gait_detected(controller: WalkingController) -> None:
    """Whatever the forces are: there is one definition of a loaded foot."""
    recorder = Recorder(None, controller.robot)
    reading = Reading(controller.robot.nu, 2)
    controller.feet[1] = 0.3, -0.1, 0.0, 0.2
    for k, loaded in enumerate([(0, 0), (1, 1), (1, 0), (1, 0), (1, 1)]):
        reading.time = 0.01 * k
        controller.gait.state.loaded[:] = loaded
        recorder.record(reading, controller, 0.0)
    left, right = recorder.measured.lists().values()
    assert [(c.activation_time, c.deactivation_time) for c in left] == [(seconds(0.01), FOREVER)]
    assert [(c.activation_time, c.deactivation_time) for c in right] == [
        (seconds(0.01), seconds(0.02)),
        (seconds(0.04), FOREVER),
    ]
    assert right[1].pose.is_close(Pose.from_xy_yaw(0.3, -0.1, 0.2, 0.0))
