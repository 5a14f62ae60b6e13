"""The equivalent of OMPL's own test of its control planners: a small map, a hundred runs each."""

import numpy as np
import pytest

from tests.planning.planners.systems import CELLS, IS_SLOW, PLANNERS, map_problem, map_system

RUNS = 1 if IS_SLOW else 100
TREES = [name for name in PLANNERS if name != "MultipleShooting"]
"""Shooting is no equivalent of OMPL's planners, and takes minutes where a tree takes a moment."""
TOO_LONG = 100.0
"""Mean length that OMPL's test still allows [s]."""


@pytest.mark.parametrize("name", TREES)
def test_a_hundred_runs_on_a_map(name: str) -> None:
    si, problem = map_system(), map_problem()
    lengths = []
    for seed in range(RUNS):
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
    assert len(lengths) >= 0.99 * RUNS
    assert np.mean(lengths) < TOO_LONG
