"""What makes no sense is refused in our own words, whatever it is; nothing hangs or changes."""

import io
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import footwork.planning as fp
from footwork.errors import FootworkError, InputError, PathFileError
from footwork.planning.rollout_native import cache_directory
from tests.planning.systems import line_system, unicycle_system

NATIVE = not numba.config.DISABLE_JIT
PROBLEM = fp.Problem([0.0], [5.0])


def path_of_one_control(duration: float = 0.1) -> fp.PathControl:
    return fp.PathControl.from_arrays(line_system(), [[0.0], [0.1]], [[1.0]], [duration])


def solve(**options: Any) -> object:
    return fp.RRT(line_system(), seed=1).solve(PROBLEM, **options)


NONSENSE: dict[str, Callable[[], object]] = {
    "seed of text": lambda: fp.RRT(line_system(), seed="a"),  # type: ignore[arg-type]
    "seed that is no number": lambda: fp.RRT(line_system(), seed=math.nan),  # type: ignore[arg-type]
    "bias of text": lambda: fp.RRT(line_system(), goal_bias="a"),  # type: ignore[arg-type]
    "countless candidates": lambda: fp.RRT(line_system(), control_candidates=10**30),
    "candidates of infinity": lambda: fp.RRT(line_system(), control_candidates=math.inf),  # type: ignore[arg-type]
    "no problem": lambda: fp.RRT(line_system()).solve(None, time_limit=1.0),  # type: ignore[arg-type]
    "no problem for many": lambda: fp.Portfolio(line_system()).solve(None, time_limit=1.0),  # type: ignore[arg-type]
    "members that are none": lambda: fp.Portfolio(line_system(), [3]),  # type: ignore[list-item]
    "half a worker": lambda: fp.Portfolio(line_system(), workers=0.5),  # type: ignore[arg-type]
    "a time of text": lambda: solve(time_limit="1"),
    "half an iteration": lambda: solve(iteration_limit=1.5),
    "endless iterations": lambda: solve(iteration_limit=math.inf),
    "memory of a list": lambda: solve(memory_limit=[1]),
    "cost of text": lambda: solve(cost_limit="a", time_limit=1.0),
    "on_better": lambda: solve(on_better=3, time_limit=1.0),
    "progress": lambda: solve(progress=3, time_limit=1.0),
    "objective": lambda: fp.Problem([0.0], [1.0], objective=3),  # type: ignore[arg-type]
    "tolerance of text": lambda: fp.GoalState([1.0], "a"),  # type: ignore[arg-type]
    "axes that are a number": lambda: fp.GoalState([1.0], 0.1, axes=3),  # type: ignore[arg-type]
    "half an axis": lambda: fp.GoalState([1.0], 0.1, axes=[0.5]),  # type: ignore[list-item]
    "threshold of text": lambda: fp.GoalFunction(lambda x: 1.0, "a"),  # type: ignore[arg-type]
    "a step of text": lambda: line_system(propagation_step_size="a"),
    "countless steps": lambda: line_system(max_control_steps=10**12),
    "tolerance of the integrator": lambda: line_system(relative_tolerance="a"),
    "subspaces that are none": lambda: fp.CompoundStateSpace([3]),  # type: ignore[list-item]
    "subspaces of the other kind": lambda: fp.CompoundControlSpace(
        [fp.SO2StateSpace()]  # type: ignore[list-item]
    ),
    "no subspaces": lambda: fp.CompoundControlSpace(None),  # type: ignore[arg-type]
    "polygons of a number": lambda: fp.worlds.Polygons(3),  # type: ignore[arg-type]
    "whole numbers beyond floats": lambda: fp.DiscreteControlSpace(0, 2**60),
    "a duration of text": lambda: line_system().propagate([0.0], [0.0], "a"),  # type: ignore[arg-type]
    "a duration without end": lambda: line_system().propagate([0.0], [0.0], 1e300),
    "steps of text": lambda: line_system().propagate([0.0], [0.0], steps="a"),  # type: ignore[arg-type]
    "steps without end": lambda: line_system().propagate([0.0], [0.0], steps=10**12),
    "a path of ages": lambda: path_of_one_control(1e12),
    "a row of text": lambda: path_of_one_control().get_state("a"),  # type: ignore[arg-type]
    "half a row": lambda: path_of_one_control().get_control(0.5),  # type: ignore[arg-type]
    "a time that is text": lambda: path_of_one_control().state_at("a"),
    "a negative tolerance": lambda: path_of_one_control().check(tolerance=-1.0),
    "no tolerance": lambda: path_of_one_control().check(tolerance=None),  # type: ignore[arg-type]
    "a cost of nothing": lambda: path_of_one_control().cost(None),
    "half an attempt": lambda: path_of_one_control().random_valid(0.5),  # type: ignore[arg-type]
    "a seed below zero": lambda: path_of_one_control().random(-1),
    "digits below zero": lambda: path_of_one_control().print_as_matrix(io.StringIO(), -1),
    "digits of text": lambda: path_of_one_control().print_as_matrix(io.StringIO(), "a"),  # type: ignore[arg-type]
    "a file that is none": lambda: path_of_one_control().print(3),  # type: ignore[arg-type]
    "an archive that is none": lambda: path_of_one_control().to_npz(3),  # type: ignore[arg-type]
    "a matrix that is none": lambda: fp.PathControl.from_matrix(line_system(), b"1"),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("what", NONSENSE)
def test_what_makes_no_sense_is_refused_in_our_own_words(what: str) -> None:
    with pytest.raises(FootworkError) as caught:
        NONSENSE[what]()
    assert str(caught.value)


def test_durations_spoilt_through_a_view_are_named_when_they_are_read() -> None:
    path = path_of_one_control()
    for spoilt in (-1.0, math.nan, math.inf, 1e300):
        path.control_durations[0] = spoilt
        with pytest.raises(InputError, match="propagation steps"):
            path.check()
        with pytest.raises(InputError, match="propagation steps"):
            path.interpolate()


def test_a_damaged_archive_is_one_error_wherever_it_is_damaged(tmp_path: Path) -> None:
    path, file = path_of_one_control(), tmp_path / "path.npz"
    path.to_npz(file)
    whole = file.read_bytes()
    refused = 0
    for place in range(0, len(whole), 7):
        file.write_bytes(whole[:place] + bytes([whole[place] ^ 0x55]) + whole[place + 1 :])
        try:
            fp.PathControl.from_npz(line_system(), file)
        except InputError:
            refused += 1
    assert refused > 20
    file.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(PathFileError, match=r"path\.npz"):
        fp.PathControl.from_npz(line_system(), file)


@given(
    whole=st.integers(1, 60),
    off=st.floats(-0.999e-9, 0.999e-9),  # at 1e-9 itself rounding decides, each time anew
    step=st.sampled_from([0.01, 0.1, 1 / 3, 0.5, 1.0]),
)
def test_what_is_interpolated_once_is_interpolated(whole: int, off: float, step: float) -> None:
    si = line_system(propagation_step_size=step)
    duration = whole * step * (1.0 + off)
    path = fp.PathControl.from_arrays(si, [[0.0], [duration]], [[1.0]], [duration])
    path.interpolate()
    again = path.copy()
    again.interpolate()
    assert again == path
    assert path.length() == pytest.approx(duration, rel=1e-12)


def test_the_clock_of_a_portfolio_starts_when_all_members_are_ready(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    si = line_system()
    late = fp.RRT(si, seed=2)
    make = late._make_search
    now = [0.0]
    monkeypatch.setattr("footwork.planning.planners.run.time.perf_counter", lambda: now[0])

    def slow(*arguments: Any) -> Any:
        now[0] += 10.0  # compiling
        return make(*arguments)

    monkeypatch.setattr(late, "_make_search", slow)
    portfolio = fp.Portfolio(si, [fp.RRT(si, seed=1), late], workers=1)
    result = portfolio.solve(PROBLEM, time_limit=5.0, iteration_limit=2000)
    assert result, result.status


@pytest.mark.parametrize("damage", [b"", b"nonsense", b"\x80\x04}."])
def test_a_damaged_cache_is_compiled_again(
    damage: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from footwork.planning import rollout_native

    monkeypatch.setenv("FOOTWORK_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(rollout_native, "_LOADED", {})
    first = unicycle_system()
    assert first.compilation.is_native is NATIVE
    expected = first.propagate([0.0, 0.0, 0.3], [1.0, 0.5], 0.7)
    files = [f for f in (cache_directory() / "rollouts").rglob("*") if f.is_file()]
    assert len(files) > 2 or not NATIVE
    for file in files:
        if file.suffix != ".ok":
            file.write_bytes(damage)
    monkeypatch.setattr(rollout_native, "_LOADED", {})
    second = unicycle_system()
    assert second.compilation.is_native is NATIVE
    np.testing.assert_array_equal(second.propagate([0.0, 0.0, 0.3], [1.0, 0.5], 0.7), expected)


def test_a_reason_that_cannot_be_read_is_found_out_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from footwork.planning import rollout_native

    def uncompilable(x: Any, u: Any) -> Any:
        return (float(str(u[0])),)

    monkeypatch.setenv("FOOTWORK_CACHE_DIR", str(tmp_path))
    assert not line_system(dynamics=uncompilable, compile=True).compilation.is_native
    for file in (cache_directory() / "rollouts").glob("*.no"):
        file.write_bytes(b"\xff\xfe\xff")
    monkeypatch.setattr(rollout_native, "_LOADED", {})
    si = line_system(dynamics=uncompilable, compile=True)
    assert not si.compilation.is_native
    assert si.propagate([0.0], [1.0], 0.5)[0] == pytest.approx(0.5)
