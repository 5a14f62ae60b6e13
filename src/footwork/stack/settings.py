"""What a user may set on a task: λ, activity with its ramp, joint mask, Hessian type."""

from enum import IntEnum

import numpy as np

from footwork.errors import InputError
from footwork.stack.epoch import EPOCH
from footwork.typing import BoolVector


class HessianType(IntEnum):
    """What is known about AᵀWA; the numbers are those of qpOASES and OpenSoT."""

    ZERO = 0
    IDENTITY = 1
    POSDEF = 2
    POSDEF_NULLSPACE = 3
    SEMIDEF = 4
    UNKNOWN = 5


def as_hessian_type(value: object, task: str) -> HessianType:
    """Take a Hessian type, or the number of one.

    Args:
        value: What came.
        task: Id of the task that it is set on, for the message.

    Returns:
        The type.

    Raises:
        InputError: If it is none.
    """
    try:
        if isinstance(value, int) and not isinstance(value, bool):
            return HessianType(value)
    except ValueError:
        pass
    names = ", ".join(kind.name for kind in HessianType)
    raise InputError(f"hessian_type of {task!r} must be a HessianType ({names}), got {value!r}")


def as_switch(value: object, what: str) -> bool:
    """Take a truth value, and nothing that merely has one.

    Args:
        value: What came.
        what: What is switched, for the message.

    Returns:
        The truth value.

    Raises:
        InputError: If it is neither True nor False: any text that is not empty, even "no", would
            switch on.
    """
    if not isinstance(value, bool | np.bool_):
        raise InputError(f"{what}: expected True or False, got {value!r}")
    return bool(value)


class Settings:
    """One task's own settings; views that are the same task in another dress share them.

    Attributes:
        lambda_: Gain λ of the error [1/s for velocity tasks].
        hessian_type: As set.
        mask: False where a column of A is zeroed; None when no column is.
        is_mute: Whether the linear cost is left out for now, while a ramp finds the solution
            without the task.
    """

    __slots__ = ("_progress", "_stamp", "_step", "hessian_type", "is_mute", "lambda_", "mask")

    def __init__(self, hessian_type: HessianType = HessianType.UNKNOWN) -> None:
        self.lambda_ = 1.0
        self.hessian_type = hessian_type
        self.mask: BoolVector | None = None
        self.is_mute = False
        self._progress = 1.0
        self._step = 0.0
        self._stamp: int | None = None

    @property
    def is_active(self) -> bool:
        """Whether the task counts: fully, or during a ramp."""
        return self._progress > 0.0 or self._step > 0.0

    @property
    def is_ramping(self) -> bool:
        """Whether a ramp is on its way."""
        return self._step != 0.0

    @property
    def activation(self) -> float:
        """From 0 (off) to 1 (on), with zero slope at both ends: α = 3 s² − 2 s³."""
        s = self._progress
        return s * s * (3.0 - 2.0 * s)

    @property
    def cost_share(self) -> float:
        """What part of a linear cost counts, from 0 to 1."""
        return 0.0 if self.is_mute else self.activation

    def set_active(self, active: bool) -> None:
        """Switch at once; ends a ramp.

        Args:
            active: Whether the task counts.
        """
        self._progress, self._step = (1.0 if active else 0.0), 0.0
        EPOCH.structure_changed()

    def start_ramp(self, active: bool, ticks: int) -> None:
        """Switch smoothly.

        Args:
            active: Where the ramp leads.
            ticks: How many ticks a whole ramp takes.

        Raises:
            InputError: If ``ticks`` is not positive.
        """
        if isinstance(ticks, bool) or not isinstance(ticks, int | np.integer) or ticks <= 0:
            raise InputError(f"ticks: a ramp takes a whole number, at least 1 tick, got {ticks!r}")
        target = 1.0 if active else 0.0
        if self._progress != target:
            self._step = (1.0 if active else -1.0) / ticks
            EPOCH.structure_changed()

    def advance(self, stamp: int) -> None:
        """Go one tick further along the ramp; once a tick.

        Args:
            stamp: Of the tick.
        """
        if self._step == 0.0 or stamp == self._stamp:
            return
        self._stamp = stamp
        # A tolerance of half a step, so that rounding never costs a tick.
        progress = self._progress + self._step
        if progress >= 1.0 - 0.5 * abs(self._step) or progress <= 0.5 * abs(self._step):
            self._progress = 1.0 if self._step > 0.0 else 0.0
            self._step = 0.0
            EPOCH.structure_changed()
        else:
            self._progress = progress
