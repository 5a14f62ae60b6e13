"""The estimator against motions that are known, and a controller that counts whole turns."""

from typing import Any

import numpy as np
import pytest

from footwork.robot import RobotModel, load
from footwork.simulation import ImuErrors, SimulationConfig
from footwork.simulation.world import MujocoWorld, Reading
from footwork.spatial import Pose
from footwork.typing import Vector
from footwork.walking import WalkRequest, plan_walk
from footwork.walking._kernels.estimate import predict_base
from footwork.walking.controller import WalkingController
from footwork.walking.estimator import EstimatingDriver, EstimatorConfig
from footwork.walking.whole_body import StackWholeBody

EXACT = ImuErrors(gyro=0.0, gyro_bias=0.0, acceleration=0.0, acceleration_bias=0.0)


@pytest.fixture(scope="module")
def g1() -> RobotModel:
    return load("g1")


class Standing:
    """A robot that stands still, seen by sensors that err."""

    def __init__(self, robot: RobotModel, gyro: Vector) -> None:
        self.control_step = 0.002
        self.robot, self.gyro = robot, gyro
        self.reading = Reading(robot.nu, 2)

    def read(self) -> Reading:
        reading = self.reading
        reading.q[:] = self.robot.standing_configuration
        reading.v[:] = 0.0
        reading.foot_wrenches[:] = 0.0
        reading.foot_wrenches[:, 2] = 0.5 * 9.81 * self.robot.mass
        reading.gyro[:] = self.gyro
        reading.accelerometer[:] = 0.0, 0.0, 9.81
        return reading

    def write(self, torques: Vector) -> None:
        del torques


def test_prediction_is_the_motion_of_a_body_that_turns_and_falls() -> None:
    """A constant rate about z and a force that turns with the body: a circle, in closed form."""
    dt, rate, n = 0.001, 1.3, 1000
    pose = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0])
    velocity, scratch = np.zeros(3), np.zeros(9)
    for _ in range(n):
        predict_base(
            dt, np.array([0.0, 0.0, rate]), np.array([0.7, 0.0, 9.81]), pose, velocity, scratch
        )
    angle = rate * n * dt
    wanted = 0.7 / rate * np.array([np.sin(angle), 1.0 - np.cos(angle), 0.0])
    assert velocity == pytest.approx(wanted, abs=1e-5)
    assert Pose(pose[:3], pose[3:]).yaw == pytest.approx(angle, abs=1e-9)


def test_a_robot_that_stands_learns_the_bias_of_its_gyroscope(g1: RobotModel) -> None:
    bias = np.array([0.004, -0.006, 0.008])
    estimator = EstimatingDriver(
        Standing(g1, bias), g1, EstimatorConfig(bias_gain=1.0, tilt_gain=0.3)
    )
    for _ in range(4000):
        measurement = estimator.read()
    assert estimator.gyro_bias == pytest.approx(bias, abs=3e-4)
    assert np.abs(measurement.v[:3]).max() < 2e-3
    assert estimator.drift().yaw == pytest.approx(0.0, abs=0.02)
    assert np.abs(estimator.drift().translation).max() < 0.01


def test_estimate_follows_a_standing_robot_that_is_pushed(g1: RobotModel) -> None:
    """Held by stiff joints and pushed: the base sways, and the estimate with it."""
    world = MujocoWorld(g1, SimulationConfig(imu=EXACT), g1.standing_configuration)
    estimator = EstimatingDriver(world, g1)
    q0 = g1.standing_configuration[7:]
    moved, worst = 0.0, 0.0
    for k in range(300):
        world.data.xfrc_applied[world._base, 0] = 30.0 if 50 <= k < 100 else 0.0
        measurement = estimator.read()
        error = estimator.true_base[:3] - estimator.estimated_base[:3]
        worst = max(worst, float(np.abs(error).max()))
        moved = max(moved, abs(estimator.true_base[0]))
        torques = 400.0 * (q0 - measurement.q[7:]) - 8.0 * measurement.v[6:]
        world.write(np.clip(torques, -g1.effort_limits, g1.effort_limits))
    assert moved > 5e-3
    assert worst < 0.3 * moved


def test_whole_turns_are_counted_as_the_next_sequence_counts_them(g1: RobotModel) -> None:
    """Corrections after more than half a turn: feet at 5 rad, a new sequence at 5 − 2π."""
    request = WalkRequest(goal=(0.1, 0.0, 0.0))
    config = request.walking
    plan: Any = plan_walk(g1, config, request)
    body = StackWholeBody(g1, config, plan.start)
    controller = WalkingController(g1, config, plan.sequence, body)
    controller.feet[:] = plan.sequence.footholds[0]
    controller.feet[:, 3] += 2.0 * np.pi
    controller.gait.state.feet[:, 3] += 2.0 * np.pi
    controller.follow(plan.sequence)
    assert controller.gait.state.feet[:, 3] == pytest.approx(plan.sequence.footholds[0][:, 3])
