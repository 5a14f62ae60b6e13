"""The zoo: robots by name."""

from typing import Final

from footwork.errors import InputError, UnknownRobotError
from footwork.robot.frames import did_you_mean, near_names
from footwork.robot.model import RobotModel
from footwork.robot.zoo import arms, humanoids, quadrupeds
from footwork.robot.zoo.entry import EntryMaker, ZooEntry

_makers: Final[dict[str, EntryMaker]] = {
    "g1": humanoids.g1,
    "talos": humanoids.talos,
    "jvrc1": humanoids.jvrc1,
    "icub": humanoids.icub,
    "go2": quadrupeds.go2,
    "anymal_c": quadrupeds.anymal_c,
    "solo12": quadrupeds.solo12,
    "panda": arms.panda,
}


def robot_names() -> tuple[str, ...]:
    """Names that `load` takes.

    Returns:
        Names, in the order of entry.
    """
    return tuple(_makers)


def register(entry: ZooEntry) -> None:
    """Add a robot of one's own to the zoo, for this process.

    Args:
        entry: The robot.

    Raises:
        InputError: If the name is taken.
    """
    if entry.name in _makers:
        raise InputError(f"the zoo has a robot {entry.name!r} already; choose another name")
    _makers[entry.name] = lambda: entry


def entry_of(name: str) -> ZooEntry:
    """Find what the zoo knows of a robot, without reading its description.

    Args:
        name: Such as "g1".

    Returns:
        The entry.

    Raises:
        UnknownRobotError: If there is none; names those there are.
    """
    if name not in _makers:
        raise UnknownRobotError(
            f"the zoo has no robot {name!r}; {did_you_mean(name, _makers)}",
            name=name,
            near=near_names(name, _makers),
        )
    return _makers[name]()


def load(robot: str | ZooEntry) -> RobotModel:
    """Load a robot of the zoo.

    Args:
        robot: Its name, or an entry of one's own.

    Returns:
        A model with limits, aliases and feet; every call makes a new one.

    Raises:
        UnknownRobotError: If there is no such robot.
        ModelError: If its description is not installed.

    Example:
        >>> from footwork.robot import load
        >>> g1 = load("g1")
        >>> g1.nv, round(g1.mass, 2), g1.frame("left_foot").kind
        (35, 33.34, 'alias')
    """
    entry = entry_of(robot) if isinstance(robot, str) else robot
    if entry.is_urdf:
        return RobotModel.from_urdf(
            entry.path,
            floating_base=entry.floating_base,
            mimic=entry.mimic,
            entry=entry,
            warn=False,
        )
    return RobotModel.from_mjcf(entry.path, entry=entry)
