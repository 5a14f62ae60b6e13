"""The centre of mass stays above the contacts."""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.robot import Quantities, RobotModel
from footwork.stack._kernels.constraints_hull import COM_IN_HULL
from footwork.stack.frame_block import address, joint_address, placement_floats
from footwork.stack.leaf import LeafConstraint
from footwork.stack.settings import as_switch
from footwork.stack.variables import Affine
from footwork.typing import as_array


class ConvexHull(LeafConstraint):
    """Keep the centre of mass above the contacts' hull: n·J_com v ≤ γ (h − m − n·c)/dt.

    One row an edge, with a unit outward normal n, so that the margin m is a distance. The hull is
    found anew every tick from where the contacts are; with less than three corners there is nothing
    to be in and the rows are empty.

    Args:
        robot: The robot.
        contacts: Feet of the zoo, or frames with their points in them [m], shape (k, 3).
        dt: Time step [s].
        margin: Distance to keep from every edge [m].
        gain: γ in (0, 1].
        name: Name of the constraint.
        variable: Where the joint velocity is in a larger x.

    Raises:
        InputError: If the gain, the margin or the time step makes no sense, or a name is no foot.
    """

    def __init__(
        self,
        robot: RobotModel,
        contacts: Sequence[str] | Mapping[str, ArrayLike] | None = None,
        *,
        dt: float,
        margin: float = 0.0,
        gain: float = 1.0,
        name: str = "convex_hull",
        variable: Affine | None = None,
    ) -> None:
        if not (np.isfinite(dt) and dt > 0.0 and 0.0 < gain <= 1.0 and np.isfinite(margin)):
            raise InputError(f"{name!r}: dt {dt}, gain {gain} or margin {margin} makes no sense")
        self.robot = robot
        points = _points_of(robot, contacts)
        rows = sum(len(p) for p in points.values())
        super().__init__(
            name,
            rows=rows,
            x_size=robot.nv if variable is None else variable.input_size,
            row_names=tuple(f"edge{i}" for i in range(rows)),
            variable=variable,
            model=robot,
            needs=Quantities.KINEMATICS,
        )
        views = robot.views
        ints = [address(views.JcomT), address(views.com), robot.nv, rows, len(points)]
        floats = [gain / dt, margin, 0.0, *[0.0] * (12 + 4 * rows + 2)]
        self._switches: dict[str, int] = {}
        for frame_name, corners in points.items():
            frame = robot.frame(frame_name)
            ints += [joint_address(views.oMi, frame.joint), len(corners)]
            floats += placement_floats(frame)
            self._switches[frame_name] = len(floats)
            floats += [1.0, *corners.ravel().tolist()]
        self.bind(COM_IN_HULL.address, ints=ints, floats=floats, keep=[robot])

    @property
    def contact_names(self) -> tuple[str, ...]:
        """Frames that may carry the robot."""
        return tuple(self._switches)

    def set_contact(self, name: str, on: bool) -> None:
        """Let a contact count, or not.

        Args:
            name: Name of its frame.
            on: Whether it counts.

        Raises:
            InputError: If it is not one of the contacts, or ``on`` is no truth value.
        """
        if name not in self._switches:
            known = ", ".join(self._switches)
            raise InputError(f"{self.id!r} has no contact {name!r}; there are {known}")
        self.floats[self._switches[name]] = float(as_switch(on, f"contact {name!r}"))

    @property
    def margin(self) -> float:
        """Distance to keep from every edge [m]."""
        return float(self.floats[1])

    @margin.setter
    def margin(self, value: float) -> None:
        self.floats[1] = float(as_array(f"margin of {self.id!r}", value, ()))


def _points_of(
    robot: RobotModel, contacts: Sequence[str] | Mapping[str, ArrayLike] | None
) -> dict[str, "np.typing.NDArray[np.float64]"]:
    """Find the points of every contact in its frame."""
    if isinstance(contacts, Mapping):
        return {n: as_array(f"points of {n!r}", p, ("k", 3)) for n, p in contacts.items()}
    if robot.entry is None:
        raise InputError(f"robot {robot.name!r} has no zoo entry; give the points of its contacts")
    names = [foot.name for foot in robot.entry.feet] if contacts is None else contacts
    return {n: robot.entry.foot(n).corners for n in names}
