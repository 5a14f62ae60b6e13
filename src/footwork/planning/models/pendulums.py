"""Pendulums with fewer motors than joints, ready to plan for."""

from typing import Unpack

from footwork.planning.controls.control_space import RealVectorControlSpace
from footwork.planning.models.options import Options, numbers, positive, with_defaults
from footwork.planning.models.rotors import GRAVITY
from footwork.planning.space_information import SpaceInformation
from footwork.planning.spaces.compound import CompoundStateSpace
from footwork.planning.spaces.elementary import RealVectorStateSpace, SO2StateSpace


def cart_pole(
    *,
    rail: tuple[float, float] = (-2.0, 2.0),
    cart_mass: float = 1.0,
    pole_mass: float = 0.3,
    pole_length: float = 0.5,
    max_force: float = 10.0,
    max_speed: float = 5.0,
    max_turn_rate: float = 12.0,
    rate_weight: float = 0.2,
    **options: Unpack[Options],
) -> SpaceInformation:
    """A cart on a rail with a pole that swings freely; θ = 0 hangs, π stands.

    With s = sin θ, c = cos θ, D = M + m s²: p̈ = (f + m s (l θ̇² + g c))/D,
    θ̈ = (−f c − m l θ̇² c s − (M + m) g s)/(l D); state (p [m], θ [rad], ṗ [m/s], θ̇ [rad/s]),
    control f [N].

    Args:
        rail: Lowest and highest p [m].
        cart_mass: M [kg].
        pole_mass: m, at the end of the pole [kg].
        pole_length: l [m].
        max_force: Largest |f| [N].
        max_speed: Largest |ṗ| [m/s].
        max_turn_rate: Largest |θ̇| [rad/s].
        rate_weight: Factor of the rates in the distance.
        **options: See `Options`; one step is 0.02 s, a control lasts at most 20.

    Returns:
        The system.

    Raises:
        InputError: If a number of the model is not above 0.

    Source: tedrake2024underactuated, eq. 3.15-3.16
    """
    from footwork.planning._kernels import models

    numbers(2, rail=rail)
    positive(cart_mass=cart_mass, pole_mass=pole_mass, pole_length=pole_length)
    positive(max_force=max_force, max_speed=max_speed, max_turn_rate=max_turn_rate)
    rates = RealVectorStateSpace(
        [-max_speed, -max_turn_rate], [max_speed, max_turn_rate], names=("v", "omega")
    )
    space = CompoundStateSpace(
        [RealVectorStateSpace([rail[0]], [rail[1]], names=("x",)), SO2StateSpace(), rates],
        weights=[1.0, 0.5, rate_weight],
    )
    return SpaceInformation(
        space,
        RealVectorControlSpace([-max_force], [max_force]),
        dynamics=models.cart_pole,
        parameters=[cart_mass, pole_mass, pole_length, GRAVITY],
        **with_defaults(options, step=0.02),
    )


def acrobot(
    *,
    lengths: tuple[float, float] = (1.0, 1.0),
    centres: tuple[float, float] = (0.5, 0.5),
    masses: tuple[float, float] = (1.0, 1.0),
    inertias: tuple[float, float] = (1.0 / 3.0, 1.0 / 3.0),
    max_torque: float = 10.0,
    max_turn_rate: float = 8.0,
    weights: tuple[float, float, float] = (0.5, 0.5, 0.2),
    **options: Unpack[Options],
) -> SpaceInformation:
    """Two links that hang from a fixed joint, with a motor at the second joint only.

    M(θ) θ̈ + C(θ, θ̇) θ̇ = τ_g(θ) + (0, u); θ₁ = θ₂ = 0 hangs; state (θ₁, θ₂ [rad], θ̇₁, θ̇₂
    [rad/s]), θ₂ from the first link; control u [N m].

    Args:
        lengths: Of the links [m].
        centres: From each joint to the link's centre of mass [m].
        masses: Of the links [kg].
        inertias: Of each link about its own joint [kg m²].
        max_torque: Largest |u| [N m].
        max_turn_rate: Largest |θ̇| of a joint [rad/s].
        weights: Factors of θ₁, θ₂ and |Δθ̇| in the distance.
        **options: See `Options`; one step is 0.01 s, a control lasts at most 50.

    Returns:
        The system.

    Raises:
        InputError: If a number of the model is not above 0.

    Source: spong1995acrobot; checked against dynobench's acrobot
    """
    from footwork.planning._kernels import models

    numbers(2, lengths=lengths, centres=centres, masses=masses, inertias=inertias)
    numbers(3, weights=weights)
    positive(length_1=lengths[0], length_2=lengths[1], mass_1=masses[0], mass_2=masses[1])
    positive(inertia_1=inertias[0], inertia_2=inertias[1])
    positive(max_torque=max_torque, max_turn_rate=max_turn_rate)
    w = max_turn_rate
    rates = RealVectorStateSpace([-w, -w], [w, w], names=("omega1", "omega2"))
    return SpaceInformation(
        CompoundStateSpace([SO2StateSpace(), SO2StateSpace(), rates], weights=weights),
        RealVectorControlSpace([-max_torque], [max_torque]),
        dynamics=models.acrobot,
        parameters=[lengths[0], *centres, *masses, *inertias, GRAVITY],
        **with_defaults(options, step=0.01, most=50),
    )
