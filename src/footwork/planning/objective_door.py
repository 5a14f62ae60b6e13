"""Puts an objective behind one C address, compiled where it can be.

    double cost(double *x0, double *states, int64 count, double *u, double h, double *params)

gives the cost of a motion of ``count`` steps of h, whose states after each step are the rows of
``states``.
"""

import ctypes
import math
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from footwork.errors import CallbackValueError
from footwork.planning.objective_source import objective_source
from footwork.planning.objectives import ControlDuration, Motion, Objective, TermNames
from footwork.planning.rollout_native import NotCompilableError, compile_native
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
        address: C function, 0 for the plain duration.
        params: What it is called with.
        keep_alive: Owner of the code.
        is_native: Whether it is machine code; else it calls back into Python.
    """

    address: int
    params: Vector
    keep_alive: object = None
    is_native: bool = True

    def raise_error(self) -> None:
        """Raise what the user's function raised, after a cost of NaN.

        Raises:
            CallbackValueError: If it did not raise anything; else what it raised.
        """
        door = self.keep_alive
        if isinstance(door, _CostDoor) and door.error is not None:
            error, door.error = door.error, None
            raise error
        raise CallbackValueError("the objective", "gives a motion a cost that is NaN", math.nan)


def compile_objective(objective: Objective, si: "SpaceInformation") -> CompiledObjective:
    """Put an objective behind one C address, compiled where the system is and it can be.

    Args:
        objective: What is minimised.
        si: The system.

    Returns:
        The compiled objective.
    """
    if type(objective) is ControlDuration:
        return CompiledObjective(address=0, params=np.zeros(1))
    if si.compiled().is_native:
        names = TermNames(si.control_space.dimension)
        term = objective.source_term(names)
        if term is not None:
            with suppress(NotCompilableError):
                return _compile(objective, term, names, si)
    door = _CostDoor(objective, si)
    return CompiledObjective(
        address=door.address, params=np.zeros(1), keep_alive=door, is_native=False
    )


def _compile(
    objective: Objective, term: str, names: TermNames, si: "SpaceInformation"
) -> CompiledObjective:
    params = np.array([*names.numbers, 0.0])
    text = objective_source(term, names, si.state_space)
    callbacks: dict[str, tuple[object, Callable[[Any], None]]] = {
        name: (function, _accept_anything) for name, function in names.functions.items()
    }
    function = compile_native(
        text, "cost", callbacks, lambda address: _compare(address, objective, params, si)
    )
    return CompiledObjective(address=function.address, params=params, keep_alive=function)


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


def _accept_anything(dispatcher: Any) -> None:
    """A cost is tested by compiling what calls it, which makes a float of its answer."""


class _CostDoor:
    """A Python objective behind a C address; an exception is kept and NaN returned."""

    def __init__(self, objective: Objective, si: "SpaceInformation") -> None:
        self.error: BaseException | None = None
        self._objective, self._si = objective, si
        self._callback = COST_TYPE(self._call)

    @property
    def address(self) -> int:
        """Where C code calls it."""
        return ctypes.cast(self._callback, ctypes.c_void_p).value or 0

    def _call(  # noqa: PLR0917  (the C type has these)
        self, x0: int, states: int, count: int, u: int, h: float, params: int
    ) -> float:
        try:
            n, m = self._si.state_space.dimension, self._si.control_space.dimension
            rows = np.vstack([_read(x0, n), _read(states, count * n).reshape(count, n)])
            motion = Motion(
                states=frozen(rows), control=frozen(_read(u, m)), durations=np.full(count, h)
            )
            return float(self._objective.motion_cost(self._si, motion))
        except BaseException as error:
            self.error = error
            return math.nan


def _read(address: int, count: int) -> Any:
    return np.array((ctypes.c_double * count).from_address(address)) if count else np.empty(0)
