"""Whatever a user's function raises reaches whoever called, wherever it is called from."""

import signal
import sys
import threading
import traceback
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

import footwork.planning as fp
from footwork.errors import CallbackTypeError, CallbackValueError
from footwork.planning._kernels.rollout import call_rollout
from footwork.planning.shortcut import shortcut
from tests.planning.planners.systems import IS_SLOW

START, GOAL, STEPS = [0.1, 0.1], [0.9, 0.9], 400 if IS_SLOW else 4000


class Fuse:
    """Goes off in a user's function, once it is lit.

    Attributes:
        burn: What it does.
        is_lit: Whether it does so now.
        fired: How often it has.
    """

    def __init__(self, burn: Callable[[], None]) -> None:
        self.burn, self.is_lit, self.fired = burn, False, 0

    def __call__(self) -> None:
        if self.is_lit:
            self.fired += 1
            self.burn()


class MyError(ValueError):
    """Nobody else raises it."""


def raise_mine() -> None:
    raise MyError("mine")


def raise_interrupt() -> None:
    raise KeyboardInterrupt


def ctrl_c() -> None:
    signal.raise_signal(signal.SIGINT)


def ctrl_c_twice() -> None:
    """The second comes while the first is on its way."""
    try:
        signal.raise_signal(signal.SIGINT)
    finally:
        signal.raise_signal(signal.SIGINT)


WAYS = {
    "ValueError": (raise_mine, MyError),
    "KeyboardInterrupt": (raise_interrupt, KeyboardInterrupt),
    "Ctrl-C": (ctrl_c, KeyboardInterrupt),
    "Ctrl-C twice": (ctrl_c_twice, KeyboardInterrupt),
}


class Bench:
    """A system, a path and a problem, with a fuse in one of their functions."""

    def __init__(self, place: str, fuse: Fuse) -> None:
        self.place, self.fuse = place, fuse

        def burns(here: str) -> None:
            if here == place:
                fuse()

        def move(x: Any, u: Any, dt: float) -> Any:
            burns("propagate")
            return x[0] + dt * u[0], x[1] + dt * u[1]

        def flow(x: Any, u: Any) -> Any:
            burns("dynamics")
            return u[0] + 0.0 * x[0], u[1]

        def valid(x: Any) -> bool:
            burns("is_valid")
            return bool(x[0] >= -1.0)

        def distance(x: Any) -> float:
            burns("goal")
            return float(np.hypot(x[0] - 0.9, x[1] - 0.9))

        def height(x: Any) -> float:
            burns("cost")
            return 1.0 + float(x[0])

        def project(x: Any) -> Any:
            burns("projection")
            return x[:2]

        motion = {"dynamics": flow} if place == "dynamics" else {"propagate": move}
        self.si = fp.SpaceInformation(
            fp.RealVectorStateSpace([0.0, 0.0], [1.0, 1.0]),
            fp.RealVectorControlSpace([-1.0, -1.0], [1.0, 1.0]),
            **motion,
            is_valid=valid,
            propagation_step_size=0.05,
            max_control_steps=8,
            compile=False,
        )
        self.cost = fp.StateCostIntegral(height)
        self.goal = fp.GoalFunction(distance, 0.05, compile=False, samples=[GOAL])
        self.project = project
        states = np.array([START, [0.3, 0.3], [0.5, 0.5]])
        self.path = fp.PathControl.from_arrays(self.si, states, [[1.0, 1.0]] * 2, [0.2, 0.2])

    def planner(self, kind: Any) -> Any:
        if kind in {fp.EST, fp.KPIECE1, fp.PDST}:
            return kind(self.si, seed=1, projection=self.project, cell_sizes=0.1)
        return kind(self.si, seed=1)

    def solve(self, kind: Any) -> None:
        """Prepared unlit, then lit, so that the kernel is where it goes off."""
        problem = fp.Problem(START, self.goal, objective=self.cost)
        planner = self.planner(kind)
        is_lit, self.fuse.is_lit = self.fuse.is_lit, False
        planner.prepare(problem)
        self.fuse.is_lit = is_lit
        result = planner.solve(problem, iteration_limit=STEPS, stop_at_path=False)
        if result.stopped_by is fp.StoppedBy.INTERRUPT:
            raise KeyboardInterrupt  # which is how solve tells


MOVES, ALL = ("propagate", "dynamics"), ("propagate", "dynamics", "is_valid")
ENTRIES: dict[str, tuple[tuple[str, ...], Callable[[Bench], object]]] = {
    "propagate": (MOVES, lambda b: b.si.propagate(START, [1, 1], 0.3)),
    "propagate_while_valid": (ALL, lambda b: b.si.propagate_while_valid(START, [1, 1], 0.3)),
    "is_state_valid": (("is_valid",), lambda b: b.si.is_state_valid(START)),
    "check": (ALL, lambda b: b.path.check()),
    "diagnose": (ALL, lambda b: b.path.diagnose()),
    "interpolate": (MOVES, lambda b: b.path.copy().interpolate()),
    "state_at": (MOVES, lambda b: b.path.state_at(0.1)),
    "shortcut": (ALL, lambda b: shortcut(b.path, trials=20, seed=1)),
    "cost of a path": ((*MOVES, "cost"), lambda b: b.path.cost(b.cost)),
    "excess of a goal": (("goal",), lambda b: b.goal.excess(b.si.state_space, START)),
    **{
        kind.__name__: (
            (*ALL, "goal", "cost", *(("projection",) if kind is fp.EST else ())),
            lambda b, kind=kind: b.solve(kind),  # type: ignore[misc]
        )
        for kind in (fp.RRT, fp.SST, fp.EST)
    },
    "Syclop": (ALL, lambda b: b.solve(fp.SyclopRRT)),
}
TABLE = [(entry, place) for entry, (places, _) in ENTRIES.items() for place in places]


@pytest.mark.parametrize("way", list(WAYS))
@pytest.mark.parametrize(("entry", "place"), TABLE)
def test_what_a_function_raises_reaches_the_caller(entry: str, place: str, way: str) -> None:
    burn, expected = WAYS[way]
    fuse = Fuse(burn)
    bench = Bench(place, fuse)
    ENTRIES[entry][1](bench)  # nothing burns
    fuse.is_lit = True
    with pytest.raises(expected) as raised:
        ENTRIES[entry][1](bench)
    assert fuse.fired
    if expected is MyError:
        names = [frame.name for frame in traceback.extract_tb(raised.value.__traceback__)]
        assert names[-2:] == ["__call__", "raise_mine"]
    fuse.is_lit = False
    if entry in {"propagate", "check"}:
        ENTRIES[entry][1](bench)  # nothing of it is left


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="no compiled code to be interrupted in")
@pytest.mark.parametrize("place", ["propagate", "is_valid"])
def test_ctrl_c_before_the_first_line_of_a_function_is_not_lost(place: str) -> None:
    raise_signal = numba.types.ExternalFunction("raise", numba.types.int32(numba.types.int32))

    @numba.njit(nogil=True)  # type: ignore[untyped-decorator]
    def interrupted(address: int, x: Any, u: Any, params: Any, out: Any) -> Any:
        raise_signal(2)
        return call_rollout(address, x, u, 0.05, 3, 0.0, params, out)

    fuse = Fuse(raise_mine)
    compiled = Bench(place, fuse).si.compiled()
    x, u, out = np.array(START), np.ones(2), np.empty((3, 2))
    params = compiled.params.copy()
    handler = signal.getsignal(signal.SIGINT)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    assert interrupted(compiled.address, x, u, params, out) == 3  # compiles
    signal.signal(signal.SIGINT, signal.default_int_handler)
    fuse.is_lit = True  # an error of mine would tell that the first line was reached
    try:
        for _ in range(50):
            code = interrupted(compiled.address, x, u, params, out)
            assert code < 0
            with pytest.raises(KeyboardInterrupt):
                compiled.raise_error(code, params)
    finally:
        signal.signal(signal.SIGINT, handler)


def test_threads_that_share_a_system_lose_nothing() -> None:
    fuse = Fuse(raise_mine)
    si = Bench("propagate", fuse).si
    fuse.is_lit = True
    raised: list[BaseException] = []

    def work() -> None:
        for _ in range(50):
            try:
                si.propagate(START, [1, 1], 0.3)
            except MyError as error:
                raised.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(raised) == 200


@pytest.mark.parametrize("way", [lambda x, u: x + u, lambda x, u: (x[0] + u[0],)])
def test_arrays_and_tuples_that_a_function_keeps_stay_as_they_were(way: Any) -> None:
    kept: list[Any] = []

    def keeps(x: Any, u: Any, dt: float) -> Any:
        kept.append((x, x[:1], float(x[0])))
        return way(x, u)

    space = fp.RealVectorStateSpace([0.0], [100.0])
    controls = fp.RealVectorControlSpace([-1.0], [1.0])
    si = fp.SpaceInformation(
        space, controls, propagate=keeps, propagation_step_size=0.1, compile=False
    )
    si.propagate([0.0], [1.0], steps=20)
    assert len(kept) == 20
    for x, part, number in kept:
        assert x[0] == part[0] == number
        with pytest.raises(ValueError, match="read-only"):
            x[0] = 3.0


def unsettled(x: Any, u: Any, dt: float) -> Any:
    """Raises for one half of the states, leads to NaN from the other."""
    if x[0] < 0.5:
        raise MyError
    return float("nan"), 0.0


def run_threads(work: Callable[[int], None], count: int) -> None:
    """Run a function of a number in threads that take turns as often as can be."""
    threads = [threading.Thread(target=work, args=(i,)) for i in range(count)]
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)


def test_threads_that_share_a_system_get_what_is_theirs() -> None:
    si = plain_system(propagate=unsettled)
    mixed: list[BaseException] = []

    def work(x0: float, expected: type[Exception]) -> None:
        for _ in range(1000):
            try:
                si.propagate([x0, 0.5], [0.0, 0.0], steps=1)
            except Exception as error:
                if type(error) is not expected:
                    mixed.append(error)

    given = 2 * [(0.3, MyError), (0.7, CallbackValueError)]
    run_threads(lambda i: work(*given[i]), len(given))
    assert not mixed


class Named(Exception):
    """Carries who raised it."""


def name_itself(x: Any, *_: Any) -> Any:
    raise Named(float(x[0]))


def test_threads_that_raise_at_once_get_each_their_own() -> None:
    si = plain_system(propagate=name_itself)
    goal = fp.GoalFunction(name_itself, 0.05, compile=False)
    swapped: list[BaseException] = []

    def work(i: int) -> None:
        start = [0.1 + 0.1 * i, 0.5]
        for _ in range(300):
            with pytest.raises(Named) as raised:
                si.propagate(start, [0.0, 0.0], steps=1)
            with pytest.raises(Named) as of_goal:
                goal.excess(si.state_space, start)
            swapped.extend(e.value for e in (raised, of_goal) if e.value.args != (start[0],))

    run_threads(work, 4)
    assert not swapped


class Odd:
    """A number of its own kind, with a fuse."""

    def __init__(self, fuse: Fuse) -> None:
        self.fuse = fuse

    def __float__(self) -> float:
        self.fuse()
        return -1.0


@pytest.mark.parametrize("kind", [RuntimeError, KeyboardInterrupt, MyError])
def test_what_a_number_raises_while_it_is_read_is_kept_and_it_is_read_once(kind: Any) -> None:
    def burn() -> None:
        raise kind("mine")

    fuse = Fuse(burn)
    si = plain_system(propagate=lambda x, u, dt: (Odd(fuse), 0.5))
    np.testing.assert_array_equal(si.propagate(START, [1.0, 1.0], steps=1), [-1.0, 0.5])
    fuse.is_lit = True
    with pytest.raises((kind, CallbackTypeError)) as raised:
        si.propagate(START, [1.0, 1.0], steps=1)
    assert type(raised.value) is kind or type(raised.value.__cause__) is MyError
    assert fuse.fired == 1


@pytest.mark.parametrize(
    "numbers", [(1, 0), (-1, np.float64(-1.0)), (True, np.int8(-1)), (10**18, 0.5)]
)
def test_whole_numbers_and_numbers_of_numpy_are_read(numbers: Any) -> None:
    si = plain_system(propagate=lambda x, u, dt: numbers)
    np.testing.assert_array_equal(si.propagate(START, [1.0, 1.0], steps=1), np.float64(numbers))


def straight(x: Any, u: Any, dt: float) -> Any:
    return x[0] + dt * u[0], x[1] + dt * u[1]


@pytest.mark.parametrize("same", [True, False])
def test_a_function_may_propagate_and_plan_itself(same: bool) -> None:
    depth = [0]

    def move(x: Any, u: Any, dt: float) -> Any:
        if depth[0] == 2:
            return straight(x, u, dt)
        depth[0] += 1
        try:
            inner = outer if same else other
            return tuple(inner.propagate(list(x), list(u), dt).tolist())
        finally:
            depth[0] -= 1

    def valid(x: Any) -> bool:
        if depth[0] == 0:
            depth[0] = 2
            try:
                problem = fp.Problem(list(x), GOAL, goal_tolerance=1.0)
                found = fp.RRT(outer if same else other, seed=1).solve(problem, iteration_limit=20)
            finally:
                depth[0] = 0
            assert found.path is not None
        return bool(x[0] < 2.0)

    other = plain_system(propagate=straight)
    outer = plain_system(propagate=move, is_valid=valid)
    expected = other.propagate(START, [1.0, 0.5], 0.1)
    np.testing.assert_allclose(outer.propagate(START, [1.0, 0.5], 0.1), expected)
    problem = fp.Problem(START, GOAL, goal_tolerance=0.3)
    result = fp.RRT(outer, seed=1).solve(problem, iteration_limit=100)
    plain = fp.RRT(plain_system(propagate=straight, is_valid=lambda x: bool(x[0] < 2.0)), seed=1)
    assert result.raise_if_failed().cost == plain.solve(problem, iteration_limit=100).cost


@pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="ctypes has errors of its own")
def test_a_function_that_calls_itself_for_ever_ends_in_one_error() -> None:
    def move(x: Any, u: Any, dt: float) -> Any:
        return tuple(si.propagate(list(x), list(u), dt))

    si = plain_system(propagate=move)
    with pytest.raises(RecursionError):
        si.propagate(START, [1.0, 1.0], 0.1)


class SealedError(Exception):
    """Takes no notes, as a frozen dataclass does not."""

    def add_note(self, note: str) -> None:
        raise AttributeError(note)


def test_an_exception_that_takes_no_note_comes_through() -> None:
    def raises(x: Any, u: Any, dt: float) -> Any:
        raise SealedError

    with pytest.raises(SealedError):
        plain_system(propagate=raises).propagate(START, [1.0, 1.0], 0.3)


@pytest.mark.parametrize(
    "value",
    ["12", b"12", {0.1: 1, 0.2: 2}, {0.1, 0.2}, ("0.1", "0.2"), np.array([0.1, 0.2 + 1j])],
    ids=repr,
)
def test_text_sets_and_complex_numbers_are_no_state(value: Any) -> None:
    si = plain_system(propagate=lambda x, u, dt: value)
    with pytest.raises(CallbackTypeError, match="must return 2 numbers"):
        si.propagate(START, [1.0, 1.0], 0.3)


@pytest.mark.parametrize("value", ["0.5", 10**400, np.complex128(1j)], ids=lambda v: str(v)[:5])
def test_text_and_complex_numbers_are_no_coordinates_and_no_cost(value: Any) -> None:
    si = plain_system(propagate=lambda x, u, dt: (x[0], x[1]))
    problem = fp.Problem(START, [0.9, 0.9], objective=fp.StateCostIntegral(lambda x: value))
    with pytest.raises(CallbackTypeError, match="must return a number"):
        fp.SST(si, seed=1).solve(problem, iteration_limit=20)
    with pytest.raises(CallbackTypeError, match="must return numbers"):
        fp.KPIECE1(si, projection=lambda x: (value, 0.0), cell_sizes=0.1)


@pytest.mark.parametrize("compile_", [False, True])
def test_a_function_may_use_what_is_assigned_later(compile_: bool) -> None:
    def move(x: Any, u: Any, dt: float) -> Any:
        return x[0] + factor * dt * u[0], x[1]

    si = plain_system(propagate=move, compile=compile_)
    factor = 2.0
    assert si.propagate([0.1, 0.1], [1.0, 0.0], steps=1)[0] == pytest.approx(0.2)
    factor = 4.0
    assert si.propagate([0.1, 0.1], [1.0, 0.0], steps=1)[0] == pytest.approx(0.3)


def plain_system(**options: Any) -> fp.SpaceInformation:
    settings: dict[str, Any] = {"propagation_step_size": 0.05, "compile": False, **options}
    return fp.SpaceInformation(
        fp.RealVectorStateSpace([0.0, 0.0], [1.0, 1.0]),
        fp.RealVectorControlSpace([-1.0, -1.0], [1.0, 1.0]),
        **settings,
    )


# Compiled functions, which cannot carry an exception out


def far_root(x: Any) -> Any:
    if x[0] > 0.7 and x[1] < 0.6:
        raise ArithmeticError("beyond")
    return 1.0 + x[0]


def far_nan(x: Any) -> Any:
    return np.nan if x[0] > 0.7 and x[1] < 0.6 else 1.0 + x[0]


def drift(x: Any, u: Any) -> Any:
    return u[0] + 0.0 * x[0], u[1]


def drift_until(x: Any, u: Any) -> Any:
    if x[0] > 0.7 and x[1] < 0.6:
        raise ArithmeticError("beyond")
    return u[0], u[1]


def valid_until(x: Any) -> bool:
    if x[0] > 0.7 and x[1] < 0.6:
        raise ArithmeticError("beyond")
    return True


def far_distance(x: Any) -> Any:
    return far_root(x) * 0.0 + abs(x[0] - 0.9)


def compiled_system(**options: Any) -> fp.SpaceInformation:
    return plain_system(**{"dynamics": drift, "compile": True, **options})


@pytest.mark.parametrize(
    ("name", "options", "goal", "objective"),
    [
        ("dynamics=drift_until", {"dynamics": drift_until}, None, None),
        ("is_valid=valid_until", {"is_valid": valid_until}, None, None),
        ("goal distance=far_distance", {}, fp.GoalFunction(far_distance, 1e-9), None),
        ("state_cost=far_root", {}, None, fp.StateCostIntegral(far_root)),
        ("state_cost=far_root", {}, None, 0.5 * fp.MechanicalWork(far_root) + fp.PathLength()),
    ],
)
def test_what_compiled_functions_raise_is_named_with_its_state(
    name: str, options: Any, goal: Any, objective: Any
) -> None:
    si = compiled_system(**options)
    problem = fp.Problem(
        START, goal or fp.GoalState([0.95, 0.95], 1e-9), objective=objective or fp.PathLength()
    )
    bound = problem.bind(si)
    natives = [si.compiled(), bound.compiled_goal.keep_alive, bound.objective.compiled(si)]
    assert all(door is None or door.is_native for door in natives) or numba.config.DISABLE_JIT
    planner = fp.RRT(si, seed=2)
    with pytest.raises(ArithmeticError, match="beyond") as raised:
        planner.solve(problem, iteration_limit=STEPS)
    (note,) = raised.value.__notes__
    assert note.startswith(f"raised by {name} at state [0.")
    assert float(note.split("[")[1].split(",")[0]) > 0.6


def test_a_compiled_cost_that_is_nan_names_the_function_and_the_state() -> None:
    problem = fp.Problem(
        START, fp.GoalState([0.95, 0.95], 1e-9), objective=fp.StateCostIntegral(far_nan)
    )
    with pytest.raises(CallbackValueError, match=r"state_cost=far_nan returned NaN at state \[0\."):
        fp.RRT(compiled_system(), seed=2).solve(problem, iteration_limit=STEPS)
