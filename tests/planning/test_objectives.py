import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import footwork.planning as fp
from footwork.errors import CallbackTypeError, CallbackValueError, InputError, ShapeError
from footwork.planning.objective_door import COST_TYPE, CompiledObjective
from tests.planning.systems import line_system, unicycle_system


def hill(x: Any) -> Any:
    return x[0] * x[0] + 0.5 * x[1]


def slope(x: Any, p: Any) -> Any:
    return p[0] * abs(x[0]) + p[1]


def distance_to_wall(x: Any, parameters: Any) -> Any:
    return parameters[0] - x[1]


class Wall:
    parameters = np.array([2.0])
    clearance_kernel = staticmethod(distance_to_wall)


class Braking(fp.Objective):
    """A user's own objective: the fastest control counts."""

    def motion_cost(self, si: fp.SpaceInformation, motion: fp.Motion) -> float:
        return float(np.abs(motion.control).max()) * len(motion.durations)


OBJECTIVES: dict[str, fp.Objective] = {
    "duration": fp.ControlDuration(),
    "length": fp.PathLength(),
    "effort": fp.ControlEffort(),
    "weighted effort": fp.ControlEffort([1.0, 3.0]),
    "integral": fp.StateCostIntegral(hill),
    "integral over time": fp.StateCostIntegral(slope, over="time", parameters=[2.0, 0.5]),
    "work": fp.MechanicalWork(hill, length_weight=0.1),
    "clearance": fp.Clearance(Wall()),
    "sum": 0.5 * fp.PathLength() + fp.ControlDuration(),
    "own": Braking(),
    "own in a sum": fp.WeightedSum([Braking(), fp.PathLength()], [2.0, 1.0]),
}


@pytest.fixture(scope="module")
def systems() -> dict[bool, fp.SpaceInformation]:
    return {choice: unicycle_system(compile=choice) for choice in (True, False)}


def by_address(compiled: CompiledObjective, motion: fp.Motion, h: float) -> float:
    states, u = motion.states.copy(), motion.control.copy()
    after = np.ascontiguousarray(states[1:])
    return float(
        COST_TYPE(compiled.address)(
            states.ctypes.data,
            after.ctypes.data,
            len(after),
            u.ctypes.data,
            h,
            compiled.params.ctypes.data,
        )
    )


def motion(si: fp.SpaceInformation, seed: int) -> fp.Motion:
    rng = np.random.default_rng(seed)
    x, u = si.state_space.sample(rng), si.control_space.sample(rng)
    roll = si.propagate_while_valid(x, u, steps=7, within_bounds=False)
    states = np.vstack([x[None, :], roll.states])
    return fp.Motion(states=states, control=u, durations=roll.durations)


@pytest.mark.parametrize("name", [name for name in OBJECTIVES if name != "duration"])
def test_planners_and_paths_see_the_same_cost(
    name: str, systems: dict[bool, fp.SpaceInformation]
) -> None:
    objective = OBJECTIVES[name]
    for si in systems.values():
        compiled = objective.compiled(si)
        assert compiled.is_native is (si.compilation.is_native and "own" not in name)
        for seed in range(3):
            m = motion(si, seed)
            expected = objective.motion_cost(si, m)
            assert by_address(compiled, m, 0.1) == pytest.approx(expected, rel=1e-12)
            path = fp.PathControl.from_arrays(si, m.states[[0, -1]], m.control[None, :], [0.7])
            assert path.cost(objective) == pytest.approx(expected, rel=1e-12)


def test_the_plain_duration_needs_no_call(systems: dict[bool, fp.SpaceInformation]) -> None:
    assert fp.ControlDuration().compiled(systems[False]).address == 0


def test_costs_add_up_along_the_true_trajectory() -> None:
    si = line_system()
    there_and_back = fp.PathControl.from_arrays(
        si, [[0.0], [1.0], [0.0]], [[1.0], [-1.0]], [1.0, 1.0]
    )
    costs = {
        fp.ControlDuration(): 2.0,
        fp.PathLength(): 2.0,
        fp.ControlEffort(): 2.0,
        fp.ControlEffort([3.0]): 6.0,
        fp.StateCostIntegral(lambda x: 2.0 * x[0]): 2.0,
        fp.StateCostIntegral(lambda x: 2.0 * x[0], over="time"): 2.0,
        fp.MechanicalWork(lambda x: 5.0 * x[0], length_weight=0.0): 5.0,
        fp.MechanicalWork(lambda x: 5.0 * x[0], length_weight=0.1): 5.2,
        2.0 * fp.ControlDuration(): 4.0,
        fp.PathLength() + 3.0 * fp.ControlDuration(): 8.0,
    }
    for objective, expected in costs.items():
        assert there_and_back.cost(objective) == pytest.approx(expected), type(objective)


def test_a_turn_that_ends_where_it_began_has_a_length() -> None:
    si = unicycle_system(compile=False)
    turn = 2 * math.pi
    ends = np.array([np.zeros(3), si.propagate([0, 0, 0], [1, 1], turn)])
    circle = fp.PathControl.from_arrays(si, ends, [[1, 1]], [turn])
    expected = 2 * math.pi * 1.5  # one metre a second, and half of one radian
    assert circle.cost(fp.PathLength()) == pytest.approx(expected, rel=1e-3)


def test_a_shorter_sub_step_counts_for_what_it_is() -> None:
    path = fp.PathControl.from_arrays(line_system(), [[0.0], [0.26]], [[1.0]], [0.26])
    assert path.cost(fp.ControlDuration()) == pytest.approx(0.26)
    assert path.cost(fp.StateCostIntegral(lambda x: 1.0, over="time")) == pytest.approx(0.26)
    still = fp.PathControl.from_arrays(line_system(), [[0.0], [0.0]], [[1.0]], [0.0])
    assert still.cost(fp.PathLength()) == 0.0
    alone = fp.PathControl.from_arrays(line_system(), [[0.0]], [], [])
    assert alone.cost(fp.PathLength()) == 0.0


def test_a_clearance_is_capped_and_needs_a_world() -> None:
    si = unicycle_system(compile=False)
    touching = fp.PathControl.from_arrays(si, [[0, 2, 0], [1, 2, 0]], [[1, 0]], [1.0])
    assert touching.cost(fp.Clearance(Wall())) == pytest.approx(1000.0)
    with pytest.raises(InputError, match="clearance"):
        fp.Clearance(3)


@pytest.mark.parametrize(
    ("function", "error"),
    [(lambda x: None, CallbackTypeError), (lambda x: math.nan, CallbackValueError)],
)
@pytest.mark.parametrize("compile", [True, False], ids=["compiled", "plain"])
def test_costs_that_are_none_are_refused_and_the_callback_is_named(
    function: Callable[[Any], Any], error: type[Exception], compile: bool
) -> None:
    si = unicycle_system(compile=compile)
    objective = fp.StateCostIntegral(function)
    m = motion(si, 1)
    with pytest.raises(error, match=r"state_cost=<lambda>|the objective"):
        objective.motion_cost(si, m)
    compiled = objective.compiled(si)
    assert math.isnan(by_address(compiled, m, 0.1))
    with pytest.raises(error):
        compiled.raise_error(compiled.params)


def test_too_few_parameters_are_an_error_and_not_what_lies_behind_them() -> None:
    si = unicycle_system()
    objective = fp.StateCostIntegral(slope, parameters=[1.0])
    compiled = objective.compiled(si)
    assert not compiled.is_native
    assert math.isnan(by_address(compiled, motion(si, 0), 0.1))
    with pytest.raises(IndexError):
        compiled.raise_error(compiled.params)


def test_ill_formed_objectives_are_refused() -> None:
    builds: list[tuple[Callable[[], object], str]] = [
        (lambda: fp.StateCostIntegral(hill, over="mass"), "over"),  # type: ignore[arg-type]
        (lambda: fp.WeightedSum([], []), "weighted sum"),
        (lambda: fp.WeightedSum([fp.PathLength()], [-1.0]), "weighted sum"),
        (lambda: fp.StateCostIntegral(lambda: 1.0), r"c\(x\)"),
    ]
    for build, message in builds:
        with pytest.raises(InputError, match=message):
            build()
    si = unicycle_system(compile=False)
    with pytest.raises(ShapeError, match="ControlEffort"):
        fp.ControlEffort([1.0]).motion_cost(si, motion(si, 0))


def fails(x: Any) -> Any:
    raise KeyError("my own")


def test_what_a_cost_raises_has_a_note_of_its_name_and_state() -> None:
    si = line_system()
    path = fp.PathControl.from_arrays(si, [[0.0], [0.5]], [[1.0]], [0.5])
    with pytest.raises(KeyError) as raised:
        path.cost(fp.StateCostIntegral(fails))
    assert raised.value.__notes__ == ["raised by state_cost=fails at state [0.0]"]
