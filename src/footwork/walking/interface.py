"""What a controller needs of a robot, simulated or real: one call to read, one to write."""

from typing import Protocol

from footwork.typing import Matrix, Vector


class Measurement(Protocol):
    """What is known of the robot at one instant.

    Attributes:
        time: Since the start [s].
        q: Configuration (base position, quaternion xyzw, joints), shape (nq,).
        v: Velocity (base twist in the base's axes, joints), shape (nv,).
        foot_wrenches: Force and moment about each sole's centre, world axes [N, Nm], shape
            (feet, 6).
        gyro: Angular velocity of the base in its own axes [rad/s], shape (3,).
        accelerometer: Specific force of the base in its own axes [m/s²], shape (3,).
    """

    time: float
    q: Vector
    v: Vector
    foot_wrenches: Matrix
    gyro: Vector
    accelerometer: Vector


class Driver(Protocol):
    """A robot, or a simulation of one.

    A driver of hardware fills the base's part of q and v with whatever it has; an estimator on top
    of it (`footwork.walking.estimator`) replaces them.
    """

    @property
    def control_step(self) -> float:
        """Time between two readings [s]."""

    def read(self) -> Measurement:
        """Read the sensors.

        Returns:
            The measurement; valid until the next one.
        """

    def write(self, torques: Vector) -> None:
        """Apply joint torques until the next call, and wait for the next control step.

        Args:
            torques: In the order of the robot's actuated joints [Nm], shape (nu,).
        """
