"""What the walk is tried on: goals, velocities, pushes, disturbances; a row of runs each."""

from collections.abc import Callable
from dataclasses import dataclass
from math import cos, pi, radians, sin

import numpy as np

from footwork.simulation import Push
from footwork.simulation.terrain import Stairs
from footwork.walking import Command, WalkRequest, config_for


@dataclass(frozen=True)
class Row:
    """One line of the table: a name, and the requests of its runs by number."""

    name: str
    request: Callable[[int], WalkRequest]
    full: int = 20
    arrives: bool = True


def goal_of(seed: int) -> tuple[float, float, float]:
    rng = np.random.default_rng(seed)
    distance, direction, yaw = rng.uniform(1.0, 4.0), *rng.uniform(-pi, pi, 2)
    return distance * cos(direction), distance * sin(direction), yaw


def goals(robot: str) -> Row:
    return Row(f"goals-{robot}", lambda i: WalkRequest(robot=robot, goal=goal_of(i)))


def straight(robot: str) -> Row:
    """Goals 2 to 4 m straight ahead, for the mean speed."""
    return Row(
        f"straight-{robot}",
        lambda i: WalkRequest(robot=robot, goal=(2.0 + 2.0 * i / 19.0, 0.0, 0.0)),
    )


def velocity(robot: str, name: str, *v: float) -> Row:
    return Row(
        f"velocity-{robot}-{name}",
        lambda i: WalkRequest(
            robot=robot, velocity=(v[0], v[1], v[2]), duration=30.0, seed=i, velocity_noise=1e-3 * i
        ),
    )


STANCE_REACH = 0.15
"""Of a sole and its margin to the edges of steps [m]."""


def stairs(robot: str, rise: float) -> Row:
    """Goals 1 to 4 m ahead, up to 0.4 m aside: beyond the stairs, or on any step of them.

    They are where the whole soles have ground.
    """

    def request(i: int) -> WalkRequest:
        rng = np.random.default_rng(i)
        x, y = rng.uniform(1.0, 4.0), rng.uniform(-0.4, 0.4)
        goal = Stairs(rise=rise).tread(x, STANCE_REACH), y, 0.0
        return WalkRequest(robot=robot, goal=goal, terrain=f"stairs:{rise:g}")

    return Row(f"stairs-{robot}-{100.0 * rise:g}cm", request)


PUSH_START = 2.5
"""When the first of the instants is [s]: the walk has its speed."""
INSTANTS = 8


def pushed(
    speed: float, force: float, duration: float, direction: float, instant: float
) -> WalkRequest:
    """Push G1's pelvis: a direction [degrees], and an instant as a part of the gait's period."""
    start = PUSH_START + instant * 2.0 * config_for("g1").gait.step_duration
    way = force * cos(radians(direction)), force * sin(radians(direction)), 0.0
    return WalkRequest(
        velocity=(speed, 0.0, 0.0),
        duration=5.0,
        pushes=(Push(start=start, duration=duration, force=way),),
    )


def push(name: str, speed: float, force: float, duration: float) -> Row:
    """Eight directions by eight instants of the gait's period."""

    def request(i: int) -> WalkRequest:
        return pushed(speed, force, duration, 45.0 * (i % 8), (i // 8) / INSTANTS)

    return Row(f"push-{name}", request, full=64, arrives=False)


def disturbed(name: str, *, estimator: bool = False, **changes: object) -> Row:
    def request(i: int) -> WalkRequest:
        own = {
            key: value.format(seed=i) if isinstance(value, str) else value
            for key, value in changes.items()
        }
        base = {"velocity": (0.5, 0.0, 0.0), "duration": 10.0, "seed": i, "estimator": estimator}
        return WalkRequest(**(base | own))  # type: ignore[arg-type]

    suffix = "-estimator" if estimator else ""
    return Row(f"disturbed-{name}{suffix}", request, arrives=False)


def operator(seed: int) -> list[Command]:
    """A velocity, another every 0.7 to 1.6 s, or a goal, and in the end a goal or a stop."""
    rng = np.random.default_rng(seed)
    commands, time = [], 0.1
    for _ in range(8):
        vx, vy, wz = rng.uniform((-0.3, -0.25, -0.6), (0.6, 0.25, 0.6)).tolist()
        to = Command(time=time, goal=goal_of(int(rng.integers(1000))))
        commands.append(to if rng.random() < 0.25 else Command(time=time, velocity=(vx, vy, wz)))
        time += rng.uniform(0.7, 1.6)
    last = Command(time=time, stop=True) if seed % 2 else Command(time=time, goal=(0.5, 0.5, 1.0))
    return [*commands, last]


def commanded(robot: str) -> Row:
    return Row(
        f"commands-{robot}-random", lambda i: WalkRequest(robot=robot, commands=tuple(operator(i)))
    )


def stopped(robot: str) -> Row:
    """Stops, spread over two steps from 1.2 s on, at half a metre a second in a curve."""

    def request(i: int) -> WalkRequest:
        when = 1.2 + i / 20.0 * 2.0 * config_for(robot).gait.step_duration
        walks = Command(time=0.1, velocity=(0.5, 0.1, 0.3))
        return WalkRequest(robot=robot, commands=(walks, Command(time=when, stop=True)))

    return Row(f"commands-{robot}-stop", request)


DISTURBANCES: dict[str, dict[str, object]] = {
    "nothing": {},
    "boxes-4cm": {"terrain": "bumps:0.04:{seed}"},
    "rough-4cm": {"terrain": "rough:0.04:{seed}"},
    "slope-up-5": {"terrain": "slope:5"},
    "slope-down-5": {"terrain": "slope:-5"},
    "friction-0.5": {"friction": 0.5},
    "payload-4kg": {"payload": 4.0},
    "mass+10%": {"mass_factor": 1.1},
    "mass-10%": {"mass_factor": 0.9},
    "delay-6ms": {"delay": 0.006},
    "noise": {"velocity_noise": 0.05, "position_noise": 0.001},
}

ROWS = [
    *(goals(robot) for robot in ("g1", "talos", "jvrc1", "go2")),
    straight("g1"),
    stairs("g1", 0.05),
    stairs("talos", 0.05),
    velocity("g1", "forward-1.0", 1.0, 0.0, 0.0),
    velocity("g1", "backward-0.5", -0.5, 0.0, 0.0),
    velocity("g1", "sideways-0.3", 0.0, 0.3, 0.0),
    velocity("g1", "turning-0.6", 0.0, 0.0, 0.6),
    velocity("g1", "curve-0.5-1.0", 0.5, 0.0, 1.0),
    velocity("talos", "forward-0.8", 0.8, 0.0, 0.0),
    velocity("jvrc1", "forward-0.5", 0.5, 0.0, 0.0),
    velocity("go2", "trot-0.5", 0.5, 0.0, 0.0),
    *(row(robot) for robot in ("g1", "talos", "jvrc1", "go2") for row in (commanded, stopped)),
    push("in-place-160N-0.1s", 0.0, 160.0, 0.1),
    push("in-place-60N-0.5s", 0.0, 60.0, 0.5),
    push("0.5m/s-160N-0.1s", 0.5, 160.0, 0.1),
    push("0.5m/s-60N-0.5s", 0.5, 60.0, 0.5),
    *(disturbed(name, **changes) for name, changes in DISTURBANCES.items()),
    *(disturbed(name, estimator=True, **changes) for name, changes in DISTURBANCES.items()),
]
