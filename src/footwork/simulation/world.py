"""A torque-driven MuJoCo world behind the two calls of a robot's driver: read and write."""

from collections import deque
from typing import Any, Final

import mujoco
import numpy as np

from footwork.errors import BackendError, InputError
from footwork.robot import RobotModel
from footwork.simulation.config import SimulationConfig
from footwork.simulation.model import build_model
from footwork.typing import Matrix, Vector, as_array

LARGEST_SPEED: Final = 1e3
"""Joint velocities above this mean that the physics has blown up [rad/s]."""


class Reading:
    """What the sensors and the true state say at one instant; overwritten by the next reading.

    Attributes:
        time: Since the start [s].
        q: Configuration in Pinocchio's convention (base position, quaternion xyzw, joints).
        v: Velocity in Pinocchio's convention (base twist in the base frame, joints).
        foot_wrenches: Force and moment about the middle of the sole on each foot, world axes, mean
            since the reading before [N, Nm], shape (feet, 6).
        gyro: Angular velocity of the base in its own frame [rad/s], shape (3,).
        accelerometer: Specific force of the base in its own frame, mean since the reading before
            [m/s²], shape (3,).
    """

    __slots__ = ("accelerometer", "foot_wrenches", "gyro", "q", "time", "v")

    def __init__(self, joint_count: int, foot_count: int) -> None:
        self.time = 0.0
        self.q: Vector = np.zeros(joint_count + 7)
        self.v: Vector = np.zeros(joint_count + 6)
        self.foot_wrenches: Matrix = np.zeros((foot_count, 6))
        self.gyro: Vector = np.zeros(3)
        self.accelerometer: Vector = np.zeros(3)


class MujocoWorld:
    """A robot on its ground, driven by joint torques, deterministic by seed.

    `read` gives the state, `write` applies torques for one control step. That is all a controller
    sees, and all that a real robot's driver would have to offer.

    Args:
        robot: The robot, with a zoo entry.
        config: The world.
        q: Where it starts, in Pinocchio's convention, shape (nq,).

    Raises:
        ModelError: If the model cannot be built.
    """

    def __init__(self, robot: RobotModel, config: SimulationConfig, q: Vector) -> None:
        self.config = config
        self.robot = robot
        self.model: Any = build_model(robot, config)
        self.data: Any = mujoco.MjData(self.model)
        self._bind()
        self._start = as_array("q", q, (robot.nq,))
        self._reading = Reading(robot.nu, self._foot_geoms.size)
        self.reset()

    def _bind(self) -> None:
        """Look up addresses once: joint orders of URDF and MuJoCo differ, so names decide."""
        model, robot = self.model, self.robot
        feet = robot.entry.feet if robot.entry is not None else ()
        joints = [model.joint(name) for name in robot.joint_names]
        self._q_address = np.array([j.qposadr[0] for j in joints])
        self._v_address = np.array([j.dofadr[0] for j in joints])
        self._motors = np.array([model.actuator(name).id for name in robot.joint_names])
        self._base = int(model.body_rootid[-1])
        self._foot_geoms = np.array([model.geom(f"sole_{i}").id for i in range(len(feet))])
        self._foot_bodies = model.geom_bodyid[self._foot_geoms]
        self._soles = np.array([foot.T_link_foot.translation for foot in feet]).reshape(-1, 3)
        self._accelerometer = int(model.sensor("accelerometer").adr[0])
        self._push_bodies = [
            model.body(push.link).id if push.link else self._base for push in self.config.pushes
        ]

    def reset(self) -> None:
        """Go back to the start, to the bit."""
        mujoco.mj_resetData(self.model, self.data)
        self._random = np.random.default_rng(self.config.seed)
        # the IMU draws its own numbers, so that the other noise is the same without it
        self._imu_random = np.random.default_rng((self.config.seed, 1))
        imu = self.config.imu
        biases = np.repeat([imu.gyro_bias, imu.acceleration_bias], 3)
        self._imu_bias = biases * self._imu_random.normal(size=6)
        self._imu_noise = np.repeat([imu.gyro, imu.acceleration], 3)
        self._queue: deque[Vector] = deque()
        self.steps = 0
        q = self._start
        self.data.qpos[:3] = q[:3]
        self.data.qpos[3:7] = q[[6, 3, 4, 5]]
        self.data.qpos[self._q_address] = q[7:]
        mujoco.mj_forward(self.model, self.data)
        self._specific_force = self._read_accelerometer().copy()
        self._wrenches: Matrix = np.zeros((self._foot_geoms.size, 6))
        self._add_wrenches()

    @property
    def control_step(self) -> float:
        """Time between two readings [s]."""
        return self.config.control_step

    @property
    def time(self) -> float:
        """Since the start [s]."""
        return self.steps * self.config.control_step

    def read(self) -> Reading:
        """Read the state and the sensors, with noise if the world has any.

        Returns:
            The reading, valid until the next one.
        """
        data, reading = self.data, self._reading
        x, dx = data.qpos, data.qvel
        q, v = reading.q, reading.v
        q[:3] = x[:3]
        q[3:6] = x[4:7]
        q[6] = x[3]
        q[7:] = x[self._q_address]
        v[:3] = _to_base(x[3:7].tolist(), dx[:3].tolist())
        v[3:6] = dx[3:6]
        v[6:] = dx[self._v_address]
        reading.time = self.time
        errors = self._imu_bias + self._imu_noise * self._imu_random.normal(size=6)
        reading.gyro[:] = v[3:6] + errors[:3]
        reading.accelerometer[:] = self._specific_force + errors[3:]
        reading.foot_wrenches[:] = self._wrenches
        if not self.config.noise.is_silent:
            self._disturb(reading)
        return reading

    def _read_accelerometer(self) -> Vector:
        force: Vector = self.data.sensordata[self._accelerometer : self._accelerometer + 3]
        return force

    def _add_wrenches(self) -> None:
        """Add up contact wrenches about the middles of the soles, from MuJoCo's sums of a foot."""
        data, out = self.data, self._wrenches
        mujoco.mj_rnePostConstraint(self.model, data)
        about = data.subtree_com[self._base]
        for i, (body, sole) in enumerate(zip(self._foot_bodies, self._soles, strict=True)):
            m0, m1, m2, f0, f1, f2 = data.cfrc_ext[body].tolist()
            middle = data.xmat[body].reshape(3, 3) @ sole + data.xpos[body]
            x, y, z = (about - middle).tolist()
            out[i] += (f0, f1, f2, m0 + y * f2 - z * f1, m1 + z * f0 - x * f2, m2 + x * f1 - y * f0)

    def _disturb(self, reading: Reading) -> None:
        noise, normal = self.config.noise, self._random.normal
        n = reading.q.size - 7
        reading.q[7:] += noise.joint_position * normal(size=n)
        reading.v[6:] += noise.joint_velocity * normal(size=n)
        reading.v[:3] += noise.linear_velocity * normal(size=3)
        turn = noise.joint_velocity * normal(size=3)
        reading.v[3:6] += turn
        reading.gyro += turn

    def write(self, torques: Vector) -> None:
        """Apply torques for one control step, after the world's delay.

        Args:
            torques: In the order of the robot's joints [Nm], shape (nu,); clipped to the limits.

        Raises:
            InputError: If the size is wrong or a torque is not finite; the world has not moved.
            BackendError: If the physics has blown up.
        """
        tau = np.asarray(torques, dtype=np.float64)
        if tau.shape != self._motors.shape or not np.isfinite(tau).all():
            raise InputError(
                f"torques: expected {self._motors.size} finite numbers, got shape {tau.shape} "
                f"with {np.count_nonzero(~np.isfinite(tau))} not finite"
            )
        self._queue.append(tau.copy())
        if len(self._queue) > self.config.delay_steps:
            self.data.ctrl[self._motors] = self._queue.popleft()
        substeps = self.config.substeps
        self._specific_force[:] = 0.0
        self._wrenches[:] = 0.0
        for i in range(substeps):
            if self.config.pushes:
                self._push(self.steps * substeps + i)
            mujoco.mj_step(self.model, self.data)
            self._specific_force += self._read_accelerometer()
            self._add_wrenches()
        self._specific_force /= substeps
        self._wrenches /= substeps
        self.steps += 1
        if not (np.abs(self.data.qvel) < LARGEST_SPEED).all():
            raise BackendError(
                f"simulation: joint velocities above {LARGEST_SPEED:g} rad/s at {self.time:.3f} s; "
                f"the physics has blown up, a smaller step than {self.config.step} s may help"
            )

    def _push(self, step: int) -> None:
        """Apply the pushes of one physics step, counted so that impulses are exact."""
        self.data.xfrc_applied[:] = 0.0
        for push, body in zip(self.config.pushes, self._push_bodies, strict=True):
            first = round(push.start / self.config.step)
            if first <= step < first + round(push.duration / self.config.step):
                self.data.xfrc_applied[body, :3] += push.force


def _to_base(quaternion_wxyz: list[float], vector: list[float]) -> tuple[float, float, float]:
    """Rotate a world vector into the base frame: q⁻¹ v q."""
    w, x, y, z = quaternion_wxyz
    vx, vy, vz = vector
    tx, ty, tz = 2.0 * (z * vy - y * vz), 2.0 * (x * vz - z * vx), 2.0 * (y * vx - x * vy)
    return (
        vx + w * tx + z * ty - y * tz,
        vy + w * ty + x * tz - z * tx,
        vz + w * tz + y * tx - x * ty,
    )
