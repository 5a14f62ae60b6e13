# ruff: noqa: E501  XML stays on its lines.
"""MJCFs are read as MuJoCo reads them."""

import re
from pathlib import Path

import numpy as np
import pytest

from footwork.errors import ModelError
from footwork.robot import RobotModel

BALL = '<geom size="0.1" mass="1"/>'


def test_a_cart_pole_has_two_degrees_of_freedom() -> None:
    robot = RobotModel.from_mjcf(
        '<mujoco model="cart"><worldbody><body name="cart"><joint name="slide" type="slide" '
        f'axis="1 0 0"/>{BALL}<body name="pole"><joint name="hinge" axis="0 1 0"/>{BALL}</body>'
        "</body></worldbody></mujoco>"
    )
    assert (robot.nq, robot.nv, robot.nu) == (2, 2, 2)
    assert not robot.has_floating_base
    assert robot.joint_names == ("slide", "hinge")
    assert robot.source is None


def test_hips_hang_on_the_trunk() -> None:
    hips = "".join(
        f'<body name="hip{k}" pos="{x} {y} 0"><joint name="j{k}" axis="1 0 0"/>{BALL}</body>'
        for k, (x, y) in enumerate([(1, 1), (1, -1), (-1, 1), (-1, -1)])
    )
    robot = RobotModel.from_mjcf(
        f'<mujoco><worldbody><body name="trunk" pos="0 0 1"><freejoint/>{BALL}{hips}</body>'
        "</worldbody></mujoco>"
    )
    assert robot.has_floating_base
    assert (robot.nv, robot.nu) == (10, 4)
    parents = [int(robot.pin_model.parents[robot.frame(f"hip{k}").joint]) for k in range(4)]
    assert parents == [robot.frame("trunk").joint] * 4
    assert robot.mass == pytest.approx(5.0)


def test_a_fixed_first_body_keeps_its_place() -> None:
    robot = RobotModel.from_mjcf(
        f'<mujoco><worldbody><body name="stand" pos="1 2 3">{BALL}<body name="arm">'
        f'<joint name="j" axis="0 0 1"/>{BALL}</body></body></worldbody></mujoco>'
    )
    state = robot.state(np.zeros(1))
    np.testing.assert_allclose(state.placement("stand")[1], [1, 2, 3])
    np.testing.assert_allclose(state.placement("arm")[1], [1, 2, 3])


@pytest.mark.parametrize(
    ("compiler", "text", "low", "high"),
    [
        ('<compiler angle="radian"/>', "-0.863 0.863", -0.863, 0.863),
        ("", "-90 45", -np.pi / 2, np.pi / 4),
    ],
)
def test_ranges_of_a_class_have_the_file_s_units(
    compiler: str, text: str, low: float, high: float
) -> None:
    xml = (
        f'<mujoco>{compiler}<default><default class="leg"><joint range="{text}"/></default></default>'
        f'<worldbody><body><joint name="j" class="leg" axis="0 1 0"/>{BALL}</body></worldbody></mujoco>'
    )
    robot = RobotModel.from_mjcf(xml)
    import mujoco

    model = mujoco.MjModel.from_xml_string(xml)
    np.testing.assert_allclose(
        [robot.position_limits[0][0], robot.position_limits[1][0]], [low, high]
    )
    np.testing.assert_allclose(model.jnt_range[0], [low, high])


def test_torque_limits_come_from_the_joint_or_its_actuator() -> None:
    joints = "".join(
        f'<body><joint name="j{k}" axis="0 1 0" {more}/>{BALL}</body>'
        for k, more in enumerate(['actuatorfrcrange="-5 5"', "", "", "", ""])
    )
    robot = RobotModel.from_mjcf(
        f"<mujoco><worldbody>{joints}</worldbody><actuator>"
        '<motor joint="j1" ctrlrange="-3 3" gear="2"/>'
        '<position joint="j2" forcerange="-7 7" ctrlrange="-1 1"/>'
        '<position joint="j3" ctrlrange="-1 1"/></actuator></mujoco>'
    )
    np.testing.assert_allclose(robot.effort_limits, [5.0, 6.0, 7.0, np.inf, np.inf])


def test_armature_and_dynamics_agree_with_mujoco() -> None:
    import mujoco

    xml = (
        '<mujoco><worldbody><body name="trunk" pos="0 0 1"><freejoint name="root"/><geom size="0.2 0.1 '
        '0.1" type="box" mass="3"/><body name="leg" pos="0 0.1 0"><joint name="hip" axis="0 1 0" '
        'armature="0.05"/><geom fromto="0 0 0 0 0 -0.4" size="0.03" type="capsule" mass="1"/></body>'
        "</body></worldbody></mujoco>"
    )
    robot = RobotModel.from_mjcf(xml)
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    rng = np.random.default_rng(0)
    q = robot.random_configuration(rng)
    state = robot.state(q)
    data.qpos[:] = np.concatenate([q[:3], q[[6, 3, 4, 5]], q[7:]])
    mujoco.mj_forward(model, data)
    M = np.zeros((7, 7))
    mujoco.mj_fullM(model, data, M)
    # MuJoCo's free joint moves along the world's axes.
    turn = np.eye(7)
    turn[:3, :3] = state.placement("trunk")[0]
    np.testing.assert_allclose(turn.T @ M @ turn, state.mass_matrix, atol=1e-10)
    assert robot.armature[6] == 0.05


def test_what_is_no_mjcf_is_one_error(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="cannot be read"):
        RobotModel.from_mjcf(tmp_path / "none.xml")
    with pytest.raises(ModelError, match="expected <mujoco>"):
        RobotModel.from_mjcf("<robot/>")
    with pytest.raises(ModelError, match="not well-formed"):
        RobotModel.from_mjcf("<mujoco>")


def test_names_in_any_script_survive(tmp_path: Path) -> None:
    folder = tmp_path / "フォルダ é"
    folder.mkdir()
    path = folder / "m.xml"
    path.write_text(
        f'<mujoco model="ロボット"><worldbody><body name="足 x"><joint name="膝é" axis="0 1 0"/>{BALL}'
        "</body></worldbody></mujoco>",
        encoding="utf-8-sig",
    )
    robot = RobotModel.from_mjcf(path)
    assert robot.name == "ロボット"
    assert robot.joint_names == ("膝é",)
    assert robot.frame("足 x").kind == "body"


def body(name: str, joint: str = "", inside: str = "") -> str:
    return f'<body name="{name}">{joint}{BALL}{inside}</body>'


FREE = "<freejoint/>"
HINGED = body("b", '<joint name="h"/>')


@pytest.mark.parametrize(
    ("world", "more", "says"),
    [
        (body("a", FREE) + body("b", FREE), "", "'a' and 'b' stand in the world side by side"),
        (body("a", FREE) + body("b"), "", "'a' and 'b' stand in the world side by side"),
        (body("a") + body("b", '<joint type="free"/>'), "", "'a' and 'b' stand in the world"),
        (f"{body('a')}</worldbody><worldbody>{HINGED}", "", "2 <worldbody>"),
        (body("a", FREE, f"<frame>{HINGED}</frame>"), "", "<frame> in <worldbody> is not read"),
        (body("a", FREE, f'<replicate count="2">{HINGED}</replicate>'), "", "<replicate> in"),
        (body("a", FREE, '<include file="b.xml"/>'), "", "<include> in"),
        (
            body("a", FREE, '<attach model="m" body="b" prefix="x"/>'),
            '<asset><model name="m" file="b.xml"/></asset>',
            "<attach> in",
        ),
        (
            body("a", '<joint name="r" class="free"/>')
            + body("b", '<joint name="s" class="free"/>'),
            '<default><default class="free"><joint type="free"/></default></default>',
            "one free joint, on the body that all others hang on, got 'r', 's'",
        ),
        (body("a", FREE, body("b", FREE)), "", "got 'a_free', 'b_free'"),
        (
            body("a", FREE, HINGED),
            '<compiler settotalmass="30"/>',
            "7 degrees of freedom and 2 kg, MuJoCo 7 and 30 kg",
        ),
        (
            body("a", FREE, HINGED),
            '<equality><connect body1="a" body2="b" anchor="0 0 0"/></equality>',
            "1 constraints of <equality> would be lost",
        ),
    ],
)
def test_what_would_be_lost_is_refused(
    world: str, more: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)  # where MuJoCo leaves its log
    (tmp_path / "b.xml").write_text(f"<mujoco><worldbody>{HINGED}</worldbody></mujoco>")
    path = tmp_path / "m.xml"
    path.write_text(f"<mujoco>{more}<worldbody>{world}</worldbody></mujoco>")
    with pytest.raises(ModelError, match=re.escape(says)):
        RobotModel.from_mjcf(path)


def test_bodies_of_a_file_that_is_included_are_missed_by_their_names(tmp_path: Path) -> None:
    (tmp_path / "b.xml").write_text(f"<mujoco><worldbody>{body('far')}</worldbody></mujoco>")
    path = tmp_path / "m.xml"
    path.write_text(
        f'<mujoco><include file="b.xml"/><worldbody>{body("a", "<joint/>")}</worldbody></mujoco>'
    )
    with pytest.raises(ModelError, match="does not find the bodies 'far'"):
        RobotModel.from_mjcf(path)
