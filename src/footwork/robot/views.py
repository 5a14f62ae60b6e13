"""Pinocchio's own arrays, seen without copying, for compiled kernels.

Pinocchio writes its results into the same memory at every call, so a view taken once follows all
later calls. Placements, velocities and accelerations of joints lie in one block each; that is
checked when the views are made.
"""

from typing import Any

import numpy as np

from footwork._uncopied import Uncopied
from footwork.errors import BackendError
from footwork.typing import Matrix, Vector


class Views(Uncopied):
    """Live views of `pin_data`; read-only, valid as long as this object lives.

    Pinocchio's matrices are stored by columns, so most views here are transposes, which are stored
    by rows as kernels want them.

    Attributes:
        q: Configuration, shape (nq,).
        qd: Velocity, shape (nv,).
        q_memory: The same as bytes, to be written from a state's.
        qd_memory: Of the velocity.
        oMi: Placements of joints in the world, shape (joints, 12): R by columns, then t.
        v: Velocities of joints, each in its own axes, linear first, shape (joints, 6).
        a: Accelerations of joints at zero joint acceleration (drift), in their own axes, shape
            (joints, 6).
        JT: Joint Jacobian in world axes at the world's origin, transposed, shape (columns, 6).
        JcomT: Jacobian of the centre of mass, transposed, shape (nv, 3).
        AgT: Centroidal momentum matrix, transposed, shape (nv, 6).
        MT: Mass matrix; only the lower triangle is filled, shape (nv, nv).
        nle: Coriolis, centrifugal and gravity terms, shape (nv,).
        com: Centre of mass in the world [m], shape (3,).
        vcom: Its velocity [m/s], shape (3,).
        acom: Its acceleration at zero joint acceleration [m/s²], shape (3,).
        hg: Centroidal momentum, linear first, shape (6,).
        dhg: Its rate, shape (6,).
    """

    _instead = "copy the array that you need, or load the robot again"

    def __init__(self, model: Any, data: Any) -> None:
        self._data = data
        n = model.njoints
        self.oMi = _block(n, 12, [data.oMi[i].rotation for i in range(n)], "oMi")
        self.v = _block(n, 6, [data.v[i].linear for i in range(n)], "v")
        self.a = _block(n, 6, [data.a[i].linear for i in range(n)], "a")
        self.JT = _columns(data.J, 6)
        self.JcomT = _columns(data.Jcom, 3)
        self.AgT = _columns(data.Ag, 6)
        self.MT = _columns(data.M, model.nv)
        self.nle: Vector = data.nle.reshape(model.nv)
        self.com: Vector = data.com[0]
        self.vcom: Vector = data.vcom[0]
        self.acom: Vector = data.acom[0]
        self.hg = _block(1, 6, [data.hg.linear], "hg")[0]
        self.dhg = _block(1, 6, [data.dhg.linear], "dhg")[0]
        for array in vars(self).values():
            if isinstance(array, np.ndarray):
                array.setflags(write=False)
        # Not the owners of their memory, so that NumPy never moves it: kernels hold the addresses.
        self.q_memory, self.qd_memory = (memoryview(bytearray(8 * n)) for n in (model.nq, model.nv))
        self.q: Vector = np.ndarray((model.nq,), buffer=self.q_memory)
        self.qd: Vector = np.ndarray((model.nv,), buffer=self.qd_memory)


def _columns(matrix: Any, rows: int) -> Matrix:
    """View a matrix stored by columns as its transpose; one column comes as a plain vector."""
    columns: Matrix = matrix.reshape(-1, rows) if matrix.ndim == 1 else matrix.T
    if columns.size and not np.shares_memory(columns, matrix):
        raise BackendError("this version of Pinocchio hands out copies of its matrices")
    return columns


def _block(count: int, width: int, parts: list[Any], what: str) -> Matrix:
    """View a C++ vector of fixed-size objects as one matrix, after checking that it is one."""
    start = [int(part.__array_interface__["data"][0]) for part in parts]
    if any(at != start[0] + 8 * width * i for i, at in enumerate(start)):
        raise BackendError(
            f"this version of Pinocchio stores data.{what} in an unknown way; please report it "
            "with the output of `pip show pin`"
        )

    class Holder:
        __array_interface__ = {  # noqa: RUF012
            "shape": (count, width),
            "typestr": "<f8",
            "data": (start[0], False),
            "version": 3,
        }
        kept = parts

    return np.asarray(Holder())
