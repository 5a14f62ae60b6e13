"""Planning a walk: the base's path, footsteps along it, contacts, steps."""

from dataclasses import dataclass, replace
from itertools import pairwise
from math import atan2, pi
from time import thread_time

import numpy as np
from numpy.typing import ArrayLike

from footwork._numba import count_compilation
from footwork.contacts import ContactList, ContactPhaseList, read_contacts
from footwork.errors import InputError, ModelError
from footwork.planning import PathControl
from footwork.robot import FootGeometry, RobotModel
from footwork.simulation import Box
from footwork.simulation.terrain import Stairs
from footwork.spatial import Pose
from footwork.typing import Matrix, Vector
from footwork.walking.base_motion import BaseMotion, wrapped
from footwork.walking.base_path import base_system, motion_of, path_of, read_path
from footwork.walking.config import WalkingConfig
from footwork.walking.footsteps import (
    Footstep,
    Height,
    StepSequence,
    Tread,
    offsets_of,
    plan_footsteps,
    read_phases,
    schedule,
)
from footwork.walking.obstacles import ObstacleMap, find_way, off_map, read_map, round_corners
from footwork.walking.request import WalkRequest
from footwork.walking.standing import standing_posture

TREAD_MARGIN = 0.05
"""Between a sole and the edge of its step [m]; a foot that begins nearer to the next one does not
clear it."""
GOAL_TOLERANCE = 0.015
"""How far from a goal on stairs the whole soles may stand [m]."""


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
        if request.goal is not None and tread is not None:
            _refuse_edge(motion.goal, steps)
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
        wanted = way_to(origin, request.goal, np.zeros(3), config, obstacles)
    else:  # it stands until it is told
        wanted = BaseMotion(times=np.zeros(1), poses=origin[None])
    world = None if obstacles is None else obstacles.world(config.radius)
    system = base_system(limits, wanted.poses, world=world)
    path = path_of(wanted, system)
    refuse_collision(path.states, obstacles, config.radius)
    return path, motion_of(path, goal=wanted.goal)


def way_to(
    start: ArrayLike,
    goal: ArrayLike,
    velocity: ArrayLike,
    config: WalkingConfig,
    obstacles: ObstacleMap | None,
) -> BaseMotion:
    """Plan a motion to a goal, around obstacles.

    Args:
        start: (x, y, yaw) [m, rad].
        goal: The same.
        velocity: At the start, in the world's axes [m/s, rad/s].
        config: Of the walk.
        obstacles: None on open ground.

    Returns:
        The motion.

    Raises:
        InputError: If start, goal or way are too close to an obstacle; says which.
        NoSolutionError: If no way was found.
    """
    limits = config.limits
    if obstacles is None:
        return BaseMotion.to_goal(start, goal, limits, velocity=velocity)
    coast = BaseMotion.to_rest(start, velocity, limits)
    middle, end = coast.goal, np.asarray(goal, dtype=np.float64)
    way = find_way(middle, end, obstacles, radius=config.radius)
    if len(way) == 2:
        motion = BaseMotion.to_goal(middle, end, limits)
    else:
        points = round_corners(way, obstacles.world(config.radius))
        motion = BaseMotion.through(_headings_along(points, middle[2], end[2]), limits)
    joined = coast.joined(motion)
    if not is_free(joined.poses, obstacles, config.radius):
        joined = coast.joined(motion, overlap=False)  # no corner is cut
        refuse_collision(joined.poses, obstacles, config.radius)
    return joined


def _headings_along(points: Matrix, first: float, last: float) -> Matrix:
    """Face along a way; turn on the spot at its ends."""
    rows = [(*points[0], first)]
    yaw = first
    for a, b in pairwise(points):
        heading = atan2(b[1] - a[1], b[0] - a[0])
        yaw += wrapped(heading - yaw)
        if len(rows) == 1:
            rows.append((*a, yaw))
        rows.append((*b, yaw))
    yaw += wrapped(last - yaw)
    rows.append((*points[-1], yaw))
    return np.array(rows)


def is_free(poses: Matrix, obstacles: ObstacleMap | None, radius: float) -> bool:
    """Tell whether a robot touches no obstacle on its way.

    Args:
        poses: (x, y, …) [m], shape (k, ≥ 2).
        obstacles: None on open ground.
        radius: Of the robot [m].

    Returns:
        Whether that is so.
    """
    world = None if obstacles is None else obstacles.world(radius)
    return world is None or bool(np.all(world.is_free(poses[:, :3])))


def refuse_collision(poses: Matrix, obstacles: ObstacleMap | None, radius: float) -> None:
    """Refuse a way on which a robot touches an obstacle, or leaves the map.

    Args:
        poses: (x, y, …) [m], shape (k, ≥ 2).
        obstacles: None on open ground.
        radius: Of the robot [m].

    Raises:
        InputError: If that is so; says where.
    """
    world = None if obstacles is None else obstacles.world(radius)
    if obstacles is None or world is None:
        return
    free = world.is_free(poses[:, :3])
    if not np.all(free):
        x, y = poses[int(np.argmin(free)), :2]
        off = off_map(np.array([x, y]), obstacles, radius)
        where = f"{off}," if off else "into an obstacle of the map"
        raise InputError(
            f"the way leads {where} at ({x:.2f}, {y:.2f}); choose another one, "
            "or a goal, to which the way is planned"
        )


def _refuse_edge(goal: Vector, steps: tuple[Footstep, ...]) -> None:
    """Refuse a goal at which the feet would stand across the edge of a step."""
    last = {step.foot: step.pose for step in steps}
    off = sum(pose.x for pose in last.values()) / max(len(last), 1) - float(goal[0])
    if last and abs(off) > GOAL_TOLERANCE:
        raise InputError(
            f"at x = {goal[0]:.2f} m the feet would stand across the edge of a step; the nearest "
            f"place for whole soles is x = {goal[0] + off:.2f} m"
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
    yaw = feet[:, 3]
    if yaw.max() - yaw.min() > pi:
        yaw = np.unwrap(yaw)
    return np.array([feet[:, 0].mean(), feet[:, 1].mean(), yaw.mean()])
