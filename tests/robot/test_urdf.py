# ruff: noqa: E501  XML stays on its lines.
"""URDFs as they come: mimic and continuous joints, odd axes, odd masses, clashes, names, meshes."""

import math
import warnings
from pathlib import Path

import numpy as np
import pytest

from footwork.errors import AmbiguousFrameError, ModelError, UnknownFrameError
from footwork.robot import ModelWarning, RobotModel
from footwork.robot.geometry import find_mesh, load_geometry

INERTIAL = '<inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>'


def link(name: str, inertial: str = INERTIAL, more: str = "") -> str:
    return f'<link name="{name}">{inertial}{more}</link>'


def joint(
    name: str,
    parent: str,
    child: str,
    *,
    kind: str = "revolute",
    axis: str = "0 1 0",
    more: str = "",
) -> str:
    limit = '<limit lower="-2" upper="2" velocity="3" effort="4"/>' if kind == "revolute" else ""
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="0 0 1"/><axis xyz="{axis}"/>{limit}{more}</joint>'
    )


def mimic(driver: str, multiplier: float = 1.0, offset: float = 0.0) -> str:
    return f'<mimic joint="{driver}" multiplier="{multiplier}" offset="{offset}"/>'


def model(*parts: str, floating_base: bool = False, **options) -> RobotModel:  # type: ignore[no-untyped-def]
    text = f'<robot name="made">{"".join(parts)}</robot>'
    return RobotModel.from_urdf(text, floating_base=floating_base, **options)


def chain(count: int, **kinds: str) -> list[str]:
    """Links l0 … and joints j1 …, each one metre above the last."""
    parts = [link("l0")]
    for i in range(1, count + 1):
        parts += [
            link(f"l{i}"),
            joint(f"j{i}", f"l{i - 1}", f"l{i}", kind=kinds.get(f"j{i}", "revolute")),
        ]
    return parts


# Limits of continuous and mimic joints


def test_limit_vectors_have_the_length_of_v_and_no_limit_where_a_joint_turns_on() -> None:
    robot = model(
        link("l0"), link("l1"), link("l2"), link("l3"),
        joint("spin", "l0", "l1", kind="continuous"),
        joint("bend", "l1", "l2"),
        joint("follow", "l2", "l3", more=mimic("bend")),
    )  # fmt: skip
    assert (robot.nq, robot.nv, robot.nu) == (3, 2, 2)
    assert robot.joint_names == ("spin", "bend")
    lower, upper = robot.position_limits
    np.testing.assert_array_equal(lower, [-np.inf, -2.0])
    np.testing.assert_array_equal(upper, [np.inf, 2.0])
    np.testing.assert_array_equal(robot.velocity_limits, [np.inf, 3.0])
    np.testing.assert_array_equal(robot.effort_limits, [np.inf, 4.0])


def test_a_continuous_joint_does_not_wind_up() -> None:
    robot = model(*chain(1, j1="continuous"))
    rng = np.random.default_rng(0)
    q = robot.with_joints(robot.neutral_configuration, {"j1": 2.5})
    for _ in range(1000):
        goal = robot.with_joints(q, {"j1": rng.uniform(-10.0, 10.0)})
        step = robot.difference(q, goal)
        assert abs(step[0]) <= math.pi + 1e-12
        q = robot.integrate(q, step)
        assert np.hypot(*q) == pytest.approx(1.0, abs=1e-9)


# Mimic joints


def positions(robot: RobotModel, q: np.ndarray) -> dict[str, float]:
    """Angle about y of every link against its parent, read off the placements."""
    state = robot.state(q)
    angles = {}
    for name in robot.frame_names:
        if name.startswith("l") and name[1:].isdigit():
            R = state.placement(name)[0]
            angles[name] = math.atan2(R[0, 2], R[2, 2])
    return angles


def test_a_follower_is_at_multiplier_times_driver_plus_offset() -> None:
    robot = model(
        link("l0"), link("l1"), link("l2"),
        joint("j1", "l0", "l1"),
        joint("j2", "l1", "l2", more=mimic("j1", -1.0, 0.1)),
    )  # fmt: skip
    assert robot.nv == 1
    angle = positions(robot, np.array([0.4]))
    assert angle["l1"] == pytest.approx(0.4)
    assert angle["l2"] - angle["l1"] == pytest.approx(-0.3)


def test_followers_may_be_continuous_and_chained_and_stand_before_their_driver() -> None:
    """Five followers, four of them continuous, one following a follower, declared before the driver."""
    parts = [link(f"l{i}") for i in range(7)]
    followers = [
        joint("a_follow", "l6", "l1", kind="continuous", more=mimic("driver", -1.0, 0.1)),
        joint("b_follow", "l1", "l2", kind="continuous", more=mimic("a_follow", 2.0, 0.0)),
        joint("c_follow", "l2", "l3", more=mimic("driver", 0.5)),
        joint("d_follow", "l3", "l4", kind="continuous", more=mimic("driver")),
        joint("e_follow", "l4", "l5", kind="continuous", more=mimic("driver", 1.0, 0.2)),
    ]
    robot = model(*parts, *followers, joint("driver", "l0", "l6"))
    assert (robot.nq, robot.nv) == (1, 1)
    angle = positions(robot, np.array([0.4]))
    turns = np.diff([0.0, *(angle[k] for k in ("l6", "l1", "l2", "l3", "l4", "l5"))])
    np.testing.assert_allclose(turns, [0.4, -0.3, -0.6, 0.2, 0.4, 0.6], atol=1e-12)


def test_a_driver_in_a_later_branch_is_no_obstacle() -> None:
    parts = [link(f"l{i}") for i in range(3)]
    robot = model(
        *parts,
        joint("a_follow", "l0", "l1", more=mimic("z_driver", -1.0, 0.1)),
        joint("z_driver", "l0", "l2"),
    )
    assert robot.joint_names == ("z_driver",)
    angle = positions(robot, np.array([0.4]))
    assert angle["l1"] == pytest.approx(-0.3)
    assert angle["l2"] == pytest.approx(0.4)


def test_a_continuous_driver_of_a_follower_is_a_plain_angle() -> None:
    robot = model(
        link("l0"), link("l1"), link("l2"),
        joint("j1", "l0", "l1", kind="continuous"),
        joint("j2", "l1", "l2", kind="continuous", more=mimic("j1", 3.0)),
    )  # fmt: skip
    assert (robot.nq, robot.nv) == (1, 1)
    assert np.isinf(robot.position_limits[1]).all()


@pytest.mark.parametrize("floating_base", [False, True])
def test_jacobian_mass_matrix_and_momentum_count_the_follower(floating_base: bool) -> None:
    """All equal to those of the same robot with free joints, mapped by v_all = S v."""
    bodies = [link("l0"), link("l1"), link("l2"), link("l3")]
    links = [
        joint("j1", "l0", "l1"),
        joint("j2", "l1", "l2", axis="1 0 0"),
        joint("j3", "l2", "l3", more=mimic("j1", -0.7, 0.2)),
    ]
    robot = model(*bodies, *links, floating_base=floating_base)
    free = model(*bodies, *links, floating_base=floating_base, mimic=False)
    base = 6 if floating_base else 0
    S = np.zeros((free.nv, robot.nv))
    S[:base, :base] = np.eye(base)
    S[base:, base:] = [[1.0, 0.0], [0.0, 1.0], [-0.7, 0.0]]
    rng = np.random.default_rng(0)
    q = robot.random_configuration(rng)
    v = rng.normal(size=robot.nv)
    q_free = np.append(q, -0.7 * q[-2] + 0.2)
    mine, full = robot.state(q, v), free.state(q_free, S @ v)
    np.testing.assert_allclose(mine.placement("l3")[1], full.placement("l3")[1], atol=1e-12)
    np.testing.assert_allclose(mine.J_world_frame("l3"), full.J_world_frame("l3") @ S, atol=1e-12)
    np.testing.assert_allclose(mine.mass_matrix, S.T @ full.mass_matrix @ S, atol=1e-12)
    np.testing.assert_allclose(mine.bias, S.T @ full.bias, atol=1e-9)
    np.testing.assert_allclose(mine.momentum, full.momentum, atol=1e-12)
    np.testing.assert_allclose(mine.v_world_com, full.v_world_com, atol=1e-12)


def test_a_driver_that_does_not_exist_is_named() -> None:
    with pytest.raises(ModelError, match=r"'j2' mimics 'drivr'.*did you mean 'driver'"):
        model(
            link("l0"), link("l1"), link("l2"),
            joint("driver", "l0", "l1"),
            joint("j2", "l1", "l2", more=mimic("drivr")),
        )  # fmt: skip
    with pytest.raises(ModelError, match="in a circle"):
        model(
            link("l0"), link("l1"), link("l2"),
            joint("j1", "l0", "l1", more=mimic("j2")),
            joint("j2", "l1", "l2", more=mimic("j1")),
        )  # fmt: skip


# Masses and inertias


def inertial(mass: float, x: float, y: float, z: float) -> str:
    return (
        f'<inertial><mass value="{mass}"/><inertia ixx="{x}" iyy="{y}" izz="{z}" ixy="0" ixz="0" '
        'iyz="0"/></inertial>'
    )


def test_a_tool_frame_without_inertia_weighs_nothing() -> None:
    robot = model(
        *chain(1), link("tool0", inertial=""), joint("mount", "l1", "tool0", kind="fixed"),
        floating_base=True,
    )  # fmt: skip
    assert robot.mass == 2.0
    assert robot.state(robot.neutral_configuration).placement("tool0")[1][2] == 2.0


def test_odd_inertias_are_warned_of_and_the_mass_is_right() -> None:
    weightless = [link("l0"), link("l1", inertial=""), joint("j1", "l0", "l1")]
    with pytest.warns(ModelWarning, match="link 'l1' moves but has no mass"):
        assert model(*weightless, floating_base=True).mass == 1.0
    thin = inertial(0.5, 1.486e-6, 2e-7, 8.31e-7)
    with pytest.warns(ModelWarning, match="link 'l1' breaks the triangle rule"):
        robot = model(
            link("l0"), link("l1", inertial=thin), joint("j1", "l0", "l1"), floating_base=True
        )
    assert robot.mass == 1.5
    state = robot.state(robot.neutral_configuration)
    assert np.isfinite(state.mass_matrix).all()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model(*weightless, warn=False)


def test_a_moving_link_with_mass_on_what_is_fixed_to_it_is_fine() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model(
            link("l0"), link("l1", inertial=""), link("l2"),
            joint("j1", "l0", "l1"), joint("weld", "l1", "l2", kind="fixed"),
        )  # fmt: skip


# Axes


def column(axis: str) -> np.ndarray:
    robot = model(link("l0"), link("l1"), joint("j1", "l0", "l1", axis=axis))
    return robot.state(np.zeros(1)).J_world_frame("l1")[:, 0]


def test_axes_are_directions() -> None:
    np.testing.assert_allclose(column("0 0 2"), column("0 0 1"), atol=1e-15)
    np.testing.assert_allclose(column("0 0 0.99999998"), column("0 0 1"), atol=1e-15)
    text = joint("j1", "l0", "l1").replace('<axis xyz="0 1 0"/>', "")
    robot = model(link("l0"), link("l1"), text)
    np.testing.assert_allclose(robot.state(np.zeros(1)).J_world_frame("l1")[3:, 0], [1, 0, 0])
    model(link("l0"), link("l1"), joint("weld", "l0", "l1", kind="fixed", axis="0 0 0"))
    with pytest.raises(ModelError, match="revolute joint 'j1' has the axis 0 0 0"):
        column("0 0 0")
    with pytest.raises(ModelError, match="axis of joint 'j1'"):
        column("0 0 up")


# Names


def test_a_link_and_a_joint_of_one_name_are_told_apart_by_kind() -> None:
    robot = model(link("l0"), link("arm"), joint("arm", "l0", "arm"))
    assert robot.frame("arm", kind="body").kind == "body"
    assert robot.frame("arm", kind="joint").kind == "joint"
    with pytest.raises(
        AmbiguousFrameError, match=r"'arm' is a body and a joint; say which"
    ) as caught:
        robot.frame("arm")
    assert set(caught.value.near) == {"body", "joint"}


def test_two_links_of_one_name_are_refused_at_once() -> None:
    with pytest.raises(ModelError, match="two links are called 'arm'"):
        model(link("arm"), link("arm"), joint("j1", "arm", "arm"))
    with pytest.raises(ModelError, match="two joints are called 'j1'"):
        model(*chain(1), link("l2"), joint("j1", "l1", "l2"))


def test_an_unknown_frame_lists_the_near_ones() -> None:
    robot = model(link("base"), link("left_hand"), link("right_hand"),
                  joint("j1", "base", "left_hand"), joint("j2", "base", "right_hand"))  # fmt: skip
    with pytest.raises(UnknownFrameError, match="did you mean 'left_hand'") as caught:
        robot.frame("Left_Hnad")
    assert caught.value.near[0] == "left_hand"
    with pytest.raises(LookupError):
        robot.frame("nothing like it")
    with pytest.raises(ModelError, match="no joint 'j3'"):
        robot.joint_index("j3")


def test_names_and_folders_in_any_script_come_back_to_the_byte(tmp_path: Path) -> None:
    folder = tmp_path / "UTF-8 ロボット é"
    folder.mkdir()
    path = folder / "モデル.urdf"
    text = (
        '<?xml version="1.0" encoding="utf-8"?><robot name="ロボット é">'
        + link("足 links")
        + link("手é")
        + joint("関節 1", "足 links", "手é")
        + "</robot>"
    )
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    robot = RobotModel.from_urdf(path, floating_base=False)
    assert robot.name == "ロボット é"
    assert robot.joint_names == ("関節 1",)
    assert robot.frame("手é").kind == "body"
    assert robot.source == str(path)


def test_what_is_no_urdf_is_one_error_that_names_the_file(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be read"):
        RobotModel.from_urdf(tmp_path / "none.urdf")
    broken = tmp_path / "broken.urdf"
    broken.write_text("<robot", encoding="utf-8")
    with pytest.raises(ModelError, match=r"broken\.urdf: not well-formed XML"):
        RobotModel.from_urdf(broken)
    with pytest.raises(ModelError, match="expected <robot>"):
        RobotModel.from_urdf("<mujoco/>")
    with pytest.raises(ModelError, match="Pinocchio refuses it"):
        RobotModel.from_urdf('<robot name="empty"/>')


# Meshes

CUBE = """solid cube
facet normal 0 0 -1
outer loop
vertex 0 0 0
vertex 0 1 0
vertex 1 0 0
endloop
endfacet
facet normal 0 -1 0
outer loop
vertex 0 0 0
vertex 1 0 0
vertex 0 0 1
endloop
endfacet
facet normal -1 0 0
outer loop
vertex 0 0 0
vertex 0 0 1
vertex 0 1 0
endloop
endfacet
facet normal 1 1 1
outer loop
vertex 1 0 0
vertex 0 1 0
vertex 0 0 1
endloop
endfacet
endsolid cube
"""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package with meshes beside its URDF folder."""
    root = tmp_path / "share" / "my_robot"
    (root / "meshes").mkdir(parents=True)
    (root / "urdf" / "meshes").mkdir(parents=True)
    for place in ("meshes/a.stl", "urdf/b.stl", "urdf/meshes/c.stl", "e.stl"):
        (root / place).write_text(CUBE, encoding="utf-8")
    return root


def with_mesh(name: str) -> str:
    shape = f'<collision><geometry><mesh filename="{name}"/></geometry></collision>'
    return f'<robot name="meshed">{link("l0", more=shape)}</robot>'


def shapes(root: Path, name: str, **options) -> int:  # type: ignore[no-untyped-def]
    path = root / "urdf" / "robot.urdf"
    path.write_text(with_mesh(name), encoding="utf-8")
    robot = RobotModel.from_urdf(path, floating_base=False)
    return int(load_geometry(robot, **options).ngeoms)


@pytest.mark.parametrize(
    "name", ["package://my_robot/meshes/a.stl", "./b.stl", "b.stl", "meshes/c.stl", "../e.stl"]
)
def test_meshes_are_found_by_every_kind_of_name(package: Path, name: str) -> None:
    assert shapes(package, name, missing="error") == 1


def test_absolute_names_are_taken_as_they_are(package: Path) -> None:
    path = package / "meshes" / "a.stl"
    assert shapes(package, str(path), missing="error") == 1
    assert shapes(package, path.as_uri(), missing="error") == 1


def test_packages_are_looked_for_where_ros_and_the_caller_say(
    package: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    robot = RobotModel.from_urdf(with_mesh("package://my_robot/meshes/a.stl"), floating_base=False)
    monkeypatch.delenv("ROS_PACKAGE_PATH", raising=False)
    monkeypatch.delenv("AMENT_PREFIX_PATH", raising=False)
    with pytest.raises(ModelError, match=r"mesh not found: 'package://my_robot/meshes/a\.stl'"):
        load_geometry(robot, missing="error")
    assert load_geometry(robot, package_dirs=[package.parent], missing="error").ngeoms == 1
    assert load_geometry(robot, package_dirs=[package], missing="error").ngeoms == 1
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"/nowhere:{package.parent}")
    assert load_geometry(robot, missing="error").ngeoms == 1
    monkeypatch.setenv("ROS_PACKAGE_PATH", "")
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(package.parent.parent))
    assert load_geometry(robot, missing="error").ngeoms == 1


def test_kinematics_need_no_meshes_and_shapes_without_them_are_warned_of_once(
    package: Path,
) -> None:
    name = "package://other/meshes/x.stl"
    with pytest.warns(
        ModelWarning, match="shapes left out, mesh not found: 'package://other"
    ) as seen:
        assert shapes(package, name) == 0
    assert len(seen) == 1
    with pytest.raises(ModelError, match=r"tried .*other/meshes/x\.stl"):
        shapes(package, name, missing="error")
    found, tried = find_mesh(name, folder=package, package_dirs=["/one"])
    assert found is None
    assert tried[0] == Path("/one/other/meshes/x.stl")
