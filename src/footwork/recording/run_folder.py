"""A run folder: everything about one run, in files that other programs read.

config.toml     what was asked for, complete: `footwork walk --config` repeats it
path.npz        the planned path of the base (a `PathControl`)
map.yaml        obstacles, when there were any
contacts.json   the planned contacts, one list a foot
contacts_measured.json   the contacts that happened
states.h5       time series, one row a control step, with names and units
summary.json    the verdict and the figures
"""

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING, Any, Final

from footwork.contacts import ContactList, contacts_to_json, read_contacts
from footwork.errors import BackendError, InputError
from footwork.files import read_text, read_toml
from footwork.recording.files import whole_file, write_whole
from footwork.recording.states import Column, States, StateWriter, read_states
from footwork.recording.toml import format_toml

if TYPE_CHECKING:
    from footwork.planning import PathControl

CONFIG: Final = "config.toml"
PATH: Final = "path.npz"
MAP: Final = "map.yaml"
CONTACTS: Final = "contacts.json"
MEASURED_CONTACTS: Final = "contacts_measured.json"
STATES: Final = "states.h5"
SUMMARY: Final = "summary.json"
LATEST: Final = "latest"


class RunWriter:
    """Fills a run folder as the run goes on.

    Files are written one by one and whole (a temporary file takes the name when it is complete), so
    that the folder is readable at every moment. A new folder appears with its ``config.toml`` in
    it, for without one it is no run.

    Args:
        folder: Made if it is not there; must be empty or a former run, which is overwritten.
        config: What was asked for: nested plain values.
        comment: First lines of its file.

    Raises:
        InputError: If the folder holds something else.
        BackendError: If it cannot be made.
    """

    def __init__(
        self, folder: str | os.PathLike[str], config: Mapping[str, Any], comment: str = ""
    ) -> None:
        self.folder = Path(folder)
        self._states: StateWriter | None = None
        text = format_toml(config, comment=comment)
        try:
            if self.folder.exists():
                self._clear()
                write_whole(self.folder / CONFIG, text)
            else:
                self._make(text)
        except OSError as error:
            reason = error.strerror or error
            raise BackendError(f"{self.folder}: cannot be made: {reason}") from error

    def _clear(self) -> None:
        """Remove the files of a former run, but for its configuration, which is replaced."""
        others = [p.name for p in self.folder.iterdir()]
        if others and CONFIG not in others:
            raise InputError(
                f"{self.folder}: is not empty and not a run folder ({others[0]} is in it); "
                "give another folder with --out"
            )
        for name in others:
            if name in {PATH, MAP, CONTACTS, MEASURED_CONTACTS, STATES, SUMMARY}:
                (self.folder / name).unlink()

    def _make(self, config: str) -> None:
        """Make the folder under another name, and give it its own when it is a run folder."""
        unfinished = self.folder.with_name(f".{self.folder.name}.part")
        try:
            unfinished.mkdir(parents=True, exist_ok=True)
            write_whole(unfinished / CONFIG, config)
            unfinished.replace(self.folder)
        except BaseException:  # Ctrl-C too leaves nothing behind
            rmtree(unfinished, ignore_errors=True)
            raise

    def write_path(self, path: "PathControl") -> None:
        """Write ``path.npz``.

        Args:
            path: Of the base.
        """
        with whole_file(self.folder / PATH) as temporary:
            path.to_npz(temporary)

    def write_map(self, obstacles: Mapping[str, Any]) -> None:
        """Write ``map.yaml``.

        Args:
            obstacles: Plain values: circles, boxes, height, as a map file has them.
        """
        lines = (f"{key}: {json.dumps(value)}\n" for key, value in obstacles.items())
        write_whole(self.folder / MAP, "".join(lines))

    def write_contacts(self, lists: Mapping[str, ContactList], *, measured: bool = False) -> None:
        """Write ``contacts.json``, or ``contacts_measured.json``.

        Args:
            lists: Foot → contacts.
            measured: Whether these are the contacts that happened.
        """
        text, _ = contacts_to_json(lists)
        write_whole(self.folder / (MEASURED_CONTACTS if measured else CONTACTS), text)

    def write_summary(self, summary: Mapping[str, Any]) -> None:
        """Write ``summary.json``, with the time of writing.

        Args:
            summary: Plain values.
        """
        stamped = {"format": "footwork summary", "version": 1, **summary}
        stamped["written"] = datetime.now(UTC).isoformat(timespec="seconds")
        write_whole(self.folder / SUMMARY, json.dumps(stamped, indent=2) + "\n")

    def open_states(self, columns: Sequence[Column], attributes: Mapping[str, Any]) -> StateWriter:
        """Begin ``states.h5``.

        Args:
            columns: What a row consists of.
            attributes: Of the file.

        Returns:
            The writer; `close` closes it.
        """
        self._states = StateWriter(self.folder / STATES, columns, attributes)
        return self._states

    def close(self) -> None:
        """Close what is open."""
        if self._states is not None:
            self._states.close()
            self._states = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Run:
    """A run folder, read as it is asked for; a file that is damaged is an `InputError`.

    Attributes:
        folder: Where it is.
    """

    folder: Path

    @cached_property
    def config(self) -> dict[str, Any]:
        """What was asked for."""
        return read_toml(self.folder / CONFIG)

    @property
    def config_text(self) -> str:
        """The same, as the file has it."""
        return read_text(self.folder / CONFIG)

    @cached_property
    def summary(self) -> dict[str, Any]:
        """Verdict and figures; empty if the run did not get that far."""
        path = self.folder / SUMMARY
        if not path.is_file():
            return {}
        try:
            summary = json.loads(read_text(path))
        except (json.JSONDecodeError, RecursionError) as error:
            raise InputError(f"{path}: cannot be read as JSON: {error}") from error
        if not isinstance(summary, dict):
            raise InputError(f"{path}: expected a table of figures, got {type(summary).__name__}")
        return summary

    @property
    def commands(self) -> list[dict[str, Any]]:
        """What was commanded during the run, as the summary lists it."""
        commands: list[dict[str, Any]] = self.summary.get("commands", [])
        return commands

    @cached_property
    def contacts(self) -> dict[str, ContactList]:
        """Planned contacts, by foot."""
        return dict(read_contacts(self.folder / CONTACTS))

    @cached_property
    def measured_contacts(self) -> dict[str, ContactList]:
        """Contacts that happened, by foot; empty if the run did not get that far."""
        path = self.folder / MEASURED_CONTACTS
        return dict(read_contacts(path)) if path.is_file() else {}

    @cached_property
    def states(self) -> States:
        """Time series."""
        return read_states(self.folder / STATES)

    @property
    def path_file(self) -> Path:
        """Where the planned path of the base is."""
        return self.folder / PATH

    @property
    def map_file(self) -> Path:
        """Where the obstacles are, if there were any."""
        return self.folder / MAP


def open_run(folder: str | os.PathLike[str]) -> Run:
    """Open a run folder.

    Args:
        folder: Where it is.

    Returns:
        The run.

    Raises:
        InputError: If it is not a run folder.
    """
    path = Path(folder)
    if not path.exists():
        raise InputError(f"{path}: there is no such folder; `footwork walk` writes run folders")
    if not (path / CONFIG).is_file():
        raise InputError(f"{path}: is not a run folder; it has no {CONFIG}")
    return Run(folder=path.resolve())


def new_run_folder(parent: str | os.PathLike[str], name: str) -> Path:
    """Choose a folder for a new run, and let ``latest`` point to it.

    Args:
        parent: Where runs are kept, such as "runs".
        name: First part of the folder's name; date and time follow.

    Returns:
        A folder that does not exist yet.
    """
    stamp = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
    folder = Path(parent) / f"{name}-{stamp}"
    number = 1
    while folder.exists():
        number += 1
        folder = Path(parent) / f"{name}-{stamp}-{number}"
    return folder


def point_latest_to(folder: Path) -> None:
    """Make ``latest`` beside a run folder a link to it, where the file system knows links.

    Args:
        folder: The run folder.
    """
    link = folder.parent / LATEST
    try:
        if link.is_symlink():
            link.unlink()
        if not link.exists():
            link.symlink_to(folder.name, target_is_directory=True)
    except OSError:
        return  # a convenience only
