"""Small systems for the planning tests, with their exact solutions where they have one."""

from collections.abc import Callable
from math import cos, sin
from typing import Any

import footwork.planning as fp

STEP = 0.1


def unicycle(x: Any, u: Any) -> Any:
    return u[0] * cos(x[2]), u[0] * sin(x[2]), u[1]


def double_integrator(x: Any, u: Any) -> Any:
    return x[1], u[0]


def drift(x: Any, u: Any) -> Any:
    return (1.0 + 0.0 * u[0],)


def unicycle_system(
    *, dynamics: Callable[..., Any] = unicycle, **options: Any
) -> fp.SpaceInformation:
    options.setdefault("propagation_step_size", STEP)
    return fp.SpaceInformation(
        fp.SE2StateSpace([-5, -5], [5, 5]),
        fp.RealVectorControlSpace([-1, -1], [1, 1]),
        dynamics=dynamics,
        **options,
    )


def line_system(**options: Any) -> fp.SpaceInformation:
    """One number that moves with the control, plain Python unless said otherwise."""
    options.setdefault("propagation_step_size", STEP)
    options.setdefault("compile", False)
    if "propagate" not in options:
        options.setdefault("dynamics", velocity)
    return fp.SpaceInformation(
        fp.RealVectorStateSpace([-100], [100]), fp.RealVectorControlSpace([-1], [1]), **options
    )


def velocity(x: Any, u: Any) -> Any:
    return (u[0] + 0.0 * x[0],)


def propagated(
    si: fp.SpaceInformation, motions: list[tuple[float, float, float]]
) -> fp.PathControl:
    """Path from the origin by motions (v, w, duration)."""
    path = fp.PathControl(si)
    path.append([0.0, 0.0, 0.0])
    for v, w, d in motions:
        path.append(si.propagate(path.get_state(-1), [v, w], d), [v, w], d)
    return path
