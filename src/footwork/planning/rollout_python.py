"""The plain-Python door: what the one compiled rollout calls where functions cannot be compiled.

Whatever a function raises is kept, and raised again by whoever asked for the rollout.

A callback that only ever takes single numbers out of its arguments, ``x[0]`` or ``a, b = x``, gets
tuples of floats, with which Python is several times faster than with arrays; the others get
read-only arrays. Both are the callback's own and may be kept.
"""

import dis
import types
from collections.abc import Sequence
from copy import copy
from threading import get_ident

import numpy as np

from footwork.errors import BackendError, CallbackValueError
from footwork.planning.callbacks import callback_name, checked_state, checked_truth, note_call
from footwork.planning.propagation import Propagation
from footwork.planning.rollout_codes import (
    CHECK_NOTHING,
    CHECK_VALIDITY_AND_BOUNDS,
    FAILED_EXCEPTION,
    FAILED_NAN,
    FAILED_STEPS,
    FAILED_VALIDITY,
    HEADER,
)
from footwork.planning.rollout_native import NativeFunction
from footwork.planning.step_source import dormand_prince_tableau
from footwork.typing import Vector, frozen

Numbers = tuple[float, ...]


class PythonRollout:
    """What the rollout of plain Python calls, and what was raised.

    Args:
        propagation: The problem; its numbers are read once.
        validity: The compiled test of validity, if only that can be compiled.

    Attributes:
        address: Where C code calls the rollout.
    """

    def __init__(self, propagation: Propagation, validity: NativeFunction | None = None) -> None:
        from footwork.planning._kernels.python_rollout import rollout_address

        self.address = rollout_address()
        self._validity_name = callback_name("is_valid", propagation.validity_function)
        self._validity_takes_numbers = takes_only_numbers(propagation.validity_function, 1)
        self._form, self._kept = _make_form(propagation, validity)
        self._set(propagation)

    def _set(self, propagation: Propagation) -> None:
        """Take the numbers, and write into a form of its own where they are."""
        from footwork.planning._kernels import python_rollout as places

        self._propagation = propagation
        self._errors: dict[int, BaseException] = {}
        self._numbers = frozen(propagation.packed())
        form, count = propagation.form, propagation.validity_arguments
        first = HEADER + 3 * form.dimension + form.control_dimension + 1
        middle = first + len(propagation.parameters)
        self._arguments = self._numbers[first:middle], self._numbers[middle:]
        parameters, world = map(id, self._arguments)
        self._form = self._form.copy()
        self._form[places.ERRORS] = id(self._errors)
        self._form[places.PARAMETERS] = parameters if form.takes_parameters else 0
        self._form[places.VALIDITY_PARAMETERS] = {2: parameters, 3: world}.get(count, 0)

    def with_propagation(self, propagation: Propagation) -> "PythonRollout":
        """Copy for the same functions with other numbers.

        Args:
            propagation: The functions and the numbers.

        Returns:
            The copy.
        """
        other = copy(self)
        other._set(propagation)
        return other

    def packed(self, check: float = CHECK_VALIDITY_AND_BOUNDS) -> Vector:
        """Pack everything that the rollout reads into one array; compiled ones read it too.

        Args:
            check: What is checked.

        Returns:
            A new array, good for as long as this object lives.
        """
        numbers = self._numbers.copy()
        numbers[0], numbers[3] = check, self._form.ctypes.data
        return numbers

    def take_error(self) -> BaseException | None:
        """Hand over the exception that a callback raised in this thread, and forget it."""
        return self._errors.pop(get_ident(), None)

    def raise_kept(self, code: int, state: Vector, control: Vector) -> None:
        """Raise what a callback raised, if it did, with a note of what it was called with.

        Args:
            code: What the rollout returned.
            state: Where it failed.
            control: What was applied.
        """
        error = self.take_error() if code in (FAILED_EXCEPTION, FAILED_VALIDITY) else None
        if error is None:
            return
        known = self._propagation
        if isinstance(error, Exception) and code == FAILED_VALIDITY:
            more = known.parameters if known.validity_arguments == 2 else None
            note_call(error, self._validity_name, state, None, more)
        elif isinstance(error, Exception) and code == FAILED_EXCEPTION:
            more = known.parameters if known.form.takes_parameters else None
            note_call(error, known.step_name, state, control, more)
        raise error

    def replay(self, code: int, state: Vector, control: Vector, h: float) -> None:
        """Make a step that failed once more, to raise what the user's function raises.

        Args:
            code: What the rollout returned.
            state: Where it failed.
            control: What was applied.
            h: For how long [s].

        Raises:
            CallbackValueError: If it leads to NaN.
            BackendError: If the integrator gives up, or nothing fails this time.
        """
        from footwork.planning._kernels.rollout import call_rollout

        name, out = self._propagation.step_name, np.empty((1, len(state)))
        at = f"at state {state}, control {control}"
        parameters = self._propagation.validity_parameters
        if code == FAILED_VALIDITY:
            self.valid(tuple(state.tolist()), parameters)
        params = self.packed(CHECK_NOTHING)
        code = call_rollout(self.address, state, control, h, 1, 0.0, params, out)
        self.raise_kept(code, state, control)
        if code == FAILED_NAN:
            raise CallbackValueError(name, f"led to NaN {at}", out[0])
        if code == FAILED_STEPS:
            raise BackendError(f"{name}: the integrator needs too many sub-steps {at}")
        self.valid(tuple(out[0].tolist()), parameters)
        raise BackendError(f"{name} failed {at}, and not when called again")

    def valid(self, state: Numbers, parameters: Vector) -> bool:
        """Ask the user's validity function.

        Args:
            state: The numbers of a state.
            parameters: The user's, or the world's.

        Returns:
            Its answer.
        """
        function, count = self._propagation.validity_function, self._propagation.validity_arguments
        if function is None:
            return True
        x = state if self._validity_takes_numbers else frozen(np.array(state))
        more = (parameters,) if count > 1 else ()
        try:
            answer = function(x, *more)
        except Exception as error:
            note_call(error, self._validity_name, state, None, parameters if count == 2 else None)
            raise
        return checked_truth(self._validity_name, answer)


def _make_form(
    propagation: Propagation, validity: NativeFunction | None
) -> tuple[Vector, list[object]]:
    """Write what the kernel calls and reads, and keep what it knows by the address."""
    from footwork.planning._kernels import python_rollout as places
    from footwork.planning._kernels.python_calls import PLAIN

    form, space = propagation.form, propagation.state_space
    table = np.ascontiguousarray(space.components, dtype=np.int64)
    tableau = dormand_prince_tableau()
    step_name = propagation.step_name
    validity_name = callback_name("is_valid", propagation.validity_function)
    objects: dict[int, object] = {
        places.STEP: propagation.function,
        places.VALIDITY: propagation.validity_function,
        places.READER: lambda value: tuple(checked_state(step_name, value, form.dimension)),
        places.JUDGE: lambda value: checked_truth(validity_name, value),
        places.ARRAY_READER: np.frombuffer,
        places.TRUE: True,
        places.FALSE: False,
    }
    values: dict[int, float] = {
        places.PLAIN: PLAIN.ctypes.data,
        places.STEP_TAKES_NUMBERS: takes_only_numbers(propagation.function, 2),
        places.VALIDITY_TAKES_NUMBERS: takes_only_numbers(propagation.validity_function, 1),
        places.METHOD: places.METHODS.index(form.integrator if form.is_dynamics else "propagate"),
        places.RELATIVE_TOLERANCE: form.relative_tolerance,
        places.ABSOLUTE_TOLERANCE: form.absolute_tolerance,
        places.DIMENSION: form.dimension,
        places.CONTROL_DIMENSION: form.control_dimension,
        places.COMPONENTS: len(table),
        places.TABLE: table.ctypes.data,
        places.TABLEAU: tableau.ctypes.data,
        places.VALIDITY_ADDRESS: 0 if validity is None else validity.address,
    }
    values |= {place: id(value) for place, value in objects.items() if value is not None}
    array = np.zeros(places.FORM_SIZE)
    for place, value in values.items():
        array[place] = value
        assert array[place] == value, "an address that no float holds"
    return array, [*objects.values(), table, tableau, validity]


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
