"""Numbers that OpenSoT's own tests check and that need no robot of theirs."""

import numpy as np
import pytest

from footwork.stack import Affine, GenericConstraint, GenericLPTask, GenericTask, Stack, Variables


def solve(stack: Stack) -> list[float]:
    solution = stack.solve()
    solution.raise_if_failed()
    return [float(v) for v in solution.x]


def box(limit: float, n: int = 3) -> GenericConstraint:
    return GenericConstraint("box", lower=np.full(n, -limit), upper=np.full(n, limit))


def test_quadratic_programs_with_growing_rows() -> None:
    first = GenericTask("sum", [[1.0, 1.0, 1.0]], [10.0])
    stack = Stack([first]) << box(10.0)
    assert solve(stack) == pytest.approx([10 / 3] * 3, abs=1e-9)
    row = GenericConstraint("row", [[1.0, 0.0, 1.0]], equal=[20.0])
    assert solve(stack << row) == pytest.approx([10.0, -10.0, 10.0], abs=1e-6)
    first.set([[1, 1, 1], [0, 1, 1]], [6.0, 5.0])
    assert solve(stack) == pytest.approx([1.0, 2.5, 2.5], abs=1e-6)
    first.set([[1, 1, 1], [0, 1, 1], [1, 1, 0]], [6.0, 5.0, 3.0])
    assert solve(stack) == pytest.approx([1.0, 2.0, 3.0], abs=1e-6)
    first.set([[1, 1, 1], [0, 1, 1], [1, 1, 0], [1, 0, 1]], [6.0, 5.0, 3.0, 3.0])
    assert solve(stack) == pytest.approx([0.5714, 2.5714, 2.5714], abs=1e-4)


def test_linear_programs_and_the_lasso() -> None:
    n = 4
    assert solve(Stack([GenericLPTask("lp", np.ones(n))]) << box(2.0, n)) == pytest.approx(
        [-2.0] * n
    )
    # Lasso with t ≥ |x|: minimise ½(1·x₁ + … + 4·x₄ − 10)² + 10 Σ t
    parts = Variables({"x": n, "t": n})
    fit = GenericTask("fit", [[1.0, 2.0, 3.0, 4.0]], [10.0], variable=parts["x"])
    cost = GenericLPTask("cost", np.full(n, 10.0), variable=parts["t"])
    above = GenericConstraint(
        "above", np.eye(n), lower=np.zeros(n), variable=parts["t"] - parts["x"]
    )
    below = GenericConstraint(
        "below", np.eye(n), lower=np.zeros(n), variable=parts["t"] + parts["x"]
    )
    x = solve((Stack([fit + cost]) << above) << below)
    assert x[:n] == pytest.approx([0.0, 0.0, 0.0, 1.875], abs=1e-4)


def test_a_quadratic_level_over_a_linear_one() -> None:
    fit = GenericTask("fit", [[4.0, 2.0, 0.0]], [12.0])
    cost = GenericLPTask("cost", [-3.0, -2.0, -1.0])
    limits = GenericConstraint("limits", lower=np.zeros(3), upper=[np.inf, np.inf, 1.0])
    total = GenericConstraint("total", np.ones((1, 3)), upper=[7.0])
    assert solve((fit / cost) << [limits, total]) == pytest.approx([0.0, 6.0, 1.0], abs=1e-7)


def test_bounds_hold_and_release() -> None:
    task = GenericTask("one", np.eye(3), np.ones(3))
    limits = box(0.5)
    stack = Stack([task]) << limits
    assert solve(stack) == pytest.approx([0.5] * 3, abs=1e-9)
    limits.set_limits(lower=[-1.0] * 3, upper=[1.0] * 3)
    assert solve(stack) == pytest.approx([1.0] * 3, abs=1e-9)


def test_a_sum_is_met_within_bounds() -> None:
    stack = Stack([GenericTask("sum", [[1.0, 1.0]], [1.0])]) << box(5.0, 2)
    assert sum(solve(stack)) == pytest.approx(1.0, abs=1e-9)


def test_a_linear_cost_of_a_part_of_the_variables() -> None:
    rows = Affine.identity(4).segment(1, 1) / Affine.identity(4).segment(3, 1)
    assert GenericLPTask("lp", [1.0, 1.0], variable=rows).c.tolist() == [0, 1, 0, 1]


def test_affine_arithmetic_is_that_of_matrices() -> None:
    rng = np.random.default_rng(0)
    M, N, q, r = (
        rng.normal(size=(3, 4)),
        rng.normal(size=(3, 4)),
        rng.normal(size=3),
        rng.normal(size=3),
    )
    a, b, B = Affine(M, q), Affine(N, r), rng.normal(size=(2, 3))
    x = rng.normal(size=4)
    for made, value in (
        (a + b, (M + N) @ x + q + r),
        (a - b, (M - N) @ x + q - r),
        (a + r, M @ x + q + r),
        (r - a, r - M @ x - q),
        (a - r, M @ x + q - r),
        (-a, -(M @ x + q)),
        (3.0 * a, 3.0 * (M @ x + q)),
        (B * a, B @ (M @ x + q)),
        (B @ a, B @ (M @ x + q)),
        (a / b, np.concatenate([M @ x + q, N @ x + r])),
        (a.head(2), (M @ x + q)[:2]),
        (a.tail(1), (M @ x + q)[2:]),
        (Affine.zero(4, 2), np.zeros(2)),
    ):
        np.testing.assert_allclose(made.value(x), value, atol=1e-14)
    parts = Variables([("qddot", 3), ("f", 1)])
    assert parts.names == ("qddot", "f")
    assert "f" in parts
    assert len(parts) == 2
    np.testing.assert_array_equal(parts.all().value(x), x)
    np.testing.assert_array_equal(parts.split(x)["qddot"], x[:3])


def test_misuse_of_variables_is_an_error() -> None:
    from footwork.errors import InputError, ShapeError

    a = Affine.identity(3)
    with pytest.raises(ShapeError):
        a + Affine.identity(2)
    with pytest.raises(ShapeError):
        a / Affine.identity(2)
    with pytest.raises(ShapeError):
        a.value([1.0])
    with pytest.raises(InputError, match="segment of 2 entries from 2"):
        a.segment(2, 2)
    with pytest.raises(InputError, match="named twice"):
        Variables([("a", 1), ("a", 2)])
    with pytest.raises(InputError, match="size -1"):
        Variables({"a": -1})
    with pytest.raises(InputError, match="no variable is called 'b'; there are a"):
        Variables({"a": 1})["b"]
    assert repr(a) == "Affine(3 of 3 unknowns, offset=0)"
    assert a.segment(1, 2).offset == 1
    assert (2.0 * a).offset is None
