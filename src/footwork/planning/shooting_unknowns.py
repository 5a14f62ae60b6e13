"""The unknowns of shooting, states and controls: their bounds, and how they differ and move."""

from typing import Final

import numpy as np

from footwork.errors import InputError
from footwork.planning.space_information import SpaceInformation
from footwork.planning.spaces.components import Kind
from footwork.typing import BoolVector, Matrix, Tensor

INSIDE: Final = 0.005
"""How far inside of the bounds states are kept, as a share of their range."""
NUDGE: Final = 1e-6
"""For finite differences, as a share of the range of a control, or absolute in a state."""


class Unknowns:
    """States at the beginnings of pieces and controls of a system.

    Args:
        si: The system.

    Attributes:
        weights: Of each number of a state, shape (n,).
        low: Least states, a little inside of the bounds, shape (n,).
        high: Largest states, shape (n,).
        nudges: What finite differences add, shape (n + m,).
        damping: Scale of each unknown, shape (n + m,).

    Raises:
        InputError: If states or controls are whole numbers: there is nothing to differentiate.
    """

    def __init__(self, si: SpaceInformation) -> None:
        require_real(si)
        space, controls = si.state_space, si.control_space
        self._components, self._controls = space.components.tolist(), controls
        n = space.dimension
        self.weights = np.empty(n)
        self.low, self.high = np.full(n, -np.inf), np.full(n, np.inf)
        for (kind, i, size), weight in zip(self._components, space.weights.tolist(), strict=True):
            part = slice(i, i + size)
            self.weights[part] = max(weight, 1e-3)
            if kind not in (Kind.SO2, Kind.SO3):
                pad = INSIDE * (space.high[part] - space.low[part])
                self.low[part], self.high[part] = space.low[part] + pad, space.high[part] - pad
        width = controls.high - controls.low
        width[width == 0.0] = 1.0  # it has no room to move, whatever the scale
        self.nudges = np.concatenate([np.full(n, NUDGE), NUDGE * width])
        self.damping = np.concatenate([self.weights, 0.3 / width]) ** 2

    def inside(
        self, states: Matrix, controls: Matrix, fixed_end: BoolVector
    ) -> tuple[Matrix, Matrix]:
        """Bring a trajectory within the bounds, but for its first state and what is fixed.

        Args:
            states: Shape (N + 1, n).
            controls: Shape (N, m).
            fixed_end: Which numbers of the last state are fixed, shape (n,).

        Returns:
            States and controls, copies.
        """
        x = np.clip(states, self.low, self.high)
        x[0] = states[0]
        x[-1, fixed_end] = states[-1, fixed_end]
        return x, np.clip(controls, self._controls.low, self._controls.high)

    def room(self, x: Matrix, u: Matrix) -> tuple[Matrix, Matrix]:
        """Say how far each unknown may move.

        Args:
            x: States, shape (N + 1, n).
            u: Controls, shape (N, m).

        Returns:
            Down, not above 0, and up, not below 0, each of shape (N + 1, n + m).
        """
        controls, n = self._controls, x.shape[1]
        down, up = (np.zeros((len(x), n + u.shape[1])) for _ in range(2))
        down[:, :n], up[:, :n] = np.minimum(self.low - x, 0.0), np.maximum(self.high - x, 0.0)
        down[:-1, n:], up[:-1, n:] = controls.low - u, controls.high - u
        return down, up

    def stepped(self, x: Matrix, u: Matrix, step: Matrix) -> tuple[Matrix, Matrix]:
        """Move a trajectory; angles are wrapped, quaternions brought to norm 1.

        Args:
            x: States, shape (N + 1, n).
            u: Controls, shape (N, m).
            step: What is added, shape (N + 1, n + m).

        Returns:
            States and controls, within the bounds where they moved.
        """
        n = x.shape[1]
        moved = x + step[:, :n]
        for kind, i, size in self._components:
            if kind == Kind.SO2:
                moved[:, i] = _wrapped(moved[:, i])
            elif kind == Kind.SO3:
                part = moved[:, i : i + size]
                part /= np.linalg.norm(part, axis=1, keepdims=True)
        moved = np.where(step[:, :n] != 0.0, np.clip(moved, self.low, self.high), x)
        return moved, np.clip(u + step[:-1, n:], self._controls.low, self._controls.high)

    def difference(self, a: Tensor, b: Tensor) -> Tensor:
        """Subtract states, angles the short way round, quaternions of the same sign.

        Args:
            a: States, shape (…, n).
            b: States, shape (…, n).

        Returns:
            a − b.
        """
        d: Tensor = a - b
        for kind, i, size in self._components:
            part = slice(i, i + size)
            if kind == Kind.SO2:
                d[..., i] = _wrapped(d[..., i])
            elif kind == Kind.SO3:
                opposed = (a[..., part] * b[..., part]).sum(axis=-1, keepdims=True) < 0.0
                d[..., part] = np.where(opposed, -a[..., part], a[..., part]) - b[..., part]
        return d


def is_real(si: SpaceInformation) -> bool:
    """Whether a system can be differentiated.

    Args:
        si: The system.

    Returns:
        Whether no number of its states and controls is a whole one.
    """
    kinds = si.state_space.components[:, 0]
    return not (si.control_space.is_discrete.any() or (kinds == Kind.DISCRETE).any())


def require_real(si: SpaceInformation) -> None:
    """Refuse a system that has nothing to differentiate.

    Args:
        si: The system.

    Raises:
        InputError: If states or controls are whole numbers.
    """
    if not is_real(si):
        raise InputError("shooting needs real states and controls; some here are whole numbers")


def _wrapped(angles: Tensor) -> Tensor:
    wrapped: Tensor = (angles + np.pi) % (2.0 * np.pi) - np.pi
    return wrapped
