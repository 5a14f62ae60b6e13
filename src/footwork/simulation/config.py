"""What a simulated world looks like: ground, disturbances and sensors, as frozen values."""

from dataclasses import dataclass, field, fields
from math import inf, isfinite
from typing import Final

from footwork.errors import InputError
from footwork.simulation.terrain import Box, Flat, Terrain

FOREVER_SECONDS: Final = 1e9


@dataclass(frozen=True, kw_only=True)
class Push:
    """A constant force on one link for a while.

    Attributes:
        start: When it begins [s].
        duration: How long it lasts [s].
        force: Force in the world frame [N].
        link: Name of the link it acts on, at its centre of mass; empty means the base.
    """

    start: float
    duration: float
    force: tuple[float, float, float]
    link: str = ""

    def __post_init__(self) -> None:
        if not (isfinite(self.start) and self.duration > 0.0):
            raise InputError(
                f"push: needs a finite start and a positive duration, got start {self.start} s, "
                f"duration {self.duration} s"
            )
        if not all(isfinite(f) for f in self.force):
            raise InputError(f"push: the force must be finite, got {self.force} N")


@dataclass(frozen=True, kw_only=True)
class SensorNoise:
    """White noise on what the sensors read, standard deviations.

    Attributes:
        joint_position: On each joint's angle [rad].
        joint_velocity: On each joint's velocity, and on the base's angular velocity [rad/s].
        linear_velocity: On the base's linear velocity, when the true state is read [m/s].
    """

    joint_position: float = 0.0
    joint_velocity: float = 0.0
    linear_velocity: float = 0.0

    def __post_init__(self) -> None:
        _check_deviations("noise", self)

    @property
    def is_silent(self) -> bool:
        """Whether every deviation is zero."""
        return not (self.joint_position or self.joint_velocity or self.linear_velocity)


@dataclass(frozen=True, kw_only=True)
class ImuErrors:
    """What the gyroscope and the accelerometer of the base add to the truth.

    The values are those of a small MEMS unit read at 500 Hz (noise densities of 0.014 °/s/√Hz and
    0.0018 m/s²/√Hz) with the offsets that a calibration at rest leaves. The offsets are drawn once
    for a world, by its seed, from normal distributions; white noise comes upon each reading.

    Attributes:
        gyro: White noise of each axis of the gyroscope, standard deviation [rad/s].
        gyro_bias: The same of its offset [rad/s].
        acceleration: White noise of each axis of the accelerometer [m/s²].
        acceleration_bias: The same of its offset [m/s²].
    """

    gyro: float = 0.004
    gyro_bias: float = 0.002
    acceleration: float = 0.03
    acceleration_bias: float = 0.03

    def __post_init__(self) -> None:
        _check_deviations("imu", self)


def _check_deviations(what: str, deviations: "SensorNoise | ImuErrors") -> None:
    for field_ in fields(deviations):
        value = getattr(deviations, field_.name)
        if not 0.0 <= value < inf:
            raise InputError(f"{what}: {field_.name} must be finite and >= 0, got {value}")


@dataclass(frozen=True, kw_only=True)
class SimulationConfig:
    """A torque-driven world.

    Attributes:
        step: Length of a physics step [s].
        control_step: Time between two readings of the state [s], a multiple of ``step``.
        friction: Coefficient of sliding friction of ground and soles.
        terrain: The ground.
        obstacles: Upright cylinders (x, y, radius, height) [m].
        walls: Boxes in the way.
        payload: Mass fixed to the torso that the controller does not know of [kg].
        mass_factor: True masses over those the controller believes in.
        delay: Time from a torque's computation to its action [s]; rounded to control steps.
        noise: Deviations of the sensors of the joints, and of the true state.
        imu: Errors of the gyroscope and the accelerometer, which only an estimator listens to.
        pushes: Forces from outside.
        self_collision: Whether links of the robot collide with one another.
        seed: Of noise and random ground.
    """

    step: float = 0.001
    control_step: float = 0.002
    friction: float = 1.0
    terrain: Terrain = field(default_factory=Flat)
    obstacles: tuple[tuple[float, float, float, float], ...] = ()
    walls: tuple[Box, ...] = ()
    payload: float = 0.0
    mass_factor: float = 1.0
    delay: float = 0.0
    noise: SensorNoise = field(default_factory=SensorNoise)
    imu: ImuErrors = field(default_factory=ImuErrors)
    pushes: tuple[Push, ...] = ()
    self_collision: bool = True
    seed: int = 0

    def __post_init__(self) -> None:
        if not (self.step > 0.0 and self.control_step >= self.step):
            raise InputError(
                f"simulation: needs 0 < step <= control_step, got step {self.step} s, "
                f"control_step {self.control_step} s"
            )
        ratio = self.control_step / self.step
        if abs(ratio - round(ratio)) > 1e-9 * ratio:
            raise InputError(
                f"simulation: the control step must be a whole number of physics steps, got "
                f"{self.control_step} s / {self.step} s = {ratio:.6g}; choose one that divides it"
            )
        for name, value, low in (
            ("friction", self.friction, 0.0),
            ("mass_factor", self.mass_factor, 0.1),
            ("delay", self.delay, 0.0),
            ("payload", self.payload, 0.0),
        ):
            if not low <= value < inf:
                raise InputError(f"simulation: {name} must be at least {low}, got {value}")
        if self.seed < 0:
            raise InputError(f"simulation: the seed must not be negative, got {self.seed}")

    @property
    def substeps(self) -> int:
        """Physics steps in one control step."""
        return round(self.control_step / self.step)

    @property
    def delay_steps(self) -> int:
        """Control steps between a torque's computation and its action."""
        return round(self.delay / self.control_step)
