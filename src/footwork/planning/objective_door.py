"""Puts an objective behind one C address, compiled where it can be.

    double cost(double *x0, double *states, int64 count, double *u, double h, double *params)

gives the cost of a motion of ``count`` steps of h, whose states after each step are the rows of
``states``; ``params`` holds the objective's numbers, and room for a state, where a compiled one
leaves that at which it failed.
"""

import ctypes
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from footwork.errors import CallbackValueError
from footwork.planning.callbacks import checked_number, note_call
from footwork.planning.objective_source import objective_source
from footwork.planning.objectives import ControlDuration, Motion, Objective, TermNames
from footwork.planning.python_door import PythonDoor
from footwork.planning.rollout_native import (
    NativeFunction,
    NotCompilableError,
    accept_anything,
    compile_native,
)
from footwork.typing import Vector, frozen

if TYPE_CHECKING:
    from footwork.planning.space_information import SpaceInformation

COST_TYPE: Final = ctypes.CFUNCTYPE(
    ctypes.c_double,
    ctypes.c_void_p,
    ctypes.c_void_p,
    ctypes.c_int64,
    ctypes.c_void_p,
    ctypes.c_double,
    ctypes.c_void_p,
)
"""C type of the cost of a motion."""


@dataclass(frozen=True, kw_only=True, eq=False)
class CompiledObjective:
    """An objective as kernels call it.

    Attributes:
        objective: What is minimised.
        si: The system.
        address: C function, 0 for the plain duration.
        params: What it is called with.
        owner: What owns the code: the plain door, or the compiled function; None without code.
    """

    objective: Objective
    si: "SpaceInformation"
    address: int
    params: Vector
    owner: PythonDoor | NativeFunction | None = None

    @property
    def is_native(self) -> bool:
        """Whether it is machine code; else it calls back into Python."""
        return not isinstance(self.owner, PythonDoor)

    def raise_error(self, params: Vector) -> None:
        """Raise what the user's function raises, after a cost of NaN.

        Args:
            params: What it was called with.

        Raises:
            CallbackValueError: If it does not raise anything; else what it raised.
        """
        name = type(self.objective).__name__
        if isinstance(self.owner, PythonDoor):
            self.owner.raise_error()
            raise CallbackValueError(name, "gives a motion a cost that is NaN", math.nan)
        n = self.si.state_space.dimension
        state = params[len(params) - n :].copy()
        still = Motion(
            states=frozen(np.array([state, state])),
            control=frozen(self.si.control_space.low.copy()),
            durations=np.zeros(1),
        )
        self.objective.motion_cost(self.si, still)  # its function raises what it raises there
        at = f"gives a motion a cost that is NaN, at state {state.tolist()}"
        raise CallbackValueError(name, at, math.nan)


def compile_objective(objective: Objective, si: "SpaceInformation") -> CompiledObjective:
    """Put an objective behind one C address, compiled where the system is and it can be.

    Args:
        objective: What is minimised.
        si: The system.

    Returns:
        The compiled objective.
    """
    if type(objective) is ControlDuration:
        return CompiledObjective(objective=objective, si=si, address=0, params=np.zeros(1))
    if si.compiled().is_native:
        names = TermNames(si.control_space.dimension)
        term = objective.source_term(names)
        if term is not None:
            with suppress(NotCompilableError):
                return _compile(objective, term, names, si)
    door = _plain_door(objective, si)
    return CompiledObjective(
        objective=objective, si=si, address=door.address, params=door.params, owner=door
    )


def _compile(
    objective: Objective, term: str, names: TermNames, si: "SpaceInformation"
) -> CompiledObjective:
    params = np.array([*names.numbers, *np.zeros(si.state_space.dimension)])
    text = objective_source(term, names, si.state_space)
    callbacks: dict[str, tuple[object, Callable[[Any], None]]] = {
        name: (function, accept_anything) for name, function in names.functions.items()
    }
    function = compile_native(
        text, "cost", callbacks, lambda address: _compare(address, objective, params, si)
    )
    return CompiledObjective(
        objective=objective, si=si, address=function.address, params=params, owner=function
    )


def _compare(address: int, objective: Objective, params: Vector, si: "SpaceInformation") -> None:
    """Try a motion both ways; compiled code that differs, or reads beyond an array, is not used."""
    rng = np.random.default_rng(0)
    x, y, u = si.state_space.sample(rng), si.state_space.sample(rng), si.control_space.sample(rng)
    pointers = x.ctypes.data, y.ctypes.data, 1, u.ctypes.data
    native = COST_TYPE(address)(*pointers, 0.1, params.ctypes.data)
    motion = Motion(states=np.array([x, y]), control=u, durations=np.array([0.1]))
    try:
        plain = objective.motion_cost(si, motion)
    except Exception as error:
        raise NotCompilableError(f"called once in Python, it raised {error!r}") from error
    if not math.isclose(native, plain, rel_tol=1e-9, abs_tol=1e-12):
        raise NotCompilableError(f"compiled it gives {native} where Python gives {plain}")


def _plain_door(objective: Objective, si: "SpaceInformation") -> PythonDoor:
    n, m = si.state_space.dimension, si.control_space.dimension
    name = f"objective={type(objective).__name__}"

    def cost(x0: Vector, states: Vector, u: Vector, h: float) -> tuple[float, ...]:
        passed = frozen(np.vstack([x0, states.reshape(-1, n)]))
        motion = Motion(states=passed, control=u, durations=np.full(len(passed) - 1, h))
        try:
            value = objective.motion_cost(si, motion)
        except Exception as error:
            if not getattr(error, "__notes__", None):
                note_call(error, name, x0, u)
            raise
        return (checked_number(name, value, x0),)

    return PythonDoor("cost", cost, (n, m))
