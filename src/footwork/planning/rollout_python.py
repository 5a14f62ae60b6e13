"""The plain-Python door: the same rollout for callbacks that cannot be compiled.

It is called through the same C address as a compiled one. An exception in a callback is kept and
raised again by whoever asked for the rollout.
"""

import ctypes
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from footwork.errors import BackendError
from footwork.planning._kernels.rollout import (
    CHECK_NOTHING,
    CHECK_VALIDITY_AND_BOUNDS,
    FAILED_EXCEPTION,
    ROLLOUT_TYPE,
)
from footwork.planning.callbacks import callback_name, checked_state, checked_truth
from footwork.planning.rollout_source import HEADER, StepForm, advance_source, wrap_source
from footwork.planning.spaces.state_space import StateSpace
from footwork.typing import Vector

StepFunction = Callable[..., Any]


class PythonRollout:
    """Integrates, wraps and checks as the compiled rollout does, one Python call at a time.

    Args:
        space: Where the states live.
        form: How one step is made.
        role: ``dynamics`` or ``propagate``, for messages.
        function: The user's function.
        is_valid: Called with a state (and the parameters); None if every state is valid.
        validity_name: Name of the validity callback, for messages.
        is_world: Whether it is called with the world's numbers instead of the user's.
    """

    def __init__(
        self,
        space: StateSpace,
        form: StepForm,
        *,
        role: str,
        function: StepFunction,
        is_valid: Callable[[Vector, Vector], Any] | None,
        validity_name: str,
        is_world: bool,
    ) -> None:
        self._form = form
        self._name = callback_name(role, function)
        self._low, self._high = space.low.tolist(), space.high.tolist()
        rows = space.components.tolist()
        self._bounded = [
            i for kind, o, size in rows if kind not in {1, 2} for i in range(o, o + size)
        ]
        self._is_valid = is_valid
        self._validity_name = validity_name
        self._is_world = is_world
        self._x, self._x_view = _pair(form.dimension)
        self._t, self._t_view = _pair(form.dimension)
        self._u, self._u_view = _pair(form.control_dimension)
        self._advance, self._wrap = _compose(form, rows, self._name, function)
        self._error: BaseException | None = None
        self._callback = ROLLOUT_TYPE(self._rollout)

    @property
    def address(self) -> int:
        """Where C code calls it."""
        return ctypes.cast(self._callback, ctypes.c_void_p).value or 0

    def take_error(self) -> BaseException | None:
        """Hand over the exception that a callback raised, and forget it."""
        error, self._error = self._error, None
        return error

    def step(self, state: Vector, control: Vector, h: float, parameters: Vector) -> Vector:
        """Make one step and wrap it, whatever the validity.

        Args:
            state: Where it starts.
            control: What is applied.
            h: For how long [s].
            parameters: The user's.

        Returns:
            The next state.
        """
        self._u[:] = control
        return np.array(self._next(state.tolist(), h, parameters))

    def valid(self, state: list[float], parameters: Vector) -> bool:
        """Ask the user's validity function.

        Args:
            state: The numbers of a state.
            parameters: The user's, or the world's.

        Returns:
            Its answer.
        """
        if self._is_valid is None:
            return True
        self._x[:] = state
        return checked_truth(self._validity_name, self._is_valid(self._x_view, parameters))

    def _next(self, x: list[float], h: float, parameters: Vector) -> list[float]:
        self._x[:] = x
        y = [0.0] * self._form.dimension
        code = self._advance(x, self._x_view, self._u_view, parameters, h, self._t, self._t_view, y)
        if code < 0:
            raise BackendError(
                f"{self._name}: the integrator needs too many sub-steps at state {x}"
            )
        self._wrap(y)
        return y

    def _rollout(
        self,
        x0: int,
        u: int,
        h: float,
        n: int,
        last_h: float,
        params: int,
        out: int,
    ) -> int:
        try:
            return self._run(x0, u, h, n, last_h, params, out)
        except BaseException as error:  # noqa: BLE001  (an exception must not cross C code)
            self._error = error
            return FAILED_EXCEPTION

    def _run(self, x0: int, u: int, h: float, n: int, last_h: float, params: int, out: int) -> int:
        size, controls = self._form.dimension, self._form.control_dimension
        header = _doubles(params, HEADER)
        check, first = header[0], HEADER + 3 * size + controls + 1
        p_count, w_count = int(header[1]), int(header[2])
        packed = _array(params, first + p_count + w_count)
        parameters, world = packed[first : first + p_count], packed[first + p_count :]
        x = list(_doubles(x0, size))
        self._u[:] = _doubles(u, controls)
        total = n + 1 if last_h != 0.0 else n
        room = _doubles(out, total * size)
        for i in range(total):
            x = self._next(x, h if i < n else last_h, parameters)
            room[i * size : (i + 1) * size] = x
            if check == CHECK_VALIDITY_AND_BOUNDS and not self._inside(x):
                return i
            if check != CHECK_NOTHING and not self.valid(
                x, world if self._is_world else parameters
            ):
                return i
        return total

    def _inside(self, x: list[float]) -> bool:
        return all(self._low[i] <= x[i] <= self._high[i] for i in self._bounded)


def _pair(size: int) -> tuple[Vector, Vector]:
    """A buffer to write to, and the same memory for the user, who may not."""
    buffer = np.zeros(size)
    view = buffer.view()
    view.setflags(write=False)
    return buffer, view


def _doubles(address: int, count: int) -> Any:
    return (ctypes.c_double * count).from_address(address)


def _array(address: int, count: int) -> Vector:
    array: Vector = np.frombuffer(_doubles(address, count), dtype=np.float64)
    array.setflags(write=False)
    return array


def _compose(
    form: StepForm, rows: list[tuple[int, int, int]], name: str, function: StepFunction
) -> tuple[Callable[..., int], Callable[[list[float]], None]]:
    """Build the step and the wrapping from the source that is compiled elsewhere."""
    from footwork.planning._kernels.metric import PI, wrap_angle

    size = form.dimension

    def call(*arguments: Any) -> list[float]:
        return checked_state(name, function(*arguments), size)

    namespace: dict[str, Any] = {
        "_step_function": call,
        "math": math,
        "PI": PI,
        "wrap_angle": wrap_angle,
    }
    wrap = wrap_source(rows, "y", "    ")
    text = advance_source(form) + f"\n\ndef wrap(y):\n{wrap}    return None\n"
    exec(compile(text, "<step>", "exec"), namespace)  # noqa: S102
    return namespace["advance"], namespace["wrap"]
