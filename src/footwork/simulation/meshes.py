"""Vertices of COLLADA meshes, which MuJoCo does not read; enough for a convex hull."""

from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from footwork.errors import ModelError
from footwork.typing import Matrix


def read_collada_vertices(path: Path) -> Matrix:
    """Read every vertex of a COLLADA file, placed as its scene places it.

    Args:
        path: A ``.dae`` file; nodes placed by matrices, which is what exporters write.

    Returns:
        Vertices [m], shape (n, 3).

    Raises:
        ModelError: If the file is not readable, or places a node by anything but matrices.
    """
    try:
        root = ElementTree.parse(path).getroot()
    except (OSError, ElementTree.ParseError) as error:
        raise ModelError(f"mesh {path}: not a readable COLLADA file ({error})") from error
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    unit = root.find("asset/unit")
    scale = float(unit.get("meter", "1")) if unit is not None else 1.0
    clouds = {g.get("id", ""): _positions_of(g) for g in root.iter("geometry")}
    parts: list[Matrix] = []
    for scene in root.iter("visual_scene"):
        for node in scene.findall("node"):
            _gather(node, np.eye(4), clouds, parts, path)
    if not parts:
        raise ModelError(f"mesh {path}: holds no vertices")
    return scale * np.concatenate(parts)


def _positions_of(geometry: ElementTree.Element) -> Matrix:
    arrays = [
        np.array(source.findtext("float_array", "").split(), dtype=np.float64).reshape(-1, 3)
        for mesh in geometry.findall("mesh")
        for vertices in mesh.findall("vertices")
        for position in vertices.findall("input")
        if position.get("semantic") == "POSITION"
        for source in mesh.findall("source")
        if source.get("id") == position.get("source", "")[1:]
    ]
    return np.concatenate(arrays) if arrays else np.zeros((0, 3))


def _gather(
    node: ElementTree.Element,
    T: Matrix,
    clouds: dict[str, Matrix],
    parts: list[Matrix],
    path: Path,
) -> None:
    for child in node:
        if child.tag == "matrix":
            T = T @ np.array((child.text or "").split(), dtype=np.float64).reshape(4, 4)
        elif child.tag in {"translate", "rotate", "scale", "lookat", "skew"}:
            raise ModelError(
                f"mesh {path}: a node is placed by <{child.tag}>; only <matrix> is known"
            )
    for instance in node.findall("instance_geometry"):
        cloud = clouds.get(instance.get("url", "")[1:], np.zeros((0, 3)))
        parts.append(cloud @ T[:3, :3].T + T[:3, 3])
    for child in node.findall("node"):
        _gather(child, T, clouds, parts, path)
