"""Problem files of dynobench, a public set of kinodynamic problems, read as they are.

The robots have dynobench's own limits, step, integrator (Euler's), metric and shapes; every
equation and shape here was compared with the package's own numbers (see the tests). The package
itself, which has the problem files, is only needed for `problem_files`.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from footwork.errors import InputError
from footwork.files import read_yaml
from footwork.planning import models
from footwork.planning.models.options import Options
from footwork.planning.models.rotors import GRAVITY
from footwork.planning.problem import Problem
from footwork.planning.space_information import SpaceInformation
from footwork.planning.worlds import (
    Body,
    Boxes,
    Chain,
    Cuboids,
    Footprint,
    PlaneWorld,
    Rectangle,
    SpaceWorld,
)
from footwork.typing import Matrix, Vector, as_array

GOAL_TOLERANCE = 0.2
"""Largest distance to the goal that counts, in dynobench's metric."""
MAX_HITCH = 0.5 * math.pi
"""Largest angle between car and trailer [rad]; ours: dynobench sets none."""


@dataclass(frozen=True, kw_only=True, eq=False)
class DynobenchProblem:
    """One problem of dynobench, ready to plan.

    Attributes:
        name: As the file says.
        robot: dynobench's name of the model.
        si: The system, with the obstacles.
        problem: Start, goal and tolerance.
    """

    name: str
    robot: str
    si: SpaceInformation
    problem: Problem


@dataclass(frozen=True, kw_only=True, eq=False)
class _Environment:
    low: Vector
    high: Vector
    obstacles: Matrix

    def plane(self, footprint: Footprint, heading: int = 2) -> PlaneWorld:
        centre, size = self.obstacles[:, :2], self.obstacles[:, 2:]
        return Boxes(centre - 0.5 * size, centre + 0.5 * size, footprint=footprint, heading=heading)

    def space(self, radius: float) -> SpaceWorld:
        centre, size = self.obstacles[:, :3], self.obstacles[:, 3:]
        return Cuboids(centre - 0.5 * size, centre + 0.5 * size, radius=radius)


def read(
    file: str | Path,
    *,
    goal_tolerance: float = GOAL_TOLERANCE,
    max_control_steps: int | None = None,
) -> DynobenchProblem:
    """Read a problem file.

    Args:
        file: YAML with environment (min, max, boxes) and one robot (type, start, goal).
        goal_tolerance: Largest distance to the goal that counts, in dynobench's metric.
        max_control_steps: Most steps of one control in planners; that of the robot if not given.

    Returns:
        The problem.

    Raises:
        InputError: If the file cannot be read, or its robot is not known; the message names the
            file and the field.
    """
    path = Path(file)
    data = _mapping(path, "the file", read_yaml(path))
    if "image" in data:
        raise InputError(f"{path}: this is a map of ROS; a scene that uses it is a .toml file")
    robots = data.get("robots")
    if not isinstance(robots, list) or len(robots) != 1:
        raise InputError(f"{path}: robots must be a list of one robot, got {robots!r}")
    robot = _mapping(path, "robots[0]", robots[0])
    kind = str(robot.get("type"))
    if kind not in ROBOTS:
        raise InputError(f"{path}: robots[0].type {kind!r} is not known; known: {sorted(ROBOTS)}")
    environment = _environment(path, _mapping(path, "environment", data.get("environment")))
    make, step, most = ROBOTS[kind]
    options: Options = {
        "propagation_step_size": step,
        "max_control_steps": most if max_control_steps is None else max_control_steps,
        "integrator": "euler",
    }
    si = make(environment, options)
    n = si.state_space.dimension
    start, goal = (
        _vector(path, f"robots[0].{key}", robot.get(key), n) for key in ("start", "goal")
    )
    return DynobenchProblem(
        name=str(data.get("name", path.stem)),
        robot=kind,
        si=si,
        problem=Problem(start, goal, goal_tolerance=goal_tolerance),
    )


def problem_files() -> dict[str, Path]:
    """Find the problems of single robots that the installed package ships with solutions.

    Returns:
        Files by name such as "unicycle1_v0/kink_0", sorted.

    Raises:
        InputError: If the package ``dynobench`` is not installed.
    """
    import importlib.util

    found = importlib.util.find_spec("dynobench")
    if found is None or found.origin is None:
        raise InputError("the package dynobench is not installed: pip install dynobench")
    root = Path(found.origin).parent / "envs"
    return {
        f"{folder}/{file.stem}": file
        for folder in FOLDERS
        for file in sorted((root / folder).glob("*.yaml"))
        if file.with_suffix("").is_dir()
    }


def shipped_cost(file: Path) -> float | None:
    """Read the cost, a duration, of the solution of iDb-A* that is shipped with a problem.

    Args:
        file: The problem file.

    Returns:
        Seconds, or None if none is shipped.
    """
    solution = file.with_suffix("") / "idbastar_v0_solution_v0.yaml"
    if not solution.exists():
        return None
    with solution.open(encoding="utf-8") as text:  # long lists of states follow these fields
        head = dict(line.split(":", 1) for line in islice(text, 20) if ":" in line)
    if head.get("feasible", "0").strip() != "1":
        return None
    return float(head["cost"])


FOLDERS = (
    "unicycle1_v0",
    "unicycle1_v1",
    "unicycle1_v2",
    "unicycle2_v0",
    "car1_v0",
    "quad2d_v0",
    "quad2dpole_v0",
    "quadrotor_v0",
    "quadrotor_v1",
    "acrobot_v0",
)


def _unicycle(
    speed: tuple[float, float], turn_rate: tuple[float, float]
) -> Callable[[_Environment, Options], SpaceInformation]:
    def make(where: _Environment, options: Options) -> SpaceInformation:
        options["is_valid"] = where.plane(Rectangle(0.5, 0.25))
        return models.unicycle(where.low, where.high, speed=speed, turn_rate=turn_rate, **options)

    return make


def _second_order_unicycle(where: _Environment, options: Options) -> SpaceInformation:
    options["is_valid"] = where.plane(Rectangle(0.5, 0.25))
    return models.second_order_unicycle(
        where.low,
        where.high,
        max_speed=0.5,
        max_turn_rate=0.5,
        max_acceleration=0.25,
        max_turn_acceleration=0.25,
        rate_weight=(0.25, 0.25),
        **options,
    )


def _car_with_trailer(where: _Environment, options: Options) -> SpaceInformation:
    car = Body(outline=Rectangle(0.5, 0.25), angle=2)
    trailer = Body(
        outline=Rectangle(0.3, 0.25, (-0.5, 0.0)), angle=3, limits=(-MAX_HITCH, MAX_HITCH)
    )
    options["is_valid"] = where.plane(Chain([car, trailer]))
    return models.car_with_trailer(where.low, where.high, max_steering=1.047198, **options)


def _planar_quadrotor(where: _Environment, options: Options) -> SpaceInformation:
    options["is_valid"] = where.plane(Rectangle(0.6, 0.2))
    return models.planar_quadrotor(
        where.low, where.high, mass=0.034, inertia=1e-4, arm=0.1, max_thrust=1.3, **options
    )


def _planar_quadrotor_with_pole(where: _Environment, options: Options) -> SpaceInformation:
    rotor = Body(outline=Rectangle(*POLE_ROTOR), angle=2)
    pole = Body(
        outline=Rectangle(1.0, POLE_WIDTH, (0.5, 0.0)),
        angle=3,
        is_relative=True,
        offset=-0.5 * math.pi,
    )
    options["is_valid"] = where.plane(Chain([rotor, pole]))
    return models.planar_quadrotor_with_pole(where.low, where.high, **options)


def _motor_quadrotor(where: _Environment, options: Options) -> SpaceInformation:
    options["is_valid"] = where.space(QUADROTOR_RADIUS)
    return models.quadrotor_with_quaternion(
        where.low,
        where.high,
        mass=0.034,
        inertia=(16.571710e-6, 16.655602e-6, 29.261652e-6),
        **options,
    )


def _torque_quadrotor(where: _Environment, options: Options) -> SpaceInformation:
    options["is_valid"] = where.space(QUADROTOR_RADIUS)
    return models.quadrotor_with_quaternion(
        where.low,
        where.high,
        mass=1.0,
        inertia=(1.0, 1.0, 1.0),
        mixer=np.diag([GRAVITY, 20.0, 20.0, 20.0]),
        control_low=(0.0, -2.0, -2.0, -2.0),
        control_high=(1.5, 2.0, 2.0, 2.0),
        **options,
    )


def _acrobot(where: _Environment, options: Options) -> SpaceInformation:
    links = [
        Body(outline=Rectangle(1.0, LINK_WIDTH, (0.5, 0.0)), angle=0, offset=-0.5 * math.pi),
        Body(
            outline=Rectangle(1.0, LINK_WIDTH, (0.5, 0.0)),
            angle=1,
            is_relative=True,
            anchor=(1.0, 0.0),
        ),
    ]
    options["is_valid"] = where.plane(Chain(links, base=(0.0, 0.0)))
    return models.acrobot(inertias=(0.33333, 0.33333), **options)


Maker = Callable[[_Environment, Options], SpaceInformation]
ROBOTS: Mapping[str, tuple[Maker, float, int]] = {
    "unicycle1_v0": (_unicycle((-0.5, 0.5), (-0.5, 0.5)), 0.1, 20),
    # cannot stop: half a turn, π/0.5 s, has to fit into one control
    "unicycle1_v1": (_unicycle((0.25, 0.5), (-0.5, 0.5)), 0.1, 120),
    "unicycle1_v2": (_unicycle((0.25, 0.5), (-0.25, 0.5)), 0.1, 20),
    "unicycle2_v0": (_second_order_unicycle, 0.1, 20),
    "car1_v0": (_car_with_trailer, 0.1, 20),
    "quad2d_v0": (_planar_quadrotor, 0.01, 50),
    "quad2dpole_v0": (_planar_quadrotor_with_pole, 0.01, 50),
    "quad3d_v0": (_motor_quadrotor, 0.01, 50),
    "quad3d_omplapp": (_torque_quadrotor, 0.01, 50),
    "acrobot_v0": (_acrobot, 0.01, 50),
}
"""How each robot is made, its propagation step [s] and the most steps of one control."""

POLE_ROTOR = (0.5, 0.25)
POLE_WIDTH = 0.1
LINK_WIDTH = 0.1
QUADROTOR_RADIUS = 0.25


def _environment(path: Path, data: Mapping[str, object]) -> _Environment:
    low = _vector(path, "environment.min", data.get("min"), None)
    d = len(low)
    high = _vector(path, "environment.max", data.get("max"), d)
    boxes = data.get("obstacles") or []
    if not isinstance(boxes, list):
        raise InputError(f"{path}: environment.obstacles must be a list, got {boxes!r}")
    rows = []
    for i, box in enumerate(boxes):
        where = f"environment.obstacles[{i}]"
        fields = _mapping(path, where, box)
        if fields.get("type") != "box":
            raise InputError(f"{path}: {where}.type must be box, got {fields.get('type')!r}")
        centre = _vector(path, f"{where}.center", fields.get("center"), d)
        rows.append([*centre, *_vector(path, f"{where}.size", fields.get("size"), d)])
    return _Environment(low=low, high=high, obstacles=np.array(rows).reshape(-1, 2 * d))


def _mapping(path: Path, what: str, value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise InputError(f"{path}: {what} must have fields, got {value!r}")
    return value


def _vector(path: Path, what: str, value: object, size: int | None) -> Vector:
    try:
        return as_array(what, value, ("n" if size is None else size,))  # type: ignore[arg-type]
    except InputError as error:
        raise InputError(f"{path}: {error}") from error
