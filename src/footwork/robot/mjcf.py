"""Reading an MJCF: Pinocchio for the bodies, MuJoCo for what Pinocchio leaves out."""

import tempfile
import xml.etree.ElementTree as ET
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from footwork.errors import InputError, ModelError
from footwork.files import read_text

ROOT = "footwork_world"
"""Body that is put around the others when Pinocchio could not read them as they are."""


def read_mjcf(
    source: str | PathLike[str],
) -> tuple[Any, str, str | None, dict[str, float]]:
    """Read an MJCF.

    Args:
        source: Path of a file, or the XML itself.

    Returns:
        Pinocchio's model, the robot's name, the path (None for a text), and torque limits by joint.

    Raises:
        ModelError: If it cannot be read, is not XML, or Pinocchio refuses it.
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
    with tempfile.TemporaryDirectory() as folder:
        readable = path
        if _mend(root, path.absolute().parent):
            readable = Path(folder) / "model.xml"
            readable.write_text(ET.tostring(root, encoding="unicode"), encoding="utf-8")
        model = _build(readable, where)
    return model, root.get("model", path.stem), str(path.absolute()), _efforts(path)


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


def _efforts(path: Path) -> dict[str, float]:
    """Largest torque of every joint that has a limit on itself or on its actuator [N m, N]."""
    import mujoco
    import numpy as np

    try:
        model = mujoco.MjModel.from_xml_path(str(path))
    except ValueError:
        return {}  # a model that only MuJoCo refuses (a missing mesh) still has its kinematics
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
