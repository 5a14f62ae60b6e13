"""How a robot walks, as frozen values; changed by `dataclasses.replace`."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from math import inf, sqrt
from typing import Final

from footwork.errors import InputError

GRAVITY: Final = 9.81
TREAD_PACE: Final = 0.8
"""Part of the speed at which a foot goes on one tread in each of its steps."""


def _require_positive(table: str, name: str, value: float, why: str = "") -> None:
    if not 0.0 < value < inf:
        reason = f": {why}" if why else ""
        raise InputError(f"{table}.{name} must be positive, got {value}{reason}")


@dataclass(frozen=True, kw_only=True)
class GaitConfig:
    """Times and heights of a step.

    Attributes:
        swing_duration: Time a foot is in the air [s].
        transfer_duration: Time between two swings with all feet down [s].
        start_duration: Length of the first transfer [s].
        hold_duration: Standing before the first transfer [s].
        stop_duration: Length of the last transfer [s].
        com_height: Of the centre of mass above the soles [m].
        width: Between the middles of the soles, standing [m].
        swing_height: Apex of a swing above the higher of its ends [m].
        apex_fraction: Part of the swing after which the apex is reached.
        landing_velocity: Downwards at touch-down [m/s].
        cop_inward: Aim of the centre of pressure, towards the other foot [m].
        cop_forward: The same, forward of the middle of the sole [m].
    """

    swing_duration: float
    transfer_duration: float
    com_height: float
    width: float
    swing_height: float
    start_duration: float = 0.15
    hold_duration: float = 0.4
    stop_duration: float = 0.5
    apex_fraction: float = 0.45
    landing_velocity: float = 0.2
    cop_inward: float = 0.005
    cop_forward: float = 0.0

    def __post_init__(self) -> None:
        for name in ("swing_duration", "transfer_duration", "com_height", "width", "swing_height"):
            _require_positive("gait", name, getattr(self, name))

    @property
    def step_duration(self) -> float:
        """Swing and transfer together [s]."""
        return self.swing_duration + self.transfer_duration


@dataclass(frozen=True, kw_only=True)
class StepLimits:
    """How far a foot may be set from the standing one, and how fast the base may travel.

    Attributes:
        forward: Largest distance ahead or behind [m].
        width: Smallest and largest distance sideways, of planned steps [m].
        recovery_width: The same of steps that answer a push [m].
        turn: Largest change of yaw in a step [rad].
        up: Largest rise or fall [m].
        velocity: Largest forward, sideways [m/s] and turning [rad/s] velocity of a plan.
        backward_velocity: Largest backward velocity of a plan [m/s].
        acceleration: Largest change of the plan's velocity [m/s²].
        turn_acceleration: Largest change of the plan's turning velocity [rad/s²].
        command_speed: Largest forward or backward velocity that is walked, whatever is commanded
            [m/s]; what the ground allows, on stairs.
    """

    forward: float
    width: tuple[float, float]
    recovery_width: tuple[float, float]
    turn: float
    up: float
    velocity: tuple[float, float, float]
    backward_velocity: float
    acceleration: float
    turn_acceleration: float
    command_speed: float = inf


@dataclass(frozen=True, kw_only=True)
class FeedbackConfig:
    """How disturbances are answered.

    Attributes:
        dcm_gain: Metres of centre of pressure for a metre of error.
        velocity_rate: At which velocities follow their measurement, beyond what was commanded,
            where that is noisy [1/s].
        smoothing: Time constant by which the measured error is smoothed [s].
        sole_fraction: Part of the sole that the centre of pressure may use.
        adjusts_steps: Whether landing places move.
        adjusts_timing: Whether landing comes early when places alone do not help.
        margin: Error forward and sideways that is left to the centre of pressure [m].
        push_smoothing: Time constant by which pushes are told from the forces on the feet [s].
        push_memory: How long a push is expected to last [s].
        least_push: Acceleration by a push up to which it is left to the feedback [m/s²].
        steady_error: Error of the DCM along the feet at the last landing, above which steps go on;
            across them it is the larger part of their distance [m].
        freeze_time: Before landing, from when on its place is fixed [s].
        late_error: Error of the DCM at landing above which the step is taken again [m].
        min_swing: Part of the swing's duration below which it is not shortened.
        min_remaining: Shortest time to a landing that was moved forward [s].
        max_shift: Largest shift of a landing for robots with more than two feet [m].
        correction: How much of the distance to the planned place a step makes up: forward, sideways
            [m], yaw [rad].
        early_fraction: Part of the swing after which a touch-down counts.
        late_time: How long after its time a landing is waited for [s].
        touchdown_force: Normal force that is a touch-down [N].
        height_stiffness: Of the height of the centre of mass [1/s²].
        height_damping: The same [1/s].
        max_swing_speed: Above which haste is avoided [m/s].
    """

    dcm_gain: float = 2.5
    velocity_rate: float = 100.0
    smoothing: float = 0.01
    sole_fraction: float = 0.9
    adjusts_steps: bool = True
    adjusts_timing: bool = True
    margin: tuple[float, float] = (0.03, 0.012)
    push_smoothing: float = 0.05
    push_memory: float = 0.25
    least_push: float = 0.4
    steady_error: float = 0.065
    freeze_time: float = 0.08
    late_error: float = 0.05
    min_swing: float = 0.4
    min_remaining: float = 0.06
    max_shift: float = 0.2
    correction: tuple[float, float, float] = (0.04, 0.03, 0.06)
    early_fraction: float = 0.6
    late_time: float = 0.02
    touchdown_force: float = 20.0
    height_stiffness: float = 100.0
    height_damping: float = 20.0
    max_swing_speed: float = 2.0

    def __post_init__(self) -> None:
        for name in (
            "velocity_rate",
            "push_smoothing",
            "push_memory",
            "touchdown_force",
            "max_swing_speed",
        ):
            _require_positive("feedback", name, getattr(self, name))
        for name in ("height_stiffness", "height_damping"):
            why = "nothing else holds the height of the centre of mass"
            _require_positive("feedback", name, getattr(self, name), why)
        _require_positive("feedback", "dcm_gain", self.dcm_gain, "nothing else holds the balance")


@dataclass(frozen=True, kw_only=True)
class TaskConfig:
    """Weights (of accelerations) and gains of the whole-body controller's tasks.

    Attributes:
        com_weight: Plane and height.
        contact_weight: Of a foot that stands.
        contact_damping: Of its velocity [1/s].
        swing_weight: Position and orientation of a swinging foot.
        swing_stiffness: [1/s²].
        swing_damping: [1/s].
        torso_weight: Roll, pitch, yaw.
        torso_stiffness: [1/s²].
        torso_damping: [1/s].
        momentum_weight: Of the angular momentum's rate about x, y, z.
        momentum_damping: L̇ = −gain L [1/s].
        leg_posture_weight: Of the joints of the legs.
        posture_weight: Of the other joints.
        posture_stiffness: [1/s²].
        posture_damping: [1/s].
        force_weight: Of contact forces, towards an even spread.
        friction: Coefficient the controller counts on; must be below the real one. Forces stay in a
            pyramid inside of this cone.
        force_ramp: Time in which the forces of a foot that has landed may rise [s].
        joint_limit_gains: Speed towards a limit is at most gain₂ × distance, approached with gain₁
            [1/s].
        joint_margin: Distance kept from the limits [rad].
        min_knee: Smallest knee angle [rad].
        torque_fraction: Part of the torque limits that is used.
    """

    com_weight: tuple[float, float] = (1000.0, 100.0)
    contact_weight: float = 1000.0
    contact_damping: float = 20.0
    swing_weight: tuple[float, float] = (100.0, 30.0)
    swing_stiffness: float = 400.0
    swing_damping: float = 40.0
    torso_weight: tuple[float, float, float] = (50.0, 50.0, 20.0)
    torso_stiffness: float = 150.0
    torso_damping: float = 25.0
    momentum_weight: tuple[float, float, float] = (0.3, 0.3, 0.1)
    momentum_damping: float = 5.0
    leg_posture_weight: float = 1e-3
    posture_weight: float = 0.05
    posture_stiffness: float = 60.0
    posture_damping: float = 15.0
    force_weight: float = 1e-5
    friction: float = 0.6
    force_ramp: float = 0.02
    joint_limit_gains: tuple[float, float] = (40.0, 15.0)
    joint_margin: float = 0.02
    min_knee: float = 0.05
    torque_fraction: float = 1.0

    def __post_init__(self) -> None:
        _require_positive("tasks", "swing_stiffness", self.swing_stiffness, "feet would not swing")
        _require_positive("tasks", "torso_stiffness", self.torso_stiffness, "the torso would tilt")
        for f in fields(self):
            value = getattr(self, f.name)
            if f.name.endswith("damping") and not 0.0 <= value < inf:
                raise InputError(f"tasks.{f.name} must not be negative, got {value}")


@dataclass(frozen=True, kw_only=True)
class WalkingConfig:
    """Everything that the walk of one robot depends on.

    Attributes:
        robot: Name in the zoo.
        gait: Times and heights.
        limits: Of footsteps and base velocity.
        feedback: Answer to disturbances.
        tasks: Weights and gains.
        groups: Feet that swing together, in the order of their steps.
        leg_joints: Patterns of the joints that belong to legs.
        knee_joints: Patterns of the joints that may not pass through straight.
        posture: Joints that are held differently from the robot's standing posture [rad].
        ranges: Pattern → limits narrower than the joint's own [rad], such as arms away from the
            hips.
        radius: Of the upright cylinder that the robot needs while walking [m].
        control_step: Time between two ticks [s].
    """

    robot: str
    gait: GaitConfig
    limits: StepLimits
    feedback: FeedbackConfig = field(default_factory=FeedbackConfig)
    tasks: TaskConfig = field(default_factory=TaskConfig)
    groups: tuple[tuple[str, ...], ...]
    leg_joints: tuple[str, ...]
    knee_joints: tuple[str, ...] = ()
    posture: Mapping[str, float] = field(default_factory=dict)
    ranges: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    radius: float
    control_step: float = 0.002

    @property
    def omega(self) -> float:
        """Natural frequency of the pendulum, √(g / height) [1/s]."""
        return sqrt(GRAVITY / self.gait.com_height)

    def on_treads(self, depth: float) -> "WalkingConfig":
        """Change the pace to that of stairs: every foot is set on every tread.

        A foot that skips a tread has to rise two of them in one swing, and stumbles.

        Args:
            depth: Of a tread [m].

        Returns:
            The same with slower plans, if the treads are short.
        """
        limits, most = self.limits, TREAD_PACE * depth / (2.0 * self.gait.step_duration)
        forward, left, turning = limits.velocity
        slower = replace(
            limits,
            velocity=(min(forward, most), left, turning),
            backward_velocity=min(limits.backward_velocity, most),
            command_speed=min(limits.command_speed, most),
        )
        return replace(self, limits=slower)
