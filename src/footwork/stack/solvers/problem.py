"""The numeric problem that every solver of the stack takes.

Unknown x in R^n. Levels k = 0 … L−1, the first is the most important one:

    minimise ½|A_k x − b_k|² + c_kᵀ x + ½ Σ violation²    over the inequality tasks of level k
    lower ≤ x ≤ upper                                     at every level
    c_lower ≤ C x ≤ c_upper                               hard from the row's c_level on

Cost rows come scaled by the square root of their weight. All levels are packed in one array, so
that a kernel takes the whole problem without a list.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from footwork.errors import InputError, ShapeError
from footwork.typing import IntVector, Matrix, Vector, as_array

HARD = -1
"""Entry of ``c_soft`` of a row that may not be violated."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Level:
    """One level, as a person writes it; ``Problem.from_levels`` packs several.

    Attributes:
        A: Cost rows, shape (m, n), scaled by the square root of their weight.
        b: Their targets, shape (m,).
        c: Linear cost, shape (n,); None is zero.
        C: Rows that are hard at this level and below, shape (k, n); None is none.
        C_lower: Their lower sides, shape (k,); −inf is none.
        C_upper: Their upper sides, shape (k,); equal to the lower side is an equation.
        S: Rows of inequality tasks, whose violation is minimised at this level, shape (s, n).
        S_lower: Their lower sides, shape (s,).
        S_upper: Their upper sides, shape (s,).
    """

    A: ArrayLike = ()
    b: ArrayLike = ()
    c: ArrayLike | None = None
    C: ArrayLike = ()
    C_lower: ArrayLike = ()
    C_upper: ArrayLike = ()
    S: ArrayLike = ()
    S_lower: ArrayLike = ()
    S_upper: ArrayLike = ()


@dataclass(frozen=True, kw_only=True, eq=False)
class Problem:
    """A prioritised problem in packed arrays.

    The arrays are used as they are, without a copy: whoever builds a problem every tick rewrites
    them in place. ``from_levels`` copies and checks.

    Attributes:
        lower: Lower bounds of x, shape (n,); −inf is none.
        upper: Upper bounds of x, shape (n,).
        A: Cost rows of all levels, shape (M, n).
        b: Their targets, shape (M,).
        level_offset: Rows of level k are ``level_offset[k]:level_offset[k + 1]``, shape (L + 1,).
        c: Linear cost of each level, shape (L, n).
        C: Constraint rows, shape (K, n).
        c_lower: Lower sides, shape (K,).
        c_upper: Upper sides, shape (K,).
        c_level: First level at which the row is hard (0: stack-wide), shape (K,).
        c_soft: HARD, or the level of which the row is an inequality task, shape (K,).
        variable_names: Names of the unknowns for messages; empty means ``x[i]``.
        row_names: Names of the constraint rows; empty means ``C[i]``.
        level_names: Names of the levels; empty means ``level k``.
        is_fixed: Whether all arrays stay where they are (see `footwork.stack.fixed`), and levels
            and offsets as they are, so that a solver need not look at them again.
    """

    lower: Vector
    upper: Vector
    A: Matrix
    b: Vector
    level_offset: IntVector
    c: Matrix
    C: Matrix
    c_lower: Vector
    c_upper: Vector
    c_level: IntVector
    c_soft: IntVector
    variable_names: Sequence[str] = field(default=())
    row_names: Sequence[str] = field(default=())
    level_names: Sequence[str] = field(default=())
    is_fixed: bool = False

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """The arrays in the order of the fields, as the kernels take them."""
        return (
            *(self.lower, self.upper, self.A, self.b, self.level_offset, self.c),
            *(self.C, self.c_lower, self.c_upper, self.c_level, self.c_soft),
        )

    @property
    def variable_count(self) -> int:
        """Number n of unknowns."""
        return self.lower.size

    @property
    def level_count(self) -> int:
        """Number L of levels."""
        return self.level_offset.size - 1

    @property
    def row_count(self) -> int:
        """Number K of constraint rows, without the bounds."""
        return self.c_lower.size

    def name_of(self, index: int) -> str:
        """Name a constraint as messages do.

        Args:
            index: 0 … n − 1 a bound of x, n … n + K − 1 a constraint row.

        Returns:
            Its name.
        """
        n = self.variable_count
        if index < n:
            return self.variable_names[index] if self.variable_names else f"x[{index}]"
        return self.row_names[index - n] if self.row_names else f"C[{index - n}]"

    def level_name(self, level: int) -> str:
        """Name a level as messages do.

        Args:
            level: 0 … L − 1; L is what remains after the last.

        Returns:
            Its name.
        """
        if level == self.level_count:
            return "the minimum norm"
        return self.level_names[level] if self.level_names else f"level {level}"

    def copy(self) -> "Problem":
        """Copy every array.

        Returns:
            A problem that later changes of the arrays do not reach.
        """
        names = (f.name for f in fields(self))
        copies: Any = {name: a.copy() for name, a in zip(names, self.arrays, strict=False)}
        return replace(self, **copies, is_fixed=False)

    def __getstate__(self) -> dict[str, Any]:
        """Say that the arrays of a copy are ordinary ones."""
        return {**self.__dict__, "is_fixed": False}

    def rows(self, level: int) -> slice:
        """Tell where the cost rows of a level are.

        Args:
            level: 0 … L − 1.

        Returns:
            Slice of A and b.
        """
        return slice(int(self.level_offset[level]), int(self.level_offset[level + 1]))

    @staticmethod
    def from_levels(
        levels: Sequence[Level],
        *,
        size: int,
        lower: ArrayLike | None = None,
        upper: ArrayLike | None = None,
        variable_names: Sequence[str] = (),
        row_names: Sequence[str] = (),
        level_names: Sequence[str] = (),
    ) -> "Problem":
        """Pack levels written one by one.

        Args:
            levels: The most important one first.
            size: Number n of unknowns.
            lower: Lower bounds, shape (n,); None is none.
            upper: Upper bounds, shape (n,); None is none.
            variable_names: Names of the unknowns.
            row_names: Names of the constraint rows, per level first C, then S.
            level_names: Names of the levels.

        Returns:
            The packed problem; the arguments are copied.

        Raises:
            InputError: If the numbers of names do not fit, or an entry is NaN.
            ShapeError: If a shape does not fit.
        """
        costs = [_rows(f"levels[{k}].A", v.A, size) for k, v in enumerate(levels)]
        targets = [
            as_array(f"levels[{k}].b", v.b, (costs[k].shape[0],)) for k, v in enumerate(levels)
        ]
        linear = [
            np.zeros(size) if v.c is None else as_array(f"levels[{k}].c", v.c, (size,))
            for k, v in enumerate(levels)
        ]
        matrices: list[Matrix] = []
        lowers: list[Vector] = []
        uppers: list[Vector] = []
        first: list[int] = []
        soft: list[int] = []
        for k, v in enumerate(levels):
            for letter, is_soft in (("C", False), ("S", True)):
                rows = _rows(f"levels[{k}].{letter}", getattr(v, letter), size)
                count = rows.shape[0]
                matrices.append(rows)
                for side, into in (("lower", lowers), ("upper", uppers)):
                    name = f"levels[{k}].{letter}_{side}"
                    value = getattr(v, f"{letter}_{side}")
                    into.append(_side(name, value, count))
                first += [k] * count
                soft += [k if is_soft else HARD] * count
        row_count = len(first)
        for name, names, count in (
            ("variable_names", variable_names, size),
            ("row_names", row_names, row_count),
            ("level_names", level_names, len(levels)),
        ):
            if len(names) not in {0, count}:
                raise InputError(f"{name}: expected {count} names or none, got {len(names)}")
        sizes = [a.shape[0] for a in costs]
        return Problem(
            lower=np.full(size, -np.inf) if lower is None else _side("lower", lower, size),
            upper=np.full(size, np.inf) if upper is None else _side("upper", upper, size),
            A=np.vstack([np.zeros((0, size)), *costs]),
            b=np.concatenate([np.zeros(0), *targets]),
            level_offset=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
            c=np.vstack([np.zeros((0, size)), *linear]),
            C=np.vstack([np.zeros((0, size)), *matrices]),
            c_lower=np.concatenate([np.zeros(0), *lowers]),
            c_upper=np.concatenate([np.zeros(0), *uppers]),
            c_level=np.array(first, dtype=np.int64),
            c_soft=np.array(soft, dtype=np.int64),
            variable_names=tuple(variable_names),
            row_names=tuple(row_names),
            level_names=tuple(level_names),
        )

    def check(self) -> None:
        """Check every shape and every entry.

        Raises:
            InputError: If an entry is NaN, a level index is out of range or offsets do not ascend.
            ShapeError: If a shape does not fit.
            NotFiniteError: If A, b, c or C has an entry that is not finite.
        """
        self.check_layout()
        for name in ("lower", "upper", "c_lower", "c_upper"):
            array = getattr(self, name)
            _side(name, array, array.size)
        for name in ("A", "b", "c", "C"):
            array = getattr(self, name)
            as_array(name, array, array.shape)

    def check_layout(self) -> None:
        """Check types, shapes, levels and offsets, but no number of the problem.

        Raises:
            InputError: If a level index is out of range, offsets do not ascend, or an array is not
                of C-contiguous float64 (int64 for levels and offsets).
            ShapeError: If a shape does not fit.
        """
        for name in (*_FLOATS, *_INTEGERS):
            dtype = np.float64 if name in _FLOATS else np.int64
            _check_type(name, getattr(self, name), dtype)
        n, rows, count = self.variable_count, self.b.size, self.row_count
        levels, offset = self.level_count, self.level_offset
        if offset.ndim != 1 or offset.size == 0:
            raise ShapeError("level_offset", ("L + 1",), offset.shape)
        for name, shape in (
            *(("lower", (n,)), ("upper", (n,)), ("A", (rows, n)), ("b", (rows,))),
            *(("c", (levels, n)), ("C", (count, n)), ("c_lower", (count,)), ("c_upper", (count,))),
            *(("c_level", (count,)), ("c_soft", (count,))),
        ):
            if getattr(self, name).shape != shape:
                raise ShapeError(name, shape, getattr(self, name).shape)
        if offset[0] != 0 or offset[-1] != rows or (np.diff(offset) < 0).any():
            raise InputError(f"level_offset: expected to ascend from 0 to {rows}, got {offset}")
        for name, array, least in (("c_level", self.c_level, 0), ("c_soft", self.c_soft, HARD)):
            if count and not (least <= array.min() and array.max() < max(levels, 1)):
                raise InputError(f"{name}: expected levels {least} to {levels - 1}")


_FLOATS = ("lower", "upper", "A", "b", "c", "C", "c_lower", "c_upper")
_INTEGERS = ("level_offset", "c_level", "c_soft")


def _check_type(name: str, array: object, dtype: type[np.generic]) -> None:
    wanted = f"{name}: expected a C-contiguous array of {dtype.__name__}"
    if not isinstance(array, np.ndarray):
        raise InputError(f"{wanted}, got {type(array).__name__}")
    if array.dtype != dtype or not array.flags.c_contiguous or not array.flags.aligned:
        order = "" if array.flags.c_contiguous else ", not contiguous"
        order += "" if array.flags.aligned else ", not aligned"
        raise InputError(f"{wanted}, got {array.dtype}{order}")


def _rows(name: str, value: ArrayLike, size: int) -> Matrix:
    if np.size(value) == 0:
        return np.zeros((0, size))
    return as_array(name, value, ("m", size))


def _side(name: str, value: ArrayLike, size: int) -> Vector:
    array = as_array(name, value, (size,), finite=False)
    if np.isnan(array).any():
        raise InputError(f"{name}[{int(np.isnan(array).argmax())}]: expected a number, got nan")
    return array
