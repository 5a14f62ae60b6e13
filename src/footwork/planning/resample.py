"""The same motion at other times: cut into steps, read at a rate, stretched.

Resampling cuts controls and keeps the motion; sampling reads it as a controller does; time scaling
drives the same way faster or slower, where the dynamics allow that.
"""

from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning.path_control import PathControl
from footwork.typing import Matrix, Vector

ROUNDING: Final = 1e-9
"""Relative error of times and controls that counts as rounding."""


def resample(path: PathControl, step: float) -> PathControl:
    """Cut controls so that none lasts longer than a step; the motion stays the same.

    Args:
        path: A well-formed path.
        step: A whole number of propagation steps [s].

    Returns:
        The path with more states.

    Raises:
        InputError: If the step is not a whole number of propagation steps above 0.
        PathError: If the path is not well formed.
    """
    si = path.space_information
    h = si.propagation_step_size
    count = round(step / h) if np.isfinite(step) else 0
    if count < 1 or abs(count * h - step) > ROUNDING * step:
        raise InputError(f"step must be a whole number of propagation steps of {h:g} s, got {step}")
    fine = path.copy()
    fine.interpolate()
    states, controls, durations = [fine.states[0]], [], []
    at = 0
    for u, duration in zip(path.controls, path.control_durations, strict=True):
        whole, rest = si.steps_of(float(duration))
        ends = [*range(count, whole + 1, count)]
        if (ends[-1] if ends else 0) < whole or rest > 0.0 or not ends:
            ends.append(whole + (rest > 0.0))
        before = 0
        for end in ends:
            last = end == ends[-1]
            durations.append(float(duration) - before * h if last else count * h)
            controls.append(u)
            states.append(fine.states[at + end])
            before = end
        at += ends[-1] if ends[-1] > 0 else 1
    return PathControl.from_arrays(si, states, controls, durations)


def sample(path: PathControl, rate: float) -> tuple[Vector, Matrix, Matrix]:
    """Read a path at a fixed rate, as a controller does.

    Args:
        path: A well-formed path.
        rate: Samples a second [Hz].

    Returns:
        Times [s], shape (k,), states, shape (k, n), and the controls that act from these times on,
        shape (k, m); the last sample is at the end.

    Raises:
        InputError: If the rate is not above 0.
        PathError: If the path is not well formed.
    """
    if not (np.isfinite(rate) and rate > 0.0):
        raise InputError(f"rate must be above 0 Hz, got {rate}")
    length = path.length()
    whole = np.arange(int(np.floor(length * rate + ROUNDING)) + 1) / rate
    times = whole if length - whole[-1] <= ROUNDING * max(1.0, length) else np.append(whole, length)
    states = np.array([path.state_at(min(float(t), length)) for t in times])
    ends = path.times[1:]
    index = np.minimum(np.searchsorted(ends, times + ROUNDING, side="right"), len(ends) - 1)
    return times, states, path.controls[index].copy()


def time_scale(
    path: PathControl,
    factor: float,
    *,
    control_powers: ArrayLike = 1,
    state_powers: ArrayLike = 0,
    tolerance: float = 1e-3,
) -> PathControl:
    """Drive the same way in ``factor`` times the time.

    Control j becomes u_j / factor^c_j and component i of the states x_i / factor^s_i. A kinematic
    model with speeds as controls needs c = 1 and s = 0 (a steering angle has c = 0); a model with
    accelerations as controls c = 2, and s = 1 for its velocities. What the path turns into is
    propagated anew and compared.

    Args:
        path: A well-formed path.
        factor: Above 1 is slower.
        control_powers: c, one number or shape (m,).
        state_powers: s, one number or shape (n,).
        tolerance: Largest distance of a state from where it should be.

    Returns:
        The path in the new time; it passes `PathControl.check`.

    Raises:
        InputError: If the factor is not above 0, a control or a state leaves its bounds, or the
            system does not scale in this way; the message says which.
        PathError: If the path is not well formed.
    """
    if not (np.isfinite(factor) and factor > 0.0):
        raise InputError(f"factor must be above 0, got {factor}")
    si = path.space_information
    n, m = si.state_space.dimension, si.control_space.dimension
    c = np.broadcast_to(np.asarray(control_powers, dtype=np.float64), (m,))
    s = np.broadcast_to(np.asarray(state_powers, dtype=np.float64), (n,))
    controls = path.controls / factor**c
    wanted = path.states / factor**s
    low, high = si.control_space.low, si.control_space.high
    for i, j in np.argwhere((controls < low - ROUNDING) | (controls > high + ROUNDING)):
        raise InputError(
            f"time_scale by {factor:g}: control {i} would have u[{j}] = {controls[i, j]:g}, "
            f"outside of [{low[j]:g}, {high[j]:g}]"
        )
    scaled = PathControl(si)
    scaled.append(wanted[0])
    durations = path.control_durations * factor
    for i, (u, duration) in enumerate(zip(controls, durations, strict=True)):
        roll = si.propagate_while_valid(scaled.states[-1], u, float(duration))
        gap = si.state_space.distance(roll.final_state, wanted[i + 1])
        if not roll.is_complete or gap > tolerance:
            what = f"is {gap:.3g} from where it should be" if roll.is_complete else "is not valid"
            raise InputError(
                f"time_scale by {factor:g}: state {i + 1} {what}; the system does not scale with "
                "these powers"
            )
        scaled.append(roll.final_state, u, float(duration))
    return scaled
