"""A gait: which foot touches in which part of a stride."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, TypeAlias

from footwork.contacts.contact import check_kind
from footwork.contacts.nanoseconds import Time, as_period, as_time, format_time
from footwork.errors import GaitError, InputError
from footwork.typing import as_array

BIPED: Final = ("left", "right")
"""Names of two feet."""
QUADRUPED: Final = ("LF", "RF", "LH", "RH")
"""Names of four feet: left and right fore, left and right hind."""

_MOST_STRIDES: Final = 10**6

Stances: TypeAlias = Mapping[str, Sequence[tuple[float, float]]]
"""Foot → the parts of the stride in which it touches, as (begin, end) phases."""


@dataclass(frozen=True, kw_only=True)
class Gait:
    """When each foot touches, over one stride whose phase goes from 0 to 1 and begins anew.

    Attributes:
        name: For people.
        stances: Foot → parts of the stride in which it touches, (begin, end) with 0 ≤ begin < 1 and
            begin < end ≤ begin + 1, in order and not overlapping round the stride; an end above 1
            goes on in the next stride. Decimals are taken as they are written, 0.1 as 1/10.

    Raises:
        GaitError: If the parts are no such intervals; says which foot and part.

    Example:
        >>> from footwork.contacts.gaits import named
        >>> trot = named("trot")
        >>> trot.support_at(0.1), trot.support_at(0.6)
        (('RF', 'LH'), ('LF', 'RH'))
        >>> trot.duty("LF")
        0.5
    """

    name: str
    stances: Stances

    def __post_init__(self) -> None:
        check_kind("name", self.name, str, "a string")
        check_kind("stances", self.stances, Mapping, "a dict of foot and parts of the stride")
        for foot in self.stances:
            check_kind("foot", foot, str, "a string")
        if not self.stances:
            raise GaitError(f"{self.name}: expected one foot or more")
        parts = {foot: _as_parts(self.name, foot, given) for foot, given in self.stances.items()}
        plain = {foot: tuple((float(a), float(b)) for a, b in v) for foot, v in parts.items()}
        object.__setattr__(self, "_parts", parts)
        object.__setattr__(self, "stances", plain)

    @property
    def feet(self) -> tuple[str, ...]:
        """Names of the feet."""
        return tuple(self.stances)

    def duty(self, foot: str) -> float:
        """How much of the stride a foot touches.

        Args:
            foot: Its name.

        Returns:
            Fraction of the stride, 0 to 1.
        """
        return float(sum(end - begin for begin, end in self._parts_of(foot)))

    def is_in_contact(self, foot: str, phase: float) -> bool:
        """Tell whether a foot touches.

        Args:
            foot: Its name.
            phase: Any number; its fractional part counts.

        Returns:
            Whether it does; at its lift-off it does not.
        """
        at = exactly(phase) % 1
        return any(begin <= at < end or at + 1 < end for begin, end in self._parts_of(foot))

    def support_at(self, phase: float) -> tuple[str, ...]:
        """Feet that touch.

        Args:
            phase: Any number; its fractional part counts.

        Returns:
            Their names.
        """
        return tuple(foot for foot in self.feet if self.is_in_contact(foot, phase))

    @property
    def switches(self) -> tuple[float, ...]:
        """Phases in [0, 1) at which a foot touches down or lifts off, ascending."""
        return tuple(
            float(phase)
            for phase in sorted(
                {
                    bound % 1
                    for parts in self._all_parts.values()
                    for begin, end in parts
                    if end - begin < 1
                    for bound in (begin, end)
                }
            )
        )

    def stances_within(
        self, foot: str, begin: Time, end: Time, period: Time, *, phase: float | Fraction = 0.0
    ) -> list[tuple[int, int]]:
        """When a foot touches in [begin, end), strides following one another.

        Times of the strides are exact: they do not drift, and what touches in phase touches in
        time.

        Args:
            foot: Its name.
            begin: First instant [ns], an absolute time.
            end: First instant after it [ns], an absolute time.
            period: Length of a stride [ns].
            phase: Phase at the beginning.

        Returns:
            Intervals [ns], in order, cut at both ends; parts that touch are one.

        Raises:
            GaitError: If the end is not after the beginning, or is more than a million strides
                away, as it is when a gait is to go on for ever.
        """
        first, last = check_span(begin, end, self.name)
        stride = as_period("period", period)
        check_strides(first, last, stride, self.name)
        at = exactly(phase)
        parts = self._parts_of(foot)
        # whole numbers over one denominator, so that a million strides are exact and quick
        unit = math.lcm(at.denominator, *(bound.denominator for part in parts for bound in part))
        whole = [(int(a * unit), int(b * unit)) for a, b in parts]
        found: list[tuple[int, int]] = []
        # a part may reach into the next stride
        stride_begin = (at.__floor__() - 1) * unit - int(at * unit)
        while stride_begin * stride < (last - first) * unit:
            for a, b in whole:
                touch_down = first + _rounded((stride_begin + a) * stride, unit)
                lift_off = first + _rounded((stride_begin + b) * stride, unit)
                _append(found, max(touch_down, first), min(lift_off, last))
            stride_begin += unit
        return found

    @property
    def _all_parts(self) -> dict[str, tuple[tuple[Fraction, Fraction], ...]]:
        parts: dict[str, tuple[tuple[Fraction, Fraction], ...]] = self.__dict__["_parts"]
        return parts

    def _parts_of(self, foot: str) -> tuple[tuple[Fraction, Fraction], ...]:
        try:
            return self._all_parts[foot]
        except (KeyError, TypeError) as error:  # the latter of what cannot be hashed
            raise InputError(
                f"{self.name}: no foot {foot!r}; there are {', '.join(self.feet)}"
            ) from error


def check_span(begin: Time, end: Time, what: str) -> tuple[int, int]:
    """Check a stretch of absolute time.

    Args:
        begin: First instant [ns].
        end: First instant after it [ns].
        what: What is to happen in it, for the error message.

    Returns:
        Both.

    Raises:
        GaitError: If the end is not after the beginning.
    """
    first, last = as_time("begin", begin), as_time("end", end)
    if not first < last:
        raise GaitError(
            f"{what}: the end, {format_time(last)}, is not after the beginning, "
            f"{format_time(first)}; both are absolute times, not durations"
        )
    return first, last


def check_strides(first: int, last: int, stride: int, what: str) -> None:
    """Refuse more strides than anybody wants, as of a gait that is to go on for ever.

    Args:
        first: First instant [ns].
        last: First instant after it [ns].
        stride: Length of a stride [ns].
        what: Name of the gait, for the error message.

    Raises:
        GaitError: If they are more than a million.
    """
    if (last - first) // stride > _MOST_STRIDES:
        raise GaitError(
            f"{what}: expected {_MOST_STRIDES} strides or fewer, got a period of "
            f"{format_time(stride)} from {format_time(first)} to {format_time(last)}; a gait "
            "cannot be tiled for ever"
        )


def _as_parts(
    name: str, foot: str, given: Sequence[tuple[float, float]]
) -> tuple[tuple[Fraction, Fraction], ...]:
    try:
        parts = [(exactly(begin), exactly(end)) for begin, end in given]
    except (TypeError, ValueError) as error:
        raise GaitError(
            f"{name}, {foot}: expected (begin, end) pairs of numbers, got {given!r}"
        ) from error
    for i, (begin, end) in enumerate(parts):
        if not (0 <= begin < 1 and begin < end <= begin + 1):
            raise GaitError(
                f"{name}, {foot}, part {i}: expected 0 <= begin < 1 and begin < end <= begin + 1, "
                f"got ({float(begin):g}, {float(end):g})"
            )
        following = parts[i + 1][0] if i + 1 < len(parts) else parts[0][0] + 1
        if following < end:
            raise GaitError(
                f"{name}, {foot}, part {i}: it ends at {float(end):g}, after the next one begins "
                f"at {float(following):g}"
            )
    return tuple(parts)


def exactly(number: float | Fraction) -> Fraction:
    """Take a number as it is written: 0.1 is 1/10, not the nearest double.

    Args:
        number: A finite number.

    Returns:
        The fraction.

    Raises:
        InputError: If it is no finite number.
    """
    if isinstance(number, Fraction):
        return number
    return Fraction(repr(float(as_array("phase", number, ()))))


def _rounded(numerator: int, denominator: int) -> int:
    """The nearest integer to a quotient, halves up."""
    return (2 * numerator + denominator) // (2 * denominator)


def _append(spans: list[tuple[int, int]], begin: int, end: int) -> None:
    """Append an interval if it has a length, to the last one if it touches that."""
    if begin >= end:
        return
    if spans and begin <= spans[-1][1]:
        spans[-1] = (spans[-1][0], end)
    else:
        spans.append((begin, end))
