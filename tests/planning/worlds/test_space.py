import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footwork.errors import InputError
from footwork.planning.worlds import Cuboids, Spheres, UnionOfSpaceWorlds, World
from footwork.typing import Vector


def distances(point: Vector, spheres: Vector, low: Vector, high: Vector) -> float:
    """Signed distance, the plainest way."""
    balls = [float(np.linalg.norm(point - s[:3]) - s[3]) for s in spheres]
    boxes = []
    for a, b in zip(low, high, strict=True):
        inside = min(*(point - a), *(b - point))
        outside = float(np.linalg.norm(point - np.clip(point, a, b)))
        boxes.append(outside if outside > 0.0 else -inside)
    return min([*balls, *boxes], default=math.inf)


@given(seed=st.integers(0, 10_000), radius=st.sampled_from([0.0, 0.3]))
@settings(max_examples=30)
def test_free_clearance_and_distance_agree_with_the_plain_way(seed: int, radius: float) -> None:
    rng = np.random.default_rng(seed)
    spheres = np.hstack([rng.uniform(0, 5, (4, 3)), rng.uniform(0.2, 0.8, (4, 1))])
    low = rng.uniform(0, 5, (4, 3))
    high = low + rng.uniform(0.2, 1.5, (4, 3))
    world = Spheres(spheres[:, :3], spheres[:, 3], radius=radius) | Cuboids(
        low, high, radius=radius
    )
    points = rng.uniform(-1.0, 7.0, (30, 3))
    expected = np.array([distances(p, spheres, low, high) for p in points])
    np.testing.assert_allclose(world.signed_distance(points), expected, atol=1e-12)
    np.testing.assert_allclose(world.clearance(points), expected - radius, atol=1e-12)
    clear = np.abs(expected - radius) > 1e-9
    assert (world.is_free(points) == (expected >= radius))[clear].all()


def test_a_world_of_space_is_what_planners_ask_for() -> None:
    world = Cuboids([[0.0, 0.0, 0.0]], [[1.0, 1.0, 1.0]], position=(2, 0, 1))
    assert isinstance(world, World)
    assert world.is_free([0.5, 0.5, 1.0])
    assert not world.is_free([0.5, 0.5, 0.9])
    assert not world.is_free([math.nan, 0.5, 0.9])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Spheres([[0.0, 0.0, 0.0]], -1.0), "greater than 0 m"),
        (lambda: Cuboids([[0.0, 0.0, 1.0]], [[1.0, 1.0, 1.0]]), "along z"),
        (lambda: Spheres([[0.0, 0.0, 0.0]], 1.0, radius=-1.0), "0 m or more"),
        (lambda: UnionOfSpaceWorlds([]), "at least one"),
        (
            lambda: UnionOfSpaceWorlds(
                [
                    Spheres([[0, 0, 0]], 1.0),
                    Spheres([[0, 0, 0]], 1.0, radius=1.0),
                ]
            ),
            "same radius",
        ),
    ],
)
def test_bad_worlds_of_space_are_refused(make: object, words: str) -> None:
    assert callable(make)
    with pytest.raises(InputError, match=words):
        make()


def test_what_a_state_touches_is_named() -> None:
    world = Spheres([[0.0, 0.0, 0.0]], 1.0, radius=0.1) | Cuboids(
        [[3.0, 0.0, 0.0]], [[4.0, 1.0, 1.0]], radius=0.1
    )
    assert world.touched([2.0, 0.0, 0.0]) is None
    assert world.touched([1.05, 0.0, 0.0]) == "sphere 0 (centre (0, 0, 0), radius 1 m)"
    assert world.touched([2.95, 0.5, 0.5]) == "cuboid 0 ((3, 0, 0) to (4, 1, 1) m)"
