"""What is done to a path after planning: shorten, smooth, resample, stretch in time.

Shortening and smoothing respect the dynamics: a piece of the path is replaced by controls that
take fewer steps (or change less), their values are corrected until the piece ends where the old
one did, and the rest of the path is propagated again. A new path is taken only if it is valid, ends
in the goal and is better, so the result is never longer and always passes `PathControl.check`.
"""

import itertools
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning._kernels.rollout import call_rollout
from footwork.planning.objectives import ControlDuration, Objective
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
ROUNDING: Final = 1e-9


@dataclass(frozen=True, kw_only=True, eq=False)
class _Pieces:
    """Controls, each for a whole number of steps; what is changed."""

    controls: Matrix
    steps: IntVector

    def replaced(self, first: int, last: int, new: "_Pieces") -> "_Pieces":
        return _Pieces(
            controls=np.vstack([self.controls[:first], new.controls, self.controls[last:]]),
            steps=np.concatenate([self.steps[:first], new.steps, self.steps[last:]]),
        )

    @property
    def roughness(self) -> float:
        return float(np.abs(np.diff(self.controls, axis=0)).sum())


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
    work = _Work(path, problem)
    rng = np.random.default_rng(seed)
    best_cost = work.path.cost(aim)
    is_duration = isinstance(aim, ControlDuration)

    def better(new: _Pieces, states: Matrix) -> bool:
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
    work = _Work(path, problem)

    def smoother(new: _Pieces, _: Matrix) -> bool:
        return new.roughness < work.pieces.roughness - ROUNDING

    work.improve(np.random.default_rng(seed), trials, time_limit, smoother, shorten=False)
    return work.path


def resample(path: PathControl, step: float) -> PathControl:
    """Cut controls so that none lasts longer than a step; the motion stays the same.

    Args:
        path: A well-formed path.
        step: A whole number of propagation steps [s].

    Returns:
        The path with more states.

    Raises:
        InputError: If the step is not a whole number of propagation steps above 0.
        PathError: If the path is not well formed.
    """
    si = path.space_information
    h = si.propagation_step_size
    count = round(step / h) if np.isfinite(step) else 0
    if count < 1 or abs(count * h - step) > ROUNDING * step:
        raise InputError(f"step must be a whole number of propagation steps of {h:g} s, got {step}")
    fine = path.copy()
    fine.interpolate()
    states, controls, durations = [fine.states[0]], [], []
    at = 0
    for u, duration in zip(path.controls, path.control_durations, strict=True):
        whole, rest = si.steps_of(float(duration))
        ends = [*range(count, whole + 1, count)]
        if (ends[-1] if ends else 0) < whole or rest > 0.0 or not ends:
            ends.append(whole + (rest > 0.0))
        before = 0
        for end in ends:
            last = end == ends[-1]
            durations.append(float(duration) - before * h if last else count * h)
            controls.append(u)
            states.append(fine.states[at + end])
            before = end
        at += ends[-1] if ends[-1] > 0 else 1
    return PathControl.from_arrays(si, states, controls, durations)


def sample(path: PathControl, rate: float) -> tuple[Vector, Matrix, Matrix]:
    """Read a path at a fixed rate, as a controller does.

    Args:
        path: A well-formed path.
        rate: Samples a second [Hz].

    Returns:
        Times [s], shape (k,), states, shape (k, n), and the controls that act from these times on,
        shape (k, m); the last sample is at the end.

    Raises:
        InputError: If the rate is not above 0.
        PathError: If the path is not well formed.
    """
    if not (np.isfinite(rate) and rate > 0.0):
        raise InputError(f"rate must be above 0 Hz, got {rate}")
    length = path.length()
    whole = np.arange(int(np.floor(length * rate + ROUNDING)) + 1) / rate
    times = whole if length - whole[-1] <= ROUNDING * max(1.0, length) else np.append(whole, length)
    states = np.array([path.state_at(min(float(t), length)) for t in times])
    ends = path.times[1:]
    index = np.minimum(np.searchsorted(ends, times + ROUNDING, side="right"), len(ends) - 1)
    return times, states, path.controls[index].copy()


def time_scale(
    path: PathControl,
    factor: float,
    *,
    control_powers: ArrayLike = 1,
    state_powers: ArrayLike = 0,
    tolerance: float = 1e-3,
) -> PathControl:
    """Drive the same way in ``factor`` times the time.

    Control j becomes u_j / factor^c_j and component i of the states x_i / factor^s_i. A kinematic
    model with speeds as controls needs c = 1 and s = 0 (a steering angle has c = 0); a model with
    accelerations as controls c = 2, and s = 1 for its velocities. What the path turns into is
    propagated anew and compared.

    Args:
        path: A well-formed path.
        factor: Above 1 is slower.
        control_powers: c, one number or shape (m,).
        state_powers: s, one number or shape (n,).
        tolerance: Largest distance of a state from where it should be.

    Returns:
        The path in the new time; it passes `PathControl.check`.

    Raises:
        InputError: If the factor is not above 0, a control or a state leaves its bounds, or the
            system does not scale in this way; the message says which.
        PathError: If the path is not well formed.
    """
    if not (np.isfinite(factor) and factor > 0.0):
        raise InputError(f"factor must be above 0, got {factor}")
    si = path.space_information
    n, m = si.state_space.dimension, si.control_space.dimension
    c = np.broadcast_to(np.asarray(control_powers, dtype=np.float64), (m,))
    s = np.broadcast_to(np.asarray(state_powers, dtype=np.float64), (n,))
    controls = path.controls / factor**c
    wanted = path.states / factor**s
    low, high = si.control_space.low, si.control_space.high
    for i, j in np.argwhere((controls < low - ROUNDING) | (controls > high + ROUNDING)):
        raise InputError(
            f"time_scale by {factor:g}: control {i} would have u[{j}] = {controls[i, j]:g}, "
            f"outside of [{low[j]:g}, {high[j]:g}]"
        )
    scaled = PathControl(si)
    scaled.append(wanted[0])
    durations = path.control_durations * factor
    for i, (u, duration) in enumerate(zip(controls, durations, strict=True)):
        roll = si.propagate_while_valid(scaled.states[-1], u, float(duration))
        gap = si.state_space.distance(roll.final_state, wanted[i + 1])
        if not roll.is_complete or gap > tolerance:
            what = f"is {gap:.3g} from where it should be" if roll.is_complete else "is not valid"
            raise InputError(
                f"time_scale by {factor:g}: state {i + 1} {what}; the system does not scale with "
                "these powers"
            )
        scaled.append(roll.final_state, u, float(duration))
    return scaled


class _Work:
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
            self.pieces = _split(path.controls.copy(), steps, si.max_control_steps)
            self._states = self._propagated(path.states[0], self.pieces)
            self._is_whole = self._states is not None
        self._end = path.states[-1].copy() if path.state_count else None

    def improve(
        self,
        rng: np.random.Generator,
        trials: int,
        time_limit: float | None,
        accept: Callable[[_Pieces, Matrix], bool],
        *,
        shorten: bool,
    ) -> None:
        """Try pieces at random and keep what is accepted."""
        if not self._is_whole or self.path.control_count < 1:
            return
        stop = np.inf if time_limit is None else time.monotonic() + time_limit
        for _ in range(trials):
            if time.monotonic() > stop:
                break
            found = self._try(rng, shorten=shorten)
            if found is not None and accept(*found):
                self.pieces, self._states = found
                self.path = self.as_path(*found)

    def as_path(self, pieces: _Pieces, states: Matrix) -> PathControl:
        """Make a path of pieces, neighbours with the same control joined where limits allow."""
        durations = pieces.steps * self._h
        return PathControl.from_arrays(self._si, states, pieces.controls, durations)

    def _try(self, rng: np.random.Generator, *, shorten: bool) -> tuple[_Pieces, Matrix] | None:
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
            tail = old.replaced(first, last, _none(old))
            return self._finish(tail, first) if shorten and length < count else None
        piece = self._redrawn(rng, old, first, last, new_total)
        aim = self._states[last]
        piece = self._corrected(self._states[first], piece, aim)
        return self._finish(old.replaced(first, last, piece), first)

    def _redrawn(
        self, rng: np.random.Generator, old: _Pieces, first: int, last: int, total: int
    ) -> _Pieces:
        """Draw how a piece is cut into controls, and average the old controls over them."""
        si = self._si
        most, least = si.max_control_steps, si.min_control_steps
        fewest = -(-total // most)
        count = int(np.clip(rng.integers(1, last - first + 3), fewest, max(fewest, total // least)))
        edges = np.round(np.linspace(0, total, count + 1)).astype(np.int64)
        steps = np.diff(edges)
        each = np.repeat(old.controls[first:last], old.steps[first:last], axis=0)
        where = np.linspace(0, len(each), count + 1).astype(np.int64)
        controls = np.array(
            [each[a : max(b, a + 1)].mean(axis=0) for a, b in itertools.pairwise(where)]
        )
        middle = each[np.minimum((where[:-1] + where[1:]) // 2, len(each) - 1)]
        controls[:, self._fixed] = middle[:, self._fixed]
        if rng.random() < 0.5:
            spread = 0.1 * (self._high - self._low) * ~self._fixed
            controls = controls + rng.normal(size=controls.shape) * spread
        return _Pieces(controls=np.clip(controls, self._low, self._high), steps=steps)

    def _corrected(self, start: Vector, piece: _Pieces, aim: Vector) -> _Pieces:
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
        return _Pieces(controls=u, steps=piece.steps)

    def _finish(self, pieces: _Pieces, first: int) -> tuple[_Pieces, Matrix] | None:
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

    def _propagated(self, start: Vector, pieces: _Pieces, first: int = 0) -> Matrix | None:
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
            call_rollout(self._compiled.address, x, u, self._h, n, 0.0, params, self._out)
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


def _split(controls: Matrix, steps: list[int], most: int) -> _Pieces:
    """Cut controls that last longer than a planner's, so that cuts can be anywhere."""
    rows: list[Any] = []
    counts: list[int] = []
    for u, n in zip(controls, steps, strict=True):
        parts = -(-n // most)
        edges = np.round(np.linspace(0, n, parts + 1)).astype(np.int64)
        rows += [u] * parts
        counts += np.diff(edges).tolist()
    return _Pieces(controls=np.array(rows), steps=np.array(counts, dtype=np.int64))


def _none(pieces: _Pieces) -> _Pieces:
    return _Pieces(controls=pieces.controls[:0], steps=pieces.steps[:0])
