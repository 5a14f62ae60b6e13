"""Writes the source of one problem's rollout: step after step, wrapped and checked.

The compiled one is a C function, see `_kernels.rollout`; the plain one works on tuples of floats.
"""

from collections.abc import Sequence
from typing import Final

from footwork.planning.rollout_codes import FAILED_EXCEPTION, FAILED_NAN, HEADER
from footwork.planning.spaces.components import Kind
from footwork.planning.step_source import StepForm, advance_source

TableRow = tuple[int, int, int]
"""Kind, offset and size of a component."""

MOST_COPIED: Final = 32
"""So many parameters are copied to the stack for each motion."""


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
    bounded = set(bounded_axes(rows))
    inside = [
        f"low[{i}] <= y[{i}] <= high[{i}]" if i in bounded else f"y[{i}] == y[{i}]"
        for i in range(n)
    ]
    return _ROLLOUT.format(
        advance="@njit(**INLINED)\n" + advance_source(form, plain=False),
        n=n,
        m=form.control_dimension,
        p=parameters,
        p_data=f"copied(p_data, {parameters})" if 0 < parameters <= MOST_COPIED else "p_data",
        low_offset=HEADER + n + form.control_dimension + 1,
        wrap="".join(f"        {line}\n" for line in _wrap(rows, "y[{}]")),
        inside=" and ".join(inside),
        nan=" or ".join(f"y[{i}] != y[{i}]" for i in range(n)),
        valid=f"_is_valid({valid})" if valid else "True",
        failed_exception=FAILED_EXCEPTION,
        failed_nan=FAILED_NAN,
        header=HEADER,
    )


def plain_source(
    form: StepForm, rows: Sequence[TableRow], validity: int, bounds: Sequence[tuple[float, float]]
) -> str:
    """Write ``advance``, ``next_state`` and ``roll_out`` for plain Python.

    Args:
        form: What decides the text of a step.
        rows: The component table.
        validity: As in `rollout_source`.
        bounds: (low, high) of each number of a state.

    Returns:
        Python source of ``next_state(x, u, parameters, h)``, which makes a step, wraps it and
        calls ``_refuse_nan`` if there is NaN, and of ``roll_out``, which does so step after step,
        puts each state into ``room``, and counts the valid ones; a state within all bounds is not
        NaN, and is not asked again. It calls ``_truth`` with what a
        validity function returned if that is neither True nor False, and ``_explain`` or
        ``_note_validity`` with what the user's functions raise.
    """
    axes, bounded = range(form.dimension), set(bounded_axes(rows))
    names = ", ".join(f"y_{i}" for i in axes) + ","
    move = [f"{names} = advance(x, u, parameters, h)", *_wrap(rows, "y_{}")]
    refuse_nan = [
        "if " + " or ".join(f"y_{i} != y_{i}" for i in axes) + ":",
        f"    _refuse_nan(x, u, ({names}))",
    ]
    inside = [
        f"{bounds[i][0]!r} <= y_{i} <= {bounds[i][1]!r}" if i in bounded else f"y_{i} == y_{i}"
        for i in axes
    ]
    body = [
        "if i == n:",
        "    h = last_h",
        "try:",
        *("    " + line for line in move),
        f"    inside = {' and '.join(inside)}",
        "    if not inside:",
        *("        " + line for line in refuse_nan),
        f"    write(room, {8 * form.dimension} * i, {names})",
        "except Exception as error:",
        "    _explain(error, x, u, parameters, h)",
        "    raise",
        f"x = ({names})",
        "if within_bounds and not inside:",
        "    return i",
    ]
    if validity:
        more = ", more" if validity > 1 else ""
        body += [
            "if is_checked:",
            "    try:",
            f"        valid = _is_valid(x{more})",
            "    except Exception as error:",
            f"        _note_validity(error, x{more})",
            "        raise",
            "    if valid is not True and (valid is False or not _truth(valid)):",
            "        return i",
        ]
    lines = [
        "def next_state(x, u, parameters, h):",
        *("    " + line for line in move + refuse_nan),
        f"    return ({names})",
        "",
        "def roll_out(x, u, h, n, last_h, parameters, more, is_checked, within_bounds, room):",
        "    total = n + 1 if last_h != 0.0 else n",
        "    for i in range(total):",
        *("        " + line for line in body),
        "    return total",
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
