"""Robots and random states that tests of tasks and constraints share; models are read once."""

from functools import cache

import numpy as np

from footwork.robot import RobotModel, RobotState, load
from footwork.typing import Matrix, Vector

KINDS = ("panda", "g1", "go2")
"""Fixed arm, humanoid, quadruped."""
TIP = {"panda": "hand", "g1": "left_hand", "go2": "front_left_foot"}
OTHER = {"panda": "panda_link3", "g1": "torso", "go2": "hind_right_foot"}


@cache
def robot(name: str) -> RobotModel:
    return load(name)


def random_state(model: RobotModel, seed: int, *, speed: float = 1.0) -> RobotState:
    rng = np.random.default_rng(seed)
    return model.state(model.random_configuration(rng), speed * rng.normal(size=model.nv))


def ahead(state: RobotState, h: float, a: Vector | None = None) -> RobotState:
    """The state h seconds later at constant acceleration a (zero if not given)."""
    acceleration = np.zeros(state.robot.nv) if a is None else a
    step = state.v * h + 0.5 * acceleration * h * h
    return state.robot.state(state.robot.integrate(state.q, step), state.v + acceleration * h)


def skew(w: Vector) -> Matrix:
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])


def vee(S: Matrix) -> Vector:
    return 0.5 * np.array([S[2, 1] - S[1, 2], S[0, 2] - S[2, 0], S[1, 0] - S[0, 1]])


def log_jacobian(e: Vector) -> Matrix:
    """Inverse right Jacobian of SO(3) at a rotation vector: d log = J⁻¹ ω."""
    theta = float(np.linalg.norm(e))
    E = skew(e)
    if theta < 1e-6:
        return np.eye(3) + 0.5 * E + E @ E / 12.0
    k = 1.0 / theta**2 - (1.0 + np.cos(theta)) / (2.0 * theta * np.sin(theta))
    J: Matrix = np.eye(3) + 0.5 * E + k * E @ E
    return J


def twist_by_differences(
    state: RobotState, frame: str, base: str | None, h: float = 1e-6
) -> Vector:
    """Velocity of a frame seen from its base, in the base's axes, by central differences."""

    def relative(s: RobotState) -> tuple[Matrix, Vector]:
        R, p = s.placement(frame)
        R, p = R.copy(), p.copy()
        if base is None:
            return R, p
        R_b, p_b = s.placement(base)
        return R_b.T @ R, R_b.T @ (p - p_b)

    h = 1e-6
    R1, p1 = relative(ahead(state, h))
    R0, p0 = relative(ahead(state, -h))
    R, _ = relative(state)
    return np.concatenate([(p1 - p0) / (2 * h), vee((R1 - R0) @ R.T) / (2 * h)])
