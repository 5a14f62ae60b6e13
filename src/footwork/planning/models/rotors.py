"""Robots that fly on rotors, ready to plan for."""

import math
from typing import Unpack

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning.controls.control_space import RealVectorControlSpace
from footwork.planning.models.options import Options, numbers, positive, with_defaults
from footwork.planning.space_information import SpaceInformation
from footwork.planning.spaces.compound import CompoundStateSpace
from footwork.planning.spaces.elementary import RealVectorStateSpace, SO2StateSpace
from footwork.planning.spaces.rigid import SE3StateSpace
from footwork.typing import as_array

GRAVITY = 9.81
"""Standard value used by all models here [m/s²]."""


def planar_quadrotor(
    low: ArrayLike,
    high: ArrayLike,
    *,
    mass: float = 0.5,
    inertia: float = 0.005,
    arm: float = 0.2,
    max_thrust: float = 1.3,
    max_speed: float = 4.0,
    max_turn_rate: float = 8.0,
    weights: tuple[float, float, float, float] = (1.0, 0.5, 0.2, 0.2),
    **options: Unpack[Options],
) -> SpaceInformation:
    """A rotor on each side, in a vertical plane.

    With F = f₁ + f₂: ẍ = −F sin θ / m, z̈ = F cos θ / m − g, θ̈ = l (f₁ − f₂)/I; state (x, z [m],
    θ [rad], ẋ, ż [m/s], θ̇ [rad/s]), control (f₁, f₂), each as a multiple of the force that hovers
    (m g/2).

    Args:
        low: Lower bounds of x and z [m], shape (2,).
        high: Upper bounds of x and z [m], shape (2,).
        mass: m [kg].
        inertia: I [kg m²].
        arm: l [m].
        max_thrust: Largest f, as a multiple of the force that hovers.
        max_speed: Largest |ẋ| and |ż| [m/s].
        max_turn_rate: Largest |θ̇| [rad/s].
        weights: Factors of position, angle, speed and turn rate in the distance.
        **options: See `Options`; one step is 0.02 s, a control lasts at most 20.

    Returns:
        The system.

    Raises:
        InputError: If a number of the model is not above 0.

    Source: tedrake2024underactuated, section 3.3; checked against dynobench's quad2d
    """
    from footwork.planning._kernels import models

    numbers(4, weights=weights)
    positive(mass=mass, inertia=inertia, arm=arm, max_thrust=max_thrust)
    positive(max_speed=max_speed, max_turn_rate=max_turn_rate)
    v = max_speed
    space = CompoundStateSpace(
        [
            RealVectorStateSpace(low, high, names=("x", "y")),
            SO2StateSpace(),
            RealVectorStateSpace([-v, -v], [v, v], names=("vx", "vy")),
            RealVectorStateSpace([-max_turn_rate], [max_turn_rate], names=("omega",)),
        ],
        weights=weights,
    )
    return SpaceInformation(
        space,
        RealVectorControlSpace([0.0, 0.0], [max_thrust, max_thrust]),
        dynamics=models.planar_quadrotor,
        parameters=[mass, inertia, arm, GRAVITY, 0.5 * mass * GRAVITY],
        **with_defaults(options, step=0.02),
    )


def planar_quadrotor_with_pole(
    low: ArrayLike,
    high: ArrayLike,
    *,
    mass: float = 2.5,
    inertia: float = 1.2,
    arm: float = 0.25,
    pole_mass: float = 0.25,
    pole_length: float = 1.0,
    max_thrust: float = 3.0,
    max_speed: float = 3.0,
    max_turn_rate: float = 5.0,
    max_angle: float = 0.5 * math.pi,
    weights: tuple[float, float, float, float, float, float] = (1.0, 0.5, 0.5, 0.2, 0.2, 0.2),
    **options: Unpack[Options],
) -> SpaceInformation:
    """A planar quadrotor that carries a point mass on a massless pole.

    State (x, z [m], θ, q [rad], ẋ, ż [m/s], θ̇, q̇ [rad/s]); q is the angle of the pole from the
    rotor's down. Control (f₁, f₂), each as a multiple of m g/2, m without the pole. The equations
    are Lagrange's, solved for the tension in the pole; see `_kernels.models`.

    Args:
        low: Lower bounds of x and z [m], shape (2,).
        high: Upper bounds of x and z [m], shape (2,).
        mass: Of the rotor [kg].
        inertia: Of the rotor [kg m²].
        arm: From the centre to a rotor [m].
        pole_mass: At the end of the pole [kg].
        pole_length: Of the pole [m].
        max_thrust: Largest f, as a multiple of m g/2.
        max_speed: Largest |ẋ| and |ż| [m/s].
        max_turn_rate: Largest |θ̇| and |q̇| [rad/s].
        max_angle: Largest |θ| [rad].
        weights: Factors of position, θ, q, speed, θ̇ and q̇ in the distance.
        **options: See `Options`; one step is 0.02 s, a control lasts at most 20.

    Returns:
        The system.

    Raises:
        InputError: If a number of the model is not above 0.

    Source: ours; checked against dynobench's quad2dpole
    """
    from footwork.planning._kernels import models

    numbers(6, weights=weights)
    positive(mass=mass, inertia=inertia, arm=arm, pole_mass=pole_mass, pole_length=pole_length)
    positive(max_thrust=max_thrust, max_speed=max_speed, max_turn_rate=max_turn_rate)
    v, w = max_speed, max_turn_rate
    space = CompoundStateSpace(
        [
            RealVectorStateSpace(low, high, names=("x", "y")),
            RealVectorStateSpace([-max_angle], [max_angle], names=("theta",)),
            SO2StateSpace(),
            RealVectorStateSpace([-v, -v], [v, v], names=("vx", "vy")),
            RealVectorStateSpace([-w], [w], names=("omega",)),
            RealVectorStateSpace([-w], [w], names=("pole rate",)),
        ],
        weights=weights,
    )
    unit = 0.5 * mass * GRAVITY
    return SpaceInformation(
        space,
        RealVectorControlSpace([0.0, 0.0], [max_thrust, max_thrust]),
        dynamics=models.planar_quadrotor_with_pole,
        parameters=[mass, inertia, arm, GRAVITY, unit, pole_mass, pole_length],
        **with_defaults(options, step=0.02),
    )


def quadrotor(
    low: ArrayLike,
    high: ArrayLike,
    *,
    mass: float = 1.0,
    inertia: ArrayLike = (1.0, 1.0, 1.4),
    thrust: tuple[float, float] = (7.0, 12.6),
    torque: ArrayLike = (0.6, 0.6, 0.42),
    max_tilt: float = 0.8,
    max_speed: float = 2.0,
    max_turn_rate: float = 2.0,
    weights: tuple[float, float, float, float] = (1.0, 0.1, 0.1, 0.02),
    **options: Unpack[Options],
) -> SpaceInformation:
    """A quadrotor in space, attitude as roll φ, pitch ϑ, yaw ψ (R = Rz Ry Rx).

    m p̈ = F R e_z − m g e_z, J ω̇ = τ − ω × J ω, and the rates of the angles from ω (body frame);
    state (x, y, z [m], φ, ϑ, ψ [rad], v [m/s], ω [rad/s]), twelve numbers; control (F [N],
    τ_x, τ_y, τ_z [N m]).

    Args:
        low: Lower bounds of the position [m], shape (3,).
        high: Upper bounds of the position [m], shape (3,).
        mass: m [kg].
        inertia: Principal moments (Jx, Jy, Jz) [kg m²], shape (3,).
        thrust: Lowest and highest F [N].
        torque: Largest |τ| for each axis [N m], shape (3,).
        max_tilt: Largest |φ| and |ϑ|, below π/2 [rad].
        max_speed: Largest |v| for each axis [m/s].
        max_turn_rate: Largest |ω| for each axis [rad/s].
        weights: Factors of position, roll-pitch-yaw (each), speed and turn rate in the distance.
        **options: See `Options`; one step is 0.05 s, a control lasts at most 20.

    Returns:
        The system.

    Raises:
        InputError: If a number of the model is out of its range.

    Source: mahony2012multirotor, eq. 1-4
    """
    from footwork.planning._kernels import models

    numbers(2, thrust=thrust)
    numbers(4, weights=weights)
    j, tau = as_array("inertia", inertia, (3,)), as_array("torque", torque, (3,))
    positive(mass=mass, max_speed=max_speed, max_turn_rate=max_turn_rate, Jx=j[0], Jy=j[1], Jz=j[2])
    if not 0.0 < max_tilt < 0.5 * math.pi:
        raise InputError(f"max_tilt must be between 0 and π/2, got {max_tilt} rad")
    v, w = np.full(3, max_speed), np.full(3, max_turn_rate)
    tilt = [max_tilt, max_tilt]
    space = CompoundStateSpace(
        [
            RealVectorStateSpace(low, high, names=("x", "y", "z")),
            RealVectorStateSpace(np.negative(tilt), tilt, names=("roll", "pitch")),
            SO2StateSpace(),
            RealVectorStateSpace(-v, v, names=("vx", "vy", "vz")),
            RealVectorStateSpace(-w, w, names=("wx", "wy", "wz")),
        ],
        weights=[weights[0], weights[1], weights[1], weights[2], weights[3]],
    )
    return SpaceInformation(
        space,
        RealVectorControlSpace([thrust[0], *-tau], [thrust[1], *tau]),
        dynamics=models.quadrotor,
        parameters=[mass, *j, GRAVITY],
        **with_defaults(options, step=0.05),
    )


def quadrotor_with_quaternion(
    low: ArrayLike,
    high: ArrayLike,
    *,
    mass: float = 0.034,
    inertia: ArrayLike = (16.57e-6, 16.66e-6, 29.26e-6),
    mixer: ArrayLike | None = None,
    control_low: ArrayLike = (0.0, 0.0, 0.0, 0.0),
    control_high: ArrayLike = (1.3, 1.3, 1.3, 1.3),
    max_speed: float = 4.0,
    max_turn_rate: float = 8.0,
    weights: tuple[float, float, float, float] = (1.0, 0.5, 0.1, 0.05),
    **options: Unpack[Options],
) -> SpaceInformation:
    """A quadrotor in space, attitude as a quaternion, any tilt; motors by a mixing matrix.

    m p̈ = F R e_z − m g e_z, J ω̇ = τ − ω × J ω, (F, τ) = B u; state (x, y, z [m], quaternion
    x, y, z, w, v [m/s], ω in the body frame [rad/s]), thirteen numbers; control u, four numbers,
    for four motors each a multiple of the force that hovers. A step is Euler's in p, v and ω, and
    q ← q exp(h ω/2), so that the quaternion stays one.

    Args:
        low: Lower bounds of the position [m], shape (3,).
        high: Upper bounds of the position [m], shape (3,).
        mass: m [kg].
        inertia: Principal moments (Jx, Jy, Jz) [kg m²], shape (3,).
        mixer: B, from u to thrust [N] and torques [N m], shape (4, 4); that of a Crazyflie when
            not given (`crazyflie_mixer`).
        control_low: Lowest u, shape (4,).
        control_high: Highest u, shape (4,).
        max_speed: Largest |v| for each axis [m/s].
        max_turn_rate: Largest |ω| for each axis [rad/s].
        weights: Factors of position, rotation, speed and turn rate in the distance.
        **options: See `Options`; one step is 0.01 s, a control lasts at most 50; the integrator is
            fixed.

    Returns:
        The system.

    Raises:
        InputError: If a number of the model is out of its range.

    Source: mahony2012multirotor, eq. 1-4; checked against dynobench's quad3d
    """
    from footwork.planning._kernels import models

    j = as_array("inertia", inertia, (3,))
    positive(mass=mass, max_speed=max_speed, max_turn_rate=max_turn_rate, Jx=j[0], Jy=j[1], Jz=j[2])
    B = crazyflie_mixer(mass) if mixer is None else as_array("mixer", mixer, (4, 4))
    v, w = np.full(3, max_speed), np.full(3, max_turn_rate)
    pose = SE3StateSpace(low, high)
    rates = [
        RealVectorStateSpace(-v, v, names=("vx", "vy", "vz")),
        RealVectorStateSpace(-w, w, names=("wx", "wy", "wz")),
    ]
    filled = with_defaults(options, step=0.01, most=50)
    filled["integrator"] = "euler"
    return SpaceInformation(
        weighted_pose(pose, rates, weights),
        RealVectorControlSpace(control_low, control_high),
        propagate=models.quadrotor_step,
        parameters=[mass, *j, GRAVITY, *B.ravel()],
        **filled,
    )


def weighted_pose(
    pose: SE3StateSpace,
    rates: list[RealVectorStateSpace],
    weights: tuple[float, float, float, float],
) -> CompoundStateSpace:
    """Join a pose and its rates, with factors for position and rotation apart.

    Args:
        pose: Position and quaternion.
        rates: Linear, then angular.
        weights: Factors of position, rotation, speed and turn rate.

    Returns:
        The space.
    """
    from footwork.planning.spaces.elementary import SO3StateSpace

    position = RealVectorStateSpace(pose.low[:3], pose.high[:3], names=("x", "y", "z"))
    return CompoundStateSpace([position, SO3StateSpace(), *rates], weights=weights)


def crazyflie_mixer(
    mass: float, *, arm: float = 0.046, torque_per_thrust: float = 0.006
) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Mixing matrix of four motors in a cross, u counted in hovering forces m g/4.

    Args:
        mass: m [kg].
        arm: From the centre to a motor [m]; the motors are at ±45°.
        torque_per_thrust: Of a propeller [m].

    Returns:
        B, from u to thrust [N] and torques [N m], shape (4, 4).

    Source: dynobench, model quad3d_v0 (numbers)
    """
    a, t = arm * math.sqrt(0.5), torque_per_thrust
    signs = [[1.0, 1.0, 1.0, 1.0], [-a, -a, a, a], [-a, a, a, -a], [-t, t, -t, t]]
    B: np.ndarray[tuple[int, int], np.dtype[np.float64]] = 0.25 * mass * GRAVITY * np.array(signs)
    return B
