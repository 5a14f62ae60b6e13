"""Pieces of a trajectory propagated at once, each as it is and nudged along every variable."""

import numpy as np

from footwork._numba import F8, I8, IMAT, MAT, OUT2, OUT3, VEC, VOID, kernel
from footwork.planning._kernels.metric import interpolate
from footwork.planning._kernels.rollout import call_rollout
from footwork.typing import IntVector, Matrix, Tensor, Vector


@kernel(I8(I8, MAT, MAT, F8, I8, VEC, VEC, OUT3), nogil=True)
def propagate_pieces(
    address: int,
    states: Matrix,
    controls: Matrix,
    h: float,
    steps: int,
    params: Vector,
    nudges: Vector,
    ends: Tensor,
) -> int:
    """Propagate each piece from its state with its control.

    Args:
        address: Of the rollout.
        states: Where the pieces begin, shape (N, n) or more rows.
        controls: One of each piece, shape (N, m).
        h: One step [s].
        steps: Of each piece.
        params: Of the rollout.
        nudges: What is added to each of the n + m variables, shape (n + m,).
        ends: Filled with where they end: first as they are, then, if there is room, with each
            variable nudged; shape (N, 1, n) or (N, 1 + n + m, n).

    Returns:
        0, or the negative code of a callback that failed.
    """
    n = states.shape[1]
    x = np.empty(n)
    u = np.empty(controls.shape[1])
    out = np.empty((steps, n))
    for i in range(controls.shape[0]):
        for j in range(ends.shape[1]):
            x[:] = states[i]
            u[:] = controls[i]
            if 0 < j <= n:
                x[j - 1] += nudges[j - 1]
            elif j > n:
                u[j - 1 - n] += nudges[j - 1]
            code = call_rollout(address, x, u, h, steps, 0.0, params, out)
            if code < 0:
                return code
            ends[i, j] = out[steps - 1]
    return 0


@kernel(VOID(IMAT, VEC, VEC, OUT2), nogil=True)
def interpolate_evenly(components: IntVector, a: Vector, b: Vector, out: Matrix) -> None:
    """States at equal distances on the straight line from a, which is left out, to b."""
    for k in range(out.shape[0]):
        interpolate(components, a, b, (k + 1.0) / out.shape[0], out[k])
