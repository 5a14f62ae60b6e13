"""Pull a guess of a trajectory into the dynamics: least squares over states and controls.

The trajectory is cut into pieces of equal length with one control each, and the state at the
beginning of every piece is an unknown of its own (multiple shooting). Levenberg–Marquardt steps on
states and controls close the gaps between the pieces,

    min Σᵢ |W (F(xᵢ, uᵢ) ⊖ xᵢ₊₁)|² + Σᵢ c² max(0, margin − clearance(xᵢ))²,

within the bounds of both, start and goal fixed. The normal matrix is block-tridiagonal, so that a
step costs O(N (n + m)³). What counts in the end is one exact rollout from the start.
"""

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Final, TypeAlias, TypeVar

import numpy as np

from footwork.errors import BackendError, InputError
from footwork.planning._kernels.rollout import call_rollout
from footwork.planning._kernels.shooting import propagate_pieces
from footwork.planning.objectives import Objective
from footwork.planning.path_control import PathControl
from footwork.planning.rollout_codes import CHECK_NOTHING, CHECK_VALIDITY_AND_BOUNDS
from footwork.planning.shooting_equations import NormalEquations, working_bytes
from footwork.planning.shooting_unknowns import Unknowns
from footwork.planning.space_information import SpaceInformation
from footwork.planning.worlds.protocol import World
from footwork.typing import BoolVector, Matrix, Tensor, Vector

T = TypeVar("T")
Steps: TypeAlias = Generator[bool, None, T]
"""Work in steps, with its answer: yields True after each step, False where it may be paused."""

MARGIN: Final = 0.03
"""Clearance that is aimed at [m]; less is allowed as long as nothing is touched."""
CLEARANCE_WEIGHT: Final = 3.0
"""Factor of a missing metre of clearance, where one of position has the weight of the metric."""
FARTHEST: Final = 1e100
"""A piece that leads farther than this leads nowhere: its guess is given up."""
CLOSED: Final = 0.02
"""Largest gap, weighted, at which the exact rollout is tried."""
MOST_STEPS: Final = 400
"""Steps for one guess, at most."""
PATIENCE: Final = 20
"""A guess is given up if so many steps do not take off a tenth of the sum of squares."""
LEAST_DAMPING: Final = 1e-10
MOST_DAMPING: Final = 1e6


@dataclass(frozen=True, kw_only=True, eq=False)
class Guess:
    """A trajectory that need not obey the dynamics.

    Attributes:
        states: At the beginning of each piece and at the end, shape (N + 1, n).
        controls: One of each piece, shape (N, m).
        steps: Propagation steps of each piece.
    """

    states: Matrix
    controls: Matrix
    steps: int

    def stretched(self, si: SpaceInformation, count: int) -> "Guess":
        """Copy that does the same with another number of pieces, so faster or slower.

        Args:
            si: The system.
            count: Number of pieces.

        Returns:
            The copy.
        """
        old = len(self.controls)
        at = np.linspace(0.0, old, count + 1)
        below = np.minimum(at.astype(np.int64), old - 1)
        states = [
            si.state_space.interpolate(self.states[i], self.states[i + 1], float(t - i))
            for i, t in zip(below.tolist(), at, strict=True)
        ]
        middle = np.minimum((0.5 * (at[1:] + at[:-1])).astype(np.int64), old - 1)
        return Guess(states=np.array(states), controls=self.controls[middle], steps=self.steps)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Residual:
    """How far a trajectory is from obeying everything."""

    gaps: Matrix
    touching: Vector

    @property
    def cost(self) -> float:
        return float((self.gaps**2).sum() + (self.touching**2).sum())


class Shooting:
    """What pulls guesses into the dynamics of a system.

    Args:
        si: The system.

    Attributes:
        propagation_steps: Taken until now.

    Raises:
        InputError: If states or controls are whole numbers: there is nothing to differentiate.

    Source: bock1984multiple, marquardt1963algorithm
    """

    def __init__(self, si: SpaceInformation) -> None:
        self._unknowns = Unknowns(si)
        self.propagation_steps = 0
        self._si, self._compiled = si, si.compiled()
        self._free = self._compiled.params_checking(CHECK_NOTHING)
        self._strict = self._compiled.params_checking(CHECK_VALIDITY_AND_BOUNDS)
        self._world = si.validity if isinstance(si.validity, World) else None
        if self._world is not None:
            try:
                _ = self._world.clearance_kernel
            except InputError:
                self._world = None

    @property
    def sees_obstacles(self) -> bool:
        """Whether clearance is aimed at: the validity test is a world that measures it."""
        return self._world is not None

    def prepare(self, start: Vector, objective: Objective) -> None:
        """Compile all that `pull` and its users call, or read it from the disk.

        Args:
            start: A valid state, shape (n,).
            objective: What paths are rated by.
        """
        controls, h = self._si.control_space, self._si.propagation_step_size
        u = np.tile(0.5 * (controls.low + controls.high), (2, 1))
        guess = Guess(states=np.tile(start, (3, 1)), controls=u, steps=1).stretched(self._si, 2)
        is_fixed = np.zeros(len(start), dtype=np.bool_)
        for has_stepped in self.pull(guess, fixed_end=is_fixed, arrives=lambda _: False):
            if has_stepped:
                break
        finished(self._exact(start, u, 1))
        still = PathControl.from_arrays(self._si, guess.states, u, np.full(2, h))
        still.cost(objective)
        self.propagation_steps = 0

    def working_bytes(self, pieces: int) -> int:
        """Estimate what pulling needs.

        Args:
            pieces: Of the guess.

        Returns:
            Bytes.
        """
        return working_bytes(pieces + 1, len(self._unknowns.nudges))

    def pull(
        self, guess: Guess, *, fixed_end: BoolVector, arrives: Callable[[Vector], bool]
    ) -> Steps[PathControl]:
        """Pull a guess into the dynamics.

        Args:
            guess: Its first state is kept, and of its last what is fixed.
            fixed_end: Which numbers of the last state are fixed, shape (n,).
            arrives: Whether a state is in the goal.

        Yields:
            True after each step.

        Returns:
            A path that passes `PathControl.check` within bounds, as long as the guess, and ends
            where ``arrives`` says yes; if there is none, what is valid of the last try.
        """
        x, u = self._unknowns.inside(guess.states, guess.controls, fixed_end)
        residual = yield from self._residual(x, u, guess.steps)
        costs = [residual.cost]
        damping = 1e-2
        while len(costs) <= MOST_STEPS and not _stalls(costs):
            if np.abs(residual.gaps).max() < CLOSED:
                path = yield from self._exact(x[0], u, guess.steps)
                if path.control_count == len(u) and arrives(path.states[-1]):
                    return path
            system = yield from self._normal_equations(x, u, guess.steps, residual, fixed_end)
            if not system.is_finite:
                break
            room = self._unknowns.room(x, u)
            while damping <= MOST_DAMPING:
                step = system.solved(damping * self._unknowns.damping, *room)
                new_x, new_u = self._unknowns.stepped(x, u, step)
                new = yield from self._residual(new_x, new_u, guess.steps)
                if new.cost < costs[-1]:
                    break
                damping *= 8.0
            else:
                break
            damping = max(damping * (0.2 if new.cost < 0.7 * costs[-1] else 0.5), LEAST_DAMPING)
            x, u, residual = new_x, new_u, new
            costs.append(new.cost)
            yield True
        return (yield from self._exact(x[0], u, guess.steps))

    def _ends(self, x: Matrix, u: Matrix, steps: int, columns: int = 1) -> Steps[Tensor]:
        # Propagate the pieces, all at once if that is quick
        ends = np.empty((len(u), columns, x.shape[1]))
        h = self._si.propagation_step_size
        some = len(u) if self._compiled.is_native else 1
        for i in range(0, len(u), some):
            part = slice(i, i + some)
            code = propagate_pieces(
                *(self._compiled.address, x[part], u[part], h, steps),
                *(self._free, self._unknowns.nudges, ends[part]),
            )
            if code < 0:
                self._raise_within_bounds(x[part], u[part], steps)
                ends[part] = np.nan
            self.propagation_steps += len(ends[part]) * columns * steps
            yield False
        ends[~(np.abs(ends) < FARTHEST)] = np.nan
        return ends

    def _raise_within_bounds(self, x: Matrix, u: Matrix, steps: int) -> None:
        """Raise what fails within the bounds; far beyond, dynamics need not make sense."""
        error = self._compiled.python.take_error()
        if not (error is None or isinstance(error, ArithmeticError | ValueError | BackendError)):
            raise error
        h, out = self._si.propagation_step_size, np.empty((steps, x.shape[1]))
        for state, control in zip(x.copy(), u.copy(), strict=True):
            code = call_rollout(
                self._compiled.address, state, control, h, steps, 0.0, self._strict, out
            )
            self._compiled.raise_error(code, self._strict)

    def _residual(self, x: Matrix, u: Matrix, steps: int) -> Steps[_Residual]:
        ends = yield from self._ends(x, u, steps)
        return _Residual(
            gaps=self._unknowns.difference(ends[:, 0], x[1:]) * self._unknowns.weights,
            touching=self._touching(x),
        )

    def _touching(self, x: Matrix) -> Vector:
        missing = np.zeros(len(x))
        if self._world is not None and len(x) > 2:  # start and goal are as they are
            missing[1:-1] = np.maximum(MARGIN - self._world.clearance(x[1:-1]), 0.0)
        return CLEARANCE_WEIGHT * missing

    def _touching_slopes(self, x: Matrix, touching: Vector) -> Matrix:
        slopes = np.zeros(x.shape)
        step = 1e-5 * np.eye(x.shape[1])
        for i in np.flatnonzero(touching).tolist():
            assert self._world is not None
            apart = self._world.clearance(np.vstack([x[i] - step, x[i] + step])).reshape(2, -1)
            slopes[i] = CLEARANCE_WEIGHT * (apart[0] - apart[1]) / 2e-5
        return np.where(np.isfinite(slopes), slopes, 0.0)

    def _normal_equations(
        self, x: Matrix, u: Matrix, steps: int, residual: _Residual, fixed_end: BoolVector
    ) -> Steps[NormalEquations]:
        n, m = x.shape[1], u.shape[1]
        w = self._unknowns.weights
        ends = yield from self._ends(x, u, steps, 1 + n + m)
        J = self._unknowns.difference(ends[:, 1:], ends[:, :1]) / self._unknowns.nudges[:, None]
        J = J.transpose(0, 2, 1) * w[:, None]  # of each gap by the state and control before it
        slopes = self._touching_slopes(x, residual.touching)
        count, z = len(u) + 1, n + m
        diagonal, gradient = np.zeros((count, z, z)), np.zeros((count, z))
        diagonal[:-1] = J.transpose(0, 2, 1) @ J
        gradient[:-1] = (J.transpose(0, 2, 1) @ residual.gaps[:, :, None])[:, :, 0]
        diagonal[1:, :n, :n] += np.diag(w**2)
        gradient[1:, :n] -= residual.gaps * w
        diagonal[:, :n, :n] += slopes[:, :, None] * slopes[:, None, :]
        gradient[:, :n] += slopes * residual.touching[:, None]
        below = np.zeros((count - 1, z, z))
        below[:, :n] = -w[:, None] * J
        low, high = self._si.control_space.low, self._si.control_space.high
        fixed = np.zeros((count, z), dtype=np.bool_)
        fixed[:, :n] = _held(x, self._unknowns.low, self._unknowns.high, gradient[:, :n])
        fixed[:-1, n:] = _held(u, low, high, gradient[:-1, n:])
        fixed[0, :n] = fixed[-1, n:] = True
        fixed[-1, :n] |= fixed_end
        return NormalEquations(diagonal, below, gradient, ~fixed)

    def _exact(self, start: Vector, u: Matrix, steps: int) -> Steps[PathControl]:
        # Propagate the controls from the start, as long as states are valid and within bounds
        h = self._si.propagation_step_size
        states = np.empty((len(u) + 1, len(start)))
        states[0] = start
        out = np.empty((steps, len(start)))
        count = 0
        while count < len(u):
            x = states[count].copy()
            code = call_rollout(
                self._compiled.address, x, u[count].copy(), h, steps, 0.0, self._strict, out
            )
            self._compiled.raise_error(code, self._strict)
            self.propagation_steps += steps
            yield False
            if code < steps:
                break
            count += 1
            states[count] = out[-1]
        return PathControl.from_arrays(
            self._si, states[: count + 1], u[:count], np.full(count, steps * h)
        )


def finished(work: Steps[T], *, stop: Callable[[], bool] = lambda: False) -> T | None:
    """Do all steps of some work at once.

    Args:
        work: The work.
        stop: Asked between steps and at pauses; True gives up.

    Returns:
        Its answer, or None if it was given up.
    """
    while not stop():
        try:
            next(work)
        except StopIteration as end:
            answer: T = end.value
            return answer
    return None


def _stalls(costs: list[float]) -> bool:
    """Whether the last steps did not take off a tenth."""
    return len(costs) > 2 * PATIENCE + 1 and costs[-1] > 0.9 * costs[-1 - PATIENCE]


def _held(values: Matrix, low: Vector, high: Vector, gradient: Matrix) -> BoolVector:
    """Which numbers lie on a bound that the gradient pushes them against."""
    held: BoolVector = ((values <= low) & (gradient > 0.0)) | ((values >= high) & (gradient < 0.0))
    return held
