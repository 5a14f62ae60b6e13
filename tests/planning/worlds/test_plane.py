import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footwork.errors import InputError, ShapeError
from footwork.planning.worlds import (
    Boxes,
    Circles,
    Disc,
    Footprint,
    OrientedBoxes,
    Outline,
    PlaneWorld,
    Polygons,
    Rectangle,
    UnionOfWorlds,
    World,
)
from footwork.typing import Matrix
from tests.planning.worlds import naive

L_SHAPE = [(-0.4, -0.3), (0.5, -0.3), (0.5, 0.0), (0.0, 0.0), (0.0, 0.4), (-0.4, 0.4)]
FOOTPRINTS = [Disc(), Disc(0.3), Rectangle(0.8, 0.3, (0.1, 0.0)), Outline(L_SHAPE)]


def random_world(rng: np.random.Generator, footprint: Footprint, count: int = 4) -> PlaneWorld:
    centres = rng.uniform(0.0, 6.0, (4, count, 2))
    sizes = rng.uniform(0.2, 1.0, (count, 2))
    corners = [c + rng.uniform(-0.7, 0.7, (3, 2)) for c in centres[3]]
    return UnionOfWorlds(
        [
            Circles(centres[0], rng.uniform(0.1, 0.6, count), footprint=footprint),
            Boxes(centres[1], centres[1] + sizes, footprint=footprint),
            OrientedBoxes(centres[2], sizes, rng.uniform(-4, 4, count), footprint=footprint),
            Polygons(corners, footprint=footprint),
        ]
    )


def test_a_world_is_what_planners_ask_for() -> None:
    world = Circles([[1.0, 2.0]], 0.5)
    assert isinstance(world, World)
    assert not world.parameters.flags.writeable
    assert world.validity_kernel(np.array([1.2, 2.0, 0.0]), world.parameters) is False


@pytest.mark.parametrize("footprint", FOOTPRINTS, ids=["point", "disc", "rectangle", "outline"])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=25)
def test_free_agrees_with_clipping(footprint: Footprint, seed: int) -> None:
    rng = np.random.default_rng(seed)
    world = random_world(rng, footprint)
    states = rng.uniform([-1.0, -1.0, -4.0], [7.0, 7.0, 4.0], (20, 3))
    free = world.is_free(states)
    for state, answer in zip(states, free, strict=True):
        if footprint.turns:
            parts = [naive.placed(part, *state) for part in footprint.parts]
            depth = max(naive.overlap(part, world.obstacles) for part in parts)
        else:
            depth = footprint.radius - naive.distance(state[:2], world.obstacles)
        if abs(depth) > 1e-9:
            assert answer == (depth <= 0.0)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=20)
def test_signed_distance_agrees_with_the_naive_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    world = random_world(rng, Disc())
    points = rng.uniform(-1.0, 7.0, (20, 2))
    expected = [naive.distance(p, world.obstacles) for p in points]
    np.testing.assert_allclose(world.signed_distance(points), expected, atol=1e-12)


@pytest.mark.parametrize("footprint", FOOTPRINTS, ids=["point", "disc", "rectangle", "outline"])
def test_clearance_is_negative_exactly_where_not_free(footprint: Footprint) -> None:
    rng = np.random.default_rng(5)
    world = random_world(rng, footprint)
    states = rng.uniform([-1.0, -1.0, -4.0], [7.0, 7.0, 4.0], (300, 3))
    clearance = world.clearance(states)
    assert (world.is_free(states) == (clearance >= 0.0))[np.abs(clearance) > 1e-12].all()
    # nothing within the clearance: moving by less than it stays free
    angle = rng.uniform(-np.pi, np.pi, len(states))
    step = 0.999 * np.maximum(clearance, 0.0)[:, None]
    moved = states.copy()
    moved[:, :2] += step * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    assert world.is_free(moved[clearance > 1e-9]).all()


def test_touching_is_free() -> None:
    assert Boxes([[0.0, 0.0]], [[1.0, 1.0]]).is_free([1.0, 0.5])
    assert Circles([[0.0, 0.0]], 0.5, footprint=Disc(0.5)).is_free([1.0, 0.0])
    wall = Boxes([[0.0, 0.0]], [[1.0, 1.0]], footprint=Rectangle(1.0, 0.5))
    assert wall.is_free([1.5, 0.5, 0.0])
    assert not wall.is_free([1.499, 0.5, 0.0])


def test_the_cell_index_loses_nothing_among_many_obstacles() -> None:
    rng = np.random.default_rng(1)
    centres = rng.uniform(0.0, 20.0, (300, 2))
    radii = rng.uniform(0.05, 0.4, 300)
    world = Circles(centres, radii, footprint=Disc(0.15))
    points = rng.uniform(-1.0, 21.0, (3000, 2))
    gaps = np.linalg.norm(points[:, None] - centres[None], axis=2) - radii - 0.15
    assert (world.is_free(points) == (gaps.min(axis=1) >= 0.0)).all()


@pytest.mark.parametrize("state", [[math.nan, 0.0], [0.0, math.inf], [1e12, 0.0]])
def test_a_state_that_is_nowhere_is_not_free(state: list[float]) -> None:
    assert not Circles([[1.0, 1.0]], 0.5).is_free(state)
    assert not Circles(np.zeros((0, 2)), 0.5).is_free(state)


def test_position_and_heading_may_be_anywhere_in_the_state() -> None:
    world = Boxes(
        [[0.0, 0.0]], [[1.0, 1.0]], footprint=Rectangle(2.0, 0.2), position=(3, 1), heading=0
    )
    assert world.is_free([math.pi / 2, 0.5, 9.0, 1.2])
    assert not world.is_free([0.0, 0.5, 9.0, 1.2])


def test_a_world_without_obstacles_is_free_and_infinitely_clear() -> None:
    world = Circles(np.zeros((0, 2)), [], footprint=Rectangle(1.0, 1.0))
    assert world.is_free([[0.0, 0.0, 0.0]]).all()
    assert math.isinf(world.clearance([0.0, 0.0, 0.0]))
    assert math.isinf(world.signed_distance([0.0, 0.0]))


def test_a_corner_inside_a_notch_is_free_for_an_outline() -> None:
    world = Circles([[0.25, 0.25]], 0.2, footprint=Outline(L_SHAPE))
    assert world.is_free([0.0, 0.0, 0.0])
    assert not world.is_free([0.0, 0.0, math.pi])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Circles([[0.0, 0.0], [1.0, 1.0]], [0.5, 0.0]), r"radii\[1\] must be greater"),
        (lambda: Circles([[0.0, 0.0]], math.nan), "finite"),
        (lambda: Boxes([[0.0, 2.0]], [[1.0, 1.0]]), "box 0 must have low < high along y"),
        (lambda: Boxes([[0.0, 2.0]], [[1.0, 3.0], [1.0, 1.0]]), "expected shape"),
        (lambda: Polygons([[(0, 0), (1, 0), (0.2, 0.2), (0, 1)]]), r"polygons\[0\] must be convex"),
        (lambda: Polygons([[(0, 0), (1, 0)]]), "at least three corners"),
        (lambda: Polygons([[(0, 0), (1, 1), (2, 2)]]), "enclose an area"),
        (lambda: OrientedBoxes([[0, 0]], [[1.0, -1.0]], [0.0]), r"sizes\[0\]\[1\]"),
        (lambda: Outline([(0, 0), (1, 1), (1, 0), (0, 1)]), "cross itself|enclose an area"),
        (lambda: Rectangle(0.0, 1.0), "above 0 m"),
        (lambda: Disc(-0.1), "0 m or more"),
        (lambda: Circles([[0.0, 0.0]], 1.0, position=(0, -1)), "whole numbers from 0"),
        (lambda: UnionOfWorlds([]), "at least one"),
        (
            lambda: Circles([[0.0, 0.0]], 1.0) | Circles([[0.0, 0.0]], 1.0, footprint=Disc(0.1)),
            "same footprint",
        ),
        (lambda: Circles([[0.0, 0.0]], 1.0).is_free([0.0]), "at least 2 components"),
    ],
)
def test_bad_worlds_are_refused_with_what_and_where(make: object, words: str) -> None:
    assert callable(make)
    with pytest.raises(InputError, match=words):
        make()


def test_points_of_the_wrong_size_are_refused() -> None:
    with pytest.raises(ShapeError):
        Circles([[0.0, 0.0]], 1.0).signed_distance([1.0, 2.0, 3.0])


def test_polygons_may_come_either_way_round() -> None:
    clockwise: Matrix = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0]])
    a, b = Polygons([clockwise]), Polygons([clockwise[::-1]])
    points = np.random.default_rng(0).uniform(-1.0, 2.0, (100, 2))
    np.testing.assert_allclose(a.signed_distance(points), b.signed_distance(points), atol=1e-15)


def test_what_a_state_touches_is_named() -> None:
    world = Circles([[0.0, 0.0], [5.0, 0.0]], 1.0) | Boxes([[8.0, 0.0]], [[9.0, 1.0]])
    world |= Polygons([[[0.0, 5.0], [1.0, 5.0], [0.0, 6.0]]])
    assert world.touched([2.5, 0.0]) is None
    assert world.touched([5.0, 0.5]) == "circle 1 (centre (5, 0), radius 1 m)"
    assert world.touched([8.5, 0.5]) == "box 0 ((8, 0) to (9, 1) m)"
    assert world.touched([0.2, 5.2]) == "polygon 0 (centre (0.3333, 5.333) m)"
    with pytest.raises(InputError):
        world.touched([1.0])


@pytest.mark.parametrize("footprint", [Disc(0.3), Rectangle(0.8, 0.4)])
def test_something_is_touched_exactly_where_not_free(footprint: Footprint) -> None:
    rng = np.random.default_rng(3)
    world = random_world(rng, footprint)
    states = rng.uniform(-3.0, 3.0, (200, 3))
    is_free = world.is_free(states)
    assert 20 < is_free.sum() < 180
    assert [world.touched(x) is None for x in states] == is_free.tolist()
