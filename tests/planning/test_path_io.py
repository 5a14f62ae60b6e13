"""Paths as text, matrices and archives, and what is none of them."""

import io
from pathlib import Path

import numpy as np
import pytest

import footwork.planning as fp
from footwork.errors import PathFileError
from tests.planning.systems import line_system, propagated, unicycle_system, velocity


@pytest.fixture(scope="module")
def si() -> fp.SpaceInformation:
    return unicycle_system(compile=False)


@pytest.fixture
def path(si: fp.SpaceInformation) -> fp.PathControl:
    return propagated(si, [(1.0, 0.3, 0.26), (0.5, -1.0, 0.4), (-0.3, 0.7, 0.05)])


def test_the_matrix_has_discrete_controls_first_and_zeros_in_its_first_row() -> None:
    controls = fp.CompoundControlSpace(
        [
            fp.RealVectorControlSpace([-1], [1]),
            fp.DiscreteControlSpace(0, 3),
            fp.RealVectorControlSpace([-1, -1], [1, 1]),
        ]
    )
    si = fp.SpaceInformation(
        fp.RealVectorStateSpace([-9], [9]),
        controls,
        dynamics=velocity,
        propagation_step_size=0.1,
        compile=False,
    )
    path = fp.PathControl.from_arrays(si, [[1.0], [1.1]], [[0.25, 2, 0.5, 0.75]], [0.4])
    file = io.StringIO()
    path.print_as_matrix(file)
    rows = [[float(word) for word in line.split()] for line in file.getvalue().splitlines()]
    assert rows == [[1.0, 0, 0, 0, 0, 0], [1.1, 2, 0.25, 0.5, 0.75, 0.4]]
    assert fp.PathControl.from_matrix(si, io.StringIO(file.getvalue())) == path


def test_a_matrix_read_back_passes_the_check(path: fp.PathControl, tmp_path: Path) -> None:
    file = tmp_path / "path.txt"
    path.print_as_matrix(file)
    back = fp.PathControl.from_matrix(path.space_information, file)
    assert back == path
    assert back.check()
    assert len(file.read_text().splitlines()) == path.state_count


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2 3 0 0 0\n1 2 3\n", "line 2 has 3 numbers"),
        ("1 2\n", "line 1 has 2 numbers"),
        ("1 2 3 0 0 0\n1 2 x 0 0 0\n", "line 2 has something else"),
        ("1 2 3\n1 2 3 0 0 0\n", "first line"),
    ],
)
def test_matrices_that_are_none_are_refused(
    si: fp.SpaceInformation, text: str, message: str
) -> None:
    with pytest.raises(PathFileError, match=message):
        fp.PathControl.from_matrix(si, text)
    with pytest.raises(PathFileError, match="cannot be read"):
        fp.PathControl.from_matrix(si, "/no/such/file")


def test_printing_goes_to_files_and_to_the_standard_output(
    path: fp.PathControl, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path.print()
    path.print(tmp_path / "path.txt")
    assert capsys.readouterr().out == (tmp_path / "path.txt").read_text() == str(path)
    assert str(path).startswith("Control path with 4 states\nAt state Compound state [")
    assert "for 2 steps and 0.06 s" in str(path)
    assert repr(path) == "PathControl(4 states, 3 controls, 0.71 s)"


def test_unfinished_paths_can_be_printed(si: fp.SpaceInformation) -> None:
    path = fp.PathControl(si)
    assert str(path) == "Control path with 0 states\n\n"
    path.append([0, 0, 0], [1, 0], 0.5)
    assert "Arrive" not in str(path)


def test_archives_read_back_exactly(path: fp.PathControl, tmp_path: Path) -> None:
    file = tmp_path / "path.npz"
    path.to_npz(file)
    assert fp.PathControl.from_npz(path.space_information, file) == path
    with np.load(file, allow_pickle=False) as archive:
        assert set(archive) >= {"states", "controls", "control_durations"}


def test_archives_that_are_none_are_refused(path: fp.PathControl, tmp_path: Path) -> None:
    file = tmp_path / "path.npz"
    path.to_npz(file)
    with pytest.raises(PathFileError, match="the system has 1"):
        fp.PathControl.from_npz(line_system(), file)
    data = file.read_bytes()
    for name, content in [("half", data[: len(data) // 2]), ("text", b"hello"), ("empty", b"")]:
        broken = tmp_path / name
        broken.write_bytes(content)
        with pytest.raises(PathFileError, match=name):
            fp.PathControl.from_npz(path.space_information, broken)
    with pytest.raises(PathFileError, match="missing"):
        fp.PathControl.from_npz(path.space_information, tmp_path / "missing.npz")
    np.savez(tmp_path / "other.npz", states=np.zeros(3))
    with pytest.raises(PathFileError, match="format"):
        fp.PathControl.from_npz(path.space_information, tmp_path / "other.npz")
