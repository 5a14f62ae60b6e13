"""What a tick starts from, and the rows of a leaf as one view sees them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from footwork.errors import InputError
from footwork.stack.epoch import new_stamp
from footwork.stack.settings import Settings
from footwork.typing import BoolVector, Matrix, Vector

if TYPE_CHECKING:
    from footwork.stack.constraint import ConstraintSegment
    from footwork.stack.leaf import LeafTask


class State(Protocol):
    """What a tick starts from: a robot's configuration and velocity, with a stamp of its own."""

    @property
    def stamp(self) -> int:
        """Positive, never the same for two states of the process."""


def stamp_of(state: State | None) -> int:
    """Give the stamp of a tick.

    Args:
        state: Of the robot; without one a new tick starts.

    Returns:
        The state's stamp, or a new one.

    Raises:
        InputError: If it is no state.
    """
    if state is None:
        return new_stamp()
    stamp = getattr(state, "stamp", None)
    if not isinstance(stamp, int):
        raise InputError(
            f"state: expected that of a robot, as robot.state(q, v) makes it, got {state!r}"
        )
    return stamp


class Model(Protocol):
    """The robot behind a task: computes what the evaluators read."""

    def refresh(self, state: State, needs: int) -> None:
        """Make the live data that ``needs`` names right for a state; cheap when it already is.

        Args:
            state: Of this robot.
            needs: Bits of the model's own making, joined over all tasks of the tick.
        """


@dataclass(frozen=True)
class Segment:
    """Rows of one leaf as one view sees them.

    Attributes:
        leaf: Where the rows live; None for those of an inequality task.
        rows: Row numbers in the leaf.
        settings: The leaf's own, then those of the views around it, inside out: λ and activity.
        masks: Settings whose joint mask applies.
        inequality: Rows of a constraint whose violation is minimised, instead of a leaf.
    """

    leaf: "LeafTask | None"
    rows: tuple[int, ...]
    settings: tuple[Settings, ...]
    masks: tuple[Settings, ...]
    inequality: "ConstraintSegment | None" = None

    @property
    def is_active(self) -> bool:
        """Whether the leaf, or the constraint, and every view around it are active."""
        inner = self.inequality is None or self.inequality.is_active
        return inner and all(s.is_active for s in self.settings)

    @property
    def lambda_(self) -> float:
        """Product of every λ."""
        product = 1.0
        for s in self.settings:
            product *= s.lambda_
        return product

    def mask(self) -> BoolVector | None:
        """Join the masks.

        Returns:
            False where a column is zeroed; None when there is no mask.
        """
        joined: BoolVector | None = None
        for s in self.masks:
            if s.mask is not None:
                joined = s.mask if joined is None else joined & s.mask
        return joined

    def part(self, positions: Sequence[int]) -> "Segment":
        """Take some of the rows.

        Args:
            positions: Positions in ``self.rows``.

        Returns:
            The smaller segment.
        """
        rows = tuple(self.rows[p] for p in positions)
        inequality = None if self.inequality is None else self.inequality.part(tuple(positions))
        return Segment(self.leaf, rows, self.settings, self.masks, inequality)

    def inside(self, settings: Settings, *, masked: bool) -> "Segment":
        """Put a view around the rows.

        Args:
            settings: Of the view.
            masked: Whether the view has a joint mask of its own.

        Returns:
            The segment as the view's users see it.
        """
        masks = (*self.masks, settings) if masked else self.masks
        around = (*self.settings, settings)
        return Segment(self.leaf, self.rows, around, masks, self.inequality)

    def own_rows(self) -> Matrix:
        """Take the rows without masks.

        Returns:
            Shape (rows, n).
        """
        if self.leaf is not None:
            return self.leaf.own_A[list(self.rows)]
        return self._limits()[0]

    def own_terms(self) -> Matrix:
        """Take feed-forward, error and error rate; of an inequality the least of |C x| allowed.

        Returns:
            Shape (3, rows).
        """
        if self.leaf is not None:
            return self.leaf.own_terms[:, list(self.rows)]
        _, low, high = self._limits()
        terms = np.zeros((3, low.size))
        terms[0] = np.clip(0.0, low, np.maximum(low, high))
        return terms

    def target(self) -> Vector:
        """Compute b = feedforward + λ·error + √λ·error_rate.

        Returns:
            Shape (rows,).
        """
        feedforward, error, rate = self.own_terms()
        gain = self.lambda_
        target: Vector = feedforward + gain * error + np.sqrt(gain) * rate
        return target

    def masked_rows(self) -> Matrix:
        """Take the rows as a user sees them: masked, and zero when not active.

        Returns:
            Shape (rows, n).
        """
        rows = self.own_rows()
        if not self.is_active:
            return np.zeros_like(rows)
        mask = self.mask()
        return rows if mask is None else rows * mask

    def residual(self, x: Vector) -> Vector:
        """Compute A x − b, of an inequality how far C x is outside; zero when not active.

        Args:
            x: Unknowns.

        Returns:
            Shape (rows,).
        """
        if not self.is_active:
            return np.zeros(len(self.rows))
        y = self.masked_rows() @ x
        if self.inequality is None:
            return np.asarray(y - self.target())
        _, low, high = self._limits()
        return np.asarray(np.maximum(y - high, 0.0) + np.minimum(y - low, 0.0))

    def tick(self, stamp: int, state: State | None) -> None:
        """Bring the leaf and the ramps around it to a tick, once.

        Args:
            stamp: Of the tick.
            state: Of the robot, if the tick has one.
        """
        for settings in self.settings:
            settings.advance(stamp)
        if self.leaf is not None:
            self.leaf.tick_rows(stamp, state)
        elif self.inequality is not None:
            self.inequality.tick(stamp, state)

    def _limits(self) -> tuple[Matrix, Vector, Vector]:
        if self.inequality is None:
            raise InputError("a segment has neither a leaf nor an inequality")
        return self.inequality.values()
