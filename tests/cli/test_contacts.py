"""`footwork contacts`, as a user types it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from footwork.cli.main import main
from footwork.contacts import (
    FOREVER,
    ContactList,
    PlannedContact,
    read_contacts,
    seconds,
    write_contacts,
)


@pytest.fixture
def trot(tmp_path: Path) -> Path:
    path = tmp_path / "trot.json"
    assert main(["contacts", "gait", "trot", str(path), "--speed", "0.3", "--turn", "20"]) == 0
    return path


def test_a_gait_is_made_shown_and_drawn(trot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    pictures = [trot.with_name("gantt.png"), trot.with_name("top.svg")]
    words = ["contacts", "show", str(trot), "--width", "72", "--ascii", "--phases", "--contacts"]
    assert main([*words, "--gantt", str(pictures[0]), "--top", str(pictures[1])]) == 0
    out = capsys.readouterr().out
    assert f"{trot}: 4 lists, 24 contacts, from 0 s to forever" in out
    assert "\nLF |########" in out
    assert "12 phases of LF, RF, LH, RH" in out
    assert "LF: 6 contacts" in out
    assert all(f"wrote {picture}" in out for picture in pictures)
    assert all(len(line) <= 72 for line in out.splitlines() if "|" in line)
    assert pictures[0].read_bytes().startswith(b"\x89PNG")
    assert "<svg" in pictures[1].read_text()


def test_nothing_is_printed_of_a_chart_that_is_refused(
    trot: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["contacts", "show", str(trot), "--width", "3"]) == 1
    assert capsys.readouterr().out == ""


def test_a_walk_of_two_feet_may_be_shown_in_part(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "walk.json"
    assert main(["contacts", "gait", "walk", str(path), "--feet", "2", "--duty", "0.7"]) == 0
    assert list(read_contacts(path)) == ["left", "right"]
    assert main(["contacts", "show", str(path), "--from", "1", "--to", "2", "--ascii"]) == 0
    assert "1 s " in capsys.readouterr().out


def test_a_check_says_what_is_odd_and_fails(trot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["contacts", "check", str(trot)]) == 0
    assert "nothing is odd" in capsys.readouterr().out
    words = ["--smallest-distance", "0.35", "--sample-time", "0.07", "--shortest-swing", "0.2"]
    assert main(["contacts", "check", str(trot), *words]) == 1
    out = capsys.readouterr().out
    assert "LF and RF: 0.300 m apart in [0 s, 0.5 s), expected 0.35 m or more" in out
    assert "LF: not all times are multiples of 0.07 s" in out
    assert "swings" not in out


def test_a_running_gait_flies_unless_that_is_meant(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "run.json")
    main(["contacts", "gait", "run", path, "--speed", "1"])
    assert main(["contacts", "check", path]) == 1
    assert "flight: no foot touches" in capsys.readouterr().out
    assert main(["contacts", "check", path, "--allow-flight"]) == 0


def test_conversion_says_what_is_lost_and_comes_back(
    trot: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    blf, back = trot.with_name("blf.json"), trot.with_name("back.json")
    assert main(["contacts", "convert", str(trot), str(blf), "--format", "blf"]) == 0
    assert "lost: list 'LF', contact 5: it lasts for ever" in capsys.readouterr().out
    assert set(json.loads(blf.read_text())) == {"LF", "RF", "LH", "RH"}
    words = ["--shift", "-0.5", "--mirror", "--sample-time", "0.1"]
    assert main(["contacts", "convert", str(blf), str(back), *words]) == 0
    before, after = read_contacts(trot), read_contacts(back)
    assert list(after) == ["RF", "LF", "RH", "LH"]
    assert after["RF"][0].deactivation_time == before["LF"][0].deactivation_time - seconds(0.5)
    assert after["RF"][0].pose.y == -before["LF"][0].pose.y
    assert after["RF"][-1].deactivation_time == FOREVER


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["gait", "moonwalk", "x.json"], "expected one of stand, walk"),
        (["show", "nothing.json"], "nothing.json: cannot be read: No such file"),
        (["show", "broken.json"], "broken.json, list 'left', contact 0, field 'name': the key is"),
        (["show", "good.json", "--from", "2", "--to", "1"], "expected a time after the beginning"),
        (["show", "good.json", "--gantt", "x.nonsense"], "x.nonsense: the picture cannot be"),
        (["convert", "good.json", "no/folder.json"], "cannot be written"),
        (["show", "good.json", "--from", "2", "--to", "1"], "beginning, 2 s, got 1 s"),
        (["show", "good.json", "--from", "nan"], "--from: expected a time within 9.2e+09 s"),
        (["gait", "trot", "x.json", "--duration", "-1"], "--duration: expected 1e-9 s (one"),
        (["gait", "trot", "x.json", "--duration", "inf"], "--duration: expected a time within"),
        (["gait", "trot", "x.json", "--period", "-1"], "nanosecond) or more, got -1 s"),
        (["gait", "trot", "x.json", "--speed", "nan"], "--speed: expected a finite number"),
        (["gait", "trot", "x.json", "--period", "0"], "--period: expected 1e-9 s"),
        (["gait", "trot", "x.json", "--stand", "-2"], "--stand: expected 0 s or more, got -2 s"),
        (["check", "good.json", "--shortest-swing", "-1"], "--shortest-swing: expected 0 s or"),
        (["check", "good.json", "--sample-time", "0"], "--sample-time: expected 1e-9 s"),
        (["convert", "good.json", "x.json", "--sample-time", "-1"], "or more, got -1 s"),
        (["convert", "good.json", "x.json", "--shift", "nan"], "--shift: expected a time within"),
    ],
)
def test_what_goes_wrong_is_one_line_and_status_one(
    words: list[str],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("broken.json").write_text(
        '{"left": [{"activation_time": 0, "deactivation_time": 1, "index": 0}]}'
    )
    Path("good.json").write_text('{"left": []}')
    assert main(["contacts", *words]) == 1
    error = capsys.readouterr().err
    assert message in error
    assert error.startswith("footwork contacts: ")
    assert error.count("\n") == 1


def test_a_file_off_unit_is_repaired_when_asked(tmp_path: Path) -> None:
    path = tmp_path / "off.json"
    row = {
        "activation_time": 0,
        "deactivation_time": 1,
        "index": 0,
        "name": "left",
        "position": [0, 0, 0],
        "quaternion": [0, 0, 0, 2],
    }
    path.write_text(json.dumps({"left": [row]}))
    assert main(["contacts", "show", str(path)]) == 1
    assert main(["contacts", "show", str(path), "--repair"]) == 0


def test_output_that_nobody_reads_any_more_is_no_error(trot: Path) -> None:
    code = (
        "import os, sys; from footwork.cli.main import main\n"
        "read, write = os.pipe(); os.close(read); os.dup2(write, 1)\n"
        "sys.stdout.reconfigure(line_buffering=True)\n"
        "sys.exit(main(['contacts', 'show', sys.argv[1]]))"
    )
    words = [sys.executable, "-c", code, str(trot)]
    result = subprocess.run(words, stderr=subprocess.PIPE, text=True, check=False)
    assert (result.returncode, result.stderr) == (141, "")


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from footwork.cli.main import main\n"
        "try: main(['contacts', '--help'])\n"
        "except SystemExit: pass\n"
        "print([m for m in ('numpy', 'matplotlib', 'footwork.contacts') if m in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert "show" in result.stdout
    assert result.stdout.rstrip().endswith("[]")
    assert "footwork contacts gait trot trot.json" in result.stdout


def test_what_the_terminal_cannot_encode_is_escaped(tmp_path: Path) -> None:
    path = tmp_path / "feet.json"
    write_contacts(path, {"左足": ContactList([PlannedContact(deactivation_time=5)])})
    words = ["contacts", "show", str(path), "--contacts"]
    program = f"import sys; from footwork.cli.main import main; sys.exit(main({words!r}))"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert rb"\u5de6\u8db3 |#" in done.stdout


def test_each_kind_of_loss_is_told_once(trot: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = str(trot.with_name("blf.json"))
    assert main(["contacts", "convert", str(trot), out, "--format", "blf"]) == 0
    lost = [line for line in capsys.readouterr().out.splitlines() if "lost: " in line]
    assert lost == [
        "  lost: list 'LF', contact 0: its type is POINT: it reads as FULL (and 23 more)",
        "  lost: list 'LF', contact 5: it lasts for ever: written as 9.2e9 s (and 3 more)",
    ]
