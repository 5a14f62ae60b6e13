"""Replays what OMPL's PathControl answers; where we differ on purpose, the difference is tested."""

import io
import math
from typing import Any

import numpy as np
import pytest

import footwork.planning as fp
from footwork.errors import PathError
from footwork.planning._kernels.rollout import steps_of
from tests.planning.ompl_systems import (
    PROPAGATORS,
    Case,
    flat,
    load_cases,
    path_of,
    space_information,
)

CASES = load_cases()
MALFORMED = {"too_few_states", "extra_states", "no_controls"}


def whole(case: Case) -> bool:
    """Whether every duration is a whole number of steps, but not zero."""
    splits = [steps_of(d, case["step"]) for d in case["path"]["durations"]]
    return all(rest == 0.0 for _, rest in splits)


@pytest.fixture(scope="module")
def replayed() -> list[tuple[Case, fp.PathControl]]:
    """All paths; those of systems without obstacles compiled, the others in plain Python."""
    known: dict[Any, fp.SpaceInformation] = {}
    paths = []
    for case in CASES:
        kind = case["validity"]["type"]
        key = (case["system"], case["space"], case["step"], kind)
        si = space_information(case, compile=kind == "all")
        shared = known.setdefault(key, si)
        paths.append((case, path_of(shared.with_parameters(si.parameters), case["path"])))
    return paths


def test_paths_hold_what_was_appended(replayed: list[tuple[Case, fp.PathControl]]) -> None:
    for case, path in replayed:
        recorded = case["path"]
        assert path.states.tolist() == recorded["states"]
        assert path.controls.tolist() == [flat(u) for u in recorded["controls"]]
        assert path.control_durations.tolist() == recorded["durations"]
        assert path.length() == recorded["length"]
        assert (path.state_count, path.control_count) == (
            recorded["state_count"],
            recorded["control_count"],
        )


def test_check_agrees_where_durations_are_whole_steps(
    replayed: list[tuple[Case, fp.PathControl]],
) -> None:
    seen = {True: 0, False: 0}
    for case, path in replayed:
        if "check" in case and case["kind"] != "extra_states" and whole(case):
            assert path.check() == case["check"], case["id"]
            assert path.diagnose().faults == () or not case["check"]
            seen[case["check"]] += 1
    assert min(seen.values()) > 30


def test_malformed_paths_fail_the_check_and_say_so(
    replayed: list[tuple[Case, fp.PathControl]],
) -> None:
    for case, path in replayed:
        if case["kind"] in MALFORMED and not path.is_well_formed:
            assert not path.check()
            assert path.diagnose().faults[0].kind is fp.FaultKind.MALFORMED
            before = path.copy()
            for refused in (path.interpolate, path.as_geometric, path.print_as_matrix):
                with pytest.raises(PathError, match=f"{path.state_count} states"):
                    refused()
            assert path == before


def test_empty_paths_are_refused_where_a_state_is_needed(
    replayed: list[tuple[Case, fp.PathControl]],
) -> None:
    for case, path in replayed:
        if case["kind"] == "empty":
            assert path.check() is case["check"] is False
            with pytest.raises(PathError, match="0 states"):
                path.interpolate()


def test_interpolation_agrees_where_durations_are_whole_steps(
    replayed: list[tuple[Case, fp.PathControl]],
) -> None:
    count = 0
    for case, path in replayed:
        if path.is_well_formed and whole(case):
            fine = path.copy()
            fine.interpolate()
            expected = case["interpolated"]
            assert fine.states.tolist() == expected["states"], case["id"]
            assert fine.controls.tolist() == [flat(u) for u in expected["controls"]]
            assert fine.control_durations.tolist() == expected["durations"]
            assert fine.check() == case["interpolated_check"]
            assert path.as_geometric().states.tolist() == expected["states"]
            count += 1
    assert count > 80


def test_interpolation_never_changes_the_total_time(
    replayed: list[tuple[Case, fp.PathControl]],
) -> None:
    count = 0
    for case, path in replayed:
        if path.is_well_formed and path.control_count:
            fine = path.copy()
            fine.interpolate()
            assert fine.length() == pytest.approx(path.length(), rel=1e-12, abs=0.0)
            assert fine.control_durations.max() <= case["step"] * (1 + 1e-9)
            kept = [int(np.flatnonzero((fine.states == x).all(axis=1))[0]) for x in path.states]
            assert kept[0] == 0
            twice = fine.copy()
            twice.interpolate()
            assert twice == fine
            count += "length_changes_by_interpolate" in case.get("dev", [])
    assert count > 150


def test_a_path_that_passes_the_check_passes_it_after_interpolation(
    replayed: list[tuple[Case, fp.PathControl]],
) -> None:
    count = 0
    for _, path in replayed:
        if path.check():
            fine = path.copy()
            fine.interpolate()
            assert fine.check()
            count += 1
    assert count > 80


def test_the_matrix_agrees_with_six_digits(replayed: list[tuple[Case, fp.PathControl]]) -> None:
    for case, path in replayed:
        if "matrix" in case and case["kind"] not in MALFORMED:
            file = io.StringIO()
            path.print_as_matrix(file, precision=6)
            assert file.getvalue() == case["matrix"]


def test_the_matrix_reads_back_exactly(replayed: list[tuple[Case, fp.PathControl]]) -> None:
    for _, path in replayed:
        if path.is_well_formed:
            file = io.StringIO()
            path.print_as_matrix(file)
            assert fp.PathControl.from_matrix(path.space_information, file.getvalue()) == path


def test_printing_agrees_where_durations_are_whole_steps(
    replayed: list[tuple[Case, fp.PathControl]],
) -> None:
    for case, path in replayed:
        if "print" in case and whole(case):
            assert str(path) == case["print"]


def test_inserted_states_are_those_of_single_steps_and_one_shorter_one(
    replayed: list[tuple[Case, fp.PathControl]],
) -> None:
    for case, path in replayed[::3]:
        if path.is_well_formed and path.control_count:
            fine = path.copy()
            fine.interpolate()
            expected = naive_interpolation(case, path)
            np.testing.assert_allclose(fine.states, expected, rtol=0, atol=1e-12)


def naive_interpolation(case: Case, path: fp.PathControl) -> list[list[float]]:
    """The design's rule, one step at a time with the propagator itself."""
    f = PROPAGATORS[case["system"], case["space"]]
    h = case["step"]
    rows = [path.states[0].tolist()]
    for i, d in enumerate(path.control_durations.tolist()):
        n = round(d / h)
        is_whole = n > 0 and abs(d / h - n) <= 1e-9 * max(1, n)
        inserted = n - 1 if is_whole else int(d // h)
        x = path.states[i].tolist()
        for _ in range(inserted):
            x = list(f(x, path.controls[i].tolist(), h))
            if case["space"] == "se2":
                x[2] = (x[2] + math.pi) % (2 * math.pi) - math.pi if abs(x[2]) > math.pi else x[2]
            rows.append(x)
        rows.append(path.states[i + 1].tolist())
    return rows


def test_plain_python_gives_the_same_bits(replayed: list[tuple[Case, fp.PathControl]]) -> None:
    for case, path in replayed[::7]:
        if path.is_well_formed:
            plain = path_of(space_information(case, compile=False), case["path"])
            assert plain.check() == path.check()
            for p in (plain, fine := path.copy()):
                p.interpolate()
            assert plain == fine
