"""Writing MATLAB's ``.mat`` files, version 5, one variable at a time and never all in memory.

Source: mathworks2024matfile
"""

import contextlib
import re
import struct
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

import numpy as np

from footwork.errors import BackendError
from footwork.stack.logging import unique_name
from footwork.typing import Matrix

if TYPE_CHECKING:
    from footwork.stack.journal import JournalData

_INT8, _UINT16, _INT32, _UINT32, _DOUBLE, _MATRIX = 1, 4, 5, 6, 9, 14
_CELL, _CHAR, _DOUBLE_CLASS = 1, 4, 6
LARGEST: Final = 2**31 - 1
"""Bytes that one variable may take in a version 5 file."""


def write_mat(path: Path, data: "JournalData") -> None:
    """Write a journal's variables; the last axis is the tick.

    Args:
        path: Written beside and then put in place, so that it is never half there.
        data: What to write.

    Raises:
        BackendError: If a variable is too large for the format, or the disk fails.
    """
    taken: set[str] = {"joint_names", "names", "mat_names"}
    names = {name: mat_name(name, taken) for name in data}
    for name in data:
        size = 8 * int(np.prod(data.shape_of(name), dtype=np.int64)) * data.ticks
        if size + 1024 > LARGEST:
            raise BackendError(
                f"{name!r} takes {size} bytes, more than a .mat file may hold; read the journal "
                "itself with read_journal"
            )
    partial = path.with_name(path.name + ".part")
    try:
        with partial.open("wb") as file:
            file.write(b"MATLAB 5.0 MAT-file, written by Footwork".ljust(124))
            file.write(struct.pack("<HH", 0x0100, 0x4D49))
            for name, mat in names.items():
                _write_array(file, mat, data.shape_of(name), data.ticks, data.values(name))
            _write_cell(file, "joint_names", data.joint_names)
            _write_cell(file, "names", list(names))
            _write_cell(file, "mat_names", list(names.values()))
        partial.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            partial.unlink()
        raise BackendError(f"cannot write {path}: {error.strerror}") from error


def mat_name(name: str, taken: set[str]) -> str:
    """Make a name that MATLAB takes: a letter, then letters, digits and ``_``, at most 63.

    Args:
        name: Any text.
        taken: Names that are not free; the result is added.

    Returns:
        The name.
    """
    clean = re.sub(r"[^A-Za-z0-9_]", "_", name)
    if not clean[:1].isalpha():
        clean = "v_" + clean
    return unique_name(clean[:58], taken)


def _element(kind: int, data: bytes) -> bytes:
    return struct.pack("<II", kind, len(data)) + data + b"\0" * (-len(data) % 8)


def _head(kind: int, shape: Sequence[int], name: str) -> bytes:
    flags = _element(_UINT32, struct.pack("<II", kind, 0))
    dimensions = _element(_INT32, struct.pack(f"<{len(shape)}i", *shape))
    return flags + dimensions + _element(_INT8, name.encode("ascii"))


def _write_array(
    file: BinaryIO, name: str, shape: tuple[int, ...], ticks: int, values: Iterable[Matrix]
) -> None:
    whole = (shape or (1,)) + (ticks,)
    head = _head(_DOUBLE_CLASS, whole, name)
    size = 8 * int(np.prod(whole, dtype=np.int64))
    file.write(struct.pack("<II", _MATRIX, len(head) + 8 + size))
    file.write(head + struct.pack("<II", _DOUBLE, size))
    for value in values:
        # MATLAB stores by columns; ticks come last, so each tick is one piece.
        file.write(np.ascontiguousarray(value.T, dtype="<f8").tobytes())


def _write_cell(file: BinaryIO, name: str, texts: Sequence[str]) -> None:
    cells = b""
    for text in texts:
        units = text.encode("utf-16-le")
        body = _head(_CHAR, (1 if units else 0, len(units) // 2), "") + _element(_UINT16, units)
        cells += _element(_MATRIX, body)
    head = _head(_CELL, (len(texts), 1), name)
    file.write(_element(_MATRIX, head + cells))
