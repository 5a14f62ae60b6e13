"""Choosing rows of a task or constraint: `Indices`, and every way of naming rows."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from footwork.errors import InputError, RowsError

RowSelection: TypeAlias = (
    int | str | slice | Sequence[int] | Sequence[bool] | Sequence[str] | NDArray[np.generic]
)
"""Rows from 0, one or many; a slice; a boolean mask; axis names."""

AXES: tuple[str, ...] = ("x", "y", "z", "rx", "ry", "rz")
"""Names of the six rows of a Cartesian task; the first three are those of a position."""


class Indices:
    """A sorted set of row numbers, with the runs that it consists of.

    Example:
        >>> str(Indices([3, 1, 2, 7]))
        '1to3plus7'
        >>> Indices([3, 1, 2, 7]).chunks
        ((1, 2, 3), (7,))
    """

    def __init__(self, rows: int | Iterable[int] = ()) -> None:
        if not isinstance(rows, int | np.integer | Iterable):
            raise InputError(f"Indices: expected whole numbers from 0, got {rows!r}")
        numbers = [rows] if isinstance(rows, int | np.integer) else list(rows)
        for row in numbers:
            if not isinstance(row, int | np.integer) or isinstance(row, bool) or row < 0:
                raise InputError(f"Indices: expected whole numbers from 0, got {row!r}")
        self._rows = tuple(sorted({int(row) for row in numbers}))

    @classmethod
    def range(cls, first: int, last: int) -> "Indices":
        """Make the set first, first + 1, … last, both included.

        Args:
            first: Smallest member.
            last: Largest member, not below ``first``.

        Returns:
            The set.

        Raises:
            InputError: If ``last`` is below ``first``.
        """
        for row in (first, last):
            if not _is_whole(row):
                raise InputError(f"Indices.range: expected whole numbers, got {row!r}")
        if last < first:
            raise InputError(f"Indices.range: last {last} is below first {first}")
        return cls(range(first, last + 1))

    @property
    def chunks(self) -> tuple[tuple[int, ...], ...]:
        """The runs of consecutive numbers, ascending."""
        return _runs(self._rows)

    @property
    def is_contiguous(self) -> bool:
        """Whether it is exactly one run; False when empty."""
        return len(self.chunks) == 1

    def shift(self, by: int) -> "Indices":
        """Add a number to every member.

        Args:
            by: May be negative as long as no member becomes so.

        Returns:
            A new set.
        """
        if not _is_whole(by):
            raise InputError(f"Indices.shift: expected a whole number, got {by!r}")
        return Indices(row + by for row in self._rows)

    def filter(self, positions: Iterable[int]) -> "Indices":
        """Keep the members at some positions of the sorted order.

        Args:
            positions: From 0.

        Returns:
            A new set.

        Raises:
            InputError: If a position does not exist.
        """
        kept = Indices(positions)
        if len(kept) and kept._rows[-1] >= len(self):
            raise InputError(
                f"Indices.filter: position {kept._rows[-1]} of a set of {len(self)} rows"
            )
        return Indices(self._rows[position] for position in kept)

    def __len__(self) -> int:
        return len(self._rows)

    def __iter__(self) -> Iterator[int]:
        return iter(self._rows)

    def __contains__(self, row: object) -> bool:
        return row in self._rows

    def __add__(self, other: "Indices | int | Iterable[int]") -> "Indices":
        return Indices((*self._rows, *Indices(other)))

    def __sub__(self, other: "Indices | int | Iterable[int]") -> "Indices":
        taken = set(Indices(other))
        return Indices(row for row in self._rows if row not in taken)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Indices) and self._rows == other._rows

    def __hash__(self) -> int:
        return hash(self._rows)

    def __str__(self) -> str:
        return rows_name(self._rows)

    def __repr__(self) -> str:
        return f"Indices({list(self._rows)})"


def rows_name(rows: Sequence[int]) -> str:
    """Write rows as part of an id: ascending runs as ``0to2``, joined by ``plus``.

    Args:
        rows: In any order; only ascending runs are joined.

    Returns:
        The text, ``empty`` for no rows.

    Example:
        >>> rows_name([0, 1, 2, 4]), rows_name([2, 0])
        ('0to2plus4', '2plus0')
    """
    runs = _runs(rows)
    return "plus".join(str(r[0]) if len(r) == 1 else f"{r[0]}to{r[-1]}" for r in runs) or "empty"


def _runs(rows: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    runs: list[list[int]] = []
    for row in rows:
        if runs and row == runs[-1][-1] + 1:
            runs[-1].append(row)
        else:
            runs.append([row])
    return tuple(tuple(run) for run in runs)


def select_rows(
    rows: RowSelection | tuple[object, ...], size: int, names: Sequence[str], owner: str
) -> tuple[int, ...]:
    """Turn any way of naming rows into row numbers, in the order given.

    Args:
        rows: Ints from 0, a slice, a boolean mask of ``size`` entries, or axis names.
        size: How many rows there are.
        names: Names of the rows; may be empty.
        owner: Whose rows they are, for the error message.

    Returns:
        Row numbers, at least one, none twice.

    Raises:
        RowsError: If a row is named twice, out of range, negative or unknown, none is left, or they
            come as a set.
    """
    if isinstance(rows, slice):
        chosen = _rows_of_slice(rows, size, owner)
    else:
        chosen = _rows_of_items(rows, size, names, owner)
    if not chosen:
        raise RowsError(owner, rows, f"no row is chosen; it has {size}")
    seen: set[int] = set()
    for row in chosen:
        if row in seen:
            raise RowsError(owner, rows, f"row {row} is named twice")
        seen.add(row)
    return tuple(chosen)


def _rows_of_slice(rows: slice, size: int, owner: str) -> list[int]:
    for number in (rows.start, rows.stop, rows.step):
        if not (number is None or _is_whole(number)):
            raise RowsError(owner, rows, f"{number!r} is not a row number")
    if rows.step == 0:
        raise RowsError(owner, rows, "the step of a slice must not be 0")
    for bound in (rows.start, rows.stop):
        if bound is not None and not 0 <= bound <= size:
            raise RowsError(owner, rows, f"row {bound} does not exist; it has rows 0 to {size - 1}")
    return list(range(size)[rows])


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _rows_of_items(rows: object, size: int, names: Sequence[str], owner: str) -> list[int]:
    if isinstance(rows, int | np.integer | str):
        items: list[object] = [rows]
    elif isinstance(rows, set | frozenset):
        raise RowsError(owner, rows, "a set has no order, and rows keep theirs; give a list")
    elif isinstance(rows, Iterable):
        items = list(rows)
    else:
        raise RowsError(owner, rows, "expected ints, a slice, a mask or axis names")
    if items and all(isinstance(item, bool | np.bool_) for item in items):
        if len(items) != size:
            raise RowsError(owner, rows, f"a mask of {len(items)} entries for {size} rows")
        return [i for i, item in enumerate(items) if item]
    parse: Callable[[object], int] = lambda item: _one_row(item, rows, size, names, owner)  # noqa: E731
    return [parse(item) for item in items]


def _one_row(item: object, rows: object, size: int, names: Sequence[str], owner: str) -> int:
    if isinstance(item, str):
        if item not in names:
            known = ", ".join(names) if names else "none"
            raise RowsError(owner, rows, f"no row is called {item!r}; named rows: {known}")
        return list(names).index(item)
    if isinstance(item, bool | np.bool_) or not isinstance(item, int | np.integer):
        raise RowsError(owner, rows, f"{item!r} is not a row number")
    if not 0 <= item < size:
        raise RowsError(owner, rows, f"row {item} does not exist; it has rows 0 to {size - 1}")
    return int(item)
