"""The tree of a search as planner data."""

import numpy as np

from footwork.planning._kernels.tree import BEST
from footwork.planning.planner_data import PlannerData
from footwork.planning.planners.search import Search, durations_of


def make_planner_data(search: Search) -> PlannerData:
    """Copy a tree into planner data.

    Args:
        search: The search, as it stands now.

    Returns:
        Its nodes and edges; starts are marked, and so is the node that ends the best path.
    """
    states, parents, controls, steps, rows = search.edges()
    si = search.bound.problem.si
    children = np.flatnonzero(parents >= 0)
    best = np.flatnonzero(rows == int(search.counters[BEST]))
    return PlannerData.from_arrays(
        si,
        states=states,
        edges=np.column_stack([parents[children], children]),
        controls=controls[children],
        durations=durations_of(steps[children], si.propagation_step_size),
        starts=np.flatnonzero(parents < 0),
        goals=best,
    )
