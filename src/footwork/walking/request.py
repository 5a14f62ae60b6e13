"""What is asked of a walk: where to, on what ground, with which disturbances; and as TOML."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, is_dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from footwork.errors import InputError
from footwork.files import read_toml
from footwork.simulation import Box, Push, SensorNoise, SimulationConfig, Terrain, parse_terrain
from footwork.simulation.terrain import Stairs
from footwork.typing import as_array
from footwork.walking.command import LONGEST, Command, refuse_far, refuse_fast
from footwork.walking.config import WalkingConfig
from footwork.walking.robots import config_for

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class WalkRequest:
    """One walk, complete and repeatable. SI units, angles in radians.

    One of ``goal``, ``waypoints``, ``velocity``, ``path`` and ``contacts`` says where to at first;
    none of them if there are commands, before which the robot stands.

    Attributes:
        robot: Name in the zoo.
        goal: Where the middle of the feet is to arrive: x, y [m], yaw [rad]; from the origin.
        waypoints: Poses to pass through, ending at the last.
        velocity: Forward, left [m/s], turning [rad/s], for ``duration``.
        duration: Of a walk with a velocity [s].
        path: File of a `PathControl` of the base (npz).
        contacts: File of planned contacts (json).
        commands: Given while it is walked, by their times.
        map: File of a map with obstacles (yaml), see the how-to.
        terrain: Kind of ground, as `parse_terrain` reads it; unknown to the controller unless it is
            stairs.
        friction: Of the ground.
        payload: Mass in the torso that the controller does not know of [kg].
        mass_factor: True masses over those the controller believes in.
        delay: From torque computed to torque applied [s].
        velocity_noise: Deviation of joint and base velocities [rad/s].
        position_noise: Deviation of joint angles [rad].
        pushes: Forces on the base.
        estimator: Whether the base's state is estimated from joints, IMU and contacts.
        seed: Of noise and random ground.
        control_step: Between two ticks [s].
        simulation_step: Of the physics [s].
        time_limit: Simulated time after which the walk is given up [s]; None: a margin over the
            plan.
        settings: Changes of the robot's walking configuration, as nested tables: gait, limits,
            feedback, tasks.
    """

    robot: str = "g1"
    goal: tuple[float, float, float] | None = None
    waypoints: tuple[tuple[float, float, float], ...] = ()
    velocity: tuple[float, float, float] | None = None
    duration: float = 10.0
    path: str = ""
    contacts: str = ""
    commands: tuple[Command, ...] = ()
    map: str = ""
    terrain: str = "flat"
    friction: float = 1.0
    payload: float = 0.0
    mass_factor: float = 1.0
    delay: float = 0.0
    velocity_noise: float = 0.0
    position_noise: float = 0.0
    pushes: tuple[Push, ...] = ()
    estimator: bool = False
    seed: int = 0
    control_step: float = 0.002
    simulation_step: float = 0.001
    time_limit: float | None = None
    settings: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        ways = self._ways()
        given = [name for name, is_given in ways.items() if is_given]
        if len(given) > 1:
            raise InputError(f"say where to walk in one way only, got {' and '.join(given)}")
        if not given and not self.commands:
            raise InputError(f"say where to walk: give one of {', '.join(ways)}")
        self._check_commands()
        for place in (*self.waypoints, *([self.goal] if self.goal is not None else [])):
            as_array("goal or waypoint", place, (3,))
            refuse_far(place[0], place[1])
        if self.velocity is not None:
            as_array("velocity", self.velocity, (3,))
            refuse_fast(self.velocity)
        if self.velocity is not None and self.duration > LONGEST:
            raise InputError(f"duration: at most {LONGEST:g} s, got {self.duration:g}")

    def _ways(self) -> dict[str, bool]:
        """Tell of each way to say where to walk whether it is used."""
        return {
            "goal": self.goal is not None,
            "waypoints": bool(self.waypoints),
            "velocity": self.velocity is not None,
            "path": bool(self.path),
            "contacts": bool(self.contacts),
        }

    @property
    def has_only_commands(self) -> bool:
        """Whether the robot stands until it is told something."""
        return not any(self._ways().values())

    def _check_commands(self) -> None:
        for i, command in enumerate(self.commands):
            if not isinstance(command, Command):
                raise InputError(f"commands[{i}] must be a Command, got {command!r}")
        ordered = sorted(self.commands, key=lambda command: command.time)
        if not ordered:
            return
        last = ordered[-1]
        if last.is_endless:
            raise InputError(
                f"the last command, {last.describe()} at {last.time:g} s, never ends: give it a "
                "duration, or a stop after it"
            )

    @property
    def ground(self) -> Terrain:
        """The terrain that is named."""
        return parse_terrain(self.terrain)

    @property
    def walking(self) -> WalkingConfig:
        """The robot's configuration with the changes asked for.

        Raises:
            InputError: If a change names something unknown.
        """
        config = replace(config_for(self.robot), control_step=self.control_step)
        if isinstance(self.ground, Stairs):
            config = config.on_treads(self.ground.depth)
        return apply_settings(config, self.settings, "settings")

    def simulation(
        self, obstacles: Sequence[tuple[float, float, float, float]] = (), walls: Sequence[Box] = ()
    ) -> SimulationConfig:
        """Describe the world.

        Args:
            obstacles: Upright cylinders (x, y, radius, height) [m].
            walls: Boxes in the way.

        Returns:
            The configuration of the simulation.
        """
        return SimulationConfig(
            step=self.simulation_step,
            control_step=self.control_step,
            friction=self.friction,
            terrain=self.ground,
            obstacles=tuple(obstacles),
            walls=tuple(walls),
            payload=self.payload,
            mass_factor=self.mass_factor,
            delay=self.delay,
            noise=SensorNoise(
                joint_position=self.position_noise,
                joint_velocity=self.velocity_noise,
                linear_velocity=self.velocity_noise,
            ),
            pushes=self.pushes,
            seed=self.seed,
        )

    def to_table(self) -> dict[str, Any]:
        """List everything as nested plain values, as ``config.toml`` has it.

        Returns:
            The table.
        """
        return asdict(self)

    def describe(self) -> str:
        """Say in a few words where the walk goes."""
        words = self._describe_first()
        more = len(self.commands)
        return f"{words}, {more} command{'s' * (more != 1)}" if more else words

    def _describe_first(self) -> str:
        if self.goal is not None:
            return Command(goal=self.goal).describe()
        if self.velocity is not None:
            return Command(velocity=self.velocity, duration=self.duration).describe()
        if self.waypoints:
            return f"through {len(self.waypoints)} waypoints"
        if not (self.path or self.contacts):
            return "standing"
        return f"along {self.path or self.contacts}"


def read_request(path: str | Path) -> WalkRequest:
    """Read a request from a TOML file, such as the ``config.toml`` of a run folder.

    Args:
        path: Of the file.

    Returns:
        The request.

    Raises:
        InputError: If the file is not readable or names something unknown; says where.
    """
    return request_from_table(read_toml(path), str(path))


def request_from_table(table: dict[str, Any], where: str) -> WalkRequest:
    """Make a request from nested plain values.

    Args:
        table: As `WalkRequest.to_table` makes it.
        where: For messages.

    Returns:
        The request.

    Raises:
        InputError: If a name or a kind of value is wrong; says which.
    """
    import msgspec

    try:
        return msgspec.convert(_known(table, WalkRequest, where), WalkRequest)
    except msgspec.ValidationError as error:
        raise InputError(f"{where}: {error}") from error


def _known(table: dict[str, Any], kind: type[Any], where: str) -> dict[str, Any]:
    names = [f.name for f in fields(kind)]
    for key in table:
        if key not in names:
            raise InputError(f"{where}: unknown setting {key!r}; there are {', '.join(names)}")
    return table


def apply_settings(config: T, settings: dict[str, Any], where: str) -> T:
    """Change a frozen configuration by nested tables; unknown names are errors.

    Args:
        config: A dataclass of dataclasses.
        settings: Nested names → values.
        where: For messages.

    Returns:
        The changed copy.

    Raises:
        InputError: If a name is unknown or a value of the wrong kind; says where.
    """
    import msgspec

    kinds = {f.name: f.type for f in fields(config)}  # type: ignore[arg-type]
    changes: dict[str, Any] = {}
    for name, value in settings.items():
        if name not in kinds:
            raise InputError(f"{where}: unknown setting {name!r}; there are {', '.join(kinds)}")
        old = getattr(config, name)
        if is_dataclass(old) and isinstance(value, dict):
            changes[name] = apply_settings(old, value, f"{where}.{name}")
            continue
        try:
            changes[name] = msgspec.convert(value, kinds[name])
        except msgspec.ValidationError as error:
            raise InputError(f"{where}.{name}: {error}") from error
    return replace(config, **changes)  # type: ignore[type-var]
