"""Run folders: written bit by bit, readable at every moment, and after accidents."""

import json
import re
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from footwork.contacts import FOREVER, ContactList, seconds
from footwork.errors import BackendError, InputError
from footwork.recording import (
    Column,
    RunWriter,
    StateWriter,
    new_run_folder,
    open_run,
    point_latest_to,
    read_states,
)
from footwork.spatial import Pose

COLUMNS = (
    Column(name="time", unit="s"),
    Column(name="q", unit="rad", labels=("hip", "knee"), description="angles"),
)


def fill(writer: StateWriter, count: int) -> None:
    for k in range(count):
        row = writer.row()
        row[0] = 0.002 * k
        row[writer.slice_of("q")] = k, -k
        writer.commit()


def test_states_come_back_with_names_and_units(tmp_path: Path) -> None:
    writer = StateWriter(tmp_path / "states.h5", COLUMNS, {"robot": "g1", "joint_names": ["a"]})
    fill(writer, 1203)
    writer.close()
    states = read_states(tmp_path / "states.h5")
    assert states["q"].shape == (1203, 2)
    assert states["q"][700].tolist() == [700.0, -700.0]
    assert states.time[-1] == pytest.approx(0.002 * 1202)
    assert states.columns["q"] == COLUMNS[1]
    assert states.attributes["robot"] == "g1"
    assert list(states.attributes["joint_names"]) == ["a"]


def test_what_was_flushed_is_readable_while_the_file_is_open(tmp_path: Path) -> None:
    writer = StateWriter(tmp_path / "states.h5", COLUMNS)
    fill(writer, 700)
    copy = tmp_path / "copy.h5"
    copy.write_bytes((tmp_path / "states.h5").read_bytes())
    assert read_states(copy)["q"].shape == (500, 2)
    writer.close()


def test_unknown_quantity_and_foreign_files_are_named(tmp_path: Path) -> None:
    writer = StateWriter(tmp_path / "states.h5", COLUMNS)
    fill(writer, 1)
    writer.close()
    with pytest.raises(InputError, match="has no 'torque'; there are"):
        _ = read_states(tmp_path / "states.h5")["torque"]
    (tmp_path / "no.h5").write_text("nothing")
    with pytest.raises(BackendError, match=r"no\.h5: cannot be read"):
        read_states(tmp_path / "no.h5")
    with pytest.raises(BackendError, match="cannot be written"):
        StateWriter(tmp_path / "missing" / "states.h5", COLUMNS)


def test_a_batch_that_does_not_fit_is_not_begun(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """HDF5 crashes the process, later, when a disk fills up while it writes."""
    writer = StateWriter(tmp_path / "states.h5", COLUMNS)
    fill(writer, 700)
    monkeypatch.setattr(
        "footwork.recording.states.disk_usage", lambda _: SimpleNamespace(free=500 << 10)
    )
    with pytest.raises(BackendError, match="1035 KiB are needed on the disk, 500 are free"):
        fill(writer, 300)
    writer.close()
    assert read_states(tmp_path / "states.h5")["q"].shape == (500, 2)
    with pytest.raises(BackendError, match="500 are free"):
        StateWriter(tmp_path / "other.h5", COLUMNS)
    assert not (tmp_path / "other.h5").exists()


def test_full_disk_is_an_error_once_and_leaves_what_was_written(tmp_path: Path) -> None:
    writer = StateWriter(tmp_path / "states.h5", COLUMNS)
    fill(writer, 500)
    broken = writer._file

    class Full:
        def __getitem__(self, name: str) -> object:
            raise OSError(28, "No space left on device")

        def flush(self) -> None:
            raise OSError(28, "No space left on device")

        def close(self) -> None:
            broken.close()

    writer._file = Full()
    with pytest.raises(BackendError, match="No space left"):
        fill(writer, 500)
    writer.close()
    assert read_states(tmp_path / "states.h5")["q"].shape == (500, 2)


def test_folder_holds_config_contacts_and_summary(tmp_path: Path) -> None:
    writer = RunWriter(tmp_path / "run", {"robot": "g1", "gait": {"width": 0.2}}, "a comment")
    left = ContactList(default_name="left_foot")
    left.add_contact(Pose.from_translation([0.0, 0.1, 0.0]), 0, seconds(1.0))
    left.add_contact(Pose.from_translation([0.3, 0.1, 0.0]), seconds(1.4), FOREVER)
    writer.write_contacts({"left_foot": left})
    writer.write_summary({"verdict": "arrived"})
    writer.close()
    run = open_run(tmp_path / "run")
    assert run.config["gait"]["width"] == 0.2
    assert run.contacts["left_foot"] == left
    assert run.measured_contacts == {}
    assert run.summary["verdict"] == "arrived"
    assert json.loads((tmp_path / "run" / "summary.json").read_text())["version"] == 1
    assert not list((tmp_path / "run").glob("*.part"))


def test_run_that_was_cut_short_is_readable(tmp_path: Path) -> None:
    writer = RunWriter(tmp_path / "run", {"robot": "g1"})
    states = writer.open_states(COLUMNS, {})
    fill(states, 3)
    writer.close()
    run = open_run(tmp_path / "run")
    assert run.summary == {}
    assert run.states["q"].shape == (3, 2)


@pytest.mark.parametrize(
    ("name", "content", "says"),
    [
        ("config.toml", b"robot = '\xff'", "config.toml: cannot be read: no UTF-8 text, at byte 9"),
        ("config.toml", b"robot = ", "config.toml: cannot be read as TOML"),
        ("summary.json", b'{"verdict": "\xff"}', "summary.json: cannot be read: no UTF-8 text"),
        ("summary.json", b'{"verdict": ', "summary.json: cannot be read as JSON"),
        ("summary.json", b"[" * 100_000, "summary.json: cannot be read as JSON"),
        ("summary.json", b"[1]", "summary.json: expected a table of figures, got list"),
    ],
)
def test_files_of_a_run_that_are_damaged_are_one_error(
    name: str, content: bytes, says: str, tmp_path: Path
) -> None:
    RunWriter(tmp_path / "run", {"robot": "g1"}).write_summary({})
    run = open_run(tmp_path / "run")
    (tmp_path / "run" / name).write_bytes(content)
    with pytest.raises(InputError, match=re.escape(says)):
        getattr(run, name.partition(".")[0])
    if b"\xff" in content and name == "config.toml":
        with pytest.raises(InputError, match=re.escape(says)):
            _ = run.config_text  # which the report shows


def test_does_not_write_into_a_folder_that_is_something_else(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").write_text("dear")
    with pytest.raises(InputError, match=r"thesis\.tex"):
        RunWriter(tmp_path, {})
    with pytest.raises(InputError, match="is not a run folder"):
        open_run(tmp_path)


def test_a_former_run_is_overwritten_whole(tmp_path: Path) -> None:
    first = RunWriter(tmp_path / "run", {"robot": "g1"})
    first.write_summary({"verdict": "arrived"})
    RunWriter(tmp_path / "run", {"robot": "talos"})
    assert open_run(tmp_path / "run").summary == {}
    assert open_run(tmp_path / "run").config == {"robot": "talos"}


@pytest.mark.parametrize(
    "step", ["pathlib.Path.mkdir", "footwork.recording.run_folder.write_whole"]
)
def test_ctrl_c_while_a_folder_is_made_leaves_none(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(step, interrupt)
    with pytest.raises(KeyboardInterrupt):
        RunWriter(tmp_path / "run", {"robot": "g1"})
    assert not list(tmp_path.iterdir())


def test_new_folders_differ_and_latest_points_to_the_last(tmp_path: Path) -> None:
    first = new_run_folder(tmp_path, "g1")
    first.mkdir()
    second = new_run_folder(tmp_path, "g1")
    assert first != second
    second.mkdir()
    point_latest_to(first)
    point_latest_to(second)
    assert (tmp_path / "latest").resolve() == second.resolve()


def test_rows_are_not_shared_between_batches(tmp_path: Path) -> None:
    writer = StateWriter(tmp_path / "states.h5", COLUMNS)
    fill(writer, 1000)
    writer.close()
    assert np.array_equal(read_states(tmp_path / "states.h5")["q"][:, 0], np.arange(1000.0))
