"""CartesI/O's posture with ``use_inertia``: weighted by the mass matrix of the present state."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from footwork.errors import ModelError
from footwork.robot import Quantities, RobotModel, RobotState
from footwork.stack.constraint import Constraint
from footwork.stack.leaf import LeafTask
from footwork.stack.segment import State
from footwork.stack.task import Task
from footwork.stack.tasks.velocity import Postural
from footwork.typing import Vector


class InertiaPostural(LeafTask):
    """Move joints to a configuration; what is off costs the kinetic energy of going there.

    Lᵀ v = Lᵀ (v_ref + λ (q_ref ⊖ q)) with L Lᵀ = M, the block of the joints of the mass matrix at
    the state of the tick: ½ |A v − b|² is ½ (v − v̂)ᵀ M (v − v̂). The weight W comes on top, and is
    the identity: to write M there each tick would factor it anew and patch the whole stack.

    Args:
        robot: The robot.
        name: Name of the task.
    """

    def __init__(self, robot: RobotModel, *, name: str = "postural") -> None:
        self.posture = Postural(robot, name=name)
        self._columns = np.flatnonzero(self.posture.J.any(axis=0))
        super().__init__(
            name,
            rows=self.posture.task_size,
            x_size=robot.nv,
            row_names=self.posture.row_names,
            model=robot,
            needs=Quantities.DYNAMICS,
        )

    def dependencies(self) -> Sequence[Task | Constraint]:
        """Have the errors of the joints computed before."""
        return (self.posture,)

    @property
    def reference(self) -> tuple[Vector, Vector]:
        """Configuration, shape (nq,), and velocity of the joints [rad/s], as of `Postural`."""
        return self.posture.reference

    @reference.setter
    def reference(self, value: Any) -> None:
        self.posture.reference = value

    def reset(self, state: RobotState) -> None:
        """Make where the robot is the reference.

        Args:
            state: Of the robot.
        """
        self.posture.reset(state)

    def compute(self, state: State | None) -> None:
        """Scale the rows of the joints by the root of the mass matrix.

        Raises:
            ModelError: If the mass matrix is singular.
        """
        assert isinstance(state, RobotState)
        columns = self._columns
        try:
            Lt = np.linalg.cholesky(state.mass_matrix[np.ix_(columns, columns)]).T
        except np.linalg.LinAlgError as error:
            raise ModelError(
                f"{self.id!r}: the mass matrix of {state.robot.name!r} is singular: a joint moves "
                "no mass, so that its inertia cannot weigh it"
            ) from error
        self.J[:, columns] = Lt
        self.own_error[:] = Lt @ self.posture.own_error
        self.own_feedforward[:] = Lt @ self.posture.own_feedforward
