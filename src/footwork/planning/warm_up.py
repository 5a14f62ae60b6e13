"""Compiles every ready model with every kind of world, and every planner, once."""

from collections.abc import Callable

from footwork.errors import FootworkError
from footwork.planning import models
from footwork.planning.problem import Problem
from footwork.planning.scene import PLANNERS, make_planner
from footwork.planning.space_information import SpaceInformation
from footwork.planning.worlds import Circles, Spheres

Job = tuple[str, Callable[[], str]]
PLACES = {
    "unicycle": 2,
    "differential_drive": 2,
    "kinematic_car": 2,
    "second_order_unicycle": 2,
    "second_order_car": 2,
    "car_with_trailer": 2,
    "omnidirectional_base": 2,
    "double_integrator": 2,
    "planar_quadrotor": 2,
    "planar_quadrotor_with_pole": 2,
    "quadrotor": 3,
    "quadrotor_with_quaternion": 3,
    "cart_pole": 0,
    "acrobot": 0,
}
"""Models, and how many numbers say where they may be."""


def planning_jobs() -> list[Job]:
    """List the rollouts and planners to compile.

    Returns:
        A name, and a function that compiles and returns what went wrong, for each.
    """
    rollouts = [
        (f"model: {name}, {world}", _compiler(name, dimension, world))
        for name, dimension in PLACES.items()
        for world in ("free", "world")
        if dimension or world == "free"
    ]
    return rollouts + [(f"planner: {name}", _planner(name)) for name in PLANNERS]


def make_model(name: str, dimension: int, world: str) -> SpaceInformation:
    """Make a ready model in a small place.

    Args:
        name: Of the model.
        dimension: How many numbers say where it may be.
        world: "free" for no world, else one with an obstacle.

    Returns:
        The system.
    """
    factory: Callable[..., SpaceInformation] = getattr(models, name)
    if not dimension:
        return factory()
    low, high = [0.0] * dimension, [2.0] * dimension
    if world == "free":
        return factory(low, high)
    if dimension == 2:
        return factory(low, high, is_valid=Circles([[1.0, 1.0]], 0.2))
    return factory(low, high, is_valid=Spheres([[1.0, 1.0, 1.0]], 0.2))


def _compiler(name: str, dimension: int, world: str) -> Callable[[], str]:
    def compile_rollout() -> str:
        compilation = make_model(name, dimension, world).compilation
        return "" if compilation.is_native else compilation.reason

    return compile_rollout


def _planner(name: str) -> Callable[[], str]:
    def plan() -> str:
        si = make_model("unicycle", 2, "world")
        problem = Problem([0.3, 0.3, 0.0], [1.7, 1.7, 0.0], goal_tolerance=0.5)
        try:
            make_planner(name, si, seed=1, parameters={}).solve(problem, iteration_limit=50)
        except FootworkError as error:
            return str(error)
        return ""

    return plan
