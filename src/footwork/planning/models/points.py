"""Points that accelerate, and the base of a robot that walks, ready to plan for."""

from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning.controls.control_space import RealVectorControlSpace
from footwork.planning.models.options import Options, numbers, positive, with_defaults
from footwork.planning.space_information import SpaceInformation
from footwork.planning.spaces.compound import CompoundStateSpace
from footwork.planning.spaces.elementary import RealVectorStateSpace
from footwork.planning.spaces.rigid import SE2StateSpace
from footwork.typing import as_array


def double_integrator(
    low: ArrayLike,
    high: ArrayLike,
    *,
    max_speed: float = 1.0,
    max_acceleration: float = 1.0,
    rate_weight: float = 0.3,
    **options: Unpack[Options],
) -> SpaceInformation:
    """A point mass, pushed along each axis: p̈ = a.

    State (p [m], v [m/s]), control a [m/s²]; limits hold for each axis by itself.

    Args:
        low: Lower bounds of the position [m], shape (d,), d from 1 to 3.
        high: Upper bounds of the position [m], shape (d,).
        max_speed: Largest |vᵢ| [m/s].
        max_acceleration: Largest |aᵢ| [m/s²].
        rate_weight: Factor of |Δv| in the distance.
        **options: See `Options`; one step is 0.05 s, a control lasts at most 20.

    Returns:
        The system.

    Raises:
        InputError: If d is not 1, 2 or 3, or a limit is not above 0.

    Source: lavalle2006planning, section 13.2.1
    """
    from footwork.planning._kernels import models

    lower, upper = as_array("low", low, ("d",)), as_array("high", high, ("d",))
    d = len(lower)
    motions = (models.double_integrator_1, models.double_integrator_2, models.double_integrator_3)
    if not 1 <= d <= len(motions) or len(upper) != d:
        raise InputError(f"low and high must both have 1 to 3 axes, got {d} and {len(upper)}")
    positive(max_speed=max_speed, max_acceleration=max_acceleration)
    v, a = np.full(d, max_speed), np.full(d, max_acceleration)
    axes = ("x", "y", "z")[:d]
    space = CompoundStateSpace(
        [
            RealVectorStateSpace(lower, upper, names=axes),
            RealVectorStateSpace(-v, v, names=tuple(f"v{axis}" for axis in axes)),
        ],
        weights=[1.0, rate_weight],
    )
    return SpaceInformation(
        space,
        RealVectorControlSpace(-a, a),
        dynamics=motions[d - 1],
        **with_defaults(options, step=0.05),
    )


def omnidirectional_base(
    low: ArrayLike,
    high: ArrayLike,
    *,
    forward_speed: tuple[float, float] = (-0.3, 0.6),
    lateral_speed: float = 0.3,
    turn_rate: float = 0.8,
    acceleration: tuple[float, float] = (0.8, 0.8),
    turn_acceleration: float = 1.5,
    rate_weight: float = 0.3,
    **options: Unpack[Options],
) -> SpaceInformation:
    """A base that moves any way, as a walking robot's does, with limits as one has.

    ṗ = R(θ) v, θ̇ = ω, v̇ = a, ω̇ = α; state (x [m], y [m], θ [rad], v_x, v_y [m/s], ω [rad/s]),
    control (a_x, a_y [m/s²], α [rad/s²]); v and a are in the frame of the base, so that forward
    and sideways have limits of their own.

    Args:
        low: Lower bounds of x and y [m], shape (2,).
        high: Upper bounds of x and y [m], shape (2,).
        forward_speed: Lowest and highest v_x [m/s].
        lateral_speed: Largest |v_y| [m/s].
        turn_rate: Largest |ω| [rad/s].
        acceleration: Largest |a_x| and |a_y| [m/s²].
        turn_acceleration: Largest |α| [rad/s²].
        rate_weight: Factor of |(Δv, Δω)| in the distance.
        **options: See `Options`; one step is 0.1 s, a control lasts at most 10.

    Returns:
        The system.

    Raises:
        InputError: If a limit is not above 0.

    Source: ours
    """
    from footwork.planning._kernels import models

    numbers(2, forward_speed=forward_speed, acceleration=acceleration)
    positive(lateral_speed=lateral_speed, turn_rate=turn_rate)
    positive(turn_acceleration=turn_acceleration)
    positive(forward_acceleration=acceleration[0], lateral_acceleration=acceleration[1])
    rates = RealVectorStateSpace(
        [forward_speed[0], -lateral_speed, -turn_rate],
        [forward_speed[1], lateral_speed, turn_rate],
        names=("vx", "vy", "omega"),
    )
    most = np.array([*acceleration, turn_acceleration])
    return SpaceInformation(
        CompoundStateSpace([SE2StateSpace(low, high), rates], weights=[1.0, rate_weight]),
        RealVectorControlSpace(-most, most),
        dynamics=models.omnidirectional_base,
        **with_defaults(options, step=0.1, most=10),
    )
