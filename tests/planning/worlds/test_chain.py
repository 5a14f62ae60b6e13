import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footwork.errors import InputError
from footwork.planning.worlds import Body, Chain, Disc, PlaneWorld, Rectangle
from tests.planning.worlds import naive
from tests.planning.worlds.test_plane import random_world

TRAILER = Chain(
    [
        Body(outline=Rectangle(0.5, 0.25), angle=2),
        Body(outline=Rectangle(0.3, 0.25, (-0.5, 0.0)), angle=3, limits=(-1.0, 1.0)),
    ]
)
LINKS = Chain(
    [
        Body(outline=Rectangle(1.0, 0.1, (0.5, 0.0)), angle=0, offset=-math.pi / 2),
        Body(outline=Rectangle(1.0, 0.1, (0.5, 0.0)), angle=1, is_relative=True, anchor=(1.0, 0.0)),
    ],
    base=(3.0, 3.0),
)


def plain_overlap(world: PlaneWorld, state: list[float]) -> float:
    return max(naive.overlap(outline, world.obstacles) for outline in world.outlines(state))


@pytest.mark.parametrize("robot", [TRAILER, LINKS], ids=["trailer", "links"])
@given(seed=st.integers(0, 10_000))
@settings(max_examples=20)
def test_a_chain_is_free_where_its_placed_bodies_are(robot: Chain, seed: int) -> None:
    rng = np.random.default_rng(seed)
    world = random_world(rng, robot, count=2)
    low, high = ([0, 0, -4, -4], [6, 6, 4, 4]) if robot.base is None else ([-4] * 4, [4] * 4)
    states = rng.uniform(low, high, (15, 4))
    free, clearance = world.is_free(states), world.clearance(states)
    for state, answer, gap in zip(states, free, clearance, strict=True):
        depth = plain_overlap(world, state.tolist())
        bend = abs(math.remainder(state[2] - state[3], 2 * math.pi))
        within = robot.base is not None or bend <= 1.0
        if abs(depth) > 1e-9:
            assert answer == (depth <= 0.0 and within)
            assert (gap >= 0.0) == (depth <= 0.0)


def test_links_are_where_the_angles_say() -> None:
    poses = LINKS.poses([math.pi / 2, math.pi / 2, 0.0, 0.0], (0, 1))
    expected = np.array([[3.0, 3.0, 0.0], [4.0, 3.0, math.pi / 2]])
    np.testing.assert_allclose(poses, expected, atol=1e-12)


def test_bad_chains_are_refused() -> None:
    with pytest.raises(InputError, match="at least one body"):
        Chain([])
    with pytest.raises(InputError, match="not a disc"):
        Body(outline=Disc(1.0), angle=0)
    with pytest.raises(InputError, match="index into the state"):
        Body(outline=Rectangle(1.0, 1.0), angle=-1)
    with pytest.raises(InputError, match="lowest, then highest"):
        Body(outline=Rectangle(1.0, 1.0), angle=0, limits=(1.0, -1.0))
