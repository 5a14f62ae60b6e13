"""Problems whose least cost is known in closed form, with that cost; also for benchmarks/."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

import footwork.planning as fp


@dataclass(frozen=True, kw_only=True)
class KnownOptimum:
    """A problem with its optimum.

    Attributes:
        name: For tables.
        si: The system.
        problem: Start, goal and tolerance.
        least: Least time to the goal state itself [s].
        least_in_region: Least time to any state within the tolerance [s].
        selection_radius: For SST.
        pruning_radius: For SST.
    """

    name: str
    si: fp.SpaceInformation
    problem: fp.Problem
    least: float
    least_in_region: float
    selection_radius: float
    pruning_radius: float

    def planner(self, seed: int) -> fp.SST:
        return fp.SST(
            self.si,
            seed=seed,
            selection_radius=self.selection_radius,
            pruning_radius=self.pruning_radius,
        )


def double_integrator_time(start: tuple[float, float], goal: tuple[float, float]) -> float:
    """Least time between two (position, velocity) with |acceleration| at most 1.

    Full thrust one way up to a peak speed p, then the other way: forwards first, the distance is
    (p² − v₀²)/2 + (p² − v₁²)/2, so p² = d + (v₀² + v₁²)/2, and the time is 2 p − v₀ − v₁.
    """
    times = []
    for side in (1.0, -1.0):
        distance, v0, v1 = side * (goal[0] - start[0]), side * start[1], side * goal[1]
        square = distance + 0.5 * (v0 * v0 + v1 * v1)
        if square >= 0.0 and math.sqrt(square) >= max(v0, v1) - 1e-12:
            times.append(2.0 * math.sqrt(square) - v0 - v1)
    return min(times)


Pose = tuple[float, float, float]
Word = tuple[tuple[str, float], ...]


def dubins_words(start: Pose, goal: Pose) -> Iterator[Word]:
    """The words of Dubins that lead from pose to pose with turns of radius 1.

    Each is three arcs or straights with their lengths. α and β are the headings against the line
    from start to goal, d its length; the lengths follow from where the circles' centres are.

    Yields:
        The words that exist, each with its lengths.
    """
    dx, dy = goal[0] - start[0], goal[1] - start[1]
    d, line = math.hypot(dx, dy), math.atan2(dy, dx)
    a, b = start[2] - line, goal[2] - line
    sa, sb, ca, cb = math.sin(a), math.sin(b), math.cos(a), math.cos(b)
    both = math.cos(a - b)

    def turn(angle: float) -> float:
        return angle % (2.0 * math.pi)

    # Outer tangents: both circles on one side.
    square = 2.0 + d * d - 2.0 * both + 2.0 * d * (sa - sb)
    direction = math.atan2(cb - ca, d + sa - sb)
    if square >= 0.0:
        yield ("L", turn(direction - a)), ("S", math.sqrt(square)), ("L", turn(b - direction))
    square = 2.0 + d * d - 2.0 * both + 2.0 * d * (sb - sa)
    direction = math.atan2(ca - cb, d - sa + sb)
    if square >= 0.0:
        yield ("R", turn(a - direction)), ("S", math.sqrt(square)), ("R", turn(direction - b))
    # Inner tangents: they cross from one side to the other.
    square = d * d - 2.0 + 2.0 * both + 2.0 * d * (sa + sb)
    if square >= 0.0:
        p = math.sqrt(square)
        direction = math.atan2(-ca - cb, d + sa + sb) - math.atan2(-2.0, p)
        yield ("L", turn(direction - a)), ("S", p), ("R", turn(direction - b))
    square = d * d - 2.0 + 2.0 * both - 2.0 * d * (sa + sb)
    if square >= 0.0:
        p = math.sqrt(square)
        direction = math.atan2(ca + cb, d - sa - sb) - math.atan2(2.0, p)
        yield ("R", turn(a - direction)), ("S", p), ("L", turn(b - direction))
    # Three arcs: the middle circle touches both.
    cosine = (6.0 - d * d + 2.0 * both + 2.0 * d * (sa - sb)) / 8.0
    if abs(cosine) <= 1.0:
        p = turn(2.0 * math.pi - math.acos(cosine))
        first = turn(a - math.atan2(ca - cb, d - sa + sb) + 0.5 * p)
        yield ("R", first), ("L", p), ("R", turn(a - b - first + p))
    cosine = (6.0 - d * d + 2.0 * both + 2.0 * d * (sb - sa)) / 8.0
    if abs(cosine) <= 1.0:
        p = turn(2.0 * math.pi - math.acos(cosine))
        first = turn(math.atan2(cb - ca, d + sa - sb) - a + 0.5 * p)
        yield ("L", first), ("R", p), ("L", turn(b - a - first + p))


def dubins_length(start: Pose, goal: Pose) -> float:
    """Length of the shortest path of a car that drives forwards and turns with radius 1 or more."""
    return min(sum(length for _, length in word) for word in dubins_words(start, goal))


def double_integrator() -> KnownOptimum:
    """From rest to rest over 1 m."""
    tolerance = 0.05
    si = fp.SpaceInformation(
        fp.RealVectorStateSpace([-0.5, -1.5], [1.5, 1.5]),
        fp.RealVectorControlSpace([-1.0], [1.0]),
        dynamics=_double_integrator,
        propagation_step_size=0.05,
        max_control_steps=20,
    )
    ring = np.linspace(0.0, 2.0 * math.pi, 721)
    region = [
        double_integrator_time((0.0, 0.0), (1.0 + tolerance * c, tolerance * s))
        for c, s in zip(np.cos(ring).tolist(), np.sin(ring).tolist(), strict=True)
    ]
    return KnownOptimum(
        name="double integrator",
        si=si,
        problem=fp.Problem([0.0, 0.0], [1.0, 0.0], goal_tolerance=tolerance),
        least=double_integrator_time((0.0, 0.0), (1.0, 0.0)),
        least_in_region=min(region),
        selection_radius=0.05,
        pruning_radius=0.025,
    )


def dubins_car(goal: Pose = (2.5, 2.0, math.pi / 2.0)) -> KnownOptimum:
    """A car that drives forwards at 1 m/s and turns within 1 m."""
    tolerance, weight = 0.15, 0.5  # the weight of the yaw in SE2
    start = (0.0, 0.0, 0.0)
    si = fp.SpaceInformation(
        fp.SE2StateSpace([-4.0, -4.0], [4.0, 4.0]),
        fp.RealVectorControlSpace([-1.0], [1.0]),
        dynamics=_dubins,
        propagation_step_size=0.1,
        max_control_steps=20,
    )
    region = []
    for share, side, angle in product(
        np.linspace(0.0, 1.0, 11).tolist(), (-1.0, 1.0), np.linspace(0.0, 2.0 * math.pi, 73)
    ):
        reach = tolerance * share
        end = (
            goal[0] + reach * math.cos(angle),
            goal[1] + reach * math.sin(angle),
            goal[2] + side * (tolerance - reach) / weight,
        )
        region.append(dubins_length(start, end))
    return KnownOptimum(
        name=f"Dubins car to ({goal[0]:g}, {goal[1]:g}, {math.degrees(goal[2]):.0f}°)",
        si=si,
        problem=fp.Problem(list(start), list(goal), goal_tolerance=tolerance),
        least=dubins_length(start, goal),
        least_in_region=min(region),
        selection_radius=0.4,
        pruning_radius=0.2,
    )


def _double_integrator(x: Any, u: Any) -> Any:
    return x[1], u[0]


def _dubins(x: Any, u: Any) -> Any:
    return math.cos(x[2]), math.sin(x[2]), u[0]
