"""The joints of a model: their names, and where each is in q, in v and in the joint Jacobian."""

from typing import Any

import numpy as np

from footwork.typing import IntVector


class Joints:
    """What Pinocchio's model says about joints, by name.

    A joint that mimics another has columns in the joint Jacobian, but no components of its own.

    Attributes:
        names: Joints that move on their own, the floating base left out, in the order of v.
        slices: First component of q, first of v, how many in q, how many in v, of each of them.
        velocity_names: One name for every component of v.
        velocity_of_column: Component of v of each column of the joint Jacobian.
        has_mimic: Whether any joint mimics another.
    """

    def __init__(self, model: Any, *, has_floating_base: bool) -> None:
        self._model = model
        self.slices: dict[str, tuple[int, int, int, int]] = {}
        names: list[str] = []
        column_to_v = np.zeros(int(model.nvExtended), dtype=np.int64)
        self.has_mimic = False
        for i in range(1, model.njoints):
            joint = model.joints[i]
            mimic = "Mimic" in joint.shortname()
            self.has_mimic |= mimic
            for k in range(int(joint.nvExtended)):
                column_to_v[int(joint.idx_vExtended) + k] = int(joint.idx_v) + k
            if mimic or (i == 1 and has_floating_base):
                continue
            name = model.names[i]
            names.append(name)
            self.slices[name] = (joint.idx_q, joint.idx_v, joint.nq, joint.nv)
        column_to_v.setflags(write=False)
        self.velocity_of_column: IntVector = column_to_v
        self.names = tuple(names)
        components = [f"base@v{k}" for k in range(6)] if has_floating_base else []
        for name in names:
            size = self.slices[name][3]
            components += [name] if size == 1 else [f"{name}@v{k}" for k in range(size)]
        self.velocity_names = tuple(components)

    def support_of(self, joint: int) -> IntVector:
        """List the columns of the joint Jacobian that move what hangs on a joint.

        Args:
            joint: Index of the Pinocchio joint; 0 is the world.

        Returns:
            Columns, ascending.
        """
        columns: list[int] = []
        at = joint
        while at != 0:
            first = int(self._model.joints[at].idx_vExtended)
            columns += range(first, first + int(self._model.joints[at].nvExtended))
            at = int(self._model.parents[at])
        support = np.array(sorted(columns), dtype=np.int64)
        support.setflags(write=False)
        return support
