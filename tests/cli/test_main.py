import subprocess
import sys

import pytest

from footwork.cli.main import COMMANDS, main


def test_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main(["--help"])
    assert stop.value.code == 0
    printed = capsys.readouterr().out
    assert all(name in printed for name in COMMANDS)


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_command_explains_itself(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        main([command, "--help"])
    assert stop.value.code == 0
    assert command in capsys.readouterr().out


def test_no_command_is_misuse_and_prints_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "usage: footwork" in capsys.readouterr().out


def test_the_package_can_be_run_as_a_module() -> None:
    words = [sys.executable, "-m", "footwork", "plna"]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 2
    assert "footwork: error" in done.stderr
    assert "did you mean plan?" in done.stderr


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys\n"
        "from footwork.cli.main import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'numpy', 'numba', 'scipy', 'matplotlib', 'pinocchio', 'mujoco', 'viser'}\n"
        "sys.exit(', '.join(heavy & set(sys.modules)) or 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_importing_the_package_imports_nothing_heavy() -> None:
    code = (
        "import sys, footwork\n"
        "heavy = {'numpy', 'numba', 'scipy', 'matplotlib', 'pinocchio', 'mujoco', 'viser'}\n"
        "sys.exit(', '.join(heavy & set(sys.modules)) or 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("words", "usage", "message"),
    [
        (["plan"], "footwork plan [OPTION ...] SCENE", "SCENE"),
        (["plan", "a.toml", "--sed", "3"], "footwork plan [OPTION ...] SCENE", "mean --seed?"),
        (["plan", "a.toml", "--seed", "x"], "footwork plan [OPTION ...] SCENE", "--seed: invalid"),
        (["walk", "--gaol", "1"], "footwork walk [OPTION ...]", "--gaol 1; did you mean --goal?"),
        (["walk", "--goal", "1"], "footwork walk [OPTION ...]", "expected 3 arguments"),
        (["contacts"], "footwork contacts [OPTION ...] ACTION", "ACTION"),
        (["contacts", "show"], "footwork contacts show [OPTION ...] FILE", "FILE"),
        (["robots", "g1", "g2"], "footwork robots [OPTION ...]", "unrecognized arguments: g2"),
        (["view", "a", "--prot", "1"], "footwork view [OPTION ...] [RUN]", "mean --port?"),
        (["warm-up", "--part", "x"], "footwork warm-up [OPTION ...]", "invalid choice: 'x'"),
        (["view", "--port", "99999"], "footwork view [OPTION ...]", "from 0 to 65535, got '99999'"),
        (["walk", "--port", "-1"], "footwork walk [OPTION ...]", "from 0 to 65535, got '-1'"),
        (["ik", "--port", "web"], "footwork ik [OPTION ...]", "from 0 to 65535, got 'web'"),
        (["ik", "--nonsense"], "footwork ik [OPTION ...]", "unrecognized arguments: --nonsense"),
        (["wolk"], "footwork [OPTION ...] COMMAND", "invalid choice: 'wolk'"),
        (["plna"], "footwork [OPTION ...] COMMAND", "; did you mean plan?"),
        (["warmup"], "footwork [OPTION ...] COMMAND", "; did you mean warm-up?"),
        (["contacts", "shwo", "a"], "footwork contacts [OPTION ...] ACTION", "mean show?"),
        (["warm-up", "--part", "stac"], "footwork warm-up [OPTION ...]", "; did you mean stack?"),
    ],
)
def test_misuse_is_answered_in_two_lines_by_the_command_that_was_asked_for(
    words: list[str], usage: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(words)
    assert stop.value.code == 2
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith(f"usage: {usage}")
    assert "--help lists them" in first
    assert message in second


def test_what_takes_more_memory_than_there_is_is_said_in_a_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(_: object) -> int:
        raise MemoryError("Unable to allocate 745. GiB")

    monkeypatch.setattr("footwork.cli.robots.run", run)
    assert main(["robots"]) == 1
    expected = "footwork robots: out of memory: Unable to allocate 745. GiB\n"
    assert capsys.readouterr() == ("", expected)


def test_steps_that_are_none_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ik", "--robot", "panda", "--steps", "0"]) == 1
    assert capsys.readouterr().err == "footwork ik: --steps: expected 1 or more, got 0\n"
