"""The posture a walk starts from: soles where they belong, centre of mass at its height."""

from typing import Any

import numpy as np

from footwork.errors import ModelError
from footwork.robot import RobotModel
from footwork.spatial import Pose
from footwork.typing import Vector
from footwork.walking.config import WalkingConfig

ITERATIONS = 100
DAMPING = 5e-3
TOLERANCE = 1e-7


def standing_posture(robot: RobotModel, config: WalkingConfig) -> Vector:
    """Find the posture with feet level at the gait's width, and the centre of mass above them.

    Damped least squares from the robot's standing configuration; joints stay near it.

    Args:
        robot: The robot.
        config: Gives width and height.

    Returns:
        Configuration, shape (nq,): middle of the feet at the origin, facing +x.

    Raises:
        ModelError: If the posture is out of reach; says by how much.
    """
    q = robot.with_joints(robot.standing_configuration, config.posture)
    feet = _footholds(robot, config)
    error = np.inf
    for _ in range(ITERATIONS):
        state = robot.state(q)
        J, e = _errors(robot, state, config, feet)
        error = float(np.abs(e).max())
        if error < TOLERANCE:
            break
        scale = np.ones(robot.nv)
        scale[:6] = 10.0  # the base is free to go where the feet want it
        Js = J * scale
        step = Js.T @ np.linalg.solve(Js @ Js.T + DAMPING**2 * np.eye(e.size), e)
        q = robot.integrate(q, scale * step)
    if error > 1e-4:
        raise ModelError(
            f"robot {robot.name!r}: cannot stand with its centre of mass "
            f"{config.gait.com_height:.3f} m above the soles and feet {config.gait.width:.3f} m "
            f"apart; off by {error:.3g} m or rad"
        )
    return q


def _footholds(robot: RobotModel, config: WalkingConfig) -> dict[str, Pose]:
    """Soles at the gait's width for two feet, where they stand for more."""
    entry = robot.entry
    if entry is None:
        raise ModelError(f"robot {robot.name!r} has no entry that names its feet")
    if len(entry.feet) == 2:
        half = 0.5 * config.gait.width
        return {
            foot.name: Pose.from_translation([0.0, y, 0.0])
            for foot, y in zip(entry.feet, (half, -half), strict=True)
        }
    state = robot.state(robot.standing_configuration)
    points = np.array([state.placement(foot.name)[1] for foot in entry.feet])
    centre = points.mean(axis=0)
    return {
        foot.name: Pose.from_translation([*(p - centre)[:2], foot.radius])
        for foot, p in zip(entry.feet, points, strict=True)
    }


def _errors(
    robot: RobotModel, state: Any, config: WalkingConfig, feet: dict[str, Pose]
) -> tuple[np.ndarray, np.ndarray]:
    rows: list[np.ndarray] = []
    errors: list[np.ndarray] = []
    for name, target in feet.items():
        R, p = state.placement(name)
        J = state.J_world_frame(name)
        point = robot.entry is not None and robot.entry.foot(name).is_point
        rows.append(J[:3] if point else J)
        errors.append(target.translation - p)
        if not point:
            errors.append(_rotation_error(R))
    rows.append(robot.compute(state).views.JcomT.T)
    goal = np.array([config.gait.cop_forward, 0.0, config.gait.com_height])
    errors.append(goal - state.p_world_com)
    R, _ = state.placement("torso")
    rows.append(state.J_world_frame("torso")[3:])
    errors.append(_rotation_error(R))
    return np.concatenate(rows), np.concatenate(errors)


def _rotation_error(R: np.ndarray) -> np.ndarray:
    """Rotation vector, in world axes, from R to the identity (small or moderate angles)."""
    error: np.ndarray = Pose.from_rotation([0.0, 0.0, 0.0], R).inverse().log()[3:]
    return error
