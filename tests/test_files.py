"""Files that a user names: what is said when one cannot be read."""

from pathlib import Path

import pytest

from footwork.errors import InputError
from footwork.files import read_bytes, read_text, read_toml, read_yaml

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
