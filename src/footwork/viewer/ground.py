"""The ground of a run, and what stands on it, in a viser scene."""

from math import cos, sin
from typing import Any, Final

import numpy as np

from footwork.recording import Run
from footwork.simulation import parse_terrain
from footwork.typing import Matrix
from footwork.viewer.palette import OBSTACLE, rgb
from footwork.walking.obstacles import ObstacleMap, read_map

FLOOR: Final = (240, 241, 243)
TERRAIN: Final = (196, 190, 178)


def draw_ground(scene: Any, run: Run, way: Matrix) -> None:
    """Draw floor, terrain and obstacles.

    Args:
        scene: Of a viser server.
        run: Its configuration names the terrain.
        way: Points that the floor has to reach [m], shape (n, 2).
    """
    terrain = parse_terrain(str(run.config.get("terrain", "flat")))
    size = 2.0 * float(np.ceil(np.abs(way).max(initial=1.0) + 2.0))
    scene.add_grid("/floor", width=size, height=size, cell_size=0.5, position=(0, 0, terrain.floor))
    scene.add_box(  # opaque: forces are shown by needles whose rest is hidden below it
        "/ground", dimensions=(size, size, 8.0), position=(0, 0, terrain.floor - 4.004), color=FLOOR
    )
    for i, box in enumerate(terrain.boxes(int(run.config.get("seed", 0)))):
        half = 0.5 * box.pitch
        scene.add_box(
            f"/terrain/{i}",
            dimensions=tuple(2.0 * h for h in box.half_size),
            position=box.center,
            wxyz=(cos(half), 0.0, sin(half), 0.0),
            color=TERRAIN,
        )
    if run.map_file.is_file():
        _draw_obstacles(scene, read_map(run.map_file))


def _draw_obstacles(scene: Any, obstacles: ObstacleMap) -> None:
    height = obstacles.height
    for i, (x, y, radius) in enumerate(obstacles.circles.tolist()):
        scene.add_cylinder(
            f"/obstacles/circle_{i}",
            radius=radius,
            height=height,
            position=(x, y, 0.5 * height),
            color=rgb(OBSTACLE),
        )
    for i, (x0, y0, x1, y1) in enumerate(obstacles.boxes.tolist()):
        scene.add_box(
            f"/obstacles/box_{i}",
            dimensions=(x1 - x0, y1 - y0, height),
            position=(0.5 * (x0 + x1), 0.5 * (y0 + y1), 0.5 * height),
            color=rgb(OBSTACLE),
        )
