"""The fields of a scene file, as msgspec reads them: unknown ones are refused."""

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, field

Pair = tuple[float, float]
Triple = tuple[float, float, float]
Positive = Annotated[float, Meta(gt=0.0)]


class CirclesFields(Struct, tag="circles", forbid_unknown_fields=True, kw_only=True):
    """Round obstacles: centres [m] and one radius, or one each [m]."""

    centres: list[Pair]
    radii: float | list[float]


class BoxesFields(Struct, tag="boxes", forbid_unknown_fields=True, kw_only=True):
    """Boxes along the axes, by their corners [m]."""

    low: list[Pair]
    high: list[Pair]


class OrientedBoxesFields(Struct, tag="oriented_boxes", forbid_unknown_fields=True, kw_only=True):
    """Turned boxes: centres and sizes [m], directions of the lengths [rad]."""

    centres: list[Pair]
    sizes: list[Pair]
    angles: list[float]


class PolygonsFields(Struct, tag="polygons", forbid_unknown_fields=True, kw_only=True):
    """Convex polygons, corners in order [m]."""

    polygons: list[list[Pair]]


class GridFields(Struct, tag="grid", forbid_unknown_fields=True, kw_only=True):
    """A map of ROS, by the path of its YAML file."""

    map: str
    unknown: Literal["occupied", "free"] = "occupied"
    outside: Literal["occupied", "free"] = "occupied"


class SpheresFields(Struct, tag="spheres", forbid_unknown_fields=True, kw_only=True):
    """Balls in space [m]."""

    centres: list[Triple]
    radii: float | list[float]


class CuboidsFields(Struct, tag="cuboids", forbid_unknown_fields=True, kw_only=True):
    """Boxes along the axes of space, by their corners [m]."""

    low: list[Triple]
    high: list[Triple]


class DiscFields(Struct, tag="disc", forbid_unknown_fields=True, kw_only=True):
    """A round robot; in space, a ball [m]."""

    radius: float


class RectangleFields(Struct, tag="rectangle", forbid_unknown_fields=True, kw_only=True):
    """A rectangle that turns with the robot [m]."""

    length: float
    width: float
    centre: Pair = (0.0, 0.0)


class OutlineFields(Struct, tag="outline", forbid_unknown_fields=True, kw_only=True):
    """Any simple polygon that turns with the robot [m]."""

    vertices: list[Pair]


class TrailerFields(Struct, tag="car_and_trailer", forbid_unknown_fields=True, kw_only=True):
    """Length and width of car and trailer, distance of the trailer's centre from the hitch [m]."""

    car: Pair
    trailer: Pair
    hitch: Positive
    max_angle: Positive = 1.0


class LinksFields(Struct, tag="links", forbid_unknown_fields=True, kw_only=True):
    """The two bars of an acrobot [m]."""

    lengths: Pair = (1.0, 1.0)
    width: Positive = 0.1
    base: Pair = (0.0, 0.0)


ModelName = Literal[
    "acrobot",
    "car_with_trailer",
    "cart_pole",
    "differential_drive",
    "double_integrator",
    "kinematic_car",
    "omnidirectional_base",
    "planar_quadrotor",
    "planar_quadrotor_with_pole",
    "quadrotor",
    "quadrotor_with_quaternion",
    "second_order_car",
    "second_order_unicycle",
    "unicycle",
]


class RobotFields(Struct, forbid_unknown_fields=True, kw_only=True):
    """A model, where it may be, and its shape."""

    model: ModelName
    low: list[float] | None = None
    high: list[float] | None = None
    footprint: DiscFields | RectangleFields | OutlineFields | TrailerFields | LinksFields | None = (
        None
    )
    parameters: dict[str, Any] = field(default_factory=dict)
    propagation_step_size: Positive | None = None
    min_control_steps: int | None = None
    max_control_steps: int | None = None
    integrator: Literal["euler", "rk4", "dopri5"] | None = None


class StateFields(Struct, forbid_unknown_fields=True, kw_only=True):
    """Where to start."""

    state: list[float]


class StateGoal(Struct, tag="state", forbid_unknown_fields=True, kw_only=True):
    """A state within a tolerance; only some axes may count."""

    state: list[float]
    tolerance: Positive | None = None
    axes: list[int] | None = None


class BoxGoal(Struct, tag="box", forbid_unknown_fields=True, kw_only=True):
    """A box of states; -inf and inf where an axis is free."""

    low: list[float]
    high: list[float]


class TermFields(Struct, forbid_unknown_fields=True, kw_only=True):
    """A part of what is minimised."""

    type: Literal["duration", "length", "effort", "clearance"]
    weight: Annotated[float, Meta(ge=0.0)] = 1.0


class PlannerFields(Struct, forbid_unknown_fields=True, kw_only=True):
    """Who plans, and for how long."""

    type: str = "SST"
    parameters: dict[str, Any] = field(default_factory=dict)
    seed: int | None = 1
    time_limit: Annotated[float, Meta(ge=0.0)] = 5.0
    improve: bool = False
    shortcut: bool = True


WorldFields = (
    CirclesFields
    | BoxesFields
    | OrientedBoxesFields
    | PolygonsFields
    | GridFields
    | SpheresFields
    | CuboidsFields
)


class SceneFields(Struct, forbid_unknown_fields=True, kw_only=True):
    """A whole scene file."""

    robot: RobotFields
    start: StateFields
    goal: StateGoal | BoxGoal
    name: str = ""
    world: list[WorldFields] = field(default_factory=list)
    objective: list[TermFields] = field(default_factory=list)
    planner: PlannerFields = field(default_factory=PlannerFields)
