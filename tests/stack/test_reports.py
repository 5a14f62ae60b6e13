"""Faults that users of other whole-body libraries reported, replayed: R22 to R33.

`ELSEWHERE` names the tests of those that are replayed where they belong.
"""

from pathlib import Path

import numpy as np
import pytest

from footwork.robot import RobotModel
from footwork.stack import Stack
from footwork.stack.constraints import velocity as limits
from footwork.stack.solvers import DAQP, SoftConstraints, StrictHierarchy, WeightedQP
from footwork.stack.stack import Solver
from footwork.stack.tasks import velocity

from .robots import robot

TESTS = Path(__file__).parents[1]
ELSEWHERE = {
    "R22": (
        "stack/constraints/test_limits.py",
        "test_a_joint_outside_comes_back_at_its_largest_speed_while_others_go_on",
        "test_a_humanoid_with_a_joint_outside_is_still_solved",
    ),
    "R23": ("stack/constraints/test_limits.py", "test_a_gripper_a_hair_outside_goes_on"),
    "R25": (
        "stack/constraints/test_limits.py",
        "test_speeds_of_an_unreachable_target_stay_within_the_limit",
        "test_a_joint_near_its_limit_stays_inside_at_every_time_step",
    ),
    "R26": (
        "robot/test_urdf.py",
        "test_limit_vectors_have_the_length_of_v_and_no_limit_where_a_joint_turns_on",
        "test_a_continuous_joint_does_not_wind_up",
    ),
    "R27": (
        "stack/tasks/test_velocity_tasks.py",
        "test_masks_of_the_wrong_length_are_refused",
        "test_masked_joints_take_no_part_and_runs_are_equal_to_the_bit",
    ),
    "R29": (
        "stack/test_inverse_dynamics.py",
        "test_every_corner_pushes_and_a_foot_may_carry_nothing",
        "test_even_load_of_sixty_kilograms",
    ),
    "R31": (
        "stack/constraints/test_limits.py",
        "test_torque_speed_and_position_limits_are_feasible_together_at_every_time_step",
        "test_limits_without_numbers_do_not_bind",
    ),
    "R32": ("stack/test_inverse_dynamics.py", "test_redundant_contacts_are_normal"),
    "R33": (
        "stack/tasks/test_velocity_tasks.py",
        "test_orientation_error_is_finite_and_has_norm_pi_at_a_half_turn",
    ),
}


@pytest.mark.parametrize("report", ELSEWHERE)
def test_reports_are_replayed_where_they_are_said_to_be(report: str) -> None:
    file, *names = ELSEWHERE[report]
    text = (TESTS / file).read_text("utf-8")
    assert [name for name in names if f"def {name}(" not in text] == []


@pytest.mark.parametrize("make", [StrictHierarchy, WeightedQP, SoftConstraints, DAQP])
def test_r23_a_hair_outside_with_each_solver(make: type[Solver]) -> None:
    """A finger in [0, 0.05] at −0.000128515 goes on for 530 steps and ends inside to 1e-6."""
    model = robot("panda")
    q = model.standing_configuration
    at = model.position_index("panda_finger_joint1")
    q[at] = -0.000128515
    stack = Stack([velocity.Postural(model)], solver=make()) << limits.JointLimits(model, dt=0.01)
    for _ in range(530):
        solution = stack.solve(model.state(q))
        assert solution.is_solved
        q = model.integrate(q, solution.x * 0.01)
        assert q[at] >= -0.000128515 - 1e-9
    assert q[at] >= -1e-6


def planar_arm() -> RobotModel:
    """Two links of one metre that turn about z."""
    inertia = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    body = f'<inertial><mass value="1"/>{inertia}</inertial>'
    joints = "".join(
        f'<link name="{child}">{body}</link><joint name="{name}" type="revolute"><parent '
        f'link="{parent}"/><child link="{child}"/><origin xyz="{x} 0 0"/><axis xyz="0 0 1"/>'
        '<limit lower="-3" upper="3" velocity="10" effort="1"/></joint>'
        for name, parent, child, x in (("j1", "base", "upper", 0), ("j2", "upper", "lower", 1))
    )
    tip = (
        '<link name="tip"/><joint name="end" type="fixed"><parent link="lower"/>'
        '<child link="tip"/><origin xyz="1 0 0"/></joint>'
    )
    text = f'<robot name="arm"><link name="base">{body}</link>{joints}{tip}</robot>'
    return RobotModel.from_urdf(text, floating_base=False)


def test_r33_a_stretched_arm_is_left_or_says_what_is_left() -> None:
    """At q = 0 with the target on the arm's own line Jᵀe = 0: residual 1, finite, nothing moves.

    The solution says what is left of the task, and a posture below it leads out to (60°, −120°).
    """
    model = planar_arm()
    tip, posture = velocity.Cartesian(model, "tip", mode="position"), velocity.Postural(model)
    tip.reference = np.array([1.0, 0.0, 0.0])
    tip.lambda_ = 1.0
    alone = Stack([tip["x", "y"]]).solve(model.state(np.zeros(2)))
    assert alone.is_solved
    np.testing.assert_allclose(alone.x, np.zeros(2), atol=1e-12)
    assert np.linalg.norm(alone.levels[0].residual) == pytest.approx(1.0)
    posture.reference = np.array([0.5, -1.0])
    stack = Stack([tip["x", "y"], posture], bounds=limits.JointLimits(model, dt=0.01))
    q = np.zeros(2)
    for _ in range(2000):
        q = model.integrate(q, stack.solve(model.state(q)).x * 0.01)
    np.testing.assert_allclose(q, np.radians([60.0, -120.0]), atol=1e-6)
