import os
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest
from scipy.io import loadmat

from footwork.errors import BackendError, InputError
from footwork.stack import (
    GenericConstraint,
    GenericTask,
    Journal,
    Stack,
    journal_to_mat,
    read_journal,
)


def test_a_journal_reads_back_as_arrays_with_joint_names(tmp_path: Path) -> None:
    path = tmp_path / "run.fwj"
    journal = Journal(path, joint_names=["hüfte", "knee"], metadata={"robot": "g1"})
    for k in range(5):
        journal.add("scalar", k)
        journal.add("vector", [k, k + 0.5])
        journal.add("matrix", [[k, 1, 2], [3, 4, 5]])
    journal.close(mat=False)
    data = read_journal(path)
    assert data.is_complete
    assert data.ticks == 5
    assert data.joint_names == ("hüfte", "knee")
    assert data.metadata == {"robot": "g1"}
    np.testing.assert_array_equal(data["scalar"], np.arange(5))
    np.testing.assert_array_equal(data["vector"][3], [3, 3.5])
    assert data["matrix"].shape == (5, 2, 3)
    assert list(data) == ["scalar", "vector", "matrix"]


def test_no_journal_is_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "run.fwj"
    Journal(path).close(mat=False)
    before = path.read_bytes()
    with pytest.raises(BackendError, match="exists; none is overwritten, so remove it or give"):
        Journal(path)
    assert path.read_bytes() == before


def test_matlab_s_format_is_read_by_scipy(tmp_path: Path) -> None:
    path = tmp_path / "run.fwj"
    rng = np.random.default_rng(1)
    A = rng.normal(size=(7, 2, 3))
    v = rng.normal(size=(7, 4))
    with Journal(path, joint_names=["a", "b", "ccc"]) as journal:
        for k in range(7):
            journal.add("t0+t1_0to2_A", A[k])
            journal.add("t0-t1_0to2_A", v[k])
            journal.add("7", k)
    mat = loadmat(tmp_path / "run.mat")
    names = [str(cell[0][0]) for cell in mat["names"]]
    mats = [str(cell[0][0]) for cell in mat["mat_names"]]
    assert names == ["t0+t1_0to2_A", "t0-t1_0to2_A", "7"]
    assert len(set(mats)) == 3
    np.testing.assert_array_equal(mat[mats[0]], A.transpose(1, 2, 0))
    np.testing.assert_array_equal(mat[mats[1]], v.T)
    np.testing.assert_array_equal(mat[mats[2]], np.arange(7.0)[None])
    assert [str(cell[0][0]) for cell in mat["joint_names"]] == ["a", "b", "ccc"]
    with pytest.raises(OSError, match="file signature"):
        h5py.File(tmp_path / "run.mat")


def test_a_name_that_comes_again_begins_a_tick_and_missing_values_are_nan(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "run.fwj")
    journal.add("always", 1.0)
    journal.add("always", 2.0)
    journal.add("late", 5.0)
    journal.add("always", 3.0)
    journal.next_tick()
    journal.next_tick()
    journal.close(mat=False)
    data = read_journal(journal.path)
    np.testing.assert_array_equal(data["always"], [1, 2, 3])
    np.testing.assert_array_equal(data["late"], [np.nan, 5, np.nan])


def test_a_shape_that_changes_makes_a_variable_of_its_own(tmp_path: Path) -> None:
    with Journal(tmp_path / "run.fwj") as journal:
        for size in (2, 2, 3):
            journal.add("b", np.ones(size))
    data = read_journal(journal.path)
    assert list(data) == ["b", "b_shape2"]
    assert data["b"].shape == (3, 2)
    np.testing.assert_array_equal(data["b_shape2"][2], np.ones(3))
    assert loadmat(tmp_path / "run.mat")["b_shape2"].shape == (3, 3)


@pytest.mark.parametrize("lost", [1, 7, 20, 60])
def test_a_crash_costs_at_most_the_last_tick(tmp_path: Path, lost: int) -> None:
    path = tmp_path / "run.fwj"
    journal = Journal(path, joint_names=["a"])
    for k in range(10):
        journal.add("v", np.full(8, float(k)))
        journal.next_tick()
    journal.close(mat=False)
    path.write_bytes(path.read_bytes()[:-lost])
    data = read_journal(path)
    assert not data.is_complete
    assert data.ticks == 9
    np.testing.assert_array_equal(data["v"][:, 0], np.arange(9))
    assert loadmat(journal_to_mat(path))["v"].shape == (8, 9)


def test_a_record_with_a_flipped_bit_ends_the_reading(tmp_path: Path) -> None:
    path = tmp_path / "run.fwj"
    journal = Journal(path)
    for k in range(4):
        journal.add("v", float(k))
        journal.next_tick()
    journal.close(mat=False)
    broken = bytearray(path.read_bytes())
    broken[-3] ^= 1
    path.write_bytes(broken)
    assert read_journal(path).ticks == 3


def test_a_killed_process_leaves_a_journal_that_reads(tmp_path: Path) -> None:
    script = f"""
import os
from footwork.stack import Journal
journal = Journal({str(tmp_path / "run.fwj")!r}, joint_names=["a"])
for k in range(100):
    journal.add("v", k)
    journal.next_tick()
os.kill(os.getpid(), 9)
"""
    result = subprocess.run([sys.executable, "-c", script], check=False)
    assert result.returncode == -9
    data = read_journal(tmp_path / "run.fwj")
    assert data.is_complete
    np.testing.assert_array_equal(data["v"], np.arange(100))


@pytest.mark.skipif(sys.platform == "win32", reason="there are no file size limits")
def test_a_full_disk_costs_ticks_but_never_stops_the_run(tmp_path: Path) -> None:
    script = f"""
import resource, signal
from footwork.stack import Journal
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
journal = Journal({str(tmp_path / "run.fwj")!r})
soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
resource.setrlimit(resource.RLIMIT_FSIZE, (2000, hard))
for k in range(50):
    journal.add("v", [float(k)] * 10)
    journal.next_tick()
lost = journal.lost_ticks
assert lost > 0 and journal.problem, journal.problem
resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
for k in range(50, 53):
    journal.add("v", [float(k)] * 10)
    journal.next_tick()
assert journal.problem is None
journal.close(mat=False)
print(journal.ticks, journal.lost_ticks)
"""
    result = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True
    )
    ticks, lost = map(int, result.stdout.split())
    assert ticks + lost == 53
    data = read_journal(tmp_path / "run.fwj")
    assert data.is_complete
    assert data.ticks == ticks
    np.testing.assert_array_equal(data["v"][-3:, 0], [50, 51, 52])


def test_misuse_of_a_journal_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "run.fwj"
    journal = Journal(path)
    with pytest.raises(InputError, match="number, vector or matrix"):
        journal.add("cube", np.zeros((2, 2, 2)))
    journal.close(mat=False)
    assert journal.close() is None
    with pytest.raises(InputError, match="closed"):
        journal.add("v", 1.0)
    with pytest.raises(BackendError, match="cannot make"):
        Journal(path)
    with pytest.raises(BackendError, match="cannot be read"):
        read_journal(tmp_path / "nothing.fwj")
    (tmp_path / "text.fwj").write_text("hello")
    with pytest.raises(InputError, match="no journal"):
        read_journal(tmp_path / "text.fwj")
    with pytest.raises(InputError, match="metadata"):
        Journal(tmp_path / "other.fwj", metadata={"x": object()})
    if os.name == "posix":
        with pytest.raises(BackendError, match="cannot write"):
            journal_to_mat(path, tmp_path / "no" / "folder.mat")


def test_a_stack_logs_every_task_under_opensot_s_names(tmp_path: Path) -> None:
    hand = GenericTask("hand", np.eye(3), [1.0, 2.0, 3.0])
    other = GenericTask("hand", np.eye(3), [0.0, 0.0, 0.0])
    box = GenericConstraint("box", lower=-np.ones(3), upper=np.ones(3))
    rows = GenericConstraint("rows", np.ones((1, 3)), upper=[1.0])
    level = GenericTask("level", np.eye(3), np.zeros(3))
    hand.constraints.append(rows)
    level.constraints.append(rows)
    rest = GenericTask("rest", np.eye(3), np.zeros(3))
    stack = Stack([hand[0, 1] + other, hand[2] + level], bounds=box, regularisation=rest)
    with Journal(tmp_path / "run.fwj") as journal:
        for _ in range(4):
            stack.solve()
            stack.log(journal)
    data = read_journal(journal.path)
    assert data.ticks == 4
    for name in ("hand_0to1", "hand", "hand_2", "hand_2_2", "level", "rest"):
        for what in ("_A", "_b", "_W", "_c", "_lambda"):
            assert name + what in data
    assert {"box_upperBound", "box_lowerBound", "rows_Aineq", "rows_bUpperBound"} <= set(data)
    np.testing.assert_array_equal(data["hand_b"][0], [1, 2, 3])
