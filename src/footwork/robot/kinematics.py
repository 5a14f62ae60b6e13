"""The table by which compiled kinematics find a robot, if all its joints are of kinds they know."""

from typing import Any

import numpy as np

from footwork.robot.views import Views
from footwork.typing import IntVector


class Kinematics:
    """What `footwork.robot._kernels.kinematics` reads of a robot, and where it writes.

    Attributes:
        table: Sizes and addresses; right as long as this object and the views live.
    """

    def __init__(self, model: Any, views: Views, kinds: list[int]) -> None:
        """Write the table.

        Args:
            model: Pinocchio's model.
            views: Of its data.
            kinds: What each joint is, the world left out.
        """
        from footwork.robot._kernels import kinematics as k

        n = model.njoints
        self._ints = np.zeros((n, k.KIND_WIDTH), dtype=np.int64)
        self._numbers = np.zeros((n, k.NUMBER_WIDTH))
        self._room = np.zeros((n, k.MASS_WIDTH))
        for i, kind in enumerate(kinds, 1):
            joint, at, body = model.joints[i], model.jointPlacements[i], model.inertias[i]
            self._ints[i] = kind, model.parents[i], joint.idx_q, joint.idx_v
            numbers = self._numbers[i]
            numbers[:9], numbers[9 : k.AXIS] = at.rotation.T.ravel(), at.translation
            if kind != k.IS_FREE:
                numbers[k.AXIS : k.MASS] = _axis_of(joint, model, kind == k.SLIDES)
            numbers[k.MASS], numbers[k.LEVER :] = body.mass, body.lever
        arrays = (
            *(self._ints, self._numbers, self._room),
            *(views.q, views.oMi, views.JT, views.com, views.JcomT),
        )
        addresses = [int(array.__array_interface__["data"][0]) for array in arrays]
        self._views = views
        self.table: IntVector = np.array([n, model.nq, model.nv, *addresses], dtype=np.int64)


def make_kinematics(model: Any, views: Views) -> Kinematics | None:
    """Prepare compiled kinematics.

    Args:
        model: Pinocchio's model.
        views: Of its data.

    Returns:
        None if a joint is of a kind that only Pinocchio knows.
    """
    from footwork.robot._kernels import kinematics as k

    known = {
        "JointModelRX": k.TURNS_X,
        "JointModelRY": k.TURNS_Y,
        "JointModelRZ": k.TURNS_Z,
        "JointModelRevoluteUnaligned": k.TURNS,
        "JointModelPX": k.SLIDES,
        "JointModelPY": k.SLIDES,
        "JointModelPZ": k.SLIDES,
        "JointModelPrismaticUnaligned": k.SLIDES,
        "JointModelFreeFlyer": k.IS_FREE,
    }
    kinds = [known.get(model.joints[i].shortname(), -1) for i in range(1, model.njoints)]
    return None if not kinds or min(kinds) < 0 else Kinematics(model, views, kinds)


def _axis_of(joint: Any, model: Any, slides: bool) -> Any:
    import pinocchio as pin

    data = joint.createData()
    joint.calc(data, pin.neutral(model))
    motion = np.asarray(data.S).ravel()
    return motion[:3] if slides else motion[3:]
