"""Scenes: a robot, its world, start, goal and planner in one TOML file.

The fields are described in docs/reference/scene_toml.md. A field that is not known is an error
that says where it is, and so is a number that does not fit.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from footwork.errors import InputError
from footwork.files import read_toml
from footwork.planning import models
from footwork.planning.goals import Goal, GoalBox, GoalState
from footwork.planning.objectives import (
    Clearance,
    ControlDuration,
    ControlEffort,
    Objective,
    PathLength,
    WeightedSum,
)
from footwork.planning.problem import Problem
from footwork.planning.scene_fields import (
    BoxesFields,
    BoxGoal,
    CirclesFields,
    CuboidsFields,
    DiscFields,
    GridFields,
    LinksFields,
    OrientedBoxesFields,
    OutlineFields,
    PlannerFields,
    PolygonsFields,
    RectangleFields,
    RobotFields,
    SceneFields,
    SpheresFields,
    TrailerFields,
)
from footwork.planning.scene_names import explain, unknown_name
from footwork.planning.space_information import SpaceInformation
from footwork.planning.worlds import (
    Body,
    Boxes,
    Chain,
    Circles,
    Cuboids,
    Disc,
    Footprint,
    OccupancyGrid,
    OrientedBoxes,
    Outline,
    PlaneWorld,
    Polygons,
    Rectangle,
    SpaceWorld,
    Spheres,
    UnionOfSpaceWorlds,
    UnionOfWorlds,
)

if TYPE_CHECKING:
    from footwork.planning.planners import Planner

PLANNERS = (
    "RRT",
    "EST",
    "KPIECE1",
    "PDST",
    "SST",
    "SyclopRRT",
    "SyclopEST",
    "MultipleShooting",
)
"""Planners that a scene, and the command line, can name."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Scene:
    """A scene, ready to plan.

    Attributes:
        name: For titles and folders.
        si: The system, with the obstacles.
        problem: Start, goal and objective.
        planner: Name of the planner, one of `PLANNERS`.
        planner_parameters: Its own parameters.
        seed: Of the planner; None for another one each time.
        time_limit: For planning [s].
        improve: Whether to plan for the whole time rather than to the first path.
        shortcut: Whether to shorten the path afterwards.
    """

    name: str
    si: SpaceInformation
    problem: Problem
    planner: str = "SST"
    planner_parameters: dict[str, Any]
    seed: int | None = None
    time_limit: float = 5.0
    improve: bool = False
    shortcut: bool = True

    def make_planner(self, *, planner: str | None = None, seed: int | None = None) -> "Planner":
        """Make the scene's planner, or another one for the same system.

        Args:
            planner: Name instead of the scene's; its parameters are the defaults then.
            seed: Instead of the scene's.

        Returns:
            The planner.

        Raises:
            InputError: If there is no such planner, or a parameter does not fit; says which.
        """
        name = self.planner if planner is None else planner
        parameters = self.planner_parameters if name == self.planner else {}
        chosen = self.seed if seed is None else seed
        return make_planner(name, self.si, seed=chosen, parameters=parameters)


def make_planner(
    name: str, si: SpaceInformation, *, seed: int | None, parameters: dict[str, Any]
) -> "Planner":
    """Make a planner by its name.

    Args:
        name: One of `PLANNERS`.
        si: The system.
        seed: Of its random numbers.
        parameters: Its own parameters, by name.

    Returns:
        The planner.

    Raises:
        InputError: If there is no such planner, or a parameter does not fit; says which.
    """
    from footwork import planning

    _known_planner("planner", name)
    kind: Callable[..., Planner] = getattr(planning, name)
    _check_names("planner.parameters", kind, parameters, without={"si", "seed"})
    return kind(si, seed=seed, **parameters)


def _known_planner(where: str, name: str) -> None:
    if name not in PLANNERS:
        raise InputError(unknown_name(f"{where}: ", name, PLANNERS))


def read_scene(file: str | Path) -> Scene:
    """Read a scene.

    Args:
        file: TOML; paths in it count from its own folder. A problem file of dynobench (.yaml) is
            taken as well.

    Returns:
        The scene.

    Raises:
        InputError: If the file cannot be read, a field is unknown, missing or ill-formed; the
            message names the file and the field.
    """
    path = Path(file)
    if path.suffix in {".yaml", ".yml"}:
        return _from_dynobench(path)
    table = read_toml(path)
    if not table:
        raise InputError(f"{path}: the file is empty; a scene needs robot, start and goal at least")
    try:
        fields = msgspec.convert(table, SceneFields)
    except msgspec.ValidationError as error:
        raise InputError(f"{path}: {explain(error, table, SceneFields)}") from error
    try:
        return _make_scene(fields, path)
    except InputError as error:
        raise InputError(f"{path}: {error}") from error


def _from_dynobench(path: Path) -> Scene:
    from footwork.planning import dynobench

    read = dynobench.read(path)
    flies = read.robot.startswith("quad")  # trees do not come to rest there
    return Scene(
        name=read.name,
        si=read.si,
        problem=read.problem,
        planner="MultipleShooting" if flies else "RRT",
        planner_parameters={} if flies else {"intermediate_states": True},
        time_limit=30.0,
    )


def _make_scene(fields: SceneFields, path: Path) -> Scene:
    _known_planner("planner.type", fields.planner.type)
    world = _make_world(fields, path.parent)
    si = _make_system(fields.robot, world)
    n = si.state_space.dimension
    for where, state in (("start", fields.start), ("goal", fields.goal)):
        if not isinstance(state, BoxGoal) and len(state.state) != n:
            names = ", ".join(name.rpartition(".")[2] for name in si.state_space.axis_names)
            raise InputError(f"{where}.state: expected {n} numbers ({names}), got {state.state}")
    problem = Problem(fields.start.state, _make_goal(fields), objective=_objective(fields, world))
    planner: PlannerFields = fields.planner
    return Scene(
        name=fields.name or path.stem,
        si=si,
        problem=problem,
        planner=planner.type,
        planner_parameters=planner.parameters,
        seed=planner.seed,
        time_limit=planner.time_limit,
        improve=planner.improve,
        shortcut=planner.shortcut,
    )


def _make_goal(fields: SceneFields) -> Goal:
    goal = fields.goal
    if isinstance(goal, BoxGoal):
        return GoalBox(goal.low, goal.high)
    return GoalState(goal.state, goal.tolerance, axes=goal.axes)


def _objective(fields: SceneFields, world: PlaneWorld | SpaceWorld | None) -> Objective | None:
    terms: list[Objective] = []
    weights = []
    for i, term in enumerate(fields.objective):
        if term.type == "clearance" and world is None:
            raise InputError(f"objective[{i}]: clearance needs a world")
        made: dict[str, Callable[[], Objective]] = {
            "duration": ControlDuration,
            "length": PathLength,
            "effort": ControlEffort,
            "clearance": lambda: Clearance(world),
        }
        terms.append(made[term.type]())
        weights.append(term.weight)
    return WeightedSum(terms, weights) if terms else None


def _make_system(robot: RobotFields, world: PlaneWorld | SpaceWorld | None) -> SpaceInformation:
    factory: Callable[..., SpaceInformation] = getattr(models, robot.model)
    accepts_place = "low" in inspect.signature(factory).parameters
    arguments: list[object] = []
    if accepts_place:
        if robot.low is None or robot.high is None:
            raise InputError(f"robot: the model {robot.model} needs low and high, where it may be")
        arguments = [robot.low, robot.high]
    elif robot.low is not None or robot.high is not None:
        raise InputError(f"robot: the model {robot.model} has no low and high")
    options = {
        name: value
        for name in (
            "propagation_step_size",
            "min_control_steps",
            "max_control_steps",
            "integrator",
        )
        if (value := getattr(robot, name)) is not None
    }
    without = {"low", "high", "options"}
    _check_names("robot.parameters", factory, robot.parameters, without=without)
    parameters = {
        name: tuple(value) if isinstance(value, list) else value
        for name, value in robot.parameters.items()
    }
    return factory(*arguments, is_valid=world, **parameters, **options)


def _check_names(
    where: str, function: Callable[..., object], given: dict[str, Any], *, without: set[str]
) -> None:
    known = set(inspect.signature(function).parameters) - without
    for name in given:
        if name not in known:
            raise InputError(unknown_name(f"{where}: ", name, sorted(known)))


def _make_world(fields: SceneFields, folder: Path) -> PlaneWorld | SpaceWorld | None:
    footprint = _footprint(fields.robot)
    plane: list[PlaneWorld] = []
    space: list[SpaceWorld] = []
    radius = footprint.radius if isinstance(footprint, Disc) else 0.0
    for i, item in enumerate(fields.world):
        try:
            if isinstance(item, SpheresFields | CuboidsFields):
                space.append(_solid(item, radius))
            else:
                plane.append(_flat(item, footprint, folder))
        except InputError as error:
            raise InputError(f"world[{i}]: {error}") from error
    if plane and space:
        raise InputError("world: obstacles of the plane and of space cannot be mixed")
    if space and not isinstance(footprint, Disc):
        raise InputError("robot.footprint: in space a robot is a disc, that is a ball")
    if space:
        return UnionOfSpaceWorlds(space)
    return UnionOfWorlds(plane) if plane else None


def _solid(item: SpheresFields | CuboidsFields, radius: float) -> SpaceWorld:
    if isinstance(item, SpheresFields):
        return Spheres(item.centres, item.radii, radius=radius)
    return Cuboids(item.low, item.high, radius=radius)


def _flat(
    item: CirclesFields | BoxesFields | OrientedBoxesFields | PolygonsFields | GridFields,
    footprint: Footprint,
    folder: Path,
) -> PlaneWorld:
    match item:
        case CirclesFields():
            return Circles(item.centres, item.radii, footprint=footprint)
        case BoxesFields():
            return Boxes(item.low, item.high, footprint=footprint)
        case OrientedBoxesFields():
            return OrientedBoxes(item.centres, item.sizes, item.angles, footprint=footprint)
        case PolygonsFields():
            return Polygons(item.polygons, footprint=footprint)
        case GridFields():
            return OccupancyGrid.from_ros(
                folder / item.map, unknown=item.unknown, outside=item.outside, footprint=footprint
            )


def _footprint(robot: RobotFields) -> Footprint:
    shape = robot.footprint
    match shape:
        case None:
            return Disc()
        case DiscFields():
            return Disc(shape.radius)
        case RectangleFields():
            return Rectangle(shape.length, shape.width, shape.centre)
        case OutlineFields():
            return Outline(shape.vertices)
        case TrailerFields():
            length, width = shape.trailer
            bend = (-shape.max_angle, shape.max_angle)
            trailer = Rectangle(length, width, (-shape.hitch, 0.0))
            return Chain(
                [
                    Body(outline=Rectangle(*shape.car), angle=2),
                    Body(outline=trailer, angle=3, limits=bend),
                ]
            )
        case LinksFields():
            return links(shape.lengths, shape.width, shape.base)


def links(lengths: tuple[float, float], width: float, base: tuple[float, float]) -> Chain:
    """Shape of an acrobot: two bars, the first hanging from a fixed point at angle 0.

    Args:
        lengths: Of the bars [m].
        width: Of the bars [m].
        base: The fixed point [m].

    Returns:
        The footprint.
    """
    bars = [Rectangle(length, width, (0.5 * length, 0.0)) for length in lengths]
    return Chain(
        [
            Body(outline=bars[0], angle=0, offset=-0.5 * 3.141592653589793),
            Body(outline=bars[1], angle=1, is_relative=True, anchor=(lengths[0], 0.0)),
        ],
        base=base,
    )
