"""Pictures of contact lists: a Gantt chart over time, and the footsteps from above.

Matplotlib is imported when a picture is drawn. Figures are made without its global state, so that
nothing pops up and nothing has to be closed.
"""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from footwork.contacts.contact import Contact, ContactType, Patch, rectangle_patch
from footwork.contacts.contact_list import ContactList
from footwork.contacts.contact_phase_list import ContactPhaseList
from footwork.contacts.nanoseconds import FOREVER, Time
from footwork.contacts.time_window import time_window
from footwork.errors import BackendError
from footwork.typing import Matrix

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

COLOURS: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#8c564b")
"""Colours of lists, in their order; told apart by people who see colours differently, too."""
# background of the strip of phases by the number of feet that touch; more than two are greener
_SUPPORT: Final = {0: "#f4c7c3", 1: "#fce8b2", 2: "#e3f1e3"}


def plot_gantt(
    lists: Mapping[str, ContactList] | ContactPhaseList,
    path: str | os.PathLike[str] | None = None,
    *,
    begin: Time | None = None,
    end: Time | None = None,
    title: str = "",
) -> "Figure":
    """Draw when each foot touches, and how many touch at once.

    A bar is a contact, with its index, a slim one a point contact; one that stays for ever ends in
    an arrow. The strip below says how many feet touch in each phase.

    Args:
        lists: Key → list, or phases.
        path: File to write, PNG or SVG or PDF by its ending; no file when None.
        begin: First instant [ns]; that of the schedule when not given.
        end: First instant after it [ns]; that of the schedule when not given.
        title: Headline.

    Returns:
        The figure.

    Raises:
        ContactTimeError: If the end is not after the beginning.
        BackendError: If the file cannot be written.
    """
    from matplotlib.figure import Figure

    phases = lists if isinstance(lists, ContactPhaseList) else ContactPhaseList.from_lists(lists)
    first, last = (t * 1e-9 for t in time_window(phases.lists, begin, end))
    rows = phases.lists
    figure = Figure(figsize=(10.0, 1.6 + 0.42 * (len(rows) + 1)), layout="constrained")
    axes = figure.add_subplot()
    for row, contacts in enumerate(rows.values()):
        _draw_bars(axes, contacts, len(rows) - row, (first, last), _colour(row))
    _draw_support(axes, phases, (first, last))
    axes.set_yticks(range(len(rows), -1, -1), [*map(_plain, rows), "feet"])
    axes.set_xlim(first, last + 0.015 * (last - first))
    axes.set_ylim(-0.6, len(rows) + 0.6)
    axes.set_xlabel("time [s]")
    axes.set_title(_plain(title), loc="left")
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.tick_params(axis="y", length=0)
    _save(figure, path)
    return figure


def plot_footsteps(
    lists: Mapping[str, ContactList] | ContactPhaseList,
    path: str | os.PathLike[str] | None = None,
    *,
    begin: Time | None = None,
    end: Time | None = None,
    title: str = "",
) -> "Figure":
    """Draw the footsteps from above, x to the right and y up.

    A sole is drawn by its patch where it is known, else as a plain one; a point contact as a dot.
    Footsteps are numbered in their list, and joined by a thin line in their order.

    Args:
        lists: Key → list, or phases.
        path: File to write, PNG or SVG or PDF by its ending; no file when None.
        begin: Contacts that are over by then are left out [ns].
        end: Contacts that begin then or later are left out [ns].
        title: Headline.

    Returns:
        The figure.

    Raises:
        ContactTimeError: If the end is not after the beginning.
        BackendError: If the file cannot be written.
    """
    from matplotlib.figure import Figure

    named = lists.lists if isinstance(lists, ContactPhaseList) else lists
    first, last = time_window(named, begin, end)
    shown = {
        key: [
            (i, contact)
            for i, contact in enumerate(contacts)
            if contact.deactivation_time >= first and contact.activation_time < last
        ]
        for key, contacts in named.items()
    }
    figure = Figure(figsize=_size_of([c for steps in shown.values() for _, c in steps]))
    figure.set_layout_engine("constrained")
    axes = figure.add_subplot()
    for row, (key, steps) in enumerate(shown.items()):
        _draw_path(axes, [contact for _, contact in steps], _colour(row))
        for i, contact in steps:
            _draw_step(axes, contact, str(i), _colour(row))
        axes.plot([], [], "s", color=_colour(row), label=_plain(key))
    axes.set_aspect("equal", adjustable="datalim")
    axes.margins(0.05)
    axes.set_xlabel("x [m]")
    axes.set_ylabel("y [m]")
    axes.set_title(_plain(title), loc="left")
    axes.grid(color="#e8e8e8", linewidth=0.8)
    axes.set_axisbelow(True)
    if shown:
        figure.legend(loc="outside right upper", frameon=False)
    _save(figure, path)
    return figure


def _draw_bars(
    axes: "Axes", contacts: ContactList, row: int, window: tuple[float, float], colour: str
) -> None:
    first, last = window
    for i, contact in enumerate(contacts):
        begin = max(contact.activation_time * 1e-9, first)
        end = min(contact.deactivation_time * 1e-9, last)
        if begin > last or end < first:
            continue
        height = 0.44 if contact.type is ContactType.POINT else 0.62
        axes.barh(row, end - begin, left=begin, height=height, color=colour, edgecolor="white")
        if contact.deactivation_time == FOREVER:
            axes.plot(last, row, marker=9, markersize=11, color=colour, clip_on=False)
        if end - begin > 0.025 * (last - first):
            middle = (begin + end) / 2
            axes.text(middle, row, str(i), ha="center", va="center", color="white", fontsize=8)


def _draw_support(axes: "Axes", phases: ContactPhaseList, window: tuple[float, float]) -> None:
    """A strip of phases by the number of feet that touch, and a thin line at each event."""
    first, last = window
    touching = (phases.membership >= 0).sum(axis=1).tolist()
    begins, ends = phases.begin_times * 1e-9, phases.end_times * 1e-9
    for count, begin, end in zip(touching, begins.tolist(), ends.tolist(), strict=True):
        left, right = max(begin, first), min(end, last)
        if left >= right:
            continue
        colour = _SUPPORT.get(count, "#cfe8d5")
        axes.barh(0, right - left, left=left, height=0.62, color=colour, edgecolor="white")
        if right - left > 0.025 * (last - first):
            middle = (left + right) / 2
            axes.text(middle, 0, str(count), ha="center", va="center", fontsize=8, color="#555555")
        if left > first:
            axes.axvline(left, color="#d0d0d0", linewidth=0.6, zorder=0)


def _draw_path(axes: "Axes", contacts: list[Contact], colour: str) -> None:
    places = np.array([contact.pose.translation for contact in contacts]).reshape(-1, 3)
    axes.plot(places[:, 0], places[:, 1], color=colour, linewidth=0.8, alpha=0.5)


def _draw_step(axes: "Axes", contact: Contact, label: str, colour: str) -> None:
    x, y = contact.pose.x, contact.pose.y
    if contact.type is ContactType.POINT and contact.patch is None:
        axes.plot(x, y, "o", color=colour, markersize=9)
        axes.annotate(label, (x, y), ha="center", va="center_baseline", fontsize=7, color="white")
        return
    outline = _outline(contact)
    axes.fill(outline[:, 0], outline[:, 1], facecolor=colour, alpha=0.25)
    axes.plot(*np.vstack([outline, outline[:1]]).T[:2], color=colour, linewidth=1.2)
    heading = contact.pose.rotate([1.0, 0.0, 0.0])
    tip = contact.pose.translation + heading * 0.5 * np.ptp(outline @ heading)
    axes.plot([x, tip[0]], [y, tip[1]], color=colour, linewidth=1.2)
    axes.annotate(
        label,
        (x, y),
        ha="center",
        va="center",
        fontsize=8,
        bbox={"boxstyle": "circle,pad=0.15", "facecolor": "white", "edgecolor": colour},
    )


def _outline(contact: Contact) -> Matrix:
    """Corners of the sole in the world [m], shape (k, 3), in the order round their middle."""
    patch: Patch = contact.patch or rectangle_patch(0.1, 0.07, 0.04, 0.04)
    corners = np.array(patch)
    from_middle = corners - corners.mean(axis=0)
    order = np.argsort(np.arctan2(from_middle[:, 1], from_middle[:, 0]))
    outline: np.ndarray = contact.pose.act(
        np.column_stack([corners, np.zeros(len(corners))])[order]
    )
    return outline


def _size_of(contacts: list[Contact]) -> tuple[float, float]:
    """A figure about as wide and high as the footsteps need."""
    places = np.array([contact.pose.translation for contact in contacts]).reshape(-1, 3)
    if not len(places):
        return 8.0, 4.0
    width, height = np.maximum(np.ptp(places[:, :2], axis=0) + 0.4, 0.4)
    scale = 9.0 / max(width, 1.2 * height)
    return float(max(width * scale, 3.0) + 1.8), float(max(height * scale, 1.8) + 0.8)


def _plain(text: str) -> str:
    """A text that is drawn as it stands: no formula, no label to hide, no half of a character."""
    whole = text.encode("utf-8", "backslashreplace").decode().replace("$", r"\$")
    return whole if whole and not whole.startswith("_") else f" {whole}"


def _colour(row: int) -> str:
    return COLOURS[row % len(COLOURS)]


def _save(figure: "Figure", path: str | os.PathLike[str] | None) -> None:
    if path is None:
        return
    try:
        figure.savefig(Path(path), dpi=150)
    except (OSError, ValueError) as error:
        raise BackendError(f"{path}: the picture cannot be written: {error}") from error
