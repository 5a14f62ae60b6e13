"""A path that is improved piece by piece, by controls that lead where the old piece did.

A piece is replaced by drawn controls for a number of steps; Gauss–Newton steps on their values
bring its end to where the old one was; the rest of the path is propagated again and must stay
valid and end in the goal.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np

from footwork.errors import InputError
from footwork.planning._kernels.rollout import call_rollout
from footwork.planning.path_control import PathControl
from footwork.planning.problem import Problem
from footwork.planning.rollout_codes import CHECK_NOTHING, CHECK_VALIDITY_AND_BOUNDS
from footwork.planning.spaces.components import Kind
from footwork.typing import IntVector, Matrix, Vector

END_TOLERANCE: Final = 1e-6
"""Without a problem: how far the new end may be from the old one, in the metric of the space."""
CORRECTIONS: Final = 6
"""Gauss–Newton steps that bring a new piece to the old one's end."""
LONGEST_PIECE: Final = 12
"""Controls that are replaced at once, at most."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Pieces:
    """Controls, each for a whole number of steps; what is changed."""

    controls: Matrix
    steps: IntVector

    def replaced(self, first: int, last: int, new: "Pieces") -> "Pieces":
        """Copy with the controls from ``first`` to before ``last`` replaced."""
        return Pieces(
            controls=np.vstack([self.controls[:first], new.controls, self.controls[last:]]),
            steps=np.concatenate([self.steps[:first], new.steps, self.steps[last:]]),
        )

    @property
    def roughness(self) -> float:
        """Sum of the changes from one control to the next."""
        return float(np.abs(np.diff(self.controls, axis=0)).sum())


class Improver:
    """A path that is being improved, with what is needed to propagate it quickly."""

    def __init__(self, path: PathControl, problem: Problem | None) -> None:
        si = path.space_information
        diagnosis = path.diagnose()
        if not diagnosis:
            raise InputError(f"only a valid path can be improved: {diagnosis}")
        self.path = path.copy()
        self._si = si
        self._problem = problem
        self._h = si.propagation_step_size
        self._compiled = si.compiled()
        self._params = self._compiled.params_checking(CHECK_VALIDITY_AND_BOUNDS)
        self._low, self._high = si.control_space.low, si.control_space.high
        self._fixed = si.control_space.is_discrete
        self._out = np.empty((1, si.state_space.dimension))
        self._is_whole = all(
            si.steps_of(float(d))[1] == 0.0 and d > 0.0 for d in path.control_durations
        )
        if self._is_whole and path.control_count:
            steps = [si.steps_of(float(d))[0] for d in path.control_durations]
            self.pieces = split_controls(path.controls.copy(), steps, si.max_control_steps)
            self._states = self._propagated(path.states[0], self.pieces)
            self._is_whole = self._states is not None
        self._end = path.states[-1].copy() if path.state_count else None

    def improve(
        self,
        rng: np.random.Generator,
        trials: int,
        time_limit: float | None,
        accept: Callable[[Pieces, Matrix], bool],
        *,
        shorten: bool,
    ) -> None:
        """Try pieces at random and keep what is accepted."""
        if not self._is_whole or self.path.control_count < 1:
            return
        assert self._states is not None
        self._arrives(self._states[-1])  # reads what is compiled, which does not count
        stop = np.inf if time_limit is None else time.monotonic() + time_limit
        for _ in range(trials):
            if time.monotonic() > stop:
                break
            found = self._try(rng, shorten=shorten)
            if found is not None and accept(*found):
                self.pieces, self._states = found
                self.path = self.as_path(*found)

    def as_path(self, pieces: Pieces, states: Matrix) -> PathControl:
        """Make a path of pieces, neighbours with the same control joined where limits allow."""
        durations = pieces.steps * self._h
        return PathControl.from_arrays(self._si, states, pieces.controls, durations)

    def _try(self, rng: np.random.Generator, *, shorten: bool) -> tuple[Pieces, Matrix] | None:
        old = self.pieces
        assert self._states is not None
        count = len(old.steps)
        length = int(rng.integers(1, min(LONGEST_PIECE, count) + 1))
        first = int(rng.integers(0, count - length + 1))
        last = first + length
        total = int(old.steps[first:last].sum())
        new_total = total
        if shorten:
            fewer = max(1, round(total * 2.0 * float(rng.uniform(0.0, 0.5)) ** 2))
            new_total = total - fewer
        if new_total < self._si.min_control_steps:
            tail = old.replaced(first, last, nothing(old))
            return self._finish(tail, first) if shorten and length < count else None
        piece = self._redrawn(rng, old, first, last, new_total)
        aim = self._states[last]
        piece = self._corrected(self._states[first], piece, aim)
        return self._finish(old.replaced(first, last, piece), first)

    def _redrawn(
        self, rng: np.random.Generator, old: Pieces, first: int, last: int, total: int
    ) -> Pieces:
        """Draw how a piece is cut into controls, and average the old controls over them."""
        si = self._si
        most, least = si.max_control_steps, si.min_control_steps
        fewest = -(-total // most)
        count = int(np.clip(rng.integers(1, last - first + 3), fewest, max(fewest, total // least)))
        edges = np.round(np.linspace(0, total, count + 1)).astype(np.int64)
        steps = np.diff(edges)
        each = np.repeat(old.controls[first:last], old.steps[first:last], axis=0)
        where = np.linspace(0, len(each), count + 1).astype(np.int64)
        controls = np.array([each[a : max(b, a + 1)].mean(axis=0) for a, b in pairwise(where)])
        middle = each[np.minimum((where[:-1] + where[1:]) // 2, len(each) - 1)]
        controls[:, self._fixed] = middle[:, self._fixed]
        if rng.random() < 0.5:
            spread = 0.1 * (self._high - self._low) * ~self._fixed
            controls = controls + rng.normal(size=controls.shape) * spread
        return Pieces(controls=np.clip(controls, self._low, self._high), steps=steps)

    def _corrected(self, start: Vector, piece: Pieces, aim: Vector) -> Pieces:
        """Bring the end of a piece to where it should be: Gauss–Newton on its controls."""
        free = np.flatnonzero(~self._fixed)
        u = piece.controls.copy()
        for _ in range(CORRECTIONS):
            end = self._end_of(start, u, piece.steps)
            miss = self._difference(end, aim)
            if np.abs(miss).max() < 1e-10:
                break
            J = np.empty((len(miss), len(u) * len(free)))
            for k, (i, j) in enumerate((i, j) for i in range(len(u)) for j in free):
                kept, nudge = u[i, j], 1e-6 * (self._high[j] - self._low[j])
                u[i, j] = kept + nudge
                J[:, k] = (
                    self._difference(self._end_of(start, u, piece.steps), aim) - miss
                ) / nudge
                u[i, j] = kept
            change = np.linalg.lstsq(J, -miss, rcond=1e-8)[0].reshape(len(u), len(free))
            u[:, free] = np.clip(u[:, free] + change, self._low[free], self._high[free])
        return Pieces(controls=u, steps=piece.steps)

    def _finish(self, pieces: Pieces, first: int) -> tuple[Pieces, Matrix] | None:
        assert self._states is not None
        if not len(pieces.steps):
            return None
        tail = self._propagated(self._states[first], pieces, first)
        if tail is None:
            return None
        states = np.vstack([self._states[:first], tail])
        return (pieces, states) if self._arrives(states[-1]) else None

    def _arrives(self, end: Vector) -> bool:
        space = self._si.state_space
        if self._problem is not None:
            return self._problem.goal.is_satisfied(space, end)
        assert self._end is not None
        return space.distance(end, self._end) <= END_TOLERANCE

    def _propagated(self, start: Vector, pieces: Pieces, first: int = 0) -> Matrix | None:
        """Propagate the pieces from one on; None as soon as something is not valid."""
        states = np.empty((len(pieces.steps) - first + 1, len(start)))
        states[0] = start
        longest = int(pieces.steps.max(initial=1))
        out = np.empty((longest, len(start)))
        for i in range(first, len(pieces.steps)):
            n = int(pieces.steps[i])
            x = states[i - first]
            count = self._call(x, pieces.controls[i], n, out)
            if count < n:
                return None
            states[i - first + 1] = out[n - 1]
        return states

    def _end_of(self, start: Vector, controls: Matrix, steps: IntVector) -> Vector:
        x = start
        longest = int(steps.max())
        if len(self._out) < longest:
            self._out = np.empty((longest, len(start)))
        for u, n in zip(controls, steps.tolist(), strict=True):
            params = self._params
            params[0] = CHECK_NOTHING
            code = call_rollout(self._compiled.address, x, u, self._h, n, 0.0, params, self._out)
            self._compiled.raise_error(code, params)
            x = self._out[n - 1].copy()
        return x

    def _call(self, x: Vector, u: Vector, n: int, out: Matrix) -> int:
        params = self._params
        params[0] = CHECK_VALIDITY_AND_BOUNDS
        count = call_rollout(
            self._compiled.address,
            np.ascontiguousarray(x),
            np.ascontiguousarray(u),
            self._h,
            n,
            0.0,
            params,
            out,
        )
        self._compiled.raise_error(count, params)
        return count

    def _difference(self, a: Vector, b: Vector) -> Vector:
        """Difference a − b, angles the short way round, quaternions of the same sign, weighted."""
        d: Vector = a - b
        space = self._si.state_space
        for (kind, i, size), weight in zip(
            space.components.tolist(), space.weights.tolist(), strict=True
        ):
            part = slice(i, i + size)
            if kind == Kind.SO2:
                d[i] = (d[i] + np.pi) % (2.0 * np.pi) - np.pi
            elif kind == Kind.SO3 and float(a[part] @ b[part]) < 0.0:
                d[part] = -a[part] - b[part]
            d[part] *= max(weight, 1e-3)
        return d


def split_controls(controls: Matrix, steps: list[int], most: int) -> Pieces:
    """Cut controls that last longer than a planner's, so that cuts can be anywhere."""
    rows: list[Any] = []
    counts: list[int] = []
    for u, n in zip(controls, steps, strict=True):
        parts = -(-n // most)
        edges = np.round(np.linspace(0, n, parts + 1)).astype(np.int64)
        rows += [u] * parts
        counts += np.diff(edges).tolist()
    return Pieces(controls=np.array(rows), steps=np.array(counts, dtype=np.int64))


def nothing(pieces: Pieces) -> Pieces:
    """Make no controls at all, of the same width."""
    return Pieces(controls=pieces.controls[:0], steps=pieces.steps[:0])
