"""Where cells are, by default and by the user's choice."""

from typing import Any

import numpy as np
import pytest

import footwork.planning as fp
from footwork.errors import CallbackTypeError, CallbackValueError, InputError
from footwork.planning._kernels.tree_space import cell_key
from footwork.planning.planners import make_projection
from footwork.planning.planners.binding import bind_system
from tests.planning.planners.systems import box_system, unicycle_problem, unicycle_system


def test_defaults_are_the_position_or_the_first_two_axes() -> None:
    se2 = fp.SE2StateSpace([0, -2], [10, 2])
    projection = make_projection(se2)
    assert projection.indices.tolist() == [0, 1]
    assert projection.cell_sizes.tolist() == [0.5, 0.2]
    assert make_projection(fp.SE3StateSpace([0] * 3, [1] * 3)).indices.tolist() == [0, 1, 2]
    assert make_projection(fp.RealVectorStateSpace([0] * 5, [1] * 5)).indices.tolist() == [0, 1]
    assert make_projection(fp.SO2StateSpace()).dimension == 1


def test_defaults_of_large_systems_are_their_positions() -> None:
    corners = [-1.0, -1.0, 0.0], [1.0, 1.0, 2.0]
    for si in (
        fp.models.quadrotor(*corners),
        fp.models.quadrotor_with_quaternion(*corners),
        fp.models.planar_quadrotor(*(c[:2] for c in corners)),
    ):
        names = [si.state_space.axis_names[i] for i in make_projection(si.state_space).indices]
        assert [name.rpartition(".")[2] for name in names] == list("xyz")[: len(names)]
    wheel = fp.CompoundStateSpace([fp.SO2StateSpace(), fp.SE2StateSpace([0, 0], [1, 1])])
    assert make_projection(wheel).indices.tolist() == [1, 2]


def test_a_pose_has_the_angles_too() -> None:
    space = fp.SE2StateSpace([0, -2], [10, 2])
    pose = make_projection(space, "pose")
    assert pose.indices.tolist() == [0, 1, 2]
    assert pose.cell_sizes == pytest.approx([0.5, 0.2, np.pi / 10])
    trailer = fp.models.car_with_trailer([0, 0], [5, 5]).state_space
    assert make_projection(trailer, "pose").indices.tolist() == [0, 1, 2, 3]
    arm = fp.CompoundStateSpace([fp.SO2StateSpace() for _ in range(8)])
    assert make_projection(arm, "pose").dimension == 6
    assert make_projection(space, "position").indices.tolist() == [0, 1]
    with pytest.raises(InputError, match="one of position, pose, got 'heading'"):
        make_projection(space, "heading")


def test_cells_of_the_pose_help_kpiece_to_meet_a_heading() -> None:
    si = fp.models.unicycle([0, 0], [5, 5], speed=(-1.0, 1.0), turn_rate=(-1.5, 1.5))
    problem = fp.Problem([0.5, 0.5, 0.0], [4.5, 4.5, 3.0], goal_tolerance=0.2)

    def iterations(projection: str) -> int:
        runs = [
            fp.KPIECE1(si, seed=seed, projection=projection).solve(problem, iteration_limit=100_000)
            for seed in range(5)
        ]
        return sum(run.statistics.iterations for run in runs)

    assert 4 * iterations("pose") < iterations("position")


def test_indices_matrix_and_function_give_the_same_cells() -> None:
    si, problem = unicycle_system(), unicycle_problem()
    rng = np.random.default_rng(1)
    states = np.array([si.state_space.sample(rng) for _ in range(50)])
    matrix = np.array([[0.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    bound = problem.bind(si)
    keys = []
    sizes = [0.3, 0.7]
    choices: list[Any] = [[1, 0], matrix, lambda x: (x[1], x[0])]
    for choice in choices:
        projection = make_projection(si.state_space, choice, sizes)
        system = bind_system(bound, projection)
        system_data = system.system._replace(project_origin=np.zeros(2))
        scratch = np.empty(2)
        keys.append([cell_key(system_data, states, i, scratch) for i in range(50)])
    assert keys[0] == keys[1] == keys[2]
    pairs = {tuple(np.floor(states[i, [1, 0]] / sizes)) for i in range(50)}
    assert len(pairs) == len(set(keys[0]))


@pytest.mark.parametrize("planner", [fp.EST, fp.KPIECE1, fp.PDST, fp.SyclopRRT, fp.SyclopEST])
@pytest.mark.parametrize("choice", ["indices", "matrix", "function"])
def test_planners_take_all_three(planner: Any, choice: str) -> None:
    options: dict[str, Any] = {
        "indices": [0],
        "matrix": [[1.0, 1.0], [1.0, -1.0]],
        "function": lambda x: [x[0] ** 2],
    }
    si = box_system(2)
    problem = fp.Problem([0.1, 0.1], [0.8, 0.8], goal_tolerance=0.2)
    result = planner(si, seed=1, projection=options[choice]).solve(problem, iteration_limit=800)
    assert result
    assert result.path is not None
    assert result.path.check()


def test_what_does_not_fit_is_refused() -> None:
    si = box_system(3)
    with pytest.raises(InputError, match="indices must differ"):
        fp.EST(si, projection=[0, 0])
    with pytest.raises(InputError, match="0 to 2"):
        fp.EST(si, projection=[3])
    with pytest.raises(InputError, match="projection"):
        fp.EST(si, projection=np.zeros((2, 4)))
    with pytest.raises(InputError, match="cell_sizes"):
        fp.KPIECE1(si, cell_sizes=[1.0, -1.0])
    with pytest.raises(InputError, match="cell_sizes"):
        fp.KPIECE1(si, cell_sizes=[1.0, 1.0, 1.0])
    with pytest.raises(InputError, match="at most 1000000"):
        fp.SyclopEST(si, projection=[0, 1, 2], regions_per_axis=101)
    with pytest.raises(CallbackTypeError, match="wrong"):
        fp.EST(si, projection=wrong)
    with pytest.raises(CallbackValueError, match="endless"):
        fp.EST(si, projection=endless)


def wrong(x: Any) -> Any:
    return "north"


def endless(x: Any) -> Any:
    return [float("inf")]


def test_a_projection_that_fails_while_planning_reaches_the_caller() -> None:
    armed = False

    def project(x: Any) -> Any:
        if armed:
            raise ZeroDivisionError("projecting")
        return x[:2]

    si = box_system(2)
    planner = fp.EST(si, seed=1, projection=project)
    armed = True
    with pytest.raises(ZeroDivisionError, match="projecting"):
        planner.solve(fp.Problem([0.1, 0.1], [0.9, 0.9]), iteration_limit=2000)


def fails(x: Any) -> Any:
    raise KeyError("my own")


def test_what_a_projection_raises_has_a_note_of_its_name_and_state() -> None:
    with pytest.raises(KeyError) as raised:
        fp.EST(box_system(3), projection=fails)
    (note,) = raised.value.__notes__
    assert note.startswith("raised by projection=fails at state [")
