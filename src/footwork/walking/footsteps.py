"""Footsteps along a motion of the base, and the contacts and phases they make."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import ceil, hypot

import numpy as np

from footwork.contacts import (
    FOREVER,
    ContactList,
    ContactPhaseList,
    ContactType,
    seconds,
)
from footwork.errors import FootstepError, InputError
from footwork.spatial import Pose
from footwork.typing import Matrix, Vector
from footwork.walking.base_motion import BaseMotion, turned
from footwork.walking.config import StepLimits, WalkingConfig

ARRIVED = 0.01
"""So near its goal the base has arrived, as far as the number of steps is concerned [m]."""
ARRIVED_YAW = 0.02
"""The same [rad]."""

Height = Callable[[float, float], float]
Tread = Callable[[float], float]


@dataclass(frozen=True, kw_only=True)
class Footstep:
    """One foot put down.

    Attributes:
        foot: Name of the foot's frame.
        pose: T_world_foot, level.
        group: Which step it belongs to; feet of one group swing together.
    """

    foot: str
    pose: Pose
    group: int


def plan_footsteps(
    motion: BaseMotion,
    start: Mapping[str, Pose],
    config: WalkingConfig,
    *,
    offsets: Mapping[str, tuple[float, float]] | None = None,
    height: Height | None = None,
    tread: Tread | None = None,
    first: int | None = None,
    strict: bool = True,
) -> tuple[Footstep, ...]:
    """Put feet along a motion of the base, one group of feet a step, and end with all feet square.

    In step k the feet go to where they belong under the base half a step after the step's end: in
    the middle of the time for which they carry it. The last groups all go under the goal. A motion
    that goes nowhere needs no steps.

    Args:
        motion: Of the middle of the feet.
        start: Where each foot stands, by name.
        config: Gives durations, order of feet, limits.
        offsets: Where each foot belongs relative to the middle of the feet [m]; as they stand at
            the start when not given.
        height: Of the ground at (x, y) [m]; level when not given.
        tread: Moves x of a foot to where its whole sole has ground [m]; nowhere when not given.
        first: Which group of feet begins; that on the side the motion goes to when not given.
        strict: Whether a step that breaks a limit is an error; the gait keeps to the limits by
            itself, so a robot that lost its stance may start from anywhere.

    Returns:
        The steps, in order.

    Raises:
        FootstepError: If a step breaks a limit; names the step, the limit and the excess.
    """
    offsets = offsets or offsets_of(start, motion.at(motion.times[0]))
    ground = height or (lambda _x, _y: 0.0)
    fit = tread or (lambda x: x)
    still = all(
        _distance(start[foot], _place(motion.goal, offset, ground, fit)) < 1e-3
        for foot, offset in offsets.items()
    )
    if still and motion.duration == 0.0:
        return ()
    period = config.gait.step_duration
    # one step at most is saved: a motion on the spot is to take its time
    arrival = max(motion.arrival(ARRIVED, ARRIVED_YAW), motion.duration - period)
    last = max(ceil(arrival / period - 1.5 - 1e-9), 0)
    count = last + len(config.groups)
    feet = dict(start)
    steps: list[Footstep] = []
    order = _order(motion, config)
    if first is not None:
        order = config.groups[first:] + config.groups[:first]
    bases = motion.at(motion.times[0] + (np.arange(last) + 1.5) * period)
    for k in range(count):
        base = bases[k] if k < last else motion.goal
        stance = dict(feet)
        for foot in order[k % len(order)]:
            pose = _place(base, offsets[foot], ground, fit)
            if len(feet) == 2:
                pose = _widened(pose, stance, foot, config.limits)
            feet[foot] = pose
            steps.append(Footstep(foot=foot, pose=pose, group=k))
        if strict:
            _check(k, stance, feet, order[k % len(order)], config.limits)
    return tuple(steps)


def offsets_of(start: Mapping[str, Pose], base: Vector) -> dict[str, tuple[float, float]]:
    """Tell where feet stand relative to a pose of the base.

    Args:
        start: Feet, by name.
        base: (x, y, yaw) [m, rad].

    Returns:
        Foot → forward and left of the base [m].
    """
    x, y, yaw = base
    return {foot: turned(pose.x - x, pose.y - y, -yaw) for foot, pose in start.items()}


def _order(motion: BaseMotion, config: WalkingConfig) -> tuple[tuple[str, ...], ...]:
    """Begin with the foot on the side the motion goes to, so that feet do not cross."""
    ahead = motion.at(motion.times[0] + config.gait.step_duration)
    x, y, yaw = motion.at(motion.times[0])
    _, left = turned(ahead[0] - x, ahead[1] - y, -yaw)
    if len(config.groups) == 2 and (left < -1e-3 or ahead[2] - yaw < -0.02):
        return config.groups[::-1]
    return config.groups


def _place(base: Vector, offset: tuple[float, float], ground: Height, fit: Tread) -> Pose:
    dx, dy = turned(*offset, base[2])
    x, y = fit(base[0] + dx), base[1] + dy
    return Pose.from_xy_yaw(x, y, base[2], ground(x, y))


def _widened(pose: Pose, stance: Mapping[str, Pose], foot: str, limits: StepLimits) -> Pose:
    """Put a foot that would come too close to the standing one, as in a turn, farther out."""
    other = next(name for name in stance if name != foot)
    side = 1.0 if next(iter(stance)) == foot else -1.0
    relative = stance[other].inverse() @ pose
    missing = limits.width[0] - side * relative.y
    if missing <= 0.0:
        return pose
    dx, dy = turned(0.0, side * missing, stance[other].yaw)
    return Pose.from_xy_yaw(pose.x + dx, pose.y + dy, pose.yaw, pose.z)


def _distance(a: Pose, b: Pose) -> float:
    return max(hypot(a.x - b.x, a.y - b.y), abs(a.yaw - b.yaw))


def _check(
    step: int,
    stance: Mapping[str, Pose],
    feet: Mapping[str, Pose],
    swung: tuple[str, ...],
    limits: StepLimits,
) -> None:
    standing = [name for name in feet if name not in swung]
    for foot in swung:
        moved = stance[foot].inverse() @ feet[foot]
        turn = abs(moved.yaw)
        if turn > limits.turn * 2.0 + 1e-9:
            raise FootstepError(step, "turn", turn, limits.turn * 2.0, "turn more slowly")
        if len(feet) > 2:
            reach = hypot(moved.x, moved.y)
            if reach > 2.0 * limits.forward + 1e-9:
                raise FootstepError(
                    step, "forward", reach, 2.0 * limits.forward, "walk more slowly"
                )
            continue
        relative = stance[standing[0]].inverse() @ feet[foot]
        if abs(relative.x) > limits.forward + 1e-9:
            raise FootstepError(
                step, "forward", abs(relative.x), limits.forward, "walk more slowly"
            )
        narrow, wide = limits.width
        side = relative.y if next(iter(feet)) == foot else -relative.y
        if side < narrow - 1e-9:
            raise FootstepError(step, "width[0]", side, narrow, "go sideways more slowly")
        if side > wide + 1e-9:
            raise FootstepError(step, "width[1]", side, wide, "go sideways more slowly")
        if abs(relative.z) > limits.up + 1e-9:
            raise FootstepError(step, "up", abs(relative.z), limits.up, "choose a flatter way")


def schedule(
    steps: tuple[Footstep, ...],
    start: Mapping[str, Pose],
    config: WalkingConfig,
    *,
    point_feet: bool = False,
) -> dict[str, ContactList]:
    """Give footsteps their times: one contact list a foot.

    Args:
        steps: In order.
        start: Where each foot stands, by name.
        config: Gives durations.
        point_feet: Whether contacts are points.

    Returns:
        Foot → contacts; the first begin at 0, the last last for ever.
    """
    gait = config.gait
    kind = ContactType.POINT if point_feet else ContactType.FULL
    lists = {
        foot: ContactList(default_name=foot, default_contact_type=kind, default_index=i)
        for i, foot in enumerate(start)
    }
    standing: dict[str, tuple[Pose, int]] = {foot: (pose, 0) for foot, pose in start.items()}
    count = steps[-1].group + 1 if steps else 0
    for k in range(count):
        lift = gait.hold_duration + gait.start_duration + k * gait.step_duration
        for step in (s for s in steps if s.group == k):
            pose, since = standing[step.foot]
            lists[step.foot].add_contact(pose, since, seconds(lift))
            standing[step.foot] = (step.pose, seconds(lift + gait.swing_duration))
    for foot, (pose, since) in standing.items():
        lists[foot].add_contact(pose, since, FOREVER)
    return lists


@dataclass(frozen=True, kw_only=True, eq=False)
class StepSequence:
    """The steps of a phase list, as the kernels of the gait take them.

    Attributes:
        feet: Names of the feet.
        swings: 1 where a foot swings in a step, shape (steps, feet).
        footholds: (x, y, z, yaw) of all feet before each step and after the last, yaw unwrapped,
            shape (steps + 1, feet, 4).
        swing_times: Of each step [s], shape (steps,).
        transfer_times: Before each step and after the last [s], shape (steps + 1,).
        hold_time: Standing before the first transfer [s].
    """

    feet: tuple[str, ...]
    swings: Matrix
    footholds: Matrix
    swing_times: Vector
    transfer_times: Vector
    hold_time: float


def sequence_of(
    steps: tuple[Footstep, ...],
    names: tuple[str, ...],
    feet: Matrix,
    config: WalkingConfig,
    *,
    is_moving: bool = False,
) -> StepSequence:
    """Make footsteps a step sequence at once, without contacts in between.

    For a robot that stands, that is what `read_phases` reads in the contacts of `schedule`.

    Args:
        steps: In order.
        names: Of the feet.
        feet: Where they stand before: (x, y, z, yaw) [m, rad], shape (feet, 4).
        config: Gives durations.
        is_moving: Whether other steps go before, so that the first transfer is as all others.

    Returns:
        The steps.
    """
    gait = config.gait
    count = steps[-1].group + 1 if steps else 0
    swings = np.zeros((count, len(names)))
    rows = np.repeat(feet[None], count + 1, axis=0)
    for step in steps:
        i, pose = names.index(step.foot), step.pose
        swings[step.group, i] = 1.0
        rows[step.group + 1 :, i] = pose.x, pose.y, pose.z, pose.yaw
    rows[:, :, 3] = np.unwrap(rows[:, :, 3], axis=0)
    transfers = np.full(count + 1, gait.transfer_duration)
    transfers[0] = gait.transfer_duration if is_moving else gait.start_duration
    transfers[-1] = gait.stop_duration
    return StepSequence(
        feet=names,
        swings=swings,
        footholds=rows,
        swing_times=np.full(count, gait.swing_duration),
        transfer_times=transfers,
        hold_time=gait.hold_duration,
    )


def read_phases(phases: ContactPhaseList, config: WalkingConfig) -> StepSequence:
    """Read the steps out of contact phases.

    A phase in which every foot stands is a transfer, any other one a step of the feet it lacks.

    Args:
        phases: Of all feet; the last one goes on for ever.
        config: Gives the lengths of first and last transfer.

    Returns:
        The steps.

    Raises:
        InputError: If all feet are in the air at once, a foot swings through two phases in a row,
            or a foot never lands; names the phase.
    """
    names = tuple(phases.keys)
    gait = config.gait
    swings: list[list[float]] = []
    times: list[float] = []
    transfers: list[float] = []
    rows = [_row(phases[0].active_contacts, names, None, 0)]
    pending = 0.0
    for i, phase in enumerate(phases):
        active = phase.active_contacts
        rows[-1] = _row(active, names, rows[-1], i)
        if len(active) == len(names):
            pending = phase.duration * 1e-9 if i < len(phases) - 1 else gait.stop_duration
            continue
        if not active:
            raise InputError(f"phase {i} ({phase}): all feet are in the air; a walk needs one down")
        if swings and pending == 0.0:
            both = [n for n, s in zip(names, swings[-1], strict=True) if s and n not in active]
            if both:
                raise InputError(
                    f"phase {i} ({phase}): {both[0]!r} swings on while another foot changes; "
                    "all feet of a step must swing over the same time"
                )
        swings.append([0.0 if name in active else 1.0 for name in names])
        times.append(phase.duration * 1e-9)
        transfers.append(pending)
        pending = 0.0
        rows.append(rows[-1].copy())
    if swings and pending == 0.0:
        missing = [name for name in names if name not in phases[-1].active_contacts]
        raise InputError(f"the last phase leaves {missing} in the air; every foot has to land")
    first = transfers[0] if transfers else gait.start_duration
    hold = max(first - gait.start_duration, 0.0) if swings else gait.hold_duration
    return StepSequence(
        feet=names,
        swings=np.array(swings, dtype=np.float64).reshape(-1, len(names)),
        footholds=_unwrapped(np.stack(rows)),
        swing_times=np.array(times, dtype=np.float64),
        transfer_times=np.array(
            [min(first, gait.start_duration), *transfers[1:], pending or gait.stop_duration]
        )
        if swings
        else np.array([gait.stop_duration]),
        hold_time=hold,
    )


def _row(
    active: Mapping[str, object], names: tuple[str, ...], before: Matrix | None, phase: int
) -> Matrix:
    row = np.full((len(names), 4), np.nan) if before is None else before.copy()
    for i, name in enumerate(names):
        if name in active:
            pose = getattr(active[name], "pose")  # noqa: B009
            row[i] = pose.x, pose.y, pose.z, pose.yaw
    if np.isnan(row).any():
        missing = names[int(np.argmax(np.isnan(row).any(axis=1)))]
        raise InputError(f"phase {phase}: {missing!r} has no contact yet; all feet start standing")
    return row


def _unwrapped(rows: Matrix) -> Matrix:
    """Make yaw continuous: over the steps of each foot, and between the feet at the start."""
    rows = rows.copy()
    rows[0, :, 3] = np.unwrap(rows[0, :, 3])
    rows[:, :, 3] = np.unwrap(rows[:, :, 3], axis=0)
    return rows
