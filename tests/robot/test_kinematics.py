"""Compiled kinematics are Pinocchio's, for every kind of joint that they know."""

import numpy as np
import pinocchio as pin
import pytest

from footwork.robot import Quantities, RobotModel, load, robot_names
from footwork.robot.kinematics import make_kinematics
from footwork.robot.views import Views

KINDS = {
    "turns about x": pin.JointModelRX,
    "turns about y": pin.JointModelRY,
    "turns about z": pin.JointModelRZ,
    "turns": lambda: pin.JointModelRevoluteUnaligned(np.array([0.6, 0.0, -0.8])),
    "slides along x": pin.JointModelPX,
    "slides along y": pin.JointModelPY,
    "slides along z": pin.JointModelPZ,
    "slides": lambda: pin.JointModelPrismaticUnaligned(np.array([0.48, 0.64, 0.6])),
    "is free": pin.JointModelFreeFlyer,
}
STRANGE = {
    "turns without end": pin.JointModelRUBZ,
    "is a ball": pin.JointModelSpherical,
    "is planar": pin.JointModelPlanar,
}


def tree(kinds: list[str], rng: np.random.Generator) -> RobotModel:
    """Make a robot whose joints hang on any earlier one, at any place, with any masses."""
    model = pin.Model()
    for i, kind in enumerate(kinds):
        parent = int(rng.integers(max(0, i - 2), i + 1))
        joint = {**KINDS, **STRANGE}[kind]()
        at = model.addJoint(parent, joint, pin.SE3.Random(), f"joint {i}")
        model.appendBodyToJoint(at, pin.Inertia.Random(), pin.SE3.Random())
    # What is fixed to the world is no part of the centre of mass.
    model.appendBodyToJoint(0, pin.Inertia.Random(), pin.SE3.Random())
    return RobotModel(model, name="tree")


def configuration(robot: RobotModel, rng: np.random.Generator) -> np.ndarray:
    tangent = rng.normal(size=robot.nv)
    q: np.ndarray = pin.integrate(robot.pin_model, pin.neutral(robot.pin_model), tangent)
    return q


def assert_is_pinocchio_s(robot: RobotModel, q: np.ndarray) -> None:
    robot.compute(robot.state(q), Quantities.KINEMATICS)
    model = robot.pin_model
    data = model.createData()
    pin.jacobianCenterOfMass(model, data, q, False)
    got, expected = robot.views, Views(model, data)
    for name in ("oMi", "JT", "com", "JcomT"):
        np.testing.assert_allclose(
            getattr(got, name), getattr(expected, name), rtol=1e-12, atol=1e-13, err_msg=name
        )


@pytest.mark.parametrize("name", sorted(robot_names()))
def test_a_robot_of_the_zoo_is_where_pinocchio_says(name: str) -> None:
    robot = load(name)
    assert (make_kinematics(robot.pin_model, robot.views) is None) == robot.has_mimic
    rng = np.random.default_rng(0)
    for _ in range(20):
        assert_is_pinocchio_s(robot, robot.random_configuration(rng))


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_joint_moves_as_pinocchio_s(kind: str) -> None:
    pin.seed(1)
    rng = np.random.default_rng(1)
    robot = tree([kind] * 4, rng)
    assert make_kinematics(robot.pin_model, robot.views) is not None
    for _ in range(10):
        assert_is_pinocchio_s(robot, configuration(robot, rng))


def test_any_tree_of_them_is_right() -> None:
    pin.seed(2)
    rng = np.random.default_rng(2)
    for _ in range(40):
        robot = tree(rng.choice(list(KINDS), size=int(rng.integers(1, 12))).tolist(), rng)
        assert_is_pinocchio_s(robot, configuration(robot, rng))


@pytest.mark.parametrize("kind", STRANGE)
def test_other_kinds_are_left_to_pinocchio(kind: str) -> None:
    pin.seed(3)
    rng = np.random.default_rng(3)
    robot = tree(["turns about x", kind, "slides"], rng)
    assert make_kinematics(robot.pin_model, robot.views) is None
    assert_is_pinocchio_s(robot, configuration(robot, rng))


def test_what_comes_after_starts_from_the_same_numbers() -> None:
    robot = load("g1")
    rng = np.random.default_rng(4)
    state = robot.state(robot.random_configuration(rng), rng.normal(size=robot.nv))
    robot.compute(state, Quantities.KINEMATICS)
    before = robot.views.oMi.copy(), robot.views.JT.copy(), robot.views.JcomT.copy()
    robot.compute(state, Quantities.DYNAMICS | Quantities.MOMENTUM_RATE)
    after = robot.views.oMi, robot.views.JT, robot.views.JcomT
    for a, b in zip(before, after, strict=True):
        np.testing.assert_allclose(a, b, atol=1e-13)
