"""A model's numbers are Pinocchio's; states are seen once; the zoo stands on its feet."""

import dataclasses
import math
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from footwork.errors import InputError, ModelError, NotFiniteError, ShapeError, UnknownRobotError
from footwork.robot import (
    FootGeometry,
    Quantities,
    RobotModel,
    ZooEntry,
    entry_of,
    load,
    register,
    robot_names,
)
from footwork.robot.zoo import registry
from footwork.spatial import Pose

ROBOTS = {name: load(name) for name in robot_names()}


@pytest.fixture(params=sorted(ROBOTS))
def robot(request: pytest.FixtureRequest) -> RobotModel:
    return ROBOTS[request.param]


def random_state(robot: RobotModel, seed: int = 0):  # type: ignore[no-untyped-def]
    rng = np.random.default_rng(seed)
    return robot.state(robot.random_configuration(rng), rng.normal(size=robot.nv))


# Numbers


def test_frames_and_jacobians_are_pinocchio_s(robot: RobotModel) -> None:
    state = random_state(robot)
    data = robot.pin_model.createData()
    pin.computeJointJacobians(robot.pin_model, data, state.q)
    pin.framesForwardKinematics(robot.pin_model, data, state.q)
    for name in [n for n in robot.frame_names if n not in {"universe", "world"}][::7]:
        try:
            frame = robot.frame(name)
        except LookupError:
            continue
        if frame.kind == "alias":
            continue
        index = robot.pin_model.getFrameId(name)
        R, p = state.placement(frame)
        np.testing.assert_allclose(R, data.oMf[index].rotation, atol=1e-12)
        np.testing.assert_allclose(p, data.oMf[index].translation, atol=1e-12)
        J = pin.getFrameJacobian(robot.pin_model, data, index, pin.LOCAL_WORLD_ALIGNED)
        np.testing.assert_allclose(state.J_world_frame(frame), J, atol=1e-12)


def test_dynamics_are_pinocchio_s(robot: RobotModel) -> None:
    state = random_state(robot, 1)
    model, data = robot.pin_model, robot.pin_model.createData()
    M = pin.crba(model, data, state.q)
    M = np.triu(M) + np.triu(M, 1).T
    np.testing.assert_allclose(state.mass_matrix, M, atol=1e-11)
    bias = pin.rnea(model, data, state.q, state.v, np.zeros(robot.nv))
    np.testing.assert_allclose(state.bias, bias, atol=1e-8)
    np.testing.assert_allclose(
        state.p_world_com, pin.centerOfMass(model, data, state.q), atol=1e-12
    )
    momentum = pin.computeCentroidalMomentum(model, data, state.q, state.v).vector
    np.testing.assert_allclose(state.momentum, momentum, atol=1e-9)
    np.testing.assert_allclose(state.momentum[:3], robot.mass * state.v_world_com, atol=1e-9)


def test_live_views_follow_every_computation(robot: RobotModel) -> None:
    for seed in range(2):
        state = random_state(robot, seed)
        robot.compute(state, Quantities.DYNAMICS | Quantities.MOMENTUM_RATE)
        data, views = robot.pin_data, robot.views
        for i in range(robot.pin_model.njoints):
            np.testing.assert_array_equal(views.oMi[i, :9].reshape(3, 3).T, data.oMi[i].rotation)
            np.testing.assert_array_equal(views.oMi[i, 9:], data.oMi[i].translation)
            np.testing.assert_array_equal(views.v[i], data.v[i].vector)
            np.testing.assert_array_equal(views.a[i], data.a[i].vector)
        np.testing.assert_array_equal(views.q, state.q)
        np.testing.assert_array_equal(views.hg, data.hg.vector)
        np.testing.assert_array_equal(views.dhg, data.dhg.vector)
        np.testing.assert_array_equal(views.acom, data.acom[0])
        assert not views.JT.flags.writeable


def test_masses_of_the_facts_page() -> None:
    expected = {"g1": 33.34, "talos": 90.27, "jvrc1": 62.40, "icub": 28.35, "go2": 16.09}
    expected |= {"anymal_c": 52.13, "solo12": 2.50}
    for name, mass in expected.items():
        assert ROBOTS[name].mass == pytest.approx(mass, abs=0.01)


# States


def test_a_state_is_a_checked_copy() -> None:
    robot = ROBOTS["g1"]
    q = robot.standing_configuration
    state = robot.state(q)
    q[0] = 5.0
    assert state.q[0] == 0.0
    assert not state.q.flags.writeable
    np.testing.assert_array_equal(state.v, np.zeros(robot.nv))
    with pytest.raises(ShapeError, match="nq = 36"):
        robot.state(q[:-1])
    with pytest.raises(ShapeError, match="nv = 35"):
        robot.state(q, np.zeros(3))
    q[8] = math.nan
    with pytest.raises(NotFiniteError, match=r"q\[8\]"):
        robot.state(q)
    v = np.zeros(robot.nv)
    v[2] = math.inf
    with pytest.raises(NotFiniteError, match=r"v\[2\]"):
        robot.state(robot.standing_configuration, v)
    q = robot.standing_configuration
    q[3:7] *= 1.01
    with pytest.raises(InputError, match="norm 1"):
        robot.state(q)


def test_a_state_never_changes_not_even_by_force() -> None:
    robot = ROBOTS["g1"]
    state = robot.state(robot.standing_configuration, np.ones(robot.nv))
    for array in (state.q, state.v):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1.0
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.setflags(write=True)
    assert state.q is state.q


@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
def test_the_one_entry_that_is_not_finite_is_named(bad: float) -> None:
    robot = ROBOTS["g1"]
    for i in (0, 4, robot.nq - 1):
        q = robot.standing_configuration
        q[i] = bad
        with pytest.raises(NotFiniteError, match=rf"q\[{i}\]"):
            robot.state(q)
    far = robot.standing_configuration
    far[7] = 1e200
    assert robot.state(far).q[7] == 1e200
    far[3] = 1e200
    with pytest.raises(InputError, match="norm 1"):
        robot.state(far)


def test_a_state_takes_whatever_is_real_numbers() -> None:
    robot = ROBOTS["g1"]
    q, v = robot.standing_configuration, np.arange(robot.nv, dtype=float)
    columns = np.column_stack([q, q + 1.0])
    for given in (q.tolist(), tuple(q), columns[:, 0], q.astype(object), np.ma.masked_array(q)):
        np.testing.assert_array_equal(robot.state(given).q, q)
    for given in (v.astype(np.int32), np.repeat(v, 2)[::2], v[::-1][::-1], v.tolist()):
        np.testing.assert_array_equal(robot.state(q, given).v, v)
    half = robot.state(q.astype(np.float32))
    np.testing.assert_array_equal(half.q, q.astype(np.float32).astype(np.float64))
    for wrong in ("text", [None] * robot.nq, q + 0j):
        with pytest.raises(InputError, match="real numbers"):
            robot.state(wrong)  # type: ignore[arg-type]
        with pytest.raises(InputError, match="real numbers"):
            robot.state(q, wrong)  # type: ignore[arg-type]
    for shaped in (q[None], q[:, None], 1.0):
        with pytest.raises(ShapeError, match="36"):
            robot.state(shaped)


ONE_JOINT = """
<robot name="one">
  <link name="base"/>
  <link name="tip"><inertial><mass value="1"/>
    <inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="hinge" type="{kind}"><parent link="base"/><child link="tip"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>"""


@pytest.mark.parametrize(("kind", "count"), [("continuous", 2), ("planar", 2), ("floating", 4)])
@pytest.mark.parametrize("factor", [0.0, 2.0, 1.00001])
def test_a_cosine_and_sine_or_a_quaternion_of_another_norm_is_refused(
    kind: str, count: int, factor: float
) -> None:
    robot = RobotModel.from_urdf(ONE_JOINT.format(kind=kind))
    q = robot.random_configuration(np.random.default_rng(0))
    robot.state(q)
    q[-count:] *= factor
    with pytest.raises(InputError, match=r"of joint 'hinge'.* must have norm 1"):
        robot.state(q)


def test_a_robot_without_joints_has_a_state() -> None:
    text = '<robot name="stone"><link name="stone"/></robot>'
    stone = RobotModel.from_urdf(text, floating_base=False)
    state = stone.state([])
    assert state.q.shape == state.v.shape == (0,)
    np.testing.assert_array_equal(state.placement("stone")[0], np.eye(3))


def test_a_refused_state_leaves_the_robot_as_it_was() -> None:
    robot = ROBOTS["go2"]
    state = random_state(robot)
    robot.compute(state)
    before = robot.views.q.copy(), robot.views.oMi.copy()
    with pytest.raises(NotFiniteError):
        robot.state(np.full(robot.nq, math.nan))
    with pytest.raises(InputError, match="given to"):
        robot.compute(load("go2").state(state.q))
    np.testing.assert_array_equal(robot.views.q, before[0])
    np.testing.assert_array_equal(robot.views.oMi, before[1])


def test_stamps_differ_and_old_states_are_computed_again() -> None:
    robot = ROBOTS["go2"]
    first, second = random_state(robot, 0), random_state(robot, 1)
    assert first.stamp != second.stamp
    p = first.placement("base")[1].copy()
    second.placement("base")
    np.testing.assert_array_equal(first.placement("base")[1], p)
    other = load("go2")
    with pytest.raises(InputError, match="given to"):
        other.compute(first)


def test_integrate_and_difference_are_inverse(robot: RobotModel) -> None:
    rng = np.random.default_rng(2)
    for _ in range(5):
        q, d = robot.random_configuration(rng), rng.normal(size=robot.nv)
        d *= min(1.0, 2.5 / float(np.linalg.norm(d)))
        np.testing.assert_allclose(robot.difference(q, robot.integrate(q, d)), d, atol=1e-9)


def test_quaternions_stay_unit_over_a_long_run() -> None:
    robot = ROBOTS["g1"]
    q, d = robot.standing_configuration, np.full(robot.nv, 0.01)
    for _ in range(2000):
        q = robot.integrate(q, d)
    assert np.linalg.norm(q[3:7]) == pytest.approx(1.0, abs=1e-12)


def test_random_configurations_are_within_the_limits(robot: RobotModel) -> None:
    lower, upper = robot.position_limits
    rng = np.random.default_rng(3)
    for _ in range(10):
        q = robot.random_configuration(rng)
        for name in robot.joint_names:
            i, iq = robot.joint_index(name), robot.position_index(name)
            assert lower[i] <= q[iq] <= upper[i]


# The zoo


def test_every_robot_stands_on_its_feet_within_its_limits(robot: RobotModel) -> None:
    entry = robot.entry
    assert entry is not None
    q = robot.standing_configuration
    lower, upper = robot.position_limits
    for name in robot.joint_names:
        i, iq = robot.joint_index(name), robot.position_index(name)
        assert lower[i] <= q[iq] <= upper[i], name
    state = robot.state(q)
    for foot in entry.feet:
        R, p = state.placement(foot.name)
        assert p[2] - foot.radius == pytest.approx(0.0, abs=2e-3)
        if not foot.is_point:
            np.testing.assert_allclose(R[:, 2], [0, 0, 1], atol=2e-3)  # level
            assert R[0, 0] > 0.99  # forward
    if entry.feet:
        corners = np.vstack(
            [
                state.placement(f.name)[1] + f.corners @ state.placement(f.name)[0].T
                for f in entry.feet
            ]
        )
        com = state.p_world_com[:2]
        assert (corners[:, :2].min(axis=0) < com).all()
        assert (com < corners[:, :2].max(axis=0)).all()
        assert state.placement("base")[0][0, 0] > 0.99
        assert state.placement("base")[0][2, 2] > 0.99


def test_left_is_left_and_front_is_front(robot: RobotModel) -> None:
    state = robot.state(robot.standing_configuration)
    names = robot.frame_names
    for left in [n for n in names if "left_" in n and n.replace("left", "right") in names]:
        try:
            frames = robot.frame(left), robot.frame(left.replace("left", "right"))
        except LookupError:
            continue
        if frames[0].kind != "alias":
            continue
        ys = [state.placement(frame)[1][1] for frame in frames]
        assert ys[0] > 0.0 > ys[1]
        assert ys[0] == pytest.approx(-ys[1], abs=0.01)
    if "front_left_foot" in names:
        assert state.placement("front_left_foot")[1][0] > state.placement("hind_left_foot")[1][0]


def test_every_number_of_an_entry_has_its_source(robot: RobotModel) -> None:
    entry = robot.entry
    assert entry is not None
    needed = {"posture"} | ({"feet"} if entry.feet else set())
    needed |= {name for name in ("armature", "effort_limits") if getattr(entry, name)}
    assert needed <= set(entry.sources)
    assert all(foot.source for foot in entry.feet)
    assert entry.licence
    assert entry.path.is_file()
    assert all(folder.is_dir() for folder in entry.package_dirs)


def test_entries_reach_the_model() -> None:
    g1, solo = ROBOTS["g1"], ROBOTS["solo12"]
    i = g1.joint_index("left_knee_joint")
    assert g1.armature[i] == 0.025101925
    without = RobotModel.from_urdf(entry_of("g1").path, warn=False)
    state = g1.state(g1.standing_configuration)
    bare = without.state(state.q)
    extra = np.diag(state.mass_matrix - bare.mass_matrix)
    np.testing.assert_allclose(extra, g1.armature, atol=1e-12)
    assert set(solo.effort_limits) == {2.7}
    assert g1.effort_limits[i - 6] == 139.0


def test_unknown_robots_and_feet_are_named_with_the_near_ones() -> None:
    with pytest.raises(UnknownRobotError, match="did you mean 'talos'"):
        load("tallos")
    with pytest.raises(ModelError, match="its feet are left_foot, right_foot"):
        entry_of("g1").foot("third_foot")
    entry = dataclasses.replace(entry_of("g1"), package="no-such-package")
    with pytest.raises(ModelError, match="pip install no-such-package"):
        load(entry)


def test_a_robot_of_one_s_own_joins_the_zoo(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The zoo is that of the process; other tests shall not see the pole.
    monkeypatch.setattr(registry, "_makers", dict(registry._makers))
    path = tmp_path / "pole.urdf"
    path.write_text(
        '<robot name="pole"><link name="body"><inertial><mass value="2"/><inertia ixx="1" iyy="1" '
        'izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link></robot>',
        encoding="utf-8",
    )
    foot = FootGeometry(
        name="foot",
        link="body",
        T_link_foot=Pose.from_translation([0, 0, -0.5]),
        length_front=0.1,
        length_back=0.1,
        width_left=0.1,
        width_right=0.1,
        source="drawn",
    )
    entry = ZooEntry(
        name="pole", title="Pole", kind="other", file=str(path), base="body", feet=(foot,),
        sources={"feet": "drawn"},
    )  # fmt: skip
    register(entry)
    with pytest.raises(InputError, match="has a robot 'pole' already"):
        register(entry)
    pole = load("pole")
    assert pole.standing_configuration[2] == 0.5
    with pytest.raises(InputError, match="four positive sides"):
        FootGeometry(name="f", link="l", T_link_foot=Pose.identity(), length_front=1.0, source="")


def test_foot_corners_go_round_anticlockwise() -> None:
    foot = entry_of("g1").foot("left_foot")
    x, y = foot.corners[:, 0], foot.corners[:, 1]
    area = 0.5 * np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y)
    assert area == pytest.approx(0.17 * 0.05)
    assert entry_of("go2").feet[0].corners.shape == (1, 3)
