"""What every ready model takes besides its own numbers."""

from collections.abc import Callable
from typing import Any, TypedDict, TypeVar

from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning.arguments import number
from footwork.planning.step_source import Integrator
from footwork.planning.worlds.protocol import World
from footwork.typing import as_array

T = TypeVar("T")


class Options(TypedDict, total=False):
    """Arguments of `SpaceInformation` that a model passes on.

    Attributes:
        is_valid: A world, a plain function of the state, or None.
        propagation_step_size: One propagation step [s].
        min_control_steps: Fewest steps of one control in planners.
        max_control_steps: Most steps of one control in planners.
        integrator: "euler", "rk4" or "dopri5".
    """

    is_valid: World | Callable[..., Any] | None
    propagation_step_size: float
    min_control_steps: int
    max_control_steps: int
    integrator: Integrator


def with_defaults(options: Options, *, step: float, most: int = 20) -> Options:
    """Fill in what was not given.

    Args:
        options: What was given.
        step: Propagation step of the model [s].
        most: Most steps of one control.

    Returns:
        A complete set.
    """
    filled: Options = {
        "is_valid": None,
        "propagation_step_size": step,
        "min_control_steps": 1,
        "max_control_steps": most,
        "integrator": "rk4",
    }
    filled.update(options)
    return filled


def positive(**values: float) -> None:
    """Check that numbers of a model are above 0.

    Args:
        **values: By name.

    Raises:
        InputError: If one is not a number above 0; the message names it.
    """
    for name, value in values.items():
        if not 0.0 < number(name, value) < float("inf"):
            raise InputError(f"{name} must be a number above 0, got {value!r}")


def numbers(count: int, **values: ArrayLike) -> None:
    """Check that arguments of a model are so many finite numbers each: a range, or one a joint.

    Args:
        count: How many.
        **values: By name.

    Raises:
        ShapeError: If one has another number of them; the message names it.
        InputError: If one is not made of finite numbers.
    """
    for name, value in values.items():
        as_array(name, value, (count,))
