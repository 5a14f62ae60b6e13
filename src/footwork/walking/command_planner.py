"""What a command makes of feet that stand somewhere: a motion of their middle, and its steps."""

from math import hypot, pi
from typing import Final

import numpy as np

from footwork.robot import RobotModel
from footwork.spatial import Pose
from footwork.typing import Matrix, Vector
from footwork.walking._kernels.layout import PREVIEW_STEPS
from footwork.walking.base_motion import BaseMotion, turned, wrapped
from footwork.walking.command import Command
from footwork.walking.config import WalkingConfig
from footwork.walking.footsteps import Footstep, StepSequence, plan_footsteps, sequence_of
from footwork.walking.planning import WalkPlan, known_ground, middle_of, refuse_collision, way_to
from footwork.walking.request import WalkRequest

PLACE_TOLERANCE: Final = 0.03
"""Distance from a goal at which a robot has arrived [m]."""
YAW_TOLERANCE: Final = 3.0 * pi / 180.0
"""The same [rad]."""
AIM: Final = 0.5
"""Part of these tolerances within which nothing is done about the rest."""
FEWEST_AHEAD: Final = PREVIEW_STEPS + 2
"""Steps of a velocity without end, below which more are planned."""
MOST_AHEAD: Final = FEWEST_AHEAD + 2
"""As many are planned then."""


class CommandPlanner:
    """Plans what commands ask for; remembers nothing but the robot, its map and its ground.

    Args:
        robot: Its model.
        config: Of the walk.
        plan: Names the feet, their places and the map.
        request: Names the ground.
    """

    def __init__(
        self, robot: RobotModel, config: WalkingConfig, plan: WalkPlan, request: WalkRequest
    ) -> None:
        self._config = config
        self._names, self._offsets, self._map = plan.sequence.feet, plan.offsets, plan.map
        self._height, self._tread = known_ground(robot, request)

    def motion(
        self, command: Command, place: Vector, velocity: Vector, *, time_left: float
    ) -> BaseMotion:
        """Plan the motion of the middle of the feet.

        Args:
            command: What is asked for.
            place: Where it begins: (x, y, yaw) [m, rad], shape (3,).
            velocity: At the beginning, in the world's axes [m/s, rad/s], shape (3,).
            time_left: For how long a velocity is to last [s]; infinity for ever, which is planned
                `MOST_AHEAD` steps at a time.

        Returns:
            The motion; it ends at rest.

        Raises:
            InputError: If it leads into an obstacle.
            NoSolutionError: If no way around the obstacles was found.
        """
        limits = self._config.limits
        if command.goal is not None:
            return way_to(place, command.goal, velocity, self._config, self._map)
        if command.is_stop or command.velocity is None:
            return BaseMotion.to_rest(place, velocity, limits)
        duration = min(MOST_AHEAD * self._config.gait.step_duration, time_left)
        if duration <= 0.0:
            return BaseMotion.to_rest(place, velocity, limits)
        before = (*turned(velocity[0], velocity[1], -place[2]), velocity[2])
        motion = BaseMotion.with_velocity(place, command.velocity, duration, limits, before=before)
        refuse_collision(motion.poses, self._map, self._config.radius)
        return motion

    def steps(self, motion: BaseMotion, feet: Matrix, first: int | None) -> tuple[Footstep, ...]:
        """Plan the footsteps of a motion.

        Args:
            motion: Of the middle of the feet.
            feet: Where they stand before: (x, y, z, yaw) [m, rad], shape (feet, 4).
            first: Which group of feet begins; chosen when None.

        Returns:
            The steps, in order.

        Raises:
            FootstepError: If a step breaks a limit.
        """
        level = float(feet[:, 2].mean())
        start = {
            name: Pose.from_xy_yaw(x, y, yaw, z)
            for name, (x, y, z, yaw) in zip(self._names, feet.tolist(), strict=True)
        }
        return plan_footsteps(
            motion,
            start,
            self._config,
            offsets=self._offsets,
            height=self._height or (lambda _x, _y: level),
            tread=self._tread,
            first=first,
            strict=False,
        )

    def sequence(
        self, steps: tuple[Footstep, ...], feet: Matrix, *, is_moving: bool = False
    ) -> StepSequence:
        """Make footsteps a step sequence: see `sequence_of`.

        Args:
            steps: In order; none to stand.
            feet: Where they stand before: (x, y, z, yaw) [m, rad], shape (feet, 4).
            is_moving: Whether other steps go before.

        Returns:
            The sequence.
        """
        return sequence_of(steps, self._names, feet, self._config, is_moving=is_moving)

    def is_there(self, feet: Matrix, goal: Vector) -> bool:
        """Tell whether feet stand so near to a goal that no steps are worth while.

        Args:
            feet: (x, y, z, yaw) [m, rad], shape (feet, 4).
            goal: Of their middle: (x, y, yaw) [m, rad], shape (3,).

        Returns:
            Whether they do, each in its place.
        """
        x, y, yaw = goal
        middle = middle_of(feet)
        if hypot(middle[0] - x, middle[1] - y) > AIM * PLACE_TOLERANCE:
            return False
        if abs(wrapped(middle[2] - yaw)) > AIM * YAW_TOLERANCE:
            return False
        for name, foot in zip(self._names, feet, strict=True):
            dx, dy = turned(*self._offsets[name], yaw)
            if hypot(foot[0] - x - dx, foot[1] - y - dy) > PLACE_TOLERANCE:
                return False
            if abs(wrapped(foot[3] - yaw)) > YAW_TOLERANCE:
                return False
        return True

    def refuse_long_steps(self, velocity: tuple[float, float, float]) -> None:
        """Refuse a velocity the steps of which break a limit once it is reached.

        Args:
            velocity: Forward, left [m/s], turning [rad/s].

        Raises:
            FootstepError: If it is; names the limit.
        """
        config, period = self._config, self._config.gait.step_duration
        v = np.array(velocity)
        motion = BaseMotion.with_velocity(np.zeros(3), v, 3.0 * period, config.limits, before=v)
        start = {}
        for k, group in enumerate(config.groups):
            x, y, yaw = v * (k - 0.5) * period
            for name in group:
                dx, dy = turned(*self._offsets[name], yaw)
                start[name] = Pose.from_xy_yaw(x + dx, y + dy, yaw)
        ordered = {name: start[name] for name in self._names}
        plan_footsteps(motion, ordered, config, offsets=self._offsets, first=0)
