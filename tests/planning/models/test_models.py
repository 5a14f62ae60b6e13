import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from footwork.errors import InputError
from footwork.planning import SpaceInformation, models
from footwork.planning.worlds import Circles, Disc
from footwork.typing import Vector

FACTORIES: dict[str, Callable[[], SpaceInformation]] = {
    "unicycle": lambda: models.unicycle([0, 0], [5, 5]),
    "differential_drive": lambda: models.differential_drive([0, 0], [5, 5]),
    "kinematic_car": lambda: models.kinematic_car([0, 0], [5, 5]),
    "second_order_unicycle": lambda: models.second_order_unicycle([0, 0], [5, 5]),
    "second_order_car": lambda: models.second_order_car([0, 0], [5, 5]),
    "car_with_trailer": lambda: models.car_with_trailer([0, 0], [5, 5]),
    "double_integrator": lambda: models.double_integrator([0, 0, 0], [5, 5, 5]),
    "omnidirectional_base": lambda: models.omnidirectional_base([0, 0], [5, 5]),
    "planar_quadrotor": lambda: models.planar_quadrotor([0, 0], [5, 5]),
    "planar_quadrotor_with_pole": lambda: models.planar_quadrotor_with_pole([0, 0], [5, 5]),
    "quadrotor": lambda: models.quadrotor([0, 0, 0], [5, 5, 5]),
    "quadrotor_with_quaternion": lambda: models.quadrotor_with_quaternion([0, 0, 0], [5, 5, 5]),
    "cart_pole": models.cart_pole,
    "acrobot": models.acrobot,
}
ANY_MODEL: Any = models
DIMENSIONS = [3, 3, 3, 5, 5, 4, 6, 6, 6, 8, 12, 13, 4, 4]


@pytest.mark.parametrize(("name", "dimension"), list(zip(FACTORIES, DIMENSIONS, strict=True)))
def test_every_model_moves_within_its_spaces(name: str, dimension: int) -> None:
    si = FACTORIES[name]()
    assert si.state_space.dimension == dimension
    rng = np.random.default_rng(1)
    x, u = si.state_space.sample(rng), si.control_space.sample(rng)
    moved = si.propagate(x, u, si.propagation_step_size)
    assert np.isfinite(moved).all()
    assert si.state_space.distance(x, moved) > 0.0
    # so small a step goes as far as the velocity says, and there and back is nothing
    back = si.propagate(moved, u, -si.propagation_step_size)
    assert si.state_space.distance(x, back) < 0.05


@pytest.mark.parametrize("name", sorted(set(FACTORIES) - {"quadrotor_with_quaternion"}))
def test_the_built_in_integrator_is_fine_enough_for_the_model(name: str) -> None:
    coarse = FACTORIES[name]()
    rng = np.random.default_rng(2)
    x, u = coarse.state_space.sample(rng), coarse.control_space.sample(rng)
    one = coarse.propagate(x, u, steps=1)
    h = coarse.propagation_step_size
    fine = x
    for _ in range(16):
        fine = coarse.propagate(fine, u, h / 16)
    assert coarse.state_space.distance(one, fine) < 2e-3


def test_a_steered_car_drives_in_a_circle() -> None:
    si = models.kinematic_car([-5, -5], [5, 5], wheelbase=0.5)
    radius = 0.5 / math.tan(0.4)
    start = np.array([1.0, 0.0, math.pi / 2])
    quarter = si.propagate(start, [1.0, 0.4], 0.5 * math.pi * radius)
    expected = [1.0 - radius, radius, math.pi]
    assert si.state_space.distance(quarter, expected) < 1e-6


def test_wheels_turn_a_differential_drive() -> None:
    si = models.differential_drive([-5, -5], [5, 5], wheel_radius=0.1, track=0.4)
    turned = si.propagate([0.0, 0.0, 0.0], [-1.0, 1.0], math.pi)
    np.testing.assert_allclose(turned, [0.0, 0.0, math.pi / 2], atol=1e-9)
    ahead = si.propagate([0.0, 0.0, 0.0], [2.0, 2.0], 1.0)
    np.testing.assert_allclose(ahead, [0.2, 0.0, 0.0], atol=1e-9)


def test_a_trailer_falls_in_line() -> None:
    si = models.car_with_trailer([-50, -50], [50, 50])
    x = si.propagate([0.0, 0.0, 0.0, 0.6], [0.5, 0.0], 10.0)
    assert abs(x[3]) < 1e-3
    # φ obeys tan(φ/2) = tan(φ₀/2) exp(−s/d) on a straight line
    assert math.tan(x[3] / 2) == pytest.approx(math.tan(0.3) * math.exp(-5.0 / 0.5), rel=1e-3)


def test_the_base_moves_in_its_own_frame() -> None:
    si = models.omnidirectional_base([-5, -5], [5, 5])
    x = si.propagate([0.0, 0.0, math.pi / 2, 0.2, 0.1, 0.0], [0.0, 0.0, 0.0], 1.0)
    np.testing.assert_allclose(x[:2], [-0.1, 0.2], atol=1e-9)


@pytest.mark.parametrize("name", ["planar_quadrotor", "planar_quadrotor_with_pole", "quadrotor"])
def test_rotors_hover(name: str) -> None:
    si = FACTORIES[name]()
    x = np.zeros(si.state_space.dimension)
    u = np.zeros(si.control_space.dimension)
    lifted = 2.75 / 2.5 if "pole" in name else 1.0
    u[: 2 if "planar" in name else 1] = lifted if "planar" in name else 9.81
    np.testing.assert_allclose(si.propagate(x, u, 1.0), x, atol=1e-9)


def test_the_two_quadrotors_fall_and_turn_alike() -> None:
    j = [0.02, 0.03, 0.04]
    mixer = np.eye(4)
    angles = models.quadrotor(
        [-9, -9, -9], [9, 9, 9], inertia=j, torque=[0.01] * 3, propagation_step_size=1e-4
    )
    quaternion = models.quadrotor_with_quaternion(
        [-9, -9, -9], [9, 9, 9], mass=1.0, inertia=j, mixer=mixer, propagation_step_size=1e-4
    )
    u = [10.0, 0.01, -0.005, 0.008]
    a = angles.propagate(np.zeros(12), u, 0.3)
    q = quaternion.propagate([0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0], u, 0.3)
    np.testing.assert_allclose(q[:3], a[:3], atol=1e-4)
    np.testing.assert_allclose(q[7:], a[6:], atol=1e-3)
    roll, pitch, yaw = a[3:6]
    expected = [
        math.sin(roll / 2) * math.cos(pitch / 2) * math.cos(yaw / 2)
        - math.cos(roll / 2) * math.sin(pitch / 2) * math.sin(yaw / 2),
        math.cos(roll / 2) * math.sin(pitch / 2) * math.cos(yaw / 2)
        + math.sin(roll / 2) * math.cos(pitch / 2) * math.sin(yaw / 2),
    ]
    np.testing.assert_allclose(q[3:5], expected, atol=1e-3)


def acrobot_energy(x: Vector) -> float:
    a1, a2, w1, w2 = x.tolist()
    k = 0.5
    m11, m12, m22 = 1 / 3 + 1 / 3 + 1 + 2 * k * math.cos(a2), 1 / 3 + k * math.cos(a2), 1 / 3
    kinetic = 0.5 * (m11 * w1 * w1 + 2 * m12 * w1 * w2 + m22 * w2 * w2)
    height = -0.5 * math.cos(a1) - math.cos(a1) - 0.5 * math.cos(a1 + a2)
    return float(kinetic + 9.81 * height)


def cart_pole_energy(x: Vector) -> float:
    _, a, v, w = x.tolist()
    tip = (v + 0.5 * w * math.cos(a), 0.5 * w * math.sin(a))
    return float(0.5 * v * v + 0.15 * (tip[0] ** 2 + tip[1] ** 2) - 0.3 * 9.81 * 0.5 * math.cos(a))


def pole_energy(x: Vector) -> float:
    _, z, theta, q, vx, vz, w, wq = x.tolist()
    a, rate = theta + q, w + wq
    tip = (vx + rate * math.cos(a), vz + rate * math.sin(a))
    kinetic = 1.25 * (vx**2 + vz**2) + 0.6 * w**2 + 0.125 * (tip[0] ** 2 + tip[1] ** 2)
    return float(kinetic + 9.81 * (2.5 * z + 0.25 * (z - math.cos(a))))


@pytest.mark.parametrize(
    ("name", "energy", "state"),
    [
        ("acrobot", acrobot_energy, [1.0, -0.5, 0.3, -0.8]),
        ("cart_pole", cart_pole_energy, [0.1, 2.0, 0.4, -1.0]),
        ("planar_quadrotor_with_pole", pole_energy, [0.1, 0.2, 0.4, 1.0, 0.3, 0.5, 0.7, -1.1]),
    ],
)
def test_without_forces_energy_is_kept(
    name: str, energy: Callable[[Vector], float], state: list[float]
) -> None:
    si = FACTORIES[name]()
    x = np.array(state)
    moved = si.propagate(x, np.zeros(si.control_space.dimension), 0.5)
    assert energy(moved) == pytest.approx(energy(x), abs=1e-3)
    assert np.abs(moved - x).max() > 0.1


def test_forces_do_the_work_that_they_should() -> None:
    si = models.cart_pole()
    x = np.array([0.0, 0.5, 0.2, -0.3])
    h = 1e-5
    gained = cart_pole_energy(si.propagate(x, [3.0], h)) - cart_pole_energy(x)
    assert gained / h == pytest.approx(3.0 * 0.2, rel=1e-3)


def test_options_reach_the_system() -> None:
    world = Circles([[2.0, 2.0]], 0.5, footprint=Disc(0.2))
    si = models.unicycle(
        [0, 0],
        [4, 4],
        is_valid=world,
        propagation_step_size=0.2,
        min_control_steps=2,
        max_control_steps=7,
    )
    assert si.validity is world
    assert (si.propagation_step_size, si.min_control_steps, si.max_control_steps) == (0.2, 2, 7)
    assert not si.is_state_valid([2.6, 2.0, 0.0])
    assert si.is_state_valid([2.8, 2.0, 0.0])


@pytest.mark.parametrize(
    "make",
    [
        lambda: models.kinematic_car([0, 0], [1, 1], wheelbase=0.0),
        lambda: models.kinematic_car([0, 0], [1, 1], max_steering=2.0),
        lambda: models.double_integrator([0] * 4, [1] * 4),
        lambda: models.double_integrator([0], [1], max_speed=-1.0),
        lambda: models.quadrotor([0] * 3, [1] * 3, max_tilt=1.6),
        lambda: models.planar_quadrotor([0, 0], [1, 1], mass=math.nan),
        lambda: models.unicycle([0, 0], [0, 1]),
        lambda: models.acrobot(masses=(1.0, 0.0)),
    ],
)
def test_bad_numbers_are_refused(make: Callable[[], SpaceInformation]) -> None:
    with pytest.raises(InputError):
        make()


@pytest.mark.parametrize(
    ("name", "make"),
    [
        ("speed", lambda: ANY_MODEL.unicycle([0, 0], [5, 5], speed=True)),
        ("speed", lambda: ANY_MODEL.kinematic_car([0, 0], [5, 5], speed=(1.0,))),
        ("speed", lambda: ANY_MODEL.second_order_car([0, 0], [5, 5], speed="ab")),
        ("max_steering", lambda: ANY_MODEL.car_with_trailer([0, 0], [5, 5], max_steering="a")),
        ("forward_speed", lambda: ANY_MODEL.omnidirectional_base([0, 0], [5, 5], forward_speed={})),
        ("rail", lambda: ANY_MODEL.cart_pole(rail=3.0)),
        ("masses", lambda: ANY_MODEL.acrobot(masses=(1.0,))),
        ("thrust", lambda: ANY_MODEL.quadrotor([0, 0, 0], [5, 5, 5], thrust=None)),
        ("weights", lambda: ANY_MODEL.planar_quadrotor([0, 0], [5, 5], weights=(1.0, 2.0))),
        ("mass", lambda: ANY_MODEL.planar_quadrotor([0, 0], [5, 5], mass="a")),
    ],
)
def test_numbers_of_a_model_that_do_not_fit_are_named(
    name: str, make: Callable[[], object]
) -> None:
    with pytest.raises(InputError, match=name):
        make()
