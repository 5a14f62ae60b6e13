"""The systems of the recorded OMPL paths, and their paths as ours."""

import gzip
import json
from collections.abc import Callable
from math import cos, sin
from pathlib import Path
from typing import Any

import footwork.planning as fp

TRACE = Path(__file__).parents[1] / "data" / "planning" / "pathcontrol_trace.jsonl.gz"
Case = dict[str, Any]


def euler_2(x: Any, u: Any, dt: float) -> Any:
    return x[0] + dt * u[0], x[1] + dt * u[1]


def euler_3(x: Any, u: Any, dt: float) -> Any:
    return x[0] + dt * u[0], x[1] + dt * u[1], x[2] + dt * u[2]


def euler_4(x: Any, u: Any, dt: float) -> Any:
    return x[0] + dt * u[0], x[1] + dt * u[1], x[2] + dt * u[2], x[3] + dt * u[3]


def double_integrator(x: Any, u: Any, dt: float) -> Any:
    return x[0] + dt * x[2], x[1] + dt * x[3], x[2] + dt * u[0], x[3] + dt * u[1]


def unicycle(x: Any, u: Any, dt: float) -> Any:
    return x[0] + dt * (u[0] * cos(x[2])), x[1] + dt * (u[0] * sin(x[2])), x[2] + dt * u[1]


def discrete_mode(x: Any, u: Any, dt: float) -> Any:
    return x[0] + dt * u[0], x[1] + dt * (u[0] * u[0] - x[1])


def compound_rv_discrete(x: Any, u: Any, dt: float) -> Any:
    return x[0] + dt * (u[0] * u[1]), x[1] + dt * u[1], x[2] + dt * (u[0] - x[2])


def compound_gear_unicycle(x: Any, u: Any, dt: float) -> Any:
    v = u[0] * u[1]
    return x[0] + dt * (v * cos(x[2])), x[1] + dt * (v * sin(x[2])), x[2] + dt * u[2]


def nested_compound(x: Any, u: Any, dt: float) -> Any:
    return x[0] + dt * (u[1] * u[0]), x[1] + dt * (u[2] * u[3])


def box(x: Any, parameters: Any) -> bool:
    return bool(abs(x[0]) <= parameters[0] and abs(x[1]) <= parameters[0])


def disk(x: Any, parameters: Any) -> bool:
    dx, dy = x[0] - parameters[0], x[1] - parameters[1]
    return bool(dx * dx + dy * dy >= parameters[2] * parameters[2])


PROPAGATORS: dict[tuple[str, str], Callable[..., Any]] = {
    ("euler_integrator", "rv2"): euler_2,
    ("euler_integrator", "rv3"): euler_3,
    ("euler_integrator", "rv4"): euler_4,
    ("double_integrator", "rv4"): double_integrator,
    ("unicycle", "se2"): unicycle,
    ("discrete_mode", "rv2"): discrete_mode,
    ("compound_rv_discrete", "rv3"): compound_rv_discrete,
    ("compound_gear_unicycle", "se2"): compound_gear_unicycle,
    ("nested_compound", "rv2"): nested_compound,
}


def load_cases() -> list[Case]:
    with gzip.open(TRACE, "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def space_information(case: Case, *, compile: bool) -> fp.SpaceInformation:
    validity = case["validity"]
    parameters: list[float] = []
    is_valid: Callable[..., bool] | None = None
    if validity["type"] == "box":
        is_valid, parameters = box, [validity["limit"]]
    elif validity["type"] == "disk":
        is_valid, parameters = disk, [validity["cx"], validity["cy"], validity["r"]]
    return fp.SpaceInformation(
        state_space(case["space"]),
        control_space(case["control_space"]),
        propagate=PROPAGATORS[case["system"], case["space"]],
        is_valid=is_valid,
        parameters=parameters,
        propagation_step_size=case["step"],
        compile=compile,
    )


def state_space(name: str) -> fp.StateSpace:
    if name == "se2":
        return fp.SE2StateSpace([-10, -10], [10, 10])
    size = int(name.removeprefix("rv"))
    return fp.RealVectorStateSpace([-10] * size, [10] * size)


def control_space(description: list[Any]) -> fp.ControlSpace:
    match description:
        case ["rv", size]:
            return fp.RealVectorControlSpace([-2] * size, [2] * size)
        case ["discrete", low, high]:
            return fp.DiscreteControlSpace(low, high)
        case [_, subspaces]:
            return fp.CompoundControlSpace([control_space(part) for part in subspaces])
    raise AssertionError(description)


def flat(control: Any) -> list[float]:
    if isinstance(control, list):
        return [number for part in control for number in flat(part)]
    return [float(control)]


def path_of(si: fp.SpaceInformation, recorded: Case) -> fp.PathControl:
    controls = [flat(control) for control in recorded["controls"]]
    return fp.PathControl.from_arrays(si, recorded["states"], controls, recorded["durations"])
