"""The base's path as a `PathControl`: an omnidirectional base with limited accelerations.

Its state is (x, y, yaw, forward, left, turning velocity), its control their accelerations in the
base's frame. A motion found by geometry becomes such a path by being followed step by step; a path
from a planner or a file becomes a motion by being looked at.
"""

from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning import PathControl, SpaceInformation, path_io
from footwork.planning.archive import read_archive
from footwork.planning.models import omnidirectional_base
from footwork.planning.worlds.protocol import World
from footwork.typing import Matrix, Vector
from footwork.walking.base_motion import BaseMotion, wrapped
from footwork.walking.config import StepLimits

STEP = 0.05
"""Propagation step, and length of each control [s]."""
MARGIN = 2.0
"""Room around what a path visits [m]."""
PULL = 4.0
"""How quickly a path that is followed is come back to [1/s]."""
SPEED_ROOM = 1.5
"""Velocity and acceleration bounds of the system over the plan's limits: following needs some."""


def base_system(
    limits: StepLimits, visited: ArrayLike, *, world: World | Callable[..., bool] | None = None
) -> SpaceInformation:
    """Describe the base as a system to plan for.

    Args:
        limits: Of its velocity and acceleration.
        visited: Points that must be inside its bounds, (x, y, …) [m], shape (k, ≥ 2).
        world: Where it may be; everywhere when not given.

    Returns:
        The system.
    """
    points = np.asarray(visited, dtype=np.float64)[:, :2]
    forward, left, turning = (SPEED_ROOM * v for v in limits.velocity)
    push = SPEED_ROOM * 2.0 * limits.acceleration
    return omnidirectional_base(
        points.min(axis=0) - MARGIN,
        points.max(axis=0) + MARGIN,
        forward_speed=(-max(forward, limits.backward_velocity), forward),
        lateral_speed=max(left, forward),
        turn_rate=2.0 * turning,
        acceleration=(push, push),
        turn_acceleration=4.0 * limits.turn_acceleration,
        propagation_step_size=STEP,
        is_valid=world,
    )


def path_of(motion: BaseMotion, system: SpaceInformation) -> PathControl:
    """Follow a motion with the base's own dynamics.

    Each control leads the velocity to that of the motion one step ahead, plus a pull towards it.

    Args:
        motion: To be followed.
        system: The base.

    Returns:
        A path that `PathControl.check` accepts; it ends within a centimetre of the motion's goal.
    """
    path = PathControl(system)
    state = np.zeros(6)
    state[:3] = motion.poses[0]
    path.append(state)
    low, high = system.control_space.low, system.control_space.high
    steps = int(np.ceil(motion.duration / STEP - 1e-9)) + 1
    start = motion.times[0]
    for k in range(steps if motion.duration > 0.0 else 0):
        wanted = _velocity_towards(motion, start + k * STEP, state)
        control = np.clip((wanted - state[3:]) / STEP, low, high)
        state = system.propagate(state, control, STEP)
        path.append(state, control, STEP)
    return path


def _velocity_towards(motion: BaseMotion, time: float, state: Vector) -> Vector:
    """Body velocity at the end of a step that keeps to a motion."""
    now, ahead, after = motion.at([time, time + STEP, time + 2.0 * STEP])
    rate = (after - ahead) / STEP
    gap = now - state[:3]
    gap[2] = wrapped(gap[2])
    world = rate + PULL * gap
    yaw = ahead[2]
    c, s = np.cos(yaw), np.sin(yaw)
    return np.array([c * world[0] + s * world[1], -s * world[0] + c * world[1], world[2]])


def motion_of(path: PathControl, *, goal: ArrayLike | None = None) -> BaseMotion:
    """Look at a path of the base as a motion.

    Args:
        path: Of a system whose state begins with x, y and yaw.
        goal: Where it is to end exactly: (x, y, yaw); where the path ends when not given.

    Returns:
        The motion.

    Raises:
        InputError: If the state is too small.
    """
    if path.states.shape[1] < 3:
        raise InputError(
            f"a path of the base needs x, y and yaw in its state, got {path.states.shape[1]} "
            "components"
        )
    duration = path.length()
    count = max(1, round(duration / 0.02))
    times = np.linspace(0.0, duration, count + 1) if duration > 0.0 else np.zeros(1)
    poses: Matrix = np.array([path.state_at(float(t))[:3] for t in times])
    poses[:, 2] = np.unwrap(poses[:, 2])
    if goal is not None:
        end = np.asarray(goal, dtype=np.float64)
        turn = wrapped(end[2] - poses[-1, 2])
        share = np.clip((times - duration + 1.0) / 1.0, 0.0, 1.0)[:, None]
        poses = poses + share * np.array([*(end[:2] - poses[-1, :2]), turn])
    return BaseMotion(times=times, poses=poses)


def read_path(file: str | Path, limits: StepLimits) -> PathControl:
    """Read a path of the base from a file that `PathControl.to_npz` wrote.

    Args:
        file: The npz file, of an omnidirectional base (six components, three controls).
        limits: Of the robot that is to follow it.

    Returns:
        The path.

    Raises:
        InputError: If it is not such a file.
    """
    arrays = read_archive(file, ("states",), kind=path_io.FORMAT, version=path_io.VERSION)
    states = np.asarray(arrays["states"], dtype=np.float64)
    if states.ndim != 2 or states.shape[1] != 6:
        raise InputError(
            f"{file}: expected a path of an omnidirectional base, states of shape (k, 6), got "
            f"{states.shape}"
        )
    return PathControl.from_npz(base_system(limits, states), file)
