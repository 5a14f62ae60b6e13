"""Occupancy grids, and the map files that ROS writes them to."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, Self, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from footwork.errors import InputError, ShapeError
from footwork.files import read_yaml
from footwork.planning.worlds.footprints import Footprint
from footwork.planning.worlds.pgm import Image, read_image
from footwork.planning.worlds.plane_world import PlaneWorld
from footwork.planning.worlds.shapes import GridCells, PlaneObstacles
from footwork.typing import BoolVector, as_array, frozen

Cells: TypeAlias = Literal["occupied", "free"]
KEYS = {"image", "resolution", "origin", "negate", "occupied_thresh", "free_thresh", "mode"}


class OccupancyGrid(PlaneWorld):
    """Free and occupied squares.

    Args:
        occupied: True where something is; row j along y, column i along x, from the origin,
            shape (rows, columns).
        resolution: Side of a square [m].
        origin: Position of the outer corner of square (0, 0) [m] and yaw of the grid [rad].
        outside: What everything beyond the grid counts as.
        footprint: Outline of the robot; a point when not given.
        position: Indices of x and y in a state.
        heading: Index of the heading in a state; read only if the footprint turns.

    Raises:
        InputError: If the resolution is not positive or an argument is ill-formed.

    Example:
        >>> grid = OccupancyGrid([[False, True]], resolution=0.5)
        >>> grid.is_free([[0.2, 0.2], [0.7, 0.2]]).tolist()
        [True, False]
    """

    def __init__(
        self,
        occupied: ArrayLike,
        *,
        resolution: float,
        origin: ArrayLike = (0.0, 0.0, 0.0),
        outside: Cells = "occupied",
        footprint: Footprint | None = None,
        position: tuple[int, int] = (0, 1),
        heading: int = 2,
    ) -> None:
        super().__init__(footprint=footprint, position=position, heading=heading)
        cells = np.array(occupied, dtype=np.bool_, order="C")
        if cells.ndim != 2 or cells.size == 0:
            raise ShapeError("occupied", ("rows", "columns"), cells.shape)
        if not (np.isfinite(resolution) and resolution > 0.0):
            raise InputError(f"resolution must be greater than 0 m, got {resolution}")
        _check_choice("outside", outside)
        cells.setflags(write=False)
        self._cells = GridCells(
            occupied=cells,
            resolution=float(resolution),
            origin=frozen(as_array("origin", origin, (3,))),
            outside_is_occupied=outside == "occupied",
        )

    @property
    def occupied(self) -> BoolVector:
        """True where something is, shape (rows, columns), read-only."""
        return self._cells.occupied

    @property
    def resolution(self) -> float:
        """Side of a square [m]."""
        return self._cells.resolution

    @property
    def obstacles(self) -> PlaneObstacles:
        """The grid."""
        return PlaneObstacles(grids=(self._cells,))

    @classmethod
    def from_ros(
        cls,
        path: str | Path,
        *,
        unknown: Cells = "occupied",
        outside: Cells = "occupied",
        footprint: Footprint | None = None,
        position: tuple[int, int] = (0, 1),
        heading: int = 2,
    ) -> Self:
        """Read a map as ROS's map_server writes it: a YAML file beside a PGM or PNG image.

        With p = (255 − grey)/255 (grey/255 if negated) a cell is occupied where
        p > occupied_thresh, free where p < free_thresh, else unknown; in mode ``raw`` the grey is
        a percentage, above 100 unknown; in mode ``scale`` a transparent pixel is unknown.

        Args:
            path: The YAML file.
            unknown: What unknown cells count as.
            outside: What everything beyond the map counts as.
            footprint: Outline of the robot; a point when not given.
            position: Indices of x and y in a state.
            heading: Index of the heading in a state; read only if the footprint turns.

        Returns:
            The grid.

        Raises:
            InputError: If a file cannot be read, lacks a field or has an unknown one; the message
                names the file and the field.

        Source: https://wiki.ros.org/map_server (map format)
        """
        file = Path(path)
        fields = _fields(file)
        _check_choice("unknown", unknown)
        name = _text(file, fields, "image")
        try:
            image = read_image(file.parent / name)
        except InputError as error:
            raise InputError(f"{file}: image: {error}") from error
        mode = str(fields.get("mode", "trinary"))
        if mode not in {"trinary", "scale", "raw"}:
            raise InputError(f"{file}: mode must be trinary, scale or raw, got {mode!r}")
        free, occupied = _thresholds(file, fields)
        known_free, known_occupied = _classify(
            image, mode, negate=_is_negated(file, fields), occupied=occupied, free=free
        )
        cells = known_occupied if unknown == "free" else ~known_free
        resolution = _number(file, fields, "resolution")
        try:
            return cls(
                cells[::-1],
                resolution=resolution,
                origin=as_array("origin", fields.get("origin"), (3,)),  # type: ignore[arg-type]
                outside=outside,
                footprint=footprint,
                position=position,
                heading=heading,
            )
        except InputError as error:
            raise InputError(f"{file}: {error}") from error


def _check_choice(name: str, value: str) -> None:
    if value not in {"occupied", "free"}:
        raise InputError(f'{name} must be "occupied" or "free", got {value!r}')


def _fields(file: Path) -> Mapping[str, object]:
    fields = read_yaml(file)
    if not isinstance(fields, dict):
        raise InputError(f"{file}: expected fields such as `image: map.pgm`, got {fields!r}")
    for key in fields:
        if key not in KEYS:
            raise InputError(f"{file}: unknown field {key!r}; known are {sorted(KEYS)}")
    return fields


def _text(file: Path, fields: Mapping[str, object], key: str) -> str:
    value = fields.get(key)
    if not isinstance(value, str):
        raise InputError(f"{file}: {key} must be text, got {value!r}")
    return value


def _number(file: Path, fields: Mapping[str, object], key: str) -> float:
    value = fields.get(key)
    if isinstance(value, int | float) and not isinstance(value, bool) and np.isfinite(value):
        return float(value)
    raise InputError(f"{file}: {key} must be a finite number, got {value!r}")


def _is_negated(file: Path, fields: Mapping[str, object]) -> bool:
    value = fields.get("negate", 0)
    if value not in (0, 1):  # as true and false are
        raise InputError(f"{file}: negate must be 0 or 1, got {value!r}")
    return bool(value)


def _thresholds(file: Path, fields: Mapping[str, object]) -> tuple[float, float]:
    """Below which a cell is free, and above which it is occupied."""
    free, occupied = (_number(file, fields, key) for key in ("free_thresh", "occupied_thresh"))
    if not 0.0 <= free <= occupied <= 1.0:
        raise InputError(
            f"{file}: expected 0 <= free_thresh <= occupied_thresh <= 1, got free_thresh {free:g} "
            f"and occupied_thresh {occupied:g}"
        )
    return free, occupied


def _classify(
    image: Image, mode: str, *, negate: bool, occupied: float, free: float
) -> tuple[BoolVector, BoolVector]:
    """Say which pixels are known to be free, and which to be occupied."""
    if mode == "raw":
        percent = image.grey * 255.0
        known = percent <= 100.0
        p = percent / 100.0
    else:
        known = image.opaque if mode == "scale" else np.ones(image.grey.shape, dtype=np.bool_)
        p = image.grey if negate else 1.0 - image.grey
    return known & (p < free), known & (p > occupied)
