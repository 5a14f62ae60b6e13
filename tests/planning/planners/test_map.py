"""The equivalent of OMPL's own test of its control planners: a small map, a hundred runs each."""

import numpy as np
import pytest

from tests.planning.planners.systems import CELLS, IS_SLOW, PLANNERS, map_problem, map_system

RUNS = 1 if IS_SLOW else 100
RUNS_OF_SHOOTING = 1 if IS_SLOW else 10
"""Shooting is no equivalent of OMPL's planners, and takes a hundred times as long as a tree."""
TOO_LONG = 100.0
"""Mean length that OMPL's test still allows [s]."""


@pytest.mark.parametrize("name", PLANNERS)
def test_a_hundred_runs_on_a_map(name: str) -> None:
    si, problem = map_system(), map_problem()
    runs, lengths = RUNS_OF_SHOOTING if name == "MultipleShooting" else RUNS, []
    for seed in range(runs):
        result = PLANNERS[name](si, seed=seed).solve(
            problem, iteration_limit=200_000, stop_at_path=True
        )
        if not result:
            continue
        path = result.path
        assert path is not None
        lengths.append(path.length())
        path.interpolate()
        assert path.check()
        columns, rows = path.states[:, 0].astype(int), path.states[:, 1].astype(int)
        assert (CELLS[rows, columns] == 0.0).all()
        assert (columns[-1], rows[-1]) == (14, 14)
    assert len(lengths) >= 0.99 * runs
    assert np.mean(lengths) < TOO_LONG
