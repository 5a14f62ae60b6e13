"""The one product that pays for being written in vectors: four rows by eight columns, in registers.

Symmetric products, Cholesky factors, triangular inverses and eliminations of a robot's size are all
made of it, at several times the speed of loops. Matrices are padded to whole tiles with zeros.
"""

from collections.abc import Callable
from typing import Any, Final

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from footwork._numba import I8, OUT1, OUT2, VOID, kernel
from footwork.stack._kernels.memory import IS_COMPILED
from footwork.stack._kernels.products import set_zero
from footwork.typing import Matrix, Vector

ROWS: Final = 4
WIDTH: Final = 8
"""Size of a tile."""

Tile = Callable[[Matrix, int, Matrix, int, int, int, Matrix, int, Vector], None]
"""``tile(A, i, B, j, first, last, C, k, t)`` takes aᵀ b from the four rows C[k:k+4, j:j+8], with
a = A[first:last, i:i+4] and b = B[first:last, j:j+8], and solves what is left for the *turn* t, a
lower triangle by rows: d₀, l₁₀, d₁, l₂₀, l₂₁, d₂, l₃₀, l₃₁, l₃₂, d₃ (see the twin below)."""

if IS_COMPILED:
    _intrinsic: Callable[[Any], Any] = intrinsic

    _NUMBER, _INDEX = ir.DoubleType(), ir.IntType(64)
    _VECTOR = ir.VectorType(_NUMBER, WIDTH)
    _NOTHING = ir.Constant(_VECTOR, ir.Undefined)
    _FUSED = ("contract",)

    def _whole(value: int) -> Any:
        return ir.Constant(_INDEX, value)

    class _Reader:
        """Reads and writes the arrays of one call."""

        def __init__(self, context: Any, builder: Any, signature: Any, args: Any) -> None:
            self._context, self._builder = context, builder
            self._kinds, self._args = signature.args, args

        def array(self, position: int) -> tuple[Any, Any]:
            """Find where an argument's numbers are, and how many make a row."""
            make = self._context.make_array(self._kinds[position])
            array = make(self._context, self._builder, self._args[position])
            return array.data, cgutils.unpack_tuple(self._builder, array.shape)[-1]

        def at(self, data: Any, step: Any, row: Any, column: Any) -> Any:
            """Point at an entry, as at the start of a vector."""
            builder = self._builder
            return builder.gep(data, [builder.add(builder.mul(row, step), column)])

        def load(self, pointer: Any) -> Any:
            """Read eight numbers."""
            builder = self._builder
            loaded = builder.load(builder.bitcast(pointer, _VECTOR.as_pointer()))
            loaded.align = 8
            return loaded

        def store(self, vector: Any, pointer: Any) -> None:
            """Write eight numbers."""
            builder = self._builder
            builder.store(vector, builder.bitcast(pointer, _VECTOR.as_pointer())).align = 8

        def spread(self, scalar: Any) -> Any:
            """Repeat a number eight times."""
            builder = self._builder
            kind = ir.VectorType(scalar.type, WIDTH)
            nothing = ir.Constant(kind, ir.Undefined)
            lane = builder.insert_element(nothing, scalar, ir.Constant(ir.IntType(32), 0))
            first = ir.Constant(ir.VectorType(ir.IntType(32), WIDTH), [0] * WIDTH)
            return builder.shuffle_vector(lane, nothing, first)

        def entry(self, data: Any, index: int) -> Any:
            """Read one number and repeat it."""
            return self.spread(self._builder.load(self._builder.gep(data, [_whole(index)])))

    def _write_tile(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        """Build the loop; accumulators are named variables, which LLVM keeps in registers."""
        read = _Reader(context, builder, signature, args)
        _, i, _, j, first, last, _, k, _ = args
        (A, a_step), (B, b_step), (C, c_step) = read.array(0), read.array(2), read.array(6)
        t, _ = read.array(8)

        def less(x: Any, y: Any, z: Any) -> Any:
            return builder.fsub(x, builder.fmul(y, z, flags=_FUSED), flags=_FUSED)

        rows = [read.at(C, c_step, builder.add(k, _whole(r)), j) for r in range(ROWS)]
        sums = [cgutils.alloca_once(builder, _VECTOR) for _ in rows]
        for row, total in zip(rows, sums, strict=True):
            builder.store(read.load(row), total)
        with cgutils.for_range_slice(builder, first, last, _whole(1)) as (p, _):
            a, b = read.at(A, a_step, p, i), read.load(read.at(B, b_step, p, j))
            for r, total in enumerate(sums):
                builder.store(less(builder.load(total), read.entry(a, r), b), total)
        done: list[Any] = []
        for r, total in enumerate(sums):
            y, start = builder.load(total), r * (r + 1) // 2
            for s, earlier in enumerate(done):
                y = less(y, read.entry(t, start + s), earlier)
            done.append(builder.fmul(y, read.entry(t, start + r)))
        for row, y in zip(rows, done, strict=True):
            read.store(y, row)
        return context.get_dummy_value()

    @_intrinsic
    def _tile(
        _t: Any, A: Any, i: Any, B: Any, j: Any, first: Any, last: Any, C: Any, k: Any, t: Any
    ) -> Any:
        whole = types.int64
        return types.void(A, whole, B, whole, whole, whole, C, whole, t), _write_tile

    tile: Tile = _tile

else:

    def tile(
        A: Matrix, i: int, B: Matrix, j: int, first: int, last: int, C: Matrix, k: int, t: Vector
    ) -> None:
        """Replace the four rows c of C[k:k+4, j:j+8] by y with y_r = d_r (z_r − Σ_s l_rs y_s).

        z = c − aᵀ b,  a = A[first:last, i:i+4],  b = B[first:last, j:j+8].
        """
        rows = C[k : k + ROWS, j : j + WIDTH]
        rows -= A[first:last, i : i + ROWS].T @ B[first:last, j : j + WIDTH]
        for r in range(ROWS):
            start = r * (r + 1) // 2
            for s in range(r):
                rows[r] -= t[start + s] * rows[s]
            rows[r] *= t[start + r]


@kernel(I8(I8), counted=False)
def padded(size: int) -> int:
    """Round a size up to whole tiles.

    Args:
        size: Any.

    Returns:
        The next multiple of 8.
    """
    return (size + 7) & -8


@kernel(VOID(OUT1, I8), counted=False)
def set_turn(t: Vector, sign: int) -> None:
    """Make a turn ± the identity.

    Args:
        t: Written, (10,).
        sign: +1 or −1.
    """
    for q in range(10):
        t[q] = 0.0
    t[0] = t[2] = t[5] = t[9] = float(sign)


@kernel(VOID(OUT2, I8, I8, OUT1, OUT2), counted=False)
def gram(M: Matrix, count: int, size: int, t: Vector, H: Matrix) -> None:
    """Fill the upper triangle of H = Mᵀ M.

    Args:
        M: Rows, padded with zeros, (≥ count, ≥ size).
        count: Number of rows.
        size: Columns, a multiple of 8.
        t: Scratch, (10,).
        H: Written, (≥ size, ≥ size).
    """
    set_turn(t, -1)
    set_zero(H[:size])
    for i in range(0, size, 4):
        for j in range(i & -8, size, 8):
            tile(M, i, M, j, 0, count, H, i, t)
