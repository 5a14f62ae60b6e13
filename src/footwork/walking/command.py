"""What a walk may be told while it is walked: another goal, a velocity, or to stop."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import degrees, hypot
from typing import Any, Final

from footwork.errors import InputError
from footwork.typing import as_array

FARTHEST: Final = 1000.0
"""Distance of a goal up to which one walk is planned [m]."""
LONGEST: Final = 3600.0
"""Duration up to which one walk is planned [s]."""
FASTEST: Final = 100.0
"""Velocity above which nothing that walks is meant [m/s, rad/s]."""


@dataclass(frozen=True, kw_only=True)
class Command:
    """One command; one of ``goal``, ``velocity`` and ``stop`` says which. SI units, radians.

    Attributes:
        time: When it is given, in a walk with a list of commands [s].
        goal: Where the middle of the feet is to arrive, in the world: x, y [m], yaw [rad].
        velocity: Forward, left [m/s], turning [rad/s].
        duration: Of a velocity, after which the robot stops [s]; until the next command when None.
        stop: Whether to come to rest, standing.

    Raises:
        InputError: If not exactly one thing is asked for, or a number makes no sense.
    """

    time: float = 0.0
    goal: tuple[float, float, float] | None = None
    velocity: tuple[float, float, float] | None = None
    duration: float | None = None
    stop: bool = False

    def __post_init__(self) -> None:
        if not isinstance(self.stop, bool):
            raise InputError(f"command: stop must be True or False, got {self.stop!r}")
        given = [self.goal is not None, self.velocity is not None, self.stop]
        if sum(given) != 1:
            raise InputError(f"a command is one of goal, velocity and stop, got {sum(given)}")
        as_array("command: time", self.time, ())
        if not 0.0 <= self.time <= LONGEST:
            raise InputError(
                f"command: time must not be negative and at most {LONGEST:g} s, got {self.time:g}"
            )
        if self.goal is not None:
            self._keep("goal", self.goal)
            refuse_far(self.goal[0], self.goal[1])
        if self.velocity is not None:
            self._keep("velocity", self.velocity)
            refuse_fast(self.velocity)
        if self.duration is not None:
            self._check_duration(self.duration)

    def _keep(self, name: str, numbers: Any) -> None:
        """Keep three numbers as a tuple, whatever they were given as: commands are compared."""
        x, y, z = as_array(f"command: {name}", numbers, (3,)).tolist()
        object.__setattr__(self, name, (x, y, z))

    def _check_duration(self, duration: float) -> None:
        if self.velocity is None:
            raise InputError("command: a duration belongs to a velocity, which is missing")
        as_array("command: duration", duration, ())
        if not 0.0 < duration <= LONGEST:
            raise InputError(
                f"command: duration must be positive and at most {LONGEST:g} s, got {duration:g}"
            )

    @property
    def is_stop(self) -> bool:
        """Whether it makes the robot stand: a velocity of zero does, too."""
        return self.stop or (self.velocity is not None and not any(self.velocity))

    @property
    def is_endless(self) -> bool:
        """Whether it makes the robot walk until another command."""
        return self.velocity is not None and self.duration is None and not self.is_stop

    def describe(self) -> str:
        """Say it in a few words."""
        if self.goal is not None:
            x, y, yaw = self.goal
            return f"to ({x:g} m, {y:g} m, {degrees(yaw):g}°)"
        if self.velocity is None:
            return "stop"
        vx, vy, wz = self.velocity
        words = f"at ({vx:g} m/s, {vy:g} m/s, {degrees(wz):g}°/s)"
        return words if self.duration is None else f"{words} for {self.duration:g} s"


@dataclass(frozen=True, kw_only=True)
class CommandNote:
    """What became of a command.

    Attributes:
        time: When it was given [s].
        command: What it said.
        refusal: Why the walk went on unchanged; "" when it did not.
        planning_time: CPU time of planning [s].
    """

    time: float
    command: Command
    refusal: str
    planning_time: float

    def to_table(self) -> dict[str, Any]:
        """List it as the summary has it."""
        return {
            "time_s": self.time,
            "command": self.command.describe(),
            "goal": self.command.goal,
            "refusal": self.refusal,
            "planning_time_s": self.planning_time,
        }


def refusals(log: Sequence[CommandNote]) -> str:
    """Say how many commands were refused, and why the first was.

    Args:
        log: What became of all of them.

    Returns:
        A sentence with a space before it; "" if none was.
    """
    refused = [note for note in log if note.refusal]
    if not refused:
        return ""
    note, many = refused[0], f"{len(refused)} of {len(log)} commands" if len(log) > 1 else "command"
    first = ", the first" if len(refused) > 1 else ""
    said = f"at {note.time:.2f} s, {note.command.describe()}: {note.refusal}"
    return f" Refused: {many}{first} {said}."


def refuse_far(x: float, y: float) -> None:
    """Refuse a goal that is farther away than a walk is planned for.

    Args:
        x: Of the goal [m].
        y: The same.

    Raises:
        InputError: If it is.
    """
    if hypot(x, y) > FARTHEST:
        raise InputError(
            f"({x:g} m, {y:g} m) is farther away than {FARTHEST:g} m, which is more than one walk "
            "is planned for; are these metres?"
        )


def refuse_fast(velocity: tuple[float, float, float]) -> None:
    """Refuse a velocity that nothing that walks is given.

    Args:
        velocity: Forward, left [m/s], turning [rad/s].

    Raises:
        InputError: If it is.
    """
    if max(map(abs, velocity)) > FASTEST:
        raise InputError(
            f"velocity: at most {FASTEST:g} each way, got {velocity}; are these m/s and rad/s?"
        )
