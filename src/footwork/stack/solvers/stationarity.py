"""Multipliers of what a solver eliminates: equations, and what the levels above hold."""

from typing import NamedTuple

import numpy as np

from footwork.stack.solvers.problem import Problem
from footwork.typing import BoolVector, IntVector, Matrix, Vector

RANK_RATIO = 1e-9
"""Normals whose part across the others is below this part of their length are redundant."""


class Stationarity(NamedTuple):
    """Multipliers with which the gradient of one level's Lagrangian vanishes.

    A_kᵀ (A_k x − b_k) + c_k + ρ x + Σ_{j<k} A_jᵀ rows_j + [1; C]ᵀ constraints = 0

    with ρ the solver's weight of ½|x|². Of the least norm |x| behind the last level, the first
    terms are x alone.

    Attributes:
        rows: Of the cost rows of the levels above, whose A_j x is held, shape (M,); else 0.
        constraints: Of the bounds, then the constraint rows, shape (n + K,): how much the level's
            cost would fall per unit that what holds x is raised. Positive at an upper side,
            negative at a lower one, of either sign where an equation or a level above holds it.
        gap: Largest entry of the left side, in units of cost per unit of x.
    """

    rows: Vector
    constraints: Vector
    gap: float


def find_stationarity(
    problem: Problem, level: int, gradient: Vector, active: IntVector, pressing: Vector
) -> Stationarity:
    """Find the multipliers of least norm that complete those that a solver knows.

    Args:
        problem: The problem.
        level: 0 … L, L is the least norm behind the last level.
        gradient: Of the level's own cost at the solution, shape (n,).
        active: Of each bound and row 0 or ±(level + 1), + at the upper side, shape (n + K,).
        pressing: Their multipliers, 0 of what was eliminated, shape (n + K,).

    Returns:
        The multipliers.
    """
    since = np.abs(active) - 1
    is_known = (since == level) & (pressing != 0.0)
    is_held = (since >= 0) & (since <= level) & ~is_known
    constraints = np.where(is_known, np.sign(active) * pressing, 0.0)
    above = int(problem.level_offset[level])
    left = gradient + _normals(problem, is_known).T @ constraints[is_known]
    normals = np.vstack([problem.A[:above], _normals(problem, is_held)])
    found = _least_norm(normals, -left)
    left += normals.T @ found
    rows = np.zeros(problem.b.size)
    rows[:above], constraints[is_held] = found[:above], found[above:]
    return Stationarity(rows, constraints, float(np.abs(left).max(initial=0.0)))


def _normals(problem: Problem, chosen: BoolVector) -> Matrix:
    n = problem.variable_count
    return np.vstack([np.eye(n)[chosen[:n]], problem.C[chosen[n:]]])


def _least_norm(normals: Matrix, target: Vector) -> Vector:
    """Find the shortest λ with normalsᵀ λ = target, whatever the lengths of the normals are."""
    if normals.shape[0] == 0:
        return np.zeros(0)
    length = np.linalg.norm(normals, axis=1)
    length[length == 0.0] = 1.0
    U, s, Vt = np.linalg.svd((normals / length[:, None]).T)
    rank = int(np.count_nonzero(s > RANK_RATIO * s[0]))
    found: Vector = Vt[:rank].T @ ((U[:, :rank].T @ target) / s[:rank]) / length
    # In lengths of one the shortest is another: take out what the redundant normals leave open.
    idle = (Vt[rank:] / length).T
    found -= idle @ np.linalg.lstsq(idle, found, rcond=None)[0]
    return found
