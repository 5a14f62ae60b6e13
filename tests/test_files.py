"""Files that a user names: what is said when one cannot be read."""

from collections.abc import Callable
from pathlib import Path

import pytest

from footwork.errors import FootworkError, InputError
from footwork.files import read_bytes, read_text, read_toml, read_yaml
from footwork.planning import PathControl, models
from footwork.robot import RobotModel, load
from footwork.stack import load_cartesio, read_journal

SOLO = load("solo12")
READERS = [read_bytes, read_text, read_toml, read_yaml]


@pytest.mark.parametrize("read", READERS)
def test_a_file_that_is_missing_or_a_folder_is_named_once(read: object, tmp_path: Path) -> None:
    assert callable(read)
    for name, why in (("none.yaml", "No such file or directory"), ("folder", "Is a directory")):
        file = tmp_path / name
        if name == "folder":
            file.mkdir()
        with pytest.raises(InputError) as raised:
            read(file)
        assert str(raised.value) == f"{file}: cannot be read: {why}"


def test_what_may_have_been_meant_is_said(tmp_path: Path) -> None:
    (tmp_path / "garden.toml").write_text("a = 1")
    with pytest.raises(InputError, match=r"did you mean .*garden\.toml\?"):
        read_toml(tmp_path / "gardn.toml")
    with pytest.raises(InputError, match=r"did you mean .*garden\.toml\?"):
        read_toml(tmp_path / "garden.tml")
    with pytest.raises(InputError, match=r"directory$"):
        read_toml(tmp_path / "attic.toml")


@pytest.mark.parametrize("read", READERS[1:])
def test_bytes_that_are_no_text_are_refused(read: object, tmp_path: Path) -> None:
    assert callable(read)
    file = tmp_path / "binary"
    file.write_bytes(b"a = 1\n\xff\xfe")
    with pytest.raises(InputError, match="no UTF-8 text, at byte 6"):
        read(file)


def test_where_a_file_breaks_off_is_said(tmp_path: Path) -> None:
    file = tmp_path / "cut"
    file.write_text("a = [1,", "utf-8")
    with pytest.raises(InputError, match=r"cut: cannot be read as TOML: .* \(at end of document"):
        read_toml(file)
    file.write_text("a: 1\nb: [2", "utf-8")
    with pytest.raises(InputError, match=r"cut: cannot be read as YAML: line 2: [^\n]*$"):
        read_yaml(file)


def test_byte_order_marks_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "marked"
    file.write_bytes(b"\xef\xbb\xbfa: 1\n")
    assert read_yaml(file) == {"a": 1}
    assert read_text(file) == "a: 1\n"


def test_a_link_to_nothing_is_not_what_may_have_been_meant(tmp_path: Path) -> None:
    link = tmp_path / "scene.toml"
    link.symlink_to(tmp_path / "gone.toml")
    with pytest.raises(InputError, match=r"directory$"):
        read_toml(link)


@pytest.mark.parametrize("read", [read_toml, read_yaml])
def test_what_is_nested_too_deep_is_refused(read: object, tmp_path: Path) -> None:
    assert callable(read)
    file = tmp_path / "deep"
    file.write_text("a = " if read is read_toml else "a: ", "utf-8")
    with file.open("a") as stream:
        stream.write("[" * 9000 + "]" * 9000)
    with pytest.raises(InputError, match="deep within one another"):
        read(file)


def test_what_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("footwork.files.MOST_BYTES", 10)
    file = tmp_path / "large"
    file.write_bytes(bytes(10))
    assert read_bytes(file) == bytes(10)
    for endless in (Path("/dev/zero"), tmp_path / "larger"):
        (tmp_path / "larger").write_bytes(bytes(11))
        with pytest.raises(InputError, match="larger than"):
            read_bytes(endless)


@pytest.mark.parametrize(
    "read",
    [
        RobotModel.from_urdf,
        RobotModel.from_mjcf,
        read_journal,
        lambda file: load_cartesio(file, SOLO, dt=0.01),
        lambda file: PathControl.from_matrix(models.unicycle([0, 0], [5, 5]), file),
    ],
    ids=["urdf", "mjcf", "journal", "cartesio", "matrix"],
)
def test_no_reader_waits_for_the_end_of_what_never_ends(
    read: Callable[[Path], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("footwork.files.MOST_BYTES", 10)
    with pytest.raises(FootworkError, match=r"/dev/zero: cannot be read: .* larger than 1 GiB"):
        read(Path("/dev/zero"))


def test_a_name_that_no_file_can_have_is_refused() -> None:
    with pytest.raises(InputError, match="null byte"):
        read_bytes("a\0b")


def test_powers_of_ten_are_numbers_in_yaml(tmp_path: Path) -> None:
    file = tmp_path / "map.yaml"
    file.write_text("[5e-2, 1E3, -2.5e+1, .5e0, +1e1, 0x1e1, e5, 1e, a1e5, 1e5m, 0.05, 7]", "utf-8")
    numbers = [0.05, 1000.0, -25.0, 0.5, 10.0, 481]
    assert read_yaml(file) == [*numbers, "e5", "1e", "a1e5", "1e5m", 0.05, 7]
