"""What makes no sense is refused in words that say where, and nothing has changed."""

import copy
import os
import pickle
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any, cast

import numpy as np
import pytest

from footwork.contacts import (
    FOREVER,
    ContactList,
    ContactPhase,
    ContactPhaseList,
    ContactWrench,
    DiscreteGeometryContact,
    PlannedContact,
    SchmittTrigger,
    SchmittTriggerDetector,
    TriggerParameters,
    concatenate,
    contacts_from_json,
    contacts_to_json,
    fixed_foot,
    gaits,
    global_cop,
    mirror,
    plot_footsteps,
    plot_gantt,
    read_contacts,
    rectangle_patch,
    replan,
    seconds,
    shift,
    text_gantt,
    validate,
    write_contacts,
)
from footwork.errors import (
    ContactFileError,
    ContactTimeError,
    FootworkError,
    GaitError,
    InputError,
    TimeTypeError,
)
from footwork.spatial import Pose

FOOT = ContactList(
    [
        PlannedContact(activation_time=0, deactivation_time=5),
        PlannedContact(activation_time=7, deactivation_time=FOREVER),
    ],
    default_name="l",
)
LISTS = {"left": FOOT, "right": FOOT}
PHASES = ContactPhaseList.from_lists(LISTS)
WALK = gaits.named("walk", gaits.BIPED)
FEET = gaits.nominal_footholds(gaits.BIPED)
LIMITS = TriggerParameters(on_threshold=2, off_threshold=1)


def detector() -> SchmittTriggerDetector:
    return SchmittTriggerDetector({"a": LIMITS})


def or_one(value: Any) -> Any:
    """None is allowed."""
    return 1 if value is None else value


def insert(**changes: Any) -> object:
    arguments: dict[str, Any] = {"gait": WALK, "begin": 10**3, "end": 10**4, "period": 10**3}
    return gaits.insert(gaits.standing(FEET), **{**arguments, **changes})


def tile(**changes: Any) -> object:
    arguments: dict[str, Any] = {"gait": WALK, "begin": 0, "end": 10**4, "period": 10**3}
    return gaits.tile(**{**arguments, **changes})


@pytest.mark.parametrize("value", [None, [1], {"a": 1}, object(), np.array([1.5, 2])])
@pytest.mark.parametrize(
    ("take", "words"),
    [
        (lambda v: FOOT.copy().force_sample_time(5, v), "rounding: expected"),
        (lambda v: PHASES.force_sample_time(5, v), "rounding: expected"),
        (lambda v: PHASES.active_indices(v, 3), "no list"),
        (PHASES.phase_at, "time: expected a whole number"),
        (PHASES[0].is_list_included, "key: expected a string"),
        (lambda v: fixed_foot(v, 3), "phases: expected a ContactPhaseList"),
        (lambda v: fixed_foot(PHASES, v), "time: expected a whole number"),
        (lambda v: concatenate(v, LISTS), "list"),
        (lambda v: mirror(LISTS, {"left": v}), "names: expected strings"),
        (lambda v: shift(cast(Any, {1: v}), 1), "key of a list: expected a string"),
        (lambda v: replan(FOOT, FOOT, 3, position_tolerance=v), "position_tolerance: expected"),
        (lambda v: replan(FOOT, FOOT, 3, angle_tolerance=v), "angle_tolerance: expected"),
        (lambda v: text_gantt(LISTS, width=v), "width: expected"),
        (lambda v: contacts_to_json(LISTS, format=v), "format: expected"),
        (lambda v: SchmittTrigger(LIMITS).update(v, 1), "value: expected"),
        (lambda v: detector().update({"a": v}, 1), "a: expected a finite signal"),
        (lambda v: detector().add_contact("b", LIMITS, described=or_one(v)), "described: expected"),
        (lambda v: detector().remove_contact(v), "no contact"),
        (lambda v: global_cop([], minimum_normal_force=v), "minimum_normal_force: expected"),
        (lambda v: ContactWrench().local_cop(v), "minimum_normal_force: expected"),
        (lambda v: rectangle_patch(1, v, 1, 1), "lengths and widths: expected"),
        (lambda v: DiscreteGeometryContact(corners=v), "corners"),
        (WALK.duty, "no foot"),
        (WALK.support_at, "phase: expected"),
        (gaits.named, "name: expected one of"),
        (lambda v: gaits.named("walk", v), "feet: expected"),
        (gaits.nominal_footholds, "feet: expected"),
        (gaits.standing, "foothold"),
        (lambda v: tile(gait=v), "gait: expected a Gait"),
        (lambda v: tile(phase=v), "phase: expected"),
        (lambda v: tile(footholds=or_one(v)), "foothold"),
        (lambda v: insert(gait=v), "gait: expected a Gait"),
        (lambda v: insert(phase=v), "phase: expected"),
        (lambda v: insert(footholds=or_one(v)), "foothold"),
        (lambda v: insert(finish=v), "finish: expected"),
        (lambda v: gaits.moving_footholds(v, (1, 0, 0), begin=0)("left", 0, 1), "nominal|no place"),
        (
            lambda v: gaits.moving_footholds(FEET, (1, 0, 0), begin=0, T_world_body=or_one(v)),
            "T_world_body: expected a Pose",
        ),
    ],
)
def test_what_is_of_the_wrong_kind_is_named(
    take: Callable[[Any], object], words: str, value: Any
) -> None:
    with pytest.raises(FootworkError, match=words):
        take(value)


@pytest.mark.parametrize("value", [float("nan"), -1.0])
def test_a_tolerance_that_is_no_tolerance_does_not_let_everything_pass(value: float) -> None:
    moved = ContactList(
        [PlannedContact(pose=Pose.from_translation([1, 0, 0]), deactivation_time=9)]
    )
    standing = ContactList([PlannedContact(deactivation_time=9)])
    for name in ("position_tolerance", "angle_tolerance"):
        with pytest.raises(InputError, match=name):
            replan(standing, moved, 3, **{name: value})  # type: ignore[arg-type]
    for name in ("smallest_distance", "longest_step"):
        with pytest.raises(InputError, match=f"{name}: expected 0 m or more"):
            validate(LISTS, **{name: value})  # type: ignore[arg-type]


def test_the_height_of_a_plane_must_be_finite() -> None:
    for bad in (float("nan"), "high"):
        with pytest.raises(InputError, match="height"):
            global_cop([ContactWrench(wrench=np.array([0, 0, 5.0, 0, 0, 0]))], height=bad)  # type: ignore[arg-type]


@pytest.mark.parametrize("held", [{"left": 3}, {1: PlannedContact()}])
def test_a_phase_holds_contacts_only(held: Any) -> None:
    with pytest.raises(InputError, match="active_contacts: expected strings and a PlannedContact"):
        ContactPhase(begin_time=0, end_time=1, active_contacts=held)


def test_one_time_as_an_array_without_axes_is_looked_up() -> None:
    for which in ("active", "present", "next", "previous"):
        look_up = getattr(FOOT, f"{which}_index")
        found = look_up(np.array(8))
        assert found.shape == ()
        assert found == look_up(8)
    assert PHASES.active_indices("left", np.array(6)) == -1


def test_an_array_of_times_is_no_time() -> None:
    with pytest.raises(TimeTypeError):
        PHASES.phase_at(np.array([1, 2]))  # type: ignore[arg-type]


@pytest.mark.parametrize("make", [tile, insert])
def test_a_gait_for_ever_is_refused_and_not_tried(make: Callable[..., object]) -> None:
    with pytest.raises(GaitError, match=r"strides or fewer.* to forever"):
        make(end=FOREVER)
    with pytest.raises(GaitError, match="strides or fewer"):
        make(end=10**10, period=1)


@pytest.mark.parametrize("finish", ["stand", "cut"])
@pytest.mark.parametrize("transition", [0, 100])
def test_a_foot_that_never_touches_in_a_gait_lifts_off_and_lands_after_it(
    finish: Any, transition: int
) -> None:
    hop = gaits.Gait(name="hop on one leg", stances={"left": [(0.0, 0.5)], "right": []})
    made = gaits.insert(
        gaits.standing(FEET),
        hop,
        begin=1000,
        end=5000,
        period=1000,
        transition=transition,
        finish=finish,
    )
    times = [(c.activation_time, c.deactivation_time) for c in made["right"]]
    assert times == [(0, 1000 + transition), (5000, FOREVER)][: 2 if finish == "stand" else 1]
    assert len(made["left"]) > 3
    assert len(gaits.tile(hop, begin=0, end=5000, period=1000)["right"]) == 0


def test_any_name_is_drawn_in_one_line_and_in_a_picture(tmp_path: Path) -> None:
    names = ("foot", "_foot", "$x$ $\\foo$", "a$b", "\ud800", "line\nbreak", "")
    lists = dict.fromkeys((*names, "左足"), FOOT)
    chart = text_gantt(lists, width=60).splitlines()
    assert len(chart) == len(lists) + 2
    assert chart[-3].startswith("左足 ")
    assert chart[-3].index("│") == chart[0].index("│") - 2
    assert text_gantt(lists, width=60, ascii_only=True).isascii()
    named = dict.fromkeys(names, FOOT)
    plot_gantt(named, tmp_path / "gantt.svg", title="_a$b")
    figure = plot_footsteps(named, tmp_path / "top.svg", title="$")
    assert len(figure.legends[0].get_texts()) == len(names)


def test_a_chart_needs_a_beginning_and_has_some_length() -> None:
    with pytest.raises(ContactTimeError, match="begin: expected a finite time"):
        text_gantt(LISTS, begin=FOREVER)
    for nothing in ({}, {"left": ContactList()}):
        assert text_gantt(nothing).endswith("1 s")


def test_ctrl_c_in_the_middle_of_a_change_leaves_the_list_in_order() -> None:
    """The interrupt comes before every line of the class in turn, as a signal may."""
    changes: list[Callable[[ContactList], object]] = [
        lambda contacts: contacts.add_contact(Pose.identity(), 5, 6),
        lambda contacts: contacts.edit_contact(0, PlannedContact(deactivation_time=3)),
        lambda contacts: contacts.erase(0),
        lambda contacts: contacts.force_sample_time(2),
        lambda contacts: contacts.keep_only_present_contact(8),
        lambda contacts: contacts.clear(),
    ]
    for change in changes:
        done = FOOT.copy()
        change(done)
        for line in range(40):
            contacts = FOOT.copy()
            left = line

            def trace(frame: FrameType, event: str, _: object) -> Any:
                nonlocal left
                if "contact_list" not in frame.f_code.co_filename:
                    return None
                if event == "line":
                    left -= 1
                    if left == 0:
                        sys.settrace(None)
                        raise KeyboardInterrupt
                return trace

            previous = sys.gettrace()
            try:
                sys.settrace(trace)
                change(contacts)
            except KeyboardInterrupt:
                pass
            finally:
                sys.settrace(previous)
            assert contacts in (FOOT, done)
            assert contacts.activation_times.tolist() == [c.activation_time for c in contacts]
            assert contacts.deactivation_times.tolist() == [c.deactivation_time for c in contacts]


# Files


@pytest.mark.parametrize("path", [None, 3, b"x.json", ["x.json"]])
def test_what_is_no_path_is_refused(path: Any) -> None:
    for use in (read_contacts, lambda p: write_contacts(p, LISTS)):
        with pytest.raises(InputError, match="path: expected a string or a path"):
            use(path)


@pytest.mark.parametrize("name", ["", "a\0b", "\ud800"])
def test_what_no_file_can_be_called_is_refused(name: str) -> None:
    for use in (read_contacts, lambda p: write_contacts(p, LISTS)):
        with pytest.raises(ContactFileError, match="no file can have this name"):
            use(name)


@pytest.mark.parametrize("folder", ["/", ".", ".."])
def test_a_folder_is_said_to_be_one(folder: str) -> None:
    for use in (read_contacts, lambda p: write_contacts(p, LISTS)):
        with pytest.raises(ContactFileError, match=r"cannot be (read|written): Is a directory"):
            use(folder)


def test_a_link_stays_a_link_a_device_a_device_and_rights_stay(tmp_path: Path) -> None:
    real, link = tmp_path / "real.json", tmp_path / "link.json"
    real.touch(0o600)
    link.symlink_to(real)
    write_contacts(link, LISTS)
    assert link.is_symlink()
    assert read_contacts(real) == LISTS
    assert real.stat().st_mode & 0o777 == 0o600
    write_contacts(os.devnull, LISTS)
    assert not Path(os.devnull).is_file()
    long = tmp_path / ("n" * 255)
    write_contacts(long, LISTS)
    assert read_contacts(long) == LISTS
    assert sorted(tmp_path.iterdir()) == sorted([real, link, long])


def test_nothing_is_left_of_an_interrupted_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "x.json"
    write_contacts(target, {})

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_contacts(target, LISTS)
    assert list(tmp_path.iterdir()) == [target]
    assert read_contacts(target) == {}


def test_threads_may_write_one_file(tmp_path: Path) -> None:
    path, seen = tmp_path / "x.json", []

    def work() -> None:
        for _ in range(20):
            write_contacts(path, LISTS)
            seen.append(read_contacts(path) == LISTS)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(seen) == 60
    assert all(seen)
    assert list(tmp_path.iterdir()) == [path]


def test_a_list_without_a_name_is_named_in_messages() -> None:
    with pytest.raises(ContactFileError, match="list '', contact 0") as caught:
        contacts_from_json('{"": [3]}')
    assert caught.value.list_name == ""


@pytest.mark.parametrize("depth", [10, 300, 600, 900, 950, 980, 1000, 10**5])
def test_any_nesting_is_a_clear_error(depth: int) -> None:
    with pytest.raises(ContactFileError):
        contacts_from_json('{"left":' + "[" * depth + "]" * depth + "}")


def test_lists_of_upstreams_may_be_called_version_and_lists() -> None:
    assert set(contacts_from_json('{"version": [], "lists": []}')) == {"version", "lists"}
    with pytest.raises(ContactFileError, match="expected 'footwork-contacts'"):
        contacts_from_json('{"version": 1, "lists": {}}')


def test_what_upstreams_seconds_cannot_hold_is_said_and_the_rest_can_be_read() -> None:
    late = 10**17  # here doubles are 16 ns apart
    times = [
        (-(2**63), -5),
        (0, 1),
        (late + 1, late + 3),
        (late + 5, late + 9),
        (late + 10**9, FOREVER),
    ]
    contacts = ContactList(
        [PlannedContact(activation_time=a, deactivation_time=d) for a, d in times],
        default_name="l",
    )
    text, lost = contacts_to_json({"l": contacts}, format="blf")
    assert lost[0] == "list 'l', contact 0: it begins before -9.2e9 s and is left out"
    assert lost[1].startswith("list 'l', contact 2: its activation is not a double of seconds")
    assert "off by -1 ns" in lost[1]
    assert any("contact 3" in line and "is left out" in line for line in lost)
    back = contacts_from_json(text)["l"]
    assert back.activation_times.tolist() == [0, late, late + 10**9]
    assert back[-1].deactivation_time == FOREVER


def test_the_last_time_before_upstreams_infinity_is_finite() -> None:
    for time in range(seconds(9.2e9 - 4e-6), 92 * 10**17, 97):
        contact = PlannedContact(activation_time=0, deactivation_time=time)
        text, lost = contacts_to_json({"l": ContactList([contact], default_name="l")}, format="blf")
        back = contacts_from_json(text)["l"][0].deactivation_time
        assert back == time or (lost and abs(back - time) < 2000) or "for ever" in lost[0]


def test_copies_of_a_wrench_cannot_be_changed_either() -> None:
    contact = ContactWrench(wrench=np.array([0, 0, 1.0, 0, 0, 0]))
    for other in (pickle.loads(pickle.dumps(contact)), copy.deepcopy(contact), copy.copy(contact)):
        assert other == contact
        assert hash(other) == hash(contact)
        with pytest.raises(ValueError, match="read-only"):
            other.wrench[2] = 5.0
