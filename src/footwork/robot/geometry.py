"""Shapes of a robot's links: where their meshes are, and Pinocchio's geometry model of them."""

import os
import warnings
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote, urlparse

from footwork.errors import ModelError
from footwork.robot.model import RobotModel
from footwork.robot.urdf import ModelWarning


def find_mesh(
    name: str, *, folder: Path | None = None, package_dirs: Iterable[str | os.PathLike[str]] = ()
) -> tuple[Path | None, tuple[Path, ...]]:
    """Find the file that a URDF means by a mesh name.

    "package://P/rest" is looked for as P/rest in ``package_dirs``, in ROS_PACKAGE_PATH, in the
    share folders of AMENT_PREFIX_PATH, and in the folders above the URDF. "file://" and absolute
    paths are taken as they are; anything else is relative to the URDF.

    Args:
        name: As it stands in the URDF.
        folder: Where the URDF is; None for a text.
        package_dirs: Folders that contain packages.

    Returns:
        The file, or None; and every place that was tried.
    """
    tried = tuple(dict.fromkeys(_places(name, folder, [Path(d) for d in package_dirs])))
    return next((place for place in tried if place.is_file()), None), tried


def _places(name: str, folder: Path | None, package_dirs: Sequence[Path]) -> list[Path]:
    if name.startswith("package://"):
        rest = name.removeprefix("package://").lstrip("/")
        roots = [*package_dirs, *_ros_roots()]
        if folder is not None:
            roots += [folder, *folder.parents]
        places = [root / rest for root in roots]
        # A package's own folder may be given, too.
        package, _, inside = rest.partition("/")
        return places + [root / inside for root in roots if root.name == package]
    if name.startswith("file://"):
        return [Path(unquote(urlparse(name).path))]
    path = Path(name)
    if path.is_absolute():
        return [path]
    roots = ([folder] if folder is not None else []) + list(package_dirs)
    return [Path(os.path.normpath(root / path)) for root in roots]


def _ros_roots() -> list[Path]:
    ros = os.environ.get("ROS_PACKAGE_PATH", "").split(os.pathsep)
    ament = os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep)
    return [Path(p) for p in ros if p] + [Path(p) / "share" for p in ament if p]


def load_geometry(
    robot: RobotModel,
    kind: Literal["collision", "visual"] = "collision",
    *,
    package_dirs: Iterable[str | os.PathLike[str]] = (),
    missing: Literal["error", "warn"] = "warn",
) -> Any:
    """Read the shapes of a robot's links.

    Args:
        robot: The robot.
        kind: "collision" or "visual".
        package_dirs: Folders that contain packages, before those of the zoo's entry.
        missing: What to do about meshes that are not found: an error, or one warning for all, and
            the shapes are left out.

    Returns:
        A ``pinocchio.GeometryModel``.

    Raises:
        ModelError: If a mesh is not found, with the places that were tried, or cannot be read.
    """
    import pinocchio as pin

    wanted = pin.GeometryType.COLLISION if kind == "collision" else pin.GeometryType.VISUAL
    if robot.urdf_xml is None:
        try:
            return pin.buildGeomFromMJCF(robot.pin_model, robot.source, wanted)
        except Exception as error:
            raise ModelError(f"{robot.source}: shapes cannot be read: {error}") from error
    folders = [Path(d) for d in package_dirs]
    if robot.entry is not None:
        folders += robot.entry.package_dirs
    xml = _with_found_meshes(robot, folders, missing, kind)
    try:
        return pin.buildGeomFromUrdfString(robot.pin_model, xml, wanted)
    except Exception as error:
        raise ModelError(f"{robot.name!r}: shapes cannot be read: {error}") from error


def _with_found_meshes(robot: RobotModel, folders: list[Path], missing: str, kind: str) -> str:
    """Write absolute paths into the URDF; leave out what is not found."""
    folder = None if robot.source is None else Path(robot.source).parent
    root = ET.fromstring(robot.urdf_xml or "<robot/>")
    lost: list[str] = []
    for link in root.findall("link"):
        for shape in link.findall(kind):
            mesh = shape.find("geometry/mesh")
            if mesh is None:
                continue
            name = mesh.get("filename", "")
            found, tried = find_mesh(name, folder=folder, package_dirs=folders)
            if found is not None:
                mesh.set("filename", str(found))
                continue
            link.remove(shape)
            places = ", ".join(str(place) for place in tried) or "no place: give package_dirs"
            lost.append(f"{name!r} of link {link.get('name')!r} (tried {places})")
    if lost and missing == "error":
        raise ModelError(f"robot {robot.name!r}: mesh not found: {lost[0]}")
    if lost:
        more = f"; {len(lost) - 1} more" if len(lost) > 1 else ""
        message = f"robot {robot.name!r}: shapes left out, mesh not found: {lost[0]}{more}"
        warnings.warn(message, ModelWarning, stacklevel=3)
    return ET.tostring(root, encoding="unicode")
