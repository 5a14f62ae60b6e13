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
