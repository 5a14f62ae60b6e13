"""Gradient of the manipulability from the columns of the Jacobian."""

import math

import numpy as np

from footwork._numba import F8, I8, IVEC, MAT, OUT1, OUT2, VEC, VOID, kernel
from footwork.typing import IntVector, Matrix, Vector

SINGULAR = 1e-12
"""Manipulability below which there is no gradient."""


@kernel(VOID(VEC, VEC, MAT, IVEC, OUT2), counted=False)
def fill_columns(oMi: Vector, origin: Vector, JT: Matrix, support: IntVector, J: Matrix) -> None:
    """Fill a frame's columns, at its own origin, in world axes.

    Args:
        oMi: Placement of the frame's joint, R by columns, then t, shape (12,).
        origin: Origin of the frame in the joint's axes [m], shape (3,).
        JT: Joint Jacobian in world axes at the world's origin, transposed, shape (columns, 6).
        support: Columns that move the frame, shape (s,).
        J: Written, column k of the frame's Jacobian in row k, shape (s, 6).
    """
    x = oMi[9] + oMi[0] * origin[0] + oMi[3] * origin[1] + oMi[6] * origin[2]
    y = oMi[10] + oMi[1] * origin[0] + oMi[4] * origin[1] + oMi[7] * origin[2]
    z = oMi[11] + oMi[2] * origin[0] + oMi[5] * origin[1] + oMi[8] * origin[2]
    for s in range(support.size):
        j, out = JT[support[s]], J[s]
        out[0] = j[0] + j[4] * z - j[5] * y
        out[1] = j[1] + j[5] * x - j[3] * z
        out[2] = j[2] + j[3] * y - j[4] * x
        out[3], out[4], out[5] = j[3], j[4], j[5]


@kernel(VOID(VEC, VEC, I8, OUT1), counted=False)
def turn(a: Vector, b: Vector, is_carried: int, out: Vector) -> None:
    """Fill how a column changes when another joint moves.

    Args:
        a: Column of the joint that moves, linear first.
        b: Column that changes.
        is_carried: 1 when it hangs on that joint or is its own, and turns with it; 0 when it
            carries the joint, and sees the frame's origin move.
        out: Written, shape (6,).
    """
    if is_carried != 0:
        u, v, w = a[3], a[4], a[5]
        x, y, z = b[0], b[1], b[2]
    else:
        u, v, w = b[3], b[4], b[5]
        x, y, z = a[0], a[1], a[2]
    out[0], out[1], out[2] = v * z - w * y, w * x - u * z, u * y - v * x
    x, y, z = b[3] * is_carried, b[4] * is_carried, b[5] * is_carried
    out[3], out[4], out[5] = v * z - w * y, w * x - u * z, u * y - v * x


SIGNATURE = F8(*(VEC, VEC, MAT, IVEC, IVEC, IVEC, VEC, I8, I8, OUT1))


@kernel(SIGNATURE)
def manipulability_gradient(
    oMi: Vector,
    origin: Vector,
    JT: Matrix,
    support: IntVector,
    starts: IntVector,
    component: IntVector,
    weights: Vector,
    first: int,
    rows: int,
    gradient: Vector,
) -> float:
    """Fill ∂w/∂q_k = w · tr((J W Jᵀ)⁻¹ ∂J/∂q_k W Jᵀ), w = √det(J W Jᵀ).

    A column that hangs on joint k turns with it: (ω_k × v_i ; ω_k × ω_i). One that carries it sees
    the frame's origin move: (ω_i × v_k ; 0). Columns of one component of v, those of mimic joints,
    add up, in J and in the gradient.

    Args:
        oMi: Placement of the frame's joint, R by columns, then t, shape (12,).
        origin: Origin of the frame in the joint's axes [m], shape (3,).
        JT: Joint Jacobian in world axes at the world's origin, transposed, shape (columns, 6).
        support: Columns that move the frame, ascending, shape (s,).
        starts: Place in ``support`` of the first column of each column's joint, shape (s,).
        component: Component of v of each column of ``support``, shape (s,).
        weights: W, shape (nv,).
        first: First row of the frame's Jacobian that counts.
        rows: How many count.
        gradient: Written, shape (nv,).

    Returns:
        w; the gradient is zero where it is.
    """
    size, nv = support.size, weights.size
    J, change, G = np.empty((size, 6)), np.empty(6), np.zeros((rows, rows))
    of_v, weighted = np.zeros((nv, rows)), np.empty((nv, rows))
    fill_columns(oMi, origin, JT, support, J)
    gradient[:] = 0.0
    for s in range(size):
        for i in range(rows):
            of_v[component[s], i] += J[s, first + i]
    for k in range(nv):
        for i in range(rows):
            for j in range(rows):
                G[i, j] += weights[k] * of_v[k, i] * of_v[k, j]
    measure = math.sqrt(max(np.linalg.det(G), 0.0))
    if measure <= SINGULAR:
        return measure
    np.dot(of_v, np.linalg.inv(G), weighted)
    for k in range(size):
        total = 0.0
        for i in range(size):
            turn(J[k], J[i], 1 if i >= starts[k] else 0, change)
            part = 0.0
            for row in range(rows):
                part += change[first + row] * weighted[component[i], row]
            total += weights[component[i]] * part
        gradient[component[k]] += measure * total
    return measure
