"""Which pairs of shapes may be near, and the rows that keep near ones apart.

Every shape has a box, in its own axes, and the sphere around that. What separates two boxes
separates what is inside them, so the largest gap along any axis is a lower bound of the distance.
"""

import math

import numpy as np

from footwork._numba import F8, I8, IMAT, IOUT1, IVEC, MAT, OUT1, OUT2, TEN, VEC, VOID, kernel
from footwork.stack._kernels.lie import place_frame
from footwork.stack._kernels.workspace import IntMatrix
from footwork.typing import IntVector, Matrix, Tensor, Vector


@kernel(F8(VEC, VEC, F8, F8, F8), fast=True)
def gap_along(a: Vector, b: Vector, x: float, y: float, z: float) -> float:
    """Tell how far two boxes are apart along an axis.

    Args:
        a: Centre (3), half axes by rows (9), of the first box.
        b: Those of the second.
        x: Axis, need not be a unit vector.
        y: The same.
        z: The same.

    Returns:
        The gap [m], negative when their shadows overlap; −inf for no axis.
    """
    norm = math.sqrt(x * x + y * y + z * z)
    if norm < 1e-100:
        return -np.inf
    gap = abs((b[0] - a[0]) * x + (b[1] - a[1]) * y + (b[2] - a[2]) * z)
    for i in range(3, 12, 3):
        gap -= abs(a[i] * x + a[i + 1] * y + a[i + 2] * z)
        gap -= abs(b[i] * x + b[i + 1] * y + b[i + 2] * z)
    return gap / norm


@kernel(F8(VEC, VEC, F8), fast=True)
def box_gap(a: Vector, b: Vector, enough: float) -> float:
    """Bound the distance of two boxes from below by fifteen axes and the line of centres.

    Args:
        a: Centre (3), half axes by rows (9), of the first box.
        b: Those of the second.
        enough: A gap above this need not be made larger.

    Returns:
        A lower bound of the distance [m].
    """
    best = gap_along(a, b, b[0] - a[0], b[1] - a[1], b[2] - a[2])
    for i in range(3, 12, 3):
        best = max(best, gap_along(a, b, a[i], a[i + 1], a[i + 2]))
        best = max(best, gap_along(a, b, b[i], b[i + 1], b[i + 2]))
    for i in range(3, 12, 3):
        if best > enough:
            return best
        for j in range(3, 12, 3):
            x = a[i + 1] * b[j + 2] - a[i + 2] * b[j + 1]
            y = a[i + 2] * b[j] - a[i] * b[j + 2]
            z = a[i] * b[j + 1] - a[i + 1] * b[j]
            best = max(best, gap_along(a, b, x, y, z))
    return best


@kernel(I8(MAT, IVEC, MAT, IMAT, F8, OUT2, OUT1, IOUT1))
def find_near(
    oMi: Matrix,
    joints: IntVector,
    boxes: Matrix,
    pairs: IntMatrix,
    within: float,
    placed: Matrix,
    gaps: Vector,
    order: IntVector,
) -> int:
    """List the pairs that may be within a distance, by what their boxes allow, nearest first.

    Args:
        oMi: Placements of the joints, R by columns, then t, shape (joints, 12).
        joints: Joint of each shape, shape (m,).
        boxes: Each shape's box in its joint's axes: R by rows (9), centre (3), half sides (3),
            shape (m, 15).
        pairs: Pairs of shapes, shape (k, 2).
        within: Distance [m].
        placed: Scratch: radius, centre, half axes, and a placement, shape (m, 25).
        gaps: Lower bound of each listed pair's distance [m], shape (k,).
        order: Listed pairs, shape (k,).

    Returns:
        How many are listed.
    """
    for i in range(joints.size):
        box, out, total = boxes[i], placed[i], 0.0
        for k in range(12):
            out[13 + k] = box[k]
        place_frame(oMi[joints[i]], out, 13, 1)
        for k in range(3):
            total += box[12 + k] ** 2
        out[0] = math.sqrt(total)
        # Columns of R times the half sides are the half axes.
        for k in range(3):
            out[13 + k] = out[10 + k]
            for j in range(3):
                out[16 + 3 * k + j] = out[1 + 3 * j + k] * box[12 + k]
    count = 0
    for k in range(pairs.shape[0]):
        a, b = placed[pairs[k, 0]], placed[pairs[k, 1]]
        reach = within + a[0] + b[0]
        x, y, z = b[13] - a[13], b[14] - a[14], b[15] - a[15]
        if x * x + y * y + z * z > reach * reach:
            continue
        gap = box_gap(a[13:25], b[13:25], within)
        if gap > within:
            continue
        at = count
        while at > 0 and gaps[at - 1] > gap:
            gaps[at], order[at] = gaps[at - 1], order[at - 1]
            at -= 1
        gaps[at], order[at] = gap, k
        count += 1
    return count


@kernel(VOID(MAT, IMAT, IVEC, IMAT, TEN, MAT, I8, OUT2), fast=True)
def fill_rows(
    JT: Matrix,
    support: IntMatrix,
    velocity_of_column: IntVector,
    joints: IntMatrix,
    points: Tensor,
    normals: Matrix,
    count: int,
    J: Matrix,
) -> None:
    """Fill rows nᵀ (J₁ − J₂), J_i the Jacobian of the nearest point on shape i.

    Args:
        JT: Joint Jacobian in world axes at the world's origin, transposed, shape (columns, 6).
        support: Whether a column moves a joint, shape (joints, columns).
        velocity_of_column: Component of v of each column, shape (columns,).
        joints: Joints of each pair, shape (≥ count, 2).
        points: Nearest points in the world [m], shape (≥ count, 2, 3).
        normals: Unit vectors from the first to the second, shape (≥ count, 3).
        count: Number of rows.
        J: Written, the rows behind ``count`` with zeros, shape (rows, nv).
    """
    J[:] = 0.0
    for k in range(count):
        n = normals[k]
        row = J[k]
        for side in range(2):
            sign = 1.0 - 2.0 * side
            p, moved = points[k, side], support[joints[k, side]]
            x = p[1] * n[2] - p[2] * n[1]
            y = p[2] * n[0] - p[0] * n[2]
            z = p[0] * n[1] - p[1] * n[0]
            for c in range(JT.shape[0]):
                if moved[c] == 0:
                    continue
                j = JT[c]
                part = j[0] * n[0] + j[1] * n[1] + j[2] * n[2] + j[3] * x + j[4] * y + j[5] * z
                row[velocity_of_column[c]] += sign * part
