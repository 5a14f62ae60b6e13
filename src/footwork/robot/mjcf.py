"""Reading an MJCF: Pinocchio for the bodies, MuJoCo for what Pinocchio leaves out."""

import tempfile
import xml.etree.ElementTree as ET
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Final

from footwork.errors import InputError, ModelError
from footwork.files import read_text

ROOT = "footwork_world"
"""Body that is put around the others when Pinocchio could not read them as they are."""
MASS_TOLERANCE: Final = 0.01
"""Part of the mass by which Pinocchio and MuJoCo may differ; a mesh's volume is no exact thing."""
SKIPPED: Final = ("frame", "replicate", "attach", "include", "composite", "flexcomp")
"""What may stand among bodies and hold some, and Pinocchio passes over."""


def read_mjcf(
    source: str | PathLike[str],
) -> tuple[Any, str, str | None, dict[str, float]]:
    """Read an MJCF.

    Args:
        source: Path of a file, or the XML itself.

    Returns:
        Pinocchio's model, the robot's name, the path (None for a text), and torque limits by joint.

    Raises:
        ModelError: If it cannot be read, is not XML, Pinocchio refuses it, or a part of it would be
            lost: a second robot, bodies or joints in what Pinocchio passes over, constraints.
    """
    if isinstance(source, str) and source.lstrip("\ufeff \t\r\n").startswith("<"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.xml"
            path.write_text(source.lstrip("\ufeff \t\r\n"), encoding="utf-8")
            model, name, _, efforts = _read_file(path, "the MJCF text")
        return model, name, None, efforts
    path = Path(fspath(source))
    return _read_file(path, str(path))


def _read_file(path: Path, where: str) -> tuple[Any, str, str | None, dict[str, float]]:
    try:
        root = ET.fromstring(read_text(path).lstrip())
    except InputError as error:
        raise ModelError(str(error)) from error
    except ET.ParseError as error:
        raise ModelError(f"{where}: not well-formed XML: {error}") from error
    if root.tag != "mujoco":
        raise ModelError(f"{where}: expected <mujoco> at the top, got <{root.tag}>")
    _refuse_robots(root, where)
    with tempfile.TemporaryDirectory() as folder:
        readable = path
        if _mend(root, path.absolute().parent):
            readable = Path(folder) / "model.xml"
            readable.write_text(ET.tostring(root, encoding="unicode"), encoding="utf-8")
        model = _build(readable, where)
    _refuse_free_joints(model, where)
    known = _mujoco_model(path)
    if known is not None:
        _refuse_losses(model, known, where)
    efforts = {} if known is None else _efforts(known)
    return model, root.get("model", path.stem), str(path.absolute()), efforts


def _refuse_robots(root: ET.Element, where: str) -> None:
    """Refuse what Pinocchio would read the first part of: all but one tree of plain bodies."""
    worlds = root.findall("worldbody")
    bodies = [body for world in worlds for body in world.findall("body")]
    names = " and ".join(repr(body.get("name", "")) for body in bodies)
    if len(bodies) > 1 and any(_is_free(body) for body in bodies):
        raise ModelError(
            f"{where}: a robot with a free joint is one body with all others on it, but {names} "
            "stand in the world side by side: make a file of each robot, without the things around"
        )
    if len(worlds) > 1:
        raise ModelError(f"{where}: {len(worlds)} <worldbody>, of which one is read: join them")
    found = [e.tag for world in worlds for e in world.iter() if e.tag in SKIPPED]
    if found:
        raise ModelError(
            f"{where}: <{found[0]}> in <worldbody> is not read, nor what it holds: write bodies "
            "out, one in the other"
        )


def _refuse_free_joints(model: Any, where: str) -> None:
    """Refuse all but one free joint at the root, however the file says so."""
    kinds = {name: joint.shortname() for name, joint in zip(model.names, model.joints, strict=True)}
    free = [name for name, kind in kinds.items() if kind == "JointModelFreeFlyer"]
    if len(free) > 1 or (free and model.names[1] != free[0]):
        raise ModelError(
            f"{where}: a robot has one free joint, on the body that all others hang on, got "
            f"{', '.join(map(repr, free))}: make a file of each robot"
        )


def _refuse_losses(model: Any, known: Any, where: str) -> None:
    """Compare what Pinocchio read with what MuJoCo did."""
    read = {frame.name for frame in model.frames}
    lost = [name for b in range(1, known.nbody) if (name := known.body(b).name) not in {"", *read}]
    if lost:
        raise ModelError(
            f"{where}: Pinocchio does not find the bodies {', '.join(map(repr, lost))}, which "
            "MuJoCo does: write them out, one in the other, under one body of <worldbody>"
        )
    mass = sum(inertia.mass for inertia in model.inertias)
    expected = known.body_mass.sum()
    if model.nv != known.nv or abs(mass - expected) > MASS_TOLERANCE * expected:
        raise ModelError(
            f"{where}: Pinocchio reads {model.nv} degrees of freedom and {mass:.4g} kg, MuJoCo "
            f"{known.nv} and {expected:.4g} kg: write bodies and joints out, without other files "
            "or settings of the compiler, each body with its <inertial>"
        )
    if known.eq_active0.any():
        raise ModelError(
            f"{where}: {int(known.eq_active0.sum())} constraints of <equality> would be lost: take "
            'them out, or write active="false", to have the robot without them'
        )


def _build(path: Path, where: str) -> Any:
    import pinocchio as pin

    try:
        return pin.buildModelFromMJCF(str(path))
    except Exception as error:
        raise ModelError(f"{where}: Pinocchio refuses it: {error}") from error


def _mend(root: ET.Element, folder: Path) -> bool:
    """Rewrite what Pinocchio 4.1 reads wrongly; True if something was.

    Bodies without a name are lost; of several bodies in the world only the first is read; a first
    body without a joint loses its place. The remedies are names, and one more body around them all.
    """
    world = root.find("worldbody")
    if world is None:
        return False
    mended = False
    for count, body in enumerate(world.iter("body")):
        if body.get("name") is None:
            body.set("name", f"body_{count}")
            mended = True
    bodies = world.findall("body")
    if bodies and not any(_is_free(body) for body in bodies):
        has_joint = bodies[0].find("joint") is not None
        if len(bodies) > 1 or not has_joint:
            around = ET.SubElement(world, "body", {"name": ROOT})
            for body in bodies:
                world.remove(body)
                around.append(body)
            mended = True
    if mended:
        _make_absolute(root, folder)
    return mended


def _is_free(body: ET.Element) -> bool:
    if body.find("freejoint") is not None:
        return True
    return any(joint.get("type") == "free" for joint in body.findall("joint"))


def _make_absolute(root: ET.Element, folder: Path) -> None:
    """Let relative paths start where the file was."""
    for compiler in root.findall("compiler") or [ET.SubElement(root, "compiler")]:
        for key in ("meshdir", "texturedir", "assetdir"):
            if key != "assetdir" or compiler.get(key) is not None:
                compiler.set(key, str(folder / compiler.get(key, "")))
    for include in root.iter("include"):
        include.set("file", str(folder / include.get("file", "")))


def _mujoco_model(path: Path) -> Any:
    """Read it with MuJoCo; None for what only MuJoCo refuses (a missing mesh)."""
    import mujoco

    try:
        return mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        return None


def _efforts(model: Any) -> dict[str, float]:
    """Largest torque of every joint that has a limit on itself or on its actuator [N m, N]."""
    import mujoco
    import numpy as np

    efforts: dict[str, float] = {}
    for j in range(model.njnt):
        if model.jnt_actfrclimited[j]:
            efforts[model.joint(j).name] = float(np.abs(model.jnt_actfrcrange[j]).max())
    for a in range(model.nu):
        if model.actuator_trntype[a] != mujoco.mjtTrn.mjTRN_JOINT:
            continue
        name = model.joint(model.actuator_trnid[a, 0]).name
        limit = _actuator_limit(model, a)
        if name not in efforts and np.isfinite(limit):
            efforts[name] = limit
    return efforts


def _actuator_limit(model: Any, a: int) -> float:
    """Force range times gear, or for a plain motor its control range times gain and gear."""
    import numpy as np

    gear = abs(float(model.actuator_gear[a, 0]))
    if model.actuator_forcelimited[a]:
        return gear * float(np.abs(model.actuator_forcerange[a]).max())
    is_motor = not model.actuator_biasprm[a].any()
    if is_motor and model.actuator_ctrllimited[a]:
        gain = abs(float(model.actuator_gainprm[a, 0]))
        return gear * gain * float(np.abs(model.actuator_ctrlrange[a]).max())
    return float("inf")
