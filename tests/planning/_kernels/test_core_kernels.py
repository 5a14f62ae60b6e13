import numpy as np
import pytest

import footwork.planning as fp
from footwork.planning._kernels import metric
from footwork.planning._kernels.rollout import steps_of
from footwork.planning._kernels.sampling import (
    random_integer,
    random_normal,
    random_uniform,
    sample_control,
    sample_state,
    seed_generator,
)

SPACE = fp.CompoundStateSpace(
    [
        fp.SE3StateSpace([-1, -2, -3], [1, 2, 3]),
        fp.SO2StateSpace(),
        fp.TimeStateSpace(1.0, 2.0),
        fp.DiscreteStateSpace(-2, 2),
    ]
)


def test_streams_of_random_numbers_follow_seed_and_stream() -> None:
    same, other = seed_generator(3), seed_generator(3, stream=1)
    again = seed_generator(3)
    draws = [random_uniform(same) for _ in range(5)]
    assert draws == [random_uniform(again) for _ in range(5)]
    assert draws != [random_uniform(other) for _ in range(5)]
    assert seed_generator(-1)[0] != 0


def test_random_numbers_are_spread_evenly() -> None:
    rng = seed_generator(1)
    uniform = np.array([random_uniform(rng) for _ in range(4000)])
    assert 0.0 <= uniform.min() < 0.01
    assert 0.99 < uniform.max() < 1.0
    counts = np.histogram(uniform, bins=10, range=(0, 1))[0]
    assert np.abs(counts - 400).max() < 100
    normal = np.array([random_normal(rng) for _ in range(2000)])
    assert abs(normal.mean()) < 0.1
    assert abs(normal.std() - 1.0) < 0.1
    assert {random_integer(rng, -1, 2) for _ in range(200)} == {-1, 0, 1, 2}


def test_states_are_drawn_within_the_bounds() -> None:
    rng = seed_generator(5)
    x = np.empty(SPACE.dimension)
    rows = []
    for _ in range(200):
        sample_state(SPACE.components, SPACE.low, SPACE.high, rng, x)
        assert SPACE.satisfies_bounds(x)
        assert np.linalg.norm(x[3:7]) == pytest.approx(1.0)
        rows.append(x.copy())
    assert set(np.array(rows)[:, -1]) == {-2.0, -1.0, 0.0, 1.0, 2.0}
    assert np.abs(np.mean(rows, axis=0)[3:7]).max() < 0.15


def test_controls_are_drawn_within_the_bounds() -> None:
    space = fp.CompoundControlSpace(
        [fp.DiscreteControlSpace(0, 3), fp.RealVectorControlSpace([-1], [2])]
    )
    rng = seed_generator(6)
    u = np.empty(2)
    values = set()
    for _ in range(100):
        sample_control(space.low, space.high, space.is_discrete, rng, u)
        assert space.satisfies_bounds(u)
        values.add(u[0])
    assert values == {0.0, 1.0, 2.0, 3.0}


def test_bounds_kernel_agrees_with_the_space() -> None:
    rng = np.random.default_rng(0)
    for _ in range(50):
        x = SPACE.sample(rng)
        x[rng.integers(len(x))] += rng.choice([0.0, 3.0])
        expected = SPACE.satisfies_bounds(x)
        assert metric.satisfies_bounds(SPACE.components, SPACE.low, SPACE.high, x) == expected


@pytest.mark.parametrize(
    ("duration", "step", "expected"),
    [
        (0.3, 0.1, (3, 0.0)),
        (12.0, 5.0, (2, 2.0)),
        (0.26, 0.1, (2, 0.06)),
        (0.04, 0.1, (0, 0.04)),
        (0.1, 0.1, (1, 0.0)),
        (1e-9, 1.0, (0, 1e-9)),
        (0.0, 0.1, (0, 0.0)),
        (1.0 - 1e-12, 0.1, (10, 0.0)),
        (1e6 * 0.1, 0.1, (1_000_000, 0.0)),
    ],
)
def test_durations_become_whole_steps_and_one_shorter_one(
    duration: float, step: float, expected: tuple[int, float]
) -> None:
    n, rest = steps_of(duration, step)
    assert n == expected[0]
    assert rest == pytest.approx(expected[1], abs=1e-12)
