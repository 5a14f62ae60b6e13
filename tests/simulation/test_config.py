"""Worlds say what they cannot be."""

from math import radians

import pytest

from footwork.errors import InputError
from footwork.simulation import (
    Bumps,
    Flat,
    Push,
    Rough,
    SimulationConfig,
    Slope,
    Stairs,
    Terrain,
    parse_terrain,
)


def test_steps_that_do_not_divide_the_control_step_are_refused() -> None:
    with pytest.raises(InputError, match="whole number of physics steps"):
        SimulationConfig(step=0.001, control_step=0.0025)
    assert SimulationConfig(step=0.001, control_step=0.005).substeps == 5
    assert SimulationConfig(delay=0.006).delay_steps == 3


def test_impossible_numbers_are_refused_by_name() -> None:
    with pytest.raises(InputError, match="friction must be at least 0"):
        SimulationConfig(friction=-0.1)
    with pytest.raises(InputError, match="payload"):
        SimulationConfig(payload=-1.0)
    with pytest.raises(InputError, match="positive duration"):
        Push(start=1.0, duration=0.0, force=(1.0, 0.0, 0.0))


@pytest.mark.parametrize(
    ("text", "terrain"),
    [
        ("flat", Flat()),
        ("slope:-5", Slope(angle=radians(-5.0))),
        ("stairs:0.04", Stairs(rise=0.04)),
        ("stairs:-0.05", Stairs(rise=-0.05)),
        ("bumps:0.03:7", Bumps(max_height=0.03, seed=7)),
        ("rough", Rough()),
    ],
)
def test_terrain_is_read_from_words(text: str, terrain: Terrain) -> None:
    assert parse_terrain(text) == terrain


def test_unknown_terrain_says_what_there_is() -> None:
    with pytest.raises(InputError, match="expected flat, slope:DEGREES"):
        parse_terrain("lava")
    with pytest.raises(InputError, match="numbers after the colon"):
        parse_terrain("slope:steep")


@pytest.mark.parametrize(
    "terrain",
    [
        Slope(angle=0.1),
        Slope(angle=-0.1, length=1.0),
        Stairs(),
        Stairs(rise=-0.05, count=3),
        Bumps(),
        Rough(size=2.0),
    ],
)
def test_height_is_the_top_of_the_boxes(terrain: Terrain) -> None:
    """The same ground twice: as a function, and as the boxes that MuJoCo gets."""
    from math import cos, sin, tan

    for k in range(200):
        x, y = 0.01371 * k - 0.3, 0.00307 * k - 0.3
        top = terrain.floor
        for box in terrain.boxes(0):
            # the top face, followed along its tilt
            cx, cy, cz = box.center
            hx, hy, hz = box.half_size
            c, s = cos(box.pitch), sin(box.pitch)
            middle_x, middle_z = cx + s * hz, cz + c * hz
            along = (x - middle_x) / c
            if abs(along) <= hx and abs(y - cy) <= hy:
                top = max(top, middle_z - (x - middle_x) * tan(box.pitch))
        assert terrain.height(x, y) == pytest.approx(top, abs=1e-9)
