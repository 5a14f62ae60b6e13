"""The plain-Python door: the same rollout for callbacks that cannot be compiled.

It is called through the same C address as a compiled one. An exception in a callback is kept and
raised again by whoever asked for the rollout.

A callback that only ever takes single numbers out of its arguments, ``x[0]`` or ``a, b = x``, gets
tuples of floats, with which Python is several times faster than with arrays; the others get
read-only arrays.
"""

import ctypes
import dis
import math
import struct
import types
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from footwork.errors import BackendError, CallbackValueError
from footwork.planning.callbacks import callback_name, checked_state, checked_truth, note_call
from footwork.planning.rollout_codes import (
    CHECK_NOTHING,
    CHECK_VALIDITY_AND_BOUNDS,
    FAILED_EXCEPTION,
    HEADER,
    ROLLOUT_TYPE,
)
from footwork.planning.rollout_source import plain_source
from footwork.planning.spaces.state_space import StateSpace
from footwork.planning.step_source import StepForm
from footwork.typing import Vector, frozen

Numbers = tuple[float, ...]
NOTHING = frozen(np.empty(0))


class PythonRollout:
    """Integrates, wraps and checks as the compiled rollout does, one Python call at a time.

    Args:
        space: Where the states live.
        form: How one step is made.
        role: ``dynamics`` or ``propagate``, for messages.
        function: The user's function.
        is_valid: The validity function, or None if every state is valid.
        validity_arguments: How many arguments it takes; 3 if it is a world's.
    """

    def __init__(
        self,
        space: StateSpace,
        form: StepForm,
        *,
        role: str,
        function: Callable[..., Any],
        is_valid: Callable[..., Any] | None,
        validity_arguments: int,
    ) -> None:
        self._form = form
        self._is_world = validity_arguments == 3
        self._validity_takes_more = validity_arguments > 1
        self._validity_name = callback_name("is_valid", is_valid)
        self._is_valid = None if is_valid is None else _with_arrays(is_valid, 1, form.dimension)
        namespace = _compose(form, callback_name(role, function), function)
        namespace |= {
            "_is_valid": self._is_valid,
            "_truth": self._truth,
            "_note_validity": self._note_validity,
        }
        rows = [(int(kind), int(first), int(size)) for kind, first, size in space.components]
        bounds = list(zip(space.low.tolist(), space.high.tolist(), strict=True))
        text = plain_source(form, rows, validity_arguments if self._is_valid else 0, bounds)
        exec(compile(text, "<step>", "exec"), namespace)
        self._next: Callable[[Numbers, Numbers, Vector, float], Numbers] = namespace["next_state"]
        self._explain: Callable[[Exception, Numbers, Numbers, Vector, float], None]
        self._explain = namespace["_explain"]
        self._roll_out: Callable[..., int] = namespace["roll_out"]
        self._read_state = _reader(form.dimension)
        self._read_control = _reader(form.control_dimension)
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
        x, u = tuple(state.tolist()), tuple(control.tolist())
        try:
            return np.array(self._next(x, u, parameters, h))
        except Exception as error:
            self._explain(error, x, u, parameters, h)
            raise

    def valid(self, state: Numbers, parameters: Vector) -> bool:
        """Ask the user's validity function.

        Args:
            state: The numbers of a state.
            parameters: The user's, or the world's.

        Returns:
            Its answer.
        """
        if self._is_valid is None:
            return True
        more = (parameters,) if self._validity_takes_more else ()
        try:
            answer = self._is_valid(state, *more)
        except Exception as error:
            self._note_validity(error, state, *more)
            raise
        return answer if answer is True or answer is False else self._truth(answer)

    def _note_validity(self, error: Exception, x: Numbers, *more: Vector) -> None:
        parameters = more[0] if more and not self._is_world else None
        note_call(error, self._validity_name, x, None, parameters)

    def _truth(self, answer: object) -> bool:
        return checked_truth(self._validity_name, answer)

    def _rollout(  # noqa: PLR0917  (the C type has these)
        self, x0: int, u: int, h: float, n: int, last_h: float, params: int, out: int
    ) -> int:
        try:
            return self._run(x0, u, h, n, last_h, params, out)
        except BaseException as error:
            self._error = error
            return FAILED_EXCEPTION

    def _run(  # noqa: PLR0917  (the C type has these)
        self, x0: int, u: int, h: float, n: int, last_h: float, params: int, out: int
    ) -> int:
        size, controls = self._form.dimension, self._form.control_dimension
        check, p_count, w_count, _ = _read_header(params)
        parameters = more = NOTHING
        if p_count or w_count:
            first = HEADER + 3 * size + controls + 1
            middle, end = first + int(p_count), first + int(p_count + w_count)
            packed = _array(params, end)
            parameters = packed[first:middle]
            more = packed[middle:end] if self._is_world else parameters
        return self._roll_out(
            self._read_state(x0),
            self._read_control(u),
            h,
            n,
            last_h,
            parameters,
            more,
            check != CHECK_NOTHING,
            check == CHECK_VALIDITY_AND_BOUNDS,
            _doubles(out, (n + 1) * size),
        )


def _compose(form: StepForm, name: str, function: Callable[..., Any]) -> dict[str, Any]:
    """Give what the formulas that are compiled elsewhere call in plain Python."""
    from footwork.planning._kernels.metric import PI, wrap_angle

    def read_state(value: Any) -> Numbers:
        return tuple(checked_state(name, value, form.dimension))

    def refuse_nan(x: Numbers, u: Numbers, y: Numbers) -> None:
        raise CallbackValueError(name, f"led to NaN from state {x}, control {u}", y)

    def refuse_steps(x: Numbers, u: Numbers) -> None:
        raise BackendError(f"{name}: the integrator needs too many sub-steps at state {x}, {u}")

    def explain(error: Exception, x: Numbers, u: Numbers, parameters: Vector, h: float) -> None:
        more = (parameters,) if form.takes_parameters else ()
        between = () if form.is_dynamics else (h,)
        if isinstance(error, TypeError | OverflowError | struct.error):
            try:
                answer = call(x, u, *between, *more)
            except Exception:
                answer = (0.0,) * form.dimension  # it is not to blame for what it returns
            read_state(answer)  # says it better if a number is none
        note_call(error, name, x, u, more[0] if more else None)

    call = _with_arrays(function, 2, form.dimension, form.control_dimension)
    return {
        "_step_function": call,
        "_read_state": read_state,
        "_refuse_nan": refuse_nan,
        "_refuse_steps": refuse_steps,
        "_explain": explain,
        "math": math,
        "inf": math.inf,
        "PI": PI,
        "wrap_angle": lambda angle: float(wrap_angle(angle)),
        "write": struct.Struct(f"{form.dimension}d").pack_into,
    }


def _with_arrays(function: Callable[..., Any], count: int, *sizes: int) -> Callable[..., Any]:
    """Give a function arrays for its first arguments, unless tuples are as good for it."""
    if takes_only_numbers(function, count):
        return function
    pairs = [_pair(size) for size in sizes]
    if count == 1:
        ((buffer, view),) = pairs

        def call_one(x: Numbers, *more: Any) -> Any:
            buffer[:] = x
            return function(view, *more)

        return call_one
    (x_buffer, x_view), (u_buffer, u_view) = pairs

    def call_two(x: Numbers, u: Numbers, *more: Any) -> Any:
        x_buffer[:] = x
        u_buffer[:] = u
        return function(x_view, u_view, *more)

    return call_two


def takes_only_numbers(function: object, count: int) -> bool:
    """Whether a function uses its first arguments only as ``x[3]`` or ``a, b = x``.

    Args:
        function: Any callable.
        count: How many arguments to look at.

    Returns:
        Whether it does; False where its code cannot be read.
    """
    if not isinstance(function, types.FunctionType):
        return False
    code = function.__code__
    names = set(code.co_varnames[: min(count, code.co_argcount)])
    if code.co_argcount < count or names & set(code.co_cellvars):
        return False
    instructions = list(dis.get_instructions(code))
    return all(
        _takes_a_number(instructions[i + 1 : i + 3])
        for i, instruction in enumerate(instructions)
        if _mentions(instruction, names)
    )


def _mentions(instruction: dis.Instruction, names: set[str]) -> bool:
    value = instruction.argval
    if not instruction.opname.startswith(("LOAD_FAST", "STORE_FAST", "DELETE_FAST")):
        return False
    return value in names if isinstance(value, str) else bool(names & set(value or ()))


def _takes_a_number(following: Sequence[dis.Instruction]) -> bool:
    if following and following[0].opname == "UNPACK_SEQUENCE":
        return True
    if len(following) < 2 or not isinstance(following[0].argval, int):
        return False
    if following[0].opname not in {"LOAD_CONST", "LOAD_SMALL_INT"}:
        return False
    return following[1].opname == "BINARY_SUBSCR" or following[1].argrepr == "[]"


def _pair(size: int) -> tuple[Vector, Vector]:
    """A buffer to write to, and the same memory for the user, who may not."""
    buffer = np.zeros(size)
    view = buffer.view()
    view.setflags(write=False)
    return buffer, view


def _doubles(address: int, count: int) -> Any:
    return (ctypes.c_double * count).from_address(address)


def _reader(count: int) -> Callable[[int], Numbers]:
    """Make a function that reads so many numbers at an address."""
    room, unpack = ctypes.c_double * count, struct.Struct(f"{count}d").unpack
    return lambda address: unpack(room.from_address(address))


_read_header = _reader(HEADER)


def _array(address: int, count: int) -> Vector:
    array: Vector = np.frombuffer(_doubles(address, count), dtype=np.float64)
    array.setflags(write=False)
    return array
