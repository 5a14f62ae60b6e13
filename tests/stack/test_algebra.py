"""Views and operators: what they show, where they write, and that no operand changes."""

import copy
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footwork.errors import InputError, RowsError, StackError, WeightError
from footwork.stack import (
    Aggregated,
    AggregatedConstraint,
    Constraint,
    ConstraintToTask,
    GenericConstraint,
    GenericLPTask,
    GenericTask,
    HessianType,
    LeafTask,
    Stack,
    SubConstraint,
    SubTask,
    Task,
    TaskToConstraint,
)


def task(name: str = "t", rows: int = 4, n: int = 3, seed: int = 0) -> GenericTask:
    rng = np.random.default_rng(seed)
    return GenericTask(name, rng.normal(size=(rows, n)), rng.normal(size=rows))


def named() -> LeafTask:
    class Frame(LeafTask):
        def __init__(self) -> None:
            names = ("x", "y", "z", "rx", "ry", "rz")
            super().__init__("frame", rows=6, x_size=3, row_names=names)
            self._needs_update = False

    return Frame()


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (2, (2,)),
        ([3, 0], (3, 0)),
        (slice(1, 4), (1, 2, 3)),
        (slice(None, None, 2), (0, 2)),
        (slice(3, 1, -1), (3, 2)),
        ([True, False, False, True], (0, 3)),
        (np.array([2, 1]), (2, 1)),
        (np.array([False, True, False, False]), (1,)),
        ((0, 1), (0, 1)),
        (range(2), (0, 1)),
    ],
)
def test_rows_can_be_named_in_many_ways(rows: list[int], expected: tuple[int, ...]) -> None:
    father = task()
    for sub in (father[rows], father % rows, SubTask(father, rows)):
        assert isinstance(sub, SubTask)
        assert sub.rows == expected
        assert np.array_equal(sub.A, father.A[list(expected)])
        assert sub.task is father


def test_rows_that_come_as_a_set_are_refused() -> None:
    """Rows keep their order, and a set has none."""
    father = task()
    constraint = TaskToConstraint(father)
    for rows in ({2, 0}, frozenset({2, 0})):
        for part in (father, constraint):
            with pytest.raises(RowsError, match="a set has no order"):
                part % rows  # type: ignore[operator]
    ordered = {2: "", 0: ""}.keys()
    assert SubTask(father, ordered).rows == (2, 0)  # type: ignore[arg-type]


@pytest.mark.parametrize("value", ["no", "", 0, 1.0, None, np.array([False])])
def test_only_a_truth_value_switches(value: object) -> None:
    father, limit = task(), GenericConstraint("c", lower=[0.0, 0.0, 0.0])
    things = (father, father[0], father + father, 2.0 * father, father << limit, limit)
    for thing in (*things, ConstraintToTask(limit)):
        with pytest.raises(InputError, match=r"is_active of .* expected True or False"):
            thing.is_active = value  # type: ignore[assignment]
        assert thing.is_active
        for switch in (np.False_, True):
            thing.is_active = switch  # type: ignore[assignment]
            assert thing.is_active == switch


def test_rows_have_names() -> None:
    frame = named()
    assert frame["x", "y"].id == "frame_0to1"
    assert (frame % ["rz", "x"]).row_names == ("rz", "x")
    nested = frame["z", "rx"]["rx"]
    assert isinstance(nested, SubTask)
    assert nested.rows == (1,)
    with pytest.raises(RowsError, match="'w'"):
        frame["w"]


@given(st.data())
def test_a_nested_subtask_shows_and_writes_the_rows_of_the_root(data: st.DataObject) -> None:
    size = data.draw(st.integers(2, 6))
    father = task(rows=size)
    outer = data.draw(st.permutations(range(size)))[: data.draw(st.integers(1, size))]
    inner = data.draw(st.permutations(range(len(outer))))[: data.draw(st.integers(1, len(outer)))]
    sub, nested = father % outer, (father % outer) % inner
    rows = [outer[i] for i in inner]
    assert np.array_equal(nested.A, father.A[rows])
    assert np.array_equal(nested.weight, father.weight[np.ix_(rows, rows)])
    nested.lambda_, sub.lambda_, father.lambda_ = 0.5, 3.0, 0.25
    outer_only = father % outer
    assert np.array_equal(nested.b, 0.5 * 0.25 * father.error[rows])
    assert np.array_equal(outer_only.b, father.b[outer])
    F = np.random.default_rng(size).normal(size=(len(rows), len(rows)))
    block = F.T @ F
    before = father.weight
    nested.weight = block
    after = father.weight.copy()
    np.testing.assert_allclose(after[np.ix_(rows, rows)], block)
    after[np.ix_(rows, rows)] = before[np.ix_(rows, rows)]
    np.testing.assert_array_equal(after, before)


def test_is_subtask_and_as_subtask() -> None:
    father = task()
    sub = father[0]
    assert SubTask.is_subtask(sub)
    assert not SubTask.is_subtask(father)
    assert SubTask.as_subtask(sub) is sub
    assert SubTask.as_subtask(father) is None
    with pytest.raises(InputError, match="expected a task"):
        SubTask(GenericConstraint("c", lower=[0.0]), [0])  # type: ignore[arg-type]


def test_the_constraints_and_the_mask_of_a_subtask_are_the_father_s() -> None:
    father = task()
    sub = father[0, 1]
    nested = sub[0]
    assert nested.constraints is father.constraints
    box = GenericConstraint("box", lower=[0.0, 0.0, 0.0])
    nested.constraints.append(box)
    assert list(father.constraints) == [box]
    nested.active_joints_mask = [True, False, True]
    assert not father.A[:, 1].any()
    assert not sub.A[:, 1].any()
    assert father.active_joints_mask.tolist() == [True, False, True]


def test_cost_of_a_father_is_the_sum_of_its_subtasks() -> None:
    father = task()
    x = np.array([1.0, -2.0, 0.5])
    parts = father[0, 1].compute_cost(x) + father[2, 3].compute_cost(x)
    assert father.compute_cost(x) == pytest.approx(parts, rel=1e-14)
    residual = father.A @ x - father.b
    assert father.compute_cost(x) == pytest.approx(residual @ residual)


def test_a_weighted_view_unscales_what_is_written_through_it() -> None:
    father = task()
    father.weight = [1.0, 2.0, 3.0, 4.0]
    doubled = 2.0 * father
    assert np.diagonal(doubled.weight).tolist() == [2, 4, 6, 8]
    doubled.weight = [8.0, 8.0, 8.0, 8.0]
    assert np.diagonal(father.weight).tolist() == [4, 4, 4, 4]
    by_row = np.array([1.0, 4.0, 9.0, 16.0]) * father
    assert np.diagonal(by_row.weight).tolist() == [4, 16, 36, 64]
    by_row.weight = np.eye(4)
    np.testing.assert_allclose(np.diagonal(father.weight), [1, 1 / 4, 1 / 9, 1 / 16])
    F = np.random.default_rng(1).normal(size=(4, 4))
    W = F.T @ F + np.eye(4)
    by_row.weight = W
    np.testing.assert_allclose(by_row.weight, W)
    assert father.check_consistency()
    father.weight = 1.0
    matrix = W * father
    np.testing.assert_allclose(matrix.weight, W)
    matrix.weight = np.eye(4)
    np.testing.assert_allclose(father.weight, np.linalg.inv(W), atol=1e-12)


def test_a_zero_factor_hides_a_row_and_takes_no_weight() -> None:
    father = task()
    father.weight = [1.0, 2.0, 3.0, 4.0]
    view = np.array([0.0, 1.0, 1.0, 1.0]) * father
    assert view.weight[0, 0] == 0.0
    with pytest.raises(WeightError, match=r"rows \[0\]"):
        view.weight = np.eye(4)
    view.weight = [0.0, 5.0, 5.0, 5.0]
    assert np.diagonal(father.weight).tolist() == [1, 5, 5, 5]
    singular = np.diag([0.0, 1.0, 1.0, 1.0]) * father
    with pytest.raises(WeightError, match="without inverse"):
        singular.weight = np.eye(4)


def test_a_scalar_factor_weighs_the_linear_cost_too() -> None:
    cheap = GenericLPTask("cheap", [1.0, 2.0, 3.0])
    assert (2.0 * cheap).c.tolist() == [2.0, 4.0, 6.0]
    assert cheap.c.tolist() == [1.0, 2.0, 3.0]
    assert cheap.task_size == 0
    assert cheap.check_consistency()
    both = task() + 3.0 * cheap
    assert both.c.tolist() == [3.0, 6.0, 9.0]
    both.is_active = False
    assert both.c.tolist() == [0.0, 0.0, 0.0]
    assert (both % [0]).c.tolist() == [0.0, 0.0, 0.0]


def test_views_are_the_same_task_in_another_dress() -> None:
    father = task()
    for view in (2.0 * father, father << GenericConstraint("c", lower=[0.0, 0.0, 0.0])):
        view.lambda_ = 0.5
        assert father.lambda_ == 0.5
        view.is_active = False
        assert not father.is_active
        view.is_active = True
        view.hessian_type = HessianType.POSDEF
        assert father.hessian_type is HessianType.POSDEF
        assert view.id == father.id
        father.lambda_ = 1.0
    with pytest.raises(WeightError):
        -1.0 * father
    assert np.array_equal((father << ()).weight, father.weight)


def test_a_view_with_constraints_leaves_the_task_s_own_list_alone() -> None:
    father = task()
    a, b, c = (GenericConstraint(name, lower=[0.0, 0.0, 0.0]) for name in "abc")
    father.constraints.append(a)
    view = father << b << (c, b)
    assert list(view.constraints) == [a, b, c]
    assert list(father.constraints) == [a]
    view.constraints.append(a)
    assert len(view.constraints) == 3
    d = GenericConstraint("d", lower=[0.0, 0.0, 0.0])
    view.constraints.append(d)
    assert list(father.constraints) == [a]
    assert list(view.constraints) == [a, b, c, d]
    father.constraints.clear()
    assert list(view.constraints) == [b, c, d]
    view.constraints[2] = a
    assert list(view.constraints) == [b, c, a]
    del view.constraints[2:]
    assert list(view.constraints) == [b, c]
    with pytest.raises(InputError, match="expected a constraint or a task"):
        view.constraints.append(1.0)  # type: ignore[arg-type]
    assert repr(father.constraints) == "[]"
    with pytest.raises(StackError):
        view.constraints.remove(b)


def test_precedence_reads_as_it_is_meant() -> None:
    a, b, c = task("a"), task("b"), task("c")
    box = GenericConstraint("box", lower=[0.0, 0.0, 0.0])
    stack = a / b / c << box
    assert [level.id for level in stack] == ["a", "b", "c"]
    assert list(stack.bounds) == [box]
    assert [level.id for level in a / (b / c)] == ["a", "b", "c"]
    assert [level.id for level in (a / b) / (b / c)] == ["a", "b", "b", "c"]
    assert (a % [0] + 2.0 * b).id == "a_0+b"
    assert len(a / b) == 2
    assert stack[1] is b
    with pytest.raises(TypeError):
        a + box  # type: ignore[operator]
    with pytest.raises(TypeError):
        a / box  # type: ignore[operator]
    with pytest.raises(TypeError):
        iter(a)
    with pytest.raises(TypeError):
        box + a  # type: ignore[operator]
    with pytest.raises(TypeError):
        stack / box  # type: ignore[operator]


def test_an_operator_on_a_stack_makes_a_new_stack() -> None:
    a, b = task("a"), task("b")
    first = Stack([a])
    second = first / b
    third = second << GenericConstraint("box", lower=[0.0, 0.0, 0.0])
    assert (len(first), len(second), len(third.bounds), len(second.bounds)) == (1, 2, 1, 0)
    assert second.solver is not third.solver


def test_parts_of_different_sizes_do_not_go_together() -> None:
    a, b = task("a", n=3), task("b", n=4)
    box = GenericConstraint("box", lower=[0.0, 0.0])
    for make in (lambda: a + b, lambda: a / b, lambda: Stack([a]) << box):
        with pytest.raises(StackError, match="unknowns"):
            make()
    with pytest.raises(StackError, match="unknowns"):
        (Stack([a << box])).solve()
    with pytest.raises(StackError):
        Stack([a]).regularisation = b
    assert not (a << box).check_consistency()
    with pytest.raises(InputError, match="x_size must be given"):
        Stack()
    with pytest.raises(InputError, match="expected tasks as levels"):
        Stack([box])  # type: ignore[list-item]
    with pytest.raises(InputError, match="tasks only or constraints only"):
        Aggregated(a, GenericConstraint("c", lower=[0.0, 0.0, 0.0]))
    with pytest.raises(InputError):
        Aggregated()
    with pytest.raises(InputError, match="x_size must be given"):
        AggregatedConstraint([])
    empty = AggregatedConstraint([], x_size=3)
    assert empty.check_consistency()
    assert empty.Aineq.shape == (0, 3)
    assert empty.violation(np.zeros(3)).size == 0


def test_aggregates_of_aggregates_stack_their_rows() -> None:
    a, b, c = task("a"), task("b", 2), task("c", 1)
    both = Aggregated([a + b, c])
    assert both.id == "a+b+c"
    assert both.task_size == 7
    assert np.array_equal(both.A, np.vstack([a.A, b.A, c.A]))
    assert both.leaves() == (a, b, c)
    both.active_joints_mask = [False, True, True]
    assert not both.A[:, 0].any()
    assert a.A[:, 0].any()
    both.is_active = False
    assert not both.A.any()
    assert both.compute_cost(np.ones(3)) == 0.0
    a.is_active = False
    both.is_active = True
    assert not both.A[:4].any()
    assert both.A[4:].any()
    both.hessian_type = HessianType.SEMIDEF
    assert both.hessian_type is HessianType.SEMIDEF


def test_the_weight_of_a_sum_of_sums_is_that_of_its_parts() -> None:
    """a + b + c + d is read as one sum, or as a tree where a weight couples parts of one within."""
    a, b, c, d = (task(name, 2, seed=i) for i, name in enumerate("abcd"))
    inner = a + np.array([2.0, 3.0]) * b
    whole = inner + c[1, 0] + d
    rng = np.random.default_rng(3)

    def check() -> None:
        W = np.zeros((8, 8))
        W[:4, :4], W[4:6, 4:6] = inner.weight, c.weight[::-1, ::-1]
        W[6:, 6:] = d.weight
        np.testing.assert_array_equal(whole.weight, W)
        diagonal = whole.weight_diagonal()
        if np.count_nonzero(W) > np.count_nonzero(W.diagonal()):
            assert diagonal is None
        else:
            assert diagonal is not None
            np.testing.assert_array_equal(diagonal, W.diagonal())
            assert whole.weight_diagonal() is diagonal

    check()
    for part in (a, b, c, d, inner, whole):
        part.weight = rng.uniform(1.0, 2.0, part.task_size)
        check()
    F = rng.normal(size=(4, 4))
    inner.weight = F.T @ F
    check()
    assert inner.weight[0, 2] != 0.0
    inner.weight = 2.0
    check()


def test_a_weight_across_the_parts_belongs_to_the_aggregate() -> None:
    a, b = task("a", 2), task("b", 2)
    both = a + b
    F = np.random.default_rng(2).normal(size=(4, 4))
    W = F.T @ F
    both.weight = W
    np.testing.assert_allclose(a.weight, W[:2, :2])
    np.testing.assert_allclose(b.weight, W[2:, 2:])
    np.testing.assert_allclose(both.weight, W)
    np.testing.assert_allclose((both % [3, 0]).weight, W[np.ix_([3, 0], [3, 0])])
    assert np.array_equal((a + b).weight[:2, 2:], np.zeros((2, 2)))
    # A part that cannot take its block leaves all as it was.
    hidden = a + np.array([0.0, 1.0]) * b
    before = a.weight
    with pytest.raises(WeightError):
        hidden.weight = 7.0
    np.testing.assert_array_equal(a.weight, before)


def test_constraints_of_tasks_and_of_constraints_have_kinds() -> None:
    t = task()
    equal = TaskToConstraint(t)
    assert equal.is_equality
    assert not equal.is_inequality
    np.testing.assert_array_equal(equal.beq, t.b)
    between = TaskToConstraint(t, lower_error=-1.0)
    assert between.is_bilateral
    np.testing.assert_array_equal(between.b_upper, t.b)
    np.testing.assert_array_equal(between.b_lower, t.b - 1.0)
    sub = equal % [1, 0]
    assert isinstance(sub, SubConstraint)
    np.testing.assert_array_equal(sub.beq, t.b[[1, 0]])
    assert sub.constraint is equal
    assert TaskToConstraint(t[0]).id == "t_0"
    nested = (equal % [2, 1]) % [1]
    np.testing.assert_array_equal(nested.Aeq, t.A[[1]])
    one_sided = GenericConstraint("c", [[1.0, 0.0, 0.0]], lower=[0.0])
    assert one_sided.is_unilateral
    assert one_sided.check_consistency()
    crossed = GenericConstraint("d", lower=[0.0, 0.0, 0.0]) + GenericConstraint(
        "e", upper=[1, 1, 1]
    )
    assert crossed.is_bound
    with pytest.raises(InputError, match="it stays one"):
        one_sided.set_limits(equal=[1.0])
    with pytest.raises(InputError, match="has no rows to set"):
        GenericConstraint("f", lower=[0.0]).set_rows([[1.0]])
    with pytest.raises(InputError, match="give limits"):
        GenericConstraint("g", [[1.0]])
    with pytest.raises(InputError, match="give limits"):
        GenericConstraint("g", [[1.0]], lower=[0.0], equal=[0.0])
    with pytest.raises(InputError, match="expected a constraint"):
        SubConstraint(t, [0])  # type: ignore[arg-type]


def test_an_inequality_task_is_a_task_like_any_other() -> None:
    box = GenericConstraint("box", lower=[1.0, -1.0, -1.0], upper=[2.0, 1.0, 1.0])
    soft = ConstraintToTask(box, "soft")
    assert soft.b.tolist() == [1.0, 0.0, 0.0]
    np.testing.assert_array_equal(soft.A, np.eye(3))
    assert soft.compute_cost([0.0, 3.0, 0.0]) == 1.0 + 4.0
    soft.weight = [1.0, 2.0, 3.0]
    assert soft.compute_cost([0.0, 3.0, 0.0]) == 1.0 + 8.0
    with pytest.raises(InputError, match="must be diagonal"):
        soft.weight = np.ones((3, 3))
    part = soft % [1]
    assert part.compute_cost([0.0, 3.0, 0.0]) == 8.0
    soft.active_joints_mask = [True, False, True]
    assert soft.compute_cost([0.0, 3.0, 0.0]) == 1.0
    mixed = soft + task()
    mixed.lambda_ = 2.0
    assert mixed.task_size == 7
    assert mixed.check_consistency()
    assert list(soft.constraints) == []
    assert soft.constraint is box
    coupled = soft + task("u", 1)
    with pytest.raises(WeightError, match="must be diagonal"):
        coupled.weight = np.eye(4) + 0.1
    across = np.eye(4)
    across[0, 3] = across[3, 0] = 0.1
    coupled.weight = across
    for stack in (Stack([coupled]), Stack([across @ np.diag([1.0, 1.0, 1.0, 4.0]) * coupled])):
        with pytest.raises(WeightError, match=r"weight of .*couples rows of an inequality task"):
            stack.solve()


def test_consistency_is_false_for_what_cannot_be_solved() -> None:
    t = task()
    assert t.check_consistency()
    t.hessian_type = HessianType.ZERO
    assert not t.check_consistency()
    t.hessian_type = HessianType.SEMIDEF
    t.own_error[0] = np.nan
    assert not t.check_consistency()
    assert not GenericLPTask("zero", [0.0, 0.0]).check_consistency()
    bad = GenericConstraint("bad", lower=[0.0, 0.0, 0.0], upper=[1.0, 1.0, 1.0])
    bad.own_lower[1] = 2.0
    assert not bad.check_consistency()
    assert not Stack([task()], bounds=bad).check_consistency()


def test_no_operand_is_ever_changed() -> None:
    a, b = task("a"), task("b")
    c: Constraint = GenericConstraint("c", lower=[0.0, 0.0, 0.0])
    a.weight, a.lambda_ = [1.0, 2.0, 3.0, 4.0], 0.5

    def look(t: Task) -> list[object]:
        return [t.A.tolist(), t.b.tolist(), t.weight.tolist(), list(t.constraints), t.is_active]

    before = copy.deepcopy([look(a)[:3], look(b)[:3]])
    made: list[Task | Stack] = [
        a + b,
        2.0 * a,
        a % [0],
        a << c,
        a / b,
        (a / b) << c,
        (a + b) << c,
        np.arange(1.0, 5.0) * b,
    ]
    for view in made:
        view.update()
    assert [look(a)[:3], look(b)[:3]] == before
    assert not list(a.constraints)
    assert not list(b.constraints)


def test_ids_tell_where_rows_come_from() -> None:
    a = task("hand", 8)
    assert (a % [0, 1, 2, 4]).id == "hand_0to2plus4"
    assert (a % [2, 0]).id == "hand_2plus0"
    assert ((a % slice(0, 6))[[5, 4, 3]]).id == "hand_0to5_5plus4plus3"
    ids = [(a % [i]).id for i in range(8)]
    assert all(x != y for x, y in pairwise(ids))
    assert repr(a[0]) == "SubTask('hand_0', rows=1, λ=1)"
