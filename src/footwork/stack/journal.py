"""A log file that only grows, survives a crash or a full disk, and ends as MATLAB's ``.mat``.

While a run lasts, every tick is one record at the end of the journal: length, checksum, numbers. A
process that dies leaves at worst one broken record at the end, which readers leave out; a full disk
costs ticks, which are counted, and never stops the run. `Journal.close` turns the journal into a
``.mat`` file; `journal_to_mat` does the same for the journal of a run that crashed.

    file    = magic, record, record, …
    record  = kind (1 byte), payload length (4), CRC-32 of the payload (4), payload
    kinds   : M metadata (JSON), V a variable's number, name and shape (JSON), T a tick
    tick    = (number of the variable (4), its float64 entries by rows) …        little endian
"""

import contextlib
import json
import math
import os
import struct
import zlib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import BackendError, InputError
from footwork.files import read_bytes
from footwork.typing import Matrix, Tensor

MAGIC: Final = b"FWJ1\r\n\x1a\n"
_HEAD: Final = struct.Struct("<cII")
_NUMBER: Final = struct.Struct("<I")


class Journal:
    """A `footwork.typing.Logger` that writes to a file, a tick at a time.

    A tick ends with `next_tick`, or by itself when a name comes a second time. A name's shape may
    change during a run.

    Attributes:
        path: The journal.
        ticks: Ticks written.
        lost_ticks: Ticks that could not be written, because the disk was full or failed.
        problem: Why the last tick was lost; None while all is well.

    Example:
        >>> import tempfile
        >>> path = Path(tempfile.mkdtemp()) / "run.fwj"
        >>> with Journal(path, joint_names=["hip", "knee"]) as journal:
        ...     for k in range(3):
        ...         journal.add("q", [0.1 * k, 0.2 * k])
        ...         journal.next_tick()
        >>> data = read_journal(path)
        >>> data["q"].shape, data.joint_names, path.with_suffix(".mat").exists()
        ((3, 2), ('hip', 'knee'), True)
    """

    def __init__(
        self,
        path: str | Path,
        *,
        joint_names: Sequence[str] = (),
        metadata: Mapping[str, Any] | None = None,
    ) -> None:
        """Start a journal.

        Args:
            path: A file that does not exist yet, by custom ``.fwj``.
            joint_names: Names of the entries of x or q, kept with the data.
            metadata: Anything that JSON can hold.

        Raises:
            BackendError: If the file cannot be made.
            InputError: If the metadata is nothing that JSON can hold.
        """
        if not isinstance(path, str | Path):
            raise InputError(f"journal: expected the name of a file, got {path!r}")
        self.path = Path(path)
        self.ticks = 0
        self.lost_ticks = 0
        self.problem: str | None = None
        self._shapes: dict[str, tuple[int, tuple[int, ...]]] = {}
        self._count = 0
        self._tick: list[bytes] = []
        self._names: set[str] = set()
        self._pending: list[bytes] = []
        try:
            head = json.dumps({"joint_names": list(joint_names), "metadata": dict(metadata or {})})
        except TypeError as error:
            raise InputError(f"metadata of journal {self.path}: {error}") from error
        try:
            self._file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        except FileExistsError as error:
            raise BackendError(
                f"cannot make journal {self.path}: the file exists; none is overwritten, so remove "
                "it or give another name"
            ) from error
        except OSError as error:
            raise BackendError(f"cannot make journal {self.path}: {error.strerror}") from error
        self._is_open = True
        self._end = 0
        if not self._write(MAGIC + _record(b"M", head.encode())):
            self._pending.append(MAGIC + _record(b"M", head.encode()))

    def add(self, name: str, value: ArrayLike) -> None:
        """Record one variable of this tick.

        Args:
            name: If the tick has it already, a new tick begins.
            value: Number, vector or matrix.

        Raises:
            InputError: If the journal is closed, or the value has more than two axes.
        """
        if not self._is_open:
            raise InputError(f"journal {self.path} is closed")
        array = np.asarray(value, dtype="<f8", order="C")
        if name in self._names:
            self.next_tick()
        known = self._shapes.get(name)
        if known is None or known[1] != array.shape:
            known = self._define(name, array)
        self._names.add(name)
        self._tick.append(_NUMBER.pack(known[0]) + array.tobytes())

    def _define(self, name: str, array: Matrix) -> tuple[int, tuple[int, ...]]:
        if array.ndim > 2:
            raise InputError(f"{name!r}: expected a number, vector or matrix, got {array.shape}")
        number = self._count
        self._count += 1
        text = json.dumps({"number": number, "name": name, "shape": array.shape})
        self._pending.append(_record(b"V", text.encode()))
        self._shapes[name] = (number, array.shape)
        return self._shapes[name]

    def next_tick(self) -> None:
        """End the tick and write it; a tick without variables is none."""
        if not self._tick:
            return
        definitions = b"".join(self._pending)
        if self._write(definitions + _record(b"T", b"".join(self._tick))):
            self._pending.clear()
            self.ticks += 1
            self.problem = None
        else:
            self.lost_ticks += 1
        self._tick.clear()
        self._names.clear()

    def _write(self, data: bytes) -> bool:
        """Append all or nothing; a failure leaves the file as it was."""
        done = 0
        try:
            while done < len(data):
                done += os.write(self._file, data[done:])
        except OSError as error:
            self.problem = error.strerror or str(error)
            with contextlib.suppress(OSError):
                os.ftruncate(self._file, self._end)
                os.lseek(self._file, self._end, os.SEEK_SET)
            return False
        self._end += len(data)
        return True

    def close(self, *, mat: bool = True) -> Path | None:
        """End the last tick, close the file, and write the ``.mat`` beside it.

        Args:
            mat: Whether the ``.mat`` is wanted.

        Returns:
            Path of the ``.mat``; None without one, or if the journal was closed before.

        Raises:
            BackendError: If the ``.mat`` cannot be written; the journal is kept and complete.
        """
        if not self._is_open:
            return None
        self.next_tick()
        self._is_open = False
        os.close(self._file)
        return journal_to_mat(self.path) if mat else None

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close(mat=error is None)


class JournalData(Mapping[str, Tensor]):
    """What a journal holds: an array a variable, shape (ticks, *shape), NaN where not logged.

    Attributes:
        joint_names: As given to the journal.
        metadata: As given to the journal.
        ticks: Number of ticks.
        is_complete: False if the end of the file is broken, as a crash leaves it.
    """

    def __init__(self, path: str | Path) -> None:
        """Read a journal.

        Args:
            path: The file.

        Raises:
            BackendError: If it cannot be read, or is larger than 1 GiB.
            InputError: If it is no journal.
        """
        if not isinstance(path, str | Path):
            raise InputError(f"journal: expected the name of a file, got {path!r}")
        try:
            self._bytes = read_bytes(path)
        except InputError as error:
            raise BackendError(f"journal {error}") from error
        if not self._bytes.startswith(MAGIC):
            raise InputError(f"{path} is no journal: it does not start with {MAGIC!r}")
        self.joint_names: tuple[str, ...] = ()
        self.metadata: dict[str, Any] = {}
        self.ticks = 0
        self._variables: list[tuple[str, tuple[int, ...]]] = []
        self._numbers: dict[str, int] = {}
        self._places: list[list[tuple[int, int]]] = []
        self.is_complete = self._index()

    def _index(self) -> bool:
        at = len(MAGIC)
        for kind, start, stop, end in _records(self._bytes, at):
            at = end
            if kind == b"T":
                self._index_tick(start, stop)
                continue
            fields = json.loads(self._bytes[start:stop])
            if kind == b"M":
                self.joint_names = tuple(fields["joint_names"])
                self.metadata = fields["metadata"]
            else:
                self._add_variable(fields["name"], tuple(fields["shape"]))
        return at == len(self._bytes)

    def _add_variable(self, name: str, shape: tuple[int, ...]) -> None:
        # A shape that changes during a run makes a variable of its own.
        free, count = name, 2
        while free in self._numbers:
            free = f"{name}_shape{count}"
            count += 1
        self._numbers[free] = len(self._variables)
        self._variables.append((free, shape))
        self._places.append([])

    def _index_tick(self, at: int, stop: int) -> None:
        while at < stop:
            (number,) = _NUMBER.unpack_from(self._bytes, at)
            at += _NUMBER.size
            self._places[number].append((self.ticks, at))
            at += 8 * math.prod(self._variables[number][1])
        self.ticks += 1

    def shape_of(self, name: str) -> tuple[int, ...]:
        """Tell the shape of a variable in one tick.

        Args:
            name: Of the variable.

        Returns:
            Its shape.
        """
        return self._variables[self._numbers[name]][1]

    def values(self, name: str | None = None) -> Any:
        """Go through a variable tick by tick; without a name, all arrays, as of any mapping.

        Args:
            name: Of the variable.

        Returns:
            An iterator of one array a tick, NaN where the variable was not logged.
        """
        return super().values() if name is None else self._ticks_of(name)

    def _ticks_of(self, name: str) -> Iterator[Matrix]:
        number = self._numbers[name]
        shape = self._variables[number][1]
        size, tick = math.prod(shape), 0
        missing = np.full(shape, np.nan)
        for where, at in self._places[number]:
            for _ in range(tick, where):
                yield missing
            yield np.frombuffer(self._bytes, "<f8", size, at).reshape(shape)
            tick = where + 1
        for _ in range(tick, self.ticks):
            yield missing

    def __getitem__(self, name: str) -> Tensor:
        number = self._numbers[name]
        out = np.full((self.ticks, *self._variables[number][1]), np.nan)
        for tick, value in enumerate(self._ticks_of(name)):
            out[tick] = value
        return out

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)


def read_journal(path: str | Path) -> JournalData:
    """Read a journal, also one that a crash has left behind.

    Args:
        path: The file.

    Returns:
        Its variables as arrays by name.

    Raises:
        BackendError: If it cannot be read.
        InputError: If it is no journal.
    """
    return JournalData(path)


def journal_to_mat(path: str | Path, mat: str | Path | None = None) -> Path:
    """Write a journal as MATLAB's ``.mat`` (version 5): last axis is the tick.

    A vector of n becomes n × ticks, a matrix r × c becomes r × c × ticks. ``joint_names`` is a cell
    array; so are ``names`` and ``mat_names``, since MATLAB allows fewer characters than ids have.

    Args:
        path: The journal.
        mat: Where to; beside the journal if not given. An existing file is replaced.

    Returns:
        Path of the ``.mat``.

    Raises:
        BackendError: If it cannot be written; what was there before is still there.
        InputError: If the file is no journal.
    """
    from footwork.stack.mat5 import write_mat

    data = read_journal(path)
    target = Path(path).with_suffix(".mat") if mat is None else Path(mat)
    write_mat(target, data)
    return target


def _record(kind: bytes, payload: bytes) -> bytes:
    return _HEAD.pack(kind, len(payload), zlib.crc32(payload)) + payload


def _records(data: bytes, at: int) -> Iterator[tuple[bytes, int, int, int]]:
    """Yield kind, start and stop of the payload, and end; stop at the first broken record."""
    while at + _HEAD.size <= len(data):
        kind, length, crc = _HEAD.unpack_from(data, at)
        start = at + _HEAD.size
        stop = start + length
        if kind not in {b"M", b"V", b"T"} or stop > len(data):
            return
        if zlib.crc32(data[start:stop]) != crc:
            return
        yield kind, start, stop, stop
        at = stop
