import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from footwork.contacts import (
    FOREVER,
    Contact,
    ContactList,
    ContactPhaseList,
    ContactType,
    gaits,
    plot_footsteps,
    plot_gantt,
    rectangle_patch,
    seconds,
    text_gantt,
)
from footwork.errors import BackendError, ContactTimeError, InputError
from footwork.spatial import Pose

from .strategies import flat, lists, small_times, times
from .test_contact_phase import spans


def walk() -> dict[str, ContactList]:
    places = {
        foot: Contact(pose=pose, patch=rectangle_patch(0.12, 0.08, 0.04, 0.04))
        for foot, pose in gaits.nominal_footholds(gaits.BIPED).items()
    }
    footholds = gaits.moving_footholds(places, (0.4, 0, 0.3), begin=seconds(1), end=seconds(4))
    return gaits.insert(
        gaits.standing(places),
        gaits.named("walk", gaits.BIPED),
        begin=seconds(1),
        end=seconds(4),
        period=seconds(1),
        footholds=footholds,
    )


def test_the_text_chart_shows_who_touches_when() -> None:
    lists = {"left": spans((0, 1), (2, 4)), "r": spans((0, 3), (3.25, math.inf))}
    assert text_gantt(lists, width=39, end=seconds(4)) == (
        "left │████████········████████████████│\n"
        "r    │████████████████████████··██████→\n"
        "     ┴───────────────┴───────────────┴─\n"
        "     0 s             2 s             4 s"
    )
    chart = text_gantt(
        ContactPhaseList.from_lists(lists), width=39, end=seconds(4), ascii_only=True
    )
    assert chart.splitlines()[1] == "r    |########################..######>"
    assert chart.isascii()


def test_cells_in_part_show_on_which_side() -> None:
    row = text_gantt({"a": spans((0.05, 0.95), (1.02, 1.05))}, width=40, begin=0, end=seconds(3.6))
    assert row.splitlines()[0] == "a │▐████████▌▒·························│"
    short_swing = text_gantt({"a": spans((0, 1.02), (1.05, 3.6))}, width=40)
    assert short_swing.splitlines()[0] == "a │██████████▒█████████████████████████│"


charted = st.dictionaries(
    st.sampled_from(["a", "bb", "ccc"]), st.one_of(lists(small_times, flat), lists(times, flat))
)


@given(charted, st.integers(30, 120))
def test_any_schedule_has_a_text_chart_within_its_width(
    given_lists: dict[str, ContactList], width: int
) -> None:
    chart = text_gantt(given_lists, width=width).splitlines()
    assert len(chart) == len(given_lists) + 2
    assert all(len(line) <= width for line in chart[:-1])


@given(lists(small_times, flat))
def test_cells_of_one_nanosecond_are_exact(contacts: ContactList) -> None:
    row = text_gantt({"a": contacts}, width=34, begin=-10, end=20).splitlines()[0]
    touching = [contacts.get_active_contact(t) is not None for t in range(-10, 20)]
    assert row[3:-1] == "".join("█" if yes else "·" for yes in touching)


def test_charts_refuse_nonsense() -> None:
    with pytest.raises(InputError, match="width: expected 30 columns or more"):
        text_gantt({}, width=10)
    for draw in (text_gantt, plot_gantt, plot_footsteps):
        with pytest.raises(ContactTimeError, match="expected a time after the beginning"):
            draw({}, begin=5, end=5)


def test_the_gantt_picture_has_a_bar_a_contact(tmp_path: Path) -> None:
    lists = walk()
    figure = plot_gantt(lists, tmp_path / "gantt.png", title="walk")
    (axes,) = figure.axes
    phases = ContactPhaseList.from_lists(lists)
    assert len(axes.patches) == sum(map(len, lists.values())) + len(phases)
    first = axes.patches[0]
    assert first.get_x() == 0.0  # type: ignore[attr-defined]
    assert first.get_width() == pytest.approx(lists["left"][0].deactivation_time * 1e-9)  # type: ignore[attr-defined]
    assert [label.get_text() for label in axes.get_yticklabels()] == ["left", "right", "feet"]
    assert axes.get_title(loc="left") == "walk"
    assert (tmp_path / "gantt.png").stat().st_size > 5000
    in_part = plot_gantt(phases, begin=seconds(1), end=seconds(2)).axes[0]
    assert in_part.get_xlim() == pytest.approx((1.0, 2.015))


def test_the_top_view_has_the_soles_where_they_are(tmp_path: Path) -> None:
    lists = walk()
    figure = plot_footsteps(lists, tmp_path / "top.svg")
    (axes,) = figure.axes
    polygons = [np.asarray(patch.get_xy()) for patch in axes.patches]  # type: ignore[attr-defined]
    contacts = [contact for key in lists for contact in lists[key]]
    assert len(polygons) == len(contacts)
    for polygon, contact in zip(polygons, contacts, strict=True):
        corners = np.column_stack([np.array(contact.patch), np.zeros(4)])
        expected = {tuple(row) for row in contact.pose.act(corners)[:, :2].round(9).tolist()}
        assert {tuple(row) for row in polygon.round(9).tolist()} == expected
    assert "<svg" in (tmp_path / "top.svg").read_text()


def test_point_contacts_are_dots_and_plain_soles_are_drawn_without_a_patch() -> None:
    points, plain = ContactList(default_contact_type=ContactType.POINT), ContactList()
    points.add_contact(Pose.from_translation([1, 2, 0]), 0, 5)
    plain.add_contact(Pose.identity(), 0, FOREVER)
    figure = plot_footsteps({"point": points, "plain": plain}, begin=0, end=9)
    (axes,) = figure.axes
    assert len(axes.patches) == 1
    dots = [line for line in axes.lines if line.get_marker() == "o"]
    assert [(d.get_xdata()[0], d.get_ydata()[0]) for d in dots] == [(1, 2)]  # type: ignore[index]


def test_nothing_at_all_can_be_drawn() -> None:
    assert plot_gantt({}).axes
    assert plot_footsteps({"a": ContactList()}).axes


def test_a_picture_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    for draw in (plot_gantt, plot_footsteps):
        with pytest.raises(BackendError, match="the picture cannot be written"):
            draw(walk(), tmp_path / "no" / "folder.png")
        with pytest.raises(BackendError, match=r"x\.nonsense: the picture cannot be written"):
            draw(walk(), "x.nonsense")


def test_importing_contacts_needs_nothing_but_numpy() -> None:
    code = (
        "import sys, footwork.contacts\n"
        "heavy = ('numba', 'scipy', 'matplotlib', 'pinocchio', 'mujoco', 'rich', 'msgspec')\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
