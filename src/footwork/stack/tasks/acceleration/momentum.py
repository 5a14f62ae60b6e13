"""The robot's angular momentum changes as it shall."""

from typing import Any

from numpy.typing import ArrayLike

from footwork.robot import RobotModel
from footwork.stack._kernels.tasks_acceleration import ANGULAR_MOMENTUM
from footwork.stack.frame_block import address, base_addresses, drift_needs
from footwork.stack.leaf import LeafTask
from footwork.stack.tasks.gains import as_gain
from footwork.stack.tasks.reference import as_vector, split_reference
from footwork.stack.variables import Affine
from footwork.typing import Vector, as_array


class AngularMomentum(LeafTask):
    """Set the rate of the angular momentum: A_g,ang a + Ȧ_g,ang v = L̇_ref + λ K (L_ref − L).

    About the centre of mass, in the world. L_ref stays, L̇_ref is a feed-forward for one tick.

    Args:
        robot: The robot.
        lambda_: Gain λ [1/s].
        name: Name of the task.
        variable: Where the accelerations are in a larger x.
    """

    def __init__(
        self,
        robot: RobotModel,
        *,
        lambda_: float = 10.0,
        name: str = "angular_momentum",
        variable: Affine | None = None,
    ) -> None:
        self.robot = robot
        super().__init__(
            name,
            rows=3,
            x_size=robot.nv if variable is None else variable.input_size,
            row_names=("rx", "ry", "rz"),
            variable=variable,
            model=robot,
            needs=drift_needs(robot),
        )
        views = robot.views
        live = [address(a) for a in (views.AgT, views.qd, views.dhg)]
        floats = [0.0] * 6 + [1.0] * 3 + [robot.mass] + [0.0] * 6
        ints = [*live, robot.nv, *base_addresses(robot), address(views.com)]
        self.bind(ANGULAR_MOMENTUM.address, ints=ints, floats=floats, keep=[robot])
        self.lambda_ = lambda_

    @property
    def reference(self) -> tuple[Vector, Vector]:
        """Angular momentum [kg m²/s] and its rate [N m]; set by the first or a tuple of both."""
        return self.floats[:3].copy(), self.floats[3:6].copy()

    @reference.setter
    def reference(self, value: Any) -> None:
        momentum, rate = split_reference(value, self.id, ("momentum", "rate"))
        L = as_array(f"momentum of {self.id!r}", momentum, (3,))
        dL = as_vector(rate, f"rate of {self.id!r}", 3)
        self.floats[:3] = L
        self.floats[3:6] = 0.0 if dL is None else dL

    @property
    def k(self) -> Vector:
        """Gain of the error, shape (3,)."""
        return self.floats[6:9].copy()

    @k.setter
    def k(self, value: ArrayLike) -> None:
        self.floats[6:9] = as_gain(value, f"k of {self.id!r}", 3)
