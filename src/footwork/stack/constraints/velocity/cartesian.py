"""A frame is not too fast, and stays where it may be."""

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError
from footwork.robot import Quantities, RobotModel
from footwork.stack._kernels.constraints_joints import FRAME_POSITION, FRAME_VELOCITY
from footwork.stack._kernels.tasks_velocity import BASE_WORLD, FRAME_FLOATS, HAS_REF
from footwork.stack.constraints.limits import as_limits
from footwork.stack.frame_block import MODES, POSE, Axes, frame_ints, placement_floats
from footwork.stack.leaf import LeafConstraint
from footwork.stack.variables import Affine
from footwork.typing import Vector, as_array


class CartesianVelocity(LeafConstraint):
    """Limit the twist of a frame: −limits ≤ J v ≤ limits.

    Args:
        robot: The robot.
        frame: The frame.
        limits: Linear [m/s] and angular [rad/s] speeds along the axes: one for every row, or a
            number.
        base: Frame from which it is seen; the world if not given.
        mode: "pose" (6 rows), "position" (3) or "orientation" (3).
        axes: "world" for the axes of the base, "local" for the frame's own.
        name: Name of the constraint.
        variable: Where the joint velocity is in a larger x.
    """

    def __init__(
        self,
        robot: RobotModel,
        frame: str,
        limits: ArrayLike,
        *,
        base: str | None = None,
        mode: str = "position",
        axes: Axes = "world",
        name: str | None = None,
        variable: Affine | None = None,
    ) -> None:
        self.robot = robot
        self.frame = robot.frame(frame)
        base_frame = None if base in {None, "world"} else robot.frame(str(base))
        ints = frame_ints(robot, self.frame, base_frame, axes=axes, mode=mode)
        self._first, rows = MODES[mode]
        super().__init__(
            name or f"{frame}_velocity",
            rows=rows,
            x_size=robot.nv if variable is None else variable.input_size,
            row_names=POSE[self._first : self._first + rows],
            variable=variable,
            model=robot,
            needs=Quantities.KINEMATICS,
        )
        floats = np.zeros(FRAME_FLOATS + 12)
        floats[:12], floats[12:24] = placement_floats(self.frame), placement_floats(base_frame)
        floats[HAS_REF] = 1.0
        self._rows_count = rows
        self.bind(FRAME_VELOCITY.address, ints=ints, floats=floats, keep=[robot])
        self.limits = limits

    @property
    def limits(self) -> Vector:
        """Largest speeds [m/s, rad/s], one for every row; may be set, also by one number."""
        first = FRAME_FLOATS + 6 + self._first
        return self.floats[first : first + self._rows_count].copy()

    @limits.setter
    def limits(self, value: ArrayLike) -> None:
        most = as_limits(value, f"limits of {self.id!r}", self._rows_count)
        for at, side in (
            (FRAME_FLOATS + self._first, -most),
            (FRAME_FLOATS + 6 + self._first, most),
        ):
            self.floats[at : at + self._rows_count] = side


class CartesianPosition(LeafConstraint):
    """Keep the origin of a frame in half spaces: A J v ≤ γ (b − A p)/dt.

    Outside of a half space the frame is asked to come back, as fast as γ and dt say.

    Args:
        robot: The robot.
        frame: The frame.
        A: Outward normals, shape (k, 3).
        b: Offsets [m], shape (k,): a point is inside where A p ≤ b, p in the base's axes.
        dt: Time step [s].
        gain: γ in (0, 1].
        base: Frame in which the half spaces are given; the world if not given.
        name: Name of the constraint.
        variable: Where the joint velocity is in a larger x.

    Raises:
        InputError: If the gain or the time step makes no sense, or a normal is zero.
    """

    def __init__(
        self,
        robot: RobotModel,
        frame: str,
        *,
        A: ArrayLike,
        b: ArrayLike,
        dt: float,
        gain: float = 1.0,
        base: str | None = None,
        name: str | None = None,
        variable: Affine | None = None,
    ) -> None:
        normals = as_array("A", A, ("k", 3))
        offsets = as_array("b", b, (normals.shape[0],))
        if not (np.isfinite(dt) and dt > 0.0 and 0.0 < gain <= 1.0):
            raise InputError(f"dt must be positive and gain in (0, 1], got {dt} and {gain}")
        if (np.abs(normals).max(axis=1) == 0.0).any():
            raise InputError("A: a normal is zero")
        self.robot = robot
        self.frame = robot.frame(frame)
        base_frame = None if base in {None, "world"} else robot.frame(str(base))
        rows = normals.shape[0]
        super().__init__(
            name or f"{frame}_position",
            rows=rows,
            x_size=robot.nv if variable is None else variable.input_size,
            variable=variable,
            model=robot,
            needs=Quantities.KINEMATICS,
        )
        ints = frame_ints(robot, self.frame, base_frame, axes="world", mode="position")
        ints[7] = rows
        floats = np.zeros(FRAME_FLOATS + 1 + 4 * rows)
        floats[:12], floats[12:24] = placement_floats(self.frame), placement_floats(base_frame)
        # Where the base is, if it is the world.
        floats[BASE_WORLD : BASE_WORLD + 12] = placement_floats(None)
        floats[HAS_REF] = 1.0
        floats[FRAME_FLOATS] = gain / dt
        floats[FRAME_FLOATS + 1 :] = np.column_stack([normals, offsets]).ravel()
        self.bind(FRAME_POSITION.address, ints=ints, floats=floats, keep=[robot])
