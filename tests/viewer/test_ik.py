"""The interactive inverse kinematics without a browser, and its server for a moment."""

import time
import urllib.request
from collections.abc import Mapping

import numpy as np
import pytest

from footwork.cli.main import main
from footwork.errors import InputError
from footwork.robot import load
from footwork.spatial import Pose
from footwork.viewer.ik import IkSession, serve_ik


@pytest.fixture(scope="module")
def g1() -> IkSession:
    return IkSession(load("g1"))


def test_hands_follow_their_goals_while_the_feet_stand(g1: IkSession) -> None:
    g1.reset()
    feet = {name: g1.goals[name] for name in ("left_foot", "right_foot")}
    goal = Pose.from_translation([0.1, 0.05, 0.1]) @ g1.goals["left_hand"]
    g1.set_goal("left_hand", goal)
    for _ in range(150):
        g1.step()
    state = g1.robot.state(g1.q)
    assert state.T_world_frame("left_hand").is_close(
        goal, translation_tolerance=1e-3, angle_tolerance=1e-2
    )
    for name, T in feet.items():
        assert state.T_world_frame(name).is_close(
            T, translation_tolerance=1e-4, angle_tolerance=1e-3
        )


def test_a_goal_out_of_reach_does_not_tip_the_robot_over(g1: IkSession) -> None:
    g1.reset()
    g1.set_goal("right_hand", Pose.from_translation([3.0, -0.3, 0.8]))
    for _ in range(200):
        g1.step()
        assert g1.status == "solved"
    state = g1.robot.state(g1.q)
    lower, upper = g1.robot.position_limits
    assert (g1.q[7:] >= lower[6:] - 1e-9).all()
    assert (g1.q[7:] <= upper[6:] + 1e-9).all()
    corners = np.vstack([state.placement(n)[1] for n in ("left_foot", "right_foot")])
    assert state.p_world_com[0] < corners[:, 0].max() + 0.085


def test_a_lifted_foot_leaves_the_weight_to_the_other(g1: IkSession) -> None:
    g1.reset()
    goal = Pose.from_translation([0.0, 0.0, 0.1]) @ g1.goals["right_foot"]
    g1.set_goal("right_foot", goal)
    for _ in range(250):
        g1.step()
    state = g1.robot.state(g1.q)
    left = state.placement("left_foot")[1]
    assert abs(state.p_world_com[1] - left[1]) <= 0.025 - 0.01 + 2e-3
    assert state.placement("right_foot")[1][2] > 0.09
    g1.reset()


@pytest.mark.parametrize("name", ["panda", "go2"])
def test_other_kinds_of_robots_have_goals_too(name: str) -> None:
    session = IkSession(load(name))
    moving = "hand" if name == "panda" else "base"
    goal = Pose.from_translation([0.02, 0.01, -0.03]) @ session.goals[moving]
    session.set_goal(moving, goal)
    for _ in range(150):
        session.step()
    assert session.residuals[moving] < 1e-3
    with pytest.raises(InputError, match="no goal is called 'tail'"):
        session.set_goal("tail", goal)


def test_the_command_solves_without_a_browser(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ik", "--robot", "go2", "--steps", "3"]) == 0
    out = capsys.readouterr().out
    assert "0  front_left_foot    0.0000" in out
    assert "1  base               0.0000" in out
    assert "solver: solved" in out


def test_the_command_says_that_it_compiles(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from footwork.cli import warm_up
    from footwork.planning.planners import progress

    monkeypatch.setattr(progress, "PATIENCE", 0.0)
    step = IkSession.step

    def slow(session: IkSession) -> Mapping[str, float]:
        time.sleep(0.1)
        return step(session)

    monkeypatch.setattr(IkSession, "step", slow)
    for missing in ([("stack: qr", str)], []):
        monkeypatch.setattr(warm_up, "missing_kernels", lambda _, missing=missing: missing)
        assert main(["ik", "--robot", "panda", "--steps", "1"]) == 0
        assert capsys.readouterr().err == (f"{progress.COMPILING}\n" if missing else "")


def test_the_server_answers_on_this_machine_only() -> None:
    pictures = serve_ik(IkSession(load("solo12")), port=0, steps=2)
    address = next(pictures)
    assert address.startswith("http://127.0.0.1:")
    with urllib.request.urlopen(address, timeout=10) as page:
        assert b"<html" in page.read()
    assert len(list(pictures)) == 2
