"""CartesI/O's problem descriptions: what is read, and every way of getting one wrong."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from footwork.errors import CartesioError
from footwork.robot import RobotModel, load
from footwork.stack import GenericTask, Stack, SubTask, TaskToConstraint, load_cartesio
from footwork.stack.cartesio import CartesioProblem
from footwork.stack.cartesio_inertia import InertiaPostural
from footwork.stack.tasks.velocity import CartesianAdmittance, Postural
from footwork.typing import Vector

FILE = Path(__file__).parents[1] / "data/stack/humanoid.yaml"


@pytest.fixture(scope="module")
def robot() -> RobotModel:
    return load("talos")


def broken(change: dict[str, Any]) -> str:
    """The file with entries changed, added or (None) taken out."""
    tree = yaml.safe_load(FILE.read_text())
    for path, value in change.items():
        *parents, key = path.split(".")
        node = tree
        for parent in parents:
            node = node.setdefault(parent, {})
        if value is None:
            node.pop(key)
        else:
            node[key] = value
    return str(yaml.safe_dump(tree))


def test_a_problem_description_becomes_a_stack_that_solves(robot: RobotModel) -> None:
    problem = load_cartesio(FILE, robot, dt=0.01)
    stack = problem.stack
    assert [len(level.segments()) for level in stack.levels] == [2, 2, 1]
    state = robot.state(robot.standing_configuration)
    solution = stack.solve(state)
    assert solution.is_solved
    assert np.abs(solution.x).max() < 1e-6
    assert [bound.id for bound in stack.bounds] == [
        "JointLimits",
        "VelocityLimits",
        "torso_2_link_2",
    ]


def test_gains_weights_masks_rows_and_activity_are_read(robot: RobotModel) -> None:
    problem = load_cartesio(FILE.read_text(), robot, dt=0.01)
    tasks = problem.tasks
    # λ of a step of 10 ms, as a rate.
    assert tasks["left_foot"].lambda_ == pytest.approx(10.0)
    assert np.diagonal(tasks["right_foot"].weight).tolist() == [1, 1, 1, 2, 2, 2]
    com = tasks["com_xy"]
    assert isinstance(com, SubTask)
    assert com.task is tasks["com"]
    assert com.rows == (0, 1)
    assert com.lambda_ == 0.5
    assert tasks["com"].lambda_ == pytest.approx(5.0)
    hand = tasks["hand"]
    assert isinstance(hand, SubTask)
    assert hand.rows == (0, 1, 2)
    assert hand.task.id == "reach"
    off = np.flatnonzero(~hand.active_joints_mask)
    assert off.tolist() == sorted([0, robot.joint_index("torso_1_joint")])
    assert hand.task.orientation_gain == 0.5  # type: ignore[attr-defined]
    postural = tasks["postural"]
    heavy = postural.row_names.index("arm_left_1_joint")
    assert np.diagonal(postural.weight)[heavy] == 5.0
    assert isinstance(problem.constraints["waist"], TaskToConstraint)
    assert not problem.constraints["waist"].is_active
    assert problem.stack.regularisation is tasks["effort"]
    assert problem.regularisation == pytest.approx(1e-3 * 0.222)
    assert "effort.step_size" in problem.ignored


def test_limits_are_scaled_about_their_centre(robot: RobotModel) -> None:
    problem = load_cartesio(FILE, robot, dt=0.01)
    q = robot.standing_configuration
    problem.stack.update(robot.state(q))
    limits = problem.constraints["joint_limits"]
    i = robot.joint_index("arm_left_1_joint")
    p = robot.position_index("arm_left_1_joint")
    assert limits.upper[i] == pytest.approx((0.475 - q[p]) / 0.01)
    assert limits.lower[i] == pytest.approx((-0.475 - q[p]) / 0.01)
    assert problem.constraints["velocity_limits"].upper[i] == 2.0
    assert np.isinf(problem.constraints["velocity_limits"].upper[0])


@pytest.mark.parametrize(
    ("change", "where", "why"),
    [
        ({"stack": None}, ("", "stack"), "missing"),
        ({"stack": [["left_fot"]]}, ("", "stack"), "did you mean 'left_foot'"),
        ({"stack": [[]]}, ("", "stack"), "priority 0 is empty"),
        ({"stack": "left_foot"}, ("", "stack"), "expected a list"),
        ({"stack": [["joint_limits"]]}, ("joint_limits", "type"), "a task is wanted"),
        ({"constraint": ["joint_limits"]}, ("constraint", ""), "did you mean 'constraints'"),
        ({"left_foot.type": "Cartesain"}, ("left_foot", "type"), "did you mean 'Cartesian'"),
        ({"left_foot.type": "Admittance"}, ("left_foot", "stiffness"), "missing"),
        ({"left_foot.type": None}, ("left_foot", ""), "no type"),
        ({"left_foot.lamda": 1}, ("left_foot", "lamda"), "did you mean 'lambda'"),
        ({"left_foot.lambda": "fast"}, ("left_foot", "lambda"), "expected a number, got 'fast'"),
        ({"left_foot.lambda": -1}, ("left_foot", ""), "must not be negative"),
        ({"left_foot.active": 1}, ("left_foot", "active"), "expected true or false"),
        ({"left_foot.weight": [1, 2]}, ("left_foot", "weight"), "expected 6 numbers, got 2"),
        ({"left_foot.weight": {"a": 1}}, ("left_foot", "weight"), "only Postural"),
        ({"left_foot.weight": -1}, ("left_foot", ""), "not be negative"),
        ({"left_foot.distal_link": None}, ("left_foot", "distal_link"), "missing"),
        ({"left_foot.distal_link": "left_sole_lin"}, ("left_foot", ""), "left_sole_link"),
        ({"left_foot.indices": [6]}, ("left_foot", ""), "row 6 does not exist"),
        ({"left_foot.indices": [1, 1]}, ("left_foot", ""), "named twice"),
        ({"left_foot.indices": 1}, ("left_foot", "indices"), "expected a list"),
        ({"hand.indices": [1]}, ("hand", "remove_indices"), "not both"),
        ({"hand.enabled_joints": []}, ("hand", "enabled_joints"), "not both"),
        ({"hand.disabled_joints": ["torso"]}, ("hand", "disabled_joints"), "torso"),
        ({"hand.name": "left_sole_link"}, ("hand", "name"), "name of entry 'left_foot' already"),
        ({"postural.indices": [1]}, ("postural", "indices"), "use disabled_joints"),
        ({"postural.weight": {"arm": 1}}, ("postural", "weight"), "no joint 'arm'"),
        ({"postural.use_inertia": True}, ("postural", "weight"), "mass matrix is the weight"),
        ({"postural.use_inertia": 1}, ("postural", "use_inertia"), "expected true or false"),
        ({"com_xy.task": "co"}, ("", "com_xy.task"), "did you mean 'com'"),
        ({"com_xy.indices": None}, ("com_xy", "indices"), "missing"),
        ({"joint_limits.limits": [1]}, ("joint_limits", "limits"), "expected a map"),
        ({"joint_limits.limits": {"x": 1}}, ("joint_limits", "limits"), "expected [min, max]"),
        ({"joint_limits.weight": 1}, ("joint_limits", "weight"), "unknown key"),
        ({"velocity_limits.type": "JointLimitsInvariance"}, ("velocity_limits", "limits"), "key"),
        ({"solver_options.back_end": "QPOASES"}, ("solver_options", "back_end"), "unknown"),
        ({"solver_options.front_end": "ihpq"}, ("solver_options", "front_end"), "'ihqp'"),
        ({"solver_options.eps": 1}, ("solver_options", "eps"), "unknown"),
        ({"solver_options": 3}, ("solver_options", ""), "expected a map"),
    ],
)
def test_what_is_wrong_is_named(
    robot: RobotModel, change: dict[str, Any], where: tuple[str, str], why: str
) -> None:
    with pytest.raises(CartesioError) as caught:
        load_cartesio(broken(change), robot, dt=0.01)
    assert why in str(caught.value)
    assert (caught.value.label, caught.value.key) == where
    assert str(caught.value).startswith("problem description")


def with_posture(robot: RobotModel, more: str) -> CartesioProblem:
    text = f"""
stack: [["foot"], ["posture"]]
foot: {{type: Cartesian, distal_link: left_sole_link, lambda: 0.1}}
posture: {{type: Postural, lambda: 0.02, disabled_joints: [torso_1_joint]{more}}}
"""
    return load_cartesio(text, robot, dt=0.01)


@pytest.mark.parametrize("name", ["talos", "panda"])
def test_use_inertia_weighs_a_posture_by_the_mass_matrix_of_the_tick(name: str) -> None:
    robot = load(name)
    more = ", use_inertia: true"
    text = f"stack: [[posture]]\nposture: {{type: Postural, lambda: 0.02{more}}}"
    rng, first = np.random.default_rng(1), robot.nv - robot.nu
    # Two tasks on the joints, so that their weights decide.
    rows = rng.normal(size=(4, robot.nv))
    for is_reference_set in (False, True):
        problem = load_cartesio(text, robot, dt=0.01)
        posture = problem.tasks["posture"]
        other = GenericTask("other", A=rows, b=[1.0, 2.0, 3.0, 4.0])
        stack = Stack([posture + other])
        solutions: list[Vector] = []
        for _ in range(3):
            q = robot.integrate(robot.standing_configuration, 0.3 * rng.normal(size=robot.nv))
            state = robot.state(q, rng.normal(size=robot.nv))
            plain = Postural(robot)
            plain.lambda_ = posture.lambda_
            if not solutions:
                start = q
            plain.reference = start, np.zeros(plain.task_size)
            if is_reference_set:
                wanted = robot.standing_configuration, rng.normal(size=plain.task_size)
                posture.reference = plain.reference = wanted  # type: ignore[attr-defined]
            plain.weight = state.mass_matrix[first:, first:]
            solutions.append(stack.solve(state).x)
            np.testing.assert_allclose(
                solutions[-1], Stack([plain + other]).solve(state).x, atol=1e-9
            )
            v = rng.normal(size=robot.nv)
            assert posture.compute_cost(v) == pytest.approx(plain.compute_cost(v))
        assert np.abs(solutions[0] - solutions[1]).max() > 1e-3


def test_use_inertia_keeps_what_else_an_entry_says(robot: RobotModel) -> None:
    problem = with_posture(robot, ", use_inertia: true, name: rest")
    posture = problem.tasks["posture"]
    state = robot.state(robot.standing_configuration)
    assert problem.stack.solve(state).is_solved
    assert posture.id == "rest"
    assert posture.lambda_ == pytest.approx(2.0)
    torso = robot.joint_index("torso_1_joint")
    assert not posture.A[:, torso].any()
    assert posture.A[:, torso + 1].any()
    assert "rest" in problem.stack.describe()
    assert not isinstance(with_posture(robot, "").tasks["posture"], InertiaPostural)


def test_files_that_are_none_are_errors(robot: RobotModel, tmp_path: Path) -> None:
    with pytest.raises(CartesioError, match="cannot be read"):
        load_cartesio(tmp_path / "nothing.yaml", robot, dt=0.01)
    with pytest.raises(CartesioError, match="no YAML"):
        load_cartesio("a: [1\nb: 2", robot, dt=0.01)
    with pytest.raises(CartesioError, match="expected a map"):
        load_cartesio("- 1\n- 2", robot, dt=0.01)
    with pytest.raises(CartesioError, match="dt must be positive"):
        load_cartesio(FILE, robot, dt=0.0)
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("constraints: []\n")
    with pytest.raises(CartesioError, match=r"wrong\.yaml.*missing"):
        load_cartesio(wrong, robot, dt=0.01)


def test_invariance_limits_and_the_other_types_are_built(robot: RobotModel) -> None:
    change: dict[str, Any] = {
        "stack": [["look", "strong", "spin", "com"], ["postural"]],
        "constraints": ["inv"],
        "look": {"type": "Gaze", "distal_link": "head_2_link", "lambda": 0.1},
        "strong": {"type": "Manipulability", "distal_link": "gripper_left_base_link"},
        "spin": {"type": "AngularMomentum", "weight": 0.1},
        "inv": {"type": "JointLimitsInvariance", "qddot_limits": 20.0},
        "solver_options": {"front_end": "hcod", "disable_weights_computation": True},
    }
    problem = load_cartesio(broken(change), robot, dt=0.01)
    solution = problem.stack.solve(robot.state(robot.standing_configuration))
    assert solution.is_solved
    assert set(problem.tasks) == {"look", "strong", "spin", "com", "postural", "effort"}


def test_an_interaction_is_an_admittance(robot: RobotModel) -> None:
    """Both names of the type; λ of a step, and the inertia that follows from it."""
    entry: dict[str, Any] = {
        "type": "Interaction",
        "distal_link": "gripper_left_base_link",
        "stiffness": [1000.0] * 3 + [100.0] * 3,
        "damping": [200.0] * 3 + [20.0] * 3,
        "inertia": [10.0] * 3 + [1.0] * 3,
        "lambda": 0.1,
        "force_dead_zone": [1.0] * 6,
        "force_estimation_chains": ["left_arm"],
    }
    change: dict[str, Any]
    for kind in ("Interaction", "Admittance"):
        change = {"push": {**entry, "type": kind}, "stack": [["push"], ["postural"]]}
        problem = load_cartesio(broken(change), robot, dt=0.01)
        task = problem.tasks["push"]
        assert isinstance(task, CartesianAdmittance)
        assert task.lambda_ == pytest.approx(10.0)
        np.testing.assert_allclose(task.law.compliance, [0.01] * 3 + [0.1] * 3)
        np.testing.assert_allclose(task.law.inertia, [10.0] * 3 + [1.0] * 3)
        assert "push.force_estimation_chains" in problem.ignored
        problem.stack.update(robot.state(robot.standing_configuration))
        task.apply_wrench([50.0, 0.0, 0.0, 0.0, 0.0, 0.0])
        solution = problem.stack.solve(robot.state(robot.standing_configuration))
        assert (task.A @ solution.x)[0] > 1e-3
    wrong: dict[str, Any] = {"push": {**entry, "inertia": [5.0] * 6}, "stack": [["push"]]}
    with pytest.raises(CartesioError, match=r"make it \[10, 10, 10, 1, 1, 1\]"):
        load_cartesio(broken(wrong), robot, dt=0.01)
    wrong = {"push": {**entry, "damping": [10.0] * 6}, "stack": [["push"]]}
    with pytest.raises(CartesioError, match="must be above stiffness"):
        load_cartesio(broken(wrong), robot, dt=0.01)


def test_invariance_limits_are_scaled_about_their_centre(robot: RobotModel) -> None:
    change: dict[str, Any] = {
        "constraints": ["inv"],
        "inv": {"type": "JointLimitsInvariance", "qddot_limits": 1e6, "bound_scaling": 0.5},
    }
    problem = load_cartesio(broken(change), robot, dt=0.01)
    inv = problem.constraints["inv"]
    q = robot.standing_configuration.copy()
    i, p = robot.joint_index("arm_left_1_joint"), robot.position_index("arm_left_1_joint")
    low, high = (side[i] for side in robot.position_limits)
    q[p] = 0.5 * (low + high) + 0.2499 * (high - low)
    problem.stack.update(robot.state(q))
    assert 0.0 <= inv.upper[i] <= 0.0002 * (high - low) / 0.01


def test_four_omni_wheels_move_the_base(robot: RobotModel) -> None:
    wheels = [f"leg_{side}_{k}_joint" for side in ("left", "right") for k in (4, 5)]
    change: dict[str, Any] = {
        "constraints": ["wheels"],
        "stack": [["postural"]],
        "wheels": {
            "type": "OmniWheels4X",
            "l1": 0.3,
            "l2": 0.2,
            "wheel_radius": 0.08,
            "joint_wheels_name": wheels,
            "base_link": "base_link",
        },
    }
    problem = load_cartesio(broken(change), robot, dt=0.01)
    problem.stack.update(robot.state(robot.standing_configuration))
    assert problem.constraints["wheels"].beq.tolist() == [0.0, 0.0, 0.0]
    change["wheels"]["l1"] = 0.0
    with pytest.raises(CartesioError, match="must be positive"):
        load_cartesio(broken(change), robot, dt=0.01)
    del change["wheels"]["joint_wheels_name"]
    with pytest.raises(CartesioError, match="joint_wheels_name"):
        load_cartesio(broken(change), robot, dt=0.01)


def test_front_ends_choose_the_solver(robot: RobotModel) -> None:
    from footwork.stack.solvers import NullSpaceSolver, SoftConstraints, StrictHierarchy

    for name, kind in (
        ("ihqp", StrictHierarchy),
        ("nhqp", StrictHierarchy),
        ("ehqp", NullSpaceSolver),
        ("l1hqp", SoftConstraints),
    ):
        problem = load_cartesio(broken({"solver_options.front_end": name}), robot, dt=0.01)
        assert isinstance(problem.stack.solver, kind)
        solution = problem.stack.solve(robot.state(robot.standing_configuration))
        assert np.abs(solution.x).max() < 1e-5
