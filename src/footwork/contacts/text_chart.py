"""A Gantt chart of contact lists in plain text, for the terminal."""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from footwork.contacts.contact import as_index
from footwork.contacts.contact_list import ContactList
from footwork.contacts.contact_phase_list import ContactPhaseList
from footwork.contacts.nanoseconds import FOREVER, Time, format_time
from footwork.contacts.time_window import time_window
from footwork.errors import InputError


@dataclass(frozen=True, kw_only=True, slots=True)
class _Marks:
    """Characters to draw with."""

    full: str
    left: str
    right: str
    part: str
    air: str
    forever: str
    edge: str
    line: str
    tick: str


_UNICODE: Final = _Marks(
    full="█", left="▌", right="▐", part="▒", air="·", forever="→", edge="│", line="─", tick="┴"
)
_ASCII: Final = _Marks(
    full="#", left="+", right="+", part="+", air=".", forever=">", edge="|", line="-", tick="+"
)


def text_gantt(
    lists: Mapping[str, ContactList] | ContactPhaseList,
    *,
    width: int = 80,
    begin: Time | None = None,
    end: Time | None = None,
    ascii_only: bool = False,
) -> str:
    """Draw when each foot touches.

    A full cell is all in contact, a half one from or until somewhere in it, a half-tone one with a
    break or a touch in between, a dot in the air; an arrow at the end means for ever.

    Args:
        lists: Key → list, or phases.
        width: Columns to use, 30 to 10 000.
        begin: First instant [ns]; that of the schedule when not given.
        end: First instant after it [ns]; that of the schedule when not given.
        ascii_only: Whether only ASCII characters are used.

    Returns:
        One line a list, and an axis of time.

    Raises:
        InputError: If the width is out of its range.
        ContactTimeError: If the end is not after the beginning.

    Example:
        >>> from footwork.contacts import gaits, seconds
        >>> walk = gaits.tile(
        ...     gaits.named("walk", gaits.BIPED), begin=0, duration=seconds(1), period=seconds(0.5)
        ... )
        >>> print(text_gantt(walk, width=47, ascii_only=True))
        left  |############+......+############+......|
        right |##+......+############+......+#########|
              +------------------+-------------------+-
              0 s                0.5 s               1 s
    """
    if not 30 <= as_index(width, "width") <= 10_000:
        raise InputError(f"width: expected 30 columns or more, up to 10000, got {width}")
    named = lists.lists if isinstance(lists, ContactPhaseList) else lists
    first, last = time_window(named, begin, end)
    names = [_shown(key, ascii_only) for key in named]
    margin = max(map(_columns, names), default=0) + 1
    cells = max(width - margin - 2, 20)
    marks = _ASCII if ascii_only else _UNICODE
    lines = [
        name + " " * (margin - _columns(name)) + marks.edge + _row(c, first, last, cells, marks)
        for name, c in zip(names, named.values(), strict=True)
    ]
    axis = (" " * margin + line for line in _axis(first, last, cells, marks))
    return "\n".join([*lines, *axis])


def _shown(name: str, ascii_only: bool) -> str:
    """A name in one line; what cannot be printed is escaped."""
    return "".join(
        c
        if c.isprintable() and (c.isascii() or not ascii_only)
        else c.encode("unicode_escape").decode()
        for c in name
    )


def _columns(name: str) -> int:
    """Columns of a terminal that a name takes; East Asian characters take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in name)


def _row(contacts: ContactList, first: int, last: int, cells: int, marks: _Marks) -> str:
    """Cells of one list, by how much of each it touches, and its end."""
    bounds = [first + (last - first) * i // cells for i in range(cells + 1)]
    row = "".join(_cell(contacts, a, max(b, a + 1), marks) for a, b in pairwise(bounds))
    active = contacts.get_active_contact(last - 1)
    stays = active is not None and active.deactivation_time == FOREVER
    return row + (marks.forever if stays else marks.edge)


def _cell(contacts: ContactList, begin: int, end: int, marks: _Marks) -> str:
    touched = _touched(contacts, begin, end)
    if touched == 0:
        return marks.air
    if touched >= end - begin:
        return marks.full
    before = contacts.get_active_contact(begin) is not None
    after = contacts.get_active_contact(end - 1) is not None
    if before == after:
        return marks.part
    return marks.left if before else marks.right


def _touched(contacts: ContactList, begin: int, end: int) -> int:
    """How much of [begin, end) a list is in contact [ns]."""
    i = max(contacts.present_index(begin), 0)
    total = 0
    while i < len(contacts) and contacts[i].activation_time < end:
        contact = contacts[i]
        overlap = min(contact.deactivation_time, end) - max(contact.activation_time, begin)
        total += max(overlap, 0)
        i += 1
    return total


def _axis(first: int, last: int, cells: int, marks: _Marks) -> tuple[str, str]:
    """A line with ticks at round times, and those times."""
    step = _tick_step((last - first) * 12 // cells + 1)
    line, texts = [marks.line] * (cells + 2), ""
    for time in range(-(-first // step) * step, last + 1, step):
        at = (time - first) * cells // (last - first)
        line[at] = marks.tick
        texts = texts.ljust(at) + format_time(time)
    return "".join(line), texts


def _tick_step(least: int) -> int:
    """The smallest of 1, 2, 5, 10, 20, … that is not below."""
    decade = 1
    while True:
        for factor in (1, 2, 5):
            if factor * decade >= least:
                return factor * decade
        decade *= 10
