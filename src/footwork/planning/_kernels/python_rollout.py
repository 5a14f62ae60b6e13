"""The rollout of a system whose functions are plain Python, the one for all of them.

Everything but the user's functions is compiled: the integrator, wrapping, bounds and the loop. What
it calls stands in an array, the form, that `footwork.planning.rollout_python` writes and whose
address is in the header of the packed numbers.
"""

import ctypes
import math
from functools import cache
from typing import Any, Final

import numba
import numpy as np

from footwork._numba import B1, F8, I8, IOUT1, MAT, OUT1, OUT2, VEC, VOID, callback, kernel
from footwork.planning._kernels.metric import satisfies_bounds, wrap
from footwork.planning._kernels.python_calls import (
    array_object,
    call,
    doubles,
    drop,
    give_lock,
    integers,
    keep_error,
    number_object,
    read_tuple,
    rows,
    take_lock,
    tuple_object,
)
from footwork.planning._kernels.tree_calls import call_goal
from footwork.planning.rollout_codes import (
    CHECK_NOTHING,
    CHECK_VALIDITY_AND_BOUNDS,
    FAILED_EXCEPTION,
    FAILED_NAN,
    FAILED_STEPS,
    FAILED_VALIDITY,
    HEADER,
    ROLLOUT_TYPE,
)
from footwork.planning.step_source import MAX_SUB_STEPS, STAGES
from footwork.typing import IntVector, Matrix, Vector

# Places in a form. Objects, by their addresses; 0 for none:
STEP: Final = 0
VALIDITY: Final = 1
READER: Final = 2
JUDGE: Final = 3
ARRAY_READER: Final = 4
PLAIN: Final = 5
"""Address of the array of types in `python_calls`."""
TRUE: Final = 6
FALSE: Final = 7
ERRORS: Final = 8
PARAMETERS: Final = 9
VALIDITY_PARAMETERS: Final = 10
# Numbers:
STEP_TAKES_NUMBERS: Final = 11
VALIDITY_TAKES_NUMBERS: Final = 12
METHOD: Final = 13
RELATIVE_TOLERANCE: Final = 14
ABSOLUTE_TOLERANCE: Final = 15
DIMENSION: Final = 16
CONTROL_DIMENSION: Final = 17
COMPONENTS: Final = 18
TABLE: Final = 19
TABLEAU: Final = 20
VALIDITY_ADDRESS: Final = 21
"""Of the compiled test of validity, called instead of the object; 0 for none."""
FORM_SIZE: Final = 22

METHODS: Final = ("propagate", "euler", "rk4", "dopri5")
PROPAGATE: Final = 0
EULER: Final = 1
RK4: Final = 2

SCRATCH: Final = 4
"""Place of the first scratch among the arguments, behind those of the user's function."""


@kernel(I8(VEC, VEC, B1, IOUT1), counted=False, forced=True)
def state_object(form: Vector, x: Vector, takes_numbers: bool, arguments: IntVector) -> int:
    """Make what a function gets for a state or control; 0 if that fails."""
    if takes_numbers:
        return tuple_object(x)
    return array_object(x, int(form[ARRAY_READER]), arguments[SCRATCH:])


@kernel(I8(VEC, IOUT1, OUT1), counted=False)
def evaluate(form: Vector, arguments: IntVector, out: Vector) -> int:
    """Call the step function with its arguments and read what it returns; 0 or a code."""
    count = 2 + int(form[METHOD] == PROPAGATE) + int(form[PARAMETERS] != 0.0)
    answer = call(int(form[STEP]), arguments, count)
    if answer == 0:
        return FAILED_EXCEPTION
    if read_tuple(answer, int(form[PLAIN]), out):
        drop(answer)
        return 0
    arguments[SCRATCH] = answer
    checked = call(int(form[READER]), arguments[SCRATCH:], 1)
    drop(answer)
    if checked == 0:
        return FAILED_EXCEPTION
    read_tuple(checked, int(form[PLAIN]), out)
    drop(checked)
    return 0


@kernel(I8(VEC, IOUT1, VEC, OUT1), counted=False)
def evaluate_at(form: Vector, arguments: IntVector, t: Vector, out: Vector) -> int:
    """Call dx/dt at another state than that of the step; 0 or a code."""
    state = state_object(form, t, form[STEP_TAKES_NUMBERS] != 0.0, arguments)
    if state == 0:
        return FAILED_EXCEPTION
    held = arguments[0]
    arguments[0] = state
    code = evaluate(form, arguments, out)
    arguments[0] = held
    drop(state)
    return code


@kernel(I8(VEC, IOUT1, VEC, F8, OUT1, OUT2), counted=False)
def runge_kutta(
    form: Vector, arguments: IntVector, x: Vector, h: float, y: Vector, work: Matrix
) -> int:
    """The classical method of order four, after its first stage; 0 or a code."""
    n, half = x.shape[0], 0.5 * h
    for stage in range(1, 4):
        factor = h if stage == 3 else half
        for i in range(n):
            y[i] = x[i] + factor * work[stage - 1, i]
        code = evaluate_at(form, arguments, y, work[stage])
        if code != 0:
            return code
    sixth = h * (1.0 / 6.0)
    for i in range(n):
        inner = work[0, i] + 2.0 * (work[1, i] + work[2, i]) + work[3, i]
        y[i] = x[i] + sixth * inner
    return 0


@kernel(F8(MAT, I8, MAT, I8), counted=False, forced=True)
def combined(tableau: Matrix, row: int, work: Matrix, axis: int) -> float:
    """Sum of the stages along an axis, each with its factor."""
    total = 0.0
    for stage in range(STAGES):
        if tableau[row, stage] != 0.0:
            total += tableau[row, stage] * work[stage, axis]
    return total


@kernel(I8(VEC, IOUT1, VEC, F8, OUT1, OUT2))
def dormand_prince(
    form: Vector, arguments: IntVector, x: Vector, h: float, y: Vector, work: Matrix
) -> int:
    """Sub-steps of the pair 5(4), as in `footwork.planning.step_source`; 0 or a code.

    Source: dormand1980family
    """
    n, tableau = x.shape[0], rows(int(form[TABLEAU]), STAGES, STAGES)
    at = work[STAGES]
    at[:] = x
    done, s = 0.0, h
    for _ in range(MAX_SUB_STEPS):
        last = abs(done + s) >= abs(h) * (1.0 - 1e-12)
        if last:
            s = h - done
        for stage in range(1, STAGES):
            for i in range(n):
                y[i] = at[i] + s * combined(tableau, stage - 1, work, i)
            code = evaluate_at(form, arguments, y, work[stage])
            if code != 0:
                return code
        square = 0.0
        for i in range(n):
            scale = form[ABSOLUTE_TOLERANCE] + form[RELATIVE_TOLERANCE] * max(abs(at[i]), abs(y[i]))
            ratio = s * combined(tableau, STAGES - 1, work, i) / scale
            square += ratio * ratio
        error = np.sqrt(square / n)
        if not error > 1.0:  # NaN is accepted here and refused by the caller
            done = h if last else done + s
            at[:] = y
            work[0] = work[STAGES - 1]
            if last:
                return 0
        s *= min(5.0, max(0.2, 0.9 * (error + 1e-30) ** -0.2))
    return FAILED_STEPS


@kernel(I8(VEC, IOUT1, VEC, F8, OUT1, OUT2))
def advance(
    form: Vector, arguments: IntVector, x: Vector, h: float, y: Vector, work: Matrix
) -> int:
    """Make one step from x, whose object is the first argument, to y; 0 or a code."""
    if form[METHOD] == PROPAGATE:
        arguments[2] = number_object(h)
        code = evaluate(form, arguments, y)
        drop(arguments[2])
        return code
    code = evaluate(form, arguments, work[0])
    if code != 0:
        return code
    if form[METHOD] == EULER:
        for i in range(x.shape[0]):
            y[i] = x[i] + h * work[0, i]
        return 0
    if form[METHOD] == RK4:
        return runge_kutta(form, arguments, x, h, y, work)
    return dormand_prince(form, arguments, x, h, y, work)


@kernel(I8(VEC, IOUT1, I8), counted=False)
def ask_validity(form: Vector, arguments: IntVector, state: int) -> int:
    """Call the validity function: 1 or 0, or the code of its failure."""
    asked = arguments[SCRATCH:]
    asked[0] = state
    asked[1] = int(form[VALIDITY_PARAMETERS])
    answer = call(int(form[VALIDITY]), asked, 1 + int(asked[1] != 0))
    if answer not in (0, int(form[TRUE]), int(form[FALSE])):
        asked[0] = answer
        judged = call(int(form[JUDGE]), asked, 1)
        drop(answer)
        answer = judged
    if answer == 0:
        return FAILED_VALIDITY
    drop(answer)
    return 1 if answer == int(form[TRUE]) else 0


@kernel(VOID(OUT1, VEC, VEC, F8))
def note_failure(failure: Vector, x: Vector, u: Vector, h: float) -> None:
    """Leave where a function failed: state, control and step."""
    n = x.shape[0]
    failure[:n] = x
    failure[n:-1] = u
    failure[-1] = h


@kernel(B1(VEC), counted=False)
def has_nan(x: Vector) -> bool:
    """Whether a number is NaN."""
    for i in range(x.shape[0]):  # noqa: SIM110  (a kernel)
        if x[i] != x[i]:
            return True
    return False


@kernel(I8(VEC, IOUT1, VEC, VEC, OUT1, OUT2, OUT2, F8, F8, F8))
def walk(
    form: Vector,
    arguments: IntVector,
    x0: Vector,
    u: Vector,
    header: Vector,
    out: Matrix,
    work: Matrix,
    h: float,
    last_h: float,
    check: float,
) -> int:
    """Step after step; see `rollout` for what it does and returns.

    The object of a state that the validity function got is given to the next step too.
    """
    n, m = x0.shape[0], u.shape[0]
    table = integers(int(form[TABLE]), int(form[COMPONENTS]), 3)
    failure = header[HEADER : HEADER + n + m + 1]
    low = header[HEADER + n + m + 1 : HEADER + 2 * n + m + 1]
    high = header[HEADER + 2 * n + m + 1 : HEADER + 3 * n + m + 1]
    takes_numbers = form[STEP_TAKES_NUMBERS] != 0.0
    shares = form[STEP_TAKES_NUMBERS] == form[VALIDITY_TAKES_NUMBERS]
    total = out.shape[0]
    x, state = x0, 0
    result = total
    for i in range(total):
        y = out[i]
        step = last_h if i == total - 1 and last_h != 0.0 else h
        if state == 0:
            state = state_object(form, x, takes_numbers, arguments)
        arguments[0] = state
        code = FAILED_EXCEPTION if state == 0 else advance(form, arguments, x, step, y, work)
        drop(state)
        state = 0
        if code == 0:
            wrap(table, y)
            if has_nan(y):
                code = FAILED_NAN
        if code != 0:
            note_failure(failure, x, u, step)
            result = code
            break
        if check == CHECK_VALIDITY_AND_BOUNDS and not satisfies_bounds(table, low, high, y):
            result = i
            break
        answer = 1
        if check != CHECK_NOTHING and form[VALIDITY_ADDRESS] != 0.0:
            excess = call_goal(int(form[VALIDITY_ADDRESS]), out, i, header)
            answer = FAILED_VALIDITY if math.isnan(excess) else int(excess <= 0.0)
        elif check != CHECK_NOTHING and form[VALIDITY] != 0.0:
            state = state_object(form, y, form[VALIDITY_TAKES_NUMBERS] != 0.0, arguments)
            answer = FAILED_VALIDITY if state == 0 else ask_validity(form, arguments, state)
            if not shares:
                drop(state)
                state = 0
        if answer < 0:
            note_failure(failure, y, u, step)
        if answer != 1:
            result = answer if answer < 0 else i
            break
        x = doubles(out.ctypes.data + 8 * n * i, n)
    drop(state)
    return result


@kernel(I8(I8, I8, F8, I8, F8, I8, I8))
def rollout(x0: int, u: int, h: float, n: int, last_h: float, params: int, out: int) -> int:
    """Roll out a control, as `_kernels.rollout` says, all arrays by their addresses."""
    form = doubles(int(doubles(params, HEADER)[3]), FORM_SIZE)
    size, controls = int(form[DIMENSION]), int(form[CONTROL_DIMENSION])
    total = n + 1 if last_h != 0.0 else n
    header = rows(params, 1, HEADER + 3 * size + controls + 1)[0]
    arguments = np.zeros(SCRATCH + 3, np.int64)
    work = np.empty((STAGES + 1, size))
    control = doubles(u, controls)
    lock = take_lock()
    arguments[1] = state_object(form, control, form[STEP_TAKES_NUMBERS] != 0.0, arguments)
    arguments[3 if form[METHOD] == PROPAGATE else 2] = int(form[PARAMETERS])
    result = FAILED_EXCEPTION
    if arguments[1] != 0:
        states = rows(out, total, size)
        start = doubles(x0, size)
        result = walk(form, arguments, start, control, header, states, work, h, last_h, header[0])
    drop(arguments[1])
    if result in (FAILED_EXCEPTION, FAILED_VALIDITY):
        keep_error(int(form[ERRORS]), arguments[SCRATCH:])
    give_lock(lock)
    return result


def _entry(x0: int, u: int, h: float, n: int, last_h: float, params: int, out: int) -> int:
    return rollout(x0, u, h, n, last_h, params, out)


@cache
def _door() -> Any:
    if numba.config.DISABLE_JIT:
        return ROLLOUT_TYPE(_entry)
    return callback(I8(I8, I8, F8, I8, F8, I8, I8))(_entry)


def rollout_address() -> int:
    """Give the address of the C function, compiled when it is first asked for."""
    door = _door()
    if numba.config.DISABLE_JIT:
        return ctypes.cast(door, ctypes.c_void_p).value or 0
    return int(door.address)
