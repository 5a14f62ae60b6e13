"""One problem behind one C address: compiled where that is possible, else plain Python's door."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from footwork.planning.callbacks import callback_name
from footwork.planning.goal_door import GOAL_TYPE
from footwork.planning.propagation import Propagation
from footwork.planning.rollout_codes import CHECK_VALIDITY, HEADER
from footwork.planning.rollout_native import (
    NativeFunction,
    NotCompilableError,
    accept_anything,
    compile_native,
)
from footwork.planning.rollout_python import PythonRollout
from footwork.planning.rollout_source import rollout_source, validity_source
from footwork.typing import BoolVector, IntVector, Vector


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
        compilation: Whether it is machine code, and why.
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
        python: The same problem in plain Python, which tells what a callback raised.
        propagation: The user's functions and numbers.
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
    propagation: Propagation

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

    def with_propagation(self, propagation: Propagation) -> "CompiledRollout":
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
        python = self.python.with_propagation(propagation)
        return replace(self, params=python.packed(), python=python, propagation=propagation)

    def params_checking(self, check: float) -> Vector:
        """Copy the packed numbers with another choice of what to check.

        Args:
            check: One of the CHECK constants of `footwork.planning.rollout_codes`.

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
        n, m = self.dimension, self.control_dimension
        failed = (self.params if params is None else params)[HEADER : HEADER + n + m + 1]
        x, u, h = failed[:n].copy(), failed[n : n + m].copy(), float(failed[-1])
        self.python.raise_kept(code, x, u)
        self.python.replay(code, x, u, h)


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
    address, compilation, python, keep_alive = _choose(propagation, native=native)
    return CompiledRollout(
        address=address,
        params=python.packed(),
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


def _choose(
    propagation: Propagation, *, native: bool
) -> tuple[int, Compilation, PythonRollout, object]:
    import numba

    python = PythonRollout(propagation)
    if not native or numba.config.DISABLE_JIT:
        reason = "NUMBA_DISABLE_JIT is set" if native else "compile=False"
        return python.address, Compilation(is_native=False, reason=reason), python, None
    try:
        function, compilation = _compile(propagation, python)
    except NotCompilableError as error:
        return _choose_mixed(propagation, python, error)
    return function.address, compilation, python, function


def _choose_mixed(
    propagation: Propagation, python: PythonRollout, error: NotCompilableError
) -> tuple[int, Compilation, PythonRollout, object]:
    """Compile the test of validity alone, if there is one that can be."""
    names = propagation.step_name
    if propagation.is_valid is not None:
        names += f" or {callback_name('is_valid', propagation.validity_function)}"
    reason = f"{names} cannot be compiled: {error}"
    if propagation.is_valid is not None:
        with suppress(NotCompilableError):
            python = PythonRollout(propagation, _compile_validity(propagation, python))
            name = callback_name("is_valid", propagation.validity_function)
            reason = f"{propagation.step_name} cannot be compiled: {error}; {name} is compiled"
    return python.address, Compilation(is_native=False, reason=reason), python, None


def _compile_validity(propagation: Propagation, python: PythonRollout) -> NativeFunction:
    count = propagation.validity_arguments
    text = validity_source(propagation.form, count, len(propagation.parameters))
    test = _returns_truth(takes_two=count > 1)
    return compile_native(
        text,
        "test",
        {"_is_valid": (propagation.validity_function, test)},
        lambda address: _compare_validity(propagation, address, python),
    )


def _compare_validity(propagation: Propagation, address: int, python: PythonRollout) -> None:
    """Ask about a state both ways; compiled code that differs is not used."""
    x, params = propagation.state_space.sample(np.random.default_rng(0)), python.packed()
    native = GOAL_TYPE(address)(x.ctypes.data, params.ctypes.data)
    try:
        plain = python.valid(tuple(x.tolist()), propagation.validity_parameters)
    except Exception as error:
        raise NotCompilableError(f"called once in Python, it raised {error!r}") from error
    if native != (0.0 if plain else 1.0):
        raise NotCompilableError(f"compiled it gives {native} where Python gives {plain}, at {x}")


def _compile(propagation: Propagation, python: PythonRollout) -> tuple[NativeFunction, Compilation]:
    rows = [(int(k), int(o), int(s)) for k, o, s in propagation.state_space.components]
    text = rollout_source(
        propagation.form, rows, propagation.validity_arguments, len(propagation.parameters)
    )
    callbacks: dict[str, tuple[object, Callable[[Any], None]]] = {
        "_step_function": (propagation.function, accept_anything)
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
    return function, compilation


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
    params = python.packed(CHECK_VALIDITY)
    count = call_rollout(address, x, u, h, 1, 0.0, params, native)
    expected = call_rollout(python.address, x, u, h, 1, 0.0, params, plain)
    error = python.take_error()
    if error is not None:
        raise NotCompilableError(f"called once in Python, it raised {error!r}")
    if count != expected or not np.allclose(native, plain, rtol=1e-9, atol=1e-12, equal_nan=True):
        raise NotCompilableError(
            f"compiled it gives {native[0]} where Python gives {plain[0]}, at state {x} with {u}"
        )
