"""One planning problem's system: its spaces, how it moves, and which of its states are valid."""

import math
import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.planning.arguments import control_steps, number, positive_seconds, whole
from footwork.planning.callbacks import World
from footwork.planning.compiled_rollout import Compilation, CompiledRollout, compile_rollout
from footwork.planning.controls.control_space import ControlSpace
from footwork.planning.propagation import make_propagation
from footwork.planning.rollout_codes import CHECK_NOTHING, CHECK_VALIDITY, CHECK_VALIDITY_AND_BOUNDS
from footwork.planning.rollout_states import Rollout
from footwork.planning.spaces.state_space import StateSpace
from footwork.planning.step_source import Integrator
from footwork.typing import Vector, as_array, frozen

MOST_STEPS: Final = 10**8
"""Most propagation steps of one control."""


class SpaceInformation:
    """The system that is planned for; every planner and path works on one.

    Args:
        state_space: Where states live.
        control_space: Where controls live.
        dynamics: ``f(x, u)`` or ``f(x, u, parameters)``, which returns dx/dt as a tuple or array.
        propagate: Instead of dynamics, ``f(x, u, dt)`` or ``f(x, u, dt, parameters)``, which
            returns the next state.
        is_valid: A world, ``f(x)``, ``f(x, parameters)``, or None if every state within the bounds
            is valid.
        propagation_step_size: One propagation step [s]: controls last whole steps in planners, and
            validity is tested after each.
        min_control_steps: Fewest steps that planners apply a control for.
        max_control_steps: Most steps that planners apply a control for.
        integrator: "euler", "rk4" or "dopri5" (adaptive Dormand–Prince), for dynamics.
        parameters: Numbers that the functions take as their last argument, shape (p,).
        relative_tolerance: Of "dopri5".
        absolute_tolerance: Of "dopri5".
        compile: Whether functions are compiled where they can be; `compilation` says what happened.

    Raises:
        InputError: If something does not fit; the message says what.

    Example:
        >>> from footwork.planning import RealVectorControlSpace, RealVectorStateSpace
        >>> si = SpaceInformation(
        ...     RealVectorStateSpace([-1, -1], [1, 1]),
        ...     RealVectorControlSpace([-1], [1]),
        ...     dynamics=lambda x, u: (x[1], u[0]),
        ...     propagation_step_size=0.1, compile=False,
        ... )
        >>> si.propagate([0.0, 0.0], [1.0], 0.25).round(6).tolist()
        [0.03125, 0.25]
    """

    def __init__(
        self,
        state_space: StateSpace,
        control_space: ControlSpace,
        *,
        dynamics: Callable[..., Any] | None = None,
        propagate: Callable[..., Any] | None = None,
        is_valid: World | Callable[..., Any] | None = None,
        propagation_step_size: float,
        min_control_steps: int = 1,
        max_control_steps: int = 10,
        integrator: Integrator = "rk4",
        parameters: ArrayLike = (),
        relative_tolerance: float = 1e-9,
        absolute_tolerance: float = 1e-9,
        compile: bool = True,
    ) -> None:
        if not isinstance(state_space, StateSpace):
            raise InputError(f"state_space must be a StateSpace, got {state_space!r}")
        if not isinstance(control_space, ControlSpace):
            raise InputError(f"control_space must be a ControlSpace, got {control_space!r}")
        self._state_space = state_space
        self._control_space = control_space
        self._step_size = positive_seconds("propagation_step_size", propagation_step_size)
        self._min_steps = control_steps("min_control_steps", min_control_steps)
        self._max_steps = control_steps("max_control_steps", max_control_steps)
        if self._min_steps > self._max_steps:
            raise InputError(
                f"min_control_steps ({self._min_steps}) must not be above max_control_steps "
                f"({self._max_steps}); both are numbers of propagation steps of {self._step_size} s"
            )
        self._is_valid = is_valid
        self._propagation = make_propagation(
            state_space,
            control_space,
            dynamics=dynamics,
            propagate=propagate,
            is_valid=is_valid,
            integrator=integrator,
            parameters=as_array("parameters", parameters, ("p",)),
            relative_tolerance=relative_tolerance,
            absolute_tolerance=absolute_tolerance,
        )
        self._compile = compile
        self._compiled: CompiledRollout | None = None
        self._watch = self._propagation.watch()

    # What it consists of

    @property
    def state_space(self) -> StateSpace:
        """Where states live."""
        return self._state_space

    @property
    def control_space(self) -> ControlSpace:
        """Where controls live."""
        return self._control_space

    @property
    def propagation_step_size(self) -> float:
        """One propagation step [s]."""
        return self._step_size

    @property
    def min_control_steps(self) -> int:
        """Fewest steps that planners apply a control for."""
        return self._min_steps

    @property
    def max_control_steps(self) -> int:
        """Most steps that planners apply a control for."""
        return self._max_steps

    @property
    def parameters(self) -> Vector:
        """Numbers that the functions take as their last argument, shape (p,)."""
        return self._propagation.parameters

    @property
    def validity(self) -> World | Callable[..., Any] | None:
        """The world or function that was given as ``is_valid``."""
        return self._is_valid

    @property
    def compilation(self) -> Compilation:
        """Whether the functions are compiled, or why not; compiles them if need be."""
        return self.compiled().compilation

    def with_parameters(self, parameters: ArrayLike) -> "SpaceInformation":
        """Copy with other numbers for the functions; nothing is compiled again.

        Args:
            parameters: Shape (p,), as many as before.

        Returns:
            The copy.
        """
        new = as_array("parameters", parameters, self.parameters.shape)
        copy = object.__new__(SpaceInformation)
        copy.__dict__.update(self.__dict__)
        copy._propagation = replace(self._propagation, parameters=frozen(new))
        if self._compiled is not None:
            copy._compiled = self._compiled.with_propagation(copy._propagation)
        return copy

    def __getstate__(self) -> dict[str, Any]:
        functions = self._propagation, self._is_valid
        return {**self.__dict__, **_UNPICKLED, "_functions": _pickled(functions)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._propagation, self._is_valid = pickle.loads(state.pop("_functions"))
        self.__dict__.update({k: v for k, v in state.items() if k not in _UNPICKLED})
        self._compiled = None
        self._watch = self._propagation.watch()

    # Compiling

    def compiled(self) -> CompiledRollout:
        """Put the system behind one C address, once.

        A function that captures a global or a closure variable is compiled again when that has
        changed since.

        Returns:
            The compiled system.
        """
        now = self._compiled
        if now is None or (now.is_native and self._watch.has_changed()):
            self._watch = self._propagation.watch()
            now = compile_rollout(
                self._propagation,
                propagation_step_size=self._step_size,
                min_control_steps=self._min_steps,
                max_control_steps=self._max_steps,
                native=self._compile,
            )
        elif self._propagation.world is not None:
            now = now.with_propagation(self._propagation)
        self._compiled = now
        return now

    # Moving

    def steps_of(self, duration: float) -> tuple[int, float]:
        """Split a duration into whole propagation steps and what is left.

        n = round(d/h) if |d/h − n| ≤ 1e-9 · n, and nothing is left; else n = floor(d/h), and
        d − n h is one shorter step. Planners, paths and checks all use this rule.

        Args:
            duration: d ≥ 0 [s].

        Returns:
            The number of whole steps, and the length of the shorter one [s], 0 for none.

        Raises:
            InputError: If it is negative, NaN, or more steps than any memory holds.
        """
        from footwork.planning._kernels.rollout import steps_of

        d = number("duration", duration, "seconds")
        if not 0.0 <= d <= MOST_STEPS * self._step_size:
            raise InputError(
                f"duration must be from 0 to {MOST_STEPS} propagation steps of "
                f"{self._step_size:g} s, got {duration} s"
            )
        n, rest = steps_of(d, self._step_size)
        return int(n), float(rest)

    def propagate(
        self,
        state: ArrayLike,
        control: ArrayLike,
        duration: float | None = None,
        *,
        steps: int | None = None,
    ) -> Vector:
        """Move a state with a control, whatever is in the way.

        Args:
            state: Where it starts, shape (n,).
            control: What is applied, shape (m,).
            duration: For how long [s], exactly; negative goes backwards in time.
            steps: Instead, for how many propagation steps.

        Returns:
            Where it ends, shape (n,).

        Raises:
            InputError: If an argument is ill-formed, or not one of duration and steps is given.
        """
        return self._rollout(state, control, duration, steps, CHECK_NOTHING).final_state

    def propagate_while_valid(
        self,
        state: ArrayLike,
        control: ArrayLike,
        duration: float | None = None,
        *,
        steps: int | None = None,
        within_bounds: bool = True,
    ) -> Rollout:
        """Move a state with a control until the first state that is not valid.

        Args:
            state: Where it starts; taken to be valid, shape (n,).
            control: What is applied, shape (m,).
            duration: For how long [s], exactly; negative goes backwards in time.
            steps: Instead, for how many propagation steps.
            within_bounds: Whether a state outside of the bounds is invalid.

        Returns:
            The valid states, and whether that was all.

        Raises:
            InputError: If an argument is ill-formed, or not one of duration and steps is given.
        """
        check = CHECK_VALIDITY_AND_BOUNDS if within_bounds else CHECK_VALIDITY
        return self._rollout(state, control, duration, steps, check)

    def is_state_valid(self, state: ArrayLike, *, within_bounds: bool = True) -> bool:
        """Whether a state is valid.

        Args:
            state: A state, shape (n,).
            within_bounds: Whether a state outside of the bounds is invalid.

        Returns:
            Whether it is within the bounds and the validity test says yes.

        Raises:
            CallbackTypeError: If the validity test does not say yes or no.
        """
        x = self._state_space.as_state("state", state)
        if within_bounds and not self._state_space.satisfies_bounds(x):
            return False
        propagation = self._propagation
        python = self.compiled().python
        return python.valid(tuple(x.tolist()), propagation.validity_parameters)

    def _rollout(
        self,
        state: ArrayLike,
        control: ArrayLike,
        duration: float | None,
        steps: int | None,
        check: float,
    ) -> Rollout:
        x = self._state_space.as_state("state", state)
        u = self._control_space.as_control("control", control)
        h, n, last = self._split(duration, steps)
        return self.rollout(x, u, h, n, last, check=check)

    def rollout(
        self, x: Vector, u: Vector, h: float, n: int, last: float, *, check: float
    ) -> Rollout:
        """Call the compiled system; nothing is checked about the arguments.

        Args:
            x: Where it starts, float64, shape (n,).
            u: What is applied, float64, shape (m,).
            h: Length of the whole steps [s].
            n: Number of whole steps.
            last: Length of the shorter step after them [s], 0 for none.
            check: What is checked.

        Returns:
            The valid states.
        """
        from footwork.planning._kernels.rollout import call_rollout

        compiled = self.compiled()
        params = compiled.params_checking(check)
        total = n + (last != 0.0)
        out = np.empty((max(total, 1), len(x)))
        count = call_rollout(compiled.address, x, u, h, n, last, params, out)
        compiled.raise_error(count, params)
        states = frozen(out[:count].copy())
        durations = np.full(total, h)
        if last != 0.0:
            durations[-1] = last
        return Rollout(
            states=states,
            durations=frozen(durations[:count]),
            is_complete=count == total,
            final_state=states[-1] if count else frozen(x.copy()),
        )

    def _split(self, duration: float | None, steps: int | None) -> tuple[float, int, float]:
        if (duration is None) == (steps is None):
            raise InputError("give either duration=, in seconds, or steps=, in propagation steps")
        if steps is not None:
            count = whole("steps", steps, -MOST_STEPS, MOST_STEPS)
            return math.copysign(self._step_size, count), abs(count), 0.0
        assert duration is not None
        if not math.isfinite(number("duration", duration, "seconds")):
            raise InputError(f"duration must be finite, got {duration}")
        n, last = self.steps_of(abs(duration))
        h = math.copysign(self._step_size, duration)
        return h, n, math.copysign(last, duration) if last else 0.0

    def __repr__(self) -> str:
        space, controls = type(self._state_space).__name__, type(self._control_space).__name__
        return (
            f"SpaceInformation({space} of {self._state_space.dimension}, {controls} of "
            f"{self._control_space.dimension}, {self._propagation.step_name}, "
            f"step {self._step_size:g} s, {self._min_steps} to {self._max_steps} steps)"
        )


_UNPICKLED: Final = {"_propagation": None, "_is_valid": None, "_compiled": None, "_watch": None}


def _pickled(functions: object) -> bytes:
    """Pickle functions by their name where they have one, else by their code."""
    try:
        return pickle.dumps(functions)
    except (AttributeError, TypeError, pickle.PicklingError):
        from numba import cloudpickle

        by_code: bytes = cloudpickle.dumps(functions)
        return by_code
