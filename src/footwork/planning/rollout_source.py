"""Writes the source of one problem's integration step, unrolled for its dimensions.

The same formulas are written in two forms, compiled and plain Python, so that both give the same
numbers. The compiled one,

    advance(x, x_view, u, parameters, h, t, t_view, y) -> code,

reads and writes C arrays through pointers: x is the state, y the next one, t scratch; views are
what the user's function gets, which may not write to them. The plain one,

    advance(x, u, parameters, h) -> y,

works on tuples of floats.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from footwork.planning.rollout_codes import (
    FAILED_EXCEPTION,
    FAILED_NAN,
    FAILED_SIZE,
    FAILED_STEPS,
    HEADER,
)
from footwork.planning.spaces.components import Kind

Integrator = Literal["euler", "rk4", "dopri5"]
"""How an ordinary differential equation is integrated over one propagation step."""
TableRow = tuple[int, int, int]
"""Kind, offset and size of a component."""

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
MOST_COPIED: Final = 32
"""So many parameters are copied to the stack for each motion."""


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


def advance_source(form: StepForm, *, plain: bool) -> str:
    """Write the function ``advance``, which calls ``_step_function``.

    Args:
        form: What decides its text.
        plain: Whether it works on tuples, for Python, instead of pointers.

    Returns:
        Python source.
    """
    writer = _Writer(form, plain=plain)
    if not form.is_dynamics:
        body = writer.propagated()
    else:
        body = {
            "euler": writer.euler,
            "rk4": writer.runge_kutta,
            "dopri5": writer.dormand_prince,
        }[form.integrator]()
    arguments = "x, u, parameters, h" if plain else "x, x_view, u, parameters, h, t, t_view, y"
    lines = [f"def advance({arguments}):", *("    " + line for line in body)]
    return "\n".join(lines) + "\n"


def rollout_source(form: StepForm, rows: Sequence[TableRow], validity: int, parameters: int) -> str:
    """Write the compiled module of one problem, whose entry is the C function ``rollout``.

    The control and a few parameters are copied to the stack, where no store of a state can reach
    them: so the compiler knows that what is computed from them alone is the same in every step.

    Args:
        form: What decides the text of a step.
        rows: The component table.
        validity: How many arguments the validity function takes, 0 if there is none; 3 if it is
            a world's, called with the state and the world's own numbers.
        parameters: How many numbers the user's functions take.

    Returns:
        Python source.
    """
    n = form.dimension
    valid = {1: "y_view", 2: "y_view, parameters", 3: "y_view, world"}.get(validity, "")
    bounds = [f"low[{i}] <= y[{i}] <= high[{i}]" for i in bounded_axes(rows)]
    return _ROLLOUT.format(
        advance="@njit(**INLINED)\n" + advance_source(form, plain=False),
        n=n,
        m=form.control_dimension,
        p=parameters,
        p_data=f"copied(p_data, {parameters})" if 0 < parameters <= MOST_COPIED else "p_data",
        low_offset=HEADER + n + form.control_dimension + 1,
        wrap="".join(f"        {line}\n" for line in _wrap(rows, "y[{}]")),
        inside=" and ".join(bounds) or "True",
        nan=" or ".join(f"y[{i}] != y[{i}]" for i in range(n)),
        valid=f"_is_valid({valid})" if valid else "True",
        failed_exception=FAILED_EXCEPTION,
        failed_nan=FAILED_NAN,
        header=HEADER,
    )


def plain_source(form: StepForm, rows: Sequence[TableRow]) -> str:
    """Write ``advance`` and ``next_state`` for plain Python.

    Args:
        form: What decides the text of a step.
        rows: The component table.

    Returns:
        Python source of ``next_state(x, u, parameters, h)``, which makes a step, wraps it and
        calls ``_refuse_nan`` if there is NaN.
    """
    names = ", ".join(f"y_{i}" for i in range(form.dimension)) + ","
    lines = [
        "def next_state(x, u, parameters, h):",
        f"    {names} = advance(x, u, parameters, h)",
        *("    " + line for line in _wrap(rows, "y_{}")),
        "    if " + " or ".join(f"y_{i} != y_{i}" for i in range(form.dimension)) + ":",
        f"        _refuse_nan(x, u, ({names}))",
        f"    return ({names})",
    ]
    return advance_source(form, plain=True) + "\n\n" + "\n".join(lines) + "\n"


def bounded_axes(rows: Sequence[TableRow]) -> list[int]:
    """Find the numbers of a state that have bounds.

    Args:
        rows: The component table.

    Returns:
        All but angles and rotations.
    """
    free = {Kind.SO2, Kind.SO3}
    return [i for kind, first, size in rows if kind not in free for i in range(first, first + size)]


def _wrap(rows: Sequence[TableRow], name: str) -> list[str]:
    """Lines that wrap angles and normalise quaternions in place."""
    lines = []
    for kind, first, size in rows:
        y = [name.format(i) for i in range(first, first + size)]
        if kind == Kind.SO2:
            lines += [f"if not -PI <= {y[0]} < PI:", f"    {y[0]} = wrap_angle({y[0]})"]
        elif kind == Kind.SO3:
            lines += [
                f"norm = math.sqrt({' + '.join(f'{q} * {q}' for q in y)})",
                "if norm > 0.0 and abs(norm - 1.0) > 1e-15:",
                *(f"    {q} = {q} / norm" for q in y),
            ]
    return lines


class _Writer:
    """Writes the lines of a step in one of the two forms."""

    def __init__(self, form: StepForm, *, plain: bool) -> None:
        self.form = form
        self.plain = plain
        self.axes = range(form.dimension)

    def propagated(self) -> list[str]:
        """The user's function gives the next state."""
        x = "x" if self.plain else "x_view"
        more = ", parameters" if self.form.takes_parameters else ""
        call = f"_step_function({x}, u, h{more})"
        return self._read(call, "k1") + self._finish([f"k1_{i}" for i in self.axes])

    def euler(self) -> list[str]:
        """One explicit step."""
        lines = self._load() + self._evaluate("k1", "x")
        return lines + self._finish([f"x_{i} + h * k1_{i}" for i in self.axes])

    def runge_kutta(self) -> list[str]:
        """The classical method of order four."""
        lines = [*self._load(), "half = 0.5 * h", *self._evaluate("k1", "x")]
        for stage, factor in ((1, "half"), (2, "half"), (3, "h")):
            lines += self._scratch([f"x_{i} + {factor} * k{stage}_{i}" for i in self.axes])
            lines += self._evaluate(f"k{stage + 1}", "t")
        lines.append("sixth = h * (1.0 / 6.0)")
        return lines + self._finish(
            [f"x_{i} + sixth * (k1_{i} + 2.0 * (k2_{i} + k3_{i}) + k4_{i})" for i in self.axes]
        )

    def dormand_prince(self) -> list[str]:
        """Sub-steps of the pair 5(4) that end exactly at h, error kept below the tolerances.

        The first sub-step tried is always h, so that a step depends on nothing but its arguments.

        Source: dormand1980family
        """
        lines = [*self._load(), *self._evaluate("k1", "x")]
        lines += ["done = 0.0", "s = h", f"for sub_step in range({MAX_SUB_STEPS}):"]
        lines += ["    " + line for line in self._sub_step()]
        lines += ["if done != h:"]
        lines += ["    _refuse_steps(x, u)" if self.plain else f"    return {FAILED_STEPS}"]
        return lines + self._finish([f"x_{i}" for i in self.axes])

    def _sub_step(self) -> list[str]:
        lines = ["last = abs(done + s) >= abs(h) * (1.0 - 1e-12)", "if last:", "    s = h - done"]
        for stage, row in enumerate(DOPRI_A, start=2):
            combined = [f"x_{i} + s * ({_combination(row, i)})" for i in self.axes]
            lines += self._scratch(combined) + self._evaluate(f"k{stage}", "t")
        lines.append("square = 0.0")
        for i in self.axes:
            lines += [
                f"scale = {self.form.absolute_tolerance!r} + {self.form.relative_tolerance!r}"
                f" * max(abs(x_{i}), abs(t[{i}]))",
                f"ratio = s * ({_combination(DOPRI_ERROR, i)}) / scale",
                "square = square + ratio * ratio",
            ]
        return [
            *lines,
            f"error = math.sqrt(square / {self.form.dimension}.0)",
            "if not error > 1.0:",  # NaN is accepted here and refused by the caller
            "    done = h if last else done + s",
            *(f"    x_{i} = t[{i}]" for i in self.axes),
            *(f"    k1_{i} = k7_{i}" for i in self.axes),
            "    if last:",
            "        break",
            "s = s * min(5.0, max(0.2, 0.9 * (error + 1e-30) ** -0.2))",
        ]

    def _load(self) -> list[str]:
        if self.plain:
            return [", ".join(f"x_{i}" for i in self.axes) + ", = x"]
        return [f"x_{i} = x[{i}]" for i in self.axes]

    def _evaluate(self, k: str, state: str) -> list[str]:
        """Call the user's dx/dt at x or at the scratch state."""
        x = state if self.plain else f"{state}_view"
        more = ", parameters" if self.form.takes_parameters else ""
        return self._read(f"_step_function({x}, u{more})", k)

    def _read(self, call: str, k: str) -> list[str]:
        n = self.form.dimension
        if self.plain:
            return [
                f"d = {call}",
                f"if type(d) is not tuple or len(d) != {n}:",
                "    d = _read_state(d)",
                ", ".join(f"{k}_{i}" for i in self.axes) + ", = d",
            ]
        return [
            f"d = {call}",
            f"if len(d) != {n}:",
            f"    return {FAILED_SIZE}",
            *(f"{k}_{i} = float(d[{i}])" for i in self.axes),
        ]

    def _scratch(self, numbers: Sequence[str]) -> list[str]:
        if self.plain:
            return [f"t = ({', '.join(numbers)},)"]
        return [f"t[{i}] = {number}" for i, number in enumerate(numbers)]

    def _finish(self, numbers: Sequence[str]) -> list[str]:
        if self.plain:
            return [f"return ({', '.join(numbers)},)"]
        return [*(f"y[{i}] = {number}" for i, number in enumerate(numbers)), "return 0"]


def _combination(factors: Sequence[str], axis: int) -> str:
    """Sum of the stages, each with its factor."""
    return " + ".join(
        f"({factor}) * k{stage}_{axis}"
        for stage, factor in enumerate(factors, start=1)
        if factor != "0"
    )


_ROLLOUT: Final = '''"""Generated by footwork.planning; safe to delete."""

import math

from numba import cfunc, float64, int64, njit, types

from footwork.planning._kernels.metric import PI, wrap_angle
from footwork.planning._kernels.pointers import copied, offset_by, readonly_view, stack_doubles

DOUBLES = types.CPointer(types.float64)
OPTIONS = {{"error_model": "numpy", "nogil": True}}
INLINED = {{**OPTIONS, "forceinline": True}}


{advance}

@njit(**OPTIONS)
def note_failure(params, x, u, h):
    for i in range({n}):
        params[{header} + i] = x[i]
    for i in range({m}):
        params[{header} + {n} + i] = u[i]
    params[{header} + {n} + {m}] = h


@njit(**INLINED)
def run(x0, u_data, h, n, last_h, params, out):
    check = params[0]
    u = readonly_view(copied(u_data, {m}), {m})
    low = offset_by(params, {low_offset})
    high = offset_by(low, {n})
    p_data = offset_by(high, {n})
    parameters = readonly_view({p_data}, {p})
    world = readonly_view(offset_by(p_data, {p}), int(params[2]))
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
            if {nan}:
                note_failure(params, x, u_data, h if i < n else last_h)
                return {failed_nan}
        if not inside and check == 2.0:
            return i
        if check > 0.0:
            y_view = readonly_view(y, {n})
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
