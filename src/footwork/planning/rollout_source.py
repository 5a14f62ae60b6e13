"""Writes the source of one problem's integration step, unrolled for its dimensions.

The same text runs in two ways: compiled, with pointers into C arrays, and as plain Python, with
NumPy arrays; so both give the same numbers.

    advance(x, x_view, u, parameters, h, t, t_view, y) -> code

x is the state that is read, ``x_view`` the same for the user's function, which may not write to
it; t is scratch with its view; y is where the next state goes. The code is 0, or that of a failure.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from footwork.planning._kernels.rollout import (
    FAILED_EXCEPTION,
    FAILED_NAN,
    FAILED_SIZE,
    FAILED_STEPS,
)
from footwork.planning.spaces.components import Kind

Integrator = Literal["euler", "rk4", "dopri5"]
"""How an ordinary differential equation is integrated over one propagation step."""

# Nodes, weights and error weights of the embedded pair of orders 5 and 4 of Dormand and Prince.
DOPRI_A: Final = (
    ("1/5",),
    ("3/40", "9/40"),
    ("44/45", "-56/15", "32/9"),
    ("19372/6561", "-25360/2187", "64448/6561", "-212/729"),
    ("9017/3168", "-355/33", "46732/5247", "49/176", "-5103/18656"),
    ("35/384", "0", "500/1113", "125/192", "-2187/6784", "11/84"),
)
DOPRI_ERROR: Final = (
    "71/57600",
    "0",
    "-71/16695",
    "71/1920",
    "-17253/339200",
    "22/525",
    "-1/40",
)
MAX_SUB_STEPS: Final = 100_000

HEADER: Final = 4
"""Numbers in front of the packed parameters: what to check (0 nothing, 1 validity, 2 bounds too),
and how many numbers the parameters and the world have. Then come the state, control and step at
which a callback failed, and low, high, the parameters and the world."""


@dataclass(frozen=True, kw_only=True)
class StepForm:
    """What decides the text of a step.

    Attributes:
        dimension: How many numbers a state has.
        control_dimension: How many numbers a control has.
        is_dynamics: Whether the function gives dx/dt; else it gives the next state.
        takes_parameters: Whether it is called with the parameters too.
        integrator: How dx/dt is integrated.
        relative_tolerance: Of Dormand–Prince, for each sub-step.
        absolute_tolerance: Of Dormand–Prince, for each sub-step.
    """

    dimension: int
    control_dimension: int
    is_dynamics: bool
    takes_parameters: bool
    integrator: Integrator = "rk4"
    relative_tolerance: float = 1e-9
    absolute_tolerance: float = 1e-9


def advance_source(form: StepForm) -> str:
    """Write the function ``advance``.

    Args:
        form: What decides its text.

    Returns:
        Python source, which calls ``_step_function``.
    """
    head = ["def advance(x, x_view, u, parameters, h, t, t_view, y):"]
    if not form.is_dynamics:
        return _join(head, _propagated(form), ["return 0"])
    body = {"euler": _euler, "rk4": _runge_kutta, "dopri5": _dormand_prince}[form.integrator]
    return _join(head, body(form), ["return 0"])


def wrap_source(kinds: Sequence[tuple[int, int, int]], name: str, indent: str) -> str:
    """Write the lines that wrap angles and normalise quaternions, in place.

    Args:
        kinds: Rows (kind, offset, size) of the component table.
        name: Name of the array.
        indent: Blanks before each line.

    Returns:
        Lines of source, perhaps none; a plain Python float results where there was one.
    """
    lines = []
    for kind, first, _ in kinds:
        if kind == Kind.SO2:
            lines += [
                f"if not -PI <= {name}[{first}] < PI:",
                f"    {name}[{first}] = wrap_angle({name}[{first}])",
            ]
        elif kind == Kind.SO3:
            squares = " + ".join(f"{name}[{i}] * {name}[{i}]" for i in range(first, first + 4))
            lines += [
                f"norm = math.sqrt({squares})",
                "if norm > 0.0 and abs(norm - 1.0) > 1e-15:",
                *(f"    {name}[{i}] = {name}[{i}] / norm" for i in range(first, first + 4)),
            ]
    return "".join(f"{indent}{line}\n" for line in lines)


def _join(head: list[str], *bodies: list[str]) -> str:
    lines = head + ["    " + line for body in bodies for line in body]
    return "\n".join(lines) + "\n"


def _evaluate(form: StepForm, k: str, view: str) -> list[str]:
    arguments = f"{view}, u, parameters" if form.takes_parameters else f"{view}, u"
    n = form.dimension
    return [
        f"d = _step_function({arguments})",
        f"if len(d) != {n}:",
        f"    return {FAILED_SIZE}",
        *(f"{k}_{i} = float(d[{i}])" for i in range(n)),
    ]


def _propagated(form: StepForm) -> list[str]:
    arguments = "x_view, u, h, parameters" if form.takes_parameters else "x_view, u, h"
    n = form.dimension
    return [
        f"d = _step_function({arguments})",
        f"if len(d) != {n}:",
        f"    return {FAILED_SIZE}",
        *(f"k1_{i} = float(d[{i}])" for i in range(n)),
        *(f"y[{i}] = k1_{i}" for i in range(n)),
    ]


def _euler(form: StepForm) -> list[str]:
    n = form.dimension
    return [
        *_evaluate(form, "k1", "x_view"),
        *(f"y[{i}] = x[{i}] + h * k1_{i}" for i in range(n)),
    ]


def _runge_kutta(form: StepForm) -> list[str]:
    """The classical method of order four."""
    n = range(form.dimension)
    return [
        *(f"x_{i} = x[{i}]" for i in n),
        "half = 0.5 * h",
        *_evaluate(form, "k1", "x_view"),
        *(f"t[{i}] = x_{i} + half * k1_{i}" for i in n),
        *_evaluate(form, "k2", "t_view"),
        *(f"t[{i}] = x_{i} + half * k2_{i}" for i in n),
        *_evaluate(form, "k3", "t_view"),
        *(f"t[{i}] = x_{i} + h * k3_{i}" for i in n),
        *_evaluate(form, "k4", "t_view"),
        "sixth = h * (1.0 / 6.0)",
        *(f"y[{i}] = x_{i} + sixth * (k1_{i} + 2.0 * (k2_{i} + k3_{i}) + k4_{i})" for i in n),
    ]


def _dormand_prince(form: StepForm) -> list[str]:
    """Sub-steps of the pair 5(4) that end exactly at h, error kept below the tolerances.

    The first sub-step is always h, so that a step depends on nothing but its arguments.

    Source: dormand1980family
    """
    n = range(form.dimension)
    lines = [*(f"x_{i} = x[{i}]" for i in n), *_evaluate(form, "k1", "x_view")]
    lines += ["done = 0.0", "s = h", "for sub_step in range(%d):" % MAX_SUB_STEPS]
    body: list[str] = ["last = abs(done + s) >= abs(h) * (1.0 - 1e-12)"]
    body += ["if last:", "    s = h - done"]
    for stage, row in enumerate(DOPRI_A, start=2):
        terms = [(f"({a})", f"k{j}") for j, a in enumerate(row, start=1) if a != "0"]
        for i in n:
            total = " + ".join(f"{a} * {k}_{i}" for a, k in terms)
            body.append(f"t[{i}] = x_{i} + s * ({total})")
        body += _evaluate(form, f"k{stage}", "t_view")
    terms = [(f"({e})", f"k{j}") for j, e in enumerate(DOPRI_ERROR, start=1) if e != "0"]
    body.append("square = 0.0")
    for i in n:
        total = " + ".join(f"{e} * {k}_{i}" for e, k in terms)
        body += [
            f"scale = {form.absolute_tolerance!r} + {form.relative_tolerance!r}"
            f" * max(abs(x_{i}), abs(t[{i}]))",
            f"ratio = s * ({total}) / scale",
            "square = square + ratio * ratio",
        ]
    body += [
        f"error = math.sqrt(square / {form.dimension}.0)",
        "if not error > 1.0:",  # NaN is accepted here and refused by the caller
        "    done = h if last else done + s",
        *(f"    x_{i} = float(t[{i}])" for i in n),
        *(f"    k1_{i} = k7_{i}" for i in n),
        "    if last:",
        "        break",
        "s = s * min(5.0, max(0.2, 0.9 * (error + 1e-30) ** -0.2))",
    ]
    lines += ["    " + line for line in body]
    lines += ["if done != h:", f"    return {FAILED_STEPS}"]
    return lines + [f"y[{i}] = x_{i}" for i in n]


def rollout_source(form: StepForm, rows: Sequence[tuple[int, int, int]], validity: int) -> str:
    """Write the compiled module of one problem, whose entry is the C function ``rollout``.

    Args:
        form: What decides the text of a step.
        rows: The component table.
        validity: How many arguments the validity function takes, 0 if there is none; 3 if it is
            a world's, called with the state and the world's own numbers.

    Returns:
        Python source.
    """
    n = form.dimension
    unbounded = [
        i
        for kind, first, size in rows
        if kind in {Kind.SO2, Kind.SO3}
        for i in range(first, first + size)
    ]
    bounded = [i for i in range(n) if i not in unbounded]
    valid = {1: "x_view", 2: "x_view, parameters", 3: "x_view, world"}.get(validity, "")
    return _ROLLOUT.format(
        advance="@njit(**OPTIONS)\n" + advance_source(form),
        n=n,
        m=form.control_dimension,
        low_offset=HEADER + n + form.control_dimension + 1,
        wrap=wrap_source(rows, "y", " " * 8),
        inside=" and ".join(f"low[{i}] <= y[{i}] <= high[{i}]" for i in bounded) or "True",
        finite=" or ".join(f"y[{i}] != y[{i}]" for i in range(n)),
        valid=f"_is_valid({valid})" if valid else "True",
        failed_exception=FAILED_EXCEPTION,
        failed_nan=FAILED_NAN,
        header=HEADER,
    )


_ROLLOUT: Final = '''"""Generated by footwork.planning; safe to delete."""

import math

from numba import cfunc, float64, int64, njit, types

from footwork.planning._kernels.metric import PI, wrap_angle
from footwork.planning._kernels.pointers import offset_by, readonly_view, stack_doubles

DOUBLES = types.CPointer(types.float64)
OPTIONS = {{"error_model": "numpy", "nogil": True}}


{advance}

@njit(**OPTIONS)
def note_failure(params, x, u, h):
    for i in range({n}):
        params[{header} + i] = x[i]
    for i in range({m}):
        params[{header} + {n} + i] = u[i]
    params[{header} + {n} + {m}] = h


@njit(**OPTIONS)
def run(x0, u_data, h, n, last_h, params, out):
    check = params[0]
    u = readonly_view(u_data, {m})
    low = offset_by(params, {low_offset})
    high = offset_by(low, {n})
    p_data = offset_by(high, {n})
    parameters = readonly_view(p_data, int(params[1]))
    world = readonly_view(offset_by(p_data, int(params[1])), int(params[2]))
    t = stack_doubles({n})
    t_view = readonly_view(t, {n})
    x = x0
    total = n + 1 if last_h != 0.0 else n
    for i in range(total):
        y = offset_by(out, i * {n})
        x_view = readonly_view(x, {n})
        try:
            code = advance(x, x_view, u, parameters, h if i < n else last_h, t, t_view, y)
        except Exception:
            code = {failed_exception}
        if code < 0:
            note_failure(params, x, u_data, h if i < n else last_h)
            return code
{wrap}        inside = {inside}
        if not inside or check < 2.0:
            if {finite}:
                note_failure(params, x, u_data, h if i < n else last_h)
                return {failed_nan}
        if not inside and check == 2.0:
            return i
        if check > 0.0:
            x_view = readonly_view(y, {n})
            try:
                valid = bool({valid})
            except Exception:
                note_failure(params, x, u_data, h if i < n else last_h)
                return {failed_exception}
            if not valid:
                return i
        x = y
    return total


@cfunc(int64(DOUBLES, DOUBLES, float64, int64, float64, DOUBLES, DOUBLES), cache=CACHE)
def rollout(x0, u, h, n, last_h, params, out):
    return run(x0, u, h, n, last_h, params, out)
'''
