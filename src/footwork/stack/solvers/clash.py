"""Which hard constraints contradict each other, and at which level."""

import numpy as np

from footwork.stack.solvers.problem import HARD, Problem
from footwork.typing import BoolVector, Matrix, Vector


def find_clash(problem: Problem, level: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Find constraints that cannot hold together, of a problem that is infeasible at a level.

    Makes what starts at the level elastic and minimises ½|violation|². At the minimum
    Σ violation_i n_i = 0 over the violated normals and those that press back (Farkas), so these
    are a contradiction by themselves.

    Args:
        problem: Infeasible at ``level``.
        level: Where the solve ended.

    Returns:
        Indices of the constraints (bounds first, then rows), and the upper levels whose optimum
        takes part.
    """
    from footwork.stack.solvers.strict import StrictHierarchy

    n = problem.variable_count
    hard, starts = problem.c_soft == HARD, problem.c_level == level
    known = (hard & (problem.c_level < level)) | ((problem.c_soft >= 0) & (problem.c_soft < level))
    elastic = hard & starts
    bounds = np.arange(n) if level == 0 else np.zeros(0, dtype=np.int64)
    rows = np.concatenate([n + np.flatnonzero(known), n + np.flatnonzero(elastic), bounds])
    eye = np.eye(n)[: bounds.size]
    count = int(np.count_nonzero(elastic)) + bounds.size
    free = np.full(n, np.inf)
    first = int(problem.level_offset[level])
    relaxed = Problem(
        lower=-free if level == 0 else problem.lower,
        upper=free if level == 0 else problem.upper,
        A=np.ascontiguousarray(problem.A[:first]),
        b=problem.b[:first].copy(),
        level_offset=np.append(problem.level_offset[: level + 1], first),
        c=np.vstack([problem.c[:level], np.zeros((1, n))]),
        C=np.vstack([problem.C[known], problem.C[elastic], eye]),
        c_lower=_sides(problem.c_lower, known, elastic, problem.lower[: bounds.size]),
        c_upper=_sides(problem.c_upper, known, elastic, problem.upper[: bounds.size]),
        c_level=np.append(problem.c_level[known], np.full(count, level)),
        c_soft=np.append(problem.c_soft[known], np.full(count, level)),
    )
    solution = StrictHierarchy().solve(relaxed)
    members = {
        int(rows[a.index - n]) if a.index >= n else a.index
        for a in solution.active_set
        if a.level == level
    }
    uppers = _levels_that_press(relaxed, level, solution.x)
    return tuple(sorted(members)), uppers


def _sides(side: Vector, known: BoolVector, elastic: BoolVector, bounds: Vector) -> Vector:
    return np.concatenate([side[known], side[elastic], bounds])


def _levels_that_press(relaxed: Problem, level: int, x: Vector) -> tuple[int, ...]:
    """Tell which upper levels' cost rows resist the pull of the violated constraints."""
    soft = relaxed.c_soft == level
    value = relaxed.C[soft] @ x
    violation = np.minimum(value - relaxed.c_lower[soft], 0.0) + np.maximum(
        value - relaxed.c_upper[soft], 0.0
    )
    if not np.isfinite(violation).all():
        return ()  # a side at infinity that nothing can reach
    pull: Vector = relaxed.C[soft].T @ violation
    scale = 1e-6 * (float(np.abs(pull).max(initial=0.0)) + 1e-300)
    found = []
    for k in range(level):
        A: Matrix = relaxed.A[relaxed.rows(k)]
        if A.size and np.abs(A @ pull).max() > scale * np.abs(A).max():
            found.append(k)
    return tuple(found)
