"""A robot in a viser scene: its visual meshes, placed by configuration."""

import warnings
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from footwork.errors import ModelError
from footwork.robot import RobotModel
from footwork.typing import Vector

MESH_CELL: Final = 2.5e-3
"""Vertices closer than this are drawn as one [m]: a page of 5 MB rather than 30."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Part:
    """One visible body.

    Attributes:
        name: Unique in the robot.
        vertices: In the frame of its geometry [m], shape (n, 3).
        faces: Corners of triangles, shape (m, 3).
        color: Red, green, blue of 255.
    """

    name: str
    vertices: "np.typing.NDArray[np.float32]"
    faces: "np.typing.NDArray[np.uint32]"
    color: tuple[int, int, int]


class RobotScene:
    """Draws a robot into a viser scene and moves it.

    Args:
        scene: ``server.scene`` of a viser server.
        robot: The robot; must have been read from a URDF.
        root: Name in the scene under which the parts hang.

    Raises:
        ModelError: If the robot's meshes cannot be read.
    """

    def __init__(self, scene: Any, robot: RobotModel, *, root: str = "/robot") -> None:
        import pinocchio as pin

        # data of its own: the robot's may be in use, and knows which state it holds
        self._pin, self._model, self._data = pin, robot.pin_model, robot.pin_model.createData()
        self._robot = robot
        self._geometry = _visual_geometry(robot)
        self._placements = self._geometry.createData()
        self._handles = [
            scene.add_mesh_simple(
                f"{root}/{i}_{part.name}", part.vertices, part.faces, color=part.color
            )
            for i, part in enumerate(_parts(self._geometry))
        ]

    def display(self, q: Vector) -> None:
        """Place every part.

        Args:
            q: Configuration, shape (nq,).
        """
        pin = self._pin
        pin.forwardKinematics(self._model, self._data, q)
        pin.updateGeometryPlacements(self._model, self._data, self._geometry, self._placements)
        for handle, placement in zip(self._handles, self._placements.oMg, strict=True):
            x, y, z, w = pin.Quaternion(placement.rotation).coeffs()
            handle.position = placement.translation
            handle.wxyz = (w, x, y, z)

    def place_of(self, frame: str) -> Vector:
        """Tell where a frame is, in the configuration that was displayed last.

        Args:
            frame: Its name.

        Returns:
            Position of its origin in the world [m], shape (3,).
        """
        known = self._robot.frame(frame)
        place: Vector = self._data.oMi[known.joint].act(known.translation)
        return place


def _visual_geometry(robot: RobotModel) -> Any:
    import pinocchio as pin

    if robot.urdf_xml is None:
        raise ModelError(f"robot {robot.name!r}: only robots read from a URDF can be drawn")
    folders = [str(folder) for folder in robot.entry.package_dirs] if robot.entry else []
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Pinocchio's remark on the order of its arguments
            return pin.buildGeomFromUrdfString(
                robot.pin_model, robot.urdf_xml, pin.GeometryType.VISUAL, folders
            )
    except Exception as error:
        raise ModelError(f"robot {robot.name!r}: its meshes cannot be read ({error})") from error


def _parts(geometry: Any) -> list[Part]:
    parts = []
    for thing in geometry.geometryObjects:
        vertices, faces = _triangles(thing.geometry)
        vertices, faces = _simplified(vertices, faces)
        red, green, blue = (round(255 * float(c)) for c in thing.meshColor[:3])
        parts.append(
            Part(
                name=str(thing.name).replace("/", "_"),
                vertices=vertices.astype(np.float32),
                faces=faces.astype(np.uint32),
                color=(red, green, blue),
            )
        )
    return parts


def _triangles(shape: Any) -> tuple[Any, Any]:
    """Corners and triangles of a mesh, or of the primitive that stands for one."""
    if hasattr(shape, "num_tris"):
        triangles = (shape.tri_indices(i) for i in range(shape.num_tris))
        return np.array(shape.vertices()), np.array([(t[0], t[1], t[2]) for t in triangles])
    import trimesh

    match type(shape).__name__:
        case "Box":
            mesh = trimesh.creation.box(2.0 * np.asarray(shape.halfSide))
        case "Cylinder":
            mesh = trimesh.creation.cylinder(shape.radius, 2.0 * shape.halfLength, sections=24)
        case "Capsule":
            mesh = trimesh.creation.capsule(2.0 * shape.halfLength, shape.radius)
        case "Sphere":
            mesh = trimesh.creation.icosphere(2, shape.radius)
        case other:
            raise ModelError(f"a shape of kind {other} cannot be drawn")
    return np.array(mesh.vertices), np.array(mesh.faces)


def _simplified(vertices: Any, faces: Any) -> tuple[Any, Any]:
    """Merge the vertices of each small cell into their mean, and drop triangles that vanish."""
    cells = np.floor(vertices / MESH_CELL).astype(np.int64)
    _, cell_of, count = np.unique(cells, axis=0, return_inverse=True, return_counts=True)
    cell_of = cell_of.ravel()
    merged = np.zeros((count.size, 3))
    np.add.at(merged, cell_of, vertices)
    merged /= count[:, None]
    corners = cell_of[faces]
    a, b, c = corners.T
    kept = corners[(a != b) & (b != c) & (c != a)]
    return merged, np.unique(kept, axis=0)
