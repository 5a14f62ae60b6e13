"""How a system moves: the user's function, its parameters, the integrator, the test of validity.

`footwork.planning.compiled_rollout` turns it into the rollout that everything else calls.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from footwork.errors import InputError
from footwork.planning.arguments import number
from footwork.planning.callbacks import World, argument_count, callback_name
from footwork.planning.controls.control_space import ControlSpace
from footwork.planning.fingerprint import CaptureWatch
from footwork.planning.rollout_codes import CHECK_VALIDITY_AND_BOUNDS
from footwork.planning.spaces.state_space import StateSpace
from footwork.planning.step_source import Integrator, StepForm
from footwork.typing import Vector, frozen

INTEGRATORS = ("euler", "rk4", "dopri5")


@dataclass(frozen=True, kw_only=True, eq=False)
class Propagation:
    """How a system moves and which of its states are valid.

    Attributes:
        state_space: Where states live.
        control_space: Where controls live.
        form: How one step is made.
        function: ``f(x, u)`` giving dx/dt, or ``f(x, u, dt)`` giving the next state; with the
            parameters as one more argument if it takes them.
        parameters: The user's numbers, shape (p,).
        is_valid: A world, a function of the state (and the parameters), or None.
        world: The same if it is a world, else None.
        validity_arguments: How many arguments it takes; 3 for a world.
    """

    state_space: StateSpace
    control_space: ControlSpace
    form: StepForm
    function: Callable[..., Any]
    parameters: Vector
    is_valid: World | Callable[..., Any] | None
    world: World | None
    validity_arguments: int

    @property
    def role(self) -> str:
        """Name of the argument that gave the function."""
        return "dynamics" if self.form.is_dynamics else "propagate"

    @property
    def step_name(self) -> str:
        """The step's callback, for messages."""
        return callback_name(self.role, self.function)

    @property
    def validity_function(self) -> Any:
        """What tests a state, or None."""
        return self.world.validity_kernel if self.world is not None else self.is_valid

    @property
    def validity_parameters(self) -> Vector:
        """The world's numbers for a world, else the user's."""
        return self._world_numbers if self.world is not None else self.parameters

    @property
    def _world_numbers(self) -> Vector:
        if self.world is None:
            return np.empty(0)
        return np.ascontiguousarray(self.world.parameters, dtype=np.float64)

    def packed(self, check: float = CHECK_VALIDITY_AND_BOUNDS) -> Vector:
        """Pack everything that a rollout reads into one array.

        Args:
            check: What is checked.

        Returns:
            A new array.
        """
        world = self._world_numbers
        n, m = self.state_space.dimension, self.control_space.dimension
        head = [check, len(self.parameters), len(world), 0.0]
        space = self.state_space
        return np.concatenate(
            [head, np.zeros(n + m + 1), space.low, space.high, self.parameters, world]
        )

    def watch(self) -> CaptureWatch:
        """Watch the values that the callbacks capture.

        Returns:
            What notices when one has changed.
        """
        return CaptureWatch(self.function, self.validity_function)


def make_propagation(
    state_space: StateSpace,
    control_space: ControlSpace,
    *,
    dynamics: Callable[..., Any] | None,
    propagate: Callable[..., Any] | None,
    is_valid: World | Callable[..., Any] | None,
    integrator: Integrator,
    parameters: Vector,
    relative_tolerance: float,
    absolute_tolerance: float,
) -> Propagation:
    """Check what the user gave and put it together.

    Args:
        state_space: Where states live.
        control_space: Where controls live.
        dynamics: dx/dt, or None.
        propagate: The next state, or None.
        is_valid: A world, a function, or None.
        integrator: For dynamics.
        parameters: The user's numbers.
        relative_tolerance: Of Dormand–Prince.
        absolute_tolerance: Of Dormand–Prince.

    Returns:
        The description.

    Raises:
        InputError: If both or none of dynamics and propagate are given, or something does not fit.
    """
    if (dynamics is None) == (propagate is None):
        raise InputError(
            "give either dynamics=f(x, u), which returns dx/dt, or propagate=f(x, u, dt), which "
            "returns the next state"
        )
    if integrator not in INTEGRATORS:
        raise InputError(f"integrator must be one of {', '.join(INTEGRATORS)}, got {integrator!r}")
    for name, value in (("relative", relative_tolerance), ("absolute", absolute_tolerance)):
        if not (math.isfinite(number(f"{name}_tolerance", value)) and value > 0.0):
            raise InputError(f"{name}_tolerance must be positive, got {value}")
    function: Callable[..., Any]
    if dynamics is not None:
        function = dynamics
        count = argument_count("dynamics", function, (2, 3), "f(x, u) or f(x, u, parameters)")
        plain = 2
    else:
        assert propagate is not None
        function = propagate
        count = argument_count(
            "propagate", function, (3, 4), "f(x, u, dt) or f(x, u, dt, parameters)"
        )
        plain = 3
    form = StepForm(
        dimension=state_space.dimension,
        control_dimension=control_space.dimension,
        is_dynamics=dynamics is not None,
        takes_parameters=count > plain,
        integrator=integrator,
        relative_tolerance=float(relative_tolerance),
        absolute_tolerance=float(absolute_tolerance),
    )
    return Propagation(
        state_space=state_space,
        control_space=control_space,
        form=form,
        function=function,
        parameters=frozen(parameters),
        is_valid=is_valid,
        world=is_valid if isinstance(is_valid, World) else None,
        validity_arguments=_validity_arguments(is_valid),
    )


def _validity_arguments(is_valid: object) -> int:
    if is_valid is None:
        return 0
    if isinstance(is_valid, World):
        return 3
    return argument_count("is_valid", is_valid, (1, 2), "f(x), f(x, parameters) or a world")
