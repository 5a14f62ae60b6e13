"""Where the base is, from joints, an IMU and loaded feet: a driver on top of a driver.

Between corrections the IMU is integrated; a loaded foot does not move, so the legs tell velocity
and place of the base, and the accelerometer tells which way is down:

    R ← R exp(ω dt), with a pull of R ẑ towards the smoothed specific force
    v ← v + (R a + g) dt + k_v (v_legs − v) dt
    p ← p + v dt + k_p (p_legs − p) dt

Feet count by how much of the weight they carry; the place of a foot is fixed when it is loaded, and
drifts with the estimate it was fixed by, as odometry does.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from footwork.robot import RobotModel
from footwork.spatial import Pose
from footwork.spatial import quaternion as quat
from footwork.typing import Matrix, Vector
from footwork.walking.interface import Driver, Measurement

GRAVITY: Final = np.array([0.0, 0.0, -9.81])


@dataclass(frozen=True, kw_only=True)
class EstimatorConfig:
    """Gains of the estimator.

    Attributes:
        tilt_gain: Of the accelerometer's idea of down [1/s].
        velocity_gain: Of the legs' idea of the velocity [1/s].
        position_gain: Of the legs' idea of the place [1/s].
        loaded_share: Part of the weight from which a foot counts.
    """

    tilt_gain: float = 0.1
    velocity_gain: float = 60.0
    position_gain: float = 200.0
    loaded_share: float = 0.15


class EstimatingDriver:
    """Replaces the base's part of each measurement by an estimate.

    The first measurement is believed, as a robot that has been set up knows where it stands.

    Attributes:
        driver: Underneath.
        true_base: What the driver underneath says of the base's pose: position, quaternion xyzw.
        estimated_base: What this one says.
    """

    def __init__(
        self, driver: Driver, robot: RobotModel, config: EstimatorConfig | None = None
    ) -> None:
        import pinocchio as pin

        self._pin: Any = pin
        self.driver = driver
        self.robot = robot
        self.config = config or EstimatorConfig()
        self._data: Any = robot.pin_model.createData()
        feet = robot.entry.feet if robot.entry is not None else ()
        self._frames = [robot.frame(foot.name) for foot in feet]
        self._up: Matrix = np.array([[0.0, 0.0, foot.radius] for foot in feet])
        self._anchors: Matrix = np.zeros((len(feet), 3))
        self._is_loaded = np.zeros(len(feet), dtype=np.bool_)
        self._q: Vector = np.zeros(robot.nq)
        self._v: Vector = np.zeros(robot.nv)
        self._position: Vector = np.zeros(3)
        self._velocity: Vector = np.zeros(3)
        self._quaternion: quat.Quaternion = quat.IDENTITY
        self._is_begun = False
        self.true_base: Vector = np.zeros(7)
        self.estimated_base: Vector = np.zeros(7)

    @property
    def control_step(self) -> float:
        """Time between two readings [s]."""
        return self.driver.control_step

    def write(self, torques: Vector) -> None:
        """Pass torques on.

        Args:
            torques: [Nm], shape (nu,).
        """
        self.driver.write(torques)

    def read(self) -> Measurement:
        """Read the sensors, and put the estimate where the base's state was.

        Returns:
            The measurement; valid until the next one.
        """
        measurement = self.driver.read()
        self.true_base[:] = measurement.q[:7]
        if not self._is_begun:
            self._begin(measurement)
        else:
            self._predict(measurement)
        self._correct(measurement)
        x, y, z, w = self._quaternion
        measurement.q[:3] = self._position
        measurement.q[3:7] = x, y, z, w
        measurement.v[:3] = quat.rotate(quat.conjugate(self._quaternion), _triple(self._velocity))
        measurement.v[3:6] = measurement.gyro
        self.estimated_base[:] = measurement.q[:7]
        return measurement

    def _begin(self, measurement: Measurement) -> None:
        self._position[:] = measurement.q[:3]
        x, y, z, w = measurement.q[3:7].tolist()
        self._quaternion = (x, y, z, w)
        self._velocity[:] = quat.rotate(self._quaternion, _triple(measurement.v[:3]))
        self._is_begun = True

    def _predict(self, measurement: Measurement) -> None:
        dt = self.control_step
        turn = quat.exp(_triple(measurement.gyro * dt))
        self._quaternion = quat.normalised(quat.multiply(self._quaternion, turn))
        specific = np.array(quat.rotate(self._quaternion, _triple(measurement.accelerometer)))
        self._velocity += (specific + GRAVITY) * dt
        self._position += self._velocity * dt
        size = float(np.linalg.norm(specific))
        if 0.5 * 9.81 < size < 1.5 * 9.81:
            tilt = np.cross(specific / size, [0.0, 0.0, 1.0]) * self.config.tilt_gain * dt
            lean = quat.exp(_triple(tilt))
            self._quaternion = quat.normalised(quat.multiply(lean, self._quaternion))

    def _correct(self, measurement: Measurement) -> None:
        """Let loaded feet say how fast the base moves, and where it is."""
        arms, speeds, turns = self._legs(measurement)
        load = measurement.foot_wrenches[:, 2] / (9.81 * self.robot.mass)
        weights = np.maximum(load - self.config.loaded_share, 0.0)
        R = np.array(quat.to_matrix(self._quaternion))
        places = self._position + arms @ R.T
        # a ball rolls on the ground: its middle moves by ω × r ẑ
        rolling = np.cross(turns @ R.T, self._up)
        self._anchors += rolling * self.control_step
        for i in np.flatnonzero((weights > 0.0) != self._is_loaded):
            self._is_loaded[i] = weights[i] > 0.0
            self._anchors[i] = places[i]
        total = float(weights.sum())
        if total <= 0.0:
            return
        share = weights / total
        dt, config = self.control_step, self.config
        moving = share @ (rolling - speeds @ R.T)
        gap = share @ (self._anchors - places)
        self._velocity += min(1.0, config.velocity_gain * dt) * (moving - self._velocity)
        self._position += min(1.0, config.position_gain * dt) * gap

    def _legs(self, measurement: Measurement) -> tuple[Matrix, Matrix, Matrix]:
        """Places, velocities and turning of the feet against the base, in the base's axes.

        The base is put at the origin, turning as the gyroscope says.
        """
        pin, model, data = self._pin, self.robot.pin_model, self._data
        self._q[:7] = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0
        self._q[7:] = measurement.q[7:]
        self._v[:3] = 0.0
        self._v[3:6] = measurement.gyro
        self._v[6:] = measurement.v[6:]
        pin.forwardKinematics(model, data, self._q, self._v)
        arms, speeds, turns = (np.zeros((len(self._frames), 3)) for _ in range(3))
        for i, frame in enumerate(self._frames):
            oMi, motion = data.oMi[frame.joint], data.v[frame.joint]
            arms[i] = oMi.rotation @ frame.translation + oMi.translation
            local = motion.linear + np.cross(motion.angular, frame.translation)
            speeds[i] = oMi.rotation @ local
            turns[i] = oMi.rotation @ motion.angular
        return arms, speeds, turns

    def drift(self) -> Pose:
        """How the estimate differs from what the driver underneath says.

        Returns:
            T_true_estimated in the world: what is at p by the estimate is truly at T p.
        """
        true = Pose(self.true_base[:3], self.true_base[3:])
        return true @ Pose(self.estimated_base[:3], self.estimated_base[3:]).inverse()


def _triple(vector: Vector) -> tuple[float, float, float]:
    x, y, z = vector.tolist()
    return x, y, z
