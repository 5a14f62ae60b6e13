"""Paths with controls: built, interpolated, checked, drawn at random, copied."""

import copy
import math
import pickle
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import footwork.planning as fp
from footwork.errors import (
    BackendError,
    InputError,
    NotFiniteError,
    PathError,
    ShapeError,
)
from tests.planning.systems import line_system, propagated, unicycle_system, velocity

PATHS = st.lists(
    st.tuples(st.floats(-1.0, 1.0), st.floats(-1.0, 1.0), st.floats(0.0, 0.7)),
    min_size=1,
    max_size=6,
)


@pytest.fixture(scope="module")
def si() -> fp.SpaceInformation:
    return unicycle_system(compile=False, max_control_steps=20)


@pytest.fixture
def path(si: fp.SpaceInformation) -> fp.PathControl:
    return propagated(si, [(1.0, 0.3, 0.26), (0.5, -1.0, 0.4), (-0.3, 0.7, 0.05)])


# Building and reading


def test_both_orders_of_appending_give_the_same_path(si: fp.SpaceInformation) -> None:
    first, second = fp.PathControl(si), fp.PathControl(si)
    first.append([0, 0, 0])
    first.append([1, 0, 0], [1, 0], 1.0)
    first.append([1, 0, 1], [0, 1], 1.0)
    second.append([0, 0, 0], [1, 0], 1.0)
    second.append([1, 0, 0], [0, 1], 1.0)
    assert not second.is_well_formed
    second.append([1, 0, 1])
    assert first == second
    assert (len(first), first.state_count, first.control_count) == (3, 3, 2)
    assert first.check()
    assert first.space_information is si


def test_what_is_appended_is_copied(si: fp.SpaceInformation) -> None:
    state, control = np.zeros(3), np.zeros(2)
    path = fp.PathControl(si)
    path.append(state, control, 0.5)
    state[0] = control[0] = 9.0
    assert path.states[0, 0] == path.controls[0, 0] == 0.0


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (([0, 0],), ShapeError),
        (([0, 0, math.nan],), NotFiniteError),
        (([0, 0, 0], [1], 0.5), ShapeError),
        (([0, 0, 0], [1, math.inf], 0.5), NotFiniteError),
        (([0, 0, 0], [1, 0], -0.1), InputError),
        (([0, 0, 0], [1, 0], math.nan), InputError),
        (([0, 0, 0], [1, 0], "long"), InputError),
        (([0, 0, 0], [1, 0]), InputError),
        (("here",), InputError),
    ],
)
def test_ill_formed_appends_are_refused_and_change_nothing(
    path: fp.PathControl, arguments: Any, error: type[Exception]
) -> None:
    before = path.copy()
    with pytest.raises(error):
        path.append(*arguments)
    assert path == before


def test_unknown_discrete_controls_are_refused() -> None:
    si = fp.SpaceInformation(
        fp.RealVectorStateSpace([-9], [9]),
        fp.DiscreteControlSpace(-1, 2),
        dynamics=velocity,
        propagation_step_size=0.1,
        compile=False,
    )
    path = fp.PathControl(si)
    for gear in (3, 0.5):
        with pytest.raises(InputError, match="discrete"):
            path.append([0.0], [gear], 1.0)
        with pytest.raises(InputError, match=r"controls\[0\]"):
            fp.PathControl.from_arrays(si, [[0.0], [1.0]], [[gear]], [1.0])
    assert len(path) == 0


def test_one_number_will_do_where_there_is_only_one() -> None:
    path = fp.PathControl(line_system())
    path.append(0.0, 1.0, 0.5)
    path.append(0.5)
    assert path.check()
    assert path == fp.PathControl.from_arrays(line_system(), [0.0, 0.5], [1.0], [0.5])


def test_views_write_through_until_the_path_grows(path: fp.PathControl) -> None:
    path.states[1, 0] = 7.0
    path.get_state(1)[1] = 8.0
    path.controls[0, 0] = 0.25
    path.control_durations[2] = 0.06
    assert path.get_state(1)[:2].tolist() == [7.0, 8.0]
    assert path.get_control(0)[0] == 0.25
    assert path.get_control_duration(2) == 0.06


def test_there_is_one_control_fewer_than_states(path: fp.PathControl) -> None:
    assert path.get_control(2) is not None
    for reader in (path.get_control, path.get_control_duration):
        with pytest.raises(IndexError, match="control 3 does not exist: the path has 3 controls"):
            reader(3)
    with pytest.raises(IndexError, match="state 4 does not exist"):
        path.get_state(4)
    with pytest.raises(IndexError):
        path.get_state(-5)


def test_many_appends_keep_every_row(si: fp.SpaceInformation) -> None:
    path = fp.PathControl(si)
    for i in range(100):
        path.append([i, 0, 0], [i, 0], 0.5)
    assert path.states[:, 0].tolist() == path.controls[:, 0].tolist() == list(range(100))


def test_arrays_of_the_wrong_shape_are_refused(si: fp.SpaceInformation) -> None:
    with pytest.raises(ShapeError, match="states"):
        fp.PathControl.from_arrays(si, [[0, 0]], [], [])
    with pytest.raises(ShapeError, match="control_durations"):
        fp.PathControl.from_arrays(si, [[0, 0, 0]] * 2, [[0, 0]], [])
    with pytest.raises(InputError, match=r"control_durations\[0\]"):
        fp.PathControl.from_arrays(si, [[0, 0, 0]] * 2, [[0, 0]], [-1.0])


# Time, interpolation, check


@given(PATHS)
@settings(max_examples=40, deadline=None)
def test_interpolation_keeps_the_time_and_passes_the_check(
    motions: list[tuple[float, float, float]],
) -> None:
    si = unicycle_system(compile=False)
    path = propagated(si, motions)
    before = path.copy()
    assert path.check()
    path.interpolate()
    assert path.check()
    assert path.length() == pytest.approx(before.length(), rel=1e-12, abs=1e-15)
    assert path.control_durations.max() <= si.propagation_step_size * (1 + 1e-9)
    for x in before.states:
        assert (path.states == x).all(axis=1).any()
    again = path.copy()
    again.interpolate()
    assert again == path


def test_a_quarter_and_a_bit_stays_a_quarter_and_a_bit() -> None:
    si = line_system()
    path = fp.PathControl.from_arrays(si, [[0.0], [0.26]], [[1.0]], [0.26])
    path.interpolate()
    assert path.control_durations.tolist() == pytest.approx([0.1, 0.1, 0.06])
    assert path.states[:, 0].tolist() == pytest.approx([0.0, 0.1, 0.2, 0.26])
    assert path.length() == pytest.approx(0.26)


def test_a_duration_close_to_whole_steps_keeps_its_sum() -> None:
    path = fp.PathControl.from_arrays(line_system(), [[0.0], [0.3]], [[1.0]], [0.3 + 1e-10])
    path.interpolate()
    assert len(path.controls) == 3
    assert path.length() == pytest.approx(0.3 + 1e-10, abs=1e-16)


@pytest.mark.parametrize("sliver", [1e-12, 1e-10, 0.9e-9, 1.1e-9])
def test_a_sliver_of_a_step_is_a_step_that_short(sliver: float) -> None:
    si = line_system(propagation_step_size=1.0)
    assert si.steps_of(sliver) == (0, sliver)
    assert si.steps_of(1.0 + 0.5e-9) == (1, 0.0)
    path = fp.PathControl.from_arrays(si, [[0.0], [sliver]], [[1.0]], [sliver])
    assert si.propagate([0.0], [1.0], sliver)[0] == pytest.approx(sliver, rel=1e-15, abs=0.0)
    path.interpolate()
    assert path.length() == sliver
    assert path.check(tolerance=1e-15 * sliver)


def test_diagnosis_names_the_segment_and_the_gap(path: fp.PathControl) -> None:
    assert path.diagnose()
    assert str(path.diagnose()) == "the path is right"
    path.states[2, 0] += 0.01
    diagnosis = path.diagnose()
    assert not diagnosis
    assert [fault.segment for fault in diagnosis.faults] == [1, 2]
    assert {fault.kind for fault in diagnosis.faults} == {fp.FaultKind.GAP}
    assert diagnosis.faults[0].gap == pytest.approx(0.01)
    assert "segment 1: propagation ends at" in str(diagnosis)
    assert path.check(tolerance=0.1)


def test_a_path_of_another_integrator_fails_at_its_first_segment() -> None:
    euler = unicycle_system(integrator="euler", compile=False)
    exact = unicycle_system(compile=False)
    v, w = 0.5, 0.5
    path = fp.PathControl(euler)
    path.append([0, 0, 0])
    for _ in range(20):
        path.append(euler.propagate(path.get_state(-1), [v, w], steps=1), [v, w], 0.1)
    assert path.check()
    np.testing.assert_allclose(path.states[-1, :2], [0.852788, 0.438565], atol=1e-6)
    other = fp.PathControl.from_arrays(exact, path.states, path.controls, path.control_durations)
    first = other.diagnose().faults[0]
    assert (first.segment, first.kind) == (0, fp.FaultKind.GAP)
    assert first.gap == pytest.approx(0.00125, rel=0.02)
    assert other.check(tolerance=0.0014)
    reached = exact.propagate([0, 0, 0], [v, w], 2.0)
    np.testing.assert_allclose(reached[:2], [0.841471, 0.459698], atol=1e-6)
    assert exact.state_space.distance(reached[:].tolist(), path.states[-1]) == pytest.approx(
        0.02397, abs=1e-5
    )


def blocked(x: Any) -> bool:
    return bool(x[0] < 0.45)


def test_diagnosis_says_how_far_a_motion_is_valid() -> None:
    si = line_system(is_valid=blocked)
    path = fp.PathControl.from_arrays(si, [[0.0], [1.0]], [[1.0]], [1.0])
    fault = path.diagnose().faults[0]
    assert fault.kind is fp.FaultKind.INVALID_MOTION
    assert fault.time == pytest.approx(0.4)
    late = fp.PathControl.from_arrays(si, [[0.5], [0.6]], [[1.0]], [0.1])
    assert late.diagnose().faults[0].kind is fp.FaultKind.INVALID_STATE


def test_unwrapped_yaws_are_kept_and_compared_wrapped(si: fp.SpaceInformation) -> None:
    path = fp.PathControl.from_arrays(si, [[0, 0, 3.0], [0, 0, 3.0 + 4 * math.pi]], [[0, 0]], [0.5])
    assert path.check()
    assert path.states[1, 2] == 3.0 + 4 * math.pi


def test_bounds_count_only_if_asked() -> None:
    path = fp.PathControl.from_arrays(line_system(), [[99.5], [100.5]], [[1.0]], [1.0])
    assert path.check()
    assert not path.check(within_bounds=True)


def test_replaying_the_controls_gives_the_states(path: fp.PathControl) -> None:
    si = path.space_information
    x = path.states[0]
    for i in range(path.control_count):
        x = si.propagate(x, path.get_control(i), path.get_control_duration(i))
        np.testing.assert_allclose(x, path.states[i + 1], atol=1e-9)


def test_states_at_any_time_lie_on_the_trajectory(path: fp.PathControl) -> None:
    np.testing.assert_allclose(path.times, [0.0, 0.26, 0.66, 0.71])
    assert path.state_at(0.0).tolist() == path.states[0].tolist()
    assert path.state_at(0.26).tolist() == path.states[1].tolist()
    assert path.state_at(path.length()).tolist() == path.states[-1].tolist()
    si = path.space_information
    expected = si.propagate(path.states[1], path.controls[1], 0.123)
    np.testing.assert_allclose(path.state_at(0.26 + 0.123), expected, atol=1e-12)
    many = path.state_at([0.1, 0.3, 0.71])
    assert many.tolist() == [path.state_at(t).tolist() for t in (0.1, 0.3, 0.71)]
    for outside in (-0.1, 0.8, math.nan):
        with pytest.raises(InputError, match=r"0\.71"):
            path.state_at(outside)


# Random paths


def test_random_paths_pass_the_check_and_follow_the_seed(si: fp.SpaceInformation) -> None:
    path = fp.PathControl(si)
    lengths = set()
    for seed in range(30):
        path.random(seed)
        assert path.check()
        assert path.control_count == 1
        lengths.add(round(path.length() / si.propagation_step_size))
        other = fp.PathControl(si)
        other.random(np.random.default_rng(seed))
        assert other == path
    assert min(lengths) >= 1
    assert max(lengths) <= 20
    assert len(lengths) > 10


def test_random_valid_paths_are_valid_or_nothing_changes() -> None:
    si = unicycle_system(compile=False, is_valid=lambda x: bool(x[0] > 3.0))
    path = fp.PathControl(si)
    assert path.random_valid(50, rng=1)
    assert path.check(within_bounds=True)
    nowhere = unicycle_system(compile=False, is_valid=lambda x: False)
    kept = fp.PathControl.from_arrays(nowhere, path.states, path.controls, path.control_durations)
    before = kept.copy()
    assert not kept.random_valid(5, rng=1)
    assert kept == before
    assert not kept.random_valid(0)


def test_copies_are_independent_and_share_the_system(path: fp.PathControl) -> None:
    for other in (copy.copy(path), copy.deepcopy(path), path.copy()):
        assert other == path
        assert other.space_information is path.space_information
        other.states[0, 0] = 5.0
        assert path.states[0, 0] == 0.0
        assert other != path
    again = pickle.loads(pickle.dumps(path))
    assert again == path
    assert again.check()
    assert path != 3


# Geometry and cost


def test_as_geometric_gives_the_interpolated_states(path: fp.PathControl) -> None:
    geometric = path.as_geometric()
    fine = path.copy()
    fine.interpolate()
    assert geometric.states.tolist() == fine.states.tolist()
    assert len(geometric) == geometric.state_count == len(fine)
    assert path.state_count == 4
    assert geometric.length() > 0.0
    assert geometric.check()
    assert geometric == copy.copy(path).as_geometric()
    assert hash(geometric) == hash(path.as_geometric())
    assert [x.tolist() for x in geometric] == fine.states.tolist()
    even = geometric.resampled(5)
    space = path.space_information.state_space
    gaps = [space.distance(a, b) for a, b in pairwise(even.states)]
    assert max(gaps) <= 1.1 * geometric.length() / 4
    assert even.states[-1].tolist() == geometric.states[-1].tolist()
    with pytest.raises(InputError):
        geometric.resampled(1)


def test_malformed_paths_say_so_where_it_matters(si: fp.SpaceInformation) -> None:
    path = fp.PathControl(si)
    path.append([0, 0, 0])
    path.append([1, 0, 0])
    actions: list[Any] = [
        path.interpolate,
        path.as_geometric,
        path.print_as_matrix,
        lambda: path.state_at(0.0),
        lambda: path.times,
        lambda: path.cost(fp.ControlDuration()),
    ]
    for action in actions:
        with pytest.raises(PathError, match="2 states and 0 controls") as error:
            action()
        assert (error.value.state_count, error.value.control_count) == (2, 0)
    assert not path.check()


def test_errors_of_callbacks_reach_whoever_checks_a_path() -> None:
    def moody(x: Any) -> bool:
        raise RuntimeError("not today")

    path = fp.PathControl.from_arrays(line_system(is_valid=moody), [[0.0]], [], [])
    with pytest.raises(RuntimeError, match="not today"):
        path.check()


def test_a_stiff_system_is_reported_and_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    from footwork.planning import step_source

    monkeypatch.setattr(step_source, "MAX_SUB_STEPS", 20)
    si = unicycle_system(
        dynamics=lambda x, u: (-1e9 * (x[0] - u[0]), 0.0, 0.0), integrator="dopri5", compile=False
    )
    with pytest.raises(BackendError, match="sub-steps"):
        si.propagate([1, 0, 0], [0, 0], 0.1)


def test_a_system_is_needed_to_build_a_path() -> None:
    with pytest.raises(InputError, match="SpaceInformation"):
        fp.PathControl(3)  # type: ignore[arg-type]
