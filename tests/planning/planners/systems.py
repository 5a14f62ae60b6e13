"""Systems and problems that the tests of the planners share."""

from collections.abc import Callable, Sequence
from functools import cache
from math import cos, sin
from typing import Any

import numba
import numpy as np

import footwork.planning as fp

Maker = Callable[..., fp.Planner]
IS_SLOW = bool(numba.config.DISABLE_JIT)
"""Whether kernels run as plain Python, a hundred times slower; problems are smaller then."""


def _rrt_with_states(si: fp.SpaceInformation, **options: Any) -> fp.Planner:
    return fp.RRT(si, intermediate_states=True, **options)


def _coarse_sst(si: fp.SpaceInformation, **options: Any) -> fp.Planner:
    return fp.SST(si, selection_radius=0.4, pruning_radius=0.2, **options)


PLANNERS: dict[str, Maker] = {
    "RRT": fp.RRT,
    "RRT with states": _rrt_with_states,
    "EST": fp.EST,
    "KPIECE1": fp.KPIECE1,
    "PDST": fp.PDST,
    "SST": _coarse_sst,
    "SyclopRRT": fp.SyclopRRT,
    "SyclopEST": fp.SyclopEST,
    "MultipleShooting": fp.MultipleShooting,
}


def iterations(make: Maker, count: int) -> int:
    """As much work as so many motions are; a step of shooting propagates hundreds."""
    return count // 10 if make is fp.MultipleShooting else count


MAP = (
    "...............",
    ".#########.###.",
    ".#.......#...#.",
    ".#.#####.###.#.",
    ".#.#...#...#.#.",
    "...#.#.###.#.#.",
    ".###.#...#.#.#.",
    ".....###.#.#.#.",
    ".###.#...#.#.#.",
    ".#.#.#.###.#...",
    ".#.#.#.#...###.",
    ".#.#...#.#.....",
    ".#.#####.#####.",
    ".#.............",
    "...#####.#####.",
)
"""A map of 15 x 15 cells, the top row first; # is a wall. Start bottom left, goal top right."""
CELLS = np.array([[c == "#" for c in row] for row in reversed(MAP)], np.float64)


def velocity_step(x: Any, u: Any, dt: float) -> Any:
    a = min(max(x[0] + dt * u[0], 0.0), 14.999)
    b = min(max(x[1] + dt * u[1], 0.0), 14.999)
    return a, b, u[0], u[1]


def on_map(x: Any, cells: Any) -> bool:
    return bool(cells[15 * int(x[1]) + int(x[0])] == 0.0)


@cache
def map_system() -> fp.SpaceInformation:
    return fp.SpaceInformation(
        fp.RealVectorStateSpace([0, 0, -3, -3], [15, 15, 3, 3]),
        fp.RealVectorControlSpace([-3, -3], [3, 3]),
        propagate=velocity_step,
        is_valid=on_map,
        parameters=CELLS.ravel(),
        propagation_step_size=0.05,
        min_control_steps=2,
        max_control_steps=25,
    )


def map_problem() -> fp.Problem:
    goal = fp.GoalState([14.5, 14.5, 0, 0], 0.5, axes=[0, 1])
    return fp.Problem([0.5, 0.5, 0, 0], goal)


def unicycle(x: Any, u: Any) -> Any:
    return u[0] * cos(x[2]), u[0] * sin(x[2]), u[1]


def outside_disc(x: Any, disc: Any) -> bool:
    dx, dy = x[0] - disc[0], x[1] - disc[1]
    return bool(dx * dx + dy * dy >= disc[2] * disc[2])


@cache
def unicycle_system(disc: Sequence[float] = (2.5, 2.5, 0.8)) -> fp.SpaceInformation:
    return fp.SpaceInformation(
        fp.SE2StateSpace([0, 0], [5, 5]),
        fp.RealVectorControlSpace([-0.5, -1.0], [1.0, 1.0]),
        dynamics=unicycle,
        is_valid=outside_disc,
        parameters=disc,
        propagation_step_size=0.1,
        min_control_steps=2,
        max_control_steps=15,
    )


def unicycle_problem() -> fp.Problem:
    goal = fp.GoalState([1.2, 1.0, 0] if IS_SLOW else [4.5, 4.5, 0], 0.5, axes=[0, 1])
    return fp.Problem([0.5, 0.5, 0], goal)


def shift(x: Any, u: Any, dt: float) -> Any:
    return [a + dt * b for a, b in zip(x, u, strict=False)]


def box_system(dimension: int, **options: Any) -> fp.SpaceInformation:
    """A point that chooses its velocity, in plain Python."""
    settings: dict[str, Any] = {
        "propagate": shift,
        "propagation_step_size": 0.1,
        "max_control_steps": 5,
        "compile": False,
    }
    return fp.SpaceInformation(
        fp.RealVectorStateSpace([0.0] * dimension, [1.0] * dimension),
        fp.RealVectorControlSpace([-1.0] * dimension, [1.0] * dimension),
        **(settings | options),
    )
