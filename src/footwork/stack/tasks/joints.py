"""Which components of v a task on joints has as its rows."""

from collections.abc import Sequence

import numpy as np

from footwork.errors import InputError
from footwork.robot import RobotModel
from footwork.typing import IntVector


def joint_rows(
    robot: RobotModel, joints: Sequence[str] | None, *, base: bool
) -> tuple[IntVector, list[int], tuple[str, ...]]:
    """Choose the rows of a task on joints.

    Args:
        robot: The robot.
        joints: Names of joints with one degree of freedom; every one if not given.
        base: Whether the six rows of the floating base come first.

    Returns:
        Components of v; then for every row after the base's its position in q and its size there;
        names of the rows.

    Raises:
        InputError: If a joint is named twice, or the base is asked of a robot that has none.
        ModelError: If a joint is unknown or has more than one degree of freedom.
    """
    names = list(robot.joint_names if joints is None else joints)
    if len(set(names)) != len(names):
        twice = next(n for n in names if names.count(n) > 1)
        raise InputError(f"joint {twice!r} is named twice")
    if base and not robot.has_floating_base:
        raise InputError(f"robot {robot.name!r} has no floating base")
    components = list(range(6)) if base else []
    places: list[int] = []
    for name in names:
        iq, iv, nq, nv = robot.joint_slices(name)
        if nv != 1:
            raise InputError(
                f"joint {name!r} has {nv} degrees of freedom; only 1 is supported here"
            )
        components.append(iv)
        places += [iq, nq]
    row_names = tuple(robot.velocity_names[c] for c in components)
    return np.array(components, dtype=np.int64), places, row_names
