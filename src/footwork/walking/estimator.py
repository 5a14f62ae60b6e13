"""Where the base is, from joints, an IMU and loaded feet: a driver on top of a driver.

The IMU is integrated. The point at the centre of pressure of a loaded foot does not move, so the
legs tell how fast the base moves and where it is; what they say of the velocity tells, through
gravity, which way is down, and that a loaded sole does not turn tells the gyroscope's bias:

    R ← R exp((ω − b) dt)        and    δθ = k_θ ẑ × e dt,   b ← b + k_b Rᵀ ω_foot dt
    v ← v + (R a + g) dt         and    v ← v + k_v e dt,    e = v_legs − v
    p ← p + v dt                 and    p ← p + k_p (p_legs − p) dt

Feet count by how much of the weight they carry, less when they seem to slip, and where a foot rests
is fixed by the estimate while it is being loaded: so it drifts, as odometry does.

Source: ours; the constant-gain form of the filter of `bloesch2013state`.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from footwork.errors import ModelError
from footwork.robot import RobotModel
from footwork.robot.views import Views
from footwork.spatial import Pose
from footwork.typing import Vector
from footwork.walking._kernels.estimate import (
    EstimatorGains,
    FootState,
    correct_base,
    observe_feet,
    predict_base,
    rotate,
)
from footwork.walking.interface import Driver, Measurement

GRAVITY: Final = 9.81


@dataclass(frozen=True, kw_only=True)
class EstimatorConfig:
    """Gains of the estimator.

    Attributes:
        velocity_gain: Of the legs' idea of the velocity, k_v [1/s].
        position_gain: Of the legs' idea of the place, k_p [1/s].
        tilt_gain: Of the vertical, k_θ [rad/m].
        bias_gain: Of the gyroscope's bias, k_b [1/s].
        slip_speed: Of a loaded foot, above which it counts for less [m/s].
        turn_speed: Of a loaded sole, beyond which it tells no more of the bias [rad/s].
        load_range: Parts of the weight from which a foot counts, and from which it counts fully.
        anchor_gain: With which the resting place of a foot that does not count fully follows the
            estimate [1/s].
    """

    velocity_gain: float = 10.0
    position_gain: float = 100.0
    tilt_gain: float = 0.3
    bias_gain: float = 0.02
    slip_speed: float = 0.1
    turn_speed: float = 0.1
    load_range: tuple[float, float] = (0.1, 0.4)
    anchor_gain: float = 50.0


class EstimatingDriver:
    """Replaces the base's part of each measurement by an estimate.

    The first measurement is believed, as a robot that has been set up knows where it stands.

    Attributes:
        driver: Underneath.
        true_base: What the driver underneath says of the base's pose: position, quaternion xyzw.
        estimated_base: What this one says.
        gyro_bias: Estimated bias of the gyroscope [rad/s], shape (3,).

    Raises:
        ModelError: If the robot has no entry that names its feet.
    """

    def __init__(
        self, driver: Driver, robot: RobotModel, config: EstimatorConfig | None = None
    ) -> None:
        import pinocchio as pin

        if robot.entry is None:
            raise ModelError(f"robot {robot.name!r} has no entry that names its feet")
        self._pin: Any = pin
        self.driver = driver
        self.robot = robot
        self.config = config or EstimatorConfig()
        self._data: Any = robot.pin_model.createData()
        self._views = Views(robot.pin_model, self._data)
        feet = robot.entry.feet
        frames = [robot.frame(foot.name) for foot in feet]
        self._joints = np.array([frame.joint for frame in frames], dtype=np.int64)
        self._frames = np.stack([np.column_stack([f.rotation, f.translation]) for f in frames])
        self._radii = np.array([foot.radius for foot in feet])
        self._flat = np.array([0.0 if foot.is_point else 1.0 for foot in feet])
        self._soles = np.array(
            [
                (
                    0.5 * (foot.length_front + foot.length_back),
                    0.5 * (foot.width_left + foot.width_right),
                )
                for foot in feet
            ]
        )
        self._gains = _gains_of(self.config, robot.mass)
        self._feet = FootState(
            anchors=np.zeros((len(feet), 3)),
            trust=np.zeros(len(feet)),
            arms=np.zeros((len(feet), 3)),
            places=np.zeros((len(feet), 3)),
            slips=np.zeros((len(feet), 3)),
            turns=np.zeros((len(feet), 3)),
        )
        self._v: Vector = np.zeros(robot.nv)
        self._velocity: Vector = np.zeros(3)
        self._scratch: Vector = np.zeros(9)
        self._is_begun = False
        self.gyro_bias: Vector = np.zeros(3)
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
        q, v, pose = measurement.q, measurement.v, self.estimated_base
        self.true_base[:] = q[:7]
        rate = measurement.gyro - self.gyro_bias
        if self._is_begun:
            predict_base(
                self.control_step,
                rate,
                measurement.accelerometer,
                pose,
                self._velocity,
                self._scratch,
            )
        else:
            pose[:] = q[:7]
            rotate(pose[3:], v[:3].copy(), self._velocity)
        self._observe(measurement, rate)
        if not self._is_begun:
            self._feet.anchors[:] = self._feet.places
            self._is_begun = True
        correct_base(
            self._gains,
            self.control_step,
            self._flat,
            measurement.foot_wrenches,
            self._feet,
            pose,
            self._velocity,
            self.gyro_bias,
            self._scratch,
        )
        q[:7] = pose
        v[:3] = self._in_base_axes(self._velocity)
        v[3:6] = measurement.gyro - self.gyro_bias
        return measurement

    def _observe(self, measurement: Measurement, rate: Vector) -> None:
        """Place the feet by the estimate, and tell how fast their points of contact move."""
        q, v = measurement.q, self._v
        q[:7] = self.estimated_base
        v[:3] = self._in_base_axes(self._velocity)
        v[3:6] = rate
        v[6:] = measurement.v[6:]
        self._pin.forwardKinematics(self.robot.pin_model, self._data, q, v)
        observe_feet(
            self._views.oMi,
            self._views.v,
            self._joints,
            self._frames,
            self._radii,
            self._soles,
            measurement.foot_wrenches,
            self._feet,
        )

    def _in_base_axes(self, vector: Vector) -> Vector:
        out = np.zeros(3)
        rotate(self.estimated_base[3:] * (-1.0, -1.0, -1.0, 1.0), vector, out)
        return out

    def drift(self) -> Pose:
        """How the estimate differs from what the driver underneath says.

        Returns:
            T_true_estimated in the world: what is at p by the estimate is truly at T p.
        """
        true = Pose(self.true_base[:3], self.true_base[3:])
        return true @ Pose(self.estimated_base[:3], self.estimated_base[3:]).inverse()


def _gains_of(config: EstimatorConfig, mass: float) -> EstimatorGains:
    low, full = config.load_range
    return EstimatorGains(
        velocity=config.velocity_gain,
        position=config.position_gain,
        tilt=config.tilt_gain,
        gyro_bias=config.bias_gain,
        slip_speed=config.slip_speed,
        turn_speed=config.turn_speed,
        low_share=low,
        full_share=full,
        anchor=config.anchor_gain,
        weight=mass * GRAVITY,
    )
