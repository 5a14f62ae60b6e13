"""What OpenSoT gets wrong, and what happens here: one test a fault, numbered as in the docs.

The rows of docs/reference/deviations_stack.md name these tests.
"""

import numpy as np
import pytest

from footwork.errors import InputError, RowsError, ShapeError, StackError, WeightError
from footwork.stack import (
    Affine,
    Aggregated,
    AggregatedConstraint,
    Constraint,
    ConstraintToTask,
    GenericConstraint,
    GenericLPTask,
    GenericTask,
    HessianType,
    LeafTask,
    MinimizeVariable,
    Stack,
    SubTask,
    Task,
    TaskToConstraint,
    Variables,
)
from footwork.stack.segment import State
from footwork.stack.solvers import Status


class OneShot(LeafTask):
    """Three rows whose feed-forward counts for one tick, as the built-in tasks' references do."""

    def __init__(self, name: str = "hand") -> None:
        super().__init__(name, rows=3, x_size=3, row_names=("x", "y", "z"))
        self.velocity = np.zeros(3)
        self.updates = 0

    def compute(self, state: State | None) -> None:
        del state
        self.updates += 1
        self.J[:] = np.eye(3)
        self.own_feedforward[:] = self.velocity
        self.velocity = np.zeros(3)


def three(name: str = "t", b: tuple[float, ...] = (1.0, 2.0, 3.0)) -> GenericTask:
    return GenericTask(name, np.eye(3), b)


def box(name: str = "box", limit: float = 1.0, size: int = 3) -> GenericConstraint:
    return GenericConstraint(name, lower=np.full(size, -limit), upper=np.full(size, limit))


# SubTask


def test_two_subtasks_of_one_father_both_get_the_one_shot_feedforward() -> None:
    father = OneShot()
    father.velocity = np.array([7.0, 8.0, 9.0])
    stack = father["x"] / father["y", "z"]
    stack.update()
    assert stack[0].b.tolist() == [7.0]
    assert stack[1].b.tolist() == [8.0, 9.0]
    assert father.updates == 1
    stack.update()
    assert stack[1].b.tolist() == [0.0, 0.0]


def test_a_task_at_a_level_and_in_a_constraint_is_updated_once_a_tick() -> None:
    father = OneShot()
    father.velocity = np.array([0.1, 0.2, 0.3])
    stack = (father + 2.0 * father[0]) / (three() << TaskToConstraint(father[1]))
    solution = stack.solve()
    assert father.updates == 1
    np.testing.assert_allclose(solution.x, [0.1, 0.2, 0.3], atol=1e-8)


def test_lambda_of_a_subtask_does_not_scale_the_feedforward() -> None:
    father = OneShot()
    father.velocity = np.array([7.0, 8.0, 9.0])
    sub = father[0, 1]
    sub.lambda_ = 0.5
    sub.update()
    assert sub.b.tolist() == [7.0, 8.0]


def test_rows_keep_their_order() -> None:
    sub = three() % [2, 0]
    assert sub.b.tolist() == [3.0, 1.0]
    assert sub.A.tolist() == [[0, 0, 1], [1, 0, 0]]
    assert sub.id == "t_2plus0"


@pytest.mark.parametrize(
    ("rows", "why"),
    [
        ([1, 1, 0], "row 1 is named twice"),
        ([0, 3], "row 3 does not exist"),
        ([-1], "row -1 does not exist"),
        ([], "no row is chosen"),
        (slice(1, 1), "no row is chosen"),
        (slice(0, 4), "row 4 does not exist"),
        ([False, False, False], "no row is chosen"),
        ([True, False], "a mask of 2 entries for 3 rows"),
        (["w"], "no row is called 'w'; named rows: x, y, z"),
        ([0.5], "0.5 is not a row number"),
    ],
)
def test_wrong_rows_are_an_error_that_names_them(rows: list[int], why: str) -> None:
    for select in (lambda t: t % rows, lambda t: t[rows], lambda t: SubTask(t, rows)):
        with pytest.raises(RowsError, match=why) as caught:
            select(OneShot())
        assert caught.value.owner == "hand"


def test_rows_of_a_constraint_are_checked_even_if_it_has_one_side() -> None:
    one_sided = GenericConstraint("c", np.eye(3), lower=np.zeros(3))
    sub = one_sided % [1]
    assert sub.b_lower.tolist() == [0.0]
    assert sub.b_upper.tolist() == [np.inf]
    with pytest.raises(RowsError, match="row 3"):
        one_sided % [3]


def test_a_box_subconstraint_keeps_limits_with_their_variables() -> None:
    father = GenericConstraint("box", lower=-np.array([4.0, 5.0, 6.0]), upper=[1.0, 2.0, 3.0])
    part = father % [2, 0]
    assert part.Aineq.tolist() == [[0, 0, 1], [1, 0, 0]]
    assert part.b_upper.tolist() == [3.0, 1.0]
    x = (GenericTask("far", np.eye(3), [9.0, 9.0, 9.0]) / three("rest")) << part
    np.testing.assert_allclose(x.solve().x, [1.0, 9.0, 3.0], atol=1e-8)


def test_a_scalar_weight_on_a_subtask_reaches_the_father_and_stays() -> None:
    father = three()
    sub = father[1, 2]
    sub.weight = 5.0
    stack = Stack([sub])
    stack.update()
    assert np.diagonal(father.weight).tolist() == [1.0, 5.0, 5.0]
    assert np.diagonal(sub.weight).tolist() == [5.0, 5.0]


def test_a_subtask_is_inactive_with_its_father() -> None:
    father = three()
    sub = father[0]
    father.is_active = False
    assert not sub.is_active
    assert sub.A.tolist() == [[0.0, 0.0, 0.0]]
    father.is_active = True
    assert sub.is_active
    sub.is_active = False
    assert father.is_active


def test_rows_of_an_identity_father_are_semidefinite() -> None:
    father = three()
    father.hessian_type = HessianType.IDENTITY
    assert father[0].hessian_type is HessianType.SEMIDEF


# Task


def test_a_weight_that_is_not_positive_semidefinite_or_symmetric_is_refused() -> None:
    task = three()
    for weight, why in (
        ([[1, 2, 0], [2, 1, 0], [0, 0, 1]], "positive semi-definite"),
        ([[1, 1, 0], [0, 1, 0], [0, 0, 1]], "symmetric"),
        ([1.0, -1.0, 1.0], "not be negative"),
        (-1.0, "not be negative"),
    ):
        with pytest.raises(WeightError, match=why):
            task.weight = weight
    with pytest.raises(ShapeError, match=r"\(3, 3\)"):
        task.weight = np.eye(2)
    assert np.array_equal(task.weight, np.eye(3))


def test_a_negative_lambda_is_an_error() -> None:
    task = three()
    with pytest.raises(InputError, match=r"must not be negative, got -0\.5"):
        task.lambda_ = -0.5
    assert task.lambda_ == 1.0


def test_masks_and_switches_act_at_once_both_ways() -> None:
    task = three()
    task.active_joints_mask = [True, False, True]
    assert task.A.diagonal().tolist() == [1, 0, 1]
    task.active_joints_mask = [True, True, True]
    assert task.A.diagonal().tolist() == [1, 1, 1]
    task.is_active = False
    assert not task.A.any()
    assert task.compute_cost(np.zeros(3)) == 0.0
    task.A = 2.0 * np.eye(3)
    task.is_active = True
    assert task.A.diagonal().tolist() == [2, 2, 2]


def test_a_mask_of_the_wrong_length_is_an_error_and_changes_nothing() -> None:
    task = three()
    for length in (2, 4, 5, 7):
        with pytest.raises(ShapeError, match="active_joints_mask"):
            task.active_joints_mask = [False] * length
    assert task.active_joints_mask.all()


def test_lambda_and_data_of_a_generic_task_show_at_once() -> None:
    task = three()
    task.lambda_ = 0.5
    assert task.b.tolist() == [0.5, 1.0, 1.5]
    task.b = [4.0, 4.0, 4.0]
    assert task.b.tolist() == [2.0, 2.0, 2.0]
    stack = Stack([task])
    np.testing.assert_allclose(stack.solve().x, [2.0, 2.0, 2.0])
    task.lambda_ = 1.0
    np.testing.assert_allclose(stack.solve().x, [4.0, 4.0, 4.0])


# The algebra


def test_weighing_a_task_does_not_change_it_and_does_not_compound() -> None:
    task = three()
    first, second = 0.5 * task, 0.5 * task
    assert np.array_equal(task.weight, np.eye(3))
    assert np.array_equal(first.weight, second.weight)
    assert first.weight[0, 0] == 0.5
    assert (0.1 * task).weight[0, 0] == 0.1


def test_a_matrix_that_does_not_give_a_symmetric_weight_is_refused() -> None:
    task = three()
    task.weight = [1.0, 2.0, 3.0]
    with pytest.raises(WeightError, match="symmetric"):
        np.array([[1.0, 1.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]) * task


def test_adding_tasks_never_drops_a_constraint() -> None:
    t1, t2, t3, t4 = (three(name) for name in "abcd")
    c, d = box("c"), box("d")
    joined: list[tuple[Task, list[Constraint]]] = [
        ((t1 + t2) + (t3 << c), [c]),
        (((t1 + t2) << c) + (t3 << d), [c, d]),
        (((t1 << c) + t2) + ((t3 << c) + t4), [c]),
        ((t1 << c) + (t3 << c), [c]),
        (t1 << c << c, [c]),
    ]
    for task, expected in joined:
        task.update()
        assert list(task.constraints) == expected
    assert not t1.constraints
    assert not t3.constraints


def test_a_constraint_of_a_part_cannot_be_removed_through_the_aggregate() -> None:
    t1, c, own = three(), box("c"), box("own")
    t1.constraints.append(c)
    both = t1 + three("u")
    both.constraints.append(own)
    with pytest.raises(StackError, match="belongs to a part"):
        both.constraints.remove(c)
    both.constraints.remove(own)
    assert list(both.constraints) == [c]


def test_an_empty_stack_is_consistent_and_so_is_one_without_bounds() -> None:
    assert Stack(x_size=3).check_consistency()
    assert Stack([three()]).check_consistency()
    np.testing.assert_array_equal(Stack(x_size=3).solve().x, np.zeros(3))


def test_the_regularisation_is_kept_by_every_operator() -> None:
    rest = three("rest")
    reach = GenericTask("reach", [[1.0, 1.0, 1.0]], [3.0])
    stack = Stack([reach], regularisation=rest)
    for made in (stack / three("u"), stack << box(), stack / Stack([three("v")])):
        assert made.regularisation is rest
    np.testing.assert_allclose(stack.solve().x, [0.0, 1.0, 2.0], atol=1e-8)


def test_a_task_that_stands_for_a_constraint_twice_is_one_constraint() -> None:
    task = three()
    stack = Stack([three("u")]) << task << task
    assert len(stack.bounds) == 1


# Aggregates


def test_an_identity_with_others_is_positive_definite() -> None:
    whole = GenericTask("whole", np.eye(3), np.zeros(3))
    part = GenericTask("part", [[1.0, 1.0, 0.0]], [0.0])
    whole.hessian_type, part.hessian_type = HessianType.IDENTITY, HessianType.SEMIDEF
    assert (whole + part).hessian_type is (part + whole).hessian_type is HessianType.POSDEF
    A = (whole + part).A
    assert np.linalg.eigvalsh(A.T @ A)[0] > 0.5


def test_the_hessian_type_of_an_aggregate_does_not_depend_on_the_order() -> None:
    a, b = three("a"), three("b")
    a.hessian_type, b.hessian_type = HessianType.POSDEF, HessianType.UNKNOWN
    assert (a + b).hessian_type is (b + a).hessian_type is HessianType.POSDEF
    a.hessian_type, b.hessian_type = HessianType.IDENTITY, HessianType.SEMIDEF
    assert (a + b).hessian_type is (b + a).hessian_type is HessianType.POSDEF


def test_an_aggregate_follows_the_row_count_of_its_children() -> None:
    a, b = three("a"), GenericTask("b", [[1.0, 0.0, 0.0]], [1.0])
    both = a + b
    both.weight = np.eye(4) + 0.1
    b.set([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], [5.0, 6.0])
    assert both.A.shape == (5, 3)
    assert both.weight.shape == (5, 5)
    assert both.b.tolist() == [1, 2, 3, 5, 6]
    assert both.check_consistency()


def test_an_aggregate_has_a_lambda_of_its_own() -> None:
    a, b = three("a"), three("b")
    a.lambda_ = 0.5
    both = a + b
    both.lambda_ = 2.0
    assert a.lambda_ == 0.5
    assert both.b.tolist() == [1, 2, 3, 2, 4, 6]


def test_an_aggregated_constraint_may_be_one_sided_empty_or_nested() -> None:
    low = GenericConstraint("low", lower=[0.0, 0.0, 0.0])
    high = GenericConstraint("high", upper=[1.0, 2.0, 3.0])
    rows = GenericConstraint("rows", [[1.0, 1.0, 1.0]], upper=[4.0])
    equal = GenericConstraint("equal", [[1.0, -1.0, 0.0]], equal=[0.0])
    joined = Aggregated(low + high, rows + equal)
    assert isinstance(joined, AggregatedConstraint)
    assert joined.lower.tolist() == [0, 0, 0]
    assert joined.upper.tolist() == [1, 2, 3]
    assert joined.Aineq.shape == (1, 3)
    assert joined.b_lower.tolist() == [-np.inf]
    assert joined.Aeq.shape == (1, 3)
    assert joined.check_consistency()
    assert joined.id == "low+high+rows+equal"
    x = (Stack([three(b=(9.0, 9.0, 9.0))]) << joined).solve()
    assert x.status is Status.SOLVED
    assert joined.violation(x.x).max() < 1e-9


def test_bounds_that_cross_are_named() -> None:
    stack = Stack([three()]) << box("arm") << GenericConstraint("wall", lower=[2.0, -9.0, -9.0])
    solution = stack.solve()
    assert solution.status is Status.INFEASIBLE
    assert "arm[0]" in solution.message
    assert "wall[0]" in solution.message
    assert (
        not (box() + GenericConstraint("bad", lower=[2.0, 0.0, 0.0]))
        .violation(np.array([1.0, 0.0, 0.0]))
        .max()
        < 1.0
    )


# Generic tasks and adapters


def test_set_works_on_a_part_of_the_variables() -> None:
    y = Variables({"x": 2, "y": 3})["y"]
    task = GenericTask("t", np.eye(3), np.zeros(3), variable=y)
    task.set(2.0 * np.eye(3), [1.0, 2.0, 3.0])
    assert task.A.shape == (3, 5)
    assert task.A[:, 2:].diagonal().tolist() == [2, 2, 2]
    task.set(np.ones((1, 3)), [1.0])
    assert task.A.tolist() == [[0, 0, 1, 1, 1]]
    assert task.weight.shape == (1, 1)
    with pytest.raises(ShapeError):
        task.set(np.ones((1, 2)), [1.0])
    assert task.A.tolist() == [[0, 0, 1, 1, 1]]


def test_sizes_are_checked_before_anything_else() -> None:
    with pytest.raises(ShapeError):
        GenericTask("t", np.eye(3), [1.0, 2.0])
    with pytest.raises(ShapeError):
        GenericConstraint("c", np.eye(3), lower=np.zeros(2))
    with pytest.raises(InputError, match="row 1 has lower limit 3 above upper limit 2"):
        GenericConstraint("c", lower=[0.0, 3.0], upper=[1.0, 2.0])
    with pytest.raises(ShapeError):
        TaskToConstraint(three(), np.zeros(2), np.zeros(3))
    with pytest.raises(InputError, match="row 2 has lower error 1 above upper error 0"):
        TaskToConstraint(three(), [0.0, 0.0, 1.0])
    constraint = box()
    with pytest.raises(InputError):
        constraint.set_limits(lower=[0, 0, 9], upper=[1, 1, 1])
    assert constraint.upper.tolist() == [1, 1, 1]


def test_a_bound_on_an_affine_variable_uses_its_matrix() -> None:
    y = 2.0 * Affine.identity(2) + [1.0, 0.0]
    constraint = GenericConstraint("c", lower=[-1.0, -1.0], upper=[1.0, 1.0], variable=y)
    stack = Stack([GenericTask("t", np.eye(2), [9.0, 9.0])]) << constraint
    np.testing.assert_allclose(stack.solve().x, [0.0, 0.5], atol=1e-8)


def test_minimize_variable_has_a_reference_from_the_start() -> None:
    task = MinimizeVariable("m", 2.0 * Affine.identity(2) + [1.0, 0.0])
    assert task.reference.tolist() == [0.0, 0.0]
    assert task.b.tolist() == [-1.0, 0.0]
    task.reference = [3.0, 4.0]
    assert task.b.tolist() == [2.0, 4.0]
    task.lambda_ = 7.0
    assert task.b.tolist() == [2.0, 4.0]


def test_a_constraint_as_a_task_minimises_its_violation_and_no_level_below_spoils_it() -> None:
    wall = GenericConstraint("wall", [[1.0, 0.0, 0.0]], upper=[1.0])
    soft = ConstraintToTask(wall)
    reach = GenericTask("reach", [[1.0, 0.0, 0.0]], [3.0])
    np.testing.assert_allclose((soft / reach).solve().x[0], 1.0, atol=1e-8)
    np.testing.assert_allclose((reach / soft).solve().x[0], 3.0, atol=1e-8)
    both = 1.0 * soft + 3.0 * reach
    np.testing.assert_allclose(Stack([both]).solve().x[0], (1.0 + 9.0) / 4.0, atol=1e-8)
    assert soft.compute_cost(np.array([4.0, 0.0, 0.0])) == 9.0


# The solver behind a stack


def test_a_linear_cost_is_kept_by_the_levels_below() -> None:
    cheap = GenericLPTask("cheap", [1.0, 0.0])
    go = GenericTask("go", np.eye(2), [3.0, 3.0])
    limits = GenericConstraint("limits", lower=[-1.0, -1.0], upper=[5.0, 5.0])
    np.testing.assert_allclose(((cheap / go) << limits).solve().x, [-1.0, 3.0], atol=1e-8)


def test_bounds_and_rows_in_one_stack_all_hold() -> None:
    go = GenericTask("go", np.eye(2), [3.0, 3.0])
    limits = box("limits", 1.0, 2)
    rows = GenericConstraint("rows", [[1.0, 1.0]], upper=[1.5])
    x = (Stack([go]) << limits << rows << (limits + rows)).solve().x
    np.testing.assert_allclose(x, [0.75, 0.75], atol=1e-8)


def test_a_constraint_added_later_holds_from_then_on() -> None:
    go, rest = GenericTask("go", np.eye(2), [3.0, 3.0]), GenericTask("rest", np.eye(2), [0, 0])
    stack = go / rest
    np.testing.assert_allclose(stack.solve().x, [3.0, 3.0])
    go.constraints.append(GenericConstraint("late", upper=[1.0, 9.0]))
    np.testing.assert_allclose(stack.solve().x, [1.0, 3.0], atol=1e-8)
    stack.bounds.append(GenericConstraint("later", upper=[9.0, 2.0]))
    np.testing.assert_allclose(stack.solve().x, [1.0, 2.0], atol=1e-8)


def test_levels_above_an_active_one_may_all_be_inactive() -> None:
    first, second = three("a"), three("b", (4.0, 5.0, 6.0))
    stack = first / second
    first.is_active = False
    np.testing.assert_allclose(stack.solve().x, [4.0, 5.0, 6.0])


def test_a_stack_can_be_built_while_infeasible_and_recovers() -> None:
    go = GenericTask("go", np.eye(2), [3.0, 3.0])
    bad = GenericConstraint("bad", [[1.0, 0.0]], lower=[2.0], upper=[4.0])
    stack = (Stack([go]) << bad) << GenericConstraint("limits", upper=[1.0, 1.0])
    assert stack.solve().status is Status.INFEASIBLE
    bad.set_limits(lower=[-1.0], upper=[4.0])
    np.testing.assert_allclose(stack.solve().x, [1.0, 1.0], atol=1e-8)


def test_a_rank_deficient_level_leaves_the_rest_free() -> None:
    twice = GenericTask("twice", [[1.0, 0.0, 0.0], [1.0, 0.0, 0.0]], [1.0, 1.0])
    rest = GenericTask("rest", np.eye(3), [9.0, 5.0, 6.0])
    np.testing.assert_allclose((twice / rest).solve().x, [1.0, 5.0, 6.0], atol=1e-8)


def test_a_tall_level_is_solved_in_the_least_squares_sense() -> None:
    tall = GenericTask("tall", [[1.0], [1.0], [1.0]], [1.0, 2.0, 6.0])
    np.testing.assert_allclose(Stack([tall]).solve().x, [3.0], atol=1e-8)


def test_a_father_that_became_indefinite_is_named_when_solving() -> None:
    father = three("father")
    father.weight = [[1.0, 0.9, 0.0], [0.9, 1.0, 0.0], [0.0, 0.0, 1.0]]
    father[0].weight = 0.1
    with pytest.raises(WeightError, match=r"'father'.*indefinite"):
        Stack([father]).solve()
    assert Stack([father[0]]).solve().is_solved


def test_names_are_prefixed_and_never_twice() -> None:
    a, b, c = three("t"), three("t"), box("c")
    stack = ((a << c) + (b << c)) / a[0]
    names = stack.names()
    assert {"t", "t_2", "c", "t_0", "t+t"} <= set(names)
    assert stack["t_2"] is b
    assert stack["t_0"] is stack[1]
    with pytest.raises(StackError, match="no task is called 'u'"):
        stack["u"]


def test_fathers_and_aggregates_are_found_by_name() -> None:
    father = three("father")
    stack = Stack([father[0] + three("u")])
    assert stack["father"] is father
    assert stack["father_0+u"] is stack[0]


def test_more_than_ten_levels_keep_their_order() -> None:
    levels = [GenericTask(f"t{k}", np.eye(12)[k : k + 1], [float(k)]) for k in range(12)]
    stack = Stack(levels)
    np.testing.assert_allclose(stack.solve().x, np.arange(12.0), atol=1e-8)
