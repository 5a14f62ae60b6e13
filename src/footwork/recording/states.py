"""Time series of a run: one HDF5 file, a data set a quantity, one row a tick."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from errno import ENOSPC
from pathlib import Path
from shutil import disk_usage
from typing import Any, Final

import numpy as np

from footwork.errors import BackendError, InputError
from footwork.typing import Matrix

VERSION: Final = 1
BATCH: Final = 500
"""Rows kept in memory before they are written."""
SPARE: Final = 1 << 20
"""Bytes left free beyond what is written: for the end of the file, and for a run's other files."""


@dataclass(frozen=True, kw_only=True)
class Column:
    """One recorded quantity.

    Attributes:
        name: Of the data set.
        unit: Of its numbers; one for all, or one text that names them.
        labels: One name for every number of a row; empty for a single number.
        description: What it is, in a sentence.
    """

    name: str
    unit: str
    labels: tuple[str, ...] = ()
    description: str = ""

    @property
    def width(self) -> int:
        """Numbers in a row."""
        return max(1, len(self.labels))


class StateWriter:
    """Writes rows in batches; what has been written stays readable whatever happens later.

    Args:
        path: Of the file, made anew.
        columns: What a row consists of.
        attributes: Of the whole file, such as the robot's name.

    Raises:
        BackendError: If the file cannot be made.
    """

    def __init__(
        self, path: Path, columns: Sequence[Column], attributes: Mapping[str, Any] | None = None
    ) -> None:
        import h5py

        self.path = path
        self.columns = tuple(columns)
        self._widths = [column.width for column in self.columns]
        ends = np.cumsum([0, *self._widths])
        self._slices = {
            column.name: slice(int(a), int(b))
            for column, a, b in zip(self.columns, ends[:-1], ends[1:], strict=True)
        }
        self._batch: Matrix = np.zeros((BATCH, int(ends[-1])))
        self._count = 0
        self.rows = 0
        self._batch_size = self._batch.nbytes
        try:
            self._require_room()
            self._file: Any = h5py.File(path, "w")
            self._file.attrs["format"] = "footwork states"
            self._file.attrs["version"] = VERSION
            for key, value in (attributes or {}).items():
                self._file.attrs[key] = value
            for column in self.columns:
                self._make(column)
            self._file.flush()
        except OSError as error:
            raise BackendError(f"{path}: cannot be written ({error})") from error

    def _require_room(self) -> None:
        """Refuse to write a batch that will not fit: HDF5 does not survive a disk that fills up.

        Raises:
            OSError: If there is too little room.
        """
        needed, free = self._batch_size + SPARE, disk_usage(self.path.parent).free
        if free < needed:
            raise OSError(
                ENOSPC, f"{needed >> 10} KiB are needed on the disk, {free >> 10} are free"
            )

    def _make(self, column: Column) -> None:
        data = self._file.create_dataset(
            column.name,
            shape=(0, column.width),
            maxshape=(None, column.width),
            chunks=(BATCH, column.width),
            dtype="f8",
        )
        data.attrs["unit"] = column.unit
        data.attrs["labels"] = list(column.labels)
        data.attrs["description"] = column.description

    def row(self) -> Matrix:
        """Give the row to be filled next; `commit` it when it is.

        Returns:
            View of shape (sum of widths,).
        """
        row: Matrix = self._batch[self._count]
        return row

    def slice_of(self, name: str) -> slice:
        """Find a quantity in a row.

        Args:
            name: Of the column.

        Returns:
            Its place.
        """
        return self._slices[name]

    def commit(self) -> None:
        """Count the present row as recorded, and write a batch when one is full.

        Raises:
            BackendError: If the disk is full or gone.
        """
        self._count += 1
        if self._count == BATCH:
            self.flush()

    def flush(self) -> None:
        """Write what is in memory.

        Raises:
            BackendError: If the disk is full or gone; rows written before stay readable.
        """
        n = self._count
        if n == 0:
            return
        try:
            self._require_room()
            for name, place in self._slices.items():
                data = self._file[name]
                data.resize(self.rows + n, axis=0)
                data[self.rows :] = self._batch[:n, place]
            self._file.flush()
        except OSError as error:
            self._count = 0
            raise BackendError(f"{self.path}: cannot be written ({error})") from error
        self.rows += n
        self._count = 0

    def close(self) -> None:
        """Write what is in memory, and close the file."""
        try:
            self.flush()
        finally:
            self._file.close()


@dataclass(frozen=True, kw_only=True, eq=False)
class States:
    """Recorded time series, read as they are asked for.

    Attributes:
        path: Of the HDF5 file.
        columns: Name → what it is.
        attributes: Of the file.
        data: Name → numbers, shape (ticks, width).
    """

    path: Path
    columns: Mapping[str, Column]
    attributes: Mapping[str, Any]
    data: Mapping[str, Matrix]

    def __getitem__(self, name: str) -> Matrix:
        """Numbers of one quantity, shape (ticks, width).

        Raises:
            InputError: If there is no such quantity; names those there are.
        """
        if name not in self.data:
            raise InputError(f"{self.path}: has no {name!r}; there are {', '.join(self.data)}")
        return self.data[name]

    @property
    def time(self) -> Matrix:
        """Instants [s], shape (ticks,)."""
        times: Matrix = self["time"][:, 0]
        return times


def read_states(path: Path) -> States:
    """Read a file that `StateWriter` wrote, also one whose writer was interrupted.

    Args:
        path: Of the file.

    Returns:
        All of its quantities, cut to the shortest of them.

    Raises:
        BackendError: If the file cannot be read.
        InputError: If it is not such a file.
    """
    import h5py

    try:
        with h5py.File(path, "r") as file:
            if file.attrs.get("format") != "footwork states":
                raise InputError(f"{path}: is not a file of recorded states")
            columns = {name: _column(name, data) for name, data in file.items()}
            rows = min((data.shape[0] for data in file.values()), default=0)
            numbers = {name: np.asarray(data[:rows]) for name, data in file.items()}
            attributes = {key: _plain(value) for key, value in file.attrs.items()}
    except OSError as error:
        raise BackendError(f"{path}: cannot be read ({error})") from error
    return States(path=path, columns=columns, attributes=attributes, data=numbers)


def _column(name: str, data: Any) -> Column:
    return Column(
        name=name,
        unit=str(data.attrs["unit"]),
        labels=tuple(str(label) for label in data.attrs["labels"]),
        description=str(data.attrs["description"]),
    )


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value
