"""Which functions are compiled, that both doors agree to the bit, and that nothing goes stale."""

import pickle
from collections.abc import Callable
from math import cos, fmod, pi, sin, sqrt
from typing import Any

import numba
import numpy as np
import pytest

import footwork.planning as fp
from tests.planning.systems import line_system, unicycle_system

NATIVE = not numba.config.DISABLE_JIT
GAIN = 2.0
TABLE = np.array([1.0, 2.0])
NAMES = {"gain": 2.0}


def helper(a: float) -> float:
    return GAIN * a


def with_helper(x: Any, u: Any) -> Any:
    return (helper(u[0]) + 0.0 * x[0],)


def with_table(x: Any, u: Any) -> Any:
    return (TABLE[0] * u[0] + 0.0 * x[0],)


def with_dictionary(x: Any, u: Any) -> Any:
    return (NAMES["gain"] * u[0] + 0.0 * x[0],)


def asks_dictionary(x: Any) -> bool:
    return bool(x[0] < NAMES["gain"])


def test_the_user_is_told_which_door_is_used_and_why() -> None:
    compiled = line_system(dynamics=with_helper, compile=True).compilation
    assert compiled.is_native is NATIVE
    off = "plain Python: NUMBA_DISABLE_JIT is set"
    assert str(compiled) == ("compiled: dynamics=with_helper" if NATIVE else off)
    plain = line_system(dynamics=with_dictionary, compile=True).compilation
    assert not plain.is_native
    assert ("dynamics=with_dictionary" in plain.reason and "dict" in plain.reason) is NATIVE
    if NATIVE:  # what was not given is not named
        assert plain.reason.startswith("dynamics=with_dictionary cannot be compiled: ")
        both = line_system(dynamics=with_dictionary, is_valid=asks_dictionary, compile=True)
        assert both.compilation.reason.startswith(
            "dynamics=with_dictionary or is_valid=asks_dictionary cannot be compiled: "
        )
    assert not line_system(dynamics=with_helper, compile=False).compilation.is_native


@pytest.mark.parametrize("compile", [True, False], ids=["compiled", "plain"])
def test_captured_values_never_go_stale(monkeypatch: pytest.MonkeyPatch, compile: bool) -> None:
    si = line_system(dynamics=with_helper, compile=compile)
    table = line_system(dynamics=with_table, compile=compile)
    assert si.propagate([0.0], [1.0], 1.0)[0] == pytest.approx(2.0)
    assert table.propagate([0.0], [1.0], 1.0)[0] == pytest.approx(1.0)
    monkeypatch.setitem(globals(), "GAIN", 5.0)
    monkeypatch.setitem(globals(), "TABLE", np.array([7.0, 0.0]))
    assert si.propagate([0.0], [1.0], 1.0)[0] == pytest.approx(5.0)
    assert table.propagate([0.0], [1.0], 1.0)[0] == pytest.approx(7.0)
    TABLE[0] = 8.0
    assert table.propagate([0.0], [1.0], 1.0)[0] == pytest.approx(8.0)
    assert line_system(dynamics=with_table, compile=compile).propagate([0.0], [1.0], 1.0)[
        0
    ] == pytest.approx(8.0)


def circle(radius: float) -> Callable[[Any], bool]:
    centre = np.array([1.0, 0.0])

    def outside(x: Any) -> bool:
        dx, dy = x[0] - centre[0], x[1] - centre[1]
        return bool(sqrt(dx * dx + dy * dy) > radius)

    return outside


@pytest.mark.parametrize("compile", [True, False], ids=["compiled", "plain"])
def test_closures_of_one_text_are_told_apart(compile: bool) -> None:
    lengths = []
    for radius in (0.25, 0.5):
        si = unicycle_system(is_valid=circle(radius), compile=compile)
        lengths.append(si.propagate_while_valid([0, 0, 0], [1, 0], 1.0).duration)
    assert lengths == pytest.approx([0.7, 0.4])


def array_dynamics(x: Any, u: Any) -> Any:
    A = np.array([[0.0, 1.0, 0.0], [-1.0, -0.1, 0.3], [0.0, 0.2, -0.5]])
    return A @ x + np.array([0.0, u[0], u[1]])


def mixed_dynamics(x: Any, u: Any) -> Any:
    speed = u[0] if x[0] > 0.3 else 0.5 * u[0]
    return speed * cos(x[2]), speed * sin(x[2]), 0


def wrapped_dynamics(x: Any, u: Any) -> Any:
    yaw = fmod(x[2], 2.0 * pi)
    return [u[0] * cos(yaw), u[0] * sin(yaw), u[1]]


@pytest.mark.parametrize("dynamics", [array_dynamics, mixed_dynamics, wrapped_dynamics])
@pytest.mark.parametrize("integrator", ["euler", "rk4", "dopri5"])
def test_both_doors_give_the_same_states(dynamics: Any, integrator: Any) -> None:
    doors = [
        unicycle_system(dynamics=dynamics, integrator=integrator, compile=choice)
        for choice in (True, False)
    ]
    assert doors[0].compilation.is_native is NATIVE
    rng = np.random.default_rng(4)
    for _ in range(10):
        x, u = doors[0].state_space.sample(rng), doors[0].control_space.sample(rng)
        native, plain = (si.propagate_while_valid(x, u, 0.87) for si in doors)
        np.testing.assert_allclose(native.states, plain.states, rtol=0, atol=1e-13)


def speed_is_last(x: Any, u: Any, p: Any) -> Any:
    return u[0] * p[len(p) - 1] * cos(x[2]), u[0] * p[0] * sin(x[2]), u[1]


@pytest.mark.parametrize("count", [1, 2, 32, 33, 100])
def test_both_doors_read_the_same_parameters_and_world_however_many(count: int) -> None:
    numbers = np.linspace(1.0, 0.4, count)
    compiled, plain = (
        unicycle_system(
            dynamics=speed_is_last, parameters=numbers, is_valid=Plane(0.35), compile=choice
        )
        for choice in (True, False)
    )
    assert compiled.compilation.is_native is NATIVE
    for first in ([0.0, 0.0, 0.7], [0.0, 0.0, 1.5]):
        native, python = (
            si.propagate_while_valid(first, [1, 0.1], 1.0) for si in (compiled, plain)
        )
        np.testing.assert_allclose(native.states, python.states, rtol=0, atol=1e-13)
        assert len(native.states) < 11


class Plane:
    """A world: everything below a height is free."""

    def __init__(self, height: float) -> None:
        self.parameters = np.array([height])

    @property
    def validity_kernel(self) -> Callable[[Any, Any], bool]:
        return below_plane


def below_plane(x: Any, parameters: Any) -> bool:
    return bool(x[1] < parameters[0])


@pytest.mark.parametrize("compile", [True, False], ids=["compiled", "plain"])
def test_a_world_is_read_anew_when_it_has_changed(compile: bool) -> None:
    world = Plane(0.35)
    si = unicycle_system(is_valid=world, compile=compile, parameters=[9.0])
    assert len(si.propagate_while_valid([0, 0, np.pi / 2], [1, 0], 1.0).states) == 3
    assert not si.is_state_valid([0, 0.5, 0])
    world.parameters = np.array([0.55])
    assert len(si.propagate_while_valid([0, 0, np.pi / 2], [1, 0], 1.0).states) == 5
    assert si.is_state_valid([0, 0.5, 0])


def test_systems_of_module_level_functions_pickle() -> None:
    si = unicycle_system(dynamics=mixed_dynamics, compile=False)
    si.propagate([0, 0, 0], [1, 0], 1.0)
    copy = pickle.loads(pickle.dumps(si))
    assert (
        copy.propagate([0, 0, 0], [1, 1], 1.0).tolist()
        == si.propagate([0, 0, 0], [1, 1], 1.0).tolist()
    )


@pytest.mark.parametrize("compile", [True, False], ids=["compiled", "plain"])
def test_systems_of_closures_pickle_too(compile: bool) -> None:
    radius = 0.25
    si = unicycle_system(
        dynamics=lambda x, u: (u[0] * cos(x[2]), u[0] * sin(x[2]), u[1] * GAIN),
        is_valid=circle(radius),
        compile=compile,
    )
    path = fp.PathControl(si)
    path.random(3)
    again = pickle.loads(pickle.dumps(path))
    assert again == path
    assert again.check() == path.check()
    assert again.space_information.propagate([0, 0, 0], [0, 1], 0.1)[2] == pytest.approx(0.2)


def test_plain_callbacks_that_change_what_they_capture_are_not_compiled_again_and_again() -> None:
    log: list[float] = []

    def watched(x: Any, u: Any) -> Any:
        log.append(1.0)
        return (u[0] + 0.0 * x[0],)

    si = line_system(dynamics=watched, compile=True)
    assert not si.compilation.is_native
    first = si.compiled()
    si.propagate([0.0], [1.0], 1.0)
    assert si.compiled() is first
    assert len(log) >= 40


def test_what_assigns_a_variable_outside_is_not_compiled_and_so_does_assign_it() -> None:
    calls = 0

    def counted(x: Any, u: Any) -> Any:
        nonlocal calls
        calls += 1
        return (u[0] + 0.0 * x[0],)

    si = line_system(dynamics=counted, compile=True)
    assert not si.compilation.is_native
    before = calls
    si.propagate([0.0], [1.0], steps=3)
    assert calls == before + 12
    assert ("assigns calls" in si.compilation.reason) is NATIVE


def below_two(x: Any) -> bool:
    return bool(x[0] < 2.0)


def below_limit(x: Any, parameters: Any) -> bool:
    return bool(x[0] < parameters[1])


def fails_beyond(x: Any) -> bool:
    if x[0] > 1.5:
        raise KeyError("beyond")
    return True


def test_a_validity_is_compiled_alone_where_the_dynamics_cannot_be() -> None:
    def leaky(x: Any, u: Any) -> Any:
        NAMES.setdefault("seen", 1.0)
        return (u[0] + 0.0 * x[0],)

    def system(is_valid: Any, parameters: Any = ()) -> fp.SpaceInformation:
        return line_system(dynamics=leaky, is_valid=is_valid, parameters=parameters, compile=True)

    for si in (system(below_two), system(below_limit, [7.0, 2.0]), system(Edge(2.0), [7.0])):
        assert not si.compilation.is_native
        assert ("is compiled" in si.compilation.reason) is NATIVE
        assert len(si.propagate_while_valid([0.05], [1.0], 5.0).states) == 19
    si = system(below_limit, [7.0, 2.0]).with_parameters([7.0, 1.0])
    assert len(si.propagate_while_valid([0.05], [1.0], 5.0).states) == 9
    with pytest.raises(KeyError, match="beyond") as raised:
        system(fails_beyond).propagate_while_valid([0.05], [1.0], 5.0)
    assert raised.value.__notes__[0].startswith("raised by is_valid=fails_beyond at state [1.5")


class Edge:
    """A world: everything before a place is free."""

    def __init__(self, place: float) -> None:
        self.parameters = np.array([0.0, place])

    @property
    def validity_kernel(self) -> Callable[[Any, Any], bool]:
        return below_limit


def test_array_callbacks_work_through_the_plain_door() -> None:
    def leaky(x: Any, u: Any) -> Any:
        NAMES.setdefault("seen", 1.0)
        return x[:1] * 0.0 + u

    si = line_system(dynamics=leaky, compile=True)
    assert not si.compilation.is_native
    assert si.propagate([0.0], [0.5], 1.0)[0] == pytest.approx(0.5)


def test_compiled_code_that_answers_otherwise_is_not_used() -> None:
    def differs(x: Any, u: Any) -> Any:
        return (int(u[0] * 1e300) * 1e-300 + 0.0 * x[0],)

    compilation = line_system(dynamics=differs, compile=True).compilation
    assert not compilation.is_native
    assert ("where Python gives" in compilation.reason) is NATIVE


def third_of(x: Any, u: Any, p: Any) -> Any:
    return (p[2] * u[0] + 0.0 * x[0],)


def third_below(x: Any, p: Any) -> bool:
    return bool(x[0] < p[2])


def test_too_few_parameters_are_an_error_and_not_what_lies_behind_them() -> None:
    enough = line_system(
        dynamics=third_of, is_valid=third_below, parameters=[0, 0, 2], compile=True
    )
    assert enough.compilation.is_native is NATIVE
    assert enough.propagate([0.0], [0.5], 1.0)[0] == pytest.approx(1.0)
    few = line_system(dynamics=third_of, is_valid=third_below, parameters=[0, 0], compile=True)
    with pytest.raises(IndexError):
        few.propagate([0.0], [0.5], 1.0)
    fewer = line_system(is_valid=third_below, parameters=[0.0], compile=True)
    with pytest.raises(IndexError):
        fewer.propagate_while_valid([0.0], [0.5], 1.0)


def test_callable_objects_and_methods_go_through_the_plain_door() -> None:
    class Model:
        gain = 3.0

        def __call__(self, x: Any, u: Any) -> Any:
            return (self.gain * u[0],)

        def method(self, x: Any, u: Any) -> Any:
            return (self.gain * u[0],)

    model = Model()
    for dynamics in (model, model.method):
        si = line_system(dynamics=dynamics, compile=True)
        assert not si.compilation.is_native
        assert si.propagate([0.0], [1.0], 1.0)[0] == pytest.approx(3.0)
