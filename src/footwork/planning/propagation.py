"""How a system moves, and the rollout that everything else calls.

`Propagation` is the description: the user's function, its parameters, the integrator, the test of
validity. `compile_rollout` turns it into a `CompiledRollout`: one C address, compiled where that is
possible and plain Python where it is not, with the same answers.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from footwork.errors import BackendError, CallbackValueError, InputError
from footwork.planning.arguments import number
from footwork.planning.callbacks import World, argument_count, callback_name
from footwork.planning.controls.control_space import ControlSpace
from footwork.planning.fingerprint import CaptureWatch
from footwork.planning.rollout_codes import (
    CHECK_VALIDITY,
    CHECK_VALIDITY_AND_BOUNDS,
    FAILED_NAN,
    FAILED_STEPS,
    HEADER,
)
from footwork.planning.rollout_native import NotCompilableError, compile_native
from footwork.planning.rollout_python import PythonRollout
from footwork.planning.rollout_source import rollout_source
from footwork.planning.spaces.state_space import StateSpace
from footwork.planning.step_source import Integrator, StepForm
from footwork.typing import BoolVector, IntVector, Vector, frozen

INTEGRATORS = ("euler", "rk4", "dopri5")


@dataclass(frozen=True, kw_only=True)
class Compilation:
    """Which of the two doors a problem goes through, and why.

    Attributes:
        is_native: Whether the callbacks are compiled.
        reason: What was compiled, or why it could not be.
        from_cache: Whether the machine code was found on the disk.
    """

    is_native: bool
    reason: str
    from_cache: bool = False

    def __str__(self) -> str:
        how = "compiled" if self.is_native else "plain Python"
        return f"{how}: {self.reason}"


@dataclass(frozen=True, kw_only=True, eq=False)
class CompiledRollout:
    """One problem behind one C address, with everything that kernels read.

    Attributes:
        address: C function; see `footwork.planning._kernels.rollout`.
        params: What it is called with; packed numbers that this object owns.
        is_native: Whether it is machine code; else it calls back into Python.
        compilation: The same with the reason.
        keep_alive: Owner of the code behind the address.
        components: Component table of the state space, shape (k, 3).
        weights: Weights of the components, shape (k,).
        low: Lower bounds of states, shape (n,).
        high: Upper bounds of states, shape (n,).
        control_low: Lower bounds of controls, shape (m,).
        control_high: Upper bounds of controls, shape (m,).
        is_discrete: Which controls are whole numbers, shape (m,).
        propagation_step_size: One propagation step [s].
        min_control_steps: Fewest steps that a control is applied for.
        max_control_steps: Most steps that a control is applied for.
    """

    address: int
    params: Vector
    compilation: Compilation
    keep_alive: object
    components: IntVector
    weights: Vector
    low: Vector
    high: Vector
    control_low: Vector
    control_high: Vector
    is_discrete: BoolVector
    propagation_step_size: float
    min_control_steps: int
    max_control_steps: int
    python: PythonRollout
    propagation: "Propagation"

    @property
    def is_native(self) -> bool:
        """Whether it is machine code; else it calls back into Python."""
        return self.compilation.is_native

    @property
    def dimension(self) -> int:
        """How many numbers a state has."""
        return len(self.low)

    @property
    def control_dimension(self) -> int:
        """How many numbers a control has."""
        return len(self.control_low)

    def with_propagation(self, propagation: "Propagation") -> "CompiledRollout":
        """Copy with other numbers behind the same address: parameters, or a changed world.

        Args:
            propagation: The same functions with other numbers.

        Returns:
            Itself if the numbers are the same, else the copy.
        """
        params = propagation.packed()
        first = HEADER + self.dimension + self.control_dimension + 1
        if np.array_equal(params[first:], self.params[first:]):
            return self
        return replace(self, params=params, propagation=propagation)

    def params_checking(self, check: float) -> Vector:
        """Copy the packed numbers with another choice of what to check.

        Args:
            check: One of the CHECK constants of `footwork.planning._kernels.rollout`.

        Returns:
            A new array.
        """
        params = self.params.copy()
        params[0] = check
        return params

    def raise_error(self, code: int, params: Vector | None = None) -> None:
        """Raise what a callback raised, after a rollout returned a negative code.

        Args:
            code: What the rollout returned; nothing happens if it is not negative.
            params: The packed numbers it was called with, if not ``self.params``.

        Raises:
            CallbackTypeError: Or whatever else the callback raised.
            BackendError: If the callback does not raise it again.
        """
        if code >= 0:
            return
        error = self.python.take_error()
        if error is not None:
            raise error
        n, m = self.dimension, self.control_dimension
        failed = (self.params if params is None else params)[HEADER : HEADER + n + m + 1]
        x, u, h = failed[:n].copy(), failed[n : n + m].copy(), float(failed[-1])
        name = self.propagation.step_name
        y = self.python.step(x, u, h, self.propagation.parameters)
        self.python.valid(tuple(y.tolist()), self.propagation.validity_parameters)
        if code == FAILED_NAN or np.isnan(y).any():
            raise CallbackValueError(name, f"led to NaN from state {x}, control {u}", y)
        if code == FAILED_STEPS:
            raise BackendError(f"{name}: the integrator needs too many sub-steps at {x}, {u}")
        raise BackendError(f"{name} failed at state {x}, control {u}, and not when called again")


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


def compile_rollout(
    propagation: Propagation,
    *,
    propagation_step_size: float,
    min_control_steps: int,
    max_control_steps: int,
    native: bool = True,
) -> CompiledRollout:
    """Put a problem behind one C address.

    Args:
        propagation: How it moves.
        propagation_step_size: One step [s].
        min_control_steps: Fewest steps of a control.
        max_control_steps: Most steps of a control.
        native: Whether to compile the callbacks if they can be.

    Returns:
        The compiled problem.
    """
    space, controls = propagation.state_space, propagation.control_space
    python = _python_rollout(propagation)
    address, compilation, keep_alive = _choose(propagation, python, native=native)
    return CompiledRollout(
        address=address,
        params=propagation.packed(),
        compilation=compilation,
        keep_alive=keep_alive,
        components=space.components,
        weights=space.weights,
        low=space.low,
        high=space.high,
        control_low=controls.low,
        control_high=controls.high,
        is_discrete=controls.is_discrete,
        propagation_step_size=propagation_step_size,
        min_control_steps=min_control_steps,
        max_control_steps=max_control_steps,
        python=python,
        propagation=propagation,
    )


def _validity_arguments(is_valid: object) -> int:
    if is_valid is None:
        return 0
    if isinstance(is_valid, World):
        return 3
    return argument_count("is_valid", is_valid, (1, 2), "f(x), f(x, parameters) or a world")


def _python_rollout(propagation: Propagation) -> PythonRollout:
    return PythonRollout(
        propagation.state_space,
        propagation.form,
        role=propagation.role,
        function=propagation.function,
        is_valid=propagation.validity_function,
        validity_arguments=propagation.validity_arguments,
    )


def _choose(
    propagation: Propagation, python: PythonRollout, *, native: bool
) -> tuple[int, Compilation, object]:
    import numba

    if not native:
        return python.address, Compilation(is_native=False, reason="compile=False"), python
    if numba.config.DISABLE_JIT:
        reason = "NUMBA_DISABLE_JIT is set"
        return python.address, Compilation(is_native=False, reason=reason), python
    try:
        return _compile(propagation, python)
    except NotCompilableError as error:
        reason = f"{propagation.step_name} or is_valid cannot be compiled: {error}"
        return python.address, Compilation(is_native=False, reason=reason), python


def _compile(propagation: Propagation, python: PythonRollout) -> tuple[int, Compilation, object]:
    rows = [(int(k), int(o), int(s)) for k, o, s in propagation.state_space.components]
    text = rollout_source(
        propagation.form, rows, propagation.validity_arguments, len(propagation.parameters)
    )
    callbacks: dict[str, tuple[object, Callable[[Any], None]]] = {
        "_step_function": (propagation.function, _accept_anything)
    }
    names = [propagation.step_name]
    if propagation.is_valid is not None:
        test = _returns_truth(takes_two=propagation.validity_arguments > 1)
        callbacks["_is_valid"] = (propagation.validity_function, test)
        names.append(callback_name("is_valid", propagation.validity_function))
    function = compile_native(
        text, "rollout", callbacks, verify=lambda address: _compare(propagation, address, python)
    )
    compilation = Compilation(
        is_native=True, reason=" and ".join(names), from_cache=function.from_cache
    )
    return function.address, compilation, (function, python)


def _accept_anything(dispatcher: Any) -> None:
    """A step function is tested by compiling the rollout, which reads its numbers."""


def _returns_truth(*, takes_two: bool) -> Callable[[Any], None]:
    def test(dispatcher: Any) -> None:
        from numba import types

        from footwork._numba import VEC

        signature = (VEC, VEC) if takes_two else (VEC,)
        if signature not in dispatcher.overloads:
            dispatcher.compile(signature)
        returned = dispatcher.overloads[signature].signature.return_type
        if not isinstance(returned, types.Boolean | types.Integer | types.BooleanLiteral):
            raise NotCompilableError(f"is_valid returns {returned}, not True or False")

    return test


def _compare(propagation: Propagation, address: int, python: PythonRollout) -> None:
    """Try one step both ways; compiled code that differs, or reads beyond an array, is not used.

    Args:
        propagation: The problem.
        address: The compiled rollout.
        python: The plain one.

    Raises:
        NotCompilableError: If plain Python raises, or the numbers differ.
    """
    from footwork.planning._kernels.rollout import call_rollout

    space, controls = propagation.state_space, propagation.control_space
    rng = np.random.default_rng(0)
    x, u, h = space.sample(rng), controls.sample(rng), 1e-3
    native, plain = np.zeros((1, space.dimension)), np.zeros((1, space.dimension))
    params = propagation.packed(CHECK_VALIDITY)
    count = call_rollout(address, x, u, h, 1, 0.0, params, native)
    expected = call_rollout(python.address, x, u, h, 1, 0.0, params, plain)
    error = python.take_error()
    if error is not None:
        raise NotCompilableError(f"called once in Python, it raised {error!r}")
    if count != expected or not np.allclose(native, plain, rtol=1e-9, atol=1e-12, equal_nan=True):
        raise NotCompilableError(
            f"compiled it gives {native[0]} where Python gives {plain[0]}, at state {x} with {u}"
        )
