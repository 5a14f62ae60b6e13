"""Integrators, steps, bounds and parameters of propagation, through both doors."""

import math
from typing import Any

import numpy as np
import pytest

import footwork.planning as fp
from footwork.errors import (
    InputError,
    NotFiniteError,
    ShapeError,
)
from footwork.planning.objective_door import COST_TYPE
from tests.planning.systems import (
    double_integrator,
    drift,
    line_system,
    unicycle_system,
)

DOORS = pytest.mark.parametrize("compile", [True, False], ids=["compiled", "plain"])
INTEGRATORS = pytest.mark.parametrize("integrator", ["euler", "rk4", "dopri5"])


@INTEGRATORS
@pytest.mark.parametrize(
    ("duration", "step"),
    [
        (12.0, 5.0),
        (0.3, 0.1),
        (1e-9, 1.0),
        (0.105, 0.01),
        (0.013, 0.01),
        (0.005, 0.01),
        (-0.1, 0.01),
    ],
)
def test_the_time_integrated_is_the_time_asked_for(
    duration: float, step: float, integrator: Any
) -> None:
    si = line_system(dynamics=drift, propagation_step_size=step, integrator=integrator)
    assert si.propagate([0.0], [0.0], duration)[0] == pytest.approx(duration, rel=1e-12, abs=1e-15)


@DOORS
@pytest.mark.parametrize(("integrator", "order"), [("euler", 1), ("rk4", 4)])
def test_the_error_falls_with_the_order_of_the_integrator(
    integrator: Any, order: int, compile: bool
) -> None:
    v, w, t = 0.5, 0.5, 2.0
    exact = np.array([v / w * math.sin(w * t), v / w * (1.0 - math.cos(w * t)), w * t])
    errors = []
    for step in (0.1, 0.05):
        si = unicycle_system(propagation_step_size=step, integrator=integrator, compile=compile)
        errors.append(np.abs(si.propagate([0, 0, 0], [v, w], t) - exact).max())
    assert errors[0] / errors[1] == pytest.approx(2.0**order, rel=0.15)


@DOORS
def test_dormand_prince_keeps_its_tolerance_over_any_step(compile: bool) -> None:
    exact = np.array([math.sin(1.0), 1.0 - math.cos(1.0), 1.0])
    for tolerance in (1e-6, 1e-10):
        si = unicycle_system(
            propagation_step_size=2.0,
            integrator="dopri5",
            relative_tolerance=tolerance,
            absolute_tolerance=tolerance,
            compile=compile,
        )
        reached = si.propagate([0, 0, 0], [0.5, 0.5], 2.0)
        assert np.abs(reached - exact).max() < 10 * tolerance


@INTEGRATORS
def test_backwards_undoes_forwards(integrator: Any) -> None:
    si = unicycle_system(integrator=integrator, compile=False, propagation_step_size=0.01)
    there = si.propagate([1, 2, 3], [0.7, -0.4], 0.555)
    back = si.propagate(there, [0.7, -0.4], -0.555)
    tolerance = 1e-2 if integrator == "euler" else 1e-9
    np.testing.assert_allclose(back, [1, 2, 3], atol=tolerance)


def test_steps_count_propagation_steps_backwards_too() -> None:
    si = line_system(dynamics=drift)
    assert si.propagate([1.0], [0.0], steps=3)[0] == pytest.approx(1.3)
    assert si.propagate([1.0], [0.0], steps=-3)[0] == pytest.approx(0.7)
    assert si.propagate([1.0], [0.0], steps=0)[0] == 1.0
    wrong: list[dict[str, Any]] = [
        {},
        {"duration": 1.0, "steps": 1},
        {"steps": 1.5},
        {"duration": math.inf},
    ]
    for bad in wrong:
        with pytest.raises(InputError):
            si.propagate([1.0], [0.0], **bad)


def stop_at_half(x: Any) -> bool:
    return bool(x[0] < 0.5)


@DOORS
def test_propagation_stops_before_the_first_invalid_state(compile: bool) -> None:
    si = line_system(dynamics=drift, is_valid=stop_at_half, compile=compile)
    roll = si.propagate_while_valid([0.0], [0.0], 1.0)
    assert not roll.is_complete
    np.testing.assert_allclose(roll.states[:, 0], [0.1, 0.2, 0.3, 0.4])
    assert roll.duration == pytest.approx(0.4)
    assert roll.final_state[0] == pytest.approx(0.4)
    inside = si.propagate_while_valid([0.0], [0.0], 0.26)
    assert inside.is_complete
    np.testing.assert_allclose(inside.durations, [0.1, 0.1, 0.06])
    blocked = si.propagate_while_valid([0.45], [0.0], 1.0)
    assert (len(blocked.states), blocked.final_state[0]) == (0, 0.45)


@DOORS
def test_leaving_the_bounds_is_invalid_unless_told_otherwise(compile: bool) -> None:
    si = unicycle_system(compile=compile)
    start, control = [4.8, 0, 0], [1.0, 0.0]
    assert len(si.propagate_while_valid(start, control, 1.0).states) == 2
    free = si.propagate_while_valid(start, control, 1.0, within_bounds=False)
    assert free.is_complete
    assert free.final_state[0] == pytest.approx(5.8)
    assert not si.is_state_valid([5.1, 0, 0])
    assert si.is_state_valid([5.1, 0, 0], within_bounds=False)


def wall(x: Any) -> bool:
    return not 0.50 <= x[0] <= 0.51


@pytest.mark.parametrize(("step", "steps", "hits"), [(1.0, 1, False), (0.002, 500, True)])
def test_validity_is_tested_every_propagation_step_and_not_between(
    step: float, steps: int, hits: bool
) -> None:
    si = line_system(
        dynamics=drift,
        is_valid=wall,
        propagation_step_size=step,
        min_control_steps=steps,
        max_control_steps=steps,
    )
    roll = si.propagate_while_valid([0.0], [0.0], steps=steps)
    assert roll.is_complete is not hits
    if hits:
        assert roll.final_state[0] == pytest.approx(0.498, abs=1e-9)


def shifted(x: Any, u: Any, dt: float, p: Any) -> Any:
    return (x[0] + dt * (u[0] + p[1]),)


def scaled(x: Any, u: Any, p: Any) -> Any:
    return (p[0] * u[0] + 0.0 * x[0],)


def below(x: Any, p: Any) -> bool:
    return bool(x[0] < p[1])


@DOORS
def test_parameters_reach_every_function_and_can_be_exchanged(compile: bool) -> None:
    si = line_system(dynamics=scaled, is_valid=below, parameters=[2.0, 0.5], compile=compile)
    assert si.propagate([0.0], [1.0], 1.0)[0] == pytest.approx(2.0)
    assert len(si.propagate_while_valid([0.0], [1.0], 1.0).states) == 2
    other = si.with_parameters([4.0, 99.0])
    assert other.propagate([0.0], [1.0], 1.0)[0] == pytest.approx(4.0)
    assert other.propagate_while_valid([0.0], [1.0], 1.0).is_complete
    assert si.propagate([0.0], [1.0], 1.0)[0] == pytest.approx(2.0)
    direct = line_system(propagate=shifted, parameters=[0.0, 3.0], compile=compile)
    assert direct.propagate([0.0], [1.0], 0.25)[0] == pytest.approx(1.0)
    with pytest.raises(ShapeError):
        si.with_parameters([1.0])


@DOORS
def test_angles_are_wrapped_and_quaternions_are_normalised_after_each_step(compile: bool) -> None:
    space = fp.CompoundStateSpace([fp.SO2StateSpace(), fp.SO3StateSpace()])
    si = fp.SpaceInformation(
        space,
        fp.RealVectorControlSpace([-9], [9]),
        dynamics=spin,
        propagation_step_size=0.1,
        integrator="euler",
        compile=compile,
    )
    roll = si.propagate_while_valid([3.1, 0, 0, 0, 1], [1.0], 1.0)
    assert roll.states[0, 0] == pytest.approx(3.2 - 2 * math.pi)
    np.testing.assert_allclose(np.linalg.norm(roll.states[:, 1:], axis=1), 1.0)


@DOORS
def test_rotations_times_and_whole_numbers_move_and_are_measured(compile: bool) -> None:
    space = fp.CompoundStateSpace(
        [
            fp.SE3StateSpace([-9] * 3, [9] * 3),
            fp.TimeStateSpace(0.0, 5.0),
            fp.DiscreteStateSpace(0, 3),
        ]
    )
    si = fp.SpaceInformation(
        space,
        fp.RealVectorControlSpace([-9], [9]),
        dynamics=screw,
        propagation_step_size=0.1,
        compile=compile,
    )
    start = [0, 0, 0, 0, 0, 0, 1, 0.5, 2]
    roll = si.propagate_while_valid(start, [1.0], 1.0)
    half = 0.5
    expected = [1, 0, 0, math.sin(half), 0, 0, math.cos(half), 1.5, 2]
    np.testing.assert_allclose(roll.final_state, expected, atol=1e-6)
    motion = fp.Motion(
        states=np.vstack([start, roll.states]), control=np.ones(1), durations=roll.durations
    )
    length = fp.PathLength().motion_cost(si, motion)
    assert length == pytest.approx(1.0 + half + 1.0, abs=1e-5)
    compiled = fp.PathLength().compiled(si)
    x, after, u = np.array(start, dtype=float), roll.states.copy(), np.ones(1)
    pointers = x.ctypes.data, after.ctypes.data, 10, u.ctypes.data, 0.1
    by_address = COST_TYPE(compiled.address)(*pointers, compiled.params.ctypes.data)
    assert by_address == pytest.approx(length, rel=1e-12)
    assert not si.propagate_while_valid(start, [1.0], 5.0).is_complete  # the time runs out


def screw(x: Any, u: Any) -> Any:
    w = 0.5 * u[0]
    return u[0], 0.0, 0.0, w * x[6], w * x[5], -w * x[4], -w * x[3], 1.0, 0.0


def spin(x: Any, u: Any) -> Any:
    w = u[0]
    return w, 0.5 * w * x[4], 0.5 * w * x[3], -0.5 * w * x[2], -0.5 * w * x[1]


# Set-up


def test_set_up_says_what_does_not_fit() -> None:
    space, controls = fp.RealVectorStateSpace([0], [1]), fp.RealVectorControlSpace([0], [1])

    def make(**options: Any) -> fp.SpaceInformation:
        chosen = {"dynamics": drift, "propagation_step_size": 0.1, **options}
        return fp.SpaceInformation(space, controls, **chosen)

    cases: list[tuple[dict[str, Any], str]] = [
        ({"propagation_step_size": 0.0}, "propagation_step_size must be positive"),
        ({"propagation_step_size": math.nan}, "propagation_step_size must be positive"),
        ({"min_control_steps": 0}, "min_control_steps counts propagation steps"),
        ({"min_control_steps": 0.5}, "min_control_steps counts propagation steps"),
        ({"min_control_steps": 11}, "must not be above max_control_steps"),
        ({"dynamics": None}, "either dynamics"),
        ({"propagate": lambda x, u, dt: x}, "either dynamics"),
        ({"dynamics": lambda x: x}, r"expected f\(x, u\)"),
        ({"dynamics": 3}, "must be a function"),
        ({"is_valid": lambda: True}, r"f\(x\)"),
        ({"integrator": "rk45"}, "euler, rk4, dopri5"),
        ({"relative_tolerance": 0.0}, "relative_tolerance"),
        ({"parameters": [math.inf]}, "finite"),
    ]
    for options, message in cases:
        with pytest.raises(InputError, match=message):
            make(**options)
    with pytest.raises(InputError, match="state_space"):
        fp.SpaceInformation(3, controls, dynamics=drift, propagation_step_size=1)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="control_space"):
        fp.SpaceInformation(space, space, dynamics=drift, propagation_step_size=1)  # type: ignore[arg-type]


def test_states_and_controls_are_checked() -> None:
    si = unicycle_system(compile=False)
    with pytest.raises(NotFiniteError, match="state"):
        si.propagate([np.inf, 0, 0], [0, 0], 1.0)
    with pytest.raises(ShapeError, match="control"):
        si.propagate([0, 0, 0], [0], 1.0)


def test_systems_of_any_size_move_alike() -> None:
    for n in (1, 2, 7, 24):

        def decay(x: Any, u: Any) -> Any:
            return -x * u[0]

        si = fp.SpaceInformation(
            fp.RealVectorStateSpace(-np.ones(n), np.ones(n)),
            fp.RealVectorControlSpace([0], [1]),
            dynamics=decay,
            propagation_step_size=0.1,
            compile=False,
        )
        reached = si.propagate(np.ones(n), [1.0], 1.0)
        np.testing.assert_allclose(reached, np.full(n, math.exp(-1.0)), atol=1e-6)


def test_double_integrator_agrees_with_its_exact_solution() -> None:
    si = fp.SpaceInformation(
        fp.RealVectorStateSpace([-9, -9], [9, 9]),
        fp.RealVectorControlSpace([-1], [1]),
        dynamics=double_integrator,
        propagation_step_size=0.1,
        compile=False,
    )
    np.testing.assert_allclose(si.propagate([1, 2], [0.5], 0.77), [1 + 1.54 + 0.148225, 2.385])


def test_a_system_tells_what_it_is() -> None:
    assert repr(unicycle_system(compile=False)).startswith("SpaceInformation(SE2StateSpace")
