"""Square roots of the weight of one level, which scale its rows in the packed problem."""

from collections.abc import Iterable

import numpy as np

from footwork.errors import WeightError
from footwork.stack.layout import Layout
from footwork.stack.weights import square_root
from footwork.typing import IntVector, Matrix, Vector


class LevelWeight:
    """Square root of the weight of one level, row by row where it is diagonal.

    Attributes:
        blocks: Runs of rows that are coupled: the first row of the problem, and F of W = FᵀF.
    """

    def __init__(self, layout: Layout, level: int) -> None:
        parts = [rows for rows in layout.costs if rows.level == level]
        soft = [rows for rows in layout.constraints if rows.soft and rows.level == level]
        self._task = layout.levels[level]
        self._rows = slice(layout.offsets[level], layout.offsets[level + 1])
        self._positions = _int_vector(p for rows in parts for p in rows.positions)
        self._soft_rows = _int_vector(s.first + i for s in soft for i in range(s.segment.size))
        self._soft_positions = _int_vector(p for s in soft for p in s.positions)
        self._diagonal: Vector | None = None
        self.blocks: list[tuple[int, Matrix]] = []

    def patch(self, roots: Vector, soft_roots: Vector) -> None:
        """Write the square roots where the weight has changed.

        Args:
            roots: Of all cost rows; 1 in a block.
            soft_roots: Of all constraint rows.

        Raises:
            WeightError: If a weight as a whole is indefinite, or couples rows of an inequality task
                to others; it names the task.
        """
        diagonal = self._task.weight_diagonal()
        if diagonal is None:
            self._diagonal = None
            self._patch_full(self._task.weight_matrix(), roots[self._rows], soft_roots)
        elif diagonal is not self._diagonal:
            self.blocks = []
            root = np.sqrt(diagonal)
            roots[self._rows] = root[self._positions]
            soft_roots[self._soft_rows] = root[self._soft_positions]
            self._diagonal = diagonal

    def _patch_full(self, W: Matrix, roots: Vector, soft_roots: Vector) -> None:
        soft, diagonal = self._soft_positions, np.diagonal(W)
        if np.count_nonzero(W[soft]) > np.count_nonzero(diagonal[soft]):
            raise WeightError(
                self._task.id,
                "it couples rows of an inequality task to others; those of a ConstraintToTask may "
                "have a weight each, and rows A x = b any weight among themselves",
            )
        soft_roots[self._soft_rows] = np.sqrt(diagonal[soft])
        self.blocks = []
        roots[:] = 1.0
        self._add_blocks(W[np.ix_(self._positions, self._positions)], roots)

    def _add_blocks(self, W: Matrix, roots: Vector) -> None:
        """Cut a weight into runs of rows that are coupled; single rows get a plain factor."""
        m = W.shape[0]
        start = 0
        while start < m:
            stop = start + 1
            row = start
            while row < stop:
                coupled = np.flatnonzero(W[row])
                stop = max(stop, int(coupled[-1]) + 1 if coupled.size else stop)
                row += 1
            F = square_root(W[start:stop, start:stop], self._task.id)
            if stop == start + 1:
                roots[start] = F[0, 0]
            else:
                self.blocks.append((self._rows.start + start, F))
            start = stop


def _int_vector(numbers: Iterable[int]) -> IntVector:
    return np.array(list(numbers), dtype=np.int64)
