"""Walking configurations of known robots, one function each, and one that derives a first guess.

Durations scale with √(height / g), lengths with the height of the centre of mass or the feet,
forces with the weight. A robot's own function changes what its build makes different.
"""

from collections.abc import Callable
from dataclasses import replace
from math import sqrt
from typing import Final

import numpy as np

from footwork.errors import InputError, ModelError
from footwork.robot import RobotModel, entry_of, load
from footwork.walking.config import (
    GRAVITY,
    FeedbackConfig,
    GaitConfig,
    StepLimits,
    TaskConfig,
    WalkingConfig,
)

REFERENCE_HEIGHT: Final = 0.6
"""Height of the centre of mass at which the durations were found [m]."""


def derive(
    robot: RobotModel,
    *,
    leg_joints: tuple[str, ...],
    knee_joints: tuple[str, ...] = (),
    com_height: float | None = None,
    width: float | None = None,
) -> WalkingConfig:
    """Derive a configuration from a robot's mass, height and feet.

    Args:
        robot: A robot whose entry names its feet.
        leg_joints: Patterns of the joints that belong to legs.
        knee_joints: Patterns of the joints that may not pass through straight.
        com_height: Height of the centre of mass above the soles [m]; that of the standing posture
            when not given.
        width: Between the middles of the soles [m]; that of the standing posture when not given.

    Returns:
        The configuration.

    Raises:
        ModelError: If the robot has fewer than two feet.
    """
    entry = robot.entry
    if entry is None or len(entry.feet) < 2:
        raise ModelError(f"robot {robot.name!r}: a walk needs an entry with two feet or more")
    state = robot.state(robot.standing_configuration)
    height = float(state.p_world_com[2]) if com_height is None else com_height
    feet = np.array([state.placement(foot.name)[1] for foot in entry.feet])
    width = abs(float(feet[0, 1] - feet[1, 1])) if width is None else width
    scale = sqrt(height / REFERENCE_HEIGHT)
    speed = sqrt(GRAVITY * height)
    foot_width = entry.feet[0].width_left + entry.feet[0].width_right
    groups: tuple[tuple[str, ...], ...]
    if len(entry.feet) == 2:
        groups = tuple((foot.name,) for foot in entry.feet)
    else:
        names = [foot.name for foot in entry.feet]
        groups = ((names[0], names[3]), (names[1], names[2]))
    return WalkingConfig(
        robot=robot.name,
        gait=GaitConfig(
            swing_duration=round(0.3 * scale, 3),
            transfer_duration=round(0.05 * scale, 3),
            com_height=height,
            width=width,
            swing_height=0.13 * height,
        ),
        limits=StepLimits(
            forward=0.75 * height,
            width=(foot_width + min(0.07, 0.5 * (width - foot_width)), 0.75 * height),
            recovery_width=(
                foot_width + min(0.053, 0.5 * (width - foot_width)),
                0.92 * height,
            ),
            turn=0.5,
            up=0.12 * height,
            velocity=(0.41 * speed, 0.12 * speed, 0.8),
            backward_velocity=0.2 * speed,
            acceleration=0.68 * speed,
            turn_acceleration=1.5,
        ),
        feedback=FeedbackConfig(touchdown_force=0.06 * robot.mass * GRAVITY),
        groups=groups,
        leg_joints=leg_joints,
        knee_joints=knee_joints,
        radius=max(0.5 * height, float(np.hypot(feet[:, 0], feet[:, 1]).max()) + 0.12),
    )


def g1() -> WalkingConfig:
    """Unitree G1.

    Returns:
        The configuration.
    """
    legs = ("*_hip_*", "*_knee_*", "*_ankle_*")
    config = derive(
        load("g1"), leg_joints=legs, knee_joints=("*_knee_*",), com_height=0.60, width=0.237
    )
    # hands clear of the hips
    arms = {
        f"{side}_{joint}_joint": sign * angle
        for side, mirror in (("left", 1.0), ("right", -1.0))
        for joint, sign, angle in (
            ("shoulder_roll", mirror, 0.4),
            ("shoulder_pitch", 1.0, 0.2),
            ("elbow", 1.0, 0.9),
        )
    }
    ranges = {
        "left_shoulder_roll_joint": (0.3, 1.0),
        "right_shoulder_roll_joint": (-1.0, -0.3),
        "*_shoulder_yaw_joint": (-0.25, 0.25),
        "*_shoulder_pitch_joint": (-0.9, 1.0),
        "*_elbow_joint": (0.2, 1.5),
        "*_wrist_*": (-0.3, 0.3),
    }
    # a hasty swing's angular momentum is borne by the arms, not by the height of the body
    tasks = replace(config.tasks, com_weight=(1000.0, 1000.0), momentum_weight=(1.0, 1.0, 0.3))
    return replace(config, posture=arms, ranges=ranges, tasks=tasks)


def talos() -> WalkingConfig:
    """PAL Robotics TALOS.

    Returns:
        The configuration.
    """
    return derive(
        load("talos"),
        leg_joints=("leg_*",),
        knee_joints=("leg_*_4_joint",),
        com_height=0.82,
        width=0.2,
    )


def jvrc1() -> WalkingConfig:
    """JVRC-1.

    Returns:
        The configuration.
    """
    legs = ("*_HIP_*", "*_KNEE", "*_ANKLE_*")
    return derive(load("jvrc1"), leg_joints=legs, knee_joints=("*_KNEE",))


def go2() -> WalkingConfig:
    """Unitree Go2, trotting.

    Returns:
        The configuration.
    """
    return _quadruped("go2", ("*",))


def solo12() -> WalkingConfig:
    """ODRI Solo12, trotting.

    Returns:
        The configuration.
    """
    return _quadruped("solo12", ("*",))


def _quadruped(name: str, legs: tuple[str, ...]) -> WalkingConfig:
    config = derive(load(name), leg_joints=legs)
    return replace(
        config,
        gait=replace(config.gait, cop_inward=0.0),
        feedback=replace(config.feedback, margin=(0.0, 0.0), adjusts_timing=False),
        tasks=replace(TaskConfig(), momentum_weight=(0.0, 0.0, 0.0), leg_posture_weight=0.01),
    )


CONFIGURATIONS: Final[dict[str, Callable[[], WalkingConfig]]] = {
    "g1": g1,
    "talos": talos,
    "jvrc1": jvrc1,
    "go2": go2,
    "solo12": solo12,
}


def config_for(robot: str) -> WalkingConfig:
    """Find the configuration of a known robot.

    Args:
        robot: Its name in the zoo.

    Returns:
        The configuration.

    Raises:
        UnknownRobotError: If there is no such robot; names those that may have been meant.
        InputError: If the robot has none; names those that do.
    """
    if robot not in CONFIGURATIONS:
        entry_of(robot)
        known = ", ".join(CONFIGURATIONS)
        raise InputError(
            f"robot {robot!r} has no walking configuration; there are {known}. "
            "`footwork.walking.derive` makes one for a robot of your own"
        )
    return CONFIGURATIONS[robot]()
