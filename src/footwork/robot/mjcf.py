"""Reading an MJCF: Pinocchio for the bodies, MuJoCo for what Pinocchio leaves out."""

import tempfile
import xml.etree.ElementTree as ET
from os import PathLike, fspath
from pathlib import Path
from typing import Any

from footwork.errors import ModelError


def read_mjcf(
    source: str | PathLike[str],
) -> tuple[Any, str, str | None, dict[str, float]]:
    """Read an MJCF.

    Args:
        source: Path of a file, or the XML itself.

    Returns:
        Pinocchio's model, the robot's name, the path (None for a text), and torque limits by joint.

    Raises:
        ModelError: If it is not XML, or Pinocchio refuses it.
    """
    if isinstance(source, str) and source.lstrip("\ufeff \t\r\n").startswith("<"):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "model.xml"
            path.write_text(source.lstrip("\ufeff \t\r\n"), encoding="utf-8")
            model, name, _, efforts = _read_file(path)
        return model, name, None, efforts
    return _read_file(Path(fspath(source)))


def _read_file(path: Path) -> tuple[Any, str, str | None, dict[str, float]]:
    import pinocchio as pin

    try:
        root = ET.fromstring(path.read_bytes().decode("utf-8-sig").lstrip())
    except OSError as error:
        raise ModelError(f"{path}: cannot be read: {error.strerror}") from error
    except (ET.ParseError, UnicodeDecodeError) as error:
        raise ModelError(f"{path}: not well-formed XML: {error}") from error
    if root.tag != "mujoco":
        raise ModelError(f"{path}: expected <mujoco> at the top, got <{root.tag}>")
    try:
        model = pin.buildModelFromMJCF(str(path))
    except Exception as error:
        raise ModelError(f"{path}: Pinocchio refuses it: {error}") from error
    return model, root.get("model", path.stem), str(path.absolute()), _efforts(path)


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
