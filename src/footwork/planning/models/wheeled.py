"""Robots on wheels, ready to plan for."""

import math
from typing import Unpack

from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning.arguments import number
from footwork.planning.controls.control_space import RealVectorControlSpace
from footwork.planning.models.options import Options, numbers, positive, with_defaults
from footwork.planning.space_information import SpaceInformation
from footwork.planning.spaces.compound import CompoundStateSpace
from footwork.planning.spaces.elementary import RealVectorStateSpace, SO2StateSpace
from footwork.planning.spaces.rigid import SE2StateSpace


def unicycle(
    low: ArrayLike,
    high: ArrayLike,
    *,
    speed: tuple[float, float] = (-0.5, 0.5),
    turn_rate: tuple[float, float] = (-0.5, 0.5),
    **options: Unpack[Options],
) -> SpaceInformation:
    """A unicycle: drives along its heading and turns on the spot.

    ẋ = v cos θ, ẏ = v sin θ, θ̇ = ω; state (x [m], y [m], θ [rad]), control (v [m/s], ω [rad/s]).

    Args:
        low: Lower bounds of x and y [m], shape (2,).
        high: Upper bounds of x and y [m], shape (2,).
        speed: Lowest and highest v [m/s].
        turn_rate: Lowest and highest ω [rad/s].
        **options: See `Options`; one step is 0.05 s, a control lasts at most 20.

    Returns:
        The system.

    Source: lavalle2006planning, section 13.1.2.2

    Example:
        >>> from footwork.planning.models import unicycle
        >>> si = unicycle([0, 0], [5, 5])
        >>> si.propagate([1.0, 1.0, 0.0], [0.5, 0.0], 2.0).round(9).tolist()
        [2.0, 1.0, 0.0]
    """
    from footwork.planning._kernels import models

    numbers(2, speed=speed, turn_rate=turn_rate)
    return SpaceInformation(
        SE2StateSpace(low, high),
        RealVectorControlSpace([speed[0], turn_rate[0]], [speed[1], turn_rate[1]]),
        dynamics=models.unicycle,
        **with_defaults(options, step=0.05),
    )


def differential_drive(
    low: ArrayLike,
    high: ArrayLike,
    *,
    wheel_radius: float = 0.1,
    track: float = 0.4,
    wheel_rate: float = 5.0,
    **options: Unpack[Options],
) -> SpaceInformation:
    """Two driven wheels on one axle.

    ẋ = v cos θ, ẏ = v sin θ, θ̇ = r (ω_r − ω_l)/b with v = r (ω_r + ω_l)/2; state (x [m], y [m],
    θ [rad]), control (ω_l, ω_r) [rad/s].

    Args:
        low: Lower bounds of x and y [m], shape (2,).
        high: Upper bounds of x and y [m], shape (2,).
        wheel_radius: r [m].
        track: b, between the wheels [m].
        wheel_rate: Highest rate of a wheel, either way [rad/s].
        **options: See `Options`; one step is 0.05 s, a control lasts at most 20.

    Returns:
        The system.

    Raises:
        InputError: If a number of the model is not above 0.

    Source: lavalle2006planning, section 13.1.2.2
    """
    from footwork.planning._kernels import models

    positive(wheel_radius=wheel_radius, track=track, wheel_rate=wheel_rate)
    return SpaceInformation(
        SE2StateSpace(low, high),
        RealVectorControlSpace([-wheel_rate, -wheel_rate], [wheel_rate, wheel_rate]),
        dynamics=models.differential_drive,
        parameters=[wheel_radius, track],
        **with_defaults(options, step=0.05),
    )


def kinematic_car(
    low: ArrayLike,
    high: ArrayLike,
    *,
    wheelbase: float = 0.5,
    speed: tuple[float, float] = (-1.0, 1.0),
    max_steering: float = 0.6,
    **options: Unpack[Options],
) -> SpaceInformation:
    """A car whose speed and steering angle change at once; the reference is the rear axle.

    ẋ = v cos θ, ẏ = v sin θ, θ̇ = v tan δ / L; state (x [m], y [m], θ [rad]),
    control (v [m/s], δ [rad]).

    Args:
        low: Lower bounds of x and y [m], shape (2,).
        high: Upper bounds of x and y [m], shape (2,).
        wheelbase: L [m].
        speed: Lowest and highest v [m/s].
        max_steering: Largest |δ|, below π/2 [rad].
        **options: See `Options`; one step is 0.05 s, a control lasts at most 20.

    Returns:
        The system.

    Raises:
        InputError: If a number of the model is out of its range.

    Source: lavalle2006planning, eq. 13.15
    """
    from footwork.planning._kernels import models

    numbers(2, speed=speed)
    positive(wheelbase=wheelbase)
    _check_steering(max_steering)
    return SpaceInformation(
        SE2StateSpace(low, high),
        RealVectorControlSpace([speed[0], -max_steering], [speed[1], max_steering]),
        dynamics=models.kinematic_car,
        parameters=[wheelbase],
        **with_defaults(options, step=0.05),
    )


def second_order_unicycle(
    low: ArrayLike,
    high: ArrayLike,
    *,
    max_speed: float = 1.0,
    max_turn_rate: float = 1.5,
    max_acceleration: float = 1.0,
    max_turn_acceleration: float = 2.0,
    rate_weight: float | tuple[float, float] = 0.3,
    **options: Unpack[Options],
) -> SpaceInformation:
    """A unicycle that accelerates.

    ẋ = v cos θ, ẏ = v sin θ, θ̇ = ω, v̇ = a, ω̇ = α; state (x [m], y [m], θ [rad], v [m/s],
    ω [rad/s]), control (a [m/s²], α [rad/s²]).

    Args:
        low: Lower bounds of x and y [m], shape (2,).
        high: Upper bounds of x and y [m], shape (2,).
        max_speed: Largest |v| [m/s].
        max_turn_rate: Largest |ω| [rad/s].
        max_acceleration: Largest |a| [m/s²].
        max_turn_acceleration: Largest |α| [rad/s²].
        rate_weight: Factor of |(Δv, Δω)| in the distance; two, of |Δv| and of |Δω|.
        **options: See `Options`; one step is 0.05 s, a control lasts at most 20.

    Returns:
        The system.

    Raises:
        InputError: If a number of the model is not above 0.

    Source: lavalle2006planning, section 13.2.4.2
    """
    from footwork.planning._kernels import models

    positive(max_speed=max_speed, max_turn_rate=max_turn_rate)
    positive(max_acceleration=max_acceleration, max_turn_acceleration=max_turn_acceleration)
    v, w = max_speed, max_turn_rate
    rates = [RealVectorStateSpace([-v, -w], [v, w], names=("v", "omega"))]
    weights = [1.0, rate_weight] if isinstance(rate_weight, int | float) else [1.0, *rate_weight]
    if len(weights) == 3:
        rates = [
            RealVectorStateSpace([-v], [v], names=("v",)),
            RealVectorStateSpace([-w], [w], names=("omega",)),
        ]
    a, alpha = max_acceleration, max_turn_acceleration
    return SpaceInformation(
        CompoundStateSpace([SE2StateSpace(low, high), *rates], weights=weights),
        RealVectorControlSpace([-a, -alpha], [a, alpha]),
        dynamics=models.second_order_unicycle,
        **with_defaults(options, step=0.05),
    )


def second_order_car(
    low: ArrayLike,
    high: ArrayLike,
    *,
    wheelbase: float = 0.5,
    speed: tuple[float, float] = (-1.0, 1.0),
    max_steering: float = 0.6,
    max_acceleration: float = 1.0,
    max_steering_rate: float = 1.0,
    rate_weight: float = 0.3,
    **options: Unpack[Options],
) -> SpaceInformation:
    """A car whose speed and steering angle take time; the reference is the rear axle.

    ẋ = v cos θ, ẏ = v sin θ, θ̇ = v tan δ / L, v̇ = a, δ̇ = ψ; state (x [m], y [m], θ [rad],
    v [m/s], δ [rad]), control (a [m/s²], ψ [rad/s]).

    Args:
        low: Lower bounds of x and y [m], shape (2,).
        high: Upper bounds of x and y [m], shape (2,).
        wheelbase: L [m].
        speed: Lowest and highest v [m/s].
        max_steering: Largest |δ|, below π/2 [rad].
        max_acceleration: Largest |a| [m/s²].
        max_steering_rate: Largest |ψ| [rad/s].
        rate_weight: Factor of |(Δv, Δδ)| in the distance.
        **options: See `Options`; one step is 0.05 s, a control lasts at most 20.

    Returns:
        The system.

    Raises:
        InputError: If a number of the model is out of its range.

    Source: lavalle2006planning, section 13.2.4.3
    """
    from footwork.planning._kernels import models

    numbers(2, speed=speed)
    positive(wheelbase=wheelbase)
    positive(max_acceleration=max_acceleration, max_steering_rate=max_steering_rate)
    _check_steering(max_steering)
    rates = RealVectorStateSpace(
        [speed[0], -max_steering], [speed[1], max_steering], names=("v", "steering")
    )
    a, psi = max_acceleration, max_steering_rate
    return SpaceInformation(
        CompoundStateSpace([SE2StateSpace(low, high), rates], weights=[1.0, rate_weight]),
        RealVectorControlSpace([-a, -psi], [a, psi]),
        dynamics=models.second_order_car,
        parameters=[wheelbase],
        **with_defaults(options, step=0.05),
    )


def car_with_trailer(
    low: ArrayLike,
    high: ArrayLike,
    *,
    wheelbase: float = 0.25,
    hitch: float = 0.5,
    speed: tuple[float, float] = (-0.1, 0.5),
    max_steering: float = math.pi / 3,
    **options: Unpack[Options],
) -> SpaceInformation:
    """A kinematic car that pulls a trailer, hitched to its rear axle.

    ẋ = v cos θ, ẏ = v sin θ, θ̇ = v tan δ / L, φ̇ = v sin(θ − φ)/d; state (x [m], y [m], θ [rad],
    φ [rad]), control (v [m/s], δ [rad]). A world's footprint for both bodies, and the limit of the
    angle between them, is a `worlds.Chain`.

    Args:
        low: Lower bounds of x and y [m], shape (2,).
        high: Upper bounds of x and y [m], shape (2,).
        wheelbase: L [m].
        hitch: d, from the hitch to the trailer's axle [m].
        speed: Lowest and highest v [m/s].
        max_steering: Largest |δ|, below π/2 [rad].
        **options: See `Options`; one step is 0.1 s, a control lasts at most 20.

    Returns:
        The system.

    Raises:
        InputError: If a number of the model is out of its range.

    Source: lavalle2006planning, eq. 13.19
    """
    from footwork.planning._kernels import models

    numbers(2, speed=speed)
    positive(wheelbase=wheelbase, hitch=hitch)
    _check_steering(max_steering)
    space = CompoundStateSpace([SE2StateSpace(low, high), SO2StateSpace()], weights=[1.0, 0.5])
    return SpaceInformation(
        space,
        RealVectorControlSpace([speed[0], -max_steering], [speed[1], max_steering]),
        dynamics=models.car_with_trailer,
        parameters=[wheelbase, hitch],
        **with_defaults(options, step=0.1),
    )


def _check_steering(max_steering: float) -> None:
    if not 0.0 < number("max_steering", max_steering) < 0.5 * math.pi:
        raise InputError(f"max_steering must be between 0 and π/2, got {max_steering} rad")
