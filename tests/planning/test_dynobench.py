"""Our reading of dynobench's problems against the numbers of the package itself."""

from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from footwork.errors import InputError
from footwork.planning import PathControl, dynobench
from footwork.planning.scene import read_scene
from footwork.planning.worlds import World
from footwork.typing import Vector

EXAMPLES = {
    "unicycle1_v0": "unicycle1_v0/bugtrap_0",
    "unicycle1_v1": "unicycle1_v1/kink_0",
    "unicycle1_v2": "unicycle1_v2/wall_0",
    "unicycle2_v0": "unicycle2_v0/kink_0",
    "car1_v0": "car1_v0/kink_0",
    "quad2d_v0": "quad2d_v0/quad_bugtrap",
    "quad2dpole_v0": "quad2dpole_v0/window",
    "quad3d_v0": "quadrotor_v0/window",
    "quad3d_omplapp": "quadrotor_v1/window",
    "acrobot_v0": "acrobot_v0/swing_up_obs",
}
PROBLEM = """name: mine
environment:
  min: [0, 0]
  max: [4, 3]
  obstacles:
    - {type: box, center: [2, 1], size: [0.5, 1]}
robots:
  - {type: unicycle1_v0, start: [0.5, 0.5, 0], goal: [3.5, 0.5, 0]}
"""


@cache
def problem(kind: str) -> dynobench.DynobenchProblem:
    return dynobench.read(dynobench.problem_files()[EXAMPLES[kind]])


@cache
def their_robot(kind: str) -> Any:
    import dynobench as package  # type: ignore[import-untyped]

    file = dynobench.problem_files()[EXAMPLES[kind]]
    return package.robot_factory_with_env(f"{package.PKGDIR}models/{kind}.yaml", str(file))


def states(kind: str, count: int) -> list[Vector]:
    rng = np.random.default_rng(3)
    rows = [problem(kind).si.state_space.sample(rng) for _ in range(count)]
    if kind == "car1_v0":
        for row in rows:
            row[3] = row[2] + rng.uniform(-1.5, 1.5)
    return rows


@pytest.mark.parametrize("kind", EXAMPLES)
def test_a_step_is_theirs(kind: str) -> None:
    si, robot = problem(kind).si, their_robot(kind)
    rng = np.random.default_rng(4)
    for x in states(kind, 5):
        u, theirs = si.control_space.sample(rng), np.zeros(len(x))
        robot.step(theirs, x, u, si.propagation_step_size)
        assert si.state_space.distance(si.propagate(x, u, steps=1), theirs) < 1e-6


@pytest.mark.parametrize("kind", EXAMPLES)
def test_the_distance_is_theirs(kind: str) -> None:
    si, robot = problem(kind).si, their_robot(kind)
    rows = states(kind, 6)
    for a, b in pairwise(rows):
        assert si.state_space.distance(a, b) == pytest.approx(robot.distance(a, b), abs=1e-7)


@pytest.mark.parametrize("kind", EXAMPLES)
def test_shapes_and_obstacles_are_theirs(kind: str) -> None:
    import dynobench as package

    world, robot = problem(kind).si.validity, their_robot(kind)
    assert isinstance(world, World)
    for x in states(kind, 40):
        answer = package.CollisionOut()
        robot.collision_distance(x, answer)
        ours = float(world.clearance(x))
        if abs(answer.distance) > 1e-4:
            assert (ours > 0.0) == (answer.distance > 0.0)
        if answer.distance > 0.0:
            assert ours == pytest.approx(answer.distance, abs=1e-3)


@pytest.mark.parametrize("kind", EXAMPLES)
def test_limits_are_theirs(kind: str) -> None:
    si, robot = problem(kind).si, their_robot(kind)
    np.testing.assert_allclose(si.control_space.low, robot.get_u_lb(), atol=1e-6)
    np.testing.assert_allclose(si.control_space.high, robot.get_u_ub(), atol=1e-6)
    theirs = np.array(robot.get_x_ub())
    limited = np.abs(theirs) < 1e100
    np.testing.assert_allclose(si.state_space.high[limited], theirs[limited], atol=1e-6)


@pytest.mark.parametrize(
    "name", ["unicycle1_v0/kink_0", "unicycle2_v0/kink_0", "car1_v0/parallelpark_0"]
)
def test_the_solutions_that_they_ship_are_paths_of_ours(name: str) -> None:
    file = dynobench.problem_files()[name]
    read = dynobench.read(file)
    solution = yaml.safe_load(
        (file.with_suffix("") / "idbastar_v0_solution_v0.yaml").read_text("utf-8")
    )
    u = np.array(solution["actions"])
    path = PathControl.from_arrays(read.si, solution["states"], u, np.full(len(u), 0.1))
    # their files have six digits
    assert path.check(tolerance=1e-4)
    assert path.length() == pytest.approx(dynobench.shipped_cost(file))
    assert read.problem.goal.is_satisfied(read.si.state_space, path.states[-1])


def test_all_problems_of_single_robots_are_found_and_read() -> None:
    files = dynobench.problem_files()
    assert len(files) == 43
    assert sum(dynobench.shipped_cost(file) is not None for file in files.values()) >= 40
    for name in ("acrobot_v0/swing_up_empty", "quad2d_v0/empty_0", "quadrotor_v1/recovery"):
        assert dynobench.read(files[name]).problem.bind(dynobench.read(files[name]).si) is not None


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        ("unicycle1_v0", "snake", "'snake' is not known"),
        ("type: box", "type: ball", r"obstacles\[0\]\.type must be box"),
        ("size: [0.5, 1]", "size: [0.5]", r"obstacles\[0\]\.size: expected shape"),
        ("goal: [3.5, 0.5, 0]", "goal: [3.5, .inf, 0]", r"goal\[1\] must be finite"),
        ("min: [0, 0]", "min: low", "environment.min"),
        ("robots:", "robot:", "robots must be a list of one robot"),
        ("name: mine", "name: [", "cannot be read as YAML"),
    ],
)
def test_a_bad_file_is_one_error_that_names_file_and_field(
    tmp_path: Path, before: str, after: str, words: str
) -> None:
    file = tmp_path / "bad.yaml"
    file.write_text(PROBLEM.replace(before, after))
    with pytest.raises(InputError, match=words) as error:
        dynobench.read(file)
    assert "bad.yaml" in str(error.value)


def test_a_missing_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        dynobench.read(tmp_path / "none.yaml")


def test_a_problem_of_ones_own_is_read(tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(PROBLEM)
    read = dynobench.read(file)
    assert (read.name, read.robot) == ("mine", "unicycle1_v0")
    assert not read.si.is_state_valid([2.0, 1.0, 0.0])
    assert read.si.is_state_valid(read.problem.starts[0])


def test_a_robot_that_flies_is_shot_and_one_that_rolls_grows_a_tree() -> None:
    files = dynobench.problem_files()
    assert read_scene(files["unicycle1_v0/kink_0"]).planner == "RRT"
    scene = read_scene(files["quadrotor_v1/window"])
    assert scene.planner == "MultipleShooting"
    result = scene.make_planner(seed=1).solve(scene.problem, iteration_limit=2000)
    assert result
    assert result.path is not None
    assert result.path.check(within_bounds=True)


def test_a_map_of_ros_is_not_taken_for_a_problem(tmp_path: Path) -> None:
    file = tmp_path / "office.yaml"
    file.write_text("image: office.pgm\nresolution: 0.1\n", encoding="ascii")
    with pytest.raises(InputError, match=r"a map of ROS; a scene that uses it is a \.toml"):
        dynobench.read(file)
