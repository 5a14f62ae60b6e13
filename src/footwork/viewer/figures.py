"""Figures of a run, computed from its recorded states and nothing else."""

from typing import Final

import numpy as np

from footwork.recording import Run
from footwork.typing import Matrix, Vector

GRAVITY: Final = 9.81
SMOOTHING: Final = 0.02
"""Width of the window over which forces and momenta are averaged before they are compared [s]."""


def dcm_error(run: Run) -> Matrix:
    """Measured less planned DCM.

    Args:
        run: The run.

    Returns:
        (x, y) [m], shape (ticks, 2).
    """
    error: Matrix = run.states["dcm"] - run.states["dcm_reference"]
    return error


def swing_errors(run: Run) -> dict[str, Vector]:
    """Distance of each foot in the air from where it was wanted; NaN while it stands.

    Args:
        run: The run.

    Returns:
        Foot → distance [m], shape (ticks,).
    """
    measured, wanted = run.states["foot"], run.states["foot_reference"]
    standing = run.states["contact_planned"]
    names = run.states.columns["contact_planned"].labels
    errors = {}
    for i, name in enumerate(names):
        place = slice(4 * i, 4 * i + 3)
        distance = np.linalg.norm(measured[:, place] - wanted[:, place], axis=1)
        errors[name] = np.where(standing[:, i] == 1.0, np.nan, distance)
    return errors


def torque_shares(run: Run) -> Matrix:
    """Size of each torque as a part of the joint's limit.

    Args:
        run: The run.

    Returns:
        Shape (ticks, nu).
    """
    limits = np.asarray(run.states.attributes["effort_limits"], dtype=np.float64)
    shares: Matrix = np.abs(run.states["torque"]) / limits
    return shares


def momentum_balance(run: Run) -> float:
    """How well measured forces explain the motion: RMS of ṗ − Σf − m g, as a part of m g.

    Rates are differences over a window, forces are averages over the same window, so that a
    touch-down's impact counts on both sides.

    Args:
        run: The run.

    Returns:
        The part, such as 0.02; NaN for a run that is shorter than the window.
    """
    states = run.states
    step = float(np.median(np.diff(states.time))) if states.time.size > 1 else 1.0
    n = max(1, round(SMOOTHING / step))
    if states.time.size <= n + 1:
        return float("nan")
    weight = GRAVITY * float(states.attributes["mass"])
    momentum = states["momentum"][:, :3]
    rate = (momentum[n:] - momentum[:-n]) / (n * step)
    force = states["foot_wrench"].reshape(len(momentum), -1, 6)[:, :, :3].sum(axis=1)
    force[:, 2] -= weight
    total = np.vstack([np.zeros(3), np.cumsum(force, axis=0)])
    mean = (total[n:-1] - total[: -n - 1]) / n
    return float(np.sqrt(np.mean(np.sum((rate - mean) ** 2, axis=1))) / weight)


def friction_use(run: Run) -> float:
    """Largest share of horizontal to normal force that the controller planned for a foot.

    Args:
        run: The run.

    Returns:
        Largest |f_xy| / f_z over feet and ticks with f_z above 5 % of the weight.
    """
    states = run.states
    planned = states["foot_wrench_planned"].reshape(states.time.size, -1, 6)
    normal = planned[..., 2]
    loaded = normal > 0.05 * GRAVITY * float(states.attributes["mass"])
    if not loaded.any():
        return float("nan")
    tangential = np.hypot(planned[..., 0], planned[..., 1])
    return float((tangential[loaded] / normal[loaded]).max())
