"""Ways past obstacles that ignore the dynamics: first guesses for shooting.

Two trees of straight motions in the pose, the position and the angles, grow towards each other
until they meet (RRT-Connect); what is neither stays as it is at the start.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

import numpy as np

from footwork.planning._kernels.shooting import interpolate_evenly
from footwork.planning.shooting import Steps
from footwork.planning.space_information import SpaceInformation
from footwork.planning.spaces.components import Kind
from footwork.typing import Matrix, Vector

STRIDE: Final = 0.15
"""Length of a motion, as a share of the median distance between two poses."""
RESOLUTION: Final = 0.015
"""How far apart states are tested on a motion, as the same share."""
DRAWN: Final = 100
"""States drawn to see how large the space is, and how quickly it is crossed."""
CUTS: Final = 30
"""Shortcuts that are tried on a way."""

Way = list[Vector]


class GeometricGuess:
    """Finds ways between poses.

    Args:
        si: The system; only its validity test is used.
        rng: Draws the poses.

    Attributes:
        tests: States that were tested until now.

    Source: kuffner2000rrtconnect
    """

    def __init__(self, si: SpaceInformation, rng: np.random.Generator) -> None:
        self.tests = 0
        self._si, self._space, self._rng = si, si.state_space, rng
        self._compiled = si.compiled()
        self._parameters = self._compiled.propagation.validity_parameters
        self._is_pose = np.zeros(self._space.dimension, dtype=np.bool_)
        self._is_pose[list(self._space.position_indices)] = True
        for kind, i, size in self._space.components.tolist():
            if kind in (Kind.SO2, Kind.SO3):
                self._is_pose[i : i + size] = True
        drawn = [self.pose(self._space.low) for _ in range(DRAWN)]
        apart = [self._space.distance(a, b) for a, b in zip(drawn[::2], drawn[1::2], strict=True)]
        self._scale = float(np.median(apart))
        self._keep_off(0.0, ())

    def prepare(self, start: Vector) -> None:
        """Compile all that ways call, or read it from the disk.

        Args:
            start: A state, shape (n,).
        """
        self._tested(start, start)

    def pose(self, base: Vector) -> Vector:
        """Draw a pose.

        Args:
            base: A state that gives the rest, shape (n,).

        Returns:
            A state, valid or not.
        """
        return np.where(self._is_pose, self._space.sample(self._rng), base)

    def way(
        self, start: Vector, goal: Vector, *, tries: int, margin: float = 0.0
    ) -> Steps[Way | None]:
        """Find a way.

        Args:
            start: A valid state.
            goal: A valid state, of which only the pose counts.
            tries: Poses drawn before it is given up.
            margin: How far beside the way, along each axis of the position, states are valid too
                but near its ends; as a share of the median distance between two poses.

        Yields:
            True after each motion that was tried.

        Returns:
            States whose straight connections are valid, or None if none was found.
        """
        goal = np.where(self._is_pose, goal, start)
        self._keep_off(margin, (start, goal))
        if (yield from self._is_clear(start, goal)):
            return [start, goal]
        yield True
        trees: list[list[Vector]] = [[start], [goal]]
        parents: list[list[int]] = [[-1], [-1]]
        for k in range(tries):
            grown, other = k % 2, 1 - k % 2
            new = yield from self._grow(trees[grown], parents[grown], self.pose(start))
            yield True
            while new is not None:
                reached = yield from self._grow(trees[other], parents[other], new)
                yield True
                if reached is None:
                    break
                if np.array_equal(reached, new):
                    ways = [_back(t, p, len(t) - 1) for t, p in zip(trees, parents, strict=True)]
                    return (yield from self._cut(ways[0][::-1] + ways[1][1:]))
        return None

    def along(self, way: Way, start: Vector, goal: Vector, count: int) -> Matrix:
        """Spread states evenly over a way; what is no pose goes straight from start to goal.

        Args:
            way: As found.
            start: First state, shape (n,).
            goal: Last state, shape (n,).
            count: How many pieces.

        Returns:
            States, shape (count + 1, n).
        """
        space = self._space
        lengths = [space.distance(a, b) for a, b in pairwise(way)]
        ends = np.concatenate([[0.0], np.cumsum(lengths)])
        states = np.empty((count + 1, space.dimension))
        for k, s in enumerate(np.linspace(0.0, ends[-1], count + 1).tolist()):
            i = min(int(np.searchsorted(ends, s, side="right")) - 1, len(lengths) - 1)
            fraction = (s - ends[i]) / lengths[i] if lengths[i] > 0.0 else 0.0
            pose = space.interpolate(way[i], way[i + 1], float(np.clip(fraction, 0.0, 1.0)))
            states[k] = np.where(self._is_pose, pose, space.interpolate(start, goal, k / count))
        states[0], states[-1] = start, goal
        return states

    def length(self, way: Way) -> float:
        """Sum of the distances on a way, in the metric of the space."""
        return sum(self._space.distance(a, b) for a, b in pairwise(way))

    def typical_speed(self) -> Steps[float]:
        """Measure the median distance per second that random controls move random poses.

        Yields:
            False after each.

        Returns:
            Distance in the metric of the space, per second.
        """
        si, speeds = self._si, []
        seconds = si.min_control_steps * si.propagation_step_size
        for _ in range(DRAWN):
            x, u = self._space.sample(self._rng), si.control_space.sample(self._rng)
            end = np.where(self._is_pose, si.propagate(x, u, seconds), x)
            speeds.append(self._space.distance(x, end) / seconds)
            yield False
        return max(float(np.median(speeds)), 1e-9)

    def _grow(self, tree: Way, parents: list[int], target: Vector) -> Steps[Vector | None]:
        # Add a motion from the nearest state of a tree towards another one
        apart = self._space.distances(np.array(tree), target)
        i = int(np.argmin(apart))
        stride = STRIDE * self._scale
        new = target
        if apart[i] > stride:
            new = self._space.interpolate(tree[i], target, stride / float(apart[i]))
        if apart[i] == 0.0 or not (yield from self._is_clear(tree[i], new)):
            return None
        tree.append(new)
        parents.append(i)
        return new

    def _keep_off(self, margin: float, ends: Sequence[Vector]) -> None:
        """Test states beside a way too from now on, but not near its ends."""
        space, apart = self._space, margin * self._scale
        axes = list(space.position_indices) if margin > 0.0 else []
        weights = np.repeat(space.weights, space.components[:, 2])[axes]
        aside = np.zeros((len(axes), space.dimension))
        aside[range(len(axes)), axes] = apart / np.maximum(weights, 1e-9)
        self._aside = np.vstack([aside, -aside])
        self._ends, self._near = ends, 2.0 * apart

    def _is_clear(self, a: Vector, b: Vector) -> Steps[bool]:
        valid, parameters = self._compiled.python.valid, self._parameters
        for x in self._tested(a, b).tolist():
            yield False
            self.tests += 1
            if not valid(tuple(x), parameters):
                return False
        return True

    def _tested(self, a: Vector, b: Vector) -> Matrix:
        """States of a motion and beside it; within the bounds, because both ends are."""
        space = self._space
        count = int(np.ceil(space.distance(a, b) / (RESOLUTION * self._scale)))
        states = np.empty((count, space.dimension))
        interpolate_evenly(space.components, a, b, states)
        if not len(self._aside):
            return states
        far = np.ones(count, dtype=np.bool_)
        for end in self._ends:
            far &= space.distances(states, end) >= self._near
        beside = (states[far, None] + self._aside).reshape(-1, space.dimension)
        axes = list(space.position_indices)
        low, high = space.low[axes], space.high[axes]
        inside = ((low < beside[:, axes]) & (beside[:, axes] < high)).all(axis=1)
        return np.vstack([states, beside[inside]])

    def _cut(self, way: Way) -> Steps[Way]:
        for _ in range(CUTS):
            if len(way) < 3:
                break
            i, j = np.sort(self._rng.choice(len(way), 2, replace=False)).tolist()
            if j - i > 1 and (yield from self._is_clear(way[i], way[j])):
                way = way[: i + 1] + way[j:]
        return way


def _back(tree: Way, parents: list[int], i: int) -> Way:
    found = []
    while i >= 0:
        found.append(tree[i])
        i = parents[i]
    return found
