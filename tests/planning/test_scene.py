from pathlib import Path

import numpy as np
import pytest

from footwork.errors import InputError
from footwork.planning import scene_fields
from footwork.planning.objectives import WeightedSum
from footwork.planning.scene import PLANNERS, read_scene
from footwork.planning.worlds import Chain, Outline, PlaneWorld, SpaceWorld
from tests.cli.test_plan import SCENE

EXAMPLES = sorted((Path(__file__).parents[2] / "examples/planning/scenes").glob("*.toml"))
ACROBOT = """
[robot]
model = "acrobot"
footprint = { type = "links", width = 0.1 }
[[world]]
type = "boxes"
low = [[1.2, 1.2]]
high = [[1.6, 1.6]]
[start]
state = [0.0, 0.0, 0.0, 0.0]
[goal]
type = "box"
low = [3.0, -0.2, -1.0, -1.0]
high = [inf, 0.2, 1.0, 1.0]
"""


def write(folder: Path, text: str) -> Path:
    file = folder / "scene.toml"
    file.write_text(text)
    return file


def test_there_are_five_examples() -> None:
    assert len(EXAMPLES) >= 5


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: file.stem)
def test_every_example_is_solved_and_its_path_is_right(file: Path) -> None:
    scene = read_scene(file)
    result = scene.make_planner(seed=1).solve(scene.problem, time_limit=60.0, stop_at_path=True)
    assert result, result.status
    assert result.path is not None
    assert result.path.check(within_bounds=True)


def test_a_scene_says_everything(tmp_path: Path) -> None:
    scene = read_scene(write(tmp_path, SCENE))
    assert (scene.name, scene.planner, scene.seed, scene.time_limit) == ("small", "EST", 1, 30.0)
    assert scene.si.control_space.high.tolist() == [1.0, 1.5]
    assert isinstance(scene.si.validity, PlaneWorld)
    assert not scene.si.is_state_valid([2.0, 1.59, 0.0])
    assert scene.si.is_state_valid([2.0, 1.7, 0.0])


def test_paths_in_a_scene_count_from_its_folder() -> None:
    file = next(file for file in EXAMPLES if file.stem == "office")
    world = read_scene(file).si.validity
    assert isinstance(world, PlaneWorld)
    assert world.obstacles.grids[0].occupied.shape == (80, 120)


def test_an_acrobot_has_links_and_a_goal_may_be_a_box(tmp_path: Path) -> None:
    scene = read_scene(write(tmp_path, ACROBOT))
    assert isinstance(scene.si.validity, PlaneWorld)
    assert isinstance(scene.si.validity.footprint, Chain)
    assert not scene.si.is_state_valid([2.36, 0.0, 0.0, 0.0])
    assert scene.problem.goal.is_satisfied(scene.si.state_space, [3.1, 0.1, 0.5, 0.0])
    assert not scene.problem.goal.is_satisfied(scene.si.state_space, [2.9, 0.1, 0.5, 0.0])


def test_every_kind_of_obstacle_and_footprint_is_read(tmp_path: Path) -> None:
    extra = """
[[world]]
type = "boxes"
low = [[0.0, 2.8]]
high = [[1.0, 3.0]]
[[world]]
type = "oriented_boxes"
centres = [[3.0, 2.5]]
sizes = [[0.3, 0.1]]
angles = [0.5]
[[world]]
type = "polygons"
polygons = [[[0.0, 2.0], [0.3, 2.0], [0.0, 2.3]]]
[[objective]]
type = "duration"
[[objective]]
type = "clearance"
weight = 0.1
"""
    text = SCENE.replace("[start]", extra + "[start]").replace(
        '{ type = "rectangle", length = 0.3, width = 0.2 }',
        '{ type = "outline", vertices = [[-0.1, -0.1], [0.2, 0.0], [-0.1, 0.1]] }',
    )
    scene = read_scene(write(tmp_path, text))
    assert isinstance(scene.si.validity, PlaneWorld)
    assert isinstance(scene.si.validity.footprint, Outline)
    obstacles = scene.si.validity.obstacles
    assert (len(obstacles.circles), len(obstacles.boxes), len(obstacles.polygons)) == (1, 1, 2)
    assert isinstance(scene.problem.objective, WeightedSum)


def test_obstacles_of_space_go_with_a_ball() -> None:
    file = next(file for file in EXAMPLES if file.stem == "window")
    world = read_scene(file).si.validity
    assert isinstance(world, SpaceWorld)
    assert world.radius == 0.2


def test_dynobench_files_are_scenes_too() -> None:
    from footwork.planning import dynobench

    scene = read_scene(dynobench.problem_files()["unicycle1_v0/parallelpark_0"])
    assert scene.make_planner(seed=1).solve(scene.problem, time_limit=60.0)


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("radii = 0.5", "radii = 0.5\ncolour = 3", r"world\[0\]: field 'colour' is not known"),
        (
            "radii = ",
            "radius = ",
            r"'radius' is not known; known: type, .*; did you mean 'radii'\?",
        ),
        ("[planner]", "[plannner]", r"toml: field 'plannner' .*did you mean 'planner'\?"),
        ("length = 0.3", "lenght = 0.3", r"robot\.footprint: .*did you mean 'length'\?"),
        ('type = "state"', "", "goal: missing field `type`"),
        (
            'type = "circles"',
            'type = "clouds"',
            r"world\[0\]\.type: 'clouds' is not known; known: circles, ",
        ),
        ('type = "circles"', 'type = "circle"', r"did you mean 'circles'\?"),
        (
            'model = "unicycle"',
            'model = "hovercraft"',
            r"robot\.model: 'hovercraft' is not known; known: acrobot",
        ),
        ('model = "unicycle"', 'model = "unicyle"', r"did you mean 'unicycle'\?"),
        ("speed = ", "velocity = ", r"robot\.parameters: 'velocity' is not known; known: .*speed"),
        ("[0.5, 0.5, 0.0]", "[0.5, 0.5]", r"start\.state: expected 3 numbers \(x, y, yaw\)"),
        ("[3.5, 1.0, 0.0]", "[3.5, 1.0]", r"goal\.state: expected 3 numbers"),
        ("state = [0.5, 0.5, 0.0]", 'state = "here"', r"toml: start\.state: Expected `array`"),
        ("tolerance = 0.4", "tolerance = -1.0", r"goal\.tolerance: Expected"),
        ("low = [0.0, 0.0]\n", "", "needs low and high"),
        ('type = "EST"', 'type = "A*"', r"planner\.type: 'A\*' is not known; known: RRT"),
        ('model = "unicycle"', 'model = "cart_pole"', "has no low and high"),
        ('type = "rectangle", length = 0.3', 'type = "rectangle", length = 0.0', "above 0 m"),
        ("[planner]", "[planner", "scene.toml"),
    ],
)
def test_a_bad_scene_says_which_field(tmp_path: Path, before: str, after: str, words: str) -> None:
    assert before in SCENE
    with pytest.raises(InputError, match=words) as error:
        read_scene(write(tmp_path, SCENE.replace(before, after)))
    assert "scene.toml" in str(error.value)


def test_parameters_of_planners_are_checked(tmp_path: Path) -> None:
    text = SCENE.replace('type = "EST"', 'type = "RRT"\nparameters = { goal_bais = 0.1 }')
    scene = read_scene(write(tmp_path, text))
    with pytest.raises(
        InputError, match=r"planner\.parameters: 'goal_bais' is not known.*mean 'goal_bias'"
    ):
        scene.make_planner()
    with pytest.raises(InputError, match="not known; known: RRT"):
        scene.make_planner(planner="A*")


def test_a_missing_type_is_answered_with_those_that_there_are(tmp_path: Path) -> None:
    file = tmp_path / "scene.toml"
    robot = '[robot]\nmodel = "unicycle"\nlow = [0, 0]\nhigh = [1, 1]\n'
    start, goal = "[start]\nstate = [0.1, 0.1, 0]\n", "[goal]\nstate = [0.9, 0.9, 0]\n"
    for text, words in (
        (robot + start + goal, "goal: missing field `type`, one of 'state', 'box'"),
        (start, "missing field `robot`"),
        (robot + "[[world]]\nradii = 1\n" + start, "world[0]: missing field `type`, one of 'circ"),
    ):
        file.write_text(text)
        with pytest.raises(InputError) as raised:
            read_scene(file)
        assert str(raised.value).startswith(f"{file}: {words}")


def test_every_planner_and_every_model_can_be_named() -> None:
    from footwork import planning
    from footwork.planning import models

    assert all(hasattr(planning, name) for name in PLANNERS)
    factories = {
        name
        for name, value in vars(models).items()
        if callable(value) and name not in {"Options", "crazyflie_mixer"}
    }
    assert factories == set(scene_fields.ModelName.__args__)  # type: ignore[attr-defined]


def test_a_missing_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_scene(tmp_path / "none.toml")


def test_states_of_examples_are_free() -> None:
    for file in EXAMPLES:
        scene = read_scene(file)
        assert scene.problem.bind(scene.si).failure is None, file
        assert np.isfinite(scene.problem.starts).all()
