"""Where the middle of the feet goes: a plane motion with velocity and acceleration limits.

The path is geometric first (line and headings); its timing then comes from a forward and a backward
sweep over the limits, which depend on the direction of travel relative to the heading.
"""

from dataclasses import dataclass
from itertools import pairwise
from math import atan2, ceil, cos, hypot, pi, sin
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.trajectory import PiecewiseLinear
from footwork.typing import Matrix, Vector, as_array, frozen
from footwork.walking.config import StepLimits

SPACING: Final = 0.01
"""Distance between two samples of a path: metres, or radians times `TURN_LENGTH`."""
TURN_LENGTH: Final = 0.35
"""A radian of turning counts as this many metres of path."""
STEP: Final = 0.01
"""Between two samples of a motion that is given by its velocity [s]."""
BLEND: Final = 0.35
"""Longest way over which the heading changes while walking [m]."""


@dataclass(frozen=True, kw_only=True, eq=False)
class BaseMotion:
    """A timed motion of the base in the plane.

    Attributes:
        times: Ascending from zero [s], shape (k,).
        poses: (x, y, yaw) [m, rad] at these times, yaw unwrapped, shape (k, 3).
    """

    times: Vector
    poses: Matrix

    def __post_init__(self) -> None:
        times = as_array("times", self.times, ("k",))
        poses = as_array("poses", self.poses, (times.size, 3))
        if times.size == 0 or np.any(np.diff(times) <= 0.0):
            raise InputError("base motion: times must ascend, and there must be at least one")
        poses[:, 2] = np.unwrap(poses[:, 2])
        object.__setattr__(self, "times", frozen(times))
        object.__setattr__(self, "poses", frozen(poses))

    @property
    def duration(self) -> float:
        """How long it takes [s]."""
        return float(self.times[-1] - self.times[0])

    @property
    def goal(self) -> Vector:
        """Where it ends: (x, y, yaw) [m, rad]."""
        last: Vector = self.poses[-1]
        return last

    def at(self, time: ArrayLike) -> Matrix:
        """Evaluate the motion; before the start and after the end it stands still.

        Args:
            time: One instant or shape (m,) [s].

        Returns:
            (x, y, yaw) [m, rad], shape (3,) or (m, 3).
        """
        curve = PiecewiseLinear(times=self.times, values=self.poses)
        return curve.position(time)

    def arrival(self, distance: float, angle: float) -> float:
        """Tell from when on the base stays near the goal.

        Args:
            distance: That is near [m].
            angle: The same [rad].

        Returns:
            Time since the start [s].
        """
        gap = np.abs(self.poses - self.goal)
        far = (np.hypot(gap[:, 0], gap[:, 1]) > distance) | (gap[:, 2] > angle)
        return float(self.times[np.flatnonzero(far)[-1] + 1] - self.times[0]) if far.any() else 0.0

    @classmethod
    def to_goal(
        cls,
        start: ArrayLike,
        goal: ArrayLike,
        limits: StepLimits,
        *,
        velocity: ArrayLike = (0.0, 0.0, 0.0),
    ) -> "BaseMotion":
        """Walk to a goal on open ground: turn into the way, walk straight, turn at the end.

        Of heading along the way, backwards, sideways, or keeping the heading it takes the quickest.

        Args:
            start: (x, y, yaw) [m, rad].
            goal: The same.
            limits: Of the base's velocity and acceleration.
            velocity: At the start, in the world's axes [m/s, rad/s].

        Returns:
            The motion.
        """
        coast = cls.to_rest(start, velocity, limits)
        s, g = coast.goal.copy(), as_array("goal", goal, (3,))
        g[2] = s[2] + wrapped(g[2] - s[2])
        direction = atan2(g[1] - s[1], g[0] - s[0])
        middle = 0.5 * (s[2] + g[2])
        headings = [direction, direction + pi, s[2], g[2]]
        motions = []
        for heading in headings:
            h = middle + wrapped(heading - middle)
            motions.append(cls.through(_line(s, g, h), limits))
        return coast.joined(min(motions, key=lambda motion: motion.duration))

    @classmethod
    def to_rest(cls, start: ArrayLike, velocity: ArrayLike, limits: StepLimits) -> "BaseMotion":
        """Come to rest from a velocity, with the limited acceleration.

        Args:
            start: (x, y, yaw) [m, rad].
            velocity: In the world's axes [m/s, rad/s].
            limits: Of the acceleration.

        Returns:
            The motion.
        """
        s, v = as_array("start", start, (3,)), as_array("velocity", velocity, (3,))
        took = _ramp(v, limits)
        if took < 1e-6:
            return cls(times=np.zeros(1), poses=s[None])
        times = np.linspace(0.0, took, ceil(took / STEP) + 1)
        return cls(times=times, poses=s + np.outer(times - times**2 / (2.0 * took), v))

    def joined(self, other: "BaseMotion", *, overlap: bool = True) -> "BaseMotion":
        """Go on with a motion that begins where this one ends.

        Args:
            other: Begins there at rest.
            overlap: Whether it begins at once, its way added to this one's, so that the velocity of
                one that comes to rest is taken along. Else it begins when this one has ended.

        Returns:
            Both.
        """
        if self.times.size == 1:
            return other
        if overlap:
            times = np.union1d(self.times, other.times)
            return BaseMotion(times=times, poses=self.at(times) + other.at(times) - other.poses[0])
        times = np.concatenate([self.times, self.times[-1] + other.times[1:]])
        return BaseMotion(times=times, poses=np.concatenate([self.poses, other.poses[1:]]))

    @classmethod
    def with_velocity(
        cls,
        start: ArrayLike,
        velocity: ArrayLike,
        duration: float,
        limits: StepLimits,
        *,
        before: ArrayLike = (0.0, 0.0, 0.0),
    ) -> "BaseMotion":
        """Walk with a constant velocity, reached and left with the limited acceleration.

        Args:
            start: (x, y, yaw) [m, rad].
            velocity: Forward, left [m/s], turning [rad/s], in the base's axes.
            duration: From start to end [s].
            limits: Only the accelerations and ``command_speed`` count: a commanded velocity is the
                user's, as far as the ground allows.
            before: Velocity at the start, in the base's axes.

        Returns:
            The motion.

        Raises:
            InputError: If the duration is not positive.
        """
        v, b = as_array("velocity", velocity, (3,)).copy(), as_array("before", before, (3,))
        v[0] = np.clip(v[0], -limits.command_speed, limits.command_speed)
        if not duration > 0.0:
            raise InputError(f"duration must be positive, got {duration} s")
        first, last = (
            min(max(_ramp(change, limits), 1e-3), 0.5 * duration) for change in (v - b, v)
        )
        times = np.linspace(0.0, duration, ceil(duration / STEP) + 1)
        gone = np.clip(1.0 - times / first, 0.0, 1.0)  # of the velocity before
        kept = np.clip((duration - times) / last, 0.0, 1.0) - gone
        rate = np.outer(gone, b) + np.outer(kept, v)
        moved = 0.5 * (rate[1:] + rate[:-1]) * np.diff(times)[:, None]
        poses = np.empty((times.size, 3))
        poses[0] = as_array("start", start, (3,))
        poses[:, 2] = yaw = poses[0, 2] + np.concatenate([[0.0], np.cumsum(moved[:, 2])])
        heading = 0.5 * (yaw[1:] + yaw[:-1])
        c, n = np.cos(heading), np.sin(heading)
        poses[1:, 0] = poses[0, 0] + np.cumsum(c * moved[:, 0] - n * moved[:, 1])
        poses[1:, 1] = poses[0, 1] + np.cumsum(n * moved[:, 0] + c * moved[:, 1])
        return cls(times=times, poses=poses)

    @classmethod
    def through(cls, poses: ArrayLike, limits: StepLimits) -> "BaseMotion":
        """Time a path through given poses, as fast as the limits allow.

        Args:
            poses: (x, y, yaw) [m, rad], shape (k, 3); between them straight lines and even turns.
            limits: Of velocity and acceleration.

        Returns:
            The motion, at rest at both ends.
        """
        dense = _resample(as_array("poses", poses, ("k", 3)))
        step = np.diff(dense, axis=0)
        if step.shape[0] == 0:
            return cls(times=np.zeros(1), poses=dense)
        length = np.hypot(np.hypot(step[:, 0], step[:, 1]), TURN_LENGTH * step[:, 2])
        top = _top_speed(dense, step, length, limits)
        brake = _bending(step, length)
        square = np.concatenate([[0.0], np.minimum(top[:-1], top[1:]) ** 2 * brake, [0.0]])
        push = _acceleration(step, length, limits)
        for i in range(length.size):
            square[i + 1] = min(square[i + 1], square[i] + 2.0 * push[i] * length[i])
        for i in range(length.size - 1, -1, -1):
            square[i] = min(square[i], square[i + 1] + 2.0 * push[i] * length[i])
        speed = np.sqrt(square)
        took = 2.0 * length / np.maximum(speed[1:] + speed[:-1], 1e-6)
        return cls(times=np.concatenate([[0.0], np.cumsum(took)]), poses=dense)


def _line(start: Vector, goal: Vector, heading: float) -> Matrix:
    """Poses of a straight walk with a heading, turning at both ends; large turns on the spot."""
    distance = hypot(goal[0] - start[0], goal[1] - start[1])
    if distance < 1e-6:
        return np.stack([start, goal])
    blend = min(BLEND, 0.4 * distance) / distance
    poses = [start]
    for end, other in ((start, 0.0), (goal, 1.0)):
        turn = heading - end[2]
        on_spot = np.copysign(max(0.0, abs(turn) - 0.8), turn)
        fraction = blend if other == 0.0 else 1.0 - blend
        knots = [
            np.array([end[0], end[1], end[2] + on_spot]),
            np.array([*(start[:2] + fraction * (goal[:2] - start[:2])), heading]),
        ]
        poses += knots if other == 0.0 else knots[::-1]
    poses.append(goal)
    return np.stack(poses)


def _resample(poses: Matrix) -> Matrix:
    dense = [poses[:1]]
    for a, b in pairwise(poses):
        d = b - a
        length = hypot(hypot(d[0], d[1]), TURN_LENGTH * d[2])
        if length < 1e-9:
            continue
        n = max(2, ceil(length / SPACING))
        dense.append(a + np.linspace(0.0, 1.0, n + 1)[1:, None] * d)
    return np.concatenate(dense)


def _top_speed(dense: Matrix, step: Matrix, length: Vector, limits: StepLimits) -> Vector:
    """Largest path speed of each piece: the base's velocity inside an ellipsoid."""
    yaw = 0.5 * (dense[1:, 2] + dense[:-1, 2])
    c, s = np.cos(yaw), np.sin(yaw)
    per = step / length[:, None]
    forward = c * per[:, 0] + s * per[:, 1]
    left = -s * per[:, 0] + c * per[:, 1]
    most = np.where(forward >= 0.0, limits.velocity[0], limits.backward_velocity)
    size = (forward / most) ** 2 + (left / limits.velocity[1]) ** 2
    size += (per[:, 2] / limits.velocity[2]) ** 2
    top: Vector = 1.0 / np.sqrt(size)
    return top


def _acceleration(step: Matrix, length: Vector, limits: StepLimits) -> Vector:
    per = np.abs(step) / length[:, None]
    linear = np.hypot(per[:, 0], per[:, 1]) / limits.acceleration
    most: Vector = 1.0 / np.maximum(linear, per[:, 2] / limits.turn_acceleration)
    return most


def _bending(step: Matrix, length: Vector) -> Vector:
    """How much of the speed's square survives each corner: 1 straight on, 0 at a sharp corner."""
    per = step / length[:, None]
    per = per * np.array([1.0, 1.0, TURN_LENGTH])
    norm = np.linalg.norm(per, axis=1)
    along = np.sum(per[1:] * per[:-1], axis=1) / (norm[1:] * norm[:-1])
    kept: Vector = np.clip((along - 0.5) / 0.5, 0.0, 1.0) ** 2
    return kept


def _ramp(change: Vector, limits: StepLimits) -> float:
    """How long the limited accelerations take for a change of velocity [s]."""
    linear = hypot(change[0], change[1]) / limits.acceleration
    return float(max(linear, abs(change[2]) / limits.turn_acceleration))


def wrapped(angle: float) -> float:
    """Take whole turns off an angle.

    Args:
        angle: [rad].

    Returns:
        The same direction, from -π to π [rad].
    """
    return (angle + pi) % (2.0 * pi) - pi


def turned(x: float, y: float, yaw: float) -> tuple[float, float]:
    """Rotate a plane vector.

    Args:
        x: First component.
        y: Second component.
        yaw: Angle [rad].

    Returns:
        The rotated components.
    """
    return cos(yaw) * x - sin(yaw) * y, sin(yaw) * x + cos(yaw) * y
