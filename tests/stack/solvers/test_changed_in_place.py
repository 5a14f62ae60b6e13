"""Arrays that change between two solves of one problem object: planned anew, or a typed error."""

import os

import numpy as np
import pytest

from footwork.errors import InputError, ShapeError
from footwork.stack.solvers import (
    HARD,
    Level,
    Problem,
    Solution,
    Status,
    StrictHierarchy,
    WeightedQP,
)

# Another number of axes is caught by the types of a compiled kernel; plain Python has none.
AXES = (
    []
    if os.environ.get("NUMBA_DISABLE_JIT") == "1"
    else [("A", (12,)), ("b", (3, 1)), ("c_soft", (5, 1))]
)


def problem() -> Problem:
    levels = [
        Level(
            A=[[1.0, 1.0, 0.0, 0.0]],
            b=[3],
            C=[[1, 0, 0, 0], [0, 1, 0, 1]],
            C_lower=[-1, -2],
            C_upper=[1, 1],
        ),
        Level(
            A=[[0.0, 1, 1, 0], [0.0, 0, 1, -1]],
            b=[1, 4],
            S=[[0, 0, 0, 1], [1, 0, 1, 0], [0, 1, 0, 0]],
            S_lower=[1, 2, -1],
            S_upper=[2, 3, 1],
        ),
    ]
    return Problem.from_levels(levels, size=4, lower=[-9] * 4, upper=[9] * 4)


def agree(got: Solution, wanted: Solution) -> None:
    assert got.status is wanted.status
    np.testing.assert_allclose(got.x, wanted.x, atol=1e-9)


@pytest.mark.parametrize(
    ("c_level", "c_soft"),
    [
        ([0, 0, 1, 1, 1], [HARD, HARD, HARD, 1, 1]),
        ([0, 1, 1, 1, 1], [HARD, HARD, 1, 1, 1]),
        ([0, 0, 0, 0, 0], [0, 1, 0, 1, 0]),
        ([1, 1, 1, 1, 1], [HARD] * 5),
        ([0, 0, 1, 1, 1], [1, 1, 1, HARD, HARD]),
    ],
)
@pytest.mark.parametrize("kind", [StrictHierarchy, WeightedQP])
def test_other_levels_are_planned_anew(
    kind: type[StrictHierarchy | WeightedQP], c_level: list[int], c_soft: list[int]
) -> None:
    changing, solver = problem(), kind()
    start = solver.solve(changing)
    assert start.status is Status.SOLVED
    before = [changing.c_level.copy(), changing.c_soft.copy()]
    changing.c_level[:], changing.c_soft[:] = c_level, c_soft
    agree(solver.solve(changing), kind().solve(changing.copy()))
    changing.c_level[:], changing.c_soft[:] = before
    agree(solver.solve(changing), start)


def test_rows_move_from_one_level_to_another() -> None:
    changing, solver = problem(), StrictHierarchy()
    solver.solve(changing)
    changing.level_offset[1] = 2
    agree(solver.solve(changing), StrictHierarchy().solve(changing.copy()))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("c_level", 2), ("c_level", -1), ("c_level", 10**12)),
        *(("c_soft", 2), ("c_soft", -2), ("c_soft", 10**12)),
        *(("level_offset", 1), ("level_offset", -5), ("level_offset", 10**12)),
    ],
)
@pytest.mark.parametrize("time_limit", [None, 60.0])
def test_levels_that_do_not_exist_are_named(
    name: str, value: int, time_limit: float | None
) -> None:
    changing, solver = problem(), StrictHierarchy()
    start = solver.solve(changing, time_limit=time_limit)
    array = getattr(changing, name)
    kept = array[0]
    array[0] = value
    with pytest.raises(InputError, match=name):
        solver.solve(changing, time_limit=time_limit)
    array[0] = kept
    agree(solver.solve(changing, time_limit=time_limit), start)


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        *(("A", (4, 3)), ("A", (1, 12)), ("A", (2, 4)), ("A", (0, 4))),
        *(("C", (4, 5)), ("C", (1, 4)), ("C", (2, 10)), ("c", (4, 2)), ("c", (1, 4))),
        *(("b", (1,)), ("b", (9,)), ("lower", (2,)), ("lower", (5,)), ("upper", (1,))),
        *(("c_lower", (2,)), ("c_lower", (9,)), ("c_upper", (4,)), ("upper", (99,))),
        *(("c_level", (2,)), ("c_soft", (1,)), ("level_offset", (2,)), ("level_offset", (0,))),
        *AXES,
    ],
)
@pytest.mark.parametrize("kind", [StrictHierarchy, WeightedQP])
def test_another_shape_is_a_typed_error(
    kind: type[StrictHierarchy | WeightedQP], name: str, shape: tuple[int, ...]
) -> None:
    changing, solver = problem(), kind()
    start = solver.solve(changing)
    array = getattr(changing, name)
    kept = array.copy()
    array.resize(shape, refcheck=False)
    if kind is WeightedQP and name in {"c", "c_level", "level_offset"}:
        # Its sum has one level of its own: of these it takes what there is, or none.
        solver.solve(problem())
    else:
        with pytest.raises((InputError, ShapeError)):
            solver.solve(changing)
    array.resize(kept.shape, refcheck=False)
    array[...] = kept
    agree(solver.solve(changing), start)


def test_another_size_that_fits_is_planned_anew() -> None:
    changing, solver = problem(), StrictHierarchy()
    solver.solve(changing)
    for name in ("C", "c_lower", "c_upper", "c_level", "c_soft"):
        array = getattr(changing, name)
        array.resize((2, *array.shape[1:]), refcheck=False)
    agree(solver.solve(changing), StrictHierarchy().solve(changing.copy()))


def test_an_array_that_is_not_aligned_is_named() -> None:
    plain = problem()
    shifted = np.frombuffer(b"." + plain.b.tobytes(), dtype=np.uint8)[1:].view(np.float64)
    with pytest.raises(InputError, match=r"b: expected .*, not aligned"):
        StrictHierarchy().solve(Problem(**{**vars(plain), "b": shifted}))


@pytest.mark.parametrize("name", ["A", "C", "c_level"])
def test_other_types_are_named(name: str) -> None:
    plain = problem()
    arrays = {
        "A": plain.A.astype(np.float32),
        "C": np.asfortranarray(plain.C),
        "c_level": plain.c_level.astype(np.int32),
    }
    other = Problem(**{**vars(plain), name: arrays[name]})
    with pytest.raises(InputError, match=f"{name}: expected a C-contiguous array"):
        other.check()
    with pytest.raises(InputError, match=f"{name}: expected a C-contiguous array"):
        StrictHierarchy().solve(other, time_limit=1.0)
