"""Infeasible, unbounded and ill-formed problems: a status that says what to do."""

import os

import numpy as np
import pytest

from footwork.errors import InputError, NoSolutionError
from footwork.stack.solvers import Level, Problem, Status, StrictHierarchy, WeightedQP

WITHOUT_JIT = os.environ.get("NUMBA_DISABLE_JIT") == "1"
# NumPy warns of what a kernel computes with NaN and infinity, when the JIT is off.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")


def clashing() -> Problem:
    level = Level(
        A=[[1, 1, 0]],
        b=[1],
        C=[[1, 0, 0], [0, 1, 0], [1, 1, 0]],
        C_lower=[1, 1, -np.inf],
        C_upper=[np.inf, np.inf, 1.5],
    )
    return Problem.from_levels(
        [level], size=3, lower=[-9] * 3, upper=[9] * 3, row_names=["left knee", "right knee", "sum"]
    )


def test_infeasible_names_the_rows_that_clash() -> None:
    solution = StrictHierarchy().solve(clashing())
    assert solution.status is Status.INFEASIBLE
    assert set(solution.clash) == {"left knee", "right knee", "sum"}
    with pytest.raises(NoSolutionError, match="left knee, right knee, sum") as caught:
        solution.raise_if_failed()
    assert caught.value.result is solution


def test_the_clash_is_that_of_the_solve_even_when_the_arrays_move_on() -> None:
    problem = clashing()
    solution = StrictHierarchy().solve(problem)
    problem.c_upper[:] = np.inf
    assert set(solution.clash) == {"left knee", "right knee", "sum"}


def test_infeasible_below_names_the_level_that_needs_what_it_forbids() -> None:
    levels = [
        Level(A=[[1, 0]], b=[2]),
        Level(A=[[0, 1]], b=[0], C=[[1, 0]], C_lower=[-1], C_upper=[1]),
    ]
    names = ["feet", "hand"]
    problem = Problem.from_levels(levels, size=2, level_names=names, row_names=["reach"])
    solution = StrictHierarchy().solve(problem)
    assert solution.status is Status.INFEASIBLE
    assert set(solution.clash) == {"reach", "optimum of feet"}
    assert "hand" in solution.message
    # What was solved before is kept.
    np.testing.assert_allclose(solution.x, [2, 0], atol=1e-12)
    assert [level.is_solved for level in solution.levels] == [True, False]


def test_crossed_bounds_are_infeasible_and_named() -> None:
    names = ["hip", "knee"]
    problem = Problem.from_levels(
        [Level()], size=2, lower=[1, 0], upper=[0, 1], variable_names=names
    )
    assert StrictHierarchy().solve(problem).clash == ("hip",)


def test_contradicting_equations_are_named_and_redundant_ones_are_fine() -> None:
    row = np.array([1.0, 2.0, 3.0])
    twice = Level(C=np.array([row, row, 2 * row]), C_lower=[1, 1, 2], C_upper=[1, 1, 2])
    solution = StrictHierarchy().solve(Problem.from_levels([twice], size=3))
    assert solution.status is Status.SOLVED
    np.testing.assert_allclose(solution.x, row / 14, atol=1e-12)
    wrong = Level(C=np.array([row, [0, 0, 1], 2 * row]), C_lower=[1, 0, 3], C_upper=[1, 0, 3])
    clash = StrictHierarchy().solve(Problem.from_levels([wrong], size=3)).clash
    assert set(clash) == {"C[0]", "C[2]"}


def test_unbounded() -> None:
    problem = Problem.from_levels([Level(A=[[1, 0]], b=[1], c=[0, 1])], size=2, lower=[-1, -np.inf])
    solution = StrictHierarchy().solve(problem)
    assert solution.status is Status.UNBOUNDED
    assert "bound" in solution.message


def test_iteration_limit() -> None:
    level = Level(A=np.eye(9), b=np.arange(9.0))
    problem = Problem.from_levels([level], size=9, upper=np.zeros(9))
    solution = StrictHierarchy(max_iterations=2).solve(problem)
    assert solution.status is Status.ITERATION_LIMIT


@pytest.mark.parametrize(
    ("name", "value"),
    [(name, np.nan) for name in ("A", "b", "C", "c", "c_lower", "lower")]
    + [(name, np.inf) for name in ("A", "b", "C", "c")],
)
def test_what_is_not_finite_is_a_status(name: str, value: float) -> None:
    problem = Problem.from_levels(
        [Level(A=np.eye(2), b=[1.0, 2], C=[[1.0, 1]], C_lower=[0.0], C_upper=[2.0])],
        size=2,
        lower=[-5, -5],
        upper=[5, 5],
    )
    getattr(problem, name).flat[0] = value
    solution = StrictHierarchy().solve(problem)
    assert solution.status is Status.NOT_FINITE
    assert np.isfinite(solution.x).all()


@pytest.mark.parametrize("name", ["c_lower", "lower"])
def test_infinite_lower_side_is_infeasible(name: str) -> None:
    problem = Problem.from_levels(
        [Level(C=[[1.0, 1]], C_lower=[0.0], C_upper=[2.0])], size=2, lower=[-5, -5]
    )
    getattr(problem, name)[0] = np.inf
    solution = StrictHierarchy().solve(problem)
    assert solution.status is Status.INFEASIBLE
    with np.errstate(all="ignore" if WITHOUT_JIT else "raise"):
        assert solution.clash == ("x[0]" if name == "lower" else "C[0]",)


def test_solver_goes_on_after_an_infeasible_problem() -> None:
    solver = StrictHierarchy()
    problem = clashing()
    assert solver.solve(problem).status is Status.INFEASIBLE
    problem.c_upper[2] = 3.0
    again = solver.solve(problem)
    assert again.status is Status.SOLVED
    fresh = StrictHierarchy().solve(problem)
    np.testing.assert_allclose(again.x, fresh.x, atol=1e-9)
    problem.c_upper[2] = 1.5
    solver.solve(problem)
    solver.reset()
    problem.c_upper[2] = 3.0
    assert solver.solve(problem).x.tobytes() == fresh.x.tobytes()


def test_start_outside_the_limits_recovers_or_names() -> None:
    """A joint at 1.5 with range [−1, 1] and speed 1: a step of −0.25 is more than −0.01."""
    level = Level(A=[[1]], b=[0], C=[[1], [1]], C_lower=[-np.inf, -0.01], C_upper=[-0.25, 0.01])
    problem = Problem.from_levels([level], size=1, row_names=["position", "speed"])
    assert set(StrictHierarchy().solve(problem).clash) == {"position", "speed"}


def test_bad_settings_are_refused() -> None:
    with pytest.raises(InputError, match="positive"):
        StrictHierarchy(tolerance=0.0)
    with pytest.raises(InputError, match="regularisation"):
        WeightedQP(regularisation=-1.0)


def test_problem_checks_itself() -> None:
    problem = clashing()
    problem.check()
    problem.A[0, 0] = np.nan
    with pytest.raises(InputError, match=r"A\[0\]\[0\]"):
        problem.check()
    with pytest.raises(InputError, match="row_names"):
        Problem.from_levels([Level()], size=2, row_names=["a"])
    with pytest.raises(InputError, match=r"levels\[0\]\.b"):
        Problem.from_levels([Level(A=[[1, 2]], b=[1, 2])], size=2)
