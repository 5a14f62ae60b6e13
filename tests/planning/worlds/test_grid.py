import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from footwork.errors import InputError, ShapeError
from footwork.planning.worlds import Disc, Footprint, OccupancyGrid, Outline, Rectangle
from tests.planning.worlds import naive
from tests.planning.worlds.test_plane import L_SHAPE

YAML = """image: map.pgm
resolution: 0.1
origin: [-1.0, -2.0, 0.0]
negate: 0
occupied_thresh: 0.65
free_thresh: 0.196
"""
# top row: occupied, unknown, free; bottom row: free, free, occupied
PIXELS = [[0, 205, 254], [254, 254, 0]]


def write_map(folder: Path, *, yaml: str = YAML, plain: bool = False) -> Path:
    body = " ".join(str(v) for row in PIXELS for v in row)
    data = (
        f"P2\n# a comment\n3 2 # another\n255\n{body}\n".encode()
        if plain
        else b"P5 3 2 255\n" + bytes(v for row in PIXELS for v in row)
    )
    (folder / "map.pgm").write_bytes(data)
    file = folder / "map.yaml"
    file.write_text(yaml)
    return file


@pytest.mark.parametrize("plain", [True, False])
def test_a_ros_map_is_read_bottom_row_first(tmp_path: Path, plain: bool) -> None:
    grid = OccupancyGrid.from_ros(write_map(tmp_path, plain=plain))
    assert grid.occupied.tolist() == [[False, False, True], [True, True, False]]
    assert grid.resolution == 0.1
    assert grid.is_free([-0.95, -1.95])
    assert not grid.is_free([-0.75, -1.95])


def test_unknown_cells_may_count_as_free(tmp_path: Path) -> None:
    grid = OccupancyGrid.from_ros(write_map(tmp_path), unknown="free")
    assert grid.occupied.tolist() == [[False, False, True], [True, False, False]]


def test_a_png_reads_like_the_pgm(tmp_path: Path) -> None:
    from PIL import Image

    Image.fromarray(np.array(PIXELS, dtype=np.uint8)).save(tmp_path / "map.png")
    file = write_map(tmp_path, yaml=YAML.replace("pgm", "png"))
    assert OccupancyGrid.from_ros(file).occupied.tolist() == [
        [False, False, True],
        [True, True, False],
    ]


def test_negated_and_raw_maps(tmp_path: Path) -> None:
    negated = OccupancyGrid.from_ros(
        write_map(tmp_path, yaml=YAML.replace("negate: 0", "negate: 1"))
    )
    assert negated.occupied.tolist() == [[True, True, False], [False, True, True]]
    raw = OccupancyGrid.from_ros(write_map(tmp_path, yaml=YAML + "mode: raw\n"), unknown="free")
    assert raw.occupied.tolist() == [[False] * 3, [False] * 3]


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("resolution: 0.1", "resolution: fast", "resolution must be a finite number"),
        ("resolution: 0.1", "resolution: -1", "greater than 0 m"),
        ("resolution: 0.1\n", "", "resolution must be a finite number"),
        ("resolution: 0.1", "resolution: true", "resolution must be a finite number, got True"),
        ("negate: 0", "negat: 0", "unknown field 'negat'"),
        ("negate: 0", "negate: 3", "negate must be 0 or 1, got 3"),
        ("free_thresh: 0.196", "free_thresh: 0.9", "free_thresh 0.9 and occupied_thresh 0.65"),
        ("occupied_thresh: 0.65", "occupied_thresh: 65", "free_thresh <= occupied_thresh <= 1"),
        ("image: map.pgm", "image: none.pgm", r"none\.pgm: cannot be read"),
        ("origin: [-1.0, -2.0, 0.0]", "origin: [0.0]", "origin: expected shape"),
        ("negate: 0", "mode: nice", "mode must be"),
        (YAML, "- 1\n", "expected fields"),
        (YAML, "a: [\n", "cannot be read as YAML"),
    ],
)
def test_a_bad_map_file_is_one_error_that_names_file_and_field(
    tmp_path: Path, before: str, after: str, words: str
) -> None:
    file = write_map(tmp_path, yaml=YAML.replace(before, after))
    with pytest.raises(InputError, match=words) as error:
        OccupancyGrid.from_ros(file)
    assert str(error.value).startswith(f"{file}: ")
    assert str(error.value).count(str(file)) == 1


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"P5 3 2 255\n\x00", "expected 6 bytes"),
        (b"P2 3 2 255\n1 2 3", "expected 6 pixels"),
        (b"P2 1 1 255\nx", "whole numbers"),
        (b"P2 1 1 255\n300", "from 0 to 255"),
        (b"P5 3", "must begin with"),
        (b"P5 0 2 255\n", "width and height from 1"),
        (b"hello", "no image"),
    ],
)
def test_a_bad_image_says_what_is_wrong(tmp_path: Path, data: bytes, words: str) -> None:
    file = write_map(tmp_path)
    (tmp_path / "map.pgm").write_bytes(data)
    with pytest.raises(InputError, match=words):
        OccupancyGrid.from_ros(file)


def test_sixteen_bit_maps_are_read(tmp_path: Path) -> None:
    file = write_map(tmp_path)
    wide = np.array(PIXELS, dtype=">u2") * 257
    (tmp_path / "map.pgm").write_bytes(b"P5 3 2 65535\n" + wide.tobytes())
    assert OccupancyGrid.from_ros(file).occupied.tolist() == [
        [False, False, True],
        [True, True, False],
    ]


@pytest.mark.parametrize(
    "footprint", [Disc(), Disc(0.33), Rectangle(0.8, 0.3, (0.1, 0.0)), Outline(L_SHAPE)]
)
@given(seed=st.integers(0, 10_000))
@settings(max_examples=20)
def test_free_agrees_with_clipping(footprint: Footprint, seed: int) -> None:
    rng = np.random.default_rng(seed)
    grid = OccupancyGrid(
        rng.random((6, 8)) < 0.2,
        resolution=0.25,
        origin=(0.5, -1.0, rng.uniform(-4, 4)),
        outside="free",
        footprint=footprint,
    )
    states = rng.uniform([-2.0, -3.0, -4.0], [3.0, 2.0, 4.0], (15, 3))
    for state, free in zip(states, grid.is_free(states), strict=True):
        if footprint.turns:
            parts = [naive.placed(part, *state) for part in footprint.parts]
            depth = max(naive.overlap(part, grid.obstacles) for part in parts)
        else:
            depth = footprint.radius - naive.distance(state[:2], grid.obstacles)
        if abs(depth) > 1e-9:
            assert free == (depth <= 0.0)


@given(seed=st.integers(0, 10_000))
@settings(max_examples=20)
def test_distance_outside_agrees_with_the_naive_one(seed: int) -> None:
    rng = np.random.default_rng(seed)
    grid = OccupancyGrid(rng.random((5, 7)) < 0.2, resolution=0.3, outside="free")
    points = rng.uniform([-1.0, -1.0], [3.0, 2.5], (20, 2))
    expected = np.array([naive.distance(p, grid.obstacles) for p in points])
    got = grid.signed_distance(points)
    np.testing.assert_allclose(got[expected > 0], expected[expected > 0], atol=1e-12)
    assert (got[expected < 0] <= 0).all()


def test_distance_inside_is_to_the_nearest_free_square() -> None:
    grid = OccupancyGrid(np.ones((3, 3)), resolution=1.0, outside="free")
    assert grid.signed_distance([1.5, 1.5]) == -1.5
    assert grid.signed_distance([0.2, 1.5]) == pytest.approx(-0.2)
    assert grid.signed_distance([4.0, 1.0]) == 1.0


def test_outside_counts_as_it_is_told() -> None:
    cells = np.zeros((2, 2))
    blocked = OccupancyGrid(cells, resolution=1.0, footprint=Disc(0.4))
    assert not blocked.is_free([3.0, 1.0])
    assert not blocked.is_free([0.3, 1.0])
    assert blocked.is_free([1.0, 1.0])
    assert blocked.clearance([1.0, 1.0]) == pytest.approx(0.6)
    assert OccupancyGrid(cells, resolution=1.0, outside="free").is_free([3.0, 1.0])
    assert math.isinf(OccupancyGrid(cells, resolution=1.0, outside="free").clearance([3.0, 1.0]))


def test_grids_join_other_obstacles() -> None:
    from footwork.planning.worlds import Circles

    world = OccupancyGrid([[True]], resolution=1.0, outside="free") | Circles([[3.0, 0.5]], 0.5)
    assert world.is_free([[0.5, 0.5], [3.0, 0.5], [2.0, 0.5]]).tolist() == [False, False, True]
    assert world.signed_distance([2.0, 0.5]) == 0.5


def test_bad_grids_are_refused() -> None:
    with pytest.raises(ShapeError):
        OccupancyGrid([True], resolution=1.0)
    with pytest.raises(InputError, match="resolution"):
        OccupancyGrid([[True]], resolution=0.0)
    with pytest.raises(InputError, match="outside"):
        OccupancyGrid([[True]], resolution=1.0, outside="maybe")  # type: ignore[arg-type]
    turning = OccupancyGrid([[True]], resolution=1.0, footprint=Rectangle(1.0, 1.0))
    with pytest.raises(InputError, match="not available over an occupancy grid"):
        turning.clearance([0.0, 0.0, 0.0])
