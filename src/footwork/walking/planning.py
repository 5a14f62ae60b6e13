"""Planning a walk: the base's path, footsteps along it, contacts, steps."""

from dataclasses import dataclass, replace
from itertools import pairwise
from math import atan2, pi
from time import thread_time

import numpy as np

from footwork._numba import count_compilation
from footwork.contacts import ContactList, ContactPhaseList, read_contacts
from footwork.errors import InputError, ModelError
from footwork.planning import PathControl
from footwork.robot import FootGeometry, RobotModel
from footwork.simulation import Box
from footwork.simulation.terrain import Stairs
from footwork.spatial import Pose
from footwork.typing import Matrix, Vector
from footwork.walking.base_motion import BaseMotion
from footwork.walking.base_path import base_system, motion_of, path_of, read_path
from footwork.walking.config import WalkingConfig
from footwork.walking.footsteps import (
    Height,
    StepSequence,
    Tread,
    offsets_of,
    plan_footsteps,
    read_phases,
    schedule,
)
from footwork.walking.obstacles import ObstacleMap, find_way, read_map, round_corners
from footwork.walking.request import WalkRequest
from footwork.walking.standing import standing_posture

TREAD_MARGIN = 0.02
"""Between a sole and the edge of its step [m]."""


@dataclass(frozen=True, kw_only=True, eq=False)
class WalkPlan:
    """A walk before it is walked.

    Attributes:
        path: Of the base; None for given contacts.
        motion: The same as a motion of the middle of the feet.
        contacts: Planned, by foot.
        sequence: The same as steps.
        start: Configuration to begin with, shape (nq,).
        offsets: Where the feet belong relative to their middle [m].
        map: Obstacles that the path goes around.
        duration: Of the whole plan [s].
        planning_time: CPU time of planning, without that of compiling kernels [s].
    """

    path: PathControl | None
    motion: BaseMotion
    contacts: dict[str, ContactList]
    sequence: StepSequence
    start: Vector
    offsets: dict[str, tuple[float, float]]
    map: ObstacleMap | None
    duration: float
    planning_time: float

    def obstacles(self) -> tuple[list[tuple[float, float, float, float]], list[Box]]:
        """List the map's obstacles for the simulation.

        Returns:
            Cylinders (x, y, radius, height) and boxes [m].
        """
        if self.map is None:
            return [], []
        height = self.map.height
        cylinders = [(x, y, r, height) for x, y, r in self.map.circles.tolist()]
        boxes = [
            Box(
                center=(0.5 * (x0 + x1), 0.5 * (y0 + y1), 0.5 * height),
                half_size=(0.5 * (x1 - x0), 0.5 * (y1 - y0), 0.5 * height),
            )
            for x0, y0, x1, y1 in self.map.boxes.tolist()
        ]
        return cylinders, boxes


def plan_walk(robot: RobotModel, config: WalkingConfig, request: WalkRequest) -> WalkPlan:
    """Plan a walk: path of the base, footsteps, contacts.

    Args:
        robot: The robot.
        config: Of the walk.
        request: Where to.

    Returns:
        The plan.

    Raises:
        InputError: If the request cannot be planned; says why.
        NoSolutionError: If no way around the obstacles was found.
    """
    with count_compilation() as compiling:
        begun = thread_time()
        plan = _plan(robot, config, request)
        took = thread_time() - begun - sum(compiling)
    return replace(plan, planning_time=took)


def _plan(robot: RobotModel, config: WalkingConfig, request: WalkRequest) -> WalkPlan:
    start = standing_posture(robot, config)
    feet = _feet_of(robot, start)
    offsets = offsets_of(feet, np.zeros(3))
    obstacles = read_map(request.map) if request.map else None
    path = None
    if request.contacts:
        contacts = dict(read_contacts(request.contacts))
        sequence = read_phases(ContactPhaseList.from_lists(contacts), config)
        motion = BaseMotion(times=np.zeros(1), poses=middle_of(sequence.footholds[-1])[None])
    else:
        path, motion = _plan_base(request, config, obstacles)
        height, tread = known_ground(robot, request)
        steps = plan_footsteps(motion, feet, config, offsets=offsets, height=height, tread=tread)
        contacts = schedule(steps, feet, config, point_feet=_has_point_feet(robot))
        sequence = read_phases(ContactPhaseList.from_lists(contacts), config)
    duration = sequence.hold_time + sequence.transfer_times.sum() + sequence.swing_times.sum()
    return WalkPlan(
        path=path,
        motion=motion,
        contacts=contacts,
        sequence=sequence,
        start=start,
        offsets=offsets,
        map=obstacles,
        duration=float(duration),
        planning_time=0.0,
    )


def _plan_base(
    request: WalkRequest, config: WalkingConfig, obstacles: ObstacleMap | None
) -> tuple[PathControl, BaseMotion]:
    """Find the base's path, as a `PathControl`, and as a motion that ends exactly at the goal."""
    limits = config.limits
    origin = np.zeros(3)
    if request.path:
        given = read_path(request.path, limits)
        return given, motion_of(given)
    if request.velocity is not None:
        wanted = BaseMotion.with_velocity(origin, request.velocity, request.duration, limits)
    elif request.waypoints:
        wanted = BaseMotion.through([origin, *np.array(request.waypoints)], limits)
    elif request.goal is not None:
        wanted = _to_goal(origin, np.array(request.goal), config, obstacles)
    else:
        raise InputError("say where to walk: nothing to plan from")
    world = None if obstacles is None else obstacles.world(config.radius)
    system = base_system(limits, wanted.poses, world=world)
    path = path_of(wanted, system)
    if world is not None:
        _refuse_collision(path, world.is_free(path.states[:, :3]))
    return path, motion_of(path, goal=wanted.goal)


def _to_goal(
    origin: Vector, goal: Vector, config: WalkingConfig, obstacles: ObstacleMap | None
) -> BaseMotion:
    if obstacles is None:
        return BaseMotion.to_goal(origin, goal, config.limits)
    way = find_way(origin, goal, obstacles, radius=config.radius)
    if len(way) == 2:
        return BaseMotion.to_goal(origin, goal, config.limits)
    points = round_corners(way, obstacles.world(config.radius))
    return BaseMotion.through(_headings_along(points, origin[2], goal[2]), config.limits)


def _headings_along(points: Matrix, first: float, last: float) -> Matrix:
    """Face along a way; turn on the spot at its ends."""
    rows = [(*points[0], first)]
    yaw = first
    for a, b in pairwise(points):
        heading = atan2(b[1] - a[1], b[0] - a[0])
        yaw += (heading - yaw + pi) % (2.0 * pi) - pi
        if len(rows) == 1:
            rows.append((*a, yaw))
        rows.append((*b, yaw))
    yaw += (last - yaw + pi) % (2.0 * pi) - pi
    rows.append((*points[-1], yaw))
    return np.array(rows)


def _refuse_collision(path: PathControl, free: np.ndarray) -> None:
    if not np.all(free):
        index = int(np.argmin(free))
        x, y = path.states[index, :2]
        raise InputError(
            f"the way leads into an obstacle of the map at ({x:.2f}, {y:.2f}); choose another one, "
            "or a goal, around which the way is planned"
        )


def _feet_of(robot: RobotModel, q: Vector) -> dict[str, Pose]:
    if robot.entry is None:
        raise ModelError(f"robot {robot.name!r} has no entry that names its feet")
    state = robot.state(q)
    poses = {}
    for foot in robot.entry.feet:
        x, y, _ = state.placement(foot.name)[1]
        poses[foot.name] = Pose.from_xy_yaw(x, y, 0.0)
    return poses


def known_ground(robot: RobotModel, request: WalkRequest) -> tuple[Height | None, Tread | None]:
    """Tell what planners may know of the ground: stairs, and nothing else.

    Args:
        robot: Gives the size of the soles.
        request: Names the ground.

    Returns:
        Its height, and where whole soles have ground; None and None for other ground.
    """
    stairs = request.ground
    if not isinstance(stairs, Stairs):
        return None, None
    feet = robot.entry.feet if robot.entry is not None else ()
    reach = max((_reach(foot) for foot in feet), default=0.0) + TREAD_MARGIN
    return stairs.height, lambda x: stairs.tread(x, reach)


def _reach(foot: FootGeometry) -> float:
    return foot.radius if foot.is_point else float(np.abs(foot.corners[:, 0]).max())


def _has_point_feet(robot: RobotModel) -> bool:
    return robot.entry is not None and robot.entry.feet[0].is_point


def middle_of(feet: Matrix) -> Vector:
    """Tell where the middle of the feet is.

    Args:
        feet: (x, y, z, yaw) [m, rad], shape (feet, 4).

    Returns:
        (x, y, yaw).
    """
    yaw = np.unwrap(feet[:, 3]).mean()
    return np.array([feet[:, 0].mean(), feet[:, 1].mean(), yaw])
