"""Arrays that grow at their end, in amortised constant time."""

from typing import Any

import numpy as np
from numpy.typing import NDArray


class GrowingRows:
    """Rows of an array, with room behind them.

    Args:
        rows: The first rows; owned from now on.

    Attributes:
        count: How many rows are in use.
    """

    def __init__(self, rows: NDArray[Any]) -> None:
        self._rows = rows
        self.count = len(rows)

    @property
    def used(self) -> NDArray[Any]:
        """The rows in use: a writable view, until the next row is added."""
        return self._rows[: self.count]

    @property
    def readonly(self) -> NDArray[Any]:
        """The rows in use, read-only."""
        view = self._rows[: self.count]
        view.setflags(write=False)
        return view

    def append(self, row: NDArray[Any] | float) -> None:
        """Add a row, in twice the room if it is full.

        Args:
            row: A row, or a number if rows are numbers; copied.
        """
        if self.count == len(self._rows):
            shape = (max(8, 2 * self.count), *self._rows.shape[1:])
            room = np.empty(shape, dtype=self._rows.dtype)
            room[: self.count] = self.used
            self._rows = room
        self._rows[self.count] = row
        self.count += 1

    def where(self, kept: NDArray[np.bool_]) -> "GrowingRows":
        """Copy some of the rows.

        Args:
            kept: Which, shape (count,).

        Returns:
            These rows.
        """
        return GrowingRows(self.used[kept].copy())
