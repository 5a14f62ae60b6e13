"""Writes the source of one problem's integration step, unrolled for its dimensions.

    advance(x, x_view, u, parameters, h, t, t_view, y) -> code

reads and writes C arrays through pointers: x is the state, y the next one, t scratch; views are
what the user's function gets, which may not write to them. `_kernels.python_rollout` has the same
formulas for functions that stay plain Python.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

import numpy as np

from footwork.planning.rollout_codes import FAILED_SIZE, FAILED_STEPS
from footwork.typing import Matrix

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
STAGES: Final = 1 + len(DOPRI_A)
MAX_SUB_STEPS: Final = 100_000


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
    """Write the function ``advance``, which calls ``_step_function``.

    Args:
        form: What decides its text.

    Returns:
        Python source.
    """
    writer = _Writer(form)
    if not form.is_dynamics:
        body = writer.propagated()
    else:
        body = {
            "euler": writer.euler,
            "rk4": writer.runge_kutta,
            "dopri5": writer.dormand_prince,
        }[form.integrator]()
    lines = ["def advance(x, x_view, u, parameters, h, t, t_view, y):"]
    lines += ["    " + line for line in body]
    return "\n".join(lines) + "\n"


def dormand_prince_tableau() -> Matrix:
    """Give the numbers of the pair of Dormand and Prince.

    Returns:
        A row for each stage after the first, the last of which is the result too, and one of the
        error; zeros where a stage does not count, shape (7, 7).
    """
    tableau = np.zeros((STAGES, STAGES))
    for row, factors in zip(tableau, (*DOPRI_A, DOPRI_ERROR), strict=True):
        row[: len(factors)] = [float(Fraction(factor)) for factor in factors]
    return tableau


class _Writer:
    """Writes the lines of a step."""

    def __init__(self, form: StepForm) -> None:
        self.form = form
        self.axes = range(form.dimension)

    def propagated(self) -> list[str]:
        """The user's function gives the next state."""
        more = ", parameters" if self.form.takes_parameters else ""
        return self._read(f"_step_function(x_view, u, h{more})") + self._finish(self._numbers())

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
        lines += ["if done != h:", f"    return {FAILED_STEPS}"]
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
        return [f"x_{i} = x[{i}]" for i in self.axes]

    def _evaluate(self, k: str, state: str) -> list[str]:
        """Call the user's dx/dt at x or at the scratch state."""
        more = ", parameters" if self.form.takes_parameters else ""
        lines = self._read(f"_step_function({state}_view, u{more})")
        return lines + [f"{k}_{i} = {number}" for i, number in enumerate(self._numbers())]

    def _read(self, call: str) -> list[str]:
        """Take what the user's function returns as ``d``; refuse another number of numbers."""
        return [f"d = {call}", f"if len(d) != {self.form.dimension}:", f"    return {FAILED_SIZE}"]

    def _numbers(self) -> list[str]:
        return [f"float(d[{i}])" for i in self.axes]

    def _scratch(self, numbers: Sequence[str]) -> list[str]:
        return [f"t[{i}] = {number}" for i, number in enumerate(numbers)]

    def _finish(self, numbers: Sequence[str]) -> list[str]:
        return [*(f"y[{i}] = {number}" for i, number in enumerate(numbers)), "return 0"]


def _combination(factors: Sequence[str], axis: int) -> str:
    """Sum of the stages, each with its factor."""
    return " + ".join(
        f"({factor}) * k{stage}_{axis}"
        for stage, factor in enumerate(factors, start=1)
        if factor != "0"
    )
