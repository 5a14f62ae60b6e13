"""`footwork robots` lists the zoo and shows one robot."""

import pytest

from footwork.cli.main import main
from footwork.robot import load, robot_names


def test_every_robot_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["robots"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in robot_names())
    assert "2 flat" in out
    assert "4 point" in out
    walks = {line.split()[0]: " yes " in line for line in out.splitlines() if line.strip()}
    assert walks["g1"]
    assert walks["solo12"]
    assert not walks["icub"]
    assert not walks["panda"]


def test_one_robot_is_shown_with_limits_in_degrees(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["robots", "panda"]) == 0
    out = capsys.readouterr().out
    assert "Franka" in out
    assert "166" in out  # joint 1: 2.8973 rad
    assert "slides" in out
    assert "licence       Apache-2.0" in out


def test_names_are_whole_in_a_narrow_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert main(["robots", "talos"]) == 0
    printed = {line.split()[0] for line in capsys.readouterr().out.splitlines() if line.strip()}
    assert set(load("talos").joint_names) <= printed
    assert main(["robots"]) == 0
    assert "Unitree G1, 29 joints" in capsys.readouterr().out


def test_an_unknown_robot_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["robots", "tallos"]) == 1
    assert "did you mean 'talos'" in capsys.readouterr().err
