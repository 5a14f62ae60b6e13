"""Files of contact lists: nothing is lost, nothing is dropped, every fault has a place."""

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from footwork.contacts import (
    FOREVER,
    ContactList,
    ContactType,
    PlannedContact,
    contacts_from_json,
    contacts_to_json,
    read_contacts,
    seconds,
    write_contacts,
)
from footwork.errors import ContactFileError, InputError
from footwork.spatial import Pose

from .strategies import lists

BLF: dict[str, Any] = {
    "left": [
        {
            "activation_time": 0.0,
            "deactivation_time": 1.001,
            "index": 3,
            "name": "left_foot",
            "position": [0.0, 0.1, 0.0],
            "quaternion": [0.0, 0.0, 0.0, 1.0],
        },
        {
            "activation_time": 2.0,
            "deactivation_time": 9223372036.854776,
            "index": 3,
            "name": "left_foot",
            "position": [0.3, 0.1, 0.05],
            "quaternion": [0.0, 0.0, 0.6, 0.8],
        },
    ],
    "right": [],
}


def own() -> Any:
    """A good document of our own format, to be broken."""
    left = ContactList(default_name="l_sole")
    left.add_contact(
        PlannedContact(deactivation_time=5, friction=0.5, patch=((0.1, 0.0),), link="foot")
    )
    left.add_contact(PlannedContact(activation_time=5, deactivation_time=FOREVER))
    text, lost = contacts_to_json({"left": left})
    assert not lost
    return json.loads(text)


many = st.dictionaries(st.text(max_size=6), lists(), max_size=4)


@given(many)
def test_our_own_format_loses_nothing(given_lists: dict[str, ContactList]) -> None:
    text, lost = contacts_to_json(given_lists)
    back = contacts_from_json(text)
    assert lost == ()
    assert back == given_lists
    assert list(back) == list(given_lists)
    assert contacts_to_json(back) == (text, ())
    for key, contacts in given_lists.items():
        poses = [(c.pose.translation.tolist(), c.pose.quaternion_xyzw.tolist()) for c in contacts]
        read = [(c.pose.translation.tolist(), c.pose.quaternion_xyzw.tolist()) for c in back[key]]
        assert poses == read


def test_files_and_texts_say_the_same(tmp_path: Path) -> None:
    left = ContactList(default_name='ступня \ud800 "')
    left.add_contact(Pose.from_translation([-0.0, 1e-300, 1 / 3]), -5, FOREVER)
    path = tmp_path / "walk.json"
    assert write_contacts(path, {"left": left}) == ()
    assert read_contacts(path) == read_contacts(str(path)) == {"left": left}
    assert math.copysign(1.0, read_contacts(path)["left"][0].pose.x) == -1.0
    assert [p.name for p in tmp_path.iterdir()] == ["walk.json"]


def test_our_own_file_is_pleasant_to_read() -> None:
    left = ContactList(default_name="l_sole")
    left.add_contact(Pose.from_translation([0.1, 0.2, 0.3]), seconds(0.5), FOREVER)
    text, _ = contacts_to_json({"left": left, "right": ContactList()})
    assert text == (
        "{\n"
        '  "format": "footwork-contacts",\n'
        '  "version": 1,\n'
        '  "lists": {\n'
        '    "left": {\n'
        '      "default_name": "l_sole",\n'
        '      "default_index": -1,\n'
        '      "default_type": "full",\n'
        '      "contacts": [\n'
        '        {"activation_time_ns": 500000000, "deactivation_time_ns": "forever", '
        '"position": [0.1, 0.2, 0.3], "quaternion_xyzw": [0.0, 0.0, 0.0, 1.0], '
        '"name": "l_sole", "index": -1, "type": "full"}\n'
        "      ]\n"
        "    },\n"
        '    "right": {\n'
        '      "default_name": "ContactList",\n'
        '      "default_index": -1,\n'
        '      "default_type": "full",\n'
        '      "contacts": []\n'
        "    }\n"
        "  }\n"
        "}\n"
    )


def test_upstreams_file_is_read_as_it_is_meant() -> None:
    left, right = contacts_from_json(json.dumps(BLF)).values()
    assert len(right) == 0
    assert right.default_name == "right"
    assert left.default_name == "left"
    first, second = left
    # 1.001 s, which upstream's own reader truncates to 1.000999999 s
    assert (first.activation_time, first.deactivation_time) == (0, 1_001_000_000)
    assert (first.name, first.index, first.type) == ("left_foot", 3, ContactType.FULL)
    assert second.deactivation_time == FOREVER
    assert second.pose == Pose([0.3, 0.1, 0.05], [0.0, 0.0, 0.6, 0.8])
    assert contacts_from_json("null") == contacts_from_json("{}") == {}


@pytest.mark.parametrize("end", ["3.402823e38", "9.2e9", "Infinity", "1e400", "9" * 400])
def test_r2_every_way_to_write_infinity_in_upstreams_file_is_forever(end: str) -> None:
    text = json.dumps(BLF).replace("9223372036.854776", end)
    assert contacts_from_json(text)["left"][1].deactivation_time == FOREVER


def upstreams_reader(text: str) -> dict[str, list[tuple[int, int]]]:
    """What upstream's reader makes of a file: truncates seconds, refuses contacts that touch."""
    result = {}
    for key, rows in json.loads(text).items():
        taken: list[tuple[int, int]] = []
        for row in rows:
            begin, end = (int(row[f"{what}activation_time"] * 1e9) for what in ("", "de"))
            assert -(2**63) <= begin <= end < 2**63
            assert all(end < a or begin > b for a, b in taken)
            taken.append((begin, end))
        result[key] = taken
    return result


walks = lists(st.integers(-50, 50).map(lambda k: k * 10**8 + 10**6) | st.just(FOREVER))


@given(st.dictionaries(st.sampled_from(["left", "right"]), walks))
def test_what_upstream_takes_comes_whole_but_for_what_is_said(
    given_lists: dict[str, ContactList],
) -> None:
    text, lost = contacts_to_json(given_lists, format="blf")
    taken = upstreams_reader(text)
    back = contacts_from_json(text)
    for key, contacts in given_lists.items():
        left_out = [c for c in contacts if c.activation_time == FOREVER]
        assert sum("is left out" in line and repr(key) in line for line in lost) == len(left_out)
        assert len(taken[key]) == len(back[key]) == len(contacts) - len(left_out)
        for i, contact in enumerate(back[key]):
            said = " ".join(line for line in lost if line.startswith(f"list {key!r}, contact {i}:"))
            check_kept(contacts[i], contact, taken[key][i], said)
    assert contacts_to_json(back, format="blf")[0] == text


def check_kept(
    written: PlannedContact, back: PlannedContact, taken: tuple[int, int], said: str
) -> None:
    end = written.deactivation_time - ("1 ns early" in said)
    assert (back.activation_time, back.deactivation_time) == (written.activation_time, end)
    assert (back.name, back.index, back.pose) == (written.name, written.index, written.pose)
    assert ("POINT" in said) == (written.type is ContactType.POINT)
    assert ("friction" in said) == (written.friction is not None)
    assert ("9.2e9 s" in said) == (end == FOREVER)
    assert taken == (written.activation_time, min(end, int(9.2e18)))


@given(st.integers(0, 10**13))
def test_seconds_are_written_so_that_truncation_keeps_the_nanosecond(time: int) -> None:
    contacts = ContactList(default_name="a")
    contacts.add_contact(Pose.identity(), -time, time)
    text, lost = contacts_to_json({"a": contacts}, format="blf")
    assert lost == ()
    assert upstreams_reader(text) == {"a": [(-time, time)]}


def test_every_loss_is_named() -> None:
    contacts = ContactList(
        default_name="x", default_index=4, default_contact_type=ContactType.POINT
    )
    contacts.add_contact(Pose.identity(), 0, 10**10)
    contacts.add_contact(
        PlannedContact(
            activation_time=10**10,
            deactivation_time=FOREVER,
            friction=1.0,
            patch=((0.0, 0.0),),
            link="l",
        )
    )
    _, lost = contacts_to_json({"left": contacts}, format="blf")
    assert [
        line.replace("it touches the next one, which upstream refuses", "touching") for line in lost
    ] == [
        "list 'left': the default name 'x': it reads as the key",
        "list 'left': the default index 4: it reads as -1",
        "list 'left': the default type POINT: it reads as FULL",
        "list 'left', contact 0: touching: it ends 1 ns early",
        "list 'left', contact 0: its type is POINT: it reads as FULL",
        "list 'left', contact 1: it lasts for ever: written as 9.2e9 s",
        "list 'left', contact 1: its friction is not written",
        "list 'left', contact 1: its patch is not written",
        "list 'left', contact 1: its link is not written",
    ]


def test_a_quaternion_off_unit_is_an_error_unless_it_is_to_be_repaired() -> None:
    text = json.dumps(BLF).replace("[0.0, 0.0, 0.6, 0.8]", "[0.0, 0.0, 0.0, 2.0]")
    with pytest.raises(ContactFileError, match=r"norm 2; repair=True divides it"):
        contacts_from_json(text)
    assert contacts_from_json(text, repair=True)["left"][1].pose.yaw == 0.0
    nothing = json.dumps(BLF).replace("[0.0, 0.0, 0.6, 0.8]", "[0.0, 0.0, 0.0, 0.0]")
    with pytest.raises(ContactFileError, match="norm 0"):
        contacts_from_json(nothing, repair=True)
    slightly = json.dumps(BLF).replace("[0.0, 0.0, 0.6, 0.8]", "[0.0, 0.0, 0.6, 0.8000001]")
    assert contacts_from_json(slightly)["left"][1].pose.quaternion_xyzw[3] < 0.8000001


def put(path: list[Any], value: Any) -> Any:
    """Break one place of a document."""

    def change(document: Any) -> Any:
        place = document
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value
        return document

    return change


def drop(path: list[Any]) -> Any:
    def change(document: Any) -> Any:
        place = document
        for step in path[:-1]:
            place = place[step]
        del place[path[-1]]
        return document

    return change


IN: list[Any] = ["lists", "left", "contacts", 1]
OWN_FAULTS: list[tuple[Any, tuple[str | None, int | None, str | None], str]] = [
    (put(["format"], "gait"), (None, None, "format"), "expected 'footwork-contacts', got a string"),
    (put(["format"], 3), (None, None, "format"), "got a whole number: 3"),
    (drop(["format"]), (None, None, "format"), "the key is missing"),
    (put(["version"], 2), (None, None, "version"), "reads version 1, got 2"),
    (put(["version"], 0), (None, None, "version"), "reads version 1, got 0"),
    (put(["version"], "1"), (None, None, "version"), "expected a whole number, got a string"),
    (put(["version"], True), (None, None, "version"), "got true or false: true"),
    (drop(["version"]), (None, None, "version"), "the key is missing"),
    (drop(["lists"]), (None, None, "lists"), "the key is missing"),
    (put(["lists"], []), (None, None, None), "expected an object with one member a list"),
    (put(["author"], "me"), (None, None, "author"), "unknown key; known are format, version"),
    (put(["lists", "left"], 5), ("left", None, None), "expected an object with defaults"),
    (drop(["lists", "left", "default_name"]), ("left", None, "default_name"), "missing"),
    (put(["lists", "left", "default_name"], 3), ("left", None, "default_name"), "a string"),
    (put(["lists", "left", "default_index"], 1.5), ("left", None, "default_index"), "whole"),
    (put(["lists", "left", "default_type"], "FULL"), ("left", None, "default_type"), "'full' or"),
    (put(["lists", "left", "dt"], 3), ("left", None, "dt"), "unknown key"),
    (put(["lists", "left", "contacts"], {}), ("left", None, None), "an array of contacts"),
    (put(IN, 7), ("left", 1, None), "expected an object with the fields of a contact"),
    (put(IN, None), ("left", 1, None), "got null"),
    (drop([*IN, "name"]), ("left", 1, "name"), "the key is missing; expected activation_time_ns"),
    (put([*IN, "colour"], 1), ("left", 1, "colour"), "unknown key; known are"),
    (put([*IN, "name"], None), ("left", 1, "name"), "expected a string, got null"),
    (put([*IN, "index"], "3"), ("left", 1, "index"), "expected a whole number"),
    (put([*IN, "index"], 2**70), ("left", 1, "index"), "64 bits"),
    (put([*IN, "type"], "line"), ("left", 1, "type"), "expected 'full' or 'point', got 'line'"),
    (put([*IN, "activation_time_ns"], 0.5), ("left", 1, "activation_time_ns"), "whole number"),
    (put([*IN, "activation_time_ns"], math.nan), ("left", 1, "activation_time_ns"), "NaN"),
    (put([*IN, "activation_time_ns"], 2**63), ("left", 1, "activation_time_ns"), "64 bits"),
    (put([*IN, "deactivation_time_ns"], "never"), ("left", 1, "deactivation_time_ns"), "whole"),
    (put([*IN, "deactivation_time_ns"], 4), ("left", 1, "activation_time_ns"), "after the deact"),
    (put([*IN, "activation_time_ns"], 4), ("left", 1, "activation_time_ns"), "with contact 0"),
    (put([*IN, "activation_time_ns"], 0), ("left", 1, "activation_time_ns"), "with contact 0"),
    (put([*IN, "position"], [0, 0]), ("left", 1, "position"), "expected 3 numbers, got 2"),
    (put([*IN, "position"], "origin"), ("left", 1, "position"), "expected an array of 3"),
    (put([*IN, "position"], [0, math.inf, 0]), ("left", 1, "position[1]"), "finite"),
    (put([*IN, "position"], [0, 0, "1"]), ("left", 1, "position[2]"), "expected a number"),
    (put([*IN, "position"], [True, 0, 0]), ("left", 1, "position[0]"), "expected a number"),
    (put([*IN, "quaternion_xyzw"], [0, 0, 0, 1.1]), ("left", 1, "quaternion_xyzw"), "norm 1.1"),
    (put([*IN, "quaternion_xyzw"], [0] * 4), ("left", 1, "quaternion_xyzw"), "norm 0"),
    (put([*IN, "quaternion_xyzw"], [0, 0, 1]), ("left", 1, "quaternion_xyzw"), "4 numbers, got 3"),
    (put([*IN, "friction"], -1), ("left", 1, "friction"), "above 0, got -1"),
    (put([*IN, "friction"], None), ("left", 1, "friction"), "expected a number, got null"),
    (put([*IN, "patch"], [[0]]), ("left", 1, "patch"), "expected shape"),
    (put([*IN, "patch"], []), ("left", 1, "patch"), "shape"),
    (put([*IN, "patch"], "square"), ("left", 1, "patch"), "real numbers"),
    (put([*IN, "link"], 1), ("left", 1, "link"), "expected a string"),
]


@pytest.mark.parametrize(("change", "place", "words"), OWN_FAULTS)
def test_a_fault_in_our_own_file_is_named_with_its_place(
    change: Any, place: tuple[str | None, int | None, str | None], words: str, tmp_path: Path
) -> None:
    check(tmp_path, json.dumps(change(own())), place, words)


FROM: list[Any] = ["left", 1]
BLF_FAULTS: list[tuple[Any, tuple[str | None, int | None, str | None], str]] = [
    (put(["left"], {}), ("left", None, None), "expected an array of contacts"),
    (put(["left"], None), ("left", None, None), "expected an array of contacts, got null"),
    (put(FROM, []), ("left", 1, None), "expected an object"),
    (drop([*FROM, "quaternion"]), ("left", 1, "quaternion"), "missing"),
    (put([*FROM, "type"], 1), ("left", 1, "type"), "unknown key"),
    (put([*FROM, "activation_time"], "2"), ("left", 1, "activation_time"), "expected a number"),
    (put([*FROM, "activation_time"], math.nan), ("left", 1, "activation_time"), "finite"),
    (put([*FROM, "activation_time"], -math.inf), ("left", 1, "activation_time"), "above -9.2e"),
    (put([*FROM, "activation_time"], 1.0005), ("left", 1, "activation_time"), "with contact 0"),
    (put([*FROM, "deactivation_time"], 1.5), ("left", 1, "activation_time"), "after the deact"),
    (put([*FROM, "quaternion"], [0, 0, 0, 2]), ("left", 1, "quaternion"), "repair=True"),
    (put([*FROM, "position"], {}), ("left", 1, "position"), "an array of 3 numbers"),
    (put([*FROM, "index"], 1.0), ("left", 1, "index"), "whole number"),
]


@pytest.mark.parametrize(("change", "place", "words"), BLF_FAULTS)
def test_a_fault_in_upstreams_file_is_named_with_its_place(
    change: Any, place: tuple[str | None, int | None, str | None], words: str, tmp_path: Path
) -> None:
    check(tmp_path, json.dumps(change(json.loads(json.dumps(BLF)))), place, words)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "the file is empty"),
        (" \n", "the file is empty"),
        ("hello", "no valid JSON at line 1, column 1"),
        (json.dumps(BLF)[:100], "no valid JSON at line 1, column"),
        ("[]", "expected an object with contact lists, got an array"),
        ("5", "expected an object with contact lists, got a whole number: 5"),
        ('{"left": [], "left": []}', "the key 'left' stands there twice"),
        ("[" * 100_000, "no valid JSON"),
        ("1" * 5000, "no valid JSON"),
    ],
)
def test_a_file_that_is_broken_as_a_whole_says_how(text: str, words: str, tmp_path: Path) -> None:
    check(tmp_path, text, (None, None, None), words)


def test_a_key_that_stands_twice_in_a_contact_is_named_with_its_place(tmp_path: Path) -> None:
    text = json.dumps(BLF).replace('"index": 3,', '"index": 3, "index": 4,')
    check(tmp_path, text, ("left", 0, None), "'index' stands there twice")


def test_a_file_that_cannot_be_read_or_written_says_why(tmp_path: Path) -> None:
    with pytest.raises(ContactFileError, match=r"nothing.json: cannot be read: No such file"):
        read_contacts(tmp_path / "nothing.json")
    with pytest.raises(ContactFileError, match=r"cannot be read"):
        read_contacts(tmp_path)
    with pytest.raises(ContactFileError, match=r"cannot be written: No such file"):
        write_contacts(tmp_path / "no" / "folder.json", {})
    path = tmp_path / "latin.json"
    path.write_bytes('{"füße": []}'.encode("latin-1"))
    with pytest.raises(ContactFileError, match=r"no UTF-8 text, at byte 3"):
        read_contacts(path)
    path.write_bytes(b"\xef\xbb\xbf{}")
    assert read_contacts(path) == {}


def test_a_file_that_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("footwork.files.MOST_BYTES", 10)
    (tmp_path / "large.json").write_bytes(b" " * 11)
    for endless in (Path("/dev/zero"), tmp_path / "large.json"):
        with pytest.raises(ContactFileError, match=f"{endless}: cannot be read: it is larger than"):
            read_contacts(endless)


def test_what_is_no_list_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "walk.json"
    lists: Any
    for lists, words in [
        (ContactList(), "expected a dict of ContactList"),
        ({"a": []}, "list 'a': expected a ContactList"),
        ({3: ContactList()}, "key of a list: expected a string"),
    ]:
        with pytest.raises(InputError, match=words):
            write_contacts(path, lists)
    with pytest.raises(InputError, match="format: expected 'footwork' or 'blf', got 'xml'"):
        write_contacts(path, {}, format="xml")  # type: ignore[arg-type]
    assert not path.exists()


def test_a_list_of_upstreams_may_be_called_as_a_member_of_ours() -> None:
    document = {"format": BLF["left"], "version": BLF["right"]}
    assert list(contacts_from_json(json.dumps(document))) == ["format", "version"]


def check(
    folder: Path, text: str, place: tuple[str | None, int | None, str | None], words: str
) -> None:
    """One clear error, with the file and the whole place in its attributes and its words."""
    path = folder / "broken.json"
    path.write_text(text)
    with pytest.raises(ContactFileError) as info:
        read_contacts(path)
    error = info.value
    assert (error.list_name, error.entry, error.field) == place
    assert error.file == str(path)
    message = str(error)
    assert message.startswith(str(path))
    assert words in message
    for part in place:
        assert part is None or str(part) in message
    assert "\n" not in message
    assert len(message) < 400 + len(str(path))
