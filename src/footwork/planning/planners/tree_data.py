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
    costs = search.tree.cost[rows]
    return PlannerData.from_tree(
        si,
        states=states,
        parents=parents,
        controls=controls,
        durations=durations_of(steps, si.propagation_step_size),
        costs=np.where(parents >= 0, costs - costs[parents], 0.0),
        goals=np.flatnonzero(rows == int(search.counters[BEST])),
    )
