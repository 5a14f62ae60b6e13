"""What is known of a robot beside its description: a zoo entry."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from importlib import metadata
from pathlib import Path

import numpy as np

from footwork.errors import InputError, ModelError
from footwork.spatial import Pose
from footwork.typing import Matrix, frozen


@dataclass(frozen=True, kw_only=True)
class FootGeometry:
    """What of a foot touches the ground.

    A flat foot is a rectangle; its frame is the centre of the sole, x forward, z up. A point foot
    is a sphere; its frame is the sphere's centre.

    Attributes:
        name: The foot, which is also the name of its frame: "left_foot".
        link: Link that it belongs to.
        T_link_foot: Placement of the foot's frame in the link.
        length_front: From the frame to the front edge [m].
        length_back: From the frame to the back edge [m].
        width_left: From the frame to the left edge [m].
        width_right: From the frame to the right edge [m].
        radius: Of a point foot's sphere [m]; 0 for a flat foot.
        source: Where the numbers are from.
    """

    name: str
    link: str
    T_link_foot: Pose
    length_front: float = 0.0
    length_back: float = 0.0
    width_left: float = 0.0
    width_right: float = 0.0
    radius: float = 0.0
    source: str

    def __post_init__(self) -> None:
        sides = (self.length_front, self.length_back, self.width_left, self.width_right)
        flat = all(side > 0.0 for side in sides) and self.radius == 0.0
        point = all(side == 0.0 for side in sides) and self.radius >= 0.0
        if not flat and not point:
            raise InputError(
                f"foot {self.name!r}: give four positive sides of a sole or the radius of a point "
                f"foot, got sides {sides} and radius {self.radius}"
            )

    @property
    def is_point(self) -> bool:
        """Whether it transmits no torque to the ground."""
        return self.length_front == 0.0

    @property
    def corners(self) -> Matrix:
        """Corners of the sole in the foot's frame [m], shape (4, 3).

        Anticlockwise from the front left. A point foot has one, its centre: shape (1, 3).
        """
        if self.is_point:
            return frozen(np.zeros((1, 3)))
        f, b, le, r = self.length_front, self.length_back, self.width_left, self.width_right
        return frozen(
            np.array([[f, le, 0.0], [-b, le, 0.0], [-b, -r, 0.0], [f, -r, 0.0]], dtype=np.float64)
        )


@dataclass(frozen=True, kw_only=True)
class ZooEntry:
    """A known robot: where its description is, and what that lacks, each with its source.

    Attributes:
        name: As `load` takes it.
        title: The robot's full name.
        kind: "humanoid", "quadruped", "arm" or whatever else.
        package: PyPI distribution that has the files; empty for a plain path.
        file: Path of the URDF or MJCF inside the distribution's folder, or an absolute path.
        mesh_folders: Folders inside the distribution where "package://" paths start.
        floating_base: Whether a URDF's first link moves freely.
        mimic: Whether mimic joints follow their drivers; else they move on their own, as in MuJoCo.
        base: Link that the alias "base" means.
        base_quaternion_xyzw: Orientation of the first link when the robot stands and faces +x.
        frames: Alias → (link, placement in it); feet need no entry here.
        feet: Feet, left before right, front before hind.
        armature: Joint pattern → rotor inertia at the joint [kg m²].
        effort_limits: Joint pattern → torque [N m] that replaces the description's.
        velocity_limits: Joint pattern → speed [rad/s] that replaces the description's.
        posture: Joint → position [rad] when standing; the others are at zero or their nearest
            limit.
        sources: What → where it is from, in words.
        licence: Of the description.
    """

    name: str
    title: str
    kind: str
    package: str = ""
    file: str
    mesh_folders: tuple[str, ...] = ()
    floating_base: bool = True
    mimic: bool = True
    base: str
    base_quaternion_xyzw: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 1.0)
    frames: Mapping[str, tuple[str, Pose]] = field(default_factory=dict)
    feet: tuple[FootGeometry, ...] = ()
    armature: Mapping[str, float] = field(default_factory=dict)
    effort_limits: Mapping[str, float] = field(default_factory=dict)
    velocity_limits: Mapping[str, float] = field(default_factory=dict)
    posture: Mapping[str, float] = field(default_factory=dict)
    sources: Mapping[str, str]
    licence: str = ""

    @property
    def path(self) -> Path:
        """Where the description is on this machine.

        Raises:
            ModelError: If the package that has it is not installed.
        """
        return self._locate(self.file)

    @property
    def is_urdf(self) -> bool:
        """Whether the description is a URDF; else it is an MJCF."""
        return self.file.endswith(".urdf")

    @property
    def package_dirs(self) -> tuple[Path, ...]:
        """Folders in which the package of a "package://" path is looked for."""
        return tuple(self._locate(folder) for folder in self.mesh_folders)

    def _locate(self, relative: str) -> Path:
        if not self.package:
            return Path(relative)
        try:
            found = Path(str(metadata.distribution(self.package).locate_file(relative)))
        except metadata.PackageNotFoundError as error:
            raise ModelError(
                f"robot {self.name!r} is in the package {self.package!r}, which is not installed; "
                f"`pip install {self.package}`"
            ) from error
        if not found.exists():
            version = metadata.version(self.package)
            raise ModelError(
                f"robot {self.name!r}: {self.package} {version} has no {relative!r} "
                f"(looked at {found})"
            )
        return found

    def foot(self, name: str) -> FootGeometry:
        """Find a foot.

        Args:
            name: Such as "left_foot".

        Returns:
            The foot.

        Raises:
            ModelError: If there is none; names those there are.
        """
        for foot in self.feet:
            if foot.name == name:
                return foot
        known = ", ".join(foot.name for foot in self.feet) or "none"
        raise ModelError(f"robot {self.name!r} has no foot {name!r}; its feet are {known}")

    def aliases(self) -> dict[str, tuple[tuple[str, str | None], Pose]]:
        """Name every frame that the entry adds.

        Returns:
            Alias → ((link, "body"), placement in it).
        """
        found: dict[str, tuple[tuple[str, str | None], Pose]] = {
            foot.name: ((foot.link, "body"), foot.T_link_foot) for foot in self.feet
        }
        turn = Pose(quaternion_xyzw=self.base_quaternion_xyzw).inverse()
        found["base"] = ((self.base, "body"), turn)
        for alias, (link, T) in self.frames.items():
            found[alias] = ((link, "body"), T)
        return found

    @staticmethod
    def match(patterns: Mapping[str, float], name: str) -> float | None:
        """Find the value of the first pattern that a joint's name fits.

        Args:
            patterns: Pattern with * and ? → value.
            name: Name of a joint.

        Returns:
            The value, or None.
        """
        for pattern, value in patterns.items():
            if fnmatchcase(name, pattern):
                return value
        return None


EntryMaker = Callable[[], ZooEntry]
