"""Shorten and smooth a path after planning, under its dynamics.

The result is never longer than the path and always passes `PathControl.check`; how pieces are
replaced is written in `footwork.planning.path_improver`.
"""

from typing import Final

import numpy as np

from footwork.planning.objectives import ControlDuration, Objective
from footwork.planning.path_control import PathControl
from footwork.planning.path_improver import Improver, Pieces
from footwork.planning.problem import Problem
from footwork.typing import Matrix

ROUNDING: Final = 1e-9


def shortcut(
    path: PathControl,
    problem: Problem | None = None,
    *,
    seed: int = 0,
    trials: int = 2000,
    time_limit: float | None = None,
    objective: Objective | None = None,
) -> PathControl:
    """Shorten a path under its dynamics by random cuts that are corrected.

    Args:
        path: A valid path.
        problem: Its goal is where the new path must end; without one, the old end.
        seed: Decides which cuts are tried.
        trials: How many.
        time_limit: Wall time [s], None for none.
        objective: What must not get worse either; that of the problem, else the duration.

    Returns:
        A new path, never longer and never dearer; a copy if nothing better was found.

    Raises:
        InputError: If the path is not well formed, or not valid; the message says where.
    """
    aim = objective or (problem.objective if problem is not None else ControlDuration())
    work = Improver(path, problem)
    rng = np.random.default_rng(seed)
    best_cost = work.path.cost(aim)
    is_duration = isinstance(aim, ControlDuration)

    def better(new: Pieces, states: Matrix) -> bool:
        nonlocal best_cost
        if new.steps.sum() >= work.pieces.steps.sum():
            return False
        if not is_duration:
            cost = work.as_path(new, states).cost(aim)
            if cost > best_cost * (1.0 + ROUNDING):
                return False
            best_cost = min(cost, best_cost)
        return True

    work.improve(rng, trials, time_limit, better, shorten=True)
    return work.path


def smooth(
    path: PathControl,
    problem: Problem | None = None,
    *,
    seed: int = 0,
    trials: int = 1000,
    time_limit: float | None = None,
) -> PathControl:
    """Make controls change less from one to the next, in the same time, under the dynamics.

    What is made smaller is Σ |uᵢ₊₁ − uᵢ|.

    Args:
        path: A valid path.
        problem: Its goal is where the new path must end; without one, the old end.
        seed: Decides which pieces are tried.
        trials: How many.
        time_limit: Wall time [s], None for none.

    Returns:
        A new path of the same duration; a copy if nothing smoother was found.

    Raises:
        InputError: If the path is not well formed, or not valid; the message says where.
    """
    work = Improver(path, problem)

    def smoother(new: Pieces, _: Matrix) -> bool:
        return new.roughness < work.pieces.roughness - ROUNDING

    work.improve(np.random.default_rng(seed), trials, time_limit, smoother, shorten=False)
    return work.path
