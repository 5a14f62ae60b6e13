"""Reading a URDF: what must be right before Pinocchio sees it, and what is only warned of."""

import math
import warnings
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path

import numpy as np

from footwork.errors import InputError, ModelError
from footwork.files import read_text
from footwork.robot.frames import did_you_mean
from footwork.robot.mimic_order import drivers_first

UNWOUND = 1e6
"""Limit [rad] of a continuous joint that is read as a plain angle, for a mimic joint's sake."""


class ModelWarning(UserWarning):
    """A robot description is odd but usable; the message names the link or joint."""


@dataclass(frozen=True, kw_only=True)
class Urdf:
    """A robot description that has been read and checked.

    Attributes:
        xml: Text for Pinocchio: axes normalised, mimic chains resolved.
        path: File it came from; None for a string.
        name: Name of the robot.
        has_mimic: Whether joints follow others.
        unwound: Continuous joints that are now plain angles without limits.
        original_names: Names in ``xml`` → names of the joints, where joints had to be put in order.
    """

    xml: str
    path: Path | None
    name: str
    has_mimic: bool
    unwound: frozenset[str]
    original_names: Mapping[str, str]


def read_urdf(source: str | PathLike[str], *, mimic: bool = True, warn: bool = True) -> Urdf:
    """Read and check a URDF.

    Args:
        source: Path of a file, or the XML itself (anything that starts with "<").
        mimic: Whether mimic joints follow their drivers; else they are ordinary joints.
        warn: Whether odd inertias are warned of.

    Returns:
        The checked description.

    Raises:
        ModelError: If it cannot be read or is not XML, two links or joints share a name, a moving
            joint has no axis, or a mimic joint follows one that does not exist; the message names
            it.
    """
    text, path = _text_of(source)
    where = str(path) if path is not None else "the URDF text"
    try:
        root = ET.fromstring(text)
    except ET.ParseError as error:
        raise ModelError(f"{where}: not well-formed XML: {error}") from error
    if root.tag != "robot":
        raise ModelError(f"{where}: expected <robot> at the top, got <{root.tag}>")
    _check_names(root, where)
    _check_axes(root, where)
    if warn:
        for message in inertia_faults(root):
            warnings.warn(f"{where}: {message}", ModelWarning, stacklevel=3)
    unwound = _resolve_mimic(root, where) if mimic else _forget_mimic(root)
    names = drivers_first(root, where)
    return Urdf(
        xml=ET.tostring(root, encoding="unicode"),
        path=path,
        name=root.get("name", "robot"),
        has_mimic=root.find("joint/mimic") is not None,
        unwound=frozenset(unwound),
        original_names=names,
    )


def _text_of(source: str | PathLike[str]) -> tuple[str, Path | None]:
    if isinstance(source, str) and source.lstrip("\ufeff \t\r\n").startswith("<"):
        return source.lstrip("\ufeff \t\r\n"), None
    path = Path(fspath(source))
    try:
        return read_text(path).lstrip(), path.absolute()
    except InputError as error:
        raise ModelError(str(error)) from error


def _check_names(root: ET.Element, where: str) -> None:
    for tag in ("link", "joint"):
        names = [element.get("name") for element in root.findall(tag)]
        if None in names:
            raise ModelError(f"{where}: a <{tag}> has no name")
        twice = [name for name, count in Counter(names).items() if count > 1]
        if twice:
            raise ModelError(f"{where}: two {tag}s are called {twice[0]!r}; names must differ")


def _check_axes(root: ET.Element, where: str) -> None:
    """Make every axis a unit vector; a missing one is x, one without direction an error."""
    for joint in root.findall("joint"):
        axis = joint.find("axis")
        if axis is None:
            continue
        name, kind = joint.get("name"), joint.get("type")
        numbers = _numbers(axis.get("xyz", "1 0 0"), 3, f"{where}: axis of joint {name!r}")
        norm = math.sqrt(sum(c * c for c in numbers))
        if norm > 1e-12:
            axis.set("xyz", " ".join(repr(c / norm) for c in numbers))
        elif kind in {"fixed", "floating"}:
            axis.set("xyz", "1 0 0")
        else:
            raise ModelError(f"{where}: {kind} joint {name!r} has the axis 0 0 0")


def _numbers(text: str, count: int, what: str) -> list[float]:
    try:
        numbers = [float(word) for word in text.split()]
    except ValueError as error:
        raise ModelError(f"{what}: expected {count} numbers, got {text!r}") from error
    if len(numbers) != count or not all(map(math.isfinite, numbers)):
        raise ModelError(f"{what}: expected {count} finite numbers, got {text!r}")
    return numbers


def inertia_faults(root: ET.Element) -> Iterator[str]:
    """Go through the inertias that no body can have.

    A link may have none when it is fixed to another. One that moves needs a mass, and its principal
    moments must satisfy the triangle rule: no one above the sum of the other two.

    Args:
        root: The <robot> element.

    Yields:
        One sentence a fault, naming the link.
    """
    moving = {
        child.get("link")
        for joint in root.findall("joint")
        if joint.get("type") != "fixed" and (child := joint.find("child")) is not None
    }
    children = _fixed_children(root)
    for link in root.findall("link"):
        name = link.get("name", "")
        inertial = link.find("inertial")
        mass = _mass(inertial)
        if mass < 0.0 or not math.isfinite(mass):
            yield f"link {name!r} has the mass {mass} kg"
        elif name in moving and _mass_below(root, name, children) <= 0.0:
            yield f"link {name!r} moves but has no mass; the mass matrix may be singular"
        inertia = None if inertial is None else inertial.find("inertia")
        if mass > 0.0 and inertia is not None:
            fault = _triangle_fault(inertia)
            if fault:
                yield f"link {name!r} {fault}"


def _mass(inertial: ET.Element | None) -> float:
    mass = None if inertial is None else inertial.find("mass")
    return 0.0 if mass is None else float(mass.get("value", "0"))


def _fixed_children(root: ET.Element) -> dict[str, list[str]]:
    children: dict[str, list[str]] = {}
    for joint in root.findall("joint"):
        parent, child = joint.find("parent"), joint.find("child")
        if joint.get("type") == "fixed" and parent is not None and child is not None:
            children.setdefault(parent.get("link", ""), []).append(child.get("link", ""))
    return children


def _mass_below(root: ET.Element, name: str, children: dict[str, list[str]]) -> float:
    """Mass of a link with everything that is fixed to it."""
    link = next((e for e in root.findall("link") if e.get("name") == name), None)
    own = 0.0 if link is None else _mass(link.find("inertial"))
    return own + sum(_mass_below(root, child, children) for child in children.get(name, []))


def _triangle_fault(inertia: ET.Element) -> str | None:
    ixx, ixy, ixz, iyy, iyz, izz = (
        float(inertia.get(key, "0")) for key in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
    )
    full = np.array([[ixx, ixy, ixz], [ixy, iyy, iyz], [ixz, iyz, izz]])
    if not np.isfinite(full).all():
        return "has an inertia that is not finite"
    moments = np.linalg.eigvalsh(full)
    slack = 1e-6 * max(abs(moments[-1]), 1e-12)
    if moments[0] < -slack:
        return f"has a negative moment of inertia {moments[0]:.3g} kg m²"
    if moments[2] > moments[0] + moments[1] + slack:
        shown = ", ".join(f"{m:.4g}" for m in moments)
        return f"breaks the triangle rule of inertias: principal moments {shown} kg m²"
    return None


def _resolve_mimic(root: ET.Element, where: str) -> set[str]:
    """Make every mimic joint follow the one at the start of its chain: q = multiplier q₀ + offset.

    Pinocchio follows neither chains nor continuous joints; the latter become plain angles.
    """
    joints = {joint.get("name", ""): joint for joint in root.findall("joint")}
    unwound: set[str] = set()
    for name, joint in joints.items():
        mimic = joint.find("mimic")
        if mimic is None:
            continue
        driver, multiplier, offset = _follow(name, joints, where)
        mimic.set("joint", driver)
        mimic.set("multiplier", repr(multiplier))
        mimic.set("offset", repr(offset))
        for each in (name, driver):
            if joints[each].get("type") == "continuous":
                _unwind(joints[each])
                unwound.add(each)
    return unwound


def _forget_mimic(root: ET.Element) -> set[str]:
    for joint in root.findall("joint"):
        for mimic in joint.findall("mimic"):
            joint.remove(mimic)
    return set()


def _follow(name: str, joints: dict[str, ET.Element], where: str) -> tuple[str, float, float]:
    """Walk a chain of mimic joints to the one that drives it."""
    multiplier, offset, at, seen = 1.0, 0.0, name, {name}
    while (mimic := joints[at].find("mimic")) is not None:
        k, c = float(mimic.get("multiplier", "1")), float(mimic.get("offset", "0"))
        multiplier, offset = multiplier * k, multiplier * c + offset
        driver = mimic.get("joint", "")
        if driver not in joints:
            raise ModelError(
                f"{where}: joint {at!r} mimics {driver!r}, which does not exist; "
                f"{did_you_mean(driver, joints)}"
            )
        if driver in seen:
            raise ModelError(f"{where}: joints {sorted(seen)} mimic each other in a circle")
        seen.add(driver)
        at = driver
    return at, multiplier, offset


def _unwind(joint: ET.Element) -> None:
    joint.set("type", "revolute")
    limit = joint.find("limit")
    if limit is None:
        limit = ET.SubElement(joint, "limit", {"effort": "1e30", "velocity": "1e30"})
    limit.set("lower", repr(-UNWOUND))
    limit.set("upper", repr(UNWOUND))
