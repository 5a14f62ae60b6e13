"""Affine parts of a larger vector of unknowns: y = M x + q.

An acceleration problem may solve for x = (joint accelerations, contact wrenches, …). A task or a
constraint is written in its own variable y, and says by an `Affine` which part of x that is.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Union

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError, ShapeError
from footwork.typing import Matrix, Vector, as_array, frozen


class Affine:
    """An affine function y = M x + q of the unknowns; a frozen value.

    Attributes:
        M: Linear part, shape (output_size, input_size), read-only.
        q: Constant part, shape (output_size,), read-only.
        offset: First entry of x when y is just a slice of x (M = [0 I 0], q = 0), else None.

    Example:
        >>> x = Affine.identity(3)
        >>> (2.0 * x.segment(1, 2) + [0.5, 0.0]).value([1.0, 2.0, 3.0])
        array([4.5, 6. ])
    """

    __array_ufunc__ = None
    __slots__ = ("M", "offset", "q")

    def __init__(self, M: ArrayLike, q: ArrayLike | None = None) -> None:
        linear = as_array("M", M, ("output_size", "input_size"))
        rows = linear.shape[0]
        constant = np.zeros(rows) if q is None else as_array("q", q, (rows,))
        self.M: Final[Matrix] = frozen(linear)
        self.q: Final[Vector] = frozen(constant)
        self.offset: Final[int | None] = _offset_of(linear, constant)

    @classmethod
    def identity(cls, size: int) -> "Affine":
        """Make y = x.

        Args:
            size: Entries of x.

        Returns:
            The identity.
        """
        return cls(np.eye(size))

    @classmethod
    def zero(cls, input_size: int, output_size: int) -> "Affine":
        """Make y = 0.

        Args:
            input_size: Entries of x.
            output_size: Entries of y.

        Returns:
            The zero function.
        """
        return cls(np.zeros((output_size, input_size)))

    @property
    def input_size(self) -> int:
        """Entries of x."""
        return int(self.M.shape[1])

    @property
    def output_size(self) -> int:
        """Entries of y."""
        return int(self.M.shape[0])

    def value(self, x: ArrayLike) -> Vector:
        """Evaluate y = M x + q.

        Args:
            x: Unknowns, shape (input_size,).

        Returns:
            y, shape (output_size,).

        Raises:
            ShapeError: If x has another size.
        """
        y: Vector = self.M @ as_array("x", x, (self.input_size,)) + self.q
        return y

    def segment(self, first: int, size: int) -> "Affine":
        """Take consecutive entries of y.

        Args:
            first: From 0.
            size: How many.

        Returns:
            The part.

        Raises:
            InputError: If there are not as many.
        """
        if first < 0 or size < 0 or first + size > self.output_size:
            raise InputError(
                f"segment of {size} entries from {first} of a variable of {self.output_size}"
            )
        return Affine(self.M[first : first + size], self.q[first : first + size])

    def head(self, size: int) -> "Affine":
        """Take the first entries of y.

        Args:
            size: How many.

        Returns:
            The part.
        """
        return self.segment(0, size)

    def tail(self, size: int) -> "Affine":
        """Take the last entries of y.

        Args:
            size: How many.

        Returns:
            The part.
        """
        return self.segment(self.output_size - size, size)

    def __add__(self, other: Union["Affine", ArrayLike]) -> "Affine":
        if isinstance(other, Affine):
            _check_same(self, other, "+")
            return Affine(self.M + other.M, self.q + other.q)
        return Affine(self.M, self.q + as_array("vector", other, (self.output_size,)))

    __radd__ = __add__

    def __sub__(self, other: Union["Affine", ArrayLike]) -> "Affine":
        if isinstance(other, Affine):
            return self + (-other)
        return Affine(self.M, self.q - as_array("vector", other, (self.output_size,)))

    def __rsub__(self, other: ArrayLike) -> "Affine":
        return -self + other

    def __neg__(self) -> "Affine":
        return Affine(-self.M, -self.q)

    def __rmul__(self, factor: ArrayLike) -> "Affine":
        """Scale (a number), or map linearly (a matrix, as ``@``)."""
        if np.ndim(factor) == 0:
            scale = float(as_array("factor", factor, ()))
            return Affine(scale * self.M, scale * self.q)
        return self.__rmatmul__(factor)

    def __rmatmul__(self, matrix: ArrayLike) -> "Affine":
        left = as_array("matrix", matrix, ("rows", self.output_size))
        return Affine(left @ self.M, left @ self.q)

    def __truediv__(self, other: "Affine") -> "Affine":
        """Pile: the entries of this, then those of the other."""
        if self.input_size != other.input_size:
            raise ShapeError("variable", ("output_size", self.input_size), other.M.shape)
        return Affine(np.vstack([self.M, other.M]), np.concatenate([self.q, other.q]))

    def __repr__(self) -> str:
        where = f", offset={self.offset}" if self.offset is not None else ""
        return f"Affine({self.output_size} of {self.input_size} unknowns{where})"


class Variables:
    """Named parts of the unknowns x, one after the other.

    Example:
        >>> parts = Variables({"accelerations": 5, "left_wrench": 6})
        >>> parts.size, parts["left_wrench"].offset
        (11, 5)
    """

    def __init__(self, sizes: Mapping[str, int] | Iterable[tuple[str, int]]) -> None:
        pairs = list(sizes.items() if isinstance(sizes, Mapping) else sizes)
        self._slices: dict[str, slice] = {}
        first = 0
        for name, size in pairs:
            if name in self._slices:
                raise InputError(f"variable {name!r} is named twice")
            if size < 0:
                raise InputError(f"variable {name!r} has size {size}; expected 0 or more")
            self._slices[name] = slice(first, first + size)
            first += size
        self.size: Final = first

    @property
    def names(self) -> tuple[str, ...]:
        """Names in the order of x."""
        return tuple(self._slices)

    def slice_of(self, name: str) -> slice:
        """Find where a variable lies in x.

        Args:
            name: Its name.

        Returns:
            Slice of x.

        Raises:
            InputError: If there is no such variable; it lists those that exist.
        """
        if name not in self._slices:
            raise InputError(f"no variable is called {name!r}; there are {', '.join(self.names)}")
        return self._slices[name]

    def __getitem__(self, name: str) -> Affine:
        where = self.slice_of(name)
        M = np.zeros((where.stop - where.start, self.size))
        M[:, where] = np.eye(where.stop - where.start)
        return Affine(M)

    def __contains__(self, name: object) -> bool:
        return name in self._slices

    def __len__(self) -> int:
        return len(self._slices)

    def all(self) -> Affine:
        """Take every variable at once.

        Returns:
            The identity.
        """
        return Affine.identity(self.size)

    def split(self, x: ArrayLike) -> dict[str, Vector]:
        """Cut a solution into its named parts.

        Args:
            x: Unknowns, shape (size,).

        Returns:
            A copy of each part by name.
        """
        values = as_array("x", x, (self.size,))
        return {name: values[where].copy() for name, where in self._slices.items()}


def _offset_of(M: Matrix, q: Vector) -> int | None:
    rows, columns = M.shape
    if q.any() or rows == 0:
        return None
    first = int(np.argmax(M[0] != 0.0))
    if first + rows > columns or np.count_nonzero(M) != rows:
        return None
    return first if np.array_equal(M[:, first : first + rows], np.eye(rows)) else None


def _check_same(a: Affine, b: Affine, operator: str) -> None:
    if a.M.shape != b.M.shape:
        raise ShapeError(f"right side of {operator}", a.M.shape, b.M.shape)
