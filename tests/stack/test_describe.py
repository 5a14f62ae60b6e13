"""The table of a stack counts as people do."""

import pytest

from footwork.stack import GenericConstraint, GenericTask, Stack


@pytest.mark.parametrize(
    ("size", "levels", "bounds", "head"),
    [
        (1, 1, 1, "1 unknown, 1 level, 1 bound"),
        (2, 2, 0, "2 unknowns, 2 levels, 0 bounds"),
        (2, 0, 2, "2 unknowns, 0 levels, 2 bounds"),
    ],
)
def test_one_of_a_thing_is_no_plural(size: int, levels: int, bounds: int, head: str) -> None:
    row = [[1.0] * size]
    stack = Stack(
        [GenericTask(f"task {i}", A=row, b=[3.0]) for i in range(levels)],
        bounds=[GenericConstraint(f"box {i}", upper=[1.0] * size) for i in range(bounds)],
        x_size=size,
    )
    assert stack.describe().splitlines()[0] == head


def test_what_holds_x_back_is_counted() -> None:
    reach = GenericTask("reach", A=[[1.0, 0.0]], b=[3.0])
    stack = Stack([reach]) << GenericConstraint("box", upper=[1.0, 5.0])
    assert "1 active constraint: " in stack.describe(stack.solve())
    reach.b = [0.5]
    assert stack.describe(stack.solve()).endswith("0 active constraints")
