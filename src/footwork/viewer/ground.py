"""The ground of a run, and what stands on it, in a viser scene."""

from math import cos, sin
from typing import Any, Final

import numpy as np

from footwork.recording import Run
from footwork.simulation import parse_terrain

FLOOR: Final = (240, 241, 243)
TERRAIN: Final = (196, 190, 178)


def draw_ground(scene: Any, run: Run) -> None:
    """Draw floor, terrain and obstacles.

    Args:
        scene: Of a viser server.
        run: Its configuration names the terrain.
    """
    terrain = parse_terrain(str(run.config.get("terrain", "flat")))
    reach = np.abs(run.states["q"][:, :2]).max(initial=1.0) if run.states.time.size else 1.0
    size = 2.0 * float(np.ceil(reach + 2.0))
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
