"""What is computed of a robot, and with which of Pinocchio's algorithms."""

from typing import Any, Final

import numpy as np

from footwork.robot.kinematics import make_kinematics
from footwork.robot.views import Views


class Quantities:
    """What `RobotModel.compute` can be asked for; bits, so that a tick adds up its wishes."""

    KINEMATICS: Final = 1
    """Placements of joints, joint Jacobian, centre of mass and its Jacobian."""
    MOMENTUM: Final = 2
    """Centroidal momentum matrix."""
    DYNAMICS: Final = 4
    """Mass matrix, bias, velocities and drift accelerations, with the two above."""
    MOMENTUM_RATE: Final = 8
    """Rate of the centroidal momentum and acceleration of the centre of mass, both at zero joint
    acceleration; a floating base has them from its six rows of the bias as well."""


_KINEMATICS = Quantities.KINEMATICS
_ALL_TERMS = Quantities.DYNAMICS | Quantities.MOMENTUM_RATE


class Calculator:
    """Pinocchio's algorithms for one model and its one data.

    Attributes:
        have: Sum of the `Quantities` that are up to date; set it to 0 for a new state.
    """

    def __init__(self, model: Any, data: Any, views: Views, *, has_mimic: bool) -> None:
        import pinocchio as pin

        from footwork.robot._kernels.kinematics import compute_kinematics

        self._pin, self._model, self._data = pin, model, data
        self._kinematics = make_kinematics(model, views)
        self._table = None if self._kinematics is None else self._kinematics.table
        self._compute_kinematics = compute_kinematics
        self._q, self._v = views.q, views.qd
        self._has_mimic, self._zero = has_mimic, np.zeros(model.nv)
        self.have = 0

    def compute(self, missing: int) -> None:
        """Compute what is missing, of the configuration and velocity in the views.

        Args:
            missing: Sum of `Quantities` that are not up to date.
        """
        if missing == _KINEMATICS:  # the usual case, and every tick counts
            if self._table is None:
                # Placements and the joint Jacobian come on the way.
                self._pin.jacobianCenterOfMass(self._model, self._data, self._q, False)
            else:
                self._compute_kinematics(self._table)
            self.have |= _KINEMATICS
            return
        pin, model, data, q, v = self._pin, self._model, self._data, self._q, self._v
        if missing & _ALL_TERMS:
            if self._has_mimic:
                self._compute_piecewise()
            else:
                pin.computeAllTerms(model, data, q, v)
            self.have |= 7
        elif missing & _KINEMATICS:
            self.compute(_KINEMATICS)
        if missing & Quantities.MOMENTUM and not self.have & Quantities.MOMENTUM:
            pin.ccrba(model, data, q, v)
            self.have |= Quantities.MOMENTUM
        if missing & Quantities.MOMENTUM_RATE:
            pin.computeCentroidalMomentumTimeVariation(model, data, q, v, self._zero)
            # computeAllTerms leaves this one out.
            pin.centerOfMass(model, data, pin.ACCELERATION, False)
            self.have |= Quantities.MOMENTUM_RATE

    def _compute_piecewise(self) -> None:
        """The same as computeAllTerms, which refuses mimic joints."""
        pin, model, data, q, v = self._pin, self._model, self._data, self._q, self._v
        pin.crba(model, data, q)
        pin.ccrba(model, data, q, v)
        pin.nonLinearEffects(model, data, q, v)
        pin.forwardKinematics(model, data, q, v, self._zero)
        pin.centerOfMass(model, data, pin.VELOCITY, False)
        pin.computeJointJacobians(model, data, q)
        pin.jacobianCenterOfMass(model, data, q, False)
